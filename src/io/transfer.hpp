// What transfers between the library's memory and others' share: see transfer.cpp.
#pragma once

#include "src/graph/context.hpp"

namespace frit::inline v0::detail {

/// A stored node over somebody else's memory on `home`'s device, never written; strides in elements (empty: row-major).
/// `drop(keep)` is called when nobody looks any more, but not if this throws.
node* lend(context& home, const void* data, dtype, const shape&, std::span<const std::int64_t> strides, void* keep,
           void (*drop)(void*));

/// That memory for these elements can exist: a stride for each axis, or none, that lead nowhere outside the address space.
/// @throws shape_error, or error for a null pointer, both naming `who`
void check_memory(std::string_view who, const void* data, dtype, const shape&, std::span<const std::int64_t> strides,
                  source_line);

/// Evaluates a node, with the held arrays on the way, as every read does.
void store_for_reading(node_head*);
/// Elements of a stored node by their offsets, counted as its strides are. Of a device's memory, these alone are copied.
void read_elements(const node&, std::span<const std::int64_t> offsets, void* to);

}  // namespace frit::v0::detail

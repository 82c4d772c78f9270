// Reading one element of an array: x(k).item() and its like are a load from an address, not a kernel.
#pragma once

#include <cstdint>
#include <optional>

#include "src/graph/node.hpp"

namespace frit::inline v0::detail {

/// Where the one element of a pending view lies.
struct element {
    user_ref source;      ///< a stored array, in any layout
    std::int64_t offset;  ///< in elements from the array's first, as its strides count
};

/// The element that a node shows, where it is pending and nothing but views of a stored array. Takes the context's lock.
std::optional<element> shown_element(node&);

/// Stores the node: its element gets memory of its own, so that the array which it was seen in is let go. False where
/// another thread was quicker, and may be at it still.
/// @throws out_of_memory
bool store_element(node&, const element&);

}  // namespace frit::v0::detail

// The builders of view, update and coord attributes: each checks its arguments against the operand's shape, where the user
// wrote the view, and returns the access map that the planner composes. Not templates: the work is in src/view.cpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "frit/detail/record.hpp"
#include "frit/index.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0 {
/// What pad puts around its operand: a value, or the nearest element.
enum class pad_mode : std::uint8_t { constant, edge };
}  // namespace frit::v0

namespace frit::inline v0::detail {

/// How many elements pad adds in front of and behind one axis.
struct pad_width {
    any_integer before, after;
};

/// @throws index_error naming the shape: out of range, step 0, too many indices
FRIT_API attribute_ref index_attribute(const shape& of, std::span<const index>, source_line);
/// The same region as the target of an update.
FRIT_API attribute_ref update_attribute(const attribute& view);
/// `order` null: the axes reversed.
FRIT_API attribute_ref transpose_attribute(const shape& of, const axes* order, source_line);
FRIT_API attribute_ref reshape_attribute(const shape& of, const int_list& extents, source_line);
/// `who`: the op that errors name.
FRIT_API attribute_ref broadcast_attribute(const shape& of, const shape& to, source_line,
                                           std::string_view who = "broadcast_to");
/// `which` null: every axis of extent 1.
FRIT_API attribute_ref squeeze_attribute(const shape& of, const axes* which, source_line);
FRIT_API attribute_ref expand_dims_attribute(const shape& of, const axes& where_in_result, source_line);
/// `which` null: all axes.
FRIT_API attribute_ref flip_attribute(const shape& of, const axes* which, source_line);
FRIT_API attribute_ref diagonal_attribute(const shape& of, std::int64_t offset, std::int64_t axis1, std::int64_t axis2,
                                          source_line);
/// Indices clamped to the operand, so that pad reads the nearest element; pad_mode::edge needs one to be there.
FRIT_API attribute_ref pad_attribute(const shape& of, std::span<const pad_width>, pad_mode, source_line);
/// A pending bool array of a pad attribute's result shape: true where the element comes from the operand itself.
FRIT_API handle_ref pad_interior(const attribute& pad, source_line);
/// The index along one axis of `domain`.
FRIT_API attribute_ref coord_attribute(const shape& domain, int axis);

}  // namespace frit::v0::detail

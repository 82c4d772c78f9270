// What gathers and scatters share: NumPy's rules for the things between the parentheses, as the map of an access, and the
// beginning of the statement that has it.
#pragma once

#include <string_view>
#include <vector>

#include "frit/gather.hpp"
#include "src/formulas/values.hpp"
#include "src/graph/programs.hpp"

namespace frit::inline v0::detail {

/// Which elements of an array an access has, and how each index operand is seen from its result.
struct index_maps {
    attribute_ref where;
    std::vector<attribute_ref> spreads;
};
/// @throws index_error, shape_error
index_maps index_maps_of(std::string_view who, const shape& of, std::span<const gather_item>, source_line);
/// The items with the places of what is true, axis by axis, instead of each array of bool: NumPy's rule for masks beside
/// other indices. Evaluates those places. @throws shape_error where a mask does not have the extents of its axes
std::vector<gather_item> without_masks(std::string_view who, const shape& of, std::span<const gather_item>, source_line);
/// Along one axis, at indices of as many axes, which broadcast with the others.
index_maps along_maps_of(std::string_view who, const shape& of, const user_ref& indices, std::int64_t axis, source_line);
/// Items that are whole axes but for an array at this axis.
std::vector<gather_item> items_along(std::string_view who, const shape& of, const user_ref& indices, std::int64_t axis,
                                     source_line);
std::vector<user_ref> arrays_of(std::span<const gather_item>);

/// A statement in the making.
struct indexed_statement {
    std::vector<instruction> steps;
    std::vector<node_head*> leaves;
    std::vector<attribute_ref> attributes;
    std::vector<user_ref> kept;  ///< operands that were made for it
    void push(const user_ref& leaf);
    user_ref record(op last, dtype, const attribute_ref&, source_line);
};
/// Base and indices. @throws dtype_error, index_error
indexed_statement begin_access(std::string_view who, const user_ref& base, std::vector<user_ref> indices, const index_maps&,
                               bounds, source_line);

/// The elements. @throws likewise
user_ref read_at(const user_ref& x, std::vector<user_ref> indices, const index_maps&, bounds, std::string_view who,
                 source_line);

}  // namespace frit::v0::detail

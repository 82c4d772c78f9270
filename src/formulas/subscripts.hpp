// What einsum's first argument says: "ij,jk->ik" read as NumPy reads it, and held against the shapes of the operands.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "src/formulas/values.hpp"

namespace frit::inline v0::detail {

/// The indices of one array, one an axis, by the numbers that they have in the whole specification.
using subscript_list = std::vector<int>;

/// More of them than letters, and axes that an ellipsis may stand for, there are not.
inline constexpr int most_subscripts = 52 + max_rank;
using subscript_set = std::bitset<most_subscripts>;

struct subscripts {
    std::vector<subscript_list> operands;
    subscript_list result;
    std::vector<std::int64_t> extents;  ///< of each index; an operand may have 1 instead, and is then repeated along it
};

/// NumPy's grammar: letters are indices, in any case; `...` stands for the axes that no letter names, which broadcast;
/// spaces say nothing. Without `->` the result has the axes of the ellipsis, and then the letters that occur once, in
/// ASCII's order.
/// @throws shape_error saying what is wrong where
subscripts subscripts_of(std::string_view text, std::span<const user_ref> operands, source_line);

}  // namespace frit::v0::detail

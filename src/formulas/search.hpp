// What the functions share that look values up, or repeat elements by running counts.
#pragma once

#include <cstdint>

#include "frit/search.hpp"
#include "src/formulas/values.hpp"

namespace frit::inline v0::detail {

using mask_value = composed<dtype::bool_>;
using place_value = composed<dtype::i64>;

/// A formula that several statements read: a node that none of them takes into its own program, where each would compute it
/// anew, since numbers that are equal by chance are not one.
template <operand E>
value shared(const E& e, source_line where) {
    return value(user_ref(record(packed<operand_t<E>>(e, where).value)));
}
/// The same of a value that somebody else recorded: that node itself where this is the only reference to it.
user_ref shared_node(const user_ref& x, source_line where);
value shared_value(const value& x, source_line where);

/// x at these places of its first axis.
value element_at(const value& x, const place_value& places, std::string_view who, source_line where);
/// x at one place of its first axis, for each element of a shape.
value element_at(const value& x, std::int64_t place, const shape& spread, source_line where);
/// The number along the only axis of a vector of n elements.
place_value numbers(std::int64_t n, source_line where);

/// How many elements of a sorted vector are in front of each of v: less, or for side::right not greater; NaN is last.
place_value search(const value& sorted, const value& v, side, source_line where);

/// Where no element is wrong; one that is, is an error of the evaluation, which this index stands for (index_fault).
mask_value checked(const mask_value& wrong, const place_value& index, std::string_view who, source_line where);
mask_value checked(const mask_value& wrong, std::int64_t index, std::string_view who, source_line where);

/// @throws shape_error
void check_vector(std::string_view who, std::string_view name, const shape&, source_line where);

}  // namespace frit::v0::detail

// A binary search as a formula, for the functions that look values up or repeat elements by running counts.
#pragma once

#include <cstdint>
#include <functional>

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
/// The same of a value that somebody else recorded.
value shared_value(const value& x, source_line where);

/// x at these places of its first axis.
value element_at(const value& x, const place_value& places, std::string_view who, source_line where);
/// x at one place of its first axis, for each element of a shape.
value element_at(const value& x, std::int64_t place, const shape& spread, source_line where);
/// The number along the only axis of a vector of n elements.
place_value numbers(std::int64_t n, source_line where);

/// How many of the first elements of a sequence of n are in front, where `in_front(place)` says so of the element at a
/// place, and those that are come first, for each element of a shape: ceil(log2(n + 1)) steps, each of which asks once. All
/// places asked for are in range.
place_value count_in_front(std::int64_t n, const shape& spread,
                           const std::function<mask_value(const place_value&)>& in_front, source_line where);

/// searchsorted over elements that `at` reads.
place_value search(std::int64_t n, const std::function<value(const place_value&)>& at, const value& v, side,
                   source_line where);

/// @throws shape_error
void check_vector(std::string_view who, std::string_view name, const shape&, source_line where);

}  // namespace frit::v0::detail

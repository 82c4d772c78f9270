// Functions of several results: divmod, modf, frexp. Each gives a std::tuple of arrays. Every result is an op of its own, so
// one that nobody asks for is neither computed nor stored; evaluated together they are one kernel.
#pragma once

#include <cstdint>
#include <tuple>

#include "frit/any_array.hpp"
#include "frit/array.hpp"
#include "frit/detail/composed.hpp"
#include "frit/ops.hpp"

namespace frit::inline v0 {

namespace detail {

/// One result, which names `who` where it is an error.
template <operand E>
auto result_of(const E& formula, const char* who, source_line where) {
    return holder_t<E>(handle_ref(record(formula, where, who)));
}

/// A formula recorded once, as a part of what reads it: of a 16-bit dtype it stays in float32. A C++ number stays one.
template <class A>
auto as_part(const A& x, source_line where) {
    if constexpr (operand<A> && !is_array<A>::value)
        return composed<operand_t<A>::type>(node_of(x, where));
    else
        return x;
}

/// A formula as an array: of a 16-bit dtype its rounded values.
template <operand A>
auto as_array(const A& x, source_line where) {
    return holder_t<A>(handle_of(x, where));
}

}  // namespace detail

/// The quotient and what is left of it, (floor_divide(a, b), remainder(a, b)), as NumPy's divmod: the quotient is rounded
/// down, the remainder has the sign of b. One of the two may be a C++ scalar. Both results have the promoted dtype and the
/// common shape.
/// @throws shape_error where the operands do not broadcast together
/// ```cpp
/// const auto [q, r] = frit::divmod(frit::array<int>{7, -7}, 3);
/// std::cout << q << '\n' << r << '\n';
/// ```
/// ```text
/// [ 2 -3]
/// [1 2]
/// ```
template <class A, class B>
requires detail::operand_pair<A, B>
auto divmod(const A& a, const B& b, source_line where = {}) {
    const auto x = detail::as_part(a, where);
    const auto y = detail::as_part(b, where);
    return std::tuple{detail::result_of(floor_divide(x, y), "divmod", where),
                      detail::result_of(remainder(x, y), "divmod", where)};
}

/// The fraction and the whole part, both with the sign of x: modf(-2.5) is (-0.5, -2). Of an infinity they are 0 and the
/// infinity; NaN gives NaN twice. In x's dtype, of integers double (float of bool and those of 8 and 16 bits), and in its
/// shape. A 16-bit formula is rounded to its dtype first, so that fraction and whole are exact and the fraction stays
/// below 1.
/// ```cpp
/// const auto [fraction, whole] = frit::modf(frit::array<float>{1.5, -2.25});
/// std::cout << fraction << '\n' << whole << '\n';
/// ```
/// ```text
/// [ 0.5  -0.25]
/// [ 1. -2.]
/// ```
template <detail::operand A>
auto modf(const A& x, source_line where = {}) {
    const auto values = detail::as_array(x, where);
    return std::tuple{detail::result_of(detail::make<op::modf_fraction>(values), "modf", where),
                      detail::result_of(trunc(values), "modf", where)};
}

/// The mantissa, of magnitude in [0.5, 1), and the exponent: x = mantissa * 2^exponent, also for subnormal numbers. Of 0, an
/// infinity and NaN the mantissa is x, and the exponent 0. The mantissa has the dtype that modf's results have, the exponent
/// is int32; both have x's shape. A 16-bit formula is rounded to its dtype first: mantissa * 2^exponent is that number.
/// ```cpp
/// const auto [mantissa, exponent] = frit::frexp(frit::array<float>{8, -0.75});
/// std::cout << mantissa << '\n' << exponent << '\n';
/// ```
/// ```text
/// [ 0.5  -0.75]
/// [4 0]
/// ```
template <detail::operand A>
auto frexp(const A& x, source_line where = {}) {
    const auto values = detail::as_array(x, where);
    return std::tuple{detail::result_of(detail::make<op::frexp_mantissa>(values), "frexp", where),
                      detail::result_of(cast<std::int32_t>(detail::make<op::frexp_exponent>(values)), "frexp", where)};
}

}  // namespace frit::v0

// Functions of several results: divmod, modf, frexp. Each gives a std::tuple of arrays. Every result is an op of its own, so
// one that nobody asks for is neither computed nor stored; evaluated together they are one kernel.
#pragma once

#include <cstdint>
#include <tuple>

#include "frit/any_array.hpp"
#include "frit/array.hpp"
#include "frit/ops.hpp"

namespace frit::inline v0 {

namespace detail {

/// A formula as an array, recorded once whatever reads it: of a 16-bit dtype its rounded values, since a fraction and an
/// exponent are those of the number that there is. A C++ number stays one.
template <class A>
auto as_array(const A& x, source_line where) {
    if constexpr (operand<A> && !is_array<A>::value)
        return holder_t<A>(x, where);
    else
        return x;
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
    const auto x = detail::as_array(a, where);
    const auto y = detail::as_array(b, where);
    return std::tuple{detail::as_array(floor_divide(x, y), where), detail::as_array(remainder(x, y), where)};
}

/// The fraction and the whole part, both with the sign of x: modf(-2.5) is (-0.5, -2). Of an infinity they are 0 and the
/// infinity; NaN gives NaN twice. In x's dtype, of integers double (float of bool and those of 8 and 16 bits), and in its
/// shape.
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
    return std::tuple{detail::as_array(detail::make<op::modf_fraction>(values), where),
                      detail::as_array(trunc(values), where)};
}

/// The mantissa, of magnitude in [0.5, 1), and the exponent: x = mantissa * 2^exponent, also for subnormal numbers. Of 0, an
/// infinity and NaN the mantissa is x, and the exponent 0. The mantissa has the dtype that modf's results have, the exponent
/// is int32; both have x's shape.
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
    return std::tuple{detail::as_array(detail::make<op::frexp_mantissa>(values), where),
                      detail::as_array(cast<std::int32_t>(detail::make<op::frexp_exponent>(values)), where)};
}

}  // namespace frit::v0

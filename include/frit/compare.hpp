// Comparison of floating results: isclose and allclose, NumPy's formulas. array_equal is in eval.hpp.
#pragma once

#include "frit/eval.hpp"
#include "frit/ops.hpp"
#include "frit/reduce.hpp"

namespace frit::inline v0 {

namespace detail {
/// x in floating dtype D: arrays by a cast, numbers as they are.
template <dtype D, class X>
decltype(auto) in_floating(const X& x) {
    if constexpr (scalar<X>)
        return static_cast<cpp_type<D>>(x);
    else
        return cast<cpp_type<D>>(x);
}
}  // namespace detail

/// Where |a - b| <= atol + rtol |b|, as a bool recipe. Not symmetric: b is the reference. Infinities are close to
/// themselves, NaN is close to nothing. Source: numpy.isclose.
template <class A, class B>
requires detail::operand_pair<A, B>
auto isclose(const A& a, const B& b, double rtol = 1e-5, double atol = 1e-8) {
    constexpr dtype common = detail::common_dtype({detail::argument_of<A>(), detail::argument_of<B>()});
    constexpr dtype D = register_dtype(to_floating(common));
    using T = cpp_type<D>;
    const T relative = static_cast<T>(rtol), absolute = static_cast<T>(atol);
    const auto& x = detail::in_floating<D>(a);
    const auto& y = detail::in_floating<D>(b);
    if constexpr (detail::scalar<B>)
        return (x == y) | ((abs(x - y) <= absolute + relative * (y < 0 ? -y : y)) & (y - y == 0));
    else
        return (x == y) | ((abs(x - y) <= absolute + relative * abs(y)) & isfinite(y));
}

/// True if all elements are close (see isclose); the shapes broadcast. Evaluates.
template <class A, class B>
requires detail::operand_pair<A, B>
bool allclose(const A& a, const B& b, double rtol = 1e-5, double atol = 1e-8, source_line where = {}) {
    return all(isclose(a, b, rtol, atol)).item(where);
}

}  // namespace frit::v0

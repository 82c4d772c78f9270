// Comparison of floating results: isclose and allclose, NumPy's formulas. array_equal is in eval.hpp.
#pragma once

#include "frit/detail/formulas.hpp"
#include "frit/eval.hpp"
#include "frit/ops.hpp"
#include "frit/reduce.hpp"

namespace frit::inline v0 {

namespace detail {
/// An array, a formula or a number as isclose takes it.
template <class X>
compared to_compared(const X& x, source_line where) {
    if constexpr (scalar<X>)
        return {constant_of(x, where), true};
    else
        return {node_of(x, where), false};
}
}  // namespace detail

/// Where |a - b| <= atol + rtol |b|, as a bool recipe. Not symmetric: b is the reference. Infinities are close to
/// themselves, NaN is close to nothing. Source: numpy.isclose.
template <class A, class B>
requires detail::operand_pair<A, B>
auto isclose(const A& a, const B& b, double rtol = 1e-5, double atol = 1e-8, source_line where = {}) {
    return composed<dtype::bool_>(
        detail::isclose_of(detail::to_compared(a, where), detail::to_compared(b, where), rtol, atol, where));
}

/// True if all elements are close (see isclose); the shapes broadcast. Evaluates.
template <class A, class B>
requires detail::operand_pair<A, B>
bool allclose(const A& a, const B& b, double rtol = 1e-5, double atol = 1e-8, source_line where = {}) {
    return all(isclose(a, b, rtol, atol, where)).item(where);
}

}  // namespace frit::v0

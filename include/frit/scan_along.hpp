// Recurrences along an axis: what comes behind an element depends on what came before it, in a way that the caller writes
// as an ordinary function of arrays. Filters, tridiagonal solvers, cells of recurrent networks, dynamic programming over
// rows: one kernel a sweep, in parallel across the other axes. What an associative operation does stands in associative.hpp.
#pragma once

#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "frit/iterate.hpp"
#include "frit/movement.hpp"

namespace frit::inline v0 {

/// @cond
namespace detail {

/// An axis, the direction along it, and the caller's line.
struct swept_axis : joined_axis {
    template <class T>  // nvcc cannot inherit constructors that have constraints
    requires std::is_constructible_v<joined_axis, T> swept_axis(T k, source_line at = {}) : joined_axis(k, at) {}
    bool backward = false;
    const char* who = "scan_along";  ///< for errors
};

/// The states behind each element. @param over  what the recurrence runs along the axis of, once it is broadcast together
FRIT_API std::vector<user_ref> scan_along_of(const swept_axis&, std::span<const user_ref> before,
                                             std::span<const user_ref> over, const step_caller&);

/// A step of a recurrence as a step of a loop.
template <class F, class... X>
struct step_with {
    const F& f;
    std::tuple<const X&...> elements;
    template <class... S>
    auto operator()(const S&... states) const {
        return std::apply([&](const X&... x) { return f(states..., x...); }, elements);
    }
};

template <class F, class... S, class... X>
std::vector<user_ref> swept(const swept_axis& axis, const std::tuple<S...>& before, const F& f, const X&... x) {
    const std::vector<user_ref> states =
        std::apply([&](const auto&... s) { return std::vector{state_node(s, axis.where)...}; }, before);
    const std::vector<user_ref> over{node_of(x, axis.where)...};
    const step_with<F, X...> step{f, {x...}};
    const all_rounds none;
    const traced_step<std::tuple<S...>, step_with<F, X...>, all_rounds> traced{step, none};
    return scan_along_of(axis, states, over, {&traced, traced.call});
}

}  // namespace detail
/// @endcond

/// The axis of a scan_along that begins at its last element.
inline detail::swept_axis backward(detail::swept_axis axis) {
    axis.backward = true;
    return axis;
}

/// Goes along an axis, element by element, and replaces states by `step` of them and of the elements: serial along the axis,
/// parallel across the others, one kernel. Behind each element the states are a result; those that nobody asks for are not
/// stored.
///
/// The states begin as `init`: arrays, recipes or C++ numbers, of the shape that the others have without the axis, or that
/// broadcast to it. Each keeps its dtype, into which what the step gives for it is written as into an array. `step` takes as
/// many arrays as there are states, then those of `over` as they were given; it returns a std::tuple of the next states. It
/// may use other arrays, which broadcast with `over`, and may do with the states what is done element by element.
/// @param axis  of what the arrays of `over` broadcast to; backward(axis) begins at its last element
/// @param init  the states before the first element
/// @param step  states, elements -> states
/// @param over  the arrays that it runs along, at least one
/// @returns a std::tuple of arrays of the shape of `over`: each state behind each element
/// @throws error for a step that reads its states as a whole, dtype_error for a state that does not hold what the step
/// gives, shape_error where shapes do not broadcast, index_error for an axis that is not there
///
/// ```cpp
/// // Solves tridiagonal systems (Thomas 1949): -1, 4, -1 on the diagonals, a system in each column.
/// const frit::array<double> d{{2, 4}, {4, 12}, {10, 4}};
/// const auto down = [](const auto& c, const auto& y, const auto& rhs) {
///     const auto m = 1 / (4.0 + c);
///     return std::tuple(-1.0 * m, (rhs + y) * m);
/// };
/// const auto [c, y] = frit::scan_along(0, std::tuple(0.0, 0.0), down, d);
/// const auto up = [](const auto& x, const auto& ck, const auto& yk) { return yk - ck * x; };
/// std::cout << frit::scan_along(frit::backward(0), 0.0, up, c, y) << '\n';
/// ```
/// ```text
/// [[1. 2.]
///  [2. 4.]
///  [3. 2.]]
/// ```
template <class... S, class Step, detail::operand... X>
requires(detail::operand_or_scalar<S>&&...) && (sizeof...(S) > 0) &&
    (sizeof...(X) > 0) auto scan_along(detail::swept_axis axis, const std::tuple<S...>& init, const Step& step,
                                       const X&... over) {
    const auto behind = detail::swept(axis, init, step, over...);
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return std::tuple(detail::loop_state_t<S>(detail::handle_ref(behind[K].get()))...);
    }
    (std::index_sequence_for<S...>{});
}

/// The same of one state: `step` returns its next value, and the result is no tuple.
///
/// ```cpp
/// const frit::array<double> x{1, 0, 0, 0};
/// std::cout << frit::scan_along(0, 0.0, [](const auto& y, const auto& xk) { return xk + 0.5 * y; }, x) << '\n';
/// ```
/// ```text
/// [1.    0.5   0.25  0.125]
/// ```
template <detail::operand_or_scalar S, class Step, detail::operand... X>
requires(sizeof...(X) > 0) auto scan_along(detail::swept_axis axis, const S& init, const Step& step, const X&... over) {
    const auto behind = detail::swept(axis, std::tuple<const S&>(init), step, over...);
    return detail::loop_state_t<S>(detail::handle_ref(behind[0].get()));
}

}  // namespace frit::v0

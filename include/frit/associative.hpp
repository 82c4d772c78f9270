// Reductions and running values by an operation of the caller's, which is associative but need not be commutative: complex
// numbers, intervals, 2 x 2 matrices, a value with its place, Welford's moments. The operation is an ordinary function of
// arrays, called once, as a step of scan_along is, and fuses with what stands around it. sum, max, cumsum and their like
// stand in reduce.hpp and scan.hpp.
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

/// Calls an operation with two values of some parts each, the left one first.
struct operation_caller {
    const void* operation;
    void (*call)(const void* operation, std::span<const user_ref> left, std::span<const user_ref> right,
                 std::vector<user_ref>& combined, source_line);
};
/// A total for each row along the axis: of init, then the elements in their order.
FRIT_API std::vector<user_ref> reduce_of(std::span<const user_ref> elements, const joined_axis&,
                                         std::span<const user_ref> init, const operation_caller&);
/// The totals up to each element.
FRIT_API std::vector<user_ref> scan_of(std::span<const user_ref> elements, const joined_axis&, const operation_caller&);

template <class Parts, class F>
struct traced_operation;
template <class... X, class F>
struct traced_operation<std::tuple<X...>, F> {
    const F& f;

    static void call(const void* self, std::span<const user_ref> left, std::span<const user_ref> right,
                     std::vector<user_ref>& combined, source_line where) {
        static_cast<const traced_operation*>(self)->run(left, right, combined, where, std::index_sequence_for<X...>{});
    }

private:
    template <std::size_t... K>
    void run(std::span<const user_ref> left, std::span<const user_ref> right, std::vector<user_ref>& combined,
             source_line where, std::index_sequence<K...>) const {
        using parts = std::tuple<loop_state_t<X>...>;
        const parts a(loop_state_t<X>(handle_ref(left[K].get()))...), b(loop_state_t<X>(handle_ref(right[K].get()))...);
        const auto both = f(a, b);
        constexpr bool fits = requires { requires std::tuple_size<decltype(both)>::value == sizeof...(X); };
        static_assert(fits, "frit: the operation of reduce or scan gives a std::tuple of as many values as it combines");
        if constexpr (fits) (combined.push_back(next_node(std::get<K>(both), left[K]->type, where)), ...);
    }
};
/// An operation on single values as one on tuples of one part.
template <class F>
auto of_tuples(const F& f) {
    return [&f](const auto& a, const auto& b) { return std::tuple(f(std::get<0>(a), std::get<0>(b))); };
}

template <class F, class... Init, class... X>
auto reduced_by(const F& f, const joined_axis& axis, const std::tuple<Init...>& init, const X&... x) {
    const traced_operation<std::tuple<X...>, F> traced{f};
    const user_ref elements[] = {node_of(x, axis.where)...};
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        const user_ref before[] = {next_node(std::get<K>(init), elements[K]->meant, axis.where)...};
        const std::vector<user_ref> totals = reduce_of(elements, axis, before, {&traced, traced.call});
        return std::tuple(loop_state_t<X>(handle_ref(totals[K].get()))...);
    }
    (std::index_sequence_for<X...>{});
}
template <class F, class... X>
auto scanned_by(const F& f, const joined_axis& axis, const X&... x) {
    const traced_operation<std::tuple<X...>, F> traced{f};
    const user_ref elements[] = {node_of(x, axis.where)...};
    const std::vector<user_ref> totals = scan_of(elements, axis, {&traced, traced.call});
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return std::tuple(loop_state_t<X>(handle_ref(totals[K].get()))...);
    }
    (std::index_sequence_for<X...>{});
}

}  // namespace detail
/// @endcond

/// Reduces an axis by an operation of the caller's: f(... f(f(init, x0), x1) ..., xn), where f is associative, so that the
/// elements are combined in groups; their order is kept, so f need not be commutative. Each combination is in x's dtype:
/// what is to be added up in another is cast first. How they are grouped follows from the shape alone: the bits are the same
/// on every engine and with any number of threads, up to what f itself computes.
///
/// Many rows, or short ones, are one kernel, together with what makes x and what reads the result. Few long rows are cut
/// into pieces, whose totals are reduced again, in a kernel or two more for each; x is read once.
/// @param x  an array, a view or a recipe
/// @param axis  of x; the result does not have it
/// @param init  a C++ number, or an array that broadcasts to the result: what a row without elements gives. It is combined
/// once, so it need not be neutral
/// @param f  two arrays -> their combination, element by element, in x's dtype; it may use numbers and arrays without axes
/// @returns an array of x's dtype
/// @throws dtype_error where the combination or init does not fit x's dtype, shape_error where init does not broadcast or f
/// reads an array with axes, index_error for an axis that is not there, error for an f that does not work element by element
///
/// ```cpp
/// const frit::array<float> x{{3, 1, 2}, {6, 4, 5}};
/// std::cout << frit::reduce(x, 1, 1.0f, [](const auto& a, const auto& b) { return a * b; }) << '\n';
/// ```
/// ```text
/// [  6. 120.]
/// ```
template <detail::operand X, detail::operand_or_scalar Init, class F>
auto reduce(const X& x, detail::joined_axis axis, const Init& init, const F& f) {
    return std::get<0>(detail::reduced_by(detail::of_tuples(f), axis, std::tuple<const Init&>(init), x));
}

/// The same of values of several parts, which f combines as tuples.
/// @param x  the parts, which broadcast together
/// @param axis  as before
/// @param init  as many numbers or arrays
/// @param f  two std::tuple of arrays -> a std::tuple of as many values
/// @returns a std::tuple of arrays
///
/// ```cpp
/// // Mean and sum of squared deviations in one pass: Chan, Golub and LeVeque (1979).
/// const frit::array<double> v{1, 2, 3, 4};
/// const auto combine = [](const auto& a, const auto& b) {
///     const auto& [n, mean, m2] = a;
///     const auto& [k, other, more] = b;
///     const frit::array<double> all = n + k, d = other - mean, part = frit::where(all > 0.0, k / all, 0.0);
///     return std::tuple(all, mean + d * part, m2 + more + d * d * n * part);
/// };
/// const auto [n, mean, m2] = frit::reduce(std::tuple(frit::ones_like(v), v, frit::zeros_like(v)), 0,
///                                         std::tuple(0.0, 0.0, 0.0), combine);
/// std::cout << mean << " " << m2 / n << '\n';
/// ```
/// ```text
/// 2.5 1.25
/// ```
template <detail::operand... X, detail::operand_or_scalar... Init, class F>
requires(sizeof...(X) > 0 && sizeof...(X) == sizeof...(Init)) auto reduce(const std::tuple<X...>& x,
                                                                          detail::joined_axis axis,
                                                                          const std::tuple<Init...>& init, const F& f) {
    return std::apply([&](const X&... parts) { return detail::reduced_by(f, axis, init, parts...); }, x);
}

/// What reduce gives up to each element, along an axis: x0, f(x0, x1), f(f(x0, x1), x2), ... of x's shape and dtype.
/// Order and errors are reduce's, and how elements are grouped follows from the shape too, but not as in reduce: the last
/// one's bits need not be reduce's. On a GPU long rows that lie along memory are grouped in a way of their own and are one
/// kernel, which reads x once. Other long rows, where there are few, are cut into pieces and read twice; where pieces do not
/// fill a row, a part is written twice.
///
/// ```cpp
/// const frit::array<double> chance{0.5, 0.5, 0.2};  // of events that happen independently; that one so far has
/// std::cout << frit::scan(chance, 0, [](const auto& a, const auto& b) { return a + b - a * b; }) << '\n';
/// ```
/// ```text
/// [0.5  0.75 0.8 ]
/// ```
template <detail::operand X, class F>
auto scan(const X& x, detail::joined_axis axis, const F& f) {
    return std::get<0>(detail::scanned_by(detail::of_tuples(f), axis, x));
}
/// The same of values of several parts, which f combines as tuples.
template <detail::operand... X, class F>
requires(sizeof...(X) > 0) auto scan(const std::tuple<X...>& x, detail::joined_axis axis, const F& f) {
    return std::apply([&](const X&... parts) { return detail::scanned_by(f, axis, parts...); }, x);
}

}  // namespace frit::v0

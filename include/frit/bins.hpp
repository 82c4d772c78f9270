// How many elements, or what weight, there is in each bin: bincount, histogram, histogram2d. Formulas over scatters:
// deterministic, and one kernel finds the bins of what is computed.
#pragma once

#include <concepts>
#include <cstdint>
#include <tuple>
#include <utility>

#include "frit/scatter.hpp"

namespace frit::inline v0 {
namespace detail {

/// Null weights: every element counts 1.
FRIT_API user_ref bincount_of(const user_ref& x, const user_ref& weights, std::int64_t minlength, source_line);
/// Counts and edges.
FRIT_API std::pair<user_ref, user_ref> histogram_of(const user_ref& x, std::int64_t bins, double lo, double hi,
                                                    const user_ref& weights, source_line);
FRIT_API std::pair<user_ref, user_ref> histogram_of(const user_ref& x, const user_ref& edges, const user_ref& weights,
                                                    source_line);

/// In bins from the least element to the largest.
FRIT_API std::pair<user_ref, user_ref> histogram_of(const user_ref& x, std::int64_t bins, const user_ref& weights,
                                                    source_line);

template <dtype Counts, dtype Edges>
auto histogram_tuple(std::pair<user_ref, user_ref> both) {
    return std::tuple{composed<Counts>(std::move(both.first)), composed<Edges>(std::move(both.second))};
}

/// The bins along one axis of histogram2d: of equal width, or, where there are edges, between those.
struct axis_bins {
    std::int64_t number = 0;
    double lo = 0, hi = 0;
    user_ref edges{};
};
struct three_results {
    user_ref counts, x_edges, y_edges;
};
FRIT_API three_results histogram2d_of(const user_ref& x, const user_ref& y, const axis_bins& of_x, const axis_bins& of_y,
                                      const user_ref& weights, source_line);

}  // namespace detail

/// How often each number from 0 on is in a vector of integers, int64: as many results as the largest number and one, and at
/// least `minlength`. That number is evaluated at once. @throws index_error where one is negative, shape_error, dtype_error
template <detail::operand A>
auto bincount(const A& x, detail::any_integer minlength = 0, source_line where = {}) {
    return composed<dtype::i64>(detail::bincount_of(detail::node_of(x, where), {}, minlength, where));
}
/// The sum of the weights of each number, in their dtype.
template <detail::operand A, detail::operand W>
auto bincount(const A& x, const W& weights, detail::any_integer minlength = 0, source_line where = {}) {
    return composed<detail::operand_t<W>::type>(
        detail::bincount_of(detail::node_of(x, where), detail::node_of(weights, where), minlength, where));
}

/// How many elements lie in each of `bins` bins of equal width from lo to hi, int64, and the edges of the bins. A bin has
/// its left edge, the last one both; NaN and what lies outside is not counted. @throws index_error unless there are bins and
/// lo is below hi
template <detail::operand A>
auto histogram(const A& x, detail::any_integer bins, double lo, double hi, source_line where = {}) {
    return detail::histogram_tuple<dtype::i64, detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::histogram_of(detail::node_of(x, where), bins, lo, hi, {}, where));
}
/// The sums of the weights, in their dtype.
template <detail::operand A, detail::operand W>
auto histogram(const A& x, detail::any_integer bins, double lo, double hi, const W& weights, source_line where = {}) {
    return detail::histogram_tuple<detail::operand_t<W>::type, detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::histogram_of(detail::node_of(x, where), bins, lo, hi, detail::node_of(weights, where), where));
}
/// From the least element to the largest, which are evaluated at once: half below and half above a single value; from 0 to 1
/// where there are no elements. @throws index_error where one is NaN or infinite
template <detail::operand A>
auto histogram(const A& x, detail::any_integer bins, source_line where = {}) {
    return detail::histogram_tuple<dtype::i64, detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::histogram_of(detail::node_of(x, where), bins, {}, where));
}
/// The sums of the weights, in their dtype.
template <detail::operand A, detail::operand W>
auto histogram(const A& x, detail::any_integer bins, const W& weights, source_line where = {}) {
    return detail::histogram_tuple<detail::operand_t<W>::type, detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::histogram_of(detail::node_of(x, where), bins, detail::node_of(weights, where), where));
}
/// The same in bins between given edges, which ascend; whether they do is not checked.
template <detail::operand A, detail::operand E>
auto histogram(const A& x, const E& edges, source_line where = {}) {
    return detail::histogram_tuple<dtype::i64, detail::operand_t<E>::type>(
        detail::histogram_of(detail::node_of(x, where), detail::node_of(edges, where), {}, where));
}
/// The sums of the weights, in their dtype.
template <detail::operand A, detail::operand E, detail::operand W>
auto histogram(const A& x, const E& edges, const W& weights, source_line where = {}) {
    return detail::histogram_tuple<detail::operand_t<W>::type, detail::operand_t<E>::type>(detail::histogram_of(
        detail::node_of(x, where), detail::node_of(edges, where), detail::node_of(weights, where), where));
}

/// So many bins of equal width from lo to hi, along an axis of histogram2d.
struct equal_bins {
    detail::any_integer number;  ///< at least 1
    double lo;                   ///< the first edge
    double hi;                   ///< the last one
};

namespace detail {
/// What histogram2d takes for an axis.
template <class B>
concept bins_of_axis = operand<B> || std::same_as<B, equal_bins>;
template <bins_of_axis B>
axis_bins to_axis_bins(const B& bins, source_line where) {
    if constexpr (operand<B>)
        return {.edges = node_of(bins, where)};
    else
        return {.number = bins.number, .lo = bins.lo, .hi = bins.hi};
}
template <bins_of_axis B, class X>
constexpr dtype edge_dtype() {
    if constexpr (operand<B>)
        return operand_t<B>::type;
    else
        return statistic_dtype(operand_t<X>::type);
}
template <dtype X, dtype Y>
auto histogram2d_tuple(three_results all) {
    return std::tuple{composed<dtype::f64>(std::move(all.counts)), composed<X>(std::move(all.x_edges)),
                      composed<Y>(std::move(all.y_edges))};
}
}  // namespace detail

/// How many points (x, y) lie in each rectangle of bins, and the edges of the bins along x and along y. Bins are equal_bins
/// or given edges, which ascend (not checked), as histogram has them; x and y have one shape. The counts are double, as
/// NumPy's, a matrix with a row for each bin of x.
///
/// ```cpp
/// const frit::array<double> x{0.5, 1.5, 1.5, 2}, y{1, 0, 9, 2};
/// std::cout << std::get<0>(histogram2d(x, y, {2, 0, 2}, {3, 0, 3})) << '\n';
/// ```
/// ```text
/// [[0. 1. 0.]
///  [1. 0. 1.]]
/// ```
///
/// @throws shape_error where shapes differ, index_error unless there are bins and each lo is below its hi, dtype_error for
/// complex numbers
template <detail::operand X, detail::operand Y>
auto histogram2d(const X& x, const Y& y, const equal_bins& x_bins, const equal_bins& y_bins, source_line where = {}) {
    return detail::histogram2d_tuple<detail::edge_dtype<equal_bins, X>(), detail::edge_dtype<equal_bins, Y>()>(
        detail::histogram2d_of(detail::node_of(x, where), detail::node_of(y, where), detail::to_axis_bins(x_bins, where),
                               detail::to_axis_bins(y_bins, where), {}, where));
}
/// The sums of the weights, real numbers, in double.
template <detail::operand X, detail::operand Y, detail::operand W>
auto histogram2d(const X& x, const Y& y, const equal_bins& x_bins, const equal_bins& y_bins, const W& weights,
                 source_line where = {}) {
    return detail::histogram2d_tuple<detail::edge_dtype<equal_bins, X>(), detail::edge_dtype<equal_bins, Y>()>(
        detail::histogram2d_of(detail::node_of(x, where), detail::node_of(y, where), detail::to_axis_bins(x_bins, where),
                               detail::to_axis_bins(y_bins, where), detail::node_of(weights, where), where));
}
/// The same between given edges, along both axes or one of them, where the other one has equal_bins.
template <detail::operand X, detail::operand Y, detail::bins_of_axis P, detail::bins_of_axis Q>
requires(detail::operand<P> || detail::operand<Q>) auto histogram2d(const X& x, const Y& y, const P& x_bins, const Q& y_bins,
                                                                    source_line where = {}) {
    return detail::histogram2d_tuple<detail::edge_dtype<P, X>(), detail::edge_dtype<Q, Y>()>(
        detail::histogram2d_of(detail::node_of(x, where), detail::node_of(y, where), detail::to_axis_bins(x_bins, where),
                               detail::to_axis_bins(y_bins, where), {}, where));
}
/// The sums of the weights, real numbers, in double.
template <detail::operand X, detail::operand Y, detail::bins_of_axis P, detail::bins_of_axis Q, detail::operand W>
requires(detail::operand<P> || detail::operand<Q>) auto histogram2d(const X& x, const Y& y, const P& x_bins, const Q& y_bins,
                                                                    const W& weights, source_line where = {}) {
    return detail::histogram2d_tuple<detail::edge_dtype<P, X>(), detail::edge_dtype<Q, Y>()>(
        detail::histogram2d_of(detail::node_of(x, where), detail::node_of(y, where), detail::to_axis_bins(x_bins, where),
                               detail::to_axis_bins(y_bins, where), detail::node_of(weights, where), where));
}

}  // namespace frit::v0

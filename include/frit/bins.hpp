// How many elements, or what weight, there is in each bin: bincount, histogram. Formulas over scatters: deterministic, and
// one kernel finds the bins of what is computed.
#pragma once

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

template <dtype Counts, dtype Edges>
auto histogram_tuple(std::pair<user_ref, user_ref> both) {
    return std::tuple{composed<Counts>(std::move(both.first)), composed<Edges>(std::move(both.second))};
}

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

}  // namespace frit::v0

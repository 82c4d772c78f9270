// What follows from the order of elements: topk, partition, argpartition, lexsort; median, quantile, percentile and their
// forms that leave NaN out. Formulas (src/formulas/ranks.cpp, quantiles.cpp) over library calls that select the elements
// which are asked for, without sorting the rest; lexsort sorts.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <tuple>
#include <vector>

#include "frit/detail/composed.hpp"
#include "frit/reduction_options.hpp"
#include "frit/sort.hpp"

namespace frit::inline v0 {

/// How quantile counts from q to a place among the sorted elements, and what it gives between two of them: NumPy's methods,
/// of which the first nine are those of Hyndman and Fan (1996), "Sample quantiles in statistical packages".
enum class quantile_method : std::uint8_t {
    inverted_cdf,
    averaged_inverted_cdf,
    closest_observation,
    interpolated_inverted_cdf,
    hazen,
    weibull,
    linear,
    median_unbiased,
    normal_unbiased,
    lower,
    higher,
    midpoint,
    nearest
};

namespace detail {

/// The q of quantile and percentile: a number, a list of numbers, or an array.
struct quantile_points {
    user_ref node;
    bool is_known = false;       ///< numbers, which are checked at once; an array is when it is read
    double least = 0, most = 0;  ///< of the numbers and 0; a NaN among them stays
    template <operand Q>
    quantile_points(const Q& q, source_line where = {}) : node(node_of(q, where)) {}
    template <cpp_number Q>
    quantile_points(Q q, source_line where = {})
        : node(constant_of(static_cast<double>(q), where)), is_known(true), least(static_cast<double>(q)), most(least) {}
    quantile_points(std::initializer_list<double> q, source_line where = {})
        : quantile_points(std::span(q.begin(), q.size()), where) {}
    template <class R>
    requires(!operand<R> && std::convertible_to<const R&, std::span<const double>>)
        quantile_points(const R& list, source_line where = {})
        : node(from_host(std::data(list), dtype::f64, std::size(list), where)), is_known(true) {
        for (const double q : list) {
            if (q < least || q != q) least = q;
            if (q > most) most = q;
        }
    }
};

/// One of the functions of this family, and what its tags say.
struct quantile_options {
    const char* who;
    bool ignores_nan = false;
    double whole = 1;  ///< the largest q
    quantile_method method = quantile_method::linear;
    const axes* which = nullptr;
    source_line where = unknown_line;
    bool keepdims = false;
};
FRIT_API user_ref quantile_of(const user_ref& x, const quantile_points&, const quantile_options&);
FRIT_API user_ref median_of(const user_ref& x, const quantile_options&);

struct two_results {
    user_ref first, second;
};
FRIT_API two_results topk_of(const user_ref& x, std::int64_t k, std::int64_t axis, source_line);
/// @param places  those of the elements, not the elements
FRIT_API user_ref partition_of(const char* who, const user_ref& x, const int_list& kth, std::int64_t axis, bool places,
                               source_line);
FRIT_API user_ref lexsort_of(std::span<const user_ref> keys, source_line);
/// The rows of an array.
FRIT_API std::vector<user_ref> rows_of(const char* who, const user_ref&, source_line);

template <class A>
constexpr dtype quantile_dtype() {
    static_assert(operand_t<A>::type == run_time || !is_complex(operand_t<A>::type),
                  "frit: quantiles are those of real numbers");
    return statistic_dtype(operand_t<A>::type);
}

template <class T>
concept quantile_tag = std::same_as<T, keepdims_t> || std::same_as<T, quantile_method>;
inline void apply(quantile_options& o, keepdims_t) { o.keepdims = true; }
inline void apply(quantile_options& o, quantile_method m) { o.method = m; }

}  // namespace detail

// One function in three overloads: of all elements, along axes, and of all elements with tags.
#define FRIT_QUANTILE(name, nan, largest)                                                                                 \
    template <detail::operand A>                                                                                          \
    auto name(const A& x, const detail::quantile_points& q, source_line where = {}) {                                     \
        return composed<detail::quantile_dtype<A>()>(detail::quantile_of(                                                 \
            detail::node_of(x, where), q, {.who = #name, .ignores_nan = nan, .whole = largest, .where = where}));         \
    }                                                                                                                     \
    /** Of all elements by another method. */                                                                             \
    template <detail::operand A>                                                                                          \
    auto name(const A& x, const detail::quantile_points& q, quantile_method method, source_line where = {}) {             \
        return composed<detail::quantile_dtype<A>()>(                                                                     \
            detail::quantile_of(detail::node_of(x, where), q,                                                             \
                                {.who = #name, .ignores_nan = nan, .whole = largest, .method = method, .where = where})); \
    }                                                                                                                     \
    /** Along axes; then a method and keepdims in any order. */                                                           \
    template <detail::operand A, detail::quantile_tag... Tags>                                                            \
    auto name(const A& x, const detail::quantile_points& q, const detail::reduced_axes& over, const Tags&... tags) {      \
        detail::quantile_options o{                                                                                       \
            .who = #name, .ignores_nan = nan, .whole = largest, .which = &over.which, .where = over.where};               \
        (detail::apply(o, tags), ...);                                                                                    \
        return composed<detail::quantile_dtype<A>()>(detail::quantile_of(detail::node_of(x, over.where), q, o));          \
    }

/// The value that the fraction q of the elements does not exceed; by default, linear between two of them. q is a number, a
/// list or an array, whose axes come first in the result. In x's floating dtype, double for bool and integers. NaN where one
/// of the elements is NaN. A q outside [0, 1] is an index_error: of an array, when the result is evaluated.
/// ```cpp
/// const frit::array<double> x{{10, 7, 4}, {3, 2, 1}};
/// std::cout << quantile(x, 0.5, 0) << quantile(x, {0.25, 0.75}, frit::quantile_method::lower) << '\n';
/// ```
/// ```text
/// [6.5 4.5 2.5][2. 4.]
/// ```
/// @throws shape_error where there are no elements
FRIT_QUANTILE(quantile, false, 1)
/// quantile with q in [0, 100].
FRIT_QUANTILE(percentile, false, 100)
/// quantile of the elements that are not NaN; NaN where all are.
FRIT_QUANTILE(nanquantile, true, 1)
/// percentile of the elements that are not NaN; NaN where all are.
FRIT_QUANTILE(nanpercentile, true, 100)
#undef FRIT_QUANTILE

#define FRIT_MEDIAN(name, nan)                                                                                 \
    template <detail::operand A>                                                                               \
    auto name(const A& x, source_line where = {}) {                                                            \
        return composed<detail::quantile_dtype<A>()>(                                                          \
            detail::median_of(detail::node_of(x, where), {.who = #name, .ignores_nan = nan, .where = where})); \
    }                                                                                                          \
    /** Along axes, with keepdims or without. */                                                               \
    template <detail::operand A, std::same_as<detail::keepdims_t>... Keepdims>                                 \
    auto name(const A& x, const detail::reduced_axes& over, Keepdims...) {                                     \
        return composed<detail::quantile_dtype<A>()>(                                                          \
            detail::median_of(detail::node_of(x, over.where), {.who = #name,                                   \
                                                               .ignores_nan = nan,                             \
                                                               .which = &over.which,                           \
                                                               .where = over.where,                            \
                                                               .keepdims = sizeof...(Keepdims) > 0}));         \
    }

/// The element in the middle of the sorted ones, or the mean of the two there. In x's floating dtype, double for bool and
/// integers. NaN where one of the elements is NaN. @throws shape_error where there are no elements
FRIT_MEDIAN(median, false)
/// median of the elements that are not NaN; NaN where all are.
FRIT_MEDIAN(nanmedian, true)
#undef FRIT_MEDIAN

/// The k largest elements along an axis, falling, and their int64 indices: as many as k on that axis. Equal elements keep
/// their order; NaN comes first.
/// ```cpp
/// const auto [best, place] = topk(frit::array<float>{3, 9, 4, 9}, 3);
/// std::cout << best << place << '\n';
/// ```
/// ```text
/// [9. 9. 4.][1 3 2]
/// ```
/// @throws index_error unless the axis has k elements
template <detail::operand A>
auto topk(const A& x, detail::any_integer k, detail::any_integer axis = -1, source_line where = {}) {
    const detail::two_results r = detail::topk_of(detail::node_of(x, where), k, axis, where);
    return std::tuple{detail::holder_t<A>(detail::handle_ref(r.first.get())),
                      array<std::int64_t>(detail::handle_ref(r.second.get()))};
}

/// The elements along an axis in an order in which those at the places kth are where sorting puts them, smaller ones in
/// front of them and greater ones behind. What else is between them depends on the elements alone.
/// @throws index_error where the axis has no such place
template <detail::operand A>
auto partition(const A& x, const int_list& kth, detail::any_integer axis = -1, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::partition_of("partition", detail::node_of(x, where), kth, axis, false, where));
}
/// The int64 indices that do so; -0 is equal to +0, as for argsort. @throws as partition
template <detail::operand A>
auto argpartition(const A& x, const int_list& kth, detail::any_integer axis = -1, source_line where = {}) {
    return composed<dtype::i64>(detail::partition_of("argpartition", detail::node_of(x, where), kth, axis, true, where));
}

/// The int64 indices that sort along the last axis by several keys of one shape: by the last one, equal ones by the one
/// before it, and so on. Stable. As NumPy's lexsort((a, b)). @throws shape_error for keys of different shapes, or of rank 0
template <detail::operand A, detail::operand B, detail::operand... More>
auto lexsort(const A& a, const B& b, const More&... more) {
    constexpr source_line where = detail::unknown_line;
    const detail::user_ref keys[] = {detail::node_of(a, where), detail::node_of(b, where), detail::node_of(more, where)...};
    return composed<dtype::i64>(detail::lexsort_of(keys, where));
}
/// The same by the rows of an array.
template <detail::operand A>
auto lexsort(const A& keys, source_line where = {}) {
    return composed<dtype::i64>(detail::lexsort_of(detail::rows_of("lexsort", detail::node_of(keys, where), where), where));
}

}  // namespace frit::v0

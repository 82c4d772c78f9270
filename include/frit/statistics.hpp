// Statistics along axes: count_nonzero, mean, var, stddev, logsumexp, ptp, average, and those that leave NaN out; dot, cov
// and corrcoef. Formulas over the reductions of the table (src/formulas), called like them, with axes and the tags of
// reduce.hpp. Floating arrays keep their dtype, bool and integers give double.
#pragma once

#include "frit/detail/formulas.hpp"
#include "frit/reduce.hpp"

namespace frit::inline v0 {

// One function with axes and tags, in three overloads: a pack of tags leaves no room for the caller's line, which the axes
// and the tags bring along. `result` is a function of the operand's dtype, `type` what comes out.
#define FRIT_STATISTIC(name, result, takes_ddof, tag) \
    FRIT_STATISTIC_AS(name, composed<result(detail::operand_t<A>::type)>, takes_ddof, tag)
#define FRIT_STATISTIC_AS(name, type, takes_ddof, tag)                                                        \
    template <detail::operand A>                                                                              \
    auto name(const A& x, source_line where = {}) {                                                           \
        return type(detail::name##_of(detail::node_of(x, where), {.where = where}, {}));                      \
    }                                                                                                         \
    /** Along axes, with tags. */                                                                             \
    template <detail::operand A, detail::reduction_tag... Tags>                                               \
    auto name(const A& x, const detail::reduced_axes& over, const Tags&... tags) {                            \
        const detail::reduction_options o = detail::options_of<takes_ddof>(&over, tags...);                   \
        return type(detail::name##_of(detail::node_of(x, o.where), o,                                         \
                                      detail::mask_node(detail::find_mask::among(tags...), o.where)));        \
    }                                                                                                         \
    /** Of all elements, with tags. */                                                                        \
    template <detail::operand A, detail::reduction_tag Tag, detail::reduction_tag... More>                    \
    auto name(const A& x, const Tag& first, const More&... more) {                                            \
        const detail::reduction_options o = detail::options_of<takes_ddof>(nullptr, first, more...);          \
        return type(detail::name##_of(detail::node_of(x, o.where), o,                                         \
                                      detail::mask_node(detail::find_mask::among(first, more...), o.where))); \
    }                                                                                                         \
    detail::FRIT_OPTIONS_ARE_TAGS(#name, tag) name(detail::any_operand, detail::anything, ...) = delete;

namespace detail {
constexpr dtype count_dtype(dtype) { return dtype::i64; }
constexpr dtype same_dtype(dtype of) { return of; }
/// cov's and corrcoef's: double at least.
constexpr dtype covariance_dtype(std::initializer_list<dtype> of) {
    dtype common = dtype::f64;
    for (dtype t : of) common = promote(common, t);
    return common;
}
}  // namespace detail

/// How many elements are not zero, NaN included.
FRIT_STATISTIC(count_nonzero, detail::count_dtype, false, "keepdims")

/// The sum divided by the number of elements; NaN of none.
FRIT_STATISTIC_AS(mean, detail::mean_formula<detail::operand_t<A>>, false, "keepdims")

/// The mean squared distance from the mean, divided by the number of elements minus ddof (0 if that is negative, as NumPy
/// does). A large mean costs no digits, as in the best of the algorithms of Chan, Golub and LeVeque (1983): one pass over x
/// updates the sum of squares and a mean that is kept as an element and the distance from it. Of complex numbers it is real:
/// the sum of what real and imaginary parts have.
FRIT_STATISTIC(var, detail::distance_dtype, true, "ddof(1)")

/// The square root of var.
FRIT_STATISTIC(stddev, detail::distance_dtype, true, "ddof(1)")

/// log(sum(exp(x))) without overflow. -inf where all elements are -inf, inf where one is inf. Of complex numbers the
/// logarithm's principal value, plus the largest real part.
/// @throws shape_error where rows have no elements
FRIT_STATISTIC(logsumexp, detail::statistic_dtype, false, "keepdims")

/// The largest element minus the smallest. @throws dtype_error for bools
FRIT_STATISTIC(ptp, detail::same_dtype, false, "keepdims")

/// The sum of what is no NaN. A row of NaN alone gives 0.
FRIT_STATISTIC(nansum, sum_dtype, false, "keepdims")

/// The product of what is no NaN. A row of NaN alone gives 1.
FRIT_STATISTIC(nanprod, sum_dtype, false, "keepdims")

/// The smallest element that is no NaN; NaN where there is none.
FRIT_STATISTIC(nanmin, detail::same_dtype, false, "keepdims")

/// The largest element that is no NaN; NaN where there is none.
FRIT_STATISTIC(nanmax, detail::same_dtype, false, "keepdims")

/// The mean of what is no NaN; NaN of none.
FRIT_STATISTIC(nanmean, detail::statistic_dtype, false, "keepdims")

/// var of what is no NaN.
FRIT_STATISTIC(nanvar, detail::distance_dtype, true, "ddof(1)")

/// The square root of nanvar.
FRIT_STATISTIC(nanstddev, detail::distance_dtype, true, "ddof(1)")

namespace linalg {
/// The 2-norm of all elements (of a matrix, the Frobenius norm): sqrt(sum(x * x)), a formula, in double for integers. Other
/// norms are as short: sum(abs(x), axis), max(abs(x), axis). Squares overflow where elements pass 1e19 in float32.
FRIT_STATISTIC(norm, detail::distance_dtype, false, "keepdims")
}  // namespace linalg
#undef FRIT_STATISTIC
#undef FRIT_STATISTIC_AS

/// The inner product of two vectors, in sum's dtype (int64 for int32). Unlike matmul it is a formula, which fuses with its
/// operands. @throws shape_error unless both are vectors of one length
template <detail::operand A, detail::operand B>
auto dot(const A& a, const B& b, source_line where = {}) {
    constexpr dtype result = sum_dtype(promote(detail::operand_t<A>::type, detail::operand_t<B>::type));
    return composed<result>(detail::dot_of(detail::node_of(a, where), detail::node_of(b, where), where));
}

/// The mean of elements that count as much as their weights say: sum(x * weights) / sum(weights), along axes. Weights have
/// x's shape, or that of the axes, which then stand in their order; without weights it is the mean. Floating dtypes stay,
/// bool and integers give double. Where the weights add up to 0, it divides by that.
///
/// ```cpp
/// const frit::array<double> x{{1, 2, 3}, {4, 5, 6}};
/// std::cout << average(x, 1, frit::array<double>{1, 0, 1}) << "\n";
/// ```
/// ```text
/// [2. 5.]
/// ```
///
/// @throws shape_error where the weights have neither shape, index_error for an axis that x does not have
template <detail::operand A, detail::operand W, detail::reduction_tag... Tags>
auto average(const A& x, const detail::reduced_axes& over, const W& weights, const Tags&... tags) {
    constexpr dtype result = detail::statistic_dtype(promote(detail::operand_t<A>::type, detail::operand_t<W>::type));
    return composed<result>(detail::average_of(detail::node_of(x, over.where), detail::options_of<false>(&over, tags...),
                                               detail::node_of(weights, over.where)));
}
/// Of all elements; the weights have x's shape.
template <detail::operand A, detail::operand W>
auto average(const A& x, const W& weights, source_line where = {}) {
    constexpr dtype result = detail::statistic_dtype(promote(detail::operand_t<A>::type, detail::operand_t<W>::type));
    return composed<result>(
        detail::average_of(detail::node_of(x, where), {.where = where}, detail::node_of(weights, where)));
}
/// Without weights: the mean.
template <detail::operand A>
auto average(const A& x, source_line where = {}) {
    return mean(x, where);
}
/// Without weights: the mean along axes.
template <detail::operand A>
auto average(const A& x, const detail::reduced_axes& over) {
    return mean(x, over);
}

// The tags of cov: each brings the caller's line, for which a pack of them leaves no room.
#define FRIT_COVARIANCE_WEIGHTS(name)                                                                          \
    class name {                                                                                               \
    public:                                                                                                    \
        /** @cond */                                                                                           \
        void apply(detail::covariance_options& o) const {                                                      \
            o.name = node_;                                                                                    \
            o.where = where_;                                                                                  \
        }                                                                                                      \
        /** @endcond */                                                                                        \
        /** From an array or a formula. */                                                                     \
        template <detail::operand W>                                                                           \
        explicit name(const W& w, source_line where = {}) : node_(detail::node_of(w, where)), where_(where) {} \
                                                                                                               \
    private:                                                                                                   \
        detail::user_ref node_;                                                                                \
        source_line where_;                                                                                    \
    }
/// How often each observation of cov was made: a vector of integers. Whether one is negative is not checked.
FRIT_COVARIANCE_WEIGHTS(fweights);
/// How much each observation of cov counts: a vector of real numbers. Whether one is negative is not checked.
FRIT_COVARIANCE_WEIGHTS(aweights);
#undef FRIT_COVARIANCE_WEIGHTS
/// Whether the variables of cov and corrcoef are rows, as they are where nothing is said, or columns: rowvar(false).
class rowvar {
public:
    /// @cond
    void apply(detail::covariance_options& o) const {
        o.rowvar = rows_;
        o.where = where_;
    }
    /// @endcond
    /// False for columns.
    explicit rowvar(bool rows, source_line where = {}) : rows_(rows), where_(where) {}

private:
    bool rows_;
    source_line where_;
};

namespace detail {
inline void apply(covariance_options& o, const ddof& tag) {
    reduction_options r;
    tag.apply(r);
    o.ddof = r.ddof;
    o.where = r.where;
}
template <class Tag>
requires requires(const Tag& tag, covariance_options& o) { tag.apply(o); }
void apply(covariance_options& o, const Tag& tag) { tag.apply(o); }
template <class T>
concept covariance_tag = requires(covariance_options& o, const T& tag) {
    detail::apply(o, tag);
};
template <class... Tags>
covariance_options covariance_options_of(const Tags&... tags) {
    covariance_options o;
    (apply(o, tags), ...);
    return o;
}
}  // namespace detail

/// The covariances of the rows of x, its variables, of which each column is an observation: in double, by a matrix product.
/// A vector is one variable, whose variance comes out. They are divided by the number of observations minus 1.
/// @throws shape_error beyond rank 2; at evaluation, device_error where the library is missing
template <detail::operand A>
auto cov(const A& x, source_line where = {}) {
    return composed<detail::covariance_dtype({detail::operand_t<A>::type})>(
        detail::cov_of(detail::node_of(x, where), {}, {.where = where}));
}
/// With tags in any order: ddof(n), divided by the number of observations minus n; rowvar(false), variables in columns;
/// fweights(w) and aweights(w), as NumPy's.
///
/// ```cpp
/// const frit::array<double> x{{1, 2}, {3, 5}, {8, 4}};
/// std::cout << cov(x, frit::rowvar(false), frit::fweights(frit::array<int>{1, 2, 1})) << "\n";
/// ```
/// ```text
/// [[8.91666667 1.33333333]
///  [1.33333333 2.        ]]
/// ```
///
/// @throws also shape_error for weights that are no vector with one for each observation, dtype_error for fweights that are
/// no integers and for complex aweights
template <detail::operand A, detail::covariance_tag Tag, detail::covariance_tag... More>
auto cov(const A& x, const Tag& first, const More&... more) {
    const detail::covariance_options o = detail::covariance_options_of(first, more...);
    return composed<detail::covariance_dtype({detail::operand_t<A>::type})>(
        detail::cov_of(detail::node_of(x, o.where), {}, o));
}
/// Of the variables of x and y together.
template <detail::operand A, detail::operand B>
auto cov(const A& x, const B& y, source_line where = {}) {
    return composed<detail::covariance_dtype({detail::operand_t<A>::type, detail::operand_t<B>::type})>(
        detail::cov_of(detail::node_of(x, where), detail::node_of(y, where), {.where = where}));
}
/// Of the variables of x and y together, with tags.
template <detail::operand A, detail::operand B, detail::covariance_tag Tag, detail::covariance_tag... More>
auto cov(const A& x, const B& y, const Tag& first, const More&... more) {
    const detail::covariance_options o = detail::covariance_options_of(first, more...);
    return composed<detail::covariance_dtype({detail::operand_t<A>::type, detail::operand_t<B>::type})>(
        detail::cov_of(detail::node_of(x, o.where), detail::node_of(y, o.where), o));
}

/// The correlations of the rows of x: their covariances divided by both deviations, between -1 and 1.
template <detail::operand A>
auto corrcoef(const A& x, source_line where = {}) {
    return composed<detail::covariance_dtype({detail::operand_t<A>::type})>(
        detail::corrcoef_of(detail::node_of(x, where), {}, {.where = where}));
}
/// Of the columns: rowvar(false).
template <detail::operand A>
auto corrcoef(const A& x, const rowvar& rows) {
    const detail::covariance_options o = detail::covariance_options_of(rows);
    return composed<detail::covariance_dtype({detail::operand_t<A>::type})>(
        detail::corrcoef_of(detail::node_of(x, o.where), {}, o));
}
/// Of the variables of x and y together.
template <detail::operand A, detail::operand B>
auto corrcoef(const A& x, const B& y, source_line where = {}) {
    return composed<detail::covariance_dtype({detail::operand_t<A>::type, detail::operand_t<B>::type})>(
        detail::corrcoef_of(detail::node_of(x, where), detail::node_of(y, where), {.where = where}));
}
/// Of the columns of both.
template <detail::operand A, detail::operand B>
auto corrcoef(const A& x, const B& y, const rowvar& rows) {
    const detail::covariance_options o = detail::covariance_options_of(rows);
    return composed<detail::covariance_dtype({detail::operand_t<A>::type, detail::operand_t<B>::type})>(
        detail::corrcoef_of(detail::node_of(x, o.where), detail::node_of(y, o.where), o));
}

}  // namespace frit::v0

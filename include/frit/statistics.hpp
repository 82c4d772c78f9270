// Statistics along axes: count_nonzero, mean, var, stddev, logsumexp. Plain formulas over the reductions of the table;
// called like them, with axes and the tags of reduce.hpp. Floating arrays keep their dtype, bool and integers give double.
#pragma once

#include <string_view>

#include "frit/reduce.hpp"

namespace frit::inline v0 {

namespace detail {

/// What statistics of A are computed in.
template <class A>
using statistic_t = cpp_type<is_float(operand_t<A>::type) ? operand_t<A>::type : dtype::f64>;

/// x as an array, recorded once whatever reads it.
template <class T, class A>
array<T> settled(const A& x, source_line where) {
    if constexpr (std::is_same_v<A, array<T>>)
        return x;
    else
        return array<T>(x, where);
}

/// The mask as an array of bool of shape `to`.
template <class M>
array<bool> spread(const M& mask, const shape& to, std::string_view who, source_line where) {
    return array<bool>(make_view(mask, mask_attribute(who, mask.shape(where), to, where)), where);
}

template <class A, class M>
auto count_nonzero_of(A&& x, const reduction_options& o, const M& mask) {
    return reduce_where<op::sum>(cast<bool>(static_cast<A&&>(x)), o, mask, "count_nonzero");
}

template <class A, class M>
auto mean_of(A&& x, const reduction_options& o, const M& mask) {
    using T = statistic_t<A>;
    const shape extents = x.shape(o.where);
    const attribute_ref over = reduce_attribute("mean", extents, o);
    if constexpr (std::is_same_v<M, no_mask>) {
        return reduce_along<op::sum>(cast<T>(static_cast<A&&>(x)), over) / static_cast<T>(reduced_count(*over));
    } else {
        const array<bool> counted = spread(mask, extents, "mean", o.where);
        return reduce_along<op::sum>(frit::where(counted, cast<T>(static_cast<A&&>(x)), T{}), over) /
               cast<T>(reduce_along<op::sum>(counted, over));
    }
}

/// Without a mask, one pass that updates mean and squared deviations together. With one, the mean first, which then stands
/// for the elements that do not count. Between the least and the largest of equal elements nothing is rounded: their
/// variance is 0. The deviations' sum says how far the rounded mean is off, and what its square adds is taken out again.
template <class A, class M>
auto var_of(A&& x, const reduction_options& o, const M& mask, std::string_view who = "var") {
    using T = statistic_t<A>;
    const shape extents = x.shape(o.where);
    const attribute_ref over = reduce_attribute(who, extents, o);
    if constexpr (std::is_same_v<M, no_mask>) {
        const double freedom = static_cast<double>(reduced_count(*over)) - static_cast<double>(o.ddof);  // any ddof
        return reduce_along<op::square_deviations>(cast<T>(static_cast<A&&>(x)), over) /
               static_cast<T>(freedom > 0 ? freedom : 0);
    } else {
        reduction_options kept = o;
        kept.keepdims = true;
        const attribute_ref back = reduce_attribute(who, extents, kept);
        const array<bool> counted = spread(mask, extents, who, o.where);
        const array<T> values = settled<T>(cast<T>(static_cast<A&&>(x)), o.where);
        const T n = static_cast<T>(reduced_count(*over));
        if (n == 0) return array<T>(reduce_along<op::sum>(values, over) / n, o.where);  // NaN: there is no least element
        const array<T> count(cast<T>(reduce_along<op::sum>(counted, over)), o.where);
        const auto sum = reduce_along<op::sum>(select<op::sum>(values, counted, extents, who, o.where), back);
        const auto least = reduce_along<op::min>(select<op::min>(values, counted, extents, who, o.where), back);
        const auto largest = reduce_along<op::max>(select<op::max>(values, counted, extents, who, o.where), back);
        const array<T> mean(clip(sum / cast<T>(reduce_along<op::sum>(counted, back)), least, largest), o.where);
        const auto off = reduce_along<op::sum>(frit::where(counted, values - mean, T{}), over);
        const auto squares = reduce_along<op::square_deviations>(frit::where(counted, values, mean), over) -
                             square(off) * ((n - count) / (n * count));
        return array<T>(maximum(squares, T{}) / maximum(count - static_cast<T>(o.ddof), T{}), o.where);
    }
}

template <class A, class M>
auto stddev_of(A&& x, const reduction_options& o, const M& mask) {
    return sqrt(var_of(static_cast<A&&>(x), o, mask, "stddev"));
}

/// log(sum(exp(x))) with the largest of the row taken out, so that nothing overflows. A row whose largest is not finite
/// keeps it: exp then gives the infinity, the zero or the NaN that the result is.
template <class A, class M>
auto logsumexp_of(A&& x, const reduction_options& o, const M& mask) {
    using T = statistic_t<A>;
    const shape extents = x.shape(o.where);
    reduction_options kept = o;
    kept.keepdims = true;
    const attribute_ref over = reduce_attribute("logsumexp", extents, o),
                        back = reduce_attribute("logsumexp", extents, kept);
    check_rows("logsumexp", *over, o.where);
    const auto values =
        settled<T>(select<op::max>(cast<T>(static_cast<A&&>(x)), mask, extents, "logsumexp", o.where), o.where);
    const auto shift = [&](const attribute_ref& a) {
        const auto largest = reduce_along<op::max>(values, a);
        return frit::where(isfinite(largest), largest, T{});
    };
    return log(reduce_along<op::sum>(exp(values - shift(back)), over)) + shift(over);
}

}  // namespace detail

// One function with axes and tags, in three overloads: a pack of tags leaves no room for the caller's line, which the axes
// and the tags bring along.
#define FRIT_STATISTIC(name, takes_ddof, tag)                                                                  \
    template <detail::operand A>                                                                               \
    auto name(A&& x, source_line where = {}) {                                                                 \
        return detail::name##_of(static_cast<A&&>(x), {.where = where}, detail::unmasked);                     \
    }                                                                                                          \
    /** Along axes, with tags. */                                                                              \
    template <detail::operand A, detail::reduction_tag... Tags>                                                \
    auto name(A&& x, const detail::reduced_axes& over, const Tags&... tags) {                                  \
        return detail::name##_of(static_cast<A&&>(x), detail::options_of<takes_ddof>(&over, tags...),          \
                                 detail::find_mask::among(tags...));                                           \
    }                                                                                                          \
    /** Of all elements, with tags. */                                                                         \
    template <detail::operand A, detail::reduction_tag Tag, detail::reduction_tag... More>                     \
    auto name(A&& x, const Tag& first, const More&... more) {                                                  \
        return detail::name##_of(static_cast<A&&>(x), detail::options_of<takes_ddof>(nullptr, first, more...), \
                                 detail::find_mask::among(first, more...));                                    \
    }                                                                                                          \
    detail::FRIT_OPTIONS_ARE_TAGS(#name, tag) name(detail::any_operand, detail::anything, ...) = delete;

/// How many elements are not zero, NaN included.
FRIT_STATISTIC(count_nonzero, false, "keepdims")

/// The sum divided by the number of elements; NaN of none.
FRIT_STATISTIC(mean, false, "keepdims")

/// The mean squared distance from the mean, divided by the number of elements minus ddof (0 if that is negative, as NumPy
/// does). A large mean costs no digits, as in the best of the algorithms of Chan, Golub and LeVeque (1983): one pass over x
/// updates the sum of squares and a mean that is kept as an element and the distance from it.
FRIT_STATISTIC(var, true, "ddof(1)")

/// The square root of var.
FRIT_STATISTIC(stddev, true, "ddof(1)")

/// log(sum(exp(x))) without overflow. -inf where all elements are -inf, inf where one is inf.
/// @throws shape_error where rows have no elements
FRIT_STATISTIC(logsumexp, false, "keepdims")
#undef FRIT_STATISTIC

}  // namespace frit::v0

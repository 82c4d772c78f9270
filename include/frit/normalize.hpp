// Rows brought to a scale: softmax, log_softmax, layer_norm, rms_norm. Plain formulas, named as in PyTorch and SciPy;
// whatever is written around them (scale and shift, a mask, a temperature) fuses with them, so they take no weights:
//
//     layer_norm(x, -1) * gamma + beta        softmax(where(mask, q * scale, -inf), -1)
//
// Others are as short written out: (x - mean(x, 0, keepdims)) / stddev(x, 0, keepdims) standardizes, x / linalg::norm(x, 1,
// keepdims) makes unit rows. Axes and dtypes are those of reduce.hpp and statistics.hpp.
#pragma once

#include "frit/statistics.hpp"

namespace frit::inline v0 {

namespace detail {

/// x as an array of the dtype that statistics have (a formula is recorded once, whatever reads it), and its rows.
template <class A>
struct rows {
    using T = statistic_t<A>;
    array<T> values;
    attribute_ref over;
    rows(const A& x, const reduced_axes& axes, std::string_view who)
        : values(settled<T>(x, axes.where)),
          over(reduce_attribute(who, values.shape(axes.where),
                                {.which = &axes.which, .where = axes.where, .keepdims = true})) {}
    auto count() const { return static_cast<T>(reduced_count(*over)); }
    auto from_largest() const { return values - reduce_along<op::max>(values, over); }
};

}  // namespace detail

/// exp(x) divided by its sum along the axes, without overflow. A row of -inf alone, or with inf or NaN in it, gives NaN.
/// @throws shape_error where rows have no elements
template <detail::operand A>
auto softmax(const A& x, const detail::reduced_axes& over) {
    const detail::rows<A> r(x, over, "softmax");
    detail::check_rows("softmax", *r.over, over.where);
    const auto e = exp(r.from_largest());
    return e / detail::reduce_along<op::sum>(e, r.over);
}

/// The logarithm of softmax, exact also where softmax is 0.
template <detail::operand A>
auto log_softmax(const A& x, const detail::reduced_axes& over) {
    const detail::rows<A> r(x, over, "log_softmax");
    detail::check_rows("log_softmax", *r.over, over.where);
    const auto shifted = r.from_largest();
    return shifted - log(detail::reduce_along<op::sum>(exp(shifted), r.over));
}

/// (x - mean) / sqrt(var + epsilon) along the axes. The deviations are needed anyway: var is the mean of their squares.
/// Source: Ba, Kiros and Hinton (2016), "Layer normalization".
template <detail::operand A>
auto layer_norm(const A& x, const detail::reduced_axes& over, double epsilon = 1e-5) {
    const detail::rows<A> r(x, over, "layer_norm");
    const auto mean = detail::reduce_along<op::sum>(r.values, r.over) / r.count();
    const auto centred = r.values - mean;
    const auto var = detail::reduce_along<op::sum>(square(centred), r.over) / r.count();
    return centred * rsqrt(var + epsilon);
}

/// x / sqrt(mean(x * x) + epsilon) along the axes.
/// Source: Zhang and Sennrich (2019), "Root mean square layer normalization".
template <detail::operand A>
auto rms_norm(const A& x, const detail::reduced_axes& over, double epsilon = 1e-5) {
    const detail::rows<A> r(x, over, "rms_norm");
    return r.values * rsqrt(detail::reduce_along<op::sum>(square(r.values), r.over) / r.count() + epsilon);
}

}  // namespace frit::v0

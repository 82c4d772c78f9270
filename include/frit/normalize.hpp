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

/// exp(x) divided by its sum along the axes, without overflow. A row of -inf alone, or with inf or NaN in it, gives NaN.
/// Complex numbers too, in all functions of this file.
/// @throws shape_error where rows have no elements
template <detail::operand A>
auto softmax(const A& x, const detail::reduced_axes& over) {
    return composed<detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::softmax_of(detail::node_of(x, over.where), over));
}

/// The logarithm of softmax, exact also where softmax is 0.
template <detail::operand A>
auto log_softmax(const A& x, const detail::reduced_axes& over) {
    return composed<detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::log_softmax_of(detail::node_of(x, over.where), over));
}

/// (x - mean) / sqrt(var + epsilon) along the axes; var as in statistics.hpp, real.
/// Source: Ba, Kiros and Hinton (2016), "Layer normalization".
template <detail::operand A>
auto layer_norm(const A& x, const detail::reduced_axes& over, double epsilon = 1e-5) {
    return composed<detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::layer_norm_of(detail::node_of(x, over.where), over, epsilon));
}

/// x / sqrt(mean(|x|^2) + epsilon) along the axes.
/// Source: Zhang and Sennrich (2019), "Root mean square layer normalization".
template <detail::operand A>
auto rms_norm(const A& x, const detail::reduced_axes& over, double epsilon = 1e-5) {
    return composed<detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::rms_norm_of(detail::node_of(x, over.where), over, epsilon));
}

}  // namespace frit::v0

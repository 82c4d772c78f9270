// mean, var, stddev, logsumexp, count_nonzero and the norm: formulas over the reductions of the table, along axes, with and
// without a mask.
#include <string_view>

#include "src/formulas/values.hpp"

namespace frit::inline v0::detail {
namespace {

using mask_value = composed<dtype::bool_>;

/// The mask as an array of bool of shape `to`.
mask_value spread(const user_ref& mask, const shape& to, std::string_view who, source_line where) {
    const mask_value m(mask);
    return mask_value(result(make_view(m, mask_attribute(who, m.shape(where), to, where)), where));
}

attribute_ref with_keepdims(std::string_view who, const shape& of, reduction_options o) {
    o.keepdims = true;
    return reduce_attribute(who, of, o);
}

user_ref masked_mean(const value& x, const attribute_ref& over, const mask_value& counted, source_line where) {
    const dtype type = dtype_for_statistics(x);
    return result(reduce_along<op::sum>(frit::where(counted, in_statistic_dtype(x), 0), over) /
                      cast(reduce_along<op::sum>(counted, over), real_dtype(register_dtype(type))),
                  type, where);
}

/// The mean first, which then stands for the elements that do not count. Between the least and the largest of equal elements
/// nothing is rounded: their variance is 0. The deviations' sum says how far the rounded mean is off, and what its square
/// adds is taken out again. In the register dtype.
user_ref masked_variance(const value& x, const reduction_options& o, const user_ref& mask, std::string_view who) {
    const shape extents = x.shape(o.where);
    const mask_value counted = spread(mask, extents, who, o.where);
    const attribute_ref over = reduce_attribute(who, extents, o), back = with_keepdims(who, extents, o);
    const dtype type = register_dtype(dtype_for_statistics(x));
    const value values = in_dtype(x, type, o.where);
    const auto n = static_cast<double>(reduced_count(*over));
    if (n == 0) return result(reduce_along<op::sum>(values, over) / n, o.where);  // NaN: there is no least element
    const value count = recorded(cast(reduce_along<op::sum>(counted, over), type), o.where);
    const auto chosen = [&](op code) { return frit::where(counted, values, value(identity_of(code, type))); };
    const auto sum = reduce_along<op::sum>(chosen(op::sum), back);
    const auto least = reduce_along<op::min>(chosen(op::min), back);
    const auto largest = reduce_along<op::max>(chosen(op::max), back);
    const value mean = recorded(clip(sum / cast(reduce_along<op::sum>(counted, back), type), least, largest), o.where);
    const auto off = reduce_along<op::sum>(frit::where(counted, values - mean, 0), over);
    const auto squares = reduce_along<op::square_deviations>(frit::where(counted, values, mean), over) -
                         square(off) * ((n - count) / (n * count));
    return result(maximum(squares, 0) / maximum(count - static_cast<double>(o.ddof), 0), o.where);
}

/// One pass that updates mean and squared deviations together. In the register dtype.
auto variance(const value& x, const reduction_options& o, std::string_view who) {
    const attribute_ref over = reduce_attribute(who, x.shape(o.where), o);
    const double freedom = static_cast<double>(reduced_count(*over)) - static_cast<double>(o.ddof);  // any ddof
    return reduce_along<op::square_deviations>(in_statistic_dtype(x), over) / (freedom > 0 ? freedom : 0);
}

}  // namespace

user_ref count_nonzero_of(const user_ref& x, const reduction_options& o, const user_ref& mask) {
    const value v(x);
    const shape extents = v.shape(o.where);
    const attribute_ref over = reduce_attribute("count_nonzero", extents, o);
    if (!mask) return result(reduce_along<op::sum>(cast<bool>(v), over), o.where);
    const mask_value m(mask);
    return result(reduce_along<op::sum>(select<op::sum>(cast<bool>(v), m, extents, "count_nonzero", o.where), over),
                  o.where);
}

user_ref mean_of(const user_ref& node, const reduction_options& o, const user_ref& mask) {
    const value x(node);
    const shape extents = x.shape(o.where);
    const attribute_ref over = reduce_attribute("mean", extents, o);
    if (mask) return masked_mean(x, over, spread(mask, extents, "mean", o.where), o.where);
    return result(reduce_along<op::sum>(in_statistic_dtype(x), over) / static_cast<double>(reduced_count(*over)),
                  dtype_for_statistics(x), o.where);
}

user_ref var_of(const user_ref& node, const reduction_options& o, const user_ref& mask) {
    const value x(node);
    const dtype type = dtype_for_statistics(x);
    if (is_complex(type)) {
        const auto of = [&](const auto& part) { return value(var_of(recorded(part, o.where).node(), o, mask)); };
        return result(of(real(x)) + of(imag(x)), o.where);
    }
    return mask ? result(value(masked_variance(x, o, mask, "var")), type, o.where)
                : result(variance(x, o, "var"), type, o.where);
}

user_ref stddev_of(const user_ref& node, const reduction_options& o, const user_ref& mask) {
    const value x(node);
    const dtype type = dtype_for_statistics(x);
    if (is_complex(type)) return result(sqrt(value(var_of(node, o, mask))), o.where);
    return mask ? result(sqrt(value(masked_variance(x, o, mask, "stddev"))), type, o.where)
                : result(sqrt(variance(x, o, "stddev")), type, o.where);
}

/// With the largest of the row (the largest real part) taken out, so that nothing overflows. A row whose largest is not
/// finite keeps it: exp then gives the infinity, the zero or the NaN that the result is.
user_ref logsumexp_of(const user_ref& node, const reduction_options& o, const user_ref& mask) {
    const value x(node);
    const shape extents = x.shape(o.where);
    const attribute_ref over = reduce_attribute("logsumexp", extents, o), back = with_keepdims("logsumexp", extents, o);
    check_rows("logsumexp", *over, o.where);
    const dtype type = dtype_for_statistics(x);
    value values = in_dtype(x, register_dtype(type), o.where);
    if (mask) {
        const mask_value m(mask);
        values = recorded(select<op::max>(values, m, extents, "logsumexp", o.where), o.where);
    }
    const auto shift = [&](const attribute_ref& a) {
        const auto largest = reduce_along<op::max>(real_part(values, o.where), a);
        return frit::where(isfinite(largest), largest, 0);
    };
    return result(log(reduce_along<op::sum>(exp(values - shift(back)), over)) + shift(over), type, o.where);
}

user_ref norm_of(const user_ref& node, const reduction_options& o, const user_ref& mask) {
    const value x(node);
    const shape extents = x.shape(o.where);
    const attribute_ref over = reduce_attribute("norm", extents, o);
    const dtype type = real_dtype(dtype_for_statistics(x));
    const value squares =
        is_complex(x.node()->meant) ? squared_modulus(x, o.where) : recorded(square(in_statistic_dtype(x)), o.where);
    if (!mask) return result(sqrt(reduce_along<op::sum>(squares, over)), type, o.where);
    const mask_value m(mask);
    return result(sqrt(reduce_along<op::sum>(select<op::sum>(squares, m, extents, "norm", o.where), over)), type, o.where);
}

}  // namespace frit::v0::detail

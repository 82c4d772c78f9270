// Statistics of samples: those that leave NaN out, ptp, average, cov and corrcoef.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "src/formulas/factors.hpp"
#include "src/formulas/parts.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

using mask_value = composed<dtype::bool_>;

bool may_be_nan(dtype t) { return is_float(t) || is_complex(t); }

/// What counts: no NaN, and where the mask is true. Null where that is everything.
user_ref counted(const user_ref& x, const user_ref& mask, std::string_view who, source_line where) {
    if (!may_be_nan(x->meant)) return mask;
    const value v(x);
    if (!mask) return recorded(!isnan(v), where).node();
    const mask_value m(mask);
    return recorded(make_view(m, mask_attribute(who, *mask->extents, *x->extents, where)) & !isnan(v), where).node();
}

template <op Op>
auto reduced(const user_ref& x, const user_ref& mask, const reduction_options& o, std::string_view who) {
    const attribute_ref over = reduce_attribute(who, *x->extents, o);
    if constexpr (Op == op::min || Op == op::max) check_rows(who, *over, o.where);
    const value v(x);
    if (!mask) return recorded(reduce_along<Op>(v, over), o.where);
    return recorded(reduce_along<Op>(select<Op>(v, mask_value(mask), *x->extents, who, o.where), over), o.where);
}

/// min or max of what counts; NaN where nothing does.
template <op Op>
user_ref extreme(const user_ref& x, const reduction_options& o, const user_ref& mask, std::string_view who) {
    const user_ref m = counted(x, mask, who, o.where);
    const value found = reduced<Op>(x, m, o, who);
    if (!may_be_nan(x->meant)) return result(found, o.where);
    const attribute_ref over = reduce_attribute(who, *x->extents, o);
    const value none(constant_of(weak_number(std::numeric_limits<double>::quiet_NaN()), x->meant, o.where));
    return result(frit::where(reduce_along<op::any>(mask_value(m), over), found, none), o.where);
}

}  // namespace

user_ref nansum_of(const user_ref& x, const reduction_options& o, const user_ref& mask) {
    return result(reduced<op::sum>(x, counted(x, mask, "nansum", o.where), o, "nansum"), o.where);
}
user_ref nanprod_of(const user_ref& x, const reduction_options& o, const user_ref& mask) {
    return result(reduced<op::prod>(x, counted(x, mask, "nanprod", o.where), o, "nanprod"), o.where);
}
user_ref nanmin_of(const user_ref& x, const reduction_options& o, const user_ref& mask) {
    return extreme<op::min>(x, o, mask, "nanmin");
}
user_ref nanmax_of(const user_ref& x, const reduction_options& o, const user_ref& mask) {
    return extreme<op::max>(x, o, mask, "nanmax");
}
user_ref nanmean_of(const user_ref& x, const reduction_options& o, const user_ref& mask) {
    return mean_of(x, o, counted(x, mask, "nanmean", o.where));
}
user_ref nanvar_of(const user_ref& x, const reduction_options& o, const user_ref& mask) {
    return var_of(x, o, counted(x, mask, "nanvar", o.where));
}
user_ref nanstddev_of(const user_ref& x, const reduction_options& o, const user_ref& mask) {
    return stddev_of(x, o, counted(x, mask, "nanstddev", o.where));
}

user_ref ptp_of(const user_ref& x, const reduction_options& o, const user_ref& mask) {
    if (x->meant == dtype::bool_)
        throw_dtype_error("ptp", "takes numbers: bools have no difference", {&x->meant, 1}, o.where);
    return result(reduced<op::max>(x, mask, o, "ptp") - reduced<op::min>(x, mask, o, "ptp"), o.where);
}

namespace {
/// Weights in x's shape: they have it, or that of the axes.
value spread_weights(const user_ref& weights, const shape& of, const reduction_options& o) {
    value w(weights);
    const shape own = *weights->extents;
    if (own == of) return w;
    const auto fail = [&] {
        const shape both[] = {own, of};
        throw_shape_error("average", "the weights have neither the array's shape nor that of the axes", both, o.where);
    };
    if (!o.which || own.rank() != o.which->count()) fail();
    std::vector<std::int64_t> extents(static_cast<std::size_t>(of.rank()), 1);
    std::vector<std::pair<int, int>> order;  // the axes as the array has them, and the weights'
    for (int k = 0; k < own.rank(); ++k) {
        const int axis = checked_axis("average", (*o.which)[k], of.rank(), of, o.where);
        if (of[axis] != own[k]) fail();
        extents[static_cast<std::size_t>(axis)] = own[k];
        order.emplace_back(axis, k);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::int64_t> axes_of_weights;
    for (const auto& [axis, k] : order) axes_of_weights.push_back(k);
    w = recorded(transpose(w, axes(axes_of_weights, o.where), o.where), o.where);
    return seen(reshaped(w, int_list(extents, o.where), o.where), broadcast_attribute(shape(extents), of, o.where), o.where);
}
}  // namespace

user_ref average_of(const user_ref& x, const reduction_options& o, const user_ref& weights) {
    return or_out_of_memory("average", o.where, [&] {
        const attribute_ref over = reduce_attribute("average", *x->extents, o);
        const dtype type = statistic_dtype(promote(x->meant, weights->meant)), computed = register_dtype(type);
        const value w = recorded(as_factor(spread_weights(weights, *x->extents, o), computed), o.where);
        return result(reduce_along<op::sum>(as_factor(value(x), computed) * w, over) / reduce_along<op::sum>(w, over), type,
                      o.where);
    });
}

namespace {
/// The variables as rows.
value variables(std::string_view who, const user_ref& x, dtype type, const covariance_options& o) {
    const shape& of = *x->extents;
    if (of.rank() > 2) throw_shape_error(who, "takes a vector, or a matrix of a row for each variable", {&of, 1}, o.where);
    const value v = in_dtype(value(x), type, o.where);
    if (of.rank() == 2) return o.rowvar ? v : recorded(v.T(o.where), o.where);
    return reshaped(v, int_list({std::int64_t{1}, of.size()}, o.where), o.where);
}

/// What each observation counts, in double: the product of both weights. Null where there are none.
user_ref observation_weights(const covariance_options& o, const shape& variables) {
    const auto checked = [&](const user_ref& w, const char* what) {
        const shape both[] = {*w->extents, variables};
        if (both[0].rank() != 1 || both[0][0] != variables[1])
            throw_shape_error("cov", std::string(what) + " must be a vector of one weight for each observation", both,
                              o.where);
        return in_dtype(value(w), dtype::f64, o.where);
    };
    user_ref all;
    if (o.fweights) {
        if (!is_integer(o.fweights->meant) && o.fweights->meant != dtype::bool_)
            throw_dtype_error("cov", "takes fweights that are integers", {&o.fweights->meant, 1}, o.where);
        all = checked(o.fweights, "fweights").node();
    }
    if (o.aweights) {
        check_real("cov", o.aweights->meant, o.where);
        const value a = checked(o.aweights, "aweights");
        all = all ? recorded(value(all) * a, o.where).node() : a.node();
    }
    return all;
}

value along_columns(const value& x, const covariance_options& o) {
    const axes columns(1);
    const attribute_ref over =
        reduce_attribute("cov", x.shape(o.where), {.which = &columns, .where = o.where, .keepdims = true});
    return recorded(reduce_along<op::sum>(x, over), o.where);
}

/// NumPy's divisor of weighted sums, a number that is not known yet, as a matrix of one element.
value freedom_of(const value& weights, const covariance_options& o) {
    const value all = along_columns(weights, o);
    const auto n = static_cast<double>(o.ddof);
    if (n == 0) return all;
    if (!o.aweights) return recorded(all - n, o.where);
    const value counted = recorded(weights * in_dtype(value(o.aweights), dtype::f64, o.where), o.where);
    return recorded(all - n * along_columns(counted, o) / all, o.where);
}

value covariances(std::string_view who, const user_ref& x, const user_ref& y, const covariance_options& o) {
    const source_line where = o.where;
    dtype type = promote(x->meant, dtype::f64);
    if (y) type = promote(type, y->meant);
    value all = variables(who, x, type, o);
    if (y) {
        const value more = variables(who, y, type, o);
        const shape both[] = {all.shape(where), more.shape(where)};
        if (both[0][1] != both[1][1]) throw_shape_error(who, "the numbers of observations differ", both, where);
        const user_ref rows[] = {all.node(), more.node()};
        all = value(concatenate_of(rows, 0, where));
    }
    const std::int64_t count = all.shape(where)[1];
    const auto conjugate = [&](const value& v) { return is_complex(type) ? recorded(conj(v), where) : v; };
    const user_ref given = observation_weights(o, all.shape(where));
    if (!given) {
        const value centred = recorded(all - along_columns(all, o) / static_cast<double>(count), where);
        const double freedom = static_cast<double>(count) - static_cast<double>(o.ddof);
        return recorded(matmul(centred, conjugate(centred).T(where)) * (1 / (freedom > 0 ? freedom : 0)), where);
    }
    const value weights = reshaped(value(given), int_list({std::int64_t{1}, count}, where), where);
    const value mean = recorded(along_columns(recorded(all * weights, where), o) / along_columns(weights, o), where);
    const value centred = recorded(all - mean, where), other = recorded(conjugate(centred) * weights, where);
    return recorded(matmul(centred, other.T(where)) * (1.0 / maximum(freedom_of(weights, o), 0.0)), where);
}

user_ref without_axes_of_one(const value& c, source_line where) {
    return result(make_view(c, squeeze_attribute(c.shape(where), nullptr, where)), where);
}
}  // namespace

user_ref cov_of(const user_ref& x, const user_ref& y, const covariance_options& o) try {
    return without_axes_of_one(covariances("cov", x, y, o), o.where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("cov", o.where);
}

user_ref corrcoef_of(const user_ref& x, const user_ref& y, const covariance_options& o) try {
    const source_line where = o.where;
    const value c = covariances("corrcoef", x, y, o);
    if (c.shape(where).size() == 1) return without_axes_of_one(recorded(c / c, where), where);
    const value deviations = recorded(sqrt(real(make_view(c, diagonal_attribute(c.shape(where), 0, 0, 1, where)))), where);
    const value down = seen(deviations, expand_dims_attribute(deviations.shape(where), axes(1), where), where);
    const value scaled = recorded(c / down / deviations, where);
    if (!is_complex(c.node()->meant)) return result(clip(scaled, -1.0, 1.0), where);
    return result(complex(clip(real(scaled), -1.0, 1.0), clip(imag(scaled), -1.0, 1.0)), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("corrcoef", o.where);
}

}  // namespace frit::v0::detail

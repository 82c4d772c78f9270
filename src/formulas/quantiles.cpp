// median, quantile, percentile, with NaN and without: the rows are sorted, and one statement computes the places of q and
// reads the elements there. A q is a number of the statement, or an array that it reads.
#include <numeric>
#include <string>

#include "frit/ranks.hpp"
#include "src/formulas/search.hpp"
#include "src/graph/axes.hpp"

namespace frit::inline v0::detail {
namespace {

/// Rows to be sorted, the reduced elements on the last axis, and the result's shapes.
struct sample {
    value rows;          ///< kept axes, then the elements
    std::int64_t count;  ///< of elements
    shape result;        ///< without the axes of q
    source_line where;
};

sample sample_of(const user_ref& x, const quantile_options& o) {
    const value v(x);
    const shape& of = *x->extents;
    check_real(o.who, x->meant, o.where);
    const attribute_ref reduce = reduce_attribute(o.who, of, {.which = o.which, .where = o.where, .keepdims = o.keepdims});
    std::vector<int> order, last;
    std::vector<std::int64_t> kept;
    for (int k = 0; k < of.rank(); ++k) {
        const bool reduced = reduce->maps[static_cast<std::size_t>(k)].axis < 0;
        (reduced ? last : order).push_back(k);
        if (!reduced) kept.push_back(of[k]);
    }
    order.insert(order.end(), last.begin(), last.end());
    const std::int64_t n = reduced_count(*reduce);
    if (n == 0) throw_shape_error(o.who, "there are no elements", {&of, 1}, o.where);
    kept.push_back(n);
    const axes list(order);
    const value moved = of.rank() == 0 ? v : recorded(make_view(v, transpose_attribute(of, &list, o.where)), o.where);
    return {recorded(moved.reshape(kept, o.where), o.where), n, reduce->result, o.where};
}

/// The numbers of q in front of the kept axes: all of them for each element of those, so that what follows is one kernel.
value spread(const value& q, const sample& s) {
    const shape rows = s.rows.shape(s.where);
    std::vector<std::int64_t> extents(rows.begin(), rows.end());
    extents.pop_back();
    extents.insert(extents.begin(), q.size(s.where));
    std::vector<std::int64_t> column(extents.size(), 1);
    column[0] = extents[0];
    return shared(broadcast_to(q.reshape(column, s.where), shape(extents, s.where), s.where), s.where);
}

/// Where q is among n sorted elements, counted from 0: whole numbers where a method gives elements alone. The products pass
/// a maximum, which changes none of them, so that they are rounded as NumPy's are: what follows asks whether they are whole.
value place_of(quantile_method method, const value& q, const value& n, source_line where) {
    const value steps = recorded(maximum((n - 1.0) * q, 0.0), where), all = recorded(maximum(n * q, 0.0), where);
    const auto hyndman_fan = [&](double alpha, double beta) {
        return recorded(all + (alpha + q * (1 - alpha - beta)) - 1.0, where);
    };
    switch (method) {
        case quantile_method::inverted_cdf: return recorded(ceil(all) - 1.0, where);
        case quantile_method::averaged_inverted_cdf: return recorded(all - 1.0, where);
        case quantile_method::closest_observation: return recorded(rint(all) - 1.0, where);
        case quantile_method::interpolated_inverted_cdf: return hyndman_fan(0, 1);
        case quantile_method::hazen: return hyndman_fan(0.5, 0.5);
        case quantile_method::weibull: return hyndman_fan(0, 0);
        case quantile_method::median_unbiased: return hyndman_fan(1 / 3.0, 1 / 3.0);
        case quantile_method::normal_unbiased: return hyndman_fan(3 / 8.0, 3 / 8.0);
        case quantile_method::lower: return recorded(floor(steps), where);
        case quantile_method::higher: return recorded(ceil(steps), where);
        case quantile_method::midpoint: return recorded(0.5 * (floor(steps) + ceil(steps)), where);
        case quantile_method::nearest: return recorded(rint(steps), where);
        default: return steps;
    }
}

/// The weight of the second of two elements.
value weight_of(quantile_method method, const value& place, source_line where) {
    const value rest = recorded(place - floor(place), where);
    if (method != quantile_method::averaged_inverted_cdf) return rest;
    return recorded(frit::where(rest == 0.0, 0.5, 1.0), where);
}

/// The sorted rows seen with their elements on the first axis.
value elements_first(const value& sorted, source_line where) {
    const int rank = sorted.rank(where);
    std::vector<int> order(static_cast<std::size_t>(rank));
    std::iota(order.begin() + 1, order.end(), 0);
    order[0] = rank - 1;
    const axes list(order);
    return recorded(make_view(sorted, transpose_attribute(sorted.shape(where), &list, where)), where);
}

/// How many elements of the rows are numbers: as a number, or for each row.
value count_of(const sample& s, bool ignores_nan) {
    if (!ignores_nan || !is_float(s.rows.node()->meant))
        return recorded(number_recipe(static_cast<double>(s.count)), s.where);
    const shape of = s.rows.shape(s.where);
    const axes last(-1);
    const attribute_ref over = reduce_attribute("nanquantile", of, {.which = &last, .where = s.where});
    return shared(cast<double>(reduce_along<op::sum>(!isnan(s.rows), over)), s.where);
}

/// NaN where the last of a sorted row is: the rows' other elements do not matter then.
value or_nan(const value& r, const value& sorted, bool ignores_nan, source_line where) {
    if (ignores_nan || !is_float(sorted.node()->meant)) return r;
    const index at[] = {frit::ellipsis, -1};
    const auto last = make_view(sorted, index_attribute(sorted.shape(where), at, where));
    return recorded(frit::where(isnan(last), cast(last, r.node()->meant), r), where);
}

/// The values in q's place in front of the kept axes, in the dtype of statistics.
user_ref in_shape(const value& r, const shape& q, const sample& s, dtype type) {
    std::vector<std::int64_t> extents(q.begin(), q.end());
    extents.insert(extents.end(), s.result.begin(), s.result.end());
    const shape to(extents, s.where);
    if (r.shape(s.where) == to) return result(r, type, s.where);
    return result(cast(r, type).reshape(extents, s.where), s.where);
}

void check_q(const quantile_points& q, const quantile_options& o) {
    check_real(o.who, q.node->meant, o.where);
    if (q.least >= 0 && q.most <= o.whole) return;
    throw_index_error(
        o.who, "q " + std::to_string(q.least >= 0 ? q.most : q.least) + " is not from 0 to " + (o.whole == 1 ? "1" : "100"),
        *q.node->extents, o.where);
}

/// Sorted rows and how to read them.
struct sorted_sample {
    sample s;
    dtype to, type;  ///< of the result, and what it is computed in
    value sorted, first, n;
    sorted_sample(const user_ref& x, const quantile_options& o)
        : s(sample_of(x, o)),
          to(statistic_dtype(x->meant)),
          type(register_dtype(to)),
          sorted(result(sort(s.rows, -1, o.where), o.where)),
          first(elements_first(sorted, o.where)),
          n(count_of(s, o.ignores_nan)) {}
    /// The elements at places, of which those outside the rows are the nearest one's.
    value at(const value& place) const { return at_index(recorded(cast<std::int64_t>(clip(place, 0.0, n - 1.0)), s.where)); }
    value at_index(const value& places) const {
        return in_dtype(value(take_along_of(first.node(), places.node(), 0, bounds::raise, s.where)), type, s.where);
    }
};

}  // namespace

user_ref quantile_of(const user_ref& x, const quantile_points& points, const quantile_options& o) try {
    check_q(points, o);
    const source_line where = o.where;
    const sorted_sample e(x, o);
    const value asked = recorded(cast<double>(value(points.node)) / o.whole, where);
    const value q = spread(asked, e.s), place = shared_value(place_of(o.method, q, e.n, where), where);
    const value lower = recorded(clip(floor(place), 0.0, e.n - 1.0), where);
    // A q that is not in range becomes an index that is not: the gather knows how to say so when it is evaluated.
    const value index =
        recorded(cast<std::int64_t>(frit::where((q >= 0.0) & (q <= 1.0), lower, static_cast<double>(e.s.count))), where);
    const value below = points.is_known ? e.at(lower) : e.at_index(index);
    const value above = e.at(recorded(floor(place) + 1.0, where));
    const value t = in_dtype(weight_of(o.method, place, where), e.type, where), step = recorded(above - below, where);
    const auto between = frit::where(t < 0.5, below + step * t, above - step * (1.0 - t));
    const value r =
        recorded(frit::where((t == 0.0) | (below == above), below, frit::where(t == 1.0, above, between)), where);
    return in_shape(or_nan(r, e.sorted, o.ignores_nan, where), *points.node->extents, e.s, e.to);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(o.who, o.where);
}

// Halves are added, so that nothing overflows; equal elements stay what they are, however small.
user_ref median_of(const user_ref& x, const quantile_options& o) try {
    const source_line where = o.where;
    const sorted_sample e(x, o);
    const value middle = recorded(spread(recorded(number_recipe(0.5), where), e.s) * (e.n - 1.0), where);
    const value a = e.at(recorded(floor(middle), where)), b = e.at(recorded(ceil(middle), where));
    const value r = recorded(frit::where(a == b, a, a * 0.5 + b * 0.5), where);
    return in_shape(or_nan(r, e.sorted, o.ignores_nan, where), shape(), e.s, e.to);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(o.who, o.where);
}

}  // namespace frit::v0::detail

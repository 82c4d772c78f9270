// median, quantile, percentile, with NaN and without: one statement computes the ranks that are wanted, a library call
// selects the elements there (src/libraries/select.cpp), and another statement puts them together. A q is a number of these
// statements, or an array that they read.
#include <numeric>
#include <optional>
#include <string>

#include "frit/ranks.hpp"
#include "src/formulas/number_text.hpp"
#include "src/formulas/search.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

/// Rows to select from, the reduced elements on the last axis, and the result's shapes.
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

/// How many elements of the rows are numbers: as a number, or for each row, over an axis of extent 1 behind the kept ones.
value count_of(const sample& s, bool ignores_nan) {
    if (!ignores_nan || !is_float(s.rows.node()->meant))
        return recorded(number_recipe(static_cast<double>(s.count)), s.where);
    const shape of = s.rows.shape(s.where);
    const axes last(-1);
    const attribute_ref over = reduce_attribute("nanquantile", of, {.which = &last, .where = s.where, .keepdims = true});
    return shared(cast<double>(reduce_along<op::sum>(!isnan(s.rows), over)), s.where);
}

/// Elements of the rows at ranks that come in groups, each of which has one for every q.
class selected_sample {
public:
    const sample s;
    const dtype to;        ///< of the result
    const std::int64_t q;  ///< how many
    const value n;         ///< numbers in a row: over the result's rows
    const value n_over;    ///< over the groups of ranks

    selected_sample(const user_ref& x, std::int64_t of_q, const quantile_options& o)
        : s(sample_of(x, o)),
          to(statistic_dtype(x->meant)),
          q(of_q),
          n(count_of(s, o.ignores_nan)),
          n_over(n.rank(o.where) == 0 ? n : recorded(expand_dims(n, -1, o.where), o.where)),
          finds_nan_(!o.ignores_nan && is_float(x->meant)),
          group_(recorded(cast<double>(coordinate(shape({finds_nan_ ? 3 : 2, q}, s.where), 0)), s.where)) {}

    /// 0 or 1 at the elements that are wanted, and so much more at the last one of a row, which is NaN if any is, that no
    /// rank is beyond it.
    value group() const {
        if (!finds_nan_) return group_;
        return recorded(frit::where(group_ < 2.0, group_, 2.0 * static_cast<double>(s.count)), s.where);
    }
    /// Selects. Ranks outside the rows are the nearest one's.
    void select(const value& ranks) {
        const value inside = recorded(cast<std::int64_t>(maximum(minimum(ranks, n_over - 1.0), 0.0)), s.where);
        const shape found = inside.shape(s.where);
        std::vector<std::int64_t> extents(found.begin(), found.end() - 1);
        extents.back() *= q;
        const value rows = recorded(inside.reshape(extents, s.where), s.where);
        shape all = s.rows.shape(s.where);
        all.set(all.rank() - 1, extents.back(), s.where);
        const value each = recorded(broadcast_to(rows, all, s.where), s.where);
        picked_.emplace(shared(make_as<op::at_ranks, run_time, run_time>(s.rows, each), s.where));
    }
    /// The elements of a group, kept axes first.
    value at(std::int64_t group) const { return in_dtype(part(group * q, (group + 1) * q), register_dtype(to), s.where); }
    /// NaN where a row has one: its other elements do not matter then.
    value or_nan(const value& r) const {
        if (!finds_nan_) return r;
        const value last = part(2 * q, 3 * q);
        return recorded(frit::where(isnan(last), cast(last, r.node()->meant), r), s.where);
    }

private:
    value part(std::int64_t begin, std::int64_t end) const {
        const index at[] = {frit::ellipsis, slice(begin, end)};
        return recorded(make_view(*picked_, index_attribute(picked_->shape(s.where), at, s.where)), s.where);
    }

    bool finds_nan_;
    value group_;
    std::optional<value> picked_;
};

/// The values, of which q runs along the last axis, with q's axes in front of the kept ones, in the dtype of statistics.
user_ref in_shape(const value& r, const shape& q, const selected_sample& e) {
    const source_line where = e.s.where;
    const int rank = r.rank(where);
    std::vector<int> order(static_cast<std::size_t>(rank));
    std::iota(order.begin() + 1, order.end(), 0);
    order[0] = rank - 1;
    const axes list(order);
    std::vector<std::int64_t> extents(q.begin(), q.end());
    extents.insert(extents.end(), e.s.result.begin(), e.s.result.end());
    const value in_order = e.q == 1 ? r : recorded(make_view(r, transpose_attribute(r.shape(where), &list, where)), where);
    return result(cast(in_order, e.to).reshape(extents, where), where);
}

void check_q(const quantile_points& q, const quantile_options& o) {
    check_real(o.who, q.node->meant, o.where);
    if (q.least >= 0 && q.most <= o.whole) return;
    throw_index_error(
        o.who, "q " + number_text(q.least >= 0 ? q.most : q.least) + " is not from 0 to " + (o.whole == 1 ? "1" : "100"),
        *q.node->extents, o.where);
}

}  // namespace

user_ref quantile_of(const user_ref& x, const quantile_points& points, const quantile_options& o) try {
    check_q(points, o);
    const source_line where = o.where;
    selected_sample e(x, points.node->extents->size(), o);
    const value asked = recorded(cast<double>(value(points.node)).reshape({1, e.q}, where) / o.whole, where);
    e.select(recorded(floor(place_of(o.method, asked, e.n_over, where)) + e.group(), where));
    value below = e.at(0);
    const value above = e.at(1);
    // For each element of the result, so that what follows is one kernel.
    const shape each = below.shape(where);
    const value q = shared(broadcast_to(asked.reshape({e.q}, where), each, where), where);
    const value place = shared_value(place_of(o.method, q, e.n, where), where);
    if (!points.is_known) {
        // A q that is not in range becomes an index that is not: the gather knows how to say so when it is evaluated.
        const auto own = cast<double>(coordinate(each, each.rank() - 1));
        const value index =
            recorded(cast<std::int64_t>(frit::where((q >= 0.0) & (q <= 1.0), own, static_cast<double>(e.q))), where);
        below = value(take_along_of(below.node(), index.node(), -1, bounds::raise, where));
    }
    const value t = in_dtype(weight_of(o.method, place, where), register_dtype(e.to), where);
    const value step = recorded(above - below, where);
    const auto between = frit::where(t < 0.5, below + step * t, above - step * (1.0 - t));
    const value r =
        recorded(frit::where((t == 0.0) | (below == above), below, frit::where(t == 1.0, above, between)), where);
    return in_shape(e.or_nan(r), *points.node->extents, e);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(o.who, o.where);
}

// Halves are added, so that nothing overflows; equal elements stay what they are, however small.
user_ref median_of(const user_ref& x, const quantile_options& o) try {
    const source_line where = o.where;
    selected_sample e(x, 1, o);
    e.select(recorded(floor((e.n_over - 1.0 + e.group()) * 0.5), where));
    const value a = e.at(0), b = e.at(1);
    return in_shape(e.or_nan(recorded(frit::where(a == b, a, a * 0.5 + b * 0.5), where)), shape(), e);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(o.who, o.where);
}

}  // namespace frit::v0::detail

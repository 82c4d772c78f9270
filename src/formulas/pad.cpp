// pad, in all its modes. A constant and the edge are a view at clamped indices; what repeats the operand, forwards or
// backwards, is its runs side by side, axis by axis. What is computed from an axis is chosen beside that view, and the next
// axis is padded with it.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "src/formulas/parts.hpp"

namespace frit::inline v0::detail {
namespace {

/// So many runs stand side by side in one formula; more of them are a period that is repeated.
constexpr std::size_t most_runs = 8;

/// x with the repetitions of one axis, of which there are many: whole periods one after the other, and a slice of them.
value repeated(const value& x, int axis, pad_mode mode, std::int64_t start, std::int64_t count, source_line where) {
    const std::int64_t extent = shape_of_node(x)[axis], period = period_of(mode, extent);
    axis_runs once{axis, {run_at(mode, extent, 0)}};
    if (period > extent) once.runs.push_back(run_at(mode, extent, extent));
    std::vector<std::int64_t> counts(static_cast<std::size_t>(shape_of_node(x).rank()), 1);
    counts[static_cast<std::size_t>(axis)] = (start + count - 1) / period + 1;
    const user_ref whole = tile_of(with_runs(x, {&once, 1}, where).node(), int_list(counts, where), where);
    return run_of(value(whole), axis, {start, count}, where);
}

/// x itself, forwards and backwards, around x.
value surrounded(value x, std::span<const pad_width> widths, pad_mode wanted, source_line where) {
    std::vector<axis_runs> side_by_side;
    for (int axis = 0; axis < shape_of_node(x).rank(); ++axis) {
        const pad_width& width = widths[widths.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
        const std::int64_t extent = shape_of_node(x)[axis];
        if (width.before == 0 && width.after == 0) continue;
        const pad_mode mode = extent == 1 ? pad_mode::wrap : wanted;
        const std::int64_t period = period_of(mode, extent), start = (period - width.before % period) % period;
        axis_runs found{axis, {}};
        std::int64_t at = start, left = width.before + extent + width.after;
        while (left > 0 && found.runs.size() <= most_runs) {
            run r = run_at(mode, extent, at);
            r.count = std::min(r.count, left);
            found.runs.push_back(r);
            left -= r.count;
            at = (at + r.count) % period;
        }
        if (found.runs.size() <= most_runs)
            side_by_side.push_back(std::move(found));
        else
            x = repeated(x, axis, mode, start, width.before + extent + width.after, where);
    }
    return with_runs(x, side_by_side, where);
}

/// Half an integer is rounded to even, as NumPy rounds what it pads with.
value in_dtype_of(const value& x, const value& statistic, source_line where) {
    const dtype type = x.node()->meant;
    return in_dtype(is_integer(type) ? recorded(rint(statistic), where) : statistic, type, where);
}

/// What an axis has around it: one value for all places.
value statistic_along(const value& x, int axis, pad_mode mode, source_line where) {
    switch (mode) {
        case pad_mode::maximum: return recorded(max(x, axis, keepdims), where);
        case pad_mode::minimum: return recorded(min(x, axis, keepdims), where);
        case pad_mode::mean: return in_dtype_of(x, recorded(mean(x, axis, keepdims), where), where);
        default: return in_dtype_of(x, recorded(median(x, axis, keepdims), where), where);
    }
}

/// From `end` at the outermost place to the element at the edge, in float64.
value ramp_along(const value& edges, int axis, const pad_width& width, const value& end, source_line where) {
    const dtype type = edges.node()->meant, wide = is_complex(type) ? dtype::c128 : dtype::f64;
    const shape whole = shape_of_node(edges);
    const std::int64_t before = width.before, after = width.after;
    const value from = in_dtype(end, wide, where), to = in_dtype(edges, wide, where);
    const auto i = coordinate(whole, axis);
    const auto apart = frit::where(i < before, i, whole[axis] - 1 - i);
    const auto steps =
        frit::where(i < before, double(std::max<std::int64_t>(before, 1)), double(std::max<std::int64_t>(after, 1)));
    const value line = recorded(from + (to - from) / steps * cast<double>(apart), where);
    return in_dtype(is_integer(type) ? recorded(floor(line), where) : line, type, where);
}

/// x with what is computed from one axis after the other around it.
value computed_around(value x, std::span<const pad_width> widths, pad_mode mode, const value& end, source_line where) {
    for (int axis = 0; axis < shape_of_node(x).rank(); ++axis) {
        std::vector<pad_width> here(static_cast<std::size_t>(shape_of_node(x).rank()), pad_width{0, 0});
        pad_width& width = here[static_cast<std::size_t>(axis)];
        width = widths[widths.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
        if (width.before == 0 && width.after == 0) continue;
        const attribute_ref map = pad_attribute(shape_of_node(x), here, mode, where);
        const composed<dtype::bool_> inside(user_ref(pad_interior(*map, where).get()));
        const value edges = seen(x, map, where);
        const value around = mode == pad_mode::linear_ramp ? ramp_along(edges, axis, width, end, where)
                                                           : statistic_along(x, axis, mode, where);
        x = recorded(frit::where(inside, edges, around), where);
    }
    return x;
}

bool is_computed(pad_mode mode) {
    return mode == pad_mode::linear_ramp || mode == pad_mode::maximum || mode == pad_mode::mean ||
           mode == pad_mode::median || mode == pad_mode::minimum;
}

}  // namespace

handle_ref pad_interior(const attribute& pad, source_line where) try {
    std::optional<value> inside;
    for (int k = 0; k < pad.result.rank(); ++k) {
        const axis_map& map = pad.maps[static_cast<std::size_t>(k)];
        if (!map.clamped) continue;
        postfix s;
        add_is_within(s, pad.result, k, -map.offset, pad.source[k] - map.offset - 1, where);
        const value here(s.part(where));
        inside = inside ? recorded(*inside & here, where) : here;
    }
    if (!inside) return array<bool>(full(pad.result, true, where)).handle();
    return handle_ref(inside->node().get());
} catch (const std::bad_alloc&) {
    throw_out_of_memory("pad", where);
}

user_ref pad_of(const user_ref& x, std::span<const pad_width> widths, pad_mode mode, const user_ref& fill,
                source_line where) try {
    if (mode == pad_mode::empty)
        return pad_of(x, widths, pad_mode::constant, constant_of(weak_number(false), x->meant, where), where);
    const attribute_ref map = pad_attribute(*x->extents, widths, mode, where);
    if (is_computed(mode)) return result(computed_around(value(x), widths, mode, value(fill), where), where);
    if (mode != pad_mode::constant && mode != pad_mode::edge)
        return result(surrounded(value(x), widths, mode, where), where);
    if (mode == pad_mode::constant && map->source.size() == 0)
        return result(make_view(value(fill), broadcast_attribute(shape(), map->result, where)), where);
    const auto edges = make_view(value(x), map);
    if (mode == pad_mode::edge) return result(edges, where);
    const composed<dtype::bool_> inside(user_ref(pad_interior(*map, where).get()));
    return result(frit::where(inside, edges, value(fill)), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("pad", where);
}

}  // namespace frit::v0::detail

// See parts.hpp.
#include "src/formulas/parts.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "src/formulas/postfix.hpp"

namespace frit::inline v0::detail {
namespace {

/// So many views of one operand are picked from by one formula.
constexpr std::size_t most_views = 16;

/// A view that leaves the other axes as they are.
attribute_ref along(const shape& of, int axis, std::int64_t extent, const axis_map& how, source_line where) {
    auto* a = new attribute;
    attribute_ref result(a);
    a->source = a->result = of;
    a->result.set(axis, extent, where);
    for (int k = 0; k < of.rank(); ++k) a->maps.push_back({.axis = k, .step = 1});
    a->maps[static_cast<std::size_t>(axis)] = how;
    return result;
}

/// Views all the way down, and then the choices: a choice that others choose from would be computed for each of them.
value picked(const value& x, std::span<const axis_runs> runs, source_line where) {
    if (runs.empty()) return x;
    const axis_runs& here = runs.front();
    std::vector<value> parts;
    for (const run& r : here.runs) parts.push_back(picked(run_of(x, here.axis, r, where), runs.subspan(1), where));
    return joined(parts, here.axis, x.node()->meant, where);
}

}  // namespace

run run_at(pad_mode mode, std::int64_t extent, std::int64_t at) {
    if (at < extent) return {at, extent - at, 1};
    if (mode == pad_mode::symmetric) return {2 * extent - 1 - at, 2 * extent - at, -1};
    return {2 * (extent - 1) - at, 2 * (extent - 1) - at, -1};
}

std::int64_t period_of(pad_mode mode, std::int64_t extent) {
    if (mode == pad_mode::wrap) return extent;
    return mode == pad_mode::symmetric ? 2 * extent : 2 * (extent - 1);
}

attribute_ref run_attribute(const shape& of, int axis, const run& r, source_line where) {
    return along(of, axis, r.count, {.axis = axis, .offset = r.first, .step = r.count > 1 ? r.step : 1}, where);
}
value run_of(const value& x, int axis, const run& r, source_line where) {
    return seen(x, run_attribute(shape_of_node(x), axis, r, where), where);
}

attribute_ref shifted_attribute(const shape& of, int axis, std::int64_t by, source_line where) {
    const axis_map how{.axis = axis, .offset = by, .step = 1, .lo = 0, .hi = of[axis] - 1, .clamped = true};
    return along(of, axis, of[axis], how, where);
}
value shifted(const value& x, int axis, std::int64_t by, source_line where) {
    return seen(x, shifted_attribute(shape_of_node(x), axis, by, where), where);
}

void add_is_within(postfix& s, const shape& whole, int axis, std::int64_t first, std::int64_t last, source_line where) {
    const dtype counting = whole[axis] <= INT32_MAX ? dtype::i32 : dtype::i64;
    const attribute_ref index = coord_attribute(whole, axis);
    const axis_map clamped{.axis = axis, .step = 1, .lo = first, .hi = last, .clamped = true};
    s.add(op::coord, counting, index);
    s.add(op::coord, counting, index);
    s.add(op::view, counting, along(whole, axis, whole[axis], clamped, where));
    s.add(op::eq, dtype::bool_);
}

namespace {

std::vector<value> in_one_dtype(std::span<const value> parts, dtype type, source_line where) {
    std::vector<value> all;
    all.reserve(parts.size());
    for (const value& p : parts) {
        const bool has_it = p.node()->type == type && p.node()->meant == type;  // 16 bits: not what is float32 still
        all.push_back(has_it ? p : recorded(cast(p, type), where));
    }
    return all;
}

/// Of parts that are seen over the whole, the one that an element lies in: part k ends at ends[k].
value chosen(std::span<const value> parts, std::span<const attribute_ref> views, std::span<const std::int64_t> ends,
             const shape& whole, int axis, dtype type, source_line where) {
    constexpr std::size_t most_choices = 7;  // of one statement
    std::optional<value> before;
    std::size_t next = 1;
    do {
        const std::size_t last = std::min(parts.size(), next + most_choices);
        postfix s;
        for (std::size_t k = last; k-- > next;) add_is_within(s, whole, axis, 0, ends[k - 1] - 1, where);
        if (before)
            s.leaf(before->node());
        else
            s.leaf(parts[0].node(), views[0]);
        for (; next < last; ++next) {
            s.leaf(parts[next].node(), views[next]);
            s.add(op::where, type);
        }
        before = value(s.part(where));
    } while (next < parts.size());
    return *before;
}

}  // namespace

value joined(std::span<const value> parts, int axis, dtype type, source_line where) {
    std::vector<attribute_ref> views;
    std::vector<std::int64_t> ends;
    views.reserve(parts.size());
    ends.reserve(parts.size());
    for (const value& p : parts) ends.push_back((ends.empty() ? 0 : ends.back()) + shape_of_node(p)[axis]);
    shape whole = shape_of_node(parts[0]);
    whole.set(axis, ends.back(), where);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const shape& of = *parts[k].node()->extents;
        const axis_map how{.axis = axis,
                           .offset = of[axis] - ends[k],
                           .step = 1,
                           .lo = 0,
                           .hi = of[axis] - 1,
                           .clamped = of[axis] != whole[axis]};
        views.push_back(along(of, axis, whole[axis], how, where));
    }
    return chosen(in_one_dtype(parts, type, where), views, ends, whole, axis, type, where);
}

value stacked(std::span<const value> parts, const shape& whole, int axis, dtype type, source_line where) {
    auto* a = new attribute;
    const attribute_ref view(a);
    a->source = shape_of_node(parts[0]);
    a->result = whole;
    for (int k = 0; k < a->source.rank(); ++k) a->maps.push_back({.axis = k < axis ? k : k + 1, .step = 1});
    std::vector<std::int64_t> ends(parts.size());
    std::iota(ends.begin(), ends.end(), 1);
    const std::vector<attribute_ref> views(parts.size(), view);
    return chosen(in_one_dtype(parts, type, where), views, ends, whole, axis, type, where);
}

user_ref joined_in_place(std::span<const value> parts, const shape& whole, int axis, dtype type, source_line where) {
    const scoped_device home(device_of(parts[0].node().get()));
    // A byte that nobody has written may be no bool, and a kernel may read it where it then takes another.
    user_ref base = type == dtype::bool_
                        ? result(make_view(value(constant_of(false, where)), broadcast_attribute({}, whole, where)), where)
                        : user_ref(from_nothing(type, whole, where));
    std::int64_t start = 0;
    std::vector<index> at(static_cast<std::size_t>(axis) + 1, all);
    for (const value& part : parts) {
        const std::int64_t end = start + shape_of_node(part)[axis];
        at.back() = slice(start, end);
        start = end;
        const attribute_ref region = update_attribute(*index_attribute(whole, at, where));
        const value written(result(cast(part, type), where));
        base = result(make_as<op::update, run_time, run_time>(leaf<run_time>(base.get()), written, attribute_child{region}),
                      where);
    }
    return base;
}

value with_runs(const value& x, std::span<const axis_runs> runs, source_line where) {
    value v = x;
    while (!runs.empty()) {
        std::size_t axes = 0, views = 1;
        while (axes < runs.size() && (axes == 0 || views * runs[axes].runs.size() <= most_views))
            views *= runs[axes++].runs.size();
        v = picked(v, runs.first(axes), where);
        runs = runs.subspan(axes);
    }
    return v;
}

}  // namespace frit::v0::detail

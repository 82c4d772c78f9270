// See parts.hpp.
#include "src/formulas/parts.hpp"

#include <algorithm>

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

/// f of whether the index along an axis is below `end`: whether clamping it changes nothing, as a slice assignment has it,
/// so that the interpreter cuts the domain there (src/cpu/cut_domain).
auto with_test(const shape& domain, int axis, std::int64_t end, source_line where, const auto& f) {
    const axis_map below{.axis = axis, .step = 1, .lo = 0, .hi = end - 1, .clamped = true};
    const attribute_ref clamp = along(domain, axis, domain[axis], below, where);
    return with_index(domain, axis, [&](const auto& i) { return f(i == make_view(i, clamp)); });
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

value joined(std::span<const value> parts, int axis, dtype type, source_line where) {
    shape whole = shape_of_node(parts[0]);
    for (const value& p : parts.subspan(1)) whole.set(axis, whole[axis] + shape_of_node(p)[axis], where);
    value chosen = parts[0];
    std::int64_t start = 0;
    for (const value& p : parts) {
        const shape of = shape_of_node(p);
        const axis_map how{
            .axis = axis, .offset = -start, .step = 1, .lo = 0, .hi = of[axis] - 1, .clamped = of[axis] != whole[axis]};
        const auto part = cast(make_view(p, along(of, axis, whole[axis], how, where)), type);
        const auto choose = [&](const auto& is_before) { return recorded(frit::where(is_before, chosen, part), where); };
        chosen = start == 0 ? recorded(part, where) : with_test(whole, axis, start, where, choose);
        start += of[axis];
    }
    return chosen;
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

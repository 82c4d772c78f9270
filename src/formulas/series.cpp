// diff, gradient, trapezoid and cumulative_trapezoid along an axis, and the sequences logspace and geomspace.
#include <algorithm>
#include <cmath>
#include <string>

#include "src/base/errors.hpp"
#include "src/formulas/parts.hpp"
#include "src/graph/axes.hpp"

namespace frit::inline v0::detail {
namespace {

/// The coordinates of an axis: a vector, seen along it.
value along(const value& coordinates, const shape& of, int axis, std::string_view who, source_line where) {
    const shape own = *coordinates.node()->extents;
    if (own.rank() != 1 || own[0] != of[axis]) {
        const shape both[] = {own, of};
        throw_shape_error(who, "the coordinates are no vector as long as axis " + std::to_string(axis), both, where);
    }
    std::vector<std::int64_t> extents(static_cast<std::size_t>(of.rank()), 1);
    extents[static_cast<std::size_t>(axis)] = own[0];
    return reshaped(coordinates, int_list(extents, where), where);
}

dtype type_beside(const user_ref& y, const user_ref& coordinates) {
    return statistic_dtype(coordinates ? promote(y->meant, coordinates->meant) : y->meant);
}

/// The areas between neighbours of an axis.
value areas(std::string_view who, const user_ref& y, const user_ref& coordinates, double spacing, int axis,
            source_line where) {
    const dtype type = register_dtype(type_beside(y, coordinates));
    const value values = in_dtype(value(y), type, where);
    const std::int64_t count = std::max<std::int64_t>((*y->extents)[axis] - 1, 0), from = count > 0 ? 1 : 0;
    const auto heights = [&] {
        return run_of(values, axis, {from, count}, where) + run_of(values, axis, {0, count}, where);
    };
    if (!coordinates) return recorded(spacing * heights() / 2.0, where);
    value x = in_dtype(value(coordinates), type, where);
    int own = axis;
    if (x.rank(where) == 1)
        x = along(x, *y->extents, axis, who, where);
    else if (*x.node()->extents != *y->extents) {
        const shape both[] = {*x.node()->extents, *y->extents};
        throw_shape_error(who, "the coordinates are neither a vector nor as many as the values", both, where);
    }
    return recorded((run_of(x, own, {from, count}, where) - run_of(x, own, {0, count}, where)) * heights() / 2.0, where);
}

}  // namespace

user_ref diff_of(const user_ref& x, std::int64_t n, std::int64_t axis, source_line where) try {
    const int k = checked_axis("diff", axis, x->extents->rank(), *x->extents, where);
    if (n < 0) throw_shape_error("diff", "the order " + std::to_string(n) + " is negative", {x->extents, 1}, where);
    value v(x);
    for (; n > 0 && v.shape(where)[k] > 0; --n) {
        const std::int64_t count = v.shape(where)[k] - 1;
        const value upper = run_of(v, k, {count > 0 ? 1 : 0, count}, where), lower = run_of(v, k, {0, count}, where);
        v = x->meant == dtype::bool_ ? recorded(upper != lower, where) : recorded(upper - lower, where);
    }
    return result(v, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("diff", where);
}

user_ref gradient_of(const user_ref& y, const user_ref& coordinates, double spacing, std::int64_t axis,
                     source_line where) try {
    const shape of = *y->extents;
    const int k = checked_axis("gradient", axis, of.rank(), of, where);
    if (of[k] < 2)
        throw_shape_error("gradient", "axis " + std::to_string(k) + " has fewer than two elements", {&of, 1}, where);
    const dtype type = statistic_dtype(y->meant), computed = register_dtype(type_beside(y, coordinates));
    const value values = in_dtype(value(y), computed, where);
    // At an edge the neighbour that there is not is the element itself: both differences are of neighbours there.
    const value after = shifted(values, k, 1, where), before = shifted(values, k, -1, where);
    const auto at_edge = [&](const auto& then, const auto& otherwise) {
        return with_index(of, k, [&](const auto& i) {
            return result(frit::where((i == 0) | (i == of[k] - 1), then, otherwise), type, where);
        });
    };
    if (!coordinates) {
        const value once(constant_of(weak_number(spacing), real_dtype(computed), where));
        const value twice(constant_of(weak_number(2 * spacing), real_dtype(computed), where));
        const value difference = recorded(after - before, where);
        return at_edge(difference / once, difference / twice);
    }
    const value x = along(in_dtype(value(coordinates), computed, where), of, k, "gradient", where);
    const value x_after = shifted(x, k, 1, where), x_before = shifted(x, k, -1, where);
    const value up = recorded(x_after - x, where), down = recorded(x - x_before, where);
    const value inside = recorded(
        (-up / (down * (down + up))) * before + ((up - down) / (down * up)) * values + (down / (up * (down + up))) * after,
        where);
    return at_edge((after - before) / (x_after - x_before), inside);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("gradient", where);
}

user_ref trapezoid_of(const user_ref& y, const user_ref& coordinates, double spacing, std::int64_t axis,
                      source_line where) try {
    const int k = checked_axis("trapezoid", axis, y->extents->rank(), *y->extents, where);
    const value parts = areas("trapezoid", y, coordinates, spacing, k, where);
    const axes over(k);
    const attribute_ref reduced = reduce_attribute("trapezoid", parts.shape(where), {.which = &over, .where = where});
    return result(reduce_along<op::sum>(parts, reduced), type_beside(y, coordinates), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("trapezoid", where);
}

user_ref cumulative_trapezoid_of(const user_ref& y, const user_ref& coordinates, double spacing, std::int64_t axis,
                                 source_line where) try {
    const int k = checked_axis("cumulative_trapezoid", axis, y->extents->rank(), *y->extents, where);
    const value parts = areas("cumulative_trapezoid", y, coordinates, spacing, k, where);
    return result(cumsum(parts, k, where), type_beside(y, coordinates), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("cumulative_trapezoid", where);
}

user_ref logspace_of(double start, double stop, std::int64_t count, double base, dtype type, source_line where) try {
    return result(cast(pow(base, linspace(start, stop, count, where)), type), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("logspace", where);
}

user_ref geomspace_of(double start, double stop, std::int64_t count, dtype type, source_line where) try {
    if (start == 0 || stop == 0 || std::signbit(start) != std::signbit(stop))
        throw error("geomspace: the ends must have one sign, and not be 0" + place(where));
    const auto exponents = linspace(std::log10(std::abs(start)), std::log10(std::abs(stop)), count, where);
    const auto i = coordinate(shape(count, where), 0);
    const auto between = pow(10.0, exponents) * (start < 0 ? -1.0 : 1.0);
    return result(cast(frit::where(i == 0, start, frit::where(i == count - 1, stop, between)), type), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("geomspace", where);
}

}  // namespace frit::v0::detail

// diff, gradient, trapezoid and cumulative_trapezoid along an axis, and the sequences logspace and geomspace.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "src/base/errors.hpp"
#include "src/formulas/factors.hpp"
#include "src/formulas/parts.hpp"
#include "src/views/axes.hpp"

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
    const value values = in_dtype(value(y), factor_dtype(y->meant, type), where);
    const std::int64_t count = std::max<std::int64_t>((*y->extents)[axis] - 1, 0), from = count > 0 ? 1 : 0;
    const auto heights = [&] {
        return run_of(values, axis, {from, count}, where) + run_of(values, axis, {0, count}, where);
    };
    if (!coordinates) return recorded(spacing * heights() / 2.0, where);
    value x = in_dtype(value(coordinates), factor_dtype(coordinates->meant, type), where);
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

namespace {
/// Elements in front of x or behind it: what has no axes is one element of each line.
user_ref end_of(const user_ref& end, const shape& of, int axis, source_line where) {
    shape wanted = of;
    wanted.set(axis, 1, where);
    if (end->extents->rank() == 0) return seen(value(end), broadcast_attribute(*end->extents, wanted, where), where).node();
    if (end->extents->rank() == of.rank()) wanted.set(axis, (*end->extents)[axis], where);
    if (*end->extents == wanted) return end;
    const shape both[] = {*end->extents, of};
    throw_shape_error("diff", "what is put in front or behind differs along an axis that is not " + std::to_string(axis),
                      both, where);
}
}  // namespace

user_ref diff_of(const user_ref& x, std::int64_t n, std::int64_t axis, const compared& prepend, const compared& append,
                 source_line where) try {
    const shape of = *x->extents;
    const int k = checked_axis("diff", axis, of.rank(), of, where);
    if (n < 0) throw_shape_error("diff", "the order " + std::to_string(n) + " is negative", {&of, 1}, where);
    const auto argument_of_end = [](const compared& end) {
        return argument{end.weak, end.node ? end.node->meant : dtype::bool_};
    };
    const dtype type = common_dtype({{false, x->meant}, argument_of_end(prepend), argument_of_end(append)});
    if (n == 0) return result(in_dtype(value(x), type, where), where);
    std::vector<user_ref> parts;
    const auto add = [&](const user_ref& part) { parts.push_back(in_dtype(value(part), type, where).node()); };
    if (prepend.node) add(end_of(prepend.node, of, k, where));
    add(x);
    if (append.node) add(end_of(append.node, of, k, where));
    value v(concatenate_of(parts, k, where));
    for (; n > 0 && v.shape(where)[k] > 0; --n) {
        const std::int64_t count = v.shape(where)[k] - 1;
        const value upper = run_of(v, k, {count > 0 ? 1 : 0, count}, where), lower = run_of(v, k, {0, count}, where);
        v = type == dtype::bool_ ? recorded(upper != lower, where) : recorded(upper - lower, where);
    }
    return result(v, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("diff", where);
}

namespace {

/// An axis of gradient.
struct line {
    shape of;
    int axis;
    bool second_order;  ///< of the differences at the ends
    dtype type;         ///< of the result
    source_line where;
    value at(const value& x, std::int64_t by) const { return shifted(x, axis, by, where); }
    /// The first element's value and the last one's, and those of the others.
    user_ref chosen(const value& first, const value& last, const value& inside) const {
        return with_index(of, axis, [&](const auto& i) {
            return result(frit::where(i == 0, first, frit::where(i == of[axis] - 1, last, inside)), type, where);
        });
    }
};

// At an edge the neighbour that there is not is the element itself: `after - before` is of neighbours there.
user_ref gradient_at_distance(const line& l, const value& f, dtype computed, double spacing) {
    const auto number = [&](double n) { return value(constant_of(weak_number(n), real_dtype(computed), l.where)); };
    const value after = l.at(f, 1), before = l.at(f, -1), difference = recorded(after - before, l.where);
    const value inside = recorded(difference / number(2 * spacing), l.where);
    if (!l.second_order) {
        const value end = recorded(difference / number(spacing), l.where);
        return l.chosen(end, end, inside);
    }
    const value once = number(spacing);
    const value first = recorded((2.0 * after - 1.5 * f - 0.5 * l.at(f, 2)) / once, l.where);
    const value last = recorded((1.5 * f - 2.0 * before + 0.5 * l.at(f, -2)) / once, l.where);
    return l.chosen(first, last, inside);
}

// The parabola through three points: `a` and `b` are the distances from the middle one to those around it.
user_ref gradient_at_places(const line& l, const value& f, const value& x) {
    const value x_after = l.at(x, 1), x_before = l.at(x, -1), after = l.at(f, 1), before = l.at(f, -1);
    const value b = recorded(x_after - x, l.where), a = recorded(x - x_before, l.where);
    const value inside =
        recorded((-b / (a * (a + b))) * before + ((b - a) / (a * b)) * f + (a / (b * (a + b))) * after, l.where);
    if (!l.second_order) {
        const value end = recorded((after - before) / (x_after - x_before), l.where);
        return l.chosen(end, end, inside);
    }
    const value next = recorded(l.at(x, 2) - x_after, l.where), former = recorded(x_before - l.at(x, -2), l.where);
    const value first = recorded(
        -(2.0 * b + next) / (b * (b + next)) * f + (b + next) / (b * next) * after - b / (next * (b + next)) * l.at(f, 2),
        l.where);
    const value last = recorded(a / (former * (former + a)) * l.at(f, -2) - (a + former) / (former * a) * before +
                                    (2.0 * a + former) / (a * (former + a)) * f,
                                l.where);
    return l.chosen(first, last, inside);
}

}  // namespace

user_ref gradient_of(const user_ref& y, const user_ref& coordinates, double spacing, std::int64_t axis,
                     std::int64_t edge_order, source_line where) try {
    const shape of = *y->extents;
    const int k = checked_axis("gradient", axis, of.rank(), of, where);
    if (edge_order != 1 && edge_order != 2)
        throw_index_error("gradient", "the order at the ends is 1 or 2, not " + std::to_string(edge_order), of, where);
    if (of[k] <= edge_order)
        throw_shape_error(
            "gradient", "axis " + std::to_string(k) + " has fewer than " + (edge_order == 1 ? "two" : "three") + " elements",
            {&of, 1}, where);
    const dtype computed = register_dtype(type_beside(y, coordinates));
    const value values = in_dtype(value(y), factor_dtype(y->meant, computed), where);
    const line l{of, k, edge_order == 2, statistic_dtype(y->meant), where};
    if (!coordinates) return gradient_at_distance(l, values, computed, spacing);
    const value x = in_dtype(value(coordinates), factor_dtype(coordinates->meant, computed), where);
    return gradient_at_places(l, values, along(x, of, k, "gradient", where));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("gradient", where);
}

std::vector<user_ref> gradients_of(const user_ref& y, std::span<const axis_points> points, const axes* along,
                                   std::int64_t edge_order, source_line where) try {
    std::vector<std::int64_t> order;
    if (along)
        order.assign(along->begin(), along->end());
    else
        for (int k = 0; k < y->extents->rank(); ++k) order.push_back(k);
    if (points.size() != 1 && points.size() != order.size())
        throw_shape_error("gradient",
                          std::to_string(points.size()) + " distances for " + std::to_string(order.size()) + " axes",
                          {y->extents, 1}, where);
    std::vector<user_ref> all;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const axis_points& p = points[points.size() == 1 ? 0 : k];
        all.push_back(gradient_of(y, p.coordinates, p.spacing, order[k], edge_order, where));
    }
    return all;
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

// The builders of the views that move axes or cut along one: moveaxis, swapaxes, rot90, split, and those that broadcast
// several arrays together. As in view.cpp, a call's arguments become one access map.
#include <algorithm>
#include <array>
#include <string>

#include "frit/detail/attributes.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

using order_of_axes = std::array<std::int64_t, max_rank>;

attribute_ref transposed(const shape& of, const order_of_axes& order, source_line where) {
    if (of.rank() == 0) return transpose_attribute(of, nullptr, where);
    const axes list(std::span(order.data(), static_cast<std::size_t>(of.rank())), where);
    return transpose_attribute(of, &list, where);
}

order_of_axes as_they_are() {
    order_of_axes order{};
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::int64_t>(k);
    return order;
}

}  // namespace

attribute_ref moveaxis_attribute(const shape& of, const axes& from, const axes& to, source_line where) try {
    const std::vector<bool> moved = named_axes("moveaxis", from, of.rank(), of, where);
    const std::vector<bool> taken = named_axes("moveaxis", to, of.rank(), of, where);
    if (from.count() != to.count())
        throw_shape_error("moveaxis", std::to_string(from.count()) + " axes go to " + std::to_string(to.count()) + " places",
                          {&of, 1}, where);
    order_of_axes order{};
    for (int k = 0; k < from.count(); ++k)
        order[static_cast<std::size_t>(checked_axis("moveaxis", to[k], of.rank(), of, where))] =
            checked_axis("moveaxis", from[k], of.rank(), of, where);
    std::size_t place = 0;
    for (std::size_t k = 0; k < moved.size(); ++k) {
        if (moved[k]) continue;
        while (taken[place]) ++place;
        order[place++] = static_cast<std::int64_t>(k);
    }
    return transposed(of, order, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("moveaxis", where);
}

attribute_ref swapaxes_attribute(const shape& of, std::int64_t axis1, std::int64_t axis2, source_line where) try {
    order_of_axes order = as_they_are();
    std::swap(order[static_cast<std::size_t>(checked_axis("swapaxes", axis1, of.rank(), of, where))],
              order[static_cast<std::size_t>(checked_axis("swapaxes", axis2, of.rank(), of, where))]);
    return transposed(of, order, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("swapaxes", where);
}

attribute_ref rot90_attribute(const shape& of, std::int64_t turns, const axes& plane, source_line where) try {
    if (plane.count() != 2) throw_index_error("rot90", "takes the two axes of a plane", of, where);
    named_axes("rot90", plane, of.rank(), of, where);
    const int first = checked_axis("rot90", plane[0], of.rank(), of, where);
    const int second = checked_axis("rot90", plane[1], of.rank(), of, where);
    auto* a = new attribute;
    attribute_ref result(a);
    a->source = a->result = of;
    for (int k = 0; k < of.rank(); ++k) a->maps.push_back({.axis = k, .step = 1});
    // A quarter turn takes element (j, n - 1 - i) to (i, j).
    axis_map &rows = a->maps[static_cast<std::size_t>(first)], &columns = a->maps[static_cast<std::size_t>(second)];
    const int quarter = static_cast<int>((turns % 4 + 4) % 4);
    const auto backwards = [&](axis_map& m, int axis) {
        if (of[axis] > 0) m = {.axis = m.axis, .offset = of[axis] - 1, .step = -1};
    };
    if (quarter % 2 == 1) {
        a->result.set(first, of[second], where);
        a->result.set(second, of[first], where);
        rows.axis = second;
        columns.axis = first;
    }
    if (quarter == 2 || quarter == 3) backwards(rows, first);
    if (quarter == 2 || quarter == 1) backwards(columns, second);
    return result;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("rot90", where);
}

std::vector<attribute_ref> split_attributes(const shape& of, const split_points& points, std::int64_t axis,
                                            source_line where) try {
    const int along = checked_axis("split", axis, of.rank(), of, where);
    std::vector<std::int64_t> cuts = points.at;
    if (points.equal) {
        const std::int64_t parts = points.at[0], extent = of[along];
        if (parts <= 0 || extent % parts != 0)
            throw_shape_error("split", "axis " + std::to_string(along) + " is not " + std::to_string(parts) + " equal parts",
                              {&of, 1}, where);
        cuts.clear();
        for (std::int64_t k = 1; k < parts; ++k) cuts.push_back(k * (extent / parts));
    }
    std::vector<attribute_ref> views;
    std::vector<index> at(static_cast<std::size_t>(along) + 1, all);
    for (std::size_t k = 0; k <= cuts.size(); ++k) {
        at.back() = slice(k == 0 ? bound(0) : bound(cuts[k - 1]), k < cuts.size() ? bound(cuts[k]) : none);
        views.push_back(index_attribute(of, at, where));
    }
    return views;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("split", where);
}

shape broadcast_shape(std::string_view who, std::span<const shape> shapes, source_line where) try {
    int rank = 0;
    for (const shape& s : shapes) rank = std::max(rank, s.rank());
    std::vector<std::int64_t> extents(static_cast<std::size_t>(rank), 1);
    for (const shape& s : shapes)
        for (int k = 0; k < s.rank(); ++k) {
            std::int64_t& extent = extents[static_cast<std::size_t>(k + rank - s.rank())];
            if (extent != 1 && s[k] != 1 && extent != s[k])
                throw_shape_error(who, "the shapes do not broadcast together", shapes, where);
            if (extent == 1) extent = s[k];
        }
    return shape(extents, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

}  // namespace frit::v0::detail

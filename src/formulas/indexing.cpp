// See indexing.hpp. Indices broadcast to the result as views, so each is read at the result's own index.
#include "src/formulas/indexing.hpp"

#include <algorithm>
#include <string>

#include "frit/select.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::string_view too_large = "the result has more elements than memory can address";

[[noreturn]] void refuse_shapes(std::string_view who, std::string_view why, const shape& of,
                                std::span<const gather_item> items, source_line where) {
    std::vector<shape> shapes{of};
    for (const gather_item& i : items)
        if (i.array) shapes.push_back(*i.array->extents);
    throw_shape_error(who, why, shapes, where);
}

void check_indices(std::string_view who, const user_ref& indices, source_line where) {
    if (!is_integer(indices->meant)) throw_dtype_error(who, "an index is an array of integers", {&indices->meant, 1}, where);
}

bool is_advanced(const gather_item& i) { return i.array || i.at.what == index::kind::integer; }

/// The shape that the index arrays broadcast to.
shape broadcast_indices(std::string_view who, const shape& of, std::span<const gather_item> items, source_line where) {
    shape all;
    for (const gather_item& i : items) {
        if (!i.array) continue;
        const shape& own = *i.array->extents;
        shape wider;
        const int rank = std::max(all.rank(), own.rank());
        for (int k = rank; k > 0; --k) {
            const std::int64_t a = k <= all.rank() ? all[-k] : 1, b = k <= own.rank() ? own[-k] : 1;
            if (a != b && a != 1 && b != 1)
                refuse_shapes(who, "the index arrays do not broadcast together", of, items, where);
            wider.push_back(a == 1 ? b : a, where);
        }
        all = wider;
    }
    return all;
}

/// The axes of the result: those of slices, and from `first` on those of the index arrays.
struct result_axes {
    shape extents;
    int first = 0, indexed = 0;
    int of_slice(int axis) const { return axis < first ? axis : axis + indexed; }
};

/// @param basic  the view with a whole axis in the place of each array: its axis numbers in `places`
result_axes axes_of(const attribute& basic, std::span<const gather_item> items, std::vector<int>& places,
                    const shape& indices, source_line where) {
    std::vector<int> before;  // axes of the view in front of each item
    int axis = 0, taken = 0;
    for (const gather_item& i : items) taken += i.at.what == index::kind::integer || i.at.what == index::kind::slice;
    for (const gather_item& i : items) {
        before.push_back(axis);
        if (i.array) places.push_back(axis);
        if (i.array || i.at.what == index::kind::slice || i.at.what == index::kind::new_axis) ++axis;
        if (!i.array && i.at.what == index::kind::whole_axes) axis += basic.source.rank() - taken;
    }
    const auto first = std::find_if(items.begin(), items.end(), is_advanced);
    const auto last = std::find_if(items.rbegin(), items.rend(), is_advanced).base();
    const bool together = std::all_of(first, last, is_advanced);
    result_axes r;
    r.indexed = indices.rank();
    if (together) r.first = before[static_cast<std::size_t>(first - items.begin())];
    const auto put_indices = [&] {
        for (const std::int64_t e : indices) r.extents.push_back(e, where);
    };
    int kept = 0;
    for (int k = 0; k < basic.result.rank(); ++k) {
        if (std::find(places.begin(), places.end(), k) != places.end()) continue;
        if (kept++ == r.first) put_indices();
        r.extents.push_back(basic.result[k], where);
    }
    if (kept <= r.first) put_indices();
    return r;
}

/// An index array seen over the result: its axes are the last of the result's index axes.
attribute_ref spread_of(const shape& own, const result_axes& r) {
    auto* a = new attribute;
    const attribute_ref ref(a);
    a->source = own;
    a->result = r.extents;
    for (int k = 0; k < own.rank(); ++k)
        a->maps.push_back(own[k] == 1 ? axis_map{} : axis_map{.axis = r.first + r.indexed - own.rank() + k, .step = 1});
    return ref;
}

/// The indices of an axis of n elements, brought into range as `mode` says.
user_ref in_range(const user_ref& indices, std::int64_t n, bounds mode, source_line where) {
    if (mode == bounds::raise) return indices;
    const value i(indices);
    if (indices->meant == dtype::u64)  // as it is: int64 does not hold all of it
        return result(mode == bounds::wrap ? recorded(remainder(i, n), where) : recorded(minimum(i, n - 1), where), where);
    if (mode == bounds::wrap) return result(remainder(cast(i, dtype::i64), n), where);
    return result(minimum(maximum(cast(i, dtype::i64), std::int64_t{0}), n - 1), where);
}

/// The axis of that number, counted from the end where it is negative.
int axis_of(std::string_view who, std::int64_t axis, const shape& of, source_line where) {
    const int rank = of.rank();
    if (axis < -rank || axis >= rank)
        throw_index_error(who, "axis " + std::to_string(axis) + " is out of range for rank " + std::to_string(rank), of,
                          where);
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

}  // namespace

index_maps index_maps_of(std::string_view who, const shape& of, std::span<const gather_item> items, source_line where) {
    std::vector<index> list;
    for (const gather_item& i : items) list.push_back(i.array ? index(frit::all) : i.at);
    const attribute_ref basic = index_attribute(of, list, where);
    const shape indices = broadcast_indices(who, of, items, where);
    std::vector<int> places;
    const result_axes r = axes_of(*basic, items, places, indices, where);
    if (!shape::possible(r.extents.begin(), r.extents.rank())) refuse_shapes(who, too_large, of, items, where);
    auto* a = new attribute;
    index_maps made{attribute_ref(a), {}};
    a->what = attribute::kind::gather;
    a->source = of;
    a->result = r.extents;
    a->maps = basic->maps;
    for (axis_map& m : a->maps) {
        if (m.axis < 0) continue;
        const auto place = std::find(places.begin(), places.end(), m.axis);
        const auto skipped = static_cast<int>(std::count_if(places.begin(), place, [&](int p) { return p < m.axis; }));
        if (place != places.end())
            m = {.axis = index_axis(static_cast<int>(place - places.begin()))};
        else
            m.axis = r.of_slice(m.axis - skipped);
    }
    for (const gather_item& i : items)
        if (i.array) made.spreads.push_back(spread_of(*i.array->extents, r));
    return made;
}

std::vector<gather_item> without_masks(std::string_view who, const shape& of, std::span<const gather_item> items,
                                       source_line where) {
    const auto is_mask = [](const gather_item& i) { return i.array && i.array->meant == dtype::bool_; };
    const auto axes_taken = [&](const gather_item& i) {
        if (is_mask(i)) return i.array->extents->rank();
        return i.array || i.at.what == index::kind::integer || i.at.what == index::kind::slice ? 1 : 0;
    };
    std::vector<gather_item> list;
    if (std::none_of(items.begin(), items.end(), is_mask)) return {items.begin(), items.end()};
    int taken = 0, axis = 0;
    for (const gather_item& i : items) taken += axes_taken(i);
    for (const gather_item& i : items) {
        if (is_mask(i)) {
            const shape& mask = *i.array->extents;
            bool fits = mask.rank() > 0 && axis + mask.rank() <= of.rank();
            for (int k = 0; fits && k < mask.rank(); ++k) fits = mask[k] == of[axis + k];
            if (!fits) refuse_shapes(who, "a mask does not have the extents of the axes it stands for", of, items, where);
            for (const user_ref& places : nonzero_of(i.array, where)) list.push_back({.array = places});
        } else {
            list.push_back(i);
        }
        axis += !i.array && i.at.what == index::kind::whole_axes ? std::max(of.rank() - taken, 0) : axes_taken(i);
    }
    return list;
}

index_maps along_maps_of(std::string_view who, const shape& of, const user_ref& indices, std::int64_t axis,
                         source_line where) {
    const shape& own = *indices->extents;
    const gather_item both[] = {{.array = indices}};
    const int along = axis_of(who, axis, of, where);
    if (own.rank() != of.rank()) refuse_shapes(who, "the indices must have as many axes as the array", of, both, where);
    auto *access = new attribute, *spread = new attribute;
    index_maps maps{attribute_ref(access), {attribute_ref(spread)}};
    access->what = attribute::kind::gather;
    access->source = of;
    spread->source = own;
    for (int k = 0; k < of.rank(); ++k) {
        const std::int64_t n = k == along || of[k] == 1 ? own[k] : of[k];
        if (own[k] != n && own[k] != 1) refuse_shapes(who, "the other axes do not broadcast together", of, both, where);
        access->result.push_back(n, where);
        spread->maps.push_back(own[k] == 1 ? axis_map{} : axis_map{.axis = k, .step = 1});
        access->maps.push_back(k == along   ? axis_map{.axis = index_axis(0)}
                               : of[k] == 1 ? axis_map{}
                                            : axis_map{.axis = k, .step = 1});
    }
    spread->result = access->result;
    if (!shape::possible(spread->result.begin(), spread->result.rank())) refuse_shapes(who, too_large, of, both, where);
    return maps;
}

std::vector<gather_item> items_along(std::string_view who, const shape& of, const user_ref& indices, std::int64_t axis,
                                     source_line where) {
    check_indices(who, indices, where);  // here a mask is none
    const int along = axis_of(who, axis, of, where);
    std::vector<gather_item> items(static_cast<std::size_t>(of.rank()));
    items[static_cast<std::size_t>(along)].array = indices;
    return items;
}

std::vector<user_ref> arrays_of(std::span<const gather_item> items) {
    std::vector<user_ref> arrays;
    for (const gather_item& i : items)
        if (i.array) arrays.push_back(i.array);
    return arrays;
}

void indexed_statement::push(const user_ref& leaf) {
    steps.push_back({op::leaf, leaf->meant});
    leaves.push_back(leaf.get());
    kept.push_back(leaf);
}
user_ref indexed_statement::record(op last, dtype type, const attribute_ref& map, source_line where) {
    steps.push_back({last, type});
    attributes.push_back(map);
    const known_program& p = program_of(steps);
    return record_result({&p.code, &p.slot, leaves.data(), nullptr, attributes.data(), where});
}

indexed_statement begin_access(std::string_view who, const user_ref& base, std::vector<user_ref> indices,
                               const index_maps& maps, bounds mode, source_line where) {
    for (const user_ref& i : indices) check_indices(who, i, where);
    const attribute& access = *maps.where;
    for (std::size_t k = 0; k < access.maps.size(); ++k) {
        if (access.maps[k].axis >= -1) continue;
        const std::int64_t n = access.source[static_cast<int>(k)];
        if (n == 0 && access.result.size() > 0)
            throw_index_error(who, "axis " + std::to_string(k) + " has no elements", access.source, where);
        user_ref& i = indices[static_cast<std::size_t>(index_axis(access.maps[k].axis))];
        if (n > 0) i = in_range(i, n, mode, where);
    }
    indexed_statement s;
    s.push(base);
    for (const user_ref& i : indices) {
        s.push(i);
        s.steps.insert(s.steps.end(), {{op::view, i->meant}, {op::index, dtype::i64}});
    }
    s.attributes = maps.spreads;
    return s;
}

}  // namespace frit::v0::detail

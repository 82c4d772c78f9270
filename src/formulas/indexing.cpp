// See indexing.hpp. Indices broadcast to the result as views, so each is read at the result's own index.
#include "src/formulas/indexing.hpp"
#include "src/formulas/matrices.hpp"

#include <algorithm>
#include <string>

#include "frit/select.hpp"
#include "src/views/axes.hpp"

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
        if (all.rank() == 0) {
            all = own;
            continue;
        }
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

/// The axes of a view that stand for index arrays.
struct array_places {
    std::array<int, max_rank> axes;
    int count = 0;
    void add(int axis) { axes[static_cast<std::size_t>(count++)] = axis; }
    /// Which one it is; `count` where it is none.
    int find(int axis) const {
        int k = 0;
        while (k < count && axes[static_cast<std::size_t>(k)] != axis) ++k;
        return k;
    }
};

/// @param basic  the view with a whole axis in the place of each array: its axis numbers in `places`
result_axes axes_of(const attribute& basic, std::span<const gather_item> items, array_places& places, const shape& indices,
                    source_line where) {
    const auto first = std::find_if(items.begin(), items.end(), is_advanced);
    const auto last = std::find_if(items.rbegin(), items.rend(), is_advanced).base();
    result_axes r;
    r.indexed = indices.rank();
    int axis = 0, taken = 0;
    for (const gather_item& i : items) taken += i.at.what == index::kind::integer || i.at.what == index::kind::slice;
    for (auto i = items.begin(); i != items.end(); ++i) {
        if (i == first && std::all_of(first, last, is_advanced)) r.first = axis;  // all of them side by side
        if (i->array) places.add(axis);
        if (i->array || i->at.what == index::kind::slice || i->at.what == index::kind::new_axis) ++axis;
        if (!i->array && i->at.what == index::kind::whole_axes) axis += basic.source.rank() - taken;
    }
    const auto put_indices = [&] {
        for (const std::int64_t e : indices) r.extents.push_back(e, where);
    };
    int kept = 0;
    for (int k = 0; k < basic.result.rank(); ++k) {
        if (places.find(k) < places.count) continue;
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

bool stands_for_axes(const gather_item& i) { return i.array && i.array->meant == dtype::bool_; }

/// The items with the places of what is true, axis by axis, instead of each array of bool: NumPy's rule for masks beside
/// other indices. Evaluates those places. @throws shape_error where a mask does not have the extents of its axes
std::vector<gather_item> without_masks(std::string_view who, const shape& of, std::span<const gather_item> items,
                                       source_line where) {
    const auto axes_taken = [&](const gather_item& i) {
        if (stands_for_axes(i)) return i.array->extents->rank();
        return i.array || i.at.what == index::kind::integer || i.at.what == index::kind::slice ? 1 : 0;
    };
    std::vector<gather_item> list;
    int taken = 0, axis = 0;
    for (const gather_item& i : items) taken += axes_taken(i);
    for (const gather_item& i : items) {
        if (stands_for_axes(i)) {
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

/// Where an access can be, as far as its shapes say. @throws dtype_error, index_error
void check(std::string_view who, const indexed_access& a, source_line where) {
    for (const indexed_access::operand& o : a.indices) check_indices(who, o.index, where);
    if (a.where->result.size() == 0) return;
    for (std::size_t k = 0; k < a.where->maps.size(); ++k)
        if (a.where->maps[k].axis < -1 && a.where->source[static_cast<int>(k)] == 0)
            throw_index_error(who, "axis " + std::to_string(k) + " has no elements", a.where->source, where);
}

indexed_access access_without_masks(std::string_view who, const shape& of, std::span<const gather_item> items,
                                    source_line where) {
    std::vector<index> list;
    list.reserve(items.size());
    for (const gather_item& i : items) list.push_back(i.array ? index(frit::all) : i.at);
    std::unique_ptr<attribute> a = index_map(of, list, where);
    const shape indices = broadcast_indices(who, of, items, where);
    array_places places;
    const result_axes r = axes_of(*a, items, places, indices, where);
    if (!shape::possible(r.extents.begin(), r.extents.rank())) refuse_shapes(who, too_large, of, items, where);
    a->what = attribute::kind::gather;
    a->result = r.extents;
    for (axis_map& m : a->maps) {
        if (m.axis < 0) continue;
        int skipped = 0;
        for (int k = 0; k < places.count; ++k) skipped += places.axes[static_cast<std::size_t>(k)] < m.axis;
        if (const int place = places.find(m.axis); place < places.count)
            m = {.axis = index_axis(place)};
        else
            m.axis = r.of_slice(m.axis - skipped);
    }
    indexed_access made{attribute_ref(a.release()), {}};
    made.indices.reserve(static_cast<std::size_t>(places.count));
    for (const gather_item& i : items)
        if (i.array) made.indices.push_back({i.array, spread_of(*i.array->extents, r)});
    return made;
}

}  // namespace

user_ref mask_of_first_axes(const user_ref& mask, const shape& of, source_line where) {
    const gather_item item{.array = mask};
    bool fits = true;
    for (int k = 0; k < mask->extents->rank(); ++k) fits = fits && (*mask->extents)[k] == of[k];
    if (!fits) refuse_shapes("assign", "a mask does not have the extents of the axes it stands for", of, {&item, 1}, where);
    return or_out_of_memory("assign", where, [&] {
        value m(mask);
        while (m.rank(where) < of.rank()) m = with_last_axis(m, where);
        return m.node();
    });
}

indexed_access access_of(const user_ref& x, std::span<const gather_item> items, const char* who, source_line where) {
    return or_out_of_memory(who, where, [&] {
        const shape& of = *x->extents;
        const bool masks = std::any_of(items.begin(), items.end(), stands_for_axes);
        indexed_access a = masks ? access_without_masks(who, of, without_masks(who, of, items, where), where)
                                 : access_without_masks(who, of, items, where);
        check(who, a, where);
        return a;
    });
}

bool is_one_each(const shape& values, const shape& mask, const shape& of) {
    const int behind = of.rank() - mask.rank();
    if (mask.rank() == 0 || behind < 0 || values.rank() != 1 + behind || values[0] == 1) return false;
    for (int k = 0; k < mask.rank(); ++k)
        if (mask[k] != of[k]) return false;
    return mask.rank() > 1 || values[0] != of[0];  // of that many all are true, or each lies where its element is
}

indexed_access access_of_true(const user_ref& x, const user_ref& mask, const shape& values, source_line where) {
    const gather_item item{.array = mask};
    indexed_access a = access_of(x, {&item, 1}, "assign", where);
    const shape& region = a.where->result;
    if (region[0] != values[0]) {
        const shape shapes[] = {*x->extents, *mask->extents, values};
        throw_shape_error("assign",
                          "the mask is true at " + std::to_string(region[0]) + " places, for which there are " +
                              std::to_string(values[0]) +
                              " values (what broadcast_to gives the array's own shape is seen through the mask)",
                          shapes, where);
    }
    return a;
}

indexed_access along_access_of(const char* who, const user_ref& x, const user_ref& indices, std::int64_t axis,
                               source_line where) {
    const shape &of = *x->extents, &own = *indices->extents;
    const gather_item both[] = {{.array = indices}};
    const int along = axis_of(who, axis, of, where);
    if (own.rank() != of.rank()) refuse_shapes(who, "the indices must have as many axes as the array", of, both, where);
    auto *access = new attribute, *spread = new attribute;
    indexed_access made{attribute_ref(access), {{indices, attribute_ref(spread)}}};
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
    check(who, made, where);
    return made;
}

std::vector<gather_item> items_along(std::string_view who, const shape& of, const user_ref& indices, std::int64_t axis,
                                     source_line where) {
    check_indices(who, indices, where);  // here a mask is none
    const int along = axis_of(who, axis, of, where);
    std::vector<gather_item> items(static_cast<std::size_t>(of.rank()));
    items[static_cast<std::size_t>(along)].array = indices;
    return items;
}

postfix begin_access(const user_ref& base, const indexed_access& a, bounds mode, source_line where) {
    postfix s;
    s.leaf(base);
    for (std::size_t k = 0; k < a.indices.size(); ++k) {
        const auto is_its = [&](const axis_map& m) { return m.axis == index_axis(static_cast<int>(k)); };
        const auto axis = std::find_if(a.where->maps.begin(), a.where->maps.end(), is_its) - a.where->maps.begin();
        const std::int64_t n = a.where->source[axis];
        const auto& [given, spread] = a.indices[k];
        s.leaf(n > 0 ? in_range(given, n, mode, where) : given, spread);
        s.add(op::index, dtype::i64);
    }
    return s;
}

}  // namespace frit::v0::detail

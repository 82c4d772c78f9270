// The builders of attributes: what the user wrote between x(...)'s parentheses, or gave to transpose, reshape, pad ...,
// checked against the operand's shape and turned into one access map. Kept out of the headers because none of it depends on
// a type.
#include "frit/view.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "frit/detail/along_axis.hpp"
#include "frit/rows.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

/// An affine map from `of` to a result that the caller fills in, every source axis fixed at 0.
attribute* fixed_map(const shape& of) {
    auto a = std::make_unique<attribute>();
    a->source = of;
    a->maps.resize(static_cast<std::size_t>(of.rank()));
    return a.release();
}

/// The map that leaves everything as it is.
attribute* identity_map(const shape& of) {
    attribute* a = fixed_map(of);
    a->result = of;
    for (int k = 0; k < of.rank(); ++k) a->maps[static_cast<std::size_t>(k)] = {.axis = k, .step = 1};
    return a;
}

/// The shape of a result; `fail` says that there is none with so many elements.
template <class F>
shape possible_shape(const std::vector<std::int64_t>& extents, F&& fail, source_line where) {
    if (!shape::possible(extents.data(), static_cast<int>(extents.size())))
        fail("the result has more elements than memory can address");
    return shape(extents, where);
}

std::string list_of(const integers& values) {
    std::string s;
    for (std::int64_t v : values) s += (s.empty() ? "" : ", ") + std::to_string(v);
    return "{" + s + "}";
}

/// A slice of an axis as Python understands it: bounds beyond the ends are cut, negative ones count from the back.
axis_map sliced(const index& i, std::int64_t extent, int result_axis, std::int64_t& length, const shape& of,
                source_line where) {
    const std::int64_t step = i.step.given ? i.step.value : 1;
    if (step == 0) throw_index_error("slice", "the step must not be 0", of, where);
    const std::int64_t first = step > 0 ? 0 : -1, last = step > 0 ? extent : extent - 1;
    const auto cut = [&](const bound& b, std::int64_t open) {
        if (!b.given) return open;
        return std::clamp(b.value < 0 ? b.value + extent : b.value, first, last);
    };
    const std::int64_t start = cut(i.start, step > 0 ? 0 : extent - 1), stop = cut(i.stop, step > 0 ? extent : -1);
    // One less than the distance, so that a step near the limits of int64 cannot overflow.
    if (step > 0)
        length = stop > start ? (stop - start - 1) / step + 1 : 0;
    else
        length = start > stop ? (start - stop - 1) / (step == INT64_MIN ? INT64_MAX : -step) + 1 : 0;
    return {.axis = result_axis, .offset = length ? start : 0, .step = length > 1 ? step : 1};
}

}  // namespace

std::unique_ptr<attribute> index_map(const shape& of, std::span<const index> list, source_line where) {
    int axes_taken = 0;
    bool open = false;
    for (const index& i : list) {
        if (i.what == index::kind::whole_axes) {
            if (open) throw_index_error("index", "more than one ellipsis", of, where);
            open = true;
        }
        axes_taken += i.what == index::kind::integer || i.what == index::kind::slice;
    }
    if (axes_taken > of.rank())
        throw_index_error("index", std::to_string(axes_taken) + " indices for rank " + std::to_string(of.rank()), of, where);

    std::unique_ptr<attribute> a(fixed_map(of));
    int axis = 0;
    const auto whole_axes = [&](int count) {
        for (; count > 0; --count, ++axis) {
            a->maps[static_cast<std::size_t>(axis)] = {.axis = a->result.rank(), .step = 1};
            a->result.push_back(of[axis], where);
        }
    };
    for (const index& i : list) {
        switch (i.what) {
            case index::kind::integer: {
                const std::int64_t n = of[axis], k = i.start.value;
                if (k < -n || k >= n)
                    throw_index_error("index",
                                      "index " + std::to_string(k) + " is out of range for axis " + std::to_string(axis) +
                                          " with extent " + std::to_string(n),
                                      of, where);
                a->maps[static_cast<std::size_t>(axis++)].offset = k < 0 ? k + n : k;
                break;
            }
            case index::kind::slice: {
                std::int64_t length = 0;
                a->maps[static_cast<std::size_t>(axis)] = sliced(i, of[axis], a->result.rank(), length, of, where);
                a->result.push_back(length, where);
                ++axis;
                break;
            }
            case index::kind::whole_axes: whole_axes(of.rank() - axes_taken); break;
            case index::kind::new_axis: a->result.push_back(1, where); break;
        }
    }
    whole_axes(of.rank() - axis);
    return a;
}

attribute_ref index_attribute(const shape& of, std::span<const index> list, source_line where) {
    return or_out_of_memory("index", where, [&] { return attribute_ref(index_map(of, list, where).release()); });
}

std::int64_t count_rows(const shape& of, source_line where) try {
    if (of.rank() == 0) throw_shape_error("begin", "an array of rank 0 has no rows to iterate over", {&of, 1}, where);
    return of[0];
} catch (const std::bad_alloc&) {
    throw_out_of_memory("begin", where);
}

attribute_ref update_attribute(const attribute& view) try {
    auto* a = new attribute;
    attribute_ref result(a);
    a->what = attribute::kind::update;
    a->source = view.source;
    a->result = view.result;
    a->maps = view.maps;
    return result;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("assign", unknown_line);
}

attribute_ref swap_with_last_attribute(op who, const shape& of, std::int64_t axis, source_line where) try {
    if (of.rank() == 0) throw_shape_error(name_of(who), "needs an axis to go along", {&of, 1}, where);
    attribute* a = identity_map(of);
    attribute_ref result(a);
    const int last = of.rank() - 1, k = checked_axis(name_of(who), axis, of.rank(), of, where);
    std::swap(a->maps[static_cast<std::size_t>(k)], a->maps[static_cast<std::size_t>(last)]);
    a->result.set(k, 1, where);  // so that no product is larger than the whole
    a->result.set(last, of[k], where);
    a->result.set(k, of[last], where);
    return result;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(name_of(who), where);
}

attribute_ref reversed_last_attribute(const shape& of, bool reversed, source_line where) try {
    attribute* a = identity_map(of);
    const int last = of.rank() - 1;
    if (reversed && of[last] > 0) a->maps.back() = {.axis = last, .offset = of[last] - 1, .step = -1};
    return attribute_ref(a);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("flip", where);
}

attribute_ref transpose_attribute(const shape& of, const axes* order, source_line where) try {
    attribute* a = fixed_map(of);
    attribute_ref result(a);
    const int rank = of.rank();
    if (order && order->count() != rank)
        throw_index_error("transpose", "the axes " + list_of(*order) + " must name every axis once", of, where);
    if (order && rank > 0) named_axes("transpose", *order, rank, of, where);
    for (int k = 0; k < rank; ++k) {
        const int from = order ? checked_axis("transpose", (*order)[k], rank, of, where) : rank - 1 - k;
        a->maps[static_cast<std::size_t>(from)] = {.axis = k, .step = 1};
        a->result.push_back(of[from], where);
    }
    return result;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("transpose", where);
}

attribute_ref reshape_attribute(const shape& of, const int_list& extents, source_line where) try {
    const auto fail = [&](std::string_view why) {
        throw_shape_error("reshape", "to " + list_of(extents) + ": " + std::string(why), {&of, 1}, where);
    };
    int open = -1;
    std::int64_t known = 1;
    std::vector<std::int64_t> to;
    for (int k = 0; k < extents.count(); ++k) {
        const std::int64_t e = extents[k];
        if (e < -1) fail("an extent is negative");
        if (e == -1 && open >= 0) fail("only one extent may be -1");
        if (e == -1) open = k;
        if (e >= 0 && __builtin_mul_overflow(known, e, &known)) fail("the number of elements differs");
        to.push_back(e < 0 ? 0 : e);
    }
    if (open >= 0) {
        if (known == 0 || of.size() % known != 0) fail("no extent fits in the place of -1");
        to[static_cast<std::size_t>(open)] = of.size() / known;
    } else if (known != of.size()) {
        fail("the number of elements differs");
    }
    const shape result = possible_shape(to, fail, where);
    auto* a = new attribute;
    a->what = attribute::kind::reshape;
    a->source = of;
    a->result = result;
    return attribute_ref(a);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("reshape", where);
}

namespace {

bool broadcasts(const shape& of, const shape& to) {
    const int extra = to.rank() - of.rank();
    bool fits = extra >= 0;
    for (int k = 0; fits && k < of.rank(); ++k) fits = of[k] == 1 || of[k] == to[k + extra];
    return fits;
}

}  // namespace

attribute_ref broadcast_attribute(const shape& of, const shape& to, source_line where, std::string_view who) try {
    const int extra = to.rank() - of.rank();
    if (!broadcasts(of, to)) {
        const shape both[] = {of, to};
        throw_shape_error(who, "the first shape does not broadcast to the second", both, where);
    }
    attribute* a = fixed_map(of);
    a->result = to;
    for (int k = 0; k < of.rank(); ++k)
        if (of[k] == to[k + extra]) a->maps[static_cast<std::size_t>(k)] = {.axis = k + extra, .step = 1};
    return attribute_ref(a);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

void check_mask(std::string_view op, const shape& mask, const shape& of, source_line where) {
    if (broadcasts(mask, of)) return;
    const shape both[] = {mask, of};
    throw_shape_error(op, "the mask's shape does not broadcast to that of the array whose elements it selects", both, where);
}

attribute_ref mask_attribute(std::string_view who, const shape& mask, const shape& operand, source_line where) {
    check_mask(who, mask, operand, where);
    return broadcast_attribute(mask, operand, where, who);
}

attribute_ref squeeze_attribute(const shape& of, const axes* which, source_line where) try {
    std::vector<bool> dropped(static_cast<std::size_t>(of.rank()));
    if (which) dropped = named_axes("squeeze", *which, of.rank(), of, where);
    attribute* a = fixed_map(of);
    attribute_ref result(a);
    for (int k = 0; k < of.rank(); ++k) {
        const auto n = static_cast<std::size_t>(k);
        if (dropped[n] && of[k] != 1)
            throw_shape_error("squeeze", "axis " + std::to_string(k) + " has extent " + std::to_string(of[k]) + ", not 1",
                              {&of, 1}, where);
        if (which ? dropped[n] : of[k] == 1) continue;
        a->maps[n] = {.axis = a->result.rank(), .step = 1};
        a->result.push_back(of[k], where);
    }
    return result;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("squeeze", where);
}

attribute_ref expand_dims_attribute(const shape& of, const axes& places, source_line where) try {
    const int rank = of.rank() + places.count();
    if (rank > max_rank) throw_rank(static_cast<std::size_t>(rank), where);
    const std::vector<bool> added = named_axes("expand_dims", places, rank, of, where);
    attribute* a = fixed_map(of);
    attribute_ref result(a);
    for (int k = 0, from = 0; k < rank; ++k) {
        if (!added[static_cast<std::size_t>(k)]) a->maps[static_cast<std::size_t>(from)] = {.axis = k, .step = 1};
        a->result.push_back(added[static_cast<std::size_t>(k)] ? 1 : of[from++], where);
    }
    return result;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("expand_dims", where);
}

attribute_ref flip_attribute(const shape& of, const axes* which, source_line where) try {
    std::vector<bool> flipped(static_cast<std::size_t>(of.rank()), true);
    if (which) flipped = named_axes("flip", *which, of.rank(), of, where);
    attribute* a = identity_map(of);
    for (int k = 0; k < of.rank(); ++k)
        if (flipped[static_cast<std::size_t>(k)] && of[k] > 0)
            a->maps[static_cast<std::size_t>(k)] = {.axis = k, .offset = of[k] - 1, .step = -1};
    return attribute_ref(a);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("flip", where);
}

attribute_ref diagonal_attribute(const shape& of, std::int64_t offset, std::int64_t axis1, std::int64_t axis2,
                                 source_line where) try {
    const int first = checked_axis("diagonal", axis1, of.rank(), of, where);
    const int second = checked_axis("diagonal", axis2, of.rank(), of, where);
    if (first == second) throw_index_error("diagonal", "the two axes must differ", of, where);
    attribute* a = fixed_map(of);
    attribute_ref result(a);
    for (int k = 0; k < of.rank(); ++k) {
        if (k == first || k == second) continue;
        a->maps[static_cast<std::size_t>(k)] = {.axis = a->result.rank(), .step = 1};
        a->result.push_back(of[k], where);
    }
    // Offsets beyond the corner leave nothing; clamped first, so that any int64 is safe.
    const std::int64_t right = std::clamp<std::int64_t>(offset, 0, of[second]),
                       down = std::clamp<std::int64_t>(offset, -of[first], 0);
    const int last = a->result.rank();
    a->maps[static_cast<std::size_t>(first)] = {.axis = last, .offset = -down, .step = 1};
    a->maps[static_cast<std::size_t>(second)] = {.axis = last, .offset = right, .step = 1};
    a->result.push_back(std::min(of[first] + down, of[second] - right), where);
    return result;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("diagonal", where);
}

attribute_ref pad_attribute(const shape& of, std::span<const pad_width> widths, pad_mode mode, source_line where) try {
    const auto fail = [&](const std::string& why) { throw_shape_error("pad", why, {&of, 1}, where); };
    if (widths.size() != 1 && static_cast<int>(widths.size()) != of.rank())
        fail(std::to_string(widths.size()) + " pairs of widths for rank " + std::to_string(of.rank()));
    attribute* a = identity_map(of);
    attribute_ref result(a);
    std::vector<std::int64_t> extents(of.begin(), of.end());
    for (int k = 0; k < of.rank(); ++k) {
        const auto [before_width, after_width] = widths[widths.size() == 1 ? 0 : static_cast<std::size_t>(k)];
        const std::int64_t before = before_width, after = after_width;
        if (before < 0 || after < 0) fail("a width is negative");
        if (before == 0 && after == 0) continue;
        if (of[k] == 0 && mode != pad_mode::constant && mode != pad_mode::empty)
            fail("axis " + std::to_string(k) + " has no element to repeat");
        std::int64_t extent = 0;
        if (__builtin_add_overflow(std::int64_t{before}, std::int64_t{after}, &extent) ||
            __builtin_add_overflow(extent, of[k], &extent))
            fail("a width is too large");
        extents[static_cast<std::size_t>(k)] = extent;
        a->maps[static_cast<std::size_t>(k)] = {
            .axis = k, .offset = -before, .step = 1, .lo = 0, .hi = of[k] - 1, .clamped = true};
    }
    a->result = possible_shape(extents, fail, where);
    return result;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("pad", where);
}

attribute_ref coord_attribute(const shape& domain, int axis) try {
    auto* a = new attribute;
    attribute_ref result(a);
    a->what = attribute::kind::coord;
    a->result = domain;
    a->maps.push_back({.axis = axis, .step = 1});
    return result;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("coord", unknown_line);
}

}  // namespace frit::v0::detail

// searchsorted, digitize, isin, interp: a search in a sorted vector, which is one op for real numbers (graph::add_search),
// and what follows from places. Of complex numbers it is a formula of as many steps as the vector's length needs: a step
// reads one element and moves the place, by arithmetic alone, so all values take the same steps.
#include "frit/search.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "src/formulas/parts.hpp"
#include "src/formulas/search.hpp"

namespace frit::inline v0::detail {
namespace {

mask_value mask_of(const value& condition) { return mask_value(condition.node()); }
template <operand E>
place_value recorded_place(const E& e, source_line where) {
    return place_value(recorded(e, where).node());
}

/// How far behind the numbers a complex number with a NaN is sorted.
value rank_of_nan(const value& z, source_line where) {
    return recorded(cast<std::int32_t>(isnan(real(z))) * 2 + cast<std::int32_t>(isnan(imag(z))), where);
}

/// Whether a complex number is sorted in front of another one.
mask_value sorts_before(const value& a, const value& b, source_line where) {
    const value p = rank_of_nan(a, where), q = rank_of_nan(b, where);
    const value re = recorded(real(a), where), other = recorded(real(b), where);
    const mask_value equal = mask_of(recorded((re == other) | (isnan(re) & isnan(other)), where));
    return mask_of(recorded((p < q) | ((p == q) & ((re < other) | (equal & (imag(a) < imag(b))))), where));
}

}  // namespace

user_ref shared_node(const user_ref& x, source_line where) {
    if (!x->inlinable) return x;
    const bool rounded = x->type == x->meant;
    if (rounded && x->counts.load(std::memory_order_acquire) == one_user) {  // nobody else has it, or has it any more
        x.get()->inlinable = false;
        return x;
    }
    const auto same = make_view(value(x), broadcast_attribute(*x->extents, *x->extents, where));
    if (rounded) return shared(same, where).node();
    user_ref unrounded(record_part(
        packed<operand_t<std::remove_cvref_t<decltype(same)>>>(same, where).value));  // of a 16-bit dtype, in float32
    unrounded.get()->inlinable = false;
    return unrounded;
}
value shared_value(const value& x, source_line where) { return value(shared_node(x.node(), where)); }

value element_at(const value& x, const place_value& places, std::string_view who, source_line where) {
    const gather_item at[] = {{.array = places.node()}};
    return value(gather_of(x.node(), at, bounds::raise, std::string(who).c_str(), where));
}

value element_at(const value& x, std::int64_t place, const shape& spread, source_line where) {
    const index at[] = {place};
    const auto one = make_view(x, index_attribute(x.shape(where), at, where));
    return recorded(make_view(one, broadcast_attribute(one.shape(where), spread, where)), where);
}

mask_value checked(const mask_value& wrong, const place_value& index, std::string_view who, source_line where) {
    const auto device = on_device_of(std::array{wrong.node()});
    constexpr bool truth = true;
    const value array_of_one(user_ref(from_host(&truth, dtype::bool_, {1}, where)));
    const place_value at(recorded(frit::where(wrong, index, std::int64_t{0}), where).node());
    const mask_value met(element_at(array_of_one, at, who, where).node());
    return mask_value(shared(met & !wrong, where).node());  // what is read at a wrong index is true, too
}
mask_value checked(const mask_value& wrong, std::int64_t index, std::string_view who, source_line where) {
    return checked(wrong, place_value(constant_of(index, where)), who, where);
}

place_value numbers(std::int64_t n, source_line where) {
    return place_value(recorded(coordinate(shape(n, where), 0), where).node());
}

void check_vector(std::string_view who, std::string_view name, const shape& extents, source_line where) {
    if (extents.rank() != 1) throw_shape_error(who, std::string(name) + " must be a vector", {&extents, 1}, where);
}

namespace {

/// One number for each element of a shape.
place_value spread_number(std::int64_t k, const shape& spread, source_line where) {
    return place_value(recorded(make_view(number_recipe(k), broadcast_attribute(shape(), spread, where)), where).node());
}

// After the first step there are 2^k possible places, of which each of the other k steps leaves half (L. Shar's search:
// Knuth, The Art of Computer Programming 3, 6.2.1).
place_value search_complex(const value& sorted, const value& v, side which, source_line where) {
    const auto in_front = [&](const place_value& p) {
        const value element = element_at(sorted, p, "searchsorted", where);
        if (which == side::left) return sorts_before(element, v, where);
        return mask_of(recorded(!sorts_before(v, element, where), where));
    };
    const std::int64_t n = sorted.size(where);
    std::int64_t step = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n)));
    const mask_value first = in_front(spread_number(step - 1, v.shape(where), where));
    place_value place(shared(frit::where(first, n - step + 1, std::int64_t{0}), where).node());
    while (step /= 2) {
        const mask_value further = in_front(recorded_place(place + (step - 1), where));
        place = place_value(shared(place + frit::where(further, step, std::int64_t{0}), where).node());
    }
    return place;
}

place_value search_real(const value& sorted, const value& v, side which, source_line where) {
    if (which == side::left) return recorded_place(make_as<op::searchsorted_left, dtype::i64, run_time>(sorted, v), where);
    return recorded_place(make_as<op::searchsorted_right, dtype::i64, run_time>(sorted, v), where);
}

}  // namespace

// No integer dtype holds signed numbers and uint64: values that the vector's cannot be are put to one of its ends.
place_value search(const value& sorted, const value& v, side which, source_line where) {
    const dtype of = sorted.node()->meant, type = v.node()->meant;
    const std::int64_t n = sorted.size(where);
    if (n == 0) return spread_number(0, v.shape(where), where);
    if (is_complex(of) || is_complex(type)) return search_complex(sorted, shared_value(v, where), which, where);
    const auto is_signed = [](dtype t) { return kind_of(t) == dtype_kind::integer; };
    if (of == dtype::u64 && is_signed(type)) {
        const value x = shared_value(v, where), there = recorded(cast<std::uint64_t>(maximum(x, 0)), where);
        return recorded_place(frit::where(x < 0, std::int64_t{0}, search_real(sorted, there, which, where)), where);
    }
    if (is_signed(of) && type == dtype::u64) {
        constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
        const value x = shared_value(v, where), there = recorded(cast<std::int64_t>(minimum(x, most)), where);
        return recorded_place(frit::where(x > most, n, search_real(sorted, there, which, where)), where);
    }
    return search_real(sorted, v, which, where);
}

user_ref searchsorted_of(const user_ref& sorted, const user_ref& v, side which, source_line where) try {
    constexpr std::string_view who = "searchsorted";
    check_vector(who, "the first argument", *sorted->extents, where);
    return result(search(value(sorted), value(v), which, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("searchsorted", where);
}

// Falling edges are searched in their opposite order, and the places are counted back from the end.
user_ref digitize_of(const user_ref& x, const user_ref& bins, bool right, source_line where) try {
    constexpr std::string_view who = "digitize";
    check_vector(who, "bins", *bins->extents, where);
    check_real(who, x->meant, where);
    check_real(who, bins->meant, where);
    const value edges(bins);
    const std::int64_t n = bins->extents->size();
    const side which = right ? side::left : side::right;
    if (n < 2) return searchsorted_of(bins, x, which, where);
    const auto edge = [&](std::int64_t k) { return element_at(edges, k, shape(), where); };
    // Two values, of which each reader computes its own: one would be a kernel before them both.
    const mask_value falling = mask_of(recorded(edge(n - 1) < edge(0), where));
    const mask_value is_falling = mask_of(recorded(edge(0) > edge(n - 1), where));
    const index backward[] = {slice(none, none, -1)};
    const auto opposite = make_view(edges, index_attribute(*bins->extents, backward, where));
    const value rising = shared(frit::where(falling, opposite, edges), where);
    const place_value place = search(rising, value(x), which, where);
    return result(frit::where(is_falling, n - place, place), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("digitize", where);
}

user_ref isin_of(const user_ref& x, const user_ref& set, bool invert, source_line where) try {
    const value elements = shared_value(value(x), where), flat = recorded(value(set).reshape({-1}, where), where);
    const std::int64_t n = flat.size(where);
    if (n == 0) return result(make_view(number_recipe(invert), broadcast_attribute(shape(), *x->extents, where)), where);
    const value sorted(result(sort(flat, 0, where), where));
    const place_value place = search(sorted, elements, side::left, where);
    const value nearest = element_at(sorted, recorded_place(minimum(place, n - 1), where), "isin", where);
    return invert ? result(nearest != elements, where) : result(nearest == elements, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("isin", where);
}

namespace {

/// The points of interp, at the elements' dtypes.
struct points {
    value x, xp, fp;
    dtype type, real_type;
    source_line where;
    value cast_to(const value& v, dtype to) const { return in_dtype(v, to, where); }
    value xp_at(const place_value& p) const { return cast_to(element_at(xp, p, "interp", where), real_type); }
    value fp_at(const place_value& p) const { return cast_to(element_at(fp, p, "interp", where), type); }
};

void check_points(const user_ref& x, const user_ref& xp, const user_ref& fp, source_line where) {
    constexpr std::string_view who = "interp";
    check_real(who, x->meant, where);
    check_real(who, xp->meant, where);
    check_vector(who, "xp", *xp->extents, where);
    check_vector(who, "fp", *fp->extents, where);
    const shape shapes[] = {*xp->extents, *fp->extents};
    if (shapes[0] != shapes[1]) throw_shape_error(who, "xp and fp must have one length", shapes, where);
    if (shapes[0].size() == 0) throw_shape_error(who, "there are no points", shapes, where);
}

// NumPy's steps: the line through the left point, or, where that is no number, through the right one; equal values stay what
// they are whatever the infinities around them.
value between(const points& f, const value& x, const place_value& j, std::int64_t last) {
    const place_value next(shared(minimum(j + 1, last), f.where).node());
    const value x0 = f.xp_at(j), x1 = f.xp_at(next), y0 = f.fp_at(j), y1 = f.fp_at(next);
    const value slope = recorded((y1 - y0) / (x1 - x0), f.where);
    const value from_left = recorded(slope * (x - x0) + y0, f.where), from_right = recorded(slope * (x - x1) + y1, f.where);
    const value second = recorded(frit::where(isnan(from_right) & (y0 == y1), y0, from_right), f.where);
    const value line = recorded(frit::where(isnan(from_left), second, from_left), f.where);
    return recorded(frit::where(x == x0, y0, frit::where(x == x1, y1, line)), f.where);
}

}  // namespace

user_ref interp_of(const user_ref& x, const user_ref& xp, const user_ref& fp, const user_ref& left, const user_ref& right,
                   source_line where) try {
    check_points(x, xp, fp, where);
    const std::int64_t n = xp->extents->size();
    const dtype to = statistic_dtype(promote(promote(x->meant, xp->meant), fp->meant)), type = register_dtype(to);
    const points f{shared_value(value(x), where), value(xp), value(fp), type, real_dtype(type), where};
    const place_value place = search(f.xp, f.x, side::right, where);
    const place_value j(shared(clip(place - 1, std::int64_t{0}, n > 1 ? n - 2 : 0), where).node());
    const value v = f.cast_to(f.x, f.real_type);
    const auto end = [&](const user_ref& given, std::int64_t k) {
        return f.cast_to(given ? value(given) : element_at(f.fp, k, *x->extents, where), type);
    };
    const value below = end(left, 0), above = end(right, n - 1);
    const value inside = between(f, v, j, n - 1);
    const value low = recorded(frit::where(f.x < element_at(f.xp, 0, *x->extents, where), below, inside), where);
    const value all = recorded(frit::where(f.x > element_at(f.xp, n - 1, *x->extents, where), above, low), where);
    if (!is_float(x->meant)) return result(all, to, where);
    return result(frit::where(isnan(f.x), v, all), to, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("interp", where);
}

// The points in the order of what is left of them, the last one again in front of the first and the first behind the last.
user_ref periodic_interp_of(const user_ref& x, const user_ref& xp, const user_ref& fp, double period,
                            source_line where) try {
    constexpr std::string_view who = "interp";
    if (period == 0 || !std::isfinite(period))
        throw_index_error(who, "the period must be finite and not 0", *xp->extents, where);
    check_points(x, xp, fp, where);
    const dtype to = statistic_dtype(promote(promote(x->meant, xp->meant), fp->meant));
    const dtype type = real_dtype(register_dtype(to));
    const double length = std::abs(period);
    const auto left = [&](const user_ref& v) { return recorded(remainder(in_dtype(value(v), type, where), length), where); };
    const value places = shared(left(xp), where);
    const place_value order(result(argsort(places, 0, where), where));
    const value sorted = element_at(places, order, who, where), values = element_at(value(fp), order, who, where);
    const std::int64_t last = xp->extents->size() - 1;
    const auto end = [&](const value& v, std::int64_t at) { return run_of(v, 0, {at, 1}, where); };
    const user_ref around[] = {recorded(end(sorted, last) - length, where).node(), sorted.node(),
                               recorded(end(sorted, 0) + length, where).node()};
    const user_ref heights[] = {end(values, last).node(), values.node(), end(values, 0).node()};
    const user_ref found = interp_of(left(x).node(), shared(value(concatenate_of(around, 0, where)), where).node(),
                                     shared(value(concatenate_of(heights, 0, where)), where).node(), {}, {}, where);
    return result(value(found), to, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("interp", where);
}

}  // namespace frit::v0::detail

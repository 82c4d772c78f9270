// compress, x(mask), nonzero, argwhere, repeat by counts, unique: running counts are evaluated, since their last one is the
// result's extent, and what comes out is a formula that searches them for the k-th element that counts.
#include "frit/select.hpp"

#include <string>

#include "src/formulas/search.hpp"
#include "src/graph/axes.hpp"

namespace frit::inline v0::detail {
namespace {

place_value places_of(const value& x) { return place_value(x.node()); }

/// A running sum that is stored, and its last value.
struct running_counts {
    value sums;
    std::int64_t size, total = 0;
    /// @param counts  a vector
    running_counts(const value& counts, std::string_view who, source_line where)
        : sums(record_stored(counts, where)), size(counts.size(where)) {
        if (size > 0) total = array<std::int64_t>(handle_ref(sums.node().get()))(-1).item(where);
        if (total < 0 || !shape::possible(&total, 1))
            throw_shape_error(who, "the result has more elements than memory can address", {}, where);
    }
    /// How many sums do not exceed each of these numbers.
    place_value not_above(const place_value& numbers, std::string_view who, source_line where) const {
        const auto in_front = [&](const place_value& p) {
            return mask_value(recorded(element_at(sums, p, who, where) <= numbers, where).node());
        };
        return count_in_front(size, numbers.shape(where), in_front, where);
    }
    /// Where the k-th thing that was counted is, for each k.
    place_value positions(std::string_view who, source_line where) const {
        return not_above(numbers(total, where), who, where);
    }

private:
    static value record_stored(const value& counts, source_line where) {
        const array<std::int64_t> sums(cumsum(places_of(counts), 0, where), where);
        sums.eval(where);
        return value(user_ref(sums.handle().get()));
    }
};

/// 1 for each element that is not zero.
running_counts counted(const value& vector, std::string_view who, source_line where) {
    return {recorded(cast<std::int64_t>(cast<bool>(vector)), where), who, where};
}

user_ref take_places(const user_ref& x, const place_value& places, std::int64_t axis, source_line where) {
    return take_of(x, places.node(), axis, bounds::raise, where);
}

}  // namespace

user_ref compress_of(const user_ref& mask, const user_ref& x, std::int64_t axis, bool flat, source_line where) try {
    constexpr std::string_view who = "compress";
    const user_ref from = flat ? as_vector(value(x), where).node() : x;
    const shape& of = *from->extents;
    const shape shapes[] = {*mask->extents, of};
    check_vector(who, "the mask", shapes[0], where);
    const int a = checked_axis(who, axis, of.rank(), of, where);
    if (shapes[0][0] > of[a]) throw_shape_error(who, "the mask is longer than the axis", shapes, where);
    return take_places(from, counted(value(mask), who, where).positions(who, where), a, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("compress", where);
}

user_ref picked_of(const user_ref& x, const user_ref& mask, source_line where) try {
    constexpr std::string_view who = "index";
    const shape of = *x->extents, chosen = *mask->extents, shapes[] = {of, chosen};
    if (mask->meant != dtype::bool_) throw_dtype_error(who, "a mask is of bool", {&mask->meant, 1}, where);
    bool fits = chosen.rank() <= of.rank();
    for (int k = 0; fits && k < chosen.rank(); ++k) fits = chosen[k] == of[k];
    if (!fits) throw_shape_error(who, "the mask does not have the array's first axes", shapes, where);
    std::vector<std::int64_t> extents(of.begin() + chosen.rank(), of.end());
    extents.insert(extents.begin(), chosen.size());
    const value rows = chosen.rank() == 1 ? value(x) : recorded(value(x).reshape(extents, where), where);
    return take_places(rows.node(), counted(as_vector(value(mask), where), who, where).positions(who, where), 0, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("index", where);
}

user_ref flatnonzero_of(const user_ref& x, source_line where) try {
    return result(counted(as_vector(value(x), where), "flatnonzero", where).positions("flatnonzero", where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("flatnonzero", where);
}

std::vector<user_ref> nonzero_of(const user_ref& x, source_line where) {
    constexpr std::string_view who = "nonzero";
    const shape of = *x->extents;
    if (of.rank() == 0) throw_shape_error(who, "a number has no axes", {&of, 1}, where);
    const value flat(result(counted(as_vector(value(x), where), who, where).positions(who, where), where));
    std::vector<user_ref> along;
    std::int64_t step = of.size();
    for (int k = 0; k < of.rank(); ++k) {
        step = of[k] > 0 ? step / of[k] : 1;
        along.push_back(result(k == 0 ? recorded(flat / step, where) : recorded(flat / step % of[k], where), where));
    }
    return along;
}

user_ref argwhere_of(const user_ref& x, source_line where) try {
    constexpr std::string_view who = "argwhere";
    const shape of = *x->extents;
    const running_counts counts = counted(as_vector(value(x), where), who, where);
    const shape to({counts.total, of.rank()}, where);
    if (of.rank() == 0) return result(coordinate(to, 0), where);  // of no elements
    std::vector<std::int64_t> steps(static_cast<std::size_t>(of.rank()), 1), extents(of.begin(), of.end());
    for (std::size_t k = steps.size() - 1; k > 0; --k) steps[k - 1] = steps[k] * extents[k];
    const auto row = [&](const std::vector<std::int64_t>& numbers) {
        const user_ref node(from_host(numbers.data(), dtype::i64, numbers.size(), where));
        return recorded(broadcast_to(value(node), to, where), where);
    };
    const value flat = recorded(expand_dims(counts.positions(who, where), 1, where), where);
    return result(broadcast_to(flat, to, where) / row(steps) % row(extents), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("argwhere", where);
}

user_ref repeat_counted(const user_ref& x, const user_ref& counts, std::int64_t axis, bool flat, source_line where) try {
    constexpr std::string_view who = "repeat";
    const user_ref from = flat ? as_vector(value(x), where).node() : x;
    const shape of = *from->extents, shapes[] = {of, *counts->extents};
    const int a = checked_axis(who, axis, of.rank(), of, where);
    if (!is_integer(counts->meant) && counts->meant != dtype::bool_)
        throw_dtype_error(who, "counts are integers", {&counts->meant, 1}, where);
    if (shapes[1].rank() > 1 || (shapes[1].size() != 1 && shapes[1][0] != of[a]))
        throw_shape_error(who, "there must be a count for each place of the axis, or one for all", shapes, where);
    value each = recorded(cast<std::int64_t>(as_vector(value(counts), where)), where);
    if (each.size(where) != of[a]) each = recorded(broadcast_to(each, of[a], where), where);
    const bool negative = any(places_of(each) < std::int64_t{0}).item(where);
    if (negative) throw_index_error(who, "a count is negative", shapes[1], where);
    return take_places(from, running_counts(each, who, where).positions(who, where), a, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("repeat", where);
}

namespace {

/// The group of equal elements that each place of the sorted elements belongs to, and where each group begins.
struct groups {
    running_counts changes;  ///< of places in front of which there is another value
    std::int64_t size, count;
    source_line where;

    groups(const value& sorted, std::string_view who, source_line line)
        : changes(between(sorted, line), who, line),
          size(sorted.size(line)),
          count(size == 0 ? 0 : changes.total + 1),
          where(line) {}
    /// Where the groups of these numbers begin; the number of groups is one of them.
    place_value begins(const place_value& k, std::string_view who) const {
        const place_value before(recorded(k - 1, where).node());
        return place_value(
            recorded(frit::where(k > std::int64_t{0}, changes.not_above(before, who, where) + 1, std::int64_t{0}), where)
                .node());
    }
    place_value group_at(const place_value& place, std::string_view who) const {
        if (changes.size == 0) return place;  // no place, or 0
        const place_value before(recorded(maximum(place - 1, std::int64_t{0}), where).node());
        return place_value(
            recorded(frit::where(place > std::int64_t{0}, element_at(changes.sums, before, who, where), std::int64_t{0}),
                     where)
                .node());
    }

private:
    static value between(const value& sorted, source_line line) {
        const std::int64_t n = sorted.size(line);
        const index later[] = {slice(1, frit::none)}, earlier[] = {slice(0, n > 0 ? n - 1 : 0)};
        const auto seen = [&](std::span<const index> at) {
            return make_view(sorted, index_attribute(sorted.shape(line), at, line));
        };
        return recorded(cast<std::int64_t>(seen(later) != seen(earlier)), line);
    }
};

}  // namespace

unique_results unique_of(const user_ref& x, const unique_parts& parts, source_line where) try {
    const std::string_view who = parts.who;
    const value flat = as_vector(value(x), where), sorted(result(sort(flat, 0, where), where));
    const bool ordered = parts.indices || parts.inverse;
    const value order = ordered ? value(result(argsort(flat, 0, where), where)) : sorted;
    node_head* const both[] = {sorted.node().get(), order.node().get()};  // one call
    eval({both, ordered ? 2U : 1U}, where);
    const groups g(sorted, who, where);
    const place_value k = numbers(g.count, where), first = g.begins(k, who);
    unique_results r;
    r.values = take_places(sorted.node(), first, 0, where);
    if (parts.counts) r.counts = result(g.begins(place_value(recorded(k + 1, where).node()), who) - first, where);
    if (parts.indices) r.indices = take_places(order.node(), first, 0, where);
    if (parts.inverse) {
        const place_value place = places_of(value(result(argsort(order, 0, where), where)));
        const value inverse = recorded(g.group_at(place, who), where);
        r.inverse = result(
            make_view(inverse, reshape_attribute(inverse.shape(where),
                                                 std::vector<std::int64_t>(x->extents->begin(), x->extents->end()), where)),
            where);
    }
    return r;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(parts.who, where);
}

}  // namespace frit::v0::detail

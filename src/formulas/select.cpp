// compress, x(mask), nonzero, argwhere, repeat by counts. How much is picked is evaluated, since that is the result's
// extent, and what comes out is a formula. Of repeat by counts running totals are, which are searched for the k-th
// repetition.
#include "frit/select.hpp"

#include "src/formulas/masks.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
user_ref compress_of(const user_ref& mask, const user_ref& x, std::int64_t axis, bool flat, source_line where) try {
    constexpr std::string_view who = "compress";
    const user_ref from = flat ? as_vector(value(x), where).node() : x;
    const shape& of = *from->extents;
    const shape shapes[] = {*mask->extents, of};
    check_vector(who, "the mask", shapes[0], where);
    const int a = checked_axis(who, axis, of.rank(), of, where);
    if (shapes[0][0] > of[a]) throw_shape_error(who, "the mask is longer than the axis", shapes, where);
    return picked_along(from, value(mask), a, where);
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
    return picked_along(rows.node(), as_vector(value(mask), where), 0, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("index", where);
}

user_ref flatnonzero_of(const user_ref& x, source_line where) try {
    return result(true_elements(as_vector(value(x), where), where).places(), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("flatnonzero", where);
}

std::vector<user_ref> nonzero_of(const user_ref& x, source_line where) {
    constexpr std::string_view who = "nonzero";
    const shape of = *x->extents;
    if (of.rank() == 0) throw_shape_error(who, "a number has no axes", {&of, 1}, where);
    const value flat(true_elements(as_vector(value(x), where), where).places().node());
    if (of.rank() == 1) return {flat.node()};
    std::vector<user_ref> along;
    std::int64_t step = of.size();
    for (int k = 0; k < of.rank(); ++k) {
        step = of[k] > 0 ? step / of[k] : 1;
        along.push_back(result(k == 0 ? recorded(flat / step, where) : recorded(flat / step % of[k], where), where));
    }
    return along;
}

user_ref argwhere_of(const user_ref& x, source_line where) try {
    const shape of = *x->extents;
    const true_elements found(as_vector(value(x), where), where);
    const shape to({found.count(), of.rank()}, where);
    if (of.rank() == 0) return result(coordinate(to, 0), where);  // of no elements
    std::vector<std::int64_t> steps(static_cast<std::size_t>(of.rank()), 1), extents(of.begin(), of.end());
    for (std::size_t k = steps.size() - 1; k > 0; --k) steps[k - 1] = steps[k] * extents[k];
    const auto row = [&](const std::vector<std::int64_t>& numbers) {
        const user_ref node(from_host(numbers.data(), dtype::i64, numbers.size(), where));
        return recorded(broadcast_to(value(node), to, where), where);
    };
    const value flat = recorded(expand_dims(found.places(), 1, where), where);
    return result(broadcast_to(flat, to, where) / row(steps) % row(extents), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("argwhere", where);
}

namespace {

/// Running totals of a vector of counts, stored, and the last of them.
struct running_counts {
    value sums;
    std::int64_t total = 0;
    running_counts(const value& counts, std::string_view who, source_line where) : sums(counts) {
        const array<std::int64_t> running(cumsum(places_of(counts), 0, where), where);
        running.eval(where);
        sums = value(user_ref(running.handle().get()));
        if (running.size() > 0) total = running(-1).item(where);
        if (total < 0 || !shape::possible(&total, 1))
            throw_shape_error(who, "the result has more elements than memory can address", {}, where);
    }
    /// Which count the k-th of all repetitions is of, for each k.
    place_value owners(source_line where) const {
        return search(sums, value(numbers(total, where).node()), side::right, where);
    }
};

}  // namespace

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
    return take_places(from, running_counts(each, who, where).owners(where), a, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("repeat", where);
}

}  // namespace frit::v0::detail

// compress, x(mask), nonzero, argwhere, repeat by counts, unique. The places of what is picked are evaluated, since how many
// there are is the result's extent, and what comes out is a formula that reads there. Of repeat by counts running totals
// are, which are searched for the k-th repetition.
#include "frit/select.hpp"

#include <optional>
#include <string>

#include "src/formulas/parts.hpp"
#include "src/formulas/search.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

place_value places_of(const value& x) { return place_value(x.node()); }

/// Where the elements of a vector that are not zero are, in order: stored.
class true_elements {
public:
    true_elements(const value& vector, source_line where) : where_(where) {
        if (vector.size(where) == 0) return;
        const value mask = shared_value(recorded(cast<bool>(vector), where), where);
        const auto call = [&]<op Code>() {
            return value(result(make_as<Code, dtype::i64, dtype::bool_>(mask_value(mask.node())), where));
        };
        places_ = call.template operator()<op::true_places>();
        const value number = call.template operator()<op::true_count>();
        node_head* const both[] = {places_->node().get(), number.node().get()};  // one call
        eval({both, 2}, where);
        count_ = array<std::int64_t>(handle_ref(number.node().get())).item(where);
    }
    std::int64_t count() const { return count_; }
    /// As a vector.
    place_value places() const {
        if (!places_) return numbers(0, where_);
        const index first[] = {slice(0, count_)};
        return place_value(
            recorded(make_view(*places_, index_attribute(places_->shape(where_), first, where_)), where_).node());
    }

private:
    std::optional<value> places_;
    std::int64_t count_ = 0;
    source_line where_;
};

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
    return take_places(from, true_elements(value(mask), where).places(), a, where);
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
    return take_places(rows.node(), true_elements(as_vector(value(mask), where), where).places(), 0, where);
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

namespace {

/// Runs of equal elements among sorted ones.
class groups {
public:
    groups(const value& sorted, std::string_view who, source_line where)
        : starts_(begin_of(sorted, where)), begins_(starts_, where), size_(sorted.size(where)), who_(who), where_(where) {}

    /// Where each begins; a vector.
    value begins() const { return value(begins_.places().node()); }
    /// Where each ends: where the next one begins.
    value ends() const {
        const std::int64_t n = begins_.count();
        if (n == 0) return begins();
        const place_value next(recorded(numbers(n, where_) + 1, where_).node());
        const place_value inside(recorded(minimum(next, n - 1), where_).node());
        return recorded(frit::where(next == inside, element_at(begins(), inside, who_, where_), size_), where_);
    }
    /// The number of the one that each of these places lies in.
    value at(const value& places) const {
        const value steps = recorded(cast<std::int64_t>(starts_), where_);
        if (size_ == 0) return places;
        const value counted = recorded(cumsum(place_value(steps.node()), 0, where_) - 1, where_);
        return element_at(counted, place_value(places.node()), who_, where_);
    }

private:
    /// For each place whether the one before has another value, or there is none.
    static value begin_of(const value& sorted, source_line where) {
        const shape of = *sorted.node()->extents;
        if (of[0] == 0) return recorded(sorted != sorted, where);
        const value before = shifted(sorted, 0, -1, where);
        return with_index(of, 0, [&](const auto& i) { return recorded((i == 0) | (sorted != before), where); });
    }

    value starts_;
    true_elements begins_;
    std::int64_t size_;
    std::string_view who_;
    source_line where_;
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
    const place_value first(g.begins().node());
    unique_results r;
    r.values = take_places(sorted.node(), first, 0, where);
    if (parts.counts) r.counts = result(g.ends() - first, where);
    if (parts.indices) r.indices = take_places(order.node(), first, 0, where);
    if (parts.inverse) {
        const value inverse = g.at(value(result(argsort(order, 0, where), where)));
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

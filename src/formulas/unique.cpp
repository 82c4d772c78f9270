// unique_values and its family. Elements are sorted, and what differs from the element before begins a run. Integers that
// lie close together, beside how many they are, need no sort: a table over their range says which values there are.
#include <string_view>
#include <vector>

#include "frit/select.hpp"
#include "src/formulas/masks.hpp"
#include "src/formulas/parts.hpp"

namespace frit::inline v0::detail {
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

/// In the shape of x.
user_ref in_shape_of(const user_ref& x, const value& vector, source_line where) {
    const std::vector<std::int64_t> extents(x->extents->begin(), x->extents->end());
    return result(make_view(vector, reshape_attribute(vector.shape(where), extents, where)), where);
}

unique_results by_sorting(const user_ref& x, const value& flat, const unique_parts& parts, source_line where) {
    const value sorted(result(sort(flat, 0, where), where));
    const bool ordered = parts.indices || parts.inverse;
    const value order = ordered ? value(result(argsort(flat, 0, where), where)) : sorted;
    node_head* const both[] = {sorted.node().get(), order.node().get()};  // one call
    eval({both, ordered ? 2U : 1U}, where);
    const groups g(sorted, parts.who, where);
    const place_value first(g.begins().node());
    unique_results r;
    r.values = take_places(sorted.node(), first, 0, where);
    if (parts.counts) r.counts = result(g.ends() - first, where);
    if (parts.indices) r.indices = take_places(order.node(), first, 0, where);
    if (parts.inverse) r.inverse = in_shape_of(x, g.at(value(result(argsort(order, 0, where), where))), where);
    return r;
}

}  // namespace

unique_results unique_of(const user_ref& x, const unique_parts& parts, source_line where) try {
    return by_sorting(x, as_vector(value(x), where), parts, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(parts.who, where);
}

}  // namespace frit::v0::detail

// See masks.hpp. How many elements a mask picks is the result's extent, so it is evaluated when it is asked for. Of a vector
// of the mask's length they are compacted, which reads both from one end to the other and writes no places. Rows are read at
// the places.
#include "src/formulas/masks.hpp"

#include <mutex>

#include "src/graph/context.hpp"
#include "src/graph/shown.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

/// The elements that are not zero, as a mask that can be stored.
value mask_of(const value& vector, source_line where) { return shared_value(recorded(cast<bool>(vector), where), where); }

std::int64_t number_of(const value& x, source_line where) {
    return array<std::int64_t>(handle_ref(x.node().get())).item(where);
}

/// A result of the call that says of a stored mask where it is true, and how often.
template <op Code>
value of_true(const value& mask, source_line where) {
    return value(result(make_as<Code, dtype::i64, dtype::bool_>(mask_value(mask.node())), where));
}

/// A stored mask, and how many of its elements are true. The kernel that makes it counts them; of one that is there already
/// the call does, which reads bytes: other people's truths need not be 1.
struct counted_mask {
    value mask;
    std::int64_t count;
    counted_mask(const value& vector, source_line where) : mask(mask_of(vector, where)) {
        if (is_stored(mask.node().get())) {
            count = number_of(of_true<op::true_count>(mask, where), where);
            return;
        }
        const value number = shared(sum(frit::where(mask_value(mask.node()), std::int64_t{1}, std::int64_t{0})), where);
        node_head* const both[] = {mask.node().get(), number.node().get()};
        eval({both, 2}, where);
        count = number_of(number, where);
    }
};

/// Whether passing all of x is less work than reading `count` elements of it, for which x is in memory too. A CPU's loop
/// does not read what is not picked. A GPU reads memory by lines: below one element in sixteen, the places, 8 bytes each
/// that are written and read, and a line for each of them are less than x.
bool worth_compacting(const user_ref& x, std::int64_t count) {
    return device_of(x.get()) == device::cpu() || count >= x->extents->size() / 16;
}

/// The first `count` elements of a vector.
value front(const value& vector, std::int64_t count, source_line where) {
    const index first[] = {slice(0, count)};
    return recorded(make_view(vector, index_attribute(vector.shape(where), first, where)), where);
}

user_ref compacted(const value& x, const counted_mask& m, source_line where) {
    return result(make_as<op::compressed, run_time, run_time>(x, m.mask, front(m.mask, m.count, where)), where);
}

}  // namespace

bool lies_in_memory(const user_ref& x) {
    node& n = *as_node(x.get());
    const std::lock_guard guard(n.home->lock);
    return shown_array(n, [](const attribute_ref&) {}) != nullptr;
}

true_elements::true_elements(const value& vector, source_line where) : where_(where) {
    if (vector.size(where) == 0) return;
    const value mask = mask_of(vector, where);
    places_ = of_true<op::true_places>(mask, where);
    const value number = of_true<op::true_count>(mask, where);
    node_head* const both[] = {places_->node().get(), number.node().get()};  // one call
    eval({both, 2}, where);
    count_ = number_of(number, where);
}

place_value true_elements::places() const {
    return places_ ? places_of(front(*places_, count_, where_)) : numbers(0, where_);
}

user_ref take_places(const user_ref& x, const place_value& places, std::int64_t axis, source_line where) {
    return take_of(x, places.node(), axis, bounds::raise, where);
}

user_ref picked_along(const user_ref& x, const value& vector, int axis, source_line where) {
    const shape& of = *x->extents;
    if (of.rank() != 1 || of[0] == 0 || vector.size(where) != of[0])
        return take_places(x, true_elements(vector, where).places(), axis, where);
    const counted_mask m(vector, where);
    if (worth_compacting(x, m.count)) return compacted(value(x), m, where);
    return take_places(x, true_elements(m.mask, where).places(), axis, where);
}

}  // namespace frit::v0::detail

// topk, partition and argpartition, which select (src/libraries), and lexsort, over the stable argsort.
#include "frit/ranks.hpp"

#include <string>
#include <vector>

#include "src/formulas/search.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

value along(const value& x, const user_ref& places, int axis, source_line where) {
    return value(take_along_of(x.node(), places, axis, bounds::raise, where));
}

/// With the axis last, for a library op that goes along the last one: a node.
value axis_last(op who, const value& x, std::int64_t axis, source_line where) {
    if (axis == x.node()->extents->rank() - 1) return shared_value(x, where);
    return shared_value(recorded(make_view(x, swap_with_last_attribute(who, x.shape(where), axis, where)), where), where);
}
/// What such an op gives, with the axis in its place.
template <operand E>
user_ref axis_back(op who, const E& e, std::int64_t axis, source_line where) {
    return result(make_view(e, swap_with_last_attribute(who, e.shape(where), axis, where)), where);
}

}  // namespace

two_results topk_of(const user_ref& x, std::int64_t k, std::int64_t axis, source_line where) try {
    const shape& of = *x->extents;
    const int a = checked_axis("topk", axis, of.rank(), of, where);
    if (k < 0 || k > of[a])
        throw_index_error("topk", "axis " + std::to_string(a) + " does not have " + std::to_string(k) + " elements", of,
                          where);
    const value rows = axis_last(op::largest, value(x), a, where);
    const index first[] = {frit::ellipsis, slice(0, k)};
    const value as_many = recorded(make_view(rows, index_attribute(rows.shape(where), first, where)), where);
    return {axis_back(op::largest, make_as<op::largest, run_time, run_time>(rows, as_many), a, where),
            axis_back(op::largest, make_as<op::largest_places, dtype::i64, run_time>(rows, as_many), a, where)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("topk", where);
}

namespace {

/// The axis. @throws index_error where it has no such place
int checked_places(const char* who, const shape& of, const int_list& places, std::int64_t axis, source_line where) {
    const int along = checked_axis(who, axis, of.rank(), of, where);
    const std::int64_t n = of[along];
    for (const std::int64_t k : places)
        if (k < -n || k >= n)
            throw_index_error(who, "kth " + std::to_string(k) + " is out of range for axis " + std::to_string(axis), of,
                              where);
    return along;
}

}  // namespace

user_ref partition_of(const char* who, const user_ref& x, const int_list& kth, std::int64_t given, bool places,
                      source_line where) try {
    constexpr std::int64_t sorted_as_quickly = 512;  // measured
    const int axis = checked_places(who, *x->extents, kth, given, where);
    const value rows = axis_last(op::partitioned, value(x), axis, where);
    shape each = rows.shape(where);
    const int last = each.rank() - 1;
    const std::int64_t n = each[last];
    if (n <= sorted_as_quickly) {
        if (places) return axis_back(op::partitioned, argsort(rows, -1, where), axis, where);
        return axis_back(op::partitioned, sort(rows, -1, where), axis, where);
    }
    each.set(last, kth.count(), where);
    const auto number = coordinate(shape(kth.count(), where), 0);
    value ranks = recorded(number * std::int64_t{0}, where);
    for (int k = 0; k < kth.count(); ++k)
        ranks = recorded(frit::where(number == k, kth[k] + (kth[k] < 0 ? n : 0), ranks), where);
    const value all = recorded(broadcast_to(ranks, each, where), where);
    if (places)
        return axis_back(op::partitioned, make_as<op::partitioned_places, dtype::i64, run_time>(rows, all), axis, where);
    return axis_back(op::partitioned, make_as<op::partitioned, run_time, run_time>(rows, all), axis, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

std::vector<user_ref> rows_of(const char* who, const user_ref& x, source_line where) try {
    const value v(x);
    if (x->extents->rank() < 2) throw_shape_error(who, "an array of keys has a row for each", {x->extents, 1}, where);
    std::vector<user_ref> rows;
    for (std::int64_t k = 0; k < (*x->extents)[0]; ++k) {
        const index at[] = {k};
        rows.push_back(recorded(make_view(v, index_attribute(*x->extents, at, where)), where).node());
    }
    return rows;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

user_ref lexsort_of(std::span<const user_ref> keys, source_line where) try {
    if (keys.empty()) throw_shape_error("lexsort", "there are no keys", {}, where);
    for (const user_ref& k : keys) {
        const shape both[] = {*keys[0]->extents, *k->extents};
        if (both[0] != both[1]) throw_shape_error("lexsort", "the keys must have one shape", both, where);
        if (both[0].rank() == 0) throw_shape_error("lexsort", "the keys need an axis", {both, 1}, where);
    }
    const int last = keys[0]->extents->rank() - 1;
    user_ref order = result(argsort(value(keys[0]), last, where), where);
    for (const user_ref& k : keys.subspan(1)) {
        const user_ref finer = result(argsort(along(value(k), order, last, where), last, where), where);
        order = result(along(value(order), finer, last, where), where);
    }
    return order;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("lexsort", where);
}

}  // namespace frit::v0::detail

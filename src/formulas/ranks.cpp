// topk, partition's checks and lexsort, over the stable argsort.
#include "frit/ranks.hpp"

#include <string>

#include "src/formulas/values.hpp"
#include "src/graph/axes.hpp"

namespace frit::inline v0::detail {
namespace {

using place_value = composed<dtype::i64>;

value along(const value& x, const user_ref& places, int axis, source_line where) {
    return value(take_along_of(x.node(), places, axis, bounds::raise, where));
}

/// The first k along an axis.
value first(const value& x, std::int64_t k, int axis, source_line where) {
    std::vector<index> at(static_cast<std::size_t>(x.rank(where)), index(frit::all));
    at[static_cast<std::size_t>(axis)] = slice(0, k);
    return recorded(make_view(x, index_attribute(x.shape(where), at, where)), where);
}

value flipped(const value& x, int axis, source_line where) {
    const axes one(axis);
    return recorded(make_view(x, flip_attribute(x.shape(where), &one, where)), where);
}

}  // namespace

// A stable argsort of the flipped array, flipped back, falls, and has equal elements in their order.
two_results topk_of(const user_ref& x, std::int64_t k, std::int64_t axis, source_line where) try {
    const shape& of = *x->extents;
    const int a = checked_axis("topk", axis, of.rank(), of, where);
    if (k < 0 || k > of[a])
        throw_index_error("topk", "axis " + std::to_string(a) + " does not have " + std::to_string(k) + " elements", of,
                          where);
    const value backwards = flipped(value(x), a, where);
    const value order(result(argsort(backwards, a, where), where));
    const value best = first(flipped(order, a, where), k, a, where);
    const user_ref values = result(along(backwards, best.node(), a, where), where);
    return {values, result(of[a] - 1 - best, where)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("topk", where);
}

void check_places(const char* who, const shape& of, const int_list& places, std::int64_t axis, source_line where) try {
    const std::int64_t n = of[checked_axis(who, axis, of.rank(), of, where)];
    for (const std::int64_t k : places)
        if (k < -n || k >= n)
            throw_index_error(who, "kth " + std::to_string(k) + " is out of range for axis " + std::to_string(axis), of,
                              where);
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

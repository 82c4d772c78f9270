// What is picked by masks, counts and values: compress, nonzero, flatnonzero, argwhere, repeat with a count for each
// element, unique_values and its family. How many elements come out depends on the data, so each evaluates what says how
// many when it is called, the mask or the places of what is picked; what comes out is a formula again.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "frit/detail/composed.hpp"

namespace frit::inline v0 {

namespace detail {
/// x at the places along `axis` where the vector `mask` is not zero; flat: x's elements in row-major order.
FRIT_API user_ref compress_of(const user_ref& mask, const user_ref& x, std::int64_t axis, bool flat, source_line);
FRIT_API user_ref flatnonzero_of(const user_ref& x, source_line);
FRIT_API std::vector<user_ref> nonzero_of(const user_ref& x, source_line);
FRIT_API user_ref argwhere_of(const user_ref& x, source_line);
FRIT_API user_ref repeat_counted(const user_ref& x, const user_ref& counts, std::int64_t axis, bool flat, source_line);

/// The results of unique_all; those that are not asked for are null.
struct unique_results {
    user_ref values, indices, inverse, counts;
};
struct unique_parts {
    const char* who;
    bool indices = false, inverse = false, counts = false;
};
FRIT_API unique_results unique_of(const user_ref& x, const unique_parts&, source_line);

inline array<std::int64_t> places_array(const user_ref& node) { return array<std::int64_t>(handle_ref(node.get())); }

template <class A, class M>
auto picked(const A& x, const M& mask, source_line where) {
    return composed<operand_t<A>::type>(picked_of(node_of(x, where), node_of(mask, where), where));
}
}  // namespace detail

/// The parts of x along an axis where the vector `mask` is true (a number: not zero). A mask that is shorter than the axis
/// picks from its front. Evaluates how many are true. @throws shape_error unless the mask is a vector that is not
/// longer than the axis; index_error for an axis that x does not have
template <detail::operand M, detail::operand A>
auto compress(const M& mask, const A& x, detail::any_integer axis, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::compress_of(detail::node_of(mask, where), detail::node_of(x, where), axis, false, where));
}
/// Of the elements in row-major order.
template <detail::operand M, detail::operand A>
auto compress(const M& mask, const A& x, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::compress_of(detail::node_of(mask, where), detail::node_of(x, where), 0, true, where));
}

/// The places in row-major order of the elements that are not zero, NaN included: a vector of int64. Evaluates them.
template <detail::operand A>
auto flatnonzero(const A& x, source_line where = {}) {
    return composed<dtype::i64>(detail::flatnonzero_of(detail::node_of(x, where), where));
}
/// Their indices along each axis: as many vectors as x has axes. @throws shape_error for a number, which has no axis
template <detail::operand A>
std::vector<array<std::int64_t>> nonzero(const A& x, source_line where = {}) {
    return detail::or_out_of_memory("nonzero", where, [&] {
        std::vector<array<std::int64_t>> along;
        for (const detail::user_ref& node : detail::nonzero_of(detail::node_of(x, where), where))
            along.push_back(detail::places_array(node));
        return along;
    });
}
/// The same as rows of one array: element (k, axis) is the index of the k-th of them.
template <detail::operand A>
auto argwhere(const A& x, source_line where = {}) {
    return composed<dtype::i64>(detail::argwhere_of(detail::node_of(x, where), where));
}

/// Each part of x along an axis as many times as `counts` says of it, one after the other: a vector of integers, as long as
/// the axis, or of one number for all. Evaluates the counts' running sum. @throws shape_error for another length,
/// index_error for a negative count
template <detail::operand A, detail::operand C>
auto repeat(const A& x, const C& counts, detail::any_integer axis, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::repeat_counted(detail::node_of(x, where), detail::node_of(counts, where), axis, false, where));
}
/// Of the elements in row-major order.
template <detail::operand A, detail::operand C>
auto repeat(const A& x, const C& counts, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::repeat_counted(detail::node_of(x, where), detail::node_of(counts, where), 0, true, where));
}

/// The elements without repetition, sorted. Each NaN is a value of its own. Evaluates which there are.
template <detail::operand A>
auto unique_values(const A& x, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::unique_of(detail::node_of(x, where), {.who = "unique_values"}, where).values);
}
/// The same by NumPy's older name.
template <detail::operand A>
auto unique(const A& x, source_line where = {}) {
    return unique_values(x, where);
}
/// The values, and how often each occurs, int64.
/// ```cpp
/// const auto [values, counts] = unique_counts(frit::array<int>{3, 1, 3, 3});
/// std::cout << values << counts << '\n';
/// ```
/// ```text
/// [1 3][1 3]
/// ```
template <detail::operand A>
auto unique_counts(const A& x, source_line where = {}) {
    const detail::unique_results r =
        detail::unique_of(detail::node_of(x, where), {.who = "unique_counts", .counts = true}, where);
    return std::tuple{detail::holder_t<A>(detail::handle_ref(r.values.get())), detail::places_array(r.counts)};
}
/// The values, and for each element of x, in x's shape, the place of its value among them: take(values, inverse) is x.
template <detail::operand A>
auto unique_inverse(const A& x, source_line where = {}) {
    const detail::unique_results r =
        detail::unique_of(detail::node_of(x, where), {.who = "unique_inverse", .inverse = true}, where);
    return std::tuple{detail::holder_t<A>(detail::handle_ref(r.values.get())), detail::places_array(r.inverse)};
}
/// The values; the place in row-major order where each first occurs; the inverse as of unique_inverse; and how often each
/// occurs.
template <detail::operand A>
auto unique_all(const A& x, source_line where = {}) {
    const detail::unique_results r = detail::unique_of(
        detail::node_of(x, where), {.who = "unique_all", .indices = true, .inverse = true, .counts = true}, where);
    return std::tuple{detail::holder_t<A>(detail::handle_ref(r.values.get())), detail::places_array(r.indices),
                      detail::places_array(r.inverse), detail::places_array(r.counts)};
}

}  // namespace frit::v0

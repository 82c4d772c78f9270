// Elements at indices that are themselves arrays: x(i, frit::all, j), take, take_along_axis. A gather is a formula like any
// other: what computes the indices and what reads the elements fuse with it, and no gathered values are stored unless they
// are asked for. Only the array that is read must lie in memory.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "frit/create.hpp"
#include "frit/detail/composed.hpp"
#include "frit/index.hpp"
#include "frit/ops.hpp"

namespace frit::inline v0 {

/// What an index out of range is: an error when the result is evaluated (on a GPU: at the next synchronisation), the nearest
/// element, or counted round and round.
enum class bounds : std::uint8_t { raise, clip, wrap };

namespace detail {

/// One of the things between the parentheses of x(...): an array of integers, or of bool, or, where there is none, an index.
struct gather_item {
    index at = frit::all;
    user_ref array{};
};

/// Which elements of an array x(...) has: the map of the access, and its arrays of indices, each with how it is seen from
/// the result.
struct indexed_access {
    struct operand {
        user_ref index;
        attribute_ref spread;
    };
    attribute_ref where;
    std::vector<operand> indices;
};
/// The access of x(items...), of which at least one is an array. @throws index_error, shape_error, dtype_error
FRIT_API indexed_access access_of(const user_ref& x, std::span<const gather_item>, const char* who, source_line);
/// That of the elements where a mask is true, which has x's first axes: values of this shape are put there.
/// @throws shape_error where they are not one for each of them
FRIT_API indexed_access access_of_true(const user_ref& x, const user_ref& mask, const frit::shape& values, source_line);
/// The elements.
FRIT_API user_ref read_at(const user_ref& x, const indexed_access&, bounds, const char* who, source_line);

/// x at these items. @throws likewise
FRIT_API user_ref gather_of(const user_ref& x, std::span<const gather_item>, bounds, const char* who, source_line);
/// x at an array of indices along one axis. @throws likewise
FRIT_API user_ref take_of(const user_ref& x, const user_ref& indices, std::int64_t axis, bounds, source_line);
/// x along one axis at indices of its rank.
FRIT_API user_ref take_along_of(const user_ref& x, const user_ref& indices, std::int64_t axis, bounds, source_line);

template <class I>
gather_item gather_item_of(const I& i, source_line where) {
    if constexpr (operand<I>) {
        static_assert(operand_t<I>::type == run_time || is_integer(operand_t<I>::type),
                      "frit: an index is an array of integers (cast<std::int64_t>(i) makes one)");
        return {.array = node_of(i, where)};
    } else if constexpr (integral_range<I>) {
        const std::vector<std::int64_t> places(std::begin(i), std::end(i));
        const auto count = static_cast<std::int64_t>(places.size());
        return {.array = user_ref(from_host(places.data(), frit::shape{count}, where).handle().get())};
    } else {
        return {.at = i};
    }
}

/// The same where a mask may stand.
template <class I>
gather_item any_item_of(const I& i, source_line where) {
    if constexpr (mask_index<I>)
        return {.array = node_of(i, where)};
    else
        return gather_item_of(i, where);
}

template <class A, class... I>
auto gathered(const A& x, source_line where, const I&... indices) {
    const std::array<gather_item, sizeof...(I)> items{any_item_of(indices, where)...};
    return composed<operand_t<A>::type>(gather_of(node_of(x, where), items, bounds::raise, "index", where));
}

}  // namespace detail

/// x(..., i, ...) with the array i at this axis: the result's shape is x's with that axis replaced by i's axes. Negative
/// indices count from the end. @throws index_error where x has no such axis, and at evaluation for an index out of range
template <detail::operand A, class I>
requires detail::gather_index<I>
auto take(const A& x, const I& indices, detail::any_integer axis, bounds mode = bounds::raise, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::take_of(detail::node_of(x, where), detail::gather_item_of(indices, where).array, axis, mode, where));
}
/// The elements of x in row-major order at these indices, in their shape.
template <detail::operand A, class I>
requires detail::gather_index<I>
auto take(const A& x, const I& indices, source_line where = {}) {
    return take(x.reshape({-1}, where), indices, 0, bounds::raise, where);
}

/// Along one axis the elements that `indices` names, which has x's rank: r(a, b, c) = x(a, indices(a, b, c), c) for axis 1.
/// The other axes broadcast. What argsort and argmax give is such an array. @throws as take
template <detail::operand A, detail::operand I>
auto take_along_axis(const A& x, const I& indices, detail::any_integer axis, bounds mode = bounds::raise,
                     source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::take_along_of(detail::node_of(x, where), detail::gather_item_of(indices, where).array, axis, mode, where));
}

}  // namespace frit::v0

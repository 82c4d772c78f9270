// What array<T> and any_array are both: a handle on a node, what is asked of a value that is stored or will be, and the
// targets of assignments to parts of it.
#pragma once

#include <concepts>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "frit/detail/record.hpp"
#include "frit/detail/target.hpp"
#include "frit/device.hpp"
#include "frit/expr.hpp"

namespace frit::inline v0 {
namespace detail {

/// x at indices some of which are arrays, as the target of assignments.
template <dtype D, class A, class... I>
auto gathered_target(const A& x, const target& of, source_line where, const I&... indices);
/// The same at one array that is known at run time to be of indices, or a mask.
template <dtype D, class A, run_time_operand I>
auto gathered_target(const A& x, const target& of, source_line where, const I& index);

/// @tparam Array the class that this is the base of, whose dtype is D
template <class Array, dtype D>
class array_base : public recipe<Array, D>, public no_members {
    const Array& self() const noexcept { return static_cast<const Array&>(*this); }

public:
    /// @cond
    using frit_operand = leaf<D>;

    array_base() = default;
    explicit array_base(handle_ref node) noexcept : node_(std::move(node)) {}
    const handle_ref& handle() const noexcept { return node_; }
    /// @endcond

    /// True for one without a value: default-constructed, or released by `a = {}`.
    bool empty() const noexcept { return !node_; }
    /// Evaluates and keeps the value. Asynchronous on a GPU.
    const Array& eval(source_line where = {}) const {
        node_head* node = handle_of(self(), where).get();
        detail::eval({&node, 1}, where);
        return self();
    }
    /// In elements; row-major until the value is stored.
    std::vector<std::int64_t> strides(source_line where = {}) const { return strides_of(handle_of(self(), where).get()); }
    /// Where the value is, or will be.
    frit::device device(source_line where = {}) const { return device_of(handle_of(self(), where).get()); }
    /// The same values on device d; this array where it is there already.
    Array to(frit::device d, source_line where = {}) const {
        return Array(to_device(handle_of(self(), where).get(), d, where));
    }

    using recipe<Array, D>::operator();
    /// A view that can be assigned to: u(frit::slice(1, -1)) = v.
    template <std::convertible_to<index>... I>
    array_view<D> operator()(first_index first, const I&... rest) {
        const index list[] = {first.at, rest...};
        return (*this)(std::span<const index>(list), first.where);
    }
    /// The same by a list that is made at run time; an empty one names all elements.
    array_view<D> operator()(std::span<const index> list, source_line where = {}) {
        return target_through(index_attribute(*handle_of(self(), where)->extents, list, where), where);
    }
    /// @cond
    /// The elements that an access map names, read and assigned.
    array_view<D> target_through(attribute_ref map, source_line where) {
        return {make_view(self(), map), map, as_target(where)};
    }
    /// What points this handle at another value. @throws error where it is empty
    target as_target(source_line where) {
        handle_of(self(), where);
        return {liveness_.token(node_), where};
    }
    /// @endcond
    /// The elements where `mask` is true, to be read and assigned: u(u < 0) = 0. Assigned is a number; an array of u's
    /// shape, or that broadcasts along the axes behind the mask's, seen through it; or one value for each true element,
    /// which are counted then.
    template <mask_index M>
    auto operator()(const M& mask, source_line where = {}) {
        return masked_view<D, operand_t<M>>(mask, target(liveness_.token(node_), where));
    }
    /// The elements at arrays of indices, to be read and assigned: u(i) = v, u(i) += v (also -= *= /=), where every value
    /// counts; of several that are assigned to one element the last one stays. An any_array of bool is a mask. A mask beside
    /// other indices is its nonzero().
    template <class I>
    requires gathers<I>
    auto operator()(const I& i, source_line where = {}) { return targets(where, i); }
    /// The same beside other indices, arrays or not.
    template <class I, class J>
    requires gathers<I, J>
    auto operator()(const I& i, const J& j, source_line where = {}) { return targets(where, i, j); }
    /// The same of three.
    template <class I, class J, class K>
    requires gathers<I, J, K>
    auto operator()(const I& i, const J& j, const K& k, source_line where = {}) { return targets(where, i, j, k); }
    /// The same of any number; an error names no line of the caller's.
    template <class I, class J, class K, class L, class... More>
    requires gathers<I, J, K, L, More...>
    auto operator()(const I& i, const J& j, const K& k, const L& l, const More&... more) {
        return targets(unknown_line, i, j, k, l, more...);
    }
    /// @cond
    // Beside the const one, which is no better than first_index for an array that is not const.
    template <integral_number I>
    hint<"frit: indices stand without braces: x(0, 1) is an element, x(slice(0, 2)) are two rows"> operator()(
        std::initializer_list<I>) = delete;

#define FRIT_X(token, name)                                                       \
    Array& operator token(const compound_operand<op::name, Array>& value)& {      \
        const handle_ref& old = handle_of(self(), value.where());                 \
        handle_ref result = value.update_of(self());                              \
        target::check_same_shape(*old->extents, *result->extents, value.where()); \
        node_ = std::move(result);                                                \
        return static_cast<Array&>(*this);                                        \
    }
    FRIT_COMPOUND_ASSIGNMENTS(FRIT_X)
#undef FRIT_X
    /// @endcond

private:
    template <class... I>
    auto targets(source_line where, const I&... indices) {
        return gathered_target<D>(self(), as_target(where), where, indices...);
    }
    handle_ref node_;
    liveness liveness_;
};

}  // namespace detail
}  // namespace frit::v0

// Values put at indices that are arrays: u(i) = v, u(i) += v, scatter_add and its like, put_along_axis; and what is made of
// them: totals of segments. All are deterministic: values go to an element in their row-major order (of `=` the last one
// stays), float32 ones are added up in double, and the bits do not depend on threads or on the device's scheduling.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "frit/gather.hpp"
#include "frit/reduce.hpp"

namespace frit::inline v0 {
namespace detail {

/// The base with values at these elements. `values` of the base's dtype kind broadcast. @throws index_error, shape_error,
/// dtype_error
FRIT_API user_ref scatter_of(op, const user_ref& base, const indexed_access&, const user_ref& values, const char* who,
                             source_line);
/// The base with each element divided by all the values that are at it.
FRIT_API user_ref divided_at(const user_ref& base, const indexed_access&, const user_ref& values, source_line);
/// Along one axis at the indices of take, or of take_along_axis.
FRIT_API user_ref scatter_along_of(op, const user_ref& base, const user_ref& indices, const user_ref& values,
                                   std::int64_t axis, const char* who, source_line);
FRIT_API user_ref put_along_of(const user_ref& base, const user_ref& indices, const user_ref& values, std::int64_t axis,
                               source_line);
/// What an axis has in each of `count` segments, which ids name.
FRIT_API user_ref segments_of(op, const user_ref& values, const user_ref& ids, std::int64_t count, std::int64_t axis,
                              const char* who, source_line);
FRIT_API user_ref segment_mean_of(const user_ref& values, const user_ref& ids, std::int64_t count, std::int64_t axis,
                                  source_line);

/// A value to be written into an array of dtype D, at run time `to`: a formula's node, or a number's, which takes the dtype;
/// a real number that of the parts.
template <dtype D, operand_or_scalar E>
user_ref written_node(const E& value, dtype to, source_line where, const char* who = "assign") {
    (void)is_written_open<D, E>();
    if constexpr (operand<E>)
        return node_of(value, where);
    else
        return constant_of(weak_number(value), complex_scalar<E> ? to : real_dtype(to), where, who);
}

template <dtype D, op Op, class E>
user_ref put_at_true(const user_ref& base, const user_ref& mask, const E& values, source_line where) {
    const indexed_access places = access_of_true(base, mask, shape_of(values, where), where);
    const auto put = [&](const user_ref& now) { return scatter_of(op::scatter_set, base, places, now, "assign", where); };
    if constexpr (Op == op::update) {
        return put(formula_node(to_written<D>(values, base->meant), where));
    } else {
        const user_ref old = read_at(base, places, bounds::raise, "assign", where);
        return put(formula_node(to_updated<Op, D>(leaf<D>(old.get()), values, base->meant), where));
    }
}

/// u(i, ...): the elements, and what they are assigned through.
template <dtype D>
class gathered_view : public elements_of<gathered_view<D>, D> {
public:
    gathered_view(indexed_access places, const target& of)
        : elements_of<gathered_view<D>, D>(of), places_(std::move(places)), target_(of) {}
    gathered_view(const gathered_view& o) try : elements_of
        <gathered_view<D>, D>(o), places_(o.places_), target_(o.target_) {}
    catch (const std::bad_alloc&) {
        throw_out_of_memory("index", o.target_.where());
    }

    user_ref read(const user_ref& base) const { return read_at(base, places_, bounds::raise, "index", target_.where()); }

    void operator=(const gathered_view& value) && { write(op::scatter_set, value); }
    template <operand_or_scalar E>
    void operator=(const E& value) && {
        write(op::scatter_set, value);
    }
    template <operand_or_scalar E>
    void operator+=(const E& value) && {
        write(op::scatter_add, value);
    }
    template <operand_or_scalar E>
    void operator-=(const E& value) && {  // negated in the array's dtype, in which it wraps: a narrower one has no -1
        (void)is_written_open<D, E>();
        const dtype own = target_.handle()->meant;
        const source_line where = target_.where();
        if constexpr (operand<E>)
            write(op::scatter_add, -composed<run_time>(user_ref(record_written(value, own, where).get())));
        else
            write(op::scatter_add, -composed<run_time>(written_node<D>(value, own, where)));
    }
    template <operand_or_scalar E>
    void operator*=(const E& value) && {
        write(op::scatter_mul, value);
    }
    /// Each element by the product of its values, which is made in the widest dtype of their kind, and wraps there.
    template <operand_or_scalar E>
    void operator/=(const E& value) && {
        replace([&](const user_ref& base, source_line where) {
            return divided_at(base, places_, written_node<D>(value, base->type, where), where);
        });
    }
    template <operand_or_scalar E>
    assign_to_the_array_itself_not_to_a_named_view operator=(const E&) & = delete;

private:
    template <class E>
    void write(op code, const E& value) const {
        replace([&](const user_ref& base, source_line where) {
            return scatter_of(code, base, places_, written_node<D>(value, base->type, where), "assign", where);
        });
    }
    template <class F>
    void replace(const F& f) const {
        handle_ref& h = target_.handle();
        target::check_same_shape(places_.where->source, *h->extents, target_.where());
        h = handle_ref(f(user_ref(h.get()), target_.where()).get());
    }
    indexed_access places_;
    target target_;
};

/// u(i) where only running shows what i is: a mask if it is of bool, else an array of indices.
template <dtype D>
class indexed_view : public elements_of<indexed_view<D>, D> {
public:
    indexed_view(user_ref index, const target& of)
        : elements_of<indexed_view<D>, D>(of), item_{.array = std::move(index)}, target_(of) {
        if (const dtype type = item_.array->meant; !is_mask() && !is_integer(type))
            throw_dtype_error("index", "an index is an array of integers, or a mask of bool", {&type, 1}, of.where());
    }
    indexed_view(const indexed_view&) = default;

    user_ref read(const user_ref& base) const { return gather_of(base, {&item_, 1}, bounds::raise, "index", where()); }

    void operator=(const indexed_view& value) && { static_cast<indexed_view&&>(*this) = composed<D>(value.node()); }
    template <operand_or_scalar E>
    void operator=(const E& value) && {
        if (is_mask())
            mask() = value;
        else
            indices() = value;
    }
#define FRIT_X(token, name)                                                                                                 \
    template <operand_or_scalar E>                                                                                          \
    void operator token(const E& value)&& {                                                                                 \
        if (is_mask())                                                                                                      \
            mask() token value;                                                                                             \
        else if constexpr (requires { indices() token value; })                                                             \
            indices() token value;                                                                                          \
        else                                                                                                                \
            throw_dtype_error(#token, "takes no array of indices, as = += -= *= /= do", {&item_.array->meant, 1}, where()); \
    }
    FRIT_COMPOUND_ASSIGNMENTS(FRIT_X)
#undef FRIT_X

private:
    bool is_mask() const { return item_.array->meant == dtype::bool_; }
    source_line where() const { return target_.where(); }
    masked_view<D, leaf<run_time>> mask() const { return {leaf<run_time>(item_.array.get()), target_}; }
    gathered_view<D> indices() const {
        return {access_of(user_ref(target_.handle().get()), {&item_, 1}, "assign", where()), target_};
    }
    gather_item item_;
    target target_;
};

template <dtype D, class A, run_time_operand I>
auto gathered_target(const A&, const target& of, source_line where, const I& index) {
    return indexed_view<D>(node_of(index, where), of);
}
template <dtype D, class A, class... I>
auto gathered_target(const A& x, const target& of, source_line where, const I&... indices) {
    const std::array<gather_item, sizeof...(I)> items{any_item_of(indices, where)...};
    return gathered_view<D>(access_of(node_of(x, where), items, "index", where), of);
}

}  // namespace detail

#define FRIT_SCATTER_FUNCTION(name)                                                                                   \
    template <detail::operand A, class I, detail::operand_or_scalar V>                                                \
    requires detail::gather_index<I>                                                                                  \
    auto name(const A& u, const I& indices, const V& values, detail::any_integer axis, source_line where = {}) {      \
        constexpr dtype D = detail::operand_t<A>::type;                                                               \
        const detail::user_ref base = detail::node_of(u, where);                                                      \
        return composed<D>(detail::scatter_along_of(op::name, base, detail::gather_item_of(indices, where).array,     \
                                                    detail::written_node<D>(values, base->meant, where, #name), axis, \
                                                    #name, where));                                                   \
    }

/// u with the values added to its elements at the indices of take(u, indices, axis), every one of them: where an index comes
/// again, its values add up. Values broadcast to the shape of that take. u itself stays as it is.
/// @throws index_error, shape_error; dtype_error where a value is not written into u's dtype without a cast
FRIT_SCATTER_FUNCTION(scatter_add)
/// The same with products.
FRIT_SCATTER_FUNCTION(scatter_mul)
/// The same with minima; NaN stays.
FRIT_SCATTER_FUNCTION(scatter_min)
/// The same with maxima; NaN stays.
FRIT_SCATTER_FUNCTION(scatter_max)
#undef FRIT_SCATTER_FUNCTION

/// u with values at the elements that take_along_axis(u, indices, axis) names: of several at one element the last.
/// @throws as take_along_axis; dtype_error where a value is not written into u's dtype without a cast
template <detail::operand A, detail::operand I, detail::operand_or_scalar V>
auto put_along_axis(const A& u, const I& indices, const V& values, detail::any_integer axis, source_line where = {}) {
    constexpr dtype D = detail::operand_t<A>::type;
    const detail::user_ref base = detail::node_of(u, where);
    return composed<D>(detail::put_along_of(base, detail::gather_item_of(indices, where).array,
                                            detail::written_node<D>(values, base->meant, where, "put_along_axis"), axis,
                                            where));
}

#define FRIT_SEGMENTS(name, scatter, result)                                                                               \
    template <detail::operand A, class I>                                                                                  \
    requires detail::gather_index<I>                                                                                       \
    auto name(const A& values, const I& ids, std::int64_t count, detail::any_integer axis = 0, source_line where = {}) {   \
        return composed<result>(detail::segments_of(op::scatter, detail::node_of(values, where),                           \
                                                    detail::gather_item_of(ids, where).array, count, axis, #name, where)); \
    }

/// The sums of the elements along an axis that have the same id, a number below `count`, in sum's dtype; 0 where there are
/// none. `ids` is a vector as long as the axis; they need not be sorted. A negative id counts from `count` down, as any
/// index does.
/// @throws shape_error, and at evaluation index_error for an id out of range
FRIT_SEGMENTS(segment_sum, scatter_add, sum_dtype(detail::operand_t<A>::type))
/// The same with products; 1 where there are none.
FRIT_SEGMENTS(segment_prod, scatter_mul, sum_dtype(detail::operand_t<A>::type))
/// The same with minima; of none the largest number.
FRIT_SEGMENTS(segment_min, scatter_min, detail::operand_t<A>::type)
/// The same with maxima; of none the smallest number.
FRIT_SEGMENTS(segment_max, scatter_max, detail::operand_t<A>::type)
#undef FRIT_SEGMENTS

/// The same with means, in floating dtypes as they are, in double of bool and integers; NaN of none.
template <detail::operand A, class I>
requires detail::gather_index<I>
auto segment_mean(const A& values, const I& ids, std::int64_t count, detail::any_integer axis = 0, source_line where = {}) {
    return composed<detail::statistic_dtype(detail::operand_t<A>::type)>(detail::segment_mean_of(
        detail::node_of(values, where), detail::gather_item_of(ids, where).array, count, axis, where));
}

}  // namespace frit::v0

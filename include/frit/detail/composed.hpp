// What a formula of the library (mean, softmax, ...) gives: a recipe that the library has recorded already, as one node. The
// formulas themselves stand in src/formulas, once for all dtypes; the headers say which dtype comes out.
#pragma once

#include <concepts>
#include <utility>

#include "frit/any_array.hpp"
#include "frit/array.hpp"
#include "frit/detail/recipe.hpp"
#include "frit/expr.hpp"

namespace frit::inline v0 {

/// A formula of the library, recorded: a recipe of dtype D over one node. It holds the node as a formula holds its operands,
/// not as an array does: it is not stored unless it is asked for, and a statement that reads it inlines it. Made by
/// functions, never by name.
template <dtype D>
class composed : public detail::recipe<composed<D>, D> {
public:
    /// @cond
    using frit_operand = detail::leaf<D>;
    explicit composed(detail::user_ref node) noexcept : node_(std::move(node)) {}
    const detail::user_ref& node() const noexcept { return node_; }
    operator detail::leaf<D>() const noexcept { return detail::leaf<D>(node_.get()); }
    /// @endcond

private:
    detail::user_ref node_;
};

namespace detail {

template <dtype D>
handle_ref handle_of(const composed<D>& x, source_line where) {
    return held_value(x.node(), where);
}
template <dtype D>
frit::shape shape_of(const composed<D>& x, source_line) {
    return *x.node()->extents;
}
template <dtype D>
dtype dtype_of_operand(const composed<D>& x, source_line) {
    return x.node()->meant;
}
template <dtype D>
composed<D> as_value(const composed<D>& x) {
    return x;
}

/// An operand as the library takes it: the node of an array, a formula as a node of its own.
template <operand A>
user_ref node_of(const A& x, source_line where) {
    if constexpr (requires { x.node(); })  // of a 16-bit dtype it may be a part, which stays one
        return x.node();
    else if constexpr (is_node<A>)
        return user_ref(handle_of(x, where).get());
    else
        return record_part(packed<operand_t<A>>(x, where).value);
}

/// The dtype that statistics of a dtype are computed in.
constexpr dtype statistic_dtype(dtype t) { return t == run_time || is_float(t) || is_complex(t) ? t : dtype::f64; }
/// The dtype of distances between them.
constexpr dtype distance_dtype(dtype t) { return t == run_time ? t : real_dtype(statistic_dtype(t)); }

/// The mean of a formula E, with or without axes: what frit::aot must know of it, to compile it.
template <class E>
class mean_formula : public composed<statistic_dtype(E::type)> {
public:
    using composed<statistic_dtype(E::type)>::composed;
};

}  // namespace detail
}  // namespace frit::v0

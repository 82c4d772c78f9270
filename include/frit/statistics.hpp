// Statistics along axes: count_nonzero, mean, var, stddev, logsumexp, and dot. Formulas over the reductions of the table
// (src/formulas), called like them, with axes and the tags of reduce.hpp. Floating arrays keep their dtype, bool and
// integers give double.
#pragma once

#include "frit/detail/formulas.hpp"
#include "frit/reduce.hpp"

namespace frit::inline v0 {

// One function with axes and tags, in three overloads: a pack of tags leaves no room for the caller's line, which the axes
// and the tags bring along. `result` is a function of the operand's dtype.
#define FRIT_STATISTIC(name, result, takes_ddof, tag)                                                               \
    template <detail::operand A>                                                                                    \
    auto name(const A& x, source_line where = {}) {                                                                 \
        return composed<result(detail::operand_t<A>::type)>(                                                        \
            detail::name##_of(detail::node_of(x, where), {.where = where}, {}));                                    \
    }                                                                                                               \
    /** Along axes, with tags. */                                                                                   \
    template <detail::operand A, detail::reduction_tag... Tags>                                                     \
    auto name(const A& x, const detail::reduced_axes& over, const Tags&... tags) {                                  \
        const detail::reduction_options o = detail::options_of<takes_ddof>(&over, tags...);                         \
        return composed<result(detail::operand_t<A>::type)>(detail::name##_of(                                      \
            detail::node_of(x, o.where), o, detail::mask_node(detail::find_mask::among(tags...), o.where)));        \
    }                                                                                                               \
    /** Of all elements, with tags. */                                                                              \
    template <detail::operand A, detail::reduction_tag Tag, detail::reduction_tag... More>                          \
    auto name(const A& x, const Tag& first, const More&... more) {                                                  \
        const detail::reduction_options o = detail::options_of<takes_ddof>(nullptr, first, more...);                \
        return composed<result(detail::operand_t<A>::type)>(detail::name##_of(                                      \
            detail::node_of(x, o.where), o, detail::mask_node(detail::find_mask::among(first, more...), o.where))); \
    }                                                                                                               \
    detail::FRIT_OPTIONS_ARE_TAGS(#name, tag) name(detail::any_operand, detail::anything, ...) = delete;

namespace detail {
constexpr dtype count_dtype(dtype) { return dtype::i64; }
/// Of what starts from the largest element, or has no meaning for complex numbers.
template <class A>
constexpr dtype real_statistic(dtype of) {
    static_assert(operand_t<A>::type == run_time || !is_complex(operand_t<A>::type),
                  "frit: this function does not take complex numbers");
    return statistic_dtype(of);
}
}  // namespace detail

/// How many elements are not zero, NaN included.
FRIT_STATISTIC(count_nonzero, detail::count_dtype, false, "keepdims")

/// The sum divided by the number of elements; NaN of none.
FRIT_STATISTIC(mean, detail::statistic_dtype, false, "keepdims")

/// The mean squared distance from the mean, divided by the number of elements minus ddof (0 if that is negative, as NumPy
/// does). A large mean costs no digits, as in the best of the algorithms of Chan, Golub and LeVeque (1983): one pass over x
/// updates the sum of squares and a mean that is kept as an element and the distance from it. Of complex numbers it is real:
/// the sum of what real and imaginary parts have.
FRIT_STATISTIC(var, detail::distance_dtype, true, "ddof(1)")

/// The square root of var.
FRIT_STATISTIC(stddev, detail::distance_dtype, true, "ddof(1)")

/// log(sum(exp(x))) without overflow. -inf where all elements are -inf, inf where one is inf.
/// @throws shape_error where rows have no elements
FRIT_STATISTIC(logsumexp, detail::real_statistic<A>, false, "keepdims")

namespace linalg {
/// The 2-norm of all elements (of a matrix, the Frobenius norm): sqrt(sum(x * x)), a formula, in double for integers. Other
/// norms are as short: sum(abs(x), axis), max(abs(x), axis). Squares overflow where elements pass 1e19 in float32.
FRIT_STATISTIC(norm, detail::distance_dtype, false, "keepdims")
}  // namespace linalg
#undef FRIT_STATISTIC

/// The inner product of two vectors, in sum's dtype (int64 for int32). Unlike matmul it is a formula, which fuses with its
/// operands. @throws shape_error unless both are vectors of one length
template <detail::operand A, detail::operand B>
auto dot(const A& a, const B& b, source_line where = {}) {
    constexpr dtype result = sum_dtype(promote(detail::operand_t<A>::type, detail::operand_t<B>::type));
    return composed<result>(detail::dot_of(detail::node_of(a, where), detail::node_of(b, where), where));
}

}  // namespace frit::v0

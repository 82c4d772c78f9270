// Products of two arrays beside matmul (linalg.hpp), dot (statistics.hpp) and einsum (einsum.hpp): outer, inner, vdot,
// vecdot, cross, kron; the trace and the transpose of matrices. Formulas (src/formulas), one kernel each; inner of two
// matrices is a matmul.
#pragma once

#include "frit/detail/formulas.hpp"
#include "frit/view.hpp"

namespace frit::inline v0 {

// In the promoted dtype of both.
#define FRIT_PRODUCT(name)                                                                   \
    template <detail::operand A, detail::operand B>                                          \
    auto name(const A& a, const B& b, source_line where = {}) {                              \
        return composed<promote(detail::operand_t<A>::type, detail::operand_t<B>::type)>(    \
            detail::name##_of(detail::node_of(a, where), detail::node_of(b, where), where)); \
    }

/// Every element of a by every one of b, both in row-major order: a matrix.
FRIT_PRODUCT(outer)

/// Sums of products along the last axis of both, for each of a's rows and each of b's; numbers multiply. Integers wrap, of
/// bools it is "or" over "and". @throws shape_error where the last axes differ in length
FRIT_PRODUCT(inner)

/// The Kronecker product: blocks of b, each by an element of a. @throws shape_error beyond eight axes
FRIT_PRODUCT(kron)
#undef FRIT_PRODUCT

/// The sum of conj(a) * b over all elements in row-major order, in sum's dtype, as dot.
/// @throws shape_error where the numbers of elements differ
template <detail::operand A, detail::operand B>
auto vdot(const A& a, const B& b, source_line where = {}) {
    constexpr dtype result = sum_dtype(promote(detail::operand_t<A>::type, detail::operand_t<B>::type));
    return composed<result>(detail::vdot_of(detail::node_of(a, where), detail::node_of(b, where), where));
}

/// Sums of conj(a) * b along one axis of both, the last one if none is named; the other axes broadcast. In the promoted
/// dtype; integers wrap, of bools it is "or" over "and".
/// @throws shape_error where the vectors differ in length or the other axes do not broadcast, index_error for an axis that
/// one of them does not have
template <detail::operand A, detail::operand B>
auto vecdot(const A& a, const B& b, detail::any_integer axis = -1, source_line where = {}) {
    return composed<promote(detail::operand_t<A>::type, detail::operand_t<B>::type)>(
        detail::vecdot_of(detail::node_of(a, where), detail::node_of(b, where), axis, where));
}

/// The last two axes exchanged: a view. Unlike adjoints it conjugates nothing. @throws shape_error for what is no matrix
template <detail::operand A>
auto matrix_transpose(const A& x, source_line where = {}) {
    return detail::make_view(x, detail::matrix_transpose_attribute(x.shape(where), where));
}

/// The cross product of vectors of three elements along an axis; the others broadcast.
/// @throws shape_error for other vectors, dtype_error for bools
template <detail::operand A, detail::operand B>
auto cross(const A& a, const B& b, detail::any_integer axis = -1, source_line where = {}) {
    return composed<promote(detail::operand_t<A>::type, detail::operand_t<B>::type)>(
        detail::cross_of(detail::node_of(a, where), detail::node_of(b, where), axis, where));
}

/// The sum along a diagonal of two axes, in sum's dtype. @throws shape_error for what is no matrix
template <detail::operand A>
auto trace(const A& x, detail::any_integer offset = 0, detail::any_integer axis1 = 0, detail::any_integer axis2 = 1,
           source_line where = {}) {
    return composed<sum_dtype(detail::operand_t<A>::type)>(
        detail::trace_of(detail::node_of(x, where), offset, axis1, axis2, where));
}

namespace linalg {
using frit::cross;
/// The diagonals of matrices along the last two axes, as numpy.linalg has them. A view.
template <detail::operand A>
auto diagonal(const A& x, detail::any_integer offset = 0, source_line where = {}) {
    return frit::diagonal(x, offset, -2, -1, where);
}
/// The same of an array that is not const can be assigned to.
template <class A>
requires frit::detail::is_array<A>::value auto diagonal(A& x, detail::any_integer offset = 0, source_line where = {}) {
    return frit::diagonal(x, offset, -2, -1, where);
}
/// The trace of matrices along the last two axes, as numpy.linalg has it.
template <detail::operand A>
auto trace(const A& x, detail::any_integer offset = 0, source_line where = {}) {
    return frit::trace(x, offset, -2, -1, where);
}
}  // namespace linalg

}  // namespace frit::v0

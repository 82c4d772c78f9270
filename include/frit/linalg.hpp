// Dense linear algebra. Products are nodes of the graph that BLAS runs (cuBLAS on a GPU, OpenBLAS on the CPU): what is
// computed from their operands and from their results fuses on its own side; a transpose or a slice of an operand is
// absorbed, not copied. Products of integers, which BLAS has not, are frit's own. The norm is a formula.
#pragma once

#include "frit/array.hpp"
#include "frit/expr.hpp"
#include "frit/opcode.hpp"
#include "frit/statistics.hpp"

namespace frit::inline v0 {

/// The matrix product, in the promoted dtype of both, as NumPy's: integers wrap, of bools it is "or" over "and".
/// (m, k) by (k, n) gives (m, n); a vector on the left is a row, on the right a column, and loses that axis in the result,
/// so that two vectors give their 0-d inner product.
/// @throws shape_error where the inner extents differ or a rank is not 1 or 2; at evaluation, device_error where the library
/// is missing
template <detail::operand A, detail::operand B>
auto matmul(A&& a, B&& b) {
    constexpr library_dtypes types =
        library_dtypes_of(op::matmul, promote(detail::operand_t<A>::type, detail::operand_t<B>::type));
    static_assert(types.valid, "frit: matmul does not take arrays of this dtype (cast<T>(x) changes it)");
    return detail::make_as<op::matmul, types.result, types.operand>(static_cast<A&&>(a), static_cast<B&&>(b));
}

namespace detail {
template <class A, class M>
auto norm_of(A&& x, const reduction_options& o, const M& mask) {
    return sqrt(reduce_where<op::sum>(square(cast<statistic_t<A>>(static_cast<A&&>(x))), o, mask, "norm"));
}
}  // namespace detail

/// What linear algebra gives names that mean something else beside arrays.
namespace linalg {

/// The 2-norm of all elements (of a matrix, the Frobenius norm): sqrt(sum(x * x)), a formula, in double for integers. Other
/// norms are as short: sum(abs(x), axis), max(abs(x), axis). Squares overflow where elements pass 1e19 in float32.
template <detail::operand A>
auto norm(A&& x, source_line where = {}) {
    return detail::norm_of(static_cast<A&&>(x), {.where = where}, detail::unmasked);
}
/// Along axes, with the tags of reduce.hpp.
template <detail::operand A, detail::reduction_tag... Tags>
auto norm(A&& x, const detail::reduced_axes& over, const Tags&... tags) {
    return detail::norm_of(static_cast<A&&>(x), detail::options_of<false>(&over, tags...),
                           detail::find_mask::among(tags...));
}
/// Of all elements, with tags.
template <detail::operand A, detail::reduction_tag Tag, detail::reduction_tag... More>
auto norm(A&& x, const Tag& tag, const More&... more) {
    return detail::norm_of(static_cast<A&&>(x), detail::options_of<false>(nullptr, tag, more...),
                           detail::find_mask::among(tag, more...));
}
/// @cond
detail::FRIT_OPTIONS_ARE_TAGS("norm", "keepdims") norm(detail::any_operand, detail::anything, ...) = delete;
/// @endcond

}  // namespace linalg

}  // namespace frit::v0

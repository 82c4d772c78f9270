// Dense linear algebra. Products are nodes of the graph that BLAS runs (cuBLAS on a GPU, OpenBLAS on the CPU): what is
// computed from their operands and from their results fuses on its own side; a transpose or a slice of an operand is
// absorbed, not copied, and 2 * matmul(a, b) + c is one call. Products of integers, which BLAS has not, are frit's own.
// linalg::norm, a formula, is in statistics.hpp.
#pragma once

#include "frit/array.hpp"
#include "frit/expr.hpp"
#include "frit/opcode.hpp"
#include "frit/statistics.hpp"

namespace frit::inline v0 {

/// The matrix product, in the promoted dtype of both, as NumPy's: integers wrap, of bools it is "or" over "and". 16-bit
/// floats are added up in float32, and the sum is rounded once. (m, k) by (k, n) gives (m, n); a vector on the left is a
/// row, on the right a column, and loses that axis in the result, so that two vectors give their 0-d inner product. Of more
/// axes the last two are the matrices', and those before them broadcast: (8, 1, m, k) by (5, k, n) gives (8, 5, m, n), in
/// one call. On the CPU a matrix's bits do not depend on the others; a GPU's library may choose another routine for more of
/// them.
/// @throws shape_error where the inner extents differ, the axes before the last two do not broadcast or an operand is 0-d;
/// at evaluation, device_error where the library is missing
template <detail::operand A, detail::operand B>
auto matmul(A&& a, B&& b) {
    constexpr library_dtypes types =
        library_dtypes_of(op::matmul, promote(detail::operand_t<A>::type, detail::operand_t<B>::type));
    static_assert(types.valid, "frit: matmul does not take arrays of this dtype (cast<T>(x) changes it)");
    return detail::make_as<op::matmul, types.result, types.operand>(static_cast<A&&>(a), static_cast<B&&>(b));
}

}  // namespace frit::v0

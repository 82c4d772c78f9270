// Dense linear algebra: nodes of the graph that BLAS runs (cuBLAS on a GPU, OpenBLAS on the CPU). What is computed from
// their operands and from their results fuses on its own side; a transpose or a slice of an operand is absorbed, not copied.
#pragma once

#include "frit/array.hpp"
#include "frit/expr.hpp"
#include "frit/opcode.hpp"

namespace frit::inline v0 {

/// The matrix product, float32 or float64: (m, k) by (k, n) gives (m, n); a vector on the left is a row, on the right a
/// column, and loses that axis in the result, so that two vectors give their 0-d inner product.
/// @throws shape_error where the inner extents differ or a rank is not 1 or 2; at evaluation, device_error where the library
/// is missing
template <detail::operand A, detail::operand B>
auto matmul(A&& a, B&& b) {
    constexpr library_dtypes types =
        library_dtypes_of(op::matmul, promote(detail::operand_t<A>::type, detail::operand_t<B>::type));
    static_assert(types.valid, "frit: matmul takes float32 and float64 (cast<T>(x) changes the dtype)");
    return detail::make_as<op::matmul, types.result, types.operand>(static_cast<A&&>(a), static_cast<B&&>(b));
}

}  // namespace frit::v0

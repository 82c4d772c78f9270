// Matrix products on the CPU: OpenBLAS, loaded at the first product, so that frit neither needs it to build nor to start.
#pragma once

#include <string>

#include "fusion/ir/epilogue.hpp"
#include "src/cpu/openblas.hpp"
#include "src/engine/matrix_product.hpp"

namespace frit::inline v0::detail {

struct isa_table;

/// What is done to each tile of a product, of float32 or float64, by the loops of a kernel: bit for bit what a kernel behind
/// the product would do.
struct product_end {
    const isa_table* loops = nullptr;
    fusion::epilogue::form what = fusion::epilogue::form::none;
    double alpha = 1, beta = 1;
    const void* addend = nullptr;  ///< as the result lies, in other memory
};

/// c = a times b, as the call describes them (float32, float64 or complex). The bits of c depend on the call and the
/// machine, not on the number of threads. Where b is the transpose of a, in the same memory, c is symmetric, bit by bit.
/// @throws device_error if OpenBLAS is missing; shape_error for an extent or leading dimension that it cannot take
void blas_matmul(const matrix_product&, const void* a, const void* b, void* c, const product_end&);

/// Loads OpenBLAS, and sees that it can take such a call.
/// @throws device_error if OpenBLAS is missing; shape_error for an extent or leading dimension that it cannot take
void require_blas(const matrix_product&);

/// OpenBLAS's own description of itself ("OpenBLAS 0.3.21 ..."). @throws device_error saying what is missing
std::string blas_description();

/// Loads one of these libraries, the first that is there. For tests; the others use OpenBLAS's usual names.
/// @throws device_error naming all of them, and Debian's package
void find_blas(openblas_names);

}  // namespace frit::v0::detail

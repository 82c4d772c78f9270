// Kernels of our own for many small matrices (small_kernel.hpp), for one size and dtype each. And one beside cuSOLVER: the
// order of rows that LU factors' exchanges make.
#pragma once

#include <cstdint>

#include "frit/dtype.hpp"
#include "src/cuda/small_kernel.hpp"

namespace frit::inline v0::detail::cuda {

/// Whether n x n equations of a dtype are solved so.
bool solves_small(std::int64_t n);
/// Of n x n matrices. @param sides  right sides of each
small_kernel small_solve(dtype, std::int64_t n, std::int64_t sides);
/// Into how many parts each matrix's right sides are cut, so that few matrices with many sides fill a GPU. Bits of a
/// solution do not depend on it.
std::int64_t parts_of_sides(std::int64_t matrices, std::int64_t sides);

/// Whether a matrix with this longer side is decomposed so, by singular values or eigenvalues: two of them, its vectors,
/// stay in the registers of a thread.
bool decomposes_small(dtype, std::int64_t longer_side);
/// @param full  of svd_full
small_kernel small_svd(dtype, std::int64_t m, std::int64_t n, bool vectors, bool full);
small_kernel small_eigh(dtype, std::int64_t n, bool vectors);

/// Of matrices of any size.
small_kernel row_order();

}  // namespace frit::v0::detail::cuda

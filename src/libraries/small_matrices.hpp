// Calls over many small matrices on a GPU that are one launch of a kernel of our own (src/cuda/small_matrices.hpp), whatever
// the batch: a matrix's bits depend on it alone. And the order of rows that a batch's exchanges make, one launch too.
#pragma once

#include "src/cuda/small_matrices.hpp"
#include "src/libraries/matrices.hpp"
#include "src/libraries/small_kernel.hpp"

namespace frit::inline v0::detail {

/// Where equations' results go; each may be null.
struct small_solutions {
    void* x;
    std::int64_t* status;  ///< of each matrix, as getrf says it of the matrix, not of its transpose
    std::uint64_t* first;  ///< the number of the first matrix that is singular, of those and what is there
};
void solve_small(cuda::libraries&, const cuda::small_kernel&, const fusion::library_call&, const call_memory&,
                 const small_solutions&);

/// Where a result goes, or null, and how many elements of it each matrix has.
struct small_result {
    void* memory;
    dtype type;
    std::int64_t elements;
};
/// Of a kernel that takes a matrix, and where its results go, in this order.
void decompose_small(cuda::libraries&, const cuda::small_kernel&, const fusion::library_call&, const call_memory&,
                     std::span<const small_result>);

/// Of int64 numbers: what exchanges make of the order of rows, of so many matrices.
void order_rows(cuda::libraries&, const call_memory&, const std::int64_t* exchanged, std::int64_t* rows, std::int64_t length,
                std::int64_t steps, std::int64_t count);

}  // namespace frit::v0::detail

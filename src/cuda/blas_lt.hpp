// Products of 16-bit floats by cublasLt, whose heuristic says which algorithms fit a product, the best first. Nothing is
// timed: a product has one algorithm, asked for once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "src/cuda/driver.hpp"
#include "src/engine/matrix_product.hpp"

namespace frit::inline v0::detail::cuda {

class light_products {
public:
    /// As blas::matmul, of one product of 16-bit floats; not to be called by two threads at once. Returns cuBLAS's status;
    /// null where cublasLt is missing, or has no algorithm for it.
    std::optional<int> multiply(const matrix_product&, const void* a, const void* b, void* result, void* workspace,
                                std::size_t workspace_bytes, stream on);

private:
    struct problem {
        dtype type;
        std::int64_t m, n, k, lda, ldb;
        bool a_transposed, b_transposed;
        std::uint32_t alignment;  ///< of the operands and the result, in bytes
        friend bool operator==(const problem&, const problem&) = default;
    };
    struct choice {
        problem of{};
        std::array<void*, 4> described{};  ///< the product, and cuBLAS's a, b and c
        std::array<std::uint64_t, 8> algorithm{};
        bool there = false;
    };
    choice choose(const problem&, std::size_t workspace_bytes);

    void* handle_ = nullptr;
    std::array<choice, 64> known_{};  ///< the last of them, oldest first from next_ on
    std::size_t next_ = 0;
};

}  // namespace frit::v0::detail::cuda

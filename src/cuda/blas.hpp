// Matrix products on a GPU: cuBLAS, loaded at the first product, so that frit neither needs it to build nor to start; of
// float32, with a bias or nothing, cuBLASLt.
#pragma once

#include <atomic>
#include <mutex>

#include "src/base/found_library.hpp"
#include "src/cuda/blas_lt.hpp"
#include "src/cuda/device.hpp"
#include "src/cuda/pool.hpp"
#include "src/engine/matrix_product.hpp"

namespace frit::inline v0::detail::cuda {

class blas {
public:
    blas(const device& d, memory_pool& pool) : device_(d), pool_(pool) {}

    /// Loads cuBLAS and makes the device's handle. @throws device_error naming what is missing, out_of_memory
    void require();
    /// What products with a row need besides. @throws device_error naming what is missing, out_of_memory
    void require_ends();
    /// What this product, without an end, is run by: also cuBLASLt, if that has it. Where cuBLASLt does not start, which the
    /// log says, it is cuBLAS's.
    void require(const matrix_product&);

    /// Queues c = a times b on the device's stream, of floats or complex numbers. float32 is computed as such, never in
    /// TF32; 16-bit floats are added up in float32, and the sum is rounded once. One stream, one workspace, no atomics: the
    /// same call gives the same bits on the same device and version of cuBLAS. A batch is other calls than one product, and
    /// may be computed by other routines, whose choice cuBLAS makes dependent on its size too.
    /// With an end, c = alpha a b + beta addend, which lies as c does and may be c itself; else it is copied there first. Of
    /// float32 and float64. With a row, c = a b + row, n elements that are added to every row of every result: of float32,
    /// by cuBLASLt, which may choose other routines; a product of float32 matrices alone is cuBLASLt's, too.
    /// @throws dtype_error, device_error
    struct sum {
        double alpha = 1, beta = 0;
        const void* addend = nullptr;
        const void* row = nullptr;
    };
    void matmul(const matrix_product&, const void* a, const void* b, void* c, const sum& end);

    /// Queues to (m x n) = a, or its transpose, or that conjugated. Both are column-major; `to` is dense, a's columns begin
    /// ld elements apart. Floats or complex numbers, bit by bit. @throws device_error
    enum class turn : int { none = 0, transposed = 1, adjoint = 2 };
    void copy_matrix(dtype, std::int64_t m, std::int64_t n, const void* a, std::int64_t ld, turn, void* to);
    /// Queues b (m x n, dense) = b times the inverse of one triangle of a (n x n), or of its transpose. Both are
    /// column-major.
    /// @throws device_error
    void solve_triangle(dtype, bool upper, turn, std::int64_t m, std::int64_t n, const void* a, std::int64_t ld, void* b);

private:
    const device& device_;
    memory_pool& pool_;
    std::mutex lock_;                     // of the handle, for as long as a call is queued
    std::atomic<void*> handle_{nullptr};  ///< made once, behind its workspace: warm products look without the lock
    void* workspace_ = nullptr;
    blas_lt lt_{device_};
};

/// For frit::info().
found_library find_cublas();

}  // namespace frit::v0::detail::cuda

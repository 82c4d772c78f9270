// Products of float32 matrices on a GPU, also such as end in what a kernel behind them would do: cuBLASLt, loaded at the
// first of them, so that frit neither needs it to build nor to start. Its choice of an algorithm is kept for each problem, a
// bounded number of them, which cuBLAS makes again at each call; memory on the device is the caller's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "src/base/found_library.hpp"
#include "src/base/recently_used.hpp"
#include "src/cuda/device.hpp"
#include "src/engine/matrix_product.hpp"

namespace frit::inline v0::detail::cuda {

/// Products of float32; with a row, n elements of it are added to every row of all results. The matrices of a batch are a
/// constant distance apart, in elements.
struct lt_product {
    std::int64_t m = 0, n = 0, k = 0;
    matrix_layout a{}, b{};
    bool row = false;
    std::int64_t count = 1, next_a = 0, next_b = 0, next_result = 0;
    friend bool operator==(const lt_product&, const lt_product&) = default;
};

/// Of one device. Callers see to a lock.
class blas_lt {
public:
    explicit blas_lt(const device& d) : device_(d) {}
    blas_lt(const blas_lt&) = delete;
    blas_lt& operator=(const blas_lt&) = delete;

    /// Whether cuBLASLt is there.
    static bool found();
    /// Loads cuBLASLt and makes the device's handle. @throws device_error naming what is missing, out_of_memory
    void require();
    /// Whether that has been done.
    bool has_started() const { return handle_ != nullptr; }

    struct memory {
        const void *a, *b;
        const void* row;  ///< read where the product has one
        void* result;
        void* workspace;
        std::size_t workspace_bytes;  ///< the same in all calls
    };
    /// Queues it on the device's stream. Sums are float32's, never TF32's, and the row is added to a sum that is rounded.
    /// What several blocks have added up of one sum meets in the workspace, in a fixed order: the same call gives the same
    /// bits, where operands are aligned as before (to 4, 8 or 16 bytes), on the same device and version of cuBLASLt.
    /// @returns false where it knows no algorithm for a product without a row: that is cuBLAS's
    /// @throws device_error, also where it knows none with a row, out_of_memory
    [[nodiscard]] bool multiply(const lt_product&, const memory&);

private:
    /// What an algorithm depends on.
    struct problem {
        lt_product product{};
        std::uint32_t a = 16, b = 16, row = 16, result = 16;  ///< alignments, in bytes
        friend bool operator==(const problem&, const problem&) = default;
    };
    struct planned;
    std::shared_ptr<const planned> plan(const problem&, std::size_t workspace_bytes);

    const device& device_;
    void* handle_ = nullptr;
    recently_used<problem, const planned> plans_{64, std::size_t{1} << 20};
};

/// For frit::info().
found_library find_cublaslt();

}  // namespace frit::v0::detail::cuda

// Factors of matrices on a GPU: cuSOLVER, loaded at the first call, so that frit neither needs it to build nor to start.
// Dense column-major matrices of floats and complex numbers, in place; memory on the device is the caller's. Every routine
// writes an int to the device: 0 where all went well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "frit/dtype.hpp"
#include "src/base/found_library.hpp"
#include "src/cuda/device.hpp"

namespace frit::inline v0::detail::cuda {

/// Scratch memory on the device.
struct solver_work {
    void* memory;
    std::size_t bytes;
};

/// gesvd's vectors, by the letters of LAPACK.
enum class svd_job : signed char { none = 'N', some = 'S', all = 'A' };

class solver {
public:
    explicit solver(const device& d) : device_(d) {}

    /// Whether cuSOLVER is there.
    static bool found();
    /// Loads cuSOLVER and makes the device's handle. @throws device_error naming what `who` misses, out_of_memory
    void require(std::string_view who);
    /// The same of geev, which came with CUDA 12.6.2.
    static bool has_geev();
    void require_geev(std::string_view who);

    // Each with the bytes of scratch memory that it wants. @throws device_error

    /// The lower triangle of a becomes L, a = L L^H.
    void potrf_lower(dtype, std::int64_t n, void* a, const solver_work&, int* info);
    std::size_t potrf_bytes(dtype, std::int64_t n);
    /// a (m x n) becomes L and U, a = P L U.
    void getrf(dtype, std::int64_t m, std::int64_t n, void* a, std::int64_t* pivots, const solver_work&, int* info);
    std::size_t getrf_bytes(dtype, std::int64_t m, std::int64_t n);
    /// Of getrf's factors: b (n x k) becomes the x with a^T x = b.
    void getrs_transposed(dtype, std::int64_t n, std::int64_t k, const void* a, const std::int64_t* pivots, void* b,
                          int* info);
    /// a (m x n) becomes R and the reflectors of Q, a = Q R.
    void geqrf(dtype, std::int64_t m, std::int64_t n, void* a, void* tau, const solver_work&, int* info);
    std::size_t geqrf_bytes(dtype, std::int64_t m, std::int64_t n);
    /// The first n columns of Q in place of k <= n reflectors.
    void orgqr(dtype, std::int64_t m, std::int64_t n, std::int64_t k, void* a, const void* tau, const solver_work&,
               int* info);
    std::size_t orgqr_bytes(dtype, std::int64_t m, std::int64_t n, std::int64_t k);
    /// Singular values of a (m x n, m >= n), which is overwritten, and u (m x m or m x n), vt (n x n) where asked for.
    void gesvd(dtype, svd_job, std::int64_t m, std::int64_t n, void* a, void* s, void* u, void* vt, const solver_work&,
               int* info);
    std::size_t gesvd_bytes(dtype, svd_job, std::int64_t m, std::int64_t n);
    /// Eigenvalues of the Hermitian matrix whose upper triangle is a's; with vectors, those in the place of a.
    void syevd_upper(dtype, bool vectors, std::int64_t n, void* a, void* w, const solver_work&, int* info);
    std::size_t syevd_bytes(dtype, bool vectors, std::int64_t n);
    /// Eigenvalues, complex, of any a, which is overwritten, and vectors as columns where v is not null: of a real matrix v
    /// is real, and has of a conjugate pair, whose first number has the positive imaginary part, a column of real parts and
    /// one of imaginary ones.
    void geev(dtype, std::int64_t n, void* a, void* w, void* v, const solver_work&, int* info);
    std::size_t geev_bytes(dtype, bool vectors, std::int64_t n);

private:
    void checked(int status, const char* routine, dtype, std::int64_t m, std::int64_t n) const;
    void* on_host(std::size_t bytes);

    const device& device_;
    std::mutex lock_;  // of the handle, for as long as a call is queued
    void* handle_ = nullptr;
    void* parameters_ = nullptr;
    std::vector<std::byte> host_memory_;
};

/// For frit::info().
found_library find_cusolver();

}  // namespace frit::v0::detail::cuda

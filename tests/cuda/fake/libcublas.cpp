// A cuBLAS for the fake driver: products by their definition in column-major order, over memory that is the host's. As
// strict about arguments as the real one, and about what frit promises of its handle.
#include <unistd.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <type_traits>

#include "frit/half.hpp"

#define FAKE extern "C" __attribute__((visibility("default")))

namespace {

constexpr int success = 0, invalid_value = 7;
std::atomic<int> handles{0}, made_aside{0}, products{0};  // of several threads
/// What a library has, which is not there any more from some time of the program's end on: then none may start.
std::atomic<bool> starting{false}, destroyed{false};
[[maybe_unused]] const struct whole {
    ~whole() {
        destroyed = true;
        while (starting) std::this_thread::yield();
    }
} it_is;
struct handle {
    void* stream = nullptr;
    void* workspace = nullptr;
    std::size_t workspace_bytes = 0;
    int math_mode = -1, pointer_mode = 0;

    bool in_tf32() const { return math_mode == 19; }  // 20: emulated by bfloat16 products, which this one does exactly
    bool ready() const {
        return stream && workspace && workspace_bytes >= (std::size_t{4} << 20) && math_mode >= 16 && math_mode <= 20 &&
               math_mode != 17 && math_mode != 18;
    }
};

/// A factor as TF32 has it: a float of 11 binary digits.
float in_tf32(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return std::bit_cast<float>((bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffU);
}
std::complex<float> in_tf32(std::complex<float> x) { return {in_tf32(x.real()), in_tf32(x.imag())}; }

/// Adds up in Sum.
template <class T, class Sum>
int gemm(const handle* h, int ta, int tb, std::int64_t m, std::int64_t n, std::int64_t k, const Sum* alpha, const T* a,
         std::int64_t lda, const T* b, std::int64_t ldb, const Sum* beta, T* c, std::int64_t ldc) {
    if (!h->ready() || h->pointer_mode != 0 || lda < (ta ? k : m) || ldb < (tb ? n : k) || ldc < m) return invalid_value;
    if (lda < 1 || ldb < 1 || ldc < 1) return invalid_value;
    const auto read = [h](int how, Sum x) {
        if constexpr (std::is_same_v<T, Sum> && (std::is_same_v<T, float> || std::is_same_v<T, std::complex<float>>))
            if (h->in_tf32()) x = in_tf32(x);
        if constexpr (!std::is_floating_point_v<Sum>)
            if (how == 2) return std::conj(x);
        return x;
    };
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            Sum sum = 0;
            for (std::int64_t l = 0; l < k; ++l)
                sum += read(ta, Sum(a[ta ? l + i * lda : i + l * lda])) * read(tb, Sum(b[tb ? j + l * ldb : l + j * ldb]));
            c[i + j * ldc] = T(*alpha * sum + (*beta == Sum() ? Sum() : *beta * Sum(c[i + j * ldc])));
        }
    return success;
}

template <class T>
int gemv(const handle* h, int ta, std::int64_t m, std::int64_t n, const T* alpha, const T* a, std::int64_t lda, const T* x,
         std::int64_t incx, const T* beta, T* y, std::int64_t incy) {
    if (!h->ready() || h->pointer_mode != 0 || lda < m || lda < 1 || incx == 0 || incy == 0) return invalid_value;
    for (std::int64_t i = 0; i < (ta ? n : m); ++i) {
        T sum = 0;
        for (std::int64_t l = 0; l < (ta ? m : n); ++l) sum += a[ta ? l + i * lda : i + l * lda] * x[l * incx];
        y[i * incy] = *alpha * sum + (*beta == T() ? T() : *beta * y[i * incy]);
    }
    return success;
}

template <class T>
int dot(const handle* h, std::int64_t n, const T* x, std::int64_t incx, const T* y, std::int64_t incy, T* result) {
    if (!h->ready() || h->pointer_mode != 1) return invalid_value;  // the result is on the device
    *result = 0;
    for (std::int64_t l = 0; l < n; ++l) *result += x[l * incx] * y[l * incy];
    return success;
}

/// b is not read, as where it is multiplied by 0.
template <class T>
int geam(const handle* h, int ta, int tb, std::int64_t m, std::int64_t n, const T* alpha, const T* a, std::int64_t lda,
         const T* beta, std::int64_t ldb, T* c, std::int64_t ldc) {
    if (!h->ready() || h->pointer_mode != 0 || tb != 0 || *beta != T() || lda < (ta ? n : m) || lda < 1)
        return invalid_value;
    if (ldb < m || ldc < m || ldc < 1) return invalid_value;
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            T x = a[ta ? j + i * lda : i + j * lda];
            if constexpr (!std::is_floating_point_v<T>)
                if (ta == 2) x = std::conj(x);
            c[i + j * ldc] = *alpha * x;
        }
    return success;
}

/// x op(a) = b for each row of b, a triangle by back substitution; or op(a) x = b for one column.
template <class T>
int trsm(const handle* h, int side, int upper, int ta, int diagonal, std::int64_t m, std::int64_t n, const T* alpha,
         const T* a, std::int64_t lda, T* b, std::int64_t ldb) {
    if (side == 0 && n == 1 && ta <= 1 && ldb >= m) return trsm(h, 1, upper, ta == 0, diagonal, 1, m, alpha, a, lda, b, 1);
    if (!h->ready() || side != 1 || diagonal != 0 || *alpha != T(1) || ta > 1 || lda < n || lda < 1 || ldb < m || ldb < 1)
        return invalid_value;
    const bool rising = (upper != 0) == (ta == 0);
    const auto at = [&](std::int64_t i, std::int64_t j) { return a[ta ? j + i * lda : i + j * lda]; };
    for (std::int64_t row = 0; row < m; ++row)
        for (std::int64_t k = 0; k < n; ++k) {
            const std::int64_t j = rising ? k : n - 1 - k;
            T x = b[row + j * ldb];
            for (std::int64_t done = 0; done < k; ++done) {
                const std::int64_t i = rising ? done : n - 1 - done;
                x -= b[row + i * ldb] * at(i, j);
            }
            b[row + j * ldb] = x / at(j, j);
        }
    return success;
}

}  // namespace

FAKE int fake_cublas_handles_of_this_process() { return handles; }
FAKE int fake_cublas_products_of_this_process() { return products; }
FAKE int fake_cublas_handles_made_aside_of_this_process() { return made_aside; }
FAKE int cublasCreate_v2(handle** h) {
    starting = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the real one takes longer
    if (destroyed) std::abort();
    starting = false;
    made_aside += ::gettid() != ::getpid();
    return *h = new handle, ++handles, success;
}
FAKE int cublasDestroy_v2(handle* h) { return delete h, --handles, success; }
FAKE int cublasGetProperty(int, int* v) { return *v = 13, success; }
FAKE const char* cublasGetStatusString(int r) { return r == invalid_value ? "the fake cuBLAS refuses" : "success"; }
FAKE int cublasSetStream_v2(handle* h, void* s) {
    h->workspace = nullptr;  // as the real one: back to its own
    h->stream = s;
    return success;
}
FAKE int cublasSetWorkspace_v2(handle* h, void* p, std::size_t bytes) {
    h->workspace = p;
    h->workspace_bytes = bytes;
    return reinterpret_cast<std::uintptr_t>(p) % 256 == 0 ? success : invalid_value;
}
FAKE int cublasSetMathMode(handle* h, int mode) { return h->math_mode = mode, success; }
FAKE int cublasSetPointerMode_v2(handle* h, int mode) { return h->pointer_mode = mode, success; }
#define FAKE_PRODUCTS(T, L, DOT)                                                                                         \
    FAKE int cublas##L##gemm_v2_64(handle* h, int ta, int tb, std::int64_t m, std::int64_t n, std::int64_t k,            \
                                   const T* alpha, const T* a, std::int64_t lda, const T* b, std::int64_t ldb,           \
                                   const T* beta, T* c, std::int64_t ldc) {                                              \
        return ++products, gemm(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                                \
    }                                                                                                                    \
    FAKE int cublas##L##gemv_v2_64(handle* h, int ta, std::int64_t m, std::int64_t n, const T* alpha, const T* a,        \
                                   std::int64_t lda, const T* x, std::int64_t incx, const T* beta, T* y,                 \
                                   std::int64_t incy) {                                                                  \
        return ++products, gemv(h, ta, m, n, alpha, a, lda, x, incx, beta, y, incy);                                     \
    }                                                                                                                    \
    FAKE int cublas##L##DOT##_v2_64(handle* h, std::int64_t n, const T* x, std::int64_t incx, const T* y,                \
                                    std::int64_t incy, T* result) {                                                      \
        return ++products, dot(h, n, x, incx, y, incy, result);                                                          \
    }                                                                                                                    \
    FAKE int cublas##L##geam_64(handle* h, int ta, int tb, std::int64_t m, std::int64_t n, const T* alpha, const T* a,   \
                                std::int64_t lda, const T* beta, const T*, std::int64_t ldb, T* c, std::int64_t ldc) {   \
        return geam(h, ta, tb, m, n, alpha, a, lda, beta, ldb, c, ldc);                                                  \
    }                                                                                                                    \
    FAKE int cublas##L##trsm_v2_64(handle* h, int side, int upper, int ta, int diagonal, std::int64_t m, std::int64_t n, \
                                   const T* alpha, const T* a, std::int64_t lda, T* b, std::int64_t ldb) {               \
        return trsm(h, side, upper, ta, diagonal, m, n, alpha, a, lda, b, ldb);                                          \
    }
using c64 = std::complex<float>;
using c128 = std::complex<double>;
FAKE_PRODUCTS(float, S, dot)
FAKE_PRODUCTS(double, D, dot)
FAKE_PRODUCTS(c64, C, dotu)
FAKE_PRODUCTS(c128, Z, dotu)

FAKE int cublasGemmEx_64(handle* h, int ta, int tb, std::int64_t m, std::int64_t n, std::int64_t k, const float* alpha,
                         const void* a, int type_a, std::int64_t lda, const void* b, int type_b, std::int64_t ldb,
                         const float* beta, void* c, int type_c, std::int64_t ldc, int compute_type, int algorithm) {
    constexpr int half = 2, bfloat16 = 14, in_float = 68, default_algorithm = -1;
    if (type_a != type_b || type_a != type_c || compute_type != in_float || algorithm != default_algorithm)
        return invalid_value;
    ++products;
    const auto of = [&]<class T>(T*) {
        return gemm(h, ta, tb, m, n, k, alpha, static_cast<const T*>(a), lda, static_cast<const T*>(b), ldb, beta,
                    static_cast<T*>(c), ldc);
    };
    if (type_a == half) return of(static_cast<frit::half*>(nullptr));
    return type_a == bfloat16 ? of(static_cast<frit::bfloat16*>(nullptr)) : invalid_value;
}

FAKE int cublasGemmStridedBatchedEx_64(handle* h, int ta, int tb, std::int64_t m, std::int64_t n, std::int64_t k,
                                       const void* alpha, const void* a, int type_a, std::int64_t lda, long long stride_a,
                                       const void* b, int type_b, std::int64_t ldb, long long stride_b, const void* beta,
                                       void* c, int type_c, std::int64_t ldc, long long stride_c, std::int64_t count,
                                       int compute_type, int algorithm) {
    constexpr int in_float = 68, in_double = 70, default_algorithm = -1;
    if (type_a != type_b || type_a != type_c || algorithm != default_algorithm) return invalid_value;
    ++products;
    if (count < 1 || stride_a < 0 || stride_b < 0 || stride_c < m * n) return invalid_value;
    const auto of = [&]<class T, class Sum>(T*, Sum*, int sum) {
        for (std::int64_t i = 0; i < count; ++i) {
            const int r = compute_type != sum
                              ? invalid_value
                              : gemm(h, ta, tb, m, n, k, static_cast<const Sum*>(alpha),
                                     static_cast<const T*>(a) + i * stride_a, lda, static_cast<const T*>(b) + i * stride_b,
                                     ldb, static_cast<const Sum*>(beta), static_cast<T*>(c) + i * stride_c, ldc);
            if (r != success) return r;
        }
        return success;
    };
    float* const f = nullptr;
    double* const d = nullptr;
    c64* const z = nullptr;
    c128* const w = nullptr;
    switch (type_a) {
        case 2: return of(static_cast<frit::half*>(nullptr), f, in_float);
        case 14: return of(static_cast<frit::bfloat16*>(nullptr), f, in_float);
        case 0: return of(f, f, in_float);
        case 1: return of(d, d, in_double);
        case 4: return of(z, z, in_float);
        case 5: return of(w, w, in_double);
        default: return invalid_value;
    }
}

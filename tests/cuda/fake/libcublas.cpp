// A cuBLAS for the fake driver: products by their definition in column-major order, over memory that is the host's. As
// strict about arguments as the real one, and about what frit promises of its handle.
#include <cstddef>
#include <cstdint>

#define FAKE extern "C" __attribute__((visibility("default")))

namespace {

constexpr int success = 0, invalid_value = 7;
int handles = 0;
struct handle {
    void* stream = nullptr;
    void* workspace = nullptr;
    std::size_t workspace_bytes = 0;
    int math_mode = -1, pointer_mode = 0;

    bool ready() const { return stream && workspace && workspace_bytes >= (std::size_t{4} << 20) && math_mode == 0; }
};

template <class T>
int gemm(const handle* h, int ta, int tb, std::int64_t m, std::int64_t n, std::int64_t k, const T* alpha, const T* a,
         std::int64_t lda, const T* b, std::int64_t ldb, const T* beta, T* c, std::int64_t ldc) {
    if (!h->ready() || h->pointer_mode != 0 || lda < (ta ? k : m) || ldb < (tb ? n : k) || ldc < m) return invalid_value;
    if (lda < 1 || ldb < 1 || ldc < 1) return invalid_value;
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            T sum = 0;
            for (std::int64_t l = 0; l < k; ++l)
                sum += a[ta ? l + i * lda : i + l * lda] * b[tb ? j + l * ldb : l + j * ldb];
            c[i + j * ldc] = *alpha * sum + (*beta == 0 ? 0 : *beta * c[i + j * ldc]);
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
        y[i * incy] = *alpha * sum + (*beta == 0 ? 0 : *beta * y[i * incy]);
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

}  // namespace

FAKE int fake_cublas_handles_of_this_process() { return handles; }
FAKE int cublasCreate_v2(handle** h) { return *h = new handle, ++handles, success; }
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
#define FAKE_PRODUCTS(T, L)                                                                                                \
    FAKE int cublas##L##gemm_v2_64(handle* h, int ta, int tb, std::int64_t m, std::int64_t n, std::int64_t k,              \
                                   const T* alpha, const T* a, std::int64_t lda, const T* b, std::int64_t ldb,             \
                                   const T* beta, T* c, std::int64_t ldc) {                                                \
        return gemm(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                                              \
    }                                                                                                                      \
    FAKE int cublas##L##gemv_v2_64(handle* h, int ta, std::int64_t m, std::int64_t n, const T* alpha, const T* a,          \
                                   std::int64_t lda, const T* x, std::int64_t incx, const T* beta, T* y,                   \
                                   std::int64_t incy) {                                                                    \
        return gemv(h, ta, m, n, alpha, a, lda, x, incx, beta, y, incy);                                                   \
    }                                                                                                                      \
    FAKE int cublas##L##dot_v2_64(handle* h, std::int64_t n, const T* x, std::int64_t incx, const T* y, std::int64_t incy, \
                                  T* result) {                                                                             \
        return dot(h, n, x, incx, y, incy, result);                                                                        \
    }
FAKE_PRODUCTS(float, S)
FAKE_PRODUCTS(double, D)

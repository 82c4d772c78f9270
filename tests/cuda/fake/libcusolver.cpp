// A cuSOLVER for the fake driver: OpenBLAS's LAPACK, over memory that is the host's. As strict about arguments and scratch
// memory as the real one.
#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/cuda/fake/state.hpp"

#define FAKE extern "C" __attribute__((visibility("default")))

namespace {

constexpr int success = 0, invalid_value = 3;
constexpr std::size_t on_device = 512, on_host = 64;  // bytes that every routine asks for

struct handle {
    void* stream = nullptr;
};

/// A routine of LAPACK by the letter of a cudaDataType; its arguments are addresses, lengths of letters behind them.
template <class... A>
void lapack(int type, const std::string& real_name, const std::string& complex_name, A... arguments) {
    static void* const library = ::dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    const char letter = type == 0 ? 's' : type == 1 ? 'd' : type == 4 ? 'c' : 'z';
    const std::string name = letter + (type < 4 ? real_name : complex_name) + "_";
    reinterpret_cast<void (*)(A...)>(::dlsym(library, name.c_str()))(arguments...);
}
std::size_t bytes_of(int type) { return type == 0 ? 4 : type == 5 ? 16 : 8; }
int as_int(std::int64_t n) { return static_cast<int>(n); }

bool fits(const handle* h, const void* work, std::size_t bytes, const void* host, std::size_t host_bytes) {
    return h->stream && work && reinterpret_cast<std::uintptr_t>(work) % 256 == 0 && bytes >= on_device && host &&
           host_bytes >= on_host;
}
int size(std::size_t* device_bytes, std::size_t* host_bytes) {
    *device_bytes = on_device;
    *host_bytes = on_host;
    return success;
}

/// Scratch memory of LAPACK's own, more than any of these matrices wants.
struct scratch {
    std::vector<double> work = std::vector<double>(1 << 16), real = std::vector<double>(1 << 16);
    std::vector<int> integers = std::vector<int>(1 << 12);
    int size = 1 << 15, integer_size = 1 << 12;
};

/// What an iteration says of a matrix that does not converge: 0 of others.
int endless(int type, const void* a) {
    const bool is_short = type == 0 || type == 4;
    const double first = is_short ? *static_cast<const float*>(a) : *static_cast<const double*>(a);
    return first == frit_test::fake_endless ? 3 : 0;
}

}  // namespace

FAKE int cusolverDnCreate(handle** h) { return *h = new handle, success; }
FAKE int cusolverDnDestroy(handle* h) { return delete h, success; }
FAKE int cusolverDnCreateParams(void** p) { return *p = nullptr, success; }
FAKE int cusolverDnSetStream(handle* h, void* s) { return h->stream = s, success; }
FAKE int cusolverGetProperty(int, int* v) { return *v = 12, success; }

FAKE int cusolverDnXpotrf_bufferSize(handle*, void*, int, std::int64_t, int, const void*, std::int64_t, int, std::size_t* d,
                                     std::size_t* h) {
    return size(d, h);
}
FAKE int cusolverDnXpotrf(handle* h, void*, int uplo, std::int64_t n, int type, void* a, std::int64_t lda, int, void* work,
                          std::size_t bytes, void* host, std::size_t host_bytes, int* info) {
    if (!fits(h, work, bytes, host, host_bytes) || lda < n) return invalid_value;
    const int rows = as_int(n), ld = as_int(lda);
    lapack(type, "potrf", "potrf", uplo ? "U" : "L", &rows, a, &ld, info, std::size_t{1});
    return success;
}

FAKE int cusolverDnXgetrf_bufferSize(handle*, void*, std::int64_t, std::int64_t, int, const void*, std::int64_t, int,
                                     std::size_t* d, std::size_t* h) {
    return size(d, h);
}
FAKE int cusolverDnXgetrf(handle* h, void*, std::int64_t m, std::int64_t n, int type, void* a, std::int64_t lda,
                          std::int64_t* pivots, int, void* work, std::size_t bytes, void* host, std::size_t host_bytes,
                          int* info) {
    if (!fits(h, work, bytes, host, host_bytes) || lda < m) return invalid_value;
    const int rows = as_int(m), columns = as_int(n), ld = as_int(lda);
    std::vector<int> own(static_cast<std::size_t>(std::min(m, n)));
    lapack(type, "getrf", "getrf", &rows, &columns, a, &ld, own.data(), info);
    std::copy(own.begin(), own.end(), pivots);
    return success;
}
FAKE int cusolverDnXgetrs(handle* h, void*, int operation, std::int64_t n, std::int64_t k, int type, const void* a,
                          std::int64_t lda, const std::int64_t* pivots, int, void* b, std::int64_t ldb, int* info) {
    if (!h->stream || lda < n || ldb < n) return invalid_value;
    const int rows = as_int(n), sides = as_int(k), ld = as_int(lda), ld_b = as_int(ldb);
    const std::vector<int> own(pivots, pivots + n);
    lapack(type, "getrs", "getrs",
           operation == 0   ? "N"
           : operation == 1 ? "T"
                            : "C",
           &rows, &sides, a, &ld, own.data(), b, &ld_b, info, std::size_t{1});
    return success;
}

FAKE int cusolverDnXgeqrf_bufferSize(handle*, void*, std::int64_t, std::int64_t, int, const void*, std::int64_t, int,
                                     const void*, int, std::size_t* d, std::size_t* h) {
    return size(d, h);
}
FAKE int cusolverDnXgeqrf(handle* h, void*, std::int64_t m, std::int64_t n, int type, void* a, std::int64_t lda, int,
                          void* tau, int, void* work, std::size_t bytes, void* host, std::size_t host_bytes, int* info) {
    if (!fits(h, work, bytes, host, host_bytes) || lda < m) return invalid_value;
    const int rows = as_int(m), columns = as_int(n), ld = as_int(lda);
    scratch s;
    lapack(type, "geqrf", "geqrf", &rows, &columns, a, &ld, tau, s.work.data(), &s.size, info);
    return success;
}

#define FAKE_ORGQR(NAME, TYPE)                                                                                             \
    FAKE int cusolverDn##NAME##_bufferSize(handle*, int, int, int, const void*, int, const void*, int* elements) {         \
        return *elements = 64, success;                                                                                    \
    }                                                                                                                      \
    FAKE int cusolverDn##NAME(handle* h, int m, int n, int k, void* a, int lda, const void* tau, void* work, int elements, \
                              int* info) {                                                                                 \
        if (!h->stream || !work || elements < 64 || n > m || k > n || lda < m) return invalid_value;                       \
        scratch s;                                                                                                         \
        lapack(TYPE, "orgqr", "ungqr", &m, &n, &k, a, &lda, tau, s.work.data(), &s.size, info);                            \
        return success;                                                                                                    \
    }
FAKE_ORGQR(Sorgqr, 0)
FAKE_ORGQR(Dorgqr, 1)
FAKE_ORGQR(Cungqr, 4)
FAKE_ORGQR(Zungqr, 5)

FAKE int cusolverDnXgesvd_bufferSize(handle*, void*, signed char, signed char, std::int64_t, std::int64_t, int, const void*,
                                     std::int64_t, int, const void*, int, const void*, std::int64_t, int, const void*,
                                     std::int64_t, int, std::size_t* d, std::size_t* h) {
    return size(d, h);
}
FAKE int cusolverDnXgesvd(handle* h, void*, signed char job_u, signed char job_vt, std::int64_t m, std::int64_t n, int type,
                          void* a, std::int64_t lda, int real_type, void* values, int, void* u, std::int64_t ldu, int,
                          void* vt, std::int64_t ldvt, int, void* work, std::size_t bytes, void* host,
                          std::size_t host_bytes, int* info) {
    if (!fits(h, work, bytes, host, host_bytes) || m < n || lda < m || ldu < m || ldvt < n) return invalid_value;
    if (bytes_of(real_type) * (type < 4 ? 1 : 2) != bytes_of(type)) return invalid_value;
    const int rows = as_int(m), columns = as_int(n), ld = as_int(lda), ld_u = as_int(ldu), ld_vt = as_int(ldvt);
    const char left = static_cast<char>(job_u), right = static_cast<char>(job_vt);
    if ((*info = endless(type, a)) != 0) return success;
    scratch s;
    if (type < 4)
        lapack(type, "gesvd", "", &left, &right, &rows, &columns, a, &ld, values, u, &ld_u, vt, &ld_vt, s.work.data(),
               &s.size, info, std::size_t{1}, std::size_t{1});
    else
        lapack(type, "", "gesvd", &left, &right, &rows, &columns, a, &ld, values, u, &ld_u, vt, &ld_vt, s.work.data(),
               &s.size, s.real.data(), info, std::size_t{1}, std::size_t{1});
    return success;
}

FAKE int cusolverDnXsyevd_bufferSize(handle*, void*, int, int, std::int64_t, int, const void*, std::int64_t, int,
                                     const void*, int, std::size_t* d, std::size_t* h) {
    return size(d, h);
}
FAKE int cusolverDnXsyevd(handle* h, void*, int vectors, int uplo, std::int64_t n, int type, void* a, std::int64_t lda,
                          int real_type, void* w, int, void* work, std::size_t bytes, void* host, std::size_t host_bytes,
                          int* info) {
    if (!fits(h, work, bytes, host, host_bytes) || lda < n) return invalid_value;
    if (bytes_of(real_type) * (type < 4 ? 1 : 2) != bytes_of(type)) return invalid_value;
    const int rows = as_int(n), ld = as_int(lda);
    const char *const job = vectors ? "V" : "N", *const triangle = uplo ? "U" : "L";
    if ((*info = endless(type, a)) != 0) return success;
    scratch s;
    if (type < 4)
        lapack(type, "syevd", "", job, triangle, &rows, a, &ld, w, s.work.data(), &s.size, s.integers.data(),
               &s.integer_size, info, std::size_t{1}, std::size_t{1});
    else
        lapack(type, "", "heevd", job, triangle, &rows, a, &ld, w, s.work.data(), &s.size, s.real.data(), &s.size,
               s.integers.data(), &s.integer_size, info, std::size_t{1}, std::size_t{1});
    return success;
}

FAKE int cusolverDnXgeev_bufferSize(handle*, void*, int left, int, std::int64_t, int type, const void* a, std::int64_t, int,
                                    const void* w, int, const void*, std::int64_t, int, const void*, std::int64_t, int,
                                    std::size_t* d, std::size_t* h) {
    return left == 0 && a && w && type != 2 ? size(d, h) : invalid_value;
}
// Of the two ways to have a real matrix's eigenvalues, the one with complex numbers.
FAKE int cusolverDnXgeev(handle* h, void*, int left, int right, std::int64_t n, int type, void* a, std::int64_t lda,
                         int type_w, void* w, int type_vl, void* vl, std::int64_t ldvl, int type_vr, void* vr,
                         std::int64_t ldvr, int computed, void* work, std::size_t bytes, void* host, std::size_t host_bytes,
                         int* info) {
    if (!fits(h, work, bytes, host, host_bytes) || lda < n || ldvl < 1 || ldvr < (right ? n : 1) || left || (right && !vr))
        return invalid_value;
    if (type_vl != type || type_vr != type || computed != type || type_w != (type < 4 ? type + 4 : type))
        return invalid_value;
    const int rows = as_int(n), ld = as_int(lda), ld_l = as_int(ldvl), ld_r = as_int(ldvr);
    const char* const job = right ? "V" : "N";
    scratch s;
    if (type >= 4) {
        lapack(type, "", "geev", "N", job, &rows, a, &ld, w, vl, &ld_l, vr, &ld_r, s.work.data(), &s.size, s.real.data(),
               info, std::size_t{1}, std::size_t{1});
        return success;
    }
    std::vector<double> re(static_cast<std::size_t>(n)), im(static_cast<std::size_t>(n));
    lapack(type, "geev", "", "N", job, &rows, a, &ld, re.data(), im.data(), vl, &ld_l, vr, &ld_r, s.work.data(), &s.size,
           info, std::size_t{1}, std::size_t{1});
    const auto zip = [&](auto of) {
        using T = decltype(of);
        const T *const x = reinterpret_cast<const T*>(re.data()), *const y = reinterpret_cast<const T*>(im.data());
        for (std::int64_t k = 0; k < n; ++k) {
            static_cast<T*>(w)[2 * k] = x[k];
            static_cast<T*>(w)[2 * k + 1] = y[k];
        }
    };
    type == 0 ? zip(float()) : zip(double());
    return success;
}

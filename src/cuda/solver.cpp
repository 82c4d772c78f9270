// cuSOLVER behind solver.hpp, by its C ABI: the 64-bit interface, in which dtypes are arguments, and orgqr, which has only
// the older one.
#include "src/cuda/solver.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "frit/error.hpp"
#include "src/cuda/toolkit.hpp"

namespace frit::inline v0::detail::cuda {
namespace {

using handle = void*;
using parameters = void*;
using extent = std::int64_t;
constexpr int status_success = 0, status_no_memory = 2;  // CUSOLVER_STATUS_*
constexpr int lower = 0, upper = 1;                      // CUBLAS_FILL_MODE_*
constexpr int transposed = 1;                            // CUBLAS_OP_T
constexpr int no_vectors = 0;                            // CUSOLVER_EIG_MODE_NOVECTOR; VECTOR is 1

/// As cudaDataType has it.
int type_of(dtype t) { return t == dtype::f32 ? 0 : t == dtype::f64 ? 1 : t == dtype::c64 ? 4 : 5; }

// A routine and what tells its scratch memory: bytes on the device and on the host.
struct library {
    int (*create)(handle*);
    int (*destroy)(handle);
    int (*create_parameters)(parameters*);
    int (*set_stream)(handle, stream);
    int (*get_property)(int, int*);
    int (*potrf)(handle, parameters, int uplo, extent n, int type, void* a, extent lda, int computed, void*, std::size_t,
                 void*, std::size_t, int* info);
    int (*potrf_size)(handle, parameters, int uplo, extent n, int type, const void* a, extent lda, int computed,
                      std::size_t*, std::size_t*);
    int (*getrf)(handle, parameters, extent m, extent n, int type, void* a, extent lda, std::int64_t* pivots, int computed,
                 void*, std::size_t, void*, std::size_t, int* info);
    int (*getrf_size)(handle, parameters, extent m, extent n, int type, const void* a, extent lda, int computed,
                      std::size_t*, std::size_t*);
    int (*getrs)(handle, parameters, int operation, extent n, extent k, int type, const void* a, extent lda,
                 const std::int64_t* pivots, int type_b, void* b, extent ldb, int* info);
    int (*geqrf)(handle, parameters, extent m, extent n, int type, void* a, extent lda, int type_tau, void* tau,
                 int computed, void*, std::size_t, void*, std::size_t, int* info);
    int (*geqrf_size)(handle, parameters, extent m, extent n, int type, const void* a, extent lda, int type_tau,
                      const void* tau, int computed, std::size_t*, std::size_t*);
    int (*gesvd)(handle, parameters, signed char job_u, signed char job_vt, extent m, extent n, int type, void* a,
                 extent lda, int type_s, void* s, int type_u, void* u, extent ldu, int type_vt, void* vt, extent ldvt,
                 int computed, void*, std::size_t, void*, std::size_t, int* info);
    int (*gesvd_size)(handle, parameters, signed char job_u, signed char job_vt, extent m, extent n, int type, const void* a,
                      extent lda, int type_s, const void* s, int type_u, const void* u, extent ldu, int type_vt,
                      const void* vt, extent ldvt, int computed, std::size_t*, std::size_t*);
    int (*syevd)(handle, parameters, int vectors, int uplo, extent n, int type, void* a, extent lda, int type_w, void* w,
                 int computed, void*, std::size_t, void*, std::size_t, int* info);
    int (*syevd_size)(handle, parameters, int vectors, int uplo, extent n, int type, const void* a, extent lda, int type_w,
                      const void* w, int computed, std::size_t*, std::size_t*);
    int (*geev)(handle, parameters, int left, int right, extent n, int type, void* a, extent lda, int type_w, void* w,
                int type_vl, void* vl, extent ldvl, int type_vr, void* vr, extent ldvr, int computed, void*, std::size_t,
                void*, std::size_t, int* info);
    int (*geev_size)(handle, parameters, int left, int right, extent n, int type, const void* a, extent lda, int type_w,
                     const void* w, int type_vl, const void* vl, extent ldvl, int type_vr, const void* vr, extent ldvr,
                     int computed, std::size_t*, std::size_t*);
    // By dtype: float32, float64, complex64, complex128.
    int (*orgqr[4])(handle, int m, int n, int k, void* a, int lda, const void* tau, void*, int size, int* info);
    int (*orgqr_size[4])(handle, int m, int n, int k, const void* a, int lda, const void* tau, int* size);
    std::string why;

    library() {
        toolkit_library file("cuSOLVER", names_by_driver("libcusolver.so.", 12, 11));
        file.find(create, "cusolverDnCreate");
        file.find(destroy, "cusolverDnDestroy");
        file.find(create_parameters, "cusolverDnCreateParams");
        file.find(set_stream, "cusolverDnSetStream");
        file.find(get_property, "cusolverGetProperty");
        file.find(potrf, "cusolverDnXpotrf");
        file.find(potrf_size, "cusolverDnXpotrf_bufferSize");
        file.find(getrf, "cusolverDnXgetrf");
        file.find(getrf_size, "cusolverDnXgetrf_bufferSize");
        file.find(getrs, "cusolverDnXgetrs");
        file.find(geqrf, "cusolverDnXgeqrf");
        file.find(geqrf_size, "cusolverDnXgeqrf_bufferSize");
        file.find(gesvd, "cusolverDnXgesvd");
        file.find(gesvd_size, "cusolverDnXgesvd_bufferSize");
        file.find(syevd, "cusolverDnXsyevd");
        file.find(syevd_size, "cusolverDnXsyevd_bufferSize");
        file.find_newer(geev, "cusolverDnXgeev");
        file.find_newer(geev_size, "cusolverDnXgeev_bufferSize");
        constexpr const char* by_type[] = {"Sorgqr", "Dorgqr", "Cungqr", "Zungqr"};
        for (std::size_t k = 0; k < 4; ++k) {
            const std::string name = std::string("cusolverDn") + by_type[k];
            file.find(orgqr[k], name.c_str());
            file.find(orgqr_size[k], (name + "_bufferSize").c_str());
        }
        why = file.why_not();
    }
};

const library& the_library() {
    static const library* l = new library;  // never destroyed, as all singletons
    return *l;
}

std::size_t number_of(dtype t) { return t == dtype::f32 ? 0 : t == dtype::f64 ? 1 : t == dtype::c64 ? 2 : 3; }
extent leading(extent rows) { return std::max<extent>(rows, 1); }

/// Bytes of scratch memory.
struct sizes {
    std::size_t on_device = 0, on_host = 0;
};

}  // namespace

bool solver::found() { return the_library().why.empty(); }

void solver::require(std::string_view who) {
    const library& lib = the_library();
    if (!lib.why.empty()) throw device_error(device_.label + ": " + std::string(who) + " needs cuSOLVER: " + lib.why);
    const std::scoped_lock guard(lock_);
    if (handle_) return;
    const current_context here(device_);
    const auto check = [&](int r) {
        if (r == status_success) return;
        if (handle_) lib.destroy(std::exchange(handle_, nullptr));
        if (r == status_no_memory) throw out_of_memory(device_.label + ": out of memory: cuSOLVER does not start");
        throw device_error(device_.label + ": cuSOLVER does not start: its error " + std::to_string(r));
    };
    if (!parameters_) check(lib.create_parameters(&parameters_));
    check(lib.create(&handle_));
    check(lib.set_stream(handle_, device_.work));
}

bool solver::has_geev() { return found() && the_library().geev && the_library().geev_size; }

void solver::require_geev(std::string_view who) {
    require(who);
    if (!has_geev())
        throw device_error(device_.label + ": " + std::string(who) + " needs the cuSOLVER of CUDA 12.6.2 or later: " +
                           find_cusolver().text + " has no cusolverDnXgeev");
}

void solver::checked(int status, const char* routine, dtype type, std::int64_t m, std::int64_t n) const {
    if (status == status_success) return;
    throw device_error(device_.label + ": cuSOLVER refuses " + routine + " of " + std::to_string(m) + " x " +
                       std::to_string(n) + " " + std::string(name_of(type)) + ": its error " + std::to_string(status));
}

/// For the part of a routine that runs on the host. Calls are queued one after the other, and read it before they return.
void* solver::on_host(std::size_t bytes) {
    if (host_memory_.size() < bytes) host_memory_.resize(bytes);
    return host_memory_.data();
}

// How every routine begins: the handle, its lock, and the routine's sizes `s` for these arguments, of which `t` is the
// dtype. A size and its call ask with equal arguments.
#define FRIT_BYTES(routine, m, n, ...)                                                                 \
    require(#routine);                                                                                 \
    const current_context here(device_);                                                               \
    const std::scoped_lock guard(lock_);                                                               \
    sizes s;                                                                                           \
    const int t = type_of(type);                                                                       \
    checked(the_library().routine##_size(handle_, parameters_, __VA_ARGS__, &s.on_device, &s.on_host), \
            #routine "_bufferSize", type, m, n)

std::size_t solver::potrf_bytes(dtype type, std::int64_t n) {
    FRIT_BYTES(potrf, n, n, lower, n, t, nullptr, leading(n), t);
    return s.on_device;
}
void solver::potrf_lower(dtype type, std::int64_t n, void* a, const solver_work& work, int* info) {
    FRIT_BYTES(potrf, n, n, lower, n, t, a, leading(n), t);
    checked(the_library().potrf(handle_, parameters_, lower, n, t, a, leading(n), t, work.memory, work.bytes,
                                on_host(s.on_host), s.on_host, info),
            "potrf", type, n, n);
}

std::size_t solver::getrf_bytes(dtype type, std::int64_t m, std::int64_t n) {
    FRIT_BYTES(getrf, m, n, m, n, t, nullptr, leading(m), t);
    return s.on_device;
}
void solver::getrf(dtype type, std::int64_t m, std::int64_t n, void* a, std::int64_t* pivots, const solver_work& work,
                   int* info) {
    FRIT_BYTES(getrf, m, n, m, n, t, a, leading(m), t);
    checked(the_library().getrf(handle_, parameters_, m, n, t, a, leading(m), pivots, t, work.memory, work.bytes,
                                on_host(s.on_host), s.on_host, info),
            "getrf", type, m, n);
}
void solver::getrs_transposed(dtype type, std::int64_t n, std::int64_t k, const void* a, const std::int64_t* pivots, void* b,
                              int* info) {
    require("getrs");
    const current_context here(device_);
    const std::scoped_lock guard(lock_);
    const int t = type_of(type);
    checked(the_library().getrs(handle_, parameters_, transposed, n, k, t, a, leading(n), pivots, t, b, leading(n), info),
            "getrs", type, n, k);
}

std::size_t solver::geqrf_bytes(dtype type, std::int64_t m, std::int64_t n) {
    FRIT_BYTES(geqrf, m, n, m, n, t, nullptr, leading(m), t, nullptr, t);
    return s.on_device;
}
void solver::geqrf(dtype type, std::int64_t m, std::int64_t n, void* a, void* tau, const solver_work& work, int* info) {
    FRIT_BYTES(geqrf, m, n, m, n, t, a, leading(m), t, tau, t);
    checked(the_library().geqrf(handle_, parameters_, m, n, t, a, leading(m), t, tau, t, work.memory, work.bytes,
                                on_host(s.on_host), s.on_host, info),
            "geqrf", type, m, n);
}

std::size_t solver::orgqr_bytes(dtype type, std::int64_t m, std::int64_t n, std::int64_t k) {
    require("orgqr");
    if (m > std::numeric_limits<int>::max()) return 0;  // which orgqr then refuses
    const current_context here(device_);
    const std::scoped_lock guard(lock_);
    const int rows = static_cast<int>(m), columns = static_cast<int>(n), reflectors = static_cast<int>(k);
    int size = 0;
    checked(the_library().orgqr_size[number_of(type)](handle_, rows, columns, reflectors, nullptr, std::max(rows, 1),
                                                      nullptr, &size),
            "orgqr_bufferSize", type, m, n);
    return static_cast<std::size_t>(size) * size_of(type);
}
void solver::orgqr(dtype type, std::int64_t m, std::int64_t n, std::int64_t k, void* a, const void* tau,
                   const solver_work& work, int* info) {
    require("orgqr");
    if (m > std::numeric_limits<int>::max())
        throw shape_error(device_.label + ": cuSOLVER's orgqr takes up to 2147483647 rows, not " + std::to_string(m));
    const current_context here(device_);
    const std::scoped_lock guard(lock_);
    const int rows = static_cast<int>(m), columns = static_cast<int>(n), reflectors = static_cast<int>(k);
    checked(the_library().orgqr[number_of(type)](handle_, rows, columns, reflectors, a, std::max(rows, 1), tau, work.memory,
                                                 static_cast<int>(work.bytes / size_of(type)), info),
            "orgqr", type, m, n);
}

std::size_t solver::gesvd_bytes(dtype type, svd_job job, std::int64_t m, std::int64_t n) {
    const auto letter = static_cast<signed char>(job);
    FRIT_BYTES(gesvd, m, n, letter, letter, m, n, t, nullptr, leading(m), type_of(real_dtype(type)), nullptr, t, nullptr,
               leading(m), t, nullptr, leading(n), t);
    return s.on_device;
}
void solver::gesvd(dtype type, svd_job job, std::int64_t m, std::int64_t n, void* a, void* values, void* u, void* vt,
                   const solver_work& work, int* info) {
    const auto letter = static_cast<signed char>(job);
    const int real = type_of(real_dtype(type));
    FRIT_BYTES(gesvd, m, n, letter, letter, m, n, t, a, leading(m), real, values, t, u, leading(m), t, vt, leading(n), t);
    checked(the_library().gesvd(handle_, parameters_, letter, letter, m, n, t, a, leading(m), real, values, t, u, leading(m),
                                t, vt, leading(n), t, work.memory, work.bytes, on_host(s.on_host), s.on_host, info),
            "gesvd", type, m, n);
}

std::size_t solver::syevd_bytes(dtype type, bool vectors, std::int64_t n) {
    FRIT_BYTES(syevd, n, n, vectors, upper, n, t, nullptr, leading(n), type_of(real_dtype(type)), nullptr, t);
    return s.on_device;
}
void solver::syevd_upper(dtype type, bool vectors, std::int64_t n, void* a, void* w, const solver_work& work, int* info) {
    const int real = type_of(real_dtype(type));
    FRIT_BYTES(syevd, n, n, vectors, upper, n, t, a, leading(n), real, w, t);
    checked(the_library().syevd(handle_, parameters_, vectors, upper, n, t, a, leading(n), real, w, t, work.memory,
                                work.bytes, on_host(s.on_host), s.on_host, info),
            "syevd", type, n, n);
}

// There are no left vectors. Who asks for a size has no arrays yet, and it does not look into any.
std::size_t solver::geev_bytes(dtype type, bool vectors, std::int64_t n) {
    const void* const any = this;
    FRIT_BYTES(geev, n, n, no_vectors, vectors, n, t, any, leading(n), type_of(complex_dtype(type)), any, t, nullptr,
               leading(n), t, vectors ? any : nullptr, leading(n), t);
    return s.on_device;
}
void solver::geev(dtype type, std::int64_t n, void* a, void* w, void* v, const solver_work& work, int* info) {
    const int vectors = v != nullptr, complex = type_of(complex_dtype(type));
    FRIT_BYTES(geev, n, n, no_vectors, vectors, n, t, a, leading(n), complex, w, t, nullptr, leading(n), t, v, leading(n),
               t);
    checked(
        the_library().geev(handle_, parameters_, no_vectors, vectors, n, t, a, leading(n), complex, w, t, nullptr,
                           leading(n), t, v, leading(n), t, work.memory, work.bytes, on_host(s.on_host), s.on_host, info),
        "geev", type, n, n);
}
#undef FRIT_BYTES

found_library find_cusolver() {
    const library& l = the_library();
    return found_in_toolkit("cuSOLVER", "linalg on GPUs, but of small matrices", l.why, l.get_property);
}

}  // namespace frit::v0::detail::cuda

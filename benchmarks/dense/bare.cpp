// The libraries that frit loads, called bare: OpenBLAS and its LAPACK with matrices as they like them (columns, where that
// is LAPACK's way) and all scratch memory at hand, FFTW with a plan that is made before. What LAPACK overwrites is copied
// first, as frit, which keeps its operands, has to. Opened at run time, so that nothing needs them to build.
#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "dense.hpp"

namespace {

/// A function of a library. @throws std::runtime_error
template <class F>
F* found(const char* file, const std::string& name) {
    void* const library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void* const address = library ? ::dlsym(library, name.c_str()) : nullptr;
    if (!address) throw std::runtime_error(std::string(file) + " is missing, or has no " + name);
    return reinterpret_cast<F*>(address);
}
template <class F>
F* lapack(const char* name) {
    return found<F>("libopenblas.so.0", name);
}
void check(int info, const char* who) {
    if (info != 0) throw std::runtime_error(std::string(who) + " says " + std::to_string(info));
}

/// Memory that begins where FFTW's and OpenBLAS's vectors want it to.
template <class T>
struct free_memory {
    void operator()(T* p) const { std::free(p); }
};
template <class T>
using memory = std::unique_ptr<T[], free_memory<T>>;
template <class T>
memory<T> allocated(std::size_t n) {
    const std::size_t alignment = n * sizeof(T) >= (1U << 21) ? 1U << 21 : 64;
    auto* const p = static_cast<T*>(std::aligned_alloc(alignment, (n * sizeof(T) + alignment) / alignment * alignment));
    if (alignment > 64) madvise(p, n * sizeof(T), MADV_HUGEPAGE);
    std::fill_n(p, n, T());
    return memory<T>(p);
}
template <class T>
memory<T> copied(const std::vector<T>& v) {
    memory<T> m = allocated<T>(v.size());
    std::copy(v.begin(), v.end(), m.get());
    return m;
}

std::vector<double> transposed(const std::vector<double>& a, std::size_t n) {
    std::vector<double> t(a.size());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) t[j * n + i] = a[i * n + j];
    return t;
}
std::vector<double> values_of(const memory<double>& m, std::size_t n) { return {m.get(), m.get() + n}; }
/// What lies in columns, of rows `first(i) <= j < last(i)`; zeros elsewhere.
template <class Inside>
std::vector<double> rows_of(const memory<double>& columns, std::size_t n, Inside inside) {
    std::vector<double> rows = transposed(values_of(columns, n * n), n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (!inside(i, j)) rows[i * n + j] = 0;
    return rows;
}

// --- products ---

constexpr int row_major = 101, as_it_is = 111;

template <class T>
job product_job(const std::string& workload, std::size_t n) {
    const std::string letter = sizeof(T) == 4 ? "s" : "d";
    const dense_bench::inputs<T> in(workload, n);
    const std::size_t count = workload == "batch" ? dense_bench::batch : 1, size = workload == "matvec" ? n : n * n;
    struct state {
        memory<T> a, b, c;
    };
    const auto s = std::make_shared<state>(state{copied(in.a), copied(in.b), allocated<T>(count * size)});
    const auto mean = [s, all = count * size] { return checksum(std::vector<T>(s->c.get(), s->c.get() + all)); };
    const int side = static_cast<int>(n);
    if (workload == "matvec") {
        using gemv_function = void(int, int, int, int, T, const T*, int, const T*, int, T, T*, int);
        auto* const gemv = found<gemv_function>("libopenblas.so.0", "cblas_" + letter + "gemv");
        return {[s, gemv, side] {
                    gemv(row_major, as_it_is, side, side, T(1), s->a.get(), side, s->b.get(), 1, T(0), s->c.get(), 1);
                },
                mean};
    }
    using gemm_function = void(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int);
    auto* const gemm = found<gemm_function>("libopenblas.so.0", "cblas_" + letter + "gemm");
    return {[s, gemm, side, count, size] {
                for (std::size_t k = 0; k < count; ++k)
                    gemm(row_major, as_it_is, as_it_is, side, side, side, T(1), s->a.get() + k * size, side,
                         s->b.get() + k * size, side, T(0), s->c.get() + k * size, side);
            },
            mean};
}

// --- factors, by LAPACK's Fortran interface: lengths of letters come behind all arguments ---

using integer = const int*;

struct matrices {
    std::size_t n;
    int side, work_size = 0, int_work_size = 0;
    memory<double> a, b, factors, values, more, work;
    std::vector<int> pivots, int_work;
    /// @param columns  the matrix as LAPACK reads it
    matrices(std::size_t extent, const std::vector<double>& columns, const std::vector<double>& right)
        : n(extent),
          side(static_cast<int>(extent)),
          a(copied(columns)),
          b(copied(right)),
          factors(allocated<double>(n * n)),
          values(allocated<double>(n)),
          more(allocated<double>(n * n)),
          pivots(n) {}
    void copy() const { std::copy_n(a.get(), n * n, factors.get()); }
    void take_work(double size, int integers = 0) {
        work_size = static_cast<int>(size);
        work = allocated<double>(static_cast<std::size_t>(work_size));
        int_work_size = integers;
        int_work.resize(static_cast<std::size_t>(integers));
    }
};
constexpr int ask = -1;  // for the size of the scratch memory
const auto everywhere = [](std::size_t, std::size_t) { return true; };
const auto below = [](std::size_t i, std::size_t j) { return j <= i; };
const auto above = [](std::size_t i, std::size_t j) { return j >= i; };

job solve_job(const std::shared_ptr<matrices>& m) {
    using gesv_function = void(integer, integer, double*, integer, int*, double*, integer, int*);
    auto* const gesv = lapack<gesv_function>("dgesv_");
    return {[m, gesv] {
                const int one = 1;
                int info = 0;
                m->copy();
                std::copy_n(m->b.get(), m->n, m->values.get());
                gesv(&m->side, &one, m->factors.get(), &m->side, m->pivots.data(), m->values.get(), &m->side, &info);
                check(info, "dgesv");
            },
            [m] { return checksum(values_of(m->values, m->n)); }};
}

job cholesky_job(const std::shared_ptr<matrices>& m) {
    using potrf_function = void(const char*, integer, double*, integer, int*, std::size_t);
    auto* const potrf = lapack<potrf_function>("dpotrf_");
    return {[m, potrf] {
                int info = 0;
                m->copy();
                potrf("L", &m->side, m->factors.get(), &m->side, &info, 1);
                check(info, "dpotrf");
            },
            [m] { return checksum(rows_of(m->factors, m->n, below)); }};
}

job eigh_job(const std::shared_ptr<matrices>& m) {
    using syevd_function = void(const char*, const char*, integer, double*, integer, double*, double*, integer, int*,
                                integer, int*, std::size_t, std::size_t);
    auto* const syevd = lapack<syevd_function>("dsyevd_");
    double size = 0;
    int integers = 0, info = 0;
    syevd("V", "L", &m->side, m->factors.get(), &m->side, m->values.get(), &size, &ask, &integers, &ask, &info, 1, 1);
    m->take_work(size, integers);
    return {[m, syevd] {
                int said = 0;
                m->copy();
                syevd("V", "L", &m->side, m->factors.get(), &m->side, m->values.get(), m->work.get(), &m->work_size,
                      m->int_work.data(), &m->int_work_size, &said, 1, 1);
                check(said, "dsyevd");
            },
            [m] {
                std::vector<double> all = values_of(m->values, m->n);
                const std::vector<double> vectors = rows_of(m->factors, m->n, everywhere);
                all.insert(all.end(), vectors.begin(), vectors.end());
                return checksum(all);
            }};
}

job svdvals_job(const std::shared_ptr<matrices>& m) {
    using gesdd_function = void(const char*, integer, integer, double*, integer, double*, double*, integer, double*, integer,
                                double*, integer, int*, int*, std::size_t);
    auto* const gesdd = lapack<gesdd_function>("dgesdd_");
    double size = 0, none = 0;
    int info = 0;
    m->take_work(1, 8 * m->side);
    gesdd("N", &m->side, &m->side, m->factors.get(), &m->side, m->values.get(), &none, &m->side, &none, &m->side, &size,
          &ask, m->int_work.data(), &info, 1);
    m->take_work(size, 8 * m->side);
    return {[m, gesdd] {
                double no_vectors = 0;
                int said = 0;
                m->copy();
                gesdd("N", &m->side, &m->side, m->factors.get(), &m->side, m->values.get(), &no_vectors, &m->side,
                      &no_vectors, &m->side, m->work.get(), &m->work_size, m->int_work.data(), &said, 1);
                check(said, "dgesdd");
            },
            [m] { return checksum(values_of(m->values, m->n)); }};
}

job qr_job(const std::shared_ptr<matrices>& m) {
    using geqrf_function = void(integer, integer, double*, integer, double*, double*, integer, int*);
    using orgqr_function = void(integer, integer, integer, double*, integer, const double*, double*, integer, int*);
    auto* const geqrf = lapack<geqrf_function>("dgeqrf_");
    auto* const orgqr = lapack<orgqr_function>("dorgqr_");
    double first = 0, second = 0;
    int info = 0;
    geqrf(&m->side, &m->side, m->factors.get(), &m->side, m->values.get(), &first, &ask, &info);
    orgqr(&m->side, &m->side, &m->side, m->factors.get(), &m->side, m->values.get(), &second, &ask, &info);
    m->take_work(std::max(first, second));
    return {[m, geqrf, orgqr] {
                int said = 0;
                m->copy();
                geqrf(&m->side, &m->side, m->factors.get(), &m->side, m->values.get(), m->work.get(), &m->work_size, &said);
                for (std::size_t j = 0; j < m->n; ++j)
                    std::copy_n(m->factors.get() + j * m->n, j + 1, m->more.get() + j * m->n);
                orgqr(&m->side, &m->side, &m->side, m->factors.get(), &m->side, m->values.get(), m->work.get(),
                      &m->work_size, &said);
                check(said, "dorgqr");
            },
            [m] {
                std::vector<double> all = rows_of(m->factors, m->n, everywhere);
                const std::vector<double> r = rows_of(m->more, m->n, above);
                all.insert(all.end(), r.begin(), r.end());
                return checksum(all);
            }};
}

// --- Fourier transforms ---

job fourier_job(const std::string& workload, std::size_t n) {
    using complex = std::complex<double>;
    constexpr unsigned estimate = 1U << 6;  // as frit plans
    constexpr const char* file = "libfftw3.so.3";
    const bool real = workload == "rfft";
    const std::size_t results = real ? n / 2 + 1 : n;
    const dense_bench::inputs<double> in(workload, n);
    struct state {
        memory<double> from;
        memory<complex> to;
        void* plan;
    };
    const auto s = std::make_shared<state>(state{copied(in.a), allocated<complex>(results), nullptr});
    auto* const from = reinterpret_cast<complex*>(s->from.get());
    if (real)
        s->plan = found<void*(int, double*, complex*, unsigned)>(file, "fftw_plan_dft_r2c_1d")(
            static_cast<int>(n), s->from.get(), s->to.get(), estimate);
    else
        s->plan = found<void*(int, complex*, complex*, int, unsigned)>(file, "fftw_plan_dft_1d")(static_cast<int>(n), from,
                                                                                                 s->to.get(), -1, estimate);
    auto* const run = found<void(void*)>(file, "fftw_execute");
    return {[s, run] { run(s->plan); },
            [s, results] {
                const auto* const parts = reinterpret_cast<const double*>(s->to.get());
                return checksum(std::vector<double>(parts, parts + 2 * results));
            }};
}

}  // namespace

job dense_bench::bare_job(const std::string& workload, const std::string& element, std::size_t n) {
    if (workload == "product" || workload == "batch" || workload == "matvec")
        return element == "f32" ? product_job<float>(workload, n) : product_job<double>(workload, n);
    if (workload == "fft" || workload == "rfft") return fourier_job(workload, n);
    const inputs<double> in(workload, n);
    const auto m = std::make_shared<matrices>(n, transposed(in.a, n), in.b);
    if (workload == "solve") return solve_job(m);
    if (workload == "cholesky") return cholesky_job(m);
    if (workload == "eigh") return eigh_job(m);
    if (workload == "svdvals") return svdvals_job(m);
    if (workload == "qr") return qr_job(m);
    throw std::runtime_error("no such workload: " + workload);
}

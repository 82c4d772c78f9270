// LAPACK behind lapack.hpp, by its Fortran ABI: arguments by address, the lengths of letters behind them. (A Debian build
// has 32-bit integers.)
#include "src/cpu/lapack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "frit/error.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr int ask = -1;  // for the size of the scratch memory

/// A size comes back as a number of the routine's type, which may have been rounded down.
template <class T>
std::int64_t size_from(const T& answer) {
    const auto number = static_cast<double>(std::real(answer));
    const double digits = std::numeric_limits<real_of<T>>::epsilon();
    return static_cast<std::int64_t>(std::ceil(number * (1 + digits)));
}

}  // namespace

template <class T>
int lapack<T>::potrf(char triangle, int n, T* a) const {
    int info = 0;
    potrf_(&triangle, &n, a, &n, &info, 1);
    return info;
}

template <class T>
int lapack<T>::getrf(int m, int n, T* a, int* pivots) const {
    int info = 0;
    getrf_(&m, &n, a, &m, pivots, &info);
    return info;
}

template <class T>
void lapack<T>::getrs_transposed(int n, int m, const T* a, const int* pivots, T* b) const {
    int info = 0;
    getrs_("T", &n, &m, a, &n, pivots, b, &n, &info, 1);
}

template <class T>
int lapack<T>::getri(int n, T* a, const int* pivots, const lapack_scratch<T>& s) const {
    int info = 0;
    getri_(&n, a, &n, pivots, s.work, &s.work_size, &info);
    return info;
}
template <class T>
lapack_scratch_sizes lapack<T>::getri_sizes(int n) const {
    int info = 0, pivot = 0;
    T a{}, work{};
    getri_(&n, &a, &n, &pivot, &work, &ask, &info);
    return {size_from(work)};
}

template <class T>
void lapack<T>::trsm_right(char triangle, char transposed, char diagonal, int m, int n, const T* a, int lda, T* b) const {
    const T one(1);
    trsm_("R", &triangle, &transposed, &diagonal, &m, &n, &one, a, &lda, b, &m, 1, 1, 1, 1);
}

template <class T>
int lapack<T>::geqrf(int m, int n, T* a, T* tau, const lapack_scratch<T>& s) const {
    int info = 0;
    geqrf_(&m, &n, a, &m, tau, s.work, &s.work_size, &info);
    return info;
}
template <class T>
int lapack<T>::orgqr(int m, int n, int k, T* a, const T* tau, const lapack_scratch<T>& s) const {
    int info = 0;
    orgqr_(&m, &n, &k, a, &m, tau, s.work, &s.work_size, &info);
    return info;
}
template <class T>
lapack_scratch_sizes lapack<T>::qr_sizes(int m, int n, int columns) const {
    T a{}, tau{}, first{}, second{};
    geqrf(m, n, &a, &tau, {&first, ask});
    orgqr(m, columns, std::min(m, n), &a, &tau, {&second, ask});
    return {std::max(size_from(first), size_from(second))};
}

template <class T>
int lapack<T>::gesdd(lapack_job job, int m, int n, T* a, real* s, T* u, T* vt, int ldvt, const lapack_scratch<T>& to) const {
    const char letter = static_cast<char>(job);
    int info = 0;
    if constexpr (is_complex_type)
        gesdd_(&letter, &m, &n, a, &m, s, u, &m, vt, &ldvt, to.work, &to.work_size, to.real_work, to.int_work, &info, 1);
    else
        gesdd_(&letter, &m, &n, a, &m, s, u, &m, vt, &ldvt, to.work, &to.work_size, to.int_work, &info, 1);
    return info;
}
template <class T>
lapack_scratch_sizes lapack<T>::gesdd_sizes(lapack_job job, int m, int n) const {
    T a{}, u{}, vt{}, work{};
    real s{};
    int integer = 0;
    const int ldvt = job == lapack_job::some ? std::min(m, n) : n;
    gesdd(job, m, n, &a, &s, &u, &vt, ldvt, {&work, ask, &s, 1, &integer, 1});
    const std::int64_t less = std::min(m, n),
                       more = std::max(m, n);  // as LAPACK's documentation says of what it does not tell
    const std::int64_t with_vectors = std::max(5 * less * less + 5 * less, 2 * more * less + 2 * less * less + less);
    return {size_from(work), is_complex_type ? (job == lapack_job::none ? 7 * less : with_vectors) : 0, 8 * less};
}

template <class T>
int lapack<T>::heevd_upper(lapack_job job, int n, T* a, real* w, const lapack_scratch<T>& to) const {
    const char letter = static_cast<char>(job);
    int info = 0;
    if constexpr (is_complex_type)
        heevd_(&letter, "U", &n, a, &n, w, to.work, &to.work_size, to.real_work, &to.real_work_size, to.int_work,
               &to.int_work_size, &info, 1, 1);
    else
        heevd_(&letter, "U", &n, a, &n, w, to.work, &to.work_size, to.int_work, &to.int_work_size, &info, 1, 1);
    return info;
}
template <class T>
lapack_scratch_sizes lapack<T>::heevd_sizes(lapack_job job, int n) const {
    T a{}, work{};
    real w{}, real_work{};
    int int_work = 0;
    heevd_upper(job, n, &a, &w, {&work, ask, &real_work, ask, &int_work, ask});
    return {size_from(work), is_complex_type ? size_from(real_work) : 0, int_work};
}

template <class T>
int lapack<T>::geev(int n, T* a, T* w, T* w_imag, T* right, const lapack_scratch<T>& to) const {
    T left{};
    const int one = 1, ld = right ? n : 1;
    const char* const job = right ? "V" : "N";
    T* const vectors = right ? right : &left;
    int info = 0;
    if constexpr (is_complex_type)
        geev_("N", job, &n, a, &n, w, &left, &one, vectors, &ld, to.work, &to.work_size, to.real_work, &info, 1, 1);
    else
        geev_("N", job, &n, a, &n, w, w_imag, &left, &one, vectors, &ld, to.work, &to.work_size, &info, 1, 1);
    return info;
}
template <class T>
lapack_scratch_sizes lapack<T>::geev_sizes(bool vectors, int n) const {
    T a{}, w{}, w_imag{}, right{}, work{};
    real real_work{};
    geev(n, &a, &w, &w_imag, vectors ? &right : nullptr, {&work, ask, &real_work, 1});
    return {size_from(work), is_complex_type ? 2 * std::int64_t{n} : 0};
}

template <class T>
void lapack<T>::find(const openblas_file& file) {
    constexpr char letter = is_complex_type ? (sizeof(real) == 4 ? 'c' : 'z') : (sizeof(real) == 4 ? 's' : 'd');
    const auto named = [&](const char* name) { return std::string(1, letter) + name + "_"; };
    file.find(potrf_, named("potrf"));
    file.find(getrf_, named("getrf"));
    file.find(getrs_, named("getrs"));
    file.find(getri_, named("getri"));
    file.find(trsm_, named("trsm"));
    file.find(geqrf_, named("geqrf"));
    file.find(orgqr_, named(is_complex_type ? "ungqr" : "orgqr"));
    file.find(gesdd_, named("gesdd"));
    file.find(heevd_, named(is_complex_type ? "heevd" : "syevd"));
    file.find(geev_, named("geev"));
}

template class lapack<float>;
template class lapack<double>;
template class lapack<std::complex<float>>;
template class lapack<std::complex<double>>;

namespace {

lapack_library load(openblas_names names, std::string_view who) {
    const openblas_file file(names, who);
    lapack_library all{};
    all.f32.find(file);
    all.f64.find(file);
    all.c64.find(file);
    all.c128.find(file);
    all.threads.find(file);
    return all;
}

}  // namespace

const lapack_library& the_lapack(std::string_view who) {
    static const auto* const library =
        new lapack_library(load({usual_openblas[0], usual_openblas[1]}, who));  // tried again if missing
    return *library;
}

const lapack_library* find_lapack() try { return &the_lapack("linalg"); } catch (const device_error&) {
    return nullptr;
}

void find_lapack(openblas_names names, std::string_view who) { load(names, who); }

}  // namespace frit::v0::detail

// LAPACK on the CPU: OpenBLAS carries it (openblas.hpp). One set of routines a dtype, as plain calls: matrices column-major
// and dense, arguments by value, scratch memory the caller's. What a routine says is its INFO: 0 where all went well.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "frit/dtype.hpp"
#include "src/cpu/openblas.hpp"

namespace frit::inline v0::detail {

template <class T>
struct real_of_type {
    using type = T;
};
template <class T>
struct real_of_type<std::complex<T>> {
    using type = T;
};
template <class T>
using real_of = typename real_of_type<T>::type;

/// Elements of scratch memory that a routine wants: of the matrix's type, of its parts' type, and integers.
struct lapack_scratch_sizes {
    std::int64_t work = 0, real_work = 0, int_work = 0;
};
/// The memory.
template <class T>
struct lapack_scratch {
    T* work = nullptr;
    int work_size = 0;
    real_of<T>* real_work = nullptr;
    int real_work_size = 0;
    int* int_work = nullptr;
    int int_work_size = 0;
};

/// The letters of LAPACK's arguments.
enum class lapack_job : char { none = 'N', some = 'S', all = 'A', vectors = 'V' };

template <class T>
class lapack {
public:
    using real = real_of<T>;

    /// The upper triangle of a becomes U, a = U^H U, or the lower one L, a = L L^H. Positive: not positive definite.
    int potrf(char triangle, int n, T* a) const;
    /// a (m x n) becomes L and U, a = P L U. Positive: U has a 0 on its diagonal.
    int getrf(int m, int n, T* a, int* pivots) const;
    /// b (n x m) becomes the solution of a^T x = b, of getrf's factors of a.
    void getrs_transposed(int n, int m, const T* a, const int* pivots, T* b) const;
    /// Of getrf's factors, the inverse in their place.
    int getri(int n, T* a, const int* pivots, const lapack_scratch<T>&) const;
    lapack_scratch_sizes getri_sizes(int n) const;
    /// b (m x n) becomes b times the inverse of the triangle of a (n x n).
    void trsm_right(char triangle, char transposed, char diagonal, int m, int n, const T* a, int lda, T* b) const;
    /// a (m x n) becomes R and the reflectors of Q, a = Q R.
    int geqrf(int m, int n, T* a, T* tau, const lapack_scratch<T>&) const;
    /// The first n columns of Q (m x n) in the place of k reflectors.
    int orgqr(int m, int n, int k, T* a, const T* tau, const lapack_scratch<T>&) const;
    /// Of both, of a matrix (m x n) whose Q is to have so many columns.
    lapack_scratch_sizes qr_sizes(int m, int n, int columns) const;
    /// Singular values of a (m x n), which is overwritten; with vectors u and vt. Positive: not converged.
    int gesdd(lapack_job, int m, int n, T* a, real* s, T* u, T* vt, int ldvt, const lapack_scratch<T>&) const;
    lapack_scratch_sizes gesdd_sizes(lapack_job, int m, int n) const;
    /// Eigenvalues of the Hermitian matrix whose upper triangle is a's; with vectors, those in the place of a.
    int heevd_upper(lapack_job, int n, T* a, real* w, const lapack_scratch<T>&) const;
    lapack_scratch_sizes heevd_sizes(lapack_job, int n) const;
    /// Eigenvalues of any square matrix, which is overwritten: of a real one their parts in w and w_imag, and of vectors of
    /// a conjugate pair the parts. `right` is null where no vectors are asked for.
    int geev(int n, T* a, T* w, T* w_imag, T* right, const lapack_scratch<T>&) const;
    lapack_scratch_sizes geev_sizes(bool vectors, int n) const;

    /// Finds the functions. @throws device_error
    void find(const openblas_file&);

private:
    static constexpr bool is_complex_type = !std::is_same_v<T, real>;
    using code = const char*;  // a letter; its length comes behind all arguments, as Fortran compilers pass it
    using integer = const int*;
    using length = std::size_t;

    void (*potrf_)(code, integer, T*, integer, int*, length);
    void (*getrf_)(integer, integer, T*, integer, int*, int*);
    void (*getrs_)(code, integer, integer, const T*, integer, const int*, T*, integer, int*, length);
    void (*getri_)(integer, T*, integer, integer, T*, integer, int*);
    void (*trsm_)(code, code, code, code, integer, integer, const T*, const T*, integer, T*, integer, length, length, length,
                  length);
    void (*geqrf_)(integer, integer, T*, integer, T*, T*, integer, int*);
    void (*orgqr_)(integer, integer, integer, T*, integer, const T*, T*, integer, int*);
    // Complex routines take real scratch memory too.
    std::conditional_t<is_complex_type,
                       void (*)(code, integer, integer, T*, integer, real*, T*, integer, T*, integer, T*, integer, real*,
                                int*, int*, length),
                       void (*)(code, integer, integer, T*, integer, real*, T*, integer, T*, integer, T*, integer, int*,
                                int*, length)>
        gesdd_;
    std::conditional_t<is_complex_type,
                       void (*)(code, code, integer, T*, integer, real*, T*, integer, real*, integer, int*, integer, int*,
                                length, length),
                       void (*)(code, code, integer, T*, integer, real*, T*, integer, int*, integer, int*, length, length)>
        heevd_;
    std::conditional_t<
        is_complex_type,
        void (*)(code, code, integer, T*, integer, T*, T*, integer, T*, integer, T*, integer, real*, int*, length, length),
        void (*)(code, code, integer, T*, integer, T*, T*, T*, integer, T*, integer, T*, integer, int*, length, length)>
        geev_;
};

struct lapack_library {
    lapack<float> f32;
    lapack<double> f64;
    lapack<std::complex<float>> c64;
    lapack<std::complex<double>> c128;
    openblas_threads threads;

    template <class T>
    const lapack<T>& of() const {
        if constexpr (std::is_same_v<T, float>)
            return f32;
        else if constexpr (std::is_same_v<T, double>)
            return f64;
        else if constexpr (std::is_same_v<T, std::complex<float>>)
            return c64;
        else
            return c128;
    }
};

/// Loaded at the first call. @throws device_error that says what `who` misses
const lapack_library& the_lapack(std::string_view who);
/// Null where it is missing.
const lapack_library* find_lapack();
/// Loads one of these libraries, the first that is there. For tests; the others use OpenBLAS's usual names.
/// @throws device_error naming `who`, all of them, and Debian's package
void find_lapack(openblas_names, std::string_view who);

/// Calls f with a value of the C++ type of a dtype that LAPACK computes with.
template <class F>
decltype(auto) with_lapack_type(dtype t, F f) {
    switch (t) {
        case dtype::f32: return f(float());
        case dtype::f64: return f(double());
        case dtype::c64: return f(std::complex<float>());
        default: return f(std::complex<double>());
    }
}

}  // namespace frit::v0::detail

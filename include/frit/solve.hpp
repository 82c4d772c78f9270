// Systems of linear equations and what their matrices are factored into: cholesky, lu, solve, solve_triangular, inv, det,
// slogdet. Nodes of the graph that LAPACK runs (OpenBLAS on the CPU, cuSOLVER and own kernels on a GPU); what is computed
// from operands and results fuses on its own side (src/formulas/linalg.cpp). What is called _ex says in an array what
// failed. The spectral ones are in spectra.hpp.
//
// What holds for all: matrices are an operand's last two axes, and those in front are a batch. Floating and complex dtypes
// stay, bool and integers give double; 16-bit floats are computed in float32, and the result is rounded. What cannot be
// computed is a linalg_error when it is evaluated, and all that does not depend on it stays unharmed.
#pragma once

#include <cstdint>
#include <tuple>

#include "frit/detail/composed.hpp"

namespace frit::inline v0 {

namespace linalg {
/// One half of a square matrix, with its diagonal.
enum class triangle : std::uint8_t { lower, upper };
/// As cholesky(a, linalg::upper).
inline constexpr triangle lower = triangle::lower, upper = triangle::upper;

/// What is known of matrices: positive_definite ones are symmetric (Hermitian), too.
enum class structure : std::uint8_t { general, positive_definite };
/// As solve(a, b, linalg::positive_definite).
inline constexpr structure positive_definite = structure::positive_definite;
}  // namespace linalg

namespace detail {

FRIT_API user_ref cholesky_of(const user_ref& a, linalg::triangle, source_line);
FRIT_API user_ref solve_of(const user_ref& a, const user_ref& b, linalg::structure, source_line);
FRIT_API user_ref solve_triangular_of(const user_ref& a, const user_ref& b, linalg::triangle, source_line);
FRIT_API user_ref inv_of(const user_ref& a, source_line);
FRIT_API user_ref det_of(const user_ref& a, source_line);

/// The results of one call, as many as the function has.
struct factors {
    user_ref first, second, third{}, fourth{}, fifth{};
};
FRIT_API factors slogdet_of(const user_ref& a, source_line);
FRIT_API factors lu_of(const user_ref& a, source_line);
FRIT_API factors cholesky_ex_of(const user_ref& a, linalg::triangle, source_line);
FRIT_API factors solve_ex_of(const user_ref& a, const user_ref& b, source_line);
FRIT_API factors solve_triangular_ex_of(const user_ref& a, const user_ref& b, linalg::triangle, source_line);
FRIT_API factors inv_ex_of(const user_ref& a, source_line);

/// The dtype that matrices of A's dtype are computed in, of real numbers and of complex ones beside it.
template <class A>
inline constexpr dtype matrix_dtype = statistic_dtype(operand_t<A>::type);
constexpr dtype real_part_dtype(dtype t) { return t == run_time ? t : real_dtype(t); }
constexpr dtype complex_matrix_dtype(dtype t) { return t == run_time ? t : complex_dtype(t); }
template <class A, class B>
inline constexpr dtype equation_dtype = promote(matrix_dtype<A>, matrix_dtype<B>);

/// One of several results, as an array.
template <dtype D>
auto factor(const user_ref& node) {
    return holder_t<composed<D>>(handle_ref(node.get()));
}
/// A result and, int64, what is said of each matrix.
template <dtype D>
auto with_status(const factors& f) {
    return std::tuple{factor<D>(f.first), factor<dtype::i64>(f.second)};
}

}  // namespace detail

namespace linalg {

/// The lower triangular L with L L^H = a, whose diagonal is positive; a must be symmetric (Hermitian) and positive definite.
/// Of a only the lower triangle is read; with linalg::upper only the upper one, and the result is L^H. The other triangle of
/// the result is 0. A matrix with NaN or infinity gives NaN.
/// ```cpp
/// std::cout << frit::linalg::cholesky(frit::array<double>{{4, 2}, {2, 5}}) << '\n';
/// ```
/// ```text
/// [[2. 0.]
///  [1. 2.]]
/// ```
/// @throws shape_error for what is no square matrix; at evaluation linalg_error where one is not positive definite,
/// device_error where the library is missing
template <detail::operand A>
auto cholesky(const A& a, triangle which = lower, source_line where = {}) {
    return composed<detail::matrix_dtype<A>>(detail::cholesky_of(detail::node_of(a, where), which, where));
}

/// The x with a x = b, by LU factors with partial pivoting: for every matrix of a (..., n, n). b is one vector (n,) for all
/// of them, or matrices (..., n, k), whose columns are right sides; axes in front broadcast. In the promoted dtype of both.
/// A matrix with NaN or infinity gives NaN.
/// ```cpp
/// const frit::array<double> a{{3, 1}, {1, 2}}, b{9, 8};
/// std::cout << frit::linalg::solve(a, b) << '\n';
/// ```
/// ```text
/// [2. 3.]
/// ```
/// @throws shape_error where they do not fit; at evaluation linalg_error where a matrix is singular, device_error where a
/// library is missing, compile_error where NVRTC refuses a GPU's kernel
template <detail::operand A, detail::operand B>
auto solve(const A& a, const B& b, source_line where = {}) {
    return composed<detail::equation_dtype<A, B>>(
        detail::solve_of(detail::node_of(a, where), detail::node_of(b, where), structure::general, where));
}

/// The same of matrices of which more is known. Positive definite ones, solve(a, b, linalg::positive_definite), are solved
/// by cholesky(a), which for large matrices and few right sides is quicker than LU factors (six times for 4096 rows on a
/// GPU); of a only the lower triangle is read. Small matrices on a GPU are quicker without it: those are one launch for all.
/// @throws as solve and, of positive definite matrices, as cholesky
template <detail::operand A, detail::operand B>
auto solve(const A& a, const B& b, structure known, source_line where = {}) {
    return composed<detail::equation_dtype<A, B>>(
        detail::solve_of(detail::node_of(a, where), detail::node_of(b, where), known, where));
}

/// The same of triangular matrices: of a only the triangle that is named is read, as solve_triangular(a, b, linalg::lower).
/// @throws as solve; singular is a matrix with a 0 on its diagonal, which on a GPU gives infinities and NaN instead
template <detail::operand A, detail::operand B>
auto solve_triangular(const A& a, const B& b, triangle which, source_line where = {}) {
    return composed<detail::equation_dtype<A, B>>(
        detail::solve_triangular_of(detail::node_of(a, where), detail::node_of(b, where), which, where));
}

/// The inverse matrices, of NaN where one has NaN or infinity. To solve equations, solve(a, b) is quicker and more exact
/// than inv(a) times b.
/// @throws shape_error for what is no square matrix; at evaluation linalg_error where one is singular, device_error and
/// compile_error as solve
template <detail::operand A>
auto inv(const A& a, source_line where = {}) {
    return composed<detail::matrix_dtype<A>>(detail::inv_of(detail::node_of(a, where), where));
}

/// The determinants, one number a matrix; 1 of a matrix without elements, and 0 of a singular one. It may overflow where
/// slogdet does not.
/// @throws shape_error for what is no square matrix; at evaluation device_error where the library is missing
template <detail::operand A>
auto det(const A& a, source_line where = {}) {
    return composed<detail::matrix_dtype<A>>(detail::det_of(detail::node_of(a, where), where));
}

/// The determinants as (sign, logabsdet): det = sign * exp(logabsdet), where the sign of a complex one has modulus 1. Of a
/// singular matrix they are 0 and -inf.
/// @throws as det
template <detail::operand A>
auto slogdet(const A& a, source_line where = {}) {
    constexpr dtype type = detail::matrix_dtype<A>;
    const detail::factors f = detail::slogdet_of(detail::node_of(a, where), where);
    return std::tuple{detail::factor<type>(f.first), detail::factor<detail::real_part_dtype(type)>(f.second)};
}

/// (P, L, U) with a = P L U, of matrices (..., m, n), k = min(m, n): P (m, m) is a permutation matrix, real; L (m, k) lower
/// triangular with ones on its diagonal; U (k, n) upper triangular. A singular matrix has them too.
/// ```cpp
/// const auto [p, l, u] = frit::linalg::lu(frit::array<double>{{1, 2}, {4, 4}});
/// std::cout << p << '\n' << l << '\n' << u << '\n';
/// ```
/// ```text
/// [[0. 1.]
///  [1. 0.]]
/// [[1.   0.  ]
///  [0.25 1.  ]]
/// [[4. 4.]
///  [0. 1.]]
/// ```
/// @throws shape_error for what is no matrix; at evaluation device_error where the library is missing
template <detail::operand A>
auto lu(const A& a, source_line where = {}) {
    constexpr dtype type = detail::matrix_dtype<A>;
    const detail::factors f = detail::lu_of(detail::node_of(a, where), where);
    return std::tuple{detail::factor<detail::real_part_dtype(type)>(f.first), detail::factor<type>(f.second),
                      detail::factor<type>(f.third)};
}

/// (l, status): as cholesky, but no matrix makes an exception. status, int64 and one number a matrix, is 0 where it has a
/// factor; where it is not positive definite, the factor is NaN, and the status k says that its first k rows and columns are
/// not.
/// ```cpp
/// const frit::array<double> a{{{4, 2}, {2, 5}}, {{1, 2}, {2, 1}}};
/// const auto [l, status] = frit::linalg::cholesky_ex(a);
/// std::cout << l << ' ' << status << '\n';
/// ```
/// ```text
/// [[[ 2.  0.]
///   [ 1.  2.]]
///
///  [[nan nan]
///   [nan nan]]] [0 2]
/// ```
/// @throws shape_error for what is no square matrix; at evaluation device_error where the library is missing
template <detail::operand A>
auto cholesky_ex(const A& a, triangle which = lower, source_line where = {}) {
    return detail::with_status<detail::matrix_dtype<A>>(detail::cholesky_ex_of(detail::node_of(a, where), which, where));
}

/// (x, status): as solve, but no matrix makes an exception. Where one is singular, x is NaN and the status k > 0: the k-th
/// pivot is 0; else 0. Device and size decide which, and whether a matrix within rounding of a singular one is told.
/// @throws shape_error where they do not fit; at evaluation device_error and compile_error as solve
template <detail::operand A, detail::operand B>
auto solve_ex(const A& a, const B& b, source_line where = {}) {
    return detail::with_status<detail::equation_dtype<A, B>>(
        detail::solve_ex_of(detail::node_of(a, where), detail::node_of(b, where), where));
}

/// (x, status): as solve_triangular, but no matrix makes an exception, on any device. Where there is a 0 on a diagonal, x is
/// NaN and the status k > 0: the k-th element of it is the first such; else the status is 0.
/// ```cpp
/// const frit::array<double> a{{{2, 0}, {1, 4}}, {{2, 0}, {1, 0}}}, b{{{4}, {10}}, {{4}, {10}}};
/// const auto [x, status] = frit::linalg::solve_triangular_ex(a, b, frit::linalg::lower);
/// std::cout << x.reshape({2, 2}) << ' ' << status << '\n';
/// ```
/// ```text
/// [[ 2.  2.]
///  [nan nan]] [0 2]
/// ```
/// @throws shape_error where they do not fit; at evaluation device_error where the library is missing
template <detail::operand A, detail::operand B>
auto solve_triangular_ex(const A& a, const B& b, triangle which, source_line where = {}) {
    return detail::with_status<detail::equation_dtype<A, B>>(
        detail::solve_triangular_ex_of(detail::node_of(a, where), detail::node_of(b, where), which, where));
}

/// (x, status): the inverses, as solve_ex of identity matrices. @throws as solve_ex
template <detail::operand A>
auto inv_ex(const A& a, source_line where = {}) {
    return detail::with_status<detail::matrix_dtype<A>>(detail::inv_ex_of(detail::node_of(a, where), where));
}

}  // namespace linalg
}  // namespace frit::v0

// What matrices are taken apart into, orthogonal factors, singular values and eigenvalues: qr, svd, svdvals, eigh, eigvalsh,
// eig, eigvals. What stands in solve.hpp of shapes, dtypes and errors holds for them too. Of several results, those that
// nobody asks for are not computed: svd's singular values alone take no vectors, eigh's values alone none. (Their bits may
// then be others; their order, which is the vectors', is the same. eig's has no rule, so its values come with its vectors.)
// svd_ex, eigh_ex and their like say in an array what did not converge; qr always has factors.
#pragma once

#include "frit/solve.hpp"

namespace frit::inline v0 {

namespace linalg {
/// Of m x n matrices, how many columns q has: min(m, n) or m.
enum class qr_mode : std::uint8_t { reduced, complete };
/// As qr(a, linalg::complete).
inline constexpr qr_mode reduced = qr_mode::reduced, complete = qr_mode::complete;
}  // namespace linalg

namespace detail {
FRIT_API factors qr_of(const user_ref& a, linalg::qr_mode, source_line);
FRIT_API factors svd_of(const user_ref& a, bool full_matrices, source_line);
FRIT_API user_ref svdvals_of(const user_ref& a, source_line);
FRIT_API factors svd_ex_of(const user_ref& a, bool full_matrices, source_line);
FRIT_API factors svdvals_ex_of(const user_ref& a, source_line);
FRIT_API factors eigh_of(const user_ref& a, linalg::triangle, source_line);
FRIT_API user_ref eigvalsh_of(const user_ref& a, linalg::triangle, source_line);
FRIT_API factors eigh_ex_of(const user_ref& a, linalg::triangle, source_line);
FRIT_API factors eigvalsh_ex_of(const user_ref& a, linalg::triangle, source_line);
FRIT_API factors eig_of(const user_ref& a, source_line);
FRIT_API user_ref eigvals_of(const user_ref& a, source_line);
}  // namespace detail

namespace linalg {

/// (q, r) with a = q r, of matrices (..., m, n), k = min(m, n): the columns of q (m, k) are orthonormal, r (k, n) is upper
/// triangular. With linalg::complete q is (m, m), and r is (m, n).
/// ```cpp
/// const auto [q, r] = frit::linalg::qr(frit::array<double>{{3, 1}, {4, 2}});
/// std::cout << frit::round(q * 100) << '\n' << frit::round(r * 100) << '\n';
/// ```
/// ```text
/// [[-60. -80.]
///  [-80.  60.]]
/// [[-500. -220.]
///  [   0.   40.]]
/// ```
/// @throws shape_error for what is no matrix; at evaluation device_error where the library is missing
template <detail::operand A>
auto qr(const A& a, qr_mode mode = reduced, source_line where = {}) {
    constexpr dtype type = detail::matrix_dtype<A>;
    const detail::factors f = detail::qr_of(detail::node_of(a, where), mode, where);
    return std::tuple{detail::factor<type>(f.first), detail::factor<type>(f.second)};
}

/// (u, s, vh) with a = u diag(s) vh, of matrices (..., m, n), k = min(m, n): the singular values s (k,) fall, and are real;
/// the columns of u (m, m) and the rows of vh (n, n) are orthonormal. With full_matrices = false u is (m, k) and vh (k, n).
/// A matrix with NaN or infinity gives NaN.
/// ```cpp
/// const auto [u, s, vh] = frit::linalg::svd(frit::array<double>{{3, 0}, {4, 5}});
/// std::cout << s * s << '\n';
/// ```
/// ```text
/// [45.  5.]
/// ```
/// @throws shape_error for what is no matrix; at evaluation linalg_error where it does not converge, device_error where a
/// library is missing, compile_error where NVRTC refuses a GPU's kernel
template <detail::operand A>
auto svd(const A& a, bool full_matrices = true, source_line where = {}) {
    constexpr dtype type = detail::matrix_dtype<A>;
    const detail::factors f = detail::svd_of(detail::node_of(a, where), full_matrices, where);
    return std::tuple{detail::factor<type>(f.first), detail::factor<detail::real_part_dtype(type)>(f.second),
                      detail::factor<type>(f.third)};
}

/// The singular values alone, falling. @throws as svd
template <detail::operand A>
auto svdvals(const A& a, source_line where = {}) {
    return composed<detail::real_part_dtype(detail::matrix_dtype<A>)>(detail::svdvals_of(detail::node_of(a, where), where));
}

/// (u, s, vh, status): as svd, but no matrix makes an exception. status, int64 and one number a matrix, is 0 where the
/// singular values were found; else it is what LAPACK or cuSOLVER says, above 0, and that matrix's results are NaN. A matrix
/// with NaN or infinity gives NaN and the status 0.
/// ```cpp
/// const auto [u, s, vh, status] = frit::linalg::svd_ex(frit::array<double>{{3, 0}, {4, 5}});
/// std::cout << s * s << ' ' << status << '\n';
/// ```
/// ```text
/// [45.  5.] 0
/// ```
/// @throws shape_error for what is no matrix; at evaluation device_error and compile_error as svd
template <detail::operand A>
auto svd_ex(const A& a, bool full_matrices = true, source_line where = {}) {
    constexpr dtype type = detail::matrix_dtype<A>;
    const detail::factors f = detail::svd_ex_of(detail::node_of(a, where), full_matrices, where);
    return std::tuple{detail::factor<type>(f.first), detail::factor<detail::real_part_dtype(type)>(f.second),
                      detail::factor<type>(f.third), detail::factor<dtype::i64>(f.fourth)};
}

/// (s, status): the singular values alone. @throws as svd_ex
template <detail::operand A>
auto svdvals_ex(const A& a, source_line where = {}) {
    return detail::with_status<detail::real_part_dtype(detail::matrix_dtype<A>)>(
        detail::svdvals_ex_of(detail::node_of(a, where), where));
}

/// (w, v) with a v = v diag(w), of symmetric (Hermitian) matrices (..., n, n): the eigenvalues w (n,) rise, and are real;
/// the columns of v (n, n) are orthonormal. Of a only the lower triangle is read, or, with linalg::upper, the upper one. A
/// matrix with NaN or infinity there gives NaN.
/// ```cpp
/// const auto [w, v] = frit::linalg::eigh(frit::array<double>{{2, 1}, {1, 2}});
/// std::cout << frit::round(w * 100) / 100 << '\n';
/// ```
/// ```text
/// [1. 3.]
/// ```
/// @throws shape_error for what is no square matrix; at evaluation linalg_error where it does not converge, device_error and
/// compile_error as svd
template <detail::operand A>
auto eigh(const A& a, triangle which = lower, source_line where = {}) {
    constexpr dtype type = detail::matrix_dtype<A>;
    const detail::factors f = detail::eigh_of(detail::node_of(a, where), which, where);
    return std::tuple{detail::factor<detail::real_part_dtype(type)>(f.first), detail::factor<type>(f.second)};
}

/// The eigenvalues of symmetric (Hermitian) matrices alone, rising. @throws as eigh
template <detail::operand A>
auto eigvalsh(const A& a, triangle which = lower, source_line where = {}) {
    return composed<detail::real_part_dtype(detail::matrix_dtype<A>)>(
        detail::eigvalsh_of(detail::node_of(a, where), which, where));
}

/// (w, v, status): as eigh, but no matrix makes an exception; the status is as svd_ex's.
/// @throws shape_error for what is no square matrix; at evaluation device_error and compile_error as svd
template <detail::operand A>
auto eigh_ex(const A& a, triangle which = lower, source_line where = {}) {
    constexpr dtype type = detail::matrix_dtype<A>;
    const detail::factors f = detail::eigh_ex_of(detail::node_of(a, where), which, where);
    return std::tuple{detail::factor<detail::real_part_dtype(type)>(f.first), detail::factor<type>(f.second),
                      detail::factor<dtype::i64>(f.third)};
}

/// (w, status): the eigenvalues of symmetric (Hermitian) matrices alone. @throws as eigh_ex
template <detail::operand A>
auto eigvalsh_ex(const A& a, triangle which = lower, source_line where = {}) {
    return detail::with_status<detail::real_part_dtype(detail::matrix_dtype<A>)>(
        detail::eigvalsh_ex_of(detail::node_of(a, where), which, where));
}

/// (w, v) with a v = v diag(w), of any square matrices (..., n, n): both are complex, whatever a is. The eigenvalues w (n,)
/// are in no order but that of v's columns (n, n), which have norm 1. A matrix with NaN or infinity gives NaN.
/// @throws as eigh
template <detail::operand A>
auto eig(const A& a, source_line where = {}) {
    constexpr dtype type = detail::complex_matrix_dtype(detail::matrix_dtype<A>);
    const detail::factors f = detail::eig_of(detail::node_of(a, where), where);
    return std::tuple{detail::factor<type>(f.first), detail::factor<type>(f.second)};
}

/// The eigenvalues of any square matrices alone, complex and in no order, which without vectors may be another than eig's.
/// @throws as eigh
template <detail::operand A>
auto eigvals(const A& a, source_line where = {}) {
    return composed<detail::complex_matrix_dtype(detail::matrix_dtype<A>)>(
        detail::eigvals_of(detail::node_of(a, where), where));
}

}  // namespace linalg
}  // namespace frit::v0

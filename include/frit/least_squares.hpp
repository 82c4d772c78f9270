// Formulas over the factors of matrices: lstsq, pinv, matrix_rank, from singular values; matrix_power and expm, from
// products. What stands in solve.hpp of shapes, dtypes and errors holds for them too (src/formulas/least_squares.cpp).
#pragma once

#include "frit/linalg.hpp"
#include "frit/spectra.hpp"

namespace frit::inline v0 {

namespace detail {
FRIT_API factors lstsq_of(const user_ref& a, const user_ref& b, double rcond, source_line);
FRIT_API factors lstsq_ex_of(const user_ref& a, const user_ref& b, double rcond, source_line);
/// rconds: one for each matrix, or null: `rcond` is that of all.
FRIT_API user_ref pinv_of(const user_ref& a, double rcond, const user_ref& rconds, source_line);
FRIT_API user_ref matrix_rank_of(const user_ref& a, double rcond, const user_ref& rconds, source_line);
FRIT_API user_ref matrix_power_of(const user_ref& a, std::int64_t n, source_line);
FRIT_API user_ref expm_of(const user_ref& a, source_line);
}  // namespace detail

namespace linalg {

/// (x, residuals, rank, s): the x with the least |b - a x|, and of several the shortest one. b is as for solve, of matrices
/// (..., m, n). residuals are the sums of |b - a x|^2 of each right side (NumPy leaves them out where a has not full rank);
/// rank (int64) counts the singular values s above rcond times the largest, the others count as 0. A negative rcond stands
/// for max(m, n) times the dtype's epsilon.
/// ```cpp
/// const frit::array<double> a{{0, 1}, {1, 1}, {2, 1}}, b{1, 3, 5};
/// const auto [x, residuals, rank, s] = frit::linalg::lstsq(a, b);
/// std::cout << frit::round(x * 100) / 100 << ' ' << rank << '\n';
/// ```
/// ```text
/// [2. 1.] 2
/// ```
/// @throws shape_error where they do not fit; at evaluation as svd
template <detail::operand A, detail::operand B>
auto lstsq(const A& a, const B& b, double rcond = -1, source_line where = {}) {
    constexpr dtype type = detail::equation_dtype<A, B>, real = detail::real_part_dtype(type);
    const detail::factors r = detail::lstsq_of(detail::node_of(a, where), detail::node_of(b, where), rcond, where);
    return std::tuple{detail::factor<type>(r.first), detail::factor<real>(r.second), detail::factor<dtype::i64>(r.third),
                      detail::factor<real>(r.fourth)};
}

/// (x, residuals, rank, s, status): as lstsq, but no matrix makes an exception; the status is as svd_ex's. Where it is not
/// 0, x, residuals and s are NaN, and the rank is 0. @throws shape_error where they do not fit; at evaluation as svd_ex
template <detail::operand A, detail::operand B>
auto lstsq_ex(const A& a, const B& b, double rcond = -1, source_line where = {}) {
    constexpr dtype type = detail::equation_dtype<A, B>, real = detail::real_part_dtype(type);
    const detail::factors r = detail::lstsq_ex_of(detail::node_of(a, where), detail::node_of(b, where), rcond, where);
    return std::tuple{detail::factor<type>(r.first), detail::factor<real>(r.second), detail::factor<dtype::i64>(r.third),
                      detail::factor<real>(r.fourth), detail::factor<dtype::i64>(r.fifth)};
}

/// The Moore-Penrose inverses (..., n, m) of matrices (..., m, n): what solves equations as lstsq does. Singular values up
/// to rcond times the largest count as 0; a negative rcond stands for max(m, n) times the dtype's epsilon.
/// @throws as svd
template <detail::operand A>
auto pinv(const A& a, double rcond = -1, source_line where = {}) {
    return composed<detail::matrix_dtype<A>>(detail::pinv_of(detail::node_of(a, where), rcond, {}, where));
}
/// The same with an rcond for each matrix, real numbers whose shape broadcasts with the batch's.
/// @throws dtype_error for complex ones; else as svd
template <detail::operand A, detail::operand R>
auto pinv(const A& a, const R& rcond, source_line where = {}) {
    return composed<detail::matrix_dtype<A>>(
        detail::pinv_of(detail::node_of(a, where), 0, detail::node_of(rcond, where), where));
}

/// How many singular values are above rcond times the largest (int64); a negative rcond stands for max(m, n) times the
/// dtype's epsilon. @throws as svd
template <detail::operand A>
auto matrix_rank(const A& a, double rcond = -1, source_line where = {}) {
    return composed<dtype::i64>(detail::matrix_rank_of(detail::node_of(a, where), rcond, {}, where));
}
/// The same with an rcond for each matrix, real numbers whose shape broadcasts with the batch's.
/// @throws dtype_error for complex ones; else as svd
template <detail::operand A, detail::operand R>
auto matrix_rank(const A& a, const R& rcond, source_line where = {}) {
    return composed<dtype::i64>(detail::matrix_rank_of(detail::node_of(a, where), 0, detail::node_of(rcond, where), where));
}

/// Square matrices multiplied by themselves: a^n in about log2(n) products, the identity for n = 0, and for a negative n the
/// inverse's power. In a's dtype; products of integers wrap.
/// @throws shape_error for what is no square matrix, dtype_error for a negative power of integers; at evaluation as inv
template <detail::operand A>
auto matrix_power(const A& a, detail::any_integer n, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::matrix_power_of(detail::node_of(a, where), n, where));
}

/// The matrix exponentials, 1 + a + a a / 2 + ...: a rational function of a / 2^s, squared s times (N. J. Higham, "The
/// scaling and squaring method for the matrix exponential revisited", 2005). How large the elements are, and so s, is
/// evaluated when it is called. A matrix with NaN or infinity gives NaN.
/// @throws shape_error for what is no square matrix; device_error where the library is missing
template <detail::operand A>
auto expm(const A& a, source_line where = {}) {
    return composed<detail::matrix_dtype<A>>(detail::expm_of(detail::node_of(a, where), where));
}

}  // namespace linalg
}  // namespace frit::v0

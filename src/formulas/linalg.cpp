// Linear algebra as users call it, over the library ops that do it (src/libraries): operands are promoted and checked here,
// so that errors name the function, and batches broadcast as views. The other triangle is the adjoint's.
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "src/formulas/matrices.hpp"

namespace frit::inline v0::detail {

value matrices_of(std::string_view who, const user_ref& x, source_line where) {
    if (x->extents->rank() < 2) throw_shape_error(who, "takes matrices, (..., m, n)", {x->extents, 1}, where);
    return shared_value(in_dtype(value(x), statistic_dtype(x->meant), where), where);
}

value square_matrices_of(std::string_view who, const user_ref& x, source_line where) {
    const shape& of = *x->extents;
    if (of.rank() < 2 || of[-1] != of[-2]) throw_shape_error(who, "takes square matrices, (..., n, n)", {&of, 1}, where);
    return matrices_of(who, x, where);
}

value adjoint(const value& a, source_line where) {
    const attribute_ref transposed = swapaxes_attribute(a.shape(where), -2, -1, where);
    if (!is_complex(a.node()->meant)) return recorded(make_view(a, transposed), where);
    return shared(make_view(recorded(conj(a), where), transposed), where);
}

shape batch_of(const shape& of, source_line where) {
    const std::vector<std::int64_t> extents(of.begin(), of.end() - 2);
    return shape(extents, where);
}

value with_last_axis(const value& x, source_line where) {
    return recorded(make_view(x, expand_dims_attribute(x.shape(where), axes(-1), where)), where);
}
value without_last_axis(const value& x, source_line where) {
    const index first[] = {frit::ellipsis, 0};
    return recorded(make_view(x, index_attribute(x.shape(where), first, where)), where);
}

value nan_unless_good(const value& x, const value& status, source_line where) {
    return recorded(frit::where(status == 0, x, std::numeric_limits<double>::quiet_NaN()), where);
}

value identity_like(const value& a, source_line where) {
    const shape of = a.shape(where);
    const auto i = coordinate(of, of.rank() - 2), j = coordinate(of, of.rank() - 1);
    return recorded(cast(i == j, a.node()->meant), where);
}

namespace {

/// x with another batch in front of its matrices.
value broadcast_batch(const value& x, const shape& batch, source_line where) {
    shape to = batch;
    const shape of = x.shape(where);
    for (int k = of.rank() - 2; k < of.rank(); ++k) to.push_back(of[k], where);
    if (to == of) return x;
    return recorded(make_view(x, broadcast_attribute(of, to, where)), where);
}

template <op O>
user_ref only(const value& a, source_line where) {
    return result(make_as<O, run_time, run_time>(a), where);
}
template <op First, op Second>
factors both(const value& a, source_line where) {
    return {only<First>(a, where), only<Second>(a, where)};
}
template <op First, op Second, op Third>
factors three(const value& a, source_line where) {
    return {only<First>(a, where), only<Second>(a, where), only<Third>(a, where)};
}

/// Zeros on one side of the diagonal.
value with_triangle(const value& a, linalg::triangle which, source_line where) {
    const shape of = a.shape(where);
    const auto i = coordinate(of, of.rank() - 2), j = coordinate(of, of.rank() - 1);
    return which == linalg::lower ? recorded(frit::where(i >= j, a, 0), where) : recorded(frit::where(i <= j, a, 0), where);
}

/// A call's result O, and NaN where its status is not 0, rounded to `type`; behind the batch it has so many axes.
template <op O>
user_ref unless_bad(const value& a, const value& status, int axes_behind, dtype type, source_line where) {
    value beside = status;
    for (int k = 0; k < axes_behind; ++k) beside = with_last_axis(beside, where);
    const value found = recorded(make_as<O, run_time, run_time>(a), where);
    return result(nan_unless_good(found, beside, where), type, where);
}

/// Solutions of equations with these right sides, and NaN where a matrix's status is not 0.
value nan_unless_solved(const value& x, const value& status, const value& b, source_line where) {
    value beside = with_last_axis(status, where);
    if (b.rank(where) > 1) beside = with_last_axis(beside, where);
    return nan_unless_good(x, beside, where);
}

/// Of each matrix the place, from 1, of the first 0 on the diagonal, else 0.
value zero_on_diagonal(const value& a, source_line where) {
    const value d = recorded(make_view(a, diagonal_attribute(a.shape(where), 0, -2, -1, where)), where);
    const shape of = d.shape(where);
    const std::int64_t n = of[-1];
    const value behind = recorded(frit::where(d == 0, n - coordinate(of, of.rank() - 1), 0), where);  // how many from it on
    const axes last(-1);
    const attribute_ref over = reduce_attribute("solve_triangular_ex", of, {.which = &last, .where = where});
    const value most =
        n == 0 ? recorded(reduce_along<op::sum>(behind, over), where) : recorded(reduce_along<op::max>(behind, over), where);
    return shared(frit::where(most == 0, most, n + 1 - most), where);
}

value lower_of(const value& a, linalg::triangle which, source_line where) {
    return which == linalg::lower ? a : adjoint(a, where);
}

/// The batch of both sides of an equation. @throws shape_error naming their shapes
shape common_batch(std::string_view who, const shape& of_a, const shape& of_b, source_line where) try {
    const shape batches[] = {batch_of(of_a, where), batch_of(of_b, where)};
    return broadcast_shape(who, batches, where);
} catch (const shape_error&) {
    const shape given[] = {of_a, of_b};
    throw_shape_error(who, "the batches do not broadcast together", given, where);
}

}  // namespace

equation equation_of(std::string_view who, const value& a, const user_ref& b, int side, source_line where) {
    const shape of_a = a.shape(where), &of_b = *b->extents;
    const std::int64_t n = of_a[side];
    if (of_b.rank() == 0 || of_b[of_b.rank() == 1 ? 0 : -2] != n) {
        const shape given[] = {of_a, of_b};
        throw_shape_error(who, "the right side has not as many rows as the matrices; it is (n,) or (..., n, k)", given,
                          where);
    }
    const dtype type = promote(a.node()->meant, statistic_dtype(b->meant));
    const value left = in_dtype(a, type, where), right = in_dtype(value(b), type, where);
    if (of_b.rank() == 1) return {left, right};
    const shape batch = common_batch(who, of_a, of_b, where);
    return {broadcast_batch(left, batch, where), broadcast_batch(right, batch, where)};
}

user_ref cholesky_of(const user_ref& a, linalg::triangle which, source_line where) try {
    const value matrix = square_matrices_of("cholesky", a, where);
    if (which == linalg::lower) return only<op::cholesky>(matrix, where);
    const value factor = recorded(make_as<op::cholesky, run_time, run_time>(adjoint(matrix, where)), where);
    return result(adjoint(factor, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("cholesky", where);
}

/// By Cholesky's factor, in the register dtype, of the matrices that are there rather than of each of the right sides'
/// batch.
static user_ref solution_by_cholesky(const value& matrix, const user_ref& b, source_line where) {
    const dtype type = promote(matrix.node()->meant, statistic_dtype(b->meant));
    const value l = shared(make_as<op::cholesky, run_time, run_time>(in_dtype(matrix, register_dtype(type), where)), where);
    const bool one_vector = b->extents->rank() == 1 && matrix.rank(where) > 2;  // for all of a batch
    const equation e = equation_of("solve", l, one_vector ? with_last_axis(value(b), where).node() : b, -1, where);
    const value y = recorded(make_as<op::solve_lower, run_time, run_time>(e.a, e.b), where);
    const value above = broadcast_batch(adjoint(l, where), batch_of(e.a.shape(where), where), where);
    const value x = recorded(make_as<op::solve_upper, run_time, run_time>(above, y), where);
    return result(one_vector ? without_last_axis(x, where) : x, type, where);
}

user_ref solve_of(const user_ref& a, const user_ref& b, linalg::structure known, source_line where) try {
    const value matrix = square_matrices_of("solve", a, where);
    if (known == linalg::structure::positive_definite) return solution_by_cholesky(matrix, b, where);
    const equation e = equation_of("solve", matrix, b, -1, where);
    return result(make_as<op::solve, run_time, run_time>(e.a, e.b), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("solve", where);
}

unchecked unchecked_solution(const value& a, const value& b, source_line where) {
    const value status = shared(make_as<op::solve_status, run_time, run_time>(a, b), where);
    const value x = recorded(make_as<op::solve_unchecked, run_time, run_time>(a, b), where);
    return {nan_unless_solved(x, status, b, where), status};
}

factors cholesky_ex_of(const user_ref& a, linalg::triangle which, source_line where) try {
    const value matrix = square_matrices_of("cholesky_ex", a, where);
    const value given = shared_value(lower_of(matrix, which, where), where);
    const value status = shared(make_as<op::cholesky_status, run_time, run_time>(given), where);
    const value packed = recorded(make_as<op::cholesky_unchecked, run_time, run_time>(given), where);
    const value beside = with_last_axis(with_last_axis(status, where), where);
    const value factor = nan_unless_good(with_triangle(packed, linalg::lower, where), beside, where);
    return {result(lower_of(factor, which, where), matrix.node()->meant, where), result(status, where)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("cholesky_ex", where);
}

factors solve_ex_of(const user_ref& a, const user_ref& b, source_line where) try {
    const equation e = equation_of("solve_ex", square_matrices_of("solve_ex", a, where), b, -1, where);
    const unchecked s = unchecked_solution(shared_value(e.a, where), shared_value(e.b, where), where);
    return {result(s.x, e.a.node()->meant, where), result(s.status, where)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("solve_ex", where);
}

factors inv_ex_of(const user_ref& a, source_line where) try {
    const value matrix = square_matrices_of("inv_ex", a, where);
    const unchecked s = unchecked_solution(matrix, shared_value(identity_like(matrix, where), where), where);
    return {result(s.x, matrix.node()->meant, where), result(s.status, where)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("inv_ex", where);
}

user_ref solve_triangular_of(const user_ref& a, const user_ref& b, linalg::triangle which, source_line where) try {
    constexpr std::string_view who = "solve_triangular";
    const equation e = equation_of(who, square_matrices_of(who, a, where), b, -1, where);
    if (which == linalg::lower) return result(make_as<op::solve_lower, run_time, run_time>(e.a, e.b), where);
    return result(make_as<op::solve_upper, run_time, run_time>(e.a, e.b), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("solve_triangular", where);
}

factors solve_triangular_ex_of(const user_ref& a, const user_ref& b, linalg::triangle which, source_line where) try {
    constexpr std::string_view who = "solve_triangular_ex";
    const equation e = equation_of(who, square_matrices_of(who, a, where), b, -1, where);
    const value status = zero_on_diagonal(e.a, where);
    const value x = which == linalg::lower
                        ? recorded(make_as<op::solve_lower_unchecked, run_time, run_time>(e.a, e.b), where)
                        : recorded(make_as<op::solve_upper_unchecked, run_time, run_time>(e.a, e.b), where);
    return {result(nan_unless_solved(x, status, e.b, where), e.a.node()->meant, where), result(status, where)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("solve_triangular_ex", where);
}

user_ref inv_of(const user_ref& a, source_line where) try {
    return only<op::inverse>(square_matrices_of("inv", a, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("inv", where);
}

user_ref det_of(const user_ref& a, source_line where) try {
    return only<op::determinant>(square_matrices_of("det", a, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("det", where);
}

factors slogdet_of(const user_ref& a, source_line where) try {
    return both<op::determinant_sign, op::log_determinant>(square_matrices_of("slogdet", a, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("slogdet", where);
}

factors lu_of(const user_ref& a, source_line where) try {
    return three<op::lu_permutation, op::lu_lower, op::lu_upper>(matrices_of("lu", a, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("lu", where);
}

factors qr_of(const user_ref& a, linalg::qr_mode mode, source_line where) try {
    const value matrix = matrices_of("qr", a, where);
    if (mode == linalg::reduced) return both<op::qr_q, op::qr_r>(matrix, where);
    const shape of = matrix.shape(where);
    if (of[-1] == 0) {  // LAPACK has no factors of it
        shape square = batch_of(of, where);
        for (int k = 0; k < 2; ++k) square.push_back(of[-2], where);
        const auto one = coordinate(square, square.rank() - 2) == coordinate(square, square.rank() - 1);
        return {result(recorded(cast(one, matrix.node()->meant), where), where), result(matrix, where)};
    }
    const value r = recorded(make_as<op::qr_complete_r, run_time, run_time>(matrix), where);
    return {only<op::qr_complete_q>(matrix, where), result(with_triangle(r, linalg::upper, where), where)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("qr", where);
}

factors svd_of(const user_ref& a, bool full_matrices, source_line where) try {
    const value matrix = matrices_of("svd", a, where);
    if (full_matrices) return three<op::svd_full_u, op::svd_full_s, op::svd_full_vh>(matrix, where);
    return three<op::svd_u, op::svd_s, op::svd_vh>(matrix, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("svd", where);
}

user_ref svdvals_of(const user_ref& a, source_line where) try {
    return only<op::svd_s>(matrices_of("svdvals", a, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("svdvals", where);
}

factors svd_ex_of(const user_ref& a, bool full_matrices, source_line where) try {
    const value matrix = matrices_of("svd_ex", a, where);
    const dtype type = matrix.node()->meant, real = real_dtype(type);
    if (full_matrices) {
        const value status = shared(make_as<op::svd_full_status, run_time, run_time>(matrix), where);
        return {unless_bad<op::svd_full_unchecked_u>(matrix, status, 2, type, where),
                unless_bad<op::svd_full_unchecked_s>(matrix, status, 1, real, where),
                unless_bad<op::svd_full_unchecked_vh>(matrix, status, 2, type, where), result(status, where)};
    }
    const value status = shared(make_as<op::svd_status, run_time, run_time>(matrix), where);
    return {unless_bad<op::svd_unchecked_u>(matrix, status, 2, type, where),
            unless_bad<op::svd_unchecked_s>(matrix, status, 1, real, where),
            unless_bad<op::svd_unchecked_vh>(matrix, status, 2, type, where), result(status, where)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("svd_ex", where);
}

factors svdvals_ex_of(const user_ref& a, source_line where) try {
    const value matrix = matrices_of("svdvals_ex", a, where);
    const value status = shared(make_as<op::svd_status, run_time, run_time>(matrix), where);
    return {unless_bad<op::svd_unchecked_s>(matrix, status, 1, real_dtype(matrix.node()->meant), where),
            result(status, where)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("svdvals_ex", where);
}

factors eigh_of(const user_ref& a, linalg::triangle which, source_line where) try {
    return both<op::eigh_values, op::eigh_vectors>(lower_of(square_matrices_of("eigh", a, where), which, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("eigh", where);
}

user_ref eigvalsh_of(const user_ref& a, linalg::triangle which, source_line where) try {
    return only<op::eigh_values>(lower_of(square_matrices_of("eigvalsh", a, where), which, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("eigvalsh", where);
}

factors eigh_ex_of(const user_ref& a, linalg::triangle which, source_line where) try {
    const value matrix = shared_value(lower_of(square_matrices_of("eigh_ex", a, where), which, where), where);
    const dtype type = matrix.node()->meant;
    const value status = shared(make_as<op::eigh_status, run_time, run_time>(matrix), where);
    return {unless_bad<op::eigh_unchecked_values>(matrix, status, 1, real_dtype(type), where),
            unless_bad<op::eigh_unchecked_vectors>(matrix, status, 2, type, where), result(status, where)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("eigh_ex", where);
}

factors eigvalsh_ex_of(const user_ref& a, linalg::triangle which, source_line where) try {
    const value matrix = shared_value(lower_of(square_matrices_of("eigvalsh_ex", a, where), which, where), where);
    const value status = shared(make_as<op::eigh_status, run_time, run_time>(matrix), where);
    return {unless_bad<op::eigh_unchecked_values>(matrix, status, 1, real_dtype(matrix.node()->meant), where),
            result(status, where)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("eigvalsh_ex", where);
}

factors eig_of(const user_ref& a, source_line where) try {
    return both<op::eig_values, op::eig_vectors>(square_matrices_of("eig", a, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("eig", where);
}

user_ref eigvals_of(const user_ref& a, source_line where) try {
    return only<op::eigvals>(square_matrices_of("eigvals", a, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("eigvals", where);
}

}  // namespace frit::v0::detail

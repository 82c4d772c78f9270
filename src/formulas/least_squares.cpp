// Formulas over singular values: lstsq, pinv, matrix_rank; and over products: matrix_power, expm. Of 16-bit floats
// they are computed in float32 from end to end, and rounded once.
#include "frit/least_squares.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "src/formulas/matrices.hpp"

namespace frit::inline v0::detail {
namespace {

/// Matrices in the dtype that they are computed in.
value computed(const value& a, source_line where) { return in_dtype(a, register_dtype(a.node()->meant), where); }

/// What singular values are compared with: so much of the largest one.
struct cutoff {
    double rcond;        ///< negative: max(m, n) epsilons
    user_ref each = {};  ///< in the place of it one for each matrix, if not null; negative ones alike
    std::string_view who = {};
};

/// The factors of a = u diag(s) vh, and which of s count.
struct singular_values {
    value a;
    std::optional<value> status;  ///< where it is not 0, results are NaN; without one such a matrix is an error
    value s, least;
    source_line where;

    singular_values(const value& of, const cutoff& by, source_line line, bool with_status = false)
        : a(of),
          status(with_status ? std::optional(shared(make_as<op::svd_status, run_time, run_time>(a), line)) : std::nullopt),
          s(status ? found_unless(*status, line) : shared(make_as<op::svd_s, run_time, run_time>(a), line)),
          least(s),
          where(line) {
        const index largest[] = {frit::ellipsis, slice(0, 1)};
        const value first = recorded(make_view(s, index_attribute(s.shape(where), largest, where)), where);
        if (by.each) {
            check_real(by.who, by.each->meant, where);
            (void)broadcast_shape(by.who, std::array{batch_of(a.shape(where), where), value(by.each).shape(where)}, where);
            const value each = with_last_axis(in_dtype(value(by.each), s.node()->meant, where), where);
            least = recorded(first * frit::where(each < 0.0, usual_rcond(), each), where);
        } else {
            least = recorded(first * (by.rcond < 0 ? usual_rcond() : by.rcond), where);
        }
    }
    double usual_rcond() const {
        const shape extents = a.shape(where);
        const double epsilon = real_dtype(a.node()->meant) == dtype::f32 ? std::numeric_limits<float>::epsilon()
                                                                         : std::numeric_limits<double>::epsilon();
        return epsilon * static_cast<double>(std::max(extents[-1], extents[-2]));
    }
    value found_unless(const value& bad, source_line line) const {
        const value found = recorded(make_as<op::svd_unchecked_s, run_time, run_time>(a), line);
        return shared_value(nan_unless_good(found, with_last_axis(bad, line), line), line);
    }
    auto counts() const { return s > least; }
    /// 1 / s, and 0 for those that do not count.
    value inverted() const { return recorded(frit::where(counts(), 1.0 / s, 0.0), where); }
    value rank() const {
        const auto counted = recorded(cast<std::int64_t>(counts()), where);
        return recorded(reduce_along<op::sum>(counted, over_axis(counted, -1)), where);
    }
    attribute_ref over_axis(const value& x, int axis) const {
        const axes along(axis);
        return reduce_attribute("sum", x.shape(where), {.which = &along, .where = where});
    }
    /// vh^H diag(1 / s) u^H times b
    value solution(const value& b) const {
        const value u = status ? recorded(make_as<op::svd_unchecked_u, run_time, run_time>(a), where)
                               : recorded(make_as<op::svd_u, run_time, run_time>(a), where);
        const value vh = status ? recorded(make_as<op::svd_unchecked_vh, run_time, run_time>(a), where)
                                : recorded(make_as<op::svd_vh, run_time, run_time>(a), where);
        const value projected = recorded(matmul(adjoint(u, where), b), where);
        const value scaled = recorded(with_last_axis(inverted(), where) * projected, where);
        const value x = recorded(matmul(adjoint(vh, where), scaled), where);
        return status ? nan_unless_good(x, with_last_axis(with_last_axis(*status, where), where), where) : x;
    }
};

factors least_squares(const char* who, const user_ref& a, const user_ref& b, double rcond, bool with_status,
                      source_line where) try {
    const equation e = equation_of(who, matrices_of(who, a, where), b, -2, where);
    const dtype type = e.a.node()->meant, real_type = real_dtype(type);
    const singular_values f(shared_value(computed(e.a, where), where), {rcond}, where, with_status);
    const bool vector = e.b.rank(where) == 1;
    const value right = shared_value(computed(vector ? with_last_axis(e.b, where) : e.b, where), where);
    const value x = shared_value(f.solution(right), where);
    const value rest = recorded(right - matmul(f.a, x), where);
    const value size = recorded(abs(rest), where);
    const value squares = recorded(reduce_along<op::sum>(size * size, f.over_axis(size, -2)), where);
    return {result(vector ? without_last_axis(x, where) : x, type, where),
            result(vector ? without_last_axis(squares, where) : squares, real_type, where), result(f.rank(), where),
            result(f.s, real_type, where), f.status ? result(*f.status, where) : user_ref()};
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

}  // namespace

factors lstsq_of(const user_ref& a, const user_ref& b, double rcond, source_line where) {
    return least_squares("lstsq", a, b, rcond, false, where);
}
factors lstsq_ex_of(const user_ref& a, const user_ref& b, double rcond, source_line where) {
    return least_squares("lstsq_ex", a, b, rcond, true, where);
}

user_ref pinv_of(const user_ref& a, double rcond, const user_ref& rconds, source_line where) try {
    const value matrix = matrices_of("pinv", a, where);
    const singular_values f(shared_value(computed(matrix, where), where), {rcond, rconds, "pinv"}, where);
    const value u = recorded(make_as<op::svd_u, run_time, run_time>(f.a), where);
    const value vh = recorded(make_as<op::svd_vh, run_time, run_time>(f.a), where);
    const value scaled = recorded(with_last_axis(f.inverted(), where) * adjoint(u, where), where);
    return result(matmul(adjoint(vh, where), scaled), matrix.node()->meant, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("pinv", where);
}

user_ref matrix_rank_of(const user_ref& a, double rcond, const user_ref& rconds, source_line where) try {
    const value matrix = matrices_of("matrix_rank", a, where);
    const singular_values f(shared_value(computed(matrix, where), where), {rcond, rconds, "matrix_rank"}, where);
    return result(f.rank(), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("matrix_rank", where);
}

user_ref matrix_power_of(const user_ref& a, std::int64_t n, source_line where) try {
    constexpr std::string_view who = "matrix_power";
    const shape& of = *a->extents;
    const dtype type = a->meant;
    if (of.rank() < 2 || of[-1] != of[-2]) throw_shape_error(who, "takes square matrices, (..., n, n)", {&of, 1}, where);
    if (n < 0 && kind_of(type) < dtype_kind::floating)
        throw_dtype_error(who, "integers have no inverse: cast to a floating dtype for a negative power", {&type, 1}, where);
    if (n == 0) return result(identity_like(value(a), where), where);
    const value base = shared_value(computed(n < 0 ? value(inv_of(a, where)) : value(a), where), where);
    std::uint64_t rest = n < 0 ? -static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
    value square = base, product = base;
    for (bool begun = false;; square = shared_value(recorded(matmul(square, square), where), where)) {
        if (rest & 1) {
            product = begun ? shared_value(recorded(matmul(product, square), where), where) : square;
            begun = true;
        }
        if ((rest >>= 1) == 0) break;
    }
    return result(product, type, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("matrix_power", where);
}

namespace {

// The coefficients of the diagonal Pade approximants of exp, and the 1-norms up to which they are exact in the dtype (Higham
// 2005, table 2.3): of degree 7 in float32, of degree 13 in float64.
struct approximant {
    double largest_norm;
    std::array<double, 14> b;
};
constexpr approximant of_float{3.925724783138660, {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}};
constexpr approximant of_double{5.371920351148152,
                                {64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000,
                                 10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1}};

/// The approximant of a, whose 1-norm is small enough for it: the odd powers' part and the even ones' part.
value rational_exponential(const value& a, bool wide, source_line where) {
    const auto& b = (wide ? of_double : of_float).b;
    const auto product = [&](const value& x, const value& y) { return shared(matmul(x, y), where); };
    const value one = identity_like(a, where);
    const value a2 = product(a, a), a4 = product(a2, a2), a6 = product(a2, a4);
    value odd = recorded(b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * one, where);
    value even = recorded(b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * one, where);
    if (wide) {
        odd = recorded(odd + matmul(a6, recorded(b[13] * a6 + b[11] * a4 + b[9] * a2, where)), where);
        even = recorded(even + matmul(a6, recorded(b[12] * a6 + b[10] * a4 + b[8] * a2, where)), where);
    }
    const value u = product(a, odd), v = shared_value(even, where);
    const value below = recorded(v - u, where), above = recorded(v + u, where);
    return shared(make_as<op::solve, run_time, run_time>(below, above), where);
}

/// How often each matrix is halved, int64 and with two axes behind the batch.
value halvings_of(const value& a, const approximant& by, source_line where) {
    constexpr std::int64_t most = 1023;  // of the largest norm that a double holds
    const axes rows(-2), columns(-1);
    const value sizes = recorded(abs(a), where);
    const attribute_ref down =
        reduce_attribute("expm", sizes.shape(where), {.which = &rows, .where = where, .keepdims = true});
    const value sums = recorded(reduce_along<op::sum>(sizes, down), where);
    const attribute_ref across =
        reduce_attribute("expm", sums.shape(where), {.which = &columns, .where = where, .keepdims = true});
    const value norm = recorded(reduce_along<op::max>(sums, across), where);
    const auto wanted = ceil(log2(norm / by.largest_norm));
    const auto possible = clip(frit::where(isfinite(wanted), wanted, 0.0), 0.0, static_cast<double>(most));
    return shared(cast<std::int64_t>(possible), where);
}

}  // namespace

user_ref expm_of(const user_ref& a, source_line where) try {
    const value matrix = square_matrices_of("expm", a, where);
    if (matrix.size(where) == 0) return result(matrix, where);
    const value x = shared_value(computed(matrix, where), where);
    const dtype type = x.node()->meant;
    const bool wide = real_dtype(type) == dtype::f64;
    const value halvings = halvings_of(x, wide ? of_double : of_float, where);
    const std::int64_t rounds = max(halvings).eval(where).item<std::int64_t>(where);
    if (rounds == 0) return result(rational_exponential(x, wide, where), matrix.node()->meant, where);
    const value scale = recorded(cast(exp2(cast<double>(halvings)), real_dtype(type)), where);
    value power = rational_exponential(shared(x / scale, where), wide, where);
    for (std::int64_t k = 0; k < rounds; ++k) {
        const value squared = recorded(matmul(power, power), where);
        power = shared(frit::where(halvings > k, squared, power), where);
    }
    return result(power, matrix.node()->meant, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("expm", where);
}

}  // namespace frit::v0::detail

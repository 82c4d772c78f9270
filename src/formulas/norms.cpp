// Norms of vectors and matrices of any order, and condition numbers: formulas over reductions of moduli and over singular
// values. Of 16-bit floats they are computed in float32 from end to end, and rounded once.
#include "frit/norms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "src/base/errors.hpp"
#include "src/formulas/matrices.hpp"
#include "src/formulas/number_text.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The moduli, in the dtype that norms are computed in.
value moduli_of(const value& x, source_line where) {
    return recorded(abs(in_dtype(x, register_dtype(statistic_dtype(x.node()->meant)), where)), where);
}

template <op O>
value reduced(std::string_view who, const value& x, const reduction_options& o) {
    return recorded(reduce_along<O>(x, reduce_attribute(who, x.shape(o.where), o)), o.where);
}

value norm_along(std::string_view who, const value& moduli, double order, const reduction_options& o) {
    if (std::isinf(order) && order > 0 && moduli.size(o.where) == 0) order = 1;  // of none: 0, as NumPy has it
    if (std::isinf(order)) {
        check_rows(who, *reduce_attribute(who, moduli.shape(o.where), o), o.where);
        return order > 0 ? reduced<op::max>(who, moduli, o) : reduced<op::min>(who, moduli, o);
    }
    if (order == 0)
        return recorded(cast(reduced<op::sum>(who, recorded(moduli != 0, o.where), o), moduli.node()->meant), o.where);
    if (order == 1) return reduced<op::sum>(who, moduli, o);
    if (order == 2) return recorded(sqrt(reduced<op::sum>(who, recorded(square(moduli), o.where), o)), o.where);
    const value powers = recorded(pow(moduli, order), o.where);
    return recorded(pow(reduced<op::sum>(who, powers, o), 1 / order), o.where);
}

[[noreturn]] void throw_order(std::string_view who, double p, source_line where) {
    throw error(std::string(who) + ": there is no norm of the order " + number_text(p) + place(where));
}

/// A norm of singular values, which fall.
value norm_of_singular_values(const value& a, const linalg::norm_order& order, source_line where) {
    const value s = recorded(make_as<op::svd_s, run_time, run_time>(a), where);
    const axes last(-1);
    const reduction_options along{.which = &last, .where = where};
    if (order.which() == linalg::norm_order::kind::nuclear || s.size(where) == 0)
        return reduced<op::sum>("matrix_norm", s, along);
    return order.p() > 0 ? reduced<op::max>("matrix_norm", s, along) : reduced<op::min>("matrix_norm", s, along);
}

/// A sum of moduli along one axis, then the largest or the smallest of these.
value norm_of_sums(const value& moduli, double order, source_line where) {
    const axes summed(std::abs(order) == 1 ? -2 : -1), rest(-1);
    const value sums = reduced<op::sum>("matrix_norm", moduli, {.which = &summed, .where = where});
    return norm_along("matrix_norm", sums, order > 0 ? infinity : -infinity, {.which = &rest, .where = where});
}

/// @throws shape_error where there are no sums of columns or of rows, or no singular values, of which one is the smallest
void check_smallest(const shape& of, double order, source_line where) {
    const std::int64_t count = order == -1 ? of[-1] : std::isinf(order) ? of[-2] : std::min(of[-1], of[-2]);
    if (count == 0) throw_shape_error("matrix_norm", "of no numbers none is the smallest", {&of, 1}, where);
}

value matrix_norm(const value& a, const linalg::norm_order& order, source_line where) {
    using kind = linalg::norm_order::kind;
    const axes both{-2, -1};
    const reduction_options o{.which = &both, .where = where};
    const double p = order.p();
    if (order.which() == kind::number && p < 0) check_smallest(a.shape(where), p, where);
    if (order.which() == kind::frobenius) return norm_along("matrix_norm", moduli_of(a, where), 2, o);
    if (order.which() == kind::nuclear || std::abs(p) == 2) return norm_of_singular_values(a, order, where);
    if (std::abs(p) == 1 || std::isinf(p)) return norm_of_sums(moduli_of(a, where), p, where);
    throw_order("matrix_norm", p, where);
}

}  // namespace

user_ref vector_norm_of(const user_ref& x, double order, const reduction_options& o) try {
    if (std::isnan(order)) throw_order("vector_norm", order, o.where);
    return result(norm_along("vector_norm", moduli_of(value(x), o.where), order, o), real_dtype(statistic_dtype(x->meant)),
                  o.where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("vector_norm", o.where);
}

user_ref matrix_norm_of(const user_ref& x, const linalg::norm_order& order, bool keepdims, source_line where) try {
    const value a = matrices_of("matrix_norm", x, where);
    const value norm = matrix_norm(in_dtype(a, register_dtype(a.node()->meant), where), order, where);
    const value kept = keepdims ? with_last_axis(with_last_axis(norm, where), where) : norm;
    return result(kept, real_dtype(a.node()->meant), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("matrix_norm", where);
}

user_ref cond_of(const user_ref& x, const linalg::norm_order& order, source_line where) try {
    const bool spectral = order.which() == linalg::norm_order::kind::number && std::abs(order.p()) == 2;
    const value given = spectral ? matrices_of("cond", x, where) : square_matrices_of("cond", x, where);
    const shape of = given.shape(where);
    if (of[-1] == 0 || of[-2] == 0) throw_shape_error("cond", "a matrix without elements has none", {&of, 1}, where);
    const dtype type = real_dtype(given.node()->meant);
    const value a = shared_value(in_dtype(given, register_dtype(given.node()->meant), where), where);
    if (spectral) {
        const value s = shared(make_as<op::svd_s, run_time, run_time>(a), where);
        const auto at = [&](std::int64_t k) {
            const index place[] = {frit::ellipsis, k};
            return recorded(make_view(s, index_attribute(s.shape(where), place, where)), where);
        };
        const value largest = at(0), smallest = at(-1);
        if (order.p() < 0) return result(smallest / largest, type, where);
        return result(frit::where(smallest == 0, infinity, largest / smallest), type, where);
    }
    const unchecked inverse = unchecked_solution(a, identity_like(a, where), where);
    const value product =
        recorded(matrix_norm(a, order, where) * matrix_norm(shared_value(inverse.x, where), order, where), where);
    return result(frit::where(inverse.status == 0, product, infinity), type, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("cond", where);
}

}  // namespace frit::v0::detail

// Norms of vectors and of matrices, of any order, and condition numbers, as the array API has them. Formulas over reductions
// and singular values (src/formulas/norms.cpp). linalg::norm, of all elements, is in statistics.hpp.
#pragma once

#include <concepts>

#include "frit/detail/formulas.hpp"
#include "frit/solve.hpp"

namespace frit::inline v0 {

namespace linalg {
/// Which norm of a matrix: a number p, or one that has a name.
class norm_order {
public:
    /// A number, or which name.
    enum class kind : std::uint8_t { number, frobenius, nuclear };
    /// The p-norm.
    template <class P>
    requires(std::is_arithmetic_v<P>) constexpr norm_order(P p) : p_(static_cast<double>(p)) {}
    /// One that has a name.
    constexpr explicit norm_order(kind k) : kind_(k) {}
    /// Whether p() says it.
    constexpr kind which() const { return kind_; }
    /// The number.
    constexpr double p() const { return p_; }

private:
    kind kind_ = kind::number;
    double p_ = 0;
};
/// The root of the sum of squares, and the sum of the singular values: matrix_norm(a, linalg::nuclear).
inline constexpr norm_order frobenius(norm_order::kind::frobenius), nuclear(norm_order::kind::nuclear);
}  // namespace linalg

namespace detail {
FRIT_API user_ref vector_norm_of(const user_ref& x, double order, const reduction_options&);
FRIT_API user_ref matrix_norm_of(const user_ref& x, const linalg::norm_order&, bool keepdims, source_line);
FRIT_API user_ref cond_of(const user_ref& a, const linalg::norm_order&, source_line);
}  // namespace detail

namespace linalg {

/// The p-norm of all elements, or of those along axes: the p-th root of sum(|x|^p). The largest modulus for p = inf, the
/// smallest for -inf, how many elements are not 0 for p = 0. Real, in double for integers; powers overflow where they pass
/// the dtype's range.
/// ```cpp
/// const frit::array<double> x{{3, -4}, {0, 2}};
/// std::cout << frit::linalg::vector_norm(x, 1) << ' ' << frit::linalg::vector_norm(x, 1, {0}, frit::keepdims) << '\n';
/// ```
/// ```text
/// 9.0 [[3. 6.]]
/// ```
/// @throws shape_error for axes that there are not; for p = -inf where rows have no elements
template <detail::operand A>
auto vector_norm(const A& x, double order = 2, source_line where = {}) {
    return composed<detail::distance_dtype(detail::operand_t<A>::type)>(
        detail::vector_norm_of(detail::node_of(x, where), order, {.where = where}));
}
/// The same with all axes, of extent 1.
template <detail::operand A>
auto vector_norm(const A& x, double order, detail::keepdims_t, source_line where = {}) {
    return composed<detail::distance_dtype(detail::operand_t<A>::type)>(
        detail::vector_norm_of(detail::node_of(x, where), order, {.where = where, .keepdims = true}));
}
/// Along axes; with keepdims they stay.
template <detail::operand A, std::same_as<detail::keepdims_t>... Tags>
auto vector_norm(const A& x, double order, const detail::reduced_axes& over, Tags... tags) {
    const detail::reduction_options o = detail::options_of<false>(&over, tags...);
    return composed<detail::distance_dtype(detail::operand_t<A>::type)>(
        detail::vector_norm_of(detail::node_of(x, o.where), order, o));
}

/// The norms of matrices, the last two axes: frobenius, nuclear, 1 and inf (the largest sum of moduli of a column, of a
/// row), 2 (the largest singular value), -1, -inf and -2 (the smallest of them).
/// ```cpp
/// std::cout << frit::linalg::matrix_norm(frit::array<double>{{1, 2}, {-3, 4}}, 1) << '\n';
/// ```
/// ```text
/// 6.0
/// ```
/// Of no elements they are 0. @throws shape_error for what is no matrix, and where there is none of which -1, -inf or -2
/// would be the smallest; error for another order
template <detail::operand A>
auto matrix_norm(const A& x, const norm_order& order = frobenius, source_line where = {}) {
    return composed<detail::real_part_dtype(detail::matrix_dtype<A>)>(
        detail::matrix_norm_of(detail::node_of(x, where), order, false, where));
}
/// The same with both axes, of extent 1.
template <detail::operand A>
auto matrix_norm(const A& x, const norm_order& order, detail::keepdims_t, source_line where = {}) {
    return composed<detail::real_part_dtype(detail::matrix_dtype<A>)>(
        detail::matrix_norm_of(detail::node_of(x, where), order, true, where));
}
/// The Frobenius norm so.
template <detail::operand A, std::same_as<detail::keepdims_t> K>
auto matrix_norm(const A& x, K, source_line where = {}) {
    return matrix_norm(x, frobenius, keepdims, where);
}

/// The condition numbers of matrices, infinite for singular ones: in the 2-norm the largest singular value divided by the
/// smallest, in another one the matrix's norm times the inverse's, for which it must be square.
/// @throws shape_error also for matrices without elements; at evaluation as svd, and device_error where the library is
/// missing
template <detail::operand A>
auto cond(const A& a, const norm_order& order = 2, source_line where = {}) {
    return composed<detail::real_part_dtype(detail::matrix_dtype<A>)>(
        detail::cond_of(detail::node_of(a, where), order, where));
}

}  // namespace linalg
}  // namespace frit::v0

// Products of any number of arrays along axes that are named: einsum, tensordot, linalg::multi_dot. Formulas
// (src/formulas/einsum.cpp, multi_dot.cpp): what they come down to are matrix products, which BLAS runs, and sums of
// products, a kernel each, which fuse with what stands around them.
#pragma once

#include <concepts>
#include <span>
#include <string_view>

#include "frit/detail/formulas.hpp"
#include "frit/linalg.hpp"
#include "frit/movement.hpp"
#include "frit/products.hpp"

namespace frit::inline v0 {

namespace detail {

FRIT_API user_ref einsum_of(std::string_view text, std::span<const user_ref> operands, source_line);
FRIT_API user_ref tensordot_of(const user_ref& a, const user_ref& b, std::int64_t count, source_line);
FRIT_API user_ref tensordot_of(const user_ref& a, const user_ref& b, const int_list& of_a, const int_list& of_b,
                               source_line);
FRIT_API user_ref multi_dot_of(std::span<const user_ref> arrays, source_line);

/// einsum's first argument, and the caller's line, for which a pack of operands leaves no room.
struct einsum_text {
    std::string_view text;
    source_line where;
    template <std::convertible_to<std::string_view> S>
    einsum_text(const S& s, source_line at = {}) : text(s), where(at) {}
};

}  // namespace detail

/// Einstein's summation as NumPy writes it: each array's axes are named by letters, and what is summed over is what stands
/// before `->` and not behind it. In the dtype to which all promote; integers wrap, of bools it is "or" over "and".
///
/// ```cpp
/// const frit::array<double> a{{1, 2}, {3, 4}}, v{10, 100};
/// std::cout << einsum("ij,j->i", a, v) << einsum("ii", a) << einsum("ij->ji", a) << "\n";
/// ```
/// ```text
/// [210. 430.]5.0[[1. 3.]
///  [2. 4.]]
/// ```
///
/// - A letter that one array has twice is its diagonal: "ii->i"; "ii" is the trace.
/// - `...` stands for all axes that no letter names; they broadcast: "...ij,...jk->...ik" is matmul.
/// - Without `->` the result has the ellipsis' axes, then the letters that occur once, in ASCII's order.
/// - An axis of one element is repeated where the same letter is longer elsewhere. Spaces say nothing.
///
/// Of three arrays and more, two at a time are combined, in the order that takes the fewest multiplications (for more than
/// eight a good one). Where both have axes of their own and the sum goes over common ones, it is a matrix product of their
/// batch, in one call; transposed and split axes are read where they lie if BLAS can, and all else is formulas, such as
/// "ij,ij->", "i,j->ij" or "ij,j->i": one kernel, or a part of a larger one.
/// @throws shape_error for what is no such text, an index with two lengths, a result's index that no array has, or has
/// twice; at evaluation device_error where the library of matmul is missing
template <detail::operand... A>
requires(sizeof...(A) > 0) auto einsum(detail::einsum_text subscripts, const A&... operands) {
    const detail::user_ref nodes[] = {detail::node_of(operands, subscripts.where)...};
    return composed<detail::joined_dtype<A...>>(detail::einsum_of(subscripts.text, nodes, subscripts.where));
}
/// The same of a std::vector of them, a std::span, ...
template <detail::operand_range R>
auto einsum(detail::einsum_text subscripts, const R& operands) {
    return composed<detail::element_dtype<R>>(
        detail::einsum_of(subscripts.text, detail::nodes_of("einsum", operands, subscripts.where), subscripts.where));
}

/// Summed over the last `count` axes of a and the first ones of b, in pairs: 1 is a matrix product, 0 the outer product of
/// all axes. The result has a's other axes, then b's. In the promoted dtype, as einsum.
/// @throws shape_error where such axes differ in length, or are not there
template <detail::operand A, detail::operand B>
auto tensordot(const A& a, const B& b, detail::any_integer count = 2, source_line where = {}) {
    return composed<promote(detail::operand_t<A>::type, detail::operand_t<B>::type)>(
        detail::tensordot_of(detail::node_of(a, where), detail::node_of(b, where), count, where));
}
/// Summed over these axes of a and those of b, in pairs: tensordot(a, b, {1, 0}, {0, 1}); over none, {}, it is the outer
/// product.
/// @throws shape_error where the lists or the axes differ in length, index_error for an axis that is not there
template <detail::operand A, detail::operand B>
auto tensordot(const A& a, const B& b, const int_list& of_a, const int_list& of_b, source_line where = {}) {
    return composed<promote(detail::operand_t<A>::type, detail::operand_t<B>::type)>(
        detail::tensordot_of(detail::node_of(a, where), detail::node_of(b, where), of_a, of_b, where));
}

namespace linalg {

using frit::matmul;
using frit::matrix_transpose;
using frit::outer;
using frit::tensordot;
using frit::vecdot;

/// The product of matrices one after the other, in the order that takes the fewest multiplications: (a b) c or a (b c). The
/// first and the last may be vectors, a row and a column. In the promoted dtype, as matmul.
/// @throws shape_error where two neighbours do not fit, or one in between is no matrix
template <detail::operand A, detail::operand B>
auto multi_dot(const A& a, const B& b, source_line where = {}) {
    const detail::user_ref nodes[] = {detail::node_of(a, where), detail::node_of(b, where)};
    return composed<detail::joined_dtype<A, B>>(detail::multi_dot_of(nodes, where));
}
/// Of three.
template <detail::operand A, detail::operand B, detail::operand C>
auto multi_dot(const A& a, const B& b, const C& c, source_line where = {}) {
    const detail::user_ref nodes[] = {detail::node_of(a, where), detail::node_of(b, where), detail::node_of(c, where)};
    return composed<detail::joined_dtype<A, B, C>>(detail::multi_dot_of(nodes, where));
}
/// Of four.
template <detail::operand A, detail::operand B, detail::operand C, detail::operand D>
auto multi_dot(const A& a, const B& b, const C& c, const D& d, source_line where = {}) {
    const detail::user_ref nodes[] = {detail::node_of(a, where), detail::node_of(b, where), detail::node_of(c, where),
                                      detail::node_of(d, where)};
    return composed<detail::joined_dtype<A, B, C, D>>(detail::multi_dot_of(nodes, where));
}
/// Of a std::vector of them, a std::span, ...
template <detail::operand_range R>
auto multi_dot(const R& matrices, source_line where = {}) {
    return composed<detail::element_dtype<R>>(detail::multi_dot_of(detail::nodes_of("multi_dot", matrices, where), where));
}

}  // namespace linalg

}  // namespace frit::v0

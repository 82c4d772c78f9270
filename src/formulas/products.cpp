// Products of two arrays that are formulas, or views of a matrix product: outer, inner, vdot, vecdot, cross, kron; and the
// trace.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "frit/movement.hpp"
#include "src/formulas/factors.hpp"
#include "src/formulas/parts.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

[[noreturn]] void throw_pair(std::string_view who, std::string_view text, const user_ref& a, const user_ref& b,
                             source_line where) {
    const shape both[] = {*a->extents, *b->extents};
    throw_shape_error(who, text, both, where);
}

/// The matrix whose rows are x's last axis.
value as_rows(const user_ref& x, source_line where) {
    std::int64_t rows = 1;
    for (int k = 0; k + 1 < x->extents->rank(); ++k) rows *= (*x->extents)[k];
    return reshaped(value(x), int_list({rows, (*x->extents)[-1]}, where), where);
}

/// Products summed along the last axis, in the promoted dtype.
user_ref sum_along_rows(std::string_view who, const value& a, const value& b, source_line where) {
    const dtype type = promote(a.node()->meant, b.node()->meant);
    const axes last(-1);
    const auto over = [&](const value& x) {
        return reduce_attribute(who, shape_of_node(x), {.which = &last, .where = where});
    };
    if (type == dtype::bool_) {
        const value both = recorded(a & b, where);
        return result(reduce_along<op::any>(both, over(both)), where);
    }
    const dtype computed = register_dtype(sum_dtype(type));
    const value both = recorded(as_factor(a, computed) * as_factor(b, computed), where);
    return result(reduce_along<op::sum>(both, over(both)), type, where);
}

}  // namespace

user_ref outer_of(const user_ref& a, const user_ref& b, source_line where) try {
    const value x = reshaped(value(a), int_list({a->extents->size(), std::int64_t{1}}, where), where);
    return result(x * as_vector(value(b), where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("outer", where);
}

user_ref inner_of(const user_ref& a, const user_ref& b, source_line where) try {
    const shape &of_a = *a->extents, &of_b = *b->extents;
    if (of_a.rank() == 0 || of_b.rank() == 0) return result(value(a) * value(b), where);
    if (of_a[-1] != of_b[-1]) throw_pair("inner", "the last axes differ in length", a, b, where);
    if (of_a.rank() > 1 && of_b.rank() > 1) {
        std::vector<std::int64_t> extents(of_a.begin(), of_a.end() - 1);
        extents.insert(extents.end(), of_b.begin(), of_b.end() - 1);
        const value product = recorded(matmul(as_rows(a, where), as_rows(b, where).T(where)), where);
        return result(reshaped(product, int_list(extents, where), where), where);
    }
    return sum_along_rows("inner", value(a), value(b), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("inner", where);
}

user_ref vecdot_of(const user_ref& a, const user_ref& b, std::int64_t axis, source_line where) try {
    const auto vectors = [&](const user_ref& x) {  // along the last axis
        const int k = checked_axis("vecdot", axis, x->extents->rank(), *x->extents, where);
        return seen(value(x), moveaxis_attribute(*x->extents, axes(k), axes(-1), where), where);
    };
    const value x = vectors(a), y = vectors(b);
    const shape both[] = {shape_of_node(x), shape_of_node(y)};
    if (both[0][-1] != both[1][-1]) throw_pair("vecdot", "the vectors differ in length", a, b, where);
    (void)broadcast_shape("vecdot", both, where);
    return sum_along_rows("vecdot", is_complex(a->meant) ? recorded(conj(x), where) : x, y, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("vecdot", where);
}

attribute_ref matrix_transpose_attribute(const shape& of, source_line where) try {
    if (of.rank() < 2) throw_shape_error("matrix_transpose", "takes matrices, (..., m, n)", {&of, 1}, where);
    return swapaxes_attribute(of, -2, -1, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("matrix_transpose", where);
}

user_ref vdot_of(const user_ref& a, const user_ref& b, source_line where) try {
    if (a->extents->size() != b->extents->size()) throw_pair("vdot", "the numbers of elements differ", a, b, where);
    const value x = as_vector(value(a), where), y = as_vector(value(b), where);
    return dot_of(is_complex(a->meant) ? recorded(conj(x), where).node() : x.node(), y.node(), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("vdot", where);
}

user_ref cross_of(const user_ref& a, const user_ref& b, std::int64_t axis, source_line where) try {
    if (promote(a->meant, b->meant) == dtype::bool_)
        throw_dtype_error("cross", "takes numbers: bools have no difference", std::array{a->meant, b->meant}, where);
    const auto vectors = [&](const user_ref& x) {  // along the last axis
        const int k = checked_axis("cross", axis, x->extents->rank(), *x->extents, where);
        if ((*x->extents)[k] != 3) throw_pair("cross", "takes vectors of three elements along the axis", a, b, where);
        return seen(value(x), moveaxis_attribute(*x->extents, axes(k), axes(-1), where), where);
    };
    const value x = vectors(a), y = vectors(b);
    const auto next = [&](const value& v, std::int64_t by) {  // element i is v's element i + by
        const axes last(-1);
        return value(roll_of(v.node(), int_list(-by, where), &last, where));
    };
    const value product = recorded(next(x, 1) * next(y, 2) - next(x, 2) * next(y, 1), where);
    const int rank = product.rank(where);
    const int to = checked_axis("cross", axis, rank, product.shape(where), where);
    if (to == rank - 1) return result(product, where);
    return result(make_view(product, moveaxis_attribute(product.shape(where), axes(-1), axes(to), where)), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("cross", where);
}

user_ref kron_of(const user_ref& a, const user_ref& b, source_line where) try {
    const int rank = std::max(a->extents->rank(), b->extents->rank());
    if (2 * rank > max_rank) throw_pair("kron", "takes arrays of up to eight axes", a, b, where);
    if (rank == 0) return result(value(a) * value(b), where);
    // a's axes first of each pair, b's second; those that there are not have extent 1
    std::vector<std::int64_t> before_a, before_b, whole;
    for (int k = 0; k < rank; ++k) {
        const int ka = k - rank + a->extents->rank(), kb = k - rank + b->extents->rank();
        std::int64_t both = 0;
        if (__builtin_mul_overflow(ka < 0 ? 1 : (*a->extents)[ka], kb < 0 ? 1 : (*b->extents)[kb], &both))
            throw_pair("kron", "the result has more elements than memory can address", a, b, where);
        whole.push_back(both);
        if (ka < 0) before_a.push_back(2 * k);
        before_a.push_back(2 * k + 1);
        if (kb < 0) before_b.push_back(2 * k + 1);
        before_b.push_back(2 * k);
    }
    const auto spread = [&](const user_ref& x, const std::vector<std::int64_t>& places) {
        return make_view(value(x), expand_dims_attribute(*x->extents, axes(places, where), where));
    };
    const value product = recorded(spread(a, before_a) * spread(b, before_b), where);
    return result(reshaped(product, int_list(whole, where), where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("kron", where);
}

user_ref trace_of(const user_ref& x, std::int64_t offset, std::int64_t axis1, std::int64_t axis2, source_line where) try {
    const shape& of = *x->extents;
    if (of.rank() < 2) throw_shape_error("trace", "takes matrices", {&of, 1}, where);
    const attribute_ref map = diagonal_attribute(of, offset, axis1, axis2, where);
    const axes last(-1);
    const attribute_ref over = reduce_attribute("trace", map->result, {.which = &last, .where = where});
    const dtype type = sum_dtype(x->meant);
    return result(reduce_along<op::sum>(cast(make_view(value(x), map), register_dtype(type)), over), type, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("trace", where);
}

}  // namespace frit::v0::detail

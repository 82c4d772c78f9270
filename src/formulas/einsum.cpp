// einsum and tensordot: what is multiplied by what, and in which order; the products themselves are contraction.cpp's.
#include <algorithm>
#include <array>
#include <string>

#include "frit/einsum.hpp"
#include "src/formulas/contraction.hpp"
#include "src/formulas/contraction_path.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

dtype common_type(std::span<const user_ref> operands) {
    dtype type = operands[0]->meant;
    for (const user_ref& x : operands) type = promote(type, x->meant);
    return type;
}

subscript_set indices_of(const subscript_list& list) {
    subscript_set s;
    for (const int k : list) s.set(static_cast<std::size_t>(k));
    return s;
}

}  // namespace

user_ref einsum_of(std::string_view text, std::span<const user_ref> operands, source_line where) try {
    if (operands.empty()) throw_shape_error("einsum", "there are no arrays", {}, where);
    const subscripts named = subscripts_of(text, operands, where);
    const contraction how(common_type(operands), named.extents, where);
    std::vector<named_array> arrays;
    std::vector<subscript_set> sets;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        arrays.push_back(how.operand(operands[k], named.operands[k]));
        sets.push_back(indices_of(arrays.back().axes));
    }
    const subscript_set result = indices_of(named.result);
    for (const auto& [left, right] : contraction_path(sets, result, named.extents)) {
        if (contraction::one_has_all(arrays)) break;
        const named_array a = arrays[left], b = arrays[right];
        arrays.erase(arrays.begin() + static_cast<std::ptrdiff_t>(right));
        arrays.erase(arrays.begin() + static_cast<std::ptrdiff_t>(left));
        subscript_set kept = result;
        for (const named_array& other : arrays) kept |= indices_of(other.axes);
        arrays.push_back(arrays.empty() ? how.product(a, b, named.result) : how.product(a, b, kept));
    }
    if (arrays.size() > 1) arrays = {how.product(arrays, named.result)};
    return how.result_of(arrays[0], named.result);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum", where);
}

namespace {

user_ref tensordot_along(const user_ref& a, const user_ref& b, std::span<const int> of_a, std::span<const int> of_b,
                         source_line where) {
    const shape& extents_of_a = *a->extents;
    const shape& extents_of_b = *b->extents;
    std::vector<std::int64_t> extents(extents_of_a.begin(), extents_of_a.end());
    subscript_list left, right(static_cast<std::size_t>(extents_of_b.rank()), -1), result;
    for (int k = 0; k < extents_of_a.rank(); ++k) left.push_back(k);
    for (std::size_t k = 0; k < of_a.size(); ++k) {
        if (extents_of_a[of_a[k]] != extents_of_b[of_b[k]])
            throw_shape_error("tensordot",
                              "axis " + std::to_string(of_a[k]) + " of the first array and axis " + std::to_string(of_b[k]) +
                                  " of the second differ in length",
                              std::array{extents_of_a, extents_of_b}, where);
        right[static_cast<std::size_t>(of_b[k])] = of_a[k];
    }
    for (const int k : left)
        if (std::find(of_a.begin(), of_a.end(), k) == of_a.end()) result.push_back(k);
    for (std::size_t k = 0; k < right.size(); ++k) {
        if (right[k] >= 0) continue;
        right[k] = static_cast<int>(extents.size());
        result.push_back(right[k]);
        extents.push_back(extents_of_b[k]);
    }
    if (result.size() > static_cast<std::size_t>(max_rank)) throw_rank(result.size(), where);
    const contraction how(promote(a->meant, b->meant), extents, where);
    return how.result_of(how.product(how.operand(a, left), how.operand(b, right), result), result);
}

}  // namespace

user_ref tensordot_of(const user_ref& a, const user_ref& b, std::int64_t count, source_line where) try {
    const int rank = a->extents->rank();
    if (count < 0 || count > rank || count > b->extents->rank())
        throw_shape_error("tensordot", std::to_string(count) + " axes cannot be summed over: both arrays must have them",
                          std::array{*a->extents, *b->extents}, where);
    std::vector<int> of_a, of_b;
    for (int k = 0; k < count; ++k) {
        of_a.push_back(rank - static_cast<int>(count) + k);
        of_b.push_back(k);
    }
    return tensordot_along(a, b, of_a, of_b, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("tensordot", where);
}

user_ref tensordot_of(const user_ref& a, const user_ref& b, const int_list& of_a, const int_list& of_b,
                      source_line where) try {
    if (of_a.count() != of_b.count())
        throw_shape_error("tensordot",
                          std::to_string(of_a.count()) + " axes of the first array and " + std::to_string(of_b.count()) +
                              " of the second: they are summed over in pairs",
                          std::array{*a->extents, *b->extents}, where);
    const auto checked = [&](const int_list& list, const shape& of) {
        if (list.count() > 0) (void)named_axes("tensordot", axes(list), of.rank(), of, where);
        std::vector<int> all;
        for (const std::int64_t k : list) all.push_back(checked_axis("tensordot", k, of.rank(), of, where));
        return all;
    };
    return tensordot_along(a, b, checked(of_a, *a->extents), checked(of_b, *b->extents), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("tensordot", where);
}

}  // namespace frit::v0::detail

// Products of arrays whose axes have names, summed over those that are not kept: what einsum and tensordot are made of.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "src/formulas/subscripts.hpp"

namespace frit::inline v0::detail {

/// An array, and which index each of its axes is; no index is there twice.
struct named_array {
    value x;
    subscript_list axes;
};

/// Two arrays at a time become one: by a matrix product where that saves work, which is where both have indices of their own
/// that stay and the sum goes over common ones; else by one formula, which fuses with what it reads and with what reads it.
class contraction {
public:
    /// @param extents  of each index, for as long as this lives
    /// @param type     of the result
    contraction(dtype type, std::span<const std::int64_t> extents, source_line where)
        : type_(type), extents_(extents), where_(where) {}

    /// An operand: an index that it has twice is its diagonal, an axis of one element where the index has more is left out.
    named_array operand(const user_ref& x, const subscript_list& axes) const;

    /// Summed over all indices that are not kept.
    named_array product(const named_array& a, const named_array& b, const subscript_set& kept) const;
    /// The same with the axes of the result in this order, if that costs nothing.
    named_array product(const named_array& a, const named_array& b, const subscript_list& result) const;
    /// Of any number, one of which has all indices: multiplied where that one is read, by one formula.
    named_array product(std::span<const named_array>, const subscript_list& result) const;
    static bool one_has_all(std::span<const named_array>);

    /// Summed over the indices that `axes` lacks: the result of all, in the order of `axes`.
    user_ref result_of(const named_array& a, const subscript_list& axes) const;

private:
    struct roles;
    struct arrangement;
    double price_of(const named_array& x, const subscript_list& rows, const subscript_list& columns) const;
    double price_of(const named_array& a, const named_array& b, const arrangement&, const subscript_list* result) const;
    arrangement best_arrangement(const named_array& a, const named_array& b, const roles&,
                                 const subscript_list* result) const;
    value matrices_of(const named_array&, const subscript_list& batch, const subscript_list& rows,
                      const subscript_list& columns) const;
    named_array summed(const named_array& a, const subscript_set& kept) const;
    named_array matrix_product(const named_array& a, const named_array& b, const roles&, const subscript_list* result) const;
    named_array elementwise(std::span<const named_array>, const subscript_set& kept, const subscript_list* result) const;
    named_array product(const named_array& a, const named_array& b, const subscript_set& kept,
                        const subscript_list* result) const;
    value seen_along(const named_array& a, const subscript_list& to) const;
    template <class E>
    value sum_of_last(const E& x, std::size_t kept, const shape& extents) const;
    double elements(const subscript_list&) const;
    std::int64_t extent(int index) const { return extents_[static_cast<std::size_t>(index)]; }

    dtype type_;
    std::span<const std::int64_t> extents_;
    source_line where_;
};

}  // namespace frit::v0::detail

// A library op that goes along the last axis, applied along any: the operand is seen with that axis last, and so is the
// result on its way back. Views only; scans and sorts share it.
#pragma once

#include <cstdint>

#include "frit/detail/attributes.hpp"
#include "frit/expr.hpp"
#include "frit/opcode.hpp"

namespace frit::inline v0::detail {

/// The view that exchanges `axis` with the last one: its own inverse.
/// @throws index_error naming `who` and the shape
FRIT_API attribute_ref swap_with_last_attribute(op who, const shape& of, std::int64_t axis, source_line);

/// The view that has the last axis in the opposite direction, or in its own: its own inverse too.
FRIT_API attribute_ref reversed_last_attribute(const shape& of, bool reversed, source_line);

template <op Op, class A>
auto along_axis(const A& x, std::int64_t axis, source_line where) {
    constexpr library_dtypes types = library_dtypes_of(Op, operand_t<A>::type);
    static_assert(types.valid, "frit: this function does not take complex numbers");
    const attribute_ref there = swap_with_last_attribute(Op, x.shape(where), axis, where);
    const attribute_ref back = swap_with_last_attribute(Op, there->result, axis, where);
    return make_view(make_as<Op, types.result, types.operand>(make_view(x, there)), back);
}

/// The same of the axis from its last element on, where `backward`.
template <op Op, class A>
auto along_axis(const A& x, std::int64_t axis, bool backward, source_line where) {
    constexpr library_dtypes types = library_dtypes_of(Op, operand_t<A>::type);
    static_assert(types.valid, "frit: this function does not take complex numbers");
    const attribute_ref there = swap_with_last_attribute(Op, x.shape(where), axis, where);
    const attribute_ref back = swap_with_last_attribute(Op, there->result, axis, where);
    const attribute_ref reversed = reversed_last_attribute(there->result, backward, where);
    const auto rows = make_view(make_view(x, there), reversed);
    return make_view(make_view(make_as<Op, types.result, types.operand>(rows), reversed), back);
}

}  // namespace frit::v0::detail

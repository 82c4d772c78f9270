// Views as functions: transpose, reshape, broadcast_to, squeeze, expand_dims, flip, diagonal, pad. None is a kernel of its
// own: each is an access map that the planner composes into whoever reads it. Maps are checked here, against the operand's
// shape.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>

#include "frit/array.hpp"
#include "frit/create.hpp"
#include "frit/detail/attributes.hpp"
#include "frit/detail/formulas.hpp"
#include "frit/ops.hpp"

namespace frit::inline v0 {

/// The axes reversed.
template <detail::operand A>
auto transpose(const A& x, source_line where = {}) {
    return x.T(where);
}
/// Axis k of the result is axis order[k] of x. @throws index_error unless `order` names every axis once
template <detail::operand A>
auto transpose(const A& x, const axes& order, source_line where = {}) {
    return detail::make_view(x, detail::transpose_attribute(x.shape(where), &order, where));
}
/// The same elements in row-major order under other extents; one extent may be -1.
template <detail::operand A>
auto reshape(const A& x, const int_list& extents, source_line where = {}) {
    return x.reshape(extents, where);
}
/// x repeated along new leading axes and axes of extent 1. @throws shape_error if the shapes do not fit
template <detail::operand A>
auto broadcast_to(const A& x, const shape& to, source_line where = {}) {
    return detail::make_view(x, detail::broadcast_attribute(x.shape(where), to, where));
}
/// Without its axes of extent 1.
template <detail::operand A>
auto squeeze(const A& x, source_line where = {}) {
    return detail::make_view(x, detail::squeeze_attribute(x.shape(where), nullptr, where));
}
/// Without these axes. @throws shape_error where an extent is not 1
template <detail::operand A>
auto squeeze(const A& x, const axes& which, source_line where = {}) {
    return detail::make_view(x, detail::squeeze_attribute(x.shape(where), &which, where));
}
/// With new axes of extent 1 at these places of the result.
template <detail::operand A>
auto expand_dims(const A& x, const axes& places, source_line where = {}) {
    return detail::make_view(x, detail::expand_dims_attribute(x.shape(where), places, where));
}
/// Backwards along every axis.
template <detail::operand A>
auto flip(const A& x, source_line where = {}) {
    return detail::make_view(x, detail::flip_attribute(x.shape(where), nullptr, where));
}
/// Backwards along these axes.
template <detail::operand A>
auto flip(const A& x, const axes& which, source_line where = {}) {
    return detail::make_view(x, detail::flip_attribute(x.shape(where), &which, where));
}
/// Elements x(i, i + offset) of two axes; the diagonal is the last axis of the result.
template <detail::operand A>
auto diagonal(const A& x, detail::any_integer offset = 0, detail::any_integer axis1 = 0, detail::any_integer axis2 = 1,
              source_line where = {}) {
    return detail::make_view(x, detail::diagonal_attribute(x.shape(where), offset, axis1, axis2, where));
}
/// The same of an array that is not const can be assigned to, as its other views can: diagonal(u) = v, diagonal(u, 1) += 1.
template <class A>
requires detail::is_array<A>::value auto diagonal(A& x, detail::any_integer offset = 0, detail::any_integer axis1 = 0,
                                                  detail::any_integer axis2 = 1, source_line where = {}) {
    return x.target_through(detail::diagonal_attribute(x.shape(where), offset, axis1, axis2, where), where);
}

/// x with `before` and `after` more elements along each axis; a single pair holds for all axes. Modes that are computed pad
/// axis after axis, the next one with what the ones before it have. `value` is what pad_mode::constant puts there, and where
/// pad_mode::linear_ramp ends.
/// @throws shape_error unless there is one pair, or one for each axis
template <detail::operand A>
auto pad(const A& x, std::initializer_list<detail::pad_width> widths, pad_mode mode = pad_mode::constant,
         detail::weak_number value = false, source_line where = {}) {
    const detail::user_ref node = detail::node_of(x, where);
    return detail::holder_t<A>(
        detail::handle_ref(detail::pad_of(node, std::span(widths.begin(), widths.size()), mode,
                                          detail::constant_of(value, node->meant, where, "pad"), where)
                               .get()));
}

}  // namespace frit::v0

// Sorting along one axis: nodes of the graph that a library runs (CUB on a GPU, frit's own loops on the CPU).
#pragma once

#include <cstdint>

#include "frit/array.hpp"
#include "frit/detail/along_axis.hpp"

namespace frit::inline v0 {

/// The elements along one axis in ascending order; NaN last, -0 before +0. Complex numbers go by their real part and then by
/// their imaginary one, as NumPy orders them: those with a NaN come last, first where the imaginary part alone is one, then
/// the real part alone. Equal ones keep their order.
/// @throws index_error for an axis that x does not have; at evaluation, device_error where the library is missing
template <detail::operand A>
auto sort(const A& x, detail::any_integer axis = -1, source_line where = {}) {
    return detail::along_axis<op::sort>(x, axis, where);
}
/// The int64 indices along one axis that sort it: stable, NaN last, -0 equal to +0. Errors as of sort.
template <detail::operand A>
auto argsort(const A& x, detail::any_integer axis = -1, source_line where = {}) {
    return detail::along_axis<op::argsort>(x, axis, where);
}

}  // namespace frit::v0

// Windows that slide along axes. They are a gather whose indices the kernel computes, so that windows are not stored:
// rolling statistics are reductions of them (and convolutions, which convolve.hpp has faster).
#pragma once

#include "frit/detail/composed.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0 {

namespace detail {
/// `which` null: all axes.
FRIT_API user_ref windows_of(const user_ref& x, const int_list& window, const axes* which, source_line);
}  // namespace detail

/// All windows of this extent along these axes, one for each place where it fits: the axes of places, as many as x has, and
/// then those of the window. An axis may be named twice. No window is stored: `sum(windows * k, -1)` is one kernel, and so
/// is `max(windows, -1)`.
/// ```cpp
/// const frit::array<double> x{1, 2, 4, 7, 11};
/// const auto windows = sliding_window_view(x, 3, 0);
/// std::cout << windows << '\n' << max(windows, -1) << '\n';
/// ```
/// ```text
/// [[ 1.  2.  4.]
///  [ 2.  4.  7.]
///  [ 4.  7. 11.]]
/// [ 4.  7. 11.]
/// ```
/// @throws shape_error unless there is an extent for each axis, which the axis has; index_error for an axis that x does not
/// have
template <detail::operand A>
auto sliding_window_view(const A& x, const int_list& window, const axes& along, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::windows_of(detail::node_of(x, where), window, &along, where));
}
/// The same along all axes.
template <detail::operand A>
auto sliding_window_view(const A& x, const int_list& window, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::windows_of(detail::node_of(x, where), window, nullptr, where));
}

}  // namespace frit::v0

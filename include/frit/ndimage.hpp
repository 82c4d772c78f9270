// Filters of arrays as images, along any number of axes, named as in scipy.ndimage: gaussian_filter, uniform_filter, sobel,
// median_filter, zoom. Formulas (src/formulas/filters.cpp): a filter along several axes is a pass along each, one kernel a
// pass, and what stands around a filter fuses with its first and its last pass.
//
// What holds for all: the result has x's shape and dtype. Real numbers are computed in their dtype, 16-bit floats in float32
// through all passes, bools and integers in double; what a pass makes of these is stored in x's dtype, as SciPy stores it:
// without its fraction, and modulo its range (what a double loses of uint64 is lost).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "frit/detail/composed.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0 {

namespace ndimage {

/// What filters read beyond the ends of an axis a b c d: reflect b a | a b c d | d c, constant k k | a b c d | k k, nearest
/// a a | a b c d | d d, mirror c b | a b c d | c b, wrap c d | a b c d | a b.
enum class mode : std::uint8_t { reflect, constant, nearest, mirror, wrap };

/// A mode, and the number that mode::constant reads: {frit::ndimage::mode::constant, 1.5}.
struct border {
    mode how = mode::reflect;  ///< what stands beyond the ends
    double value = 0;          ///< that of mode::constant
    /// A mode alone is one, too.
    border(mode m = mode::reflect, double k = 0) : how(m), value(k) {}
};

}  // namespace ndimage

namespace detail {

/// A real number for each axis, or one for all.
struct axis_numbers {
    double values[max_rank] = {};
    std::size_t count = 0;  ///< of those that were given: too many are found where they meet an array
    axis_numbers(double one) : values{one}, count(1) {}
    axis_numbers(std::initializer_list<double> list) : axis_numbers(list.begin(), list.size()) {}
    template <class R>
    requires std::convertible_to<decltype(std::data(std::declval<const R&>())), const double*> axis_numbers(const R& list)
        : axis_numbers(std::data(list), std::size(list)) {}

private:
    FRIT_API axis_numbers(const double* list, std::size_t n);
};

/// What all filters have.
struct filter {
    const char* who;
    ndimage::border around;
    source_line where;
};
/// `axis` null: all axes, with a sigma each.
FRIT_API user_ref gaussian_of(const user_ref& x, const axis_numbers& sigma, const std::int64_t* axis, std::int64_t order,
                              double truncate, const filter&);
FRIT_API user_ref uniform_of(const user_ref& x, const int_list& size, const std::int64_t* axis, const filter&);
FRIT_API user_ref sobel_of(const user_ref& x, std::int64_t axis, const filter&);
FRIT_API user_ref median_filter_of(const user_ref& x, const int_list& size, const filter&);
FRIT_API user_ref zoom_of(const user_ref& x, const axis_numbers& factors, std::int64_t order, source_line);

}  // namespace detail

namespace ndimage {

/// x blurred by a Gaussian of standard deviation sigma, in elements, along all axes: one for all, or a list of one for each,
/// where 0 leaves an axis as it is. `order` is that of the derivative which is taken of the Gaussian, 0 for none; truncate
/// says how many sigmas it reaches to either side. A pass of up to 31 taps, sigma < 3.9, is one kernel.
/// ```cpp
/// const frit::array<double> x{{0, 0, 0}, {0, 64, 0}, {0, 0, 0}};
/// std::cout << frit::rint(frit::ndimage::gaussian_filter(x, 0.8)) << '\n';
/// ```
/// ```text
/// [[ 4.  8.  4.]
///  [ 8. 16.  8.]
///  [ 4.  8.  4.]]
/// ```
/// @throws shape_error unless there is one sigma or one for each axis; error for a sigma, truncate or order that is negative
/// or not finite
template <detail::operand A>
auto gaussian_filter(const A& x, const detail::axis_numbers& sigma, detail::any_integer order = 0, border around = {},
                     double truncate = 4, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::gaussian_of(detail::node_of(x, where), sigma, nullptr, order.value,
                                                                    truncate, {"gaussian_filter", around, where}));
}
/// The same along one axis. @throws as gaussian_filter; index_error for an axis that x does not have
template <detail::operand A>
auto gaussian_filter1d(const A& x, double sigma, detail::any_integer axis = -1, detail::any_integer order = 0,
                       border around = {}, double truncate = 4, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::gaussian_of(
        detail::node_of(x, where), sigma, &axis.value, order.value, truncate, {"gaussian_filter1d", around, where}));
}

/// The means of boxes of `size` elements along each axis: one for all, or a list of one for each. Element i stands at place
/// size / 2 of its box.
/// ```cpp
/// const frit::array<double> x{0, 3, 6, 0};
/// std::cout << frit::ndimage::uniform_filter(x, 3) << '\n';
/// ```
/// ```text
/// [1. 3. 3. 2.]
/// ```
/// @throws shape_error unless there is one size or one for each axis; error for a size below 1
template <detail::operand A>
auto uniform_filter(const A& x, const int_list& size = 3, border around = {}, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::uniform_of(detail::node_of(x, where), size, nullptr, {"uniform_filter", around, where}));
}
/// The same along one axis. @throws as uniform_filter; index_error for an axis that x does not have
template <detail::operand A>
auto uniform_filter1d(const A& x, detail::any_integer size, detail::any_integer axis = -1, border around = {},
                      source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::uniform_of(detail::node_of(x, where), size.value, &axis.value, {"uniform_filter1d", around, where}));
}

/// Sobel's gradient: differences of the neighbours along an axis, weighted 1 2 1 along all others.
/// ```cpp
/// const frit::array<int> x{{1, 1, 5}, {1, 1, 5}};
/// std::cout << frit::ndimage::sobel(x) << '\n';
/// ```
/// ```text
/// [[ 0 16 16]
///  [ 0 16 16]]
/// ```
/// @throws index_error for an axis that x does not have
template <detail::operand A>
auto sobel(const A& x, detail::any_integer axis = -1, border around = {}, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::sobel_of(detail::node_of(x, where), axis.value, {"sobel", around, where}));
}

/// The medians of windows of `size` elements along each axis, one for all or a list of one for each; of an even number of
/// elements the upper one of the two in the middle. NaN counts as the largest value. The windows are stored: as many times
/// x's memory as a window has elements; x has at most 8 axes. What mode::constant reads is in x's dtype.
/// ```cpp
/// const frit::array<int> x{1, 9, 2, 3, 4};
/// std::cout << frit::ndimage::median_filter(x, 3) << '\n';
/// ```
/// ```text
/// [1 2 3 3 4]
/// ```
/// @throws shape_error unless there is one size or one for each axis, and for more than 8 axes; error for a size below 1 or
/// above 2^21; dtype_error for complex numbers
template <detail::operand A>
auto median_filter(const A& x, const int_list& size, border around = {}, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::median_filter_of(detail::node_of(x, where), size, {"median_filter", around, where}));
}

/// x at `factor` times as many elements along each axis, rounded to a whole number, of which the first and the last stay
/// where they are: by the nearest element (order 0), linearly (1), or by cubic splines (3). Integers are rounded, and what
/// their dtype does not hold is the nearest number that it does. SciPy's mode constant is meant, of which nothing is seen:
/// no element is read beyond the ends.
/// ```cpp
/// const frit::array<double> x{0, 4, 8};
/// std::cout << frit::ndimage::zoom(x, 5 / 3.0, 1) << '\n';
/// ```
/// ```text
/// [0. 2. 4. 6. 8.]
/// ```
/// @throws shape_error unless there is one factor or one for each axis; error for another order, or a factor that is
/// negative or not finite
template <detail::operand A>
auto zoom(const A& x, const detail::axis_numbers& factor, detail::any_integer order = 3, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::zoom_of(detail::node_of(x, where), factor, order.value, where));
}

}  // namespace ndimage
}  // namespace frit::v0

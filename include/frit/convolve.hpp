// convolve and correlate: of vectors along their axis, of matrices along both. Formulas (src/formulas/convolve.cpp) that
// store no windows: sums of shifted slices, which fuse with what reads them; or Fourier transforms, where there are many
// taps. More axes: signal.hpp.
#pragma once

#include <cstdint>

#include "frit/detail/composed.hpp"

namespace frit::inline v0 {

/// Which places of one operand over the other a convolution has: all where they meet; as many as the operand has; or those
/// where one lies within the other.
enum class convolve_mode : std::uint8_t { full, same, valid };

/// How a convolution is computed: by whichever is faster, as sums of products, or by Fourier transforms.
enum class convolve_method : std::uint8_t { automatic, direct, fft };

namespace detail {
FRIT_API user_ref convolve_of(const user_ref& x, const user_ref& k, convolve_mode, convolve_method, source_line);
FRIT_API user_ref correlate_of(const user_ref& x, const user_ref& k, convolve_mode, convolve_method, source_line);
}  // namespace detail

/// The sums of x(i - j) * k(j) over j: of two vectors as np.convolve, of two matrices in both dimensions, with zeros around
/// them, as scipy.signal.convolve2d. N and M elements along an axis make N + M - 1; with convolve_mode::same those in the
/// middle, of vectors as many as the longer one has, of matrices as x has; with convolve_mode::valid those that need no
/// zeros, |N - M| + 1. In the dtype that both promote to; bools are combined by && and ||, integers wrap.
/// ```cpp
/// const frit::array<double> x{1, 2, 4}, k{1, -1};
/// std::cout << convolve(x, k) << convolve(x, k, frit::convolve_mode::same) << '\n';
/// ```
/// ```text
/// [ 1.  1.  2. -4.][1. 1. 2.]
/// ```
/// The zeros are multiplied too, as SciPy does and NumPy does not: where the operand of fewer elements is not finite,
/// neither are the ends of the result, and zeros there may be -0.
///
/// Bools and integers are exact sums; convolve_method::fft rounds them, which gives the same as long as double holds the
/// largest sum with some digits left. Floating and complex numbers that would take longer as sums are transformed on a CPU
/// (from about 30 taps over a thousand elements, 120 over ten thousand, 300 over a million): then an element that is not
/// finite makes none of the result finite, and rounding errors are those of the largest elements. On a GPU sums are taken
/// unless convolve_method::fft says otherwise.
/// @throws shape_error unless both are vectors, or both matrices, that have elements; of valid, where neither matrix fits
/// into the other
template <detail::operand A, detail::operand K>
auto convolve(const A& x, const K& k, convolve_mode mode = convolve_mode::full,
              convolve_method method = convolve_method::automatic, source_line where = {}) {
    return composed<promote(detail::operand_t<A>::type, detail::operand_t<K>::type)>(
        detail::convolve_of(detail::node_of(x, where), detail::node_of(k, where), mode, method, where));
}

/// The sums of x(i + j) * conj(k(j)) over j, from the first i where the operands meet: as np.correlate, and of matrices as
/// scipy.signal.correlate2d. Otherwise as convolve.
/// ```cpp
/// const frit::array<double> x{1, 2, 4}, k{1, -1};
/// std::cout << correlate(x, k) << correlate(x, k, frit::convolve_mode::full) << '\n';
/// ```
/// ```text
/// [-1. -2.][-1. -1. -2.  4.]
/// ```
/// @throws as convolve
template <detail::operand A, detail::operand K>
auto correlate(const A& x, const K& k, convolve_mode mode = convolve_mode::valid,
               convolve_method method = convolve_method::automatic, source_line where = {}) {
    return composed<promote(detail::operand_t<A>::type, detail::operand_t<K>::type)>(
        detail::correlate_of(detail::node_of(x, where), detail::node_of(k, where), mode, method, where));
}

}  // namespace frit::v0

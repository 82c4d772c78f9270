// Discrete Fourier transforms, named as in numpy.fft. Nodes of the graph that a library runs (cuFFT on a GPU; on the CPU
// FFTW, or without it frit's own loops); what is computed from their operands and results fuses on its own side
// (src/formulas/fourier.cpp).
//
// What holds for all: a transform along an axis of n elements is X(k) = sum over j of x(j) exp(-2 pi i j k / n), the inverse
// has the other sign and a factor 1 / n. An axis is cut, or padded with zeros, to n elements where that is said. 16-bit
// floats and float32 are transformed in float32, what else is real in double; complex numbers stay. Of several axes none is
// named twice. The factor goes into the operand, so that ifft(fft(x) * H) is two calls and one kernel between them.
#pragma once

#include <cstdint>

#include "frit/detail/composed.hpp"
#include "frit/index.hpp"

namespace frit::inline v0 {

namespace fft {
/// Which way has the factor 1 / n: the inverse, the transform, or both 1 / sqrt(n).
enum class norm : std::uint8_t { backward, forward, ortho };
/// As fft(x, frit::none, -1, fft::ortho).
inline constexpr norm backward = norm::backward, forward = norm::forward, ortho = norm::ortho;
}  // namespace fft

namespace detail {

/// Lengths or axes that may be left open: frit::none.
struct open_list {
    int_list values{};
    bool given = true;
    open_list(none_t) : given(false) {}
    open_list(std::initializer_list<any_integer> list) : values(list) {}
    template <integral_number T>
    open_list(T one) : values(one) {}
    template <integral_range R>
    open_list(const R& list) : values(list) {}
};

/// Which transform: of complex numbers either way, of real ones, from half a spectrum; and with the signs of hfft, ihfft.
enum class transform : std::uint8_t { forward, inverse, real, inverse_real, hermitian, inverse_hermitian };

FRIT_API user_ref fft_of(const char* who, transform, const user_ref& x, bound n, std::int64_t axis, fft::norm, source_line);
FRIT_API user_ref fftn_of(const char* who, transform, const user_ref& x, const open_list& lengths, const open_list& over,
                          fft::norm, source_line);
/// Half of the elements of each axis in front of the others, or back.
FRIT_API user_ref fftshift_of(const user_ref& x, const open_list& over, bool back, source_line);
FRIT_API user_ref fftfreq_of(const char* who, std::int64_t n, double d, bool half, dtype, source_line);

/// The dtype of a spectrum of A, and of the real numbers that it is of.
constexpr dtype spectrum_dtype(dtype t) {
    return t == run_time ? t : t == dtype::f32 || t == dtype::c64 || is_short(t) ? dtype::c64 : dtype::c128;
}
template <class A>
inline constexpr dtype spectrum_of = spectrum_dtype(operand_t<A>::type);
template <class A>
inline constexpr dtype signal_of = spectrum_of<A> == run_time ? run_time : real_dtype(spectrum_of<A>);

}  // namespace detail

namespace fft {

// Along one axis; along the last two, or others; along all, the last ones if only lengths are given, or these.
#define FRIT_FFT(name, which, result)                                                                                 \
    template <detail::operand A>                                                                                      \
    auto name(const A& x, detail::bound n = none, detail::any_integer axis = -1, norm scale = backward,               \
              source_line where = {}) {                                                                               \
        return composed<detail::result<A>>(                                                                           \
            detail::fft_of(#name, detail::transform::which, detail::node_of(x, where), n, axis.value, scale, where)); \
    }
#define FRIT_FFTN(name, which, result, axes)                                                                              \
    template <detail::operand A>                                                                                          \
    auto name(const A& x, const detail::open_list& s = none, const detail::open_list& over = axes, norm scale = backward, \
              source_line where = {}) {                                                                                   \
        return composed<detail::result<A>>(                                                                               \
            detail::fftn_of(#name, detail::transform::which, detail::node_of(x, where), s, over, scale, where));          \
    }

/// The transform along an axis, complex. Real numbers are taken as complex ones.
/// ```cpp
/// std::cout << frit::fft::fft(frit::array<double>{1, 2, 3, 4}) << '\n';
/// ```
/// ```text
/// [10.+0.j -2.+2.j -2.+0.j -2.-2.j]
/// ```
/// @throws shape_error where the axis has, or n says, less than one element; index_error for an axis that x does not have;
/// at evaluation device_error where a GPU's library is missing
FRIT_FFT(fft, forward, spectrum_of)
/// Its inverse, complex. @throws as fft
FRIT_FFT(ifft, inverse, spectrum_of)
/// The first n / 2 + 1 elements of the transform of real numbers, whose others are their conjugates.
/// @throws as fft; dtype_error for complex numbers
FRIT_FFT(rfft, real, spectrum_of)
/// Its inverse: n real numbers from n / 2 + 1 complex ones; where n is not given, 2 (m - 1) from m, which is even. The
/// imaginary part of the first element is not read, nor, of an even n, that of the last; on a GPU they should be 0.
/// @throws as fft
FRIT_FFT(irfft, inverse_real, signal_of)
/// The real transform of a signal whose second half is the conjugate of its first, of which n / 2 + 1 elements are given; n
/// as of irfft. @throws as fft
FRIT_FFT(hfft, hermitian, signal_of)
/// Its inverse: the first n / 2 + 1 elements of the inverse transform of real numbers. @throws as rfft
FRIT_FFT(ihfft, inverse_hermitian, spectrum_of)

/// The transform along two axes, the last ones if no others are named; s says how many elements each has, -1 that it stays.
/// ```cpp
/// std::cout << frit::fft::fft2(frit::array<double>{{1, 2}, {3, 4}}) << '\n';
/// ```
/// ```text
/// [[10.+0.j -2.+0.j]
///  [-4.+0.j  0.+0.j]]
/// ```
/// @throws as fft; shape_error where there is not a length for each axis; index_error for an axis that is named twice
FRIT_FFTN(fft2, forward, spectrum_of, (detail::open_list{-2, -1}))
/// Its inverse. @throws as fft2
FRIT_FFTN(ifft2, inverse, spectrum_of, (detail::open_list{-2, -1}))
/// The same of real numbers: of the last axis half of the spectrum, as rfft. @throws as fft2; dtype_error for complex
/// numbers
FRIT_FFTN(rfft2, real, spectrum_of, (detail::open_list{-2, -1}))
/// Its inverse; the last axis as irfft. On a GPU what is not the spectrum of real numbers may give others than on the CPU.
/// @throws as fft2
FRIT_FFTN(irfft2, inverse_real, signal_of, (detail::open_list{-2, -1}))

/// The transform along these axes; along all, or the last ones if s names fewer. Otherwise as fft2. @throws as fft2
FRIT_FFTN(fftn, forward, spectrum_of, none)
/// Its inverse. @throws as fft2
FRIT_FFTN(ifftn, inverse, spectrum_of, none)
/// The same of real numbers: of the last axis named half of the spectrum, as rfft. @throws as rfft2
FRIT_FFTN(rfftn, real, spectrum_of, none)
/// Its inverse; the last axis named as irfft. @throws as irfft2
FRIT_FFTN(irfftn, inverse_real, signal_of, none)
#undef FRIT_FFT
#undef FRIT_FFTN

/// The frequencies of fft's elements, in cycles for a unit of the distance d between elements: 0, 1, ..., then the negative
/// ones, all divided by n d.
/// ```cpp
/// std::cout << frit::fft::fftfreq(4, 0.5) << frit::fft::rfftfreq(4, 0.5) << '\n';
/// ```
/// ```text
/// [ 0.   0.5 -1.  -0.5][0.  0.5 1. ]
/// ```
/// In double, or in T: fftfreq<float>(4). @throws shape_error for n < 1, dtype_error for a T that is no real floating dtype
template <element T = double>
auto fftfreq(detail::any_integer n, double d = 1, source_line where = {}) {
    return composed<dtype_of<T>>(detail::fftfreq_of("fftfreq", n.value, d, false, dtype_of<T>, where));
}
/// In a dtype known at run time. @throws as fftfreq
inline auto fftfreq(detail::any_integer n, double d, dtype type, source_line where = {}) {
    return composed<detail::run_time>(detail::fftfreq_of("fftfreq", n.value, d, false, type, where));
}
/// The frequencies of rfft's elements, of which the last is positive. @throws as fftfreq
template <element T = double>
auto rfftfreq(detail::any_integer n, double d = 1, source_line where = {}) {
    return composed<dtype_of<T>>(detail::fftfreq_of("rfftfreq", n.value, d, true, dtype_of<T>, where));
}
/// In a dtype known at run time. @throws as fftfreq
inline auto rfftfreq(detail::any_integer n, double d, dtype type, source_line where = {}) {
    return composed<detail::run_time>(detail::fftfreq_of("rfftfreq", n.value, d, true, type, where));
}

/// The elements of these axes, or of all, so that frequency 0 stands in the middle. In x's dtype. @throws index_error for an
/// axis that x does not have
template <detail::operand A>
auto fftshift(const A& x, const detail::open_list& over = none, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::fftshift_of(detail::node_of(x, where), over, false, where));
}
/// Back again, of axes of an odd number of elements, too. @throws as fftshift
template <detail::operand A>
auto ifftshift(const A& x, const detail::open_list& over = none, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::fftshift_of(detail::node_of(x, where), over, true, where));
}

}  // namespace fft
}  // namespace frit::v0

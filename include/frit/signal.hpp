// Signals along an axis, named as in scipy.signal: window functions, hilbert, stft and istft, fftconvolve. Formulas over
// Fourier transforms (src/formulas/signal.cpp, short_time_fourier.cpp, convolve_fft.cpp): what is computed between two
// transforms is one kernel. The transforms' rules of dtypes hold (fft.hpp); convolve and correlate, which take integers too
// and choose between sums and transforms, are in convolve.hpp.
#pragma once

#include <cstdint>
#include <tuple>

#include "frit/convolve.hpp"
#include "frit/fft.hpp"

namespace frit::inline v0 {

namespace signal {

/// The window functions that stft knows by name.
enum class window : std::uint8_t { hann, hamming, blackman };
/// By what stft divides: so that a sine shows its amplitude, or so that squares are a power spectral density.
enum class scaling : std::uint8_t { spectrum, psd };

}  // namespace signal

namespace detail {

/// The dtype in which numbers of a dtype are transformed: real ones stay real.
constexpr dtype transformed_dtype(dtype t) {
    return t == run_time || is_complex(t) ? spectrum_dtype(t) : real_dtype(spectrum_dtype(t));
}

FRIT_API user_ref window_of(signal::window, std::int64_t n, bool symmetric, source_line);
FRIT_API user_ref hilbert_of(const user_ref& x, bound n, std::int64_t axis, source_line);
FRIT_API user_ref fftconvolve_of(const user_ref& x, const user_ref& k, convolve_mode, const open_list& over, source_line);

/// A window by name, or an array, which says how long segments are.
struct segment_window {
    signal::window name = signal::window::hann;
    user_ref values{};  ///< null: by name
    segment_window(signal::window w) : name(w) {}
    template <operand W>
    segment_window(const W& w, source_line where = {}) : values(node_of(w, where)) {}
};

}  // namespace detail

namespace signal {

/// How stft cuts a signal into segments, and istft puts them together: the same for both.
struct segments {
    double fs = 1;                                 ///< samples in a unit of time
    detail::segment_window window = window::hann;  ///< a name, whose window is periodic, or an array
    std::int64_t nperseg = 0;                      ///< elements of a segment; 0: 256, or what the window or spectrum says
    std::int64_t noverlap = -1;                    ///< elements that a segment shares with the next; -1: half of them
    std::int64_t nfft = 0;                         ///< zeros fill a segment up to so many; 0: none do
    bool boundary = true;                          ///< half a segment of zeros at both ends, so that all can be inverted
    bool padded = true;                            ///< zeros at the end, so that no element is left over
    bool onesided = true;                          ///< half a spectrum of a real signal (istft: see twosided)
    signal::scaling scaling = scaling::spectrum;   ///< by what spectra are divided
};

/// For istft, of spectra that have all their elements.
struct twosided_t {
    explicit twosided_t() = default;
};
/// As istft(spectra, frit::signal::twosided).
inline constexpr twosided_t twosided{};

}  // namespace signal

namespace detail {

struct short_time_spectra {
    user_ref frequencies, times, spectra;
};
FRIT_API short_time_spectra stft_of(const user_ref& x, const signal::segments&, std::int64_t axis, source_line);
struct timed_signal {
    user_ref times, values;
};
FRIT_API timed_signal istft_of(const user_ref& spectra, bool onesided, const signal::segments&, std::int64_t time_axis,
                               std::int64_t freq_axis, source_line);

}  // namespace detail

namespace signal {

namespace windows {

#define FRIT_WINDOW(name)                                                                  \
    inline auto name(detail::any_integer n, bool sym = true, source_line where = {}) {     \
        return composed<dtype::f64>(detail::window_of(window::name, n.value, sym, where)); \
    }
/// Hann's window of n elements, 0.5 - 0.5 cos(2 pi i / (n - 1)); with sym = false one period of it, i / n, as transforms
/// want it.
/// ```cpp
/// std::cout << frit::signal::windows::hann(5) << frit::signal::windows::hann(4, false) << '\n';
/// ```
/// ```text
/// [0.  0.5 1.  0.5 0. ][0.  0.5 1.  0.5]
/// ```
/// @throws shape_error for a negative n
FRIT_WINDOW(hann)
/// Hamming's, 0.54 - 0.46 cos(...). @throws as hann
FRIT_WINDOW(hamming)
/// Blackman's, 0.42 - 0.5 cos(...) + 0.08 cos(2 ...). @throws as hann
FRIT_WINDOW(blackman)
#undef FRIT_WINDOW

}  // namespace windows

/// The analytic signal along an axis, complex: x is its real part, x's Hilbert transform its imaginary one, so that its
/// modulus is x's envelope. x is cut, or padded with zeros, to n elements where that is said. Two transforms and the kernel
/// between them.
/// ```cpp
/// std::cout << frit::signal::hilbert(frit::array<double>{1, 0, -1, 0}) << '\n';
/// ```
/// ```text
/// [ 1.+0.j  0.+1.j -1.+0.j  0.-1.j]
/// ```
/// @throws dtype_error for complex numbers; otherwise as fft::fft
template <detail::operand A>
auto hilbert(const A& x, detail::bound n = none, detail::any_integer axis = -1, source_line where = {}) {
    return composed<detail::spectrum_of<A>>(detail::hilbert_of(detail::node_of(x, where), n, axis.value, where));
}

/// Spectra of segments of a signal, one after the other, as scipy.signal.stft without detrend: (frequencies, times,
/// spectra). In the spectra the frequencies stand where the axis was, the times along a new last one. Complex signals have
/// spectra of two sides. No segment is stored but its windowed elements, which are transformed by one call; on a GPU not
/// even these, of float32 segments of 64, 128, ... 2,048 elements.
/// ```cpp
/// const frit::array<double> x{1, 2, 3, 4};
/// const auto [f, t, z] = frit::signal::stft(x, {.nperseg = 4});
/// std::cout << f << t << '\n' << abs(z(0)) << '\n';
/// ```
/// ```text
/// [0.   0.25 0.5 ][0. 2. 4.]
/// [1. 3. 1.]
/// ```
/// @throws error for segments that cannot be: no element, as many that overlap as there are, a transform that is shorter;
/// shape_error for a signal without elements or a window that is no vector; dtype_error for a complex window; index_error
/// for an axis that x does not have; otherwise as fft::fft
template <detail::operand A>
auto stft(const A& x, const segments& how = {}, detail::any_integer axis = -1, source_line where = {}) {
    const detail::short_time_spectra all = detail::stft_of(detail::node_of(x, where), how, axis.value, where);
    return std::tuple{composed<dtype::f64>(all.frequencies), composed<dtype::f64>(all.times),
                      composed<detail::spectrum_of<A>>(all.spectra)};
}

/// The signal of spectra that stft gave, as scipy.signal.istft: (times, signal), the signal along the axis of the
/// times. Segments are windowed once more and added up, which is the signal that is nearest to all of them, and
/// exactly the one where nothing was changed: D. Griffin and J. Lim, "Signal estimation from modified short-time Fourier
/// transform", IEEE Transactions on Acoustics, Speech, and Signal Processing 32 (1984). Where all windows are 0 the signal
/// is not divided.
/// @throws error for segments that cannot be, or spectra that do not fit them; shape_error for spectra without elements, a
/// window that is no vector, or segments of which nothing is left between the ends; dtype_error for a complex window;
/// index_error for axes that are not there, or one axis for both
template <detail::operand A>
auto istft(const A& spectra, const segments& how = {}, detail::any_integer time_axis = -1,
           detail::any_integer freq_axis = -2, source_line where = {}) {
    const detail::timed_signal s =
        detail::istft_of(detail::node_of(spectra, where), true, how, time_axis.value, freq_axis.value, where);
    return std::tuple{composed<dtype::f64>(s.times), composed<detail::signal_of<A>>(s.values)};
}
/// The same of spectra with all their elements; the signal is complex.
template <detail::operand A>
auto istft(const A& spectra, twosided_t, const segments& how = {}, detail::any_integer time_axis = -1,
           detail::any_integer freq_axis = -2, source_line where = {}) {
    const detail::timed_signal s =
        detail::istft_of(detail::node_of(spectra, where), false, how, time_axis.value, freq_axis.value, where);
    return std::tuple{composed<dtype::f64>(s.times), composed<detail::spectrum_of<A>>(s.values)};
}

/// The convolution of arrays of one rank along these axes, or all, by Fourier transforms; along others they broadcast. Modes
/// are those of convolve, convolve_mode::same as many as x has. In floating dtypes; of both real ones, real. An element that
/// is not finite spreads over all that is transformed with it, and rounding errors are those of the largest elements.
/// ```cpp
/// const frit::array<double> x{1, 2, 4}, k{1, -1};
/// std::cout << frit::rint(frit::signal::fftconvolve(x, k)) << '\n';
/// ```
/// ```text
/// [ 1.  1.  2. -4.]
/// ```
/// @throws shape_error where ranks differ, there are no elements, or neither fits into the other for convolve_mode::valid;
/// index_error for an axis that is not there or named twice
template <detail::operand A, detail::operand K>
auto fftconvolve(const A& x, const K& k, convolve_mode mode = convolve_mode::full, const detail::open_list& over = none,
                 source_line where = {}) {
    return composed<detail::transformed_dtype(promote(detail::operand_t<A>::type, detail::operand_t<K>::type))>(
        detail::fftconvolve_of(detail::node_of(x, where), detail::node_of(k, where), mode, over, where));
}

}  // namespace signal
}  // namespace frit::v0

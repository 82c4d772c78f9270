// A Wiener filter in the frequency domain: what this example shows of frit. Each frequency is multiplied by the part of its
// power that is not noise (N. Wiener, "Extrapolation, Interpolation, and Smoothing of Stationary Time Series", 1949), which
// is estimated as in J. S. Lim, "Two-Dimensional Signal and Image Processing", 1990, section 9.2: from the noisy picture
// itself, whose power is averaged over neighbouring frequencies.
#pragma once

#include <cmath>
#include <frit/frit.hpp>

/// The powers of half a spectrum, each averaged with its neighbours; `width` is the picture's. Frequencies come round; those
/// that are missing are conjugates: the power of (k, -l) is that of (-k, l).
template <class Power>
frit::array<float> average_of_neighbours(const Power& power, std::int64_t width, int neighbours) {
    using frit::ellipsis, frit::slice, frit::ndimage::uniform_filter1d, frit::ndimage::mode;
    const std::int64_t reach = neighbours / 2, half = power.shape()[-1];
    const frit::array<float> columns = uniform_filter1d(power, neighbours, -2, mode::wrap);
    const frit::array<float> turned = roll(flip(columns, {-2, -1}), 1, -2);  // (k, l) -> (-k, half - 1 - l)
    const std::int64_t others = width - half;                                // frequencies that are missing
    const frit::array<float> whole = concatenate(-1, turned(ellipsis, slice(half - 1 - reach, half - 1)), columns,
                                                 turned(ellipsis, slice(half - 1 - others, half - 1 - others + reach)));
    return uniform_filter1d(whole, neighbours, -1)(ellipsis, slice(reach, reach + half));
}

/// Pictures (..., height, width) with white noise of standard deviation `noise` taken out. Two library calls and four
/// kernels: the transform's factor; the power, averaged along columns; the frequencies beyond its ends; averages along rows,
/// and what the frequencies are multiplied by. `neighbours`, along each axis, are an odd number below the picture's width.
inline frit::array<float> wiener(const frit::array<float>& noisy, float noise, int neighbours = 5) {
    const std::int64_t height = noisy.shape()[-2], width = noisy.shape()[-1];
    const frit::array<std::complex<float>> spectrum = frit::fft::rfft2(noisy, frit::none, {-2, -1}, frit::fft::ortho);
    const auto squares = square(real(spectrum)) + square(imag(spectrum));
    const frit::array<float> power = average_of_neighbours(squares, width, neighbours);
    const auto gain = maximum(power - noise * noise, 0.0F) / maximum(power, 1e-20F);
    return frit::fft::irfft2(spectrum * gain, {height, width}, {-2, -1}, frit::fft::ortho);
}

/// How many decibels the largest possible error, 1, is above the usual one.
inline double psnr(const frit::array<float>& x, const frit::array<float>& truth) {
    return -10 * std::log10(static_cast<double>(mean(square(x - truth)).item()));
}

// A Wiener filter in the frequency domain: what this example shows of frit. Each frequency is multiplied by the part of its
// power that is not noise (N. Wiener, "Extrapolation, Interpolation, and Smoothing of Stationary Time Series", 1949), which
// is estimated as in J. S. Lim, "Two-Dimensional Signal and Image Processing", 1990, section 9.2: from the noisy picture
// itself, whose power is averaged over neighbouring frequencies.
#pragma once

#include <cmath>
#include <frit/frit.hpp>

/// Pictures (..., height, width) with white noise of standard deviation `noise` taken out. Two library calls and three
/// kernels: the transform's factor; the power, averaged along columns; averages along rows, and what the frequencies are
/// multiplied by.
inline frit::array<float> wiener(const frit::array<float>& noisy, float noise, int neighbours = 5) {
    const std::int64_t height = noisy.shape()[-2], width = noisy.shape()[-1];
    const frit::array<std::complex<float>> spectrum = frit::fft::rfft2(noisy, frit::none, {-2, -1}, frit::fft::ortho);
    const auto squares = square(real(spectrum)) + square(imag(spectrum));
    using frit::ndimage::mode, frit::ndimage::uniform_filter1d;  // frequencies of columns come round, those of rows mirror
    const frit::array<float> power =
        uniform_filter1d(uniform_filter1d(squares, neighbours, -2, mode::wrap), neighbours, -1, mode::mirror);
    const auto gain = maximum(power - noise * noise, 0.0F) / maximum(power, 1e-20F);
    return frit::fft::irfft2(spectrum * gain, {height, width}, {-2, -1}, frit::fft::ortho);
}

/// How many decibels the largest possible error, 1, is above the usual one.
inline double psnr(const frit::array<float>& x, const frit::array<float>& truth) {
    return -10 * std::log10(static_cast<double>(mean(square(x - truth)).item()));
}

// The Mandelbrot set by frit::iterate: what this example shows of frit. z -> z^2 + c, real and imaginary parts as two
// arrays, becomes a loop inside one kernel, which every point leaves when it is outside.
#pragma once

#include <tuple>

#include <frit/frit.hpp>

/// A rectangle of the complex plane, seen on `columns` x `rows` points.
struct window {
    double re, im, width;  ///< centre and width
    int columns, rows;
};

/// Where every point has got to, and after how many steps it left the circle |z| <= radius.
struct orbits {
    frit::array<double> re, im;
    frit::array<int> steps;
};

inline constexpr double radius = 256;

/// Where all points get to in so many steps. Nothing runs here: evaluating the result is one kernel.
inline orbits iterate(const window& w, int steps) {
    const double half = w.width / 2, half_height = half * w.rows / w.columns;
    const frit::array<double> c_re = frit::linspace(w.re - half, w.re + half, w.columns);
    const frit::array<double> c_im = frit::linspace(w.im + half_height, w.im - half_height, w.rows).reshape({w.rows, 1});
    const auto step = [&](const auto& re, const auto& im, const auto& n) {
        return std::tuple(re * re - im * im + c_re, 2 * re * im + c_im, n + 1);
    };
    const auto outside = [](const auto& re, const auto& im, const auto&) { return re * re + im * im > radius * radius; };
    const auto [re, im, n] = frit::iterate(steps, std::tuple(0.0, 0.0, 0), step, outside);
    return {re, im, n};
}

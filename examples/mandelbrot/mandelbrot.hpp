// The Mandelbrot set as array formulas: what this example shows of frit. All points are iterated together, z -> z^2 + c with
// real and imaginary parts as two arrays; a mask says which points are still inside, and `where` leaves the others as they
// are.
#pragma once

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

inline orbits start(const window& w) {
    const frit::shape points{w.rows, w.columns};
    return {frit::zeros<double>(points), frit::zeros<double>(points), frit::zeros<int>(points)};
}

/// Records `steps` steps. Nothing runs here: evaluating the result is one kernel, in which the whole loop is unrolled.
inline orbits iterate(orbits z, const window& w, int steps) {
    const double half = w.width / 2, half_height = half * w.rows / w.columns;
    const frit::array<double> c_re = frit::linspace(w.re - half, w.re + half, w.columns);
    const frit::array<double> c_im = frit::linspace(w.im + half_height, w.im - half_height, w.rows).reshape({w.rows, 1});
    for (int k = 0; k < steps; ++k) {
        const frit::array<double> re2 = z.re * z.re, im2 = z.im * z.im, im = 2 * z.re * z.im + c_im;
        const frit::array<bool> inside = re2 + im2 <= radius * radius;
        z.re = frit::where(inside, re2 - im2 + c_re, z.re);
        z.im = frit::where(inside, im, z.im);
        z.steps += inside;
    }
    return z;
}

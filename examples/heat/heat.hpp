// The 2-D heat equation, u_t = u_xx + u_yy on the unit square with u = 0 on its boundary, by explicit steps: what this
// example shows of frit. The scheme is the forward-time, central-space one of every textbook (for example R. J. LeVeque,
// "Finite Difference Methods for Ordinary and Partial Differential Equations", SIAM 2007, section 9): stable for dt <= h^2
// / 4.
#pragma once

#include <cmath>
#include <frit/frit.hpp>
#include <numbers>

/// One step in place; `r` is dt / h^2. The right-hand side reads old values only, although u is written: no second array, no
/// order of loops to think about. One kernel.
inline void heat_step(frit::array<double>& u, double r) {
    const frit::slice inner(1, -1), before(0, -2), after(2, frit::none);
    u(inner, inner) += r * (u(before, inner) + u(after, inner) + u(inner, before) + u(inner, after) - 4 * u(inner, inner));
}

/// sin(p pi x) sin(q pi y) on n x n points, boundary included: an eigenfunction of the equation, and of the scheme.
inline frit::array<double> mode(std::int64_t n, int p, int q) {
    const frit::array<double> x = frit::linspace(0.0, std::numbers::pi, n);
    frit::array<double> u = frit::sin(q * x.reshape({n, 1})) * frit::sin(p * x);
    for (const int end : {0, -1}) u(end, frit::all) = 0, u(frit::all, end) = 0;  // sin(p pi) is not exactly 0
    return u;
}

/// What is left of a mode after time t: the solution is the sum of the modes, each by its own factor.
inline double decay(int p, int q, double t) { return std::exp(-std::numbers::pi * std::numbers::pi * (p * p + q * q) * t); }

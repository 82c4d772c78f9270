// The 2-D heat equation with time steps as long as one likes: alternating directions. Each half of a step is implicit along
// one axis, where it takes a tridiagonal system in every row or column, and explicit along the other: D. W. Peaceman and H.
// H. Rachford, "The numerical solution of parabolic and elliptic differential equations", J. SIAM 3 (1955). The systems are
// solved by Thomas' algorithm, two recurrences along the axis: what this example shows of frit.
#pragma once

#include <frit/frit.hpp>
#include <tuple>

/// Second differences along an axis, of what is 0 beyond the edge.
template <frit::operand X>
auto second_difference(const X& u, int axis) {
    const frit::slice before(0, -2), after(2, frit::none);
    if (axis == 0) {
        const auto wide = pad(u, {{1, 1}, {0, 0}});
        return wide(before) + wide(after) - 2 * u;
    }
    const auto wide = pad(u, {{0, 0}, {1, 1}});
    return wide(frit::all, before) + wide(frit::all, after) - 2 * u;
}

/// x with (1 - r times the second difference along the axis) x = rhs. Two kernels, whichever axis it is: down, and up again.
template <frit::operand X>
frit::array<double> implicit_solve(const X& rhs, double r, int axis) {
    const auto down = [&](const auto& c, const auto& d, const auto& right) {
        const auto m = 1 / (1 + 2 * r + r * c);
        return std::tuple(-r * m, (right + r * d) * m);
    };
    const auto [c, d] = frit::scan_along(axis, std::tuple(0.0, 0.0), down, rhs);
    const auto up = [](const auto& x, const auto& ck, const auto& dk) { return dk - ck * x; };
    return frit::scan_along(frit::backward(axis), 0.0, up, c, d);
}

/// A step of the inner points; `r` is dt / (2 h^2).
inline frit::array<double> adi_step(const frit::array<double>& u, double r) {
    const frit::array<double> half = implicit_solve(u + r * second_difference(u, 0), r, 1);
    return implicit_solve(half + r * second_difference(half, 1), r, 0);
}

// The conjugate gradient method for Poisson's equation on the unit square, -u_xx - u_yy = f with u = 0 on the boundary: what
// this example shows of frit. The matrix is never made: a product with it is a formula over slices. All scalars of the
// method are arrays of no axes, so they stay on the device, and the host queues step after step without waiting for one.
//
// M. R. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear systems", Journal of Research of the
// National Bureau of Standards 49(6), 1952, 409-436.
#pragma once

#include <frit/frit.hpp>

/// The five-point matrix times u, on n x n inner points: h^2 times -u_xx - u_yy.
inline frit::array<double> times_matrix(const frit::array<double>& u) {
    const frit::array<double> v = pad(u, {{1, 1}, {1, 1}});
    const frit::slice inner(1, -1), before(0, -2), after(2, frit::none);
    return 4 * u - v(before, inner) - v(after, inner) - v(inner, before) - v(inner, after);
}

/// Where the method is: the solution so far, its residual b - A x, the direction of the next step, and |residual|^2.
struct search {
    frit::array<double> x, r, p, rr;
};

inline search start_at_zero(const frit::array<double>& b) { return {zeros_like(b), b, b, sum(b * b)}; }

/// One step, with one product. Nothing is read by the host.
inline void conjugate_gradient_step(search& s) {
    const frit::array<double> q = times_matrix(s.p);
    const frit::array<double> alpha = s.rr / sum(s.p * q);
    s.x += alpha * s.p;
    s.r -= alpha * q;
    const frit::array<double> rr = sum(s.r * s.r);
    s.p = s.r + rr / s.rr * s.p;
    s.rr = rr;
    frit::eval(s.x, s.r, s.p, s.rr);
}

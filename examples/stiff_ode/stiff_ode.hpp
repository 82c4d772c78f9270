// Stiff differential equations, each with a step size of its own, in one kernel: what this example shows of frit. A step of
// the method is a formula over arrays, one element a system; frit::iterate repeats it until every system has arrived, and an
// element whose error is too large tries again with a shorter step while its neighbours go on.
//
// The method is the linearly implicit one of order 2 with an error estimate of order 3 that MATLAB calls ode23s: L. F.
// Shampine, M. W. Reichelt, "The MATLAB ODE suite", SIAM Journal on Scientific Computing 18(1), 1997, 1-22. Stages solve
// linear systems with W = 1 - h d J, here of two unknowns, by Cramer's rule.
#pragma once

#include <cmath>
#include <stdexcept>
#include <tuple>

#include <frit/frit.hpp>

using numbers = frit::array<double>;

/// Two components of all systems, or of their derivatives.
struct state {
    numbers a, b;
};
inline state operator+(const state& x, const state& y) { return {x.a + y.a, x.b + y.b}; }
inline state operator-(const state& x, const state& y) { return {x.a - y.a, x.b - y.b}; }
template <class H>
state operator*(const H& h, const state& x) {
    return {h * x.a, h * x.b};
}

/// The matrix of derivatives: row a, then row b.
struct jacobian {
    numbers aa, ab, ba, bb;
};

/// The oscillator of B. van der Pol (1926): x'' = mu (1 - x^2) x' - x, as (x, x').
struct van_der_pol {
    numbers mu;
    state slope(const state& u) const { return {u.b, mu * (1 - u.a * u.a) * u.b - u.a}; }
    jacobian derivative(const state& u) const {
        return {0 * u.a, 1 + 0 * u.a, -2 * mu * u.a * u.b - 1, mu * (1 - u.a * u.a)};
    }
};

/// The reactions of H. H. Robertson (1966): A -> B, 2 B -> B + C, B + C -> A + C, as (A, B) with A + B + C = 1. The rate of
/// the first may differ from system to system.
struct robertson {
    numbers rate;
    state slope(const state& u) const {
        const numbers back = 1e4 * u.b * (1 - u.a - u.b) - rate * u.a;
        return {back, -1 * back - 3e7 * u.b * u.b};
    }
    jacobian derivative(const state& u) const {
        const numbers by_a = -1e4 * u.b - rate, by_b = 1e4 * (1 - u.a - 2 * u.b);
        return {by_a, by_b, -1 * by_a, -1 * by_b - 6e7 * u.b};
    }
};

struct tolerance {
    double relative = 1e-6, absolute = 1e-9;
};

/// Where a step of length h leads, and the estimate of its error.
struct attempt {
    state next, error;
};
template <class System>
attempt rosenbrock(const System& f, const state& u, const numbers& h) {
    const double d = 1 / (2 + std::sqrt(2.0)), e32 = 6 + std::sqrt(2.0);
    const jacobian j = f.derivative(u);
    const numbers hd = h * d, aa = 1 - hd * j.aa, ab = -1 * hd * j.ab, ba = -1 * hd * j.ba, bb = 1 - hd * j.bb;
    const numbers determinant = aa * bb - ab * ba;
    const auto solve = [&](const state& r) {
        return state{(bb * r.a - ab * r.b) / determinant, (aa * r.b - ba * r.a) / determinant};
    };
    const state f0 = f.slope(u), k1 = solve(f0);
    const state f1 = f.slope(u + 0.5 * h * k1), k2 = solve(f1 - k1) + k1;
    const state next = u + h * k2;
    const state k3 = solve(f.slope(next) - e32 * (k2 - f1) - 2.0 * (k1 - f0));
    return {next, h / 6 * (k1 - 2.0 * k2 + k3)};
}

struct arrival {
    state u;
    frit::array<int> steps;  ///< those that were tried
    numbers time;            ///< the end, unless there were too many steps
};
/// @throws std::runtime_error unless all systems have arrived
inline void require(const frit::array<bool>& arrived) {
    if (!frit::all(arrived).item()) throw std::runtime_error("a system needs more steps than it was given");
}

/// From u at time 0 to `end`, each system by steps of its own. Nothing runs here: evaluating the result is one kernel.
template <class System>
arrival integrate(const System& f, const state& start, const numbers& end, const tolerance& allowed = {},
                  int most_steps = 100'000) {
    const auto step = [&](const numbers& a, const numbers& b, const numbers& t, const numbers& wanted, const auto& steps) {
        const numbers h = minimum(wanted, end - t);
        const attempt made = rosenbrock(f, {a, b}, h);
        const auto share = [&](const numbers& error, const numbers& from, const numbers& to) {
            return abs(error) / (allowed.absolute + allowed.relative * maximum(abs(from), abs(to)));
        };
        const numbers error = maximum(share(made.error.a, a, made.next.a), share(made.error.b, b, made.next.b));
        const frit::array<bool> good = error <= 1;  // and so not NaN
        // The error of a step grows with h^3.
        const numbers factor = clip(where(error == error, 0.8 / cbrt(maximum(error, 1e-12)), 0.2), 0.2, 5);
        // Where h is all that was left, t + h is the end but for rounding.
        const numbers later = where(h < end - t, t + h, end);
        return std::tuple(where(good, made.next.a, a), where(good, made.next.b, b), where(good, later, t), factor * h,
                          steps + 1);
    };
    const auto arrived = [&](const numbers&, const numbers&, const numbers& t, const numbers&, const auto&) {
        return t >= end;
    };
    const numbers first = minimum(1e-6, end);
    const auto [a, b, t, h, steps] = frit::iterate(most_steps, std::tuple(start.a, start.b, 0.0, first, 0), step, arrived);
    return {{a, b}, steps, t};
}

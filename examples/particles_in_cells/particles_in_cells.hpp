// Electrons in a periodic box, before ions that stay where they are, by the particle-in-cell method: what this example shows
// of frit. Charges are scattered to a grid, Gauss's law is a running sum, and forces are gathered from it. The scheme is
// the one of C. K. Birdsall and A. B. Langdon, "Plasma Physics via Computer Simulation", chapters 2 to 4, in one dimension:
// clouds in cells, leapfrog steps. The unit of time is 1 / plasma frequency; an electron's charge over its mass is -1, the
// mean density 1.
#pragma once

#include <cmath>
#include <frit/frit.hpp>
#include <numbers>
#include <vector>

struct box {
    double length;
    std::int64_t cells;
    double spacing() const { return length / static_cast<double>(cells); }
};

/// Places at a time t, in [0, length), and velocities half a step before.
struct electrons {
    frit::array<double> x, v;
};

/// Between which points of the grid each electron is, and what share of it the right one has.
struct places {
    frit::array<std::int64_t> left, right;
    frit::array<double> share;
};
inline places places_of(const frit::array<double>& x, const box& b) {
    const auto [share, cell] = frit::modf(x / b.spacing());
    const frit::array<std::int64_t> left = frit::cast<std::int64_t>(cell);
    return {remainder(left, b.cells), remainder(left + 1, b.cells), share};
}

/// How many electrons there are at each point of the grid, over their mean: a scatter, in which most points get many values.
inline frit::array<double> density(const places& at, const box& b) {
    frit::array<double> n = frit::zeros<double>({b.cells});
    n(at.left) += 1 - at.share;
    n(at.right) += at.share;
    return n * (static_cast<double>(b.cells) / static_cast<double>(at.share.size()));
}

/// The electric field half way from each point to the next one: dE/dx = 1 - n, and no voltage around the box.
inline frit::array<double> field(const frit::array<double>& n, const box& b) {
    const frit::array<double> e = frit::cumsum((1 - n) * b.spacing());
    return e - mean(e);
}

/// What the field does to each electron. The force between two of them is the same in both directions, since the field at a
/// point is made of its neighbours' as their densities are: the electrons' momentum stays as it is.
inline frit::array<double> acceleration(const frit::array<double>& e, const places& at) {
    const frit::array<double> at_points = (roll(e, 1) + e) / 2;
    return -lerp(at_points(at.left), at_points(at.right), at.share);
}

/// A step, and what the electrons' kinetic energy and the field's energy were at its start, as arrays that may be read or
/// not.
struct moved {
    electrons next;
    frit::array<double> kinetic, electric;
};
inline moved step(const electrons& now, const box& b, double dt) {
    const places at = places_of(now.x, b);
    const frit::array<double> e = field(density(at, b), b), a = acceleration(e, at);
    const frit::array<double> v = now.v + dt * a, x = now.x + dt * v;
    return {{x - b.length * floor(x / b.length), v},
            b.length / 2 * mean(square((now.v + v) / 2)),
            b.length / 2 * mean(square(e))};
}

/// Two beams of `count` electrons in all, which meet at speeds of 1 and -1, with a spread: every other electron is of the
/// second beam, and has the place and the speed of the one before. Places are even, but for waves: the one of amplitude
/// `waves[m]` fits into the box m + 1 times. Speeds are normal, from a sequence that fills a square evenly instead of a
/// random one, so that nothing but these waves begins to grow.
inline electrons two_beams(std::int64_t count, const box& b, const std::vector<double>& waves, double spread) {
    const frit::array<double> j = frit::arange(static_cast<double>(count)), pair = floor(j / 2);
    const frit::array<double> even = (2 * pair + 1) * (b.length / static_cast<double>(count));
    frit::array<double> x = even;
    for (std::size_t m = 0; m < waves.size(); ++m)
        x += waves[m] * sin((2 * std::numbers::pi / b.length * static_cast<double>(m + 1)) * even);
    const auto fraction = [&](double step) { return pair * step - floor(pair * step); };
    const frit::array<double> size = sqrt(-2 * log(1 - fraction(0.7548776662466927)));
    const frit::array<double> speed = 1 + spread * size * cos(2 * std::numbers::pi * fraction(0.5698402909980532));
    return {x - b.length * floor(x / b.length), where(j == 2 * pair, speed, -speed)};
}

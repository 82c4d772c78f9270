// The Ising model: spins of +1 and -1 on a square grid that wraps around, each inclined to point as its four neighbours do.
// What this example shows of frit: random numbers are formulas, so half a sweep, with its neighbours, probabilities and
// random numbers, is one kernel that reads the spins and writes them.
//
// The spins of one colour of a checkerboard have neighbours of the other colour only, so all of them are updated at once, by
// the heat bath: a spin points up with the probability that it has among its neighbours. What the mean energy and
// magnetisation must be is known exactly: L. Onsager, "Crystal statistics I", Physical Review 65, 1944, 117-149, and
// C. N. Yang, "The spontaneous magnetization of a two-dimensional Ising model", Physical Review 85, 1952, 808-816.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include <frit/frit.hpp>

/// The temperature, in units of the coupling, below which the spins agree on a direction.
inline const double critical_temperature = 2 / std::log(1 + std::numbers::sqrt2);

using spins = frit::array<std::int8_t>;

/// The sum of each spin's four neighbours.
inline auto neighbours(const spins& s) { return roll(s, 1, 0) + roll(s, -1, 0) + roll(s, 1, 1) + roll(s, -1, 1); }

/// Both colours of a checkerboard, one after the other; the extents of s are even.
inline void sweep(spins& s, double temperature, frit::random::generator& random) {
    const std::int64_t rows = s.shape()[0], columns = s.shape()[1];
    const auto colour = (frit::arange<int>(rows).reshape({rows, 1}) + frit::arange<int>(columns)) & 1;
    for (const int now : {0, 1}) {
        const auto up = sigmoid(frit::cast<float>(neighbours(s)) * static_cast<float>(2 / temperature));
        const frit::array<float> u = random.uniform<float>(s.shape());
        s = where(colour == now, frit::cast<std::int8_t>(where(u < up, 1, -1)), s);
        s.eval();
    }
}

/// A spin's share of the energy: each of the two bonds that belong to it counts -1 where both its ends agree, else 1.
inline frit::array<double> energy(const spins& s) { return -mean(s * (roll(s, 1, 0) + roll(s, 1, 1))); }
inline frit::array<double> magnetisation(const spins& s) { return mean(s); }

/// The mean energy of a spin on an infinite grid (Onsager): -coth(2b) (1 + 2/pi (2 tanh^2(2b) - 1) K(k)) with b = 1 / T,
/// k = 2 sinh(2b) / cosh^2(2b) and the complete elliptic integral K.
inline double exact_energy(double temperature) {
    const double b = 1 / temperature, k = 2 * std::sinh(2 * b) / std::pow(std::cosh(2 * b), 2);
    const double t = std::tanh(2 * b);
    const double integral = k < 1 ? std::comp_ellint_1(k) : 0;  // at the critical temperature its factor is 0
    return -(1 + 2 / std::numbers::pi * (2 * t * t - 1) * integral) / t;
}
/// The mean of a spin on an infinite grid (Yang), 0 above the critical temperature.
inline double exact_magnetisation(double temperature) {
    if (temperature >= critical_temperature) return 0;
    return std::pow(1 - std::pow(std::sinh(2 / temperature), -4), 0.125);
}

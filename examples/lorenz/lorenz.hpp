// The Lorenz system for Boost.odeint, with frit's arrays as its state: one formula integrates a whole ensemble.
//
// E. N. Lorenz, "Deterministic nonperiodic flow", Journal of the Atmospheric Sciences 20(2), 1963, 130-141, equations (25)
// to (27):  x' = sigma (y - x),  y' = x (rho - z) - y,  z' = x y - beta z.
#pragma once

#include <array>
#include <frit/frit.hpp>
#include <frit/odeint.hpp>

/// x, y and z of all systems.
using state = std::array<frit::array<double>, 3>;

/// The right-hand side; every system may have its own rho.
struct lorenz {
    frit::array<double> rho;
    double sigma = 10, beta = 8.0 / 3;

    void operator()(const state& u, state& dudt, double /* t */) const {
        const auto& [x, y, z] = u;
        dudt[0] = sigma * (y - x);
        dudt[1] = x * (rho - z) - y;
        dudt[2] = x * y - beta * z;
    }
};

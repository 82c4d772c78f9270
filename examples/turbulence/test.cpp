// The scheme against Taylor and Green's vortices, which decay as their own formula says; energy and enstrophy, which stay
// without friction but for the steps' fourth order, and with it fall as the balance of energy says; and what a step costs.
#include <cmath>

#include "check.hpp"
#include "turbulence.hpp"

namespace {

double distance(const frit::array<double>& a, const frit::array<double>& b) { return frit::max(frit::abs(a - b)).item(); }

/// G. I. Taylor and A. E. Green, "Mechanism of the production of small eddies from large ones", Proceedings of the Royal
/// Society A 158 (1937): w = 2 cos x cos y exp(-2 nu t), of which nothing is carried along its own streamlines.
frit::array<double> vortices(std::int64_t n, double factor) {
    const frit::array<double> x = 2 * std::numbers::pi / static_cast<double>(n) * frit::arange<double>(0, n);
    return factor * 2 * cos(x) * cos(x.reshape({n, 1}));
}

void vortices_decay_as_they_should() {
    constexpr std::int64_t n = 32;
    constexpr double viscosity = 0.05, step = 0.01;
    constexpr int steps = 200;
    const flow f(n, viscosity, step);
    flow::spectrum w = f.from_vorticity(vortices(n, 1));
    for (int k = 0; k < steps; ++k) f.advance(w);
    const double factor = std::exp(-2 * viscosity * step * steps), error = distance(f.vorticity(w), vortices(n, factor));
    check(error < 1e-13, "distance from Taylor and Green's vortices", error);
    check(std::abs(f.energy(w) - factor * factor / 4) < 1e-14, "their energy", f.energy(w));
    check(std::abs(f.enstrophy(w) - factor * factor / 2) < 1e-14, "their enstrophy", f.enstrophy(w));
}

/// A random flow without friction at time 2.
flow::spectrum without_friction(const flow& f, double step) {
    flow::spectrum w = f.from_vorticity(random_vorticity(48, 4, 1)).eval();
    for (int k = 0; k < std::lround(2 / step); ++k) f.advance(w);
    return w;
}

void nothing_is_lost_without_friction() {
    const flow f(48, 0, 0.05), coarse(48, 0, 0.1), fine(48, 0, 0.025);
    const flow::spectrum start = f.from_vorticity(random_vorticity(48, 4, 1)), w = without_friction(f, 0.05);
    const double energy = std::abs(f.energy(w) / f.energy(start) - 1);
    const double enstrophy = std::abs(f.enstrophy(w) / f.enstrophy(start) - 1);
    check(energy < 1e-8, "relative change of energy", energy);
    check(enstrophy < 1e-7, "relative change of enstrophy", enstrophy);
    const frit::array<double> field = f.vorticity(w);
    const double moved = distance(field, f.vorticity(start));
    check(moved > 0.5, "how far the vorticity has changed at some point", moved);
    const double order = std::log2(distance(coarse.vorticity(without_friction(coarse, 0.1)), field) /
                                   distance(fine.vorticity(without_friction(fine, 0.025)), field));
    check(std::abs(order - 4) < 0.2, "order of the steps", order);
}

void friction_takes_what_it_should() {
    constexpr double viscosity = 0.01, step = 0.02;
    const flow f(48, viscosity, step);
    flow::spectrum w = f.from_vorticity(random_vorticity(48, 4, 2)).eval();
    const double start = f.energy(w);
    double lost = 0, before = f.enstrophy(w);
    for (int k = 0; k < 50; ++k) {
        f.advance(w);
        lost += 2 * viscosity * step * (before + f.enstrophy(w)) / 2;  // dE/dt = -2 nu Z
        before = f.enstrophy(w);
    }
    const double error = std::abs(start - f.energy(w) - lost) / start;
    check(lost / start > 0.1, "part of the energy that friction takes", lost / start);
    check(error < 1e-4, "what the balance of energy is off by", error);
}

void costs_what_it_says() {
    constexpr int steps = 10;
    const flow f(64, 0.01, 0.01);
    flow::spectrum w = f.from_vorticity(random_vorticity(64, 4, 3)).eval();
    for (int k = 0; k < 2; ++k) f.advance(w);
    frit::reset_stats();
    for (int k = 0; k < steps; ++k) f.advance(w);
    const frit::counters c = frit::stats();
    check(c.library_calls == 8 * steps, "library calls in 10 steps", static_cast<double>(c.library_calls));
    const bool is_cpu = frit::default_device() == frit::device::cpu();  // a GPU computes more again, to launch less
    check(is_cpu ? c.kernels_launched == 13 * steps : c.kernels_launched <= 13 * steps, "kernels",
          static_cast<double>(c.kernels_launched));
    check(c.compilations + c.plans_built == 0, "of which planned or compiled anew", static_cast<double>(c.plans_built));
}

void run() {
    vortices_decay_as_they_should();
    nothing_is_lost_without_friction();
    friction_takes_what_it_should();
    costs_what_it_says();
}

}  // namespace

int main() { return run_checks(run); }

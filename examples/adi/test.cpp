// The scheme against the decay of its eigenfunctions in closed form, and against the analytic solution at time steps at
// which explicit steps would explode; and what a step costs: four sweeps, a kernel each.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "../heat/heat.hpp"
#include "adi.hpp"
#include "check.hpp"

namespace {

/// The largest |difference|.
double distance(const frit::array<double>& a, const frit::array<double>& b) { return frit::max(frit::abs(a - b)).item(); }

frit::array<double> inner_mode(std::int64_t n, int p, int q) {
    const frit::slice inner(1, -1);
    return mode(n, p, q)(inner, inner);
}

void eigenfunctions_decay_exactly() {
    constexpr int n = 41, p = 3, q = 2, steps = 20;
    constexpr double r = 7, h = 1.0 / (n - 1);
    frit::array<double> u = inner_mode(n, p, q);
    for (int k = 0; k < steps; ++k) u = adi_step(u, r);
    const auto symbol = [](int wave) { return 4 * std::pow(std::sin(wave * std::numbers::pi * h / 2), 2); };
    const double across = r * symbol(p), down = r * symbol(q);
    const double factor = (1 - down) / (1 + across) * (1 - across) / (1 + down);
    const double error = distance(u, std::pow(factor, steps) * inner_mode(n, p, q));
    check(error < 1e-13, "distance from the scheme's own solution in closed form", error);
}

double distance_from_the_solution(int n, int steps) {
    const double t = 0.02, h = 1.0 / (n - 1), r = t / steps / (2 * h * h);
    frit::array<double> u = inner_mode(n, 2, 1);
    for (int k = 0; k < steps; ++k) u = adi_step(u, r);
    return distance(u, decay(2, 1, t) * inner_mode(n, 2, 1));
}

void converges_with_second_order() {  // in space and time together, with 16 steps where explicit ones would be 256
    const double coarse = distance_from_the_solution(33, 8), fine = distance_from_the_solution(65, 16);
    check(fine < 1e-3, "distance from the analytic solution", fine);
    check(std::abs(coarse / fine - 4) < 0.2, "and how many times smaller it is than at twice the spacings", coarse / fine);
}

void a_step_is_four_sweeps() {
    constexpr int n = 100, steps = 10;
    frit::array<double> u = inner_mode(n, 1, 1);
    u.eval();
    for (int k = 0; k < 2; ++k) u = adi_step(u, 3), u.eval();
    frit::reset_stats();
    for (int k = 0; k < steps; ++k) u = adi_step(u, 3), u.eval();
    const frit::counters c = frit::stats();
    const std::uint64_t plate = 8ull * (n - 2) * (n - 2);
    check(c.kernels_launched == 4 * steps, "kernels in 10 steps", static_cast<double>(c.kernels_launched));
    check(c.compilations + c.plans_built == 0, "of which planned or compiled anew", static_cast<double>(c.plans_built));
    check(c.bytes_read == 6 * plate * steps, "bytes read", static_cast<double>(c.bytes_read));
    check(c.bytes_written == 6 * plate * steps, "bytes written", static_cast<double>(c.bytes_written));
}

void run() {
    eigenfunctions_decay_exactly();
    converges_with_second_order();
    a_step_is_four_sweeps();
}

}  // namespace

int main() { return run_checks(run); }

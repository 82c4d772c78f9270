// The scheme against a plain loop, against the exact decay of its own eigenfunctions, and against the analytic solution,
// whose distance must shrink with h^2; and what a step costs: one kernel that reads the plate once and writes it once.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "check.hpp"
#include "heat.hpp"

namespace {

/// The largest |difference|.
double distance(const frit::array<double>& a, const frit::array<double>& b) { return frit::max(frit::abs(a - b)).item(); }

void equals_a_plain_loop() {
    constexpr int n = 37, steps = 10;
    constexpr double r = 0.2;
    std::mt19937 random(20240607);
    std::uniform_real_distribution<double> any(-1, 1);
    std::vector<double> expected(n * n);
    for (double& v : expected) v = any(random);

    frit::array<double> u = frit::from_host(expected, {n, n});
    for (int k = 0; k < steps; ++k) {
        heat_step(u, r);
        const std::vector<double> old = expected;
        for (std::size_t y = 1; y + 1 < n; ++y)
            for (std::size_t x = 1; x + 1 < n; ++x) {
                const double* c = &old[y * n + x];
                expected[y * n + x] += r * (c[-n] + c[n] + c[-1] + c[1] - 4 * c[0]);
            }
    }
    check(distance(u, frit::from_host(expected, {n, n})) < 1e-14, "distance from the plain loop, boundary not 0",
          distance(u, frit::from_host(expected, {n, n})));
}

void eigenfunctions_decay_exactly() {
    constexpr int n = 33, p = 3, q = 2, steps = 100;
    constexpr double r = 0.25, h = 1.0 / (n - 1);
    frit::array<double> u = mode(n, p, q);
    for (int k = 0; k < steps; ++k) heat_step(u, r);
    const double factor =
        1 -
        4 * r * (std::pow(std::sin(p * std::numbers::pi * h / 2), 2) + std::pow(std::sin(q * std::numbers::pi * h / 2), 2));
    const double error = distance(u, std::pow(factor, steps) * mode(n, p, q));
    check(error < 1e-13, "distance from the scheme's own solution in closed form", error);
}

double distance_from_the_solution(int n) {
    const double r = 0.2, t = 0.02;
    const int steps = static_cast<int>(std::lround(t * (n - 1) * (n - 1) / r));
    frit::array<double> u = mode(n, 2, 1);
    for (int k = 0; k < steps; ++k) heat_step(u, r);
    return distance(u, decay(2, 1, t) * mode(n, 2, 1));
}

void converges_with_second_order() {
    const double coarse = distance_from_the_solution(21), fine = distance_from_the_solution(41);
    check(fine < 1e-3, "distance from the analytic solution", fine);
    check(std::abs(coarse / fine - 4) < 0.1, "and how many times smaller it is than at twice the spacing", coarse / fine);
}

void a_step_is_one_kernel() {
    constexpr int n = 100, steps = 25;
    frit::array<double> u = mode(n, 1, 1).eval();
    for (int k = 0; k < 2; ++k) heat_step(u, 0.2), u.eval();
    frit::reset_stats();
    for (int k = 0; k < steps; ++k) heat_step(u, 0.2), u.eval();
    const frit::counters c = frit::stats();
    check(c.kernels_launched == steps, "kernels in 25 steps", static_cast<double>(c.kernels_launched));
    check(c.compilations + c.plans_built == 0, "of which planned or compiled anew", static_cast<double>(c.plans_built));
    check(c.bytes_read == 8ull * n * n * steps, "bytes read", static_cast<double>(c.bytes_read));
    check(c.bytes_written == 8ull * n * n * steps, "bytes written", static_cast<double>(c.bytes_written));
}

void run() {
    equals_a_plain_loop();
    eigenfunctions_decay_exactly();
    converges_with_second_order();
    a_step_is_one_kernel();
}

}  // namespace

int main() { return run_checks(run); }

// The product against a plain loop; solutions that are known, of the matrix and of the equation; that the direct residual is
// what the method thinks it is; and what a step costs: at most three kernels, of which none waits for the host.
#include <cmath>
#include <numbers>
#include <vector>

#include "check.hpp"
#include "conjugate_gradient.hpp"

namespace {

/// The largest |difference|.
double distance(const frit::array<double>& a, const frit::array<double>& b) { return frit::max(frit::abs(a - b)).item(); }

/// Inner points of n + 1 equal intervals.
frit::array<double> inner_points(std::int64_t n) {
    return (frit::arange(static_cast<double>(n)) + 1) / static_cast<double>(n + 1);
}

void the_product_equals_a_plain_loop() {
    constexpr std::int64_t n = 23;
    const frit::array<double> u = frit::random::generator(1).normal<double>({n, n});
    const std::vector<double> v = u.to_vector();
    const auto at = [&](std::int64_t y, std::int64_t x) {
        return y < 0 || y >= n || x < 0 || x >= n ? 0 : v[static_cast<std::size_t>(y * n + x)];
    };
    std::vector<double> expected;
    for (std::int64_t y = 0; y < n; ++y)
        for (std::int64_t x = 0; x < n; ++x)
            expected.push_back(4 * at(y, x) - at(y - 1, x) - at(y + 1, x) - at(y, x - 1) - at(y, x + 1));
    const double error = distance(times_matrix(u), frit::from_host(expected, {n, n}));
    check(error < 1e-14, "distance of the product from the plain loop's", error);
}

/// b is an eigenvector, so the first step arrives.
void an_eigenvector_takes_one_step() {
    constexpr std::int64_t n = 31;
    const frit::array<double> t = inner_points(n) * std::numbers::pi;
    const frit::array<double> b = frit::sin(3 * t.reshape({n, 1})) * frit::sin(2 * t);
    const double h = std::numbers::pi / (n + 1);
    const double eigenvalue = 4 * (std::pow(std::sin(3 * h / 2), 2) + std::pow(std::sin(2 * h / 2), 2));
    search s = start_at_zero(b);
    conjugate_gradient_step(s);
    check(distance(s.x, b / eigenvalue) < 1e-13, "distance from the eigenvector over its value after one step",
          distance(s.x, b / eigenvalue));
}

/// u = x (1 - x) y (1 - y) is a polynomial that the five points differentiate exactly.
void solves_the_equation() {
    constexpr std::int64_t n = 100;
    const frit::array<double> x = inner_points(n), y = x.reshape({n, 1});
    const frit::array<double> u = x * (1 - x) * y * (1 - y), f = 2 * (x * (1 - x) + y * (1 - y));
    const frit::array<double> b = f / ((n + 1.0) * (n + 1.0));
    search s = start_at_zero(b);
    int steps = 0;
    for (; steps < 1000 && s.rr.item() > 1e-30; ++steps) conjugate_gradient_step(s);
    check(steps < 300, "steps until the residual is 1e-15", steps);
    check(distance(s.x, u) < 1e-13, "distance from the solution", distance(s.x, u));
}

void the_residual_is_what_it_says() {
    constexpr std::int64_t n = 64;
    const frit::array<double> b = frit::random::generator(2).normal<double>({n, n});
    search s = start_at_zero(b);
    for (int k = 0; k < 60; ++k) conjugate_gradient_step(s);
    const double direct = distance(b - times_matrix(s.x), s.r);
    check(direct < 1e-12, "distance of b - A x from the residual of the recurrence", direct);
    const double norm = std::sqrt(s.rr.item()), start = frit::linalg::norm(b).item();
    check(norm < start / 10, "norm of the residual over that of b, after 60 steps", norm / start);
}

void a_step_is_three_kernels() {
    constexpr int n = 500, steps = 20;
    search s = start_at_zero(frit::random::generator(3).normal<double>({n, n}).eval());
    for (int k = 0; k < 3; ++k) conjugate_gradient_step(s);
    frit::synchronize();
    frit::reset_stats();
    for (int k = 0; k < steps; ++k) conjugate_gradient_step(s);
    const frit::counters c = frit::stats();
    check(c.kernels_launched == 3 * steps, "kernels in 20 steps", static_cast<double>(c.kernels_launched));
    check(c.compilations + c.plans_built == 0, "of which planned or compiled anew", static_cast<double>(c.plans_built));
    check(c.device_to_host_bytes == 0, "bytes that the host has read", static_cast<double>(c.device_to_host_bytes));
    // x, r, p and A p: each is read where it is needed and written where it changes; beside them a few scalars.
    const double matrix = 8.0 * n * n * steps;
    check(std::abs(static_cast<double>(c.bytes_read) / matrix - 7) < 0.001, "vectors read in a step",
          static_cast<double>(c.bytes_read) / matrix);
    check(std::abs(static_cast<double>(c.bytes_written) / matrix - 4) < 0.001, "vectors written in a step",
          static_cast<double>(c.bytes_written) / matrix);
}

void run() {
    the_product_equals_a_plain_loop();
    an_eigenvector_takes_one_step();
    solves_the_equation();
    the_residual_is_what_it_says();
    a_step_is_three_kernels();
}

}  // namespace

int main() { return run_checks(run); }

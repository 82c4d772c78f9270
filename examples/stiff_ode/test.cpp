// Solutions against references of high precision and against closed forms; that a stricter tolerance gives a smaller error;
// that a system in an ensemble ends where it does alone; and that all of it is one kernel.
#include <cmath>
#include <vector>

#include "check.hpp"
#include "stiff_ode.hpp"

namespace {

arrival evaluated(arrival r) {
    frit::eval(r.u.a, r.u.b, r.steps, r.time);
    return r;
}
double largest(const numbers& x) { return frit::max(frit::abs(x)).item(); }

arrival oscillator(double mu, double end, const tolerance& t) {
    return evaluated(integrate(van_der_pol{frit::scalar(mu)}, {frit::scalar(2.0), frit::scalar(0.0)}, frit::scalar(end), t));
}

/// Test Set for IVP Solvers (F. Mazzia, C. Magherini, University of Bari, 2008), problem VDPOL, in unscaled time: mu = 1000
/// at t = 2000. Its second component there is 1000 times x'.
void van_der_pol_is_the_test_sets() {
    constexpr double x = 1.706167732170483, v = -0.8928097010247975e-3;
    const arrival r = oscillator(1000, 2000, {1e-6, 1e-9}), strict = oscillator(1000, 2000, {1e-8, 1e-11});
    const double error = std::abs(r.u.a.item() - x), smaller = std::abs(strict.u.a.item() - x);
    check(error < 1e-4, "distance of van der Pol's x from the reference at a tolerance of 1e-6", error);
    check(smaller < 4e-6 && smaller < error / 10, "and of 1e-8", smaller);
    check(std::abs(strict.u.b.item() / v - 1) < 1e-5, "x' over the reference, minus 1", strict.u.b.item() / v - 1);
    // An explicit method needs steps below 2 / (3 mu): some 3,000,000.
    check(r.steps.item() < 20'000, "steps that were tried", r.steps.item());
}

/// Radau IIA of order 5 (SciPy 1.x) at tolerances of 1e-12 and 1e-20; the last time is also in the Test Set, problem ROBER.
void robertson_over_eleven_decades() {
    const numbers end{0.4, 4, 40, 400, 4e3, 4e4, 4e5, 4e6, 1e11};
    const numbers a{9.851721138610e-01, 9.055186785843e-01, 7.158270687194e-01, 4.505186684711e-01, 1.832022577767e-01,
                    3.898337708548e-02, 4.938274520981e-03, 5.168096014932e-04, 2.083340149701e-08};
    const numbers b{3.386395378975e-05, 2.240475687560e-05, 9.185534764557e-06, 3.222901441674e-06, 8.942371252776e-07,
                    1.621768315910e-07, 1.984994087955e-08, 2.068294491227e-09, 8.333360770335e-14};
    frit::reset_stats();
    const arrival r =
        evaluated(integrate(robertson{frit::scalar(0.04)}, {ones_like(end), zeros_like(end)}, end, {1e-6, 1e-14}));
    check(frit::stats().kernels_launched == 1, "kernels for nine systems",
          static_cast<double>(frit::stats().kernels_launched));
    check(frit::array_equal(r.time, end), "the last one's time", r.time(8).item());
    check(largest(r.u.a / a - 1) < 5e-4, "largest relative error of A", largest(r.u.a / a - 1));
    check(largest(r.u.b / b - 1) < 5e-4, "largest relative error of B", largest(r.u.b / b - 1));
    check(frit::min(diff(r.steps)).item() > 0, "steps of the last one", r.steps(8).item());
}

/// Without its non-linear term the oscillator is a cosine.
void a_cosine_is_a_cosine() {
    const numbers end = frit::linspace(0.1, 12.0, 50);
    const arrival r =
        evaluated(integrate(van_der_pol{frit::scalar(0.0)}, {ones_like(end), zeros_like(end)}, end, {1e-7, 1e-7}));
    check(largest(r.u.a - cos(end)) < 2e-4, "distance of x from cos(t)", largest(r.u.a - cos(end)));
    check(largest(r.u.b + sin(end)) < 2e-4, "distance of x' from -sin(t)", largest(r.u.b + sin(end)));
}

void systems_do_not_see_each_other() {
    const numbers mu = frit::logspace(-1, 3, 41), end = frit::full<double>({41}, 30);
    const arrival all = evaluated(integrate(van_der_pol{mu}, {2 * ones_like(mu), zeros_like(mu)}, end));
    int different = 0;
    for (int k = 0; k < 41; k += 8) {
        const frit::slice one(k, k + 1);
        const arrival alone =
            evaluated(integrate(van_der_pol{mu(one)}, {frit::full<double>({1}, 2), frit::zeros<double>({1})}, end(one)));
        different += alone.u.a(0).item() != all.u.a(k).item() || alone.steps(0).item() != all.steps(k).item();
    }
    check(different == 0, "systems that end elsewhere in an ensemble than alone", different);
}

void too_few_steps_are_told() {
    const arrival r = evaluated(
        integrate(robertson{frit::scalar(0.04)}, {frit::scalar(1.0), frit::scalar(0.0)}, frit::scalar(1e6), {}, 50));
    check(r.steps.item() == 50 && r.time.item() < 1e6, "time after 50 steps, of 1,000,000", r.time.item());
    bool told = false;
    try {
        require(r.time >= 1e6);
    } catch (const std::runtime_error&) {
        told = true;
    }
    check(told, "whether it is an error", told);
}

void run() {
    van_der_pol_is_the_test_sets();
    robertson_over_eleven_decades();
    a_cosine_is_a_cosine();
    systems_do_not_see_each_other();
    too_few_steps_are_told();
}

}  // namespace

int main() { return run_checks(run); }

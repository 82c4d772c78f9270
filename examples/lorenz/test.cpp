// Boost.odeint over frit's arrays against odeint over std::vector<double>, for steppers of every kind; what a step costs;
// and the Lorenz system's known fixed points.
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "check.hpp"
#include "lorenz.hpp"

namespace {

namespace odeint = boost::numeric::odeint;

constexpr std::size_t systems = 100;
using numbers = std::vector<double>;  // x, y and z of all systems, one after the other

const numbers& rhos() {
    static const numbers values = [] {
        numbers v(systems);
        for (std::size_t i = 0; i < systems; ++i) v[i] = 0.5 + 0.35 * static_cast<double>(i);
        return v;
    }();
    return values;
}

void lorenz_loop(const numbers& u, numbers& dudt, double) {
    for (std::size_t i = 0; i < systems; ++i) {
        const double x = u[i], y = u[systems + i], z = u[2 * systems + i];
        dudt[i] = 10 * (y - x);
        dudt[systems + i] = x * (rhos()[i] - z) - y;
        dudt[2 * systems + i] = x * y - 8.0 / 3 * z;
    }
}

lorenz ensemble() { return {frit::from_host(rhos())}; }
state start() {
    const frit::array<double> one = frit::ones<double>(systems);
    return {one, 2 * one, 3 * one};
}
numbers loop_start() {
    numbers u(3 * systems);
    for (std::size_t i = 0; i < u.size(); ++i) {
        const std::size_t component = i / systems;
        u[i] = 1 + static_cast<double>(component);
    }
    return u;
}

/// The largest difference over the largest value.
double difference(const state& u, const numbers& expected) {
    double worst = 0, largest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const numbers values = u[k].to_vector();
        for (std::size_t i = 0; i < systems; ++i) {
            const double d = std::abs(values[i] - expected[k * systems + i]);
            if (!(d <= worst)) worst = std::isnan(d) ? INFINITY : d;
            largest = std::max(largest, std::abs(expected[k * systems + i]));
        }
    }
    return worst / largest;
}

/// A run of both; `integrate(stepper, system, state)` returns the number of steps.
template <template <class> class Stepper, class Integrate>
void same_as_loop(const char* name, const Integrate& integrate) {
    state u = start();
    numbers expected = loop_start();
    const std::size_t steps = integrate(Stepper<state>(), ensemble(), u);
    const std::size_t expected_steps = integrate(Stepper<numbers>(), lorenz_loop, expected);
    const double d = difference(u, expected);
    // Chaos multiplies rounding errors by e^0.9 in a unit of time.
    check(d < 1e-11, (std::string(name) + ": difference from std::vector").c_str(), d);
    check(steps == expected_steps, (std::string(name) + ": steps as with std::vector").c_str(), static_cast<double>(steps));
}

/// What a user gives odeint, so that steps do not pile up; nothing to do for numbers.
struct observer {
    void operator()(const state& u, double t) const { frit::evaluate_state()(u, t); }
    void operator()(const numbers&, double) const {}
};

template <class S>
using euler = odeint::euler<S>;
template <class S>
using midpoint = odeint::modified_midpoint<S>;
template <class S>
using rk4 = odeint::runge_kutta4<S>;
template <class S>
using dopri5 = odeint::runge_kutta_dopri5<S>;
template <class S>
using cash_karp = odeint::runge_kutta_cash_karp54<S>;
template <class S>
using fehlberg = odeint::runge_kutta_fehlberg78<S>;
template <class S>
using bulirsch_stoer = odeint::bulirsch_stoer<S>;
template <class S>
using adams = odeint::adams_bashforth_moulton<4, S>;

void steppers() {
    const auto constant = [](auto stepper, auto system, auto& u) {
        return odeint::integrate_const(stepper, system, u, 0.0, 1.0, 0.01, observer());
    };
    same_as_loop<euler>("euler", constant);
    same_as_loop<midpoint>("modified_midpoint", constant);
    same_as_loop<rk4>("runge_kutta4", constant);
    same_as_loop<adams>("adams_bashforth_moulton", constant);

    const auto unobserved = [](auto stepper, auto system, auto& u) {
        return odeint::integrate_const(stepper, system, u, 0.0, 1.0, 0.01);
    };
    same_as_loop<euler>("euler, evaluated at the end alone", unobserved);

    const auto controlled = [](auto stepper, auto system, auto& u) {
        return odeint::integrate_adaptive(odeint::make_controlled(1e-8, 1e-6, stepper), system, u, 0.0, 1.0, 0.01);
    };
    same_as_loop<dopri5>("controlled runge_kutta_dopri5", controlled);
    same_as_loop<cash_karp>("controlled runge_kutta_cash_karp54", controlled);
    same_as_loop<fehlberg>("controlled runge_kutta_fehlberg78", controlled);

    const auto dense = [](auto stepper, auto system, auto& u) {
        return odeint::integrate_const(odeint::make_dense_output(1e-8, 1e-6, stepper), system, u, 0.0, 1.0, 0.05);
    };
    same_as_loop<dopri5>("dense output of runge_kutta_dopri5", dense);

    const auto adaptive = [](auto stepper, auto system, auto& u) {
        return odeint::integrate_adaptive(stepper, system, u, 0.0, 1.0, 0.01);
    };
    same_as_loop<bulirsch_stoer>("bulirsch_stoer", adaptive);
}

/// du/dt = rate * u from u = 1, over a time of one: what comes out less exp(rate).
template <class State, class T>
double growth_error(State u, T rate, bool controlled) {
    const auto system = [rate](const State& now, State& dudt, double) { dudt = rate * now; };
    if (controlled)
        odeint::integrate_adaptive(odeint::make_controlled(1e-9, 1e-9, odeint::runge_kutta_dopri5<State>()), system, u, 0.0,
                                   1.0, 0.01);
    else
        odeint::integrate_const(odeint::runge_kutta4<State>(), system, u, 0.0, 1.0, 0.25, frit::evaluate_state());
    const auto exponent = frit::cast<std::complex<double>>(frit::full<T>({}, rate));
    return frit::abs(frit::cast<std::complex<double>>(u(3)) - frit::exp(exponent)).item();
}
/// For the element type of the rate.
template <class T>
double growth_error(T rate, bool controlled) {
    return growth_error<frit::array<T>>(frit::ones<T>({7}), rate, controlled);
}
void elements_that_are_no_doubles() {
    const std::complex<double> turning(-0.5, 2);
    check(growth_error(turning, true) < 1e-8, "complex128, controlled: error", growth_error(turning, true));
    check(growth_error(std::complex<float>(turning), false) < 2e-3, "complex64: error",
          growth_error(std::complex<float>(turning), false));
    check(growth_error(frit::half(-1), false) < 1e-3, "float16: error", growth_error(frit::half(-1), false));
    check(growth_error(-1.0F, true) < 1e-6, "float32, controlled: error", growth_error(-1.0F, true));
}

/// The same steps of arrays whose dtype only running tells, one of them or several.
void states_of_any_dtype() {
    const std::complex<double> turning(-0.5, 2);
    const frit::any_array ones = frit::ones<double>({7}), turned = frit::ones<std::complex<double>>({7});
    check(growth_error(ones, -1.0, true) < 1e-8, "any_array of float64, controlled: error", growth_error(ones, -1.0, true));
    check(growth_error(turned, turning, true) < 1e-8, "any_array of complex128, controlled: error",
          growth_error(turned, turning, true));

    using open = std::array<frit::any_array, 3>;
    const auto system = [typed = ensemble()](const open& u, open& dudt, double) {
        dudt[0] = typed.sigma * (u[1] - u[0]);
        dudt[1] = u[0] * (typed.rho - u[2]) - u[1];
        dudt[2] = u[0] * u[1] - typed.beta * u[2];
    };
    const auto run = [](auto u, const auto& f) {
        using S = decltype(u);
        auto stepper = odeint::make_controlled(1e-8, 1e-6, odeint::runge_kutta_dopri5<S>());
        odeint::integrate_adaptive(stepper, f, u, 0.0, 0.5, 0.01);
        odeint::integrate_n_steps(odeint::runge_kutta4<S>(), f, u, 0.0, 0.01, 5, frit::evaluate_state());
        return u;
    };
    const state u = start(), expected = run(u, ensemble());
    const open got = run(open{u[0], u[1], u[2]}, system);
    for (std::size_t k = 0; k < 3; ++k)
        check(array_equal(got[k].as<double>(), expected[k]), "a variable of any_array as one of array<double>",
              static_cast<double>(k));
}

void a_step_is_one_kernel() {
    state u = start();
    const lorenz system = ensemble();
    odeint::runge_kutta4<state> stepper;
    odeint::integrate_n_steps(std::ref(stepper), system, u, 0.0, 0.01, 3, frit::evaluate_state());
    frit::reset_stats();
    odeint::integrate_n_steps(std::ref(stepper), system, u, 0.0, 0.01, 20, frit::evaluate_state());
    const frit::counters c = frit::stats();
    check(c.kernels_launched == 20, "kernels in 20 steps of runge_kutta4", static_cast<double>(c.kernels_launched));
    check(c.plans_built == 0, "of which planned anew", static_cast<double>(c.plans_built));
    check(c.bytes_read == 20 * 4 * 8 * systems, "bytes read: the state and rho", static_cast<double>(c.bytes_read));
    check(c.bytes_written == 20 * 3 * 8 * systems, "bytes written: the state", static_cast<double>(c.bytes_written));
}

void a_stage_is_one_kernel() {
    state u = start();
    const lorenz system = ensemble();
    const auto by_stages = [&](const state& now, state& dudt, double t) {
        system(now, dudt, t);
        frit::eval(dudt[0], dudt[1], dudt[2]);
    };
    odeint::runge_kutta4<state> stepper;
    odeint::integrate_n_steps(std::ref(stepper), by_stages, u, 0.0, 0.01, 20);
    frit::reset_stats();
    odeint::integrate_n_steps(std::ref(stepper), by_stages, u, 0.0, 0.01, 20);
    const frit::counters c = frit::stats();
    check(c.kernels_launched == 4 * 20, "kernels in 20 steps whose right-hand side evaluates",
          static_cast<double>(c.kernels_launched));
    check(c.plans_built == 0, "of which planned anew", static_cast<double>(c.plans_built));
}

void a_controlled_step_is_one_kernel() {
    state u = start();
    const lorenz system = ensemble();
    auto stepper = odeint::make_controlled(1e-8, 1e-6, odeint::runge_kutta_dopri5<state>());
    double t = 0, dt = 0.005;
    for (int k = 0; k < 4; ++k) stepper.try_step(system, u, t, dt);
    frit::reset_stats();
    for (int k = 0; k < 20; ++k) stepper.try_step(system, u, t, dt);
    const frit::counters c = frit::stats();
    check(c.kernels_launched == 20, "kernels in 20 trial steps of runge_kutta_dopri5",
          static_cast<double>(c.kernels_launched));
    check(c.plans_built == 0, "of which planned anew", static_cast<double>(c.plans_built));
}

void fixed_points() {
    // rho < 1: the origin; 1 < rho < 24.7: two points with x = y = +-sqrt(beta (rho - 1)), z = rho - 1.
    state u = start();
    const frit::array<double> rho{0.2, 0.8, 2, 5, 10, 14, 18};
    for (frit::array<double>& variable : u) variable = variable(frit::slice(0, rho.size()));
    odeint::integrate_const(odeint::runge_kutta4<state>(), lorenz{rho}, u, 0.0, 100.0, 0.01, frit::evaluate_state());
    const frit::array<double> height = frit::maximum(rho - 1, 0);
    const double off_z = frit::max(frit::abs(u[2] - height)).item();
    const double off_x = frit::max(frit::abs(frit::abs(u[0]) - frit::sqrt(8.0 / 3 * height))).item();
    check(off_z < 1e-5, "distance of z from rho - 1, or 0", off_z);
    check(off_x < 1e-5, "distance of |x| from sqrt(beta (rho - 1)), or 0", off_x);
}

/// One array as the state, written row by row: x' = w y, y' = -w x.
void rows_of_one_array() {
    const frit::array<float> w = frit::linspace(1.0f, 5.0f, 50);
    frit::array<float> u = frit::zeros<float>({2, 50});
    u(1, frit::all) = 1;
    const auto oscillators = [&](const frit::array<float>& u, frit::array<float>& dudt, float) {
        dudt(0, frit::all) = w * u(1, frit::all);
        dudt(1, frit::all) = -w * u(0, frit::all);
    };
    auto stepper = odeint::make_controlled(1e-6f, 1e-6f, odeint::runge_kutta_dopri5<frit::array<float>, float>());
    odeint::integrate_adaptive(stepper, oscillators, u, 0.0f, 3.0f, 0.01f);
    const double off = static_cast<double>(frit::maximum(frit::max(frit::abs(u(0, frit::all) - frit::sin(3 * w))),
                                                         frit::max(frit::abs(u(1, frit::all) - frit::cos(3 * w))))
                                               .item());
    check(off < 1e-4, "float32 oscillators as one array: distance from sine and cosine", off);
}

void run() {
    steppers();
    elements_that_are_no_doubles();
    states_of_any_dtype();
    a_step_is_one_kernel();
    a_stage_is_one_kernel();
    a_controlled_step_is_one_kernel();
    fixed_points();
    rows_of_one_array();
}

}  // namespace

int main() { return run_checks(run); }

// The method against plain loops, and against what is known of plasmas: how fast electrons swing, how fast two cold beams
// become unstable, and that momentum and energy stay: momentum to rounding, energy by an error that shrinks with the square
// of the grid's spacing.
#include <algorithm>
#include <cmath>
#include <random>

#include "check.hpp"
#include "particles_in_cells.hpp"

namespace {

using numbers = std::vector<double>;

constexpr box small{7, 16};

/// One step in the small box by loops, energies included.
struct loop_result {
    double kinetic, electric;
};
loop_result loop_step(numbers& x, numbers& v, double dt) {
    constexpr std::size_t cells = small.cells;
    const double h = small.spacing(), count = static_cast<double>(x.size());
    numbers n(cells), e(cells);
    for (const double at : x) {
        const double cell = std::floor(at / h), share = at / h - cell;
        n[static_cast<std::size_t>(cell) % cells] += (1 - share) * static_cast<double>(cells) / count;
        n[(static_cast<std::size_t>(cell) + 1) % cells] += share * static_cast<double>(cells) / count;
    }
    double field = 0, mean = 0;
    for (std::size_t i = 0; i < cells; ++i)
        field += (1 - n[i]) * h, e[i] = field, mean += field / static_cast<double>(cells);
    loop_result energy{0, 0};
    for (double& f : e) f -= mean, energy.electric += f * f * h / 2;
    for (std::size_t p = 0; p < x.size(); ++p) {
        const double cell = std::floor(x[p] / h), share = x[p] / h - cell;
        const std::size_t left = static_cast<std::size_t>(cell) % cells, right = (left + 1) % cells;
        const double at_left = (e[(left + cells - 1) % cells] + e[left]) / 2, at_right = (e[left] + e[right]) / 2;
        const double before = v[p];
        v[p] -= dt * ((1 - share) * at_left + share * at_right);
        energy.kinetic += (before + v[p]) * (before + v[p]) / 8 * small.length / count;
        x[p] += dt * v[p];
        x[p] -= small.length * std::floor(x[p] / small.length);
    }
    return energy;
}

void equals_plain_loops() {
    constexpr std::size_t count = 1001;
    std::mt19937 random(20240607);
    std::uniform_real_distribution<double> place(0, small.length), speed(-3, 3);
    numbers x(count), v(count);
    for (double& p : x) p = place(random);
    for (double& p : v) p = speed(random);
    electrons now{frit::from_host(x), frit::from_host(v)};
    double worst = 0;
    for (int k = 0; k < 20; ++k) {
        const moved m = step(now, small, 0.1);
        frit::eval(m.next.x, m.next.v, m.kinetic, m.electric);
        const loop_result expected = loop_step(x, v, 0.1);
        worst = std::max(
            {worst, std::abs(m.kinetic.item() - expected.kinetic), std::abs(m.electric.item() - expected.electric)});
        now = m.next;
    }
    check(worst < 1e-12, "distance of both energies from the loops'", worst);
    const frit::array<double> dx = frit::abs(now.x - frit::from_host(x)), dv = frit::abs(now.v - frit::from_host(v));
    const double off = std::max(frit::max(frit::minimum(dx, small.length - dx)).item(), frit::max(dv).item());
    check(off < 1e-12, "distance of places and velocities after 20 steps", off);
    check(frit::max(frit::abs(now.v)).item() > 3, "that the field did something: the highest speed, 3 at first",
          frit::max(frit::abs(now.v)).item());
}

/// Electrons at rest, moved to one side by a sine wave, swing at the plasma frequency: x = start + a cos(t) sin(k start).
double distance_from_swinging(std::int64_t cells) {
    const box b{2 * std::numbers::pi, cells};
    const double a = 0.1, dt = 0.02;
    const frit::array<double> even = two_beams(20'000, b, {}, 0).x, wave = a * frit::sin(even);
    electrons now{even + wave, std::sin(dt / 2) * wave};
    now.x = now.x - b.length * frit::floor(now.x / b.length);
    double worst = 0;
    for (int k = 1; k <= 314; ++k) {
        const moved m = step(now, b, dt);
        frit::eval(m.next.x, m.next.v);
        now = m.next;
        if (k % 25 != 0 && k != 314) continue;
        const frit::array<double> off = now.x - (even + std::cos(k * dt) * wave);
        worst = std::max(worst, frit::max(frit::abs(off - b.length * frit::rint(off / b.length))).item());
    }
    return worst / a;
}

void swings_at_the_plasma_frequency() {
    const double coarse = distance_from_swinging(32), fine = distance_from_swinging(64);
    check(fine < 0.01, "distance from the swing in closed form, over its amplitude, in a period", fine);
    check(std::abs(coarse / fine - 4) < 0.5, "and how many times smaller it is than at twice the spacing", coarse / fine);
}

/// Cold beams: waves exp(i (k x - w t)) with 1 = (1 / (w - k)^2 + 1 / (w + k)^2) / 2. At k = sqrt(3 / 8) w is i / sqrt(8).
void cold_beams_become_unstable() {
    const box b{2 * std::numbers::pi / std::sqrt(3.0 / 8), 128};
    const double dt = 0.05;
    electrons now = two_beams(20'000, b, {1e-7}, 0);
    double energy[2] = {0, 0};
    for (int k = 0; k <= 560; ++k) {
        const moved m = step(now, b, dt);
        frit::eval(m.next.x, m.next.v, m.electric);
        if (k == 320 || k == 560) energy[k == 560] = m.electric.item();
        now = m.next;
    }
    const double rate = std::log(energy[1] / energy[0]) / 2 / (240 * dt);
    check(std::abs(rate * std::sqrt(8.0) - 1) < 0.005, "growth of the wave over the theory's 1 / sqrt(8)",
          rate * std::sqrt(8.0));
}

struct drift {
    double energy, momentum, exchanged;  // relative to the energy at first
};
drift largest_drift(std::int64_t cells) {
    const box b{3 * 2 * std::numbers::pi / std::sqrt(3.0 / 8), cells};
    electrons now = two_beams(50'000, b, {0.003, -0.004, 0.005, 0.002}, 0.1);
    double first = 0;
    drift worst{0, 0, 0};
    for (int k = 0; k <= 480; ++k) {
        const moved m = step(now, b, 0.05);
        const frit::array<double> momentum = b.length * frit::mean(now.v);
        frit::eval(m.next.x, m.next.v, m.kinetic, m.electric, momentum);
        const double energy = m.kinetic.item() + m.electric.item();
        if (k == 0) first = energy;
        worst.energy = std::max(worst.energy, std::abs(energy / first - 1));
        worst.momentum = std::max(worst.momentum, std::abs(momentum.item()));
        worst.exchanged = std::max(worst.exchanged, m.electric.item() / first);
        now = m.next;
    }
    return worst;
}

void energy_and_momentum_stay() {
    const drift coarse = largest_drift(128), fine = largest_drift(256);
    check(fine.exchanged > 0.2, "share of the energy that goes over to the field", fine.exchanged);
    check(fine.energy < 1e-3, "by how much the sum changes, of itself", fine.energy);
    check(coarse.energy / fine.energy > 3, "and how many times smaller that is than at twice the spacing",
          coarse.energy / fine.energy);
    check(fine.momentum < 1e-12, "momentum, 0 at first", fine.momentum);
}

void a_step_is_five_kernels() {
    const box b{20, 64};
    electrons now = two_beams(10'000, b, {0.01}, 0.1);
    const auto steps = [&](int count) {
        for (int k = 0; k < count; ++k) {
            const moved m = step(now, b, 0.05);
            frit::eval(m.next.x, m.next.v, m.kinetic, m.electric);
            now = m.next;
        }
    };
    steps(3);
    frit::reset_stats();
    steps(20);
    const frit::counters c = frit::stats();
    check(c.kernels_launched == 20 * 5, "kernels in 20 steps", static_cast<double>(c.kernels_launched));
    check(c.library_calls == 20 * 2, "two scatters in each", static_cast<double>(c.library_calls));
    check(c.plans_built == 0, "of which planned anew", static_cast<double>(c.plans_built));
}

void run() {
    equals_plain_loops();
    swings_at_the_plasma_frequency();
    cold_beams_become_unstable();
    energy_and_momentum_stay();
    a_step_is_five_kernels();
}

}  // namespace

int main() { return run_checks(run); }

// Van der Pol's oscillator from round oscillations to sudden ones (stiff_ode.hpp): 256 systems from mu = 0.01 to 10,000,
// whose steps differ by a factor of a million, each by its own. Prints Robertson's reactions over twelve decades of time,
// all in one kernel, and writes stiff_ode.png: mu upwards, three periods to the right, orange where x is positive.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "command_line.hpp"
#include "pictures.hpp"
#include "stiff_ode.hpp"

namespace {

constexpr const char* usage =
    "usage: stiff_ode [options]\n"
    "\n"
    "Solves ensembles of stiff differential equations with a step size for each system.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --columns N         points in time of the picture (default 400)\n"
    "  --rows N            oscillators (default 256)\n"
    "  --output FILE       the picture (default stiff_ode.png)\n"
    "  --help              this text\n";

void reactions() {
    const numbers end = frit::logspace(-1, 11, 13);
    frit::reset_stats();
    const arrival r = integrate(robertson{frit::scalar(0.04)}, {ones_like(end), zeros_like(end)}, end, {1e-6, 1e-14});
    frit::eval(r.u.a, r.u.b, r.steps, r.time);
    std::printf("Robertson's reactions: %llu kernel\n%8s %14s %14s %8s\n",
                static_cast<unsigned long long>(frit::stats().kernels_launched), "time", "A", "B", "steps");
    require(r.time >= end);
    for (int k = 0; k < end.size(); ++k)
        std::printf("%8.0e %14.6e %14.6e %8d\n", end(k).item(), r.u.a(k).item(), r.u.b(k).item(), r.steps(k).item());
}

void run(const command_line& line) {
    const int columns = line.number("--columns", 400, 2, 1 << 14), rows = line.number("--rows", 256, 2, 1 << 14);
    std::printf("%s\n\n", frit::default_device().description().c_str());
    reactions();

    const numbers mu = frit::logspace(4, -2, rows);
    const numbers period = (3 - 2 * std::log(2.0)) * mu + 2 * std::numbers::pi;  // right for small and for large ones
    const numbers interval = (3.0 / columns * period).eval();
    state u{frit::full<double>({rows}, 2), frit::zeros<double>({rows})};
    numbers shown = frit::zeros<double>({rows, columns});
    frit::array<std::int64_t> steps = frit::zeros<std::int64_t>({rows});
    frit::array<bool> arrived = frit::ones<bool>({rows});
    frit::reset_stats();
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < columns; ++k) {
        shown(frit::all, k) = u.a;
        const arrival next = integrate(van_der_pol{mu}, u, interval, {1e-5, 1e-8});
        u = next.u;
        steps += next.steps;
        arrived = arrived && next.time >= interval;
        frit::eval(u.a, u.b, steps, arrived, shown);
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("\n%d oscillators, %.0f to %.0f steps each: %.2f kernels a column, %.2f s\n", rows,
                static_cast<double>(min(steps).item()), static_cast<double>(max(steps).item()),
                static_cast<double>(frit::stats().kernels_launched) / columns, seconds.count());
    require(arrived);
    const gradient cold_to_warm{{0, 0.05, 0.2, 0.5}, {0.5, 1, 1, 1}, {1, 0.85, 0.35, 0.05}};
    show_picture(line.text("--output", "stiff_ode.png"), colour((0.5 + shown / 4).to_vector(), columns, rows, cold_to_warm));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

// A parameter study of the Lorenz system (lorenz.hpp): columns of rho, a few starting points for each, all integrated at
// once by Boost.odeint's Runge-Kutta stepper over frit's arrays. odeint knows nothing of kernels: the planner makes one of
// each step. Writes lorenz.png: for every rho, left to right, how often the maxima of z / rho lie at each height. One line
// is a fixed point or a cycle, its splitting a bifurcation, a cloud chaos.
#include <boost/numeric/odeint.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "command_line.hpp"
#include "lorenz.hpp"
#include "pictures.hpp"

namespace {

constexpr const char* usage =
    "usage: lorenz [options]\n"
    "\n"
    "Integrates an ensemble of Lorenz systems, and draws its bifurcations.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --columns N         values of rho from 20 to 320, and pixels (default 600)\n"
    "  --copies N          systems for each (default 24)\n"
    "  --time T            how long the maxima are recorded, after 20 units of time to settle (default 20)\n"
    "  --output FILE       the picture (default lorenz.png)\n"
    "  --help              this text\n";

void run(const command_line& line) {
    const int columns = line.number("--columns", 600, 1, 1 << 16), copies = line.number("--copies", 24, 1, 1 << 16);
    const double dt = 0.005, settled = 20, end = settled + line.number("--time", 20.0, dt, 1e6);
    const int rows = (2 * columns + 2) / 3;
    const double low = 0.9, high = 1.8;  // of z / rho, bottom and top of the picture

    const lorenz system{frit::linspace(20.0, 320.0, columns)};
    const frit::array<double> start = frit::linspace(1.0, 2.0, copies).reshape({copies, 1}) + 0 * system.rho;
    state u{start, start, start};

    std::vector<double> maxima(static_cast<std::size_t>(rows * columns));
    frit::array<double> before = u[2], last = u[2];
    const auto observe = [&](const state& now, double t) {
        const auto is_maximum = (last > before) & (last >= now[2]);
        const frit::array<int> row =
            frit::cast<int>(frit::where(is_maximum, rows * (high - last / system.rho) / (high - low), -1));
        frit::eval(row, now[0], now[1], now[2]);  // the maxima, and the whole step before: one kernel
        before = last, last = now[2];
        if (t <= settled) return;
        const std::vector<int> hits = row.to_vector();
        for (std::size_t i = 0; i < hits.size(); ++i)
            if (hits[i] >= 0 && hits[i] < rows) ++maxima[static_cast<std::size_t>(hits[i] * columns) + i % columns];
    };
    frit::reset_stats();
    const auto begin = std::chrono::steady_clock::now();
    const std::size_t steps =
        integrate_const(boost::numeric::odeint::runge_kutta4<state>(), system, u, 0.0, end, dt, observe);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%d systems, %zu steps: %llu kernels, %.2f s, %s\n", columns * copies, steps,
                static_cast<unsigned long long>(frit::stats().kernels_launched), seconds.count(),
                frit::default_device().description().c_str());

    // Two or three maxima in a unit of time: about the share of them in each pixel, its shade by a power law.
    for (double& v : maxima) v = 1.8 * std::pow(v / (2.5 * copies * (end - settled)), 0.3);
    show_picture(line.text("--output", "lorenz.png"), colour(maxima, columns, rows, hot));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

// Two beams of electrons that go through one another (particles_in_cells.hpp): the smallest wave in them grows until it
// traps the electrons. Prints how energy goes over from the beams to the field while their sum stays, and writes
// particles_in_cells.png: place to the right, velocity upwards, when the waves are seen, when they break, and at the end.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "command_line.hpp"
#include "particles_in_cells.hpp"
#include "pictures.hpp"

namespace {

constexpr const char* usage =
    "usage: particles_in_cells [options]\n"
    "\n"
    "Simulates two beams of electrons that meet, and draws them by place and velocity.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --particles N       electrons (default 200000)\n"
    "  --cells N           cells of the grid (default 256)\n"
    "  --time T            how long, in units of 1 / plasma frequency, by steps of 0.05 (default 36)\n"
    "  --pixels N          rows of the picture (default 256)\n"
    "  --output FILE       the picture (default particles_in_cells.png)\n"
    "  --help              this text\n";

/// How many electrons of each beam there are in each pixel, over the mean: (2, side, side). Velocities of +-3 fill it.
frit::array<double> phase_space(const electrons& now, const box& b, int side) {
    const std::int64_t n = now.x.size();
    const auto pixel_of = [side](const auto& share) { return frit::cast<int>(clip(share * side, 0, side - 1)); };
    frit::array<double> count = frit::zeros<double>({2, side, side});
    count(frit::arange<int>(n) % 2, pixel_of((3 - now.v) / 6), pixel_of(now.x / b.length)) += 1;
    return count * (static_cast<double>(side) * side / static_cast<double>(n));
}

void run(const command_line& line) {
    const auto count = line.number<std::int64_t>("--particles", 200'000, 2, 1LL << 31);
    const double dt = 0.05, time = line.number("--time", 36.0, 3 * dt, 1e6);
    // The wave that grows fastest, at a wave number of sqrt(3 / 8), fits in three times.
    const box b{3 * 2 * std::numbers::pi / std::sqrt(3.0 / 8), line.number<std::int64_t>("--cells", 256, 2, 1 << 24)};
    const int steps = static_cast<int>(std::lround(time / dt));
    const int side = line.number("--pixels", 256, 1, 1 << 12), gap = 8, width = 3 * side + 2 * gap;
    std::printf("%lld electrons, %lld cells, %d steps, %s\n\n", static_cast<long long>(count),
                static_cast<long long>(b.cells), steps, frit::default_device().description().c_str());

    electrons now = two_beams(count, b, {0.003, -0.004, 0.005, 0.002}, 0.1);
    frit::eval(now.x, now.v);
    frit::array<double> shown = frit::zeros<double>({2, side, width});
    const auto show = [&](int k) {
        shown(frit::all, frit::all, frit::slice(k * (side + gap), k * (side + gap) + side)) = phase_space(now, b, side);
        shown.eval();
    };
    std::printf("%6s %12s %12s %12s %12s\n", "time", "beams", "field", "both", "momentum");
    frit::reset_stats();
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < steps; ++k) {
        const moved m = step(now, b, dt);
        const frit::array<double> momentum = b.length * mean(now.v);
        frit::eval(m.next.x, m.next.v, m.kinetic, m.electric, momentum);
        if (k % std::max(1, steps / 12) == 0)
            std::printf("%6.2f %12.6f %12.6f %12.6f %12.2e\n", k * dt, m.kinetic.item(), m.electric.item(),
                        m.kinetic.item() + m.electric.item(), momentum.item());
        now = m.next;
        if (k == steps / 2 || k == steps * 7 / 12) show(k == steps / 2 ? 0 : 1);
    }
    frit::synchronize();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    const frit::counters done = frit::stats();
    std::printf("\n%.1f kernels and %.1f library calls, %.2f ms a step\n",
                static_cast<double>(done.kernels_launched) / steps, static_cast<double>(done.library_calls) / steps,
                elapsed.count() / steps);
    show(2);

    // One beam is orange and the other one blue; light adds up, and dazzles less the more of it there is.
    const frit::array<double> light = 1 - exp(-0.5 * sqrt(shown));
    const frit::array<double> colours{{1.0, 0.55, 0.15}, {0.15, 0.5, 1.0}};
    planes canvas;
    for (int c = 0; c < 3; ++c) {
        const frit::array<double> mixed = light(0) * colours(0, c) + light(1) * colours(1, c);
        canvas[static_cast<std::size_t>(c)] = frit::cast<float>(mixed).to_vector();
    }
    show_picture(line.text("--output", "particles_in_cells.png"), to_rgb8(canvas, width, side));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

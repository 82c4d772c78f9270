// Heat on a square plate with cold edges by alternating directions (adi.hpp): the plate starts as stripes and a hot corner,
// and takes steps twenty times as long as explicit ones may be. Prints how many kernels a step took and what heat is
// left, and writes adi.png: the plate at the start, on the way, and at the end.
#include <chrono>
#include <cstdio>

#include "adi.hpp"
#include "command_line.hpp"
#include "pictures.hpp"

namespace {

constexpr const char* usage =
    "usage: adi [options]\n"
    "\n"
    "Solves the 2-D heat equation by alternating directions, and writes a picture.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --size N            points along each side (default 257)\n"
    "  --steps N           time steps of 5 h^2, twenty times the longest explicit one (default 300)\n"
    "  --output FILE       the picture (default adi.png)\n"
    "  --help              this text\n";

/// Stripes of 1 and 0, and a quarter of a disc as hot as they.
frit::array<double> start_of(int n) {
    const frit::array<double> x = frit::linspace(0.0, 1.0, n), y = x.reshape({n, 1});
    const auto stripes = sin(40 * x + 6 * y) > 0 && x > 0.4;
    const auto corner = x * x + y * y < 0.09;
    return where(stripes || corner, 1.0, 0.0);
}

void run(const command_line& line) {
    const int n = line.number("--size", 257, 3, 1 << 14), steps = line.number("--steps", 300, 1, 1 << 30);
    std::printf("%d steps on %d x %d points, %s\n", steps, n, n, frit::default_device().description().c_str());

    frit::array<double> u = start_of(n).eval();
    frit::array<double> strip = frit::full<double>({n, 3 * n + 16}, 1.0);
    const auto show = [&](int k) { strip(frit::all, frit::slice(k * (n + 8), k * (n + 8) + n)) = u; };
    show(0);
    const frit::counters before = frit::stats();
    const auto start = std::chrono::steady_clock::now();
    for (int k = 1; k <= steps; ++k) {
        u = adi_step(u, 2.5);
        u.eval();
        if (k == (steps + 11) / 12) show(1);  // recorded here; an array is a value, so u may go on
    }
    frit::synchronize();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    std::printf("%.2f kernels and %.3f ms a step\n",
                static_cast<double>(frit::stats().kernels_launched - before.kernels_launched) / steps,
                elapsed.count() / steps);
    show(2);
    std::printf("hottest point %.4f, mean %.4f\n", frit::max(u).item(), frit::mean(u).item());
    show_picture(line.text("--output", "adi.png"), colour(strip.to_vector(), 3 * n + 16, n, hot));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

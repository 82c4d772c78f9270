// The heat equation on a square plate with cold edges, in five lines of formulas (heat.hpp). The plate starts as a sum of
// three waves; the short ones die first, as the analytic solution says. Prints how far the steps are from it and how many
// kernels they took, and writes heat.png: the plate at the start, on the way, and at the end.
#include <chrono>
#include <cstdio>

#include "command_line.hpp"
#include "heat.hpp"
#include "pictures.hpp"

namespace {

constexpr const char* usage =
    "usage: heat [options]\n"
    "\n"
    "Solves the 2-D heat equation by explicit steps, compares with the analytic solution, and writes a picture.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --size N            points along each side, boundary included (default 257)\n"
    "  --steps N           time steps of h^2 / 5 (default 1200)\n"
    "  --output FILE       the picture (default heat.png)\n"
    "  --help              this text\n";

constexpr struct {
    int p, q;
    double amplitude;
} waves[] = {{1, 1, 0.6}, {5, 3, 0.5}, {12, 9, 0.4}};

/// The analytic solution at time t.
frit::array<double> solution(std::int64_t n, double t) {
    frit::array<double> u = frit::zeros<double>({n, n});
    for (const auto& w : waves) u += w.amplitude * decay(w.p, w.q, t) * mode(n, w.p, w.q);
    return u;
}

void run(const command_line& line) {
    const int n = line.number("--size", 257, 3, 1 << 14), steps = line.number("--steps", 1200, 1, 1 << 30);
    const double r = 0.2, dt = r / ((n - 1.0) * (n - 1.0));
    std::printf("%d steps on %d x %d points, %s\n", steps, n, n, frit::default_device().description().c_str());

    frit::array<double> u = solution(n, 0).eval();
    frit::array<double> strip = frit::full<double>({n, 3 * n + 16}, 1.5);
    const auto show = [&](int k) { strip(frit::all, frit::slice(k * (n + 8), k * (n + 8) + n)) = u; };
    show(0);
    const frit::counters before = frit::stats();
    const auto start = std::chrono::steady_clock::now();
    for (int k = 1; k <= steps; ++k) {
        heat_step(u, r);
        u.eval();
        if (k == steps / 12) show(1);  // recorded here; an array is a value, so u may go on
    }
    frit::synchronize();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    std::printf("%.2f kernels and %.3f ms a step\n",
                static_cast<double>(frit::stats().kernels_launched - before.kernels_launched) / steps,
                elapsed.count() / steps);

    show(2);
    const frit::array<double> exact = solution(n, steps * dt);
    std::printf("t = %.4f: hottest point %.6f, largest difference from the analytic solution %.2g\n", steps * dt,
                frit::max(u).item(), frit::max(frit::abs(u - exact)).item());
    show_picture(line.text("--output", "heat.png"), colour((0.5 + strip / 3).to_vector(), 3 * n + 16, n, hot));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

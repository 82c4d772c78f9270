// Decaying turbulence in two dimensions (turbulence.hpp): vortices stir each other, those of one sign merge, and energy goes
// to ever larger ones, while what lies between is drawn out to threads that friction takes. Prints energy and enstrophy, and
// writes turbulence.png: the vorticity at the start, on the way, and at the end.
#include <chrono>
#include <cstdio>

#include "command_line.hpp"
#include "pictures.hpp"
#include "turbulence.hpp"

namespace {

constexpr const char* usage =
    "usage: turbulence [options]\n"
    "\n"
    "Solves the 2-D Navier-Stokes equations by Fourier transforms, and writes a picture of the vorticity.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --size N            points along each side (default 256)\n"
    "  --steps N           time steps of 3 / N (default 1800)\n"
    "  --viscosity NU      (default 0.0003)\n"
    "  --output FILE       the picture (default turbulence.png)\n"
    "  --help              this text\n";

const gradient spin = {
    {0, 0.03, 0.1, 0.35}, {0.3, 0.2, 0.5, 0.85}, {0.5, 1, 1, 1}, {0.7, 0.9, 0.45, 0.2}, {1, 0.4, 0.02, 0.1}};

void run(const command_line& line) {
    const int n = line.number("--size", 256, 8, 1 << 13), steps = line.number("--steps", 1800, 1, 1 << 30);
    const flow f(n, line.number("--viscosity", 0.0003, 0.0, 1e3), 3.0 / n);
    std::printf("%d steps on %d x %d points, %s\n\n    step     energy  enstrophy\n", steps, n, n,
                frit::default_device().description().c_str());

    flow::spectrum w = f.from_vorticity(random_vorticity(n, 8, 20240607)).eval();
    frit::array<double> strip = frit::full<double>({n, 3 * n + 16}, 0.0);
    const auto show = [&](int part, int step) {
        const frit::array<double> field = f.vorticity(w);
        strip(frit::all, frit::slice(part * (n + 8), part * (n + 8) + n)) = field / (3 * sqrt(mean(square(field))));
        strip.eval();
        std::printf("  %6d   %8.5f   %8.5f\n", step, f.energy(w), f.enstrophy(w));
    };
    show(0, 0);
    std::uint64_t kernels = 0, calls = 0;
    std::chrono::duration<double, std::milli> elapsed{};
    const auto advance = [&](int count) {
        const frit::counters before = frit::stats();
        const auto start = std::chrono::steady_clock::now();
        for (int k = 0; k < count; ++k) f.advance(w);
        frit::synchronize();
        elapsed += std::chrono::steady_clock::now() - start;
        kernels += frit::stats().kernels_launched - before.kernels_launched;
        calls += frit::stats().library_calls - before.library_calls;
    };
    advance(steps / 6);
    show(1, steps / 6);
    advance(steps - steps / 6);
    show(2, steps);
    std::printf("\n%.2f kernels, %.2f library calls and %.3f ms a step\n", static_cast<double>(kernels) / steps,
                static_cast<double>(calls) / steps, elapsed.count() / steps);
    show_picture(line.text("--output", "turbulence.png"),
                 colour(clip(0.5 + strip / 2, 0.0, 1.0).to_vector(), 3 * n + 16, n, spin));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

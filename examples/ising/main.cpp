// The Ising model (ising.hpp) below, at and above the temperature at which it loses its magnetisation. Prints energies and
// magnetisations beside the exact ones of an infinite grid, and writes ising.png: one direction orange, the other one blue.
#include <chrono>
#include <cstdio>

#include "command_line.hpp"
#include "ising.hpp"
#include "pictures.hpp"

namespace {

constexpr const char* usage =
    "usage: ising [options]\n"
    "\n"
    "Simulates the Ising model at three temperatures, and draws the spins.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --size N            spins along each side, an even number (default 256)\n"
    "  --sweeps N          at each temperature, of which the second half is averaged (default 600)\n"
    "  --seed N            of the random numbers (default 1)\n"
    "  --output FILE       the picture (default ising.png)\n"
    "  --help              this text\n";

void run(const command_line& line) {
    const int n = 2 * (line.number("--size", 256, 2, 1 << 15) / 2), sweeps = line.number("--sweeps", 600, 2, 1 << 30);
    const int gap = 8, width = 3 * n + 2 * gap;
    frit::random::generator random(line.number<std::uint64_t>("--seed", 1, 0, ~0ULL));
    std::printf("%d x %d spins, %d sweeps, %s\n\n", n, n, sweeps, frit::default_device().description().c_str());
    std::printf("%11s %10s %10s %14s %10s\n", "temperature", "energy", "exact", "magnetisation", "exact");

    frit::array<float> red = frit::ones<float>({n, width}), green = red, blue = red;
    std::uint64_t kernels = 0;
    const auto begin = std::chrono::steady_clock::now();
    const double measured = sweeps - sweeps / 2;
    for (int k = 0; k < 3; ++k) {
        const double temperature = critical_temperature * (0.9 + 0.1 * k);
        spins s = frit::ones<std::int8_t>({n, n});
        frit::array<double> e = frit::scalar(0.0), m = frit::scalar(0.0);
        for (int j = 0; j < sweeps; ++j) {
            if (j == sweeps / 2) frit::reset_stats();
            sweep(s, temperature, random);
            if (j < sweeps / 2) continue;
            e += energy(s), m += magnetisation(s);
            frit::eval(e, m);
        }
        kernels += frit::stats().kernels_launched;
        std::printf("%11.4f %10.4f %10.4f %14.4f %10.4f\n", temperature, e.item() / measured, exact_energy(temperature),
                    m.item() / measured, exact_magnetisation(temperature));
        const frit::slice here(k * (n + gap), k * (n + gap) + n);
        const frit::array<float> up = frit::cast<float>(s == 1);
        red(frit::all, here) = 0.1f + 0.85f * up, green(frit::all, here) = 0.3f + 0.3f * up;
        blue(frit::all, here) = 0.7f - 0.55f * up;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("\n%.2f kernels a sweep, its measurement included; %.2f s\n", static_cast<double>(kernels) / (3 * measured),
                seconds.count());
    show_picture(line.text("--output", "ising.png"),
                 to_rgb8({red.to_vector(), green.to_vector(), blue.to_vector()}, width, n));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

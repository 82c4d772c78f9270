// The Mandelbrot set as a loop inside one kernel (mandelbrot.hpp). Prints what was launched, and writes mandelbrot.png,
// coloured by how fast each point leaves.
#include <chrono>
#include <cstdio>

#include "command_line.hpp"
#include "mandelbrot.hpp"
#include "pictures.hpp"

namespace {

constexpr const char* usage =
    "usage: mandelbrot [options]\n"
    "\n"
    "Draws a window of the Mandelbrot set.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --re X              centre of the window (default -0.7445, 0.121: the valley of the seahorses)\n"
    "  --im Y\n"
    "  --width W           and its width (default 0.0065)\n"
    "  --columns N         pixels (default 600 x 400)\n"
    "  --rows N\n"
    "  --steps N           at most (default 1000)\n"
    "  --output FILE       the picture (default mandelbrot.png)\n"
    "  --help              this text\n";

/// The shade of every point in [0, 1): a continuous count of steps (the potential's logarithm), wrapped around.
frit::array<double> shade(const orbits& z) {
    const frit::array<double> size = frit::log(z.re * z.re + z.im * z.im) / (2 * std::log(radius));
    const frit::array<double> steps = z.steps - frit::log(size) / std::log(2.0);
    const frit::array<double> turns = 0.8 * frit::log(frit::maximum(steps, 1));
    return turns - frit::floor(turns);
}

void run(const command_line& line) {
    const window w{line.number("--re", -0.7445, -3.0, 3.0), line.number("--im", 0.121, -3.0, 3.0),
                   line.number("--width", 0.0065, 1e-12, 10.0), line.number("--columns", 600, 2, 1 << 15),
                   line.number("--rows", 400, 2, 1 << 15)};
    const int steps = line.number("--steps", 1000, 1, 1 << 20);
    std::printf("%d x %d points, %d steps, %s\n", w.columns, w.rows, steps, frit::default_device().description().c_str());

    const auto begin = std::chrono::steady_clock::now();
    frit::reset_stats();
    const orbits z = iterate(w, steps);
    frit::eval(z.re, z.im, z.steps);
    frit::synchronize();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    const frit::counters c = frit::stats();
    const frit::array<bool> inside = z.steps == steps;
    std::printf("%llu kernel, %llu compiled, %.3f s; %.1f %% of the points never left\n",
                static_cast<unsigned long long>(c.kernels_launched), static_cast<unsigned long long>(c.compilations),
                seconds.count(), 100 * frit::mean(inside).item());
    const frit::array<double> colours = frit::where(inside, 0.86, shade(z));
    show_picture(line.text("--output", "mandelbrot.png"), colour(colours.to_vector(), w.columns, w.rows, dusk));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

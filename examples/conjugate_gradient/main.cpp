// The electric potential of a few charges in a box whose walls are at 0, by the conjugate gradient method
// (conjugate_gradient.hpp). Prints how the residual falls and how many kernels a step takes, and writes
// conjugate_gradient.png: the potential, with its lines of equal value.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "command_line.hpp"
#include "conjugate_gradient.hpp"
#include "pictures.hpp"

namespace {

constexpr const char* usage =
    "usage: conjugate_gradient [options]\n"
    "\n"
    "Solves Poisson's equation in a square by the conjugate gradient method, and draws the potential.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --size N            inner points along each side (default 400)\n"
    "  --steps N           at most (default 4000)\n"
    "  --output FILE       the picture (default conjugate_gradient.png)\n"
    "  --help              this text\n";

/// Charges, each a round bell of width 0.015, times h^2.
frit::array<double> charges(std::int64_t n) {
    constexpr struct {
        double x, y, charge;
    } all[] = {{0.30, 0.35, 1}, {0.62, 0.28, -1}, {0.70, 0.66, 1}, {0.36, 0.72, -1}, {0.50, 0.50, 0.6}, {0.84, 0.46, -0.7}};
    constexpr double width = 0.015;
    const double h = 1.0 / static_cast<double>(n + 1);
    const frit::array<double> x = (frit::arange(static_cast<double>(n)) + 1) * h, y = x.reshape({n, 1});
    frit::array<double> b = frit::zeros<double>({n, n});
    for (const auto& c : all)
        b += c.charge * exp(-((x - c.x) * (x - c.x) + (y - c.y) * (y - c.y)) / (2 * width * width)) *
             (h * h / (width * width));
    return b;
}

/// Red where it is positive and blue where it is negative, lighter and darker by bands.
rgb8 draw(const frit::array<double>& potential) {
    const frit::array<double> size = frit::abs(potential) / frit::max(frit::abs(potential));
    const frit::array<double> strength = sqrt(size), band = strength * 24 - floor(strength * 24);
    const frit::array<double> light = (0.25 + 0.75 * strength) * (0.75 + 0.25 * band);
    const frit::array<double> warm{1.0, 0.62, 0.25}, cold{0.25, 0.62, 1.0};
    const frit::array<double> colour =
        where(potential(frit::ellipsis, frit::newaxis) > 0, warm, cold) * light(frit::ellipsis, frit::newaxis);
    const int n = static_cast<int>(potential.shape()[0]);
    return {n, n, frit::cast<std::uint8_t>(rint(255 * colour)).to_vector()};
}

void run(const command_line& line) {
    const int n = line.number("--size", 400, 8, 1 << 14), steps = line.number("--steps", 4000, 1, 1 << 30);
    std::printf("%d x %d points, %s\n\n%6s %12s\n", n, n, frit::default_device().description().c_str(), "step", "residual");
    const frit::array<double> b = charges(n).eval();
    const double start = frit::linalg::norm(b).item();
    search s = start_at_zero(b);
    frit::reset_stats();
    const auto begin = std::chrono::steady_clock::now();
    constexpr double small = 1e-10;
    int done = 0;
    double residual = 1;
    while (residual > small && done < steps) {
        for (int k = 0; k < std::min(100, n) && done < steps; ++k, ++done) conjugate_gradient_step(s);
        residual = std::sqrt(s.rr.item()) / start;  // all that the host reads, and waits for: one number in 100 steps
        std::printf("%6d %12.3e\n", done, residual);
        if (!std::isfinite(residual)) throw std::runtime_error("the residual is not finite");
    }
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
    if (residual > small) std::printf("\n%d steps are not enough for a residual of %.0e\n", steps, small);
    std::printf("\n%.2f kernels and %.3f ms a step, compilation included\n",
                static_cast<double>(frit::stats().kernels_launched) / done, elapsed.count() / done);
    show_picture(line.text("--output", "conjugate_gradient.png"), draw(s.x));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

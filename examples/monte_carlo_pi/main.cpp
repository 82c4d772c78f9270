// Pi by the Monte Carlo method (monte_carlo_pi.hpp): random points and all that is made of them in one kernel. Prints the
// estimate with its standard error, and writes monte_carlo_pi.png, the first points as dots.
#include <algorithm>
#include <cstdio>

#include "command_line.hpp"
#include "monte_carlo_pi.hpp"
#include "pictures.hpp"

namespace {

constexpr const char* usage =
    "usage: monte_carlo_pi [options]\n"
    "\n"
    "Estimates pi from random points.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --points N          how many (default 4000000)\n"
    "  --seed N            of the random numbers (default 1)\n"
    "  --output FILE       the picture (default monte_carlo_pi.png)\n"
    "  --help              this text\n";

/// The first points on white: hits blue, the others orange.
rgb8 dots(const points& p) {
    constexpr int side = 256;
    const frit::slice few(0, std::min<std::int64_t>(p.x.size(), 15'000));
    const points shown{p.x(few), p.y(few)};
    const frit::array<int> column = frit::cast<int>(shown.x * side), row = frit::cast<int>((1 - shown.y) * side);
    const std::vector<int> pixel = (frit::minimum(row, side - 1) * side + column).to_vector();
    const std::vector<bool> hit = hits(shown).to_vector();
    planes canvas;
    for (std::vector<float>& c : canvas) c.assign(side * side, 1);
    for (std::size_t i = 0; i < pixel.size(); ++i) {
        const auto at = static_cast<std::size_t>(pixel[i]);
        canvas[0][at] = hit[i] ? 0.1f : 1, canvas[1][at] = hit[i] ? 0.3f : 0.6f, canvas[2][at] = hit[i] ? 0.8f : 0;
    }
    return to_rgb8(canvas, side, side);
}

void run(const command_line& line) {
    const points p = random_points(line.number<std::int64_t>("--points", 4'000'000, 1, 1LL << 32),
                                   line.number<std::uint64_t>("--seed", 1, 0, ~0ULL));
    frit::reset_stats();
    const estimate e = estimate_pi(p);
    frit::eval(e.pi, e.error);
    std::printf("pi = %.6f +- %.6f from %lld points in %llu kernel(s), %s\n", e.pi.item(), e.error.item(),
                static_cast<long long>(p.x.size()), static_cast<unsigned long long>(frit::stats().kernels_launched),
                frit::default_device().description().c_str());
    show_picture(line.text("--output", "monte_carlo_pi.png"), dots(p));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

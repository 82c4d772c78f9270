// A picture of a few bodies on a floor, by marching along the distance from them (ray_marcher.hpp): rays, shadows, normals
// and colours are one kernel. Prints what was launched, and writes ray_marcher.png.
#include <chrono>
#include <cstdio>

#include "command_line.hpp"
#include "pictures.hpp"
#include "ray_marcher.hpp"

namespace {

constexpr const char* usage =
    "usage: ray_marcher [options]\n"
    "\n"
    "Draws bodies that are given by a distance function.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --columns N         pixels (default 600 x 400)\n"
    "  --rows N\n"
    "  --height H          of the camera over the floor (default 1.7)\n"
    "  --output FILE       the picture (default ray_marcher.png)\n"
    "  --help              this text\n";

void run(const command_line& line) {
    const int columns = line.number("--columns", 600, 2, 1 << 14), rows = line.number("--rows", 400, 2, 1 << 14);
    const camera view{line.number("--height", 1.7f, 0.1f, 10.0f), 3.6f};
    frit::reset_stats();
    const auto begin = std::chrono::steady_clock::now();
    const planes_of_light seen = render(columns, rows, view);
    frit::eval(seen.red, seen.green, seen.blue);
    frit::synchronize();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    const frit::counters c = frit::stats();
    std::printf("%d x %d pixels: %llu kernel, %llu bytes read, %.3f s with its compilation, %s\n", columns, rows,
                static_cast<unsigned long long>(c.kernels_launched), static_cast<unsigned long long>(c.bytes_read),
                seconds.count(), frit::default_device().description().c_str());
    show_picture(line.text("--output", "ray_marcher.png"),
                 to_rgb8({seen.red.to_vector(), seen.green.to_vector(), seen.blue.to_vector()}, columns, rows));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

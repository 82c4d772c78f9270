// The colours of a picture, k of them (kmeans.hpp). Prints how the error falls step by step, and the colours with how many
// pixels each has; writes kmeans.png: the picture in these colours, above a strip of them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "command_line.hpp"
#include "kmeans.hpp"
#include "png_file.hpp"

namespace {

constexpr const char* usage =
    "usage: kmeans [options]\n"
    "\n"
    "Finds the k colours that stand best for all colours of a picture, and paints it in them.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --input FILE        a PNG file (default: the Hubble deep field that comes with the example)\n"
    "  --colours K         how many (default 12)\n"
    "  --steps N           at most (default 50)\n"
    "  --output FILE       the picture (default kmeans.png)\n"
    "  --help              this text\n";

void run(const command_line& line) {
    const rgb8 input = read_png(line.text("--input", FRIT_EXAMPLE_DATA "/hubble_deep_field.png"));
    const int k = line.number("--colours", 12, 1, 256), steps = line.number("--steps", 50, 1, 1'000'000);
    const std::int64_t n = static_cast<std::int64_t>(input.width) * input.height;
    std::printf("%d colours for %lld pixels, %s\n\n", k, static_cast<long long>(n),
                frit::default_device().description().c_str());
    const frit::array<float> pixels = (frit::cast<float>(frit::from_host(input.bytes, {n, 3})).T() / 255).eval();

    frit::array<float> centres = spread_centres(pixels, k);
    clusters found;
    frit::reset_stats();
    const auto start = std::chrono::steady_clock::now();
    int done = 0;
    for (bool moves = true; moves && done < steps; ++done) {
        found = improve(pixels, centres);
        frit::eval(found.nearest, found.error, found.centres);
        if ((done & (done - 1)) == 0)  // 0, 1, 2, 4, 8, ...
            std::printf("  step %3d   error %.3f of 255\n", done, 255 * std::sqrt(static_cast<double>(found.error.item())));
        moves = max(abs(found.centres - centres)).item() > 1e-4f;
        centres = found.centres;
    }
    frit::synchronize();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    const frit::counters c = frit::stats();
    std::printf("  %d steps   error %.3f of 255\n\n%.1f kernels and %.1f library calls, %.2f ms a step\n\n", done,
                255 * std::sqrt(static_cast<double>(found.error.item())), static_cast<double>(c.kernels_launched) / done,
                static_cast<double>(c.library_calls) / done, elapsed.count() / done);

    // Frequent colours first.
    const auto [count, order] = topk(bincount(found.nearest, k), k);
    const frit::array<std::uint8_t> colours = frit::cast<std::uint8_t>(rint(255 * take(centres, order, 1))).T();
    const std::vector<std::int64_t> counts = count.to_vector();
    const std::vector<std::uint8_t> rgb = colours.to_vector();
    for (int j = 0; j < k; ++j) {
        const std::uint8_t* c = &rgb[3 * static_cast<std::size_t>(j)];
        std::printf("  #%02x%02x%02x %9lld pixels\n", c[0], c[1], c[2],
                    static_cast<long long>(counts[static_cast<std::size_t>(j)]));
    }

    // Each pixel by the place of its centre in that order, and below the picture a field of each colour.
    const frit::array<std::int64_t> rank = argsort(order);
    const int strip = std::max(8, input.height / 16);
    const frit::array<std::int64_t> field =
        broadcast_to(frit::arange<std::int64_t>(input.width) * k / input.width, {strip, input.width});
    const frit::array<std::int64_t> painted =
        concatenate(0, rank(found.nearest).reshape({input.height, input.width}), field);
    show_picture(line.text("--output", "kmeans.png"), {input.width, input.height + strip, colours(painted).to_vector()});
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

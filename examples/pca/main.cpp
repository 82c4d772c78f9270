// The Hubble deep field from a handful of patterns (pca.hpp). Prints how much of the picture's variance the components hold,
// and writes pca.png: left the picture, in the middle its strongest components, right the picture from 18 of 192 numbers a
// patch.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "command_line.hpp"
#include "pca.hpp"
#include "png_file.hpp"

namespace {

constexpr const char* usage =
    "usage: pca [options]\n"
    "\n"
    "Finds the principal components of a picture's patches, and makes the picture of a few of them.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --input FILE        a PNG file (default: the Hubble deep field)\n"
    "  --side N            pixels along a patch (default 8)\n"
    "  --components N      that are kept (default 18)\n"
    "  --output FILE       the picture (default pca.png)\n"
    "  --help              this text\n";

/// The strongest components, each stretched to [0, 1], as tiles in three columns.
matrix drawn(const components& c, std::int64_t side, std::int64_t rows) {
    const matrix v = c.vectors(frit::slice(0, 3 * rows));
    const matrix tiles = (0.5 + 0.5 * v / max(abs(v), 1, frit::keepdims)).reshape({3 * rows, side, side, 3});
    const matrix framed = pad(tiles, {{0, 0}, {1, 1}, {1, 1}, {0, 0}});
    const matrix grid = picture_of(framed.reshape({3 * rows, (side + 2) * (side + 2) * 3}), side + 2, 3);
    return repeat(repeat(grid, 6, 0), 6, 1);
}

void run(const command_line& line) {
    const rgb8 input = read_png(line.text("--input", FRIT_EXAMPLE_DATA "/hubble_deep_field.png"));
    const std::int64_t side = line.number("--side", 8, 2, 32), numbers = 3 * side * side,
                       kept = line.number<std::int64_t>("--components", std::min<std::int64_t>(18, numbers), 3, numbers);
    const std::int64_t rows = input.height / side * side, columns = input.width / side * side;
    if (rows == 0 || columns == 0) throw std::runtime_error("the picture is smaller than a patch");
    const matrix picture = frit::cast<double>(frit::from_host(input.bytes, {input.height, input.width, 3})(
                               frit::slice(0, rows), frit::slice(0, columns))) /
                           255;
    const matrix patches = patches_of(picture, side).eval();
    const components c = principal_components(patches);
    frit::eval(c.mean, c.vectors, c.variance);

    std::printf("%lld patches of %lld numbers, %s\n\n%11s %22s %18s\n", static_cast<long long>(patches.shape()[0]),
                static_cast<long long>(patches.shape()[1]), frit::default_device().description().c_str(), "components",
                "share of the variance", "error, of 255");
    const matrix share = cumsum(c.variance) / sum(c.variance);
    for (std::int64_t n = 1; n <= patches.shape()[1]; n *= 4) {
        const matrix error = sqrt(mean(square(rebuilt(patches, c, n) - patches)));
        std::printf("%11lld %21.2f%% %18.2f\n", static_cast<long long>(n), 100 * share(n - 1).item(), 255 * error.item());
    }

    // A detail of the picture, brightened, on either side.
    const std::int64_t high = std::min<std::int64_t>(rows, 384) / side * side,
                       wide = std::min<std::int64_t>(columns, 320) / side * side;
    const frit::slice down(0, high), across(0, wide);
    const auto detail = [&](const matrix& p) { return sqrt(clip(p(down, across), 0, 1)); };
    const matrix tiles = drawn(c, side, std::min<std::int64_t>(kept, patches.shape()[1]) / 3);
    const std::int64_t shown = std::min(high, tiles.shape()[0]);
    const matrix between = pad(tiles(frit::slice(0, shown)), {{(high - shown) / 2, (high - shown + 1) / 2}, {6, 6}, {0, 0}},
                               frit::pad_mode::constant);
    const matrix all =
        concatenate(1, detail(picture), between, detail(picture_of(rebuilt(patches, c, kept), side, columns / side)));
    show_picture(line.text("--output", "pca.png"), {static_cast<int>(all.shape()[1]), static_cast<int>(high),
                                                    frit::cast<std::uint8_t>(rint(255 * all)).to_vector()});
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

// Carbon dioxide in the air over Mauna Loa from 1958 to 2001, as a trend with seasons (least_squares.hpp). Prints the
// coefficients, and writes least_squares.png: measurements grey, the fitted curve blue, its trend orange.
#include <cmath>
#include <cstdio>

#include "command_line.hpp"
#include "least_squares.hpp"
#include "plot.hpp"

namespace {

constexpr const char* usage =
    "usage: least_squares [options]\n"
    "\n"
    "Fits a trend and seasons to measurements of carbon dioxide.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --columns N         pixels of the picture (default 900)\n"
    "  --output FILE       the picture (default least_squares.png)\n"
    "  --help              this text\n";

void run(const command_line& line) {
    const measurements m = read_measurements(FRIT_EXAMPLE_DATA "/mauna_loa_co2.csv");
    const fit f = least_squares(m);
    const std::vector<double> c = f.coefficients.to_vector();
    const double deviation = std::sqrt(f.squared_residual.item() / static_cast<double>(m.ppm.size()));
    std::printf("%lld months, %s\n", static_cast<long long>(m.ppm.size()), frit::default_device().description().c_str());
    std::printf("in 1980:        %8.3f ppm, growing by %.3f ppm a year\n", c[0], c[1] / 10);
    std::printf("growth:         %8.3f ppm a year more in each decade\n", 2 * c[2] / 10);
    std::printf("season:         %8.3f ppm up and down, half a year's wave %.3f\n", std::hypot(c[3], c[4]),
                std::hypot(c[5], c[6]));
    std::printf("left over:      %8.3f ppm\n", deviation);

    const int pixels = line.number("--columns", 900, 2, 1 << 14);
    const double first = min(m.year).item(), last = max(m.year).item();
    const numbers year = frit::linspace(first, last, pixels);
    const numbers measured = interp(year, m.year, m.ppm);
    plot p(pixels, pixels / 2, min(m.ppm).item() - 3, max(m.ppm).item() + 3);
    p.band(measured - 1, measured + 1, {0.75, 0.75, 0.78});
    p.line(f.all(year), {0.2, 0.4, 0.8}, 1.5);
    p.line(f.trend(year), {0.95, 0.5, 0.1}, 2);
    show_picture(line.text("--output", "least_squares.png"), p.picture());
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

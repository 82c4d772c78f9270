// A million measurements of temperature, by weather station (group_by.hpp): reads a CSV file, which it makes up when it runs
// for the first time, prints a table, and writes group_by.png: for each station, the coldest first, a box from the lower to
// the upper quartile, with the median in it, and whiskers to the extrema.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "command_line.hpp"
#include "group_by.hpp"
#include "plot.hpp"

namespace {

constexpr const char* usage =
    "usage: group_by [options]\n"
    "\n"
    "Counts, means, deviations and quantiles of temperatures by weather station, from a CSV file.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --input FILE        a CSV file: station,celsius (default: one that is made up in the output folder)\n"
    "  --rows N            of the file that is made up (default 1000000)\n"
    "  --output FOLDER     where that file and the picture go (default: here)\n"
    "  --help              this text\n";

/// Boxes with whiskers, from the lowest median to the highest, in bars of this many columns.
rgb8 draw(const groups& g) {
    constexpr int bar = 30, gap = 12;
    const frit::array<std::int64_t> order = argsort(g.median);
    const frit::array<std::int64_t> column = frit::arange((bar + gap) * order.size() + gap) - gap;
    const frit::array<std::int64_t> box = order(clip(floor_divide(column, bar + gap), 0, order.size() - 1));
    const frit::array<std::int64_t> inside = remainder(column, bar + gap);
    const auto columns = [&](const frit::array<bool>& of, const frit::array<double>& v) -> frit::array<double> {
        return where(of & (column >= 0), v(box), NAN);
    };
    const frit::array<bool> body = inside < bar, whisker = abs(2 * inside - bar + 1) < 4;

    const double low = min(g.least).item(), high = max(g.most).item(), margin = 0.04 * (high - low);
    plot p(static_cast<int>(column.size()), 480, low - margin, high + margin);
    const frit::array<double> nothing = frit::zeros_like(g.median);
    const frit::array<double> grey{0.7, 0.73, 0.78}, blue{0.2, 0.45, 0.8}, red{0.85, 0.3, 0.2}, white{1, 1, 1};
    p.line(frit::zeros<double>({column.size()}), {0.8, 0.8, 0.8}, 1);
    p.band(columns(whisker, g.least), columns(whisker, g.most), grey);
    // Cold is blue and warm is red, on both sides of the line of zero degrees.
    p.band(columns(body, minimum(g.lower, nothing)), columns(body, minimum(g.upper, nothing)), blue);
    p.band(columns(body, maximum(g.lower, nothing)), columns(body, maximum(g.upper, nothing)), red);
    const frit::array<double> middle = columns(body, g.median), half = 0.004 * (high - low) + 0 * middle;
    p.band(middle - half, middle + half, white);
    return p.picture();
}

void run(const command_line& line) {
    using clock = std::chrono::steady_clock;
    const auto milliseconds = [](clock::time_point from) {
        return std::chrono::duration<double, std::milli>(clock::now() - from).count();
    };
    const std::filesystem::path folder = line.text("--output", ".");
    std::filesystem::create_directories(folder);
    const auto rows = line.number<std::int64_t>("--rows", 1'000'000, 1, 1'000'000'000);
    std::string input = line.text("--input", "");
    if (input.empty()) {
        input = folder / ("measurements-" + std::to_string(rows) + ".csv");
        if (!std::filesystem::exists(input)) {
            write_measurements(input, rows);
            std::printf("wrote %s\n", input.c_str());
        }
    }

    clock::time_point start = clock::now();
    const measurements m = read_measurements(input);
    std::printf("%zu rows read in %.0f ms\n", m.station.size(), milliseconds(start));
    start = clock::now();
    const groups g = group_by(frit::from_host(m.station), frit::from_host(m.celsius));
    frit::eval(g.count, g.mean, g.deviation, g.least, g.lower, g.median, g.upper, g.most);
    frit::synchronize();
    std::printf("%lld groups in %.0f ms, %s\n\n", static_cast<long long>(g.key.size()), milliseconds(start),
                frit::default_device().description().c_str());

    std::printf("%8s %9s %8s %9s %8s %8s %8s %8s %8s\n", "station", "count", "mean", "deviation", "least", "25 %", "median",
                "75 %", "most");
    const std::vector<std::int32_t> station = g.key.to_vector();
    const std::vector<std::int64_t> count = g.count.to_vector();
    const std::vector<double> numbers =
        stack(1, g.mean, g.deviation, g.least, g.lower, g.median, g.upper, g.most).to_vector();
    for (std::size_t i = 0; i < station.size(); ++i) {
        const double* n = &numbers[7 * i];
        std::printf("%8d %9lld %8.2f %9.2f %8.1f %8.1f %8.1f %8.1f %8.1f\n", station[i], static_cast<long long>(count[i]),
                    n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
    }
    show_picture(folder / "group_by.png", draw(g));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

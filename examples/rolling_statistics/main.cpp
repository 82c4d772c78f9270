// Rolling statistics of a random walk (rolling_statistics.hpp). Prints what each of them took, and writes
// rolling_statistics.png: the end of the series, the mean and the median of the window before each point, and bands of its
// quartiles, of two deviations, and of its extrema.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "command_line.hpp"
#include "plot.hpp"
#include "rolling_statistics.hpp"

namespace {

constexpr const char* usage =
    "usage: rolling_statistics [options]\n"
    "\n"
    "Computes means, deviations, extrema and quantiles in a window that moves along a random walk.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --points N          of the series (default 100000)\n"
    "  --window N          points in a window (default 60)\n"
    "  --seed N            of std::mt19937_64 (default 1)\n"
    "  --columns N         points at the end of the series that are drawn, and pixels (default 900)\n"
    "  --output FILE       the picture (default rolling_statistics.png)\n"
    "  --help              this text\n";

rgb8 draw(const frit::array<double>& x, const rolling& r, std::int64_t columns) {
    const frit::slice end(-std::min(r.mean.size(), columns), frit::none);
    const frit::array<double> shown = x(end), m = r.mean(end), two = 2 * r.deviation(end);
    const double low = std::min(min(r.least(end)).item(), min(m - two).item());
    const double high = std::max(max(r.most(end)).item(), max(m + two).item()), margin = 0.04 * (high - low);
    plot p(static_cast<int>(shown.size()), static_cast<int>(columns / 3), low - margin, high + margin);
    p.band(r.least(end), r.most(end), {0.87, 0.91, 0.97});
    p.band(m - two, m + two, {0.62, 0.76, 0.93}, 0.6);
    p.band(r.lower(end), r.upper(end), {0.35, 0.57, 0.85}, 0.6);
    p.line(shown, {0.25, 0.25, 0.3}, 1);
    p.line(r.median(end), {0.95, 0.6, 0.1}, 2);
    p.line(m, {0.8, 0.1, 0.2}, 2);
    return p.picture();
}

void run(const command_line& line) {
    const auto points = line.number<std::int64_t>("--points", 100'000, 2, 1LL << 31);
    const auto window = line.number<std::int64_t>("--window", 60, 1, points);
    const frit::array<double> x = random_walk(points, line.number<std::uint64_t>("--seed", 1, 0, ~0ULL)).eval();
    std::printf("%lld points, windows of %lld, %s\n\n", static_cast<long long>(points), static_cast<long long>(window),
                frit::default_device().description().c_str());

    const auto timed = [](const char* what, const auto&... results) {
        frit::reset_stats();
        const auto start = std::chrono::steady_clock::now();
        frit::eval(results...);
        frit::synchronize();
        const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
        std::printf("%-28s %8.2f ms, %llu kernel(s), %.1f MB written\n", what, elapsed.count(),
                    static_cast<unsigned long long>(frit::stats().kernels_launched),
                    static_cast<double>(frit::stats().bytes_written) * 1e-6);
    };
    const rolling r = roll_along(x, window);
    timed("mean, deviation, extrema", r.mean, r.deviation, r.least, r.most);
    timed("quartiles", r.lower, r.median, r.upper);
    timed("mean by running sums", mean_by_running_sums(x, window));

    const frit::array<std::int64_t> far = outliers(x, r, 2);
    std::printf("\n%lld points are farther than two deviations from the mean of their window\n",
                static_cast<long long>(far.size()));
    const auto columns = line.number<std::int64_t>("--columns", 900, 3, 1 << 15);
    show_picture(line.text("--output", "rolling_statistics.png"), draw(x, r, columns));
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }

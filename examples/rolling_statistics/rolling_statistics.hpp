// What a series does in the window before each of its points: what this example shows of frit. Windows are a view; means,
// deviations and extrema of them are reductions of one kernel, which stores no window.
#pragma once

#include <frit/frit.hpp>
#include <random>
#include <vector>

/// A random walk: a running sum of random steps, the same ones on every platform.
inline frit::array<double> random_walk(std::int64_t n, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::vector<double> steps(static_cast<std::size_t>(n));
    for (double& s : steps) s = static_cast<double>(engine() >> 11) * 0x1p-53 - 0.5;
    return cumsum(frit::from_host(steps));
}

/// One element for each window that fits: of n points n - window + 1.
struct rolling {
    frit::array<double> mean, deviation, least, most, lower, median, upper;
};
inline rolling roll_along(const frit::array<double>& x, std::int64_t window) {
    const auto windows = sliding_window_view(x, window, 0);
    const frit::array<double> quarters = quantile(windows, {0.25, 0.5, 0.75}, 1);
    return {mean(windows, 1), stddev(windows, 1), min(windows, 1), max(windows, 1), quarters(0), quarters(1), quarters(2)};
}

/// The same mean by running sums, whose time does not depend on the window: each window's sum is the difference of two. What
/// it costs is digits, where sums grow larger than what is in a window.
inline frit::array<double> mean_by_running_sums(const frit::array<double>& x, std::int64_t window) {
    const frit::array<double> total = pad(cumsum(x), {{1, 0}});
    return (total(frit::slice(window, frit::none)) - total(frit::slice(0, -window))) / static_cast<double>(window);
}

/// Where the series is farther from the mean of the window that ends there than so many deviations.
inline frit::array<std::int64_t> outliers(const frit::array<double>& x, const rolling& r, double deviations) {
    const std::int64_t before = x.size() - r.mean.size();
    return flatnonzero(abs(x(frit::slice(before, frit::none)) - r.mean) > deviations * r.deviation) + before;
}

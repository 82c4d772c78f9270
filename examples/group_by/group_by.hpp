// Values summed up group by group, as GROUP BY of a database: what this example shows of frit. Keys are any integers. Where
// a group's values stand among all values in order is a running sum of counts, so that quantiles of all groups are one sort
// and a few gathers.
#pragma once

#include <cstdint>
#include <frit/frit.hpp>
#include <string>
#include <vector>

/// The columns of a CSV file.
struct measurements {
    std::vector<std::int32_t> station;
    std::vector<double> celsius;
};

/// Makes up a file of so many measurements, the same ones on every machine: temperatures around the year, of stations some
/// of which measured more often than others. @throws std::runtime_error naming the file
void write_measurements(const std::string& path, std::int64_t rows);
/// @throws std::runtime_error naming the file and the line
measurements read_measurements(const std::string& path);

/// One element for each key, which rise.
struct groups {
    frit::array<std::int32_t> key;
    frit::array<std::int64_t> count;
    frit::array<double> mean, deviation, least, lower, median, upper, most;
};

inline groups group_by(const frit::array<std::int32_t>& keys, const frit::array<double>& values) {
    groups g;
    const auto [key, group] = unique_inverse(keys);
    const std::int64_t n = key.size();
    g.key = key;
    g.count = bincount(group, n);
    g.mean = segment_mean(values, group, n);
    g.deviation = sqrt(segment_mean(square(values - g.mean(group)), group, n));

    const frit::array<double> sorted = values(lexsort(values, group));  // by group, and in each by value
    const frit::array<std::int64_t> first = cumsum(g.count) - g.count, last = first + g.count - 1;
    const auto quantile = [&](double q) -> frit::array<double> {
        const auto [share, below] = modf(q * (g.count - 1));
        const frit::array<std::int64_t> at = first + frit::cast<std::int64_t>(below);
        return lerp(sorted(at), sorted(minimum(at + 1, last)), share);
    };
    g.least = sorted(first), g.most = sorted(last);
    g.lower = quantile(0.25), g.median = quantile(0.5), g.upper = quantile(0.75);
    return g;
}

// Pi by throwing points at a square: what this example shows of frit.
#pragma once

#include <cstdint>
#include <frit/frit.hpp>
#include <random>
#include <vector>

/// Random points of the unit square, made on the host and uploaded.
struct points {
    frit::array<double> x, y;
};
inline points random_points(std::int64_t n, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    const auto column = [&] {
        std::vector<double> v(static_cast<std::size_t>(n));
        for (double& u : v) u = static_cast<double>(engine() >> 11) * 0x1p-53;  // the same numbers on every platform
        return frit::from_host(v);
    };
    return {column(), column()};
}

/// Where a point is in the quarter disc.
inline auto hits(const points& p) { return p.x * p.x + p.y * p.y <= 1; }

struct estimate {
    frit::array<double> pi, error;  ///< and its standard error
};

/// The share of hits is pi / 4. Squares, comparison, count and what follows from it are one kernel: a reduction over both
/// columns, with a few scalar operations at its end.
inline estimate estimate_pi(const points& p) {
    const frit::array<double> share = frit::mean(hits(p));
    return {4 * share, 4 * frit::sqrt(share * (1 - share) / static_cast<double>(p.x.size()))};
}

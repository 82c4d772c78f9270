// Pi by throwing points at a square: what this example shows of frit.
#pragma once

#include <cstdint>
#include <frit/frit.hpp>

/// Random points of the unit square. They are formulas: whoever reads them computes them, and nobody stores them.
struct points {
    frit::array<double> x, y;
};
inline points random_points(std::int64_t n, std::uint64_t seed) {
    frit::random::generator g(seed);
    return {g.uniform<double>({n}), g.uniform<double>({n})};
}

/// Where a point is in the quarter disc.
inline auto hits(const points& p) { return p.x * p.x + p.y * p.y <= 1; }

struct estimate {
    frit::array<double> pi, error;  ///< and its standard error
};

/// The share of hits is pi / 4. Points, squares, comparison, count and what follows from it are one kernel: a reduction that
/// reads nothing, with a few scalar operations at its end.
inline estimate estimate_pi(const points& p) {
    const frit::array<double> share = frit::mean(hits(p));
    return {4 * share, 4 * frit::sqrt(share * (1 - share) / static_cast<double>(p.x.size()))};
}

// A curve fitted to measurements by least squares: what this example shows of frit. The columns of the matrix are formulas
// of time, stacked; linalg::lstsq solves for their coefficients, and the fitted curve is one product.
//
// The carbon dioxide in the air follows a curve of second order and the seasons (C. D. Keeling et al., "Atmospheric carbon
// dioxide variations at Mauna Loa Observatory, Hawaii", Tellus 28(6), 1976, 538-551).
#pragma once

#include <numbers>
#include <string>

#include <frit/frit.hpp>

using numbers = frit::array<double>;

/// When, in years, and how many parts of carbon dioxide in a million parts of air.
struct measurements {
    numbers year, ppm;
};
/// @throws std::runtime_error naming the file and the line
measurements read_measurements(const std::string& path);

inline constexpr double middle = 1980;

/// 1, t, t^2 of the decades since 1980: the trend.
inline numbers trend_columns(const numbers& year) {
    const numbers t = (year - middle) / 10;
    return stack(1, ones_like(t), t, t * t);
}
/// The year's wave and that of half a year.
inline numbers season_columns(const numbers& year) {
    const numbers angle = 2 * std::numbers::pi * year;
    return stack(1, cos(angle), sin(angle), cos(2 * angle), sin(2 * angle));
}
inline numbers columns(const numbers& year) { return concatenate(1, trend_columns(year), season_columns(year)); }

struct fit {
    numbers coefficients;      ///< of the trend, three, and of the seasons, four
    numbers squared_residual;  ///< the sum over all measurements
    numbers trend(const numbers& year) const { return matmul(trend_columns(year), coefficients(frit::slice(0, 3))); }
    numbers all(const numbers& year) const { return matmul(columns(year), coefficients); }
};

inline fit least_squares(const measurements& m) {
    const auto [x, squares, rank, s] = frit::linalg::lstsq(columns(m.year), m.ppm);
    return {x, squares};
}

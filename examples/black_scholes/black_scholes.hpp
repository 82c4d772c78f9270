// The Black-Scholes formula on arrays, and the table of options it is applied to: shared by the example and its test.
#pragma once

#include <frit/frit.hpp>
#include <string>
#include <utility>
#include <vector>

/// The columns of a CSV file of options: spot, strike, years, rate, volatility.
struct option_table {
    std::vector<double> spot, strike, years, rate, volatility;
};

/// Reads a CSV file with the header "spot,strike,years,rate,volatility".
/// @throws std::runtime_error naming the file and the line
option_table read_options(const std::string& path);

/// The standard normal distribution function.
inline frit::array<double> normal_cdf(const frit::array<double>& x) {
    return 0.5 * (1.0 + frit::erf(x * 0.7071067811865476));
}

/// Prices of European calls and puts. Every line is recorded; evaluating both results is one kernel.
inline std::pair<frit::array<double>, frit::array<double>> black_scholes(const frit::array<double>& spot,
                                                                         const frit::array<double>& strike,
                                                                         const frit::array<double>& years,
                                                                         const frit::array<double>& rate,
                                                                         const frit::array<double>& volatility) {
    frit::array<double> spread = volatility * frit::sqrt(years);
    frit::array<double> d1 = (frit::log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / spread;
    frit::array<double> n1 = normal_cdf(d1), n2 = normal_cdf(d1 - spread);
    frit::array<double> discounted = strike * frit::exp(-rate * years);
    return {spot * n1 - discounted * n2, discounted * (1.0 - n2) - spot * (1.0 - n1)};
}

// The CPU workloads: names, inputs and what a peer has to implement. The formulas are
//   axpy          2.5 x + 0.75
//   poly12        (((0.03 x + 0.2) x + 0.7) x + 1.1) / ((0.05 x + 0.4) x + 1.3) + x
//   blackscholes  price of a call with rate 0.03 and volatility 0.2; normal distribution by Abramowitz and Stegun 26.2.17
//   sinexp        2 sin(x) + exp(-y y)
//   sumsq         sum((x - y)^2)
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

inline constexpr std::array workload_names{"axpy", "poly12", "blackscholes", "sinexp", "sumsq"};
inline constexpr std::array element_names{"f32", "f64"};

/// The inputs of every workload; each uses what it needs. Element i of a column is low + (high - low) * frac(i * step):
/// spread evenly, and the same in every language, so that the peers' results can be compared.
template <class T>
struct inputs {
    std::vector<T> x, y, spot, strike, years;
    explicit inputs(std::size_t n) : x(n), y(n), spot(n), strike(n), years(n) {
        const auto fill = [n](std::vector<T>& v, double low, double high, double step) {
            for (std::size_t i = 0; i < n; ++i) {
                const double t = static_cast<double>(i) * step;
                v[i] = static_cast<T>(low + (high - low) * (t - std::floor(t)));
            }
        };
        fill(x, -2, 2, 0.6180339887498949);
        fill(y, -2, 2, 0.4142135623730950);
        fill(spot, 80, 120, 0.7320508075688772);
        fill(strike, 80, 120, 0.2360679774997896);
        fill(years, 0.1, 2.1, 0.6457513110645906);
    }
};

/// A workload made ready by one peer: `call` runs it once, `mean` is the mean of its result (sumsq: the sum over n).
struct job {
    std::function<void()> call;
    std::function<double()> mean;
    std::function<double(const std::string& what)> count = {};  ///< a counter's value so far; for those that have counters
    std::function<void()> settle = {};  ///< waits for what calls have started in the background; for those that do
};

/// The peers in C++. @throws std::runtime_error for an unknown workload
job frit_job(const std::string& workload, const std::string& element, std::size_t n);
job eigen_job(const std::string& workload, const std::string& element, std::size_t n);

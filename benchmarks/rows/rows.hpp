// The workloads over rows: names, shapes, inputs, and what a peer has to implement. Of a size n (elements, or interactions):
//   triad       b + 1.5 c, n elements: the bandwidth that the others are compared with
//   softmax     of the rows of an n / 1024 x 1024 matrix            layer_norm  of them, scaled and shifted
//   row_sum, col_sum   of that matrix                               var         of all its elements
//   heat        u + 0.1 (the four neighbours - 4 u) inside a plate of sqrt(n) x sqrt(n)
//   pairwise    sum_j |x_i - y_j| for sqrt(n) points                nbody       accelerations of sqrt(n) bodies
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "../worker.hpp"

namespace row_bench {

/// A workload as the table needs it.
struct workload {
    const char* name;
    double arrays;   ///< minimal traffic, in elements over n; 0 where operands are small
    bool by_peers;   ///< has bars: ahead of NumPy and xtensor, within 1.3 of the faster of Eigen and the loop
    bool by_memory;  ///< is bound by the memory: the bar is 0.8 of the triad's bandwidth
};
inline constexpr std::array workloads{
    workload{"triad", 3, false, false},    workload{"row_sum", 1, true, true},   workload{"col_sum", 1, true, true},
    workload{"var", 1, false, true},       workload{"heat", 2, true, true},      workload{"softmax", 2, true, false},
    workload{"layer_norm", 2, true, true}, workload{"pairwise", 0, true, false}, workload{"nbody", 0, false, false}};
inline constexpr std::array elements{"f32", "f64"};
inline constexpr std::size_t columns = 1024;

/// What every peer reads; element i of an array is low + (high - low) * frac(i * step), the same in every language.
template <class T>
struct inputs {
    std::size_t n, rows, side;
    std::vector<T> a, b;           ///< n elements; b for the triad only
    std::vector<T> gamma, beta;    ///< `columns` elements
    std::vector<T> x, y, z, mass;  ///< `side` elements
    inputs(const std::string& workload, std::size_t n)
        : n(n),
          rows(n / columns),
          side(static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(n))))),
          a(filled(n, -2, 2, 0.6180339887498949)),
          b(workload == "triad" ? filled(n, -2, 2, 0.4142135623730950) : std::vector<T>{}),
          gamma(filled(columns, 0.5, 1.5, 0.7320508075688772)),
          beta(filled(columns, -1, 1, 0.2360679774997896)),
          x(filled(side, -2, 2, 0.6180339887498949)),
          y(filled(side, -2, 2, 0.4142135623730950)),
          z(filled(side, -2, 2, 0.7320508075688772)),
          mass(filled(side, 0.1, 1, 0.2360679774997896)) {}

private:
    static std::vector<T> filled(std::size_t n, double low, double high, double step) {
        std::vector<T> v(n);
        for (std::size_t i = 0; i < n; ++i) {
            const double t = static_cast<double>(i) * step;
            v[i] = static_cast<T>(low + (high - low) * (t - std::floor(t)));
        }
        return v;
    }
};

/// How many elements the result has; nbody's are its three components one after the other.
template <class T>
std::size_t result_size(const std::string& workload, const inputs<T>& in) {
    if (workload == "row_sum") return in.rows;
    if (workload == "col_sum") return columns;
    if (workload == "var") return 1;
    if (workload == "heat") return (in.side - 2) * (in.side - 2);
    if (workload == "pairwise") return in.side;
    if (workload == "nbody") return 3 * in.side;
    return in.n;
}

/// What peers are compared by: the mean of the squares, each weighted by where it stands.
template <class T>
double checksum(const T* values, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double t = static_cast<double>(i) * 0.3027756377319946;
        const double v = static_cast<double>(values[i]);
        sum += v * v * (0.5 + t - std::floor(t));
    }
    return sum / static_cast<double>(n);
}

// The peers in C++. All throw std::runtime_error for an unknown workload.
job frit_job(const std::string& workload, const std::string& element, std::size_t n);
job loop_job(const std::string& workload, const std::string& element, std::size_t n);
job eigen_job(const std::string& workload, const std::string& element, std::size_t n);
job xtensor_job(const std::string& workload, const std::string& element, std::size_t n);

}  // namespace row_bench

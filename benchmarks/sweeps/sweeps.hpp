// The workloads of scans and recurrences: names, and what a peer has to implement. x and y are n floats, as rows of a matrix
// of the shape that a workload has; a row is what is swept along, where it says columns too.
//   scan_long     running a + b - a b of x in [-0.3, 0.3], one row
//   scan_pairs    running (a c, b c + d) of (a, b) = (x, y), one row: what is b of it
//   scan_rows     as scan_long, rows of 32
//   filter_long   y' = x + 1.2 y - 0.5 y'', one row
//   filter_rows   the same of rows of 128                      filter_columns   of columns of 128
//   thomas_rows   tridiagonal systems of 128, -1, 4 + y, -1     thomas_columns   of columns of 128
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "../worker.hpp"

namespace sweeps_bench {

inline constexpr std::array workloads{"scan_long",   "scan_pairs",     "scan_rows",   "filter_long",
                                      "filter_rows", "filter_columns", "thomas_rows", "thomas_columns"};
inline constexpr std::array<std::size_t, 3> sizes{1'024, 131'072, 8'388'608};
inline constexpr std::size_t short_row = 32, system = 128;

/// What every peer reads; element j of an array is low + (high - low) * frac(j * step), the same in every language.
struct inputs {
    std::size_t n;
    std::vector<float> x, y;
    /// Not in the header: compiled once, without contraction, whatever a peer's flags are.
    explicit inputs(std::size_t count);
};

// The peers in C++. Both throw std::runtime_error for an unknown workload.
job frit_job(const std::string& workload, std::size_t n);
job loop_job(const std::string& workload, std::size_t n);

}  // namespace sweeps_bench

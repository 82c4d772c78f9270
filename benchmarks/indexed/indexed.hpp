// The workloads of indices, bins, ranks and movement: names, and what a peer has to implement. x and y are n floats, i is n
// indices below n (int64), k is n indices below 256, m is a mask of about half of n, u a copy of x:
//   gather        x[i]                                  gather_sum    sum(x[i] * y)
//   scatter       u[i] = y                              scatter_add   u[i] += y, every value counted
//   bins_add      n values added into 256 places        histogram     x in 100 bins of [-2, 2]
//   mask          x[m]                                  masked_write  u[m] = 0
//   median        of x                                  quantiles     of x, three of them
//   unique        of k * 7                              concatenate   x, y + 1, x
//   stack         x, y side by side (axis 1)            roll          x by n / 3
//   running_sum   cumsum(x * y)                         sort          of x
//   largest       the 64 largest of x                   search        y in sorted x
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../worker.hpp"

namespace indexed_bench {

struct workload {
    const char* name;
    bool by_hand;  ///< loop.cpp has it
};
inline constexpr std::array workloads{
    workload{"gather", true},   workload{"gather_sum", true}, workload{"scatter", true},     workload{"scatter_add", true},
    workload{"bins_add", true}, workload{"histogram", true},  workload{"mask", true},        workload{"masked_write", true},
    workload{"median", false},  workload{"quantiles", false}, workload{"unique", false},     workload{"concatenate", true},
    workload{"stack", true},    workload{"roll", true},       workload{"running_sum", true}, workload{"sort", false},
    workload{"largest", false}, workload{"search", false},
};
inline constexpr std::array<std::size_t, 3> sizes{1'000, 100'000, 10'000'000};

/// What every peer reads; element j of an array is low + (high - low) * frac(j * step), the same in every language.
struct inputs {
    std::size_t n;
    std::vector<float> x, y;
    std::vector<std::int64_t> i, k;
    std::vector<std::uint8_t> m;
    /// Not in the header: compiled once, without contraction, whatever a peer's flags are.
    explicit inputs(std::size_t count);
};

// The peers in C++. Both throw std::runtime_error for an unknown workload.
job frit_job(const std::string& workload, std::size_t n);
job loop_job(const std::string& workload, std::size_t n);

}  // namespace indexed_bench

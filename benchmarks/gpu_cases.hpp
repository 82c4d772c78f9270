// The GPU workloads: each formula once with frit and once as a plain function in double precision.
#pragma once

#include <frit/frit.hpp>
#include <functional>
#include <string>
#include <vector>

#include "gpu_data.hpp"

using arrays = std::vector<frit::array<float>>;

struct workload {
    std::string name;
    std::size_t n = 0;
    std::vector<column> inputs;
    std::size_t outputs = 1;
    bool reduces = false;                                           ///< one output of one element, the sum of `expected`
    std::function<arrays(const arrays&)> run;                       ///< records and evaluates
    std::function<std::vector<double>(const double* in)> expected;  ///< the outputs of one element

    /// Minimal traffic of a call: every input read once, every output written once.
    double bytes() const {
        return 4.0 *
               (static_cast<double>(n) * static_cast<double>(inputs.size() + (reduces ? 0 : outputs)) + (reduces ? 1 : 0));
    }
};

/// axpb, chain12, blackscholes, trig and sumsq at full size, and with "_1m" behind the name at a million elements.
/// @param tiny for trying the program out without a GPU: 100,000 elements
std::vector<workload> make_workloads(bool tiny);

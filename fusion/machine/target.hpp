// The facts about a device that the planner and the generator may use: a plain struct, filled in by src, so that this
// folder needs neither CUDA nor the OS and every plan can be tested on any machine.
#pragma once

#include <cstdint>

#include "fusion/machine/cost_model.hpp"

namespace frit::inline v0::fusion {

struct target {
    enum class kind : std::uint8_t { cpu, cuda } device = kind::cpu;
    int processors = 1;                        ///< SMs or hardware threads
    int vector_bytes = 16;                     ///< CPU: register width; GPU: widest access
    bool has_fma = false;                      ///< contraction of a*b+c is one pass over the graph, decided by this alone
    std::uint32_t max_parameter_bytes = 4096;  ///< of a kernel's word block
    std::uint32_t max_kernel_weight = 1500;    ///< sum of op costs: bounds compile time
    std::uint32_t max_pointers = 64;
    prices cost = cpu_prices;
    int sm = 0;  ///< GPU: 90 for sm_90
};

}  // namespace frit::v0::fusion

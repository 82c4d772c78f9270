// What frit::info() says about GPUs and their driver. Opens no context: asking is cheap and changes nothing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/base/found_library.hpp"

namespace frit::inline v0::detail::cuda {

struct gpu_facts {
    std::string name;
    std::size_t bytes = 0;     ///< of its memory
    int major = 0, minor = 0;  ///< compute capability
    int processors = 0;        ///< streaming multiprocessors
};
/// One for each GPU that the driver sees; none without a driver.
std::vector<gpu_facts> facts_of_gpus();

found_library find_driver_library();

}  // namespace frit::v0::detail::cuda

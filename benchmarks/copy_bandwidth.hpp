// The yardstick of the GPU benchmark: what the device itself copies from memory to memory.
#pragma once

#include <string>

struct copy_bandwidth {
    std::string device;  ///< "NVIDIA H200"
    double gbps = 0;     ///< bytes read and written per second, in 1e9
};

/// Measures device 0 with the driver's own copy and events: the median of batches that last about 25 ms each.
/// @throws std::runtime_error without a driver or a device
copy_bandwidth measure_copy_bandwidth();

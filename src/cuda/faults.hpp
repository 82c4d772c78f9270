// Where kernels say that an index was out of range: a fault record (fusion/ir/kernel_spec.hpp) for each launch that checks
// indices, in pinned memory that the device writes to and the host looks at whenever it waits for the device anyway.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "src/cuda/device.hpp"

namespace frit::inline v0::detail::cuda {

class fault_records {
public:
    explicit fault_records(device&);
    /// The address, for the device, of the record of a launch that is queued next. `formula` is kept until the device has
    /// been waited for. Thread-safe; may wait for the device, once in thousands of launches.
    std::uint64_t take(std::string_view formula);
    /// Call it when what was queued has run. @throws index_error that names the formula, for the first launch with a fault
    void check();

private:
    struct record {
        std::uint64_t words[4];
    };
    void collect();

    device& device_;
    std::mutex lock_;
    record* records_ = nullptr;
    std::uint64_t on_device_ = 0;
    std::vector<std::string> formulas_;  ///< of the records that are in use
    std::string found_;                  ///< what the error is going to say
};

}  // namespace frit::v0::detail::cuda

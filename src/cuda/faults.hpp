// Where kernels say that an index was out of range: a fault record (fusion/ir/kernel_spec.hpp) for each launch that checks
// indices, in a ring of pinned memory that the device writes to and the host looks at whenever it waits for the device
// anyway. Other threads launch meanwhile, so a wait settles only the records of launches that were queued before it: those
// before a mark, a number in the order of launches.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>

#include "src/cuda/device.hpp"

namespace frit::inline v0::detail::cuda {

class fault_records {
public:
    /// The record of one launch. It holds the lock, so that records are in the order of launches and a mark never lies
    /// between a record and its launch. Keep it until the launch is queued or has failed, and do nothing else meanwhile.
    struct ticket {
        std::uint64_t address = 0;  ///< for the device; 0: no record
        std::unique_lock<std::mutex> until_queued;
    };
    using mark_type = std::uint64_t;  ///< of all launches that ever had a record, how many came before

    explicit fault_records(device&);
    /// A record for a launch that is queued next. `formula` is kept until the launch has been waited for. May wait for the
    /// device, once in thousands of launches: its context is current.
    [[nodiscard]] ticket take(std::string_view formula);
    /// The launches that are queued. Take it before what is then waited for is queued.
    [[nodiscard]] mark_type mark();
    /// Call it when the launches before the mark have run. @throws index_error that names the formula, for the first launch
    /// with a fault
    void check(mark_type);

private:
    struct record {
        std::uint64_t words[4];
    };
    record& record_of(mark_type launch);
    mark_type queued() const { return first_ + formulas_.size(); }
    void collect(mark_type end);

    device& device_;
    std::mutex lock_;
    record* records_ = nullptr;
    std::uint64_t on_device_ = 0;
    mark_type first_ = 0;               ///< the launch of the oldest record in use
    std::deque<std::string> formulas_;  ///< of the records in use
    std::string found_;                 ///< what the error is going to say
};

}  // namespace frit::v0::detail::cuda

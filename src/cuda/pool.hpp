// Device memory in free lists: cuMemAlloc takes 2 to 360 us and waits for the device, a free list takes nanoseconds. A block
// that is given back may be handed out at once, because everything that touches the pool runs on one stream, in order.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "src/cuda/device.hpp"

namespace frit::inline v0::detail::cuda {

class memory_pool {
public:
    explicit memory_pool(const device& d) : device_(d) {}

    struct block {
        device_pointer data = 0;
        std::size_t capacity = 0;
    };
    /// At least `bytes` (0 becomes the smallest class), aligned to 256.
    /// @throws out_of_memory after giving the free lists back to the device
    block take(std::size_t bytes);
    void give_back(block) noexcept;

    /// Bytes of a fresh block for `bytes`.
    static std::size_t class_size(std::size_t bytes) noexcept;

private:
    bool allocate(device_pointer&, std::size_t capacity);
    void flush();  // with the lock held

    const device& device_;
    std::mutex lock_;
    std::map<std::size_t, std::vector<device_pointer>> free_;  // by capacity
    std::size_t kept_ = 0, live_ = 0, live_blocks_ = 0;        // bytes in free lists, bytes and blocks handed out
};

}  // namespace frit::v0::detail::cuda

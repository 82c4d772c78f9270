// Host memory to the GPU and back through pinned buffers: two of them each way, so that the host copies into one while the
// device copies out of the other, and the caller's pageable memory is free for reuse on return.
#pragma once

#include <cstddef>
#include <mutex>

#include "src/cuda/device.hpp"

namespace frit::inline v0::detail::cuda {

class staging {
public:
    explicit staging(const device& d) : device_(d) {}

    /// Queues the copy; `host` may change on return.
    void upload(device_pointer to, const void* host, std::size_t bytes);
    /// Waits for everything queued before, and for the copy.
    void download(void* host, device_pointer from, std::size_t bytes);

private:
    static constexpr std::size_t chunk = std::size_t{4} << 20;
    struct half {
        char* pinned = nullptr;
        event done = nullptr;  ///< the device has read (upload) or written (download) it
    };
    void open(half (&pair)[2]);  // on first use: pinning 8 MiB takes milliseconds

    const device& device_;
    std::mutex up_lock_, down_lock_;
    half up_[2], down_[2];
    int filling_ = 0;         // the upload half that takes the next bytes
    std::size_t filled_ = 0;  // bytes of it in use: small uploads share a half
};

}  // namespace frit::v0::detail::cuda

// Double-buffered copies through pinned memory: see staging.hpp.
#include "src/cuda/staging.hpp"

#include <algorithm>

#include "src/base/threads.hpp"

namespace frit::inline v0::detail::cuda {

void staging::open(half (&pair)[2]) {
    for (half& h : pair) {
        if (!h.done) check(device_.api.event_create(&h.done, event_without_timing), device_.label, "creating an event");
        void* memory = nullptr;
        if (!h.pinned) check(device_.api.host_alloc(&memory, chunk), device_.label, "pinning host memory");
        if (!h.pinned) h.pinned = static_cast<char*>(memory);
    }
}

void staging::upload(device_pointer to, const void* host, std::size_t bytes) {
    const std::scoped_lock guard(up_lock_);
    open(up_);
    const char* from = static_cast<const char*>(host);
    while (bytes > 0) {
        if (filled_ == chunk) {
            check(device_.api.event_record(up_[filling_].done, device_.work), device_.label, "recording an event");
            filling_ ^= 1;
            filled_ = 0;
            check(device_.api.event_synchronize(up_[filling_].done), device_.label, "waiting for an upload");
        }
        const std::size_t part = std::min(bytes, chunk - filled_);
        char* const pinned = up_[filling_].pinned + filled_;
        copy_in_parallel(pinned, from, part);
        check(device_.api.copy_to_device(to, pinned, part, device_.work), device_.label, "uploading");
        filled_ += part;
        to += part;
        from += part;
        bytes -= part;
    }
}

void staging::download(void* host, device_pointer from, std::size_t bytes) {
    const std::scoped_lock guard(down_lock_);
    open(down_);
    char* to = static_cast<char*>(host);
    const auto queue = [&](std::size_t at) {
        const half& h = down_[at / chunk % 2];
        check(device_.api.copy_to_host(h.pinned, from + at, std::min(chunk, bytes - at), device_.work), device_.label,
              "downloading");
        check(device_.api.event_record(h.done, device_.work), device_.label, "recording an event");
    };
    if (bytes > 0) queue(0);
    for (std::size_t at = 0; at < bytes; at += chunk) {
        if (at + chunk < bytes) queue(at + chunk);
        const half& h = down_[at / chunk % 2];
        check(device_.api.event_synchronize(h.done), device_.label, "waiting for a download");
        copy_in_parallel(to + at, h.pinned, std::min(chunk, bytes - at));
    }
}

}  // namespace frit::v0::detail::cuda

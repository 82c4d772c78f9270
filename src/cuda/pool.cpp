// Size classes and exhaustion of device memory: see pool.hpp.
#include "src/cuda/pool.hpp"

#include <algorithm>
#include <bit>

#include "frit/error.hpp"
#include "src/base/log.hpp"
#include "src/memory/limit.hpp"

namespace frit::inline v0::detail::cuda {
namespace {

constexpr std::size_t smallest = 256, large = std::size_t{1} << 20, page = std::size_t{2} << 20;

}  // namespace

std::size_t memory_pool::class_size(std::size_t bytes) noexcept {
    if (bytes <= smallest) return smallest;
    // Small: four classes per octave, in multiples of the alignment. Large: the driver's own granularity.
    const std::size_t unit = bytes > large ? page : std::max(smallest, std::bit_floor(bytes - 1) / 4);
    return (bytes + unit - 1) / unit * unit;
}

bool memory_pool::allocate(device_pointer& p, std::size_t capacity) {
    const result r = device_.api.memory_alloc(&p, capacity);
    if (r == error_out_of_memory) return false;
    check(r, device_.label, "allocating memory");
    return true;
}

memory_pool::block memory_pool::take(std::size_t bytes) {
    constexpr std::size_t limit = std::size_t{1} << 60;
    const std::size_t capacity = bytes <= limit ? class_size(bytes) : bytes;
    const std::scoped_lock guard(lock_);
    block b{0, capacity};
    // A kept block fits if it wastes at most an eighth: sizes that change a little from step to step find their blocks.
    // Lists that ran empty stay in the map, so that the common step allocates nothing on the host.
    auto at = free_.lower_bound(capacity);
    const auto last = free_.upper_bound(capacity + capacity / 8);
    while (at != last && at->second.empty()) ++at;
    if (at != last) {
        b = {at->second.back(), at->first};
        at->second.pop_back();
        kept_ -= b.capacity;
    } else {
        const current_context here(device_);
        if (const std::uint64_t most = limit_of_memory(); most > 0 && kept_ > 0 && kept_ + live_ + capacity > most) flush();
        bool there = bytes <= limit && allocate(b.data, capacity);
        if (!there && bytes <= limit) {
            flush();
            there = allocate(b.data, capacity);
        }
        if (!there) {
            std::size_t unused = 0, all = 0;
            device_.api.memory_info(&unused, &all);
            throw out_of_memory(device_.label + ": out of memory: " + readable_bytes(bytes) + " asked for, " +
                                readable_bytes(live_) + " alive in " + std::to_string(live_blocks_) + " arrays, " +
                                readable_bytes(unused) + " of the device's " + readable_bytes(all) + " free");
        }
        if (log_enabled(log_channel::mem))
            log(log_channel::mem, device_.label + ": new block of " + readable_bytes(capacity));
    }
    live_ += b.capacity;
    ++live_blocks_;
    return b;
}

void memory_pool::give_back(block b) noexcept {
    try {
        const std::scoped_lock guard(lock_);
        live_ -= b.capacity;
        --live_blocks_;
        free_[b.capacity].push_back(b.data);
        kept_ += b.capacity;
    } catch (...) {  // no host memory for the list: the block is lost to the pool, nothing else is
    }
}

void memory_pool::flush() {
    if (log_enabled(log_channel::mem)) log(log_channel::mem, device_.label + ": giving back " + readable_bytes(kept_));
    check(device_.api.stream_synchronize(device_.work), device_.label, "waiting before memory is given back");
    for (auto& [capacity, blocks] : free_)
        while (!blocks.empty()) {  // out of the list first: after a failure nobody may be given a block that is gone
            const device_pointer p = blocks.back();
            blocks.pop_back();
            kept_ -= capacity;
            check(device_.api.memory_free(p), device_.label, "giving memory back");
        }
    free_.clear();
}

}  // namespace frit::v0::detail::cuda

// The process-wide counters behind frit::stats(): exact, relaxed atomics. Whoever does the thing counts it.
#pragma once

#include <atomic>
#include <cstdint>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

struct counter_block {
    std::atomic<std::uint64_t> kernels_launched, library_calls, compilations, plans_built, plans_reused, disk_hits,
        bundle_hits, bytes_read, bytes_written, host_to_device_bytes, device_to_host_bytes, live_bytes, peak_bytes,
        pending_nodes, kernels_interpreted, kernels_compiled;
};
inline constinit counter_block counters_now{};

/// Called by pools: live bytes are those handed out, not those kept in free lists.
inline void count_live(std::int64_t delta) noexcept {
    const std::uint64_t now =
        counters_now.live_bytes.fetch_add(static_cast<std::uint64_t>(delta), std::memory_order_relaxed) +
        static_cast<std::uint64_t>(delta);
    std::uint64_t peak = counters_now.peak_bytes.load(std::memory_order_relaxed);
    while (delta > 0 && now > peak && !counters_now.peak_bytes.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
}

}  // namespace frit::v0::detail

// Many pieces of work of one size, of which the smallest take less time than it takes to hand one over.
#pragma once

#include <algorithm>
#include <cstdint>

#include "src/base/threads.hpp"

namespace frit::inline v0::detail {

/// Calls f(k) for every k in [0, count), on the pool's threads where that is worth it: as many of them a task as take 20 us,
/// but no fewer tasks than four for each thread. f must not throw.
/// @param nanoseconds  of all of them on one thread
template <class F>
void share_out(std::int64_t count, double nanoseconds, F f) {
    const bool worth_it = worth_threads(nanoseconds);
    std::int64_t share = std::max<std::int64_t>(count, 1);
    if (worth_it) {
        const double quick = 2e4 / nanoseconds * static_cast<double>(count);
        share = std::max<std::int64_t>(count / (4 * thread_pool::instance().size()), 1);
        if (quick < static_cast<double>(share)) share = std::max<std::int64_t>(static_cast<std::int64_t>(quick), 1);
    }
    parallel((count + share - 1) / share, worth_it, [&](std::int64_t task) {
        for (std::int64_t k = task * share, end = std::min(count, k + share); k < end; ++k) f(k);
    });
}

}  // namespace frit::v0::detail

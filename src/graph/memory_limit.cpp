// The limit on memory: see memory_limit.hpp.
#include "src/graph/memory_limit.hpp"

#include "src/base/errors.hpp"
#include "src/base/log.hpp"
#include "src/graph/mirror.hpp"
#include "src/memory/live_buffers.hpp"

namespace frit::inline v0::detail {

bool is_within_limit(const context& home, std::int64_t bytes, std::uint64_t promised) {
    const std::uint64_t most = limit_of_memory();
    return most == 0 || bytes == 0 ||  // however much is taken already
           home.engine.live().bytes() + promised + static_cast<std::uint64_t>(bytes) <= most;
}

bool fits_limit(context& home, std::int64_t bytes, std::unique_lock<std::mutex>& held) {
    const int mine = running_plan::count(home);
    while (!is_within_limit(home, bytes, home.promised)) {
        if (home.executing > home.stalled + mine) {  // else all of them wait, as this one would
            home.stalled += mine;
            home.landed.wait(held);
            home.stalled -= mine;
        } else if (home.cuda_ordinal >= 0 || !forget_mirrors()) {
            return false;
        }
    }
    return true;
}

std::string over_limit(const context& home, std::int64_t bytes) {
    const live_buffers& live = home.engine.live();
    return home.engine.name() + ": out of memory: " + readable_bytes(static_cast<std::size_t>(bytes)) +
           " more would pass the memory limit of " + readable_bytes(limit_of_memory()) + ", " +
           readable_bytes(live.bytes()) + " are taken" + live.text();
}

buffer_ref allocate_array(context& home, std::size_t bytes, source_line where) {
    std::unique_lock held(home.lock, std::defer_lock);
    if (limit_of_memory() > 0) {
        held.lock();
        if (!fits_limit(home, static_cast<std::int64_t>(bytes), held))
            throw out_of_memory(over_limit(home, static_cast<std::int64_t>(bytes)) + place(where));
    }
    return home.engine.allocate(bytes);
}

}  // namespace frit::v0::detail

// Waiting for nodes that other threads have in flight. Here because whoever waits in the midst of a plan must say so: fork()
// waits for that plan, and who wants its memory does, so what is waited for must not wait for these.
#pragma once

#include <mutex>

#include "src/graph/context.hpp"

namespace frit::inline v0::detail {

/// Waits until `clear()` says so, which is asked under the context's lock whenever something has landed.
template <class Clear>
void wait_until_landed(context& home, std::unique_lock<std::mutex>& lock, Clear clear) {
    if (clear()) return;
    const int mine = running_plan::count(home), inside = running_plan::any();
    struct counted {
        context& home;
        const int mine, inside;
        counted(context& h, int m, int i) : home(h), mine(m), inside(i) {
            home.stalled += mine;
            home.awaited += inside;
            if (inside) home.landed.notify_all();
        }
        ~counted() {
            home.awaited -= inside;
            home.stalled -= mine;
        }
    };
    const counted waiting(home, mine, inside);
    do home.landed.wait(lock);
    while (!clear());
}

}  // namespace frit::v0::detail

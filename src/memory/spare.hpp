// Memory that speeds up but is not needed, which an engine may have back where it finds none. Who keeps some stands above
// the engines (src/graph/mirror.hpp), and says here how to let go of it.
#pragma once

#include <atomic>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

/// Null, or what lets go of all of it. False: there was none.
inline constinit std::atomic<bool (*)() noexcept> spare_memory{nullptr};

inline bool let_go_of_spare_memory() noexcept {
    auto* const let_go = spare_memory.load(std::memory_order_acquire);
    return let_go && let_go();
}

}  // namespace frit::v0::detail

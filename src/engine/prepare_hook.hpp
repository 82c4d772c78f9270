// A hook for tests: sees every kernel spec that any backend is asked to prepare, before any cache is looked at.
#pragma once

#include <atomic>

#include "fusion/ir/kernel_spec.hpp"

namespace frit::inline v0::detail {

/// Null, or called by every backend's prepare, from any thread.
inline std::atomic<void (*)(const fusion::kernel_spec&)> on_prepare{nullptr};

inline void call_prepare_hook(const fusion::kernel_spec& spec) {
    if (auto* hook = on_prepare.load(std::memory_order_acquire)) hook(spec);
}

}  // namespace frit::v0::detail

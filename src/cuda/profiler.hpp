// Names for a profiler's timeline: an NVTX range with the formula around the queueing of every kernel and library call, in
// the domain "frit". Without a profiler attached a range is the test of one pointer.
#pragma once

#include <string_view>

#include "src/base/found_library.hpp"

namespace frit::inline v0::detail::cuda {

class profiler_range {
public:
    explicit profiler_range(std::string_view name);
    ~profiler_range();
    profiler_range(const profiler_range&) = delete;
    profiler_range& operator=(const profiler_range&) = delete;

private:
    const bool open_;
};

/// For frit::info(): whether this build has NVTX.
found_library find_nvtx();

}  // namespace frit::v0::detail::cuda

// frit::set_memory_limit: how much the arrays of one device may take, and who may go ahead under it. What an evaluation
// takes at most is known before it runs, so it is refused, replanned or made to wait before anything has happened.
#pragma once

#include <cstdint>
#include <mutex>

#include "src/graph/context.hpp"
#include "src/memory/limit.hpp"

namespace frit::inline v0::detail {

/// Whether so many bytes more are no more than the limit allows, `promised` ones reckoned as taken.
bool is_within_limit(const context&, std::int64_t bytes, std::uint64_t promised);

/// Whether `bytes` more fit under the limit beside what is alive and what running plans may still take. Under `held`, the
/// context's lock, which is released while it waits for those plans where they are in the way, and are not those that this
/// thread is in the midst of. Mirrors of other devices'
/// arrays make room first.
bool fits_limit(context&, std::int64_t bytes, std::unique_lock<std::mutex>& held);

/// "cpu: 4.0 KiB would pass the memory limit of 1.0 KiB; alive: ...".
std::string over_limit(const context&, std::int64_t bytes);

/// Memory for an array that no plan makes. @throws out_of_memory, also where it would pass the limit
buffer_ref allocate_array(context&, std::size_t bytes, source_line where = unknown_line);

}  // namespace frit::v0::detail

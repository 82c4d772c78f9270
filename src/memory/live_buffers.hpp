// What lives in a device's memory: every block that is handed out, in a list, with the array that it holds. So an error for
// want of memory can name the arrays that take it, and a limit knows how much there is.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "src/engine/backend.hpp"

namespace frit::inline v0::detail {

class live_buffers {
public:
    /// A buffer of a pool's block, which stats().live_bytes counts from now on. @throws std::bad_alloc
    buffer_ref enter(backend& owner, void* data, std::size_t bytes, std::size_t capacity);
    void leave(buffer*) noexcept;  ///< at its end: the header is gone, or is that of the next one
    /// Says what a buffer holds from now on: an array, and the line of its statement, in a file whose name is kept().
    void describe(buffer&, dtype, const shape&, source_line) noexcept;

    std::uint64_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }
    /// "; alive: float32 (1024,) of 4.0 KiB [a.cpp:3], ..., 7 more of 1.0 KiB together": the largest first.
    std::string text() const;

    void lock_for_fork() { lock_.lock(); }
    void unlock_after_fork() { lock_.unlock(); }

private:
    mutable std::mutex lock_;
    buffer* first_ = nullptr;
    std::unique_ptr<buffer> spare_;  ///< the last header that has left: a loop's next result has it
    std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace frit::v0::detail

// Host memory for arrays, kept in free lists by size class: a fresh large block costs a page fault every 4 KiB, which is
// more than most kernels do with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

class host_pool {
public:
    struct block {
        void* data = nullptr;
        std::size_t capacity = 0;
    };
    /// At least `bytes` (0 becomes the smallest class), aligned to 64.
    /// @throws out_of_memory after giving everything in the free lists back
    block take(std::size_t bytes);
    void give_back(block) noexcept;

    /// Bytes of a block that is handed out for `bytes`: a multiple of 64, at most a quarter more above 4 KiB.
    static std::size_t class_size(std::size_t bytes) noexcept;

    void lock_for_fork() { lock_.lock(); }
    void unlock_after_fork() { lock_.unlock(); }

private:
    void flush();  // with the lock held

    std::mutex lock_;
    std::vector<std::vector<void*>> free_;         // [class]
    std::size_t kept_ = 0, live_ = 0;              // bytes in the free lists, bytes handed out
    std::size_t live_blocks_ = 0, staggered_ = 0;  ///< blocks that were made, of these
};

}  // namespace frit::v0::detail

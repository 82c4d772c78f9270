// The memory of one emulated launch, watched: what kernels may touch, and who touched it last. Two accesses to one place
// conflict if they come from different threads, one of them writes, and nothing orders them: no barrier of the block or
// __syncwarp of the warp between them; across blocks, no atomic operation with fences (__threadfence) around it.
//
// What it does not show. An order between blocks counts as given if the earlier one did any atomic operation, after a fence,
// and the later one did any before a fence: which variable, and what was in it, is not looked at. Two readers are kept of
// every place, so that a write after many reads may go unseen. A __syncwarp of a part of a warp orders nothing here. Atomic
// operations conflict with nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace frit_test {

/// Memory that a launch may touch.
struct watched_range {
    const char* begin;
    const char* end;
    bool writable;
    unsigned granule;  ///< bytes that are only ever accessed together, aligned
    std::string name;
    bool of_block = false;  ///< every block has its own there
};

class memory_watch {
public:
    void start_launch(std::vector<watched_range>);
    void start_block(unsigned threads);
    void block_barrier() { ++epoch_; }
    void warp_barrier(unsigned warp) { ++warp_epochs_[warp]; }
    void fence(unsigned thread);
    /// @return what is wrong with it, empty: nothing
    std::string atomic(unsigned thread, const char* p, unsigned long bytes);
    std::string access(unsigned thread, const char* p, unsigned long bytes, bool writes);
    bool is_there(const char* p, unsigned long bytes) { return find(p, bytes) != nullptr; }

private:
    struct mark {  // one access
        std::uint32_t block = 0, epoch = 0, warp_epoch = 0;
        std::uint16_t thread = 0;
        bool released = false;  // it came after the thread's atomic operation
    };
    struct cell {
        mark write, read[2], atomic;
    };
    struct range {
        watched_range what;
        std::vector<cell> cells;
    };
    struct thread_state {
        bool fenced = false, released = false, acquired = false;
        std::uint32_t fence_epoch = 0;
    };
    struct block_state {  // what its last atomic operation made known
        bool released = false;
        std::uint32_t epoch = 0;
        std::uint16_t thread = 0;
    };

    range* find(const char* p, unsigned long bytes);
    std::string beyond(const char* p, unsigned long bytes, bool writes) const;
    bool ordered(const mark& earlier, unsigned thread) const;
    bool stale(const mark& m) const { return m.block < first_block_; }
    std::string conflict(const range&, const char* p, const mark&, bool wrote, bool writes) const;
    std::string of_block(range&, const char* p, unsigned long bytes, unsigned thread);

    std::vector<range> ranges_;
    range* last_ = nullptr;
    std::uint32_t first_block_ = 1, block_ = 0, epoch_ = 0;
    std::vector<std::uint32_t> warp_epochs_;
    std::vector<thread_state> threads_;
    std::vector<block_state> blocks_;  // of this launch
    bool acquiring_ = false, acquired_ = false;
    std::uint32_t acquiring_thread_ = 0, acquiring_epoch_ = 0, acquired_epoch_ = 0;
};

}  // namespace frit_test

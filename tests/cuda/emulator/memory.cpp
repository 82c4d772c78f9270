// See memory.hpp.
#include "tests/cuda/emulator/memory.hpp"

#include <algorithm>
#include <cstddef>

namespace frit_test {

void memory_watch::start_launch(std::vector<watched_range> ranges) {
    ranges_.clear();
    for (watched_range& r : ranges) {
        const auto bytes = static_cast<std::size_t>(r.end - r.begin);
        const std::size_t cells = (bytes + r.granule - 1) / r.granule;
        ranges_.push_back({std::move(r), std::vector<cell>(cells)});
    }
    last_ = nullptr;
    first_block_ = block_ + 1;
    blocks_.clear();
}

void memory_watch::start_block(unsigned threads) {
    ++block_;
    epoch_ = 0;
    warp_epochs_.assign((threads + 31) / 32, 0);
    threads_.assign(threads, {});
    blocks_.emplace_back();
    acquiring_ = acquired_ = false;
    for (range& r : ranges_)
        if (r.what.of_block) r.cells.assign(r.cells.size(), {});
}

memory_watch::range* memory_watch::find(const char* p, unsigned long bytes) {
    const auto holds = [&](const range& r) { return r.what.begin <= p && p + bytes <= r.what.end; };
    if (last_ && holds(*last_)) return last_;
    for (range& r : ranges_)
        if (holds(r)) return last_ = &r;
    return nullptr;
}

void memory_watch::fence(unsigned thread) {
    thread_state& t = threads_[thread];
    t.fenced = true;
    t.fence_epoch = epoch_;
    if (!acquiring_) return;
    if (thread == acquiring_thread_ && !acquired_) {
        acquired_ = true;
        acquired_epoch_ = epoch_;
    }
    t.acquired = t.acquired || thread == acquiring_thread_ || acquiring_epoch_ < epoch_;
}

std::string memory_watch::atomic(unsigned thread, const char* p, unsigned long bytes) {
    range* const r = find(p, bytes);
    if (!r || !r->what.writable) return "an atomic operation beyond the memory that it may write";
    if (reinterpret_cast<std::uintptr_t>(p) % bytes) return "a misaligned atomic operation";
    thread_state& t = threads_[thread];
    if (t.fenced) {
        blocks_.back() = {true, t.fence_epoch, static_cast<std::uint16_t>(thread)};
        t.released = true;
    }
    acquiring_ = true;
    acquiring_thread_ = thread;
    acquiring_epoch_ = epoch_;
    return r->what.of_block ? of_block(*r, p, bytes, thread) : "";
}

// Among themselves atomic operations need no order; beside others a barrier, as any access.
std::string memory_watch::of_block(range& r, const char* p, unsigned long bytes, unsigned thread) {
    const std::size_t first = static_cast<std::size_t>(p - r.what.begin) / r.what.granule;
    for (std::size_t k = first; k <= first + (bytes - 1) / r.what.granule; ++k) {
        cell& c = r.cells[k];
        if (!ordered(c.write, thread)) return conflict(r, p, c.write, true, true);
        for (const mark& m : c.read)
            if (!ordered(m, thread)) return conflict(r, p, m, false, true);
        c.atomic = {block_, epoch_, warp_epochs_[thread / 32], static_cast<std::uint16_t>(thread), false};
    }
    return "";
}

bool memory_watch::ordered(const mark& m, unsigned thread) const {
    if (stale(m)) return true;
    if (m.block == block_)
        return m.thread == thread || m.epoch < epoch_ ||
               (m.thread / 32 == thread / 32 && m.warp_epoch < warp_epochs_[thread / 32]);
    const block_state& its = blocks_[m.block - first_block_];
    const bool released = its.released && (m.epoch < its.epoch || (m.thread == its.thread && !m.released));
    return released && (threads_[thread].acquired || (acquired_ && acquired_epoch_ < epoch_));
}

std::string memory_watch::conflict(const range& r, const char* p, const mark& m, bool wrote, bool writes) const {
    return "a race: " + std::string(writes ? "writes" : "reads") + " byte " + std::to_string(p - r.what.begin) + " of " +
           r.what.name + ", which thread " + std::to_string(m.thread) +
           (m.block == block_ ? " of the same block" : " of block number " + std::to_string(m.block - first_block_)) +
           (wrote ? " writes" : " reads") + ", and nothing orders the two";
}

std::string memory_watch::beyond(const char* p, unsigned long bytes, bool writes) const {
    const range* nearest = nullptr;
    std::ptrdiff_t distance = 4096;
    for (const range& r : ranges_) {
        const std::ptrdiff_t off = p < r.what.begin ? r.what.begin - p : std::max<std::ptrdiff_t>(p - r.what.end, 0);
        if (off < distance) nearest = &r, distance = off;
    }
    if (!nearest) return std::string(writes ? "writes" : "reads") + " memory that is not the kernel's";
    return std::string(writes ? "writes " : "reads ") + std::to_string(bytes) + " bytes at byte " +
           std::to_string(p - nearest->what.begin) + " of " + nearest->what.name + ", which has " +
           std::to_string(nearest->what.end - nearest->what.begin);
}

std::string memory_watch::access(unsigned thread, const char* p, unsigned long bytes, bool writes) {
    range* const r = find(p, bytes);
    if (!r) return beyond(p, bytes, writes);
    if (writes && !r->what.writable) return "writes " + r->what.name + ", which is not its output";
    const std::size_t first = static_cast<std::size_t>(p - r->what.begin) / r->what.granule;
    const std::size_t last = static_cast<std::size_t>(p - r->what.begin + static_cast<long>(bytes) - 1) / r->what.granule;
    const mark now{block_, epoch_, warp_epochs_[thread / 32], static_cast<std::uint16_t>(thread), threads_[thread].released};
    for (std::size_t k = first; k <= last; ++k) {
        cell& c = r->cells[k];
        for (const mark& m : {c.write, c.atomic})
            if (!ordered(m, thread)) return conflict(*r, p, m, true, writes);
        if (writes) {
            for (const mark& m : c.read)
                if (!ordered(m, thread)) return conflict(*r, p, m, false, true);
            c.write = now;
            continue;
        }
        // Two of the readers that later writes may conflict with: one of an earlier block, if there is one, and of this one.
        mark* slot = nullptr;
        for (mark& m : c.read)
            if (stale(m) || (m.block == block_ && (m.thread == thread || m.epoch < epoch_))) slot = &m;
        if (!slot && c.read[1].block != block_) slot = &c.read[1];
        if (slot) *slot = now;
    }
    return "";
}

}  // namespace frit_test

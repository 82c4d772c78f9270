// Size classes, free lists, and what happens when the machine has no more memory.
#include "src/cpu/pool.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "frit/error.hpp"
#include "src/base/log.hpp"
#include "src/memory/limit.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t alignment = 64, page = 4096, huge_page = std::size_t{2} << 20;

/// Blocks that begin at different places of their pages. A processor takes a load for one of what a store before it has
/// written as long as it has compared their lowest 12 bits alone: where rows are as long as pages, and every array begins at
/// the same place of one, a kernel that goes down columns of an array and writes another one waits at each row.
bool is_staggered(std::size_t capacity) { return capacity >= 16 * page && capacity < huge_page; }
/// Arrays of one kernel are mostly made one after the other: three in turns lie 1,024 bytes apart or more.
std::size_t place_in_page(std::size_t turn) { return turn * 1536 % page; }

// Class k holds blocks of (4 + k % 4) * 2^(4 + k / 4) bytes: 64, 80, 96, ... rounded to the alignment below 256.
std::size_t size_of_class(std::size_t k) {
    const std::size_t exact = (4 + k % 4) << (4 + k / 4);
    return (exact + alignment - 1) / alignment * alignment;
}
std::size_t class_of(std::size_t bytes) {
    if (bytes <= alignment) return 0;
    const std::size_t shift = static_cast<std::size_t>(std::bit_width(bytes - 1)) - 3;  // (bytes - 1) >> shift is 4..7
    return (shift - 4) * 4 + ((bytes - 1) >> shift) - 4 + 1;
}

std::size_t physical_bytes() {
    static const std::size_t bytes =
        static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
    return bytes;
}

// Linux promises more memory than there is; a request beyond the whole machine is refused here, before the promise is
// tested by a process that gets killed.
/// @param turn  how many that are staggered were made before
void* allocate_pages(std::size_t bytes, std::size_t live, std::size_t turn) {
    if (bytes > physical_bytes() || live > physical_bytes() - bytes) return nullptr;
    if (is_staggered(bytes)) {
        void* p = std::aligned_alloc(page, (bytes + 2 * page - 1) / page * page);
        return p ? static_cast<std::byte*>(p) + place_in_page(turn) : nullptr;
    }
    const bool huge = bytes >= huge_page;
    void* p =
        std::aligned_alloc(huge ? huge_page : alignment, huge ? (bytes + huge_page - 1) / huge_page * huge_page : bytes);
#if defined(MADV_HUGEPAGE)
    if (p && huge) madvise(p, bytes, MADV_HUGEPAGE);
#endif
    return p;
}

void free_pages(void* p, std::size_t capacity) noexcept {
    const std::size_t beyond = is_staggered(capacity) ? reinterpret_cast<std::uintptr_t>(p) % page : 0;
    std::free(static_cast<std::byte*>(p) - beyond);
}

/// The block goes back where there is no memory to speak of it.
void say_new(void* p, std::size_t capacity) try {
    log(log_channel::mem, "cpu: new block of " + readable_bytes(capacity));
} catch (...) {
    free_pages(p, capacity);
    throw;
}

}  // namespace

std::size_t host_pool::class_size(std::size_t bytes) noexcept { return size_of_class(class_of(bytes)); }

host_pool::block host_pool::take(std::size_t bytes) {
    constexpr std::size_t limit = std::size_t{1} << 60;
    const std::size_t capacity = bytes <= limit ? class_size(bytes) : 0;
    const std::size_t k = class_of(capacity);  // small classes may share a size: blocks are kept under its last class
    const std::lock_guard hold(lock_);
    void* p = nullptr;
    if (capacity) {
        if (k >= free_.size()) free_.resize(k + 1);
        if (!free_[k].empty()) {
            p = free_[k].back();
            free_[k].pop_back();
            kept_ -= capacity;
        } else {
            const std::uint64_t limit = limit_of_memory();
            if (kept_ > 0 && kept_ + live_ + capacity > (limit ? limit : physical_bytes())) flush();
            p = allocate_pages(capacity, live_, staggered_);
            if (!p) {
                flush();
                p = allocate_pages(capacity, live_, staggered_);
            }
            staggered_ += p && is_staggered(capacity);
            if (p && log_enabled(log_channel::mem)) say_new(p, capacity);
        }
    }
    if (!p)
        throw out_of_memory("cpu: out of memory: " + readable_bytes(bytes) + " asked for, " + readable_bytes(live_) +
                            " alive in " + std::to_string(live_blocks_) + " arrays, the machine has " +
                            readable_bytes(physical_bytes()));
    live_ += capacity;
    ++live_blocks_;
    return {p, capacity};
}

void host_pool::give_back(block b) noexcept {
    const std::size_t k = class_of(b.capacity);
    const std::lock_guard hold(lock_);
    live_ -= b.capacity;
    --live_blocks_;
    try {
        free_[k].push_back(b.data);
        kept_ += b.capacity;
    } catch (...) {  // no memory for the list: the block itself goes back
        free_pages(b.data, b.capacity);
    }
}

void host_pool::flush() {
    if (log_enabled(log_channel::mem)) log(log_channel::mem, "cpu: giving back " + readable_bytes(kept_));
    for (std::size_t k = 0; k < free_.size(); ++k) {
        for (void* p : free_[k]) free_pages(p, size_of_class(k));
        free_[k].clear();
    }
    kept_ = 0;
}

}  // namespace frit::v0::detail

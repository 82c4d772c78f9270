// Size classes, free lists, and what happens when the machine has no more memory.
#include "src/cpu/pool.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>
#include <memory>
#include <string>

#include "frit/error.hpp"
#include "src/base/log.hpp"
#include "src/memory/limit.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t alignment = 64, huge_page = std::size_t{2} << 20;

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
void* allocate_pages(std::size_t bytes, std::size_t live) {
    if (bytes > physical_bytes() || live > physical_bytes() - bytes) return nullptr;
    const bool huge = bytes >= huge_page;
    void* p =
        std::aligned_alloc(huge ? huge_page : alignment, huge ? (bytes + huge_page - 1) / huge_page * huge_page : bytes);
#if defined(MADV_HUGEPAGE)
    if (p && huge) madvise(p, bytes, MADV_HUGEPAGE);
#endif
    return p;
}

/// The block goes back where there is no memory to speak of it.
void say_new(void* p, std::size_t capacity) {
    std::unique_ptr<void, decltype(&std::free)> block(p, &std::free);
    log(log_channel::mem, "cpu: new block of " + readable_bytes(capacity));
    static_cast<void>(block.release());
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
            p = allocate_pages(capacity, live_);
            if (!p) {
                flush();
                p = allocate_pages(capacity, live_);
            }
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
        std::free(b.data);
    }
}

void host_pool::flush() {
    if (log_enabled(log_channel::mem)) log(log_channel::mem, "cpu: giving back " + readable_bytes(kept_));
    for (auto& list : free_) {
        for (void* p : list) std::free(p);
        list.clear();
    }
    kept_ = 0;
}

}  // namespace frit::v0::detail

// The list of what is alive: see live_buffers.hpp.
#include "src/memory/live_buffers.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "src/base/errors.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"

namespace frit::inline v0::detail {

buffer_ref live_buffers::enter(backend& owner, void* data, std::size_t bytes, std::size_t capacity) {
    const std::lock_guard guard(lock_);
    std::unique_ptr<buffer> made = spare_ ? std::move(spare_) : std::make_unique<buffer>();
    buffer& b = *made.release();
    b.data = data;
    b.bytes = bytes;
    b.capacity = capacity;
    b.owner = &owner;
    b.next = first_;
    if (first_) first_->previous = &b;
    first_ = &b;
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
    count_live(static_cast<std::int64_t>(bytes));
    return buffer_ref(&b);
}

void live_buffers::leave(buffer* b) noexcept {
    count_live(-static_cast<std::int64_t>(b->bytes));
    std::unique_ptr<buffer> another;  // is let go of behind the lock
    const std::lock_guard guard(lock_);
    bytes_.fetch_sub(b->bytes, std::memory_order_relaxed);
    (b->previous ? b->previous->next : first_) = b->next;
    if (b->next) b->next->previous = b->previous;
    b->~buffer();
    another.reset(new (b) buffer);
    another.swap(spare_);
}

void live_buffers::describe(buffer& b, dtype type, const shape& extents, source_line where) noexcept {
    const std::lock_guard guard(lock_);
    b.described = true;
    b.type = type;
    b.extents = extents;
    b.where = where;
}

std::string live_buffers::text() const {
    constexpr std::size_t most = 5;
    struct entry {
        std::size_t bytes;
        bool described;
        dtype type;
        shape extents;
        source_line where;
    };
    std::vector<entry> all;
    {
        const std::lock_guard guard(lock_);
        for (const buffer* b = first_; b; b = b->next)
            if (b->bytes > 0) all.push_back({b->bytes, b->described, b->type, b->extents, b->where});
    }
    if (all.empty()) return "; nothing is alive";
    std::stable_sort(all.begin(), all.end(), [](const entry& a, const entry& b) { return a.bytes > b.bytes; });
    std::string s = "; alive: ";
    for (std::size_t k = 0; k < std::min(most, all.size()); ++k) {
        const entry& e = all[k];
        s += k ? ", " : "";
        s += e.described ? std::string(name_of(e.type)) + " " + to_string(e.extents) : "scratch memory";
        s += " of " + readable_bytes(e.bytes) + place(e.where);
    }
    if (all.size() > most) {
        std::size_t rest = 0;
        for (std::size_t k = most; k < all.size(); ++k) rest += all[k].bytes;
        s += ", " + std::to_string(all.size() - most) + " more of " + readable_bytes(rest) + " together";
    }
    return s;
}

}  // namespace frit::v0::detail

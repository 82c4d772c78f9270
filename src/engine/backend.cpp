// Where elements lie in memory, and the end of buffers: back to the engine that they are of, or to their lender, whose own
// code may be put off.
#include "src/engine/backend.hpp"

namespace frit::inline v0::detail {
namespace {

thread_local defer_lenders* deferring = nullptr;

void return_to_lender(buffer* b) noexcept {
    if (b->drop) b->drop(b->keep);
    delete b;
}

}  // namespace

void release(buffer* b) noexcept {
    if (b->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if (b->owner) return b->owner->give_back(b);
    if (deferring) {
        b->next = deferring->dead_;
        deferring->dead_ = b;
        return;
    }
    return_to_lender(b);
}

defer_lenders::defer_lenders() noexcept : outer_(deferring) { deferring = this; }

defer_lenders::~defer_lenders() {
    deferring = outer_;
    while (dead_) {
        buffer* b = dead_;
        dead_ = b->next;
        return_to_lender(b);
    }
}

memory_range range_of(const void* first, const shape& extents, std::span<const std::int64_t> strides, std::size_t width) {
    std::int64_t low = 0, high = extents.size() == 0 ? -1 : 0, dense = 1;
    for (int k = extents.rank(); k-- > 0;) {
        const std::int64_t reach = (strides.empty() ? dense : strides[static_cast<std::size_t>(k)]) * (extents[k] - 1);
        dense *= extents[k];
        if (extents.size() > 0) (reach < 0 ? low : high) += reach;
    }
    const char* at = static_cast<const char*>(first);
    return {at + low * static_cast<std::int64_t>(width), at + (high + 1) * static_cast<std::int64_t>(width)};
}

}  // namespace frit::v0::detail

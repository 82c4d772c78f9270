// The end of buffers: back to the engine that they are of, or to their lender, whose own code may be put off.
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

}  // namespace frit::v0::detail

// Birth and death of nodes. A chain of a million nodes dies through a worklist, never through recursion.
#include "src/graph/node.hpp"

#include <cstdlib>
#include <new>
#include <utility>

#include "src/base/file_names.hpp"
#include "src/graph/context.hpp"
#include "src/graph/mirror.hpp"
#include "src/memory/live_buffers.hpp"

namespace frit::inline v0::detail {
namespace {

/// What is stored may outlive the library that recorded it, whose text the file's name is. Tells the list of what is alive
/// which array this is.
void describe(node& n) noexcept {
    n.where = kept(n.where);
    if (n.memory->owner) n.memory->owner->live().describe(*n.memory.get(), n.type, *n.extents, n.where);
}

void drop_operands(node& n) noexcept {
    if (!n.code) return;
    n.code = nullptr;
    n.slot = nullptr;
    for (std::uint16_t k = 0; k < n.attribute_count; ++k) n.attributes[k].~attribute_ref();
    for (std::uint16_t k = 0; k < n.leaf_count; ++k) release(n.leaves[k], one_user);
}

}  // namespace

node* make_pending(context& home, const statement& s, const shape& extents, dtype type) {
    const program& p = *s.code;
    const std::size_t bytes =
        sizeof(node) + p.leaves * sizeof(node*) + p.scalars * sizeof(scalar_bits) + p.attributes * sizeof(attribute_ref);
    void* memory = std::malloc(bytes);
    if (!memory) throw std::bad_alloc();
    node* n = new (memory) node(extents);
    auto* at = static_cast<char*>(memory) + sizeof(node);
    n->scalars = reinterpret_cast<scalar_bits*>(at);
    at += p.scalars * sizeof(scalar_bits);
    n->leaves = reinterpret_cast<node**>(at);
    at += p.leaves * sizeof(node*);
    n->attributes = reinterpret_cast<attribute_ref*>(at);
    for (std::uint16_t k = 0; k < p.scalars; ++k) new (n->scalars + k) scalar_bits(s.scalars[k]);
    for (std::uint16_t k = 0; k < p.leaves; ++k) {
        n->leaves[k] = as_node(s.leaves[k]);
        retain(n->leaves[k], one_user);
    }
    for (std::uint16_t k = 0; k < p.attributes; ++k) new (n->attributes + k) attribute_ref(s.attributes[k]);
    n->home = &home;
    n->type = n->meant = type;
    n->where = s.where;
    n->leaf_count = p.leaves;
    n->attribute_count = p.attributes;
    n->assigns = p.code[p.length - 1].code == op::update;
    n->code = s.code;
    n->slot = s.slot;
    try {
        home.link(*n);
    } catch (...) {  // as if it had never been
        drop_operands(*n);
        n->~node();
        std::free(n);
        throw;
    }
    return n;
}

node* make_stored(context& home, buffer_ref memory, std::int64_t offset, dtype type, const shape& extents,
                  std::vector<std::int64_t> strides, source_line where) {
    std::unique_ptr<std::vector<std::int64_t>> spread;
    if (!strides.empty()) spread = std::make_unique<std::vector<std::int64_t>>(std::move(strides));
    void* place = std::malloc(sizeof(node));
    if (!place) throw std::bad_alloc();
    node* n = new (place) node(extents);
    n->home = &home;
    n->type = n->meant = type;
    n->where = where;
    n->memory = std::move(memory);
    n->offset = offset;
    n->strides = std::move(spread);
    describe(*n);
    n->now.store(node::state::stored, std::memory_order_release);
    return n;
}

void land(node& n, buffer_ref memory, std::int64_t offset) noexcept {
    n.home->unlink(n);
    n.memory = std::move(memory);
    n.offset = offset;
    describe(n);
    drop_operands(n);
    n.now.store(node::state::stored, std::memory_order_release);
}

bool may_donate(const node& n, std::uint32_t uses, const context& home) {
    const buffer& b = *n.memory.get();
    return !n.held() && n.users() == uses && b.references.load(std::memory_order_acquire) == 1 &&
           b.exports.load(std::memory_order_acquire) == 0 && !b.read_only && b.owner == &home.engine && n.offset == 0 &&
           !n.strides;
}

void destroy(node_head* head) noexcept {
    // What dies with a node waits here, linked through the nodes themselves: their end needs no memory.
    struct queue {
        node* first;
        bool busy;
    };
    static thread_local constinit queue of_thread{nullptr, false};
    queue& waiting = of_thread;
    node* n = as_node(head);
    if (!n->stored()) n->home->unlink(*n);
    n->next = std::exchange(waiting.first, n);
    if (std::exchange(waiting.busy, true)) return;
    while (waiting.first) {
        node* d = std::exchange(waiting.first, waiting.first->next);
        drop_operands(*d);
        if (lesson* l = d->watched.load(std::memory_order_relaxed); l && d->stored()) l->was_in_vain();
        forget_mirror(*d);
        d->~node();
        std::free(d);
    }
    waiting.busy = false;
}

}  // namespace frit::v0::detail

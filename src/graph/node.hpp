// A node of the runtime graph: one packed statement while pending, one buffer once stored. The statement's operands stand
// behind the node in the same allocation; evaluating a node replaces them by memory in place, so that everybody who holds
// the node sees the result and nothing is computed twice.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <vector>

#include "frit/detail/record.hpp"
#include "src/engine/backend.hpp"
#include "src/graph/lessons.hpp"

namespace frit::inline v0::detail {

class context;
struct component;  // of the pending graph: see context.hpp

struct node : node_head {
    explicit node(const shape& s) noexcept : own_extents(s) { extents = &own_extents; }

    enum class state : std::uint8_t { pending, in_flight, stored };

    // === what it is ===
    const shape own_extents;  ///< what `extents` points at
    std::atomic<state> now{state::pending};
    /// Pending: what the evaluation that passed through it, after which it lived on, may learn. Stored: what the evaluation
    /// that stored it unasked may learn; null once it has been read.
    std::atomic<lesson*> watched{nullptr};
    std::exception_ptr lost;  ///< stored, but its memory was taken over by an evaluation that failed, by this error
    context* home = nullptr;
    source_line where = unknown_line;  ///< stored: its file's name is a copy of frit's own (file_names.hpp)

    // === pending: the statement ===
    const program* code = nullptr;
    static_slot* slot = nullptr;
    node** leaves = nullptr;
    scalar_bits* scalars = nullptr;
    attribute_ref* attributes = nullptr;
    std::uint16_t leaf_count = 0, attribute_count = 0;  ///< as `code` says: to be dropped without it, see docs/programs.md
    bool assigns = false;                               ///< the same: it ends with an update
    node *previous = nullptr, *next = nullptr;          ///< the context's list of pending nodes, in recording order; at its
                                                        ///< end, `next` is the list of those that die with it
    component* part = nullptr;
    node* sibling = nullptr;     ///< the next result of the same call that is pending, in a ring; null: there is no other
    std::uint64_t recorded = 0;  ///< its number in recording order

    // === stored: the memory ===
    buffer_ref memory;
    std::int64_t offset = 0;                             ///< of the first element, in elements
    std::unique_ptr<std::vector<std::int64_t>> strides;  ///< in elements; null: row-major
    std::atomic<bool> mirrored{false};                   ///< a copy is on the host: see mirror.hpp

    // === scratch of one expansion (under the context's lock) ===
    std::uint64_t visit = 0;
    std::uint32_t value = 0, uses = 0;
    std::uint32_t number = 0;  ///< among the statements, or among the leaves
    bool dying = false, output = false;

    bool held() const noexcept { return counts.load(std::memory_order_acquire) >= one_handle; }
    std::uint32_t users() const noexcept { return static_cast<std::uint32_t>(counts.load(std::memory_order_acquire)); }
    bool stored() const noexcept { return now.load(std::memory_order_acquire) == state::stored; }
    void* data() const noexcept {
        return static_cast<char*>(memory->data) + offset * static_cast<std::int64_t>(size_of(type));
    }
    std::size_t bytes() const noexcept { return static_cast<std::size_t>(extents->size()) * size_of(type); }
};

inline node* as_node(node_head* n) noexcept { return static_cast<node*>(n); }
inline const node* as_node(const node_head* n) noexcept { return static_cast<const node*>(n); }

/// Whether a pending node's statement assigns to a region.
inline bool is_update(const node& n) { return n.assigns; }
/// Whether it is a result of a call (see call.hpp).
inline bool is_call(const node& n) { return n.code->code[n.code->length - 1].code == op::call; }

/// A pending node for a statement whose shape and dtype are known; takes references on its leaves.
node* make_pending(context&, const statement&, const shape&, dtype);
/// A stored node over memory.
node* make_stored(context&, buffer_ref, std::int64_t offset, dtype, const shape&, std::vector<std::int64_t> strides = {},
                  source_line where = unknown_line);
/// Pending or in flight -> stored: the statement's operands are let go.
void land(node&, buffer_ref, std::int64_t offset) noexcept;
/// Whether a plan may take over the memory of an operand: nobody but `uses` dying references can reach it.
bool may_donate(const node&, std::uint32_t uses, const context&);

}  // namespace frit::v0::detail

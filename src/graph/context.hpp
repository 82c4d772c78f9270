// A context: one device with everything that belongs to it: the engine, the pending nodes, the plans. Contexts live for
// ever, so that arrays may outlive static destruction. One lock a context guards graph states and plans; it is never held
// while a kernel compiles or runs. The list of pending nodes has a lock of its own, held for a few instructions.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fusion/plan.hpp"
#include "src/graph/node.hpp"

namespace frit::inline v0::detail {

/// A plan with its kernels: what a repeated evaluation needs. Immutable and shared.
struct prepared_plan {
    fusion::execution_plan plan;
    std::vector<std::shared_ptr<kernel>> kernels;  ///< one per launch; null for launches over nothing; none: not made yet
    struct places {
        std::uint32_t pointers, scalars;
    };
    fusion::memory_policy policy = fusion::memory_policy::none;
    bool fresh = true;  ///< its grouping was formed for it
    bool complete() const { return kernels.size() == plan.launches.size(); }
    /// The statement that a launch's formula names.
    struct origin {
        std::uint32_t statement;   ///< by its number in the expansion
        std::size_t without_line;  ///< the formula's length before that
        source_line where;         ///< when the plan was made: another line may have recorded the same
    };
    std::vector<std::string> formulas;  ///< of each launch, with the line of its statement
    std::vector<origin> origins;        ///< of each
    std::vector<places> words;          ///< where each launch's pointer and scalar words start
};

/// A connected component of pending nodes, as a disjoint-set forest: components only ever join. Counted by the nodes and
/// components that point at it.
struct component {
    component* parent = nullptr;
    std::int64_t pending = 0;
    std::uint32_t references = 0;
};

class context {
public:
    /// Enters the list of those that fork() must find at rest.
    context(backend& b, int ordinal);

    backend& engine;
    const int cuda_ordinal;  ///< -1: the CPU
    std::mutex lock;
    std::condition_variable landed;  ///< some node in flight has been stored or is pending again; nothing executes any more

    // --- under lock ---
    std::unordered_map<std::string, std::shared_ptr<const prepared_plan>> plans;  ///< by exact key and target
    std::unordered_map<std::string, std::shared_ptr<const prepared_plan>>
        met;                                                      ///< the same by expansion::key, no graph made
    std::unordered_map<std::string, fusion::grouping> groupings;  ///< by structural key
    std::size_t cached_bytes = 0;
    std::vector<std::shared_ptr<const void>> remembered;  ///< what slots point at, some of them in libraries that are gone
    lessons learnt;
    std::uint64_t visits = 0;
    int executing = 0;  ///< plans that run with the lock released
    int stalled = 0;    ///< of those, whose threads wait for memory or another plan in a function that the plan calls
    int awaited = 0;    ///< threads in the midst of some context's plan that wait for nodes that others make here
    std::uint64_t promised = 0;  ///< the peaks of those, in bytes
    bool forking = false;        ///< fork() waits for those: no other starts, but in a function of one of them, or for it
    const static_slot* flush_slot = nullptr;  ///< the statement at which the graph is cut

    // --- the pending list and its components ---
    void link(node&);
    void unlink(node&) noexcept;
    /// Makes `other` one more result of the call that `first` is a result of.
    void join(node& first, node& other);
    /// Handles on all other results of n's call that are pending.
    std::vector<handle_ref> siblings_of(const node& n);
    /// The number of pending nodes connected with any of these operands.
    std::int64_t pending_with(std::span<node_head* const> operands);
    /// Where eval() would stand: of the statements that these nodes repeat, the one that comes least often (a loop's, not
    /// its inner loops'), and of those the one that came first. Null: none repeats.
    const static_slot* recurring_with(std::span<node_head* const> operands);
    /// How many pending statements are updates.
    std::int64_t pending_updates() const noexcept { return updates_.load(std::memory_order_relaxed); }
    /// Handles on the pending nodes connected with any of these operands, or with one of the latest statements that reads
    /// any of `read`, that a user holds, in recording order.
    std::vector<handle_ref> held_with(std::span<node_head* const> operands, std::span<const node_head* const> read = {});

private:
    friend struct fork_handlers;
    // with the list's lock held
    void drop(component*) noexcept;
    /// The root of a node's component; the node then points there directly.
    component* part_of(node&) noexcept;
    std::vector<component*> components_of(std::span<node_head* const> operands);

    std::mutex list_lock_;
    component* spare_ = nullptr;  ///< one that nobody points at, for the next statement that begins one
    std::uint64_t recorded_ = 0;
    std::atomic<std::int64_t> updates_{0};
    node* first_ = nullptr;
    node* last_ = nullptr;
};

context& cpu_context();
/// @throws device_error if there is no such device
context& cuda_context(int ordinal);
/// @throws device_error if there is no such device
context& context_on(device, source_line);
context& default_context();

/// A plan that this thread runs. A program's own function may evaluate arrays in it, whose plans run inside: they must not
/// wait for the end of what they are a part of.
class running_plan {
public:
    explicit running_plan(const context& home) noexcept : home_(home), outer_(std::exchange(innermost_, this)) {}
    ~running_plan() { innermost_ = outer_; }
    running_plan(const running_plan&) = delete;
    running_plan& operator=(const running_plan&) = delete;
    static bool any() noexcept { return innermost_ != nullptr; }
    static int count(const context& home) noexcept {
        int plans = 0;
        for (const running_plan* p = innermost_; p; p = p->outer_) plans += &p->home_ == &home;
        return plans;
    }

private:
    static inline thread_local constinit running_plan* innermost_ = nullptr;
    const context& home_;
    running_plan* const outer_;
};

/// The most pending nodes before a context evaluates what is held; 0: no limit.
std::int64_t graph_limit() noexcept;

}  // namespace frit::v0::detail

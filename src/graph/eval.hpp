// Evaluation: from pending nodes to stored ones. expand.cpp turns packed statements into the planner's graph, plan_cache.cpp
// finds or makes its plan, execute.cpp runs that, eval.cpp holds the order of it all.
#pragma once

#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "src/graph/context.hpp"

namespace frit::inline v0::detail {

struct evaluation_options {
    bool store_held = false;  ///< also store the pending arrays on the way that a user holds (automatic evaluation)
};

/// Stores these nodes, which all belong to `home`. If it throws, what was pending stays pending. What can be
/// refused is refused before anything runs; if a launch fails all the same, what others have completed is stored, and what
/// needs a dying input whose memory one of them has taken over throws from then on.
void evaluate(context& home, std::span<node_head* const> nodes, const evaluation_options& = {});

/// Evaluates a pending node into the caller's memory (strides in elements); the node stays pending. False, with nothing
/// done, where that memory overlaps an input.
bool evaluate_into(context& home, node&, void* to, std::span<const std::int64_t> strides);

/// One component as the planner sees it.
struct expansion {
    fusion::graph graph;                            ///< empty until build_graph()
    std::string key;                                ///< all that it is made from; empty: too large to come again
    std::vector<fusion::leaf_info> leaves;          ///< by leaf number, until they are the graph's
    std::vector<node*> order;                       ///< pending nodes, operands first
    std::vector<node*> leaf_nodes;                  ///< stored nodes, by leaf number
    std::vector<scalar_bits> scalars;               ///< by scalar number
    std::vector<node*> outputs;                     ///< nodes whose values are graph.outputs: those asked for, then others
    std::size_t asked = 0;                          ///< how many of these are asked for
    std::vector<handle_ref> others;                 ///< held arrays that updates have coupled with what is asked for
    std::vector<std::pair<node*, lesson*>> passed;  ///< what lives on without being asked for, and is to be watched
    bool blocked = false;                           ///< some node is in flight in another thread: wait and expand again
};

/// Walks down from the roots; under home.lock.
/// @param alone  stores what is asked for, and nothing else
expansion survey(context& home, std::span<node* const> roots, bool store_held, bool alone = false);
/// Makes the graph of what was surveyed, unless it is there; under home.lock.
void build_graph(context& home, expansion&);
/// Both.
expansion expand(context& home, std::span<node* const> roots, bool store_held);
/// Where an evaluation follows, and not just a report: notes what it passes, and what was passed or stored before and is
/// wanted now.
void learn(const expansion&) noexcept;
/// Somebody reads a node, or computes it.
void was_read(node&) noexcept;

/// Finds or makes the plan of an expansion and its kernels. Called under `held`, which is released while kernels compile.
std::shared_ptr<const prepared_plan> prepare(context& home, expansion&, std::unique_lock<std::mutex>& held);

/// What a plan computes, for a message.
std::string formula_of(const prepared_plan&);

/// Asks the engine what its library calls want of scratch memory, and makes it the plan's. Not under a context's lock: it
/// may load the library.
void give_workspaces(context& home, fusion::execution_plan&);

/// A pointer of a launch, by its place among them, and how far from where the plan has it this statement means it to be.
struct pointer_shift {
    std::uint32_t pointer;
    std::int64_t bytes;
};

/// One buffer per storage (outputs and what they share; others are empty). Of few storages, as most plans have, they stand
/// here, so that a warm statement allocates no list for them.
class storage_buffers {
public:
    storage_buffers() = default;
    storage_buffers(const storage_buffers&) = delete;
    storage_buffers& operator=(const storage_buffers&) = delete;
    /// Once, before any is used. @throws std::bad_alloc
    void make(std::size_t storages) {
        if (storages <= std::size(few_)) return;
        many_.resize(storages);
        first_ = many_.data();
    }
    buffer_ref& operator[](std::size_t storage) noexcept { return first_[storage]; }

private:
    buffer_ref few_[3];
    std::vector<buffer_ref> many_;
    buffer_ref* first_ = few_;
};

/// What a plan that runs has made.
struct progress {
    storage_buffers memory;
    std::size_t launches = 0;  ///< so many have run: all, unless one threw
    bool begun = false;
};
/// What a plan is run on.
struct plan_operands {
    std::span<node* const> statements;  ///< to be named where they fail
    std::span<node* const> leaves;
    std::span<const scalar_bits> scalars;
    void* into = nullptr;                        ///< the caller's memory
    std::span<const pointer_shift> shifts = {};  ///< of the only launch
};
/// Runs a plan.
void execute(context& home, const prepared_plan&, const plan_operands&, progress&);
/// The same with the lock released: the plan's nodes are in flight, so nobody else touches them or what they read. False,
/// with nothing done, where it would pass the memory limit.
bool execute_unlocked(context& home, std::unique_lock<std::mutex>& lock, const prepared_plan&, const plan_operands&,
                      progress&);

/// The generated text of a kernel on this context's engine (interpreter: the printed spec).
std::string source_of(const context& home, const fusion::kernel_spec&);
/// What FRIT_DUMP asks for; nothing where it is not set.
void dump_plan(const context& home, const expansion&, const fusion::execution_plan&);

/// FRIT_FUSION=off, or on again: for tests and the demo.
FRIT_API void set_fusion(bool on) noexcept;
bool fusion_on();

}  // namespace frit::v0::detail

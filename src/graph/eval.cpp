// The order of an evaluation: expand, plan, prepare kernels and launch (the context's lock released), land. A statement that
// repeats on evaluated operands of the same shapes takes the short way: its expression type remembers the plan.
#include "src/graph/eval.hpp"

#include <algorithm>
#include <optional>

#include "src/base/interruption.hpp"
#include "src/base/stats.hpp"
#include "src/graph/in_flight.hpp"
#include "src/graph/memory_limit.hpp"
#include "src/graph/slot.hpp"

namespace frit::inline v0::detail {
namespace {

/// The memory that output k of a plan has become.
struct landing {
    buffer_ref memory;
    std::int64_t offset = 0;
};
landing landing_of(const prepared_plan& p, std::size_t k, std::span<node* const> leaves, storage_buffers& memory) noexcept {
    const fusion::output_place& place = p.plan.outputs[k];
    if (!place.memory.is_leaf) return {memory[place.memory.index], 0};
    const node& source = *leaves[place.memory.index];
    return {source.memory, source.offset};
}

/// Nodes are in flight from the moment their plan is made until they are stored, or pending again after an error.
class in_flight_guard {
public:
    in_flight_guard(context& home, const expansion& e) : home_(home) {
        nodes_.reserve(e.order.size());
        for (node* n : e.order) nodes_.emplace_back(n);
        set(node::state::in_flight);
    }
    /// A node that the caller keeps.
    in_flight_guard(context& home, node& n) : home_(home), kept_(&n) { set(node::state::in_flight); }
    ~in_flight_guard() {  // under the lock
        set(node::state::pending);
        home_.landed.notify_all();
    }
    in_flight_guard(const in_flight_guard&) = delete;
    in_flight_guard& operator=(const in_flight_guard&) = delete;

private:
    void set(node::state s) {
        const auto change = [s](node& n) {
            if (!n.stored()) n.now.store(s, std::memory_order_release);
        };
        if (kept_) change(*kept_);
        for (const user_ref& n : nodes_) change(*as_node(n.get()));
    }
    context& home_;
    node* kept_ = nullptr;
    std::vector<user_ref> nodes_;  // landing an output lets go of the nodes below it
};

/// The short way. False where the statement has not been seen like this.
bool run_from_slot(context& home, node& n, std::unique_lock<std::mutex>& lock) {
    slot_entry::shifts_by shifts;
    const slot_entry* const e = matching_entry(n, home, shifts);
    if (!e) return false;
    node* leaves[slot_entry::max_operands];
    for (std::size_t k = 0; k < e->leaf_operand.size(); ++k) leaves[k] = n.leaves[e->leaf_operand[k]];
    const std::span<node* const> used(leaves, e->leaf_operand.size());
    const in_flight_guard in_flight(home, n);
    progress made;
    node* const statement[] = {&n};
    const plan_operands on{statement, used, {n.scalars, n.code->scalars}, nullptr, shifts.all()};
    if (!execute_unlocked(home, lock, *e->plan, on, made)) return false;
    counters_now.plans_reused.fetch_add(1, std::memory_order_relaxed);
    const landing at = landing_of(*e->plan, 0, used, made.memory);
    was_read(n);
    for (node* leaf : used) was_read(*leaf);
    land(n, at.memory, at.offset);
    return true;
}

/// Surveys when no node of the component is in flight any more.
expansion survey_when_clear(context& home, std::span<node* const> roots, bool store_held, bool alone,
                            std::unique_lock<std::mutex>& lock) {
    expansion e = survey(home, roots, store_held, alone);
    if (e.blocked)
        wait_until_landed(home, lock, [&] {
            e = survey(home, roots, store_held, alone);
            return !e.blocked;
        });
    return e;
}

/// Where another thread took the memory while kernels were made, it is planned again.
class run {
public:
    run(context& home, expansion& e) : home_(home), e_(e), places_(e.outputs.size()) {}  // behind kernels nothing may fail

    /// @param started  becomes true where kernels may have run
    void execute(std::unique_lock<std::mutex>& lock, void* into, bool& started) {
        std::optional<fusion::graph> as_recorded;
        if (limit_of_memory() > 0) {
            build_graph(home_, e_);
            as_recorded = e_.graph;
        }
        for (;;) {
            plan_ = prepare(home_, e_, lock);
            if (!into && plan_->policy == fusion::memory_policy::none) remember(*e_.outputs[0], home_, e_, plan_);
            started = true;
            if (execute_unlocked(home_, lock, *plan_, {e_.order, e_.leaf_nodes, e_.scalars, into}, made_)) return;
            if (!as_recorded)  // the limit came in between
                throw out_of_memory(over_limit(home_, plan_->plan.peak_bytes) + "; for " + formula_of(*plan_));
            e_.graph = *as_recorded;
        }
    }

    /// Stores the outputs that are complete: all, unless a launch threw.
    void land_outputs() noexcept {
        if (!made_.begun) return;
        const auto is_complete = [&](std::size_t k) { return plan_->plan.outputs[k].complete <= made_.launches; };
        // all of them first: an output that lands lets go of its operands, leaves included
        for (std::size_t k = 0; k < places_.size(); ++k)
            if (is_complete(k)) places_[k] = landing_of(*plan_, k, e_.leaf_nodes, made_.memory);
        for (std::size_t k = 0; k < places_.size(); ++k)
            if (is_complete(k)) land(*e_.outputs[k], places_[k].memory, places_[k].offset);
    }

private:
    context& home_;
    expansion& e_;
    std::vector<landing> places_;
    std::shared_ptr<const prepared_plan> plan_;
    progress made_;
};

}  // namespace

void evaluate(context& home, std::span<node_head* const> nodes, const evaluation_options& options) {
    const running_evaluation now;
    const defer_lenders after_the_lock;
    std::unique_lock lock(home.lock);
    node* last = nullptr;  // of those that are not stored: the short way has one, and needs no list
    std::size_t count = 0;
    for (node_head* n : nodes)
        if (as_node(n)->stored())
            was_read(*as_node(n));
        else
            ++count, last = as_node(n);
    if (count == 0) return;
    if (count == 1 && last->now.load(std::memory_order_acquire) == node::state::pending && run_from_slot(home, *last, lock))
        return;
    std::vector<node*> roots;
    for (node_head* n : nodes)
        if (!as_node(n)->stored()) roots.push_back(as_node(n));

    bool unasked = false;
    for (bool alone = false, started = false;; alone = true) try {
            expansion e = survey_when_clear(home, roots, options.store_held, alone, lock);
            if (e.outputs.empty()) return;  // another thread was faster
            unasked = e.outputs.size() > e.asked;
            learn(e);
            const in_flight_guard in_flight(home, e);
            run now(home, e);
            try {
                now.execute(lock, nullptr, started);
            } catch (...) {
                now.land_outputs();
                throw;
            }
            now.land_outputs();
            return;
        } catch (const error&) {  // what nobody has asked for shall not be in the way of what somebody has
            if (started || alone || !unasked) throw;
        }
}

bool evaluate_into(context& home, node& n, void* to, std::span<const std::int64_t> strides) {
    const running_evaluation now;
    const defer_lenders after_the_lock;
    std::unique_lock lock(home.lock);
    node* root = &n;
    expansion e = survey_when_clear(home, {&root, 1}, false, false, lock);
    const memory_range into = range_of(to, *n.extents, strides, size_of(n.type));
    const bool overlap =
        std::any_of(e.leaf_nodes.begin(), e.leaf_nodes.end(), [&](const node* l) { return l->memory->overlaps(into); });
    lesson& about = home.learnt.of(n, n);  // n lives on without being stored, as what is passed does
    const bool again = std::any_of(e.order.begin(), e.order.end(),
                                   [](const node* m) { return m->watched.load(std::memory_order_relaxed); });
    const bool calls = std::any_of(e.order.begin(), e.order.end(), [](const node* m) { return is_call(*m); });
    if (e.outputs.size() != 1 || overlap || again || calls || about.store()) return false;
    learn(e);
    n.watched.store(&about, std::memory_order_relaxed);
    build_graph(home, e);
    e.key.clear();  // says nothing of what follows
    e.graph.output_strides = {std::vector<std::int64_t>(strides.begin(), strides.end())};
    for (fusion::leaf_info& l : e.graph.leaves) l.donatable = false;  // the node stays as it is, and needs them
    const in_flight_guard in_flight(home, e);
    bool started = false;
    run(home, e).execute(lock, to, started);
    return true;
}

void eval(std::span<node_head* const> nodes, source_line where) try {
    for (const node_head* n : nodes)
        if (!n) throw_empty("eval", run_time, where);
    if (nodes.size() == 1) return evaluate(*as_node(nodes[0])->home, nodes);
    // one plan per device, each with all of its nodes
    std::vector<node_head*> rest(nodes.begin(), nodes.end());
    while (!rest.empty()) {
        context& home = *as_node(rest[0])->home;
        const auto other =
            std::stable_partition(rest.begin(), rest.end(), [&](node_head* n) { return as_node(n)->home == &home; });
        evaluate(home, {rest.data(), static_cast<std::size_t>(other - rest.begin())});
        rest.erase(rest.begin(), other);
    }
} catch (const std::bad_alloc&) {
    throw_out_of_memory("eval", where);
}

}  // namespace frit::v0::detail

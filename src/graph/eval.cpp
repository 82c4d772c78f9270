// The order of an evaluation: expand, plan, prepare kernels and launch (the context's lock released), land. A statement that
// repeats on evaluated operands of the same shapes takes the short way: its expression type remembers the plan.
#include "src/graph/eval.hpp"

#include <algorithm>
#include <cstring>

#include "fusion/passes/launches.hpp"
#include "src/base/env.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"
#include "src/graph/memory_limit.hpp"
#include "src/graph/slot.hpp"

namespace frit::inline v0::detail {
namespace {

std::atomic<int> fusion_setting{-1};  // -1: as FRIT_FUSION says

constexpr std::size_t max_cached_bytes = std::size_t{64} << 20;  // of keys and plans, estimated
constexpr std::size_t max_cached_values = 100'000;               // of a graph: larger ones do not come again

/// The memory that output k of a plan has become.
struct landing {
    buffer_ref memory;
    std::int64_t offset = 0;
};
landing landing_of(const prepared_plan& p, std::size_t k, std::span<node* const> leaves,
                   const std::vector<buffer_ref>& memory) noexcept {
    const fusion::output_place& place = p.plan.outputs[k];
    if (!place.memory.is_leaf) return {memory[place.memory.index], 0};
    const node& source = *leaves[place.memory.index];
    return {source.memory, source.offset};
}

/// Nodes are in flight from the moment their plan is made until they are stored, or pending again after an error.
class flight {
public:
    flight(context& home, const expansion& e) : home_(home) {
        nodes_.reserve(e.order.size());
        for (node* n : e.order) nodes_.emplace_back(n);
        set(node::state::in_flight);
    }
    /// A node that the caller keeps.
    flight(context& home, node& n) : home_(home), kept_(&n) { set(node::state::in_flight); }
    ~flight() {  // under the lock
        set(node::state::pending);
        home_.landed.notify_all();
    }
    flight(const flight&) = delete;
    flight& operator=(const flight&) = delete;

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

/// Waits until no fork() is under way and the plan fits under the memory limit; false where it never will.
bool may_start(context& home, const prepared_plan& plan, std::unique_lock<std::mutex>& lock) {
    for (;;) {
        home.landed.wait(lock, [&] { return !home.forking; });
        if (!fits_limit(home, plan.plan.peak_bytes, lock)) return false;
        if (!home.forking) return true;
    }
}

/// Runs a plan with the lock released: its nodes are in flight, so nobody else touches them or what they read. Nothing where
/// it would pass the memory limit.
std::optional<std::vector<buffer_ref>> execute_unlocked(context& home, std::unique_lock<std::mutex>& lock,
                                                        const prepared_plan& plan, std::span<node* const> leaves,
                                                        std::span<const scalar_bits> scalars, void* into,
                                                        std::span<const pointer_shift> shifts = {}) {
    struct phase {
        context& home;
        std::unique_lock<std::mutex>& lock;
        const std::uint64_t bytes;
        phase(context& h, std::unique_lock<std::mutex>& l, std::int64_t peak)
            : home(h), lock(l), bytes(static_cast<std::uint64_t>(peak)) {
            ++home.executing;
            home.promised += bytes;
            lock.unlock();
        }
        ~phase() {
            lock.lock();
            home.promised -= bytes;
            if (--home.executing == 0) home.landed.notify_all();  // fork() may be waiting, or who wants memory
        }
    };
    if (!may_start(home, plan, lock)) return std::nullopt;
    const phase running(home, lock, plan.plan.peak_bytes);
    return execute(home, plan, leaves, scalars, into, shifts);
}

/// The short way. False where the statement has not been seen like this.
bool run_from_slot(context& home, node& n, std::unique_lock<std::mutex>& lock) {
    slot_entry::shifts_by shifts;
    const slot_entry* const e = matching_entry(n, home, shifts);
    if (!e) return false;
    node* leaves[slot_entry::max_operands];
    for (std::size_t k = 0; k < e->leaf_operand.size(); ++k) leaves[k] = n.leaves[e->leaf_operand[k]];
    const std::span<node* const> used(leaves, e->leaf_operand.size());
    const flight in_flight(home, n);
    const auto memory = execute_unlocked(home, lock, *e->plan, used, {n.scalars, n.code->scalars}, nullptr, shifts.all());
    if (!memory) return false;
    counters_now.plans_reused.fetch_add(1, std::memory_order_relaxed);
    const landing at = landing_of(*e->plan, 0, used, *memory);
    was_read(n);
    for (node* leaf : used) was_read(*leaf);
    land(n, at.memory, at.offset);
    return true;
}

}  // namespace

void set_fusion(bool on) noexcept { fusion_setting.store(on, std::memory_order_relaxed); }

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

bool may_donate(const node& n, std::uint32_t uses, const context& home) {
    const buffer& b = *n.memory.get();
    return !n.held() && n.users() == uses && b.references.load(std::memory_order_acquire) == 1 &&
           b.exports.load(std::memory_order_acquire) == 0 && !b.read_only && b.owner == &home.engine && n.offset == 0 &&
           !n.strides;
}

bool fusion_on() {
    const int setting = fusion_setting.load(std::memory_order_relaxed);
    return setting < 0 ? env().fusion : setting != 0;
}

namespace {

void require(context& home, const fusion::library_call& call, const std::string& formula) {
    try {
        home.engine.require(call);
    } catch (const device_error& e) {
        throw device_error(std::string(e.what()) + "; asked for by " + formula);
    } catch (const shape_error& e) {
        throw shape_error(std::string(e.what()) + "; asked for by " + formula);
    }
}

/// What each launch computes, and the line of the statement that wrote it (of the first, where a plan serves several).
std::vector<std::string> described(const expansion& e, const fusion::execution_plan& plan) {
    std::vector<std::string> all = fusion::formulas(e.graph, plan);
    const auto& starts = e.graph.statement_starts;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const auto after = std::upper_bound(starts.begin(), starts.end(), plan.launches[k].roots[0]);
        const source_line where = e.order[static_cast<std::size_t>(after - starts.begin()) - 1]->where;
        if (where.line != 0) all[k] += " [" + std::string(where.file) + ":" + std::to_string(where.line) + "]";
    }
    return all;
}

/// Releases a lock for a while.
class relocked {
public:
    explicit relocked(std::unique_lock<std::mutex>& held) : held_(held) { held_.unlock(); }
    ~relocked() { held_.lock(); }
    relocked(const relocked&) = delete;
    relocked& operator=(const relocked&) = delete;

private:
    std::unique_lock<std::mutex>& held_;
};

/// What a plan computes, for a message.
std::string formula_of(const prepared_plan& p) {
    if (p.formulas.empty()) return "nothing";
    return p.formulas.back() +
           (p.formulas.size() > 1 ? " and " + std::to_string(p.formulas.size() - 1) + " kernels before it" : "");
}

}  // namespace

void give_workspaces(context& home, fusion::execution_plan& p) {
    std::vector<std::int64_t> bytes;
    for (const fusion::launch& l : p.launches)
        bytes.push_back(l.call && l.domain->size() > 0 ? static_cast<std::int64_t>(home.engine.workspace(*l.call)) : 0);
    fusion::reserve_workspaces(p, bytes);
}

namespace {

/// The plan of an expansion, without its kernels where it is new. Releases `held` while libraries are asked.
std::shared_ptr<const prepared_plan> find_plan(context& home, expansion& e, fusion::thrift saving, std::string& key_of_plan,
                                               std::unique_lock<std::mutex>& held) {
    const bool cacheable = e.graph.values.size() <= max_cached_values;
    fusion::plan_key key = cacheable ? fusion::key_of(e.graph, fusion_on(), saving) : fusion::plan_key{};
    const std::uint32_t variant = home.engine.variant();
    key.exact.append(reinterpret_cast<const char*>(&variant), sizeof variant);
    key_of_plan = cacheable ? key.exact : std::string();
    if (auto it = home.plans.find(key.exact); cacheable && it != home.plans.end()) return it->second;
    auto p = std::make_shared<prepared_plan>();
    fusion::grouping* known = cacheable ? &home.groupings[key.structure] : nullptr;  // filled in once it is whole
    p->fresh = !known || known->stored.empty();
    p->plan = fusion::make_plan(e.graph, home.engine.target(), fusion_on(), known, saving);
    p->saving = saving;
    p->formulas = described(e, p->plan);

    const relocked again(held);
    give_workspaces(home, p->plan);
    if (log_enabled(log_channel::plan)) log(log_channel::plan, fusion::explain(e.graph, p->plan, home.engine.target()));
    dump_plan(home, e, p->plan);
    return p;
}

void count_cached(context& home, std::size_t bytes) {
    if (home.cached_bytes + bytes > max_cached_bytes) {
        home.plans.clear();
        home.met.clear();
        home.groupings.clear();
        home.cached_bytes = 0;
    }
    home.cached_bytes += bytes;
}

void keep(context& home, std::string key, std::shared_ptr<const prepared_plan> p) {
    if (key.empty()) return;  // too large to come again
    count_cached(home, 2 * key.size() + 4096 * p->plan.launches.size() +
                           (p->plan.shapes ? sizeof(shape) * p->plan.shapes->size() : 0));
    home.plans.insert_or_assign(std::move(key), std::move(p));
}

/// The same for statements that come again as they are: their plan is found before a graph is made.
void keep_met(context& home, std::string key, std::shared_ptr<const prepared_plan> p) {
    if (key.empty()) return;
    count_cached(home, key.size() + 64);
    home.met.insert_or_assign(std::move(key), std::move(p));
}

/// A plan with its kernels, kept for the next time.
std::shared_ptr<const prepared_plan> complete(context& home, const prepared_plan& bare, std::string key,
                                              std::unique_lock<std::mutex>& held) {
    auto p = std::make_shared<prepared_plan>(bare);
    {
        const relocked again(held);
        for (const fusion::launch& l : p->plan.launches) {
            const fusion::word_layout at(l.spec);
            p->words.push_back({at.pointers, at.scalars});
            if (l.call) require(home, *l.call, p->formulas[p->words.size() - 1]);
            p->kernels.push_back(l.is_kernel() ? home.engine.prepare(l.spec) : nullptr);
        }
    }
    keep(home, std::move(key), p);
    return p;
}

}  // namespace

std::shared_ptr<const prepared_plan> prepare(context& home, expansion& e, std::unique_lock<std::mutex>& held) {
    const bool limited = limit_of_memory() > 0;
    if (const auto known = home.met.find(e.key); !limited && known != home.met.end()) {
        counters_now.plans_reused.fetch_add(1, std::memory_order_relaxed);
        return known->second;
    }
    build_graph(home, e);
    const fusion::graph as_recorded = limited ? e.graph : fusion::graph{};  // planning rewrites it
    std::shared_ptr<const prepared_plan> least;
    for (const fusion::thrift saving : fusion::all_thrifts) {
        if (saving != fusion::thrift::none) e.graph = as_recorded;
        std::string key;
        std::shared_ptr<const prepared_plan> p = find_plan(home, e, saving, key, held);
        if (limited && !fits_limit(home, p->plan.peak_bytes, held)) {
            if (!least || p->plan.peak_bytes < least->plan.peak_bytes) least = p;
            keep(home, std::move(key), std::move(p));
            continue;
        }
        const bool reused = p->complete() || !p->fresh;
        (reused ? counters_now.plans_reused : counters_now.plans_built).fetch_add(1, std::memory_order_relaxed);
        if (!p->complete()) p = complete(home, *p, std::move(key), held);
        if (!limited) keep_met(home, std::move(e.key), p);
        return p;
    }
    throw out_of_memory(over_limit(home, least->plan.peak_bytes) + "; for " + formula_of(*least));
}

namespace {

/// Surveys when no node of the component is in flight any more.
expansion survey_when_clear(context& home, std::span<node* const> roots, bool store_held,
                            std::unique_lock<std::mutex>& lock) {
    expansion e = survey(home, roots, store_held);
    while (e.blocked) {
        home.landed.wait(lock);
        e = survey(home, roots, store_held);
    }
    return e;
}

struct executed {
    std::shared_ptr<const prepared_plan> plan;
    std::vector<buffer_ref> memory;
};

/// Where another thread took the memory while kernels were made, it is planned again.
executed plan_and_execute(context& home, expansion& e, std::unique_lock<std::mutex>& lock, void* into) {
    if (limit_of_memory() > 0) build_graph(home, e);
    const fusion::graph as_recorded = limit_of_memory() > 0 ? e.graph : fusion::graph{};
    for (;;) {
        auto plan = prepare(home, e, lock);
        if (!into && plan->saving == fusion::thrift::none) remember(*e.outputs[0], home, e, plan);
        if (auto memory = execute_unlocked(home, lock, *plan, e.leaf_nodes, e.scalars, into))
            return {std::move(plan), std::move(*memory)};
        if (as_recorded.values.empty())  // the limit came in between
            throw out_of_memory(over_limit(home, plan->plan.peak_bytes) + "; for " + formula_of(*plan));
        e.graph = as_recorded;
    }
}

}  // namespace

void evaluate(context& home, std::span<node_head* const> nodes, const evaluation_options& options) {
    const defer_lenders after_the_lock;
    std::unique_lock lock(home.lock);
    std::vector<node*> roots;
    for (node_head* n : nodes)
        if (as_node(n)->stored())
            was_read(*as_node(n));
        else
            roots.push_back(as_node(n));
    if (roots.empty()) return;
    if (roots.size() == 1 && roots[0]->now.load(std::memory_order_acquire) == node::state::pending &&
        run_from_slot(home, *roots[0], lock))
        return;

    expansion e = survey_when_clear(home, roots, options.store_held, lock);
    if (e.outputs.empty()) return;  // another thread was faster
    learn(e);
    const flight in_flight(home, e);
    std::vector<landing> places(e.outputs.size());  // now: behind the kernels nothing may fail
    const auto [plan, memory] = plan_and_execute(home, e, lock, nullptr);
    // all of them first: an output that lands lets go of its operands, leaves included
    for (std::size_t k = 0; k < e.outputs.size(); ++k) places[k] = landing_of(*plan, k, e.leaf_nodes, memory);
    for (std::size_t k = 0; k < e.outputs.size(); ++k) land(*e.outputs[k], places[k].memory, places[k].offset);
}

bool evaluate_into(context& home, node& n, void* to, std::span<const std::int64_t> strides) {
    const defer_lenders after_the_lock;
    std::unique_lock lock(home.lock);
    node* root = &n;
    expansion e = survey_when_clear(home, {&root, 1}, false, lock);
    const memory_range into = range_of(to, *n.extents, strides, size_of(n.type));
    const bool overlap =
        std::any_of(e.leaf_nodes.begin(), e.leaf_nodes.end(), [&](const node* l) { return l->memory->overlaps(into); });
    lesson& about = home.learnt.of(n, n);  // n lives on without being stored, as what is passed does
    const bool again = std::any_of(e.order.begin(), e.order.end(),
                                   [](const node* m) { return m->watched.load(std::memory_order_relaxed); });
    if (e.outputs.size() != 1 || overlap || again || about.store()) return false;
    learn(e);
    n.watched.store(&about, std::memory_order_relaxed);
    build_graph(home, e);
    e.key.clear();  // says nothing of what follows
    e.graph.output_strides = {std::vector<std::int64_t>(strides.begin(), strides.end())};
    for (fusion::leaf_info& l : e.graph.leaves) l.donatable = false;  // the node stays as it is, and needs them
    const flight in_flight(home, e);
    plan_and_execute(home, e, lock, to);
    return true;
}

void eval(std::span<node_head* const> nodes, source_line where) try {
    for (const node_head* n : nodes)
        if (!n) throw_empty(dtype::f32, where);
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

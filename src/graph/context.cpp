// The contexts of the process, the default device, and the list of pending nodes.
#include "src/graph/context.hpp"

#include <pthread.h>

#include <algorithm>
#include <new>
#include <tuple>
#include <utility>

#include "frit/device.hpp"
#include "frit/error.hpp"
#include "frit/eval.hpp"
#include "src/base/env.hpp"
#include "src/base/errors.hpp"
#include "src/base/interruption.hpp"
#include "src/base/print_options.hpp"
#include "src/base/stats.hpp"
#include "src/graph/mirror.hpp"
#include "src/graph/region.hpp"

namespace frit::inline v0 {
namespace detail {
namespace {

std::atomic<std::int64_t> limit{4096};

thread_local context* thread_default = nullptr;

device device_in(const context& c) { return c.cuda_ordinal < 0 ? device::cpu() : device::cuda(c.cuda_ordinal); }

component* root_of(component* c) noexcept {
    while (c->parent) c = c->parent;
    return c;
}

struct context_list {
    std::mutex lock;
    std::vector<context*> all;
};
context_list& contexts() noexcept {  // never destroyed, as all singletons; asked for by fork() too
    alignas(context_list) static std::byte room[sizeof(context_list)];
    static auto* const list = new (room) context_list;
    return *list;
}

/// Held while a context is made or looked for, with all that is made once in a process: what another thread has begun to
/// make would be waited for in a forked child for ever. Not where that thread forks itself: a driver may, to start a
/// program.
constinit std::mutex first_use;
thread_local bool in_first_use = false;

class first_use_guard {
public:
    first_use_guard() : held_(first_use) { in_first_use = true; }
    ~first_use_guard() { in_first_use = false; }
    first_use_guard(const first_use_guard&) = delete;
    first_use_guard& operator=(const first_use_guard&) = delete;

private:
    std::lock_guard<std::mutex> held_;
};

}  // namespace

// fork() waits until no thread is inside a context, and the child starts with every lock free. The one place for all of
// them, because their order counts: contexts, lists, what the engines have, printing options, mirrors, regions. A thread of
// the parent that was waiting, or compiling without a lock, does not exist in the child.
struct fork_handlers {
    static void prepare() {
        if (in_first_use) return;
        while (context* const busy = lock_all()) {  // with nothing locked: what it runs may use any of them
            std::unique_lock held(busy->lock);
            busy->landed.wait(held, [busy] { return is_at_rest(*busy); });
        }
        if (contexts().all.empty()) return;
        for (context* c : contexts().all) c->list_lock_.lock();
        for (context* c : contexts().all) c->engine.lock_for_fork();
        lock_printoptions_for_fork();
        lock_mirrors_for_fork();
        lock_regions_for_fork();
    }
    static void parent() { release(false); }
    static void child() {
        if (in_first_use) return;
        for (context* c : contexts().all) {
            new (&c->landed) std::condition_variable;  // the old one counts waiters that are gone
            for (node* n = c->first_; n; n = n->next)
                if (n->now.load() == node::state::in_flight) n->now.store(node::state::pending);
        }
        release(true);
    }

    /// What the handlers lock is made at its first use: now, while that may fail, and with no lock held that would stay.
    static void meet(backend& engine) {
        engine.meet_fork();
        lock_printoptions_for_fork();
        unlock_printoptions_after_fork();
        lock_regions_for_fork();
        unlock_regions_after_fork();
    }

private:
    /// But for plans in whose midst this thread forks. One that is half run may have overwritten the memory of an array that
    /// it will replace.
    static bool is_at_rest(const context& c) { return c.executing == running_plan::count(c); }

    /// Locks contexts, and what they are made under; from now on no plan starts. Where one of them runs a plan, nothing
    /// stays locked. @returns that one
    static context* lock_all() {
        first_use.lock();
        lock_environment_for_fork();
        if (contexts().all.empty()) return nullptr;
        contexts().lock.lock();
        context* busy = nullptr;
        for (context* c : contexts().all) {
            c->lock.lock();
            c->forking = true;
            if (!is_at_rest(*c)) busy = c;
        }
        if (!busy) return nullptr;
        for (context* c : contexts().all) c->lock.unlock();
        contexts().lock.unlock();
        unlock_environment_after_fork();
        first_use.unlock();
        return busy;
    }

    static void release(bool child) {
        if (child) forget_other_evaluations();
        if (in_first_use) return;
        const std::lock_guard last(first_use, std::adopt_lock);
        unlock_environment_after_fork();
        if (contexts().all.empty()) return;
        unlock_regions_after_fork();
        unlock_mirrors_after_fork();
        unlock_printoptions_after_fork();
        for (context* c : contexts().all) c->engine.unlock_after_fork(child);
        for (context* c : contexts().all) c->list_lock_.unlock();
        for (context* c : contexts().all) {
            c->forking = false;
            c->landed.notify_all();
            c->lock.unlock();
        }
        contexts().lock.unlock();
    }
};

namespace {

constinit bool handlers_are_there = false;  // under first_use

bool register_handlers() noexcept {
    if (!handlers_are_there)
        handlers_are_there = pthread_atfork(fork_handlers::prepare, fork_handlers::parent, fork_handlers::child) == 0;
    return handlers_are_there;
}
// When the library is loaded, for a fork() may meet the first use; where there was no memory for it, or somebody's static
// array comes before, with the first context.
[[maybe_unused]] const bool registered_early = [] {
    const first_use_guard guard;
    return register_handlers();
}();

}  // namespace

context::context(backend& b, int ordinal) : engine(b), cuda_ordinal(ordinal) {
    const std::lock_guard guard(contexts().lock);
    if (!register_handlers()) throw out_of_memory("fork(): no memory for its handlers");
    contexts().all.reserve(contexts().all.size() + 1);
    fork_handlers::meet(b);
    contexts().all.push_back(this);
}

namespace {
void leave_ring(node& n) noexcept {
    if (!n.sibling) return;
    node* before = n.sibling;
    while (before->sibling != &n) before = before->sibling;
    before->sibling = n.sibling == before ? nullptr : n.sibling;
    n.sibling = nullptr;
}
/// Holds a node, unless its last reference is going away right now: then it must not be revived. @param least  what it has
bool hold(node& n, std::uint64_t least) {
    std::uint64_t counts = n.counts.load(std::memory_order_acquire);
    while (counts >= least && !n.counts.compare_exchange_weak(counts, counts + one_handle)) {
    }
    return counts >= least;
}
}  // namespace

void context::join(node& first, node& other) {
    const std::lock_guard guard(list_lock_);
    other.sibling = first.sibling ? first.sibling : &first;
    first.sibling = &other;
}

std::vector<handle_ref> context::siblings_of(const node& n) {
    const std::lock_guard guard(list_lock_);
    std::size_t count = 0;
    const auto each = [&n](auto&& f) {
        for (node* s = n.sibling; s && s != &n; s = s->sibling) f(*s);
    };
    each([&](const node&) { ++count; });
    std::vector<handle_ref> others;
    others.reserve(count);  // a count that is taken below must find its handle
    each([&](node& s) {
        if (!hold(s, one_user)) return;
        others.emplace_back(&s);
        release(&s, one_handle);
    });
    return others;
}

void context::drop(component* c) noexcept {
    while (c && --c->references == 0) {
        component* parent = c->parent;
        delete std::exchange(spare_, c);
        c = parent;
    }
}

component* context::part_of(node& n) noexcept {
    component* root = root_of(n.part);
    if (root != n.part) {
        ++root->references;
        drop(std::exchange(n.part, root));
    }
    return root;
}

void context::link(node& n) {
    std::lock_guard guard(list_lock_);
    component* root = nullptr;
    for (std::uint16_t k = 0; k < n.code->leaves; ++k) {
        if (!n.leaves[k]->part) continue;
        component* other = part_of(*n.leaves[k]);
        if (!root || other == root) {
            root = other;
            continue;
        }
        if (other->pending > root->pending) std::swap(root, other);
        other->parent = root;
        ++root->references;
        root->pending += other->pending;
    }
    if (!root) root = spare_ ? new (std::exchange(spare_, nullptr)) component : new component;
    n.part = root;
    ++root->references;
    ++root->pending;

    n.recorded = ++recorded_;
    n.previous = last_;
    (last_ ? last_->next : first_) = &n;
    last_ = &n;
    if (is_update(n)) updates_.fetch_add(1, std::memory_order_relaxed);
    counters_now.pending_nodes.fetch_add(1, std::memory_order_relaxed);
}

void context::unlink(node& n) noexcept {
    std::lock_guard guard(list_lock_);
    --root_of(n.part)->pending;
    drop(std::exchange(n.part, nullptr));
    (n.previous ? n.previous->next : first_) = n.next;
    (n.next ? n.next->previous : last_) = n.previous;
    n.previous = n.next = nullptr;
    leave_ring(n);
    if (is_update(n)) updates_.fetch_sub(1, std::memory_order_relaxed);
    counters_now.pending_nodes.fetch_sub(1, std::memory_order_relaxed);
}

std::vector<component*> context::components_of(std::span<node_head* const> operands) {
    std::vector<component*> roots;
    for (node_head* h : operands)
        if (node& n = *as_node(h); n.part)
            if (component* root = part_of(n); std::find(roots.begin(), roots.end(), root) == roots.end())
                roots.push_back(root);
    return roots;
}

std::int64_t context::pending_with(std::span<node_head* const> operands) {
    std::lock_guard guard(list_lock_);
    std::int64_t total = 0;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        node& n = *as_node(operands[k]);
        const auto shares = [&](node_head* h) { return as_node(h)->part && part_of(*as_node(h)) == part_of(n); };
        if (n.part && std::none_of(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(k), shares))
            total += part_of(n)->pending;
    }
    return total;
}

const static_slot* context::recurring_with(std::span<node_head* const> operands) {
    struct occurrences {
        std::int64_t count = 0;
        std::uint64_t first = 0;
    };
    std::lock_guard guard(list_lock_);
    const std::vector<component*> roots = components_of(operands);
    std::int64_t before = 0;  // the loop: what came before it does not come again
    for (const component* c : roots) before += c->pending;
    before /= 2;
    std::unordered_map<const static_slot*, occurrences> seen;
    for (node* n = first_; n; n = n->next) {
        if (std::find(roots.begin(), roots.end(), part_of(*n)) == roots.end() || before-- > 0 || !n->slot) continue;
        occurrences& o = seen[n->slot];
        if (o.count++ == 0) o.first = n->recorded;
    }
    const auto recurs = [](const auto& a) { return a.second.count >= 2; };
    const auto best = std::min_element(seen.begin(), seen.end(), [&](const auto& a, const auto& b) {
        return std::tuple(!recurs(a), a.second.count, a.second.first) <
               std::tuple(!recurs(b), b.second.count, b.second.first);
    });
    return best != seen.end() && recurs(*best) ? best->first : nullptr;
}

std::vector<handle_ref> context::held_with(std::span<node_head* const> operands, std::span<const node_head* const> read) {
    constexpr int most_looked_at = 256;  // of all that is pending, which has no bound
    std::lock_guard guard(list_lock_);
    std::vector<component*> roots = components_of(operands);
    const auto is_known = [&](const component* c) { return std::find(roots.begin(), roots.end(), c) != roots.end(); };
    const auto is_read = [&](const node* leaf) { return std::find(read.begin(), read.end(), leaf) != read.end(); };
    int looked_at = 0;
    for (node* n = last_; n && !read.empty() && looked_at < most_looked_at; n = n->previous, ++looked_at)
        if (std::any_of(n->leaves, n->leaves + n->leaf_count, is_read) && !is_known(part_of(*n)))
            roots.push_back(part_of(*n));
    std::int64_t left = 0;
    for (const component* c : roots) left += c->pending;
    std::vector<handle_ref> nodes;
    nodes.reserve(static_cast<std::size_t>(left));  // a count that is taken below must find its handle
    for (node* n = last_; n && left > 0; n = n->previous) {
        if (!is_known(part_of(*n))) continue;
        --left;
        if (!hold(*n, one_handle)) continue;
        nodes.emplace_back(n);
        release(n, one_handle);
    }
    std::reverse(nodes.begin(), nodes.end());
    return nodes;
}

namespace {

constinit std::atomic<context*> cpu{nullptr};  // found without the lock, where others are held

// With `first_use` held.
context& the_cpu_context() {
    if (!cpu.load(std::memory_order_relaxed)) cpu.store(new context(cpu_backend(), -1), std::memory_order_release);
    return *cpu.load(std::memory_order_relaxed);
}
context& the_cuda_context(int ordinal) {
    static auto* contexts = new std::vector<context*>;
    backend& b = cuda_backend(ordinal);  // throws where there is none
    if (contexts->size() <= static_cast<std::size_t>(ordinal)) contexts->resize(static_cast<std::size_t>(ordinal) + 1);
    context*& c = (*contexts)[static_cast<std::size_t>(ordinal)];
    if (!c) {
        the_cpu_context();  // asked for where a GPU's context is locked: not for the first time there, beside a fork()
        c = new context(b, ordinal);
    }
    return *c;
}
/// The device of a fresh thread: $FRIT_DEVICE, else the first GPU, else the CPU.
context& first_context() {
    if (const auto& chosen = env().device) return chosen->is_cuda() ? the_cuda_context(chosen->index()) : the_cpu_context();
    // a lack of memory must not choose the CPU for good
    return count_cuda_devices() > 0 ? the_cuda_context(0) : the_cpu_context();
}

}  // namespace

context& cpu_context() {
    if (context* const c = cpu.load(std::memory_order_acquire)) return *c;
    const first_use_guard guard;
    return the_cpu_context();
}

context& cuda_context(int ordinal) {
    const first_use_guard guard;
    return the_cuda_context(ordinal);
}

context& default_context() {
    if (!thread_default) {
        const first_use_guard guard;
        thread_default = &first_context();
    }
    return *thread_default;
}

std::int64_t graph_limit() noexcept { return limit.load(std::memory_order_relaxed); }

device device_of(const node_head* n) { return device_in(*as_node(n)->home); }

context& context_on(device d, source_line where) {
    if (d.is_cpu()) return cpu_context();
    try {
        return cuda_context(d.index());
    } catch (const device_error& e) {
        throw device_error(e.what() + place(where));
    }
}

device exchange_default_device(device d, source_line where) try {
    const device old = device_in(default_context());
    thread_default = &context_on(d, where);
    return old;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("scoped_device", where);
}

}  // namespace detail

device default_device() {
    return detail::or_out_of_memory("default_device", detail::unknown_line,
                                    [] { return detail::device_in(detail::default_context()); });
}

int device::cuda_count() noexcept { return detail::cuda_device_count(); }

std::string device::description(source_line where) const try {
    const detail::context& c = detail::context_on(*this, where);
    return c.engine.name() + ": " + c.engine.engine();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory("device", where);
}

void synchronize() try {
    detail::cpu_context().engine.wait_for_compilers();
    for (int k = 0; k < device::cuda_count(); ++k) detail::cuda_context(k).engine.synchronize();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory("synchronize", detail::unknown_line);
}

void set_graph_limit(detail::any_integer nodes, source_line where) {
    if (nodes < 0)
        throw error("set_graph_limit: " + std::to_string(nodes.value) + " is not a number of nodes" + detail::place(where));
    detail::limit.store(nodes, std::memory_order_relaxed);
}

}  // namespace frit::v0

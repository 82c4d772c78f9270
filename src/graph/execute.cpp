// Running a prepared plan, once nothing is in its way: memory for every storage in time, pointers and scalars into the word
// block, launch after launch.
#include <algorithm>
#include <cstdio>
#include <new>

#include "src/base/errors.hpp"
#include "src/base/interruption.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"
#include "src/base/thread_scratch.hpp"
#include "src/graph/eval.hpp"
#include "src/graph/memory_limit.hpp"

namespace frit::inline v0::detail {
namespace {

void log_launch(const fusion::launch& l, const std::string& formula) noexcept {
    try {
        log(log_channel::launch, (l.call ? "call " : "kernel ") + formula + " over " + to_string(*l.domain) + ", reads " +
                                     std::to_string(l.bytes_read) + ", writes " + std::to_string(l.bytes_written) +
                                     " bytes");
    } catch (const std::bad_alloc&) {  // a plan half run does not stop for a line of the log
        std::fputs("[frit:launch] no memory for this line\n", stderr);
    }
}

/// One run of a plan: its memory as it is needed, its launches one by one.
class plan_run {
public:
    plan_run(context& home, const prepared_plan& p, const plan_operands& on, storage_buffers& memory)
        : home_(home), p_(p), plan_(p.plan), on_(on), memory_(memory) {
        memory.make(plan_.storages.size());
    }

    /// What launch k computes, and the line that wrote it this time.
    const std::string& formula(std::size_t k) noexcept {
        const prepared_plan::origin& o = p_.origins[k];
        const source_line where = on_.statements[o.statement]->where;
        if (where.file == o.where.file && where.line == o.where.line) return p_.formulas[k];
        try {
            formula_.assign(p_.formulas[k], 0, o.without_line);
            formula_ += place(where);
        } catch (const std::bad_alloc&) {  // a plan half run does not stop for the name of a line
            return p_.formulas[k];
        }
        return formula_;
    }

    /// Whether inputs give away their memory.
    bool donates() const {
        return std::any_of(plan_.storages.begin(), plan_.storages.end(),
                           [](const fusion::storage& s) { return s.donor_leaf >= 0; });
    }

    /// Provides what all launches need. Storages that do not live at one time share a block, so that this takes no more than
    /// the plan's peak.
    void reserve() {
        const bool several = plan_.launches.size() > 1;  // the only one fails before it has written anything
        std::vector<std::uint32_t> free;                 // storages whose blocks nobody needs any more
        for (std::size_t k = 0; k < plan_.launches.size(); ++k) {
            const fusion::launch& l = plan_.launches[k];
            for (const std::uint32_t next : l.takes) {
                const fusion::storage& s = plan_.storages[next];
                const auto fits = std::find_if(free.begin(), free.end(),
                                               [&](std::uint32_t f) { return plan_.storages[f].bytes == s.bytes; });
                if (s.donor_leaf >= 0 || s.external >= 0 || fits == free.end()) {
                    provide(next);
                } else {
                    memory_[next] = memory_[*fits];
                    free.erase(fits);
                }
            }
            if (several && p_.kernels[k]) {
                words_of(l);
                home_.engine.reserve(*p_.kernels[k], l.spec, l.words);
            }
            if (l.call) pointers_of(l);
            for (std::uint32_t dead : l.releases)
                if (plan_.storages[dead].donor_leaf < 0) free.push_back(dead);
        }
    }

    void launch(std::size_t k) {
        const fusion::launch& l = plan_.launches[k];
        const bool call = l.call && l.call->writes();
        const bool runs = call || p_.kernels[k];
        if (runs && log_enabled(log_channel::launch)) log_launch(l, formula(k));
        if (l.call)
            run_call(k, call);
        else
            run_kernel(k);
        if (runs) {
            (call ? counters_now.library_calls : counters_now.kernels_launched).fetch_add(1, std::memory_order_relaxed);
            counters_now.bytes_read.fetch_add(static_cast<std::uint64_t>(l.bytes_read), std::memory_order_relaxed);
            counters_now.bytes_written.fetch_add(static_cast<std::uint64_t>(l.bytes_written), std::memory_order_relaxed);
        }
        for (std::uint32_t dead : l.releases) memory_[dead] = {};
    }

    /// Whether the evaluation ends here: somebody has interrupted it, and no launch has overwritten an input yet.
    bool ends_before(std::size_t k) const {
        return asks_.is_asked_for() &&
               std::none_of(plan_.storages.begin(), plan_.storages.end(),
                            [k](const fusion::storage& s) { return s.donor_leaf >= 0 && s.first < k; });
    }

    /// The inputs that launches before this one have overwritten are lost.
    void lose_before(std::size_t end, const std::exception_ptr& why) const {
        for (const fusion::storage& s : plan_.storages)
            if (s.donor_leaf >= 0 && s.first < end) on_.leaves[static_cast<std::size_t>(s.donor_leaf)]->lost = why;
    }

private:
    struct word_scratch;
    static std::uint64_t* words_of(const fusion::launch& l) {
        return reinterpret_cast<std::uint64_t*>(thread_scratch<word_scratch>::get(l.words.size() * sizeof(std::uint64_t)));
    }
    static void** pointers_of(const fusion::launch& l) {
        return reinterpret_cast<void**>(thread_scratch<word_scratch>::get(bytes_of_call(l)));
    }
    /// Pointers, and behind them the numbers that it is given.
    static std::size_t bytes_of_call(const fusion::launch& l) {
        return (l.call->operands.size() + l.call->results.size()) * sizeof(void*) + l.scalars.size() * sizeof(std::uint64_t);
    }

    void provide(std::size_t k) {
        const fusion::storage& s = plan_.storages[k];
        if (memory_[k] || s.external >= 0) return;
        memory_[k] = s.donor_leaf >= 0 ? on_.leaves[static_cast<std::size_t>(s.donor_leaf)]->memory
                                       : home_.engine.allocate(static_cast<std::size_t>(s.bytes));
    }
    char* address(const fusion::pointer_binding& b) {
        const std::size_t k = b.memory.index;
        if (b.memory.is_leaf) return static_cast<char*>(on_.leaves[k]->memory->data) + b.byte_offset;
        provide(k);
        return static_cast<char*>(plan_.storages[k].external >= 0 ? on_.into : memory_[k]->data) + b.byte_offset;
    }

    /// @param writes  whether there is anything to call
    void run_call(std::size_t k, bool writes) {
        const fusion::launch& l = plan_.launches[k];
        const fusion::library_call& c = *l.call;
        const std::span operands(pointers_of(l), c.operands.size());
        const std::span results(operands.data() + operands.size(), c.results.size());
        auto next = l.pointers.begin();
        for (void*& p : operands) p = address(*next++);
        for (auto p = results.begin(); const fusion::call_result& r : c.results) *p++ = r.asked ? address(*next++) : nullptr;
        if (!writes) return;
        const std::span numbers(reinterpret_cast<std::uint64_t*>(results.data() + results.size()), l.scalars.size());
        for (std::size_t j = 0; j < numbers.size(); ++j)
            numbers[j] = l.scalars[j] == fusion::constant_scalar ? l.words[j] : on_.scalars[l.scalars[j]].low;
        void* workspace = nullptr;
        if (l.workspace >= 0) {
            provide(static_cast<std::size_t>(l.workspace));
            workspace = memory_[static_cast<std::size_t>(l.workspace)]->data;
        }
        home_.engine.call(c, {.operands = operands, .results = results, .workspace = workspace, .numbers = numbers},
                          formula(k));
    }

    void run_kernel(std::size_t k) {
        const fusion::launch& l = plan_.launches[k];
        std::uint64_t* const words = words_of(l);
        std::uint64_t* const pointers = words + p_.words[k].pointers;
        std::copy(l.words.begin(), l.words.end(), words);
        for (std::size_t j = 0; j < l.pointers.size(); ++j)
            pointers[j] = reinterpret_cast<std::uint64_t>(address(l.pointers[j]));
        for (const pointer_shift& s : on_.shifts) pointers[s.pointer] += static_cast<std::uint64_t>(s.bytes);
        for (std::size_t j = 0; j < l.scalars.size(); ++j)
            if (l.scalars[j] != fusion::constant_scalar) words[p_.words[k].scalars + j] = on_.scalars[l.scalars[j]].low;
        if (p_.kernels[k]) home_.engine.launch(*p_.kernels[k], l.spec, {words, l.words.size()}, formula(k));
    }

    context& home_;
    const prepared_plan& p_;
    const fusion::execution_plan& plan_;
    const plan_operands& on_;
    storage_buffers& memory_;
    const interruption asks_ = interruption::of_this_thread();
    std::string formula_;  ///< of a launch that another line wrote when the plan was made
};

}  // namespace

void execute(context& home, const prepared_plan& p, const plan_operands& on, progress& made) {
    plan_run run(home, p, on, made.memory);
    made.begun = true;
    // An input that gives away its memory is lost once its kernel has run: then nothing may fail for want of memory after
    // it.
    if (run.donates()) run.reserve();
    std::size_t& k = made.launches;
    const auto fail_for_memory = [&](const out_of_memory& e) {
        run.lose_before(k, std::make_exception_ptr(e));
        throw e;
    };
    try {
        for (k = 0; k < p.plan.launches.size() && !run.ends_before(k); ++k) run.launch(k);
    } catch (const out_of_memory& e) {
        fail_for_memory(out_of_memory(std::string(e.what()) + "; for " + run.formula(k)));
    } catch (const std::bad_alloc&) {
        fail_for_memory(out_of_memory("out of memory on the host; for " + run.formula(k)));
    } catch (const refused_launch&) {
        run.lose_before(k, std::current_exception());
        throw;
    } catch (const index_error&) {  // a call looks at its indices before it writes, but on a GPU, which tells later
        const auto& call = p.plan.launches[k].call;
        const bool on_cpu = home.engine.target().device == fusion::target::kind::cpu;
        run.lose_before(on_cpu && call && call->of->checks_indices ? k : k + 1, std::current_exception());
        throw;
    } catch (...) {
        run.lose_before(k + 1, std::current_exception());
        throw;
    }
    if (k < p.plan.launches.size()) throw_interrupted(run.formula(k));
}

namespace {

/// Waits until no fork() is under way and the plan fits under the memory limit; false where it never will. Inside of a plan
/// that this thread runs, or for one that waits for us, fork() waits.
bool may_start(context& home, const prepared_plan& plan, std::unique_lock<std::mutex>& lock) {
    for (;;) {
        const auto is_free = [&] { return !home.forking || running_plan::any() || home.awaited > 0; };
        home.landed.wait(lock, is_free);
        if (!fits_limit(home, plan.plan.peak_bytes, lock)) return false;
        if (is_free()) return true;
    }
}

}  // namespace

bool execute_unlocked(context& home, std::unique_lock<std::mutex>& lock, const prepared_plan& plan, const plan_operands& on,
                      progress& made) {
    struct phase {
        context& home;
        std::unique_lock<std::mutex>& lock;
        const std::uint64_t bytes;
        const running_plan now;
        phase(context& h, std::unique_lock<std::mutex>& l, std::int64_t peak)
            : home(h), lock(l), bytes(static_cast<std::uint64_t>(peak)), now(h) {
            ++home.executing;
            home.promised += bytes;
            lock.unlock();
        }
        ~phase() {
            lock.lock();
            home.promised -= bytes;
            --home.executing;
            home.landed.notify_all();  // fork() may be waiting, or who wants memory
        }
    };
    if (!may_start(home, plan, lock)) return false;
    const phase running(home, lock, plan.plan.peak_bytes);
    execute(home, plan, on, made);
    return true;
}

}  // namespace frit::v0::detail

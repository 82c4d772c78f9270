// Running a prepared plan, once nothing is in its way: memory for every storage in time, pointers and scalars into the word
// block, launch after launch.
#include <algorithm>
#include <cstdio>
#include <new>

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

}  // namespace

void execute(context& home, const prepared_plan& p, std::span<node* const> leaves, std::span<const scalar_bits> scalars,
             void* into, progress& made, std::span<const pointer_shift> shifts) {
    const fusion::execution_plan& plan = p.plan;
    std::vector<buffer_ref>& memory = made.memory;
    memory.assign(plan.storages.size(), {});
    made.begun = true;
    auto provide = [&](std::size_t k) {
        const fusion::storage& s = plan.storages[k];
        if (memory[k] || s.external >= 0) return;
        memory[k] = s.donor_leaf >= 0 ? leaves[static_cast<std::size_t>(s.donor_leaf)]->memory
                                      : home.engine.allocate(static_cast<std::size_t>(s.bytes));
    };
    struct word_scratch;
    const auto words_of = [](const fusion::launch& l) {
        return reinterpret_cast<std::uint64_t*>(thread_scratch<word_scratch>::get(l.words.size() * sizeof(std::uint64_t)));
    };
    const auto pointers_of = [](const fusion::launch& l) {
        return reinterpret_cast<void**>(
            thread_scratch<word_scratch>::get((l.call->operands.size() + l.call->results.size()) * sizeof(void*)));
    };
    // An input that gives away its memory is lost once its kernel has run: then nothing may fail for want of memory after
    // it. Storages that do not live at one time share a block, so that this takes no more than the plan's peak.
    const bool donates =
        std::any_of(plan.storages.begin(), plan.storages.end(), [](const fusion::storage& s) { return s.donor_leaf >= 0; });
    if (donates) {
        const bool several = plan.launches.size() > 1;  // the only one fails before it has written anything
        std::vector<std::uint32_t> free;                // storages whose blocks nobody needs any more
        for (std::size_t k = 0; k < plan.launches.size(); ++k) {
            for (const std::uint32_t next : plan.launches[k].takes) {
                const fusion::storage& s = plan.storages[next];
                const auto fits = std::find_if(free.begin(), free.end(),
                                               [&](std::uint32_t f) { return plan.storages[f].bytes == s.bytes; });
                if (s.donor_leaf >= 0 || s.external >= 0 || fits == free.end()) {
                    provide(next);
                } else {
                    memory[next] = memory[*fits];
                    free.erase(fits);
                }
            }
            if (several && p.kernels[k]) {
                words_of(plan.launches[k]);
                home.engine.reserve(*p.kernels[k], plan.launches[k].spec, plan.launches[k].words);
            }
            if (plan.launches[k].call) pointers_of(plan.launches[k]);
            for (std::uint32_t dead : plan.launches[k].releases)
                if (plan.storages[dead].donor_leaf < 0) free.push_back(dead);
        }
    }
    const auto address = [&](const fusion::pointer_binding& b) {
        char* base;
        if (b.memory.is_leaf) {
            base = static_cast<char*>(leaves[b.memory.index]->memory->data);
        } else {
            provide(b.memory.index);
            base = static_cast<char*>(plan.storages[b.memory.index].external >= 0 ? into : memory[b.memory.index]->data);
        }
        return base + b.byte_offset;
    };
    const auto run = [&](std::size_t k) {
        const fusion::launch& l = plan.launches[k];
        const bool call = l.call && l.call->writes();
        if ((call || p.kernels[k]) && log_enabled(log_channel::launch)) log_launch(l, p.formulas[k]);
        if (l.call) {
            void** const operands = pointers_of(l);
            void** const results = operands + l.call->operands.size();
            std::size_t next = 0;
            for (std::size_t j = 0; j < l.call->operands.size(); ++j) operands[j] = address(l.pointers[next++]);
            for (std::size_t j = 0; j < l.call->results.size(); ++j)
                results[j] = l.call->results[j].asked ? address(l.pointers[next++]) : nullptr;
            if (call) {
                void* workspace = nullptr;
                if (l.workspace >= 0) {
                    provide(static_cast<std::size_t>(l.workspace));
                    workspace = memory[static_cast<std::size_t>(l.workspace)]->data;
                }
                home.engine.call(*l.call,
                                 {{operands, l.call->operands.size()}, {results, l.call->results.size()}, workspace},
                                 p.formulas[k]);
            }
        } else {
            std::uint64_t* const words = words_of(l);
            std::copy(l.words.begin(), l.words.end(), words);
            for (std::size_t j = 0; j < l.pointers.size(); ++j)
                words[p.words[k].pointers + j] = reinterpret_cast<std::uint64_t>(address(l.pointers[j]));
            for (const pointer_shift& s : shifts)
                words[p.words[k].pointers + s.pointer] += static_cast<std::uint64_t>(s.bytes);
            for (std::size_t j = 0; j < l.scalars.size(); ++j)
                if (l.scalars[j] != fusion::constant_scalar) words[p.words[k].scalars + j] = scalars[l.scalars[j]].low;
            if (p.kernels[k]) home.engine.launch(*p.kernels[k], l.spec, {words, l.words.size()}, p.formulas[k]);
        }
        if (call || p.kernels[k]) {
            (call ? counters_now.library_calls : counters_now.kernels_launched).fetch_add(1, std::memory_order_relaxed);
            counters_now.bytes_read.fetch_add(static_cast<std::uint64_t>(l.bytes_read), std::memory_order_relaxed);
            counters_now.bytes_written.fetch_add(static_cast<std::uint64_t>(l.bytes_written), std::memory_order_relaxed);
        }
        for (std::uint32_t dead : l.releases) memory[dead] = {};
    };
    std::size_t& k = made.launches;
    const auto lose_before = [&](std::size_t end) {  // the inputs that launches before this one have overwritten
        for (const fusion::storage& s : plan.storages)
            if (s.donor_leaf >= 0 && s.first < end) leaves[static_cast<std::size_t>(s.donor_leaf)]->lost = true;
    };
    try {
        for (k = 0; k < plan.launches.size(); ++k) run(k);
    } catch (const out_of_memory& e) {
        lose_before(k);
        throw out_of_memory(std::string(e.what()) + "; for " + p.formulas[k]);
    } catch (const std::bad_alloc&) {
        lose_before(k);
        throw out_of_memory("out of memory on the host; for " + p.formulas[k]);
    } catch (...) {
        lose_before(k + 1);
        throw;
    }
}

namespace {

/// Waits until no fork() is under way and the plan fits under the memory limit; false where it never will.
bool may_start(context& home, const prepared_plan& plan, std::unique_lock<std::mutex>& lock) {
    for (;;) {
        home.landed.wait(lock, [&] { return !home.forking; });
        if (!fits_limit(home, plan.plan.peak_bytes, lock)) return false;
        if (!home.forking) return true;
    }
}

}  // namespace

bool execute_unlocked(context& home, std::unique_lock<std::mutex>& lock, const prepared_plan& plan,
                      std::span<node* const> leaves, std::span<const scalar_bits> scalars, void* into, progress& made,
                      std::span<const pointer_shift> shifts) {
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
    if (!may_start(home, plan, lock)) return false;
    const phase running(home, lock, plan.plan.peak_bytes);
    execute(home, plan, leaves, scalars, into, made, shifts);
    return true;
}

}  // namespace frit::v0::detail

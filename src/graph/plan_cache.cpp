// From an expansion to a plan with its kernels: one that is known, by what it was made from or by its exact key, or a new
// one, whose grouping may be known by its structure. What is kept is bounded. Where memory is limited, plans that take less
// of it are tried until one fits.
#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

#include "fusion/passes/launches.hpp"
#include "src/base/env.hpp"
#include "src/base/errors.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"
#include "src/graph/eval.hpp"
#include "src/graph/loading.hpp"
#include "src/graph/memory_limit.hpp"

namespace frit::inline v0::detail {
namespace {

std::atomic<int> fusion_setting{-1};  // -1: as FRIT_FUSION says

constexpr std::size_t max_cached_bytes = std::size_t{64} << 20;  // of keys and plans, estimated
constexpr std::size_t max_cached_values = 100'000;               // of a graph: larger ones do not come again

}  // namespace

void set_fusion(bool on) noexcept { fusion_setting.store(on, std::memory_order_relaxed); }

bool fusion_on() {
    const int setting = fusion_setting.load(std::memory_order_relaxed);
    return setting < 0 ? env().fusion : setting != 0;
}

std::string formula_of(const prepared_plan& p) {
    if (p.formulas.empty()) return "nothing";
    return p.formulas.back() +
           (p.formulas.size() > 1 ? " and " + std::to_string(p.formulas.size() - 1) + " kernels before it" : "");
}

namespace {

void require(context& home, const fusion::library_call& call, const std::string& formula) {
    try {
        home.engine.require(call);
    } catch (const device_error& e) {
        throw device_error(std::string(e.what()) + "; asked for by " + formula);
    } catch (const shape_error& e) {
        throw shape_error(std::string(e.what()) + "; asked for by " + formula);
    } catch (const compile_error& e) {  // of a kernel that a program or frit brings as text
        throw compile_error(std::string(e.what()) + "asked for by " + formula);
    }
}

/// What each launch computes, and the line of the statement that wrote it.
void describe(prepared_plan& p, const expansion& e) {
    p.formulas = fusion::formulas(e.graph, p.plan);
    const auto& starts = e.graph.statement_starts;
    for (std::size_t k = 0; k < p.formulas.size(); ++k) {
        const auto after = std::upper_bound(starts.begin(), starts.end(), p.plan.launches[k].roots[0]);
        const auto statement = static_cast<std::uint32_t>(after - starts.begin()) - 1;
        const source_line where = e.order[statement]->where;
        p.origins.push_back({statement, p.formulas[k].size(), where});
        p.formulas[k] += place(where);
    }
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

}  // namespace

void give_workspaces(context& home, fusion::execution_plan& p) {
    std::vector<std::int64_t> bytes;
    for (const fusion::launch& l : p.launches)
        bytes.push_back(l.call && l.call->writes() ? static_cast<std::int64_t>(home.engine.workspace(*l.call)) : 0);
    fusion::reserve_workspaces(p, bytes);
}

namespace {

/// The plan of an expansion, without its kernels where it is new. Releases `held` while libraries are asked.
std::shared_ptr<const prepared_plan> find_plan(context& home, expansion& e, fusion::memory_policy policy,
                                               std::string& key_of_plan, std::unique_lock<std::mutex>& held) {
    const bool cacheable = e.graph.values.size() <= max_cached_values;
    fusion::plan_key key = cacheable ? fusion::key_of(e.graph, fusion_on(), policy) : fusion::plan_key{};
    const std::uint32_t variant = home.engine.variant();
    key.exact.append(reinterpret_cast<const char*>(&variant), sizeof variant);
    key_of_plan = cacheable ? key.exact : std::string();
    if (auto it = home.plans.find(key.exact); cacheable && it != home.plans.end()) return it->second;
    auto p = std::make_shared<prepared_plan>();
    fusion::grouping* known = cacheable ? &home.groupings[key.structure] : nullptr;  // filled in once it is whole
    p->fresh = !known || known->stored.empty();
    p->plan = fusion::make_plan(e.graph, home.engine.target(), fusion_on(), known, policy);
    p->policy = policy;
    describe(*p, e);

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
        const auto require_all = [&] {
            for (std::size_t k = 0; k < p->plan.launches.size(); ++k)
                if (const auto& call = p->plan.launches[k].call) require(home, *call, p->formulas[k]);
        };
        loading_aside libraries(home.engine, p->plan);
        if (!libraries.begun()) require_all();
        for (const fusion::launch& l : p->plan.launches) {
            const fusion::word_layout at(l.spec);
            p->words.push_back({at.pointers, at.scalars});
            p->kernels.push_back(l.is_kernel() ? home.engine.prepare(l.spec) : nullptr);
        }
        if (libraries.end()) require_all();
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
    for (const fusion::memory_policy policy : fusion::memory_policies) {
        if (policy != fusion::memory_policy::none) e.graph = as_recorded;
        std::string key;
        std::shared_ptr<const prepared_plan> p = find_plan(home, e, policy, key, held);
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

}  // namespace frit::v0::detail

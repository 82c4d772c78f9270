// The claim: the planner's model of what work costs chooses well. Random formulas (stencils on stencils, values read several
// times, rows and columns that broadcast, totals) are planned as evaluations plan them, and in every way that differs in one
// decision: nothing fused, everything recomputed, each value that was fused stored, each that was stored computed where it
// is read. All plans of a formula are run in turns, and the chosen one is compared with the quickest. On the CPU by the
// processor time of one thread (it sets FRIT_NUM_THREADS=1), in which a busy machine does not show; FRIT_CPU_ENGINE and
// FRIT_DEVICE say on what.
// usage: alternatives [FORMULAS] [SEED] [--all]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include <frit/frit.hpp>

#include "src/graph/context.hpp"
#include "src/graph/eval.hpp"

namespace {

namespace fusion = frit::fusion;
using frit::array;
using frit::slice;
using frit::detail::prepared_plan;

// --- formulas ---
constexpr int deepest = 3;  // stencils on stencils

struct formula {
    std::string text;
    std::vector<array<float>> outputs;
    std::vector<array<float>> held;  // inputs
};

class maker {
public:
    explicit maker(std::uint64_t seed) : random_(seed) {}

    formula make() {
        const std::int64_t sizes[] = {2000, 10'000, 50'000, 200'000, 1'000'000};
        const std::int64_t size = sizes[below(5)], columns = std::int64_t{32} << below(5);
        rows_ = size / columns + 2 * deepest, columns_ = columns + 2 * deepest;
        say("rows %lld, columns %lld:", static_cast<long long>(rows_), static_cast<long long>(columns_));
        for (int k = 0; k < 2 + below(2); ++k) {
            std::vector<float> numbers(static_cast<std::size_t>(rows_ * columns_));
            for (float& x : numbers) x = 0.5F + static_cast<float>(random_() % 1000) * 1e-3F;
            f_.held.push_back(frit::from_host(numbers, {rows_, columns_}));
            values_.push_back({f_.held.back(), 0});
        }
        const int statements = 2 + below(6);
        for (int k = 0; k < statements; ++k) statement();
        f_.outputs.push_back(finished(values_.back().x));
        if (below(3) == 0) f_.outputs.push_back(values_[values_.size() - 2].x), say("and v%zu", values_.size() - 2);
        return std::move(f_);
    }

private:
    struct value {
        array<float> x;
        int depth;  // so many elements less on each side
    };

    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    template <class... A>
    void say(const char* format, A... a) {
        char line[200];
        std::snprintf(line, sizeof line, format, a...);
        f_.text += (f_.text.empty() ? "" : " ") + std::string(line);
    }

    /// An operand of the wanted depth: the last values are likelier.
    array<float> operand(int depth) {
        for (;;) {
            const std::size_t back = static_cast<std::size_t>(below(3) ? below(3) : below(64));
            if (back >= values_.size()) continue;
            const std::size_t k = values_.size() - 1 - back;
            const value& v = values_[k];
            if (v.depth > depth) continue;
            const int room = 2 * (depth - v.depth);
            if (room == 0) {
                say("v%zu", k);
                return v.x;
            }
            const int down = below(room + 1), right = below(room + 1);
            say("v%zu[+%d,+%d]", k, down, right);
            return v.x(slice(down, v.x.shape()[0] - room + down), slice(right, v.x.shape()[1] - room + right));
        }
    }
    array<float> applied(const array<float>& a) {
        switch (below(9)) {
            case 0: say("exp"); return frit::exp(a * -0.5F);
            case 1: say("sqrt"); return frit::sqrt(frit::abs(a));
            case 2: say("tanh"); return frit::tanh(a);
            case 3: say("square"); return a * a;
            default: return a;
        }
    }
    array<float> combined(const array<float>& a, const array<float>& b) {
        switch (below(5)) {
            case 0: say("*"); return a * b;
            case 1: say("-"); return a - b;
            case 2: say("max"); return frit::maximum(a, b);
            case 3: say("/"); return a / (frit::abs(b) + 1.0F);
            default: say("+"); return a + b;
        }
    }
    void statement() {
        const int least = std::min(values_.back().depth, deepest);
        const int depth = std::min(deepest, least + (below(3) == 0 ? 1 : 0));
        say("; v%zu =", values_.size());
        array<float> x = applied(operand(depth));
        for (int k = 1 + below(4); k > 0; --k) x = combined(x, applied(operand(depth)));
        if (below(6) == 0) {
            say("- mean of its rows");
            x = x - frit::mean(x, 1, frit::keepdims);
        } else if (below(6) == 0) {
            say("* exp(its first row)");
            x = x * frit::exp(x(0) * -0.1F);
        }
        values_.push_back({x, depth});
    }
    array<float> finished(const array<float>& x) {
        switch (below(6)) {
            case 0: say("; sum"); return frit::sum(x);
            case 1: say("; sum of rows"); return frit::sum(x, 1);
            case 2: say("; sum of columns"); return frit::sum(x, 0);
            default: return x;
        }
    }

    std::mt19937_64 random_;
    std::int64_t rows_ = 0, columns_ = 0;
    std::vector<value> values_;
    formula f_;
};

// --- plans ---
struct alternative {
    std::string what;
    prepared_plan plan;
    std::string text;
    double seconds = 1e9;
};

bool same(const fusion::execution_plan& a, const fusion::execution_plan& b) {
    return a.launches.size() == b.launches.size() && std::equal(a.launches.begin(), a.launches.end(), b.launches.begin(),
                                                                [](const fusion::launch& l, const fusion::launch& r) {
                                                                    return l.call.has_value() == r.call.has_value() &&
                                                                           l.spec == r.spec && l.words == r.words;
                                                                });
}

class planner {
public:
    planner(frit::detail::context& home, frit::detail::expansion e) : home_(home), e_(std::move(e)) {}

    std::vector<alternative> all() {
        fusion::graph rewritten = e_.graph;
        fusion::grouping chosen;
        fusion::execution_plan p = fusion::make_plan(rewritten, home_.engine.target(), true, &chosen);
        add("as chosen", rewritten, std::move(p));
        fusion::graph other = e_.graph;
        p = fusion::make_plan(other, home_.engine.target(), false);
        add("nothing fused", other, std::move(p));
        other = e_.graph;
        p = fusion::make_plan(other, home_.engine.target(), true, nullptr, fusion::memory_policy::recompute);
        add("everything recomputed", other, std::move(p));
        const std::size_t n = rewritten.values.size();
        std::vector<char> result(n, 0);
        for (const fusion::value_id v : rewritten.outputs) result[v] = 1;
        const std::vector<char> nowhere(n, 0);
        for (fusion::value_id v = 0; v < n; ++v) {
            const frit::op code = rewritten.values[v].code;
            if (result[v] || !is_elementwise(code)) continue;
            std::vector<char> here = nowhere;
            here[v] = 1;
            const bool stored = chosen.stored[v] != 0;
            fusion::grouping wish = fusion::form_groups(rewritten, home_.engine.target(), stored ? nowhere : here, true,
                                                        fusion::memory_policy::none, stored ? here : nowhere);
            wish.wiring = chosen.wiring;
            other = e_.graph;
            p = fusion::make_plan(other, home_.engine.target(), true, &wish);
            add("t" + std::to_string(v) + (stored ? " recomputed" : " stored"), other, std::move(p));
        }
        return std::move(all_);
    }

private:
    void add(const std::string& what, const fusion::graph& g, fusion::execution_plan plan) {
        for (const alternative& a : all_)
            if (same(a.plan.plan, plan)) return;
        alternative a{what, {}, fusion::explain(g, plan, home_.engine.target()), 1e9};
        a.plan.plan = std::move(plan);
        for (const fusion::launch& l : a.plan.plan.launches) {
            const fusion::word_layout at(l.spec);
            a.plan.words.push_back({at.pointers, at.scalars});
            a.plan.kernels.push_back(l.is_kernel() ? home_.engine.prepare(l.spec) : nullptr);
            a.plan.formulas.emplace_back();
        }
        all_.push_back(std::move(a));
    }

    frit::detail::context& home_;
    frit::detail::expansion e_;
    std::vector<alternative> all_;
};

/// Of one run, the least of some; in turns, so that what else happens on the machine meets all of them.
void measure(frit::detail::context& home, const frit::detail::expansion& e, std::vector<alternative>& all) {
    const auto now = [&home] {  // one thread's processor time, in which a busy machine does not show
        timespec t{};
        clock_gettime(home.cuda_ordinal < 0 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    };
    const auto run = [&](const alternative& a, int times) {
        const double start = now();
        for (int k = 0; k < times; ++k) {
            frit::detail::progress made;
            frit::detail::execute(home, a.plan, {e.order, e.leaf_nodes, e.scalars}, made);
        }
        home.engine.synchronize();
        return (now() - start) / times;
    };
    for (alternative& a : all) run(a, 1);
    constexpr int rounds = 7;
    for (int round = 0; round < rounds; ++round)
        for (alternative& a : all) {
            const int times = a.seconds < 1e8 ? std::clamp(static_cast<int>(2e-4 / a.seconds), 1, 50) : 1;
            a.seconds = std::min(a.seconds, run(a, times));
        }
}

}  // namespace

int main(int argc, char** argv) {
    setenv("FRIT_NUM_THREADS", "1", 1);  // other threads' work would not be counted
    int formulas = 1000;
    std::uint64_t seed = 1;
    bool all = false;
    std::vector<const char*> numbers;
    for (int k = 1; k < argc; ++k)
        if (std::strcmp(argv[k], "--all") == 0)
            all = true;
        else
            numbers.push_back(argv[k]);
    if (numbers.size() > 0) formulas = std::atoi(numbers[0]);
    if (numbers.size() > 1) seed = std::strtoull(numbers[1], nullptr, 10);

    frit::detail::context& home = frit::detail::default_context();
    std::printf("device: %s\n", frit::default_device().description().c_str());
    struct wrong {
        double ratio;
        std::uint64_t seed;
        std::string text;
    };
    std::vector<wrong> ratios;
    std::size_t plans = 0;
    double chosen_total = 0, best_total = 0, unfused_total = 0;
    for (int k = 0; k < formulas; ++k) {
        formula f = maker(seed + static_cast<std::uint64_t>(k)).make();
        std::vector<frit::detail::node*> roots;
        for (const array<float>& x : f.outputs) roots.push_back(frit::detail::as_node(frit::detail::handle_of(x, {}).get()));
        frit::detail::expansion e;
        {
            const std::lock_guard guard(home.lock);
            e = frit::detail::expand(home, roots, false);
        }
        std::vector<alternative> ways = planner(home, e).all();
        measure(home, e, ways);
        const auto best = std::min_element(ways.begin(), ways.end(), [](auto& a, auto& b) { return a.seconds < b.seconds; });
        const double ratio = ways[0].seconds / best->seconds;
        char line[120];
        std::snprintf(line, sizeof line, "%.2f  %.1f us in %zu kernels, %s: %.1f us in %zu", ratio, ways[0].seconds * 1e6,
                      ways[0].plan.plan.launches.size(), best->what.c_str(), best->seconds * 1e6,
                      best->plan.plan.launches.size());
        ratios.push_back({ratio, seed + static_cast<std::uint64_t>(k), std::string(line) + "\n      " + f.text});
        plans += ways.size();
        chosen_total += ways[0].seconds;
        best_total += best->seconds;
        unfused_total += ways.size() > 1 ? ways[1].seconds : ways[0].seconds;
        if (all) std::printf("%s\n%s\n%s", f.text.c_str(), ways[0].text.c_str(), best->text.c_str());
        if (all)
            for (const alternative& a : ways)
                std::printf("%llu %10.1f us %2zu kernels  %s\n", static_cast<unsigned long long>(ratios.back().seed),
                            a.seconds * 1e6, a.plan.plan.launches.size(), a.what.c_str());
    }
    std::sort(ratios.begin(), ratios.end(), [](const wrong& a, const wrong& b) { return a.ratio > b.ratio; });
    for (std::size_t k = 0; k < std::min<std::size_t>(20, ratios.size()); ++k)
        std::printf("seed %llu: %s\n", static_cast<unsigned long long>(ratios[k].seed), ratios[k].text.c_str());
    const auto within = [&](double limit) {
        return 100.0 *
               static_cast<double>(
                   std::count_if(ratios.begin(), ratios.end(), [&](const wrong& w) { return w.ratio <= limit; })) /
               static_cast<double>(ratios.size());
    };
    std::printf(
        "%d formulas, %zu plans; the chosen one is within 1.05 of the quickest in %.1f %%, within 1.2 in %.1f %%, within "
        "1.5 in %.1f %%\n",
        formulas, plans, within(1.05), within(1.2), within(1.5));
    std::printf("all together: chosen %.3f s, quickest %.3f s, unfused %.3f s\n", chosen_total, best_total, unfused_total);
}

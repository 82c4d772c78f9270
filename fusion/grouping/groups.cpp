// Which values share a kernel, greedily, the most bytes first (ties in topological order, so that plans repeat):
//   1. a producer joins all of its readers, or is recomputed in each when that is cheap, or is stored, and then still shares
//      a kernel with a reader that wants it at the same index;
//   2. groups over one domain that read a common array become one (one pass over the array);
//   3. what is computed from totals joins the reductions that feed it: once per row, or, where it goes over the same rows
//      again, in another pass of the same kernel.
// Windows of at most 2,048 computed values, cut at statement boundaries, keep all of it linear.
#include "fusion/grouping/groups.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

#include "fusion/grouping/partition.hpp"
#include "fusion/grouping/siblings.hpp"
#include "fusion/schedules/library.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr std::uint32_t window_size = 2048;

std::int64_t bytes_of(const graph& g, value_id v) {
    return g.values[v].extents->size() * static_cast<std::int64_t>(size_of(g.values[v].type));
}

class group_builder {
public:
    group_builder(const graph& g, const target& t, const std::vector<char>& live, const std::vector<char>& output,
                  const std::vector<char>& keep, memory_policy policy, const std::vector<char>& recompute)
        : g_(g), t_(t), policy_(policy), recompute_(recompute), p_(g, t, live, output, keep) {
        p_.set_windows(windows());
    }

    void fuse() {
        std::vector<value_id> order;
        for (value_id v = 0; v < g_.values.size(); ++v)
            if (p_.computed(v) && !p_.consumers(v).empty()) order.push_back(v);
        std::stable_sort(order.begin(), order.end(),
                         [&](value_id a, value_id b) { return bytes_of(g_, a) > bytes_of(g_, b); });
        for (value_id v = 0; v < g_.values.size(); ++v)
            if (p_.computed(v) && is_of_indices(v)) p_.recompute(v);
        join_formulas(true);
        join_formulas(false);
        for (value_id v : order) join_at_own_index(v);
        for (value_id v : order)
            if (!is_reduction(g_.values[v].code)) absorb(v);
        if (policy_ < memory_policy::one_by_one) merge_siblings(p_, cuts_);  // step 2
        for (value_id v : order)
            if (is_reduction(g_.values[v].code)) absorb_total(v);
    }

    grouping result(bool fuse) {
        grouping r;
        r.stored.assign(g_.values.size(), 0);
        for (cut& c : cuts_)  // some refusals are overcome later, by another merge
            if (p_.find(c.producer) != p_.find(c.consumer) && !p_.recomputed(c.producer)) r.cuts.push_back(std::move(c));
        std::map<value_id, std::uint32_t> number;
        for (value_id v = 0; v < g_.values.size(); ++v) {
            if (!p_.computed(v) || p_.recomputed(v)) continue;
            const value_id root = p_.find(v);
            const auto& m = p_.of(v);
            const bool open = std::find(m.open.begin(), m.open.end(), v) != m.open.end();
            const bool reduction = is_reduction(g_.values[v].code);
            if (!open && !reduction) continue;
            if (fuse && is_library(g_.values[v].code)) join_call(v, r.groups, number);
            auto [it, fresh] = number.try_emplace(root, static_cast<std::uint32_t>(r.groups.size()));
            if (fresh) {
                const schedule* const by = choose_schedule(m.summary, t_).by;
                r.groups.push_back({.roots = {},
                                    .domain = m.summary.domain,
                                    .schedule = by ? by->kind : schedule_kind::pointwise,  // null: a library's
                                    .reduced = m.summary.reduced,
                                    .backward = m.summary.backward});
            }
            r.groups[it->second].roots.push_back(v);
            r.stored[v] = open ? 1 : 0;
        }
        sort_groups(r, number);
        r.steps = p_.steps();
        return r;
    }

private:
    /// Results of one call share it: library ops of one description on the same operands, each another result.
    void join_call(value_id v, const std::vector<group>& groups, std::map<value_id, std::uint32_t>& number) {
        const value& x = g_.values[v];
        std::pair call(g_.libraries[x.index].of, std::vector<value_id>(x.in.begin(), x.in.end()));
        const auto known = calls_.find(call);
        if (known == calls_.end()) {
            calls_.emplace(std::move(call), static_cast<std::uint32_t>(groups.size()));
            return;
        }
        const std::vector<value_id>& roots = groups[known->second].roots;
        if (std::all_of(roots.begin(), roots.end(), [&](value_id r) { return share_a_call(g_, r, v); }))
            number.emplace(p_.find(v), known->second);
    }

    void refuse(value_id producer, value_id consumer, std::string reason) {
        cuts_.push_back({producer, consumer, std::move(reason)});
    }

    /// Windows of at most `window_size` computed values, cut before a statement; and before the statement at which one
    /// connected formula would outgrow a kernel: cut there, across all its chains at once, it stores what is alive between
    /// two statements and no more.
    std::vector<std::uint32_t> windows() const {
        constexpr std::uint32_t longest_statement = 128;  // at most 64 ops, with their casts
        std::vector<std::uint32_t> window_of(g_.values.size(), 0);
        formulas connected(g_.values.size());
        std::uint32_t window = 0, filled = 0;
        value_id first = 0;
        for (std::size_t k = 0; k <= g_.statement_starts.size(); ++k) {
            const bool last = k == g_.statement_starts.size();
            const auto end = last ? static_cast<value_id>(g_.values.size()) : g_.statement_starts[k];
            if (end == first) continue;
            const bool fits = join_statement(first, end, window, window_of, connected);
            if (first > 0 && (!fits || filled + longest_statement > window_size)) {
                ++window;
                filled = 0;
                join_statement(first, end, window, window_of, connected);
            }
            for (value_id v = first; v < end; ++v) {
                window_of[v] = window;
                filled += p_.computed(v);
            }
            first = end;
        }
        return window_of;
    }

    /// Connected values as a disjoint-set forest, with what each formula takes of a kernel's limits.
    struct formulas {
        std::vector<value_id> parent;
        std::vector<std::uint64_t> weight;
        std::vector<std::uint32_t> scalars, reductions;
        explicit formulas(std::size_t n) : parent(n), weight(n), scalars(n), reductions(n) {}
        value_id find(value_id v) {
            while (parent[v] != v) v = parent[v] = parent[parent[v]];
            return v;
        }
        value_id join(value_id a, value_id b) {
            a = find(a), b = find(b);
            if (a == b) return a;
            parent[b] = a;
            weight[a] += weight[b];
            scalars[a] += scalars[b];
            reductions[a] += reductions[b];
            return a;
        }
    };

    /// Makes the values [first, end) formulas of their own, then connects them with each other and with those of `window`
    /// that they read. False where one of them would be too much for a kernel, a few arrays reckoned in.
    bool join_statement(value_id first, value_id end, std::uint32_t window, const std::vector<std::uint32_t>& window_of,
                        formulas& connected) const {
        constexpr std::uint32_t few_arrays = 16;
        bool fits = true;
        for (value_id v = first; v < end; ++v) {
            connected.parent[v] = v;
            connected.weight[v] = p_.computed(v) ? p_.of(v).summary.weight : 0;
            connected.scalars[v] = p_.computed(v) ? p_.of(v).summary.scalars : 0;
            connected.reductions[v] = p_.computed(v) ? p_.of(v).summary.reductions : 0;
        }
        for (value_id v = first; v < end; ++v) {
            if (!p_.computed(v)) continue;
            const value& x = g_.values[v];
            for (const value_id operand : x.in) {
                const value_id from = below_views(g_, operand);
                if (!p_.computed(from) || is_library(g_.values[from].code) || (from < first && window_of[from] != window))
                    continue;
                const value_id all = connected.join(v, from);
                group_summary kernel{.domain = x.extents, .loads = few_arrays};
                kernel.weight = connected.weight[all];
                kernel.scalars = connected.scalars[all];
                kernel.reductions = connected.reductions[all];
                fits = fits && !over_reduction_limits(kernel, t_);
            }
        }
        return fits;
    }

    bool in_window(value_id v) const {
        for (value_id c : p_.consumers(v))
            if (p_.window(c) != p_.window(v)) return false;
        return true;
    }

    /// First of all, everything in one loop that is connected at its own index, or row by row, all at once: on the way
    /// there, step by step, a limit may be met (on the arrays touched, say) that the whole does not meet. What is refused is
    /// tried without what crosses totals, then step by step.
    void join_formulas(bool across_totals) {
        formulas connected(g_.values.size());
        std::iota(connected.parent.begin(), connected.parent.end(), value_id{0});
        std::vector<char> reduces(g_.values.size(), 0);  // per formula
        std::vector<row_domain> loop(g_.values.size());
        for (value_id v = 0; v < g_.values.size(); ++v) {
            if (!p_.computed(v)) continue;
            const group_summary& own = p_.of(v).summary;
            loop[v] = {own.domain, own.reduced};
            reduces[v] = own.has_rows();
        }
        for (value_id v = 0; v < g_.values.size(); ++v) {
            if (!p_.computed(v) || p_.kept(v) || p_.recomputed(v)) continue;
            const bool total = is_reduction(g_.values[v].code);
            if (total ? !across_totals : !fuses_upwards(v)) continue;
            for (value_id c : p_.consumers(v)) {
                if (p_.window(c) != p_.window(v) || is_library(g_.values[c].code)) continue;
                const value_id a = connected.find(v), b = connected.find(c);
                if (a == b) continue;
                if (reduces[a] && reduces[b] && loop[a] != loop[b]) continue;
                const row_domain both = reduces[a] ? loop[a] : loop[b];
                if (reduces[a] || reduces[b] ? !across_totals && total : loop[a].domain != loop[b].domain) continue;
                if (!p_.reads_in_row(c, v, both)) continue;
                const bool any = reduces[a] || reduces[b];
                const value_id all = connected.join(a, b);
                loop[all] = both;
                reduces[all] = any;
            }
        }
        std::map<value_id, std::vector<value_id>> members;
        for (value_id v = 0; v < g_.values.size(); ++v)
            if (p_.computed(v) && !p_.recomputed(v)) members[connected.find(v)].push_back(v);
        for (const auto& [root, values] : members)
            if (values.size() > 2) p_.merge(values);
    }

    /// Computed from indices alone, for several readers: in each of them it costs nothing, and that they have it in common
    /// must not be why they share a kernel.
    bool is_of_indices(value_id v) const {
        const auto& own = p_.of(v).summary;
        return p_.consumers(v).size() > 1 && own.loads > 0 && own.loads == own.coords && fuses_upwards(v) && in_window(v) &&
               !p_.must_store(v) && cheap_to_recompute(v);
    }

    /// A value that its readers may share a loop with.
    bool fuses_upwards(value_id v) const {
        const op code = g_.values[v].code;
        return !is_reduction(code) && !is_library(code) && code != op::update && !p_.kept(v);
    }

    /// Before anything is inlined through views: producers whose readers all sit in one loop with them. Inlining is all or
    /// nothing, so it should find its readers already together.
    void join_at_own_index(value_id v) {
        if (!fuses_upwards(v) || !in_window(v) || p_.recomputed(v)) return;
        for (value_id c : p_.consumers(v))
            if (!reads_at_own_index(v, c)) return;
        for (value_id c : p_.consumers(v)) {
            const value_id pair[] = {v, c};
            p_.merge(pair);  // a refusal is reported by absorb
        }
    }

    /// Step 1 for one producer.
    void absorb(value_id v) {
        const auto readers = p_.consumers(v);
        p_.count(1 + readers.size());
        const value& x = g_.values[v];
        if (x.code == op::update) {
            const char* const why =
                is_column_sums(x) ? "sums of all rows are complete after the last one" : "it is updated in place, in memory";
            for (value_id c : readers) refuse(v, c, why);
            return;
        }
        if (p_.recomputed(v)) return;
        std::vector<value_id> all{v};
        all.insert(all.end(), readers.begin(), readers.end());
        std::string reason;
        if (x.stored)
            reason = "an update writes into its memory, or reads it there";
        else if (p_.kept(v))
            reason = "a view over it has no strided access, it must be in memory";
        else if (!in_window(v))
            reason = "the planning window ends here";
        else
            reason = join(v, all);
        if (reason.empty()) return;
        if (!p_.must_store(v) && in_window(v) && cheap_to_recompute(v)) return p_.recompute(v);
        if (is_code_of_numbers(v)) return p_.recompute(v);
        for (value_id c : readers) {
            if (p_.find(c) == p_.find(v)) continue;
            std::string why = p_.must_precede(v, c) ? "the update overwrites what it is computed from" : reason;
            if (p_.window(c) == p_.window(v) && !p_.kept(v) && reads_at_own_index(v, c)) {
                const value_id pair[] = {v, c};
                why = p_.merge(pair);
                if (why.empty()) continue;
            }
            refuse(v, c, why);
        }
    }

    /// c reads v at its own index only, or once per row, in a loop that both can share.
    bool reads_at_own_index(value_id v, value_id c) const {
        row_domain loop;
        const value_id pair[] = {v, c};
        return !p_.recomputed(c) && p_.common_loop(pair, loop).empty() &&
               (p_.reads_in_row(c, v, loop) ||
                (p_.of(v).summary.domain == p_.of(c).summary.domain && p_.reads_in_place(c, v)));
    }

    /// Merges v with all its readers: at the same index, or inlined through their views.
    std::string join(value_id v, const std::vector<value_id>& all) {
        const auto& own = p_.of(v).summary;
        bool same_index = true;
        for (std::size_t k = 1; k < all.size(); ++k) {
            if (p_.recomputed(all[k])) return "a reader of it is recomputed elsewhere";
            same_index = same_index && reads_at_own_index(v, all[k]);
        }
        if (same_index) return p_.merge(all);
        row_domain loop;
        if (const std::string why = p_.common_loop(std::span(all).subspan(1), loop); !why.empty())
            return "its readers do not share a loop: " + why;
        // inlined: v itself must not be wanted in memory, and neither may anything computed with it
        if (p_.must_store(v)) return "it is stored, and read through a view";
        if (own.reductions > 0) return "its kernel holds a reduction";
        if (own.running > 0) return "its kernel holds running values";
        if (p_.of(v).open.size() != 1) return "its kernel stores values of another domain than its reader's";
        for (std::size_t k = 1; k < all.size(); ++k)
            if (p_.find(all[k]) == p_.find(v)) return "it is read at its own index and through a view";
        const auto [copies, extra] = recomputation(v);
        const std::uint64_t work = own.weight + 2 * own.loads - own.coords;  // addressing counts
        const bool free = is_free(work * copies) && !is_done_too_often(v);
        if (counts_work(v) && extra > 0 && !free && !pays_to_recompute(t_.cost, work, extra, bytes_of(g_, v)))
            return "computing it " + std::to_string(evaluations_of_one(v)) + " times costs more than storing it";
        return p_.merge_inlined(all, v, static_cast<std::uint32_t>(copies - 1));
    }

    /// Whether computing v several times must be worth it.
    bool counts_work(value_id v) const { return policy_ == memory_policy::none && (recompute_.empty() || !recompute_[v]); }

    /// How many times v is evaluated per element when inlined, and how many evaluations that adds in all.
    std::pair<std::uint64_t, std::int64_t> recomputation(value_id v) const {
        std::uint64_t copies = 0;
        std::int64_t evaluations = 0;
        std::vector<value_id> seen;
        for (value_id c : p_.consumers(v)) {
            const value_id r = p_.find(c);
            if (std::find(seen.begin(), seen.end(), r) != seen.end()) continue;
            seen.push_back(r);
            const auto reads = p_.reads_of(r, v).size();
            copies += reads;
            evaluations += static_cast<std::int64_t>(reads) * p_.of(r).summary.domain->size();
        }
        return {std::max<std::uint64_t>(copies, 1), std::max<std::int64_t>(0, evaluations - g_.values[v].extents->size())};
    }

    /// How often an element of v is evaluated when inlined, about.
    std::int64_t evaluations_of_one(value_id v) const {
        const std::int64_t size = std::max<std::int64_t>(1, g_.values[v].extents->size());
        return 1 + (recomputation(v).second + size - 1) / size;
    }
    /// Whether so many elements would compute it that it does not hide, though each has little to do.
    bool is_done_too_often(value_id v) const {
        const auto& own = p_.of(v).summary;
        const auto [copies, extra] = recomputation(v);
        return is_too_often(t_.cost, own.weight * copies, evaluations_of_one(v)) &&
               !pays_to_recompute(t_.cost, own.weight + 2 * own.loads - own.coords, extra, bytes_of(g_, v));
    }

    /// To read again instead of a value: an index is no input, and where memory is short, inputs of the graph are there
    /// anyway.
    bool costs_nothing(value_id v) const {
        return g_.values[v].code == op::coord || (policy_ > memory_policy::none && g_.values[v].code == op::leaf);
    }

    bool cheap_to_recompute(value_id v) const {
        const auto& own = p_.of(v);
        if (own.open.size() != 1 || own.summary.has_rows() || own.summary.in_place) return false;
        // reading its inputs again must not cost more than reading it would; an index is no input
        std::int64_t input_bytes = 0;
        for (value_id e : own.externals)
            if (const value_id from = below_views(g_, e); !costs_nothing(from)) input_bytes += bytes_of(g_, from);
        if (input_bytes > bytes_of(g_, v) || (counts_work(v) && is_done_too_often(v))) return false;
        for (value_id c : p_.consumers(v)) {
            if (p_.recomputed(c) || p_.of(c).summary.in_place) return false;
            const auto copies = static_cast<std::uint32_t>(p_.reads_of(c, v).size());
            if (counts_work(v) && !is_free(own.summary.weight * copies)) return false;
            group_summary grown = p_.of(c).summary;
            grown.weight += own.summary.weight * copies;
            grown.loads += own.summary.loads * copies;
            grown.scalars += own.summary.scalars;
            if (!choose_schedule(grown, t_).by) return false;
        }
        return true;
    }

    /// Made of numbers alone, as what a formula of complex numbers makes of a C++ number: there is no element of it, and a
    /// kernel computes it beside its elements, in the interpreter once. Whoever computes it for each element has no more to
    /// do for it than for the elements' own formula.
    bool is_code_of_numbers(value_id v) const {
        const auto& own = p_.of(v);
        if (!own.externals.empty() || own.summary.domain->size() != 1 || own.summary.has_rows() || own.summary.in_place ||
            own.summary.library)
            return false;
        for (const value_id w : own.values)  // a loop is as long as it is
            if (g_.values[w].code == op::iterate || p_.must_store(w)) return false;
        for (const value_id w : own.open)
            if (!in_window(w)) return false;
        for (const value_id r : p_.readers_of_group(v)) {
            group_summary grown = p_.of(r).summary;
            if (p_.recomputed(r) || grown.in_place || own.summary.weight > grown.weight) return false;
            grown.weight += own.summary.weight;
            grown.scalars += own.summary.scalars;
            if (!choose_schedule(grown, t_).by) return false;
        }
        return true;
    }

    /// Step 3: what is computed from totals joins the reductions that feed it, all of them together or the one.
    void absorb_total(value_id total) {
        if (p_.kept(total)) return;
        for (value_id c : p_.consumers(total)) {
            if (p_.find(c) == p_.find(total)) continue;
            if (p_.recomputed(c) || p_.window(c) != p_.window(total)) {
                refuse(total, c, "the planning window ends here");
                continue;
            }
            std::vector<value_id> all{c, total};
            for (value_id e : p_.of(c).externals) {
                const value_id p = below_views(g_, e);
                if (p_.computed(p) && p_.window(p) == p_.window(c) && is_reduction(g_.values[p].code)) all.push_back(p);
            }
            std::string why = p_.merge(all);
            if (!why.empty() && all.size() > 2) why = p_.merge(std::span(all).first(2));
            if (why.empty()) continue;
            const group_summary& own = p_.of(total).summary;
            if (rows_of(*own.domain, own.reduced) == 1 && p_.of(c).summary.domain->size() > 1)
                why = "a total over " + to_string(*own.domain) +
                      " is complete only after the last element; it feeds a loop over " +
                      to_string(*p_.of(c).summary.domain);
            refuse(total, c, why);
        }
    }

    /// Kernels in an order in which everything is written before it is read (ties: the earliest value first).
    void sort_groups(grouping& r, const std::map<value_id, std::uint32_t>& number) {
        const std::size_t n = r.groups.size();
        std::vector<std::vector<std::uint32_t>> after(n);
        std::vector<std::uint32_t> waits(n, 0);
        for (value_id v = 0; v < g_.values.size(); ++v) {
            if (!p_.computed(v)) continue;
            for (value_id c : p_.consumers(v)) {
                if (p_.find(c) == p_.find(v)) continue;
                edges_.clear();
                readers_of_group(c, edges_);
                const auto from = number.find(p_.find(v));
                if (from == number.end() || p_.recomputed(v)) continue;
                for (value_id reader : edges_) {
                    const std::uint32_t to = number.at(p_.find(reader));
                    if (to == from->second) continue;
                    after[from->second].push_back(to);
                    ++waits[to];
                }
            }
        }
        std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
        for (std::uint32_t k = 0; k < n; ++k)
            if (waits[k] == 0) ready.push(k);
        std::vector<group> sorted;
        while (!ready.empty()) {
            const std::uint32_t k = ready.top();
            ready.pop();
            sorted.push_back(std::move(r.groups[k]));
            for (std::uint32_t to : after[k])
                if (--waits[to] == 0) ready.push(to);
        }
        r.groups = std::move(sorted);
        if (policy_ == memory_policy::one_by_one) put_results_one_by_one(r);
    }

    /// The kernels that the first result needs, then those that the second needs besides, and so on; each one as late as
    /// what needs it allows.
    void put_results_one_by_one(grouping& r) const {
        constexpr std::uint32_t none = ~std::uint32_t{0};
        std::vector<std::uint32_t> written_by(g_.values.size(), none);
        for (std::uint32_t k = 0; k < r.groups.size(); ++k)
            for (value_id v : r.groups[k].roots) written_by[v] = k;
        std::vector<char> met(g_.values.size(), 0);
        std::vector<group> sorted;
        struct step {
            value_id v;
            bool complete;  // what its kernel needs has been placed
        };
        std::vector<step> todo;
        const auto visit_operands = [&](value_id v) {
            for (auto e = p_.first_before(v); e != g_.order.end() && e->second == v; ++e) todo.push_back({e->first, false});
            for (int k = g_.values[v].in.size(); k-- > 0;) todo.push_back({g_.values[v].in[k], false});
        };
        for (auto result = g_.outputs.rbegin(); result != g_.outputs.rend(); ++result) todo.push_back({*result, false});
        while (!todo.empty()) {
            const auto [v, complete] = todo.back();
            todo.pop_back();
            if (complete) {
                sorted.push_back(std::move(r.groups[written_by[v]]));
                continue;
            }
            if (std::exchange(met[v], 1)) continue;
            if (written_by[v] == none) {
                visit_operands(v);
                continue;
            }
            const std::vector<value_id>& roots = r.groups[written_by[v]].roots;
            todo.push_back({v, true});
            for (value_id root : roots) met[root] = 1;
            for (value_id root : roots) visit_operands(root);
        }
        r.groups = std::move(sorted);
    }

    /// The emitted readers behind a reader that is itself recomputed.
    void readers_of_group(value_id c, std::vector<value_id>& out) const {
        std::vector<value_id> todo{c};
        while (!todo.empty()) {
            const value_id v = todo.back();
            todo.pop_back();
            if (!p_.recomputed(v)) {
                out.push_back(v);
                continue;
            }
            for (value_id o : p_.of(v).open)
                for (value_id k : p_.consumers(o)) todo.push_back(k);
        }
    }

    const graph& g_;
    const target& t_;
    const memory_policy policy_;
    const std::vector<char>& recompute_;
    partition p_;
    std::vector<cut> cuts_;
    std::vector<value_id> edges_;
    std::map<std::pair<const library_op*, std::vector<value_id>>, std::uint32_t> calls_;  ///< by op and operands: the group
};

/// An operand, or the array in memory of a gather that a call reads there: nobody computes that.
value_id read_by(const graph& g, value_id v, int k) {
    const value_id operand = g.values[v].in[k];
    if (!is_library(g.values[v].code) || k >= arrays_of_call(g, v)) return operand;
    const value& below = g.values[below_views(g, operand)];
    return below.code == op::gather && below.in[0] == operand_in_memory(g, v, k) ? below.in[0] : operand;
}

}  // namespace

grouping form_groups(const graph& g, const target& t, const std::vector<char>& keep, bool fuse, memory_policy policy,
                     const std::vector<char>& recompute) {
    std::vector<char> live(g.values.size(), 0), output(g.values.size(), 0);
    for (value_id v : g.outputs) live[v] = output[v] = 1;
    for (value_id v = static_cast<value_id>(g.values.size()); v-- > 0;)
        if (live[v])
            for (int k = 0; k < g.values[v].in.size(); ++k) live[read_by(g, v, k)] = 1;
    for (value_id v = 0; v < g.values.size(); ++v) {  // what a library reads and writes is in memory
        if (!live[v] || !is_library(g.values[v].code)) continue;
        output[v] = 1;
        for (int k = 0; k < arrays_of_call(g, v); ++k) output[operand_in_memory(g, v, k)] = 1;
    }
    group_builder f(g, t, live, output, keep, policy, recompute);
    if (fuse) f.fuse();
    return f.result(fuse);
}

}  // namespace frit::v0::fusion

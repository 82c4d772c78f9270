// The order of the planner's passes: write out windows, contract, flatten sums, place tallies and updates, read rows once,
// group, lower, count traffic, plan memory. Grouping assumes that every view can be pushed down to memory; where lowering
// finds one that cannot, the value below it is stored and grouping runs again, which is rare and ends, since each round
// stores more. Should storing not help, nothing is fused: a formula is never refused for how it could be fused.
#include "fusion/plan.hpp"

#include <algorithm>
#include <optional>

#include "fusion/ir/alignment.hpp"
#include "fusion/passes/launches.hpp"
#include "fusion/passes/passes.hpp"
#include "fusion/schedules/library.hpp"
#include "fusion/schedules/lower.hpp"

namespace frit::inline v0::fusion {
namespace {

bool external(const graph& g, std::size_t k) { return k < g.output_strides.size() && g.output_strides[k]; }

/// An input in another order than row-major, which a result never has.
bool odd_leaf(const graph& g, value_id v) {
    return g.values[v].code == op::leaf && !g.leaves[g.values[v].index].strides.empty();
}

/// A reshaped result is the same memory under another shape: what is stored is the value below.
void share_reshaped_outputs(graph& g) {
    for (std::size_t k = 0; k < g.outputs.size(); ++k) {
        if (external(g, k)) continue;
        for (value_id& v = g.outputs[k];;) {
            const value& x = g.values[v];
            if (x.code != op::view || repeated_axes(g, v, x.in[0]) != 0u) break;
            const value& below = g.values[x.in[0]];
            if (below.code == op::scalar || below.code == op::coord || odd_leaf(g, x.in[0])) break;
            v = x.in[0];
        }
    }
}

/// What gathers and searches read is in memory.
void keep_gathered(graph& g) {
    for (std::size_t k = 0; k < g.values.size(); ++k)
        if (looks_up(g.values[k].code))
            if (value& from = g.values[g.values[k].in[0]]; from.code != op::leaf) from.stored = true;
}
bool is_gathered(const graph& g, value_id v) {
    return std::any_of(g.values.begin(), g.values.end(), [v](const value& x) { return looks_up(x.code) && x.in[0] == v; });
}

/// What lies in memory already is copied where a caller's memory is to hold it, and where it is an input with strides, which
/// a result has not.
void copy_outputs(graph& g) {
    for (std::size_t k = 0; k < g.outputs.size(); ++k) {
        value_id& v = g.outputs[k];
        const op code = g.values[v].code;
        if (external(g, k) && (code == op::leaf || code == op::update || is_library(code) || is_gathered(g, v)))
            v = g.add_copy(v);
        if (external(g, k) || !odd_leaf(g, v)) continue;
        const value_id leaf = v, copy = g.add_copy(leaf);
        std::replace(g.outputs.begin(), g.outputs.end(), leaf, copy);
    }
}

/// Keeps what reshapes read, on the way from these values down to memory or to what is kept already.
void keep_below_reshapes(const graph& g, std::vector<value_id> stack, std::vector<char>& keep) {
    std::vector<char> seen(g.values.size(), 0);
    while (!stack.empty()) {
        const value_id at = stack.back();
        stack.pop_back();
        const value& x = g.values[at];
        if (seen[at] || x.code == op::leaf || x.code == op::update || is_library(x.code)) continue;
        seen[at] = 1;
        for (const value_id operand : x.in)
            if (!keep[operand]) stack.push_back(operand);
        if (x.code == op::view && g.attributes[x.index]->what == detail::attribute::kind::reshape &&
            g.values[x.in[0]].code != op::leaf)
            keep[x.in[0]] = 1;
    }
}

/// Passes may rewrite two graphs of one structural key differently (an update in place here and not there).
std::uint64_t wiring_of(const graph& g) {
    std::uint64_t h = g.values.size();
    auto mix = [&](std::uint64_t x) {
        h = (h ^ x) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 32;
    };
    for (const value& v : g.values) {
        mix(static_cast<std::uint64_t>(v.code) | std::uint64_t{v.in_place} << 16 | std::uint64_t{v.stored} << 17 |
            static_cast<std::uint64_t>(v.in.size()) << 32);
        for (const value_id x : v.in) mix(x);
        if (is_column_sums(v)) mix(static_cast<std::uint64_t>((*v.extents)[0]));  // an extent that no input has
    }
    for (value_id v : g.outputs) mix(v);
    for (const auto& [first, then] : g.order) mix(std::uint64_t{first} << 32 | then);
    return h;
}

/// A grouping made for a graph of the same structure, over this one's extents.
grouping regrouped(const grouping& known, const graph& g) {
    grouping formed = known;
    formed.cuts.clear();  // their reasons name the other graph's extents
    for (group& gr : formed.groups) {
        auto leading = std::find_if(gr.roots.begin(), gr.roots.end(), [&](value_id v) {
            return is_reduction(g.values[v].code) || is_column_sums(g.values[v]);
        });
        gr.domain = domain_of(g, leading == gr.roots.end() ? gr.roots[0] : *leading);
    }
    return formed;
}

/// The launches of a grouping, as far as there are strides for what they read.
struct lowered_groups {
    struct missing {
        value_id value, reader;  ///< what must be in memory, for which result
    };
    std::vector<launch> launches;  ///< all of them where nothing is missing
    std::vector<missing> unreachable;
    std::vector<value_id> readers;  ///< all results of the groups that miss something
};
lowered_groups lower_groups(const graph& g, const grouping& formed, const std::vector<std::int32_t>& into, const target& t,
                            std::uint64_t& steps) {
    lowered_groups all;
    for (const group& gr : formed.groups) {
        lowered l = is_library(g.values[gr.roots[0]].code) ? lower_library(g, gr, formed.stored)
                                                           : lower(g, gr, formed.stored, into, t);
        steps += l.steps;
        for (value_id v : l.unreachable) all.unreachable.push_back({v, gr.roots[0]});
        if (!l.unreachable.empty()) all.readers.insert(all.readers.end(), gr.roots.begin(), gr.roots.end());
        if (all.unreachable.empty()) all.launches.push_back(std::move(l.out));
    }
    return all;
}

}  // namespace

execution_plan make_plan(graph& g, const target& t, bool fuse, grouping* known, memory_policy policy) {
    write_out_windows(g, t);
    contract(g, t);  // before the others: it reads again what a product was made of
    if (fuse) absorb_epilogues(g, t);
    if (fuse) flatten_sums(g, t);
    if (fuse) place_tallies(g, t);
    share_reshaped_outputs(g);
    place_updates(g, t);
    if (fuse) read_rows_once(g, t);  // of the form that updates have now
    keep_gathered(g);
    copy_outputs(g);
    std::vector<std::int32_t> into(g.values.size(), -1);
    std::vector<char> output(g.values.size(), 0), keep(g.values.size(), 0);
    for (std::size_t k = 0; k < g.outputs.size(); ++k) {
        output[g.outputs[k]] = 1;
        if (external(g, k)) into[g.outputs[k]] = static_cast<std::int32_t>(k);
    }

    execution_plan p;
    p.shapes = g.shapes;
    const std::uint64_t wiring = known ? wiring_of(g) : 0;
    const bool reuse = known && known->stored.size() == g.values.size() && known->wiring == wiring;
    grouping formed;
    if (reuse) formed = regrouped(*known, g);
    constexpr int few = 1;       // a chain of reshapes would fail at one more of them each round
    std::optional<cut> unfused;  // why nothing is fused
    for (int round = 0;; ++round) {
        const bool fresh = round > 0 || !reuse;
        if (fresh) {
            formed = form_groups(g, t, keep, fuse, policy);
            p.steps += formed.steps;
        }
        lowered_groups all = lower_groups(g, formed, into, t, p.steps);
        p.launches = std::move(all.launches);
        if (all.unreachable.empty()) break;
        for (const auto& [v, reader] : all.unreachable) {
            if (!keep[v] && (g.values[v].code != op::leaf || !fresh)) continue;
            if (!fuse) throw error("planner: no strided access even to a value in memory");
            unfused = cut{v, reader, "no kernel reads it there together with the rest; nothing is fused"};
        }
        fuse = fuse && !unfused;
        for (const auto& [v, reader] : all.unreachable) keep[v] = 1;
        if (round >= few) keep_below_reshapes(g, std::move(all.readers), keep);
    }
    for (launch& l : p.launches)
        if (!l.call) count_traffic(l, g);
    if (unfused) formed.cuts.push_back(*unfused);
    p.cuts = formed.cuts;
    plan_memory(p, g, output, into);
    if (known && !reuse) {
        formed.wiring = wiring;
        for (group& gr : formed.groups) gr.domain = nullptr;  // this graph's; the next one has its own
        *known = std::move(formed);
    }
    return p;
}

}  // namespace frit::v0::fusion

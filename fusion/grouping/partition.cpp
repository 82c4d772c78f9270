// Merging, kept near-linear: summaries are combined before anything moves, the larger group absorbs the smaller ones, and
// the search for a forbidden path starts only at values that still have readers outside.
#include "fusion/grouping/partition.hpp"

#include <algorithm>
#include <utility>

namespace frit::inline v0::fusion {
namespace {

std::uint64_t cost_of(op code) {
    if (is_elementwise(code)) return info(code).cost;
    if (is_reduction(code)) return info(reduction(code).combine).cost;
    return code == op::cast ? 1 : 0;
}

}  // namespace

const shape* domain_of(const graph& g, value_id v) {
    const value& x = g.values[v];
    if (is_reduction(x.code)) return g.values[x.in[0]].extents;
    if (x.code == op::update) return intern(g.attributes[x.index]->result);
    return x.extents;
}

value_id below_views(const graph& g, value_id v) {
    while (g.values[v].code == op::view) v = g.values[v].in[0];
    return v;
}

bool is_computed(const graph& g, value_id v, const std::vector<char>& is_output) {
    const op c = g.values[v].code;
    if (is_elementwise(c) || is_reduction(c) || is_library(c) || c == op::cast || c == op::update) return true;
    return is_output[v] && c != op::leaf;  // a view, a scalar or a coordinate that somebody wants in memory
}

partition::partition(const graph& graph_in, const target& t, const std::vector<char>& live,
                     const std::vector<char>& is_output, const std::vector<char>& keep)
    : g(graph_in),
      facts(t),
      output_(is_output),
      keep_(keep),
      computed_(g.values.size()),
      recomputed_(g.values.size()),
      consumer_start_(g.values.size() + 1),
      parent_(g.values.size()),
      visited_(g.values.size()),
      from_(g.values.size()),
      to_(g.values.size()),
      merging_(g.values.size()),
      groups_(g.values.size()) {
    const auto n = static_cast<value_id>(g.values.size());
    keep_.resize(n, 0);
    for (value_id v = 0; v < n; ++v) {
        if (g.values[v].stored) keep_[v] = 1;
        computed_[v] = live[v] && (keep_[v] || is_computed(g, v, is_output)) ? 1 : 0;
        parent_[v] = v;
    }
    auto source = [&](value_id operand) {  // the computed value that an operand reads, if any
        while (g.values[operand].code == op::view && !computed_[operand]) operand = g.values[operand].in[0];
        return operand;
    };
    auto each_source = [&](value_id v, auto&& f) {
        value_id seen[3] = {no_value, no_value, no_value};
        for (int k = 0; k < g.values[v].inputs; ++k) {
            const value_id p = source(g.values[v].in[k]);
            if (!computed_[p] || std::find(seen, seen + k, p) != seen + k) continue;
            seen[k] = p;
            f(p);
        }
    };
    for (value_id v = 0; v < n; ++v)
        if (computed_[v]) each_source(v, [&](value_id p) { ++consumer_start_[p + 1]; });
    for (value_id v = 0; v < n; ++v) consumer_start_[v + 1] += consumer_start_[v];
    consumer_list_.resize(consumer_start_[n]);
    std::vector<std::uint32_t> next(consumer_start_.begin(), consumer_start_.end() - 1);
    for (value_id v = 0; v < n; ++v)
        if (computed_[v]) each_source(v, [&](value_id p) { consumer_list_[next[p]++] = v; });

    for (value_id v = 0; v < n; ++v) {
        if (!computed_[v]) continue;
        members& m = groups_[v];
        const value& x = g.values[v];
        m.values = {v};
        if (must_store(v) || !consumers(v).empty()) m.open = {v};
        m.summary.domain = domain_of(g, v);
        m.summary.weight = cost_of(x.code);
        m.summary.reductions = is_reduction(x.code);
        m.summary.library = is_library(x.code);
        m.summary.in_place = x.code == op::update;
        for (int k = 0; k < x.inputs; ++k) {
            if (g.values[below_views(g, x.in[k])].code == op::scalar)
                ++m.summary.scalars;
            else
                m.externals.push_back(x.in[k]);
        }
        if (x.inputs == 0) ++m.summary.scalars;
        std::sort(m.externals.begin(), m.externals.end());
        m.externals.erase(std::unique(m.externals.begin(), m.externals.end()), m.externals.end());
        m.summary.loads = static_cast<std::uint32_t>(m.externals.size());
        m.summary.stores = static_cast<std::uint32_t>(m.open.size());
    }
}

value_id partition::find(value_id v) const {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
}

std::span<const value_id> partition::consumers(value_id v) const {
    return {consumer_list_.data() + consumer_start_[v], consumer_start_[v + 1] - consumer_start_[v]};
}

bool partition::reads_in_place(value_id consumer, value_id producer) const {
    const value& c = g.values[consumer];
    if (c.code == op::view) return false;
    for (int k = 0; k < c.inputs; ++k) {
        if (c.in[k] == producer && c.code == op::update && k == 0) return false;  // the base is memory, not a value
        if (c.in[k] == producer) continue;
        value_id p = c.in[k];
        while (g.values[p].code == op::view && !computed_[p]) p = g.values[p].in[0];
        if (p == producer) return false;
    }
    return true;
}

std::vector<value_id> partition::reads_of(value_id group_of, value_id producer) const {
    std::vector<value_id> reads;
    for (value_id e : of(group_of).externals) {
        value_id p = e;
        while (g.values[p].code == op::view && !computed_[p]) p = g.values[p].in[0];
        if (p == producer) reads.push_back(e);
    }
    return reads;
}

bool partition::inside(value_id v) const { return merging_[find(v)] == merges_; }

void partition::set_windows(std::vector<std::uint32_t> window_of) {
    window_of_ = std::move(window_of);
    last_merged_.assign(window_of_.empty() ? 0 : window_of_.back() + 1, 0);
}

bool partition::walk(std::span<const value_id> from, std::span<const value_id> to) const {
    ++visit_;
    std::vector<value_id> todo;
    // Later windows never lead back; neither does a single value beyond everything merged so far and beyond the goal.
    const std::uint32_t window = window_of_[from[0]];
    value_id last = last_merged_[window];
    for (value_id r : to)
        for (value_id v :
             groups_[r].values.size() == 1 ? std::span<const value_id>(groups_[r].values) : std::span<const value_id>())
            last = std::max(last, v);
    for (value_id r : from) from_[r] = visit_;
    for (value_id r : to) to_[r] = visit_;
    auto step = [&](value_id group_root, bool first) {
        for (value_id v : groups_[group_root].open)
            for (value_id c : consumers(v)) {
                const value_id r = find(c);
                const bool own = from_[r] == visit_, hit = to_[r] == visit_;
                if (first ? (hit && !own) : hit) return true;
                if (own || visited_[r] == visit_ || window_of_[c] != window || (groups_[r].values.size() == 1 && c > last))
                    continue;
                visited_[r] = visit_;
                todo.push_back(r);
            }
        return false;
    };
    for (value_id r : from)
        if (step(r, true)) return true;
    while (!todo.empty()) {
        const value_id r = todo.back();
        todo.pop_back();
        if (step(r, false)) return true;
    }
    return false;
}

bool partition::has_outside_path(std::span<const value_id> roots) const { return walk(roots, roots); }

bool partition::has_path(value_id from, value_id to) const {
    const value_id a[] = {find(from)}, b[] = {find(to)};
    return walk(a, b);
}

bool partition::epilogue_reads_memory(std::span<const value_id> roots, const members& merged) const {
    std::vector<value_id> all;
    for (value_id r : roots) all.insert(all.end(), groups_[r].values.begin(), groups_[r].values.end());
    std::sort(all.begin(), all.end());
    std::vector<value_id> after;  // values of the epilogue, ascending
    for (value_id v : all) {
        const value& x = g.values[v];
        bool on_totals = false, other = false;
        for (int k = 0; k < x.inputs; ++k) {
            value_id p = x.in[k];
            while (g.values[p].code == op::view && !computed_[p]) p = g.values[p].in[0];
            if (g.values[p].code == op::scalar) continue;
            const bool total = is_reduction(g.values[p].code) && inside(p);
            (total || std::binary_search(after.begin(), after.end(), p) ? on_totals : other) = true;
        }
        // a stored number is written once, at the end, even if it depends on no total
        const bool number = x.extents->rank() == 0 && merged.summary.domain->rank() > 0 && !is_reduction(x.code) &&
                            std::find(merged.open.begin(), merged.open.end(), v) != merged.open.end();
        if ((on_totals || number) && other) return true;
        if (on_totals && is_reduction(x.code)) return true;
        if (on_totals || number) after.push_back(v);
    }
    return false;
}

partition::members partition::combine(std::span<const value_id> roots, const shape* domain) const {
    members m;
    m.summary.domain = domain;
    for (value_id r : roots) {
        const members& part = groups_[r];
        m.summary.weight += part.summary.weight;
        m.summary.scalars += part.summary.scalars;
        m.summary.repeated_loads += part.summary.repeated_loads;
        m.summary.reductions += part.summary.reductions;
        m.summary.library |= part.summary.library;
        m.summary.in_place |= part.summary.in_place;
        for (value_id v : part.open) {
            const auto readers = consumers(v);
            if (must_store(v) || std::any_of(readers.begin(), readers.end(), [&](value_id c) { return !inside(c); }))
                m.open.push_back(v);
        }
        for (value_id e : part.externals) {
            value_id p = e;
            while (g.values[p].code == op::view && !computed_[p]) p = g.values[p].in[0];
            if (computed_[p] && inside(p)) continue;
            m.externals.push_back(e);
        }
    }
    std::sort(m.externals.begin(), m.externals.end());
    m.externals.erase(std::unique(m.externals.begin(), m.externals.end()), m.externals.end());
    m.summary.loads = static_cast<std::uint32_t>(m.externals.size()) + m.summary.repeated_loads;
    m.summary.stores = static_cast<std::uint32_t>(m.open.size());
    if (m.summary.reductions > 0) m.summary.epilogue_reads_memory = epilogue_reads_memory(roots, m);
    return m;
}

std::string partition::blocked_by_read(std::span<const value_id> roots, value_id inlined) const {
    for (value_id r : roots)
        for (value_id v : groups_[r].open) {
            if (v == inlined) continue;
            for (value_id c : consumers(v)) {
                const value_id reader = find(c);
                if (reader == r || merging_[reader] != merges_) continue;
                const group_summary& after = groups_[reader].summary;
                if (is_reduction(g.values[v].code) ? after.domain->rank() != 0 || after.reductions > 0
                                                   : !reads_in_place(c, v))
                    return is_reduction(g.values[v].code) ? "a total between them is complete only after the last element"
                                                          : "a value between them is read through a view";
            }
        }
    return {};
}

std::string partition::merge(std::span<const value_id> of_values, const shape* domain, value_id inlined,
                             std::uint32_t repeats) {
    std::vector<value_id> roots;
    ++merges_;
    for (value_id v : of_values) {
        const value_id r = find(v);
        if (std::exchange(merging_[r], merges_) != merges_) roots.push_back(r);
    }
    if (roots.size() == 1) return {};
    if (has_outside_path(roots)) return "another kernel would have to run in between";
    if (std::string why = blocked_by_read(roots, inlined); !why.empty()) return why;
    members m = combine(roots, domain);
    if (inlined != no_value) {
        const group_summary& again = of(inlined).summary;
        m.summary.weight += again.weight * repeats;
        m.summary.repeated_loads += again.loads * repeats;
        m.summary.loads += again.loads * repeats;
    }
    if (verdict v = judge(m.summary, facts); !v.by) return v.reason;

    const value_id root = *std::max_element(roots.begin(), roots.end(), [&](value_id a, value_id b) {
        return groups_[a].values.size() < groups_[b].values.size();
    });
    m.values = std::move(groups_[root].values);
    for (value_id r : roots) {
        if (r == root) continue;
        m.values.insert(m.values.end(), groups_[r].values.begin(), groups_[r].values.end());
        parent_[r] = root;
        groups_[r] = {};
    }
    value_id& last = last_merged_[window_of_[root]];
    for (value_id v : of_values) last = std::max(last, v);
    groups_[root] = std::move(m);
    return {};
}

void partition::recompute(value_id v) {
    const members& own = of(v);
    for (value_id w : own.values) recomputed_[w] = 1;
    std::vector<value_id> done;
    for (value_id c : consumers(v)) {
        const value_id r = find(c);
        if (std::find(done.begin(), done.end(), r) != done.end()) continue;
        done.push_back(r);
        members& reader = groups_[r];
        const auto views = static_cast<std::uint32_t>(reads_of(r, v).size());
        reader.summary.weight += own.summary.weight * views;
        reader.summary.scalars += own.summary.scalars;
        reader.summary.repeated_loads += own.summary.repeated_loads + own.summary.loads * (views - 1);
        std::erase_if(reader.externals, [&](value_id e) {
            value_id p = e;
            while (g.values[p].code == op::view && !computed_[p]) p = g.values[p].in[0];
            return p == v;
        });
        reader.externals.insert(reader.externals.end(), own.externals.begin(), own.externals.end());
        std::sort(reader.externals.begin(), reader.externals.end());
        reader.externals.erase(std::unique(reader.externals.begin(), reader.externals.end()), reader.externals.end());
        reader.summary.loads = static_cast<std::uint32_t>(reader.externals.size()) + reader.summary.repeated_loads;
    }
}

}  // namespace frit::v0::fusion

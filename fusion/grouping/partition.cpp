// Merging, kept near-linear: summaries are combined before anything moves, the larger group absorbs the smaller ones, and
// the search for a forbidden path starts only at values that still have readers outside.
#include "fusion/grouping/partition.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "fusion/ir/reduction_rule.hpp"
#include "fusion/machine/cost_model.hpp"

namespace frit::inline v0::fusion {
namespace {

std::uint64_t work_of(op code) { return is_reduction(code) ? cost_of_reduction(code) : cost_of(code); }

}  // namespace

/// Whether v is the condition of an update in arithmetic form, of all its axes or of the first (graph.cpp, add_update).
bool is_inside_region(const graph& g, value_id v) {
    while (g.values[v].code == op::bit_and) v = g.values[v].in[0];
    if (g.values[v].code != op::eq) return false;
    const value& range = g.values[g.values[v].in[1]];
    if (range.code != op::view || g.values[range.in[0]].code != op::coord) return false;
    const auto& maps = g.attributes[range.index]->maps;
    return std::any_of(maps.begin(), maps.end(), [](const detail::axis_map& m) { return m.clamped; });
}

bool is_computed(const graph& g, value_id v, const std::vector<char>& is_output) {
    const op c = g.values[v].code;
    if (is_elementwise(c) || is_reduction(c) || is_running(c) || is_library(c) || is_conversion(c) || c == op::update ||
        c == op::index || c == op::iterate || looks_up(c))
        return true;
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
      coordinate_(g.values.size()),
      viewed_(g.values.size()),
      consumer_start_(g.values.size() + 1),
      parent_(g.values.size()),
      visited_(g.values.size()),
      from_(g.values.size()),
      to_(g.values.size()),
      merging_(g.values.size()),
      groups_(g.values.size()),
      version_(g.values.size()),
      repeated_(g.values.size(), -2) {
    const auto n = static_cast<value_id>(g.values.size());
    keep_.resize(n, 0);
    for (value_id v = 0; v < n; ++v) {
        if (g.values[v].stored) keep_[v] = 1;
        computed_[v] = live[v] && (keep_[v] || is_computed(g, v, is_output)) ? 1 : 0;
        parent_[v] = v;
    }
    find_consumers();
    for (value_id v = 0; v < n; ++v)
        if (computed_[v]) make_group(v);
}

void partition::find_consumers() {
    const auto n = static_cast<value_id>(g.values.size());
    auto each_source = [&](value_id v, auto&& f) {
        const operand_list& in = g.values[v].in;
        const auto read_before = [&](value_id p, const value_id* end) {  // each source once
            return std::any_of(in.begin(), end, [&](value_id x) { return source(x) == p; });
        };
        for (const value_id& operand : in) {
            const value_id p = source(operand);
            if (p != operand) viewed_[p] = 1;
            if (computed_[p] && !read_before(p, &operand)) f(p);
        }
        for (auto e = first_before(v); e != g.order.end() && e->second == v; ++e)
            if (computed_[e->first] && !read_before(e->first, in.end())) f(e->first);
    };
    for (value_id v = 0; v < n; ++v)
        if (computed_[v]) each_source(v, [&](value_id p) { ++consumer_start_[p + 1]; });
    for (value_id v = 0; v < n; ++v) consumer_start_[v + 1] += consumer_start_[v];
    consumer_list_.resize(consumer_start_[n]);
    std::vector<std::uint32_t> next(consumer_start_.begin(), consumer_start_.end() - 1);
    for (value_id v = 0; v < n; ++v)
        if (computed_[v]) each_source(v, [&](value_id p) { consumer_list_[next[p]++] = v; });
}

void partition::make_group(value_id v) {
    members& m = groups_[v];
    const value& x = g.values[v];
    m.values = {v};
    if (must_store(v) || !consumers(v).empty()) m.open = {v};
    m.summary.domain = domain_of(g, v);
    if (is_reduction(x.code) || is_running(x.code)) m.summary.reduced = reduced_axes(g, v);
    if (is_column_sums(x)) m.summary.reduced = 2;  // of a matrix
    m.summary.weight = work_of(x.code);
    m.summary.reductions = is_reduction(x.code);
    m.summary.last_elements = x.code == op::last;
    m.summary.running = is_running(x.code);
    m.summary.recurrences = x.code == op::scan_along && g.loops[x.index].loop->operation.empty();
    m.summary.backward = is_running(x.code) && is_backward(g, v);
    m.summary.library = is_library(x.code);
    m.summary.columns = is_column_sums(x);
    m.summary.column_bytes = is_column_sums(x) ? static_cast<std::uint32_t>(size_of(x.type)) : 0;
    m.summary.in_place = has_base(x);
    m.summary.tally = is_tally(x);
    m.summary.region = x.code == op::where && is_inside_region(g, x.in[0]);
    for (const value_id operand : x.in) {
        const op below = g.values[below_views(g, operand)].code;
        coordinate_[operand] = below == op::coord;
        if (below == op::scalar)
            ++m.summary.scalars;
        else
            m.externals.push_back(operand);
    }
    if (x.in.size() == 0) ++m.summary.scalars;
    std::sort(m.externals.begin(), m.externals.end());
    m.externals.erase(std::unique(m.externals.begin(), m.externals.end()), m.externals.end());
    count_loads(m);
    m.summary.stores = static_cast<std::uint32_t>(m.open.size());
}

void partition::count_loads(members& m) const {
    m.summary.loads = static_cast<std::uint32_t>(m.externals.size()) + m.summary.repeated_loads;
    m.summary.coords = count_coords(m.externals);
}

std::uint32_t partition::count_coords(std::span<const value_id> operands) const {
    return static_cast<std::uint32_t>(
        std::count_if(operands.begin(), operands.end(), [&](value_id e) { return coordinate_[e]; }));
}

value_id partition::find(value_id v) const {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
}

std::span<const value_id> partition::consumers(value_id v) const {
    return {consumer_list_.data() + consumer_start_[v], consumer_start_[v + 1] - consumer_start_[v]};
}

value_id partition::source(value_id operand) const {
    while (g.values[operand].code == op::view && !computed_[operand]) operand = g.values[operand].in[0];
    return operand;
}

std::optional<std::uint32_t> partition::repeated(value_id operand) const {
    if (g.values[operand].code != op::view || computed_[operand]) return 0;
    std::int64_t& known = repeated_[operand];
    if (known == -2) {
        const auto axes = repeated_axes(g, operand, source(operand));
        known = axes ? static_cast<std::int64_t>(*axes) : -1;
    }
    if (known < 0) return std::nullopt;
    return static_cast<std::uint32_t>(known);
}

std::vector<std::pair<value_id, value_id>>::const_iterator partition::first_before(value_id update) const {
    return std::lower_bound(g.order.begin(), g.order.end(), update, [](const auto& e, value_id u) { return e.second < u; });
}

bool partition::must_precede(value_id v, value_id update) const {
    return std::binary_search(g.order.begin(), g.order.end(), std::pair(v, update), by_update());
}

bool partition::reads_in_place(value_id consumer, value_id producer) const {
    const value& c = g.values[consumer];
    if (c.code == op::view || g.values[producer].code == op::update || must_precede(producer, consumer)) return false;
    for (int k = 0; k < c.in.size(); ++k) {
        // the base is memory, not a value
        if (c.in[k] == producer && (has_base(c) || looks_up(c.code)) && k == 0) return false;
        if (c.in[k] != producer && source(c.in[k]) == producer) return false;
    }
    return true;
}

bool partition::reads_in_row(value_id consumer, value_id producer, const row_domain& loop) const {
    const value& c = g.values[consumer];
    if (c.code == op::view || has_base(c) || g.values[producer].code == op::update) return false;
    if (looks_up(c.code) && c.in[0] == producer) return false;
    const shape* const at = domain_of(g, consumer);
    const bool one_per_row = is_reduction(g.values[producer].code) || domain_of(g, producer) != loop.domain;
    if (at != loop.domain && !loop.has_rows_of(*at)) return false;
    if (one_per_row && !loop.has_rows_of(*g.values[producer].extents)) return false;
    const std::uint32_t wanted = one_per_row && at == loop.domain ? loop.reduced : 0;
    for (const value_id operand : c.in)
        if (source(operand) == producer && repeated(operand) != wanted) return false;
    return true;
}

std::string partition::common_loop(std::span<const value_id> of, row_domain& loop) const {
    loop = {};
    bool reduces = false, totals = false;
    const auto loops_over = [](const shape* a, const shape* b) {
        return "they loop over " + to_string(*a) + " and " + to_string(*b);
    };
    std::optional<bool> backward;
    for (value_id v : of) {  // reductions and running values say what a row is
        const group_summary& s = groups_[find(v)].summary;
        if (!s.has_rows()) continue;
        if (reduces && s.domain != loop.domain) return loops_over(loop.domain, s.domain);
        if (reduces && s.reduced != loop.reduced) return "they reduce over different axes";
        if (s.running > 0 && backward.value_or(s.backward) != s.backward) return "they run in opposite directions";
        if (s.running > 0) backward = s.backward;
        loop = {s.domain, s.reduced};
        reduces = true;
        totals |= s.reductions > 0 || s.columns > 0;
    }
    if (!reduces) loop.domain = groups_[find(of[0])].summary.domain;
    for (value_id v : of) {
        const group_summary& s = groups_[find(v)].summary;
        if (s.domain == loop.domain) continue;
        // what there is once per row is computed beside totals
        if (!totals || s.in_place || !loop.has_rows_of(*s.domain)) return loops_over(loop.domain, s.domain);
    }
    return {};
}

std::vector<value_id> partition::reads_of(value_id group_of, value_id producer) const {
    std::vector<value_id> reads;
    count(of(group_of).externals.size());
    for (value_id e : of(group_of).externals) {
        if (source(e) == producer) reads.push_back(e);
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
    walked_.clear();
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
            for (value_id c : consumers(v)) {  // in topological order: later windows last
                count(1);
                if (c > last || window_of_[c] != window) break;
                const value_id r = find(c);
                const bool own = from_[r] == visit_, hit = to_[r] == visit_;
                if (first ? (hit && !own) : hit) return true;
                if (own || visited_[r] == visit_) continue;
                visited_[r] = visit_;
                walked_.push_back(r);
            }
        return false;
    };
    for (value_id r : from)
        if (step(r, true)) return true;
    while (!walked_.empty()) {
        const value_id r = walked_.back();
        walked_.pop_back();
        if (step(r, false)) return true;
    }
    return false;
}

bool partition::has_outside_path(std::span<const value_id> roots) const { return walk(roots, roots); }

bool partition::has_path(value_id from, value_id to) const {
    const value_id a[] = {find(from)}, b[] = {find(to)};
    return walk(a, b);
}

void partition::follow_totals(std::span<const value_id> roots, std::span<const value_id> leaving,
                              group_summary& merged) const {
    std::vector<value_id> all;
    for (value_id r : roots) all.insert(all.end(), groups_[r].values.begin(), groups_[r].values.end());
    std::sort(all.begin(), all.end());
    in_row_.resize(g.values.size());
    const shape* const domain = merged.domain;
    count(all.size());
    for (value_id v : all) {
        const value& x = g.values[v];
        in_row k{merges_, 0, x.extents != domain && !is_column_sums(x), false};
        bool reads_elements = false;
        for (const value_id input : x.in) {
            const value_id p = source(input);
            if (const in_row& operand = in_row_[p]; operand.merge == merges_) {
                k.pass = std::max(k.pass, operand.pass);
                (operand.per_row ? k.reads_memory : reads_elements) |= !operand.per_row || operand.reads_memory;
            } else {
                k.reads_memory |= g.values[p].code != op::scalar;
            }
        }
        if (is_reduction(x.code)) {
            merged.passes = std::max(merged.passes, k.pass + 1);
            in_row_[v] = {merges_, k.pass + 1, true, false};
            continue;
        }
        // a domain of one element is a row of one element: what is made of totals alone is the row's
        if (domain->size() == 1) k.per_row = k.pass > 0 && !reads_elements && !k.reads_memory;
        k.reads_memory |= k.per_row && reads_elements;  // elements of other rows, inlined through a view
        in_row_[v] = k;
        const bool stored = std::binary_search(leaving.begin(), leaving.end(), v);
        if (!k.per_row)
            merged.passes = std::max(merged.passes, stored ? k.pass + 1 : 1);
        else if (k.pass > 0 || stored)
            merged.row_reads_memory |= k.reads_memory;
    }
}

std::vector<value_id> partition::given_by(value_id largest, std::span<const value_id> roots) const {
    std::vector<value_id> given;
    for (value_id r : roots) {
        if (r == largest) continue;
        for (value_id e : groups_[r].externals)
            if (const value_id p = source(e); computed_[p] && find(p) == largest) given.push_back(p);
        if (g.order.empty() || !groups_[r].summary.in_place) continue;
        for (value_id u : groups_[r].values)
            for (auto e = first_before(u); e != g.order.end() && e->second == u; ++e)
                if (computed_[e->first] && find(e->first) == largest) given.push_back(e->first);
    }
    std::sort(given.begin(), given.end());
    given.erase(std::unique(given.begin(), given.end()), given.end());
    return given;
}

void partition::find_externals(std::span<const value_id> roots, value_id largest, union_of_groups& u) const {
    const std::vector<value_id>& own = groups_[largest].externals;
    for (value_id r : roots) {
        if (r == largest) continue;
        count(groups_[r].externals.size() + groups_[r].open.size());
        for (value_id e : groups_[r].externals) {
            const value_id p = source(e);
            if (!(computed_[p] && inside(p)) && !std::binary_search(own.begin(), own.end(), e)) u.added.push_back(e);
        }
        for (value_id v : groups_[r].open) {
            if (std::binary_search(own.begin(), own.end(), v)) u.inner.push_back(v);
            if (!viewed_[v]) continue;
            count(own.size());
            std::copy_if(own.begin(), own.end(), std::back_inserter(u.inner),
                         [&](value_id e) { return e != v && source(e) == v; });
        }
    }
    std::sort(u.added.begin(), u.added.end());
    u.added.erase(std::unique(u.added.begin(), u.added.end()), u.added.end());
}

bool partition::read_outside(value_id v) const {
    const auto readers = consumers(v);  // the last is the likeliest to be outside
    return std::any_of(readers.rbegin(), readers.rend(), [&](value_id c) {
        count(1);
        return !inside(c);
    });
}

void partition::find_open(std::span<const value_id> roots, value_id largest, std::span<const value_id> given,
                          union_of_groups& u) const {
    for (value_id v : given)
        if (!must_store(v) && !read_outside(v)) u.closed.push_back(v);
    for (value_id r : roots) {
        if (r == largest) continue;
        for (value_id v : groups_[r].open)
            if (must_store(v) || read_outside(v)) u.opened.push_back(v);
    }
}

std::vector<value_id> partition::leaving(value_id largest, const union_of_groups& u) const {
    std::vector<value_id> open = u.opened;
    std::copy_if(groups_[largest].open.begin(), groups_[largest].open.end(), std::back_inserter(open),
                 [&](value_id v) { return !std::binary_search(u.closed.begin(), u.closed.end(), v); });
    return open;
}

partition::union_of_groups partition::combine(std::span<const value_id> roots, value_id largest,
                                              std::span<const value_id> given, const row_domain& loop) const {
    union_of_groups u;
    group_summary& s = u.summary;
    s.domain = loop.domain;
    s.reduced = loop.reduced;
    for (value_id r : roots) {
        const group_summary& part = groups_[r].summary;
        s.weight += part.weight;
        s.scalars += part.scalars;
        s.repeated_loads += part.repeated_loads;
        s.reductions += part.reductions;
        s.columns += part.columns;
        s.column_bytes = std::max(s.column_bytes, part.column_bytes);
        s.last_elements += part.last_elements;
        s.running += part.running;
        s.recurrences += part.recurrences;
        s.backward |= part.backward;
        s.inlined |= part.inlined;
        s.library |= part.library;
        s.in_place |= part.in_place;
        s.tally |= part.tally;
        s.region |= part.region;
    }
    find_externals(roots, largest, u);
    find_open(roots, largest, given, u);
    const members& own = groups_[largest];
    s.loads = static_cast<std::uint32_t>(own.externals.size() - u.inner.size() + u.added.size()) + s.repeated_loads;
    s.coords = own.summary.coords - count_coords(u.inner) + count_coords(u.added);
    s.stores = static_cast<std::uint32_t>(own.open.size() - u.closed.size() + u.opened.size());
    if (s.reductions > 0 || s.columns > 0) {
        std::vector<value_id> open = leaving(largest, u);
        std::sort(open.begin(), open.end());
        follow_totals(roots, open, s);
    }
    return u;
}

void partition::apply(union_of_groups u, std::span<const value_id> roots, value_id largest) {
    members& own = groups_[largest];
    own.summary = u.summary;
    if (!u.closed.empty() || !u.opened.empty()) own.open = leaving(largest, u);
    if (!u.inner.empty()) {
        std::sort(u.inner.begin(), u.inner.end());
        std::erase_if(own.externals, [&](value_id e) { return std::binary_search(u.inner.begin(), u.inner.end(), e); });
    }
    const auto middle = static_cast<std::ptrdiff_t>(own.externals.size());
    own.externals.insert(own.externals.end(), u.added.begin(), u.added.end());
    if (middle > 0 && !u.added.empty() && own.externals[static_cast<std::size_t>(middle - 1)] > u.added[0])
        std::inplace_merge(own.externals.begin(), own.externals.begin() + middle, own.externals.end());
    value_id& last = last_merged_[window_of_[largest]];
    for (value_id r : roots)
        if (groups_[r].values.size() == 1) last = std::max(last, r);
    for (value_id r : roots) {
        if (r == largest) continue;
        own.values.insert(own.values.end(), groups_[r].values.begin(), groups_[r].values.end());
        parent_[r] = largest;
        groups_[r] = {};
    }
    changed(largest);
}

std::string partition::blocked_by_read(std::span<const value_id> roots, value_id largest, std::span<const value_id> given,
                                       const row_domain& loop, value_id inlined) const {
    for (value_id r : roots)
        for (value_id v : groups_[r].open) {
            if (v == inlined) continue;
            if (r == largest && !is_reduction(g.values[v].code) && !std::binary_search(given.begin(), given.end(), v))
                continue;  // none of the others reads it
            count(consumers(v).size());
            for (value_id c : consumers(v)) {
                const value_id reader = find(c);
                if (reader == r || merging_[reader] != merges_ || reads_in_row(c, v, loop)) continue;
                if (is_reduction(g.values[v].code)) return "a total between them is read along another axis than its own";
                if (!reads_in_place(c, v)) return "a value between them is read through a view";
            }
            // What is made of a total, once per row, and then read at another row.
            if (!is_reduction(g.values[v].code) || g.values[v].extents->size() <= 1) continue;
            std::vector<value_id> per_row(consumers(v).begin(), consumers(v).end());
            for (std::size_t k = 0; k < per_row.size(); ++k) {
                const value_id w = per_row[k];
                const bool one_per_element = domain_of(g, w) == loop.domain && !loop.has_rows_of(*loop.domain);
                if (one_per_element || (merging_[find(w)] != merges_ && !recomputed_[w])) continue;
                for (value_id c : consumers(w)) {
                    if (merging_[find(c)] != merges_ && !recomputed_[c]) continue;
                    if (!reads_in_row(c, w, loop)) return "a total between them is read at another row than its own";
                    if (std::find(per_row.begin(), per_row.end(), c) == per_row.end()) per_row.push_back(c);
                }
            }
        }
    return {};
}

std::vector<value_id> partition::begin_merge(std::span<const value_id> of_values) {
    std::vector<value_id> roots;
    ++merges_;
    for (value_id v : of_values) {
        const value_id r = find(v);
        if (std::exchange(merging_[r], merges_) != merges_) roots.push_back(r);
    }
    return roots;
}

std::string partition::merge(std::span<const value_id> of_values) {
    const std::vector<value_id> roots = begin_merge(of_values);
    if (roots.size() == 1) return {};
    if (roots.size() > 2) return try_merge(roots);
    const std::uint32_t first = version_[roots[0]], second = version_[roots[1]];
    const std::uint64_t pair = std::uint64_t{roots[0]} << 32 | roots[1];
    if (const auto it = refused_.find(pair);
        it != refused_.end() && it->second.first_version == first && it->second.second_version == second)
        return it->second.reason;
    std::string why = try_merge(roots);
    if (!why.empty()) refused_.insert_or_assign(pair, refusal{first, second, why});
    return why;
}

// On the CPU an update of a region that is stored is cut where the region ends, so that no element asks where it is. The
// order of a reduction takes all elements; if it reads nothing else, it saves less than that costs.
bool partition::is_more_expensive_with_its_total(std::span<const value_id> roots) const {
    if (facts.device != target::kind::cpu) return false;
    for (const value_id update : roots) {
        const members& m = groups_[update];
        const auto stays = [this](value_id v) { return must_store(v); };
        if (!m.summary.region || std::none_of(m.open.begin(), m.open.end(), stays)) continue;
        const auto is_of_it = [&](value_id e) { return computed_[source(e)] && find(source(e)) == update; };
        for (const value_id total : roots) {
            const members& t = groups_[total];
            if (t.summary.reductions > 0 && std::all_of(t.externals.begin(), t.externals.end(), is_of_it)) return true;
        }
    }
    return false;
}

std::string partition::try_merge(std::span<const value_id> roots) {
    if (is_more_expensive_with_its_total(roots))
        return "an update of a region is stored, which is cheaper apart from its total";
    row_domain loop;
    if (std::string why = common_loop(roots, loop); !why.empty()) return why;
    return merge_roots(roots, loop, no_value, 0);
}

std::string partition::merge_inlined(std::span<const value_id> of_values, value_id inlined, std::uint32_t repeats) {
    const std::vector<value_id> roots = begin_merge(of_values);
    if (roots.size() == 1) return {};
    const value_id own = find(inlined);
    std::vector<value_id> readers;
    for (value_id r : roots)
        if (r != own) readers.push_back(r);
    row_domain loop;
    if (std::string why = common_loop(readers, loop); !why.empty()) return why;
    return merge_roots(roots, loop, inlined, repeats);
}

// What is computed through a view reads its operands there, those of another group too: no running values among them.
bool partition::reads_running_through_view(std::span<const value_id> roots, value_id inlined) const {
    for (const value_id reader : roots) {
        if (!groups_[reader].summary.inlined && !(inlined != no_value && find(inlined) == reader)) continue;
        const auto is_of_others = [&](value_id e) {
            const value_id p = source(e);
            return computed_[p] && inside(p) && find(p) != reader;
        };
        const auto& reads = groups_[reader].externals;
        if (std::any_of(roots.begin(), roots.end(),
                        [&](value_id r) { return r != reader && groups_[r].summary.running > 0; }) &&
            std::any_of(reads.begin(), reads.end(), is_of_others))
            return true;
    }
    return false;
}

std::string partition::merge_roots(std::span<const value_id> roots, const row_domain& loop, value_id inlined,
                                   std::uint32_t repeats) {
    if (has_outside_path(roots)) return "another kernel would have to run in between";
    if (reads_running_through_view(roots, inlined)) return "running values would be read through a view";
    const value_id largest = *std::max_element(roots.begin(), roots.end(), [&](value_id a, value_id b) {
        return groups_[a].values.size() < groups_[b].values.size();
    });
    const std::vector<value_id> given = given_by(largest, roots);
    if (std::string why = blocked_by_read(roots, largest, given, loop, inlined); !why.empty()) return why;
    union_of_groups u = combine(roots, largest, given, loop);
    if (inlined != no_value) {
        const group_summary& again = of(inlined).summary;
        u.summary.weight += again.weight * repeats;
        u.summary.repeated_loads += again.loads * repeats;
        u.summary.loads += again.loads * repeats;
        u.summary.inlined = true;
    }
    if (schedule_choice v = choose_schedule(u.summary, facts); !v.by) return v.reason;
    apply(std::move(u), roots, largest);
    return {};
}

std::vector<value_id> partition::readers_of_group(value_id v) const {
    std::vector<value_id> readers;
    for (const value_id w : of(v).open)
        for (const value_id c : consumers(w))
            if (const value_id r = find(c); r != find(v) && std::find(readers.begin(), readers.end(), r) == readers.end())
                readers.push_back(r);
    return readers;
}

void partition::recompute(value_id v) {
    const members& own = of(v);
    for (value_id w : own.values) recomputed_[w] = 1;
    for (const value_id r : readers_of_group(v)) {
        members& reader = groups_[r];
        changed(r);
        const auto views = own.externals.empty() ? 1U : static_cast<std::uint32_t>(reads_of(r, v).size());
        reader.summary.weight += own.summary.weight * views;
        reader.summary.scalars += own.summary.scalars;
        reader.summary.repeated_loads += own.summary.repeated_loads + own.summary.loads * (views - 1);
        std::erase_if(reader.externals, [&](value_id e) { return find(source(e)) == find(v); });
        reader.externals.insert(reader.externals.end(), own.externals.begin(), own.externals.end());
        std::sort(reader.externals.begin(), reader.externals.end());
        reader.externals.erase(std::unique(reader.externals.begin(), reader.externals.end()), reader.externals.end());
        count_loads(reader);
    }
}

}  // namespace frit::v0::fusion

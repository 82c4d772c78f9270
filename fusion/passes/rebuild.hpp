// What passes share that make the graph's list anew: new values must stand where their operands come before them and their
// readers behind, and all that names values by their numbers follows.
#pragma once

#include <algorithm>
#include <vector>

#include "fusion/ir/graph.hpp"

namespace frit::inline v0::fusion {

/// Of what graph::take_values gave: calls put(v, x) for each value in order, x being old[v] over operands of the new list,
/// which adds what stands for it there. `now` has the new numbers by the old ones, as far as they are known.
template <class Put>
void rebuild(graph& g, const std::vector<value>& old, std::vector<value_id>& now, Put put) {
    now.resize(old.size());
    auto start = g.statement_starts.begin();
    for (value_id v = 0; v < old.size(); ++v) {
        for (; start != g.statement_starts.end() && *start == v; ++start) *start = static_cast<value_id>(g.values.size());
        value x = old[v];
        for (value_id& operand : x.in) operand = now[operand];
        now[v] = put(v, std::move(x));
    }
    for (; start != g.statement_starts.end(); ++start) *start = static_cast<value_id>(g.values.size());
    for (value_id& v : g.outputs) v = now[v];
    for (auto& [first, then] : g.order) first = now[first], then = now[then];
    std::sort(g.order.begin(), g.order.end(), by_update());
}

}  // namespace frit::v0::fusion

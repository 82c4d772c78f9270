// u(s) = v without a copy: an update may write into the memory of its base when the base is an evaluated array that dies
// here, when nothing else in the plan reads it, and when the new values read it only at the elements they replace.
// Otherwise the update is plain arithmetic over the base's domain, which fuses with everything around it.
#include <algorithm>

#include "fusion/passes/passes.hpp"

namespace frit::inline v0::fusion {
namespace {

bool same_elements(const detail::attribute& a, const detail::attribute& b) {
    auto equal = [](const detail::axis_map& x, const detail::axis_map& y) {
        return x.axis == y.axis && x.offset == y.offset && (x.axis < 0 || x.step == y.step) && !x.clamped && !y.clamped;
    };
    return a.result == b.result && std::equal(a.maps.begin(), a.maps.end(), b.maps.begin(), b.maps.end(), equal);
}

/// Counts, for every value, the operands of live values that name it, with updates in their in-place form.
std::vector<std::uint32_t> count_uses(const graph& g, std::vector<char>& live) {
    std::vector<std::uint32_t> uses(g.values.size(), 0);
    live.assign(g.values.size(), 0);
    for (value_id v : g.outputs) live[v] = 1, ++uses[v];
    for (value_id v = static_cast<value_id>(g.values.size()); v-- > 0;) {
        if (!live[v]) continue;
        const value& x = g.values[v];
        for (int k = 0; k < (x.code == op::update ? 2 : x.inputs); ++k) {
            live[x.in[k]] = 1;
            ++uses[x.in[k]];
        }
    }
    return uses;
}

bool may_write_base(const graph& g, value_id u, const std::vector<std::uint32_t>& uses) {
    const value_id base = g.values[u].in[0];
    const leaf_info& memory = g.leaves[g.values[base].index];
    if (!memory.donatable) return false;
    for (const value& other : g.values)
        if (other.code == op::leaf && &other != &g.values[base] && g.leaves[other.index].buffer == memory.buffer)
            return false;

    const detail::attribute& region = *g.attributes[g.values[u].index];
    std::uint32_t seen = 1;  // the update's own operand
    std::vector<value_id> todo{g.values[u].in[1]}, walked;
    std::vector<std::uint32_t> met(g.values.size(), 0);
    met[g.values[u].in[1]] = 1;
    while (!todo.empty()) {
        const value_id v = todo.back();
        todo.pop_back();
        walked.push_back(v);
        const value& x = g.values[v];
        if (x.code == op::view && x.in[0] == base) {
            if (!same_elements(*g.attributes[x.index], region)) return false;
            ++seen;
            continue;
        }
        if (!is_elementwise(x.code) && x.code != op::cast) continue;  // not the base: its uses are counted below
        for (int k = 0; k < x.inputs; ++k) {
            if (x.in[k] == base) return false;  // the whole base, broadcast against the region: other elements
            if (met[x.in[k]]++ == 0) todo.push_back(x.in[k]);
        }
    }
    if (seen != uses[base]) return false;
    // Whoever else uses one of these values might read the base after it was overwritten.
    return std::all_of(walked.begin(), walked.end(), [&](value_id v) {
        const op c = g.values[v].code;
        return c == op::leaf || c == op::scalar || c == op::coord || met[v] == uses[v];
    });
}

}  // namespace

void place_updates(graph& g) {
    if (std::none_of(g.values.begin(), g.values.end(), [](const value& v) { return v.code == op::update && v.inputs == 3; }))
        return;
    std::vector<char> live;
    std::vector<std::uint32_t> uses = count_uses(g, live);
    std::vector<value_id> forward(g.values.size());
    for (value_id v = 0; v < g.values.size(); ++v) {
        value& x = g.values[v];
        forward[v] = v;
        for (int k = 0; k < x.inputs; ++k) x.in[k] = forward[x.in[k]];
        if (x.code != op::update || x.inputs != 3) continue;
        if (live[v] && may_write_base(g, v, uses)) {
            x.in_place = true;
            x.inputs = 2;
        } else {
            forward[v] = x.in[2];
            if (g.values[x.in[2]].code == op::leaf)
                uses[x.in[2]] += uses[v];  // an update of nothing: its readers read the base
        }
    }
    for (value_id& v : g.outputs) v = forward[v];
}

}  // namespace frit::v0::fusion

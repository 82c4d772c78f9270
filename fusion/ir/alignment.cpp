// The strides that a row-major array would have below an operand's views say how the operand reads it.
#include "fusion/ir/alignment.hpp"

#include <algorithm>

namespace frit::inline v0::fusion {

const shape* domain_of(const graph& g, value_id v) {
    const value& x = g.values[v];
    if (is_reduction(x.code)) return g.values[x.in[0]].extents;
    if (x.code == op::update) return g.intern(g.attributes[x.index]->result);
    return x.extents;
}

value_id below_views(const graph& g, value_id v) {
    while (g.values[v].code == op::view) v = g.values[v].in[0];
    return v;
}

std::optional<std::uint32_t> repeated_axes(const graph& g, value_id operand, value_id below) {
    view_path path;
    for (value_id v = operand; v != below; v = g.values[v].in[0]) path.push_back(g.attributes[g.values[v].index]);
    if (path.empty()) return 0;
    strided base;
    for (std::int64_t s : row_major(g.extents(below))) base.axes.push_back({.stride = s});
    const auto at = resolve(std::move(base), g.extents(below), path);
    if (!at || at->offset != 0) return std::nullopt;
    const shape& extents = g.extents(operand);
    std::uint32_t repeated = 0;
    std::int64_t expected = 1;
    for (int k = extents.rank(); k-- > 0;) {
        const axis_term& t = at->axes[static_cast<std::size_t>(k)];
        if (t.clamped) return std::nullopt;
        if (extents[k] == 1) continue;
        if (t.stride == 0) {
            repeated |= std::uint32_t{1} << k;
            continue;
        }
        if (t.stride != expected) return std::nullopt;
        expected *= extents[k];
    }
    if (expected != g.extents(below).size()) return std::nullopt;
    return repeated;
}

bool row_domain::has_rows_of(const shape& s) const {
    int at = 0;
    for (int k = 0; k < domain->rank(); ++k) {
        if ((*domain)[k] == 1 || reduced >> k & 1) continue;
        while (at < s.rank() && s[at] == 1) ++at;
        if (at == s.rank() || s[at++] != (*domain)[k]) return false;
    }
    while (at < s.rank() && s[at] == 1) ++at;
    return at == s.rank();
}

bool is_backward(const graph& g, value_id running) {
    const auto& maps = g.row_of(running).maps;
    return std::any_of(maps.begin(), maps.end(), [](const detail::axis_map& m) { return m.axis < 0 && m.step < 0; });
}

std::uint32_t reduced_axes(const graph& g, value_id v) {
    const detail::attribute& a = g.row_of(v);
    std::uint32_t axes = 0;
    for (int k = 0; k < a.source.rank(); ++k)
        if (a.maps[static_cast<std::size_t>(k)].axis < 0 && a.source[k] != 1) axes |= std::uint32_t{1} << k;
    return axes;
}

bool rows_lie_across(const shape& domain, std::uint32_t reduced) {
    for (int k = domain.rank(); k-- > 0;)
        if (domain[k] != 1) return !(reduced >> k & 1);
    return false;
}

std::int64_t rows_of(const shape& domain, std::uint32_t reduced) {
    std::int64_t n = 1;
    for (int k = 0; k < domain.rank(); ++k)
        if (!(reduced >> k & 1)) n *= domain[k];
    return n;
}

std::int64_t row_length_of(const shape& domain, std::uint32_t reduced) {
    std::int64_t n = 1;
    for (int k = 0; k < domain.rank(); ++k)
        if (reduced >> k & 1) n *= domain[k];
    return n;
}

strided layout_of(const graph& g, value_id v) {
    const value& x = g.values[v];
    std::vector<std::int64_t> strides = row_major(*x.extents);
    if (x.code == op::leaf && !g.leaves[x.index].strides.empty()) strides = g.leaves[x.index].strides;
    strided s;
    if (x.code == op::leaf) s.offset = g.leaves[x.index].offset;
    for (std::int64_t k : strides) s.axes.push_back({.stride = k});
    return s;
}

strided layout_of(const graph& g, value_id v, const std::vector<std::int32_t>& external) {
    strided s = layout_of(g, v);
    if (external[v] < 0) return s;
    const std::vector<std::int64_t>& strides = *g.output_strides[static_cast<std::size_t>(external[v])];
    for (std::size_t k = 0; k < strides.size(); ++k) s.axes[k].stride = strides[k];
    return s;
}

}  // namespace frit::v0::fusion

// The strides that a row-major array would have below an operand's views say how the operand reads it.
#include "fusion/grouping/alignment.hpp"

#include "fusion/ir/access_map.hpp"

namespace frit::inline v0::fusion {

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

std::uint32_t reduced_axes(const graph& g, value_id reduction) {
    const detail::attribute& a = *g.attributes[g.values[reduction].index];
    std::uint32_t axes = 0;
    for (int k = 0; k < a.source.rank(); ++k)
        if (a.maps[static_cast<std::size_t>(k)].axis < 0 && a.source[k] != 1) axes |= std::uint32_t{1} << k;
    return axes;
}

}  // namespace frit::v0::fusion

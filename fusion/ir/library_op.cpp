// How operands of a library lie, and the layout that every library reads.
#include "fusion/ir/library_op.hpp"

#include <algorithm>

#include "fusion/ir/alignment.hpp"

namespace frit::inline v0::fusion {

value_id memory_below(const graph& g, const library_op& of, value_id operand) {
    const value_id below = below_views(g, operand);
    const bool are_frames = of.reads_frames && g.values[below].code == op::gather && elements_of_gather(g, below);
    return are_frames ? g.values[below].in[0] : below;
}

std::optional<strided> access_of(const graph& g, value_id operand, value_id memory) {
    path_table paths;
    std::uint32_t path = 0;
    value_id v = operand;
    for (; v != memory && g.values[v].code != op::gather; v = g.values[v].in[0])
        path = paths.append(path, g.attributes[g.values[v].index]);
    strided base = layout_of(g, memory);
    if (v != memory) {
        strided elements = *elements_of_gather(g, v);
        elements.offset += base.offset;
        base = std::move(elements);
    }
    auto at = paths.resolve(std::move(base), g.extents(v), path);
    if (!at || std::any_of(at->axes.begin(), at->axes.end(), [](const axis_term& t) { return t.clamped; })) return {};
    at->axes.resize(static_cast<std::size_t>(g.extents(operand).rank()));
    return at;
}

std::optional<std::vector<std::int64_t>> reads_row_major(int /*k*/, const shape& extents, const strided& at) {
    std::vector<std::int64_t> dense = row_major(extents);
    for (int k = 0; k < extents.rank(); ++k)
        if (extents[k] > 1 && at.axes[static_cast<std::size_t>(k)].stride != dense[static_cast<std::size_t>(k)]) return {};
    return dense;
}

std::optional<std::vector<std::int64_t>> reads_one_row(const shape& extents, const strided& at) {
    const auto last = static_cast<std::size_t>(extents.rank() - 1);
    std::vector<std::int64_t> row(last + 1, 0);
    row[last] = 1;
    for (std::size_t axis = 0; axis <= last; ++axis)
        if (extents[static_cast<int>(axis)] > 1 && at.axes[axis].stride != row[axis]) return {};
    return row;
}

}  // namespace frit::v0::fusion

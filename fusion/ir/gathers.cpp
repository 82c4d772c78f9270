// A gather as the planner sees it: memory, and the number of an element in it, which is arithmetic of int64 like any other.
// So indices and what computes them fuse with it, views of its result go on into them, and views of what it reads vanish
// into the factors of the sum. Engines know no more of it than a load at a computed address.
#include <array>

#include "fusion/ir/alignment.hpp"
#include "fusion/ir/graph.hpp"

namespace frit::inline v0::fusion {
namespace {

/// Where the elements of a value lie, over its own axes, and in whose memory: that below its views where strides lead there.
struct placed {
    value_id memory;
    std::int64_t offset;  ///< of its first element from the memory's first
    std::vector<axis_term> axes;
};
placed in_memory(const graph& g, value_id v) {
    view_path path;
    value_id below = v;
    for (; g.values[below].code == op::view; below = g.values[below].in[0])
        path.push_back(g.attributes[g.values[below].index]);
    if (g.values[below].code != op::scalar && g.values[below].code != op::coord) {
        strided base = layout_of(g, below);
        base.offset = 0;
        if (auto at = resolve(std::move(base), g.extents(below), path)) {
            at->axes.resize(static_cast<std::size_t>(g.extents(v).rank()));
            bool clamped = false;
            for (const axis_term& t : at->axes) clamped = clamped || t.clamped;
            if (!clamped) return {below, at->offset, std::move(at->axes)};
        }
    }
    placed own{v, 0, {}};
    for (const std::int64_t s : row_major(g.extents(v))) own.axes.push_back({.stride = s});
    return own;
}

/// offset + stride * (the index along one axis of `domain`).
value_id add_steps(graph& g, const shape& domain, int axis, std::int64_t stride, std::int64_t offset) {
    auto* line = new detail::attribute;
    const detail::attribute_ref line_ref(line);
    line->what = detail::attribute::kind::coord;
    line->source = line->result = shape{domain[axis]};
    line->maps = {{.axis = 0, .step = 1}};
    auto* spread = new detail::attribute;
    const detail::attribute_ref spread_ref(spread);
    spread->source = line->result;
    spread->result = domain;
    spread->maps = {{.axis = axis, .offset = offset, .step = stride}};
    return g.add_view(g.add_coord(dtype::i64, line_ref), spread_ref);
}

}  // namespace

value_id graph::add_gather(value_id base, std::span<const value_id> indices, const detail::attribute& gather) {
    const shape* const domain = intern(gather.result);
    const placed from = in_memory(*this, base);
    std::int64_t constant = from.offset;
    std::vector<value_id> terms;
    struct step {
        int axis;
        std::int64_t stride;
    };
    std::vector<step> steps;
    for (std::size_t k = 0; k < gather.maps.size(); ++k) {
        const detail::axis_map& m = gather.maps[k];
        const std::int64_t stride = from.axes[k].stride;
        constant += stride * m.offset;
        if (m.axis >= 0 && gather.result[m.axis] != 1) steps.push_back({m.axis, stride * m.step});
        if (m.axis >= -1) continue;
        const value_id place = add_cast(indices[static_cast<std::size_t>(detail::index_axis(m.axis))], dtype::i64);
        const value_id extent = add_whole_constant(extents(base)[static_cast<int>(k)]);
        const value_id index = insert({.code = op::index,
                                       .type = dtype::i64,
                                       .extents = domain,
                                       .in = {broadcast(place, domain), broadcast(extent, domain)}});
        terms.push_back(stride == 1 ? index : add_op(op::mul, std::array{index, add_whole_constant(stride)}));
    }
    for (const step& s : steps) terms.push_back(add_steps(*this, gather.result, s.axis, s.stride, std::exchange(constant, 0)));
    if (constant != 0) terms.push_back(broadcast(add_whole_constant(constant), domain));
    value_id element = terms[0];
    for (std::size_t k = 1; k < terms.size(); ++k) element = add_op(op::add, std::array{element, terms[k]});
    return insert({.code = op::gather, .type = values[from.memory].type, .extents = domain, .in = {from.memory, element}});
}

}  // namespace frit::v0::fusion

// Gathers and scatters as the planner sees them: memory, and the number of an element in it, which is arithmetic of int64
// like any other. So indices and what computes them fuse with it, views of a gather's result go on into them, and views of
// what it reads vanish into the factors of the sum. Engines know no more of a gather than a load at a computed address, and
// a scatter's library no more than where each value goes. A search reads memory likewise.
#include "fusion/ir/gathers.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "fusion/ir/alignment.hpp"
#include "fusion/ir/graph.hpp"
#include "fusion/ir/library_op.hpp"

namespace frit::inline v0::fusion {
namespace {

/// Where the elements of a value lie, over its own axes, in some value's memory.
struct placed {
    value_id memory;
    std::int64_t offset;  ///< of its first element from the memory's first
    std::vector<axis_term> axes;
};
placed in_own_memory(const graph& g, value_id v) {
    placed own{v, 0, {}};
    for (const std::int64_t s : row_major(g.extents(v))) own.axes.push_back({.stride = s});
    return own;
}
/// In the memory below its views, where strides lead there.
placed in_memory(const graph& g, value_id v) {
    view_path path;
    value_id below = v;
    for (; g.values[below].code == op::view; below = g.values[below].in[0])
        path.push_back(g.attributes[g.values[below].index]);
    if (g.values[below].code == op::scalar || g.values[below].code == op::coord) return in_own_memory(g, v);
    strided base = layout_of(g, below);
    base.offset = 0;
    auto at = resolve(std::move(base), g.extents(below), path);
    if (!at || std::any_of(at->axes.begin(), at->axes.end(), [](const axis_term& t) { return t.clamped; }))
        return in_own_memory(g, v);
    at->axes.resize(static_cast<std::size_t>(g.extents(v).rank()));
    return {below, at->offset, std::move(at->axes)};
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

/// An index as engines check it. What int64 does not hold becomes its largest number, which no axis has, and not a negative
/// one, which many have.
value_id as_int64(graph& g, value_id index) {
    if (g.values[index].type == dtype::u64) {
        const value_id most = g.add_cast(g.add_whole_constant(INT64_MAX), dtype::u64);
        index = g.add_op(op::minimum, std::array{index, most});
    }
    return g.add_cast(index, dtype::i64);
}

/// The number of the element for each element of the result of `where`, over an array of this shape.
value_id add_elements(graph& g, const shape& of, const placed& at, std::span<const value_id> indices,
                      const detail::attribute& where) {
    const shape* const domain = g.intern(where.result);
    std::int64_t constant = at.offset;
    std::vector<value_id> terms;
    std::vector<std::pair<int, std::int64_t>> steps;  // axis and stride
    for (std::size_t k = 0; k < where.maps.size(); ++k) {
        const detail::axis_map& m = where.maps[k];
        const std::int64_t stride = at.axes[k].stride;
        constant += stride * m.offset;
        if (m.axis >= 0 && where.result[m.axis] != 1) steps.emplace_back(m.axis, stride * m.step);
        if (m.axis >= -1) continue;
        const value_id given = indices[static_cast<std::size_t>(detail::index_axis(m.axis))];
        const value_id index = add_checked_index(g, given, of[static_cast<int>(k)], domain);
        terms.push_back(stride == 1 ? index : g.add_op(op::mul, std::array{index, g.add_whole_constant(stride)}));
    }
    for (const auto& [axis, stride] : steps)
        terms.push_back(add_steps(g, where.result, axis, stride, std::exchange(constant, 0)));
    if (constant != 0) terms.push_back(g.broadcast(g.add_whole_constant(constant), domain));
    value_id element = terms[0];
    for (std::size_t k = 1; k < terms.size(); ++k) element = g.add_op(op::add, std::array{element, terms[k]});
    return element;
}

/// A value without elements. It has no index either: one that is the same for all elements would be computed once for a row,
/// also for one without elements, and found wrong where the array has none.
value_id nothing(graph& g, dtype type, const shape& extents) {
    const dtype part = real_dtype(type);
    value_id zero = g.add_cast(is_float(part) ? g.add_constant(dtype::f32, 0) : g.add_whole_constant(0), part);
    if (is_complex(type)) zero = g.add_op(op::complex, std::array{zero, zero});
    return g.broadcast(zero, g.intern(extents));
}

}  // namespace

value_id add_checked_index(graph& g, value_id indices, std::int64_t extent, const shape* domain) {
    const value_id place = as_int64(g, indices), bound = g.add_whole_constant(extent);
    return g.add_raw(op::index, dtype::i64, std::array{g.broadcast(place, domain), g.broadcast(bound, domain)});
}

value_id graph::add_gather(value_id base, std::span<const value_id> indices, const detail::attribute& where) {
    if (where.result.size() == 0) return nothing(*this, values[base].type, where.result);
    const placed from = in_memory(*this, base);
    const value_id element = add_elements(*this, extents(base), from, indices, where);
    return insert({.code = op::gather,
                   .type = values[from.memory].type,
                   .extents = intern(where.result),
                   .in = {from.memory, element}});
}

value_id graph::add_search(op code, value_id sorted, value_id x) {
    const auto type_of = [this](value_id v) { return values[v].type; };
    dtype both = promote(type_of(sorted), type_of(x));
    if (both == dtype::bool_) both = dtype::u8;
    sorted = add_cast(sorted, both);
    x = add_cast(x, both);
    sorted = dense(sorted);
    const shape* const domain = values[x].extents;
    const value_id count = broadcast(add_whole_constant(extents(sorted).size()), domain);
    return insert({.code = code, .type = dtype::i64, .extents = domain, .in = {sorted, x, count}});
}

value_id graph::add_scatter(op code, const library_op& of, value_id base, std::span<const value_id> indices, value_id put,
                            const detail::attribute& where) {
    if (where.result.size() == 0) return base;
    base = dense(base);
    value_id element = indices[0];
    if (!of.checks_indices) {
        element = add_elements(*this, extents(base), in_own_memory(*this, base), indices, where);
        if (extents(base).size() < (std::int64_t{1} << 31)) element = add_cast(element, dtype::i32);  // half the bytes
    }
    value v{.code = code, .type = values[base].type, .extents = values[base].extents, .in = {base, element, put}};
    v.index = add_result({&of, library(code).result});
    return insert(v);
}

}  // namespace frit::v0::fusion

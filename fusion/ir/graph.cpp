// Building the SSA list: promotion, casts and broadcasts are made explicit here, once, by the op table's rules, and equal
// values are found by hashing, so that no later pass has to think of either.
#include "fusion/ir/graph.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "fusion/ir/access_map.hpp"
#include "fusion/ir/kernel_spec.hpp"
#include "fusion/ir/library_op.hpp"

namespace frit::inline v0::fusion {
namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15ull;
    return h ^ (h >> 32);
}

bool same_map(const detail::axis_map& a, const detail::axis_map& b) {
    return a.axis == b.axis && a.offset == b.offset && a.step == b.step && a.clamped == b.clamped &&
           (!a.clamped || (a.lo == b.lo && a.hi == b.hi));
}

/// The first axis of the source that moves with the same axis of the result as axis k does: k itself but on a diagonal.
int first_alike(const detail::attribute& a, int k) {
    const int axis = a.maps[static_cast<std::size_t>(k)].axis;
    if (axis < 0) return k;
    int first = 0;
    while (a.maps[static_cast<std::size_t>(first)].axis != axis) ++first;
    return first;
}

}  // namespace

bool same(const detail::attribute& a, const detail::attribute& b) {
    return a.what == b.what && a.source == b.source && a.result == b.result &&
           std::equal(a.maps.begin(), a.maps.end(), b.maps.begin(), b.maps.end(), same_map);
}

std::uint64_t hash_of(const detail::attribute& a) {
    std::uint64_t h = mix(static_cast<std::uint64_t>(a.what), static_cast<std::uint64_t>(a.source.rank()));
    for (std::int64_t e : a.source) h = mix(h, static_cast<std::uint64_t>(e));
    for (std::int64_t e : a.result) h = mix(h, static_cast<std::uint64_t>(e));
    for (const auto& m : a.maps) {
        h = mix(h, static_cast<std::uint64_t>(m.axis));
        h = mix(h, static_cast<std::uint64_t>(m.offset));
        h = mix(h, static_cast<std::uint64_t>(m.step));
        if (m.clamped) h = mix(h, static_cast<std::uint64_t>(m.lo * 31 + m.hi));
    }
    return h;
}

std::size_t graph::find_slot(const value& v) const {
    std::uint64_t h = mix(static_cast<std::uint64_t>(v.code) << 8 | static_cast<std::uint64_t>(v.type), v.index);
    h = mix(h, reinterpret_cast<std::uintptr_t>(v.extents));
    for (const value_id x : v.in) h = mix(h, x);
    std::size_t slot = h & (known_.size() - 1);
    while (known_[slot] != no_value && values[known_[slot]] != v) slot = (slot + 1) & (known_.size() - 1);
    return slot;
}

bool graph::is_parameter(value_id k) const {
    const value& x = values[values[k].code == op::view ? values[k].in[0] : k];
    return x.code == op::scalar && x.index < constant_scalar;
}

value_id graph::insert(const value& v) {
    // every scalar is a parameter of its own, so what is computed with one is new
    for (const value_id k : v.in) {
        if (!is_parameter(k)) continue;
        values.push_back(v);
        return static_cast<value_id>(values.size() - 1);
    }
    if (known_count_ * 2 >= known_.size()) {
        const std::vector<value_id> old = std::move(known_);
        known_.assign(std::max<std::size_t>(64, old.size() * 4), no_value);
        for (value_id k : old)
            if (k != no_value) known_[find_slot(values[k])] = k;
    }
    value_id& place = known_[find_slot(v)];
    if (place == no_value) {
        place = static_cast<value_id>(values.size());
        values.push_back(v);
        ++known_count_;
    }
    return place;
}

std::uint32_t graph::add_attribute(const detail::attribute_ref& a) {
    auto& bucket = known_attributes_[hash_of(*a)];
    for (std::uint32_t k : bucket)
        if (same(*attributes[k], *a)) return k;
    bucket.push_back(static_cast<std::uint32_t>(attributes.size()));
    attributes.push_back(a);
    return bucket.back();
}

value_id graph::add_leaf(dtype type, const shape& extents, leaf_info info) {
    value v{.code = op::leaf, .type = type, .index = static_cast<std::uint32_t>(leaves.size()), .extents = intern(extents)};
    leaves.push_back(std::move(info));
    values.push_back(v);  // leaves are told apart by their node, which the caller has already looked up
    return static_cast<value_id>(values.size() - 1);
}

value_id graph::add_scalar(dtype type) {
    values.push_back({.code = op::scalar, .type = type, .index = scalars++, .extents = intern(shape{})});
    return static_cast<value_id>(values.size() - 1);
}

value_id graph::add_constant(dtype type, double number) {
    return constant_of(type, type == dtype::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(number))
                                                : std::bit_cast<std::uint64_t>(number));
}

value_id graph::add_whole_constant(std::int64_t number) {
    return constant_of(dtype::i64, static_cast<std::uint64_t>(number));
}

value_id graph::constant_of(dtype type, std::uint64_t bits) {
    const auto known = std::find(constants.begin(), constants.end(), bits);
    const auto k = static_cast<std::uint32_t>(known - constants.begin());
    if (known == constants.end()) constants.push_back(bits);
    return insert({.code = op::scalar, .type = type, .index = constant_scalar | k, .extents = intern(shape{})});
}

value_id graph::add_cast(value_id x, dtype to) {
    if (values[x].type == to) return x;
    return insert({.code = op::cast, .type = to, .extents = values[x].extents, .in = {x}});
}

value_id graph::add_bit_cast(value_id x, dtype to) {
    const value& v = values[x];
    if (v.type == to) return x;
    if (v.code == op::bit_cast) return add_bit_cast(v.in[0], to);
    return insert({.code = op::bit_cast, .type = to, .extents = v.extents, .in = {x}});
}

value_id graph::add_copy(value_id x) {  // never shared: somebody is going to write into it
    values.push_back({.code = op::cast, .type = values[x].type, .stored = true, .extents = values[x].extents, .in = {x}});
    return static_cast<value_id>(values.size() - 1);
}

value_id graph::add_tally(value_id base, value_id places, value_id amount) {
    auto* over = new detail::attribute;  // what it loops over
    const detail::attribute_ref over_ref(over);
    over->what = detail::attribute::kind::update;
    over->source = extents(base);
    over->result = extents(places);
    const std::uint32_t loop = add_attribute(over_ref);
    const value_id into = add_copy(base), count = add_whole_constant(extents(base).size());
    return insert({.code = op::update,
                   .type = values[base].type,
                   .in_place = true,
                   .index = loop,
                   .extents = values[base].extents,
                   .in = {into, places, amount, count}});
}

value_id graph::add_column_sums(value_id x, std::int64_t parts) {
    auto* over = new detail::attribute;  // what it loops over
    const detail::attribute_ref over_ref(over);
    over->what = detail::attribute::kind::update;
    over->source = shape{parts, extents(x)[1]};
    over->result = extents(x);
    return insert({.code = op::update,
                   .type = values[x].type,
                   .index = add_attribute(over_ref),
                   .extents = intern(over->source),
                   .in = {x}});
}

value_id graph::add_view(value_id x, const detail::attribute_ref& a) {
    if (values[x].code != op::leaf && is_identity(*a)) return x;  // an evaluated view of a leaf is a copy
    if (const value& v = values[x];
        v.code == op::view && values[v.in[0]].code != op::leaf && undoes(*a, *attributes[v.index]))
        return v.in[0];
    const bool odd_leaf = values[x].code == op::leaf && !leaves[values[x].index].strides.empty();
    if (odd_leaf && a->what == detail::attribute::kind::reshape) x = add_copy(x);
    return insert(
        {.code = op::view, .type = values[x].type, .index = add_attribute(a), .extents = intern(a->result), .in = {x}});
}

value_id graph::add_update(value_id base, value_id region_value, const detail::attribute_ref& a) {
    region_value = broadcast(add_cast(region_value, values[base].type), intern(a->result));
    if (a->result.size() == 0) return base;
    const shape& whole = *values[base].extents;
    bool covers = true;
    for (int k = 0; k < whole.rank(); ++k) {
        const detail::axis_map& m = a->maps[static_cast<std::size_t>(k)];
        covers = covers && (m.axis < 0 ? 1 : a->result[m.axis]) == whole[k] && first_alike(*a, k) == k;
    }
    if (covers) return add_arithmetic_update(base, region_value, *a);
    return insert({.code = op::update,
                   .type = values[base].type,
                   .index = add_attribute(a),
                   .extents = values[base].extents,
                   .in = {base, region_value}});
}

std::vector<value> graph::take_values() {
    known_.clear();
    known_count_ = 0;
    return std::exchange(values, {});
}

value_id graph::put_back(const value& v) {
    const bool is_parameter = v.code == op::scalar && v.index < constant_scalar;
    if (v.code != op::leaf && !is_parameter && !v.stored) return insert(v);
    values.push_back(v);
    return static_cast<value_id>(values.size() - 1);
}

namespace {

/// The conditions under which an index of a base lies in a region of it.
class region_test {
public:
    region_test(graph& g, const shape& whole)
        : g_(g), whole_(whole), index_type_(whole.size() < (std::int64_t{1} << 31) ? dtype::i32 : dtype::i64) {}

    /// The index along axis k is in a range. That is so where clamping it to the range changes nothing: the bounds stay
    /// run-time words.
    void lies_within(int k, std::int64_t first, std::int64_t count) {
        const value_id index = index_along(k, whole_);
        const detail::axis_map range{.axis = k, .step = 1, .lo = first, .hi = first + count - 1, .clamped = true};
        both(condition_of(op::eq, index, seen(index, k, range)));
    }
    /// The index along axis k is where a diagonal has it, as the index along another axis says, which lies in its range.
    void lies_on_diagonal(int k, const detail::axis_map& m, int other, std::int64_t other_first, std::int64_t count) {
        shape line;
        for (int j = 0; j < whole_.rank(); ++j) line.push_back(j == other ? whole_[k] : 1);
        const detail::axis_map there{.axis = other,
                                     .offset = m.offset - other_first,
                                     .step = 1,
                                     .lo = m.offset,
                                     .hi = m.offset + count - 1,
                                     .clamped = true};
        both(condition_of(op::eq, index_along(k, whole_), seen(index_along(other, line), other, there)));
    }
    /// All of them; no_value where there are none.
    value_id all() const { return all_; }

private:
    value_id index_along(int k, const shape& of) {
        auto* axis = new detail::attribute;
        const detail::attribute_ref axis_ref(axis);
        axis->what = detail::attribute::kind::coord;
        axis->source = axis->result = of;
        axis->maps = {{.axis = k}};
        return g_.add_coord(index_type_, axis_ref);
    }
    /// An index over the base, of which one axis is seen through a map.
    value_id seen(value_id index, int k, const detail::axis_map& through) {
        const shape& from = g_.extents(index);
        auto* range = new detail::attribute;
        const detail::attribute_ref range_ref(range);
        range->source = from;
        range->result = whole_;
        for (int j = 0; j < whole_.rank(); ++j)
            range->maps.push_back(j == k                 ? through
                                  : from[j] == whole_[j] ? detail::axis_map{.axis = j, .step = 1}
                                                         : detail::axis_map{});
        return g_.add_view(index, range_ref);
    }
    // Each update has conditions of its own: shared ones would be stored by one kernel for the next, and they cost nothing
    // but arithmetic on indices. Within a kernel, lowering makes equal ones one again.
    value_id condition_of(op code, value_id a, value_id b) {
        g_.values.push_back({.code = code, .type = dtype::bool_, .extents = g_.values[a].extents, .in = {a, b}});
        return static_cast<value_id>(g_.values.size() - 1);
    }
    void both(value_id condition) { all_ = all_ == no_value ? condition : condition_of(op::bit_and, all_, condition); }

    graph& g_;
    const shape& whole_;
    const dtype index_type_;
    value_id all_ = no_value;
};

}  // namespace

value_id graph::add_arithmetic_update(value_id base, value_id region_value, const detail::attribute& a) {
    const shape& whole = *values[base].extents;
    auto* reach = new detail::attribute;  // from the base's axes to the region's
    const detail::attribute_ref reach_ref(reach);
    reach->source = a.result;
    reach->result = whole;
    reach->maps.resize(static_cast<std::size_t>(a.result.rank()));
    region_test inside(*this, whole);
    for (int k = 0; k < whole.rank(); ++k) {
        const detail::axis_map& m = a.maps[static_cast<std::size_t>(k)];
        const std::int64_t count = m.axis < 0 ? 1 : a.result[m.axis];
        if (const int other = first_alike(a, k); other < k) {
            inside.lies_on_diagonal(k, m, other, a.maps[static_cast<std::size_t>(other)].offset, count);
            continue;
        }
        if (m.axis >= 0)
            reach->maps[static_cast<std::size_t>(m.axis)] = {.axis = k,
                                                             .offset = -m.offset * m.step,
                                                             .step = m.step,
                                                             .lo = 0,
                                                             .hi = count - 1,
                                                             .clamped = count != whole[k]};
        if (count != whole[k]) inside.lies_within(k, m.axis >= 0 && m.step < 0 ? m.offset - (count - 1) : m.offset, count);
    }
    const value_id spread = add_view(region_value, reach_ref);
    if (inside.all() == no_value) return spread;  // the whole base, perhaps in another order
    return add_selection(inside.all(), spread, base);
}

value_id graph::add_selection(value_id mask, value_id a, value_id b) {
    const dtype type = values[a].type;
    if (!is_complex(type)) return add_raw(op::where, type, std::array{mask, a, b});
    const auto part = [&](op code) {
        const auto of = [&](value_id x) { return add_raw(code, real_dtype(type), std::array{x}); };
        return add_raw(op::where, real_dtype(type), std::array{mask, of(a), of(b)});
    };
    const value_id re = part(op::real);
    return add_raw(op::complex, type, std::array{re, part(op::imag)});
}

value_id graph::add_coord(dtype type, const detail::attribute_ref& a) {
    return insert({.code = op::coord, .type = type, .index = add_attribute(a), .extents = intern(a->result)});
}

value_id graph::add_places(const shape& source, const detail::attribute& kept) {
    value_id all = no_value;
    std::int64_t step = 1;
    for (int k = source.rank(); k-- > 0;) {
        if (kept.maps[static_cast<std::size_t>(k)].axis >= 0 || (source[k] == 1 && all != no_value)) continue;
        auto* place = new detail::attribute;
        const detail::attribute_ref place_ref(place);
        place->what = detail::attribute::kind::coord;
        place->source = place->result = source;
        place->maps = {{.axis = k, .step = 1}};
        const value_id along = add_coord(dtype::i64, place_ref);
        all = all == no_value
                  ? along
                  : add_op(op::add, std::array{all, add_op(op::mul, std::array{along, add_whole_constant(step)})});
        step *= source[k];
    }
    return all != no_value ? all : broadcast(add_whole_constant(0), intern(source));
}

value_id graph::add_reduction(op code, value_id x, const detail::attribute* over, value_id second) {
    if (values[x].type == dtype::bool_) {  // NumPy: the smallest of bools is `all`, the largest `any`
        if (code == op::min) code = op::all;
        if (code == op::max) code = op::any;
    }
    const dtype from = values[x].type, type = reduction_dtype(code, from);
    if (!takes_places(code)) x = add_cast(x, type);

    const shape source = *values[x].extents;
    auto* kept = new detail::attribute;
    const detail::attribute_ref kept_ref(kept);
    kept->what = detail::attribute::kind::reduce;
    kept->source = kept->result = source;
    kept->maps.resize(static_cast<std::size_t>(source.rank()));
    for (int k = 0; k < source.rank(); ++k) {
        const bool reduced = !over || over->maps[static_cast<std::size_t>(k)].axis < 0;
        if (!reduced) {
            kept->maps[static_cast<std::size_t>(k)] = {.axis = k, .step = 1};
            continue;
        }
        kept->result.set(k, 1, detail::unknown_line);
    }
    value v{.code = code, .type = type, .index = add_attribute(kept_ref), .extents = intern(kept->result), .in = {x}};
    if (takes_places(code) || code == op::last)
        v.in = {x, add_places(source, *kept)};
    else if (takes_thirds(code))
        v.in = {x, second, add_places(source, *kept)};
    else if (takes_pairs(code))
        v.in = {x, second};
    const value_id whole = insert(v);
    const shape result = over ? over->result : shape{};
    if (result == kept->result) return whole;
    auto* squeezed = new detail::attribute;
    const detail::attribute_ref squeezed_ref(squeezed);
    squeezed->source = kept->result;
    squeezed->result = result;
    squeezed->maps.resize(static_cast<std::size_t>(source.rank()));
    int at = 0;
    for (int k = 0; k < source.rank(); ++k)
        if (kept->maps[static_cast<std::size_t>(k)].axis >= 0)
            squeezed->maps[static_cast<std::size_t>(k)] = {.axis = at++, .step = 1};
    return add_view(whole, squeezed_ref);
}

value_id graph::add_running(op code, value_id x, int axis, bool backward) {
    const shape& over = *values[x].extents;
    if (over.size() == 0 || (over[axis] == 1 && !scan_of(code).exclusive)) return x;
    const dtype type = values[x].type;
    if (over[axis] == 1)
        return broadcast(add_cast(add_whole_constant(scan_of(code).running == op::prod), type), values[x].extents);
    const std::uint32_t along = add_axis(over, axis, backward);
    return insert({.code = code, .type = type, .index = along, .extents = values[x].extents, .in = {x}});
}

std::uint32_t graph::add_axis(const shape& over, int axis, bool backward) {
    auto* along = new detail::attribute;
    const detail::attribute_ref along_ref(along);
    along->what = detail::attribute::kind::reduce;
    along->source = along->result = over;
    for (int k = 0; k < over.rank(); ++k) along->maps.push_back({.axis = k, .step = 1});
    along->maps[static_cast<std::size_t>(axis)] = {.axis = -1, .step = backward ? -1 : 1};
    return add_attribute(along_ref);
}

const detail::attribute& graph::row_of(value_id v) const {
    const value& x = values[v];
    return *attributes[x.code == op::scan_along ? loops[x.index].along : x.index];
}

value_id graph::add_library(op code, const library_op& of, std::span<const value_id> operands) {
    const std::size_t alike = library(code).promoted;
    dtype promoted = values[operands[0]].type;
    for (value_id x : operands.first(alike)) promoted = promote(promoted, values[x].type);
    const library_dtypes types = library_dtypes_of(code, promoted);
    std::vector<const shape*> extents;
    value v{.code = code, .type = types.result, .in = operand_list(operands)};
    for (int k = 0; k < v.in.size(); ++k) {
        value_id& x = v.in[k];
        if (static_cast<std::size_t>(k) < alike) x = add_cast(x, types.operand);
        x = dense(x);
        extents.push_back(values[x].extents);
    }
    v.index = add_result({&of, library(code).result});
    v.extents = of.shape_of(library(code).result, extents, *shapes);
    return insert(v);
}

value_id graph::add_call(library_result of, dtype type, const shape& extents, std::span<const value_id> operands) {
    value v{
        .code = op::call, .type = type, .index = add_result(of), .extents = intern(extents), .in = operand_list(operands)};
    for (value_id& x : v.in) x = dense(x);
    return insert(v);
}

std::uint32_t graph::add_result(const library_result& of) {
    const auto known = std::find(libraries.begin(), libraries.end(), of);
    const auto index = static_cast<std::uint32_t>(known - libraries.begin());
    if (known == libraries.end()) libraries.push_back(of);
    return index;
}

/// A borrowed array in an odd layout is copied: whether the library could read it as it is, is not known yet.
value_id graph::dense(value_id x) {
    return values[x].code == op::leaf && !leaves[values[x].index].strides.empty() ? add_copy(x) : x;
}

value_id graph::add_iterate(const std::shared_ptr<const loop_spec>& loop, std::uint16_t state,
                            std::span<const value_id> operands) {
    return add_loop(op::iterate, {loop, state}, operands);
}

value_id graph::add_recurrence(const std::shared_ptr<const loop_spec>& loop, std::uint16_t state,
                               std::span<const value_id> operands, int axis, bool backward) {
    const shape& over = *extents_of(operands);
    if (over.size() > 0 && over[axis] > 1)
        return add_loop(op::scan_along, {loop, state, add_axis(over, axis, backward)}, operands);
    std::vector<value_id> once{add_cast(add_whole_constant(1), dtype::i32)};  // a row of one element: one round of a loop
    once.insert(once.end(), operands.begin(), operands.end());
    return add_iterate(loop, state, once);
}

value_id graph::add_loop(op code, const loop_result& result, std::span<const value_id> operands) {
    const auto is_it = [&](const loop_result& r) {
        return r.state == result.state && r.along == result.along && (r.loop == result.loop || *r.loop == *result.loop);
    };
    const auto known = std::find_if(loops.begin(), loops.end(), is_it);
    value v{.code = code,
            .type = result.loop->inputs[result.state],
            .index = static_cast<std::uint32_t>(known - loops.begin()),
            .extents = extents_of(operands),
            .in = operand_list(operands)};
    if (known == loops.end()) loops.push_back(result);
    for (value_id& x : v.in) x = broadcast(x, v.extents);
    return insert(v);
}

// No integer dtype holds both, and as float64, to which they promote, neighbours become equal: below 0 the sign decides,
// and from 0 on uint64 holds the signed one too.
value_id graph::add_mixed_comparison(op code, value_id a, value_id b) {
    const bool signed_first = kind_of(values[a].type) == dtype_kind::integer;
    const value_id x = signed_first ? a : b;
    const auto apply = [&](op o, value_id l, value_id r) { return add_op(o, std::array{l, r}); };
    const auto compare = [&](value_id l, value_id r) { return signed_first ? apply(code, l, r) : apply(code, r, l); };
    const value_id zero = apply(op::bit_xor, x, x);
    return add_op(op::where, std::array{apply(op::lt, x, zero), compare(x, zero),
                                        compare(add_cast(x, dtype::u64), signed_first ? b : a)});
}

const shape* graph::extents_of(std::span<const value_id> operands) {
    const shape* extents = values[operands[0]].extents;
    for (const value_id x : operands.subspan(1)) extents = broadcast_shapes(extents, values[x].extents, *shapes);
    return extents;
}

value_id graph::add_op(op code, std::span<const value_id> operands) {
    const bool select = info(code).result == op_result::SELECT;
    const bool compares = info(code).on_bool == on_bool_rule::widen && info(code).result == op_result::BOOL;
    if (compares && is_integer(values[operands[0]].type) && is_integer(values[operands[1]].type) &&
        is_float(promote(values[operands[0]].type, values[operands[1]].type)))
        return add_mixed_comparison(code, operands[0], operands[1]);
    dtype promoted = values[operands[select ? 1 : 0]].type;
    for (std::size_t k = select ? 2 : 1; k < operands.size(); ++k) promoted = promote(promoted, values[operands[k]].type);
    const op_dtypes rule = resolve(code, promoted);

    const shape* const extents = extents_of(operands);
    operand_list in(operands);
    for (int k = 0; k < in.size(); ++k) {
        const dtype want = select && k == 0 ? dtype::bool_ : rule.operand;
        in[k] = add_cast(in[k], want);
        in[k] = code == op::add || code == op::sub ? broadcast_term(in[k], extents) : broadcast(in[k], extents);
    }
    return add_raw(rule.code, rule.result, in);
}

value_id graph::add_raw(op code, dtype type, std::span<const value_id> operands) {
    value v{.code = code, .type = type, .extents = values[operands[0]].extents, .in = operand_list(operands)};
    // a op b may be known as b op a; not so for floating sums, where contraction looks at the order of the operands
    if (is_elementwise(code) && info(code).algebra == op_algebra::COMMUTES && !(code == op::add && is_float(type))) {
        value swapped = v;
        std::swap(swapped.in[0], swapped.in[1]);
        if (known_count_ > 0)
            if (const value_id k = known_[find_slot(swapped)]; k != no_value) return k;
    }
    return insert(v);
}

value_id graph::made_part(value_id x) const {
    const value& part = values[x];
    if (part.code != op::real && part.code != op::imag) return x;
    const value& whole = values[part.in[0]];
    return whole.code == op::complex ? whole.in[part.code == op::imag] : x;
}

// A term of a sum. A product's factors are broadcast, not the product, so that contraction finds it whatever its shape.
value_id graph::broadcast_term(value_id x, const shape* to) {
    const value& product = values[made_part(x)];
    if (product.code != op::mul || !is_float(product.type) || product.extents == to) return broadcast(x, to);
    const dtype type = product.type;
    const operand_list factors = product.in;
    return add_raw(op::mul, type, std::array{broadcast(factors[0], to), broadcast(factors[1], to)});
}

value_id graph::broadcast(value_id x, const shape* to) {
    if (values[x].extents == to) return x;
    if (values[x].code == op::view && values[values[x].in[0]].extents->rank() == 0) x = values[x].in[0];
    const shape& from = *values[x].extents;
    if (from.rank() == 0)
        if (auto it = scalar_spreads_.find(to); it != scalar_spreads_.end())
            return insert({.code = op::view, .type = values[x].type, .index = it->second, .extents = to, .in = {x}});
    auto* a = new detail::attribute;
    const detail::attribute_ref a_ref(a);
    a->source = from;
    a->result = *to;
    a->maps.resize(static_cast<std::size_t>(from.rank()));
    for (int k = 0; k < from.rank(); ++k)
        if (from[k] != 1) a->maps[static_cast<std::size_t>(k)] = {.axis = k + to->rank() - from.rank(), .step = 1};
    const value_id v = add_view(x, a_ref);
    if (from.rank() == 0) scalar_spreads_.emplace(to, values[v].index);
    return v;
}

}  // namespace frit::v0::fusion

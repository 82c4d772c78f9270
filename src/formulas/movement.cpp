// concatenate, stack, repeat, tile, roll, triu, tril, diag, indices: elements at other places, as formulas.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "src/formulas/parts.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

dtype common_type(std::span<const user_ref> parts) {
    dtype type = parts[0]->meant;
    for (const user_ref& p : parts) type = promote(type, p->meant);
    return type;
}

void check_some(std::string_view who, std::span<const user_ref> parts, source_line where) {
    if (parts.empty()) throw_shape_error(who, "there are no arrays to join", {}, where);
}

[[noreturn]] void throw_parts(std::string_view who, std::string_view text, std::span<const user_ref> parts,
                              source_line where) {
    std::vector<shape> shapes;
    for (const user_ref& p : parts.first(std::min<std::size_t>(parts.size(), 4))) shapes.push_back(*p->extents);
    throw_shape_error(who, text, shapes, where);
}

/// So many parts are one kernel: every element is looked for in each of them.
constexpr std::size_t most_parts = 8;

/// As `joined`, of parts that are checked here. `who`: the function that errors name.
user_ref join(std::string_view who, std::span<const user_ref> parts, std::int64_t axis, source_line where) {
    const shape first = *parts[0]->extents;
    if (first.rank() == 0) throw_parts(who, "a value of rank 0 has no axis to join along", parts, where);
    const int along = checked_axis(who, axis, first.rank(), first, where);
    for (const user_ref& p : parts) {
        if (p->extents->rank() != first.rank()) throw_parts(who, "the arrays differ in rank", parts, where);
        for (int k = 0; k < first.rank(); ++k)
            if (k != along && (*p->extents)[k] != first[k]) {
                const shape both[] = {first, *p->extents};
                throw_shape_error(who, "the shapes differ along axis " + std::to_string(k), both, where);
            }
    }
    const dtype type = common_type(parts);
    std::vector<value> values;  // those that have elements
    values.reserve(parts.size());
    shape whole = first;
    std::int64_t extent = 0;
    for (const user_ref& p : parts) {
        if (__builtin_add_overflow(extent, (*p->extents)[along], &extent)) extent = INT64_MAX;  // which set refuses
        if ((*p->extents)[along] > 0) values.emplace_back(p);
    }
    whole.set(along, extent, where);
    if (values.empty()) return result(in_dtype(value(parts[0]), type, where), where);
    if (values.size() > most_parts && whole.size() > 0) return joined_in_place(values, whole, along, type, where);
    return result(joined(values, along, type, where), where);
}

}  // namespace

user_ref concatenate_of(std::span<const user_ref> parts, std::int64_t axis, source_line where) try {
    check_some("concatenate", parts, where);
    return join("concatenate", parts, axis, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("concatenate", where);
}

user_ref stack_of(std::span<const user_ref> parts, std::int64_t axis, source_line where) try {
    check_some("stack", parts, where);
    const shape of = *parts[0]->extents;
    const int at = checked_axis("stack", axis, of.rank() + 1, of, where);
    const attribute_ref row = expand_dims_attribute(of, axes(at), where);
    for (const user_ref& p : parts)
        if (*p->extents != of) {
            const shape both[] = {of, *p->extents};
            throw_shape_error("stack", "the shapes differ", both, where);
        }
    if (parts.size() <= most_parts) {
        shape whole = row->result;
        whole.set(at, static_cast<std::int64_t>(parts.size()), where);
        return result(stacked(std::vector<value>(parts.begin(), parts.end()), whole, at, common_type(parts), where), where);
    }
    std::vector<user_ref> rows;
    for (const user_ref& p : parts) rows.push_back(seen(value(p), row, where).node());
    return join("stack", rows, at, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("stack", where);
}

namespace {
/// Every part with at least so many axes, new ones in front.
std::vector<user_ref> of_rank(std::span<const user_ref> parts, int rank, source_line where) {
    std::vector<user_ref> all;
    for (const user_ref& p : parts) {
        value x(p);
        while (shape_of_node(x).rank() < rank) x = seen(x, expand_dims_attribute(shape_of_node(x), axes(0), where), where);
        all.push_back(x.node());
    }
    return all;
}
}  // namespace

user_ref hstack_of(std::span<const user_ref> parts, source_line where) try {
    check_some("hstack", parts, where);
    const std::vector<user_ref> all = of_rank(parts, 1, where);
    return join("hstack", all, all[0]->extents->rank() == 1 ? 0 : 1, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("hstack", where);
}

user_ref vstack_of(std::span<const user_ref> parts, source_line where) try {
    check_some("vstack", parts, where);
    return join("vstack", of_rank(parts, 2, where), 0, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("vstack", where);
}

user_ref tile_of(const user_ref& x, const int_list& counts, source_line where) try {
    const int rank = std::max(x->extents->rank(), counts.count());
    const user_ref operand[] = {x};
    const value v(of_rank(operand, rank, where)[0]);
    // (2, 3) tiled (4, 5) is (4, 2, 5, 3) seen as (8, 15); axes that are not repeated get none of their own.
    std::vector<std::int64_t> added, spread, last;
    for (int k = 0; k < rank; ++k) {
        const int given = k - (rank - counts.count());
        const std::int64_t count = given < 0 ? 1 : counts[given], extent = shape_of_node(v)[k];
        std::int64_t all = 0;
        if (count < 0 || __builtin_mul_overflow(count, extent, &all))
            throw_shape_error("tile", "cannot be repeated " + std::to_string(count) + " times", {x->extents, 1}, where);
        if (count != 1) {
            added.push_back(static_cast<std::int64_t>(spread.size()));
            spread.push_back(count);
        }
        spread.push_back(extent);
        last.push_back(all);
    }
    if (added.empty()) return result(v, where);
    const value apart = seen(v, expand_dims_attribute(shape_of_node(v), axes(added, where), where), where);
    const value repeated =
        seen(apart, broadcast_attribute(shape_of_node(apart), shape(spread, where), where, "tile"), where);
    return result(reshaped(repeated, int_list(last, where), where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("tile", where);
}

user_ref repeat_of(const user_ref& x, std::int64_t count, std::int64_t axis, source_line where) try {
    const shape of = *x->extents;
    const int along = checked_axis("repeat", axis, of.rank(), of, where);
    std::int64_t all = 0;
    if (count < 0 || __builtin_mul_overflow(count, of[along], &all))
        throw_shape_error("repeat", "cannot be repeated " + std::to_string(count) + " times", {&of, 1}, where);
    if (count == 1) return result(value(x), where);
    const value apart = seen(value(x), expand_dims_attribute(of, axes(along + 1), where), where);
    shape spread = shape_of_node(apart), last = of;
    spread.set(along + 1, count, where);
    last.set(along, all, where);
    const value repeated = seen(apart, broadcast_attribute(shape_of_node(apart), spread, where, "repeat"), where);
    return result(reshaped(repeated, int_list(last, where), where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("repeat", where);
}

namespace {
/// The two runs of an axis that roll exchanges; none where it leaves all in place.
void add_runs(std::vector<axis_runs>& to, int axis, std::int64_t extent, std::int64_t shift) {
    const std::int64_t by = extent > 0 ? (shift % extent + extent) % extent : 0;
    if (by != 0) to.push_back({axis, {{extent - by, by, 1}, {0, extent - by, 1}}});
}
}  // namespace

user_ref roll_of(const user_ref& x, const int_list& shifts, const axes* over, source_line where) try {
    const shape of = *x->extents;
    value v(x);
    std::vector<axis_runs> runs;
    if (!over) {
        add_runs(runs, 0, of.size(), shifts[0]);
        if (of.rank() == 1) return result(with_runs(v, runs, where), where);
        v = with_runs(reshaped(v, int_list(-1, where), where), runs, where);
        return result(reshaped(v, int_list(of, where), where), where);
    }
    const int count = std::max(shifts.count(), over->count());
    if ((shifts.count() != 1 && shifts.count() != count) || (over->count() != 1 && over->count() != count))
        throw_shape_error("roll", std::to_string(shifts.count()) + " shifts for " + std::to_string(over->count()) + " axes",
                          {&of, 1}, where);
    std::vector<std::int64_t> by(static_cast<std::size_t>(of.rank()));  // an axis may be named twice: shifts add up
    for (int k = 0; k < count; ++k) {
        const int axis = checked_axis("roll", (*over)[over->count() == 1 ? 0 : k], of.rank(), of, where);
        std::int64_t& sum = by[static_cast<std::size_t>(axis)];
        if (of[axis] > 0) sum = (sum + shifts[shifts.count() == 1 ? 0 : k] % of[axis]) % of[axis];
    }
    for (int axis = 0; axis < of.rank(); ++axis) add_runs(runs, axis, of[axis], by[static_cast<std::size_t>(axis)]);
    return result(with_runs(v, runs, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("roll", where);
}

user_ref triangle_of(const user_ref& x, std::int64_t k, bool upper, source_line where) try {
    value v(x);
    shape domain = *x->extents;
    const std::string_view who = upper ? "triu" : "tril";
    if (domain.rank() == 0) throw_shape_error(who, "a value of rank 0 is no matrix", {&domain, 1}, where);
    if (domain.rank() == 1) {
        domain.push_back(domain[0], where);
        v = seen(v, broadcast_attribute(*x->extents, domain, where, who), where);
    }
    const int rows = domain.rank() - 2, columns = domain.rank() - 1;
    const std::int64_t diagonal = std::clamp<std::int64_t>(k, -domain[rows] - 1, domain[columns] + 1);
    const value zero(constant_of(weak_number(false), x->meant, where));
    // In int64: the two indices and the diagonal add up.
    const auto i = coordinate(domain, rows), j = coordinate(domain, columns);
    if (upper) return result(frit::where(j >= i + diagonal, v, zero), where);
    return result(frit::where(j <= i + diagonal, v, zero), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("triu", where);
}

attribute_ref diag_attribute(const shape& of, std::int64_t k, source_line where) {
    if (of.rank() != 2) throw_shape_error("diag", "what is assigned to is the diagonal of a matrix", {&of, 1}, where);
    return diagonal_attribute(of, k, 0, 1, where);
}

user_ref diag_of(const user_ref& x, std::int64_t k, source_line where) try {
    const shape& of = *x->extents;
    if (of.rank() == 2) return result(make_view(value(x), diag_attribute(of, k, where)), where);
    if (of.rank() != 1) throw_shape_error("diag", "takes a vector or a matrix", {&of, 1}, where);
    const std::int64_t beside = k < 0 ? -std::max(k, -INT64_MAX) : k,
                       side = of[0] <= INT64_MAX - beside ? of[0] + beside : INT64_MAX, extents[] = {side, side};
    if (!shape::possible(extents, 2))
        throw_shape_error("diag", "the result has more elements than memory can address", {&of, 1}, where);
    const shape square({side, side}, where);
    if (of[0] == 0) return filled(value(constant_of(weak_number(false), x->meant, where)), square, where).node();
    // The element of a row, or below the diagonal of a column, is the one with its number.
    auto* spread = new attribute;
    const attribute_ref map(spread);
    spread->source = of;
    spread->result = square;
    spread->maps.push_back({.axis = k < 0 ? 1 : 0, .step = 1, .lo = 0, .hi = of[0] - 1, .clamped = beside > 0});
    const value elements = seen(value(x), map, where), zero(constant_of(weak_number(false), x->meant, where));
    return result(frit::where(coordinate(square, 1) == coordinate(square, 0) + k, elements, zero), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("diag", where);
}

user_ref indices_of(const shape& of, source_line where) try {
    std::vector<std::int64_t> extents{of.rank()};
    extents.insert(extents.end(), of.begin(), of.end());
    const shape all(extents, where);
    if (of.rank() == 0) return result(make_view(number_recipe(std::int64_t{0}), broadcast_attribute({}, all, where)), where);
    user_ref found = result(coordinate(all, 1), where);
    for (int k = 1; k < of.rank(); ++k) {
        const composed<dtype::i64> before(found);
        found = result(frit::where(coordinate(all, 0) < k, before, coordinate(all, k + 1)), where);
    }
    return found;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("indices", where);
}

}  // namespace frit::v0::detail

// Parts side by side in one array: what concatenate, roll and pad are made of. Every part is read at indices clamped to it,
// and `where` picks the one that the element lies in, so that the whole is a formula like any other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/formulas/postfix.hpp"
#include "src/formulas/values.hpp"

namespace frit::inline v0::detail {

inline shape shape_of_node(const value& x) { return *x.node()->extents; }

/// The parts along `axis`, one after the other, in dtype `type`: at least one, none without elements along that axis, and
/// equal along the others.
value joined(std::span<const value> parts, int axis, dtype type, source_line);

/// Parts of one shape side by side along an axis of the whole that they do not have.
value stacked(std::span<const value> parts, const shape& whole, int axis, dtype type, source_line);

/// As joined, where each part is written where it goes, into memory for the whole, or as the planner likes it better.
/// Evaluated for itself it is written once; a formula that reads it reads memory.
user_ref joined_in_place(std::span<const value> parts, const shape& whole, int axis, dtype type, source_line);

/// The value seen through a view.
inline value seen(const value& x, const attribute_ref& map, source_line where) { return recorded(make_view(x, map), where); }
inline value reshaped(const value& x, const int_list& extents, source_line where) {
    return seen(x, reshape_attribute(*x.node()->extents, extents, where), where);
}

/// x at the indices i + by of an axis, the nearest element where there is none. A view.
attribute_ref shifted_attribute(const shape& of, int axis, std::int64_t by, source_line where);
value shifted(const value& x, int axis, std::int64_t by, source_line where);

/// Elements first, first + step, ... of an axis, as many as `count`.
struct run {
    std::int64_t first, count, step = 1;
};
attribute_ref run_attribute(const shape& of, int axis, const run&, source_line where);
value run_of(const value& x, int axis, const run&, source_line where);

/// Around an axis pad repeats it, forwards or backwards: how many elements until all is as it was, ...
std::int64_t period_of(pad_mode, std::int64_t extent);
/// ... and the run that begins at this place of the period, as long as it goes on.
run run_at(pad_mode, std::int64_t extent, std::int64_t at);

/// The runs that stand side by side along an axis of the result.
struct axis_runs {
    int axis;
    std::vector<run> runs;
};
/// x with axes made of runs of its own; each axis is named once.
value with_runs(const value& x, std::span<const axis_runs>, source_line);

/// Whether the index along an axis lies in [first, last], as the next steps of a program: whether clamping it to these
/// changes nothing, as a slice assignment has it, so that the interpreter cuts the domain there (src/cpu/cut_domain).
void add_is_within(postfix&, const shape& whole, int axis, std::int64_t first, std::int64_t last, source_line);

/// The index along one axis of `domain`, in 32 bits where they hold it: so that lanes are no wider than need be.
auto with_index(const shape& domain, int axis, const auto& f) {
    const attribute_ref map = coord_attribute(domain, axis);
    if (domain[axis] <= INT32_MAX) return f(make_as<op::coord, dtype::i32, dtype::i32>(attribute_child{map}));
    return f(make_as<op::coord, dtype::i64, dtype::i64>(attribute_child{map}));
}

}  // namespace frit::v0::detail

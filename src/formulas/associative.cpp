// reduce and scan: recurrences along an axis, of which reduce keeps the last element. A row that is too long for one thread
// is cut into pieces, which are rows of their own, since the operation is associative; their totals are combined in order.
// A scan of such a row on a GPU is one recurrence all the same, which knows its operation: there blocks share the row.
#include "frit/associative.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "frit/device.hpp"
#include "frit/scan_along.hpp"
#include "fusion/ir/alignment.hpp"
#include "fusion/ir/reduction_rule.hpp"
#include "fusion/machine/cost_model.hpp"
#include "src/base/errors.hpp"
#include "src/formulas/parts.hpp"
#include "src/formulas/search.hpp"
#include "src/formulas/steps.hpp"
#include "src/formulas/values.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

using nodes = std::vector<user_ref>;

/// How rows are cut on a GPU and on a CPU, whose lanes are fewer than threads, and whose step waits less for memory.
struct cut_sizes {
    std::int64_t many_rows;  ///< so many keep threads or lanes busy
    std::int64_t short_row;  ///< how long one may be where there are fewer
    std::int64_t least_piece, most_piece, wanted_rows;
};
constexpr cut_sizes gpu_sizes{4096, 512, 64, 4096, 65536};
/// Pieces that a group of lanes reads as a whole, so that memory is read from end to end: of 64 elements and more a scan of
/// 2^23 takes 2 to 3 times as long.
constexpr cut_sizes cpu_sizes{512, 4096, 32, 32, 1};

const cut_sizes& sizes_of(std::span<const user_ref> elements) {
    return device_of(elements[0].get()) == device::cpu() ? cpu_sizes : gpu_sizes;
}

/// An operation along an axis of values of some parts, which all have one shape.
struct operation {
    const char* who;
    const operation_caller& combine;
    source_line where;
    const cut_sizes& sizes;

    /// In the elements' dtypes. @throws dtype_error
    nodes combined(std::span<const user_ref> left, std::span<const user_ref> right) const {
        constexpr std::string_view wrong = "the operation gives what its elements' dtype does not take without a cast";
        nodes both;
        combine.call(combine.operation, left, right, both, where);
        for (std::size_t k = 0; k < both.size(); ++k) both[k] = written(who, wrong, both[k], right[k]->meant, where);
        return both;
    }
};

/// A step of scan_along: the state combined with the element, or, where a row begins, the element alone.
struct combining_step {
    const operation& by;
    std::span<const user_ref> elements;
    const value* goes_on;  ///< null: everywhere

    static void call(const void* self, std::span<const user_ref> states, nodes& next, user_ref&, source_line where) {
        const auto& step = *static_cast<const combining_step*>(self);
        if (!step.goes_on) {
            next = step.by.combined(states, step.elements);
            return;
        }
        // Where a row begins nothing is combined, so no loop of the operation is gone through.
        tracing& recording = *tracing::innermost();
        const mask_value goes_on(step.goes_on->node());
        user_ref& met = recording.met();
        const user_ref everywhere = std::exchange(met, recorded(mask_value(met) || !goes_on, where).node());
        const std::size_t told = recording.endless.size();
        next = step.by.combined(states, step.elements);
        met = everywhere;
        for (met_limit& m : std::span(recording.endless).subspan(told))
            m.elements = recorded(mask_value(m.elements) && goes_on, where).node();
        for (std::size_t k = 0; k < next.size(); ++k)
            next[k] = recorded(frit::where(*step.goes_on, value(next[k]), value(step.elements[k])), where).node();
    }
};

nodes zeros_like(std::span<const user_ref> elements, source_line where) {
    nodes all;
    for (const user_ref& x : elements) all.push_back(zero_of(x->meant, where));
    return all;
}

/// The totals up to each element of an axis, from `before` on. What all parts of a step read is one node.
nodes running(const operation& by, std::span<const user_ref> elements, int axis, std::span<const user_ref> before,
              const value* goes_on, const traced* known = nullptr) {
    swept_axis along(axis, by.where);
    along.who = by.who;
    nodes over;
    for (const user_ref& x : elements) over.push_back(shared_node(x, by.where));
    const combining_step step{by, over, goes_on};
    return recurrence_of(along, before, over, {&step, step.call}, known);
}
/// Where an element is not the first of its axis.
value is_behind_first(const shape& of, int axis, source_line where) {
    return with_index(of, axis, [&](const auto& i) { return recorded(i > 0, where); });
}
/// @param known  the operation as it was traced, if blocks shall share the rows
nodes running(const operation& by, std::span<const user_ref> elements, int axis, const traced* known = nullptr) {
    const value goes_on(shared_node(is_behind_first(*elements[0]->extents, axis, by.where).node(), by.where));
    return running(by, elements, axis, zeros_like(elements, by.where), &goes_on, known);
}
/// Of those, the last.
nodes last_of(const operation& by, nodes all, int axis) {
    const axes which(axis);
    for (user_ref& x : all) {
        const attribute_ref over = reduce_attribute(by.who, *x->extents, {.which = &which, .where = by.where});
        x = recorded(reduce_along<op::last>(value(x), over), by.where).node();
    }
    return all;
}

/// The length of the pieces of rows of this shape; 0: they stay whole.
std::int64_t piece_of(const shape& of, int axis, const cut_sizes& by) {
    const std::int64_t n = of[axis], rows = n == 0 ? 0 : of.size() / n;
    if (n <= by.short_row || rows >= by.many_rows || of.rank() == max_rank) return 0;
    std::int64_t piece = by.least_piece;
    while (piece < by.most_piece && 2 * piece * by.wanted_rows <= of.size()) piece *= 2;
    for (std::int64_t exact = piece; exact < 2 * piece; ++exact)
        if (n % exact == 0) return exact;
    return piece;
}

/// The elements that whole pieces have, with an axis of pieces before that of their elements; and those left over.
struct pieces {
    nodes whole, rest;
    pieces(std::span<const user_ref> elements, int axis, std::int64_t length, source_line where) {
        const shape& of = *elements[0]->extents;
        const std::int64_t count = of[axis] / length, left = of[axis] % length;
        const shape cut = with_axis(of, axis, {count, length}, where);
        for (const user_ref& x : elements) {
            const value begin = left == 0 ? value(x) : run_of(value(x), axis, {0, count * length}, where);
            whole.push_back(reshaped(begin, int_list(cut, where), where).node());
            if (left > 0) rest.push_back(run_of(value(x), axis, {count * length, left}, where).node());
        }
    }
};

/// The totals of rows, from `before` on.
nodes totals_of(const operation& by, std::span<const user_ref> elements, int axis, const nodes& before) {
    const std::int64_t length = piece_of(*elements[0]->extents, axis, by.sizes);
    if (length == 0) return last_of(by, running(by, elements, axis, before, nullptr), axis);
    const pieces cut(elements, axis, length, by.where);
    const nodes of_pieces = last_of(by, running(by, cut.whole, axis + 1), axis + 1);
    const nodes totals = totals_of(by, of_pieces, axis, before);
    return cut.rest.empty() ? totals : last_of(by, running(by, cut.rest, axis, totals, nullptr), axis);
}

nodes running_of(const operation& by, std::span<const user_ref> elements, int axis);

/// Of pieces: each begins with the total of those before it.
nodes running_of_pieces(const operation& by, std::span<const user_ref> whole, int axis) {
    const nodes totals = running_of(by, last_of(by, running(by, whole, axis + 1), axis + 1), axis);
    nodes before;
    for (const user_ref& x : totals) before.push_back(shared_node(shifted(value(x), axis, -1, by.where).node(), by.where));
    const shape& of = *whole[0]->extents;
    const value goes_on = shared(
        mask_value(is_behind_first(of, axis, by.where).node()) || mask_value(is_behind_first(of, axis + 1, by.where).node()),
        by.where);
    return running(by, whole, axis + 1, before, &goes_on);
}
nodes running_of(const operation& by, std::span<const user_ref> elements, int axis) {
    const shape of = *elements[0]->extents;
    const std::int64_t length = piece_of(of, axis, by.sizes);
    if (length == 0) return running(by, elements, axis);
    const pieces cut(elements, axis, length, by.where);
    const std::int64_t count = of[axis] / length;
    nodes all = running_of_pieces(by, cut.whole, axis);
    const int_list begun(with_axis(of, axis, {count * length}, by.where), by.where);
    for (user_ref& x : all) x = reshaped(value(x), begun, by.where).node();
    if (cut.rest.empty()) return all;
    nodes before;
    for (const user_ref& x : all) {
        const value end = run_of(value(x), axis, {count * length - 1, 1}, by.where);
        before.push_back(reshaped(end, int_list(with_axis(of, axis, {}, by.where), by.where), by.where).node());
    }
    const nodes behind = running(by, cut.rest, axis, before, nullptr);
    for (std::size_t k = 0; k < all.size(); ++k) {
        const value both[] = {value(all[k]), value(behind[k])};
        all[k] = joined_in_place(both, of, axis, elements[k]->meant, by.where);
    }
    return all;
}

/// The parts, broadcast together.
nodes together(const char* who, std::span<const user_ref> elements, source_line where) {
    const shape domain = broadcast_of(who, elements, shape(), where);
    nodes all;
    for (const user_ref& x : elements)
        all.push_back(*x->extents == domain
                          ? x
                          : recorded(make_view(value(x), broadcast_attribute(*x->extents, domain, where)), where).node());
    return all;
}

/// As the caller's values, which are rounded to their dtype.
nodes results(nodes all, source_line where) {
    for (user_ref& x : all) x = result(value(x), where);
    return all;
}

/// Whether blocks of a GPU can share rows along this axis: they lie along memory, would be cut into pieces, what is combined
/// fits a thread's registers, and the operation is no long formula.
bool is_shared_by_blocks(const traced& operation, std::span<const user_ref> elements, int axis) {
    const shape& of = *elements[0]->extents;
    if (device_of(elements[0].get()) == device::cpu() || piece_of(of, axis, gpu_sizes) == 0) return false;
    if (fusion::rows_lie_across(of, std::uint32_t{1} << axis)) return false;
    const auto parts = [](std::span<const user_ref> all) {
        int count = 0;
        for (const user_ref& x : all) count += is_complex(x->meant) ? 2 : 1;
        return count;
    };
    // Its operands: the states, what the step reads and where a row goes on, and the elements and numbers once more.
    static_assert(3 * fusion::max_states + 2 * fusion::max_given + 2 < max_program_length);
    constexpr std::uint32_t heaviest = 150;  // a kernel has it some thirty times: 500 take a compiler 13 s
    std::uint32_t weight = 0;
    for (const auto& s : operation.step->statements) {
        if (!s.loops.empty()) return false;
        for (const auto& i : s.code) weight += fusion::cost_of(i.code);
    }
    return weight <= heaviest && parts(elements) <= fusion::max_states && parts(operation.captured) <= fusion::max_given;
}

/// The operation, from states on its left and its right.
/// @throws error, shape_error unless it works element by element, on values of these dtypes
traced trace_of(const operation& by, std::span<const user_ref> elements) {
    const tracing recording;
    nodes left, right;
    for (const user_ref& x : elements) {
        left.push_back(parameter_of(x->meant, shape(), by.where));
        right.push_back(parameter_of(x->meant, shape(), by.where));
    }
    const nodes both = by.combined(left, right);
    left.insert(left.end(), right.begin(), right.end());
    traced made = trace(by.who, left, both, user_ref(), most_loop_operands, false, by.where);
    for (const user_ref& x : both)
        if (x->extents->rank() > 0)
            throw_shape_error(by.who, "the operation combines two elements, and reads an array of more", {&*x->extents, 1},
                              by.where);
    return made;
}

}  // namespace

std::vector<user_ref> reduce_of(std::span<const user_ref> elements, const joined_axis& along, std::span<const user_ref> init,
                                const operation_caller& combine) try {
    const operation by{"reduce", combine, along.where, sizes_of(elements)};
    const auto device = on_device_of(elements);
    const nodes parts = together(by.who, elements, by.where);
    const shape of = *parts[0]->extents;
    const int axis = checked_axis(by.who, along.axis, of.rank(), of, by.where);
    (void)trace_of(by, parts);
    constexpr std::string_view wrong = "the elements' dtype does not take what the rows begin with without a cast";
    nodes before;
    for (std::size_t k = 0; k < parts.size(); ++k)
        before.push_back(written(by.who, wrong, init[k], parts[k]->meant, by.where));
    const shape rows = with_axis(of, axis, {}, by.where);
    for (const user_ref& x : before)
        if (broadcast_of(by.who, {&x, 1}, rows, by.where) != rows)
            throw_shape_error(by.who, "rows begin with more than lies across the axis", std::array{*x->extents, rows},
                              by.where);
    if (of[axis] > 0) return results(totals_of(by, parts, axis, before), by.where);
    for (user_ref& x : before)
        x = recorded(make_view(value(x), broadcast_attribute(*x->extents, rows, by.where)), by.where).node();
    return results(std::move(before), by.where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("reduce", along.where);
}

std::vector<user_ref> scan_of(std::span<const user_ref> elements, const joined_axis& along,
                              const operation_caller& combine) try {
    const operation by{"scan", combine, along.where, sizes_of(elements)};
    const auto device = on_device_of(elements);
    const nodes parts = together(by.who, elements, by.where);
    const shape of = *parts[0]->extents;
    const int axis = checked_axis(by.who, along.axis, of.rank(), of, by.where);
    const traced combining = trace_of(by, parts);
    if (of[axis] == 0) return results(parts, by.where);
    const bool shared = is_shared_by_blocks(combining, parts, axis);
    return results(shared ? running(by, parts, axis, &combining) : running_of(by, parts, axis), by.where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("scan", along.where);
}

}  // namespace frit::v0::detail

// Recording: a statement is checked (shape and dtype inference over its program), then becomes one pending node. This is
// all that a lazy statement costs, so the usual case, operands of one shape, touches no table and allocates once.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "fusion/ir/graph.hpp"
#include "src/base/errors.hpp"
#include "src/graph/context.hpp"
#include "src/graph/eval.hpp"
#include "src/graph/inlining.hpp"
#include "src/graph/loading.hpp"
#include "src/graph/precision.hpp"
#include "src/graph/programs.hpp"
#include "src/graph/region.hpp"
#include "src/graph/resolve.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

struct typed_shape {
    const shape* extents;
    dtype type;
};

const shape* zero_d() {
    static const shape s;
    return &s;
}

/// What inference finds beside the result: shapes that no operand of a statement has, of which most need none.
class made_shapes {
public:
    /// As fusion::broadcast_shapes.
    const shape* broadcast(const shape* a, const shape* b) {
        return a == b || b->rank() == 0 || *a == *b ? a : fusion::broadcast_shapes(a, b, set());
    }
    fusion::shape_set& set() { return set_ ? *set_ : set_.emplace(); }

    std::optional<recorded_product> product;  ///< the last one of the statement, whose shapes may be among these

private:
    std::optional<fusion::shape_set> set_;
};

constexpr std::string_view too_large = "the result has more elements than memory can address";

/// Whether shapes broadcast together: then only the size of the result is in the way.
bool extents_agree(std::span<const typed_shape> in) {
    for (const typed_shape& a : in)
        for (const typed_shape& b : in) {
            const int common = std::min(a.extents->rank(), b.extents->rank());
            for (int k = 1; k <= common; ++k) {
                const std::int64_t x = (*a.extents)[-k], y = (*b.extents)[-k];
                if (x != y && x != 1 && y != 1) return false;
            }
        }
    return true;
}

[[noreturn]] void refuse_shapes(op code, std::span<const typed_shape> in, const statement& s) {
    std::vector<shape> shapes;
    for (const auto& x : in) shapes.push_back(*x.extents);
    std::string text(extents_agree(in) ? too_large : "operands could not be broadcast together");
    text += " (";
    for (std::size_t j = 0; j < in.size(); ++j) text += (j ? ", " : "") + std::string(name_of(in[j].type));
    throw_shape_error(s.who ? s.who : shown_name(code), text + ")", shapes, s.where);
}

/// Of an elementwise op, whose dtype its program says: the headers have worked it out, or resolve.cpp. Names the op and all
/// operands where they do not broadcast. Shapes that no operand has are put in `made`.
typed_shape infer_op(const instruction& i, std::span<const typed_shape> in, const statement& s, made_shapes& made) {
    const shape* extents = in[0].extents;
    for (const typed_shape& x : in.subspan(1)) {
        extents = made.broadcast(extents, x.extents);
        if (!extents) refuse_shapes(i.code, in, s);
    }
    return {extents, i.type};
}

typed_shape infer_library(op code, std::span<const typed_shape> in, source_line where, made_shapes& made) {
    std::array<const shape*, 3> room;  // no library op has more operands
    const std::span<const shape*> shapes(room.data(), in.size());
    dtype promoted = in[0].type;
    for (std::size_t k = 0; k < in.size(); ++k) shapes[k] = in[k].extents;
    for (const auto& x : in.first(library(code).promoted)) promoted = promote(promoted, x.type);
    const library_dtypes dtypes = library_dtypes_of(code, promoted);
    if (!dtypes.valid) {
        std::vector<dtype> types;
        for (const auto& x : in) types.push_back(x.type);
        throw_dtype_error(name_of(as_written(code)), "does not take these dtypes", types, where);
    }
    const library_routine& routine = routine_of(code);
    if (as_written(code) == op::matmul) made.product = {shapes[0], shapes[1], promoted};
    if (const shape* extents = routine.shape_of(library(code).result, shapes, made.set())) return {extents, dtypes.result};
    std::vector<shape> given;
    for (const auto& x : in) given.push_back(*x.extents);
    const std::string_view why = routine.misfit(given);
    throw_shape_error(name_of(as_written(code)), why.empty() ? too_large : why, given, where);
}

/// @param over  the axes, or null: all
typed_shape infer_reduction(op code, const typed_shape& x, const attribute* over, source_line where) {
    std::int64_t length = 1, results = 1;
    int axes = 0;
    for (int k = 0; k < x.extents->rank(); ++k)
        if (!over || over->maps[static_cast<std::size_t>(k)].axis < 0)
            length *= (*x.extents)[k], ++axes;
        else
            results *= (*x.extents)[k];
    if (!takes(code, x.type)) throw_dtype_error(name_of(code), "does not take this dtype", {&x.type, 1}, where);
    const bool places = takes_places(code);
    if (length == 0 && (places || (is_ordered(code) && results > 0)))
        throw_shape_error(name_of(code), "an axis without elements has none", std::array{*x.extents}, where);
    if (places && axes != 1)
        throw_shape_error(name_of(code), "goes over one axis, or over a vector", std::array{*x.extents}, where);
    return {over ? &over->result : zero_d(), reduction_dtype(code, x.type)};
}

[[noreturn]] void refuse_value(const shape& value, const shape& region, source_line where) {
    throw_shape_error("assign", "the value does not broadcast to the region", std::array{value, region}, where);
}

typed_shape infer_called(const instruction& i, std::span<const typed_shape> operands, const statement& s,
                         made_shapes& made) {
    return is_library(i.code) ? infer_library(i.code, operands, s.where, made) : infer_op(i, operands, s, made);
}

void check_range(const scalar_bits& number, dtype type, source_line where) {
    if (number.high != 0 && kind_of(type) < dtype_kind::floating) throw_scalar_range(number, type, where);
}

/// Whether an update's value broadcasts to its region.
void check_value(const typed_shape& value, const attribute& update, source_line where, made_shapes& made) {
    const shape* const both = made.broadcast(value.extents, &update.result);
    if (!both || *both != update.result) refuse_value(*value.extents, update.result, where);
}

/// The result of a statement; its shape is an operand's, an attribute's, or in `made`.
typed_shape infer(const statement& s, made_shapes& made) {
    std::array<typed_shape, 65> stack;
    std::size_t top = 0;
    std::uint16_t leaf = 0, scalar = 0, attribute_index = 0;
    const attribute* over = nullptr;
    const program& p = *s.code;
    for (const instruction i : std::span(p.code, p.length)) {
        switch (i.code) {
            case op::leaf: {
                const node_head* n = s.leaves[leaf++];
                if (!n) throw_empty(s.who ? s.who : shown_name(p.code[p.length - 1].code), i.type, s.where);
                stack[top++] = {n->extents, n->meant};
                break;
            }
            case op::scalar:
                check_range(s.scalars[scalar++], i.type, s.where);
                stack[top++] = {zero_d(), i.type};
                break;
            case op::cast:
            case op::bit_cast: stack[top - 1].type = i.type; break;
            case op::coord:
            case op::parameter: stack[top++] = {&s.attributes[attribute_index++]->result, i.type}; break;
            case op::view: {
                const attribute& a = *s.attributes[attribute_index++];
                stack[top - 1].extents = &a.result;
                break;
            }
            case op::update: {
                check_value(stack[--top], *s.attributes[attribute_index++], s.where, made);
                break;
            }
            case op::axes: over = s.attributes[attribute_index++].get(); break;
            case op::index: break;
            case op::gather:
            case op::call:
            case op::iterate:
            case op::scan_along: {
                const attribute& a = *s.attributes[attribute_index++];
                const bool counted = i.code != op::gather;
                top -= counted ? static_cast<std::size_t>(a.maps[0].step - 1) : index_operands(a);
                stack[top - 1] = {&a.result, counted ? i.type : stack[top - 1].type};
                break;
            }
            default:
                if (is_scatter(i.code)) {
                    const attribute& a = *s.attributes[attribute_index++];
                    const typed_shape value = stack[top - 1];
                    top -= index_operands(a) + 1;
                    if (*value.extents != a.result) refuse_value(*value.extents, a.result, s.where);
                } else if (is_reduction(i.code)) {
                    stack[top - 1] = infer_reduction(i.code, stack[top - 1], std::exchange(over, nullptr), s.where);
                } else {
                    top -= arity_of(i.code);
                    stack[top] = infer_called(i, {stack.data() + top, arity_of(i.code)}, s, made);
                    ++top;
                }
        }
    }
    return stack[0];
}

context& context_of(const statement& s) {
    if (s.code->leaves == 0) return default_context();
    context& home = *as_node(s.leaves[0])->home;
    for (std::uint16_t k = 1; k < s.code->leaves; ++k) {
        const context& other = *as_node(s.leaves[k])->home;
        if (&other == &home) continue;
        std::string text =
            "operands are on different devices (" + home.engine.name() + ", " + other.engine.name() + "): use x.to(device)";
        if (s.where.line != 0) text += " [" + std::string(s.where.file) + ":" + std::to_string(s.where.line) + "]";
        throw device_error(text);
    }
    return home;
}

/// The graph limit: cut where a loop's round begins, so that its kernels and plans repeat; at twice the limit, anywhere.
/// Where that is known, an eighth of the limit is enough: more is not fused better, only planned for longer.
void keep_bounded(context& home, const statement& s) {
    const std::int64_t limit = graph_limit();
    const std::span<node_head* const> operands(s.leaves, s.code->leaves);
    if (limit == 0 || std::all_of(operands.begin(), operands.end(), [](const node_head* n) { return as_node(n)->stored(); }))
        return;
    if (is_tracing()) return;  // a step has no values
    const std::int64_t pending = home.pending_with(operands);
    if (pending < limit / 8) return;
    {
        std::lock_guard guard(home.lock);
        if (pending < limit && home.flush_slot != s.slot) return;
        const bool anywhere = pending >= 2 * limit;
        if (!home.flush_slot || anywhere) {
            home.flush_slot = home.recurring_with(operands);
            if (!home.flush_slot) home.flush_slot = s.slot;
        }
        if (home.flush_slot != s.slot && !anywhere) return;
    }
    const std::vector<handle_ref> held = home.held_with(operands);
    std::vector<node_head*> roots;
    roots.reserve(held.size() + operands.size());
    for (const handle_ref& h : held) roots.push_back(h.get());
    for (node_head* n : operands)
        if (!as_node(n)->stored()) roots.push_back(n);
    evaluate(home, roots, {.store_held = true});
}

/// An update of no element: the array as it is, unless its memory has strides, which an update's result has not.
bool writes_nothing(const statement& s) {
    const program& p = *s.code;
    if (p.code[p.length - 1].code != op::update || s.attributes[p.attributes - 1]->result.size() > 0) return false;
    const node& base = *as_node(s.leaves[0]);
    return !(base.stored() && base.strides) && base.type == base.meant;
}

/// An array that lies there row-major, reshaped, and nothing else: the same memory under another shape. Pending, it would
/// hide from updates of it that nobody else wants that memory.
bool is_reshape_of_memory(const statement& s) {
    const program& p = *s.code;
    if (p.length != 2 || p.code[1].code != op::view || p.leaves != 1) return false;
    const node& base = *as_node(s.leaves[0]);
    return s.attributes[0]->what == attribute::kind::reshape && base.stored() && !base.strides && !base.lost &&
           base.type == base.meant;
}

/// Whether an operand is converted to the dtype that it has.
bool converts_nothing(const statement& s) {
    return s.code->length == 1 && s.code->leaves == 1 && s.leaves[0]->type == s.leaves[0]->meant;
}

node_head* record_as_it_is(const statement& s) {
    made_shapes made;
    const typed_shape result = infer(s, made);
    context& home = context_of(s);
    if (writes_nothing(s)) return s.leaves[0];
    if (is_reshape_of_memory(s)) {
        node& base = *as_node(s.leaves[0]);
        was_read(base);
        return make_stored(home, base.memory, base.offset, base.type, *result.extents, {}, s.where);
    }
    keep_bounded(home, s);
    if (made.product) load_early(home, *made.product);
    return make_pending(home, s, *result.extents, result.type);
}

}  // namespace

node_head* record(const statement& s) try {
    if (s.code->dynamic) {
        const resolved known(s);
        return converts_nothing(known.get()) ? s.leaves[0] : record(known.get());
    }
    if (const known_program* p = with_asked_precision(*s.code))
        return record({&p->code, &p->slot, s.leaves, s.scalars, s.attributes, s.where, s.who});
    if (reads_inlinable(s)) {
        const inlined whole(s);
        return record_as_it_is(whole.get());
    }
    return record_as_it_is(s);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(name_of(s.code->code[s.code->length - 1].code), s.where);
}

user_ref record_result(const statement& s) {
    user_ref result(record(s));
    // An operand that was converted to its own dtype is itself, and others may be looking at it.
    if (result->counts.load(std::memory_order_relaxed) == one_user) result.get()->inlinable = true;
    return result;
}

handle_ref held_value(const user_ref& node, source_line where) {
    return or_out_of_memory("array", where, [&] {
        node_head* const n = node.get();
        if (n->type == n->meant) return handle_ref(n);
        const known_program& itself = program_of(std::array{instruction{op::leaf, n->meant}});
        return handle_ref(record({&itself.code, &itself.slot, &n, nullptr, nullptr, where}));
    });
}

user_ref record_part(const statement& s) try {
    if (s.code->dynamic) {
        const resolved known(s);
        return converts_nothing(known.get()) ? user_ref(s.leaves[0]) : record_part(known.get());
    }
    user_ref part = record_result(s);
    const dtype type = part->type;
    if (!is_short(type) || s.code->length == 1) return part;
    std::vector<instruction> steps(s.code->code, s.code->code + s.code->length);
    steps.push_back({op::cast, register_dtype(type)});
    const known_program& unrounded = program_of(steps);
    part = record_result({&unrounded.code, &unrounded.slot, s.leaves, s.scalars, s.attributes, s.where});
    part.get()->meant = type;
    return part;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(name_of(s.code->code[s.code->length - 1].code), s.where);
}

shape infer_shape(const statement& s) {
    return or_out_of_memory("shape", s.where, [&]() -> shape {
        if (s.code->dynamic) return infer_shape(resolved(s).get());
        made_shapes made;
        return *infer(s, made).extents;
    });
}

dtype infer_dtype(const statement& s) {
    return or_out_of_memory("dtype", s.where, [&]() -> dtype {
        if (s.code->dynamic) return infer_dtype(resolved(s).get());
        made_shapes made;
        return infer(s, made).type;
    });
}

}  // namespace frit::v0::detail

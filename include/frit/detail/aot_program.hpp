// A formula as frit::aot compiles it: the packed program of its type becomes a list of values at compile time, with the
// casts that promotion asks for and, where the machine has the instruction, contracted to fma: what src/graph/expand.cpp and
// fusion/passes/contract.cpp make of a statement when it is planned. A reduction may stand at its end.
#pragma once

#include "frit/expr.hpp"

namespace frit::inline v0::detail {

/// One value of the list. Its operands stand before it.
struct aot_value {
    op code;        ///< of the table; leaf, scalar, cast or bit_cast
    dtype type;     ///< of the result
    dtype operand;  ///< of its operands (where: of the second and third; casts: from; a mixed comparison: of the first)
    std::uint8_t count = 0;
    std::uint16_t in[3] = {};  ///< leaf, scalar: in[0] is its number
};

/// What becomes of a program of `Length` instructions: each may cast its operands. A tree: every value has one reader.
template <int Length>
struct aot_values {
    aot_value of[static_cast<std::size_t>(4 * Length)] = {};
    std::uint16_t count = 0, root = 0;
    std::uint16_t cost = 0;  ///< of one element, see ops.def
    bool valid = true;       ///< all of it can be compiled
    op reduced = op::leaf;   ///< how the values are reduced in the end; leaf: they are not

    constexpr std::uint16_t add(const aot_value& v) {
        of[count] = v;
        return count++;
    }
    constexpr std::uint16_t cast(std::uint16_t x, dtype to) {
        return of[x].type == to ? x : add({op::cast, to, of[x].type, 1, {x}});
    }
    constexpr std::uint16_t apply(op code, const std::uint16_t* x) {
        const op_info& row = info(code);
        const bool select = row.result == op_result::SELECT;
        const dtype a = of[x[select]].type, b = row.arity > 1 ? of[x[row.arity - 1]].type : a;
        if (row.on_bool == on_bool_rule::widen && row.result == op_result::BOOL && is_integer(a) && is_integer(b) &&
            is_float(promote(a, b)))
            return compare_mixed(code, x[0], x[1]);
        dtype promoted = a;
        for (int k = select ? 2 : 1; k < row.arity; ++k) promoted = promote(promoted, of[x[k]].type);
        const op_dtypes rule = resolve(code, promoted);
        valid = valid && rule.valid;
        aot_value v{rule.code, rule.result, rule.operand, row.arity, {}};
        for (int k = 0; k < row.arity; ++k) v.in[k] = cast(x[k], select && k == 0 ? dtype::bool_ : rule.operand);
        cost = static_cast<std::uint16_t>(cost + row.cost);
        return add(v);
    }
    /// In no dtype of both operands: each is the widest of its kind.
    constexpr std::uint16_t compare_mixed(op code, std::uint16_t a, std::uint16_t b) {
        const auto widest = [&](std::uint16_t x) {
            return cast(x, kind_of(of[x].type) == dtype_kind::integer ? dtype::i64 : dtype::u64);
        };
        cost = static_cast<std::uint16_t>(cost + info(code).cost);
        const std::uint16_t x = widest(a), y = widest(b);
        return add({code, dtype::bool_, of[x].type, 2, {x, y}});
    }
    constexpr void contract() {
        for (std::uint16_t k = 0; k < count; ++k) {
            aot_value& v = of[k];
            if ((v.code != op::add && v.code != op::sub) || !is_float(v.type)) continue;
            for (const int product : {0, 1}) {
                const aot_value& m = of[v.in[product]];
                if (m.code != op::mul || m.type != v.type) continue;
                v = {v.code == op::add ? op::fma
                     : product == 0    ? op::fms
                                       : op::fnma,
                     v.type,
                     v.operand,
                     3,
                     {m.in[0], m.in[1], v.in[1 - product]}};
                break;
            }
        }
    }
};

/// A dtype that formulas are compiled for: those of 16 bits and complex ones have rules of their own where statements end.
constexpr bool has_aot(dtype t) {
    switch (t) {
#define FRIT_X(name, type) case dtype::name:
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        return true;
        default: return false;
    }
}

template <class E>
constexpr auto make_aot_values(bool fuses) {
    aot_values<E::length> r;
    std::uint16_t stack[static_cast<std::size_t>(E::length)] = {}, leaves = 0, scalars = 0;
    int top = 0;
    for (const instruction& i : folded<E>::code) {
        r.valid = r.valid && has_aot(i.type);
        if (i.code == op::leaf) {
            stack[top++] = r.add({i.code, i.type, i.type, 0, {leaves++}});
        } else if (i.code == op::scalar) {
            stack[top++] = r.add({i.code, i.type, i.type, 0, {scalars++}});
        } else if (i.code == op::cast && r.valid) {
            stack[top - 1] = r.cast(stack[top - 1], i.type);
        } else if (i.code == op::bit_cast && r.valid) {
            stack[top - 1] = r.add({i.code, i.type, r.of[stack[top - 1]].type, 1, {stack[top - 1]}});
        } else if (i.code == op::view) {  // of an array alone, which is read where it lies
            r.valid = r.valid && r.of[stack[top - 1]].code == op::leaf;
        } else if (is_elementwise(i.code) && r.valid) {
            top -= info(i.code).arity;
            stack[top] = r.apply(i.code, stack + top);
            ++top;
        } else if (is_reduction(i.code) && r.valid && r.reduced == op::leaf) {
            r.valid = reduction(i.code).kind == reduction_kind::PLAIN && &i == std::end(folded<E>::code) - 1;
            r.reduced = i.code;
            stack[top - 1] = r.cast(stack[top - 1], i.type);
        } else if (i.code != op::axes) {
            r.valid = false;
        }
        if (!r.valid) return r;
    }
    r.root = stack[0];
    if (fuses) r.contract();
    return r;
}

}  // namespace frit::v0::detail

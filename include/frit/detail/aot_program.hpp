// A formula as frit::aot compiles it: the packed program of its type becomes a list of values at compile time, with the
// casts that promotion asks for and, where the machine has the instruction, contracted to fma: what src/graph/expand.cpp and
// fusion/passes/contract.cpp make of a statement when it is planned. Complex numbers are real ones by the same templates
// (complex_ops.hpp), 16-bit floats are float32 until a result is rounded. A reduction may stand at its end, with a function
// of its result and of numbers behind it.
#pragma once

#include <array>
#include <bit>
#include <span>
#include <utility>

#include "frit/detail/complex_ops.hpp"
#include "frit/detail/short_rules.hpp"
#include "frit/expr.hpp"

namespace frit::inline v0::detail {

/// One value of the list. Its operands stand before it.
struct aot_value {
    static constexpr std::uint16_t constant = 0xffff;
    op code = op::leaf;       ///< of the table; leaf, scalar, cast or bit_cast
    dtype type = dtype::f32;  ///< of the result
    dtype operand =
        dtype::f32;  ///< of its operands (where: of the second and third; casts: from; a mixed comparison: of the first)
    std::uint8_t count = 0;
    std::uint16_t in[3] = {};  ///< leaf: in[0] is its number; scalar: likewise, or `constant`
    std::uint64_t bits = 0;    ///< of a constant
};

/// The values of a formula, appended one by one.
template <int Capacity>
struct aot_values {
    using id = std::uint16_t;
    aot_value values[static_cast<std::size_t>(Capacity)] = {};
    id count = 0, root = 0;
    std::uint16_t cost = 0;  ///< of one element, see ops.def
    bool valid = true;       ///< all of it can be compiled
    op reduced = op::leaf;   ///< how the values of `elements` are reduced; leaf: they are not
    id elements = 0,
       first_total = 0;    ///< `first_total`: the leaf whose elements they give; of complex numbers, parts of two
    bool planned = false;  ///< the reduction is one that a plan does in any case

    constexpr id insert(const aot_value& v) {
        values[count] = v;
        return count++;
    }
    /// Found again, where it stands already.
    constexpr id find(const aot_value& v) {
        for (id k = 0; k < count; ++k) {
            const aot_value& x = values[k];
            if (x.code == v.code && x.type == v.type && x.in[0] == v.in[0] && x.bits == v.bits) return k;
        }
        return insert(v);
    }
    constexpr id add_cast(id x, dtype to) { return values[x].type == to ? x : find({op::cast, to, values[x].type, 1, {x}}); }
    constexpr id add_constant(dtype type, double number) {
        const std::uint64_t bits = type == dtype::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(number))
                                                      : std::bit_cast<std::uint64_t>(number);
        return find({op::scalar, type, type, 0, {aot_value::constant}, bits});
    }
    constexpr id add_raw(op code, dtype type, std::span<const id> x) {
        aot_value v{code, type, values[x[x.size() - 1]].type, static_cast<std::uint8_t>(x.size())};
        for (std::size_t k = 0; k < x.size(); ++k) v.in[k] = x[k];
        cost = static_cast<std::uint16_t>(cost + info(code).cost);
        return code == op::real || code == op::imag ? find(v) : insert(v);
    }
    constexpr id add_op(op code, std::span<const id> x) {
        const op_info& row = info(code);
        const bool select = row.result == op_result::SELECT;
        const dtype a = values[x[select]].type, b = values[x[x.size() - 1]].type;
        if (row.on_bool == on_bool_rule::widen && row.result == op_result::BOOL && is_integer(a) && is_integer(b) &&
            is_float(promote(a, b)))
            return compare_mixed(code, x[0], x[1]);
        dtype promoted = a;
        for (std::size_t k = select ? 2 : 1; k < x.size(); ++k) promoted = promote(promoted, values[x[k]].type);
        const op_dtypes rule = resolve(code, promoted);
        valid = valid && rule.valid;
        std::array<id, 3> in{};
        for (std::size_t k = 0; k < x.size(); ++k) in[k] = add_cast(x[k], select && k == 0 ? dtype::bool_ : rule.operand);
        return add_raw(rule.code, rule.result, {in.data(), x.size()});
    }
    /// In no dtype of both operands: each is the widest of its kind.
    constexpr id compare_mixed(op code, id a, id b) {
        const auto widest = [&](id x) {
            return add_cast(x, kind_of(values[x].type) == dtype_kind::integer ? dtype::i64 : dtype::u64);
        };
        const id x = widest(a), y = widest(b);
        const id result = add_raw(code, dtype::bool_, std::array{x, y});
        values[result].operand = values[x].type;
        return result;
    }
    constexpr void contract() {
        for (aot_value& v : values) {
            if ((v.code != op::add && v.code != op::sub) || !is_float(v.type)) continue;
            for (const int product : {0, 1}) {
                const aot_value& m = values[v.in[product]];
                if (m.code != op::mul || m.type != v.type) continue;
                const op code = v.code == op::add ? op::fma : product == 0 ? op::fms : op::fnma;
                v = {code, v.type, v.operand, 3, {m.in[0], m.in[1], v.in[1 - product]}};
                break;
            }
        }
    }
};
template <int Capacity>
constexpr std::pair<std::uint16_t, std::uint16_t> together(aot_values<Capacity>&, std::uint16_t re, std::uint16_t im) {
    return {re, im};  // rows broadcast as a whole
}

/// Room for what becomes of a program: an instruction may cast its operands, and functions of complex numbers are formulas.
template <class E>
constexpr int aot_capacity() {
    int most = 0;
    bool any_complex = false;
    for (const instruction& i : folded<E>::code) {
        most += is_elementwise(i.code) && (info(i.code).form == op_form::CALL || i.code == op::div) ? 512 : 24;
        any_complex = any_complex || is_complex(i.type);
    }
    return any_complex ? most : 4 * E::length + 8;
}

/// Runs a program over the list.
template <class E>
class aot_builder {
    using list = aot_values<aot_capacity<E>()>;
    using id = typename list::id;
    using item = complex_numbers::item<id>;

public:
    static constexpr list built(bool fuses) {
        aot_builder b;
        for (std::size_t k = 0; k < folded<E>::code.size() && b.to_.valid && !b.to_.planned; ++k) b.run(k);
        if (!b.to_.valid || b.to_.planned) return b.to_;
        b.to_.root = b.rounded(b.complex().whole(b.stack_[0]), E::type);
        if (fuses) b.to_.contract();
        return b.to_;
    }

private:
    constexpr complex_numbers::ops<list> complex() { return complex_numbers::ops<list>(to_); }
    constexpr id in_register(id x) { return to_.add_cast(x, register_dtype(to_.values[x].type)); }
    constexpr id rounded(id x, dtype type) { return is_short(type) ? to_.add_cast(x, type) : x; }
    constexpr id leaf(dtype type, std::uint16_t number) { return to_.insert({op::leaf, type, type, 0, {number}}); }

    constexpr void run(std::size_t k) {
        const instruction& i = folded<E>::code[k];
        switch (i.code) {
            case op::leaf:
                push({leaf(i.type, leaves_++), i.type});
                to_.valid = to_.reduced == op::leaf;  // nothing stands beside a reduction but numbers
                break;
            case op::scalar: {
                const dtype type = register_dtype(i.type);
                push({to_.insert({i.code, type, type, 0, {scalars_++}}), i.type});
                break;
            }
            case op::cast: top() = cast(top(), i.type); break;
            case op::bit_cast: {
                const id x = rounded(top().value, top().type);
                top() = {to_.values[x].type == i.type ? x : to_.insert({i.code, i.type, to_.values[x].type, 1, {x}}),
                         i.type};
                break;
            }
            case op::view:  // of an array alone, which is read where it lies
                to_.valid = to_.values[top().value].code == op::leaf && to_.reduced == op::leaf;
                break;
            case op::axes: break;
            default:
                if (is_elementwise(i.code))
                    apply(k);
                else if (is_reduction(i.code) && reduction(i.code).kind == reduction_kind::PLAIN)
                    reduce(i.code);
                else
                    to_.valid = false;
        }
    }
    constexpr void push(const item& x) { stack_[size_++] = x; }
    constexpr item& top() { return stack_[size_ - 1]; }

    constexpr item cast(const item& x, dtype to) {
        if (is_complex(x.type) || is_complex(to)) {
            if (is_complex(x.type) && !is_complex(to) && to != dtype::bool_) return cast(complex().real(x), to);
            return complex().cast(is_complex(x.type) ? x : item{in_register(x.value), register_dtype(x.type)}, to);
        }
        return {to_.add_cast(is_short(to) ? x.value : in_register(x.value), to), to};
    }

    constexpr void apply(std::size_t k) {
        const op code = folded<E>::code[k].code;
        const std::size_t arity = info(code).arity, first = size_ - arity;
        const std::span<const item> operands(stack_.data() + first, arity);
        bool any_complex = info(code).result == op_result::COMPLEX;
        for (const item& x : operands) any_complex = any_complex || is_complex(x.type);
        const item result = any_complex ? complex_applied(code, operands) : real_applied(k, operands);
        size_ = first;
        push(result);
    }
    constexpr item complex_applied(op code, std::span<const item> operands) {
        std::array<item, 3> in{};
        for (std::size_t k = 0; k < operands.size(); ++k) {
            in[k] = operands[k];
            if (!is_complex(in[k].type)) in[k].value = in_register(in[k].value);
        }
        return complex().applied(code, {in.data(), operands.size()});
    }
    constexpr item real_applied(std::size_t k, std::span<const item> operands) {
        const op code = folded<E>::code[k].code;
        if (is_short(operands[0].type) && (code == op::pos || code == op::real || code == op::conj)) return operands[0];
        const std::size_t skipped = info(code).result == op_result::SELECT ? 1 : 0;
        dtype promoted = operands[skipped].type;
        for (const item& x : operands.subspan(skipped)) promoted = promote(promoted, x.type);
        const bool neighbour = code == op::nextafter && is_short(promoted);  // in its own dtype: no function of the float32
        std::array<id, 3> in{};
        for (std::size_t j = 0; j < operands.size(); ++j)
            in[j] = neighbour ? to_.add_cast(operands[j].value, promoted) : in_register(operands[j].value);
        const bool fewer_digits =
            is_short(promoted) && short_form(code) != code &&
            ends_short(
                folded<E>::code, E::type, k, size_ - operands.size(), [&](std::size_t at) { return stack_[at].type; },
                [&](std::size_t at) { return to_.values[stack_[at].value].code == op::scalar; });
        const id v = to_.add_op(fewer_digits ? short_form(code) : code, {in.data(), operands.size()});
        const dtype type = resolve(code, promoted).result;
        return {v, is_short(type) ? type : to_.values[v].type};
    }

    /// From here on the list is of the totals: leaves behind those of the formula.
    constexpr void reduce(op code) {
        item x = top();
        for (std::size_t k = 0; k + 1 < size_; ++k) to_.valid = to_.valid && to_.values[stack_[k].value].code == op::scalar;
        to_.valid = to_.valid && to_.reduced == op::leaf;
        if (reduction(code).result == op_result::BOOL && is_complex(x.type)) x = complex().cast(x, dtype::bool_);
        to_.reduced = code;
        to_.planned = is_complex(x.type) && code != op::sum;
        const dtype type = reduction_dtype(code, x.type);
        to_.elements = is_complex(type) ? complex().whole(x) : to_.add_cast(in_register(x.value), register_dtype(type));
        to_.first_total = to_.count;
        const dtype part = real_dtype(register_dtype(type));
        const id re = leaf(part, leaves_);
        if (is_complex(type))
            top() = {re, type, leaf(part, static_cast<std::uint16_t>(leaves_ + 1))};
        else
            top() = {rounded(re, type), type};
    }

    list to_;
    std::array<item, static_cast<std::size_t>(E::length)> stack_{};
    std::size_t size_ = 0;
    std::uint16_t leaves_ = 0, scalars_ = 0;
};

template <class E>
constexpr auto make_aot_values(bool fuses) {
    return aot_builder<E>::built(fuses);
}
template <class E>
inline constexpr bool is_aot = make_aot_values<E>(false).valid;
/// In no more room than there is need for.
template <class E, bool Fuses>
inline constexpr auto aot_values_of = [] {
    constexpr auto all = make_aot_values<E>(Fuses);
    aot_values<all.count> r;
    for (std::uint16_t k = 0; k < all.count; ++k) r.values[k] = all.values[k];
    r.count = all.count, r.root = all.root, r.cost = all.cost, r.valid = all.valid;
    r.reduced = all.reduced, r.elements = all.elements, r.first_total = all.first_total, r.planned = all.planned;
    return r;
}();

}  // namespace frit::v0::detail

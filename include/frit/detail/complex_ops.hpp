// How a formula with complex numbers becomes one of real numbers: a complex value is two real ones, made one again where it
// is stored, moved by views, or handed to others. So engines compute with real dtypes alone, and know of complex ones only
// how they lie in memory. A real operand stays real, as in C's Annex G: nothing is made up for its imaginary part. Sums and
// products are computed in the dtype of the parts; functions of complex64 in float64, where what would overflow or cancel in
// float32 does not.
//
// G is what values are appended to: the planner's graph, or the list that frit::aot makes while a program is compiled. It
// has values[id], with a code, a dtype and operands, add_op, add_raw, add_cast, add_constant, and together(re, im), which
// broadcasts both.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "frit/detail/complex_functions.hpp"
#include "frit/error.hpp"
#include "frit/opcode.hpp"

namespace frit::inline v0::detail::complex_numbers {

/// What stands on the stack while a statement's program runs. Complex: one complex value, or, where `imag` is set, the two
/// real ones that it is made of. Of 16-bit floats, `type` is what it will be.
template <class Id>
struct item {
    static constexpr Id none = static_cast<Id>(-1);
    Id value = none;
    dtype type = dtype::f32;
    Id imag = none;
};

/// A real or a truth value of G, with C++'s operators and the functions of <cmath>, each of which appends an op; or a
/// number, which takes the dtype of what it stands beside.
template <class G>
struct real_value {
    using id_type = decltype(std::declval<G&>().add_cast({}, dtype::f32));
    G* graph = nullptr;
    id_type id = item<id_type>::none;
    double number = 0;

    constexpr real_value() = default;
    constexpr real_value(double x) : number(x) {}
    constexpr real_value(G& g, id_type v) : graph(&g), id(v) {}
    constexpr dtype type() const { return graph->values[id].type; }

    /// The op on these operands, of which one at least is a value.
    template <class... V>
    static constexpr real_value applied(op code, const V&... operands) {
        G* graph = nullptr;
        dtype type = dtype::f64;  // of numbers
        for (const real_value* x : {&operands...}) {
            if (!x->graph) continue;
            graph = x->graph;
            if (x->type() != dtype::bool_) type = x->type();
        }
        const std::array<id_type, sizeof...(V)> ids{
            (operands.graph ? operands.id : graph->add_constant(type, operands.number))...};
        return {*graph, graph->add_op(code, ids)};
    }

#define FRIT_BINARY(token, code) \
    friend constexpr real_value operator token(const real_value& a, const real_value& b) { return applied(op::code, a, b); }
    FRIT_BINARY(+, add)
    FRIT_BINARY(-, sub)
    FRIT_BINARY(*, mul)
    FRIT_BINARY(/, div)
    FRIT_BINARY(<, lt)
    FRIT_BINARY(<=, le)
    FRIT_BINARY(>, gt)
    FRIT_BINARY(>=, ge)
    FRIT_BINARY(==, eq)
    FRIT_BINARY(!=, ne)
    FRIT_BINARY(&, bit_and)
    FRIT_BINARY(|, bit_or)
#undef FRIT_BINARY
    friend constexpr real_value operator-(const real_value& a) { return applied(op::neg, a); }
    friend constexpr real_value operator!(const real_value& a) { return applied(op::logical_not, a); }

#define FRIT_FUNCTION(name) \
    friend constexpr real_value name(const real_value& a) { return applied(op::name, a); }
    FRIT_FUNCTION(abs)
    FRIT_FUNCTION(isnan)
    FRIT_FUNCTION(isinf)
    FRIT_FUNCTION(isfinite)
    FRIT_FUNCTION(sqrt)
    FRIT_FUNCTION(exp)
    FRIT_FUNCTION(expm1)
    FRIT_FUNCTION(exp2)
    FRIT_FUNCTION(log)
    FRIT_FUNCTION(log1p)
    FRIT_FUNCTION(log2)
    FRIT_FUNCTION(log10)
    FRIT_FUNCTION(sin)
    FRIT_FUNCTION(cos)
    FRIT_FUNCTION(tan)
    FRIT_FUNCTION(asinh)
    FRIT_FUNCTION(trunc)
    FRIT_FUNCTION(rint)
#undef FRIT_FUNCTION
#define FRIT_FUNCTION(name) \
    friend constexpr real_value name(const real_value& a, const real_value& b) { return applied(op::name, a, b); }
    FRIT_FUNCTION(copysign)
    FRIT_FUNCTION(fmax)
    FRIT_FUNCTION(fmin)
    FRIT_FUNCTION(atan2)
    FRIT_FUNCTION(hypot)
    FRIT_FUNCTION(rounded_mul)
#undef FRIT_FUNCTION
    friend constexpr real_value fma(const real_value& a, const real_value& b, const real_value& c) {
        return applied(op::fma, a, b, c);
    }
    friend constexpr real_value where(const real_value& m, const real_value& a, const real_value& b) {
        return applied(op::where, m, a, b);
    }
};

/// A product that no sum takes in.
template <class R>
constexpr R rounded(const R& x) {
    const auto& v = x.graph->values[x.id];
    if (v.code != op::mul || !is_float(v.type)) return x;
    const std::array factors{v.in[0], v.in[1]};
    return {*x.graph, x.graph->add_raw(op::rounded_mul, v.type, factors)};
}

/// An operand: real, or with an imaginary part.
template <class R>
struct operand {
    R re;
    std::optional<R> im = std::nullopt;
    constexpr parts<R> both() const { return {re, im ? *im : R(0)}; }
};
template <class R>
constexpr R is_nonzero(const operand<R>& x) {
    const R re = x.re != 0;
    return x.im ? re | (*x.im != 0) : re;
}

/// One op on its operands, in the dtype of these parts: or one that gives real or truth values, where `im` of the result is
/// not set.
template <class R>
class formula {
    using both_parts = parts<R>;
    using of_formula = operand<R>;

public:
    constexpr formula(std::span<const of_formula> in, dtype part) : in_(in), part_(part) {}

    constexpr of_formula of(op code) const {
        namespace c = complex_numbers;
        const of_formula &a = in_[0], &b = in_[in_.size() - 1];
        switch (code) {
            case op::complex: return {a.re, b.re};
            case op::add: return sum(a, b);
            case op::sub: return difference(a, b);
            case op::mul:
            case op::rounded_mul: return scaled(a, b);
            case op::div: return quotient(a, b);
            case op::neg: return negative(a);
            case op::pos: return a;
            case op::conj: return pair(c::conj(a.both()));
            case op::where: return where_of(in_[0].re, in_[1], in_[2]);
            case op::maximum: return pair(c::maximum(known(a), known(b)));
            case op::minimum: return pair(c::minimum(known(a), known(b)));
            case op::fmax: return pair(c::fmax(known(a), known(b)));
            case op::fmin: return pair(c::fmin(known(a), known(b)));
            case op::clip: return pair(c::minimum(c::maximum(known(a), known(in_[1])), known(b)));
            case op::rint: return pair(c::rint(a.both()));
            case op::lt: return {less(known(a), known(b))};
            case op::le: return {less_equal(known(a), known(b))};
            case op::gt: return {less(known(b), known(a))};
            case op::ge: return {less_equal(known(b), known(a))};
            case op::eq: return {equal(a, b)};
            case op::ne: return {!equal(a, b)};
            case op::logical_not: return {!is_nonzero(a)};
            case op::logical_and: return {is_nonzero(a) & is_nonzero(b)};
            case op::logical_or: return {is_nonzero(a) | is_nonzero(b)};
            case op::logical_xor: return {is_nonzero(a) != is_nonzero(b)};
            case op::isnan: return {isnan(a.re) | isnan(*a.im)};
            case op::isinf: return {isinf(a.re) | isinf(*a.im)};
            case op::isfinite: return {isfinite(a.re) & isfinite(*a.im)};
            case op::abs: return {modulus(a.both())};
            case op::arg: return {phase(a.both())};
            case op::proj: return pair(c::proj(a.both()));
            case op::pow: return power_in_part(a, b);
            default: return in_double([&](const of_formula& z, const of_formula&) { return function(code, z.both()); });
        }
    }

private:
    static constexpr of_formula pair(const both_parts& z) { return {z.re, z.im}; }
    /// Both parts as values, for what compares two that may be real.
    constexpr both_parts known(const of_formula& x) const {
        return {x.re, x.im ? *x.im : R(*x.re.graph, x.re.graph->add_constant(part_, 0))};
    }
    static constexpr of_formula negative(const of_formula& x) {
        return {-x.re, x.im ? std::optional<R>(-*x.im) : std::nullopt};
    }
    static constexpr of_formula sum(const of_formula& a, const of_formula& b) {
        return {a.re + b.re, !a.im ? b.im : !b.im ? a.im : std::optional<R>(*a.im + *b.im)};
    }
    static constexpr of_formula difference(const of_formula& a, const of_formula& b) {
        return {a.re - b.re, !b.im ? a.im : std::optional<R>(a.im ? *a.im - *b.im : -*b.im)};
    }
    /// One of them is real, or both: two products, as Annex G wants it.
    static constexpr of_formula scaled(const of_formula& a, const of_formula& b) {
        if (!a.im) return {a.re * b.re, b.im ? std::optional<R>(a.re * *b.im) : std::nullopt};
        return {a.re * b.re, *a.im * b.re};
    }
    constexpr of_formula quotient(const of_formula& a, const of_formula& b) const {
        if (!b.im) return {a.re / b.re, *a.im / b.re};
        return in_double([&](const of_formula& z, const of_formula& w) {
            if (!z.im) return pair(divide(z.re, w.both()));
            return pair(part_ == dtype::f32 ? divide_narrow(z.both(), w.both()) : divide(z.both(), w.both()));
        });
    }
    static constexpr of_formula where_of(const R& mask, const of_formula& a, const of_formula& b) {
        return {where(mask, a.re, b.re), where(mask, a.both().im, b.both().im)};
    }
    static constexpr R equal(const of_formula& a, const of_formula& b) {
        return (a.re == b.re) & (a.both().im == b.both().im);
    }

    static constexpr of_formula power(const of_formula& z, const of_formula& w) {
        return pair(!z.im ? pow(z.re, w.both()) : !w.im ? pow(z.both(), w.re) : pow(z.both(), w.both()));
    }
    /// Of complex64 the square is a product in float32, as z * z is.
    constexpr of_formula power_in_part(const of_formula& z, const of_formula& w) const {
        const of_formula all = in_double(power);
        if (part_ == dtype::f64 || !z.im) return all;
        const both_parts square = rounded_product(z.both(), z.both());
        const R by_two = w.im ? (w.re == 2.0) & (*w.im == 0.0) : w.re == 2.0;
        return pair(select(by_two & isfinite(square.re) & isfinite(square.im), square, all.both()));
    }
    static constexpr of_formula function(op code, const both_parts& z) {
        switch (code) {
#define FRIT_FUNCTION(name) \
    case op::name: return pair(complex_numbers::name(z));
            FRIT_FUNCTION(reciprocal)
            FRIT_FUNCTION(sign)
            FRIT_FUNCTION(sqrt)
            FRIT_FUNCTION(rsqrt)
            FRIT_FUNCTION(exp)
            FRIT_FUNCTION(exp2)
            FRIT_FUNCTION(expm1)
            FRIT_FUNCTION(log)
            FRIT_FUNCTION(log2)
            FRIT_FUNCTION(log10)
            FRIT_FUNCTION(log1p)
            FRIT_FUNCTION(sin)
            FRIT_FUNCTION(cos)
            FRIT_FUNCTION(tan)
            FRIT_FUNCTION(asin)
            FRIT_FUNCTION(acos)
            FRIT_FUNCTION(atan)
            FRIT_FUNCTION(sinh)
            FRIT_FUNCTION(cosh)
            FRIT_FUNCTION(tanh)
            FRIT_FUNCTION(asinh)
            FRIT_FUNCTION(acosh)
            FRIT_FUNCTION(atanh)
#undef FRIT_FUNCTION
            default: throw error("complex: no formula for " + std::string(name_of(code)));
        }
    }

    static constexpr R as(const R& x, dtype type) { return {*x.graph, x.graph->add_cast(x.id, type)}; }
    static constexpr of_formula as(const of_formula& x, dtype type) {
        return {as(x.re, type), x.im ? std::optional<R>(as(*x.im, type)) : std::nullopt};
    }
    template <class F>
    constexpr of_formula in_double(F&& f) const {
        return as(f(as(in_[0], dtype::f64), as(in_[in_.size() - 1], dtype::f64)), part_);
    }

    std::span<const of_formula> in_;
    dtype part_;
};

/// The ops of statements, of which an operand or the result is complex.
template <class G>
class ops {
    using R = real_value<G>;
    using id_type = typename R::id_type;
    static constexpr id_type none = item<id_type>::none;

public:
    using item_type = item<id_type>;
    constexpr explicit ops(G& g) : g_(g) {}

    /// As one value.
    constexpr id_type whole(const item_type& x) const {
        if (x.imag == none) return x.value;
        return g_.add_op(op::complex, std::array{x.value, x.imag});
    }
    constexpr item_type real(const item_type& x) const {
        if (x.imag != none || !is_complex(x.type)) return {x.value, real_dtype(x.type)};
        return {g_.add_raw(op::real, real_dtype(x.type), std::array{x.value}), real_dtype(x.type)};
    }
    constexpr item_type imag(const item_type& x) const {
        if (x.imag != none) return {x.imag, real_dtype(x.type)};
        return {g_.add_raw(op::imag, real_dtype(x.type), std::array{x.value}), real_dtype(x.type)};
    }
    /// An op of the table: one that makes complex numbers, or has a complex operand. The real operands are of register
    /// dtypes.
    constexpr item_type applied(op, std::span<const item_type> operands) const;
    /// From a complex dtype, or to one.
    constexpr item_type cast(const item_type&, dtype) const;
    /// A linear function of a complex value: F(re), F(im).
    template <class F>
    constexpr item_type each_part(const item_type& x, F&& f) const {
        const id_type re = f(real(x).value);
        return {re, x.type, f(imag(x).value)};
    }

private:
    constexpr item_type pair(dtype type, id_type re, id_type im) const {
        const auto [r, i] = together(g_, re, im);
        return {r, type, i};
    }
    G& g_;
};

template <class G>
constexpr auto ops<G>::applied(op code, std::span<const item_type> operands) const -> item_type {
    if (code == op::real) return real(operands[0]);
    if (code == op::imag) return imag(operands[0]);
    const bool select = info(code).result == op_result::SELECT;
    dtype promoted = operands[select].type;
    bool both = true;
    for (const item_type& x : operands) both = both && is_complex(x.type);
    for (const item_type& x : operands.subspan(select)) promoted = promote(promoted, x.type);
    const bool is_product = code == op::mul || code == op::rounded_mul;
    if (both && (is_product || code == op::square)) {
        const std::array factors{whole(cast(operands[0], promoted)), whole(cast(operands[operands.size() - 1], promoted))};
        return {g_.add_op(op::complex_product, factors), promoted};
    }
    if (code == op::fma) {
        const auto factor = [&](const item_type& x) {
            return cast(x, is_complex(x.type) ? promoted : real_dtype(promoted));
        };
        const std::array factors{factor(operands[0]), factor(operands[1])};
        const std::array terms{applied(op::mul, factors), operands[2]};
        return applied(op::add, terms);
    }
    const op_dtypes rule = resolve(code, promoted);
    const dtype part = real_dtype(register_dtype(rule.operand));
    // What a function gives is rounded (see rounded_product in src/formulas/values.hpp), and what it is given.
    const bool is_call = info(code).form == op_form::CALL, is_function = code == op::rounded_mul || is_call;
    std::array<operand<R>, 3> in{};
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const dtype type = select && k == 0 ? dtype::bool_ : part;
        const auto as = [&](const item_type& x) {
            const R value(g_, g_.add_cast(x.value, type));
            return is_call && code != op::rounded_mul ? rounded(value) : value;
        };
        in[k].re = as(real(operands[k]));
        if (is_complex(operands[k].type)) in[k].im = as(imag(operands[k]));
    }
    const operand<R> result = formula<R>({in.data(), operands.size()}, part).of(code);
    const auto of = [&](const R& x) { return is_function ? rounded(x).id : x.id; };
    if (!result.im) return {of(result.re), rule.result};
    return pair(rule.result, of(result.re), of(*result.im));
}

template <class G>
constexpr auto ops<G>::cast(const item_type& x, dtype to) const -> item_type {
    if (x.type == to) return x;
    if (to == dtype::bool_) return {is_nonzero(operand<R>{R(g_, real(x).value), R(g_, imag(x).value)}).id, to};
    const id_type re = g_.add_cast(real(x).value, real_dtype(to));
    if (!is_complex(to)) return {re, to};
    return pair(to, re,
                is_complex(x.type) ? g_.add_cast(imag(x).value, real_dtype(to)) : g_.add_constant(real_dtype(to), 0));
}

}  // namespace frit::v0::detail::complex_numbers

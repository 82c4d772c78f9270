// Which formula stands for which op of ops.def where operands are complex. Sums and products are computed in the dtype of
// the parts; functions of complex64 in float64, where what would overflow or cancel in float32 does not.
#include "src/complex/ops.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "frit/error.hpp"
#include "src/complex/functions.hpp"
#include "src/complex/real_value.hpp"

namespace frit::inline v0::detail {
namespace {

using complex_value = parts<real_value>;

/// An operand: real, or with an imaginary part.
struct operand {
    real_value re;
    std::optional<real_value> im;
    complex_value both() const { return {re, im ? *im : real_value(0)}; }
};

/// A product that no sum takes in.
real_value rounded(const real_value& x) {
    const fusion::value v = x.graph->values[x.id];
    if (v.code != op::mul || !is_float(v.type)) return x;
    return {*x.graph, x.graph->add_raw(op::rounded_mul, v.type, std::array{v.in[0], v.in[1]})};
}

real_value is_nonzero(const operand& x) {
    const real_value re = x.re != 0;
    return x.im ? re | (*x.im != 0) : re;
}

/// One op on its operands, in the dtype of these parts: or one that gives real or truth values, where `im` of the result is
/// not set.
class formula {
public:
    formula(std::span<const operand> in, dtype part) : in_(in), part_(part) {}

    operand of(op code) const {
        const operand &a = in_[0], &b = in_[in_.size() - 1];
        switch (code) {
            case op::complex: return {a.re, b.re};
            case op::add: return sum(a, b);
            case op::sub: return difference(a, b);
            case op::mul:
            case op::rounded_mul: return scaled(a, b);
            case op::div: return quotient(a, b);
            case op::neg: return negative(a);
            case op::pos: return a;
            case op::conj: return pair(frit::detail::conj(a.both()));
            case op::where: return where_of(in_[0].re, in_[1], in_[2]);
            case op::maximum: return pair(frit::detail::maximum(known(a), known(b)));
            case op::minimum: return pair(frit::detail::minimum(known(a), known(b)));
            case op::fmax: return pair(frit::detail::fmax(known(a), known(b)));
            case op::fmin: return pair(frit::detail::fmin(known(a), known(b)));
            case op::clip: return pair(frit::detail::minimum(frit::detail::maximum(known(a), known(in_[1])), known(b)));
            case op::rint: return pair(frit::detail::rint(a.both()));
            case op::lt: return {less(known(a), known(b)), {}};
            case op::le: return {less_equal(known(a), known(b)), {}};
            case op::gt: return {less(known(b), known(a)), {}};
            case op::ge: return {less_equal(known(b), known(a)), {}};
            case op::eq: return {equal(a, b), {}};
            case op::ne: return {!equal(a, b), {}};
            case op::logical_not: return {!is_nonzero(a), {}};
            case op::logical_and: return {is_nonzero(a) & is_nonzero(b), {}};
            case op::logical_or: return {is_nonzero(a) | is_nonzero(b), {}};
            case op::logical_xor: return {is_nonzero(a) != is_nonzero(b), {}};
            case op::isnan: return {isnan(a.re) | isnan(*a.im), {}};
            case op::isinf: return {isinf(a.re) | isinf(*a.im), {}};
            case op::isfinite: return {isfinite(a.re) & isfinite(*a.im), {}};
            case op::abs: return {modulus(a.both()), {}};
            case op::arg: return {phase(a.both()), {}};
            case op::proj: return pair(frit::detail::proj(a.both()));
            case op::pow: return power_in_part(a, b);
            default: return in_double([&](const operand& z, const operand&) { return function(code, z.both()); });
        }
    }

private:
    static operand pair(const complex_value& z) { return {z.re, z.im}; }
    /// Both parts as values of the graph, for what compares two that may be real.
    complex_value known(const operand& x) const {
        return {x.re, x.im ? *x.im : real_value(*x.re.graph, x.re.graph->add_constant(part_, 0))};
    }
    static operand negative(const operand& x) { return {-x.re, x.im ? std::optional(-*x.im) : std::nullopt}; }
    static operand sum(const operand& a, const operand& b) {
        return {a.re + b.re, !a.im ? b.im : !b.im ? a.im : *a.im + *b.im};
    }
    static operand difference(const operand& a, const operand& b) {
        return {a.re - b.re, !b.im ? a.im : a.im ? *a.im - *b.im : -*b.im};
    }
    /// One of them is real, or both: two products, as Annex G wants it.
    static operand scaled(const operand& a, const operand& b) {
        if (!a.im) return {a.re * b.re, b.im ? std::optional(a.re * *b.im) : std::nullopt};
        return {a.re * b.re, *a.im * b.re};
    }
    operand quotient(const operand& a, const operand& b) const {
        if (!b.im) return {a.re / b.re, *a.im / b.re};
        return in_double([&](const operand& z, const operand& w) {
            if (!z.im) return pair(divide(z.re, w.both()));
            return pair(part_ == dtype::f32 ? divide_narrow(z.both(), w.both()) : divide(z.both(), w.both()));
        });
    }
    static operand where_of(const real_value& mask, const operand& a, const operand& b) {
        return {where(mask, a.re, b.re), where(mask, a.both().im, b.both().im)};
    }
    static real_value equal(const operand& a, const operand& b) { return (a.re == b.re) & (a.both().im == b.both().im); }

    static operand power(const operand& z, const operand& w) {
        return pair(!z.im ? pow(z.re, w.both()) : !w.im ? pow(z.both(), w.re) : pow(z.both(), w.both()));
    }
    /// Of complex64 the square is a product in float32, as z * z is.
    operand power_in_part(const operand& z, const operand& w) const {
        const operand all = in_double(power);
        if (part_ == dtype::f64 || !z.im) return all;
        const complex_value square = rounded_product(z.both(), z.both());
        const real_value by_two = w.im ? (w.re == 2.0) & (*w.im == 0.0) : w.re == 2.0;
        return pair(select(by_two & isfinite(square.re) & isfinite(square.im), square, all.both()));
    }
    static operand function(op code, const complex_value& z) {
        switch (code) {
#define FRIT_FUNCTION(name) \
    case op::name: return pair(frit::detail::name(z));
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

    static real_value as(const real_value& x, dtype type) { return {*x.graph, x.graph->add_cast(x.id, type)}; }
    static operand as(const operand& x, dtype type) {
        return {as(x.re, type), x.im ? std::optional(as(*x.im, type)) : std::nullopt};
    }
    template <class F>
    operand in_double(F&& f) const {
        return as(f(as(in_[0], dtype::f64), as(in_[in_.size() - 1], dtype::f64)), part_);
    }

    std::span<const operand> in_;
    dtype part_;
};

}  // namespace

expanded complex_ops::pair(dtype type, fusion::value_id re, fusion::value_id im) const {
    const shape* both = fusion::broadcast_shapes(g_.values[re].extents, g_.values[im].extents, *g_.shapes);
    re = g_.broadcast(re, both);
    return {re, type, g_.broadcast(im, both)};
}

fusion::value_id complex_ops::whole(const expanded& x) const {
    if (x.imag == fusion::no_value) return x.value;
    return g_.add_op(op::complex, std::array{x.value, x.imag});
}

expanded complex_ops::real(const expanded& x) const {
    if (x.imag != fusion::no_value || !is_complex(x.type)) return {x.value, real_dtype(x.type)};
    return {g_.add_raw(op::real, real_dtype(x.type), std::array{x.value}), real_dtype(x.type)};
}

expanded complex_ops::imag(const expanded& x) const {
    if (x.imag != fusion::no_value) return {x.imag, real_dtype(x.type)};
    return {g_.add_raw(op::imag, real_dtype(x.type), std::array{x.value}), real_dtype(x.type)};
}

expanded complex_ops::applied(op code, std::span<const expanded> operands) const {
    if (code == op::real) return real(operands[0]);
    if (code == op::imag) return imag(operands[0]);
    const bool select = info(code).result == op_result::SELECT;
    dtype promoted = operands[select].type;
    for (const expanded& x : operands.subspan(select)) promoted = promote(promoted, x.type);
    const bool both = std::all_of(operands.begin(), operands.end(), [](const expanded& x) { return is_complex(x.type); });
    const bool is_product = code == op::mul || code == op::rounded_mul;
    if (both && (is_product || code == op::square)) {
        const std::array factors{whole(cast(operands[0], promoted)), whole(cast(operands[operands.size() - 1], promoted))};
        return {g_.add_op(op::complex_product, factors), promoted};
    }
    if (code == op::fma) {
        const auto factor = [&](const expanded& x) { return cast(x, is_complex(x.type) ? promoted : real_dtype(promoted)); };
        return applied(op::add,
                       std::array{applied(op::mul, std::array{factor(operands[0]), factor(operands[1])}), operands[2]});
    }
    const op_dtypes rule = resolve(code, promoted);
    const dtype part = real_dtype(register_dtype(rule.operand));
    std::vector<operand> in;
    for (const expanded& x : operands) {
        const dtype type = select && in.empty() ? dtype::bool_ : part;
        const auto as = [&](const expanded& real) { return real_value(g_, g_.add_cast(real.value, type)); };
        in.push_back({as(real(x)), is_complex(x.type) ? std::optional(as(imag(x))) : std::nullopt});
    }
    // What a function gives is rounded (see rounded_product in src/formulas/values.hpp), and what it is given.
    const bool is_function = code == op::rounded_mul || info(code).form == op_form::CALL;
    if (is_function && code != op::rounded_mul)
        for (operand& x : in) x = {rounded(x.re), x.im ? std::optional(rounded(*x.im)) : std::nullopt};
    const operand result = formula(in, part).of(code);
    const auto of = [&](const real_value& x) { return is_function ? rounded(x).id : x.id; };
    if (!result.im) return {of(result.re), rule.result};
    return pair(rule.result, of(result.re), of(*result.im));
}

expanded complex_ops::cast(const expanded& x, dtype to) const {
    if (x.type == to) return x;
    if (to == dtype::bool_) {
        const operand z{real_value(g_, real(x).value), real_value(g_, imag(x).value)};
        return {is_nonzero(z).id, to};
    }
    const fusion::value_id re = g_.add_cast(real(x).value, real_dtype(to));
    if (!is_complex(to)) return {re, to};
    return pair(to, re,
                is_complex(x.type) ? g_.add_cast(imag(x).value, real_dtype(to)) : g_.add_constant(real_dtype(to), 0));
}

}  // namespace frit::v0::detail

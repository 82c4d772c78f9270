// Elementwise part of the reference: one formula an op, written once over float, double and long double, and once over
// 64-bit integers that are wrapped to their width. A new row of the table does not compile here until it has a formula.
#include "tests/support/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "tests/support/ulp.hpp"

namespace ref {
namespace {

__extension__ typedef __int128 wide;

constexpr long double unknown = std::numeric_limits<long double>::infinity();

template <class F>
F larger(F a, F b) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<F>::quiet_NaN();
    return a < b ? b : a;
}
template <class F>
F smaller(F a, F b) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<F>::quiet_NaN();
    return b < a ? b : a;
}

[[noreturn]] void no_formula(op o) { throw std::logic_error("reference: no formula for " + std::string(name_of(o))); }

template <class F>
F floating_formula(op o, F a, F b, F c) {
    switch (o) {
        case op::add: return a + b;
        case op::sub: return a - b;
        case op::mul: return a * b;
        case op::div: return a / b;
        case op::mod: return std::fmod(a, b);
        case op::neg: return -a;
        case op::fma: return std::fma(a, b, c);
        case op::fms: return std::fma(a, b, -c);
        case op::fnma: return std::fma(-a, b, c);
        case op::lt: return a < b;
        case op::le: return a <= b;
        case op::gt: return a > b;
        case op::ge: return a >= b;
        case op::eq: return a == b;
        case op::ne: return a != b;
        case op::logical_not: return a == 0;
        case op::maximum: return larger(a, b);
        case op::minimum: return smaller(a, b);
        case op::clip: return smaller(larger(a, b), c);
        case op::abs: return std::fabs(a);
        case op::floor: return std::floor(a);
        case op::ceil: return std::ceil(a);
        case op::sqrt: return std::sqrt(a);
        case op::rsqrt: return 1 / std::sqrt(a);
        case op::exp: return std::exp(a);
        case op::log: return std::log(a);
        case op::sin: return std::sin(a);
        case op::cos: return std::cos(a);
        case op::tanh: return std::tanh(a);
        case op::pow: return std::pow(a, b);
        case op::erf: return std::erf(a);
        case op::bit_and:
        case op::bit_or:
        case op::bit_xor:
        case op::bit_not:
        case op::shl:
        case op::shr:
        case op::where:
#define FRIT_REDUCTION(name, ...) case op::name:
#include "frit/ops.def"
#define FRIT_LIBRARY(name, ...) case op::name:
#include "frit/ops.def"
        case op::leaf:
        case op::scalar:
        case op::cast:
        case op::view:
        case op::update:
        case op::coord:
        case op::load:
        case op::total: break;
    }
    no_formula(o);
}

std::int64_t wrap(wide x, dtype t) {
    return t == dtype::i32 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(x))
                           : static_cast<std::int64_t>(static_cast<std::uint64_t>(x));
}

// Bool operands come as 0 and 1: the table has replaced + * max min by | & there, so that the formulas below fit.
std::int64_t integer_formula(op o, dtype t, std::int64_t a, std::int64_t b, std::int64_t c) {
    const int width = t == dtype::i32 ? 32 : 64;
    const wide wa = a, wb = b;
    switch (o) {
        case op::add: return wrap(wa + wb, t);
        case op::sub: return wrap(wa - wb, t);
        case op::mul: return wrap(wa * wb, t);
        case op::div: return b == 0 ? 0 : wrap(wa / wb, t);
        case op::mod: return b == 0 ? 0 : wrap(wa % wb, t);
        case op::neg: return wrap(-wa, t);
        case op::lt: return a < b;
        case op::le: return a <= b;
        case op::gt: return a > b;
        case op::ge: return a >= b;
        case op::eq: return a == b;
        case op::ne: return a != b;
        case op::bit_and: return a & b;
        case op::bit_or: return a | b;
        case op::bit_xor: return a ^ b;
        case op::bit_not: return t == dtype::bool_ ? !a : ~a;
        case op::logical_not: return a == 0;
        case op::shl: return b < 0 || b >= width ? 0 : wrap(wa << b, t);
        case op::shr: return b < 0 || b >= width ? (a < 0 ? -1 : 0) : a >> b;
        case op::maximum: return std::max(a, b);
        case op::minimum: return std::min(a, b);
        case op::clip: return std::min(std::max(a, b), c);
        case op::abs: return wrap(wa < 0 ? -wa : wa, t);
        default: no_formula(o);
    }
}

// The exactly rounded ops, computed in the dtype itself.
long double native(op o, dtype t, long double a, long double b, long double c) {
    if (t == dtype::f32) return floating_formula(o, static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
    return floating_formula(o, static_cast<double>(a), static_cast<double>(b), static_cast<double>(c));
}

long double spacing_of(dtype t, long double at) {
    return t == dtype::f32 ? frit_test::spacing<float>(at) : frit_test::spacing<double>(at);
}

number floating(op o, dtype t, const number& a, const number& b, const number& c) {
    const frit::op_info& row = info(o);
    const bool contractible = o == op::add || o == op::sub;
    const long double ea = a.err + (contractible ? a.slack : 0), eb = b.err + (contractible ? b.slack : 0), ec = c.err;
    const bool exact_operands = ea == 0 && (row.arity < 2 || eb == 0) && (row.arity < 3 || ec == 0);
    number r;
    if (row.ulp == 0) {
        r.v = native(o, t, a.v, b.v, c.v);
    } else {
        r.v = floating_formula<long double>(o, a.v, b.v, c.v);
        r.err = static_cast<long double>(row.ulp) * spacing_of(t, r.v);
    }
    if (o == op::mul && std::isfinite(r.v))
        r.slack = std::fabs(r.v - a.v * b.v) + (t == dtype::f64 ? spacing_of(t, r.v) / 2 : 0);
    if (o == op::mul && t == dtype::f64 &&
        std::fma(static_cast<double>(a.v), static_cast<double>(b.v), -static_cast<double>(r.v)) == 0)
        r.slack = 0;
    if (o == op::neg) r.slack = a.slack;
    if (exact_operands) return r;

    if ((o == op::div || o == op::mod) && std::fabs(b.v) <= eb) r.err = unknown;
    if ((o == op::eq || o == op::ne) && std::fabs(a.v - b.v) <= ea + eb) r.err = unknown;
    if (o == op::logical_not && std::fabs(a.v) <= ea) r.err = unknown;
    if (o == op::pow && ((std::isnan(b.v) && std::fabs(a.v - 1) <= ea) || (std::isnan(a.v) && std::fabs(b.v) <= eb)))
        r.err = unknown;  // 1 to the power of NaN, and NaN to the power of 0, are 1
    if (ea == unknown || eb == unknown || ec == unknown) r.err = unknown;
    if (r.err == unknown) return r;
    const long double centre = floating_formula<long double>(o, a.v, b.v, c.v);
    if (row.ulp == 0) r.v = centre;
    if (o == op::sin || o == op::cos) {  // not monotone, but never steeper than 1
        r.err += std::min(ea, 2.0L);
        return r;
    }
    long double deviation = 0;
    for (int corner = 0; corner < 1 << row.arity; ++corner) {
        const auto moved = [corner](long double v, long double e, int k) { return corner >> k & 1 ? v + e : v - e; };
        const long double at = floating_formula<long double>(o, moved(a.v, ea, 0), moved(b.v, eb, 1), moved(c.v, ec, 2));
        if (std::isnan(at) != std::isnan(centre) || std::isinf(at) != std::isinf(centre))
            deviation = unknown;
        else if (at != centre && !std::isnan(at))
            deviation = std::max(deviation, std::fabs(at - centre));
    }
    if (deviation > 0 && row.result == frit::op_result::BOOL) deviation = unknown;
    if (o == op::mod && std::fabs(a.v / b.v) > 0) {
        const long double lo = std::trunc((std::fabs(a.v) - ea) / (std::fabs(b.v) + eb));
        const long double hi = std::trunc((std::fabs(a.v) + ea) / (std::fabs(b.v) - eb));
        if (lo != hi) deviation = unknown;
    }
    const long double limit = t == dtype::f32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    if (std::fabs(r.v) + deviation > limit) deviation = unknown;
    if (row.result == frit::op_result::BOOL)
        r.err = deviation;
    else  // rounded where the right answer may lie, which is not where ours does
        r.err = deviation + (static_cast<long double>(row.ulp) + 1) * spacing_of(t, std::fabs(r.v) + deviation);
    return r;
}

}  // namespace

bool number::known() const { return err != unknown; }

long double rounded(long double x, dtype t) {
    switch (t) {
        case dtype::f32: return static_cast<float>(x);
        case dtype::f64: return static_cast<double>(x);
        default: return x;
    }
}

number apply(op o, dtype operand, const number& a, const number& b, const number& c) {
    if (o == op::where) {
        if (!a.known()) return {b.v, b.v == c.v && b.err == 0 && c.err == 0 ? 0 : unknown, 0};
        return a.v != 0 ? b : c;
    }
    if (frit::is_float(operand)) return floating(o, operand, a, b, c);
    const int arity = info(o).arity;
    number r;
    r.v = static_cast<long double>(integer_formula(o, operand, static_cast<std::int64_t>(a.v),
                                                   static_cast<std::int64_t>(b.v), static_cast<std::int64_t>(c.v)));
    if (!a.known() || (arity > 1 && !b.known()) || (arity > 2 && !c.known())) r.err = unknown;
    return r;
}

number convert(const number& x, dtype from, dtype to) {
    if (from == to) return {x.v, x.err, x.slack};
    const auto one = [&](long double v) -> long double {
        if (to == dtype::bool_) return v != 0;  // NaN is not 0
        if (frit::is_float(to)) return rounded(v, to);
        if (frit::is_float(from)) {
            const long double lo = to == dtype::i32 ? INT32_MIN : INT64_MIN, hi = to == dtype::i32 ? INT32_MAX : INT64_MAX;
            return std::isnan(v) ? 0 : std::trunc(std::clamp(v, lo, hi)) + 0.0L;  // no integer is -0
        }
        return static_cast<long double>(wrap(static_cast<wide>(v), to));
    };
    number r{one(x.v), 0, 0};
    if (x.err == 0) return r;
    if (!x.known()) {
        r.err = unknown;
    } else if (frit::is_float(to)) {
        r.err = x.err + spacing_of(to, x.v);
        if (std::isinf(r.v)) r.err = unknown;
    } else if (one(x.v - x.err) != one(x.v + x.err) || (to == dtype::bool_ && std::fabs(x.v) <= x.err)) {
        r.err = unknown;
    }
    return r;
}

}  // namespace ref

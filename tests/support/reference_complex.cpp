// Complex part of the reference: the textbook formulas in std::complex<long double>, with a bound on the error's modulus.
// What moves or compares parts is exact. The bounds of the others are those that tests/unit/test_complex_functions.cpp
// states for finite operands; what infinite and NaN operands give is said there too, and nothing of it here.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/reference.hpp"

namespace ref {
namespace {

constexpr long double unknown = std::numeric_limits<long double>::infinity();
constexpr long double ln2 = 0.693147180559945309417232121458176568L, ln10 = 2.30258509299404568401799145468436421L;

bool is_finite(value z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }

value expm1(value z) {
    const long double x = z.real(), y = z.imag(), half = std::sin(y / 2);
    return {std::expm1(x) * std::cos(y) - 2 * half * half, std::exp(x) * std::sin(y)};
}
value log1p(value z) {
    const long double x = z.real(), y = z.imag();
    return {std::log1p(x * (2 + x) + y * y) / 2, std::atan2(y, 1 + x)};
}
value pow(value z, value w) {
    if (w == value(0)) return 1;
    if (z == value(0)) return w.real() > 0 ? 0 : value(unknown);
    return std::exp(w * std::log(z));
}

bool is_nan(const number& x) { return std::isnan(x.v) || std::isnan(x.im); }
bool is_below(const number& a, const number& b) {
    return !is_nan(a) && !is_nan(b) && (a.v < b.v || (a.v == b.v && a.im < b.im));
}
/// Whether it cannot be otherwise within the bounds.
bool is_settled(const number& a, const number& b) {
    return a.err + b.err == 0 || (!is_nan(a) && !is_nan(b) && std::fabs(a.v - b.v) > a.err + b.err);
}
/// maximum and its like: the first NaN, or the number beside it; of equal ones the first.
number chosen(const number& a, const number& b, bool largest, bool number_wins) {
    const bool first =
        is_nan(number_wins ? b : a) || (!is_nan(a) && !is_nan(b) && !(largest ? is_below(a, b) : is_below(b, a)));
    number r = first ? a : b;
    if (!is_settled(a, b)) r.err = unknown;
    return r;
}

value formula(op o, value a, value b) {
    switch (o) {
        case op::mul: return a * b;
        case op::div: return a / b;
        case op::square: return a * a;
        case op::reciprocal: return 1.0L / a;
        case op::abs: return std::abs(a);
        case op::arg: return std::arg(a);
        case op::sign: return a == value(0) ? 0 : a / std::abs(a);
        case op::sqrt: return std::sqrt(a);
        case op::rsqrt: return 1.0L / std::sqrt(a);
        case op::exp: return std::exp(a);
        case op::exp2: return std::exp(a * ln2);
        case op::expm1: return expm1(a);
        case op::log: return std::log(a);
        case op::log2: return std::log(a) / ln2;
        case op::log10: return std::log(a) / ln10;
        case op::log1p: return log1p(a);
        case op::pow: return pow(a, b);
        case op::sin: return std::sin(a);
        case op::cos: return std::cos(a);
        case op::tan: return std::tan(a);
        case op::asin: return std::asin(a);
        case op::acos: return std::acos(a);
        case op::atan: return std::atan(a);
        case op::sinh: return std::sinh(a);
        case op::cosh: return std::cosh(a);
        case op::tanh: return std::tanh(a);
        case op::asinh: return std::asinh(a);
        case op::acosh: return std::acosh(a);
        case op::atanh: return std::atanh(a);
        default: throw std::logic_error("reference: no complex formula for " + std::string(name_of(o)));
    }
}

/// The op's error, in units in the last place of the result's modulus. Of a power it grows with the exponent.
long double ulps(op o, value a, value b) {
    if (o == op::exp2 && std::fabs(a.imag()) > 1e8L) return unknown;  // its angle is rounded
    return o == op::pow ? 8 * (1 + std::abs(a == value(0) ? b : b * std::log(a))) : 8;
}

/// How far the results move while the operands do by ea and eb: twice the most of a few points around them, unless a pole
/// or a zero of the function might be as near.
long double movement(op o, value centre, value a, long double ea, value b, long double eb) {
    constexpr value around[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {.7L, .7L}, {-.7L, .7L}, {-.7L, -.7L}, {.7L, -.7L}};
    long double most = 0;
    for (const value& u : around)
        for (const value& v : around) {
            const long double moved = std::abs(formula(o, a + ea * u, b + eb * v) - centre);
            most = std::isfinite(moved) ? std::max(most, moved) : unknown;
            if (eb == 0 || most == unknown) break;
        }
    return most > std::max(std::abs(centre), 1.0L) / 4 ? unknown : 2 * most;
}

number truth(bool x, bool certain = true) { return {x ? 1.0L : 0.0L, certain ? 0 : unknown, 0}; }

}  // namespace

number apply_complex(op o, dtype t, const number& a, const number& b, const number& c, const std::array<bool, 2>& real) {
    const bool two = info(o).arity == 2;
    const bool zero_a = a.err > 0 && std::abs(a.at()) <= a.err, zero_b = b.err > 0 && std::abs(b.at()) <= b.err;
    const auto is_nonzero = [](const number& x) { return x.v != 0 || x.im != 0; };
    const auto has = [&](auto property) {
        return truth(property(a.v) || property(a.im), std::abs(a.at()) + a.err < largest(t));
    };
    const bool finite = is_finite(a.at()) && is_finite(b.at());
    switch (o) {  // what is exact
        case op::real: return {a.v, a.err, 0};
        case op::imag: return {a.im, a.err, 0};
        case op::pos: return a;
        case op::neg: return {-a.v, a.err, a.slack, -a.im};
        case op::conj: return {a.v, a.err, a.slack, -a.im};
        case op::proj:
            if (std::isinf(a.v) || std::isinf(a.im)) return {unknown, 0, 0, std::copysign(0.0L, a.im)};
            return a;
        case op::isnan:
            if (a.err == 0) return has([](long double x) { return std::isnan(x); });
            return truth(is_nan(a), a.known());
        case op::isinf:
            if (a.err == 0) return truth(std::isinf(a.v) || std::isinf(a.im));
            return has([](long double x) { return std::isinf(x); });
        case op::isfinite: {
            number r = a.err == 0 ? truth(!is_finite(a.at())) : has([](long double x) { return !std::isfinite(x); });
            r.v = 1 - r.v;
            return r;
        }
        case op::rint: return {std::rint(a.v), a.err == 0 ? 0 : a.err + 2, 0, std::rint(a.im)};
        case op::fma: return apply_complex(op::add, t, apply_complex(op::mul, t, a, b, {}, real), c);
        case op::maximum: return chosen(a, b, true, false);
        case op::minimum: return chosen(a, b, false, false);
        case op::fmax: return chosen(a, b, true, true);
        case op::fmin: return chosen(a, b, false, true);
        case op::clip: return chosen(chosen(a, b, true, false), c, false, false);
        case op::lt: return truth(is_below(a, b), is_settled(a, b));
        case op::gt: return truth(is_below(b, a), is_settled(a, b));
        case op::le:
        case op::ge: {
            const bool numbers = !is_nan(a) && !is_nan(b);
            return truth(numbers && !(o == op::le ? is_below(b, a) : is_below(a, b)), is_settled(a, b));
        }
        case op::logical_not: return truth(!is_nonzero(a), !zero_a && a.known());
        case op::logical_and: return truth(is_nonzero(a) && is_nonzero(b), !zero_a && !zero_b);
        case op::logical_or: return truth(is_nonzero(a) || is_nonzero(b), !zero_a && !zero_b);
        case op::logical_xor: return truth(is_nonzero(a) != is_nonzero(b), !zero_a && !zero_b);
        case op::eq:
        case op::ne: {
            const bool certain = a.err + b.err == 0 || std::abs(a.at() - b.at()) > a.err + b.err;
            return truth((a.v == b.v && a.im == b.im) == (o == op::eq), certain);
        }
        default: break;
    }
    const dtype part = frit::real_dtype(t);
    const long double err = a.err + (two ? b.err : 0);
    if (o == op::add || o == op::sub) {
        const long double s = o == op::add ? 1 : -1;
        number r{rounded(a.v + s * b.v, part), 0, 0, rounded(a.im + s * b.im, part)};
        if (real[1]) r.im = a.im;
        if (real[0]) r.im = s * b.im;
        const long double may = err + a.slack + b.slack;
        if (may > 0) r.err = is_finite(r.at()) ? may + 2 * spacing_of(t, std::abs(r.at()) + may) : unknown;
        return r;
    }
    const bool near_zero = o != op::mul && o != op::square && (zero_a || (two && zero_b));  // a pole, for some
    const long double units = finite ? ulps(o, a.at(), b.at()) : unknown;
    if (!(units < 1e6L) || near_zero || err == unknown) return {0, unknown, 0};
    const value centre = formula(o, a.at(), b.at());
    number r = exactly(centre);
    r.err = err == 0 ? 0 : movement(o, centre, a.at(), a.err, b.at(), two ? b.err : 0);
    const long double size = std::abs(centre) + r.err;
    // what overflows is said elsewhere; a product's parts may overflow or cancel where it does not
    const long double reach = o == op::mul || o == op::square ? std::abs(a.at()) * std::abs(two ? b.at() : a.at()) : size;
    if (!(std::max(size, reach) < largest(t) / 4)) return {0, unknown, 0};
    r.err += units * spacing_of(t, std::max(size, reach));
    return r;
}

}  // namespace ref

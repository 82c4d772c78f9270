// What each row of the op table computes, written a second time: one function a row, by the row's name, over floating types
// and over exact wide integers. reference.cpp expands the table over them, so a new row does not compile there until it has
// its formula here. Nothing is shared with the engines.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ref {

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/// Rows that take floating operands. F is the dtype itself where the result is exactly rounded, else long double.
template <class F>
struct floating_formulas {
    static constexpr F pi = static_cast<F>(3.14159265358979323846264338327950288L);
    static constexpr F nan = std::numeric_limits<F>::quiet_NaN();

    // arithmetic
    static F add(F a, F b) { return a + b; }
    static F sub(F a, F b) { return a - b; }
    static F mul(F a, F b) { return a * b; }
    static F div(F a, F b) { return a / b; }
    static F mod(F a, F b) { return std::fmod(a, b); }
    static F fmod(F a, F b) { return std::fmod(a, b); }
    static F neg(F a) { return -a; }
    static F pos(F a) { return a; }
    static F fma(F a, F b, F c) { return std::fma(a, b, c); }
    static F rounded_mul(F a, F b) { return a * b; }
    static F fms(F a, F b, F c) { return std::fma(a, b, -c); }
    static F fnma(F a, F b, F c) { return std::fma(-a, b, c); }
    static F square(F a) { return a * a; }
    static F reciprocal(F a) { return 1 / a; }
    static F fdim(F a, F b) { return a <= b ? 0 : a - b; }
    static F lerp(F a, F b, F t) { return std::fma(t, b, std::fma(-t, a, a)); }
    static F deg2rad(F a) { return a * (pi / 180); }
    static F rad2deg(F a) { return a * (180 / pi); }
    // NumPy's divmod: the quotient that belongs to the remainder, so that both are right also where a / b rounds up to an
    // integer. Source: NumPy, npy_divmod.
    static F remainder(F a, F b) {
        const F r = std::fmod(a, b);
        if (b == 0 || std::isnan(r)) return r;
        if (r == 0) return std::copysign(F(0), b);
        return (r < 0) == (b < 0) ? r : r + b;
    }
    static F floor_divide(F a, F b) {
        if (b == 0) return a / b;
        const F r = std::fmod(a, b);
        F quotient = (a - r) / b;
        if (r != 0 && (r < 0) != (b < 0)) quotient -= 1;
        if (quotient == 0) return std::copysign(F(0), a / b);
        const F below = std::floor(quotient);
        return quotient - below > F(0.5) ? below + 1 : below;
    }
    static F ieee_remainder(F a, F b) { return std::remainder(a, b); }
    // comparison and logic
    static F lt(F a, F b) { return a < b; }
    static F le(F a, F b) { return a <= b; }
    static F gt(F a, F b) { return a > b; }
    static F ge(F a, F b) { return a >= b; }
    static F eq(F a, F b) { return a == b; }
    static F ne(F a, F b) { return a != b; }
    static F logical_not(F a) { return a == 0; }
    static F logical_and(F a, F b) { return a != 0 && b != 0; }
    static F logical_or(F a, F b) { return a != 0 || b != 0; }
    static F logical_xor(F a, F b) { return (a != 0) != (b != 0); }
    static F isnan(F a) { return std::isnan(a); }
    static F isinf(F a) { return std::isinf(a); }
    static F isfinite(F a) { return std::isfinite(a); }
    static F signbit(F a) { return std::signbit(a); }
    // selection
    static F where(F condition, F a, F b) { return condition != 0 ? a : b; }
    static F maximum(F a, F b) { return std::isnan(a) || std::isnan(b) ? nan : a < b ? b : a; }
    static F minimum(F a, F b) { return std::isnan(a) || std::isnan(b) ? nan : b < a ? b : a; }
    static F clip(F a, F lo, F hi) { return minimum(maximum(a, lo), hi); }
    static F fmax(F a, F b) { return std::isnan(a) ? b : std::isnan(b) ? a : maximum(a, b); }
    static F fmin(F a, F b) { return std::isnan(a) ? b : std::isnan(b) ? a : minimum(a, b); }
    static F heaviside(F a, F at_zero) { return std::isnan(a) ? a : a == 0 ? at_zero : F(a > 0); }
    static F sign(F a) { return std::isnan(a) ? a : F((a > 0) - (a < 0)); }
    static F copysign(F a, F b) { return std::copysign(a, b); }
    static F nextafter(F a, F b) { return std::nextafter(a, b); }
    // <cmath>
    static F abs(F a) { return std::fabs(a); }
    static F fabs(F a) { return std::fabs(a); }
    static F floor(F a) { return std::floor(a); }
    static F ceil(F a) { return std::ceil(a); }
    static F trunc(F a) { return std::trunc(a); }
    static F round(F a) { return std::round(a); }
    static F rint(F a) { return std::rint(a); }
    static F nearbyint(F a) { return std::nearbyint(a); }
    static F logb(F a) { return std::logb(a); }
    static F sqrt(F a) { return std::sqrt(a); }
    static F rsqrt(F a) { return 1 / std::sqrt(a); }
    static F cbrt(F a) { return std::cbrt(a); }
    static F hypot(F a, F b) { return std::hypot(a, b); }
    static F exp(F a) { return std::exp(a); }
    static F exp2(F a) { return std::exp2(a); }
    static F expm1(F a) { return std::expm1(a); }
    static F log(F a) { return std::log(a); }
    static F log2(F a) { return std::log2(a); }
    static F log10(F a) { return std::log10(a); }
    static F log1p(F a) { return std::log1p(a); }
    static F pow(F a, F b) { return std::pow(a, b); }
    static F sin(F a) { return std::sin(a); }
    static F cos(F a) { return std::cos(a); }
    static F tan(F a) { return std::tan(a); }
    static F asin(F a) { return std::asin(a); }
    static F acos(F a) { return std::acos(a); }
    static F atan(F a) { return std::atan(a); }
    static F atan2(F a, F b) { return std::atan2(a, b); }
    static F sinh(F a) { return std::sinh(a); }
    static F cosh(F a) { return std::cosh(a); }
    static F tanh(F a) { return std::tanh(a); }
    static F asinh(F a) { return std::asinh(a); }
    static F acosh(F a) { return std::acosh(a); }
    static F atanh(F a) { return std::atanh(a); }
    static F erf(F a) { return std::erf(a); }
    static F erfc(F a) { return std::erfc(a); }
    static F lgamma(F a) { return std::lgamma(a); }
    static F tgamma(F a) { return std::tgamma(a); }
    // of neural networks; the long forms keep their digits in both tails
    static F relu(F a) { return maximum(a, 0); }
    static F sigmoid(F a) { return 1 / (1 + std::exp(-a)); }
    static F silu(F a) { return a / (1 + std::exp(-a)); }
    static F softplus(F a) { return std::isnan(a) ? a : std::fmax(a, F(0)) + std::log1p(std::exp(-std::fabs(a))); }
    static F logaddexp(F a, F b) {
        if (a == b) return a + std::log(F(2));  // infinities too
        return std::fmax(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
    }
    static F normcdf(F a) { return std::erfc(-a / std::sqrt(F(2))) / 2; }
    static F gelu(F a) { return a * normcdf(a); }
    // By Newton's method from 0: what is beyond z is a convex function, so no step goes too far.
    static F normal_isf(F a) {
        if (a >= F(0.5)) return 0;
        if (a != a) return nan;
        a = std::max(a, F(0x1p-66));
        F z = 0;
        for (int step = 0; step < 200; ++step) {
            const F u = z / std::sqrt(F(2)), density = std::exp(-u * u) / std::sqrt(2 * pi);
            const F left = a > F(0.25) ? F(0.5) - a - std::erf(u) / 2 : std::erfc(u) / 2 - a;
            const F next = z + left / density;
            if (next <= z) break;
            z = next;
        }
        return z;
    }
    // the results of modf and frexp
    // of real numbers
    static F real(F a) { return a; }
    static F imag(F) { return 0; }
    static F conj(F a) { return a; }
    static F arg(F a) { return std::atan2(F(0), a); }
    static F proj(F a) { return std::isinf(a) ? std::fabs(a) : a; }
    static F modf_fraction(F a) {
        F whole;
        return std::modf(a, &whole);
    }
    static F frexp_mantissa(F a) {
        int exponent;
        return std::frexp(a, &exponent);
    }
    static F frexp_exponent(F a) {
        int exponent = 0;
        std::frexp(a, &exponent);
        return std::isfinite(a) ? static_cast<F>(exponent) : 0;
    }
    static F gelu_tanh(F a) {
        const F u = std::sqrt(2 / pi) * (a + static_cast<F>(0.044715L) * a * a * a);
        return a / (1 + std::exp(-2 * u));
    }
#define FRIT_OF_SHORT(name, form) \
    static F form(F a) { return name(a); }
#include "frit/ops.def"
};

/// Rows that take integers and bool (as 0 and 1). Exact; the caller wraps the result to `width` bits.
struct integer_formulas {
    int width;

    static wide modular(unsigned_wide x) { return static_cast<wide>(x); }
    static wide floored(wide a, wide b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }
    bool too_wide(wide shift) const { return shift < 0 || shift >= width; }

    wide add(wide a, wide b) const { return a + b; }
    wide sub(wide a, wide b) const { return a - b; }
    wide mul(wide a, wide b) const { return modular(static_cast<unsigned_wide>(a) * static_cast<unsigned_wide>(b)); }
    wide rounded_mul(wide a, wide b) const { return mul(a, b); }
    wide div(wide a, wide b) const { return b == 0 ? 0 : a / b; }
    wide mod(wide a, wide b) const { return b == 0 ? 0 : a % b; }
    wide fmod(wide a, wide b) const { return mod(a, b); }
    wide floor_divide(wide a, wide b) const { return b == 0 ? 0 : floored(a, b); }
    wide remainder(wide a, wide b) const { return b == 0 ? 0 : a - floored(a, b) * b; }
    wide pow(wide a, wide b) const {
        if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
        unsigned_wide power = 1, square = static_cast<unsigned_wide>(a);
        for (; b != 0; b /= 2, square *= square)
            if (b % 2 != 0) power *= square;
        return modular(power);
    }
    // Philox as its paper writes it: the words of the counter (block, stream), ten rounds, the key bumped before each but
    // the first.
    static std::uint32_t philox_word(std::uint64_t block, wide stream, wide key, unsigned word) {
        const auto half = [](auto w, int upper) { return static_cast<std::uint32_t>(w >> (32 * upper)); };
        std::uint32_t x[] = {half(block, 0), half(block, 1), half(stream, 0), half(stream, 1)};
        std::uint32_t k[] = {half(key, 0), half(key, 1)};
        for (int round = 0; round < 10; ++round) {
            if (round > 0) k[0] += 0x9E3779B9U, k[1] += 0xBB67AE85U;
            const std::uint64_t p = std::uint64_t{0xD2511F53U} * x[0], q = std::uint64_t{0xCD9E8D57U} * x[2];
            const std::uint32_t next[] = {half(q, 1) ^ x[1] ^ k[0], half(q, 0), half(p, 1) ^ x[3] ^ k[1], half(p, 0)};
            std::copy_n(next, 4, x);
        }
        return x[word];
    }
    wide philox32(wide a, wide b, wide c) const {
        const auto i = static_cast<std::uint64_t>(a);
        return philox_word(i / 4, b, c, i % 4);
    }
    wide philox64(wide a, wide b, wide c) const {
        const auto i = static_cast<std::uint64_t>(a);
        const unsigned first = i % 2 == 0 ? 0 : 2;
        return static_cast<wide>(std::uint64_t{philox_word(i / 2, b, c, first + 1)} << 32 | philox_word(i / 2, b, c, first));
    }
    wide mul_high(wide a, wide b) const {
        return static_cast<wide>((static_cast<unsigned_wide>(a) * static_cast<unsigned_wide>(b)) >> 64);
    }
    wide neg(wide a) const { return -a; }
    wide pos(wide a) const { return a; }
    wide real(wide a) const { return a; }
    wide imag(wide) const { return 0; }
    wide conj(wide a) const { return a; }
    wide abs(wide a) const { return a < 0 ? -a : a; }
    wide sign(wide a) const { return (a > 0) - (a < 0); }
    wide square(wide a) const { return mul(a, a); }
    wide lt(wide a, wide b) const { return a < b; }
    wide le(wide a, wide b) const { return a <= b; }
    wide gt(wide a, wide b) const { return a > b; }
    wide ge(wide a, wide b) const { return a >= b; }
    wide eq(wide a, wide b) const { return a == b; }
    wide ne(wide a, wide b) const { return a != b; }
    wide bit_and(wide a, wide b) const { return a & b; }
    wide bit_or(wide a, wide b) const { return a | b; }
    wide bit_xor(wide a, wide b) const { return a ^ b; }
    wide bit_not(wide a) const { return ~a; }
    wide shl(wide a, wide b) const { return too_wide(b) ? 0 : modular(static_cast<unsigned_wide>(a) << b); }
    wide shr(wide a, wide b) const { return too_wide(b) ? -wide{a < 0} : a >> b; }
    wide popcount(wide a) const {
        const std::uint64_t bits = static_cast<std::uint64_t>(a) << (64 - width) >> (64 - width);
        return std::popcount(bits);
    }
    wide logical_not(wide a) const { return a == 0; }
    wide logical_and(wide a, wide b) const { return a != 0 && b != 0; }
    wide logical_or(wide a, wide b) const { return a != 0 || b != 0; }
    wide logical_xor(wide a, wide b) const { return (a != 0) != (b != 0); }
    wide where(wide condition, wide a, wide b) const { return condition != 0 ? a : b; }
    wide maximum(wide a, wide b) const { return std::max(a, b); }
    wide minimum(wide a, wide b) const { return std::min(a, b); }
    wide fmax(wide a, wide b) const { return std::max(a, b); }
    wide fmin(wide a, wide b) const { return std::min(a, b); }
    wide clip(wide a, wide lo, wide hi) const { return std::min(std::max(a, lo), hi); }
    wide relu(wide a) const { return std::max<wide>(a, 0); }
};

}  // namespace ref

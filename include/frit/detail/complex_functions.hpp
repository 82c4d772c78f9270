// The functions of complex numbers as formulas over real ones. They stand here once, as templates over what a real value is
// (a handle of a value in a graph, or in the list that frit::aot makes while a program is compiled), so that every engine
// computes the same bits and a formula fuses as any other.
//
// R has the operators, comparisons that give masks, where(mask, a, b), rounded_mul(a, b), which is no fma's product, and
// <cmath>'s functions, found in R's namespace.
// There is no branch: both sides of a selection are computed, and a side that is not selected may be NaN or infinite. A
// product that is added to something may be contracted to an fma; where that would spoil an exact error, fma is written out.
//
// Branch cuts, zeros' signs, infinities and NaNs are those of C's Annex G. Most of its special values come out of the
// arithmetic; the selections are what is left. Where it leaves a sign open, beside a NaN, that is always the same one. The
// circular functions are the hyperbolic ones of i z, by the same formulas.
//
// The constants are double precision's. Only modulus, argument, proj and conj may run in float; all the others are computed
// in double for both complex dtypes, and divide_narrow is the quotient of what were floats.
//
// The formulas: W. Kahan (1987), "Branch cuts for complex elementary functions"; T. Hull, T. Fairgrieve and P. Tang (1994,
// 1997), "Implementing complex elementary functions" and "... arcsine and arccosine functions using exception handling";
// M. Baudin and R. Smith (2012), "A robust complex division in Scilab"; T. Dekker (1971) for exact sums and products.
#pragma once

#include <utility>

namespace frit::inline v0::detail::complex_numbers {

/// A complex value.
template <class R>
struct parts {
    R re, im;
};
template <class R>
using mask_of = decltype(isinf(std::declval<R>()));

// --- small pieces ---

template <class R>
constexpr parts<R> conj(const parts<R>& z) {
    return {z.re, -z.im};
}
/// i z and z / i: they turn a hyperbolic function into the circular one and back.
template <class R>
constexpr parts<R> times_i(const parts<R>& z) {
    return {-z.im, z.re};
}
template <class R>
constexpr parts<R> over_i(const parts<R>& z) {
    return {z.im, -z.re};
}

template <class M, class R>
constexpr parts<R> select(const M& mask, const parts<R>& a, const parts<R>& b) {
    return {where(mask, a.re, b.re), where(mask, a.im, b.im)};
}

/// |a| with the sign of b; positive where b is NaN: the signs of NaNs are no engine's promise, so none may be seen in a
/// result.
template <class A, class R>
constexpr R with_sign(const A& a, const R& b) {
    return copysign(a, where(isnan(b), 0.0, b));
}

/// The larger of |re| and |im|: infinite if one of them is, NaN only if both are.
template <class R>
constexpr R larger_part(const parts<R>& z) {
    return fmax(abs(z.re), abs(z.im));
}

template <class R>
constexpr parts<R> product(const parts<R>& z, const parts<R>& w) {
    return {z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re};
}
/// Contracted or not, nothing is left of the real part where the parts are as large.
template <class R>
constexpr parts<R> square(const parts<R>& z) {
    return {(z.re - z.im) * (z.re + z.im), z.re * z.im * 2.0};
}
template <class R>
constexpr parts<R> rint(const parts<R>& z) {
    return {rint(z.re), rint(z.im)};
}

// --- order ---
// By real parts, then by imaginary ones. A number is NaN if a part of it is, and then neither smaller nor larger than
// others.

template <class R>
constexpr mask_of<R> is_nan(const parts<R>& z) {
    return isnan(z.re) | isnan(z.im);
}
template <class R>
constexpr mask_of<R> less(const parts<R>& z, const parts<R>& w) {
    return ((z.re < w.re) & !(isnan(z.im) | isnan(w.im))) | ((z.re == w.re) & (z.im < w.im));
}
template <class R>
constexpr mask_of<R> less_equal(const parts<R>& z, const parts<R>& w) {
    return ((z.re < w.re) & !(isnan(z.im) | isnan(w.im))) | ((z.re == w.re) & (z.im <= w.im));
}
/// The first NaN, or the first of the larger ones; fmax: the number where one is NaN.
template <class R>
constexpr parts<R> maximum(const parts<R>& z, const parts<R>& w) {
    return select(less_equal(w, z) | is_nan(z), z, w);
}
template <class R>
constexpr parts<R> minimum(const parts<R>& z, const parts<R>& w) {
    return select(less_equal(z, w) | is_nan(z), z, w);
}
template <class R>
constexpr parts<R> fmax(const parts<R>& z, const parts<R>& w) {
    return select(less_equal(w, z) | is_nan(w), z, w);
}
template <class R>
constexpr parts<R> fmin(const parts<R>& z, const parts<R>& w) {
    return select(less_equal(z, w) | is_nan(w), z, w);
}

// --- division ---

/// A number as v / by. An infinite one is its direction, and by is 0: a quotient of by is then what Annex G multiplies a
/// quotient of directions with.
template <class R>
struct scaled {
    parts<R> v;
    R by;
};
template <class R>
constexpr scaled<R> directed(const parts<R>& v, const R& size, const R& by) {
    const auto infinite = isinf(size);
    const auto part = [&](const R& a) { return where(infinite, where(isinf(a), copysign(1.0, a), 0.0), a); };
    return {{part(v.re), part(v.im)}, where(infinite, 0.0, by)};
}
/// So that twice a part does not overflow, and an error of the smallest subnormal is none beside the larger part.
template <class R>
constexpr R moderate_scale(const R& size) {
    return where(size < 0x1p-900, 0x1p108, copysign(0.5, size));
}
template <class R>
constexpr scaled<R> moderate(const parts<R>& z) {
    const R size = larger_part(z), by = moderate_scale(size);
    return directed({z.re * by, z.im * by}, size, by);
}

/// Smith's division by w = c + d i: by its larger part and the ratio of the smaller one to it, with w turned by -i where d
/// is the larger. What is added to that part is lost beside it, unless it is a zero: quotients are then infinite, as c's
/// sign says.
template <class R>
struct smith {
    mask_of<R> upright;
    R ratio, whole;
};
template <class R>
constexpr smith<R> smith_of(const parts<R>& w) {
    const auto upright = abs(w.re) >= abs(w.im);
    const R large = where(upright, w.re, w.im), ratio = where(upright, w.im, -w.re) / (large + 0x1p-1022);
    return {upright, ratio, large * (ratio * ratio + 1.0)};
}

/// z / w. Of large, small and subnormal numbers too.
template <class R>
constexpr parts<R> divide(const parts<R>& z, const parts<R>& w) {
    const scaled<R> n = moderate(z), d = moderate(w);
    const smith<R> by = smith_of(d.v);
    const parts<R> t = select(by.upright, n.v, over_i(n.v));
    const R f = d.by / n.by;
    return {(t.re + t.im * by.ratio) / by.whole * f, (t.im - t.re * by.ratio) / by.whole * f};
}
template <class R>
constexpr parts<R> over_real(const R& x, const smith<R>& by, const R& f) {
    const R p = x / by.whole * f, q = x * by.ratio / by.whole * f;
    return {where(by.upright, p, -q), -where(by.upright, q, p)};
}
template <class R>
constexpr parts<R> divide(const R& x, const parts<R>& w) {
    const scaled<R> d = moderate(w);
    const R scale = moderate_scale(abs(x));
    const auto infinite = isinf(x);
    return over_real(where(infinite, copysign(1.0, x), x * scale), smith_of(d.v), d.by / where(infinite, 0.0, scale));
}
template <class R>
constexpr parts<R> reciprocal(const parts<R>& w) {
    const scaled<R> d = moderate(w);
    return over_real(copysign(1.0, d.by), smith_of(d.v), d.by);
}

/// z / w of what were floats: no square of a part leaves the range, and no scale is needed.
template <class R>
constexpr parts<R> divide_narrow(const parts<R>& z, const parts<R>& w) {
    const R of_z = larger_part(z), of_w = larger_part(w);
    const scaled<R> n = directed(z, of_z, copysign(1.0, of_z)), d = directed(w, of_w, copysign(1.0, of_w));
    const R c = d.v.re, whole = c * c + d.v.im * d.v.im, f = d.by / n.by;
    const parts<R> t = product(n.v, {where(whole == 0.0, copysign(1.0, c), c), -d.v.im});
    return {t.re / whole * f, t.im / whole * f};
}

// --- modulus and angle ---

template <class R>
constexpr R modulus(const parts<R>& z) {
    return hypot(z.re, z.im);
}
template <class R>
constexpr R phase(const parts<R>& z) {
    return atan2(z.im, z.re);
}
/// The infinite numbers as one, positive and real.
template <class R>
constexpr parts<R> proj(const parts<R>& z) {
    const R size = larger_part(z);
    return select(isinf(size), parts<R>{size, with_sign(0.0, z.im)}, z);
}
/// z / |z|, and 0 of 0. An infinite number's is its direction.
template <class R>
constexpr parts<R> sign(const parts<R>& z) {
    const parts<R> v = moderate(z).v;
    const R size = hypot(v.re, v.im) + 0x1p-1022;
    return {v.re / size, v.im / size};
}

// --- powers of e ---

/// y, or 0 where x is infinite and y has no direction: e^x (cos y + i sin y) is then 0, or inf + i NaN, by itself.
template <class R>
constexpr R angle_of(const parts<R>& z) {
    return where(isinf(z.re) & !isfinite(z.im), 0.0, z.im);
}

/// cos y and sin y, of which e^x is to be taken in two factors where it overflows and its product with them may not: the
/// real function is given x - steps, and they have the rest.
template <class R>
struct swing {
    mask_of<R> far;
    R x;
    parts<R> at;
};
template <class R>
constexpr swing<R> swing_of(const R& x, const parts<R>& at, double steps, double factor) {
    const auto far = x > steps;
    return {far, where(far, x - steps, x), select(far, parts<R>{at.re * factor, at.im * factor}, at)};
}
inline constexpr double e_to_709 = 0x1.d422d2be5dc9bp+1022;

/// Where y is 0 the result is real, also if e^x is infinite or NaN.
template <class R>
constexpr parts<R> exp(const parts<R>& z) {
    const R y = angle_of(z);
    const swing<R> s = swing_of(z.re, parts<R>{cos(y), sin(y)}, 709, e_to_709);
    const R e = exp(s.x);
    return {e * s.at.re, where(z.im == 0.0, z.im, e * s.at.im)};
}

/// The angle y log 2 as its nearest value and what that lacks; from 2^27 on only the nearest value.
template <class R>
constexpr parts<R> exp2(const parts<R>& z) {
    const double log2_high = 0x1.62e42fefa39efp-1, log2_low = 0x1.abc9e3b39803fp-56, little = 0x1p-27;
    const R y = angle_of(z), a = y * log2_high;
    const R lack = fmax(fmin(y * log2_low + fma(y, log2_high, -a), little), -little);
    const R c = cos(a), d = sin(a);
    const swing<R> s = swing_of(z.re, parts<R>{c - lack * d, d + lack * c}, 1000, 0x1p1000);
    const R e = exp2(s.x);
    return {e * s.at.re, where(z.im == 0.0, z.im, e * s.at.im)};
}

/// e^x cos y - 1 = (e^x - 1) cos y - (1 - cos y), of which the last is sin^2 y / (1 + cos y) where it may be small.
template <class R>
constexpr parts<R> expm1(const parts<R>& z) {
    const R y = angle_of(z), c = cos(y), d = sin(y), versine = where(c < 0.0, 1.0 - c, d * d / (c + 1.0));
    const swing<R> s = swing_of(z.re, parts<R>{c, d}, 709, e_to_709);
    const R e = expm1(s.x), grown = e + 1.0;
    return {where(s.far, grown, e) * s.at.re - versine, where(z.im == 0.0, z.im, grown * s.at.im)};
}

/// sinh |x| and cosh |x| by t = e^|x| - 1 and u = 1 - e^-|x| = t / (1 + t), with the angle's cosine and sine.
template <class R>
struct hyperbolic {
    R sine, cosine;
    parts<R> at;
};
template <class R>
constexpr hyperbolic<R> hyperbolic_of(const parts<R>& z) {
    const R y = angle_of(z);
    const swing<R> s = swing_of(abs(z.re), parts<R>{cos(y), sin(y)}, 709, 0.5 * e_to_709);
    const R t = expm1(s.x), grown = t + 1.0, u = fmin(t / grown, 1.0);
    const R sine = where(s.far, grown, (t + u) * 0.5), cosine = where(s.far, grown, t * 0.5 * u + 1.0);
    return {copysign(sine, z.re), cosine, s.at};
}
template <class R>
constexpr parts<R> sinh(const parts<R>& z) {
    const hyperbolic<R> h = hyperbolic_of(z);
    const auto zero = (z.re == 0.0) & isnan(h.at.re);
    return {where(zero, z.re, h.sine * h.at.re), where(z.im == 0.0, z.im, h.cosine * h.at.im)};
}
template <class R>
constexpr parts<R> cosh(const parts<R>& z) {
    const hyperbolic<R> h = hyperbolic_of(z);
    const auto real = (z.re == 0.0) | (z.im == 0.0);
    return {h.cosine * h.at.re, where(real, with_sign(0.0, z.re) * with_sign(1.0, h.at.im), h.sine * h.at.im)};
}

/// Kahan's formula by tan y, and by q = e^-2|x| for sinh x. With m = 1 - q and b = 1 + tan^2 y:
/// tanh(|x| + i y) = (b m (1 + q) + 4 i q tan y) / (b m^2 + 4 q).
template <class R>
constexpr parts<R> tanh(const parts<R>& z) {
    const R a = abs(z.re), t = expm1(a + a), q = 1.0 / (t + 1.0), m = fmin(t * q, 1.0);
    const R tangent = tan(angle_of(z)), n = (tangent * tangent + 1.0) * m, whole = n * m + 4.0 * q;
    return {where(z.re == 0.0, z.re, copysign(n * (q + 1.0) / whole, z.re)),
            where(z.im == 0.0, z.im, 4.0 * q * tangent / whole)};
}

// --- logarithms and powers ---

/// (1 + u)^2 + v^2 - 1 = 2u + u^2 + v^2 to full relative precision where it is near 0: 2u and v^2, which may cancel, are
/// added with their errors. v^2 stands in abs, so that it is not contracted into the sum.
template <class R>
constexpr R excess(const R& u, const R& v) {
    const R q = abs(v * v), u2 = u + u, t = u2 + q;
    return fma(u, u, t) + ((q - (t - u2)) + fma(v, v, -q));
}

/// The logarithm, to the base whose real one is given: log |z| is that of the larger part and half of log1p(ratio^2), but
/// between 1/2 and 2 half of log1p(|z|^2 - 1), which is the caller's. `scale` is 1 / log(base).
template <class R, class Excess, class Log>
constexpr parts<R> log_of(const parts<R>& z, Excess excess_of, Log log_of_real, double scale) {
    const R size = larger_part(z), x = abs(z.re), y = abs(z.im), other = where(x == size, y, x);
    const R d = excess_of(size, other), ratio = other / fmax(size, 0x1p-1074);
    const auto near = abs(d - 1.125) < 1.875;
    const R small = 0.5 * scale * log1p(where(near, d, ratio * ratio)), large = log_of_real(size);
    return {where(isinf(size), large, where(near, small, large + small)), atan2(z.im, z.re) * scale};
}
template <class R, class Log>
constexpr parts<R> log_of(const parts<R>& z, Log log_of_real, double scale) {
    return log_of(
        z, [](const R& size, const R& other) { return excess(size - 1.0, other); }, log_of_real, scale);
}
template <class R>
constexpr parts<R> log(const parts<R>& z) {
    return log_of(
        z, [](const R& x) { return log(x); }, 1.0);
}
template <class R>
constexpr parts<R> log2(const parts<R>& z) {
    return log_of(
        z, [](const R& x) { return log2(x); }, 0x1.71547652b82fep+0);
}
template <class R>
constexpr parts<R> log10(const parts<R>& z) {
    return log_of(
        z, [](const R& x) { return log10(x); }, 0x1.bcb7b1526e50ep-2);
}
template <class R>
constexpr parts<R> log1p(const parts<R>& z) {
    return log_of(
        parts<R>{z.re + 1.0, z.im}, [&](const R&, const R&) { return excess(z.re, z.im); },
        [](const R& x) { return log(x); }, 1.0);
}

/// The root of x + i y, x >= 0, where four times the modulus does not overflow: r / 2 + i y / r with r^2 = 2 (x + |x + i
/// y|). A root that is 0 has a zero divided by something.
template <class R>
constexpr parts<R> root_of_upright(const R& x, const R& y) {
    const R sum = x + hypot(x, y), r = sqrt(sum + sum);
    return {r * 0.5, y / (r + 0x1p-1022)};
}
template <class R>
constexpr parts<R> sqrt(const parts<R>& z) {
    const R size = larger_part(z);
    const auto tiny = size < 0x1p-900, up = isinf(z.im);
    const R k = where(tiny, 0x1p108, copysign(0x1p-4, size)), back = where(tiny, 0x1p-54, copysign(4.0, size));
    const parts<R> r = root_of_upright(abs(z.re) * k, z.im * k);
    const R w = where(up, abs(z.im), r.re * back), v = where(up, z.im, r.im * back);
    return select(z.re < 0.0, parts<R>{abs(v), with_sign(w, z.im)}, parts<R>{w, v});
}

template <class R>
constexpr parts<R> rsqrt(const parts<R>& z) {
    return reciprocal(sqrt(z));
}

/// As the engines multiply complex numbers, without an fma.
template <class R>
constexpr parts<R> rounded_product(const parts<R>& z, const parts<R>& w) {
    return {rounded_mul(z.re, w.re) - rounded_mul(z.im, w.im), rounded_mul(z.re, w.im) + rounded_mul(z.im, w.re)};
}
/// z^n of a whole number n < 8, multiplied out: z^2 is z z, bit by bit. There is no factor 1, which would lose signs of
/// zeros.
template <class R>
constexpr parts<R> whole_power(const parts<R>& z, const R& n) {
    const R n2 = trunc(n * 0.5), n4 = trunc(n2 * 0.5);
    const auto odd = n2 + n2 != n;
    const parts<R> z2 = rounded_product(z, z), z4 = rounded_product(z2, z2);
    const parts<R> first{where(odd, z.re, 1.0), where(odd, z.im, 0.0)};
    const parts<R> second = select(n4 + n4 != n2, select(odd, rounded_product(z, z2), z2), first);
    return select(n4 != 0.0, select(n == 4.0, z4, rounded_product(second, z4)), second);
}
/// e^exponent; but small whole powers are multiplied out as long as nothing overflows: exact where one expects it, and z^0
/// is 1 whatever z is.
template <class R, class M>
constexpr parts<R> power_of(const parts<R>& z, const R& n, const M& whole, const parts<R>& exponent) {
    const R times = abs(n);
    const parts<R> r = whole_power(z, times);
    const auto multiplied = whole & (times < 8.0) & isfinite(r.re) & isfinite(r.im);
    const R size = larger_part(r), by = moderate_scale(size);
    const parts<R> inverse = over_real(copysign(1.0, size), smith_of(parts<R>{r.re * by, r.im * by}), by);
    return select(multiplied, select(n < 0.0, inverse, r), exp(exponent));
}
/// Its error grows as |w log z|, by which e's power magnifies that of the logarithm.
template <class R>
constexpr parts<R> pow(const parts<R>& z, const parts<R>& w) {
    return power_of(z, w.re, (trunc(w.re) == w.re) & (w.im == 0.0), product(log(z), w));
}
template <class R>
constexpr parts<R> pow(const parts<R>& z, const R& a) {
    const parts<R> l = log(z);
    return power_of(z, a, trunc(a) == a, {l.re * a, l.im * a});
}
template <class R>
constexpr parts<R> pow(const R& x, const parts<R>& w) {
    const R zero = fmin(abs(x), 0.0), l = log(abs(x)), angle = where(x < 0.0, 0x1.921fb54442d18p+1, zero);
    return power_of({x, zero}, w.re, (trunc(w.re) == w.re) & (w.im == 0.0), product(parts<R>{l, angle}, w));
}

// --- inverse functions ---

/// What the inverse sine and cosine are made of, by Kahan's formulas with both roots, a = sqrt(1 - z) and b = sqrt(1 + z),
/// of |x| + i |y|: the real part of a b, and asinh of the imaginary part of conj(a) b. All products have one sign. What
/// would overflow is scaled by k; the real part of a b is then |y|.
template <class R>
struct arc {
    R cosine, height;
};
template <class R>
constexpr arc<R> arc_of(const parts<R>& z) {
    const R size = larger_part(z), x = abs(z.re), y = abs(z.im);
    const auto huge = size > 0x1p500;
    const R k = where(huge, 0x1p-4, copysign(1.0, size)), less = k - k * x;
    const parts<R> b = root_of_upright(k + k * x, k * y), t = root_of_upright(abs(less), k * y);
    const parts<R> a = select(less < 0.0, parts<R>{t.im, t.re}, t);  // conj(a)
    const R height = asinh(where(isinf(size), size, a.re * b.im + a.im * b.re));
    return {where(z.re == 0.0, 1.0, where(huge, y, a.re * b.re + a.im * b.im)),
            with_sign(where(huge, height + 0x1.62e42fefa39efp+1, height), z.im)};
}
template <class R>
constexpr parts<R> asin(const parts<R>& z) {
    const arc<R> t = arc_of(z);
    return {atan2(z.re, t.cosine), t.height};
}
template <class R>
constexpr parts<R> acos(const parts<R>& z) {
    const arc<R> t = arc_of(z);
    return {atan2(t.cosine, z.re), -t.height};
}
template <class R>
constexpr parts<R> asinh(const parts<R>& z) {
    return over_i(asin(times_i(z)));
}
template <class R>
constexpr parts<R> acosh(const parts<R>& z) {
    const arc<R> t = arc_of(z);
    return {abs(t.height), with_sign(atan2(t.cosine, z.re), z.im)};
}

/// With p = |1 + z| and m = |1 - z| for x >= 0: sinh(2 Re atanh z) = 2 x / (p m), and 2 Im atanh z is the angle of
/// (1 + z) (1 - conj z), here over p. Beside the pole m is subnormal, and its reciprocal would overflow.
template <class R>
constexpr parts<R> atanh(const parts<R>& z) {
    const R size = larger_part(z), x = abs(z.re), y = z.im, less = 1.0 - x, more = x + 1.0;
    // Of halves, since a hypot may round up to infinity; m may, where re is 0.
    const R by = 1.0 / hypot(more * 0.5, y * 0.5), m = hypot(less, y);
    const auto infinite = isinf(size), pole = m < 0x1p-1000;
    const R twice = asinh(x / where(pole, m * 0x1p60, m) * by);
    const R re = 0.5 * where(pole, twice + 0x1.4cb5ecf0a9650p+5, twice);
    const R im = 0.5 * atan2(y * by * 2.0, less * (more * by) - y * (y * by));
    return {with_sign(where((x == 0.0) | infinite, 0.0, re), z.re),
            where(infinite & !isnan(y), copysign(0x1.921fb54442d18p+0, y), im)};
}

// --- the circular functions ---

template <class R>
constexpr parts<R> sin(const parts<R>& z) {
    return over_i(sinh(times_i(z)));
}
template <class R>
constexpr parts<R> cos(const parts<R>& z) {
    return cosh(times_i(z));
}
template <class R>
constexpr parts<R> tan(const parts<R>& z) {
    return over_i(tanh(times_i(z)));
}
template <class R>
constexpr parts<R> atan(const parts<R>& z) {
    return over_i(atanh(times_i(z)));
}

}  // namespace frit::v0::detail::complex_numbers

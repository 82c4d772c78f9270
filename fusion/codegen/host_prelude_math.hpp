// Transcendental functions, powers of integers, and the remainder of the nearest quotient: behind host_prelude.hpp, whose
// rules hold here too. exp is written out, because a call would put every accumulator of the loop around it in memory and
// costs more than the polynomial; the others are calls of the vector math table.
namespace fn {

/// Calls a function of the vector math table, which always works on whole registers.
template <class T, int N, class Full>
FRIT_INLINE vec<T, N> call_math(Full (*f)(Full), vec<T, N> a) {
    constexpr int M = FRIT_VECTOR_BYTES / sizeof(T);
    if constexpr (N == M)
        return {f(a.v)};
    else
        return first<N>(vec<T, M>{f(pad<M>(a).v)});
}
template <class T, int N, class Full>
FRIT_INLINE vec<T, N> call_math(Full (*f)(Full, Full), vec<T, N> a, vec<T, N> b) {
    constexpr int M = FRIT_VECTOR_BYTES / sizeof(T);
    if constexpr (N == M)
        return {f(a.v, b.v)};
    else
        return first<N>(vec<T, M>{f(pad<M>(a).v, pad<M>(b).v)});
}

// a * b + c, rounded once where the machine can.
template <class T, int N>
FRIT_INLINE vec<T, N> multiply_add(vec<T, N> a, vec<T, N> b, vec<T, N> c) {
    if (has_fma) return fma(a, b, c);
    return a * b + c;
}

// What exp needs of a type. Between low and high is every argument whose result is neither 0 nor infinite; ln2 in two parts,
// the first so short that its product with an exponent is exact; exp(r) = 1 + r + r^2 (terms[last] + ... + terms[0] r^last)
// for |r| <= ln2 / 2, by Remez' algorithm: relative error below 2^-28 (f32), 2^-57 (f64).
template <class T>
struct exp_of;
template <>
struct exp_of<f32> {
    static constexpr int digits = 23, bias = 127;
    static constexpr double low = -104, high = 89, ln2_high = 0x1.63p-1, ln2_low = -0x1.bd0106p-13;
    static constexpr double terms[] = {0x1.6a244ap-10, 0x1.1239e4p-7, 0x1.5558f2p-5, 0x1.555492p-3, 0x1.fffffcp-2};
};
template <>
struct exp_of<f64> {
    static constexpr int digits = 52, bias = 1023;
    static constexpr double low = -746, high = 710, ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
    static constexpr double terms[] = {
        0x1.ad7f6b5dc2ef6p-26, 0x1.28ad72bf7e407p-22, 0x1.71df255430ed3p-19, 0x1.a0199a0c78972p-16, 0x1.a01a012a57064p-13,
        0x1.6c16c1842a09fp-10, 0x1.1111111127be6p-7,  0x1.555555555087dp-5,  0x1.55555555554fap-3,  0x1.000000000000ap-1};
};

/// a 2^n for a whole n; a is about 1.
template <class T, int N>
FRIT_INLINE vec<T, N> times_power(vec<T, N> a, vec<T, N> n) {
    if (has_scalef<T, N>) return scalef(a, n);
    // In two steps, since 2^n itself may be out of range. A small whole number m added to `ones` is rounded to its last
    // bits, which are then the exponent of 2^m.
    constexpr int digits = exp_of<T>::digits;
    const vec<T, N> ones = constant<vec<T, N>>(1.5 * ((u64)1 << digits) + exp_of<T>::bias);
    typedef typename lanes<T, N>::type F;
    const vec<T, N> half = n * constant<vec<T, N>>(0.5) + ones, rest = n - (half - ones) + ones;
    return {a.v * (F)(bits(half) << digits) * (F)(bits(rest) << digits)};
}

/// exp(x) = 2^n exp(r), |r| <= ln2 / 2, as in W. J. Cody and W. Waite, Software Manual for the Elementary Functions (1980).
template <class T, int N>
FRIT_INLINE vec<T, N> exp(vec<T, N> a) {
    typedef vec<T, N> V;
    typedef exp_of<T> of;
    const V one = constant<V>(1), rounder = constant<V>(1.5 * ((u64)1 << of::digits));
    const V x = larger(constant<V>(of::low), smaller(constant<V>(of::high), a));  // NaN stays
    const V n = multiply_add(x, constant<V>(0x1.71547652b82fep+0), rounder) - rounder;
    const V r = multiply_add(n, constant<V>(-of::ln2_low), multiply_add(n, constant<V>(-of::ln2_high), x));
    V p = constant<V>(of::terms[0]);
#pragma GCC unroll 16
    for (int k = 1; k < (int)(sizeof of::terms / sizeof of::terms[0]); ++k)
        p = multiply_add(p, r, constant<V>(of::terms[k]));
    return times_power(multiply_add(multiply_add(p, r, one), r, one), n);
}

// Powers of integers: by squaring, as many times as the largest exponent has digits; wraps as multiplication does. What is
// left of a fraction: 0, but for the bases 1 and -1, to which only the exponent's last digit matters.
template <bool>
struct when {};
template <>
struct when<true> {
    typedef int type;
};
template <class T, int N, typename when<!is_floating<T>>::type = 0>
FRIT_INLINE vec<T, N> pow(vec<T, N> a, vec<T, N> b) {
    typedef typename integer_of<sizeof(T)>::u U;
    const vec<T, N> zero = splat<N>((T)0), one = splat<N>((T)1);
    const auto fraction = b < zero;
    vec<T, N> power = one, square = a;
    vec<U, N> digits = convert<U>(where(fraction, b & one, b));
    for (int digit = 1;; ++digit) {
        power = where((digits & splat<N>((U)1)) != splat<N>((U)0), power * square, power);
        digits.v = digits.v >> 1;
        if (digit == 8 * sizeof(T) || !any(digits != splat<N>((U)0))) break;
        square = square * square;
    }
    return where(fraction & (a != one) & (a != -one), zero, power);
}

// Of floats: the table's pow, which computes x^2 as x * x too. Here it costs no call.
template <class T, int N, class Full>
FRIT_INLINE vec<T, N> call_pow(Full (*f)(Full, Full), vec<T, N> a, vec<T, N> b) {
    return any(b != splat<N>((T)2)) ? call_math(f, a, b) : a * a;
}

// IEEE 754's: what is left of the nearest whole quotient, of the even one of two. Exact: fmod leaves less than 2 |b|, and
// what is then taken off is at most twice what is left. Source: FreeBSD, e_remainder.c.
template <class T, int N>
FRIT_INLINE vec<T, N> ieee_remainder(vec<T, N> a, vec<T, N> b) {
    const vec<T, N> y = abs(b), r = abs(fmod(a, y + y));
    const vec<T, N> once = where(r + r > y, r - y, r), twice = where((r + r > y) & (once + once >= y), once - y, once);
    return where(signbit(a), -twice, twice);
}

}  // namespace fn

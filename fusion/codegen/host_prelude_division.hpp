// Rounding, quotients and what is left of them, of integers and of floating-point numbers: behind host_prelude.hpp, whose
// rules hold here too, in the interpreter's loops and in generated host text.
namespace fn {

// Half away from zero: what trunc leaves is exact.
template <class T, int N>
FRIT_INLINE vec<T, N> round(vec<T, N> a) {
    const vec<T, N> whole = trunc(a);
    return where(abs(a - whole) >= splat<N>((T)0.5), whole + copysign(splat<N>((T)1), a), whole);
}

// Integers are divided as floating-point numbers, for which there are instructions; the compiler hoists the inverse of a
// divisor that is the same for all. Here b is not 0, and no quotient is beyond T.
// Up to four bytes, p = a ((1 + 8u) / b) with u half a unit in the last place of 1: two roundings of at most u each leave
// |p| from |a/b| to |a/b| (1 + 12u). That is less than 1/|b| more, as |a| <= 2^16, 12u < 2^-20 or |a| <= 2^32, 12u < 2^-49;
// and from a/b to the next whole number it is at least 1/|b|. So the whole part of p is that of a/b.
template <class T, int N>
FRIT_INLINE vec<T, N> short_quotient(vec<T, N> a, vec<T, N> b) {
    constexpr int bytes = sizeof(T) == 1 ? 2 : sizeof(T) == 2 ? 4 : 8;
    if constexpr (N * bytes > FRIT_VECTOR_BYTES) {
        return join(short_quotient(lower(a), lower(b)), short_quotient(upper(a), upper(b)));
    } else if constexpr (sizeof(T) == 1) {
        return convert<T>(short_quotient(convert<i16>(a), convert<i16>(b)));
    } else if constexpr (sizeof(T) == 2) {
        const vec<f32, N> inverse = {(f32)(1 + 0x1p-21) / convert<f32>(convert<i32>(b)).v};
        return convert<T>(convert<i32>(convert<f32>(convert<i32>(a)) * inverse));
    } else {
        const vec<f64, N> inverse = {(1 + 0x1p-50) / convert<f64>(b).v};
        return convert<T>(convert<f64>(a) * inverse);
    }
}
// Of eight bytes: with p = a ((1 - 8u) / b), four roundings, which is never above a/b. Its whole part leaves a rest of less
// than (1 + 2^15) b, whose p leaves less than 2 b.
template <int N>
FRIT_INLINE vec<u64, N> long_quotient(vec<u64, N> a, vec<u64, N> b) {
    const vec<f64, N> inverse = {(1 - 0x1p-50) / convert<f64>(b).v};
    const vec<u64, N> first = convert<u64>(convert<f64>(a) * inverse), rest = a - first * b;
    const vec<u64, N> second = convert<u64>(convert<f64>(rest) * inverse), left = rest - second * b;
    return first + second + vec<u64, N>{(typename lanes<u64, N>::type)(left.v >= b.v) & 1};
}
// x/0 and x%0 are 0; /-1 is a negation, which wraps where a quotient would be out of range.
template <class T, int N>
FRIT_INLINE vec<T, N> div(vec<T, N> a, vec<T, N> b) {
    if constexpr (is_floating<T>) {
        return {a.v / b.v};
    } else {
        const vec<T, N> zero = splat<N>((T)0), one = splat<N>((T)1);
        if constexpr (sizeof(T) < 8) {
            const auto negates = b == splat<N>((T)-1), nothing = b == zero;
            if constexpr (is_signed<T>)
                return where(negates, -a, where(nothing, zero, short_quotient(a, where(negates | nothing, one, b))));
            else
                return where(nothing, zero, short_quotient(a, where(nothing, one, b)));
        } else {
#if defined(__AVX512DQ__)
            const auto nothing = b == zero;
            const vec<T, N> by = where(nothing, one, b);
            const vec<T, N> size = convert<T>(long_quotient(convert<u64>(abs(a)), convert<u64>(abs(by))));
            return where(nothing, zero, is_signed<T> ? where((a ^ b) < zero, -size, size) : size);
#else
            return quotient_lanes(a, b);
#endif
        }
    }
}
template <class T, int N>
FRIT_INLINE vec<T, N> fmod(vec<T, N> a, vec<T, N> b) {
    if constexpr (is_floating<T>)
        return fmod_lanes(a, b);
    else
        return where(b == splat<N>((T)0), b, a - div(a, b) * b);
}

// NumPy's % and //: rounded to minus infinity, what is left has the divisor's sign. For floats the steps of its divmod: the
// quotient of what fmod leaves is whole up to rounding, and is made whole. Source: NumPy, npy_divmod.
template <class T, int N>
FRIT_INLINE vec<T, N> remainder(vec<T, N> a, vec<T, N> b) {
    const vec<T, N> zero = splat<N>((T)0), r = fmod(a, b);
    if constexpr (is_floating<T>) {
        const vec<T, N> moved = where(((b < zero) ^ (r < zero)) & (r != zero), r + b, r);
        return where(logical_not(r) & (b != zero), copysign(zero, b), moved);
    } else if constexpr (is_signed<T>) {
        return where(((r ^ b) < zero) & (r != zero), r + b, r);
    } else {
        return r;
    }
}
// The same for integers of up to four bytes, by way of floating-point numbers whose roundings do not lead as far: a/b is so
// many |b|ths; with half of one more, less 1/2, it is nearest to the whole number below. Beside `whole` the last place is 1,
// so that the addition rounds, and leaves the number in the low bits of an I. x/0 is 0 by its inverse; what /-1 wraps, they
// wrap.
template <class I, class F, int N>
FRIT_INLINE vec<I, N> floor_quotient(vec<F, N> a, vec<F, N> b, F whole) {
    const vec<F, N> none = splat<N>((F)0), half = splat<N>((F)0.5);
    const vec<F, N> inverse = where(b == none, none, vec<F, N>{(F)1 / b.v}), shift = abs(inverse) * half - half;
    const vec<F, N> q = a * inverse + shift + splat<N>(whole);
    return {(typename lanes<I, N>::type)q.v};
}
template <class T, int N>
FRIT_INLINE vec<T, N> short_floor_quotient(vec<T, N> a, vec<T, N> b) {
    constexpr int bytes = sizeof(T) == 1 ? 2 : sizeof(T) == 2 ? 4 : 8;
    if constexpr (N * bytes > FRIT_VECTOR_BYTES)
        return join(short_floor_quotient(lower(a), lower(b)), short_floor_quotient(upper(a), upper(b)));
    else if constexpr (sizeof(T) == 1)
        return convert<T>(short_floor_quotient(convert<i16>(a), convert<i16>(b)));
    else if constexpr (sizeof(T) == 2)
        return convert<T>(floor_quotient<i32>(convert<f32>(convert<i32>(a)), convert<f32>(convert<i32>(b)), 0x1.8p23f));
    else
        return convert<T>(floor_quotient<i64>(convert<f64>(a), convert<f64>(b), 0x1.8p52));
}
template <class T, int N>
FRIT_INLINE vec<T, N> floor_divide(vec<T, N> a, vec<T, N> b) {
    const vec<T, N> zero = splat<N>((T)0), one = splat<N>((T)1), q = div(a, b);
    if constexpr (is_signed<T> && !is_floating<T> && sizeof(T) < 8) {
        return short_floor_quotient(a, b);
    } else if constexpr (is_floating<T>) {
        const vec<T, N> r = fmod(a, b), raw = div(a - r, b);
        const vec<T, N> whole = where(((b < zero) ^ (r < zero)) & (r != zero), raw - one, raw), low = floor(whole);
        const vec<T, N> made = where(whole - low > splat<N>((T)0.5), low + one, low);
        return where(logical_not(b), q, where(logical_not(whole), copysign(zero, q), made));
    } else if constexpr (is_signed<T>) {
        const vec<T, N> r = fmod(a, b);
        return where(((r ^ b) < zero) & (r != zero), q - one, q);
    } else {
        return q;
    }
}

}  // namespace fn

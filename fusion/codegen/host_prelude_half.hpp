// Lanes of 16-bit floats: kept as they are stored, widened to float before anything is computed, and narrowed with one
// rounding, to nearest even, whatever they are made of. Behind host_prelude.hpp and host_prelude_part.hpp, whose rules hold
// here too: in the interpreter's loops, and in generated host text that has such values, which others need not be longer
// for. The instructions and the integer arithmetic give the same bits, as frit/half.hpp does for one value.
namespace fn {

/// IEEE binary16 and bfloat16, as bits.
struct f16 {
    u16 bits;
    f16() = default;
    FRIT_INLINE constexpr f16(u16 b) : bits(b) {}
    FRIT_INLINE constexpr operator u16() const { return bits; }
};
struct bf16 {
    u16 bits;
    bf16() = default;
    FRIT_INLINE constexpr bf16(u16 b) : bits(b) {}
    FRIT_INLINE constexpr operator u16() const { return bits; }
};
template <int N>
struct lanes<f16, N> {
    typedef typename lanes<u16, N>::type type;
};
template <int N>
struct lanes<bf16, N> {
    typedef typename lanes<u16, N>::type type;
};
template <int N>
FRIT_INLINE vec<f16, N> splat(f16 x) {
    return {splat<N>(x.bits).v};
}
template <int N>
FRIT_INLINE vec<bf16, N> splat(bf16 x) {
    return {splat<N>(x.bits).v};
}

template <class T, int N>
FRIT_INLINE vec<f32, N> as_floats(vec<T, N> bits) {
    return {(typename lanes<f32, N>::type)bits.v};
}
template <int N>
FRIT_INLINE vec<u32, N> as_words(vec<f32, N> a) {
    return {(typename lanes<u32, N>::type)a.v};
}
template <class T, int N>
FRIT_INLINE vec<u32, N> words_of(vec<T, N> a) {
    return convert<u32>(vec<u16, N>{a.v});
}

// The instructions take whole registers.
template <int N>
constexpr bool is_short_group = N < 8;
template <int N>
constexpr bool is_long_group = sizeof(f32) * N > 32 && sizeof(f32) * N > FRIT_VECTOR_BYTES;

// The exponent moves to its place in a float; of infinities and NaN it becomes the largest, and a NaN quiet, as the
// instruction makes it. A subnormal number is a normal float less the leading bit that it has not.
template <int N>
FRIT_INLINE vec<f32, N> widen(vec<f16, N> a) {
#if defined(FRIT_SYMBOLS)
    if (has_halves()) return halves_as_floats(a);
#endif
#if defined(__F16C__)
    if constexpr (is_short_group<N>) {
        return first<N>(widen(pad<8>(a)));
    } else if constexpr (is_long_group<N>) {
        return join(widen(lower(a)), widen(upper(a)));
    } else {
        vec<f32, N> r;
        asm("vcvtph2ps %1, %0" : "=" FRIT_REGISTER(r.v) : FRIT_REGISTER(a.v));
        return r;
    }
#else
    const auto bits = words_of(a);
    const auto constant = [](u32 x) __attribute__((always_inline)) { return splat<N>(x); };
    const auto magnitude = bits & constant(0x7fff);
    const vec<u32, N> moved = {magnitude.v << 13};
    const auto normal = moved + constant((127 - 15) << 23);
    const auto special = moved + constant((255 - 31) << 23);
    const auto quiet = where(magnitude > constant(0x7c00), special | constant(0x400000), special);
    const auto small = as_words(as_floats(normal + constant(1 << 23)) - as_floats(constant(113 << 23)));
    const auto large = where(magnitude >= constant(0x7c00), quiet, normal);
    const vec<u32, N> sign = {(bits & constant(0x8000)).v << 16};
    return as_floats(where(magnitude < constant(0x400), small, large) | sign);
#endif
}
template <int N>
FRIT_INLINE vec<f32, N> widen(vec<bf16, N> a) {
#if defined(__AVX2__)  // g++ 12 widens integers in four instructions
    if constexpr (is_short_group<N>) {
        return first<N>(widen(pad<8>(a)));
    } else if constexpr (is_long_group<N>) {
        return join(widen(lower(a)), widen(upper(a)));
    } else {
        vec<u32, N> r;
        asm("vpmovzxwd %1, %0" : "=" FRIT_REGISTER(r.v) : FRIT_REGISTER(a.v));
        return as_floats(vec<u32, N>{r.v << 16});
    }
#else
    return as_floats(vec<u32, N>{words_of(a).v << 16});
#endif
}

template <class T>
struct narrowed;
// A normal number: half of what is cut off, less one, and one more where the last bit that stays is 1, carry into what
// stays. A subnormal one: adding the float whose last bit weighs as much as the smallest number rounds it.
template <>
struct narrowed<f16> {
    template <int N>
    static FRIT_INLINE vec<f16, N> of(vec<f32, N> a) {
#if defined(FRIT_SYMBOLS)
        if (has_halves()) return floats_as_halves<f16>(a);
#endif
#if defined(__F16C__)
        if constexpr (is_short_group<N>) {
            return first<N>(of(pad<8>(a)));
        } else if constexpr (is_long_group<N>) {
            return join(of(lower(a)), of(upper(a)));
        } else {
            vec<f16, N> r;
            asm("vcvtps2ph $0, %1, %0" : "=" FRIT_REGISTER(r.v) : FRIT_REGISTER(a.v));
            return r;
        }
#else
        const auto constant = [](u32 x) __attribute__((always_inline)) { return splat<N>(x); };
        const auto bits = as_words(a), magnitude = bits & constant(0x7fffffff);
        const vec<u32, N> sign = {(bits ^ magnitude).v >> 16};
        const vec<u32, N> odd = {(magnitude.v >> 13) & constant(1).v};
        const vec<u32, N> normal = {(magnitude + constant((u32)(15 - 127) << 23) + constant(0xfff) + odd).v >> 13};
        const auto unit = constant((127 - 15 + 23 - 10 + 1) << 23);
        const auto small = as_words(as_floats(magnitude) + as_floats(unit)) - unit;
        const vec<u32, N> payload = {(magnitude.v >> 13) & constant(0x3ff).v};
        const auto special = where(magnitude > constant(0x7f800000), payload | constant(0x7e00), constant(0x7c00));
        const auto finite = where(magnitude < constant(113 << 23), small, normal);
        return {convert<u16>(where(magnitude >= constant((127 + 16) << 23), special, finite) | sign).v};
#endif
    }
};
template <>
struct narrowed<bf16> {
    template <int N>
    static FRIT_INLINE vec<bf16, N> of(vec<f32, N> a) {
        const auto bits = as_words(a);
        const vec<u32, N> odd = {(bits.v >> 16) & splat<N>((u32)1).v};
        const auto rounded = bits + splat<N>((u32)0x7fff) + odd, quiet = bits | splat<N>((u32)0x400000);
        return {convert<u16>(vec<u32, N>{where(a != a, quiet, rounded).v >> 16}).v};
    }
};

/// A float that rounds to 16 bits as the double does: cut off, with a last bit of 1 where anything was.
template <int N>
FRIT_INLINE vec<f32, N> to_odd(vec<f64, N> a) {
    const auto near = convert<f32>(a);
    const auto back = convert<f64>(near);
    const auto inexact = widen_mask<i32>(back != a), larger = widen_mask<i32>(abs(back) > abs(a));
    return as_floats(vec<i32, N>{((typename lanes<i32, N>::type)near.v + larger.v) | (inexact.v & 1)});
}

// Bits as integers in the order of the values, both zeros 0; and back, to the zero that has the sign of `like`.
template <class T, int N>
FRIT_INLINE vec<i16, N> ordered(vec<T, N> a) {
    const vec<i16, N> bits = {(typename lanes<i16, N>::type)a.v};
    return where(bits < splat<N>((i16)0), splat<N>((i16)-0x8000) - bits, bits);
}
/// The neighbour of a on the way to b, b where they are equal; a NaN where either is one.
template <class T, int N>
FRIT_INLINE vec<T, N> next_short(vec<T, N> a, vec<T, N> b) {
    constexpr i16 infinity = __is_same(T, f16) ? 0x7c00 : 0x7f80;
    const auto zero = splat<N>((i16)0), largest = splat<N>(infinity), from = ordered(a), to = ordered(b);
    const vec<i16, N> x = {(typename lanes<i16, N>::type)a.v}, y = {(typename lanes<i16, N>::type)b.v};
    const vec<i16, N> next = {from.v - (from < to).v + (from > to).v};
    const auto sign = splat<N>((i16)-0x8000);
    const auto moved = where(next < zero, sign - next, where(next > zero, next, x & sign));
    const auto nan_y = abs(to) > largest, nan_x = abs(from) > largest;
    const auto quiet = splat<N>((i16)(__is_same(T, f16) ? 0x200 : 0x40));
    const auto number = where(from == to, y, moved);
    return {(typename lanes<u16, N>::type)where(nan_x, x | quiet, where(nan_y, y | quiet, number)).v};
}

/// Numbers as 16-bit floats. Of an integer with more than 53 bits, the last ones are one bit that says whether there are
/// any.
template <class To, class T, int N>
FRIT_INLINE vec<To, N> narrow(vec<T, N> a) {
    if constexpr (__is_same(T, f64)) {
        return narrowed<To>::of(to_odd(a));
    } else if constexpr (__is_same(T, f32) || sizeof(T) <= 2) {
        return narrowed<To>::of(convert<f32>(a));
    } else if constexpr (sizeof(T) == 4) {
        return narrowed<To>::of(to_odd(convert<f64>(a)));
    } else {
        const auto rest = a & splat<N>((T)0xfff);
        const auto cut = (a & splat<N>((T) ~(T)0xfff)) | where(rest != splat<N>((T)0), splat<N>((T)0x800), rest);
        return narrowed<To>::of(to_odd(convert<f64>(where(abs(a) < splat<N>((T)1 << 53), a, cut))));
    }
}
template <class To, class I, int N>
FRIT_INLINE vec<To, N> narrow(mask<I, N> a) {
    return narrowed<To>::of(to<f32>(a));
}

}  // namespace fn

// The functions that ops.def's spellings call on lanes (FN(f) is fn::f), over vectors that stand before it. Three users: the
// interpreter's loops include it once per instruction set, generated C++ starts with a copy of it, and text for LLVM is what
// it prints over symbols; that the same code is in all is why the engines give the same bits. Hence the rules of this file:
// no include, no guard (it is included inside a namespace), FRIT_VECTOR_BYTES defined before it, compiled with -fwrapv
// -ffp-contract=off -fno-math-errno. Quotients and rounding are in host_prelude_division.hpp. A function FN(f) of ops.def
// that is neither here nor there nor in host_prelude_math.hpp must have the name of its op (sin: FN(sin)): it comes from the
// vector math table, libmvec or libm.
namespace fn {

template <class V>
struct constant_of;
template <class T, int N>
struct constant_of<vec<T, N>> {
    static FRIT_INLINE vec<T, N> get(double x) { return splat<N>((T)x); }
};
template <class V>
FRIT_INLINE V constant(double x) {
    return constant_of<V>::get(x);
}

/// The bits of each, as a number of another type.
template <class To, class From, int N>
FRIT_INLINE vec<To, N> bits(vec<From, N> a) {
    return {(typename lanes<To, N>::type)a.v};
}

#define FRIT_ARITHMETIC(o)                                       \
    template <class T, int N>                                    \
    FRIT_INLINE vec<T, N> operator o(vec<T, N> a, vec<T, N> b) { \
        return {a.v o b.v};                                      \
    }
FRIT_ARITHMETIC(+)
FRIT_ARITHMETIC(-)
FRIT_ARITHMETIC(*)
FRIT_ARITHMETIC(&)
FRIT_ARITHMETIC(|)
FRIT_ARITHMETIC(^)
#undef FRIT_ARITHMETIC
#define FRIT_COMPARISON(o)                                           \
    template <class T, int N>                                        \
    FRIT_INLINE mask_of<T, N> operator o(vec<T, N> a, vec<T, N> b) { \
        return {(decltype(mask_of<T, N>::v))(a.v o b.v)};            \
    }
FRIT_COMPARISON(<)
FRIT_COMPARISON(<=)
FRIT_COMPARISON(>)
FRIT_COMPARISON(>=)
FRIT_COMPARISON(==)
FRIT_COMPARISON(!=)
#undef FRIT_COMPARISON
#define FRIT_LOGIC(o)                                               \
    template <class I, class J, int N>                              \
    FRIT_INLINE mask<I, N> operator o(mask<I, N> a, mask<J, N> b) { \
        return {a.v o widen_mask<I>(b).v};                          \
    }
FRIT_LOGIC(&)
FRIT_LOGIC(|)
FRIT_LOGIC(^)
#undef FRIT_LOGIC
template <class T, int N>
FRIT_INLINE vec<T, N> operator-(vec<T, N> a) {
    return {-a.v};
}
template <class T, int N>
FRIT_INLINE vec<T, N> operator~(vec<T, N> a) {
    return {~a.v};
}
template <class T, int N>
FRIT_INLINE mask_of<T, N> logical_not(vec<T, N> a) {
    return a == splat<N>((T)0);
}
template <class I, int N>
FRIT_INLINE mask<I, N> logical_not(mask<I, N> a) {
    return {~a.v};
}

template <class T, int N>
FRIT_INLINE mask_of<T, N> logical_and(vec<T, N> a, vec<T, N> b) {
    return (a != splat<N>((T)0)) & (b != splat<N>((T)0));
}
template <class T, int N>
FRIT_INLINE mask_of<T, N> logical_or(vec<T, N> a, vec<T, N> b) {
    return (a != splat<N>((T)0)) | (b != splat<N>((T)0));
}
template <class T, int N>
FRIT_INLINE mask_of<T, N> logical_xor(vec<T, N> a, vec<T, N> b) {
    return (a != splat<N>((T)0)) ^ (b != splat<N>((T)0));
}
#define FRIT_LOGIC(name, o)                                   \
    template <class I, class J, int N>                        \
    FRIT_INLINE mask<I, N> name(mask<I, N> a, mask<J, N> b) { \
        return a o b;                                         \
    }
FRIT_LOGIC(logical_and, &)
FRIT_LOGIC(logical_or, |)
FRIT_LOGIC(logical_xor, ^)
#undef FRIT_LOGIC

template <class I, class T, int N>
FRIT_INLINE vec<T, N> where(mask<I, N> m, vec<T, N> a, vec<T, N> b) {
    const auto wide = widen_mask<typename integer_of<sizeof(T)>::type>(m);
    return {choose(wide.v, a.v, b.v)};
}
template <class I, class J, class K, int N>
FRIT_INLINE mask<J, N> where(mask<I, N> m, mask<J, N> a, mask<K, N> b) {
    const auto wide = widen_mask<J>(m);
    return {choose(wide.v, a.v, widen_mask<J>(b).v)};
}

// Bits of a number, to set or clear its sign.
template <class T, int N>
FRIT_INLINE auto bits(vec<T, N> a) {
    typedef typename lanes<typename integer_of<sizeof(T)>::type, N>::type B;
    return (B)a.v;
}
template <class T>
constexpr T lowest_integer = is_signed<T> ? (T)((typename integer_of<sizeof(T)>::u)1 << (8 * sizeof(T) - 1)) : (T)0;

template <class T, int N>
FRIT_INLINE vec<T, N> abs(vec<T, N> a) {
    if constexpr (is_floating<T>) {
        typedef typename integer_of<sizeof(T)>::type I;
        return {(typename lanes<T, N>::type)(bits(a) & splat<N>((I)~lowest_integer<I>).v)};
    } else if constexpr (is_signed<T>) {
        return where(a < splat<N>((T)0), -a, a);
    } else {
        return a;
    }
}
// The bit of each lane that is its sign.
template <class T, int N>
FRIT_INLINE auto sign_bits(vec<T, N> a) {
    typedef typename integer_of<sizeof(T)>::type I;
    return bits(a) & splat<N>(lowest_integer<I>).v;
}
template <class T, int N>
FRIT_INLINE vec<T, N> copysign(vec<T, N> a, vec<T, N> b) {
    return {(typename lanes<T, N>::type)(bits(abs(a)) | sign_bits(b))};
}
template <class T, int N>
FRIT_INLINE mask_of<T, N> signbit(vec<T, N> a) {
    return {bits(a) < 0};
}
template <class T, int N>
FRIT_INLINE mask_of<T, N> isnan(vec<T, N> a) {
    return a != a;
}
template <class T, int N>
FRIT_INLINE mask_of<T, N> isinf(vec<T, N> a) {
    return abs(a) == splat<N>((T)__builtin_inf());
}
template <class T, int N>
FRIT_INLINE mask_of<T, N> isfinite(vec<T, N> a) {
    return abs(a) < splat<N>((T)__builtin_inf());
}
template <class T, int N>
FRIT_INLINE vec<T, N> sign(vec<T, N> a) {
    const vec<T, N> zero = splat<N>((T)0), one = splat<N>((T)1);
    const vec<T, N> negative = is_signed<T> ? where(a < zero, -one, zero) : zero;
    return where(a > zero, one, where(a != a, a, negative));
}
// Counts in fields of 2, 4 and 8 bits, then adds up the bytes. Source: H. S. Warren, Hacker's Delight, section 5-1.
template <class T, int N>
FRIT_INLINE vec<T, N> popcount(vec<T, N> a) {
    typedef typename integer_of<sizeof(T)>::u U;
    constexpr U all = (U) ~(U)0;
    const auto two = splat<N>((U)(all / 3)).v, four = splat<N>((U)(all / 5)).v, eight = splat<N>((U)(all / 17)).v;
    auto x = convert<U>(a).v;
    x = x - ((x >> 1) & two);
    x = (x & four) + ((x >> 2) & four);
    x = (x + (x >> 4)) & eight;
    for (int by = 8; by < (int)(8 * sizeof(T)); by *= 2) x = x + (x >> by);
    return convert<T>(vec<U, N>{x & splat<N>((U)0x7f).v});
}

// The amount taken as unsigned is at least the width exactly where it is out of range.
template <class T, int N>
FRIT_INLINE auto inside_width(vec<T, N> amount) {
    typedef typename integer_of<sizeof(T)>::u U;
    return convert<U>(amount) < splat<N>((U)(8 * sizeof(T)));
}
template <class T, int N>
FRIT_INLINE vec<T, N> shl(vec<T, N> a, vec<T, N> b) {
    constexpr T last = (T)(8 * sizeof(T) - 1);
    return where(inside_width(b), vec<T, N>{a.v << (b & splat<N>(last)).v}, splat<N>((T)0));
}
template <class T, int N>
FRIT_INLINE vec<T, N> shr(vec<T, N> a, vec<T, N> b) {
    constexpr T last = (T)(8 * sizeof(T) - 1);
    if constexpr (is_signed<T>)  // by the width or more: the sign
        return {a.v >> where(inside_width(b), b, splat<N>(last)).v};
    else
        return where(inside_width(b), vec<T, N>{a.v >> (b & splat<N>(last)).v}, splat<N>((T)0));
}

// The upper half of a product of words, of those of their halves. Source: H. S. Warren, Hacker's Delight, section 8-2.
template <int N>
FRIT_INLINE vec<u64, N> mul_high(vec<u64, N> a, vec<u64, N> b) {
    const auto half = splat<N>((u64)0xffffffff).v;
    const vec<u64, N> above{a.v >> 32}, over{b.v >> 32};
    const auto low = multiply_halves(a, b).v >> 32;
    const auto first = multiply_halves(above, b).v + low, second = multiply_halves(a, over).v + (first & half);
    return {multiply_halves(above, over).v + (first >> 32) + (second >> 32)};
}
// Blocks of Philox 4x32-10: words are the lower halves of lanes, what stands above them is not read before the end. Source:
// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).
template <int N>
struct philox_words {
    vec<u64, N> x0, x1, x2, x3;
};
template <int N>
FRIT_INLINE philox_words<N> philox(vec<u64, N> block, vec<u64, N> b, vec<u64, N> c) {
    const vec<u64, N> first = splat<N>((u64)0xD2511F53), second = splat<N>((u64)0xCD9E8D57);
    auto x0 = block.v, x1 = block.v >> 32, x2 = b.v, x3 = b.v >> 32, k0 = c.v, k1 = c.v >> 32;
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
        const auto p = multiply_halves(first, vec<u64, N>{x0}).v, q = multiply_halves(second, vec<u64, N>{x2}).v;
        x0 = (q >> 32) ^ x1 ^ k0;
        x2 = (p >> 32) ^ x3 ^ k1;
        x1 = q;
        x3 = p;
        k0 = k0 + splat<N>((u64)0x9E3779B9).v;
        k1 = k1 + splat<N>((u64)0xBB67AE85).v;
    }
    return {{x0}, {x1}, {x2}, {x3}};
}
template <int N>
FRIT_INLINE vec<u64, N> philox32(vec<u64, N> a, vec<u64, N> b, vec<u64, N> c) {
    const vec<u64, N> zero = splat<N>((u64)0);
    const philox_words<N> p = philox(vec<u64, N>{a.v >> 2}, b, c);
    const auto even = (a & splat<N>((u64)1)) == zero, lower = (a & splat<N>((u64)2)) == zero;
    return where(lower, where(even, p.x0, p.x1), where(even, p.x2, p.x3)) & splat<N>((u64)0xffffffff);
}
template <int N>
FRIT_INLINE vec<u64, N> philox64(vec<u64, N> a, vec<u64, N> b, vec<u64, N> c) {
    const auto half = splat<N>((u64)0xffffffff).v;
    const philox_words<N> p = philox(vec<u64, N>{a.v >> 1}, b, c);
    const vec<u64, N> lower{(p.x0.v & half) | (p.x1.v << 32)}, upper{(p.x2.v & half) | (p.x3.v << 32)};
    return where((a & splat<N>((u64)1)) == splat<N>((u64)0), lower, upper);
}

// A NaN on either side is the result: a's by the test, b's because no comparison with it holds.
template <class T, int N>
FRIT_INLINE vec<T, N> maximum(vec<T, N> a, vec<T, N> b) {
    return where(a != a, a, larger(a, b));
}
template <class T, int N>
FRIT_INLINE vec<T, N> minimum(vec<T, N> a, vec<T, N> b) {
    return where(a != a, a, smaller(a, b));
}
// A NaN on one side only is ignored.
template <class T, int N>
FRIT_INLINE vec<T, N> fmax(vec<T, N> a, vec<T, N> b) {
    return where(b != b, a, larger(a, b));
}
template <class T, int N>
FRIT_INLINE vec<T, N> fmin(vec<T, N> a, vec<T, N> b) {
    return where(b != b, a, smaller(a, b));
}

template <class T, int N>
FRIT_INLINE vec<T, N> rsqrt(vec<T, N> a) {
    return {splat<N>((T)1).v / sqrt(a).v};
}

// Casts. Floating to integer saturates and takes NaN to 0; to bool is x != 0.
template <class To, class From, int N>
FRIT_INLINE auto to(vec<From, N> a) {
    if constexpr (__is_same(To, bool)) {
        return a != splat<N>((From)0);
    } else if constexpr (is_floating<From> && !is_floating<To>) {
        constexpr To lowest = lowest_integer<To>, highest = (To)~lowest;
        constexpr From half = (From)((typename integer_of<sizeof(To)>::u)1 << (8 * sizeof(To) - 1 - is_signed<To>));
        const vec<From, N> low = splat<N>((From)lowest), high = splat<N>(2 * half);
        const auto inside = (a >= low) & (a < high);
        const auto outside = where(a >= high, splat<N>(highest), where(a < low, splat<N>(lowest), splat<N>((To)0)));
        return where(inside, convert<To>(where(inside, a, splat<N>((From)0))), outside);
    } else {
        return convert<To>(a);
    }
}
template <class To, class I, int N>
FRIT_INLINE auto to(mask<I, N> a) {
    if constexpr (__is_same(To, bool))
        return a;
    else
        return convert<To>(vec<I, N>{a.v & 1});
}

}  // namespace fn

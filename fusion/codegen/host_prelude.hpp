// Vectors of N lanes over GNU vector extensions and the functions that ops.def's spellings call on them (FN(f) is fn::f).
// Two users: the interpreter's loops include it once per instruction set, and generated host text starts with a copy of
// it; that the same code runs in both is why the two engines give the same bits. Hence the rules of this file: no include,
// no guard (it is included inside a namespace), FRIT_VECTOR_BYTES defined before it, compiled with -fwrapv
// -ffp-contract=off -fno-math-errno. A function FN(f) of ops.def that is neither here nor in host_prelude_math.hpp must have
// the name of its op (sin: FN(sin)): it comes from the vector math table, libmvec or libm.
namespace fn {

#define FRIT_INLINE inline __attribute__((always_inline))

typedef __INT8_TYPE__ i8;
typedef __INT16_TYPE__ i16;
typedef __INT32_TYPE__ i32;
typedef __INT64_TYPE__ i64;
typedef __UINT8_TYPE__ u8;
typedef __UINT16_TYPE__ u16;
typedef __UINT32_TYPE__ u32;
typedef __UINT64_TYPE__ u64;
typedef float f32;
typedef double f64;

template <class T, int N>
struct lanes {
    typedef T type __attribute__((vector_size(sizeof(T) * N)));
};
template <int Bytes>
struct integer_of;
template <>
struct integer_of<1> {
    typedef i8 type;
    typedef u8 u;
};
template <>
struct integer_of<2> {
    typedef i16 type;
    typedef u16 u;
};
template <>
struct integer_of<4> {
    typedef i32 type;
    typedef u32 u;
};
template <>
struct integer_of<8> {
    typedef i64 type;
    typedef u64 u;
};

/// N numbers.
template <class T, int N>
struct vec {
    typename lanes<T, N>::type v;
};
/// N truth values: lanes of all ones or all zeros, as wide as what was compared. In memory a bool is one byte, 0 or 1.
template <class I, int N>
struct mask {
    typename lanes<I, N>::type v;
};
template <class T, int N>
using mask_of = mask<typename integer_of<sizeof(T)>::type, N>;

template <class To, class From, int N>
FRIT_INLINE vec<To, N> convert(vec<From, N> a) {
    return {__builtin_convertvector(a.v, typename lanes<To, N>::type)};
}
template <class J, class I, int N>
FRIT_INLINE mask<J, N> widen_mask(mask<I, N> m) {
    if constexpr (sizeof(I) == sizeof(J))
        return {(typename lanes<J, N>::type)m.v};
    else
        return {__builtin_convertvector(m.v, typename lanes<J, N>::type)};
}

// x - 0 keeps the sign of zero, which x + 0 would not.
template <int N, class T>
FRIT_INLINE vec<T, N> splat(T x) {
    return {x - typename lanes<T, N>::type{}};
}
template <class T, int N>
FRIT_INLINE vec<T, N> iota() {
    vec<T, N> r;
    for (int k = 0; k < N; ++k) r.v[k] = (T)k;
    return r;
}
template <class I, int N>
FRIT_INLINE mask<I, N> splat_mask(bool x) {
    return {splat<N>((I) - (I)x).v};
}
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
    return {wide.v ? a.v : b.v};
}
template <class I, class J, class K, int N>
FRIT_INLINE mask<J, N> where(mask<I, N> m, mask<J, N> a, mask<K, N> b) {
    const auto wide = widen_mask<J>(m);
    return {(wide.v & a.v) | (~wide.v & widen_mask<J>(b).v)};
}

// Bits of a number, to set or clear its sign.
template <class T, int N>
FRIT_INLINE auto bits(vec<T, N> a) {
    typedef typename lanes<typename integer_of<sizeof(T)>::type, N>::type B;
    return (B)a.v;
}
template <class T>
constexpr bool is_floating = (T)0.5 != (T)0;
template <class T>
constexpr bool is_signed = (T)-1 < (T)0;
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

// What has no instruction, lane by lane; a loop, because 64 lanes of it unrolled would be most of a kernel's compile time.
template <class T, int N, class F>
FRIT_INLINE vec<T, N> each_lane(vec<T, N> a, vec<T, N> b, F f) {
    T x[N], y[N];
    __builtin_memcpy(x, &a.v, sizeof x);
    __builtin_memcpy(y, &b.v, sizeof y);
#pragma GCC unroll 1
    for (int k = 0; k < N; ++k) x[k] = f(x[k], y[k]);
    __builtin_memcpy(&a.v, x, sizeof x);
    return a;
}
// Numbers of lanes, for shuffles.
template <int... K>
struct lane_list {};
template <int N, int... K>
struct first_lanes : first_lanes<N - 1, N - 1, K...> {};
template <int... K>
struct first_lanes<0, K...> {
    typedef lane_list<K...> type;
};
// The lower or the upper half of the lanes, and two halves together: shuffles, where copies would go through memory.
template <int First, class T, int N, int... K>
FRIT_INLINE vec<T, N / 2> lanes_from(vec<T, N> a, lane_list<K...>) {
    return {__builtin_shufflevector(a.v, a.v, (First + K)...)};
}
template <class T, int N>
FRIT_INLINE vec<T, N / 2> lower(vec<T, N> a) {
    return lanes_from<0>(a, typename first_lanes<N / 2>::type());
}
template <class T, int N>
FRIT_INLINE vec<T, N / 2> upper(vec<T, N> a) {
    return lanes_from<N / 2>(a, typename first_lanes<N / 2>::type());
}
template <class T, int N, int... K>
FRIT_INLINE vec<T, 2 * N> join(vec<T, N> a, vec<T, N> b, lane_list<K...>) {
    return {__builtin_shufflevector(a.v, b.v, K...)};
}
template <class T, int N>
FRIT_INLINE vec<T, 2 * N> join(vec<T, N> a, vec<T, N> b) {
    return join(a, b, typename first_lanes<2 * N>::type());
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
template <class T>
FRIT_INLINE T scalar_div(T a, T b) {
    const bool negates = is_signed<T> && b == (T)-1, divides = b != 0 && !negates;
    const T q = a / (divides ? b : (T)1);
    return divides ? q : negates ? (T)-a : (T)0;
}
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
            return each_lane(a, b, [](T x, T y) { return scalar_div(x, y); });
#endif
        }
    }
}
FRIT_INLINE f32 scalar_fmod(f32 a, f32 b) { return __builtin_fmodf(a, b); }
FRIT_INLINE f64 scalar_fmod(f64 a, f64 b) { return __builtin_fmod(a, b); }
template <class T, int N>
FRIT_INLINE vec<T, N> fmod(vec<T, N> a, vec<T, N> b) {
    if constexpr (is_floating<T>)
        return each_lane(a, b, [](T x, T y) { return scalar_fmod(x, y); });
    else
        return where(b == splat<N>((T)0), b, a - div(a, b) * b);
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

// M lanes, the first of them a's, the others 1: an argument that every function takes quickly.
template <int M, class T, int N>
FRIT_INLINE vec<T, M> pad(vec<T, N> a) {
    vec<T, M> r = splat<M>((T)1);
    __builtin_memcpy(&r.v, &a.v, sizeof a.v);
    return r;
}
template <int M, class T, int N>
FRIT_INLINE vec<T, M> first(vec<T, N> a) {
    vec<T, M> r;
    __builtin_memcpy(&r.v, &a.v, sizeof r.v);
    return r;
}

// Instructions that the GNU vectors have no spelling for. Written as assembly because the compilers' builtins for them
// differ between compilers and between versions, the mnemonics do not.
#if defined(__AVX512VL__)
#define FRIT_REGISTER "v"
#elif defined(__x86_64__)
#define FRIT_REGISTER "x"
#endif
#if defined(__AVX__)
#define FRIT_SQRT "vsqrt"
#elif defined(__x86_64__)
#define FRIT_SQRT "sqrt"
#endif
#if defined(__AVX512VL__)
#define FRIT_ROUND "vrndscale"
#elif defined(__AVX__)
#define FRIT_ROUND "vround"
#endif
// Whether any lane holds; of all: !any(~m).
template <class I, int N>
FRIT_INLINE bool any(mask<I, N> m) {
    if constexpr (sizeof m.v < 16) {
        u64 all = 0;
        __builtin_memcpy(&all, &m.v, sizeof m.v);
        return all != 0;
    } else {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
        u64 bytes;
        asm("vpmovb2m %1, %0" : "=Yk"(bytes) : "v"(m.v));
#elif defined(__AVX__)
        u32 bytes;
        asm("vpmovmskb %1, %0" : "=r"(bytes) : "x"(m.v));
#elif defined(__x86_64__)
        u32 bytes;
        asm("pmovmskb %1, %0" : "=r"(bytes) : "x"(m.v));
#else
        u64 words[sizeof m.v / 8], bytes = 0;
        __builtin_memcpy(words, &m.v, sizeof words);
        for (const u64 w : words) bytes |= w;
#endif
        return bytes != 0;
    }
}

#define FRIT_ASM_UNARY(r, instruction, a)                                     \
    if constexpr (sizeof(T) == 4)                                             \
        asm(instruction("ps") : "=" FRIT_REGISTER(r.v) : FRIT_REGISTER(a.v)); \
    else                                                                      \
        asm(instruction("pd") : "=" FRIT_REGISTER(r.v) : FRIT_REGISTER(a.v))

// a > b ? a : b and a < b ? a : b are single instructions, NaN and zeros too; compilers join what is around and take four.
#if defined(__AVX__)
#define FRIT_CHOICE(name, o, instruction)                                                                               \
    template <class T, int N>                                                                                           \
    FRIT_INLINE vec<T, N> name(vec<T, N> a, vec<T, N> b) {                                                              \
        if constexpr (is_floating<T> && sizeof a.v >= 16) {                                                             \
            vec<T, N> r;                                                                                                \
            if constexpr (sizeof(T) == 4)                                                                               \
                asm("v" instruction "ps %2, %1, %0" : "=" FRIT_REGISTER(r.v) : FRIT_REGISTER(a.v), FRIT_REGISTER(b.v)); \
            else                                                                                                        \
                asm("v" instruction "pd %2, %1, %0" : "=" FRIT_REGISTER(r.v) : FRIT_REGISTER(a.v), FRIT_REGISTER(b.v)); \
            return r;                                                                                                   \
        } else {                                                                                                        \
            return where(a o b, a, b);                                                                                  \
        }                                                                                                               \
    }
#else
#define FRIT_CHOICE(name, o, instruction)                  \
    template <class T, int N>                              \
    FRIT_INLINE vec<T, N> name(vec<T, N> a, vec<T, N> b) { \
        return where(a o b, a, b);                         \
    }
#endif
FRIT_CHOICE(larger, >, "max")
FRIT_CHOICE(smaller, <, "min")
#undef FRIT_CHOICE

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

FRIT_INLINE f32 scalar_sqrt(f32 a) { return __builtin_sqrtf(a); }
FRIT_INLINE f64 scalar_sqrt(f64 a) { return __builtin_sqrt(a); }
template <class T, int N>
FRIT_INLINE vec<T, N> sqrt(vec<T, N> a) {
    vec<T, N> r;
#if defined(FRIT_SQRT)
    if constexpr (sizeof a.v < 16) return first<N>(sqrt(pad<16 / sizeof(T)>(a)));
#define FRIT_TEXT(suffix) FRIT_SQRT suffix " %1, %0"
    else {
        FRIT_ASM_UNARY(r, FRIT_TEXT, a);
    }
#undef FRIT_TEXT
#else
    for (int k = 0; k < N; ++k) r.v[k] = scalar_sqrt(a.v[k]);
#endif
    return r;
}
template <class T, int N>
FRIT_INLINE vec<T, N> rsqrt(vec<T, N> a) {
    return {splat<N>((T)1).v / sqrt(a).v};
}

// Bits 0 and 1 of the instruction's last operand choose the direction, bit 3 keeps it quiet about inexact results.
#if defined(FRIT_ROUND)
#define FRIT_ROUNDING(name, direction)                                                                 \
    template <class T, int N>                                                                          \
    FRIT_INLINE vec<T, N> name(vec<T, N> a) {                                                          \
        vec<T, N> r;                                                                                   \
        if constexpr (sizeof a.v < 16)                                                                 \
            return first<N>(name(pad<16 / sizeof(T)>(a)));                                             \
        else if constexpr (sizeof(T) == 4)                                                             \
            asm(FRIT_ROUND "ps $" direction ", %1, %0" : "=" FRIT_REGISTER(r.v) : FRIT_REGISTER(a.v)); \
        else                                                                                           \
            asm(FRIT_ROUND "pd $" direction ", %1, %0" : "=" FRIT_REGISTER(r.v) : FRIT_REGISTER(a.v)); \
        return r;                                                                                      \
    }
#else
#define FRIT_ROUNDING(name, direction)                                      \
    FRIT_INLINE f32 scalar_##name(f32 a) { return __builtin_##name##f(a); } \
    FRIT_INLINE f64 scalar_##name(f64 a) { return __builtin_##name(a); }    \
    template <class T, int N>                                               \
    FRIT_INLINE vec<T, N> name(vec<T, N> a) {                               \
        vec<T, N> r;                                                        \
        for (int k = 0; k < N; ++k) r.v[k] = scalar_##name(a.v[k]);         \
        return r;                                                           \
    }
#endif
FRIT_ROUNDING(rint, "8")
FRIT_ROUNDING(floor, "9")
FRIT_ROUNDING(ceil, "10")
FRIT_ROUNDING(trunc, "11")
#undef FRIT_ROUNDING
// Half away from zero: what trunc leaves is exact.
template <class T, int N>
FRIT_INLINE vec<T, N> round(vec<T, N> a) {
    const vec<T, N> whole = trunc(a);
    return where(abs(a - whole) >= splat<N>((T)0.5), whole + copysign(splat<N>((T)1), a), whole);
}
#undef FRIT_ASM_UNARY

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

FRIT_INLINE f32 scalar_fma(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
FRIT_INLINE f64 scalar_fma(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
template <class T, int N>
FRIT_INLINE vec<T, N> fma(vec<T, N> a, vec<T, N> b, vec<T, N> c) {
#if defined(__x86_64__) && defined(__FMA__)
    if constexpr (sizeof a.v < 16) {
        constexpr int M = 16 / sizeof(T);
        return first<N>(fma(pad<M>(a), pad<M>(b), pad<M>(c)));
    } else {
        vec<T, N> r;  // takes the register of whichever factor is not needed any more
        if constexpr (sizeof(T) == 4)
            asm("vfmadd213ps %3, %2, %0" : "=" FRIT_REGISTER(r.v) : "%0"(a.v), FRIT_REGISTER(b.v), FRIT_REGISTER(c.v));
        else
            asm("vfmadd213pd %3, %2, %0" : "=" FRIT_REGISTER(r.v) : "%0"(a.v), FRIT_REGISTER(b.v), FRIT_REGISTER(c.v));
        return r;
    }
#else
    vec<T, N> r;
    for (int k = 0; k < N; ++k) r.v[k] = scalar_fma(a.v[k], b.v[k], c.v[k]);
    return r;
#endif
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

// Memory. No alignment is assumed.
template <int N, class T>
FRIT_INLINE vec<T, N> load(const T* p) {
    vec<T, N> r;
    __builtin_memcpy(&r.v, p, sizeof r.v);
    return r;
}
template <class I, int N>
FRIT_INLINE mask<I, N> load_mask(const bool* p) {
    vec<i8, N> r;
    __builtin_memcpy(&r.v, p, N);
    return widen_mask<I>(r != splat<N>((i8)0));
}
template <class T, int N>
FRIT_INLINE void store(T* p, vec<T, N> a) {
    __builtin_memcpy(p, &a.v, sizeof a.v);
}
template <class I, int N>
FRIT_INLINE void store(bool* p, mask<I, N> a) {
    const auto bytes = widen_mask<i8>(a).v & 1;
    __builtin_memcpy(p, &bytes, N);
}
/// Elements `stride` apart.
template <int N, class T>
FRIT_INLINE vec<T, N> gather(const T* p, i64 stride) {
    if (stride == 1) return load<N>(p);
    vec<T, N> r;
    for (int k = 0; k < N; ++k) r.v[k] = p[k * stride];
    return r;
}
template <class I, int N>
FRIT_INLINE mask<I, N> gather_mask(const bool* p, i64 stride) {
    if (stride == 1) return load_mask<I, N>(p);
    bool bytes[N];
    for (int k = 0; k < N; ++k) bytes[k] = p[k * stride];
    return load_mask<I, N>(bytes);
}
template <class T, int N>
FRIT_INLINE void scatter(T* p, i64 stride, vec<T, N> a) {
    if (stride == 1) return store(p, a);
    for (int k = 0; k < N; ++k) p[k * stride] = a.v[k];
}
template <class I, int N>
FRIT_INLINE void scatter(bool* p, i64 stride, mask<I, N> a) {
    for (int k = 0; k < N; ++k) p[k * stride] = a.v[k] != 0;
}

/// The value of a scalar parameter: the low bytes of its word.
template <class T>
FRIT_INLINE T word(u64 bits) {
    T x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

}  // namespace fn

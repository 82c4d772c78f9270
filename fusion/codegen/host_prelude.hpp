// Vectors of N lanes over GNU vector extensions and the functions that ops.def's spellings call on them (FN(f) is fn::f).
// Two users: the interpreter's loops include it once per instruction set, and generated host text starts with a copy of
// it; that the same code runs in both is why the two engines give the same bits. Hence the rules of this file: no include,
// no guard (it is included inside a namespace), FRIT_VECTOR_BYTES defined before it, compiled with -fwrapv
// -ffp-contract=off -fno-math-errno. Quotients and rounding are in host_prelude_division.hpp. A function FN(f) of ops.def
// that is neither here nor there nor in host_prelude_math.hpp must have the name of its op (sin: FN(sin)): it comes from the
// vector math table, libmvec or libm.
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

#undef FRIT_ASM_UNARY

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

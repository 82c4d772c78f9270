// Vectors of N lanes over GNU vector extensions: what the rest of the prelude (host_prelude.hpp and what comes behind it) is
// written with. It is in every text for $CXX and in the interpreter's loops; the text for LLVM is written by the same rest
// over other vectors (host_prelude_symbols.hpp), whose operations print themselves. What machines spell differently stands
// here.
namespace fn {

template <class T, int N>
struct lanes {
    typedef T type __attribute__((vector_size(sizeof(T) * N)));
};
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

/// Whether a * b + c is rounded once where it is written so.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
constexpr bool has_fma = true;
#else
constexpr bool has_fma = false;
#endif

/// a where the lane of m is all ones, b where it is zero.
template <class M, class V>
FRIT_INLINE V choose(M m, V a, V b) {
    return m ? a : b;
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

/// Quotients of integers as `div` has them, and what is left of those of floats, lane by lane.
// x/0 and x%0 are 0; /-1 is a negation, which wraps where a quotient would be out of range.
template <class T>
FRIT_INLINE T scalar_div(T a, T b) {
    const bool negates = is_signed<T> && b == (T)-1, divides = b != 0 && !negates;
    const T q = a / (divides ? b : (T)1);
    return divides ? q : negates ? (T)-a : (T)0;
}
template <class T, int N>
FRIT_INLINE vec<T, N> quotient_lanes(vec<T, N> a, vec<T, N> b) {
    return each_lane(a, b, [](T x, T y) { return scalar_div(x, y); });
}
FRIT_INLINE f32 scalar_fmod(f32 a, f32 b) { return __builtin_fmodf(a, b); }
FRIT_INLINE f64 scalar_fmod(f64 a, f64 b) { return __builtin_fmod(a, b); }
template <class T, int N>
FRIT_INLINE vec<T, N> fmod_lanes(vec<T, N> a, vec<T, N> b) {
    return each_lane(a, b, [](T x, T y) { return scalar_fmod(x, y); });
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

// The product of the lower halves. Compilers see one instruction in the text for LLVM (host_prelude_symbols.hpp) alone.
template <int N>
FRIT_INLINE vec<u64, N> multiply_halves(vec<u64, N> a, vec<u64, N> b) {
#if defined(__AVX__)
    if constexpr (sizeof a.v == FRIT_VECTOR_BYTES) {
        vec<u64, N> r;
        asm("vpmuludq %2, %1, %0" : "=" FRIT_REGISTER(r.v) : FRIT_REGISTER(a.v), FRIT_REGISTER(b.v));
        return r;
    }
#endif
    const auto half = splat<N>((u64)0xffffffff).v;
    return {(a.v & half) * (b.v & half)};
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
#undef FRIT_ASM_UNARY

FRIT_INLINE f32 scalar_fma(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
FRIT_INLINE f64 scalar_fma(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
/// a 2^n for a whole n, where there is an instruction for it.
#if defined(__AVX512VL__)
template <class T, int N>
constexpr bool has_scalef = true;
template <class T, int N>
FRIT_INLINE vec<T, N> scalef(vec<T, N> a, vec<T, N> n) {
    if constexpr (sizeof a.v < 16) {
        constexpr int M = 16 / sizeof(T);
        return first<N>(scalef(pad<M>(a), pad<M>(n)));
    } else {
        vec<T, N> r;
        if constexpr (sizeof(T) == 4)
            asm("vscalefps %2, %1, %0" : "=v"(r.v) : "v"(a.v), "v"(n.v));
        else
            asm("vscalefpd %2, %1, %0" : "=v"(r.v) : "v"(a.v), "v"(n.v));
        return r;
    }
}
#else
template <class T, int N>
constexpr bool has_scalef = false;
template <class T, int N>
FRIT_INLINE vec<T, N> scalef(vec<T, N> a, vec<T, N>) {
    return a;
}
#endif
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

// Vectors of N lanes over GNU vector extensions and the functions that ops.def's spellings call on them (FN(f) is fn::f).
// Two users: the interpreter's loops include it once per instruction set, and generated host text starts with a copy of
// it; that the same code runs in both is why the two engines give the same bits. Hence the rules of this file: no include,
// no guard (it is included inside a namespace), FRIT_VECTOR_BYTES defined before it, compiled with -fwrapv
// -ffp-contract=off -fno-math-errno. A function FN(f) of ops.def that is not here must have the name of its op (exp:
// FN(exp)): it comes from the vector math table, libmvec or libm (call_math).
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
// A NaN on either side is the result: a's by the test, b's because no comparison with it holds.
template <class T, int N>
FRIT_INLINE vec<T, N> maximum(vec<T, N> a, vec<T, N> b) {
    return where((a > b) | (a != a), a, b);
}
template <class T, int N>
FRIT_INLINE vec<T, N> minimum(vec<T, N> a, vec<T, N> b) {
    return where((a < b) | (a != a), a, b);
}

// x/0 and x%0 are 0; /-1 is a negation, which wraps where the instruction would trap.
template <class T>
FRIT_INLINE T scalar_div(T a, T b) {
    if (b == 0) return 0;
    return is_signed<T> && b == (T)-1 ? (T)-a : (T)(a / b);
}
template <class T>
FRIT_INLINE T scalar_mod(T a, T b) {
    return b == 0 || (is_signed<T> && b == (T)-1) ? (T)0 : (T)(a % b);
}
template <class T, int N>
FRIT_INLINE vec<T, N> div(vec<T, N> a, vec<T, N> b) {
    if constexpr (is_floating<T>) {
        return {a.v / b.v};
    } else {
        vec<T, N> r;
        for (int k = 0; k < N; ++k) r.v[k] = scalar_div(a.v[k], b.v[k]);
        return r;
    }
}
FRIT_INLINE f32 scalar_fmod(f32 a, f32 b) { return __builtin_fmodf(a, b); }
FRIT_INLINE f64 scalar_fmod(f64 a, f64 b) { return __builtin_fmod(a, b); }
template <class T, int N>
FRIT_INLINE vec<T, N> fmod(vec<T, N> a, vec<T, N> b) {
    vec<T, N> r;
    for (int k = 0; k < N; ++k) {
        if constexpr (is_floating<T>)
            r.v[k] = scalar_fmod(a.v[k], b.v[k]);
        else
            r.v[k] = scalar_mod(a.v[k], b.v[k]);
    }
    return r;
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
#define FRIT_ASM_UNARY(r, instruction, a)                                     \
    if constexpr (sizeof(T) == 4)                                             \
        asm(instruction("ps") : "=" FRIT_REGISTER(r.v) : FRIT_REGISTER(a.v)); \
    else                                                                      \
        asm(instruction("pd") : "=" FRIT_REGISTER(r.v) : FRIT_REGISTER(a.v))

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

FRIT_INLINE f32 scalar_floor(f32 a) { return __builtin_floorf(a); }
FRIT_INLINE f64 scalar_floor(f64 a) { return __builtin_floor(a); }
FRIT_INLINE f32 scalar_ceil(f32 a) { return __builtin_ceilf(a); }
FRIT_INLINE f64 scalar_ceil(f64 a) { return __builtin_ceil(a); }
template <class T, int N>
FRIT_INLINE vec<T, N> floor(vec<T, N> a) {
    vec<T, N> r;
#if defined(FRIT_ROUND)
    if constexpr (sizeof a.v < 16) return first<N>(floor(pad<16 / sizeof(T)>(a)));
#define FRIT_TEXT(suffix) FRIT_ROUND suffix " $9, %1, %0"
    else {
        FRIT_ASM_UNARY(r, FRIT_TEXT, a);
    }
#undef FRIT_TEXT
#else
    for (int k = 0; k < N; ++k) r.v[k] = scalar_floor(a.v[k]);
#endif
    return r;
}
template <class T, int N>
FRIT_INLINE vec<T, N> ceil(vec<T, N> a) {
    vec<T, N> r;
#if defined(FRIT_ROUND)
    if constexpr (sizeof a.v < 16) return first<N>(ceil(pad<16 / sizeof(T)>(a)));
#define FRIT_TEXT(suffix) FRIT_ROUND suffix " $10, %1, %0"
    else {
        FRIT_ASM_UNARY(r, FRIT_TEXT, a);
    }
#undef FRIT_TEXT
#else
    for (int k = 0; k < N; ++k) r.v[k] = scalar_ceil(a.v[k]);
#endif
    return r;
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

// --- what only generated text uses ---

FRIT_INLINE i64 min(i64 a, i64 b) { return a < b ? a : b; }
FRIT_INLINE i64 max(i64 a, i64 b) { return a > b ? a : b; }

/// One dimension of a clamped access: index i becomes clamp(step * i + shift, lo, hi).
struct clamp {
    i64 step, shift, lo, hi;
    FRIT_INLINE explicit clamp(const u64* w) : step((i64)w[0]), shift((i64)w[1]), lo((i64)w[2]), hi((i64)w[3]) {}
    FRIT_INLINE i64 operator()(i64 i) const { return min(max(step * i + shift, lo), hi); }
    /// Shrinks [first, last) to indices that are not clamped.
    inline void narrow(i64& first, i64& last) const {
        if (step == 0) {
            if (shift < lo || shift > hi) last = first;
            return;
        }
        // lo <= step * i + shift <= hi as low <= size * i <= high; a negative step is the mirror image
        const i64 size = step > 0 ? step : -step;
        const i64 low = step > 0 ? lo - shift : shift - hi, high = step > 0 ? hi - shift : shift - lo;
        first = max(first, low / size + (low % size > 0));
        last = max(first, min(last, high / size - (high % size < 0) + 1));
    }
};

/// Copies elements [i, i + count) of a row to the front of a vector's worth of lanes; the other lanes become 1.
template <class T>
__attribute__((noinline)) void fill(T* to, i64 lanes, const T* row, i64 stride, i64 i, i64 count) {
    for (i64 k = 0; k < count; ++k) to[k] = row[(i + k) * stride];
    for (i64 k = count; k < lanes; ++k) to[k] = (T)1;
}
template <class T>
__attribute__((noinline)) void fill(T* to, i64 lanes, const T* row, i64 stride, clamp at, i64 i, i64 count) {
    for (i64 k = 0; k < count; ++k) to[k] = row[at(i + k) * stride];
    for (i64 k = count; k < lanes; ++k) to[k] = (T)1;
}
/// The first `count` lanes to elements [i, i + count) of a row.
template <class T>
__attribute__((noinline)) void spill(T* row, i64 stride, i64 i, i64 count, const T* from) {
    for (i64 k = 0; k < count; ++k) row[(i + k) * stride] = from[k];
}

template <class T, int N>
FRIT_INLINE vec<T, N> iota() {
    vec<T, N> r;
    for (int k = 0; k < N; ++k) r.v[k] = (T)k;
    return r;
}
/// step * i + shift for i, i + 1, ...
template <class T, int N>
FRIT_INLINE vec<T, N> index(i64 step, i64 shift, i64 i) {
    return splat<N>((T)(step * i + shift)) + splat<N>((T)step) * iota<T, N>();
}
template <class T, int N>
FRIT_INLINE vec<T, N> index(clamp c, i64 i) {
    return convert<T>(minimum(maximum(index<i64, N>(c.step, c.shift, i), splat<N>(c.lo)), splat<N>(c.hi)));
}

/// The first n lanes of a, the others of b.
template <class T, int N>
FRIT_INLINE vec<T, N> keep(vec<T, N> a, vec<T, N> b, i64 n) {
    typedef typename integer_of<sizeof(T)>::type I;
    return n >= N ? a : where(iota<I, N>() < splat<N>((I)n), a, b);
}
template <class I, int N>
FRIT_INLINE mask<I, N> keep(mask<I, N> a, mask<I, N> b, i64 n) {
    return n >= N ? a : where(iota<I, N>() < splat<N>((I)n), a, b);
}

template <class T, int N>
FRIT_INLINE void store_first(T* p, vec<T, N> a) {
    *p = a.v[0];
}
template <class I, int N>
FRIT_INLINE void store_first(bool* p, mask<I, N> a) {
    *p = a.v[0] != 0;
}

/// Combines 64 accumulators in registers as a tree, k with k + 32, then + 16, ...; the result goes to `out`.
template <class T, int N, int Count, class F>
inline void tree(vec<T, N> (&acc)[Count], F combine, void* out) {
    for (int half = Count / 2; half > 0; half /= 2)
        for (int v = 0; v < half; ++v) acc[v] = combine(acc[v], acc[v + half]);
    T lane[2 * N] = {};
    for (int half = N / 2; half > 0; half /= 2) {
        store(lane, acc[0]);
        acc[0] = combine(acc[0], load<N>(lane + half));
    }
    store(lane, acc[0]);
    __builtin_memcpy(out, lane, sizeof(T));
}
template <class I, int N, int Count, class F>
inline void tree(mask<I, N> (&acc)[Count], F combine, void* out) {
    for (int half = Count / 2; half > 0; half /= 2)
        for (int v = 0; v < half; ++v) acc[v] = combine(acc[v], acc[v + half]);
    bool lane[2 * N] = {};
    for (int half = N / 2; half > 0; half /= 2) {
        store(lane, acc[0]);
        acc[0] = combine(acc[0], load_mask<I, N>(lane + half));
    }
    store(lane, acc[0]);
    __builtin_memcpy(out, lane, 1);
}

}  // namespace fn

// Loads and stores of the first lanes of a vector alone, for the ends of rows: behind host_prelude.hpp, whose rules hold
// here too, in the interpreter's loops and in generated host text.
namespace fn {

// The first n of N lanes of memory; the other lanes of a load are 1, which no function finds hard. Instructions that touch
// these lanes alone where there are any, else a loop, which stays out of line: it is not worth a copy for every access.
#if defined(__AVX512BW__) && defined(__AVX512VL__)
FRIT_INLINE u64 low_bits(i64 n) { return n >= 64 ? ~(u64)0 : ((u64)1 << n) - 1; }
template <class T, int N>
constexpr bool has_part_moves = sizeof(T) * N >= 16;
#elif defined(__AVX2__)
template <class T, int N>
constexpr bool has_part_moves = sizeof(T) >= 4 && sizeof(T) * N >= 16;
#else
template <class T, int N>
constexpr bool has_part_moves = false;
#endif
template <class T>
__attribute__((noinline)) void copy_lanes(T* to, const T* from, i64 n) {
    for (i64 k = 0; k < n; ++k) to[k] = from[k];
}
template <int N, class T>
FRIT_INLINE vec<T, N> load_part(const T* p, i64 n) {
    if (n >= N) return load<N>(p);
    vec<T, N> r = splat<N>((T)1);
    if constexpr (has_part_moves<T, N>) {
        struct block {
            T x[N];
        };
#if defined(__AVX512BW__) && defined(__AVX512VL__)
        const u64 k = low_bits(n);
        if constexpr (sizeof(T) == 1)
            asm("vmovdqu8 %1, %0%{%2%}" : "+v"(r.v) : "m"(*(const block*)p), "Yk"(k));
        else if constexpr (sizeof(T) == 2)
            asm("vmovdqu16 %1, %0%{%2%}" : "+v"(r.v) : "m"(*(const block*)p), "Yk"(k));
        else if constexpr (sizeof(T) == 4)
            asm("vmovdqu32 %1, %0%{%2%}" : "+v"(r.v) : "m"(*(const block*)p), "Yk"(k));
        else
            asm("vmovdqu64 %1, %0%{%2%}" : "+v"(r.v) : "m"(*(const block*)p), "Yk"(k));
#elif defined(__AVX2__)
        typedef typename integer_of<sizeof(T)>::type I;
        const auto k = iota<I, N>() < splat<N>((I)n);
        vec<T, N> some;
        if constexpr (sizeof(T) == 4)
            asm("vpmaskmovd %1, %2, %0" : "=x"(some.v) : "m"(*(const block*)p), "x"(k.v));
        else
            asm("vpmaskmovq %1, %2, %0" : "=x"(some.v) : "m"(*(const block*)p), "x"(k.v));
        r = where(k, some, r);
#endif
    } else if constexpr (N <= 4) {
        for (int k = 0; k < N - 1; ++k)
            if (k < n) r.v[k] = p[k];
    } else {
        T lane[N];
        __builtin_memcpy(lane, &r.v, sizeof r.v);
        copy_lanes(lane, p, n);
        __builtin_memcpy(&r.v, lane, sizeof r.v);
    }
    return r;
}
template <int N, class T>
FRIT_INLINE void store_part(T* p, vec<T, N> a, i64 n) {
    if (n >= N) return store(p, a);
    if constexpr (has_part_moves<T, N>) {
        struct block {
            T x[N];
        };
#if defined(__AVX512BW__) && defined(__AVX512VL__)
        const u64 k = low_bits(n);
        if constexpr (sizeof(T) == 1)
            asm("vmovdqu8 %1, %0%{%2%}" : "+m"(*(block*)p) : "v"(a.v), "Yk"(k));
        else if constexpr (sizeof(T) == 2)
            asm("vmovdqu16 %1, %0%{%2%}" : "+m"(*(block*)p) : "v"(a.v), "Yk"(k));
        else if constexpr (sizeof(T) == 4)
            asm("vmovdqu32 %1, %0%{%2%}" : "+m"(*(block*)p) : "v"(a.v), "Yk"(k));
        else
            asm("vmovdqu64 %1, %0%{%2%}" : "+m"(*(block*)p) : "v"(a.v), "Yk"(k));
#elif defined(__AVX2__)
        typedef typename integer_of<sizeof(T)>::type I;
        const auto k = iota<I, N>() < splat<N>((I)n);
        if constexpr (sizeof(T) == 4)
            asm("vpmaskmovd %1, %2, %0" : "+m"(*(block*)p) : "x"(a.v), "x"(k.v));
        else
            asm("vpmaskmovq %1, %2, %0" : "+m"(*(block*)p) : "x"(a.v), "x"(k.v));
#endif
    } else if constexpr (N <= 4) {
        for (int k = 0; k < N - 1; ++k)
            if (k < n) p[k] = a.v[k];
    } else {
        T lane[N];
        __builtin_memcpy(lane, &a.v, sizeof a.v);
        copy_lanes(p, lane, n);
    }
}
template <class I, int N>
FRIT_INLINE mask<I, N> load_mask_part(const bool* p, i64 n) {
    return widen_mask<I>(load_part<N>((const i8*)p, n) != splat<N>((i8)0));
}
template <int N, class I>
FRIT_INLINE void store_part(bool* p, mask<I, N> a, i64 n) {
    store_part<N>((i8*)p, vec<i8, N>{widen_mask<i8>(a).v & 1}, n);
}

}  // namespace fn

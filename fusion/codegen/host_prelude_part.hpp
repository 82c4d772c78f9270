// Loads and stores of the first lanes of a vector alone, for the ends of rows: behind host_prelude.hpp, whose rules hold
// here too, in the interpreter's loops and in generated host text.
namespace fn {

// The first n of N lanes of memory; the other lanes of a load are 1, which no function finds hard.
FRIT_INLINE u64 low_bits(i64 n) { return n >= 64 ? ~(u64)0 : ((u64)1 << n) - 1; }
template <int N, class T>
FRIT_INLINE vec<T, N> load_part(const T* p, i64 n) {
    if (n >= N) return load<N>(p);
    vec<T, N> r = splat<N>((T)1);
#if defined(__AVX512BW__) && defined(__AVX512VL__)
    struct block {
        T x[N];
    };
    if constexpr (sizeof r.v >= 16) {
        const u64 k = low_bits(n);
        if constexpr (sizeof(T) == 1)
            asm("vmovdqu8 %1, %0%{%2%}" : "+v"(r.v) : "m"(*(const block*)p), "Yk"(k));
        else if constexpr (sizeof(T) == 2)
            asm("vmovdqu16 %1, %0%{%2%}" : "+v"(r.v) : "m"(*(const block*)p), "Yk"(k));
        else if constexpr (sizeof(T) == 4)
            asm("vmovdqu32 %1, %0%{%2%}" : "+v"(r.v) : "m"(*(const block*)p), "Yk"(k));
        else
            asm("vmovdqu64 %1, %0%{%2%}" : "+v"(r.v) : "m"(*(const block*)p), "Yk"(k));
        return r;
    }
#endif
    T lane[N];
    __builtin_memcpy(lane, &r.v, sizeof r.v);
    for (int i = 0; i < n; ++i) lane[i] = p[i];
    __builtin_memcpy(&r.v, lane, sizeof r.v);
    return r;
}
template <int N, class T>
FRIT_INLINE void store_part(T* p, vec<T, N> a, i64 n) {
    if (n >= N) return store(p, a);
#if defined(__AVX512BW__) && defined(__AVX512VL__)
    struct block {
        T x[N];
    };
    if constexpr (sizeof a.v >= 16) {
        const u64 k = low_bits(n);
        if constexpr (sizeof(T) == 1)
            asm("vmovdqu8 %1, %0%{%2%}" : "+m"(*(block*)p) : "v"(a.v), "Yk"(k));
        else if constexpr (sizeof(T) == 2)
            asm("vmovdqu16 %1, %0%{%2%}" : "+m"(*(block*)p) : "v"(a.v), "Yk"(k));
        else if constexpr (sizeof(T) == 4)
            asm("vmovdqu32 %1, %0%{%2%}" : "+m"(*(block*)p) : "v"(a.v), "Yk"(k));
        else
            asm("vmovdqu64 %1, %0%{%2%}" : "+m"(*(block*)p) : "v"(a.v), "Yk"(k));
        return;
    }
#endif
    T lane[N];
    __builtin_memcpy(lane, &a.v, sizeof a.v);
    for (int i = 0; i < n; ++i) p[i] = lane[i];
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

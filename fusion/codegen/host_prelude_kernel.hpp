// The second half of what generated host text starts with: clamped accesses, scratch copies at the ends of rows,
// coordinates, the tree of a reduction. The interpreter has its own ways for these, so only the text uses them. The rules of
// host_prelude.hpp hold here too.
namespace fn {

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

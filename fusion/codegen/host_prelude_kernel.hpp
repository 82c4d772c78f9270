// The last part of what generated host text starts with: clamped accesses, scratch copies at the ends of rows, coordinates,
// the trees of a reduction. The interpreter has its own ways for these, so only the text uses them. The rules of
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

/// The pointer, computed here: the compiler does not take its sum apart again inside a loop.
template <class T>
FRIT_INLINE T* opaque(T* p) {
    asm("" : "+r"(p));
    return p;
}

/// How many bytes come before the next cache line.
FRIT_INLINE i64 head(const char* p) { return (i64)(-(u64)p % 64); }
/// What follows from where the loads of a row start: `lead` is one of those that are aligned together with the most others,
/// `last` the one at the highest address.
struct load_order {
    int lead = -1, last = -1;
    template <int Count>
    __attribute__((noinline)) void choose(const char* const (&starts)[Count]) {
        last = 0;
        for (int k = 0, most = 0; k < Count; ++k) {
            int same = 0;
            for (int j = 0; j < Count; ++j) same += head(starts[j]) == head(starts[k]);
            if (same > most) most = same, lead = k;
            if (starts[k] > starts[last]) last = k;
        }
    }
};

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

/// Elements [i, i + count) of a row of any stride, clamped or not; the other lanes are 1.
template <int N, class T, class... At>
FRIT_INLINE vec<T, N> collect(const T* row, i64 stride, At... at) {
    alignas(64) T lane[N];
    fill(lane, N, row, stride, at...);
    return load<N>(lane);
}
template <class I, int N, class... At>
FRIT_INLINE mask<I, N> collect_mask(const bool* row, i64 stride, At... at) {
    alignas(64) bool lane[N];
    fill(lane, N, row, stride, at...);
    return load_mask<I, N>(lane);
}
template <int N, class T, class V>
FRIT_INLINE void spread(T* row, i64 stride, i64 i, i64 count, V a) {
    alignas(64) T lane[N];
    store(lane, a);
    spill(row, stride, i, count, lane);
}

/// The first lane everywhere.
template <class T, int N>
FRIT_INLINE vec<T, N> everywhere(vec<T, N> a) {
    return splat<N>((T)a.v[0]);
}
template <class I, int N>
FRIT_INLINE mask<I, N> everywhere(mask<I, N> a) {
    return {splat<N>((I)a.v[0]).v};
}
/// The first `count` lanes, each to the low bytes of a word.
template <class T, int N>
FRIT_INLINE void store_words(u64* to, vec<T, N> a, i64 count) {
    T lane[N];
    store(lane, a);
    for (i64 k = 0; k < count; ++k) __builtin_memcpy(to + k, lane + k, sizeof(T));
}
template <class I, int N>
FRIT_INLINE void store_words(u64* to, mask<I, N> a, i64 count) {
    for (i64 k = 0; k < count; ++k) *(bool*)(to + k) = a.v[k] != 0;
}

/// Lane k becomes what lane k + H was, round and round.
template <int H, class A, int N, int... K>
FRIT_INLINE A moved(A a, lane_list<K...>) {
    return {__builtin_shufflevector(a.v, a.v, ((K + H) % N)...)};
}
template <int H, class T, int N>
FRIT_INLINE vec<T, N> moved(vec<T, N> a) {
    return moved<H, vec<T, N>, N>(a, typename first_lanes<N>::type());
}
template <int H, class I, int N>
FRIT_INLINE mask<I, N> moved(mask<I, N> a) {
    return moved<H, mask<I, N>, N>(a, typename first_lanes<N>::type());
}

/// Results of so many bytes, in lines of so many, that are not overwritten operands: no cache will hold them, and a normal
/// store would read what it replaces.
FRIT_INLINE bool is_far(i64 bytes, i64 line) { return bytes >= 16 << 20 && line >= 1024; }
#if defined(__AVX__)
#define FRIT_STREAM "vmovntps"
#elif defined(__x86_64__)
#define FRIT_STREAM "movntps"
#endif
template <int N, class T>
FRIT_INLINE bool is_aligned(const T* p) {
    return (u64)p % (N * sizeof(T)) == 0;
}
/// A store, past the caches where `far`: then p is aligned to the vector.
template <class T, int N>
FRIT_INLINE void stream(T* p, vec<T, N> a, [[maybe_unused]] bool far) {
#if defined(FRIT_STREAM)
    if constexpr (sizeof a.v >= 16)
        if (__builtin_expect(far, 0)) {
            asm(FRIT_STREAM " %1, %0" : "=m"(*(decltype(a.v)*)p) : FRIT_REGISTER(a.v));
            return;
        }
#endif
    store(p, a);
}
template <class I, int N>
FRIT_INLINE void stream(bool* p, mask<I, N> a, bool) {
    store(p, a);
}
/// Behind stores past the caches: other threads see them before what comes later.
FRIT_INLINE void finish_stream([[maybe_unused]] bool far) {
#if defined(FRIT_STREAM)
    if (far) asm volatile("sfence" ::: "memory");
#endif
}

/// Fetches N elements before they are needed; the memory need not exist.
template <int N, class T>
FRIT_INLINE void prefetch(const T* p) {
#pragma GCC unroll 8
    for (int k = 0; k < N; k += 64 / (int)sizeof(T)) __builtin_prefetch(p + k);
}

// Below, S is a vector of accumulators: the parts of one reduction in each lane, with identity(), add(right),
// moved<H>() and keep(old, n).

/// The 64 accumulators of a block combined as a tree, k with k + 32, then + 16, ...; the result is in the first lane. Those
/// from `used` on are identities that change nothing, so that a level of them alone is left out.
template <int H, class S>
FRIT_INLINE S tree_of_lanes(S s, i64 used) {
    if constexpr (H == 0) {
        return s;
    } else {
        if (used > H) s.add(s.template moved<H>());
        return tree_of_lanes<H / 2>(s, used);
    }
}
template <int N, int Half, class S, int Count>
FRIT_INLINE S tree(S (&acc)[Count], i64 used) {
    if constexpr (Half == 0) {
        return tree_of_lanes<N / 2>(acc[0], used);
    } else {
        if (used > Half * N) {
#pragma GCC unroll 32
            for (int v = 0; v < Half; ++v) acc[v].add(acc[v + Half]);
        }
        return tree<N, Half / 2>(acc, used);
    }
}

/// The same tree where each of the first n accumulators, which have one element each, is a vector of its own.
template <class S>
FRIT_INLINE S tree_of_elements(S* acc, int n) {
    for (int half = 32; half > 0; half /= 2)
        for (int k = 0; k < half && k + half < n; ++k) acc[k].add(acc[k + half]);
    return acc[0];
}

/// Combines what is pushed as a pairwise tree: the left half is the largest power of two below the count.
template <class S>
struct pairwise {
    S at[48];
    i64 count = 0;
    int top = 0;
    FRIT_INLINE void push(S s) {
        for (i64 k = count++; k & 1; k >>= 1) pop(s);
        at[top++] = s;
    }
    FRIT_INLINE S total() {
        if (top == 0) return S::identity();
        S s = at[--top];
        while (top > 0) pop(s);
        return s;
    }

private:
    FRIT_INLINE void pop(S& s) {
        S left = at[--top];
        left.add(s);
        s = left;
    }
};

/// The same for many trees side by side, all with the same count: levels `pitch` apart, `count` of pushed ones before.
template <class S>
FRIT_INLINE void push(S* at, i64 pitch, i64 count, S s) {
    S* top = at + pitch * __builtin_popcountll((u64)count);
    for (; count & 1; count >>= 1) {
        S left = *(top -= pitch);
        left.add(s);
        s = left;
    }
    *top = s;
}
template <class S>
FRIT_INLINE S total(const S* at, i64 pitch, i64 count) {
    if (count == 0) return S::identity();
    const S* top = at + pitch * (__builtin_popcountll((u64)count) - 1);
    S s = *top;
    while (top != at) {
        S left = *(top -= pitch);
        left.add(s);
        s = left;
    }
    return s;
}

/// A number that a generic lambda can count on.
template <int K>
struct number {
    static constexpr int value = K;
};

}  // namespace fn

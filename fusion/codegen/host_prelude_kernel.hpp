// The last part of what generated C++ starts with: clamped accesses, scratch copies at the ends of rows, coordinates, parts
// of vectors kept. The interpreter uses some of it; what is out of line is compiled for LLVM's code too
// (src/cpu/jit_functions). The rules of host_prelude.hpp hold here.
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

/// Lowers `last` to where the clamp is no longer what it is at `first`: one index after the other, or one for all.
inline i64 end_of_stretch(const clamp& c, i64 first, i64 last) {
    const i64 at = c.step * first + c.shift, size = c.step > 0 ? c.step : -c.step;
    if (c.step == 0) return last;
    const bool low = at<c.lo, high = at> c.hi;
    if (c.step > 0 ? high : low) return last;
    const i64 distance = c.step > 0 ? (low ? c.lo : c.hi) - c.shift : c.shift - (high ? c.hi : c.lo);
    return min(last, distance / size + 1);
}
FRIT_INLINE void stretch(const u64* w, i64 first, i64* last) { *last = end_of_stretch(clamp(w), first, *last); }

/// The same of the clamp at w and the two indices `inside`.
FRIT_INLINE void narrow(const u64* w, i64* inside) { clamp(w).narrow(inside[0], inside[1]); }

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

/// Rows of a square become its columns: of `Side` elements that fill 16 bytes, or of one.
template <int Side, class T>
FRIT_INLINE void turn_square(T* to, i64 to_pitch, const T* from, i64 pitch) {
    if constexpr (Side == 1) {
        *to = *from;
    } else {
        typedef typename integer_of<16 / Side>::u U __attribute__((vector_size(16)));
        U row[Side], turned[Side];
        for (int k = 0; k < Side; ++k) __builtin_memcpy(row + k, from + k * pitch, 16);
        if constexpr (Side == 2) {
            turned[0] = __builtin_shufflevector(row[0], row[1], 0, 2);
            turned[1] = __builtin_shufflevector(row[0], row[1], 1, 3);
        } else {
            const U low = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5),
                    high = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7),
                    low2 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5),
                    high2 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
            turned[0] = __builtin_shufflevector(low, low2, 0, 1, 4, 5);
            turned[1] = __builtin_shufflevector(low, low2, 2, 3, 6, 7);
            turned[2] = __builtin_shufflevector(high, high2, 0, 1, 4, 5);
            turned[3] = __builtin_shufflevector(high, high2, 2, 3, 6, 7);
        }
        for (int k = 0; k < Side; ++k) __builtin_memcpy((void*)(to + k * to_pitch), turned + k, 16);
    }
}
/// column[k * lanes + r] = row[r * pitch + k], or back, of `Side` rows r.
template <bool Back, int Side, class Row, class Column>
FRIT_INLINE void turn_rows(Row* row, i64 pitch, Column* column, i64 lanes, i64 first, i64 last) {
    for (i64 k = first; k < last; k += Side)
        if constexpr (Back)
            turn_square<Side>(row + k, pitch, column + k * lanes, lanes);
        else
            turn_square<Side>(column + k * lanes, lanes, row + k, pitch);
}
/// Of all rows: a few from end to end, then the next, for lines of rows that are a power of two apart meet in a cache, which
/// has room for few of them.
template <bool Back, class Row, class Column>
FRIT_INLINE void turn(Row* row, i64 pitch, Column* column, i64 lanes, i64 rows, i64 count) {
    constexpr i64 side = sizeof(Row) == 4 || sizeof(Row) == 8 ? 16 / sizeof(Row) : 1;
    const i64 whole_rows = rows - rows % side, whole = count - count % side;
    for (i64 r = 0; r < whole_rows; r += side) turn_rows<Back, side>(row + r * pitch, pitch, column + r, lanes, 0, whole);
    for (i64 r = 0; r < rows; ++r)
        turn_rows<Back, 1>(row + r * pitch, pitch, column + r, lanes, r < whole_rows ? whole : 0, count);
}
/// Copies `count` elements of each row, `stride` apart, to where a row's elements are `lanes` apart.
template <class T>
__attribute__((noinline)) void fill_rows(T* to, i64 lanes, const T* row, i64 pitch, i64 stride, i64 rows, i64 count) {
    if (stride == 1) return turn<false>(row, pitch, to, lanes, rows, count);
    if (stride == -1) return turn<false>(row - (count - 1), pitch, to + (count - 1) * lanes, -lanes, rows, count);
    for (i64 k = 0; k < count; ++k)
        for (i64 r = 0; r < rows; ++r) to[k * lanes + r] = row[r * pitch + k * stride];
}
/// And back.
template <class T>
__attribute__((noinline)) void spill_rows(T* row, i64 pitch, i64 stride, i64 rows, i64 count, const T* from, i64 lanes) {
    if (stride == 1) return turn<true>(row, pitch, from, lanes, rows, count);
    if (stride == -1) return turn<true>(row - (count - 1), pitch, from + (count - 1) * lanes, -lanes, rows, count);
    for (i64 k = 0; k < count; ++k)
        for (i64 r = 0; r < rows; ++r) row[r * pitch + k * stride] = from[k * lanes + r];
}

/// The elements at[k] of an array for the first `count` lanes; the others read element 0.
template <class T, int N>
FRIT_INLINE vec<T, N> gather_at(const T* p, vec<i64, N> at, i64 count) {
    vec<T, N> r;
    for (int k = 0; k < N; ++k) r.v[k] = p[k < count ? at.v[k] : 0];
    return r;
}
template <class I, int N>
FRIT_INLINE mask<I, N> gather_at_mask(const bool* p, vec<i64, N> at, i64 count) {
    bool bytes[N];
    for (int k = 0; k < N; ++k) bytes[k] = p[k < count ? at.v[k] : 0];
    return load_mask<I, N>(bytes);
}

/// Whether an element of a sorted vector is in front of the place of v: less, or, where Through, not greater. NaN is last.
template <bool Through, class T>
FRIT_INLINE bool is_in_front(T element, T v) {
    if (Through) return element <= v || v != v;
    return element < v || (v != v && element == element);
}
/// How many of the first n elements are. All values take the same steps, of which each asks about one element.
template <bool Through, class T>
FRIT_INLINE void search(const T* p, const T* v, i64 n, i64* to, i64 values) {
    for (i64 k = 0; k < values; ++k) to[k] = 0;
    for (i64 left = n; left > 0;) {
        const i64 half = left > 1 ? left / 2 : 1;
        for (i64 k = 0; k < values; ++k) to[k] += is_in_front<Through>(p[to[k] + half - 1], v[k]) ? half : 0;
        left = left > 1 ? left - half : 0;
    }
}
template <bool Through, class T, int N>
FRIT_INLINE vec<i64, N> search(const T* p, vec<T, N> v, vec<i64, N> n) {
    T values[N];
    i64 to[N];
    __builtin_memcpy(values, &v, sizeof(values));
    search<Through>(p, values, n.v[0], to, N);
    vec<i64, N> r;
    __builtin_memcpy(&r, to, sizeof(to));
    return r;
}

/// What a fault record says: see fusion/ir/kernel_spec.hpp.
inline __attribute__((noinline)) void report_index(u64* fault, i64 at, i64 extent) {
    if (__atomic_exchange_n(fault, (u64)1, __ATOMIC_RELAXED) != 0) return;
    fault[1] = (u64)at;
    fault[2] = (u64)extent;
}
/// Indices of n elements, negative ones from the end; where one of the first `count` is out of range it is 0, and reported.
FRIT_INLINE i64 checked(i64 i, i64 n, u64* fault) {
    const i64 at = i < 0 ? i + n : i;
    if ((u64)at < (u64)n) return at;
    report_index(fault, i, n);
    return 0;
}
template <int N>
inline __attribute__((noinline, cold)) void report_lanes(vec<i64, N> i, vec<i64, N> n, u64* fault, i64 count) {
    for (int k = 0; k < N && k < count; ++k) checked(i.v[k], n.v[k], fault);
}
template <int N>
FRIT_INLINE vec<i64, N> checked(vec<i64, N> i, vec<i64, N> n, u64* fault, i64 count) {
    const auto at = i.v + ((i.v < 0) & n.v);
    const auto wrong = (at < 0) | (at >= n.v);
    i64 lane[N];
    __builtin_memcpy(lane, &wrong, sizeof(lane));
    i64 any = 0;
    for (int k = 0; k < N; ++k) any |= lane[k];
    if (__builtin_expect(any != 0, 0)) report_lanes<N>(i, n, fault, count);
    return {at & ~wrong};
}

/// The pointer, computed here: the compiler does not take its sum apart again inside a loop.
template <class T>
FRIT_INLINE T* opaque(T* p) {
    asm("" : "+r"(p));
    return p;
}

/// What follows from where the `count` loads of a row start, as addresses: order[0] is one of those that are aligned
/// together with the most others, order[1] the one at the highest address.
inline __attribute__((noinline)) void order_loads(const i64* starts, i64 count, i64* order) {
    const auto beside = [starts](i64 k) { return starts[k] % 64; };
    i64 last = 0;
    for (i64 k = 0, most = 0; k < count; ++k) {
        i64 same = 0;
        for (i64 j = 0; j < count; ++j) same += beside(j) == beside(k);
        if (same > most) most = same, order[0] = k;
        if (starts[k] > starts[last]) last = k;
    }
    order[1] = last;
}

/// start, start + step, ...
template <class T, int N>
FRIT_INLINE vec<T, N> along(i64 start, i64 step) {
    return splat<N>((T)start) + splat<N>((T)step) * iota<T, N>();
}
/// The same numbers, between low and high. In lanes of 32 bits where these hold them: what is far outside is brought near
/// first, which changes nothing.
template <class T, int N>
FRIT_INLINE vec<T, N> along(i64 start, i64 step, i64 low, i64 high) {
    if constexpr (sizeof(T) == 4 && (T)1 / 2 == 0 && (T)-1 < (T)0)
        if (__builtin_expect(step == 1 && low >= 0 && high < (i64)1 << 30, true))
            return minimum(maximum(along<T, N>(min(max(start, low - N), high), 1), splat<N>((T)low)), splat<N>((T)high));
    return convert<T>(minimum(maximum(along<i64, N>(start, step), splat<N>(low)), splat<N>(high)));
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

#if defined(__AVX__)
#define FRIT_STREAM "vmovntps"
#elif defined(__x86_64__)
#define FRIT_STREAM "movntps"
#endif
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

}  // namespace fn

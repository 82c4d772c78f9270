namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
struct sum0 {
    V<fn::f32> a0;
    static FRIT_INLINE sum0 identity() { return {fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull))}; }
    FRIT_INLINE void add(const sum0& r) {
        const V<fn::f32> u0 = a0;
        const V<fn::f32> u1 = r.a0;
        const V<fn::f32> u2 = u0 + u1;
        a0 = u2;
    }
    template <int H>
    FRIT_INLINE sum0 moved() const {
        return {fn::moved<H>(a0)};
    }
    FRIT_INLINE sum0 keep(const sum0& old, i64 n) const { return {fn::keep(a0, old.a0, n)}; }
};
extern "C" void frit_kernel(const fn::u64* w, i64 first, i64 last, i64 block, i64 stop, fn::u64* partials) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::f32* const x0 = (const fn::f32*)w[4];
    const i64 e0 = 1;
    const fn::f32* const x1 = (const fn::f32*)w[5];
    fn::f32* const xo0 = (fn::f32*)w[6];
    const i64 eo0 = 1;
    const i64 rows = n0, length = n1, blocks = (length + 4096 - 1) / 4096, runs = (length + 32 - 1) / 32;
    constexpr int G = 2, H = 2;
    constexpr i64 W = 816;
    i64 tile = W;
    tile = fn::max(tile, G * L);
    sum0 tree0[40 * (W / L)];
    alignas(64) fn::f32 row0[W];
    fn::f32 y1[32];
    for (i64 row = first; row < last;) {
        const i64 line = row / n0, begin = row - line * n0, end = fn::min(n0, begin + last - row);
        row += end - begin;
        const fn::f32* const r0 = x0;
        const fn::f32* const r1 = x1;
        fn::f32* const ro0 = xo0;
        i64 in0 = begin, in1 = end;
        for (i64 c = begin; c < end; c += tile) {
            const i64 width = fn::min(tile, end - c);
            for (i64 v = 0; v < width; v += L) {
                const i64 count = fn::min(L, width - v);
                const V<fn::f32> f0 = fn::load_part<L>(r0 + c + v, count);
                fn::store(row0 + v, f0);
            }
            const i64 from0 = block * 128, to0 = fn::min(runs, stop * 128);
            for (i64 run = from0; run < to0; ++run) {
                const i64 j = run * 32;
                const int m = (int)fn::min(32, length - j);
                i64 left = j;
                i64 i1 = left;
                for (int jj = 0; jj < m; ++jj) {
                    y1[jj] = *(r1 + i1);
                    ++i1;
                }
                auto group = [&](auto vectors, auto in_place, i64 v, i64 count) __attribute__((always_inline)) {
                    constexpr int U = decltype(vectors)::value;
                    constexpr bool whole = decltype(in_place)::value;
                    V<fn::f32> f0[U];
                    for (int u = 0; u < U; ++u) f0[u] = fn::load<L>(row0 + v + u * L);
                    sum0 s0[U];
                    for (int u = 0; u < U; ++u) s0[u] = sum0::identity();
                    for (int jj = 0; jj < m; ++jj) {
#pragma GCC unroll 8
                        for (int u = 0; u < U; ++u) {
                            const V<fn::f32> t0 = f0[u];
                            const V<fn::f32> t1 = fn::splat<L>((fn::f32)y1[jj]);
                            const V<fn::f32> t2 = t0 - t1;
                            const V<fn::f32> t3 = fn::abs(t2);
                            s0[u].add(sum0{t3});
                        }
                    }
                    for (int u = 0; u < U; ++u) fn::push(tree0 + v / L + u, W / L, run - from0, s0[u]);
                };
                for (i64 v = 0; v < width;) {
                    const i64 whole = c + v >= in0 ? fn::min(width - v, in1 - c - v) : 0;
                    if (H > G && whole >= H * L) {
                        group(fn::number<H>(), fn::number<1>(), v, H * L);
                        v += H * L;
                    } else if (whole >= G * L) {
                        group(fn::number<G>(), fn::number<1>(), v, G * L);
                        v += G * L;
                    } else {
                        group(fn::number<1>(), fn::number<0>(), v, fn::min(L, width - v));
                        v += L;
                    }
                }
            }
            for (i64 v = 0; v < width; v += L) {
                tree0[v / L] = fn::total(tree0 + v / L, W / L, to0 - from0);
                if (!partials) continue;
                fn::store_words(partials + (0 * blocks + block) * rows + line * n0 + c + v, tree0[v / L].a0, fn::min(L, width - v));
            }
            if (partials) continue;
            for (i64 v = 0; v < width; v += L) {
                const i64 count = fn::min(L, width - v);
                const V<fn::f32> f1 = tree0[v / L].a0;
                fn::store_part<L>(ro0 + c + v, f1, count);
            }
        }
    }
}
}

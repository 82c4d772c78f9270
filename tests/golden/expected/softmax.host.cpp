namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
struct sum0 {
    V<fn::f32> a0;
    static FRIT_INLINE sum0 identity() { return {fn::splat<L>((fn::f32)fn::word<fn::f32>(4286578688ull))}; }
    FRIT_INLINE void add(const sum0& r) {
        const V<fn::f32> u0 = a0;
        const V<fn::f32> u1 = r.a0;
        const V<fn::f32> u2 = fn::maximum(u0, u1);
        a0 = u2;
    }
    template <int H>
    FRIT_INLINE sum0 moved() const {
        return {fn::moved<H>(a0)};
    }
    FRIT_INLINE sum0 keep(const sum0& old, i64 n) const { return {fn::keep(a0, old.a0, n)}; }
};
struct sum1 {
    V<fn::f32> a0;
    static FRIT_INLINE sum1 identity() { return {fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull))}; }
    FRIT_INLINE void add(const sum1& r) {
        const V<fn::f32> u0 = a0;
        const V<fn::f32> u1 = r.a0;
        const V<fn::f32> u2 = u0 + u1;
        a0 = u2;
    }
    template <int H>
    FRIT_INLINE sum1 moved() const {
        return {fn::moved<H>(a0)};
    }
    FRIT_INLINE sum1 keep(const sum1& old, i64 n) const { return {fn::keep(a0, old.a0, n)}; }
};
static __attribute__((noinline)) void short_rows(const fn::u64* w, i64 first, i64 last, i64 block, i64 stop, fn::u64* partials) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::f32* const x0 = (const fn::f32*)w[4];
    const i64 e0 = (i64)w[6];
    fn::f32* const xs0 = (fn::f32*)w[5];
    const i64 es0 = (i64)w[7];
    const i64 rows = n0, length = n1, blocks = (length + 4096 - 1) / 4096, runs = (length + 32 - 1) / 32;
    constexpr int G = 1, H = 1;
    constexpr i64 W = 448;
    i64 tile = W;
    tile = fn::min(tile, 29127 / fn::max(1, length) / (G * L) * (G * L));
    const i64 fits = 16384 / fn::max(1, length) / (G * L) * (G * L);
    if (fits > 0) tile = fn::min(tile, fits);
    tile = fn::max(tile, G * L);
    alignas(64) fn::f32 k3[16384 + 64];
    const bool kept = length * tile <= 16384;
    sum0 tree0[1 * (W / L)];
    sum1 tree1[1 * (W / L)];
    alignas(64) fn::f32 row0[W];
    alignas(64) fn::f32 row1[W];
    i64 o0[32];
    i64 os0[32];
    for (i64 row = first; row < last;) {
        const i64 line = row / n0, begin = row - line * n0, end = fn::min(n0, begin + last - row);
        row += end - begin;
        const fn::f32* const r0 = x0;
        fn::f32* const rs0 = xs0;
        i64 in0 = begin, in1 = end;
        for (i64 c = begin; c < end; c += tile) {
            const i64 width = fn::min(tile, end - c);
            const i64 from0 = block * 128, to0 = fn::min(runs, stop * 128);
            for (i64 run = from0; run < to0; ++run) {
                const i64 j = run * 32;
                const int m = (int)fn::min(32, length - j);
                i64 left = j;
                i64 i1 = left;
                for (int jj = 0; jj < m; ++jj) {
                    o0[jj] = 0 + i1;
                    ++i1;
                }
                auto group = [&](auto vectors, auto in_place, i64 v, i64 count) __attribute__((always_inline)) {
                    constexpr int U = decltype(vectors)::value;
                    constexpr bool whole = decltype(in_place)::value;
                    const fn::f32* const q0 = r0 + (c + v) * e0;
                    const i64 p0 = e0;
                    sum0 s0[32];
                    for (int jj = 0; jj < m; ++jj) {
#pragma GCC unroll 8
                        for (int u = 0; u < U; ++u) {
                            const V<fn::f32> t0 = whole ? fn::gather<L>(q0 + o0[jj] + u * L * p0, p0) : fn::collect<L>(r0 + o0[jj], e0, c + v, count);
                            s0[jj] = sum0::identity();
                            s0[jj].add(sum0{t0});
                        }
                    }
                    tree0[v / L] = fn::tree_of_elements(s0, m);
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
            }
            for (i64 v = 0; v < width; v += L) {
                const i64 count = fn::min(L, width - v);
                const V<fn::f32> f0 = tree0[v / L].a0;
                fn::store(row0 + v, f0);
            }
            const i64 from1 = block * 128, to1 = fn::min(runs, stop * 128);
            for (i64 run = from1; run < to1; ++run) {
                const i64 j = run * 32;
                const int m = (int)fn::min(32, length - j);
                i64 left = j;
                i64 i1 = left;
                for (int jj = 0; jj < m; ++jj) {
                    o0[jj] = 0 + i1;
                    ++i1;
                }
                auto group = [&](auto vectors, auto in_place, i64 v, i64 count) __attribute__((always_inline)) {
                    constexpr int U = decltype(vectors)::value;
                    constexpr bool whole = decltype(in_place)::value;
                    const fn::f32* const q0 = r0 + (c + v) * e0;
                    const i64 p0 = e0;
                    V<fn::f32> f0[U];
                    for (int u = 0; u < U; ++u) f0[u] = fn::load<L>(row0 + v + u * L);
                    sum1 s1[32];
                    for (int jj = 0; jj < m; ++jj) {
#pragma GCC unroll 8
                        for (int u = 0; u < U; ++u) {
                            const V<fn::f32> t0 = whole ? fn::gather<L>(q0 + o0[jj] + u * L * p0, p0) : fn::collect<L>(r0 + o0[jj], e0, c + v, count);
                            const V<fn::f32> t1 = f0[u];
                            const V<fn::f32> t2 = t0 - t1;
                            const V<fn::f32> t3 = fn::exp(t2);
                            if (kept) fn::store(k3 + (j + jj) * tile + v + u * L, t3);
                            s1[jj] = sum1::identity();
                            s1[jj].add(sum1{t3});
                        }
                    }
                    tree1[v / L] = fn::tree_of_elements(s1, m);
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
                tree1[v / L] = fn::total(tree1 + v / L, W / L, to1 - from1);
            }
            for (i64 v = 0; v < width; v += L) {
                const i64 count = fn::min(L, width - v);
                const V<fn::f32> f1 = tree1[v / L].a0;
                fn::store(row1 + v, f1);
            }
            const i64 from2 = block * 128, to2 = fn::min(runs, stop * 128);
            for (i64 run = from2; run < to2; ++run) {
                const i64 j = run * 32;
                const int m = (int)fn::min(32, length - j);
                i64 left = j;
                i64 i1 = left;
                for (int jj = 0; jj < m; ++jj) {
                    o0[jj] = 0 + i1;
                    os0[jj] = 0 + i1;
                    ++i1;
                }
                auto group = [&](auto vectors, auto in_place, i64 v, i64 count) __attribute__((always_inline)) {
                    constexpr int U = decltype(vectors)::value;
                    constexpr bool whole = decltype(in_place)::value;
                    const fn::f32* const q0 = r0 + (c + v) * e0;
                    const i64 p0 = e0;
                    fn::f32* const qs0 = rs0 + (c + v) * es0;
                    const i64 ps0 = es0;
                    V<fn::f32> f0[U];
                    for (int u = 0; u < U; ++u) f0[u] = fn::load<L>(row0 + v + u * L);
                    V<fn::f32> f1[U];
                    for (int u = 0; u < U; ++u) f1[u] = fn::load<L>(row1 + v + u * L);
                    for (int jj = 0; jj < m; ++jj) {
#pragma GCC unroll 8
                        for (int u = 0; u < U; ++u) {
                            const V<fn::f32> t0 = whole ? fn::gather<L>(q0 + o0[jj] + u * L * p0, p0) : fn::collect<L>(r0 + o0[jj], e0, c + v, count);
                            const V<fn::f32> t1 = f0[u];
                            const V<fn::f32> t2 = t0 - t1;
                            const V<fn::f32> t3 = kept ? fn::load<L>(k3 + (j + jj) * tile + v + u * L) : fn::exp(t2);
                            const V<fn::f32> t4 = f1[u];
                            const V<fn::f32> t5 = fn::div(t3, t4);
                            if constexpr (whole)
                                fn::scatter(qs0 + os0[jj] + u * L * ps0, ps0, t5);
                            else
                                fn::spread<L>(rs0 + os0[jj], es0, c + v, count, t5);
                        }
                    }
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
        }
    }
}
extern "C" void frit_kernel(const fn::u64* w, i64 first, i64 last, i64 block, i64 stop, fn::u64* partials) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::f32* const x0 = (const fn::f32*)w[4];
    const i64 e0 = 1;
    fn::f32* const xs0 = (fn::f32*)w[5];
    const i64 es0 = 1;
    const i64 rows = n0, length = n1, blocks = (length + 4096 - 1) / 4096;
    if (length > 0 && length <= 4 && 2 * (last - first) >= L)
        return short_rows(w, first, last, block, stop, partials);
    alignas(64) fn::f32 k3[16384 + 64];
    const bool kept = length <= 16384;
    const bool fars0 = fn::is_far(n0 * n1 * 4, n1 * 4) && w[5] != w[4];
    for (i64 row = first; row < last; ++row) {
        const i64 i0 = row;
        const fn::f32* const r0 = x0 + i0 * (i64)w[6];
        fn::f32* const rs0 = xs0 + i0 * (i64)w[7];
        fn::pairwise<sum0> sums0;
        sum0 all0 = sum0::identity();
        for (i64 b = block; b < fn::min(blocks, stop); ++b) {
            i64 j = b * 4096;
            const i64 end = fn::min(length, j + 4096), used = end - j;
            sum0 s0[64 / L];
#pragma GCC unroll 32
            for (int v = 0; v < 64 / L; ++v) s0[v] = sum0::identity();
            const i64 i = 0;
            const fn::f32* const q0 = r0 + i;
            fn::f32* const qs0 = rs0 + i;
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            for (; j + 64 <= end; j += 64) {
                fn::prefetch<64>(q0 + j + 512);
#pragma GCC unroll 32
                for (int u = 0; u < 64 / L; ++u) {
                    const V<fn::f32> t0 = fn::load<L>(q0 + j + u * L);
                    s0[u].add(sum0{t0});
                }
            }
            if (j < end) {
#pragma GCC unroll 32
                for (int u = 0; u < 64 / L; ++u) {
                    const i64 i = j + u * L, count = fn::min(L, end - i);
                    if (count <= 0) break;
                    const V<fn::f32> t0 = fn::load_part<L>(r0 + i, count);
                    sum0 next0 = s0[u];
                    next0.add(sum0{t0});
                    s0[u] = next0.keep(s0[u], count);
                }
            }
            const sum0 done0 = fn::tree<L, 32 / L>(s0, used);
            if (blocks == 1)
                all0 = done0;
            else
                sums0.push(done0);
        }
        if (blocks > 1) all0 = sums0.total();
        const auto total0 = fn::everywhere(all0.a0);
        const V<fn::f32> f0 = total0;
        fn::pairwise<sum1> sums1;
        sum1 all1 = sum1::identity();
        for (i64 b = block; b < fn::min(blocks, stop); ++b) {
            i64 j = b * 4096;
            const i64 end = fn::min(length, j + 4096), used = end - j;
            sum1 s1[64 / L];
#pragma GCC unroll 32
            for (int v = 0; v < 64 / L; ++v) s1[v] = sum1::identity();
            const i64 i = 0;
            const fn::f32* const q0 = r0 + i;
            fn::f32* const qs0 = rs0 + i;
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            for (; j + 64 <= end; j += 64) {
#pragma GCC unroll 32
                for (int u = 0; u < 64 / L; ++u) {
                    const V<fn::f32> t0 = fn::load<L>(q0 + j + u * L);
                    const V<fn::f32> t1 = f0;
                    const V<fn::f32> t2 = t0 - t1;
                    const V<fn::f32> t3 = fn::exp(t2);
                    if (kept) fn::store(k3 + j + u * L, t3);
                    s1[u].add(sum1{t3});
                }
            }
            if (j < end) {
#pragma GCC unroll 32
                for (int u = 0; u < 64 / L; ++u) {
                    const i64 i = j + u * L, count = fn::min(L, end - i);
                    if (count <= 0) break;
                    const V<fn::f32> t0 = fn::load_part<L>(r0 + i, count);
                    const V<fn::f32> t1 = f0;
                    const V<fn::f32> t2 = t0 - t1;
                    const V<fn::f32> t3 = fn::exp(t2);
                    if (kept) fn::store(k3 + i, t3);
                    sum1 next1 = s1[u];
                    next1.add(sum1{t3});
                    s1[u] = next1.keep(s1[u], count);
                }
            }
            const sum1 done1 = fn::tree<L, 32 / L>(s1, used);
            if (blocks == 1)
                all1 = done1;
            else
                sums1.push(done1);
        }
        if (blocks > 1) all1 = sums1.total();
        const auto total1 = fn::everywhere(all1.a0);
        const V<fn::f32> f1 = total1;
        for (i64 b = block; b < fn::min(blocks, stop); ++b) {
            i64 j = b * 4096;
            const i64 end = fn::min(length, j + 4096), used = end - j;
            const i64 i = 0;
            const fn::f32* const q0 = r0 + i;
            fn::f32* const qs0 = rs0 + i;
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            for (; j + 64 <= end; j += 64) {
#pragma GCC unroll 32
                for (int u = 0; u < 64 / L; ++u) {
                    const V<fn::f32> t0 = fn::load<L>(q0 + j + u * L);
                    const V<fn::f32> t1 = f0;
                    const V<fn::f32> t2 = t0 - t1;
                    const V<fn::f32> t3 = kept ? fn::load<L>(k3 + j + u * L) : fn::exp(t2);
                    const V<fn::f32> t4 = f1;
                    const V<fn::f32> t5 = fn::div(t3, t4);
                    fn::stream(qs0 + j + u * L, t5, pasts0);
                }
            }
            if (j < end) {
#pragma GCC unroll 32
                for (int u = 0; u < 64 / L; ++u) {
                    const i64 i = j + u * L, count = fn::min(L, end - i);
                    if (count <= 0) break;
                    const V<fn::f32> t0 = fn::load_part<L>(r0 + i, count);
                    const V<fn::f32> t1 = f0;
                    const V<fn::f32> t2 = t0 - t1;
                    const V<fn::f32> t3 = kept ? fn::load<L>(k3 + i) : fn::exp(t2);
                    const V<fn::f32> t4 = f1;
                    const V<fn::f32> t5 = fn::div(t3, t4);
                    fn::store_part<L>(rs0 + i, t5, count);
                }
            }
        }
    }
    fn::finish_stream(fars0);
}
}

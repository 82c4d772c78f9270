namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 first, i64 last, i64 block, i64 stop, fn::u64* partials) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::f32* const x0 = (const fn::f32*)w[4];
    const fn::f32* const x1 = (const fn::f32*)w[6];
    fn::f32* const xs0 = (fn::f32*)w[5];
    const i64 length = n1;
    const i64 blocks = ((length + 4095) / 4096);
    const bool fars0 = ((((16777216 <= ((n0 * n1) * 4)) && (1024 <= (n1 * 4))) && ((i64)w[5] != (i64)w[4])) && ((i64)w[5] != (i64)w[6]));
    for (i64 row = first; row < last; row += 1) {
        const i64 i0 = row;
        const fn::f32* const r0 = (x0 + (i0 * (i64)w[7]));
        const fn::f32* const r1 = x1;
        fn::f32* const rs0 = (xs0 + (i0 * (i64)w[8]));
        V<fn::f32> tree0_0[48];
        V<fn::f32> all0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
        for (i64 b = block; b < fn::min(blocks, stop); b += 1) {
            i64 j = (b * 4096);
            const i64 end = fn::min(length, (j + 4096));
            const i64 used = (end - j);
            V<fn::f32> s0_0[8];
#pragma GCC unroll 32
            for (i64 v = 0; v < 8; v += 1) {
                s0_0[v] = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
            }
            const fn::f32* const q0 = r0;
            const fn::f32* const q1 = r1;
            while (((j + 64) <= end)) {
                fn::prefetch<64>((q0 + (j + 512)));
                fn::prefetch<64>((q1 + (j + 512)));
#pragma GCC unroll 32
                for (i64 u = 0; u < 8; u += 1) {
                    const V<fn::f32> t0 = fn::load<L>((q0 + (j + (u * 8))));
                    const V<fn::f32> t3 = fn::load<L>((q1 + (j + (u * 8))));
                    const V<fn::f32> t4 = t0 * t3;
                    const V<fn::f32> u0 = s0_0[u];
                    const V<fn::f32> u1 = t4;
                    const V<fn::f32> u2 = u0 + u1;
                    s0_0[u] = u2;
                }
                j = (j + 64);
            }
            if ((j < end)) {
#pragma GCC unroll 32
                for (i64 u = 0; u < 8; u += 1) {
                    const i64 i = (j + (u * 8));
                    const i64 count = fn::min(8, (end - i));
                    if ((0 < count)) {
                        const V<fn::f32> t0 = fn::load_part<L>((r0 + i), count);
                        const V<fn::f32> t3 = fn::load_part<L>((r1 + i), count);
                        const V<fn::f32> t4 = t0 * t3;
                        const V<fn::f32> u0 = s0_0[u];
                        const V<fn::f32> u1 = t4;
                        const V<fn::f32> u2 = u0 + u1;
                        s0_0[u] = fn::keep(u2, s0_0[u], count);
                    }
                }
            }
            if ((32 < used)) {
#pragma GCC unroll 32
                for (i64 v = 0; v < 4; v += 1) {
                    const V<fn::f32> u0 = s0_0[v];
                    const V<fn::f32> u1 = s0_0[(v + 4)];
                    const V<fn::f32> u2 = u0 + u1;
                    s0_0[v] = u2;
                }
            }
            if ((16 < used)) {
#pragma GCC unroll 32
                for (i64 v = 0; v < 2; v += 1) {
                    const V<fn::f32> u0 = s0_0[v];
                    const V<fn::f32> u1 = s0_0[(v + 2)];
                    const V<fn::f32> u2 = u0 + u1;
                    s0_0[v] = u2;
                }
            }
            if ((8 < used)) {
#pragma GCC unroll 32
                for (i64 v = 0; v < 1; v += 1) {
                    const V<fn::f32> u0 = s0_0[v];
                    const V<fn::f32> u1 = s0_0[(v + 1)];
                    const V<fn::f32> u2 = u0 + u1;
                    s0_0[v] = u2;
                }
            }
            V<fn::f32> done0 = s0_0[0];
            if ((4 < used)) {
                const V<fn::f32> u0 = done0;
                const V<fn::f32> u1 = fn::moved<4>(done0);
                const V<fn::f32> u2 = u0 + u1;
                done0 = u2;
            }
            if ((2 < used)) {
                const V<fn::f32> u0 = done0;
                const V<fn::f32> u1 = fn::moved<2>(done0);
                const V<fn::f32> u2 = u0 + u1;
                done0 = u2;
            }
            if ((1 < used)) {
                const V<fn::f32> u0 = done0;
                const V<fn::f32> u1 = fn::moved<1>(done0);
                const V<fn::f32> u2 = u0 + u1;
                done0 = u2;
            }
            if ((blocks == 1)) {
                all0 = done0;
            } else {
                V<fn::f32> s = done0;
                i64 at = (i64)__builtin_popcountll((fn::u64)b);
                i64 odd = b;
                while (((odd % 2) != 0)) {
                    at = (at - 1);
                    const V<fn::f32> u0 = tree0_0[at];
                    const V<fn::f32> u1 = s;
                    const V<fn::f32> u2 = u0 + u1;
                    s = u2;
                    odd = (odd / 2);
                }
                tree0_0[at] = s;
            }
        }
        if ((1 < blocks)) {
            i64 at = ((i64)__builtin_popcountll((fn::u64)blocks) - 1);
            V<fn::f32> s = tree0_0[at];
            while ((at != 0)) {
                at = (at - 1);
                const V<fn::f32> u0 = tree0_0[at];
                const V<fn::f32> u1 = s;
                const V<fn::f32> u2 = u0 + u1;
                s = u2;
            }
            all0 = s;
        }
        const V<fn::f32> total0 = fn::everywhere(all0);
        const V<fn::f32> f0 = total0;
        const V<fn::f32> f1 = fn::div(fn::constant<V<fn::f32>>(1), fn::constant<V<fn::f32>>(1) + fn::exp(-f0));
        for (i64 b = block; b < fn::min(blocks, stop); b += 1) {
            i64 j = (b * 4096);
            const i64 end = fn::min(length, (j + 4096));
            const fn::f32* const q0 = r0;
            fn::f32* const qs0 = rs0;
            const bool pasts0 = (fars0 && (((i64)qs0 % 32) == 0));
            while (((j + 64) <= end)) {
#pragma GCC unroll 32
                for (i64 u = 0; u < 8; u += 1) {
                    const V<fn::f32> t0 = fn::load<L>((q0 + (j + (u * 8))));
                    const V<fn::f32> t1 = f1;
                    const V<fn::f32> t2 = t0 * t1;
                    fn::stream((qs0 + (j + (u * 8))), t2, pasts0);
                }
                j = (j + 64);
            }
            if ((j < end)) {
#pragma GCC unroll 32
                for (i64 u = 0; u < 8; u += 1) {
                    const i64 i = (j + (u * 8));
                    const i64 count = fn::min(8, (end - i));
                    if ((0 < count)) {
                        const V<fn::f32> t0 = fn::load_part<L>((r0 + i), count);
                        const V<fn::f32> t1 = f1;
                        const V<fn::f32> t2 = t0 * t1;
                        fn::store_part<L>((rs0 + i), t2, count);
                    }
                }
            }
        }
    }
    fn::finish_stream(fars0);
}
}
namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 first, i64 last, i64 block, i64 stop, fn::u64* partials) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::f32* const x0 = (const fn::f32*)w[4];
    fn::f32* const xo0 = (fn::f32*)w[5];
    const bool parted = ((i64)partials != 0);
    const i64 rows = n0;
    const i64 length = n1;
    const i64 runs = ((length + 31) / 32);
    const i64 tile = 1024;
    V<fn::f32> tree0_0[5120];
    i64 o0[32];
    i64 row = first;
    while ((row < last)) {
        const i64 line = (row / n0);
        const i64 begin = (row - (line * n0));
        const i64 end = fn::min(n0, ((begin + last) - row));
        row = (row + (end - begin));
        const fn::f32* const r0 = x0;
        fn::f32* const ro0 = xo0;
        i64 c = begin;
        while ((c < end)) {
            const i64 width = fn::min(tile, (end - c));
            const i64 from = (block * 128);
            const i64 to = fn::min(runs, (stop * 128));
            for (i64 run = from; run < to; run += 1) {
                const i64 j = (run * 32);
                const i64 m = fn::min(32, (length - j));
                const i64 met = (i64)__builtin_popcountll((fn::u64)(run - from));
                i64 i1 = j;
                for (i64 jj = 0; jj < m; jj += 1) {
                    o0[jj] = (i1 * (i64)w[6]);
                    i1 = (i1 + 1);
                }
                i64 v = 0;
                while ((v < width)) {
                    const i64 whole = ((begin <= (c + v)) ? fn::min((width - v), ((end - c) - v)) : 0);
                    if ((1024 <= whole)) {
                        const fn::f32* const q0 = (r0 + (c + v));
                        V<fn::f32> s0_0[128];
#pragma GCC unroll 8
                        for (i64 u = 0; u < 128; u += 1) {
                            s0_0[u] = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
                        }
                        for (i64 jj = 0; jj < m; jj += 1) {
#pragma GCC unroll 8
                            for (i64 u = 0; u < 128; u += 1) {
                                const V<fn::f32> t0 = fn::load<L>((q0 + (o0[jj] + (u * 8))));
                                const V<fn::f32> u0 = s0_0[u];
                                const V<fn::f32> u1 = t0;
                                const V<fn::f32> u2 = u0 + u1;
                                s0_0[u] = u2;
                            }
                        }
                        const i64 place = (v / 8);
                        for (i64 u = 0; u < 128; u += 1) {
                            V<fn::f32> s = s0_0[u];
                            i64 at = ((place + u) + (met * 128));
                            i64 odd = (run - from);
                            while (((odd % 2) != 0)) {
                                at = (at - 128);
                                const V<fn::f32> u0 = tree0_0[at];
                                const V<fn::f32> u1 = s;
                                const V<fn::f32> u2 = u0 + u1;
                                s = u2;
                                odd = (odd / 2);
                            }
                            tree0_0[at] = s;
                        }
                        v = (v + 1024);
                    } else {
                        if ((32 <= whole)) {
                            const fn::f32* const q0 = (r0 + (c + v));
                            V<fn::f32> s0_0[4];
#pragma GCC unroll 8
                            for (i64 u = 0; u < 4; u += 1) {
                                s0_0[u] = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
                            }
                            for (i64 jj = 0; jj < m; jj += 1) {
                                fn::prefetch<32>((q0 + (o0[jj] + 32)));
#pragma GCC unroll 8
                                for (i64 u = 0; u < 4; u += 1) {
                                    const V<fn::f32> t0 = fn::load<L>((q0 + (o0[jj] + (u * 8))));
                                    const V<fn::f32> u0 = s0_0[u];
                                    const V<fn::f32> u1 = t0;
                                    const V<fn::f32> u2 = u0 + u1;
                                    s0_0[u] = u2;
                                }
                            }
                            const i64 place = (v / 8);
                            for (i64 u = 0; u < 4; u += 1) {
                                V<fn::f32> s = s0_0[u];
                                i64 at = ((place + u) + (met * 128));
                                i64 odd = (run - from);
                                while (((odd % 2) != 0)) {
                                    at = (at - 128);
                                    const V<fn::f32> u0 = tree0_0[at];
                                    const V<fn::f32> u1 = s;
                                    const V<fn::f32> u2 = u0 + u1;
                                    s = u2;
                                    odd = (odd / 2);
                                }
                                tree0_0[at] = s;
                            }
                            v = (v + 32);
                        } else {
                            V<fn::f32> s0_0[1];
#pragma GCC unroll 8
                            for (i64 u = 0; u < 1; u += 1) {
                                s0_0[u] = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
                            }
                            for (i64 jj = 0; jj < m; jj += 1) {
#pragma GCC unroll 8
                                for (i64 u = 0; u < 1; u += 1) {
                                    const V<fn::f32> t0 = fn::load_part<L>((r0 + (o0[jj] + (c + v))), fn::min(8, (width - v)));
                                    const V<fn::f32> u0 = s0_0[u];
                                    const V<fn::f32> u1 = t0;
                                    const V<fn::f32> u2 = u0 + u1;
                                    s0_0[u] = u2;
                                }
                            }
                            const i64 place = (v / 8);
                            for (i64 u = 0; u < 1; u += 1) {
                                V<fn::f32> s = s0_0[u];
                                i64 at = ((place + u) + (met * 128));
                                i64 odd = (run - from);
                                while (((odd % 2) != 0)) {
                                    at = (at - 128);
                                    const V<fn::f32> u0 = tree0_0[at];
                                    const V<fn::f32> u1 = s;
                                    const V<fn::f32> u2 = u0 + u1;
                                    s = u2;
                                    odd = (odd / 2);
                                }
                                tree0_0[at] = s;
                            }
                            v = (v + 8);
                        }
                    }
                }
            }
            const i64 pushed = (to - from);
            const i64 top = ((i64)__builtin_popcountll((fn::u64)pushed) - 1);
            for (i64 v = 0; v < width; v += 8) {
                const i64 place = (v / 8);
                if ((pushed == 0)) {
                    tree0_0[place] = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
                } else {
                    i64 at = (place + (top * 128));
                    V<fn::f32> s = tree0_0[at];
                    while ((at != place)) {
                        at = (at - 128);
                        const V<fn::f32> u0 = tree0_0[at];
                        const V<fn::f32> u1 = s;
                        const V<fn::f32> u2 = u0 + u1;
                        s = u2;
                    }
                    tree0_0[place] = s;
                }
                if (parted) {
                    fn::store_words((partials + ((block * rows) + (((line * n0) + c) + v))), tree0_0[place], fn::min(8, (width - v)));
                }
            }
            if (!parted) {
                for (i64 v = 0; v < width; v += 8) {
                    const i64 count = fn::min(8, (width - v));
                    const V<fn::f32> f0 = tree0_0[(v / 8)];
                    fn::store_part<L>((ro0 + (c + v)), f0, count);
                }
            }
            c = (c + tile);
        }
    }
}
}

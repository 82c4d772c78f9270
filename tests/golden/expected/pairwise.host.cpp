namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 first, i64 last, i64 block, i64 stop, fn::u64* partials) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::f32* const x0 = (const fn::f32*)w[4];
    const fn::f32* const x1 = (const fn::f32*)w[5];
    fn::f32* const xo0 = (fn::f32*)w[6];
    const bool parted = ((i64)partials != 0);
    const i64 rows = n0;
    const i64 length = n1;
    const i64 runs = ((length + 31) / 32);
    const i64 tile = 816;
    V<fn::f32> tree0_0[4080];
    alignas(64) fn::f32 row0[816];
    alignas(64) fn::f32 y1[32];
    i64 row = first;
    while ((row < last)) {
        const i64 line = (row / n0);
        const i64 begin = (row - (line * n0));
        const i64 end = fn::min(n0, ((begin + last) - row));
        row = (row + (end - begin));
        const fn::f32* const r0 = x0;
        const fn::f32* const r1 = x1;
        fn::f32* const ro0 = xo0;
        i64 c = begin;
        while ((c < end)) {
            const i64 width = fn::min(tile, (end - c));
            for (i64 v = 0; v < width; v += 8) {
                const i64 count = fn::min(8, (width - v));
                const V<fn::f32> f0 = fn::load_part<L>((r0 + (c + v)), count);
                fn::store((row0 + v), f0);
            }
            const i64 from = (block * 128);
            const i64 to = fn::min(runs, (stop * 128));
            for (i64 run = from; run < to; run += 1) {
                const i64 j = (run * 32);
                const i64 m = fn::min(32, (length - j));
                const i64 met = (i64)__builtin_popcountll((fn::u64)(run - from));
                i64 i1 = j;
                for (i64 jj = 0; jj < m; jj += 1) {
                    y1[jj] = *(r1 + i1);
                    i1 = (i1 + 1);
                }
                i64 v = 0;
                while ((v < width)) {
                    const i64 whole = ((begin <= (c + v)) ? fn::min((width - v), ((end - c) - v)) : 0);
                    if ((16 <= whole)) {
                        V<fn::f32> f0[2];
                        for (i64 u = 0; u < 2; u += 1) {
                            f0[u] = fn::load<L>((row0 + (v + (u * 8))));
                        }
                        V<fn::f32> s0_0[2];
#pragma GCC unroll 8
                        for (i64 u = 0; u < 2; u += 1) {
                            s0_0[u] = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
                        }
                        for (i64 jj = 0; jj < m; jj += 1) {
#pragma GCC unroll 8
                            for (i64 u = 0; u < 2; u += 1) {
                                const V<fn::f32> t0 = f0[u];
                                const V<fn::f32> t1 = fn::splat<L>((fn::f32)y1[jj]);
                                const V<fn::f32> t2 = t0 - t1;
                                const V<fn::f32> t3 = fn::abs(t2);
                                const V<fn::f32> u0 = s0_0[u];
                                const V<fn::f32> u1 = t3;
                                const V<fn::f32> u2 = u0 + u1;
                                s0_0[u] = u2;
                            }
                        }
                        const i64 place = (v / 8);
                        for (i64 u = 0; u < 2; u += 1) {
                            V<fn::f32> s = s0_0[u];
                            i64 at = ((place + u) + (met * 102));
                            i64 odd = (run - from);
                            while (((odd % 2) != 0)) {
                                at = (at - 102);
                                const V<fn::f32> u0 = tree0_0[at];
                                const V<fn::f32> u1 = s;
                                const V<fn::f32> u2 = u0 + u1;
                                s = u2;
                                odd = (odd / 2);
                            }
                            tree0_0[at] = s;
                        }
                        v = (v + 16);
                    } else {
                        V<fn::f32> f0[1];
                        for (i64 u = 0; u < 1; u += 1) {
                            f0[u] = fn::load<L>((row0 + (v + (u * 8))));
                        }
                        V<fn::f32> s0_0[1];
#pragma GCC unroll 8
                        for (i64 u = 0; u < 1; u += 1) {
                            s0_0[u] = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
                        }
                        for (i64 jj = 0; jj < m; jj += 1) {
#pragma GCC unroll 8
                            for (i64 u = 0; u < 1; u += 1) {
                                const V<fn::f32> t0 = f0[u];
                                const V<fn::f32> t1 = fn::splat<L>((fn::f32)y1[jj]);
                                const V<fn::f32> t2 = t0 - t1;
                                const V<fn::f32> t3 = fn::abs(t2);
                                const V<fn::f32> u0 = s0_0[u];
                                const V<fn::f32> u1 = t3;
                                const V<fn::f32> u2 = u0 + u1;
                                s0_0[u] = u2;
                            }
                        }
                        const i64 place = (v / 8);
                        for (i64 u = 0; u < 1; u += 1) {
                            V<fn::f32> s = s0_0[u];
                            i64 at = ((place + u) + (met * 102));
                            i64 odd = (run - from);
                            while (((odd % 2) != 0)) {
                                at = (at - 102);
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
            const i64 pushed = (to - from);
            const i64 top = ((i64)__builtin_popcountll((fn::u64)pushed) - 1);
            for (i64 v = 0; v < width; v += 8) {
                const i64 place = (v / 8);
                if ((pushed == 0)) {
                    tree0_0[place] = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
                } else {
                    i64 at = (place + (top * 102));
                    V<fn::f32> s = tree0_0[at];
                    while ((at != place)) {
                        at = (at - 102);
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
                    const V<fn::f32> f1 = tree0_0[(v / 8)];
                    fn::store_part<L>((ro0 + (c + v)), f1, count);
                }
            }
            c = (c + tile);
        }
    }
}
}

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
    const fn::f32* const x2 = (const fn::f32*)w[6];
    const i64 rows = 1;
    const i64 length = (n0 * n1);
    const i64 blocks = ((length + 4095) / 4096);
    for (i64 row = first; row < last; row += 1) {
        const fn::f32* const r0 = x0;
        const fn::f32* const r1 = x1;
        const fn::f32* const r2 = x2;
        i64 i0 = 0;
        const fn::f32* l0 = r0;
        alignas(64) fn::f32 b0[8];
        const fn::f32* l1 = r1;
        alignas(64) fn::f32 b1[8];
        const fn::f32* l2 = r2;
        alignas(64) fn::f32 b2[8];
        for (i64 b = block; b < fn::min(blocks, stop); b += 1) {
            i64 j = (b * 4096);
            const i64 end = fn::min(length, (j + 4096));
            const i64 used = (end - j);
            V<fn::f32> s0_0[8];
#pragma GCC unroll 32
            for (i64 v = 0; v < 8; v += 1) {
                s0_0[v] = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
            }
            V<fn::f32> acc0_0[8];
            for (i64 v = 0; v < 8; v += 1) {
                acc0_0[v] = s0_0[v];
            }
            while ((j < end)) {
                const i64 at = (j / n1);
                const i64 i = (j - (at * n1));
                const i64 line_end = fn::min(n1, ((i + end) - j));
                i0 = at;
                l0 = (r0 + (i0 * (i64)w[8]));
                l1 = r1;
                l2 = (r2 + i0);
                if (((((j % 64) == 0) && (i <= i)) && ((i + 64) <= line_end))) {
                    const fn::f32* const q0 = (l0 + i);
                    const fn::f32* const q1 = (l1 + i);
                    const fn::f32* const q2 = l2;
                    const i64 count = (((line_end - i) / 64) * 64);
                    for (i64 v = 0; v < 8; v += 1) {
                        s0_0[v] = acc0_0[v];
                    }
                    for (i64 g = 0; g < count; g += 64) {
                        fn::prefetch<64>((q0 + (g + 512)));
                        fn::prefetch<64>((q1 + (g + 512)));
#pragma GCC unroll 32
                        for (i64 u = 0; u < 8; u += 1) {
                            const V<fn::f32> t0 = fn::load<L>((q0 + (g + (u * 8))));
                            const V<fn::f32> t1 = fn::load<L>((q1 + (g + (u * 8))));
                            const V<fn::f32> t2 = t0 * t1;
                            const V<fn::f32> t3 = fn::splat<L>((fn::f32)*q2);
                            const V<fn::f32> t4 = t2 * t3;
                            const V<fn::f32> u0 = s0_0[u];
                            const V<fn::f32> u1 = t4;
                            const V<fn::f32> u2 = u0 + u1;
                            s0_0[u] = u2;
                        }
                    }
                    for (i64 v = 0; v < 8; v += 1) {
                        acc0_0[v] = s0_0[v];
                    }
                    j = (j + count);
                } else {
                    const i64 count = fn::min(8, (end - j));
                    const bool direct = ((i <= i) && ((i + 8) <= line_end));
                    const fn::f32* const q0 = (l0 + i);
                    const fn::f32* const q1 = (l1 + i);
                    const fn::f32* const q2 = l2;
                    if (!direct) {
                        i64 filled = 0;
                        while ((filled < count)) {
                            const i64 line = ((j + filled) / n1);
                            const i64 at_2 = ((j + filled) - (line * n1));
                            const i64 n = fn::min((count - filled), (n1 - at_2));
                            i0 = line;
                            l0 = (r0 + (i0 * (i64)w[8]));
                            l1 = r1;
                            l2 = (r2 + i0);
                            fn::fill((b0 + filled), n, l0, 1, at_2, n);
                            fn::fill((b1 + filled), n, l1, 1, at_2, n);
                            fn::fill((b2 + filled), n, l2, 0, at_2, n);
                            filled = (filled + n);
                        }
                        for (i64 k = count; k < 8; k += 1) {
                            b0[k] = (fn::f32)1;
                            b1[k] = (fn::f32)1;
                            b2[k] = (fn::f32)1;
                        }
                    }
                    const V<fn::f32> t0 = (direct ? fn::load<L>(q0) : fn::load<L>((b0 + 0)));
                    const V<fn::f32> t1 = (direct ? fn::load<L>(q1) : fn::load<L>((b1 + 0)));
                    const V<fn::f32> t2 = t0 * t1;
                    const V<fn::f32> t3 = (direct ? fn::splat<L>((fn::f32)*q2) : fn::load<L>((b2 + 0)));
                    const V<fn::f32> t4 = t2 * t3;
                    const i64 slot = ((j % 64) / 8);
                    const V<fn::f32> u0 = acc0_0[slot];
                    const V<fn::f32> u1 = t4;
                    const V<fn::f32> u2 = u0 + u1;
                    acc0_0[slot] = fn::keep(u2, acc0_0[slot], count);
                    j = (j + count);
                }
            }
            for (i64 v = 0; v < 8; v += 1) {
                s0_0[v] = acc0_0[v];
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
            fn::store_words((partials + ((b * rows) + row)), done0, 1);
        }
    }
}
}

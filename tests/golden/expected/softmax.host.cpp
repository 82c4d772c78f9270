namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 first, i64 last, i64 block, i64 stop, fn::u64* partials) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::f32* const x0 = (const fn::f32*)w[4];
    fn::f32* const xs0 = (fn::f32*)w[5];
    const i64 length = n1;
    const i64 blocks = ((length + 4095) / 4096);
    alignas(64) fn::f32 k3[16448];
    const bool fits = (length <= 16384);
    const bool fars0 = (((16777216 <= ((n0 * n1) * 4)) && (1024 <= (n1 * 4))) && ((i64)w[5] != (i64)w[4]));
    for (i64 row = first; row < last; row += 1) {
        const i64 i0 = row;
        const fn::f32* const r0 = (x0 + (i0 * (i64)w[6]));
        fn::f32* const rs0 = (xs0 + (i0 * (i64)w[7]));
        V<fn::f32> tree0_0[48];
        V<fn::f32> all0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(4286578688ull));
        for (i64 b = block; b < fn::min(blocks, stop); b += 1) {
            i64 j = (b * 4096);
            const i64 end = fn::min(length, (j + 4096));
            const i64 used = (end - j);
            V<fn::f32> s0_0[8];
#pragma GCC unroll 32
            for (i64 v = 0; v < 8; v += 1) {
                s0_0[v] = fn::splat<L>((fn::f32)fn::word<fn::f32>(4286578688ull));
            }
            const fn::f32* const q0 = r0;
            while (((j + 64) <= end)) {
                fn::prefetch<64>((q0 + (j + 512)));
#pragma GCC unroll 32
                for (i64 u = 0; u < 8; u += 1) {
                    const V<fn::f32> t0 = fn::load<L>((q0 + (j + (u * 8))));
                    const V<fn::f32> u0 = s0_0[u];
                    const V<fn::f32> u1 = t0;
                    const V<fn::f32> u2 = fn::maximum(u0, u1);
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
                        const V<fn::f32> u0 = s0_0[u];
                        const V<fn::f32> u1 = t0;
                        const V<fn::f32> u2 = fn::maximum(u0, u1);
                        s0_0[u] = fn::keep(u2, s0_0[u], count);
                    }
                }
            }
            if ((32 < used)) {
#pragma GCC unroll 32
                for (i64 v = 0; v < 4; v += 1) {
                    const V<fn::f32> u0 = s0_0[v];
                    const V<fn::f32> u1 = s0_0[(v + 4)];
                    const V<fn::f32> u2 = fn::maximum(u0, u1);
                    s0_0[v] = u2;
                }
            }
            if ((16 < used)) {
#pragma GCC unroll 32
                for (i64 v = 0; v < 2; v += 1) {
                    const V<fn::f32> u0 = s0_0[v];
                    const V<fn::f32> u1 = s0_0[(v + 2)];
                    const V<fn::f32> u2 = fn::maximum(u0, u1);
                    s0_0[v] = u2;
                }
            }
            if ((8 < used)) {
#pragma GCC unroll 32
                for (i64 v = 0; v < 1; v += 1) {
                    const V<fn::f32> u0 = s0_0[v];
                    const V<fn::f32> u1 = s0_0[(v + 1)];
                    const V<fn::f32> u2 = fn::maximum(u0, u1);
                    s0_0[v] = u2;
                }
            }
            V<fn::f32> done0 = s0_0[0];
            if ((4 < used)) {
                const V<fn::f32> u0 = done0;
                const V<fn::f32> u1 = fn::moved<4>(done0);
                const V<fn::f32> u2 = fn::maximum(u0, u1);
                done0 = u2;
            }
            if ((2 < used)) {
                const V<fn::f32> u0 = done0;
                const V<fn::f32> u1 = fn::moved<2>(done0);
                const V<fn::f32> u2 = fn::maximum(u0, u1);
                done0 = u2;
            }
            if ((1 < used)) {
                const V<fn::f32> u0 = done0;
                const V<fn::f32> u1 = fn::moved<1>(done0);
                const V<fn::f32> u2 = fn::maximum(u0, u1);
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
                    const V<fn::f32> u2 = fn::maximum(u0, u1);
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
                const V<fn::f32> u2 = fn::maximum(u0, u1);
                s = u2;
            }
            all0 = s;
        }
        const V<fn::f32> total0 = fn::everywhere(all0);
        const V<fn::f32> f0 = total0;
        V<fn::f32> tree1_0[48];
        V<fn::f32> all1 = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
        for (i64 b = block; b < fn::min(blocks, stop); b += 1) {
            i64 j = (b * 4096);
            const i64 end = fn::min(length, (j + 4096));
            const i64 used = (end - j);
            V<fn::f32> s1_0[8];
#pragma GCC unroll 32
            for (i64 v = 0; v < 8; v += 1) {
                s1_0[v] = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
            }
            const fn::f32* const q0 = r0;
            while (((j + 64) <= end)) {
#pragma GCC unroll 32
                for (i64 u = 0; u < 8; u += 1) {
                    const V<fn::f32> t0 = fn::load<L>((q0 + (j + (u * 8))));
                    const V<fn::f32> t1 = f0;
                    const V<fn::f32> t2 = t0 - t1;
                    const V<fn::f32> t3 = fn::exp(t2);
                    if (fits) {
                        fn::store((k3 + (j + (u * 8))), t3);
                    }
                    const V<fn::f32> u0 = s1_0[u];
                    const V<fn::f32> u1 = t3;
                    const V<fn::f32> u2 = u0 + u1;
                    s1_0[u] = u2;
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
                        const V<fn::f32> t1 = f0;
                        const V<fn::f32> t2 = t0 - t1;
                        const V<fn::f32> t3 = fn::exp(t2);
                        if (fits) {
                            fn::store((k3 + i), t3);
                        }
                        const V<fn::f32> u0 = s1_0[u];
                        const V<fn::f32> u1 = t3;
                        const V<fn::f32> u2 = u0 + u1;
                        s1_0[u] = fn::keep(u2, s1_0[u], count);
                    }
                }
            }
            if ((32 < used)) {
#pragma GCC unroll 32
                for (i64 v = 0; v < 4; v += 1) {
                    const V<fn::f32> u0 = s1_0[v];
                    const V<fn::f32> u1 = s1_0[(v + 4)];
                    const V<fn::f32> u2 = u0 + u1;
                    s1_0[v] = u2;
                }
            }
            if ((16 < used)) {
#pragma GCC unroll 32
                for (i64 v = 0; v < 2; v += 1) {
                    const V<fn::f32> u0 = s1_0[v];
                    const V<fn::f32> u1 = s1_0[(v + 2)];
                    const V<fn::f32> u2 = u0 + u1;
                    s1_0[v] = u2;
                }
            }
            if ((8 < used)) {
#pragma GCC unroll 32
                for (i64 v = 0; v < 1; v += 1) {
                    const V<fn::f32> u0 = s1_0[v];
                    const V<fn::f32> u1 = s1_0[(v + 1)];
                    const V<fn::f32> u2 = u0 + u1;
                    s1_0[v] = u2;
                }
            }
            V<fn::f32> done1 = s1_0[0];
            if ((4 < used)) {
                const V<fn::f32> u0 = done1;
                const V<fn::f32> u1 = fn::moved<4>(done1);
                const V<fn::f32> u2 = u0 + u1;
                done1 = u2;
            }
            if ((2 < used)) {
                const V<fn::f32> u0 = done1;
                const V<fn::f32> u1 = fn::moved<2>(done1);
                const V<fn::f32> u2 = u0 + u1;
                done1 = u2;
            }
            if ((1 < used)) {
                const V<fn::f32> u0 = done1;
                const V<fn::f32> u1 = fn::moved<1>(done1);
                const V<fn::f32> u2 = u0 + u1;
                done1 = u2;
            }
            if ((blocks == 1)) {
                all1 = done1;
            } else {
                V<fn::f32> s = done1;
                i64 at = (i64)__builtin_popcountll((fn::u64)b);
                i64 odd = b;
                while (((odd % 2) != 0)) {
                    at = (at - 1);
                    const V<fn::f32> u0 = tree1_0[at];
                    const V<fn::f32> u1 = s;
                    const V<fn::f32> u2 = u0 + u1;
                    s = u2;
                    odd = (odd / 2);
                }
                tree1_0[at] = s;
            }
        }
        if ((1 < blocks)) {
            i64 at = ((i64)__builtin_popcountll((fn::u64)blocks) - 1);
            V<fn::f32> s = tree1_0[at];
            while ((at != 0)) {
                at = (at - 1);
                const V<fn::f32> u0 = tree1_0[at];
                const V<fn::f32> u1 = s;
                const V<fn::f32> u2 = u0 + u1;
                s = u2;
            }
            all1 = s;
        }
        const V<fn::f32> total1 = fn::everywhere(all1);
        const V<fn::f32> f1 = total1;
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
                    const V<fn::f32> t1 = f0;
                    const V<fn::f32> t2 = t0 - t1;
                    const V<fn::f32> t3 = (fits ? fn::load<L>((k3 + (j + (u * 8)))) : fn::exp(t2));
                    const V<fn::f32> t4 = f1;
                    const V<fn::f32> t5 = fn::div(t3, t4);
                    fn::stream((qs0 + (j + (u * 8))), t5, pasts0);
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
                        const V<fn::f32> t1 = f0;
                        const V<fn::f32> t2 = t0 - t1;
                        const V<fn::f32> t3 = (fits ? fn::load<L>((k3 + i)) : fn::exp(t2));
                        const V<fn::f32> t4 = f1;
                        const V<fn::f32> t5 = fn::div(t3, t4);
                        fn::store_part<L>((rs0 + i), t5, count);
                    }
                }
            }
        }
    }
    fn::finish_stream(fars0);
}
}

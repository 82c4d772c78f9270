namespace body {
constexpr int L = 4;
typedef fn::integer_of<8>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 first, i64 last, i64 block, i64 stop, fn::u64* partials) {
    const i64 n0 = (i64)w[2];
    const fn::i8* const x0 = (const fn::i8*)w[3];
    const fn::u8* const x1 = (const fn::u8*)w[4];
    const fn::u16* const x2 = (const fn::u16*)w[6];
    fn::i16* const xs0 = (fn::i16*)w[5];
    fn::i32* const xs1 = (fn::i32*)w[7];
    const V<fn::u16> a0 = fn::splat<L>((fn::u16)fn::word<fn::u16>(w[9]));
    const i64 rows = 1;
    const i64 length = n0;
    const i64 blocks = ((length + 4095) / 4096);
    const bool fars1 = (((((16777216 <= (n0 * 4)) && (1024 <= (n0 * 4))) && ((i64)w[7] != (i64)w[3])) && ((i64)w[7] != (i64)w[4])) && ((i64)w[7] != (i64)w[6]));
    for (i64 row = first; row < last; row += 1) {
        const fn::i8* const r0 = x0;
        const fn::u8* const r1 = x1;
        const fn::u16* const r2 = x2;
        fn::i16* const rs0 = xs0;
        fn::i32* const rs1 = xs1;
        for (i64 b = block; b < fn::min(blocks, stop); b += 1) {
            i64 j = (b * 4096);
            const i64 end = fn::min(length, (j + 4096));
            const i64 used = (end - j);
            V<fn::u64> s0_0[16];
#pragma GCC unroll 32
            for (i64 v = 0; v < 16; v += 1) {
                s0_0[v] = fn::splat<L>((fn::u64)fn::word<fn::u64>(0ull));
            }
            V<fn::u64> acc0_0[16];
            for (i64 v = 0; v < 16; v += 1) {
                acc0_0[v] = s0_0[v];
            }
            while ((j < end)) {
                const i64 i = j;
                if (((((j % 64) == 0) && (i <= i)) && ((i + 64) <= end))) {
                    const fn::i8* const q0 = (r0 + i);
                    const fn::u8* const q1 = (r1 + i);
                    const fn::u16* const q2 = (r2 + i);
                    fn::i16* const qs0 = (rs0 + i);
                    fn::i32* const qs1 = (rs1 + i);
                    const bool pasts1 = (fars1 && (((i64)qs1 % 16) == 0));
                    const i64 count = (((end - i) / 64) * 64);
                    for (i64 v = 0; v < 16; v += 1) {
                        s0_0[v] = acc0_0[v];
                    }
                    for (i64 g = 0; g < count; g += 64) {
                        fn::prefetch<64>((q0 + (g + 2048)));
                        fn::prefetch<64>((q1 + (g + 2048)));
                        fn::prefetch<64>((q2 + (g + 1024)));
#pragma GCC unroll 32
                        for (i64 u = 0; u < 16; u += 1) {
                            const V<fn::i8> t0 = fn::load<L>((q0 + (g + (u * 4))));
                            const V<fn::i16> t1 = fn::to<fn::i16>(t0);
                            const V<fn::u8> t2 = fn::load<L>((q1 + (g + (u * 4))));
                            const V<fn::i16> t3 = fn::to<fn::i16>(t2);
                            const V<fn::i16> t4 = t1 * t3;
                            const V<fn::i32> t5 = fn::to<fn::i32>(t4);
                            const V<fn::u16> t6 = fn::load<L>((q2 + (g + (u * 4))));
                            const V<fn::u16> t7 = a0;
                            const V<fn::u16> t8 = fn::shr(t6, t7);
                            const V<fn::i32> t9 = fn::to<fn::i32>(t8);
                            const V<fn::i32> t10 = t5 + t9;
                            const V<fn::u64> t11 = fn::to<fn::u64>(t6);
                            const V<fn::u64> u0 = s0_0[u];
                            const V<fn::u64> u1 = t11;
                            const V<fn::u64> u2 = u0 + u1;
                            s0_0[u] = u2;
                            fn::store((qs0 + (g + (u * 4))), t4);
                            fn::stream((qs1 + (g + (u * 4))), t10, pasts1);
                        }
                    }
                    for (i64 v = 0; v < 16; v += 1) {
                        acc0_0[v] = s0_0[v];
                    }
                    j = (j + count);
                } else {
                    const i64 count = fn::min(4, (end - j));
                    const V<fn::i8> t0 = fn::load_part<L>((r0 + i), count);
                    const V<fn::i16> t1 = fn::to<fn::i16>(t0);
                    const V<fn::u8> t2 = fn::load_part<L>((r1 + i), count);
                    const V<fn::i16> t3 = fn::to<fn::i16>(t2);
                    const V<fn::i16> t4 = t1 * t3;
                    const V<fn::i32> t5 = fn::to<fn::i32>(t4);
                    const V<fn::u16> t6 = fn::load_part<L>((r2 + i), count);
                    const V<fn::u16> t7 = a0;
                    const V<fn::u16> t8 = fn::shr(t6, t7);
                    const V<fn::i32> t9 = fn::to<fn::i32>(t8);
                    const V<fn::i32> t10 = t5 + t9;
                    const V<fn::u64> t11 = fn::to<fn::u64>(t6);
                    const i64 slot = ((j % 64) / 4);
                    const V<fn::u64> u0 = acc0_0[slot];
                    const V<fn::u64> u1 = t11;
                    const V<fn::u64> u2 = u0 + u1;
                    acc0_0[slot] = fn::keep(u2, acc0_0[slot], count);
                    fn::store_part<L>((rs0 + i), t4, count);
                    fn::store_part<L>((rs1 + i), t10, count);
                    j = (j + count);
                }
            }
            for (i64 v = 0; v < 16; v += 1) {
                s0_0[v] = acc0_0[v];
            }
            if ((32 < used)) {
#pragma GCC unroll 32
                for (i64 v = 0; v < 8; v += 1) {
                    const V<fn::u64> u0 = s0_0[v];
                    const V<fn::u64> u1 = s0_0[(v + 8)];
                    const V<fn::u64> u2 = u0 + u1;
                    s0_0[v] = u2;
                }
            }
            if ((16 < used)) {
#pragma GCC unroll 32
                for (i64 v = 0; v < 4; v += 1) {
                    const V<fn::u64> u0 = s0_0[v];
                    const V<fn::u64> u1 = s0_0[(v + 4)];
                    const V<fn::u64> u2 = u0 + u1;
                    s0_0[v] = u2;
                }
            }
            if ((8 < used)) {
#pragma GCC unroll 32
                for (i64 v = 0; v < 2; v += 1) {
                    const V<fn::u64> u0 = s0_0[v];
                    const V<fn::u64> u1 = s0_0[(v + 2)];
                    const V<fn::u64> u2 = u0 + u1;
                    s0_0[v] = u2;
                }
            }
            if ((4 < used)) {
#pragma GCC unroll 32
                for (i64 v = 0; v < 1; v += 1) {
                    const V<fn::u64> u0 = s0_0[v];
                    const V<fn::u64> u1 = s0_0[(v + 1)];
                    const V<fn::u64> u2 = u0 + u1;
                    s0_0[v] = u2;
                }
            }
            V<fn::u64> done0 = s0_0[0];
            if ((2 < used)) {
                const V<fn::u64> u0 = done0;
                const V<fn::u64> u1 = fn::moved<2>(done0);
                const V<fn::u64> u2 = u0 + u1;
                done0 = u2;
            }
            if ((1 < used)) {
                const V<fn::u64> u0 = done0;
                const V<fn::u64> u1 = fn::moved<1>(done0);
                const V<fn::u64> u2 = u0 + u1;
                done0 = u2;
            }
            fn::store_words((partials + ((b * rows) + row)), done0, 1);
        }
    }
    fn::finish_stream(fars1);
}
}

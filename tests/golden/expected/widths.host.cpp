namespace body {
constexpr int L = 4;
typedef fn::integer_of<8>::type M;
template <class T>
using V = fn::vec<T, L>;
struct sum0 {
    V<fn::u64> a0;
    static FRIT_INLINE sum0 identity() { return {fn::splat<L>((fn::u64)fn::word<fn::u64>(0ull))}; }
    FRIT_INLINE void add(const sum0& r) {
        const V<fn::u64> u0 = a0;
        const V<fn::u64> u1 = r.a0;
        const V<fn::u64> u2 = u0 + u1;
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
    const fn::i8* const x0 = (const fn::i8*)w[3];
    const i64 e0 = 1;
    const fn::u8* const x1 = (const fn::u8*)w[4];
    const i64 e1 = 1;
    const fn::u16* const x2 = (const fn::u16*)w[6];
    const i64 e2 = 1;
    fn::i16* const xs0 = (fn::i16*)w[5];
    const i64 es0 = 1;
    fn::i32* const xs1 = (fn::i32*)w[7];
    const i64 es1 = 1;
    fn::u64* const xo0 = (fn::u64*)w[8];
    const auto a0 = fn::splat<L>((fn::u16)fn::word<fn::u16>(w[9]));
    const i64 rows = 1, length = n0, blocks = (length + 4096 - 1) / 4096;
    const bool fars1 = fn::is_far(n0 * 4, n0 * 4) && w[7] != w[3] && w[7] != w[4] && w[7] != w[6];
    for (i64 row = first; row < last; ++row) {
        const fn::i8* const r0 = x0;
        const fn::u8* const r1 = x1;
        const fn::u16* const r2 = x2;
        fn::i16* const rs0 = xs0;
        fn::i32* const rs1 = xs1;
        fn::u64* const ro0 = xo0;
        for (i64 b = block; b < fn::min(blocks, stop); ++b) {
            i64 j = b * 4096;
            const i64 end = fn::min(length, j + 4096), used = end - j;
            sum0 s0[64 / L];
#pragma GCC unroll 32
            for (int v = 0; v < 64 / L; ++v) s0[v] = sum0::identity();
            sum0 acc0[64 / L];
            for (int v = 0; v < 64 / L; ++v) acc0[v] = s0[v];
            while (j < end) {
                const i64 i = j, line_end = end;
                i64 in0 = i, in1 = line_end;
                if (j % 64 == 0 && i >= in0 && i + 64 <= in1) {
                    const fn::i8* const q0 = r0 + i;
                    const fn::u8* const q1 = r1 + i;
                    const fn::u16* const q2 = r2 + i;
                    fn::i16* const qs0 = rs0 + i;
                    fn::i32* const qs1 = rs1 + i;
                    const bool pasts1 = fars1 && fn::is_aligned<L>(qs1);
                    const i64 count = (in1 - i) / 64 * 64;
                    for (int u = 0; u < 64 / L; ++u) s0[u] = acc0[u];
                    for (i64 g = 0; g < count; g += 64) {
                        fn::prefetch<64>(q0 + g + 2048);
                        fn::prefetch<64>(q1 + g + 2048);
                        fn::prefetch<64>(q2 + g + 1024);
#pragma GCC unroll 32
                        for (int u = 0; u < 64 / L; ++u) {
                            const V<fn::i8> t0 = fn::load<L>(q0 + g + u * L);
                            const V<fn::i16> t1 = fn::to<fn::i16>(t0);
                            const V<fn::u8> t2 = fn::load<L>(q1 + g + u * L);
                            const V<fn::i16> t3 = fn::to<fn::i16>(t2);
                            const V<fn::i16> t4 = t1 * t3;
                            const V<fn::i32> t5 = fn::to<fn::i32>(t4);
                            const V<fn::u16> t6 = fn::load<L>(q2 + g + u * L);
                            const V<fn::u16> t7 = a0;
                            const V<fn::u16> t8 = fn::shr(t6, t7);
                            const V<fn::i32> t9 = fn::to<fn::i32>(t8);
                            const V<fn::i32> t10 = t5 + t9;
                            const V<fn::u64> t11 = fn::to<fn::u64>(t6);
                            s0[u].add(sum0{t11});
                            fn::store(qs0 + g + u * L, t4);
                            fn::stream(qs1 + g + u * L, t10, pasts1);
                        }
                    }
                    for (int u = 0; u < 64 / L; ++u) acc0[u] = s0[u];
                    j += count;
                    continue;
                }
                const i64 count = fn::min(L, end - j);
                const V<fn::i8> t0 = fn::load_part<L>(r0 + i, count);
                const V<fn::i16> t1 = fn::to<fn::i16>(t0);
                const V<fn::u8> t2 = fn::load_part<L>(r1 + i, count);
                const V<fn::i16> t3 = fn::to<fn::i16>(t2);
                const V<fn::i16> t4 = t1 * t3;
                const V<fn::i32> t5 = fn::to<fn::i32>(t4);
                const V<fn::u16> t6 = fn::load_part<L>(r2 + i, count);
                const V<fn::u16> t7 = a0;
                const V<fn::u16> t8 = fn::shr(t6, t7);
                const V<fn::i32> t9 = fn::to<fn::i32>(t8);
                const V<fn::i32> t10 = t5 + t9;
                const V<fn::u64> t11 = fn::to<fn::u64>(t6);
                sum0& home0 = acc0[j % 64 / L];
                sum0 next0 = home0;
                next0.add(sum0{t11});
                home0 = next0.keep(home0, count);
                fn::store_part<L>(rs0 + i, t4, count);
                fn::store_part<L>(rs1 + i, t10, count);
                j += count;
            }
            for (int v = 0; v < 64 / L; ++v) s0[v] = acc0[v];
            const sum0 done0 = fn::tree<L, 32 / L>(s0, used);
            if (partials) {
                fn::store_words(partials + (0 * blocks + b) * rows + row, done0.a0, 1);
                continue;
            }
        }
    }
    fn::finish_stream(fars1);
}
}

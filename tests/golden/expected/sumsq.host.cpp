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
    const fn::f32* const x0 = (const fn::f32*)w[3];
    const i64 e0 = 1;
    const fn::f32* const x1 = (const fn::f32*)w[4];
    const i64 e1 = 1;
    fn::f32* const xo0 = (fn::f32*)w[5];
    const i64 rows = 1, length = n0, blocks = (length + 4096 - 1) / 4096;
    for (i64 row = first; row < last; ++row) {
        const fn::f32* const r0 = x0;
        const fn::f32* const r1 = x1;
        fn::f32* const ro0 = xo0;
        for (i64 b = block; b < fn::min(blocks, stop); ++b) {
            i64 j = b * 4096;
            const i64 end = fn::min(length, j + 4096), used = end - j;
            sum0 s0[64 / L];
#pragma GCC unroll 32
            for (int v = 0; v < 64 / L; ++v) s0[v] = sum0::identity();
            const i64 i = 0;
            const fn::f32* const q0 = r0 + i;
            const fn::f32* const q1 = r1 + i;
            for (; j + 64 <= end; j += 64) {
                fn::prefetch<64>(q0 + j + 512);
                fn::prefetch<64>(q1 + j + 512);
#pragma GCC unroll 32
                for (int u = 0; u < 64 / L; ++u) {
                    const V<fn::f32> t0 = fn::load<L>(q0 + j + u * L);
                    const V<fn::f32> t1 = fn::load<L>(q1 + j + u * L);
                    const V<fn::f32> t2 = t0 - t1;
                    const V<fn::f32> t3 = t2 * t2;
                    s0[u].add(sum0{t3});
                }
            }
            if (j < end) {
#pragma GCC unroll 32
                for (int u = 0; u < 64 / L; ++u) {
                    const i64 i = j + u * L, count = fn::min(L, end - i);
                    if (count <= 0) break;
                    const V<fn::f32> t0 = fn::load_part<L>(r0 + i, count);
                    const V<fn::f32> t1 = fn::load_part<L>(r1 + i, count);
                    const V<fn::f32> t2 = t0 - t1;
                    const V<fn::f32> t3 = t2 * t2;
                    sum0 next0 = s0[u];
                    next0.add(sum0{t3});
                    s0[u] = next0.keep(s0[u], count);
                }
            }
            const sum0 done0 = fn::tree<L, 32 / L>(s0, used);
            if (partials) {
                fn::store_words(partials + (0 * blocks + b) * rows + row, done0.a0, 1);
                continue;
            }
        }
    }
}
}

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
    fn::f32* const xs0 = (fn::f32*)w[6];
    const V<fn::f32> a0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[9]));
    const V<fn::f32> a1 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[10]));
    const V<fn::i32> a2 = fn::splat<L>((fn::i32)fn::word<fn::i32>(w[11]));
    const i64 stepk0 = (i64)w[7];
    const i64 shiftk0 = (i64)w[8];
    const i64 length = n1;
    const i64 runs = ((length + 4095) / 4096);
    const i64 tile = 8;
    alignas(64) fn::f32 go0[8];
    alignas(64) fn::f32 go1[8];
    i64 row = first;
    while ((row < last)) {
        const i64 line = (row / n0);
        const i64 begin = (row - (line * n0));
        const i64 end = fn::min(n0, ((begin + last) - row));
        row = (row + (end - begin));
        const fn::f32* const r0 = x0;
        const fn::f32* const r1 = x1;
        fn::f32* const rs0 = xs0;
        i64 c = begin;
        while ((c < end)) {
            const i64 from = block;
            const i64 to = fn::min(runs, stop);
            for (i64 run = from; run < to; run += 1) {
                const i64 j = (run * 4096);
                const i64 m = fn::min(4096, (length - j));
                fn::f32* const qs0 = rs0;
                V<fn::f32> q0[1];
                V<fn::f32> q1[1];
                if ((run == 0)) {
#pragma GCC unroll 8
                    for (i64 u = 0; u < 1; u += 1) {
                        const V<fn::f32> b0 = a0;
                        q0[u] = b0;
                        const V<fn::f32> b1 = a1;
                        q1[u] = b1;
                    }
                } else {
#pragma GCC unroll 8
                    for (i64 u = 0; u < 1; u += 1) {
                        q0[u] = fn::load<L>((go0 + (u * 8)));
                        q1[u] = fn::load<L>((go1 + (u * 8)));
                    }
                }
                for (i64 jj = 0; jj < m; jj += 1) {
#pragma GCC unroll 8
                    for (i64 u = 0; u < 1; u += 1) {
                        const V<fn::f32> t2 = fn::splat<L>((fn::f32)*(r0 + (j + jj)));
                        const V<fn::i32> t3 = fn::splat<L>((fn::i32)(fn::i32)((stepk0 * (j + jj)) + shiftk0));
                        const V<fn::i32> t4 = a2;
                        const auto t5 = t3 > t4;
                        const V<fn::f32> t6 = fn::splat<L>((fn::f32)*(r1 + (j + jj)));
                        const V<fn::f32> t9 = t2;
                        const auto t10 = t5;
                        const V<fn::f32> t11 = t6;
                        const V<fn::f32> q11t0 = q0[u];
                        const V<fn::f32> q11t1 = q1[u];
                        const V<fn::f32> q11t2 = t9;
                        const auto q11t3 = t10;
                        const V<fn::f32> q11t4 = t11;
                        const V<fn::f32> q11t5 = q11t0 * q11t2;
                        const V<fn::f32> q11t6 = fn::where(q11t3, q11t5, q11t2);
                        const V<fn::f32> q11t7 = fn::fma(q11t1, q11t2, q11t4);
                        const V<fn::f32> q11t8 = fn::where(q11t3, q11t7, q11t4);
                        q0[u] = q11t6;
                        q1[u] = q11t8;
                        const V<fn::f32> t13 = q11t8;
                        fn::store_part<L>((qs0 + (j + jj)), t13, 1);
                    }
                }
#pragma GCC unroll 8
                for (i64 u = 0; u < 1; u += 1) {
                    fn::store((go0 + (u * 8)), q0[u]);
                }
#pragma GCC unroll 8
                for (i64 u = 0; u < 1; u += 1) {
                    fn::store((go1 + (u * 8)), q1[u]);
                }
            }
            c = (c + tile);
        }
    }
}
}

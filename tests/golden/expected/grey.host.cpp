namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const fn::u8* const x0 = (const fn::u8*)w[3];
    const i64 e0 = (i64)w[7];
    const fn::u8* const x1 = (const fn::u8*)w[4];
    const i64 e1 = (i64)w[8];
    const fn::u8* const x2 = (const fn::u8*)w[5];
    const i64 e2 = (i64)w[9];
    fn::u8* const xs0 = (fn::u8*)w[6];
    const i64 es0 = 1;
    const auto a0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[10]));
    const auto a1 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[11]));
    const auto a2 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[12]));
    const auto a3 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[13]));
    const auto a4 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[14]));
    const auto a5 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[15]));
    const fn::u8* r0 = x0;
    const fn::u8* r1 = x1;
    const fn::u8* r2 = x2;
    fn::u8* rs0 = xs0;
    const i64 row = 0, last = end;
    for (i64 at = begin, i = begin; at < end;) {
        at += last - i;
        i64 head = 0;
        while (i < last) {
            i64 in0 = i, in1 = last;
            const bool direct = head == 0 && i >= in0 && i + L <= in1;
            const i64 count = direct ? (in1 - i) / L * L : fn::min(head > 0 ? head : L, last - i);
            const fn::u8* const q0 = fn::opaque(r0 + i * e0);
            const i64 p0 = e0;
            const fn::u8* const q1 = fn::opaque(r1 + i * e1);
            const i64 p1 = e1;
            const fn::u8* const q2 = fn::opaque(r2 + i * e2);
            const i64 p2 = e2;
            fn::u8* const qs0 = fn::opaque(rs0 + i);
            auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {
                const V<fn::f32> t0 = a0;
                const V<fn::u8> t1 = direct ? fn::gather<L>(q0 + j * p0, p0) : fn::collect<L>(r0, e0, i + j, count);
                const V<fn::f32> t2 = fn::to<fn::f32>(t1);
                const V<fn::f32> t3 = a1;
                const V<fn::u8> t4 = direct ? fn::gather<L>(q1 + j * p1, p1) : fn::collect<L>(r1, e1, i + j, count);
                const V<fn::f32> t5 = fn::to<fn::f32>(t4);
                const V<fn::f32> t6 = a2;
                const V<fn::u8> t7 = direct ? fn::gather<L>(q2 + j * p2, p2) : fn::collect<L>(r2, e2, i + j, count);
                const V<fn::f32> t8 = fn::to<fn::f32>(t7);
                const V<fn::f32> t9 = t6 * t8;
                const V<fn::f32> t10 = fn::fma(t3, t5, t9);
                const V<fn::f32> t11 = fn::fma(t0, t2, t10);
                const V<fn::f32> t12 = a3;
                const V<fn::f32> t13 = t11 + t12;
                const V<fn::f32> t14 = a4;
                const V<fn::f32> t15 = a5;
                const V<fn::f32> t16 = fn::minimum(fn::maximum(t13, t14), t15);
                const V<fn::u8> t17 = fn::to<fn::u8>(t16);
                fn::store_part<L>(qs0 + j, t17, count);
            };
            if (direct) {
#pragma GCC unroll 2
                for (i64 j = 0; j < count; j += L) {
                    group(j, true, L);
                }
            } else {
                group(0, false, count);
            }
            i += count;
            head = 0;
        }
    }
}
}

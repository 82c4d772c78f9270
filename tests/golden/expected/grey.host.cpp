namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const fn::u8* const x0 = (const fn::u8*)w[3];
    const i64 e0 = (i64)w[7];
    const fn::u8* const x1 = (const fn::u8*)w[4];
    const i64 e1 = (i64)w[8];
    const fn::u8* const x2 = (const fn::u8*)w[5];
    const i64 e2 = (i64)w[9];
    fn::u8* const xs0 = (fn::u8*)w[6];
    const V<fn::f32> a0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[10]));
    const V<fn::f32> a1 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[11]));
    const V<fn::f32> a2 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[12]));
    const V<fn::f32> a3 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[13]));
    const V<fn::f32> a4 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[14]));
    const V<fn::f32> a5 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[15]));
    i64 i = begin;
    if ((i < end)) {
        while ((i < end)) {
            const bool direct = ((i + 8) <= end);
            const i64 count = (direct ? (((end - i) / 8) * 8) : fn::min(8, (end - i)));
            const fn::u8* const q0 = fn::opaque((x0 + (i * e0)));
            const i64 p0 = e0;
            const fn::u8* const q1 = fn::opaque((x1 + (i * e1)));
            const i64 p1 = e1;
            const fn::u8* const q2 = fn::opaque((x2 + (i * e2)));
            const i64 p2 = e2;
            fn::u8* const qs0 = fn::opaque((xs0 + i));
            if (direct) {
#pragma GCC unroll 2
                for (i64 j = 0; j < count; j += 8) {
                    const V<fn::f32> t0 = a0;
                    const V<fn::u8> t1 = fn::gather<L>((q0 + (j * p0)), p0);
                    const V<fn::f32> t2 = fn::to<fn::f32>(t1);
                    const V<fn::f32> t3 = a1;
                    const V<fn::u8> t4 = fn::gather<L>((q1 + (j * p1)), p1);
                    const V<fn::f32> t5 = fn::to<fn::f32>(t4);
                    const V<fn::f32> t6 = a2;
                    const V<fn::u8> t7 = fn::gather<L>((q2 + (j * p2)), p2);
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
                    fn::store((qs0 + j), t17);
                }
            } else {
                const V<fn::f32> t0 = a0;
                const V<fn::u8> t1 = fn::collect<L>(x0, e0, i, count);
                const V<fn::f32> t2 = fn::to<fn::f32>(t1);
                const V<fn::f32> t3 = a1;
                const V<fn::u8> t4 = fn::collect<L>(x1, e1, i, count);
                const V<fn::f32> t5 = fn::to<fn::f32>(t4);
                const V<fn::f32> t6 = a2;
                const V<fn::u8> t7 = fn::collect<L>(x2, e2, i, count);
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
                fn::store_part<L>(qs0, t17, count);
            }
            i = (i + count);
        }
    }
}
}

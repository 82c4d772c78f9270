namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const fn::f32* const x0 = (const fn::f32*)w[3];
    const fn::f32* const x1 = (const fn::f32*)w[4];
    const fn::f32* const x2 = (const fn::f32*)w[5];
    const fn::f32* const x3 = (const fn::f32*)w[6];
    const fn::f32* const x4 = (const fn::f32*)w[7];
    fn::f32* const xs0 = (fn::f32*)w[8];
    fn::f32* const xs1 = (fn::f32*)w[9];
    const V<fn::f32> a0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[10]));
    const V<fn::f32> a1 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[11]));
    const V<fn::f32> a2 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[12]));
    const V<fn::f32> a3 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[13]));
    const V<fn::f32> a4 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[14]));
    const V<fn::f32> a5 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[15]));
    const V<fn::f32> a6 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[16]));
    const bool fars0 = (((((((16777216 <= (n0 * 4)) && (1024 <= (n0 * 4))) && ((i64)w[8] != (i64)w[3])) && ((i64)w[8] != (i64)w[4])) && ((i64)w[8] != (i64)w[5])) && ((i64)w[8] != (i64)w[6])) && ((i64)w[8] != (i64)w[7]));
    const bool fars1 = (((((((16777216 <= (n0 * 4)) && (1024 <= (n0 * 4))) && ((i64)w[9] != (i64)w[3])) && ((i64)w[9] != (i64)w[4])) && ((i64)w[9] != (i64)w[5])) && ((i64)w[9] != (i64)w[6])) && ((i64)w[9] != (i64)w[7]));
    i64 i = begin;
    if ((i < end)) {
        while ((i < end)) {
            const bool direct = ((i + 8) <= end);
            const i64 count = (direct ? (((end - i) / 8) * 8) : fn::min(8, (end - i)));
            const fn::f32* const q0 = fn::opaque((x0 + i));
            const fn::f32* const q1 = fn::opaque((x1 + i));
            const fn::f32* const q2 = fn::opaque((x2 + i));
            const fn::f32* const q3 = fn::opaque((x3 + i));
            const fn::f32* const q4 = fn::opaque((x4 + i));
            fn::f32* const qs0 = fn::opaque((xs0 + i));
            const bool pasts0 = (fars0 && (((i64)qs0 % 32) == 0));
            fn::f32* const qs1 = fn::opaque((xs1 + i));
            const bool pasts1 = (fars1 && (((i64)qs1 % 32) == 0));
            for (i64 j = 0; j < count; j += 8) {
                const V<fn::f32> t0 = fn::load_part<L>((q0 + j), (direct ? 8 : count));
                const V<fn::f32> t1 = a0;
                const V<fn::f32> t2 = a1;
                const V<fn::f32> t3 = a2;
                const V<fn::f32> t4 = fn::load_part<L>((q1 + j), (direct ? 8 : count));
                const V<fn::f32> t5 = t3 * t4;
                const V<fn::f32> t6 = fn::load_part<L>((q2 + j), (direct ? 8 : count));
                const V<fn::f32> t7 = fn::fma(t5, t4, t6);
                const V<fn::f32> t8 = fn::load_part<L>((q3 + j), (direct ? 8 : count));
                const V<fn::f32> t9 = fn::load_part<L>((q4 + j), (direct ? 8 : count));
                const V<fn::f32> t10 = fn::div(t0, t9);
                const V<fn::f32> t11 = fn::log(t10);
                const V<fn::f32> t12 = fn::fma(t7, t8, t11);
                const V<fn::f32> t13 = fn::sqrt(t8);
                const V<fn::f32> t14 = t4 * t13;
                const V<fn::f32> t15 = fn::div(t12, t14);
                const V<fn::f32> t16 = a3;
                const V<fn::f32> t17 = t15 * t16;
                const V<fn::f32> t18 = fn::erf(t17);
                const V<fn::f32> t19 = t2 + t18;
                const V<fn::f32> t20 = t1 * t19;
                const V<fn::f32> t21 = -t6;
                const V<fn::f32> t22 = t21 * t8;
                const V<fn::f32> t23 = fn::exp(t22);
                const V<fn::f32> t24 = t9 * t23;
                const V<fn::f32> t25 = a4;
                const V<fn::f32> t26 = a5;
                const V<fn::f32> t27 = fn::fma(-t4, t13, t15);
                const V<fn::f32> t28 = a6;
                const V<fn::f32> t29 = t27 * t28;
                const V<fn::f32> t30 = fn::erf(t29);
                const V<fn::f32> t31 = t26 + t30;
                const V<fn::f32> t32 = t25 * t31;
                const V<fn::f32> t33 = t24 * t32;
                const V<fn::f32> t34 = fn::fma(t0, t20, -t33);
                const V<fn::f32> t35 = t34 - t0;
                const V<fn::f32> t36 = fn::fma(t9, t23, t35);
                if (direct) {
                    fn::stream((qs0 + j), t34, pasts0);
                } else {
                    fn::store_part<L>((qs0 + j), t34, (direct ? 8 : count));
                }
                if (direct) {
                    fn::stream((qs1 + j), t36, pasts1);
                } else {
                    fn::store_part<L>((qs1 + j), t36, (direct ? 8 : count));
                }
            }
            i = (i + count);
        }
    }
    fn::finish_stream((fars0 || fars1));
}
}

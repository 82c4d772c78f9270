namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const fn::f32* const x0 = (const fn::f32*)w[3];
    const i64 e0 = 1;
    const fn::f32* const x1 = (const fn::f32*)w[4];
    const i64 e1 = 1;
    const fn::f32* const x2 = (const fn::f32*)w[5];
    const i64 e2 = 1;
    const fn::f32* const x3 = (const fn::f32*)w[6];
    const i64 e3 = 1;
    const fn::f32* const x4 = (const fn::f32*)w[7];
    const i64 e4 = 1;
    fn::f32* const xs0 = (fn::f32*)w[8];
    const i64 es0 = 1;
    fn::f32* const xs1 = (fn::f32*)w[9];
    const i64 es1 = 1;
    const auto a0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[10]));
    const auto a1 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[11]));
    const auto a2 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[12]));
    const auto a3 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[13]));
    const auto a4 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[14]));
    const auto a5 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[15]));
    const auto a6 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[16]));
    const bool fars0 = fn::is_far(n0 * 4, n0 * 4) && w[8] != w[3] && w[8] != w[4] && w[8] != w[5] && w[8] != w[6] && w[8] != w[7];
    const bool fars1 = fn::is_far(n0 * 4, n0 * 4) && w[9] != w[3] && w[9] != w[4] && w[9] != w[5] && w[9] != w[6] && w[9] != w[7];
    const fn::f32* r0 = x0;
    const fn::f32* r1 = x1;
    const fn::f32* r2 = x2;
    const fn::f32* r3 = x3;
    const fn::f32* r4 = x4;
    fn::f32* rs0 = xs0;
    fn::f32* rs1 = xs1;
    const i64 row = 0, last = end;
    for (i64 at = begin, i = begin; at < end;) {
        at += last - i;
        i64 head = 0;
        while (i < last) {
            i64 in0 = i, in1 = last;
            const bool direct = head == 0 && i >= in0 && i + L <= in1;
            const i64 count = direct ? (in1 - i) / L * L : fn::min(head > 0 ? head : L, last - i);
            const fn::f32* const q0 = fn::opaque(r0 + i);
            const fn::f32* const q1 = fn::opaque(r1 + i);
            const fn::f32* const q2 = fn::opaque(r2 + i);
            const fn::f32* const q3 = fn::opaque(r3 + i);
            const fn::f32* const q4 = fn::opaque(r4 + i);
            fn::f32* const qs0 = fn::opaque(rs0 + i);
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            fn::f32* const qs1 = fn::opaque(rs1 + i);
            const bool pasts1 = fars1 && fn::is_aligned<L>(qs1);
            auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {
                const V<fn::f32> t0 = fn::load_part<L>(q0 + j, count);
                const V<fn::f32> t1 = a0;
                const V<fn::f32> t2 = a1;
                const V<fn::f32> t3 = a2;
                const V<fn::f32> t4 = fn::load_part<L>(q1 + j, count);
                const V<fn::f32> t5 = t3 * t4;
                const V<fn::f32> t6 = fn::load_part<L>(q2 + j, count);
                const V<fn::f32> t7 = fn::fma(t5, t4, t6);
                const V<fn::f32> t8 = fn::load_part<L>(q3 + j, count);
                const V<fn::f32> t9 = fn::load_part<L>(q4 + j, count);
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
                if (direct)
                    fn::stream(qs0 + j, t34, pasts0);
                else
                    fn::store_part<L>(qs0 + j, t34, count);
                if (direct)
                    fn::stream(qs1 + j, t36, pasts1);
                else
                    fn::store_part<L>(qs1 + j, t36, count);
            };
            for (i64 j = 0; j < count; j += L) {
                group(j, direct, direct ? L : count);
            }
            i += count;
            head = 0;
        }
    }
    fn::finish_stream(fars0 | fars1);
}
}

namespace body {
constexpr int L = 4;
typedef fn::integer_of<8>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const fn::f64* const x0 = (const fn::f64*)w[3];
    const i64 e0 = (i64)w[7];
    const fn::clamp c0(w + 8);
    const fn::f64* const x1 = (const fn::f64*)w[4];
    const i64 e1 = (i64)w[12];
    const fn::clamp c1(w + 13);
    const fn::f64* const x2 = (const fn::f64*)w[5];
    const i64 e2 = 1;
    fn::f64* const xs0 = (fn::f64*)w[6];
    const i64 es0 = 1;
    const auto a0 = fn::splat<L>((fn::f64)fn::word<fn::f64>(w[23]));
    const fn::clamp ck1(w + 19);
    const bool fars0 = fn::is_far(n0 * 8, n0 * 8) && w[6] != w[3] && w[6] != w[4] && w[6] != w[5];
    const fn::f64* r0 = x0;
    const fn::f64* r1 = x1;
    const fn::f64* r2 = x2;
    fn::f64* rs0 = xs0;
    const i64 row = 0, last = end;
    for (i64 at = begin, i = begin; at < end;) {
        at += last - i;
        i64 head = 0;
        while (i < last) {
            i64 in0 = i, in1 = last;
            c0.narrow(in0, in1);
            c1.narrow(in0, in1);
            const bool direct = head == 0 && i >= in0 && i + L <= in1;
            const i64 count = direct ? (in1 - i) / L * L : fn::min(head > 0 ? head : L, last - i);
            const fn::f64* const q0 = fn::opaque(r0 + c0(i) * e0);
            const i64 p0 = c0.step * e0;
            const fn::f64* const q1 = fn::opaque(r1 + c1(i) * e1);
            const i64 p1 = c1.step * e1;
            const fn::f64* const q2 = fn::opaque(r2 + i);
            fn::f64* const qs0 = fn::opaque(rs0 + i);
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {
                const V<fn::i32> t0 = fn::index<fn::i32, L>((i64)w[17], (i64)w[18], i + j);
                const V<fn::i32> t1 = fn::index<fn::i32, L>(ck1, i + j);
                const auto t2 = t0 == t1;
                const V<fn::f64> t3 = a0;
                const V<fn::f64> t4 = direct ? fn::gather<L>(q0 + j * p0, p0) : fn::collect<L>(r0, e0, c0, i + j, count);
                const V<fn::f64> t5 = direct ? fn::gather<L>(q1 + j * p1, p1) : fn::collect<L>(r1, e1, c1, i + j, count);
                const V<fn::f64> t6 = t4 + t5;
                const V<fn::f64> t7 = t3 * t6;
                const V<fn::f64> t8 = fn::load_part<L>(q2 + j, count);
                const V<fn::f64> t9 = fn::where(t2, t7, t8);
                if (direct)
                    fn::stream(qs0 + j, t9, pasts0);
                else
                    fn::store_part<L>(qs0 + j, t9, count);
            };
            if (direct) {
#pragma GCC unroll 4
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
    fn::finish_stream(fars0);
}
}

namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const fn::f32* const x0 = (const fn::f32*)w[3];
    const i64 e0 = 1;
    fn::f32* const xs0 = (fn::f32*)w[4];
    const i64 es0 = 1;
    const auto a0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[5]));
    const auto a1 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[6]));
    const bool fars0 = fn::is_far(n0 * 4, n0 * 4) && w[4] != w[3];
    const fn::f32* r0 = x0;
    fn::f32* rs0 = xs0;
    const i64 row = 0, last = end;
    for (i64 at = begin, i = begin; at < end;) {
        at += last - i;
        i64 head = 0;
        while (i < last) {
            i64 in0 = i, in1 = last;
            const bool direct = head == 0 && i >= in0 && i + L <= in1;
            const i64 count = direct ? (in1 - i) / L * L : fn::min(head > 0 ? head : L, last - i);
            const fn::f32* const q0 = fn::opaque(r0 + i);
            fn::f32* const qs0 = fn::opaque(rs0 + i);
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {
                const V<fn::f32> t0 = a0;
                const V<fn::f32> t1 = fn::load_part<L>(q0 + j, count);
                const V<fn::f32> t2 = a1;
                const V<fn::f32> t3 = fn::fma(t0, t1, t2);
                if (direct)
                    fn::stream(qs0 + j, t3, pasts0);
                else
                    fn::store_part<L>(qs0 + j, t3, count);
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

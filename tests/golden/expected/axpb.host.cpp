namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const fn::f32* const x0 = (const fn::f32*)w[3];
    fn::f32* const xs0 = (fn::f32*)w[4];
    const V<fn::f32> a0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[5]));
    const V<fn::f32> a1 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[6]));
    const bool fars0 = (((16777216 <= (n0 * 4)) && (1024 <= (n0 * 4))) && ((i64)w[4] != (i64)w[3]));
    i64 i = begin;
    if ((i < end)) {
        while ((i < end)) {
            const bool direct = ((i + 8) <= end);
            const i64 count = (direct ? (((end - i) / 8) * 8) : fn::min(8, (end - i)));
            const fn::f32* const q0 = fn::opaque((x0 + i));
            fn::f32* const qs0 = fn::opaque((xs0 + i));
            const bool pasts0 = (fars0 && (((i64)qs0 % 32) == 0));
            if (direct) {
#pragma GCC unroll 4
                for (i64 j = 0; j < count; j += 8) {
                    const V<fn::f32> t0 = a0;
                    const V<fn::f32> t1 = fn::load<L>((q0 + j));
                    const V<fn::f32> t2 = a1;
                    const V<fn::f32> t3 = fn::fma(t0, t1, t2);
                    fn::stream((qs0 + j), t3, pasts0);
                }
            } else {
                const V<fn::f32> t0 = a0;
                const V<fn::f32> t1 = fn::load_part<L>(q0, count);
                const V<fn::f32> t2 = a1;
                const V<fn::f32> t3 = fn::fma(t0, t1, t2);
                fn::store_part<L>(qs0, t3, count);
            }
            i = (i + count);
        }
    }
    fn::finish_stream(fars0);
}
}

namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::f32* const x0 = (const fn::f32*)w[4];
    const fn::f32* const x1 = (const fn::f32*)w[5];
    const i64 e1 = (i64)w[8];
    fn::f32* const xs0 = (fn::f32*)w[6];
    const bool fars0 = ((((16777216 <= ((n0 * n1) * 4)) && (1024 <= (n1 * 4))) && ((i64)w[6] != (i64)w[4])) && ((i64)w[6] != (i64)w[5]));
    i64 i0 = 0;
    const fn::f32* r0 = x0;
    const fn::f32* r1 = x1;
    fn::f32* rs0 = xs0;
    i64 row = (begin / n1);
    i64 i = (begin - (row * n1));
    i64 at = begin;
    while ((at < end)) {
        const i64 last = fn::min(n1, ((i + end) - at));
        i0 = row;
        r0 = (x0 + (i0 * (i64)w[7]));
        r1 = (x1 + i0);
        rs0 = (xs0 + (i0 * (i64)w[9]));
        at = (at + (last - i));
        while ((i < last)) {
            const bool direct = ((i + 8) <= last);
            const i64 count = (direct ? (((last - i) / 8) * 8) : fn::min(8, (last - i)));
            const fn::f32* const q0 = fn::opaque((r0 + i));
            const fn::f32* const q1 = fn::opaque((r1 + (i * e1)));
            const i64 p1 = e1;
            fn::f32* const qs0 = fn::opaque((rs0 + i));
            const bool pasts0 = (fars0 && (((i64)qs0 % 32) == 0));
            if (direct) {
#pragma GCC unroll 4
                for (i64 j = 0; j < count; j += 8) {
                    const V<fn::f32> t0 = fn::load<L>((q0 + j));
                    const V<fn::f32> t1 = fn::gather<L>((q1 + (j * p1)), p1);
                    const V<fn::f32> t2 = t0 + t1;
                    fn::stream((qs0 + j), t2, pasts0);
                }
            } else {
                const V<fn::f32> t0 = fn::load_part<L>(q0, count);
                const V<fn::f32> t1 = fn::collect<L>(r1, e1, i, count);
                const V<fn::f32> t2 = t0 + t1;
                fn::store_part<L>(qs0, t2, count);
            }
            i = (i + count);
        }
        row = (row + 1);
        i = 0;
    }
    fn::finish_stream(fars0);
}
}

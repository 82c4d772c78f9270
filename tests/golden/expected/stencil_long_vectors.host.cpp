namespace body {
constexpr int L = 16;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::f32* const x0 = (const fn::f32*)w[4];
    const fn::f32* const x1 = (const fn::f32*)w[5];
    const fn::f32* const x2 = (const fn::f32*)w[6];
    const fn::f32* const x3 = (const fn::f32*)w[7];
    fn::f32* const xs0 = (fn::f32*)w[8];
    const V<fn::f32> a0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[14]));
    const bool fars0 = ((((((16777216 <= ((n0 * n1) * 4)) && (1024 <= (n1 * 4))) && ((i64)w[8] != (i64)w[4])) && ((i64)w[8] != (i64)w[5])) && ((i64)w[8] != (i64)w[6])) && ((i64)w[8] != (i64)w[7]));
    i64 i0 = 0;
    const fn::f32* r0 = x0;
    const fn::f32* r1 = x1;
    const fn::f32* r2 = x2;
    const fn::f32* r3 = x3;
    fn::f32* rs0 = xs0;
    i64 order[2];
    order[0] = (-1);
    i64 row = (begin / n1);
    i64 i = (begin - (row * n1));
    i64 at = begin;
    while ((at < end)) {
        const i64 last = fn::min(n1, ((i + end) - at));
        i0 = row;
        r0 = (x0 + (i0 * (i64)w[9]));
        r1 = (x1 + (i0 * (i64)w[10]));
        r2 = (x2 + (i0 * (i64)w[11]));
        r3 = (x3 + (i0 * (i64)w[12]));
        rs0 = (xs0 + (i0 * (i64)w[13]));
        at = (at + (last - i));
        i64 head = 0;
        i64 latest = 0;
        if ((256 <= (last - i))) {
            i64 starts[4];
            starts[0] = (i64)r0;
            starts[1] = (i64)r1;
            starts[2] = (i64)r2;
            starts[3] = (i64)r3;
            if ((order[0] < 0)) {
                fn::order_loads((starts + 0), 4, (order + 0));
            }
            head = (((64 - ((starts[order[0]] + (i * 4)) % 64)) % 64) / 4);
            latest = (starts[order[1]] + 4096);
        }
        while ((i < last)) {
            const bool direct = ((head == 0) && ((i + 16) <= last));
            const i64 count = (direct ? (((last - i) / 16) * 16) : fn::min(((0 < head) ? head : 16), (last - i)));
            const fn::f32* const q0 = fn::opaque((r0 + i));
            const fn::f32* const q1 = fn::opaque((r1 + i));
            const fn::f32* const q2 = fn::opaque((r2 + i));
            const fn::f32* const q3 = fn::opaque((r3 + i));
            fn::f32* const qs0 = fn::opaque((rs0 + i));
            const bool pasts0 = (fars0 && (((i64)qs0 % 64) == 0));
            if (direct) {
#pragma GCC unroll 4
                for (i64 j = 0; j < count; j += 16) {
                    if ((latest != 0)) {
                        fn::prefetch<1>((const fn::u8*)(latest + ((i + j) * 4)));
                    }
                    const V<fn::f32> t0 = a0;
                    const V<fn::f32> t1 = fn::load<L>((q0 + j));
                    const V<fn::f32> t2 = fn::load<L>((q1 + j));
                    const V<fn::f32> t3 = t1 + t2;
                    const V<fn::f32> t4 = fn::load<L>((q2 + j));
                    const V<fn::f32> t5 = t3 + t4;
                    const V<fn::f32> t6 = fn::load<L>((q3 + j));
                    const V<fn::f32> t7 = t5 + t6;
                    const V<fn::f32> t8 = t0 * t7;
                    fn::stream((qs0 + j), t8, pasts0);
                }
            } else {
                const V<fn::f32> t0 = a0;
                const V<fn::f32> t1 = fn::load_part<L>(q0, count);
                const V<fn::f32> t2 = fn::load_part<L>(q1, count);
                const V<fn::f32> t3 = t1 + t2;
                const V<fn::f32> t4 = fn::load_part<L>(q2, count);
                const V<fn::f32> t5 = t3 + t4;
                const V<fn::f32> t6 = fn::load_part<L>(q3, count);
                const V<fn::f32> t7 = t5 + t6;
                const V<fn::f32> t8 = t0 * t7;
                fn::store_part<L>(qs0, t8, count);
            }
            i = (i + count);
            head = 0;
        }
        row = (row + 1);
        i = 0;
    }
    fn::finish_stream(fars0);
}
}

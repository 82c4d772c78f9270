namespace body {
constexpr int L = 4;
typedef fn::integer_of<8>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const fn::f64* const x0 = (const fn::f64*)w[3];
    const i64 e0 = (i64)w[7];
    const i64 step0 = (i64)w[8];
    const i64 shift0 = (i64)w[9];
    const i64 low0 = (i64)w[10];
    const i64 high0 = (i64)w[11];
    const fn::f64* const x1 = (const fn::f64*)w[4];
    const i64 e1 = (i64)w[12];
    const i64 step1 = (i64)w[13];
    const i64 shift1 = (i64)w[14];
    const i64 low1 = (i64)w[15];
    const i64 high1 = (i64)w[16];
    const fn::f64* const x2 = (const fn::f64*)w[5];
    fn::f64* const xs0 = (fn::f64*)w[6];
    const V<fn::f64> a0 = fn::splat<L>((fn::f64)fn::word<fn::f64>(w[23]));
    const i64 stepk0 = (i64)w[17];
    const i64 shiftk0 = (i64)w[18];
    const i64 stepk1 = (i64)w[19];
    const i64 shiftk1 = (i64)w[20];
    const i64 lowk1 = (i64)w[21];
    const i64 highk1 = (i64)w[22];
    const bool fars0 = (((((16777216 <= (n0 * 8)) && (1024 <= (n0 * 8))) && ((i64)w[6] != (i64)w[3])) && ((i64)w[6] != (i64)w[4])) && ((i64)w[6] != (i64)w[5]));
    i64 i = begin;
    if ((i < end)) {
        while ((i < end)) {
            i64 end_2[1];
            end_2[0] = end;
            fn::stretch(w + 8, i, (end_2 + 0));
            fn::stretch(w + 13, i, (end_2 + 0));
            const bool direct = ((i + 4) <= end_2[0]);
            const i64 count = (direct ? (((end_2[0] - i) / 4) * 4) : fn::min(4, (end - i)));
            const fn::f64* const q0 = fn::opaque((x0 + (fn::min(fn::max(((step0 * i) + shift0), low0), high0) * e0)));
            const i64 p0 = (((low0 <= ((step0 * i) + shift0)) && (((step0 * i) + shift0) <= high0)) ? (step0 * e0) : 0);
            const fn::f64* const q1 = fn::opaque((x1 + (fn::min(fn::max(((step1 * i) + shift1), low1), high1) * e1)));
            const i64 p1 = (((low1 <= ((step1 * i) + shift1)) && (((step1 * i) + shift1) <= high1)) ? (step1 * e1) : 0);
            const fn::f64* const q2 = fn::opaque((x2 + i));
            fn::f64* const qs0 = fn::opaque((xs0 + i));
            const bool pasts0 = (fars0 && (((i64)qs0 % 32) == 0));
            if (direct) {
#pragma GCC unroll 4
                for (i64 j = 0; j < count; j += 4) {
                    const V<fn::i32> t0 = fn::along<fn::i32, L>(((stepk0 * (i + j)) + shiftk0), stepk0);
                    const V<fn::i32> t1 = fn::along<fn::i32, L>(((stepk1 * (i + j)) + shiftk1), stepk1, lowk1, highk1);
                    const auto t2 = t0 == t1;
                    const V<fn::f64> t3 = a0;
                    const V<fn::f64> t4 = fn::gather<L>((q0 + (j * p0)), p0);
                    const V<fn::f64> t5 = fn::gather<L>((q1 + (j * p1)), p1);
                    const V<fn::f64> t6 = t4 + t5;
                    const V<fn::f64> t7 = t3 * t6;
                    const V<fn::f64> t8 = fn::load<L>((q2 + j));
                    const V<fn::f64> t9 = fn::where(t2, t7, t8);
                    fn::stream((qs0 + j), t9, pasts0);
                }
            } else {
                const V<fn::i32> t0 = fn::along<fn::i32, L>(((stepk0 * i) + shiftk0), stepk0);
                const V<fn::i32> t1 = fn::along<fn::i32, L>(((stepk1 * i) + shiftk1), stepk1, lowk1, highk1);
                const auto t2 = t0 == t1;
                const V<fn::f64> t3 = a0;
                const V<fn::f64> t4 = fn::collect<L>(x0, e0, fn::clamp(w + 8), i, count);
                const V<fn::f64> t5 = fn::collect<L>(x1, e1, fn::clamp(w + 13), i, count);
                const V<fn::f64> t6 = t4 + t5;
                const V<fn::f64> t7 = t3 * t6;
                const V<fn::f64> t8 = fn::load_part<L>(q2, count);
                const V<fn::f64> t9 = fn::where(t2, t7, t8);
                fn::store_part<L>(qs0, t9, count);
            }
            i = (i + count);
        }
    }
    fn::finish_stream(fars0);
}
}

namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const fn::i32* const x0 = (const fn::i32*)w[3];
    bool* const xs0 = (bool*)w[4];
    const V<fn::i32> a0 = fn::splat<L>((fn::i32)fn::word<fn::i32>(w[5]));
    const V<fn::i32> a1 = fn::splat<L>((fn::i32)fn::word<fn::i32>(w[6]));
    i64 i = begin;
    if ((i < end)) {
        while ((i < end)) {
            const bool direct = ((i + 8) <= end);
            const i64 count = (direct ? (((end - i) / 8) * 8) : fn::min(8, (end - i)));
            const fn::i32* const q0 = fn::opaque((x0 + i));
            bool* const qs0 = fn::opaque((xs0 + i));
            if (direct) {
#pragma GCC unroll 4
                for (i64 j = 0; j < count; j += 8) {
                    const V<fn::i32> t0 = fn::load<L>((q0 + j));
                    const V<fn::i32> t1 = a0;
                    const V<fn::i32> t2 = fn::fmod(t0, t1);
                    const V<fn::i32> t3 = a1;
                    const auto t4 = t2 == t3;
                    fn::store((qs0 + j), t4);
                }
            } else {
                const V<fn::i32> t0 = fn::load_part<L>(q0, count);
                const V<fn::i32> t1 = a0;
                const V<fn::i32> t2 = fn::fmod(t0, t1);
                const V<fn::i32> t3 = a1;
                const auto t4 = t2 == t3;
                fn::store_part<L>(qs0, t4, count);
            }
            i = (i + count);
        }
    }
}
}
namespace body {
constexpr int L = 4;
typedef fn::integer_of<8>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const bool* const x0 = (const bool*)w[4];
    const fn::f64* const x1 = (const fn::f64*)w[5];
    const fn::i32* const x2 = (const fn::i32*)w[6];
    fn::f64* const xs0 = (fn::f64*)w[7];
    const V<fn::f64> a0 = fn::splat<L>((fn::f64)fn::word<fn::f64>(w[9]));
    const bool fars0 = (((((16777216 <= ((n0 * n1) * 8)) && (1024 <= (n1 * 8))) && ((i64)w[7] != (i64)w[4])) && ((i64)w[7] != (i64)w[5])) && ((i64)w[7] != (i64)w[6]));
    i64 i0 = 0;
    const bool* r0 = x0;
    const fn::f64* r1 = x1;
    V<fn::f64> z1;
    const fn::i32* r2 = x2;
    fn::f64* rs0 = xs0;
    i64 row = (begin / n1);
    i64 i = (begin - (row * n1));
    i64 at = begin;
    while ((at < end)) {
        const i64 last = fn::min(n1, ((i + end) - at));
        i0 = row;
        r0 = x0;
        r1 = (x1 + i0);
        z1 = fn::splat<L>((fn::f64)*r1);
        r2 = x2;
        rs0 = (xs0 + (i0 * (i64)w[8]));
        at = (at + (last - i));
        while ((i < last)) {
            const bool direct = ((i + 4) <= last);
            const i64 count = (direct ? (((last - i) / 4) * 4) : fn::min(4, (last - i)));
            const bool* const q0 = fn::opaque((r0 + i));
            const fn::i32* const q2 = fn::opaque((r2 + i));
            fn::f64* const qs0 = fn::opaque((rs0 + i));
            const bool pasts0 = (fars0 && (((i64)qs0 % 32) == 0));
            if (direct) {
#pragma GCC unroll 4
                for (i64 j = 0; j < count; j += 4) {
                    const auto t0 = fn::load_mask<M, L>((q0 + j));
                    const V<fn::f64> t1 = z1;
                    const V<fn::i32> t2 = fn::load<L>((q2 + j));
                    const V<fn::f64> t3 = fn::to<fn::f64>(t2);
                    const V<fn::f64> t4 = t1 * t3;
                    const V<fn::f64> t5 = a0;
                    const V<fn::f64> t6 = fn::where(t0, t4, t5);
                    fn::stream((qs0 + j), t6, pasts0);
                }
            } else {
                const auto t0 = fn::load_mask_part<M, L>(q0, count);
                const V<fn::f64> t1 = z1;
                const V<fn::i32> t2 = fn::load_part<L>(q2, count);
                const V<fn::f64> t3 = fn::to<fn::f64>(t2);
                const V<fn::f64> t4 = t1 * t3;
                const V<fn::f64> t5 = a0;
                const V<fn::f64> t6 = fn::where(t0, t4, t5);
                fn::store_part<L>(qs0, t6, count);
            }
            i = (i + count);
        }
        row = (row + 1);
        i = 0;
    }
    fn::finish_stream(fars0);
}
}

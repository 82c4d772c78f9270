namespace body {
constexpr int L = 4;
typedef fn::integer_of<8>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::i64* const x0 = (const fn::i64*)w[4];
    const i64 e0 = (i64)w[6];
    fn::i64* const xs0 = (fn::i64*)w[5];
    const bool fars0 = (((16777216 <= ((n0 * n1) * 8)) && (1024 <= (n1 * 8))) && ((i64)w[5] != (i64)w[4]));
    i64 i0 = 0;
    const fn::i64* r0 = x0;
    fn::i64* rs0 = xs0;
    i64 row = (begin / n1);
    i64 i = (begin - (row * n1));
    i64 at = begin;
    while ((at < end)) {
        const i64 last = fn::min(n1, ((i + end) - at));
        i0 = row;
        r0 = (x0 + i0);
        rs0 = (xs0 + (i0 * (i64)w[7]));
        at = (at + (last - i));
        while ((i < last)) {
            const bool direct = ((i + 4) <= last);
            const i64 count = (direct ? (((last - i) / 4) * 4) : fn::min(4, (last - i)));
            const fn::i64* const q0 = fn::opaque((r0 + (i * e0)));
            const i64 p0 = e0;
            fn::i64* const qs0 = fn::opaque((rs0 + i));
            const bool pasts0 = (fars0 && (((i64)qs0 % 32) == 0));
            if (direct) {
#pragma GCC unroll 4
                for (i64 j = 0; j < count; j += 4) {
                    const V<fn::i64> t0 = fn::gather<L>((q0 + (j * p0)), p0);
                    fn::stream((qs0 + j), t0, pasts0);
                }
            } else {
                const V<fn::i64> t0 = fn::collect<L>(r0, e0, i, count);
                fn::store_part<L>(qs0, t0, count);
            }
            i = (i + count);
        }
        row = (row + 1);
        i = 0;
    }
    fn::finish_stream(fars0);
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
    const fn::i64* const x0 = (const fn::i64*)w[4];
    const i64 e0 = (i64)w[6];
    fn::i64* const xs0 = (fn::i64*)w[5];
    const V<fn::i64> a0 = fn::splat<L>((fn::i64)fn::word<fn::i64>(w[8]));
    const bool fars0 = (((16777216 <= ((n0 * n1) * 8)) && (1024 <= (n1 * 8))) && ((i64)w[5] != (i64)w[4]));
    i64 i0 = 0;
    const fn::i64* r0 = x0;
    fn::i64* rs0 = xs0;
    i64 row = (begin / n1);
    i64 i = (begin - (row * n1));
    i64 at = begin;
    while ((at < end)) {
        const i64 last = fn::min(n1, ((i + end) - at));
        i0 = row;
        r0 = (x0 + i0);
        rs0 = (xs0 + (i0 * (i64)w[7]));
        at = (at + (last - i));
        while ((i < last)) {
            const bool direct = ((i + 4) <= last);
            const i64 count = (direct ? (((last - i) / 4) * 4) : fn::min(4, (last - i)));
            const fn::i64* const q0 = fn::opaque((r0 + (i * e0)));
            const i64 p0 = e0;
            fn::i64* const qs0 = fn::opaque((rs0 + i));
            const bool pasts0 = (fars0 && (((i64)qs0 % 32) == 0));
            if (direct) {
#pragma GCC unroll 4
                for (i64 j = 0; j < count; j += 4) {
                    const V<fn::i64> t0 = fn::gather<L>((q0 + (j * p0)), p0);
                    const V<fn::i64> t1 = a0;
                    const V<fn::i64> t2 = t0 + t1;
                    fn::stream((qs0 + j), t2, pasts0);
                }
            } else {
                const V<fn::i64> t0 = fn::collect<L>(r0, e0, i, count);
                const V<fn::i64> t1 = a0;
                const V<fn::i64> t2 = t0 + t1;
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

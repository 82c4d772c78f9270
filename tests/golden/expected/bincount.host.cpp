namespace body {
constexpr int L = 4;
typedef fn::integer_of<8>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    fn::i64* const xs0 = (fn::i64*)w[3];
    const V<fn::i64> a0 = fn::splat<L>((fn::i64)fn::word<fn::i64>(w[4]));
    const bool fars0 = ((16777216 <= (n0 * 8)) && (1024 <= (n0 * 8)));
    i64 i = begin;
    if ((i < end)) {
        while ((i < end)) {
            const bool direct = ((i + 4) <= end);
            const i64 count = (direct ? (((end - i) / 4) * 4) : fn::min(4, (end - i)));
            fn::i64* const qs0 = fn::opaque((xs0 + i));
            const bool pasts0 = (fars0 && (((i64)qs0 % 32) == 0));
            if (direct) {
#pragma GCC unroll 4
                for (i64 j = 0; j < count; j += 4) {
                    const V<fn::i64> t0 = a0;
                    fn::stream((qs0 + j), t0, pasts0);
                }
            } else {
                const V<fn::i64> t0 = a0;
                fn::store_part<L>(qs0, t0, count);
            }
            i = (i + count);
        }
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
    fn::i64* const xs0 = (fn::i64*)w[3];
    const V<fn::i64> a0 = fn::splat<L>((fn::i64)fn::word<fn::i64>(w[4]));
    i64 i = begin;
    if ((i < end)) {
        while ((i < end)) {
            const bool direct = ((i + 4) <= end);
            const i64 count = (direct ? (((end - i) / 4) * 4) : fn::min(4, (end - i)));
            fn::i64* const qs0 = fn::opaque(xs0);
            const i64 ps0 = 0;
            if (direct) {
#pragma GCC unroll 4
                for (i64 j = 0; j < count; j += 4) {
                    const V<fn::i64> t0 = a0;
                    fn::scatter((qs0 + (j * ps0)), ps0, t0);
                }
            } else {
                const V<fn::i64> t0 = a0;
                fn::spread<L>(xs0, 0, i, count, t0);
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
    const fn::i32* const x0 = (const fn::i32*)w[3];
    fn::i32* const xs0 = (fn::i32*)w[4];
    const V<fn::i32> a0 = fn::splat<L>((fn::i32)fn::word<fn::i32>(w[5]));
    const V<fn::i64> a1 = fn::splat<L>((fn::i64)fn::word<fn::i64>(w[6]));
    const bool fars0 = (((16777216 <= (n0 * 4)) && (1024 <= (n0 * 4))) && ((i64)w[4] != (i64)w[3]));
    i64 i = begin;
    if ((i < end)) {
        while ((i < end)) {
            const bool direct = ((i + 4) <= end);
            const i64 count = (direct ? (((end - i) / 4) * 4) : fn::min(4, (end - i)));
            const fn::i32* const q0 = fn::opaque((x0 + i));
            fn::i32* const qs0 = fn::opaque((xs0 + i));
            const bool pasts0 = (fars0 && (((i64)qs0 % 16) == 0));
            if (direct) {
#pragma GCC unroll 4
                for (i64 j = 0; j < count; j += 4) {
                    const V<fn::i32> t0 = fn::load<L>((q0 + j));
                    const V<fn::i32> t1 = a0;
                    const V<fn::i32> t2 = fn::fmod(t0, t1);
                    const V<fn::i64> t3 = fn::to<fn::i64>(t2);
                    const V<fn::i64> t4 = a1;
                    const V<fn::i64> t5 = fn::checked(t3, t4, (fn::u64*)w[0], L);
                    const V<fn::i32> t6 = fn::to<fn::i32>(t5);
                    fn::stream((qs0 + j), t6, pasts0);
                }
            } else {
                const V<fn::i32> t0 = fn::load_part<L>(q0, count);
                const V<fn::i32> t1 = a0;
                const V<fn::i32> t2 = fn::fmod(t0, t1);
                const V<fn::i64> t3 = fn::to<fn::i64>(t2);
                const V<fn::i64> t4 = a1;
                const V<fn::i64> t5 = fn::checked(t3, t4, (fn::u64*)w[0], count);
                const V<fn::i32> t6 = fn::to<fn::i32>(t5);
                fn::store_part<L>(qs0, t6, count);
            }
            i = (i + count);
        }
    }
    fn::finish_stream(fars0);
}
}

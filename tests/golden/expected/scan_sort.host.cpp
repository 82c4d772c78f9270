namespace body {
constexpr int L = 4;
typedef fn::integer_of<8>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const fn::i32* const x0 = (const fn::i32*)w[3];
    const i64 e0 = 1;
    fn::i64* const xs0 = (fn::i64*)w[4];
    const i64 es0 = 1;
    const auto a0 = fn::splat<L>((fn::i32)fn::word<fn::i32>(w[5]));
    const bool fars0 = fn::is_far(n0 * 8, n0 * 8) && w[4] != w[3];
    const fn::i32* r0 = x0;
    fn::i64* rs0 = xs0;
    const i64 row = 0, last = end;
    for (i64 at = begin, i = begin; at < end;) {
        at += last - i;
        i64 head = 0;
        while (i < last) {
            i64 in0 = i, in1 = last;
            const bool direct = head == 0 && i >= in0 && i + L <= in1;
            const i64 count = direct ? (in1 - i) / L * L : fn::min(head > 0 ? head : L, last - i);
            const fn::i32* const q0 = fn::opaque(r0 + i);
            fn::i64* const qs0 = fn::opaque(rs0 + i);
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {
                const V<fn::i32> t0 = fn::load_part<L>(q0 + j, count);
                const V<fn::i32> t1 = a0;
                const V<fn::i32> t2 = fn::fmod(t0, t1);
                const V<fn::i64> t3 = fn::to<fn::i64>(t2);
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
    const i64 es0 = 1;
    const bool fars0 = fn::is_far(n0 * n1 * 8, n1 * 8) && w[5] != w[4];
    i64 i0 = 0;
    const fn::i64* r0 = x0;
    fn::i64* rs0 = xs0;
    auto set_row = [&](i64 row) __attribute__((always_inline)) {
        i0 = row;
        r0 = x0 + i0;
        rs0 = xs0 + i0 * (i64)w[7];
    };
    i64 row = begin / n1, i = begin - row * n1;
    for (i64 at = begin; at < end; ++row, i = 0) {
        const i64 last = fn::min(n1, i + end - at);
        set_row(row);
        at += last - i;
        i64 head = 0;
        while (i < last) {
            i64 in0 = i, in1 = last;
            const bool direct = head == 0 && i >= in0 && i + L <= in1;
            const i64 count = direct ? (in1 - i) / L * L : fn::min(head > 0 ? head : L, last - i);
            const fn::i64* const q0 = fn::opaque(r0 + i * e0);
            const i64 p0 = e0;
            fn::i64* const qs0 = fn::opaque(rs0 + i);
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {
                const V<fn::i64> t0 = direct ? fn::gather<L>(q0 + j * p0, p0) : fn::collect<L>(r0, e0, i + j, count);
                if (direct)
                    fn::stream(qs0 + j, t0, pasts0);
                else
                    fn::store_part<L>(qs0 + j, t0, count);
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
    const i64 es0 = 1;
    const auto a0 = fn::splat<L>((fn::i64)fn::word<fn::i64>(w[8]));
    const bool fars0 = fn::is_far(n0 * n1 * 8, n1 * 8) && w[5] != w[4];
    i64 i0 = 0;
    const fn::i64* r0 = x0;
    fn::i64* rs0 = xs0;
    auto set_row = [&](i64 row) __attribute__((always_inline)) {
        i0 = row;
        r0 = x0 + i0;
        rs0 = xs0 + i0 * (i64)w[7];
    };
    i64 row = begin / n1, i = begin - row * n1;
    for (i64 at = begin; at < end; ++row, i = 0) {
        const i64 last = fn::min(n1, i + end - at);
        set_row(row);
        at += last - i;
        i64 head = 0;
        while (i < last) {
            i64 in0 = i, in1 = last;
            const bool direct = head == 0 && i >= in0 && i + L <= in1;
            const i64 count = direct ? (in1 - i) / L * L : fn::min(head > 0 ? head : L, last - i);
            const fn::i64* const q0 = fn::opaque(r0 + i * e0);
            const i64 p0 = e0;
            fn::i64* const qs0 = fn::opaque(rs0 + i);
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {
                const V<fn::i64> t0 = direct ? fn::gather<L>(q0 + j * p0, p0) : fn::collect<L>(r0, e0, i + j, count);
                const V<fn::i64> t1 = a0;
                const V<fn::i64> t2 = t0 + t1;
                if (direct)
                    fn::stream(qs0 + j, t2, pasts0);
                else
                    fn::store_part<L>(qs0 + j, t2, count);
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

namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::f32* const x0 = (const fn::f32*)w[4];
    const i64 e0 = (i64)w[6];
    fn::f32* const xs0 = (fn::f32*)w[5];
    const i64 es0 = 1;
    const auto a0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[8]));
    const bool fars0 = fn::is_far(n0 * n1 * 4, n1 * 4) && w[5] != w[4];
    i64 i0 = 0;
    const fn::f32* r0 = x0;
    fn::f32* rs0 = xs0;
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
            const fn::f32* const q0 = fn::opaque(r0 + i * e0);
            const i64 p0 = e0;
            fn::f32* const qs0 = fn::opaque(rs0 + i);
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {
                const V<fn::f32> t0 = direct ? fn::gather<L>(q0 + j * p0, p0) : fn::collect<L>(r0, e0, i + j, count);
                const V<fn::f32> t1 = a0;
                const V<fn::f32> t2 = t0 * t1;
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
namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const fn::f32* const x0 = (const fn::f32*)w[3];
    const i64 e0 = 1;
    const fn::f32* const x1 = (const fn::f32*)w[4];
    const i64 e1 = 1;
    fn::f32* const xs0 = (fn::f32*)w[5];
    const i64 es0 = 1;
    const bool fars0 = fn::is_far(n0 * 4, n0 * 4) && w[5] != w[3] && w[5] != w[4];
    const fn::f32* r0 = x0;
    const fn::f32* r1 = x1;
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
            const fn::f32* const q1 = fn::opaque(r1 + i);
            fn::f32* const qs0 = fn::opaque(rs0 + i);
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {
                const V<fn::f32> t0 = fn::load_part<L>(q0 + j, count);
                const V<fn::f32> t1 = fn::load_part<L>(q1 + j, count);
                const V<fn::f32> t2 = t0 - t1;
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
namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::f32* const x0 = (const fn::f32*)w[4];
    const i64 e0 = 1;
    const fn::f32* const x1 = (const fn::f32*)w[5];
    const i64 e1 = 1;
    fn::f32* const xs0 = (fn::f32*)w[6];
    const i64 es0 = 1;
    const auto a0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[9]));
    const bool fars0 = fn::is_far(n0 * n1 * 4, n1 * 4) && w[6] != w[4] && w[6] != w[5];
    i64 i0 = 0;
    const fn::f32* r0 = x0;
    const fn::f32* r1 = x1;
    fn::f32* rs0 = xs0;
    auto set_row = [&](i64 row) __attribute__((always_inline)) {
        i0 = row;
        r0 = x0 + i0 * (i64)w[7];
        r1 = x1;
        rs0 = xs0 + i0 * (i64)w[8];
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
            const fn::f32* const q0 = fn::opaque(r0 + i);
            const fn::f32* const q1 = fn::opaque(r1 + i);
            fn::f32* const qs0 = fn::opaque(rs0 + i);
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {
                const V<fn::f32> t0 = fn::load_part<L>(q0 + j, count);
                const V<fn::f32> t1 = fn::load_part<L>(q1 + j, count);
                const V<fn::f32> t2 = t0 + t1;
                const V<fn::f32> t3 = a0;
                const V<fn::f32> t4 = fn::maximum(t2, t3);
                if (direct)
                    fn::stream(qs0 + j, t4, pasts0);
                else
                    fn::store_part<L>(qs0 + j, t4, count);
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

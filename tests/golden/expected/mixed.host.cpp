namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end) {
    const i64 n0 = (i64)w[2];
    const fn::i32* const x0 = (const fn::i32*)w[3];
    const i64 e0 = 1;
    bool* const xs0 = (bool*)w[4];
    const i64 es0 = 1;
    const auto a0 = fn::splat<L>((fn::i32)fn::word<fn::i32>(w[5]));
    const auto a1 = fn::splat<L>((fn::i32)fn::word<fn::i32>(w[6]));
    const fn::i32* r0 = x0;
    bool* rs0 = xs0;
    const i64 row = 0, last = end;
    for (i64 at = begin, i = begin; at < end;) {
        at += last - i;
        i64 head = 0;
        while (i < last) {
            i64 in0 = i, in1 = last;
            const bool direct = head == 0 && i >= in0 && i + L <= in1;
            const i64 count = direct ? (in1 - i) / L * L : fn::min(head > 0 ? head : L, last - i);
            const fn::i32* const q0 = fn::opaque(r0 + i);
            bool* const qs0 = fn::opaque(rs0 + i);
            auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {
                const V<fn::i32> t0 = fn::load_part<L>(q0 + j, count);
                const V<fn::i32> t1 = a0;
                const V<fn::i32> t2 = fn::fmod(t0, t1);
                const V<fn::i32> t3 = a1;
                const auto t4 = t2 == t3;
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
    const i64 e0 = 1;
    const fn::f64* const x1 = (const fn::f64*)w[5];
    const fn::i32* const x2 = (const fn::i32*)w[6];
    const i64 e2 = 1;
    fn::f64* const xs0 = (fn::f64*)w[7];
    const i64 es0 = 1;
    const auto a0 = fn::splat<L>((fn::f64)fn::word<fn::f64>(w[9]));
    const bool fars0 = fn::is_far(n0 * n1 * 8, n1 * 8) && w[7] != w[4] && w[7] != w[5] && w[7] != w[6];
    i64 i0 = 0;
    const bool* r0 = x0;
    const fn::f64* r1 = x1;
    auto z1 = fn::splat<L>((fn::f64)0);
    const fn::i32* r2 = x2;
    fn::f64* rs0 = xs0;
    auto set_row = [&](i64 row) __attribute__((always_inline)) {
        i0 = row;
        r0 = x0;
        r1 = x1 + i0;
        z1 = fn::splat<L>((fn::f64)*r1);
        r2 = x2;
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
            const bool* const q0 = fn::opaque(r0 + i);
            const fn::i32* const q2 = fn::opaque(r2 + i);
            fn::f64* const qs0 = fn::opaque(rs0 + i);
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {
                const auto t0 = fn::load_mask_part<M, L>(q0 + j, count);
                const V<fn::f64> t1 = z1;
                const V<fn::i32> t2 = fn::load_part<L>(q2 + j, count);
                const V<fn::f64> t3 = fn::to<fn::f64>(t2);
                const V<fn::f64> t4 = t1 * t3;
                const V<fn::f64> t5 = a0;
                const V<fn::f64> t6 = fn::where(t0, t4, t5);
                if (direct)
                    fn::stream(qs0 + j, t6, pasts0);
                else
                    fn::store_part<L>(qs0 + j, t6, count);
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

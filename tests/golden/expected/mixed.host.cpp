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
    alignas(64) fn::i32 b0[L];
    bool* rs0 = xs0;
    alignas(64) bool bs0[L];
    const i64 row = 0, last = end;
    for (i64 at = begin, i = begin; at < end;) {
        at += last - i;
        while (i < last) {
            i64 in0 = i, in1 = last;
            const bool direct = i >= in0 && i + L <= in1;
            const i64 count = direct ? (in1 - i) / L * L : fn::min(L, last - i);
            if (!direct) {
                fn::fill(b0, L, r0, e0, i, count);
            }
            const fn::i32* const q0 = direct ? r0 + i : b0;
            bool* const qs0 = direct ? rs0 + i : bs0;
#pragma GCC unroll 4
            for (i64 j = 0; j < count; j += L) {
                const V<fn::i32> t0 = fn::load<L>(q0 + j);
                const V<fn::i32> t1 = a0;
                const V<fn::i32> t2 = fn::fmod(t0, t1);
                const V<fn::i32> t3 = a1;
                const auto t4 = t2 == t3;
                fn::store(qs0 + j, t4);
            }
            if (!direct) {
                fn::spill(rs0, es0, i, count, bs0);
            }
            i += count;
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
    i64 i0 = 0;
    const bool* r0 = x0;
    alignas(64) bool b0[L];
    const fn::f64* r1 = x1;
    auto z1 = fn::splat<L>((fn::f64)0);
    const fn::i32* r2 = x2;
    alignas(64) fn::i32 b2[L];
    fn::f64* rs0 = xs0;
    alignas(64) fn::f64 bs0[L];
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
        while (i < last) {
            i64 in0 = i, in1 = last;
            const bool direct = i >= in0 && i + L <= in1;
            const i64 count = direct ? (in1 - i) / L * L : fn::min(L, last - i);
            if (!direct) {
                fn::fill(b0, L, r0, e0, i, count);
                fn::fill(b2, L, r2, e2, i, count);
            }
            const bool* const q0 = direct ? r0 + i : b0;
            const fn::i32* const q2 = direct ? r2 + i : b2;
            fn::f64* const qs0 = direct ? rs0 + i : bs0;
#pragma GCC unroll 4
            for (i64 j = 0; j < count; j += L) {
                const auto t0 = fn::load_mask<M, L>(q0 + j);
                const V<fn::f64> t1 = z1;
                const V<fn::i32> t2 = fn::load<L>(q2 + j);
                const V<fn::f64> t3 = fn::to<fn::f64>(t2);
                const V<fn::f64> t4 = t1 * t3;
                const V<fn::f64> t5 = a0;
                const V<fn::f64> t6 = fn::where(t0, t4, t5);
                fn::store(qs0 + j, t6);
            }
            if (!direct) {
                fn::spill(rs0, es0, i, count, bs0);
            }
            i += count;
        }
    }
}
}

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
    const fn::i32* r0 = x0;
    alignas(64) fn::i32 b0[L];
    fn::i64* rs0 = xs0;
    alignas(64) fn::i64 bs0[L];
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
            fn::i64* const qs0 = direct ? rs0 + i : bs0;
#pragma GCC unroll 4
            for (i64 j = 0; j < count; j += L) {
                const V<fn::i32> t0 = fn::load<L>(q0 + j);
                const V<fn::i32> t1 = a0;
                const V<fn::i32> t2 = fn::fmod(t0, t1);
                const V<fn::i64> t3 = fn::to<fn::i64>(t2);
                fn::store(qs0 + j, t3);
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
    const fn::i64* const x0 = (const fn::i64*)w[4];
    const i64 e0 = (i64)w[6];
    fn::i64* const xs0 = (fn::i64*)w[5];
    const i64 es0 = 1;
    i64 i0 = 0;
    const fn::i64* r0 = x0;
    alignas(64) fn::i64 b0[L];
    fn::i64* rs0 = xs0;
    alignas(64) fn::i64 bs0[L];
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
        while (i < last) {
            i64 in0 = i, in1 = last;
            const bool direct = i >= in0 && i + L <= in1;
            const i64 count = direct ? (in1 - i) / L * L : fn::min(L, last - i);
            if (!direct) {
                fn::fill(b0, L, r0, e0, i, count);
            }
            const fn::i64* const q0 = direct ? r0 + i * e0 : b0;
            const i64 p0 = direct ? e0 : 1;
            fn::i64* const qs0 = direct ? rs0 + i : bs0;
#pragma GCC unroll 4
            for (i64 j = 0; j < count; j += L) {
                const V<fn::i64> t0 = fn::gather<L>(q0 + (j) * p0, p0);
                fn::store(qs0 + j, t0);
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
    const fn::i64* const x0 = (const fn::i64*)w[4];
    const i64 e0 = (i64)w[6];
    fn::i64* const xs0 = (fn::i64*)w[5];
    const i64 es0 = 1;
    const auto a0 = fn::splat<L>((fn::i64)fn::word<fn::i64>(w[8]));
    i64 i0 = 0;
    const fn::i64* r0 = x0;
    alignas(64) fn::i64 b0[L];
    fn::i64* rs0 = xs0;
    alignas(64) fn::i64 bs0[L];
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
        while (i < last) {
            i64 in0 = i, in1 = last;
            const bool direct = i >= in0 && i + L <= in1;
            const i64 count = direct ? (in1 - i) / L * L : fn::min(L, last - i);
            if (!direct) {
                fn::fill(b0, L, r0, e0, i, count);
            }
            const fn::i64* const q0 = direct ? r0 + i * e0 : b0;
            const i64 p0 = direct ? e0 : 1;
            fn::i64* const qs0 = direct ? rs0 + i : bs0;
#pragma GCC unroll 4
            for (i64 j = 0; j < count; j += L) {
                const V<fn::i64> t0 = fn::gather<L>(q0 + (j) * p0, p0);
                const V<fn::i64> t1 = a0;
                const V<fn::i64> t2 = t0 + t1;
                fn::store(qs0 + j, t2);
            }
            if (!direct) {
                fn::spill(rs0, es0, i, count, bs0);
            }
            i += count;
        }
    }
}
}

namespace body {
constexpr int L = 4;
typedef fn::integer_of<8>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end, fn::u64* partials, i64 blocks) {
    const i64 n0 = (i64)w[2];
    const fn::i8* const x0 = (const fn::i8*)w[3];
    const fn::i8* r0 = x0;
    const i64 e0 = 1;
    alignas(64) fn::i8 b0[64];
    const fn::u8* const x1 = (const fn::u8*)w[4];
    const fn::u8* r1 = x1;
    const i64 e1 = 1;
    alignas(64) fn::u8 b1[64];
    const fn::u16* const x2 = (const fn::u16*)w[6];
    const fn::u16* r2 = x2;
    const i64 e2 = 1;
    alignas(64) fn::u16 b2[64];
    fn::i16* const xs0 = (fn::i16*)w[5];
    fn::i16* rs0 = xs0;
    const i64 es0 = 1;
    alignas(64) fn::i16 bs0[64];
    fn::i32* const xs1 = (fn::i32*)w[7];
    fn::i32* rs1 = xs1;
    const i64 es1 = 1;
    alignas(64) fn::i32 bs1[64];
    const auto a0 = fn::splat<L>((fn::u16)fn::word<fn::u16>(w[9]));
    for (i64 at = begin; at < end;) {
        const i64 block = at / 4096, stop = fn::min(end, at + 4096);
        const V<fn::u64> identity0 = fn::splat<L>((fn::u64)0);
        V<fn::u64> acc0[64 / L];
        for (auto& x : acc0) x = identity0;
        while (at < stop) {
            const i64 row = 0, last = stop;
            i64 i = at;
            i64 in0 = i, in1 = last;
            const bool direct = i >= in0 && i + 64 <= in1;
            const i64 count = direct ? (in1 - i) / 64 * 64 : fn::min(64, stop - at);
            if (!direct) {
                for (i64 done = 0, n; done < count; done += n) {
                    n = count;
                    fn::fill(b0 + done, n, r0, e0, i, n);
                    fn::fill(b1 + done, n, r1, e1, i, n);
                    fn::fill(b2 + done, n, r2, e2, i, n);
                }
                for (i64 k = count; k < 64; ++k) { b0[k] = 1; b1[k] = 1; b2[k] = 1; }
            }
            const fn::i8* const q0 = direct ? r0 + i : b0;
            const fn::u8* const q1 = direct ? r1 + i : b1;
            const fn::u16* const q2 = direct ? r2 + i : b2;
            fn::i16* const qs0 = direct ? rs0 + i : bs0;
            fn::i32* const qs1 = direct ? rs1 + i : bs1;
            for (i64 j = 0; j < count; j += 64) {
#pragma GCC unroll 32
                for (int u = 0; u < 64; u += L) {
                    const V<fn::i8> t0 = fn::load<L>(q0 + j + u);
                    const V<fn::i16> t1 = fn::to<fn::i16>(t0);
                    const V<fn::u8> t2 = fn::load<L>(q1 + j + u);
                    const V<fn::i16> t3 = fn::to<fn::i16>(t2);
                    const V<fn::i16> t4 = t1 * t3;
                    const V<fn::i32> t5 = fn::to<fn::i32>(t4);
                    const V<fn::u16> t6 = fn::load<L>(q2 + j + u);
                    const V<fn::u16> t7 = a0;
                    const V<fn::u16> t8 = fn::shr(t6, t7);
                    const V<fn::i32> t9 = fn::to<fn::i32>(t8);
                    const V<fn::i32> t10 = t5 + t9;
                    const V<fn::u64> t11 = fn::to<fn::u64>(t6);
                    fn::store(qs0 + j + u, t4);
                    fn::store(qs1 + j + u, t10);
                    const auto v0 = fn::keep(t11, identity0, count - j - u);
                    acc0[u / L] = acc0[u / L] + v0;
                }
            }
            if (!direct) {
                for (i64 done = 0, n; done < count; done += n) {
                    n = count;
                    fn::spill(rs0, es0, i, n, bs0 + done);
                    fn::spill(rs1, es1, i, n, bs1 + done);
                }
            }
            at += count;
        }
        fn::tree(acc0, [](auto a, auto b) { return a + b; }, &partials[0 * blocks + block]);
    }
}
}
namespace epilogue {
constexpr int L = 4;
typedef fn::integer_of<8>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel_finish(const fn::u64* w, const fn::u64* totals) {
    const V<fn::u64> e0 = fn::splat<L>((fn::u64)fn::word<fn::u64>(totals[0]));
    fn::store_first((fn::u64*)w[8], e0);
}
}

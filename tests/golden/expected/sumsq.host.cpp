namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel(const fn::u64* w, i64 begin, i64 end, fn::u64* partials, i64 blocks) {
    const i64 n0 = (i64)w[2];
    const fn::f32* const x0 = (const fn::f32*)w[3];
    const fn::f32* r0 = x0;
    const i64 e0 = 1;
    alignas(64) fn::f32 b0[64];
    const fn::f32* const x1 = (const fn::f32*)w[4];
    const fn::f32* r1 = x1;
    const i64 e1 = 1;
    alignas(64) fn::f32 b1[64];
    for (i64 at = begin; at < end;) {
        const i64 block = at / 4096, stop = fn::min(end, at + 4096);
        const V<fn::f32> identity0 = fn::splat<L>((fn::f32)0);
        V<fn::f32> acc0[64 / L];
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
                }
                for (i64 k = count; k < 64; ++k) { b0[k] = 1; b1[k] = 1; }
            }
            const fn::f32* const q0 = direct ? r0 + i : b0;
            const fn::f32* const q1 = direct ? r1 + i : b1;
            for (i64 j = 0; j < count; j += 64) {
#pragma GCC unroll 32
                for (int u = 0; u < 64; u += L) {
                    const V<fn::f32> t0 = fn::load<L>(q0 + j + u);
                    const V<fn::f32> t1 = fn::load<L>(q1 + j + u);
                    const V<fn::f32> t2 = t0 - t1;
                    const V<fn::f32> t3 = t2 * t2;
                    const auto v0 = fn::keep(t3, identity0, count - j - u);
                    acc0[u / L] = acc0[u / L] + v0;
                }
            }
            at += count;
        }
        fn::tree(acc0, [](auto a, auto b) { return a + b; }, &partials[0 * blocks + block]);
    }
}
}
namespace epilogue {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
extern "C" void frit_kernel_finish(const fn::u64* w, const fn::u64* totals) {
    const V<fn::f32> e0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(totals[0]));
    fn::store_first((fn::f32*)w[5], e0);
}
}

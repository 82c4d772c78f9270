namespace body {
constexpr int L = 16;
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
    const fn::f32* const x2 = (const fn::f32*)w[6];
    const i64 e2 = 1;
    const fn::f32* const x3 = (const fn::f32*)w[7];
    const i64 e3 = 1;
    fn::f32* const xs0 = (fn::f32*)w[8];
    const i64 es0 = 1;
    const auto a0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(w[14]));
    const bool fars0 = fn::is_far(n0 * n1 * 4, n1 * 4) && w[8] != w[4] && w[8] != w[5] && w[8] != w[6] && w[8] != w[7];
    i64 i0 = 0;
    const fn::f32* r0 = x0;
    const fn::f32* r1 = x1;
    const fn::f32* r2 = x2;
    const fn::f32* r3 = x3;
    fn::f32* rs0 = xs0;
    auto set_row = [&](i64 row) __attribute__((always_inline)) {
        i0 = row;
        r0 = x0 + i0 * (i64)w[9];
        r1 = x1 + i0 * (i64)w[10];
        r2 = x2 + i0 * (i64)w[11];
        r3 = x3 + i0 * (i64)w[12];
        rs0 = xs0 + i0 * (i64)w[13];
    };
    fn::load_order order;
    i64 row = begin / n1, i = begin - row * n1;
    for (i64 at = begin; at < end; ++row, i = 0) {
        const i64 last = fn::min(n1, i + end - at);
        set_row(row);
        at += last - i;
        i64 head = 0;
        const char* latest = nullptr;
        if (last - i >= 16 * L) {
            const char* const starts[] = {(const char*)r0, (const char*)r1, (const char*)r2, (const char*)r3};
            if (order.lead < 0) order.choose(starts);
            head = fn::head(starts[order.lead] + i * 4) / 4;
            latest = starts[order.last] + 4096;
        }
        while (i < last) {
            i64 in0 = i, in1 = last;
            const bool direct = head == 0 && i >= in0 && i + L <= in1;
            const i64 count = direct ? (in1 - i) / L * L : fn::min(head > 0 ? head : L, last - i);
            const fn::f32* const q0 = fn::opaque(r0 + i);
            const fn::f32* const q1 = fn::opaque(r1 + i);
            const fn::f32* const q2 = fn::opaque(r2 + i);
            const fn::f32* const q3 = fn::opaque(r3 + i);
            fn::f32* const qs0 = fn::opaque(rs0 + i);
            const bool pasts0 = fars0 && fn::is_aligned<L>(qs0);
            auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {
                const V<fn::f32> t0 = a0;
                const V<fn::f32> t1 = fn::load_part<L>(q0 + j, count);
                const V<fn::f32> t2 = fn::load_part<L>(q1 + j, count);
                const V<fn::f32> t3 = t1 + t2;
                const V<fn::f32> t4 = fn::load_part<L>(q2 + j, count);
                const V<fn::f32> t5 = t3 + t4;
                const V<fn::f32> t6 = fn::load_part<L>(q3 + j, count);
                const V<fn::f32> t7 = t5 + t6;
                const V<fn::f32> t8 = t0 * t7;
                if (direct)
                    fn::stream(qs0 + j, t8, pasts0);
                else
                    fn::store_part<L>(qs0 + j, t8, count);
            };
            if (direct) {
#pragma GCC unroll 4
                for (i64 j = 0; j < count; j += L) {
                    if (latest) __builtin_prefetch(latest + (i + j) * 4);
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

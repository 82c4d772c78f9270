namespace body {
constexpr int L = 4;
typedef fn::integer_of<8>::type M;
template <class T>
using V = fn::vec<T, L>;
static __attribute__((noinline)) void short_rows(const fn::u64* w, i64 first, i64 last, i64 block, i64 stop,
                                                 fn::u64* partials) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::i32* const x0 = (const fn::i32*)w[4];
    fn::i64* const xs0 = (fn::i64*)w[5];
    const V<fn::i32> a0 = fn::splat<L>((fn::i32)fn::word<fn::i32>(w[6]));
    const i64 length = n1;
    const i64 runs = ((length + 31) / 32);
    const i64 tile = 4096;
    alignas(64) fn::i32 y0[32];
    i64 os0[32];
    i64 row = first;
    while ((row < last)) {
        const i64 line = (row / n0);
        const i64 begin = (row - (line * n0));
        const i64 end = fn::min(n0, ((begin + last) - row));
        row = (row + (end - begin));
        const fn::i32* const r0 = x0;
        fn::i64* const rs0 = xs0;
        i64 c = begin;
        while ((c < end)) {
            const i64 width = fn::min(tile, (end - c));
            const i64 from = (block * 128);
            const i64 to = fn::min(runs, (stop * 128));
            for (i64 run = from; run < to; run += 1) {
                const i64 j = (run * 32);
                const i64 m = fn::min(32, (length - j));
                i64 i1 = j;
                for (i64 jj = 0; jj < m; jj += 1) {
                    y0[jj] = *(r0 + i1);
                    os0[jj] = i1;
                    i1 = (i1 + 1);
                }
                i64 v = 0;
                while ((v < width)) {
                    const i64 whole = ((begin <= (c + v)) ? fn::min((width - v), ((end - c) - v)) : 0);
                    if ((4 <= whole)) {
                        fn::i64* const qs0 = rs0;
                        for (i64 jj = 0; jj < m; jj += 1) {
#pragma GCC unroll 8
                            for (i64 u = 0; u < 1; u += 1) {
                                const V<fn::i32> t0 = fn::splat<L>((fn::i32)y0[jj]);
                                const V<fn::i32> t1 = a0;
                                const V<fn::i32> t2 = fn::fmod(t0, t1);
                                const V<fn::i64> t3 = fn::to<fn::i64>(t2);
                                const V<fn::i64> t4 = launch;
                                fn::scatter((qs0 + os0[jj]), 0, t4);
                            }
                        }
                        v = (v + 4);
                    } else {
                        for (i64 jj = 0; jj < m; jj += 1) {
#pragma GCC unroll 8
                            for (i64 u = 0; u < 1; u += 1) {
                                const V<fn::i32> t0 = fn::splat<L>((fn::i32)y0[jj]);
                                const V<fn::i32> t1 = a0;
                                const V<fn::i32> t2 = fn::fmod(t0, t1);
                                const V<fn::i64> t3 = fn::to<fn::i64>(t2);
                                const V<fn::i64> t4 = launch;
                                fn::spread<L>((rs0 + os0[jj]), 0, (c + v), fn::min(4, (width - v)), t4);
                            }
                        }
                        v = (v + 4);
                    }
                }
            }
            c = (c + tile);
        }
    }
}
extern "C" void frit_kernel(const fn::u64* w, i64 first, i64 last, i64 block, i64 stop, fn::u64* partials) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::i32* const x0 = (const fn::i32*)w[4];
    fn::i64* const xs0 = (fn::i64*)w[5];
    const V<fn::i32> a0 = fn::splat<L>((fn::i32)fn::word<fn::i32>(w[6]));
    const i64 length = n1;
    const i64 blocks = ((length + 4095) / 4096);
    if ((((0 < length) && (length <= 16)) && (4 <= (2 * (last - first))))) {
        short_rows(w, first, last, block, stop, partials);
        return;
    }
    const bool fars0 = (((16777216 <= ((n0 * n1) * 8)) && (1024 <= (n1 * 8))) && ((i64)w[5] != (i64)w[4]));
    for (i64 row = first; row < last; row += 1) {
        const fn::i32* const r0 = x0;
        fn::i64* const rs0 = xs0;
        for (i64 b = block; b < fn::min(blocks, stop); b += 1) {
            i64 j = (b * 4096);
            const i64 end = fn::min(length, (j + 4096));
            const fn::i32* const q0 = r0;
            fn::i64* const qs0 = rs0;
            const bool pasts0 = (fars0 && (((i64)qs0 % 32) == 0));
            while (((j + 64) <= end)) {
                fn::prefetch<64>((q0 + (j + 512)));
#pragma GCC unroll 32
                for (i64 u = 0; u < 16; u += 1) {
                    const V<fn::i32> t0 = fn::load<L>((q0 + (j + (u * 4))));
                    const V<fn::i32> t1 = a0;
                    const V<fn::i32> t2 = fn::fmod(t0, t1);
                    const V<fn::i64> t3 = fn::to<fn::i64>(t2);
                    const V<fn::i64> t4 = launch;
                    fn::stream((qs0 + (j + (u * 4))), t4, pasts0);
                }
                j = (j + 64);
            }
            if ((j < end)) {
#pragma GCC unroll 32
                for (i64 u = 0; u < 16; u += 1) {
                    const i64 i = (j + (u * 4));
                    const i64 count = fn::min(4, (end - i));
                    if ((0 < count)) {
                        const V<fn::i32> t0 = fn::load_part<L>((r0 + i), count);
                        const V<fn::i32> t1 = a0;
                        const V<fn::i32> t2 = fn::fmod(t0, t1);
                        const V<fn::i64> t3 = fn::to<fn::i64>(t2);
                        const V<fn::i64> t4 = launch;
                        fn::store_part<L>((rs0 + i), t4, count);
                    }
                }
            }
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

namespace body {
constexpr int L = 8;
typedef fn::integer_of<4>::type M;
template <class T>
using V = fn::vec<T, L>;
static __attribute__((noinline)) void short_rows(const fn::u64* w, i64 first, i64 last, i64 block, i64 stop, fn::u64* partials) {
    const i64 n0 = (i64)w[2];
    const i64 n1 = (i64)w[3];
    const fn::f32* const x0 = (const fn::f32*)w[4];
    const i64 e0 = (i64)w[6];
    fn::f32* const xs0 = (fn::f32*)w[5];
    const i64 es0 = (i64)w[7];
    const bool parted = ((i64)partials != 0);
    const i64 rows = n0;
    const i64 length = n1;
    const i64 blocks = ((length + 4095) / 4096);
    const i64 runs = ((length + 31) / 32);
    const i64 fit = (((16384 / fn::max(1, length)) / 8) * 8);
    const i64 tile = fn::max(((0 < fit) ? fn::min(fn::min(448, (((29127 / fn::max(1, length)) / 8) * 8)), fit) : fn::min(448, (((29127 / fn::max(1, length)) / 8) * 8))), 8);
    alignas(64) fn::f32 k3[16448];
    const bool fits = ((length * tile) <= 16384);
    V<fn::f32> tree0_0[56];
    V<fn::f32> tree1_0[56];
    alignas(64) fn::f32 row0[448];
    alignas(64) fn::f32 row1[448];
    i64 o0[32];
    i64 os0[32];
    i64 row = first;
    while ((row < last)) {
        const i64 line = (row / n0);
        const i64 begin = (row - (line * n0));
        const i64 end = fn::min(n0, ((begin + last) - row));
        row = (row + (end - begin));
        const fn::f32* const r0 = x0;
        fn::f32* const rs0 = xs0;
        i64 c = begin;
        while ((c < end)) {
            const i64 width = fn::min(tile, (end - c));
            const i64 from = (block * 128);
            const i64 to = fn::min(runs, (stop * 128));
            for (i64 run = from; run < to; run += 1) {
                const i64 j = (run * 32);
                const i64 m = fn::min(32, (length - j));
                const i64 met = (i64)__builtin_popcountll((fn::u64)(run - from));
                i64 i1 = j;
                for (i64 jj = 0; jj < m; jj += 1) {
                    o0[jj] = i1;
                    i1 = (i1 + 1);
                }
                i64 v = 0;
                while ((v < width)) {
                    const i64 whole = ((begin <= (c + v)) ? fn::min((width - v), ((end - c) - v)) : 0);
                    if ((8 <= whole)) {
                        const fn::f32* const q0 = (r0 + ((c + v) * e0));
                        const i64 p0 = e0;
                        V<fn::f32> s0_0[32];
                        for (i64 jj_v2 = 0; jj_v2 < m; jj_v2 += 1) {
#pragma GCC unroll 8
                            for (i64 u = 0; u < 1; u += 1) {
                                const V<fn::f32> t0 = fn::gather<L>((q0 + (o0[jj_v2] + ((u * 8) * p0))), p0);
                                const V<fn::f32> u0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(4286578688ull));
                                const V<fn::f32> u1 = t0;
                                const V<fn::f32> u2 = fn::maximum(u0, u1);
                                s0_0[jj_v2] = u2;
                            }
                        }
                        const i64 place = (v / 8);
                        for (i64 k = 0; k < fn::min(16, (m - 16)); k += 1) {
                            const V<fn::f32> u0_v2 = s0_0[k];
                            const V<fn::f32> u1_v2 = s0_0[(k + 16)];
                            const V<fn::f32> u2_v2 = fn::maximum(u0_v2, u1_v2);
                            s0_0[k] = u2_v2;
                        }
                        for (i64 k_v2 = 0; k_v2 < fn::min(8, (m - 8)); k_v2 += 1) {
                            const V<fn::f32> u0_v3 = s0_0[k_v2];
                            const V<fn::f32> u1_v3 = s0_0[(k_v2 + 8)];
                            const V<fn::f32> u2_v3 = fn::maximum(u0_v3, u1_v3);
                            s0_0[k_v2] = u2_v3;
                        }
                        for (i64 k_v3 = 0; k_v3 < fn::min(4, (m - 4)); k_v3 += 1) {
                            const V<fn::f32> u0_v4 = s0_0[k_v3];
                            const V<fn::f32> u1_v4 = s0_0[(k_v3 + 4)];
                            const V<fn::f32> u2_v4 = fn::maximum(u0_v4, u1_v4);
                            s0_0[k_v3] = u2_v4;
                        }
                        for (i64 k_v4 = 0; k_v4 < fn::min(2, (m - 2)); k_v4 += 1) {
                            const V<fn::f32> u0_v5 = s0_0[k_v4];
                            const V<fn::f32> u1_v5 = s0_0[(k_v4 + 2)];
                            const V<fn::f32> u2_v5 = fn::maximum(u0_v5, u1_v5);
                            s0_0[k_v4] = u2_v5;
                        }
                        for (i64 k_v5 = 0; k_v5 < fn::min(1, (m - 1)); k_v5 += 1) {
                            const V<fn::f32> u0_v6 = s0_0[k_v5];
                            const V<fn::f32> u1_v6 = s0_0[(k_v5 + 1)];
                            const V<fn::f32> u2_v6 = fn::maximum(u0_v6, u1_v6);
                            s0_0[k_v5] = u2_v6;
                        }
                        tree0_0[place] = s0_0[0];
                        v = (v + 8);
                    } else {
                        const fn::f32* const q0_v2 = (r0 + ((c + v) * e0));
                        const i64 p0_v2 = e0;
                        V<fn::f32> s0_0_v2[32];
                        for (i64 jj_v3 = 0; jj_v3 < m; jj_v3 += 1) {
#pragma GCC unroll 8
                            for (i64 u_v2 = 0; u_v2 < 1; u_v2 += 1) {
                                const V<fn::f32> t0_v2 = fn::collect<L>((r0 + o0[jj_v3]), e0, (c + v), fn::min(8, (width - v)));
                                const V<fn::f32> u0_v7 = fn::splat<L>((fn::f32)fn::word<fn::f32>(4286578688ull));
                                const V<fn::f32> u1_v7 = t0_v2;
                                const V<fn::f32> u2_v7 = fn::maximum(u0_v7, u1_v7);
                                s0_0_v2[jj_v3] = u2_v7;
                            }
                        }
                        const i64 place_v2 = (v / 8);
                        for (i64 k_v6 = 0; k_v6 < fn::min(16, (m - 16)); k_v6 += 1) {
                            const V<fn::f32> u0_v8 = s0_0_v2[k_v6];
                            const V<fn::f32> u1_v8 = s0_0_v2[(k_v6 + 16)];
                            const V<fn::f32> u2_v8 = fn::maximum(u0_v8, u1_v8);
                            s0_0_v2[k_v6] = u2_v8;
                        }
                        for (i64 k_v7 = 0; k_v7 < fn::min(8, (m - 8)); k_v7 += 1) {
                            const V<fn::f32> u0_v9 = s0_0_v2[k_v7];
                            const V<fn::f32> u1_v9 = s0_0_v2[(k_v7 + 8)];
                            const V<fn::f32> u2_v9 = fn::maximum(u0_v9, u1_v9);
                            s0_0_v2[k_v7] = u2_v9;
                        }
                        for (i64 k_v8 = 0; k_v8 < fn::min(4, (m - 4)); k_v8 += 1) {
                            const V<fn::f32> u0_v10 = s0_0_v2[k_v8];
                            const V<fn::f32> u1_v10 = s0_0_v2[(k_v8 + 4)];
                            const V<fn::f32> u2_v10 = fn::maximum(u0_v10, u1_v10);
                            s0_0_v2[k_v8] = u2_v10;
                        }
                        for (i64 k_v9 = 0; k_v9 < fn::min(2, (m - 2)); k_v9 += 1) {
                            const V<fn::f32> u0_v11 = s0_0_v2[k_v9];
                            const V<fn::f32> u1_v11 = s0_0_v2[(k_v9 + 2)];
                            const V<fn::f32> u2_v11 = fn::maximum(u0_v11, u1_v11);
                            s0_0_v2[k_v9] = u2_v11;
                        }
                        for (i64 k_v10 = 0; k_v10 < fn::min(1, (m - 1)); k_v10 += 1) {
                            const V<fn::f32> u0_v12 = s0_0_v2[k_v10];
                            const V<fn::f32> u1_v12 = s0_0_v2[(k_v10 + 1)];
                            const V<fn::f32> u2_v12 = fn::maximum(u0_v12, u1_v12);
                            s0_0_v2[k_v10] = u2_v12;
                        }
                        tree0_0[place_v2] = s0_0_v2[0];
                        v = (v + 8);
                    }
                }
            }
            const i64 pushed = (to - from);
            const i64 top = ((i64)__builtin_popcountll((fn::u64)pushed) - 1);
            for (i64 v_v2 = 0; v_v2 < width; v_v2 += 8) {
                const i64 place_v3 = (v_v2 / 8);
                if ((pushed == 0)) {
                    tree0_0[place_v3] = fn::splat<L>((fn::f32)fn::word<fn::f32>(4286578688ull));
                }
            }
            for (i64 v_v3 = 0; v_v3 < width; v_v3 += 8) {
                const i64 count = fn::min(8, (width - v_v3));
                const V<fn::f32> f0 = tree0_0[(v_v3 / 8)];
                fn::store((row0 + v_v3), f0);
            }
            const i64 from_v2 = (block * 128);
            const i64 to_v2 = fn::min(runs, (stop * 128));
            for (i64 run_v2 = from_v2; run_v2 < to_v2; run_v2 += 1) {
                const i64 j_v2 = (run_v2 * 32);
                const i64 m_v2 = fn::min(32, (length - j_v2));
                const i64 met_v2 = (i64)__builtin_popcountll((fn::u64)(run_v2 - from_v2));
                i64 i1_v2 = j_v2;
                for (i64 jj_v4 = 0; jj_v4 < m_v2; jj_v4 += 1) {
                    o0[jj_v4] = i1_v2;
                    i1_v2 = (i1_v2 + 1);
                }
                i64 v_v4 = 0;
                while ((v_v4 < width)) {
                    const i64 whole_v2 = ((begin <= (c + v_v4)) ? fn::min((width - v_v4), ((end - c) - v_v4)) : 0);
                    if ((8 <= whole_v2)) {
                        const fn::f32* const q0_v3 = (r0 + ((c + v_v4) * e0));
                        const i64 p0_v3 = e0;
                        V<fn::f32> f0_v2[1];
                        for (i64 u_v3 = 0; u_v3 < 1; u_v3 += 1) {
                            f0_v2[u_v3] = fn::load<L>((row0 + (v_v4 + (u_v3 * 8))));
                        }
                        V<fn::f32> s1_0[32];
                        for (i64 jj_v5 = 0; jj_v5 < m_v2; jj_v5 += 1) {
#pragma GCC unroll 8
                            for (i64 u_v4 = 0; u_v4 < 1; u_v4 += 1) {
                                const V<fn::f32> t0_v3 = fn::gather<L>((q0_v3 + (o0[jj_v5] + ((u_v4 * 8) * p0_v3))), p0_v3);
                                const V<fn::f32> t1 = f0_v2[u_v4];
                                const V<fn::f32> t2 = t0_v3 - t1;
                                const V<fn::f32> t3 = fn::exp(t2);
                                if (fits) {
                                    fn::store((k3 + ((((j_v2 + jj_v5) * tile) + v_v4) + (u_v4 * 8))), t3);
                                }
                                const V<fn::f32> u0_v13 = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
                                const V<fn::f32> u1_v13 = t3;
                                const V<fn::f32> u2_v13 = u0_v13 + u1_v13;
                                s1_0[jj_v5] = u2_v13;
                            }
                        }
                        const i64 place_v4 = (v_v4 / 8);
                        for (i64 k_v11 = 0; k_v11 < fn::min(16, (m_v2 - 16)); k_v11 += 1) {
                            const V<fn::f32> u0_v14 = s1_0[k_v11];
                            const V<fn::f32> u1_v14 = s1_0[(k_v11 + 16)];
                            const V<fn::f32> u2_v14 = u0_v14 + u1_v14;
                            s1_0[k_v11] = u2_v14;
                        }
                        for (i64 k_v12 = 0; k_v12 < fn::min(8, (m_v2 - 8)); k_v12 += 1) {
                            const V<fn::f32> u0_v15 = s1_0[k_v12];
                            const V<fn::f32> u1_v15 = s1_0[(k_v12 + 8)];
                            const V<fn::f32> u2_v15 = u0_v15 + u1_v15;
                            s1_0[k_v12] = u2_v15;
                        }
                        for (i64 k_v13 = 0; k_v13 < fn::min(4, (m_v2 - 4)); k_v13 += 1) {
                            const V<fn::f32> u0_v16 = s1_0[k_v13];
                            const V<fn::f32> u1_v16 = s1_0[(k_v13 + 4)];
                            const V<fn::f32> u2_v16 = u0_v16 + u1_v16;
                            s1_0[k_v13] = u2_v16;
                        }
                        for (i64 k_v14 = 0; k_v14 < fn::min(2, (m_v2 - 2)); k_v14 += 1) {
                            const V<fn::f32> u0_v17 = s1_0[k_v14];
                            const V<fn::f32> u1_v17 = s1_0[(k_v14 + 2)];
                            const V<fn::f32> u2_v17 = u0_v17 + u1_v17;
                            s1_0[k_v14] = u2_v17;
                        }
                        for (i64 k_v15 = 0; k_v15 < fn::min(1, (m_v2 - 1)); k_v15 += 1) {
                            const V<fn::f32> u0_v18 = s1_0[k_v15];
                            const V<fn::f32> u1_v18 = s1_0[(k_v15 + 1)];
                            const V<fn::f32> u2_v18 = u0_v18 + u1_v18;
                            s1_0[k_v15] = u2_v18;
                        }
                        tree1_0[place_v4] = s1_0[0];
                        v_v4 = (v_v4 + 8);
                    } else {
                        const fn::f32* const q0_v4 = (r0 + ((c + v_v4) * e0));
                        const i64 p0_v4 = e0;
                        V<fn::f32> f0_v3[1];
                        for (i64 u_v5 = 0; u_v5 < 1; u_v5 += 1) {
                            f0_v3[u_v5] = fn::load<L>((row0 + (v_v4 + (u_v5 * 8))));
                        }
                        V<fn::f32> s1_0_v2[32];
                        for (i64 jj_v6 = 0; jj_v6 < m_v2; jj_v6 += 1) {
#pragma GCC unroll 8
                            for (i64 u_v6 = 0; u_v6 < 1; u_v6 += 1) {
                                const V<fn::f32> t0_v4 = fn::collect<L>((r0 + o0[jj_v6]), e0, (c + v_v4), fn::min(8, (width - v_v4)));
                                const V<fn::f32> t1_v2 = f0_v3[u_v6];
                                const V<fn::f32> t2_v2 = t0_v4 - t1_v2;
                                const V<fn::f32> t3_v2 = fn::exp(t2_v2);
                                if (fits) {
                                    fn::store((k3 + ((((j_v2 + jj_v6) * tile) + v_v4) + (u_v6 * 8))), t3_v2);
                                }
                                const V<fn::f32> u0_v19 = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
                                const V<fn::f32> u1_v19 = t3_v2;
                                const V<fn::f32> u2_v19 = u0_v19 + u1_v19;
                                s1_0_v2[jj_v6] = u2_v19;
                            }
                        }
                        const i64 place_v5 = (v_v4 / 8);
                        for (i64 k_v16 = 0; k_v16 < fn::min(16, (m_v2 - 16)); k_v16 += 1) {
                            const V<fn::f32> u0_v20 = s1_0_v2[k_v16];
                            const V<fn::f32> u1_v20 = s1_0_v2[(k_v16 + 16)];
                            const V<fn::f32> u2_v20 = u0_v20 + u1_v20;
                            s1_0_v2[k_v16] = u2_v20;
                        }
                        for (i64 k_v17 = 0; k_v17 < fn::min(8, (m_v2 - 8)); k_v17 += 1) {
                            const V<fn::f32> u0_v21 = s1_0_v2[k_v17];
                            const V<fn::f32> u1_v21 = s1_0_v2[(k_v17 + 8)];
                            const V<fn::f32> u2_v21 = u0_v21 + u1_v21;
                            s1_0_v2[k_v17] = u2_v21;
                        }
                        for (i64 k_v18 = 0; k_v18 < fn::min(4, (m_v2 - 4)); k_v18 += 1) {
                            const V<fn::f32> u0_v22 = s1_0_v2[k_v18];
                            const V<fn::f32> u1_v22 = s1_0_v2[(k_v18 + 4)];
                            const V<fn::f32> u2_v22 = u0_v22 + u1_v22;
                            s1_0_v2[k_v18] = u2_v22;
                        }
                        for (i64 k_v19 = 0; k_v19 < fn::min(2, (m_v2 - 2)); k_v19 += 1) {
                            const V<fn::f32> u0_v23 = s1_0_v2[k_v19];
                            const V<fn::f32> u1_v23 = s1_0_v2[(k_v19 + 2)];
                            const V<fn::f32> u2_v23 = u0_v23 + u1_v23;
                            s1_0_v2[k_v19] = u2_v23;
                        }
                        for (i64 k_v20 = 0; k_v20 < fn::min(1, (m_v2 - 1)); k_v20 += 1) {
                            const V<fn::f32> u0_v24 = s1_0_v2[k_v20];
                            const V<fn::f32> u1_v24 = s1_0_v2[(k_v20 + 1)];
                            const V<fn::f32> u2_v24 = u0_v24 + u1_v24;
                            s1_0_v2[k_v20] = u2_v24;
                        }
                        tree1_0[place_v5] = s1_0_v2[0];
                        v_v4 = (v_v4 + 8);
                    }
                }
            }
            const i64 pushed_v2 = (to_v2 - from_v2);
            const i64 top_v2 = ((i64)__builtin_popcountll((fn::u64)pushed_v2) - 1);
            for (i64 v_v5 = 0; v_v5 < width; v_v5 += 8) {
                const i64 place_v6 = (v_v5 / 8);
                if ((pushed_v2 == 0)) {
                    tree1_0[place_v6] = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
                }
            }
            for (i64 v_v6 = 0; v_v6 < width; v_v6 += 8) {
                const i64 count_v2 = fn::min(8, (width - v_v6));
                const V<fn::f32> f1 = tree1_0[(v_v6 / 8)];
                fn::store((row1 + v_v6), f1);
            }
            const i64 from_v3 = (block * 128);
            const i64 to_v3 = fn::min(runs, (stop * 128));
            for (i64 run_v3 = from_v3; run_v3 < to_v3; run_v3 += 1) {
                const i64 j_v3 = (run_v3 * 32);
                const i64 m_v3 = fn::min(32, (length - j_v3));
                i64 i1_v3 = j_v3;
                for (i64 jj_v7 = 0; jj_v7 < m_v3; jj_v7 += 1) {
                    o0[jj_v7] = i1_v3;
                    os0[jj_v7] = i1_v3;
                    i1_v3 = (i1_v3 + 1);
                }
                i64 v_v7 = 0;
                while ((v_v7 < width)) {
                    const i64 whole_v3 = ((begin <= (c + v_v7)) ? fn::min((width - v_v7), ((end - c) - v_v7)) : 0);
                    if ((8 <= whole_v3)) {
                        const fn::f32* const q0_v5 = (r0 + ((c + v_v7) * e0));
                        const i64 p0_v5 = e0;
                        fn::f32* const qs0 = (rs0 + ((c + v_v7) * es0));
                        const i64 ps0 = es0;
                        V<fn::f32> f0_v4[1];
                        for (i64 u_v7 = 0; u_v7 < 1; u_v7 += 1) {
                            f0_v4[u_v7] = fn::load<L>((row0 + (v_v7 + (u_v7 * 8))));
                        }
                        V<fn::f32> f1_v2[1];
                        for (i64 u_v8 = 0; u_v8 < 1; u_v8 += 1) {
                            f1_v2[u_v8] = fn::load<L>((row1 + (v_v7 + (u_v8 * 8))));
                        }
                        for (i64 jj_v8 = 0; jj_v8 < m_v3; jj_v8 += 1) {
#pragma GCC unroll 8
                            for (i64 u_v9 = 0; u_v9 < 1; u_v9 += 1) {
                                const V<fn::f32> t0_v5 = fn::gather<L>((q0_v5 + (o0[jj_v8] + ((u_v9 * 8) * p0_v5))), p0_v5);
                                const V<fn::f32> t1_v3 = f0_v4[u_v9];
                                const V<fn::f32> t2_v3 = t0_v5 - t1_v3;
                                const V<fn::f32> t3_v3 = (fits ? fn::load<L>((k3 + ((((j_v3 + jj_v8) * tile) + v_v7) + (u_v9 * 8)))) : fn::exp(t2_v3));
                                const V<fn::f32> t4 = f1_v2[u_v9];
                                const V<fn::f32> t5 = fn::div(t3_v3, t4);
                                fn::scatter((qs0 + (os0[jj_v8] + ((u_v9 * 8) * ps0))), ps0, t5);
                            }
                        }
                        const i64 place_v7 = (v_v7 / 8);
                        v_v7 = (v_v7 + 8);
                    } else {
                        const fn::f32* const q0_v6 = (r0 + ((c + v_v7) * e0));
                        const i64 p0_v6 = e0;
                        fn::f32* const qs0_v2 = (rs0 + ((c + v_v7) * es0));
                        const i64 ps0_v2 = es0;
                        V<fn::f32> f0_v5[1];
                        for (i64 u_v10 = 0; u_v10 < 1; u_v10 += 1) {
                            f0_v5[u_v10] = fn::load<L>((row0 + (v_v7 + (u_v10 * 8))));
                        }
                        V<fn::f32> f1_v3[1];
                        for (i64 u_v11 = 0; u_v11 < 1; u_v11 += 1) {
                            f1_v3[u_v11] = fn::load<L>((row1 + (v_v7 + (u_v11 * 8))));
                        }
                        for (i64 jj_v9 = 0; jj_v9 < m_v3; jj_v9 += 1) {
#pragma GCC unroll 8
                            for (i64 u_v12 = 0; u_v12 < 1; u_v12 += 1) {
                                const V<fn::f32> t0_v6 = fn::collect<L>((r0 + o0[jj_v9]), e0, (c + v_v7), fn::min(8, (width - v_v7)));
                                const V<fn::f32> t1_v4 = f0_v5[u_v12];
                                const V<fn::f32> t2_v4 = t0_v6 - t1_v4;
                                const V<fn::f32> t3_v4 = (fits ? fn::load<L>((k3 + ((((j_v3 + jj_v9) * tile) + v_v7) + (u_v12 * 8)))) : fn::exp(t2_v4));
                                const V<fn::f32> t4_v2 = f1_v3[u_v12];
                                const V<fn::f32> t5_v2 = fn::div(t3_v4, t4_v2);
                                fn::spread<L>((rs0 + os0[jj_v9]), es0, (c + v_v7), fn::min(8, (width - v_v7)), t5_v2);
                            }
                        }
                        const i64 place_v8 = (v_v7 / 8);
                        v_v7 = (v_v7 + 8);
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
    const fn::f32* const x0 = (const fn::f32*)w[4];
    fn::f32* const xs0 = (fn::f32*)w[5];
    const bool parted = ((i64)partials != 0);
    const i64 rows = n0;
    const i64 length = n1;
    const i64 blocks = ((length + 4095) / 4096);
    if ((((0 < length) && (length <= 4)) && (8 <= (2 * (last - first))))) {
        short_rows(w, first, last, block, stop, partials);
        return;
    }
    alignas(64) fn::f32 k3[16448];
    const bool fits = (length <= 16384);
    const bool fars0 = (((16777216 <= ((n0 * n1) * 4)) && (1024 <= (n1 * 4))) && ((i64)w[5] != (i64)w[4]));
    for (i64 row = first; row < last; row += 1) {
        const i64 i0 = row;
        const fn::f32* const r0 = (x0 + (i0 * (i64)w[6]));
        fn::f32* const rs0 = (xs0 + (i0 * (i64)w[7]));
        V<fn::f32> tree0_0[48];
        i64 pushed0 = 0;
        i64 top0 = 0;
        V<fn::f32> all0 = fn::splat<L>((fn::f32)fn::word<fn::f32>(4286578688ull));
        for (i64 b = block; b < fn::min(blocks, stop); b += 1) {
            i64 j = (b * 4096);
            const i64 end = fn::min(length, (j + 4096));
            const i64 used = (end - j);
            V<fn::f32> s0_0[8];
#pragma GCC unroll 32
            for (i64 v = 0; v < 8; v += 1) {
                s0_0[v] = fn::splat<L>((fn::f32)fn::word<fn::f32>(4286578688ull));
            }
            const fn::f32* const q0 = r0;
            fn::f32* const qs0 = rs0;
            const bool pasts0 = (fars0 && (((i64)qs0 % 32) == 0));
            while (((j + 64) <= end)) {
                fn::prefetch<64>((q0 + (j + 512)));
#pragma GCC unroll 32
                for (i64 u = 0; u < 8; u += 1) {
                    const V<fn::f32> t0 = fn::load<L>((q0 + (j + (u * 8))));
                    const V<fn::f32> u0 = s0_0[u];
                    const V<fn::f32> u1 = t0;
                    const V<fn::f32> u2 = fn::maximum(u0, u1);
                    s0_0[u] = u2;
                }
                j = (j + 64);
            }
            if ((j < end)) {
#pragma GCC unroll 32
                for (i64 u_v2 = 0; u_v2 < 8; u_v2 += 1) {
                    const i64 i = (j + (u_v2 * 8));
                    const i64 count = fn::min(8, (end - i));
                    if ((0 < count)) {
                        const V<fn::f32> t0_v2 = fn::load_part<L>((r0 + i), count);
                        const V<fn::f32> u0_v2 = s0_0[u_v2];
                        const V<fn::f32> u1_v2 = t0_v2;
                        const V<fn::f32> u2_v2 = fn::maximum(u0_v2, u1_v2);
                        s0_0[u_v2] = fn::keep(u2_v2, s0_0[u_v2], count);
                    }
                }
            }
            if ((32 < used)) {
#pragma GCC unroll 32
                for (i64 v_v2 = 0; v_v2 < 4; v_v2 += 1) {
                    const V<fn::f32> u0_v3 = s0_0[v_v2];
                    const V<fn::f32> u1_v3 = s0_0[(v_v2 + 4)];
                    const V<fn::f32> u2_v3 = fn::maximum(u0_v3, u1_v3);
                    s0_0[v_v2] = u2_v3;
                }
            }
            if ((16 < used)) {
#pragma GCC unroll 32
                for (i64 v_v3 = 0; v_v3 < 2; v_v3 += 1) {
                    const V<fn::f32> u0_v4 = s0_0[v_v3];
                    const V<fn::f32> u1_v4 = s0_0[(v_v3 + 2)];
                    const V<fn::f32> u2_v4 = fn::maximum(u0_v4, u1_v4);
                    s0_0[v_v3] = u2_v4;
                }
            }
            if ((8 < used)) {
#pragma GCC unroll 32
                for (i64 v_v4 = 0; v_v4 < 1; v_v4 += 1) {
                    const V<fn::f32> u0_v5 = s0_0[v_v4];
                    const V<fn::f32> u1_v5 = s0_0[(v_v4 + 1)];
                    const V<fn::f32> u2_v5 = fn::maximum(u0_v5, u1_v5);
                    s0_0[v_v4] = u2_v5;
                }
            }
            V<fn::f32> done0 = s0_0[0];
            if ((4 < used)) {
                const V<fn::f32> u0_v6 = done0;
                const V<fn::f32> u1_v6 = fn::moved<4>(done0);
                const V<fn::f32> u2_v6 = fn::maximum(u0_v6, u1_v6);
                done0 = u2_v6;
            }
            if ((2 < used)) {
                const V<fn::f32> u0_v7 = done0;
                const V<fn::f32> u1_v7 = fn::moved<2>(done0);
                const V<fn::f32> u2_v7 = fn::maximum(u0_v7, u1_v7);
                done0 = u2_v7;
            }
            if ((1 < used)) {
                const V<fn::f32> u0_v8 = done0;
                const V<fn::f32> u1_v8 = fn::moved<1>(done0);
                const V<fn::f32> u2_v8 = fn::maximum(u0_v8, u1_v8);
                done0 = u2_v8;
            }
            if ((blocks == 1)) {
                all0 = done0;
            } else {
                V<fn::f32> s = done0;
                i64 odd = pushed0;
                pushed0 = (pushed0 + 1);
                while (((odd % 2) != 0)) {
                    top0 = (top0 - 1);
                    const V<fn::f32> u0_v9 = tree0_0[top0];
                    const V<fn::f32> u1_v9 = s;
                    const V<fn::f32> u2_v9 = fn::maximum(u0_v9, u1_v9);
                    s = u2_v9;
                    odd = (odd / 2);
                }
                tree0_0[top0] = s;
                top0 = (top0 + 1);
            }
        }
        if ((1 < blocks)) {
            top0 = (top0 - 1);
            all0 = tree0_0[top0];
            while ((0 < top0)) {
                top0 = (top0 - 1);
                const V<fn::f32> u0_v10 = tree0_0[top0];
                const V<fn::f32> u1_v10 = all0;
                const V<fn::f32> u2_v10 = fn::maximum(u0_v10, u1_v10);
                all0 = u2_v10;
            }
        }
        const V<fn::f32> total0 = fn::everywhere(all0);
        const V<fn::f32> f0 = total0;
        V<fn::f32> tree1_0[48];
        i64 pushed1 = 0;
        i64 top1 = 0;
        V<fn::f32> all1 = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
        for (i64 b_v2 = block; b_v2 < fn::min(blocks, stop); b_v2 += 1) {
            i64 j_v2 = (b_v2 * 4096);
            const i64 end_v2 = fn::min(length, (j_v2 + 4096));
            const i64 used_v2 = (end_v2 - j_v2);
            V<fn::f32> s1_0[8];
#pragma GCC unroll 32
            for (i64 v_v5 = 0; v_v5 < 8; v_v5 += 1) {
                s1_0[v_v5] = fn::splat<L>((fn::f32)fn::word<fn::f32>(0ull));
            }
            const fn::f32* const q0_v2 = r0;
            fn::f32* const qs0_v2 = rs0;
            const bool pasts0_v2 = (fars0 && (((i64)qs0_v2 % 32) == 0));
            while (((j_v2 + 64) <= end_v2)) {
#pragma GCC unroll 32
                for (i64 u_v3 = 0; u_v3 < 8; u_v3 += 1) {
                    const V<fn::f32> t0_v3 = fn::load<L>((q0_v2 + (j_v2 + (u_v3 * 8))));
                    const V<fn::f32> t1 = f0;
                    const V<fn::f32> t2 = t0_v3 - t1;
                    const V<fn::f32> t3 = fn::exp(t2);
                    if (fits) {
                        fn::store((k3 + (j_v2 + (u_v3 * 8))), t3);
                    }
                    const V<fn::f32> u0_v11 = s1_0[u_v3];
                    const V<fn::f32> u1_v11 = t3;
                    const V<fn::f32> u2_v11 = u0_v11 + u1_v11;
                    s1_0[u_v3] = u2_v11;
                }
                j_v2 = (j_v2 + 64);
            }
            if ((j_v2 < end_v2)) {
#pragma GCC unroll 32
                for (i64 u_v4 = 0; u_v4 < 8; u_v4 += 1) {
                    const i64 i_v2 = (j_v2 + (u_v4 * 8));
                    const i64 count_v2 = fn::min(8, (end_v2 - i_v2));
                    if ((0 < count_v2)) {
                        const V<fn::f32> t0_v4 = fn::load_part<L>((r0 + i_v2), count_v2);
                        const V<fn::f32> t1_v2 = f0;
                        const V<fn::f32> t2_v2 = t0_v4 - t1_v2;
                        const V<fn::f32> t3_v2 = fn::exp(t2_v2);
                        if (fits) {
                            fn::store((k3 + i_v2), t3_v2);
                        }
                        const V<fn::f32> u0_v12 = s1_0[u_v4];
                        const V<fn::f32> u1_v12 = t3_v2;
                        const V<fn::f32> u2_v12 = u0_v12 + u1_v12;
                        s1_0[u_v4] = fn::keep(u2_v12, s1_0[u_v4], count_v2);
                    }
                }
            }
            if ((32 < used_v2)) {
#pragma GCC unroll 32
                for (i64 v_v6 = 0; v_v6 < 4; v_v6 += 1) {
                    const V<fn::f32> u0_v13 = s1_0[v_v6];
                    const V<fn::f32> u1_v13 = s1_0[(v_v6 + 4)];
                    const V<fn::f32> u2_v13 = u0_v13 + u1_v13;
                    s1_0[v_v6] = u2_v13;
                }
            }
            if ((16 < used_v2)) {
#pragma GCC unroll 32
                for (i64 v_v7 = 0; v_v7 < 2; v_v7 += 1) {
                    const V<fn::f32> u0_v14 = s1_0[v_v7];
                    const V<fn::f32> u1_v14 = s1_0[(v_v7 + 2)];
                    const V<fn::f32> u2_v14 = u0_v14 + u1_v14;
                    s1_0[v_v7] = u2_v14;
                }
            }
            if ((8 < used_v2)) {
#pragma GCC unroll 32
                for (i64 v_v8 = 0; v_v8 < 1; v_v8 += 1) {
                    const V<fn::f32> u0_v15 = s1_0[v_v8];
                    const V<fn::f32> u1_v15 = s1_0[(v_v8 + 1)];
                    const V<fn::f32> u2_v15 = u0_v15 + u1_v15;
                    s1_0[v_v8] = u2_v15;
                }
            }
            V<fn::f32> done1 = s1_0[0];
            if ((4 < used_v2)) {
                const V<fn::f32> u0_v16 = done1;
                const V<fn::f32> u1_v16 = fn::moved<4>(done1);
                const V<fn::f32> u2_v16 = u0_v16 + u1_v16;
                done1 = u2_v16;
            }
            if ((2 < used_v2)) {
                const V<fn::f32> u0_v17 = done1;
                const V<fn::f32> u1_v17 = fn::moved<2>(done1);
                const V<fn::f32> u2_v17 = u0_v17 + u1_v17;
                done1 = u2_v17;
            }
            if ((1 < used_v2)) {
                const V<fn::f32> u0_v18 = done1;
                const V<fn::f32> u1_v18 = fn::moved<1>(done1);
                const V<fn::f32> u2_v18 = u0_v18 + u1_v18;
                done1 = u2_v18;
            }
            if ((blocks == 1)) {
                all1 = done1;
            } else {
                V<fn::f32> s_v2 = done1;
                i64 odd_v2 = pushed1;
                pushed1 = (pushed1 + 1);
                while (((odd_v2 % 2) != 0)) {
                    top1 = (top1 - 1);
                    const V<fn::f32> u0_v19 = tree1_0[top1];
                    const V<fn::f32> u1_v19 = s_v2;
                    const V<fn::f32> u2_v19 = u0_v19 + u1_v19;
                    s_v2 = u2_v19;
                    odd_v2 = (odd_v2 / 2);
                }
                tree1_0[top1] = s_v2;
                top1 = (top1 + 1);
            }
        }
        if ((1 < blocks)) {
            top1 = (top1 - 1);
            all1 = tree1_0[top1];
            while ((0 < top1)) {
                top1 = (top1 - 1);
                const V<fn::f32> u0_v20 = tree1_0[top1];
                const V<fn::f32> u1_v20 = all1;
                const V<fn::f32> u2_v20 = u0_v20 + u1_v20;
                all1 = u2_v20;
            }
        }
        const V<fn::f32> total1 = fn::everywhere(all1);
        const V<fn::f32> f1 = total1;
        for (i64 b_v3 = block; b_v3 < fn::min(blocks, stop); b_v3 += 1) {
            i64 j_v3 = (b_v3 * 4096);
            const i64 end_v3 = fn::min(length, (j_v3 + 4096));
            const i64 used_v3 = (end_v3 - j_v3);
            const fn::f32* const q0_v3 = r0;
            fn::f32* const qs0_v3 = rs0;
            const bool pasts0_v3 = (fars0 && (((i64)qs0_v3 % 32) == 0));
            while (((j_v3 + 64) <= end_v3)) {
#pragma GCC unroll 32
                for (i64 u_v5 = 0; u_v5 < 8; u_v5 += 1) {
                    const V<fn::f32> t0_v5 = fn::load<L>((q0_v3 + (j_v3 + (u_v5 * 8))));
                    const V<fn::f32> t1_v3 = f0;
                    const V<fn::f32> t2_v3 = t0_v5 - t1_v3;
                    const V<fn::f32> t3_v3 = (fits ? fn::load<L>((k3 + (j_v3 + (u_v5 * 8)))) : fn::exp(t2_v3));
                    const V<fn::f32> t4 = f1;
                    const V<fn::f32> t5 = fn::div(t3_v3, t4);
                    fn::stream((qs0_v3 + (j_v3 + (u_v5 * 8))), t5, pasts0_v3);
                }
                j_v3 = (j_v3 + 64);
            }
            if ((j_v3 < end_v3)) {
#pragma GCC unroll 32
                for (i64 u_v6 = 0; u_v6 < 8; u_v6 += 1) {
                    const i64 i_v3 = (j_v3 + (u_v6 * 8));
                    const i64 count_v3 = fn::min(8, (end_v3 - i_v3));
                    if ((0 < count_v3)) {
                        const V<fn::f32> t0_v6 = fn::load_part<L>((r0 + i_v3), count_v3);
                        const V<fn::f32> t1_v4 = f0;
                        const V<fn::f32> t2_v4 = t0_v6 - t1_v4;
                        const V<fn::f32> t3_v4 = (fits ? fn::load<L>((k3 + i_v3)) : fn::exp(t2_v4));
                        const V<fn::f32> t4_v2 = f1;
                        const V<fn::f32> t5_v2 = fn::div(t3_v4, t4_v2);
                        fn::store_part<L>((rs0 + i_v3), t5_v2, count_v3);
                    }
                }
            }
        }
    }
    fn::finish_stream(fars0);
}
}

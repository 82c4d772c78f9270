struct frit_kernel_words {
    void* p0[2];
    long long n2[2];
    void* p4[3];
    long long n7[5];
};
extern "C" __global__ void __launch_bounds__(256)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned row = ((((blockIdx.y * gridDim.x) + blockIdx.x) * 32) + threadIdx.x);
    const bool real = (row < ((unsigned)w.n2[0]));
    const unsigned n = ((unsigned)w.n2[1]);
    const f32 b0 = __uint_as_float((unsigned)w.n7[2]);
    f32 q0[1];
    q0[0] = b0;
    const f32 b1 = __uint_as_float((unsigned)w.n7[3]);
    f32 q1[1];
    q1[0] = b1;
    const unsigned lane = threadIdx.x;
    const unsigned mover = (threadIdx.y % 4);
    const unsigned group = (threadIdx.y / 4);
    const unsigned first_row = (((blockIdx.y * gridDim.x) + blockIdx.x) * 32);
    __shared__ f32 l0[1056];
    f32 m0[8] = {};
    __shared__ f32 l1[1056];
    f32 m1[8] = {};
    __shared__ f32 s0[1056];
    __syncthreads();
    const bool all_rows = ((first_row + 32) <= ((unsigned)w.n2[0]));
    int l0_row[8];
#pragma unroll
    for (int k = 0; k < 8; k += 1) {
        l0_row[k] = 0;
    }
    int l1_row[8];
#pragma unroll
    for (int k = 0; k < 8; k += 1) {
        l1_row[k] = 0;
    }
    int s0_row[8];
#pragma unroll
    for (int k = 0; k < 8; k += 1) {
        s0_row[k] = 0;
    }
    const unsigned column = ((group * 32) + lane);
    const f32* const from = (((const f32*)w.p4[0]) + (int)column);
    if ((all_rows && (((group * 32) + 32) <= n))) {
#pragma unroll
        for (int k = 0; k < 8; k += 1) {
        }
#pragma unroll
        for (int k = 0; k < 8; k += 1) {
            frit_load_piece((m0 + k), (from + l0_row[k]));
        }
    } else {
#pragma unroll
        for (int k = 0; k < 8; k += 1) {
            if (((column < n) && ((first_row + ((mover * 8) + (unsigned)k)) < ((unsigned)w.n2[0])))) {
                frit_load_piece((m0 + k), (from + l0_row[k]));
            }
        }
    }
    const unsigned column_2 = ((group * 32) + lane);
    const f32* const from_2 = (((const f32*)w.p4[1]) + (int)column_2);
    if ((all_rows && (((group * 32) + 32) <= n))) {
#pragma unroll
        for (int k = 0; k < 8; k += 1) {
        }
#pragma unroll
        for (int k = 0; k < 8; k += 1) {
            frit_load_piece((m1 + k), (from_2 + l1_row[k]));
        }
    } else {
#pragma unroll
        for (int k = 0; k < 8; k += 1) {
            if (((column_2 < n) && ((first_row + ((mover * 8) + (unsigned)k)) < ((unsigned)w.n2[0])))) {
                frit_load_piece((m1 + k), (from_2 + l1_row[k]));
            }
        }
    }
    for (unsigned first = 0; first < n; first += 32) {
        const bool turn = (((first / 32) % 2) == group);
        if (turn) {
#pragma unroll
            for (int k = 0; k < 8; k += 1) {
                l0[((((mover * 8) + (unsigned)k) * 33) + lane)] = m0[k];
            }
#pragma unroll
            for (int k = 0; k < 8; k += 1) {
                l1[((((mover * 8) + (unsigned)k) * 33) + lane)] = m1[k];
            }
        }
        __syncthreads();
        if (turn) {
            const unsigned column_3 = ((first + 64) + lane);
            const f32* const from_3 = (((const f32*)w.p4[0]) + (int)column_3);
            if ((all_rows && (((first + 64) + 32) <= n))) {
#pragma unroll
                for (int k = 0; k < 8; k += 1) {
                }
#pragma unroll
                for (int k = 0; k < 8; k += 1) {
                    frit_load_piece((m0 + k), (from_3 + l0_row[k]));
                }
            } else {
#pragma unroll
                for (int k = 0; k < 8; k += 1) {
                    if (((column_3 < n) && ((first_row + ((mover * 8) + (unsigned)k)) < ((unsigned)w.n2[0])))) {
                        frit_load_piece((m0 + k), (from_3 + l0_row[k]));
                    }
                }
            }
            const unsigned column_4 = ((first + 64) + lane);
            const f32* const from_4 = (((const f32*)w.p4[1]) + (int)column_4);
            if ((all_rows && (((first + 64) + 32) <= n))) {
#pragma unroll
                for (int k = 0; k < 8; k += 1) {
                }
#pragma unroll
                for (int k = 0; k < 8; k += 1) {
                    frit_load_piece((m1 + k), (from_4 + l1_row[k]));
                }
            } else {
#pragma unroll
                for (int k = 0; k < 8; k += 1) {
                    if (((column_4 < n) && ((first_row + ((mover * 8) + (unsigned)k)) < ((unsigned)w.n2[0])))) {
                        frit_load_piece((m1 + k), (from_4 + l1_row[k]));
                    }
                }
            }
        }
        if ((((threadIdx.y == 0) && real) && ((first + 32) <= n))) {
#pragma unroll 1
            for (int k = 0; k < 32; k += 8) {
                f32 r0[8] = {};
#pragma unroll
                for (int j = 0; j < 8; j += 1) {
                    r0[j] = l0[((lane * 33) + (unsigned)(k + j))];
                }
                f32 r1[8] = {};
#pragma unroll
                for (int j = 0; j < 8; j += 1) {
                    r1[j] = l1[((lane * 33) + (unsigned)(k + j))];
                }
#pragma unroll
                for (int j = 0; j < 8; j += 1) {
                    const unsigned here = (unsigned)(k + j);
                    const int i1 = (int)(first + here);
                    const f32 t2 = r0[j];
                    const i32 t3 = i32(((((int)w.n7[0]) * i1) + ((int)w.n7[1])));
                    const i32 t4 = i32((i32::value)w.n7[4]);
                    const bool t5 = t3 > t4;
                    const f32 t6 = r1[j];
                    const f32 t9 = t2;
                    const bool t10 = t5;
                    const f32 t11 = t6;
                    const f32 q11t0 = q0[0];
                    const f32 q11t1 = q1[0];
                    const f32 q11t2 = t9;
                    const bool q11t3 = t10;
                    const f32 q11t4 = t11;
                    const f32 q11t5 = q11t0 * q11t2;
                    const f32 q11t6 = frit_where(q11t3, q11t5, q11t2);
                    const f32 q11t7 = fmaf(q11t1, q11t2, q11t4);
                    const f32 q11t8 = frit_where(q11t3, q11t7, q11t4);
                    q0[0] = q11t6;
                    q1[0] = q11t8;
                    const f32 t13 = q11t8;
                    s0[((lane * 33) + here)] = t13;
                }
            }
        } else {
            if (((threadIdx.y == 0) && real)) {
                for (unsigned k = 0; k < frit_min<unsigned>(32, (n - first)); k += 1) {
                    const int i1 = (int)(first + k);
                    const f32 t2 = l0[((lane * 33) + k)];
                    const i32 t3 = i32(((((int)w.n7[0]) * i1) + ((int)w.n7[1])));
                    const i32 t4 = i32((i32::value)w.n7[4]);
                    const bool t5 = t3 > t4;
                    const f32 t6 = l1[((lane * 33) + k)];
                    const f32 t9 = t2;
                    const bool t10 = t5;
                    const f32 t11 = t6;
                    const f32 q11t0 = q0[0];
                    const f32 q11t1 = q1[0];
                    const f32 q11t2 = t9;
                    const bool q11t3 = t10;
                    const f32 q11t4 = t11;
                    const f32 q11t5 = q11t0 * q11t2;
                    const f32 q11t6 = frit_where(q11t3, q11t5, q11t2);
                    const f32 q11t7 = fmaf(q11t1, q11t2, q11t4);
                    const f32 q11t8 = frit_where(q11t3, q11t7, q11t4);
                    q0[0] = q11t6;
                    q1[0] = q11t8;
                    const f32 t13 = q11t8;
                    s0[((lane * 33) + k)] = t13;
                }
            }
        }
        __syncthreads();
        if (!turn) {
            f32 o0[8] = {};
            const unsigned column_3 = (first + lane);
            f32* const from_3 = (((f32*)w.p4[2]) + (int)column_3);
            if ((all_rows && ((first + 32) <= n))) {
#pragma unroll
                for (int k = 0; k < 8; k += 1) {
                    o0[k] = s0[((((mover * 8) + (unsigned)k) * 33) + lane)];
                }
#pragma unroll
                for (int k = 0; k < 8; k += 1) {
                    frit_stream<1, 1>((from_3 + s0_row[k]), (o0 + k));
                }
            } else {
#pragma unroll
                for (int k = 0; k < 8; k += 1) {
                    if (((column_3 < n) && ((first_row + ((mover * 8) + (unsigned)k)) < ((unsigned)w.n2[0])))) {
                        o0[k] = s0[((((mover * 8) + (unsigned)k) * 33) + lane)];
                        frit_stream<1, 1>((from_3 + s0_row[k]), (o0 + k));
                    }
                }
            }
        }
    }
}

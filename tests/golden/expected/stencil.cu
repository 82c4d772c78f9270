struct frit_kernel_words {
    void* p0[2];
    long long n2[2];
    void* p4[5];
    long long n9[6];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const int column = (int)(((blockIdx.x * blockDim.x) + threadIdx.x) * 2);
    const int columns = (int)((unsigned)w.n2[1]);
    const int rows = (int)((unsigned)w.n2[0]);
    if ((columns <= column)) {
        return;
    }
    const unsigned bands = ((((unsigned)w.n2[0]) + 3) / 4);
    const unsigned band = ((((blockIdx.z * gridDim.y) + blockIdx.y) * blockDim.y) + threadIdx.y);
    if ((bands <= band)) {
        return;
    }
    const int row = (int)(band * 4);
    const bool full = (((row + 4) <= rows) && ((column + 2) <= columns));
    if (full) {
        f32 l0[8];
        f32 l1[8];
        f32 l2[8];
        f32 l3[8];
        f32 r0[8];
        const f32* const p2 = (((const f32*)w.p4[2]) + ((((int)w.n9[2]) * row) + column));
        const int s2 = ((int)w.n9[2]);
        f32 w2[24];
        frit_load<1, 1>((w2 + 1), ((p2 + (s2 * (-1))) + (-1)));
        frit_load<1, 1>((w2 + 2), (p2 + (s2 * (-1))));
        frit_load<2, 2>((w2 + 4), (p2 + (-2)));
        frit_load<2, 2>((w2 + 6), p2);
        frit_load<2, 2>((w2 + 8), ((p2 + s2) + (-2)));
        frit_load<2, 2>((w2 + 10), (p2 + s2));
        frit_load<2, 2>((w2 + 12), ((p2 + (s2 * 2)) + (-2)));
        frit_load<2, 2>((w2 + 14), (p2 + (s2 * 2)));
        frit_load<2, 2>((w2 + 16), ((p2 + (s2 * 3)) + (-2)));
        frit_load<2, 2>((w2 + 18), (p2 + (s2 * 3)));
        frit_load<1, 1>((w2 + 21), ((p2 + (s2 * 4)) + (-1)));
        frit_load<1, 1>((w2 + 22), (p2 + (s2 * 4)));
#pragma unroll
        for (int k = 0; k < 8; k += 1) {
            l0[k] = w2[((((k / 2) * 4) + (k % 2)) + 9)];
            l1[k] = w2[((((k / 2) * 4) + (k % 2)) + 1)];
            l2[k] = w2[((((k / 2) * 4) + (k % 2)) + 6)];
            l3[k] = w2[((((k / 2) * 4) + (k % 2)) + 4)];
        }
#pragma unroll
        for (int k = 0; k < 8; k += 1) {
            const f32 t0 = __uint_as_float((unsigned)w.n9[5]);
            const f32 t1 = l0[k];
            const f32 t2 = l1[k];
            const f32 t3 = t1 + t2;
            const f32 t4 = l2[k];
            const f32 t5 = t3 + t4;
            const f32 t6 = l3[k];
            const f32 t7 = t5 + t6;
            const f32 t8 = t0 * t7;
            r0[k] = t8;
        }
#pragma unroll
        for (int k = 0; k < 8; k += 2) {
            const int i0 = (row + (k / 2));
            const int i1 = (column + (k % 2));
            frit_stream<2, 2>((((f32*)w.p4[4]) + ((((int)w.n9[4]) * i0) + i1)), (r0 + k));
        }
    } else {
        int at = row;
#pragma unroll 1
        while (((at < (row + 4)) && (at < rows))) {
            f32 l0[2];
            f32 l1[2];
            f32 l2[2];
            f32 l3[2];
            f32 r0[2];
#pragma unroll
            for (int k = 0; k < 2; k += 1) {
                const int i0 = at;
                const int i1 = (((column + k) < columns) ? (column + k) : column);
                l0[k] = *(((const f32*)w.p4[0]) + ((((int)w.n9[0]) * i0) + i1));
                l1[k] = *(((const f32*)w.p4[1]) + ((((int)w.n9[1]) * i0) + i1));
                l2[k] = *(((const f32*)w.p4[2]) + ((((int)w.n9[2]) * i0) + i1));
                l3[k] = *(((const f32*)w.p4[3]) + ((((int)w.n9[3]) * i0) + i1));
            }
#pragma unroll
            for (int k = 0; k < 2; k += 1) {
                const f32 t0 = __uint_as_float((unsigned)w.n9[5]);
                const f32 t1 = l0[k];
                const f32 t2 = l1[k];
                const f32 t3 = t1 + t2;
                const f32 t4 = l2[k];
                const f32 t5 = t3 + t4;
                const f32 t6 = l3[k];
                const f32 t7 = t5 + t6;
                const f32 t8 = t0 * t7;
                r0[k] = t8;
            }
#pragma unroll
            for (int k = 0; k < 2; k += 1) {
                if (((column + k) < columns)) {
                    const int i0 = at;
                    const int i1 = (column + k);
                    frit_stream<1, 1>((((f32*)w.p4[4]) + ((((int)w.n9[4]) * i0) + i1)), (r0 + k));
                }
            }
            at = (at + 1);
        }
    }
}

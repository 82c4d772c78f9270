struct frit_kernel_words {
    void* p0[2];
    long long n2[2];
    void* p4[2];
    long long n6[3];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned column = ((blockIdx.x * blockDim.x) + threadIdx.x);
    if ((((unsigned)w.n2[1]) <= column)) {
        return;
    }
    const int i1 = (int)column;
    const unsigned rows = ((unsigned)w.n2[0]);
    for (unsigned row = ((blockIdx.y * (blockDim.y * 4)) + threadIdx.y); row < rows; row += (gridDim.y * (blockDim.y * 4))) {
        f32 l0[4];
        f32 r0[4];
        int o0[4];
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const unsigned rest = (((row + ((unsigned)k * blockDim.y)) < rows) ? (row + ((unsigned)k * blockDim.y)) : row);
            const int i0 = (int)rest;
            l0[k] = *(((const f32*)w.p4[0]) + (i0 + (((int)w.n6[0]) * i1)));
            o0[k] = ((((int)w.n6[1]) * i0) + i1);
        }
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const f32 t0 = l0[k];
            const f32 t1 = __uint_as_float((unsigned)w.n6[2]);
            const f32 t2 = t0 * t1;
            r0[k] = t2;
        }
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            if (((row + ((unsigned)k * blockDim.y)) < rows)) {
                frit_stream<1, 1>((((f32*)w.p4[1]) + o0[k]), (r0 + k));
            }
        }
    }
}
struct frit_kernel_words {
    void* p0[2];
    long long n2[1];
    void* p3[3];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = ((unsigned)w.n2[0]);
    const unsigned first = ((blockIdx.x * 512) + (threadIdx.x * 4));
    if ((n <= first)) {
        return;
    }
    const bool full = ((first + 3) < n);
    f32 l0[4];
    f32 l1[4];
    f32 r0[4];
    if (full) {
        frit_load<4, 4>(l0, (((const f32*)w.p3[0]) + first));
        frit_load<4, 4>(l1, (((const f32*)w.p3[1]) + first));
    } else {
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const int i0 = (int)(((first + (unsigned)k) < n) ? (first + (unsigned)k) : first);
            l0[k] = *(((const f32*)w.p3[0]) + i0);
            l1[k] = *(((const f32*)w.p3[1]) + i0);
        }
    }
#pragma unroll
    for (int k = 0; k < 4; k += 1) {
        const f32 t0 = l0[k];
        const f32 t1 = l1[k];
        const f32 t2 = t0 - t1;
        r0[k] = t2;
    }
    if (full) {
        frit_stream<4, 4>((((f32*)w.p3[2]) + first), r0);
    } else {
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            if (((first + (unsigned)k) < n)) {
                const int i0 = (int)(first + (unsigned)k);
                frit_stream<1, 1>((((f32*)w.p3[2]) + i0), (r0 + k));
            }
        }
    }
}
struct frit_kernel_words {
    void* p0[2];
    long long n2[2];
    void* p4[3];
    long long n7[3];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const int column = (int)(((blockIdx.x * blockDim.x) + threadIdx.x) * 2);
    const int columns = (int)((unsigned)w.n2[1]);
    const int rows = (int)((unsigned)w.n2[0]);
    if ((columns <= column)) {
        return;
    }
    const unsigned bands = ((unsigned)w.n2[0]);
    const unsigned band = ((((blockIdx.z * gridDim.y) + blockIdx.y) * blockDim.y) + threadIdx.y);
    if ((bands <= band)) {
        return;
    }
    const int row = (int)band;
    const bool full = (((row + 1) <= rows) && ((column + 2) <= columns));
    if (full) {
        f32 l0[2];
        f32 l1[2];
        f32 r0[2];
        const f32* const p0 = (((const f32*)w.p4[0]) + ((((int)w.n7[0]) * row) + column));
        f32 w0[2];
        frit_load<2, 2>(w0, p0);
#pragma unroll
        for (int k = 0; k < 2; k += 1) {
            l0[k] = w0[k];
        }
        const f32* const p1 = (((const f32*)w.p4[1]) + column);
        f32 w1[2];
        frit_load<2, 2>(w1, p1);
#pragma unroll
        for (int k = 0; k < 2; k += 1) {
            l1[k] = w1[k];
        }
#pragma unroll
        for (int k = 0; k < 2; k += 1) {
            const f32 t0 = l0[k];
            const f32 t1 = l1[k];
            const f32 t2 = t0 + t1;
            const f32 t3 = __uint_as_float((unsigned)w.n7[2]);
            const f32 t4 = frit_maximum(t2, t3);
            r0[k] = t4;
        }
        const int i0 = row;
        const int i1 = column;
        frit_stream<2, 2>((((f32*)w.p4[2]) + ((((int)w.n7[1]) * i0) + i1)), r0);
    } else {
        int at = row;
#pragma unroll 1
        while (((at < (row + 1)) && (at < rows))) {
            f32 l0[2];
            f32 l1[2];
            f32 r0[2];
#pragma unroll
            for (int k = 0; k < 2; k += 1) {
                const int i0 = at;
                const int i1 = (((column + k) < columns) ? (column + k) : column);
                l0[k] = *(((const f32*)w.p4[0]) + ((((int)w.n7[0]) * i0) + i1));
                l1[k] = *(((const f32*)w.p4[1]) + i1);
            }
#pragma unroll
            for (int k = 0; k < 2; k += 1) {
                const f32 t0 = l0[k];
                const f32 t1 = l1[k];
                const f32 t2 = t0 + t1;
                const f32 t3 = __uint_as_float((unsigned)w.n7[2]);
                const f32 t4 = frit_maximum(t2, t3);
                r0[k] = t4;
            }
#pragma unroll
            for (int k = 0; k < 2; k += 1) {
                if (((column + k) < columns)) {
                    const int i0 = at;
                    const int i1 = (column + k);
                    frit_stream<1, 1>((((f32*)w.p4[2]) + ((((int)w.n7[1]) * i0) + i1)), (r0 + k));
                }
            }
            at = (at + 1);
        }
    }
}

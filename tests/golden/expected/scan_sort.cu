struct frit_kernel_words {
    void* p0[2];
    long long n2[1];
    void* p3[2];
    long long n5[1];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = ((unsigned)w.n2[0]);
    const unsigned first = ((blockIdx.x * 256) + (threadIdx.x * 2));
    if ((n <= first)) {
        return;
    }
    const bool full = ((first + 1) < n);
    i32 l0[2];
    i64 r0[2];
    if (full) {
        frit_load<2, 2>(l0, (((const i32*)w.p3[0]) + first));
    } else {
#pragma unroll
        for (int k = 0; k < 2; k += 1) {
            const int i0 = (int)(((first + (unsigned)k) < n) ? (first + (unsigned)k) : first);
            l0[k] = *(((const i32*)w.p3[0]) + i0);
        }
    }
#pragma unroll
    for (int k = 0; k < 2; k += 1) {
        const i32 t0 = l0[k];
        const i32 t1 = i32((i32::value)w.n5[0]);
        const i32 t2 = frit_fmod(t0, t1);
        const i64 t3 = i64(i64::value(t2.v));
        r0[k] = t3;
    }
    if (full) {
        frit_stream<2, 2>((((i64*)w.p3[1]) + first), r0);
    } else {
#pragma unroll
        for (int k = 0; k < 2; k += 1) {
            if (((first + (unsigned)k) < n)) {
                const int i0 = (int)(first + (unsigned)k);
                frit_stream<1, 1>((((i64*)w.p3[1]) + i0), (r0 + k));
            }
        }
    }
}
struct frit_kernel_words {
    void* p0[2];
    long long n2[2];
    void* p4[2];
    long long n6[2];
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
        i64 l0[4];
        i64 r0[4];
        int o0[4];
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const unsigned rest = (((row + ((unsigned)k * blockDim.y)) < rows) ? (row + ((unsigned)k * blockDim.y)) : row);
            const int i0 = (int)rest;
            l0[k] = *(((const i64*)w.p4[0]) + (i0 + (((int)w.n6[0]) * i1)));
            o0[k] = ((((int)w.n6[1]) * i0) + i1);
        }
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const i64 t0 = l0[k];
            r0[k] = t0;
        }
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            if (((row + ((unsigned)k * blockDim.y)) < rows)) {
                frit_stream<1, 1>((((i64*)w.p4[1]) + o0[k]), (r0 + k));
            }
        }
    }
}
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
        i64 l0[4];
        i64 r0[4];
        int o0[4];
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const unsigned rest = (((row + ((unsigned)k * blockDim.y)) < rows) ? (row + ((unsigned)k * blockDim.y)) : row);
            const int i0 = (int)rest;
            l0[k] = *(((const i64*)w.p4[0]) + (i0 + (((int)w.n6[0]) * i1)));
            o0[k] = ((((int)w.n6[1]) * i0) + i1);
        }
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const i64 t0 = l0[k];
            const i64 t1 = i64((i64::value)w.n6[2]);
            const i64 t2 = t0 + t1;
            r0[k] = t2;
        }
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            if (((row + ((unsigned)k * blockDim.y)) < rows)) {
                frit_stream<1, 1>((((i64*)w.p4[1]) + o0[k]), (r0 + k));
            }
        }
    }
}

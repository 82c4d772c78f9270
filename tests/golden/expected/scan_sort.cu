struct frit_kernel_words {
    void* p0[2];
    long long n2[2];
    void* p4[2];
    long long n6[1];
};
struct frit_kernel_acc0 {
    i64 p0;
    static __device__ inline frit_kernel_acc0 start() {
        return {i64((i64::value)0ull)};
    }
    static __device__ inline frit_kernel_acc0 combine(const frit_kernel_acc0& a, const frit_kernel_acc0& b) {
        const i64 c0 = a.p0;
        const i64 c1 = b.p0;
        const i64 c2 = c0 + c1;
        return {c2};
    }
    static __device__ inline frit_kernel_acc0 take(const frit_kernel_acc0& a, const frit_kernel_acc0& b) {
        return combine(a, b);
    }
    static __device__ inline frit_kernel_acc0 down(const frit_kernel_acc0& a, int by) {
        return {frit_down(a.p0, by)};
    }
    static __device__ inline frit_kernel_acc0 from(const frit_kernel_acc0& a, int lane) {
        return {frit_from(a.p0, lane)};
    }
};
extern "C" __global__ void __launch_bounds__(256)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = ((unsigned)w.n2[1]);
    const unsigned rows = ((unsigned)w.n2[0]);
    const unsigned lane = (threadIdx.x % 32);
    const bool real = (((((blockIdx.y * gridDim.x) + blockIdx.x) * 8) + (threadIdx.x / 32)) < rows);
    frit_kernel_acc0 a0 = frit_kernel_acc0::start();
    for (unsigned first = 0; first < n; first += 512) {
        i32 l0[16] = {};
        const bool whole = (real && ((first + 512) <= n));
        if (whole) {
#pragma unroll
            for (int j = 0; j < 8; j += 1) {
                const unsigned at = (first + ((((unsigned)j * 32) + lane) * 2));
                const int i1 = (int)at;
                frit_once<2, 2, true>((l0 + (j * 2)), (((const i32*)w.p4[0]) + i1));
            }
        } else {
#pragma unroll
            for (int j = 0; j < 8; j += 1) {
                const unsigned at = (first + ((((unsigned)j * 32) + lane) * 2));
                const int i1 = (int)at;
                if ((real && (at < n))) {
                    frit_once<2, 2, true>((l0 + (j * 2)), (((const i32*)w.p4[0]) + i1));
                }
            }
        }
        frit_kernel_acc0 x0[16];
#pragma unroll
        for (int j = 0; j < 8; j += 1) {
            const unsigned at = (first + ((((unsigned)j * 32) + lane) * 2));
#pragma unroll
            for (int k = 0; k < 2; k += 1) {
                const bool exists = (real && ((at + (unsigned)k) < n));
                const i32 t0 = l0[((j * 2) + k)];
                const i32 t1 = i32((i32::value)w.n6[0]);
                const i32 t2 = frit_fmod(t0, t1);
                const i64 t3 = i64(i64::value(t2.v));
                x0[((j * 2) + k)] = (exists ? frit_kernel_acc0{t3} : frit_kernel_acc0::start());
            }
            x0[((j * 2) + 1)] = frit_kernel_acc0::take(x0[(j * 2)], x0[((j * 2) + 1)]);
            const frit_kernel_acc0 left = frit_before_lane<frit_kernel_acc0>(x0[((j * 2) + 1)]);
            const frit_kernel_acc0 all = frit_kernel_acc0::take(left, x0[((j * 2) + 1)]);
            const frit_kernel_acc0 before = frit_kernel_acc0::take(a0, left);
            a0 = frit_kernel_acc0::take(a0, frit_kernel_acc0::from(all, 31));
            x0[(j * 2)] = frit_kernel_acc0::take(before, x0[(j * 2)]);
            x0[((j * 2) + 1)] = frit_kernel_acc0::take(before, x0[((j * 2) + 1)]);
        }
        i64 v4[16];
#pragma unroll
        for (int j = 0; j < 16; j += 1) {
            v4[j] = x0[j].p0;
        }
        i64 r0[16];
#pragma unroll
        for (int j = 0; j < 8; j += 1) {
            const unsigned at = (first + ((((unsigned)j * 32) + lane) * 2));
#pragma unroll
            for (int k = 0; k < 2; k += 1) {
                const i64 t4 = v4[((j * 2) + k)];
                r0[((j * 2) + k)] = t4;
            }
            const int i1 = (int)at;
            if ((real && (at < n))) {
                frit_stream<2, 2>((((i64*)w.p4[1]) + i1), (r0 + (j * 2)));
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

struct frit_kernel_words {
    void* p0[2];
    long long n2[2];
    void* p4[3];
    long long n7[1];
};
struct frit_kernel_acc0 {
    f32 p0;
    static __device__ inline frit_kernel_acc0 start() {
        return {__uint_as_float(0u)};
    }
    static __device__ inline frit_kernel_acc0 combine(const frit_kernel_acc0& a, const frit_kernel_acc0& b) {
        const f32 c0 = a.p0;
        const f32 c1 = b.p0;
        const f32 c2 = c0 + c1;
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
struct frit_kernel_acc1 {
    f32 p0;
    static __device__ inline frit_kernel_acc1 start() {
        return {__uint_as_float(0u)};
    }
    static __device__ inline frit_kernel_acc1 combine(const frit_kernel_acc1& a, const frit_kernel_acc1& b) {
        const f32 c0 = a.p0;
        const f32 c1 = b.p0;
        const f32 c2 = c0 + c1;
        return {c2};
    }
    static __device__ inline frit_kernel_acc1 take(const frit_kernel_acc1& a, const frit_kernel_acc1& b) {
        return combine(a, b);
    }
    static __device__ inline frit_kernel_acc1 down(const frit_kernel_acc1& a, int by) {
        return {frit_down(a.p0, by)};
    }
    static __device__ inline frit_kernel_acc1 from(const frit_kernel_acc1& a, int lane) {
        return {frit_from(a.p0, lane)};
    }
};
extern "C" __global__ void __launch_bounds__(256, 3)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = ((unsigned)w.n2[1]);
    const unsigned rows = ((unsigned)w.n2[0]);
    const unsigned lane = (threadIdx.x % 32);
    const unsigned group = (threadIdx.x / 32);
    const int base = (int)(((threadIdx.x % 32) / 32) * 32);
    f32 l1[4] = {};
    const unsigned at = (lane * 4);
    if ((at < n)) {
        frit_load<4, 4>(l1, (((const f32*)w.p4[2]) + (int)at));
    }
    frit_kernel_acc1 c0[4];
#pragma unroll
    for (int e = 0; e < 4; e += 1) {
        c0[e] = frit_kernel_acc1::start();
    }
    const unsigned tiles = ((rows + 63) / 64);
#pragma unroll 1
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const unsigned first = ((tile * 64) + (group * 8));
        f32 l0[32] = {};
        const bool whole = (((first + 7) < rows) && (((lane * 4) + 3) < n));
        if (whole) {
#pragma unroll
            for (int k = 0; k < 8; k += 1) {
                const unsigned row = (first + (unsigned)k);
                const int i0 = (int)row;
                const unsigned at_2 = (lane * 4);
                frit_once<4, 4, false>((l0 + (k * 4)), (((const f32*)w.p4[0]) + ((((int)w.n7[0]) * i0) + (int)at_2)));
            }
        } else {
#pragma unroll
            for (int k = 0; k < 8; k += 1) {
                const unsigned row = (first + (unsigned)k);
                const int i0 = (int)row;
                const unsigned at_2 = (lane * 4);
                if (((row < rows) && (at_2 < n))) {
                    frit_once<4, 4, false>((l0 + (k * 4)), (((const f32*)w.p4[0]) + ((((int)w.n7[0]) * i0) + (int)at_2)));
                }
            }
        }
        frit_kernel_acc0 a0[8];
#pragma unroll
        for (int k = 0; k < 8; k += 1) {
            a0[k] = frit_kernel_acc0::start();
        }
#pragma unroll
        for (int k = 0; k < 8; k += 1) {
            const unsigned at_2 = (lane * 4);
            frit_kernel_acc0 x0[4];
#pragma unroll
            for (int e = 0; e < 4; e += 1) {
                const f32 t0 = l0[((k * 4) + e)];
                const f32 t3 = l1[e];
                const f32 t4 = t0 * t3;
                x0[e] = frit_kernel_acc0{t4};
            }
            const bool full = ((at_2 + 4) <= n);
            if (full) {
                a0[k] = frit_kernel_acc0::take(a0[k], frit_tree<4, frit_kernel_acc0>(x0));
            } else {
                const int count = ((at_2 < n) ? (int)(n - at_2) : 0);
                a0[k] = frit_partial<4, frit_kernel_acc0>(a0[k], x0, count);
            }
        }
        const frit_kernel_acc0 s0 = frit_dealt_total<32, 8, frit_kernel_acc0>(a0);
        const f32 e0 = s0.p0;
        const f32 e1 = frit_div(f32(1), f32(1) + expf(-e0));
#pragma unroll
        for (int k = 0; k < 8; k += 1) {
            const unsigned row = (first + (unsigned)k);
            const bool exists = (row < rows);
            const f32 r1 = frit_from(e1, (base + k));
#pragma unroll
            for (int e = 0; e < 4; e += 1) {
                const f32 t0 = l0[((k * 4) + e)];
                const f32 t1 = r1;
                const f32 t2 = t0 * t1;
                if (exists) {
                    c0[e] = frit_kernel_acc1::take(c0[e], frit_kernel_acc1{t2});
                }
            }
        }
    }
    __shared__ u64 meeting[1024];
    frit_kernel_acc1* const own = (((frit_kernel_acc1*)meeting) + (threadIdx.x * 4));
    f32* const line = (((f32*)w.p4[1]) + (blockIdx.x * n));
    __syncthreads();
#pragma unroll
    for (int e = 0; e < 4; e += 1) {
        *(own + e) = c0[e];
    }
    __syncthreads();
    if ((threadIdx.x < 128)) {
#pragma unroll
        for (int e = 0; e < 4; e += 1) {
            c0[e] = frit_kernel_acc1::take(c0[e], *(own + (e + 512)));
            *(own + e) = c0[e];
        }
    }
    __syncthreads();
    if ((threadIdx.x < 64)) {
#pragma unroll
        for (int e = 0; e < 4; e += 1) {
            c0[e] = frit_kernel_acc1::take(c0[e], *(own + (e + 256)));
            *(own + e) = c0[e];
        }
    }
    __syncthreads();
    if ((threadIdx.x < 32)) {
#pragma unroll
        for (int e = 0; e < 4; e += 1) {
            c0[e] = frit_kernel_acc1::take(c0[e], *(own + (e + 128)));
        }
    }
    const unsigned at_2 = (lane * 4);
#pragma unroll
    for (int e = 0; e < 4; e += 1) {
        if (((threadIdx.x < 32) && ((at_2 + (unsigned)e) < n))) {
            *(line + (at_2 + (unsigned)e)) = c0[e].p0;
        }
    }
}
struct frit_kernel_words {
    void* p0[2];
    long long n2[2];
    void* p4[2];
    long long n6[1];
};
struct frit_kernel_acc0 {
    f32 p0;
    static __device__ inline frit_kernel_acc0 start() {
        return {__uint_as_float(0u)};
    }
    static __device__ inline frit_kernel_acc0 combine(const frit_kernel_acc0& a, const frit_kernel_acc0& b) {
        const f32 c0 = a.p0;
        const f32 c1 = b.p0;
        const f32 c2 = c0 + c1;
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
    const unsigned tid = threadIdx.y;
    const unsigned n = ((unsigned)w.n2[1]);
    const unsigned rows = ((unsigned)w.n2[0]);
    unsigned tile = ((blockIdx.y * gridDim.x) + blockIdx.x);
    const unsigned tiles = (((rows + blockDim.x) - 1) / blockDim.x);
    if (!(tile < tiles)) {
        return;
    }
    const unsigned row = ((tile * blockDim.x) + threadIdx.x);
    const bool real = (row < rows);
    const int i0 = (int)row;
    frit_kernel_acc0 a0 = frit_kernel_acc0::start();
    const unsigned stop = (real ? n : 0);
    for (unsigned first = (tid * 8); first < stop; first += 8) {
        f32 l0[8] = {};
        const bool whole = ((first + 8) <= stop);
        if (whole) {
            const unsigned at = first;
#pragma unroll
            for (int k = 0; k < 8; k += 1) {
                const int i1 = (int)(at + (unsigned)k);
                frit_once<1, 1, false>((l0 + k), (((const f32*)w.p4[0]) + (i0 + (((int)w.n6[0]) * i1))));
            }
        } else {
            const unsigned at = first;
#pragma unroll
            for (int k = 0; k < 8; k += 1) {
                const int i1 = (int)(at + (unsigned)k);
                if (((at + (unsigned)k) < stop)) {
                    frit_once<1, 1, false>((l0 + k), (((const f32*)w.p4[0]) + (i0 + (((int)w.n6[0]) * i1))));
                }
            }
        }
        const unsigned at = first;
        const bool full = ((at + 8) <= stop);
        frit_kernel_acc0 x0[8];
#pragma unroll
        for (int k = 0; k < 8; k += 1) {
            const f32 t0 = l0[k];
            x0[k] = frit_kernel_acc0{t0};
        }
        if (full) {
            a0 = frit_kernel_acc0::take(a0, frit_tree<8, frit_kernel_acc0>(x0));
        } else {
            const int count = ((at < stop) ? (int)(stop - at) : 0);
            a0 = frit_partial<8, frit_kernel_acc0>(a0, x0, count);
        }
    }
    const f32 e0 = a0.p0;
    if (((tid == 0) && real)) {
        f32 one[1];
        one[0] = e0;
        frit_stream<1, 1>((((f32*)w.p4[1]) + i0), one);
    }
}

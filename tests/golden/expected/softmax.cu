struct frit_kernel_words {
    void* p0[2];
    long long n2[2];
    void* p4[2];
    long long n6[2];
};
struct frit_kernel_acc0 {
    f32 p0;
    static __device__ inline frit_kernel_acc0 start() {
        return {__uint_as_float(4286578688u)};
    }
    static __device__ inline frit_kernel_acc0 combine(const frit_kernel_acc0& a, const frit_kernel_acc0& b) {
        const f32 c0 = a.p0;
        const f32 c1 = b.p0;
        const f32 c2 = frit_maximum(c0, c1);
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
extern "C" __global__ void __launch_bounds__(128, 8)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned tid = threadIdx.x;
    const unsigned n = ((unsigned)w.n2[1]);
    const unsigned rows = ((unsigned)w.n2[0]);
    unsigned tile = ((blockIdx.y * gridDim.x) + blockIdx.x);
    const unsigned tiles = (((rows + 64) - 1) / 64);
    if (!(tile < tiles)) {
        return;
    }
    const unsigned row = ((tile * 64) + threadIdx.y);
    const bool real = (row < rows);
    const unsigned first_row = (tile * blockDim.y);
    const unsigned thread = ((threadIdx.y * blockDim.x) + threadIdx.x);
    const unsigned total = (frit_min<unsigned>(blockDim.y, (rows - first_row)) * n);
    const unsigned mine = (threadIdx.y * n);
    __shared__ f32 tile0[2048];
    const f32* const first0 = (((const f32*)w.p4[0]) + (((int)w.n6[0]) * (int)first_row));
    __shared__ f32 tile1[2048];
    f32* const first1 = (((f32*)w.p4[1]) + (((int)w.n6[1]) * (int)first_row));
    const bool dense = ((((int)w.n6[0]) == (int)n) && (((int)w.n6[1]) == (int)n));
    f32 s0[16] = {};
    if (dense) {
#pragma unroll
        for (int s = 0; s < 16; s += 1) {
            const unsigned place = (thread + (unsigned)(s * 128));
            if ((place < total)) {
                s0[s] = *(first0 + (int)place);
            }
        }
    } else {
#pragma unroll
        for (int s = 0; s < 16; s += 1) {
            const unsigned place = (thread + (unsigned)(s * 128));
            if ((place < total)) {
                const unsigned r = (place / n);
                const unsigned c = (place % n);
                s0[s] = *(first0 + (((int)r * ((int)w.n6[0])) + (int)c));
            }
        }
    }
#pragma unroll
    for (int s = 0; s < 16; s += 1) {
        if (((thread + (unsigned)(s * 128)) < total)) {
            tile0[(thread + (unsigned)(s * 128))] = s0[s];
        }
    }
    __syncthreads();
    f32 l0[16] = {};
    f32 v3[16];
    frit_kernel_acc0 a0 = frit_kernel_acc0::start();
    const unsigned stop = (real ? n : 0);
    if (((tid * 4) < stop)) {
        const unsigned first = (tid * 4);
        const bool whole = ((first + 28) <= stop);
        if (whole) {
#pragma unroll
            for (int g = 0; g < 4; g += 1) {
                const unsigned at = (first + (unsigned)(g * 8));
#pragma unroll
                for (int k = 0; k < 4; k += 1) {
                    const int i1 = (int)(at + (unsigned)k);
                    l0[((g * 4) + k)] = tile0[(mine + (unsigned)i1)];
                }
            }
        } else {
#pragma unroll
            for (int g = 0; g < 4; g += 1) {
                const unsigned at = (first + (unsigned)(g * 8));
#pragma unroll
                for (int k = 0; k < 4; k += 1) {
                    const int i1 = (int)(at + (unsigned)k);
                    if (((at + (unsigned)k) < stop)) {
                        l0[((g * 4) + k)] = tile0[(mine + (unsigned)i1)];
                    }
                }
            }
        }
        const unsigned first_2 = (tid * 4);
#pragma unroll
        for (int g = 0; g < 4; g += 1) {
            const unsigned at = (first_2 + (unsigned)(g * 8));
            const bool full = ((at + 4) <= stop);
            frit_kernel_acc0 x0[4];
#pragma unroll
            for (int k = 0; k < 4; k += 1) {
                const f32 t0 = l0[((g * 4) + k)];
                x0[k] = frit_kernel_acc0{t0};
            }
            if (full) {
                a0 = frit_kernel_acc0::take(a0, frit_tree<4, frit_kernel_acc0>(x0));
            } else {
                const int count = ((at < stop) ? (int)(stop - at) : 0);
                a0 = frit_partial<4, frit_kernel_acc0>(a0, x0, count);
            }
        }
    }
    a0 = frit_group_total<2, frit_kernel_acc0>(a0);
    const f32 e0 = a0.p0;
    frit_kernel_acc1 a1 = frit_kernel_acc1::start();
    const unsigned stop_2 = (real ? n : 0);
    if (((tid * 4) < stop_2)) {
        const unsigned first = (tid * 4);
#pragma unroll
        for (int g = 0; g < 4; g += 1) {
            const unsigned at = (first + (unsigned)(g * 8));
            const bool full = ((at + 4) <= stop_2);
            frit_kernel_acc1 x1[4];
#pragma unroll
            for (int k = 0; k < 4; k += 1) {
                const f32 t0 = l0[((g * 4) + k)];
                const f32 t1 = e0;
                const f32 t2 = t0 - t1;
                const f32 t3 = expf(t2);
                v3[((g * 4) + k)] = t3;
                x1[k] = frit_kernel_acc1{t3};
            }
            if (full) {
                a1 = frit_kernel_acc1::take(a1, frit_tree<4, frit_kernel_acc1>(x1));
            } else {
                const int count = ((at < stop_2) ? (int)(stop_2 - at) : 0);
                a1 = frit_partial<4, frit_kernel_acc1>(a1, x1, count);
            }
        }
    }
    a1 = frit_group_total<2, frit_kernel_acc1>(a1);
    const f32 e1 = a1.p0;
    const unsigned stop_3 = (real ? n : 0);
    if (((tid * 4) < stop_3)) {
        const unsigned first = (tid * 4);
#pragma unroll
        for (int g = 0; g < 4; g += 1) {
            const unsigned at = (first + (unsigned)(g * 8));
            const bool full = ((at + 4) <= stop_3);
            f32 r0[4];
#pragma unroll
            for (int k = 0; k < 4; k += 1) {
                const f32 t3 = v3[((g * 4) + k)];
                const f32 t4 = e1;
                const f32 t5 = frit_div(t3, t4);
                r0[k] = t5;
            }
#pragma unroll
            for (int k = 0; k < 4; k += 1) {
                const int i1 = (int)(at + (unsigned)k);
                if ((full || ((at + (unsigned)k) < stop_3))) {
                    tile1[(mine + (unsigned)i1)] = r0[k];
                }
            }
        }
    }
    __syncthreads();
    if (dense) {
#pragma unroll
        for (int s = 0; s < 16; s += 1) {
            const unsigned place = (thread + (unsigned)(s * 128));
            if ((place < total)) {
                f32 one[1];
                one[0] = tile1[place];
                frit_stream<1, 1>((first1 + (int)place), one);
            }
        }
    } else {
#pragma unroll
        for (int s = 0; s < 16; s += 1) {
            const unsigned place = (thread + (unsigned)(s * 128));
            if ((place < total)) {
                const unsigned r = (place / n);
                const unsigned c = (place % n);
                f32 one[1];
                one[0] = tile1[place];
                frit_stream<1, 1>((first1 + (((int)r * ((int)w.n6[1])) + (int)c)), one);
            }
        }
    }
}

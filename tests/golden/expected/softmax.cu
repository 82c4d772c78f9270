struct frit_kernel_words {
    void* head[2];
    long long extent[2];
    void* pointer[2];
    long long step[2];
};
struct frit_kernel_acc0 {
    f32 p0;
    static __device__ inline frit_kernel_acc0 start() { return {__uint_as_float(0xff800000u)}; }
    static __device__ inline frit_kernel_acc0 combine(const frit_kernel_acc0& a, const frit_kernel_acc0& b) {
        const f32 c0 = a.p0;
        const f32 c1 = b.p0;
        const f32 c2 = frit_maximum(c0, c1);
        return {c2};
    }
    static __device__ inline frit_kernel_acc0 take(const frit_kernel_acc0& a, const frit_kernel_acc0& b) { return combine(a, b); }
    static __device__ inline frit_kernel_acc0 down(const frit_kernel_acc0& a, int by) { return {frit_down(a.p0, by)}; }
    static __device__ inline frit_kernel_acc0 from(const frit_kernel_acc0& a, int lane) { return {frit_from(a.p0, lane)}; }
};
struct frit_kernel_acc1 {
    f32 p0;
    static __device__ inline frit_kernel_acc1 start() { return {__uint_as_float(0x0u)}; }
    static __device__ inline frit_kernel_acc1 combine(const frit_kernel_acc1& a, const frit_kernel_acc1& b) {
        const f32 c0 = a.p0;
        const f32 c1 = b.p0;
        const f32 c2 = c0 + c1;
        return {c2};
    }
    static __device__ inline frit_kernel_acc1 take(const frit_kernel_acc1& a, const frit_kernel_acc1& b) { return combine(a, b); }
    static __device__ inline frit_kernel_acc1 down(const frit_kernel_acc1& a, int by) { return {frit_down(a.p0, by)}; }
    static __device__ inline frit_kernel_acc1 from(const frit_kernel_acc1& a, int lane) { return {frit_from(a.p0, lane)}; }
};
extern "C" __global__ void __launch_bounds__(128, 8)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned tid = threadIdx.x;
    const unsigned n = (unsigned)w.extent[1], rows = (unsigned)w.extent[0];
    unsigned tile = (unsigned)blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned tiles = (rows + blockDim.y - 1) / blockDim.y;
    if (tile >= tiles) return;
    const unsigned row = tile * blockDim.y + threadIdx.y;
    const bool real = row < rows;
    unsigned rest = row;
    [[maybe_unused]] const int i0 = (int)rest;
    f32 l0[16] = {};
    f32 v3[16];
    frit_kernel_acc0 a0 = frit_kernel_acc0::start();
    const unsigned stop0 = real ? n : 0;
    if (tid * 4 < stop0) {
        const unsigned stop = stop0;
         {
            const unsigned first = tid * 4;
            const bool whole = first + 28 <= stop;
            if (whole) {
#pragma unroll
                for (int g = 0; g < 4; ++g) {
                    const unsigned at = first + g * 8;
                     {
#pragma unroll
                        for (int k = 0; k < 4; ++k) {
                            [[maybe_unused]] const int i1 = (int)(at + k);
                            frit_once<1, 1, true>(l0 + (g * 4 + k), &((const f32*)w.pointer[0])[(int)w.step[0] * i0 + i1]);
                        }
                    }
                }
            } else {
#pragma unroll
                for (int g = 0; g < 4; ++g) {
                    const unsigned at = first + g * 8;
                     {
#pragma unroll
                        for (int k = 0; k < 4; ++k) {
                            [[maybe_unused]] const int i1 = (int)(at + k);
                            if (at + k < stop) {
                                frit_once<1, 1, true>(l0 + (g * 4 + k), &((const f32*)w.pointer[0])[(int)w.step[0] * i0 + i1]);
                            }
                        }
                    }
                }
            }
        }
#pragma unroll
        for (int s = 0; s < 4; s += 4) {
            const unsigned first = tid * 4 + s * 8;
#pragma unroll
            for (int g = 0; g < 4; ++g) {
                const unsigned at = first + g * 8;
                const bool full = at + 4 <= stop;
                frit_kernel_acc0 x0[4];
#pragma unroll
                for (int k = 0; k < 4; ++k) {
                    [[maybe_unused]] const int i1 = (int)(at + k);
                    const f32 t0 = l0[(s + g) * 4 + k];
                    x0[k] = frit_kernel_acc0{t0};
                }
                if (full) {
                    a0 = frit_kernel_acc0::take(a0, frit_tree<4, frit_kernel_acc0>(x0));
                } else {
                    const int count = at < stop ? (int)(stop - at) : 0;
                    a0 = frit_partial<4, frit_kernel_acc0>(a0, x0, count);
                }
            }
        }
    }
    a0 = frit_group_total<2, frit_kernel_acc0>(a0);
    [[maybe_unused]] const f32 e0 = a0.p0;
    frit_kernel_acc1 a1 = frit_kernel_acc1::start();
    const unsigned stop1 = real ? n : 0;
    if (tid * 4 < stop1) {
        const unsigned stop = stop1;
#pragma unroll
        for (int s = 0; s < 4; s += 4) {
            const unsigned first = tid * 4 + s * 8;
#pragma unroll
            for (int g = 0; g < 4; ++g) {
                const unsigned at = first + g * 8;
                const bool full = at + 4 <= stop;
                frit_kernel_acc1 x1[4];
#pragma unroll
                for (int k = 0; k < 4; ++k) {
                    [[maybe_unused]] const int i1 = (int)(at + k);
                    const f32 t0 = l0[(s + g) * 4 + k];
                    const f32 t1 = e0;
                    const f32 t2 = t0 - t1;
                    const f32 t3 = expf(t2);
                    v3[(s + g) * 4 + k] = t3;
                    x1[k] = frit_kernel_acc1{t3};
                }
                if (full) {
                    a1 = frit_kernel_acc1::take(a1, frit_tree<4, frit_kernel_acc1>(x1));
                } else {
                    const int count = at < stop ? (int)(stop - at) : 0;
                    a1 = frit_partial<4, frit_kernel_acc1>(a1, x1, count);
                }
            }
        }
    }
    a1 = frit_group_total<2, frit_kernel_acc1>(a1);
    [[maybe_unused]] const f32 e1 = a1.p0;
    const unsigned stop2 = real ? n : 0;
    if (tid * 4 < stop2) {
        const unsigned stop = stop2;
#pragma unroll
        for (int s = 0; s < 4; s += 4) {
            const unsigned first = tid * 4 + s * 8;
#pragma unroll
            for (int g = 0; g < 4; ++g) {
                const unsigned at = first + g * 8;
                const bool full = at + 4 <= stop;
                f32 r0[4];
#pragma unroll
                for (int k = 0; k < 4; ++k) {
                    [[maybe_unused]] const int i1 = (int)(at + k);
                    const f32 t3 = v3[(s + g) * 4 + k];
                    const f32 t4 = e1;
                    const f32 t5 = frit_div(t3, t4);
                    r0[k] = t5;
                }
                 {
#pragma unroll
                    for (int k = 0; k < 4; ++k) {
                        [[maybe_unused]] const int i1 = (int)(at + k);
                        if (full || at + k < stop) {
                            frit_stream<1, 1>(((f32*)w.pointer[1]) + ((int)w.step[1] * i0 + i1), r0 + k);
                        }
                    }
                }
            }
        }
    }
}

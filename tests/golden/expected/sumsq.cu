struct frit_kernel_words {
    void* p0[2];
    long long n2[1];
    void* p3[3];
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
    const unsigned n = ((unsigned)w.n2[0]);
    const unsigned jump = (gridDim.x * 1024);
    frit_kernel_acc0 a0 = frit_kernel_acc0::start();
    for (unsigned first = (((blockIdx.x * 256) + threadIdx.x) * 4); first < n; first += (jump * 2)) {
        const bool full = (((first + jump) + 3) < n);
        frit_kernel_acc0 x0[8];
        f32 l0[8];
        f32 l1[8];
        if (full) {
            frit_load<4, 4>(l0, (((const f32*)w.p3[0]) + first));
            frit_load<4, 4>((l0 + 4), (((const f32*)w.p3[0]) + (first + jump)));
            frit_load<4, 4>(l1, (((const f32*)w.p3[1]) + first));
            frit_load<4, 4>((l1 + 4), (((const f32*)w.p3[1]) + (first + jump)));
        } else {
#pragma unroll
            for (int k = 0; k < 8; k += 1) {
                const int i0 = (int)((((first + ((unsigned)(k / 4) * jump)) + (unsigned)(k % 4)) < n) ? ((first + ((unsigned)(k / 4) * jump)) + (unsigned)(k % 4)) : first);
                l0[k] = *(((const f32*)w.p3[0]) + i0);
                l1[k] = *(((const f32*)w.p3[1]) + i0);
            }
        }
#pragma unroll
        for (int k = 0; k < 8; k += 1) {
            const f32 t0 = l0[k];
            const f32 t1 = l1[k];
            const f32 t2 = t0 - t1;
            const f32 t3 = t2 * t2;
            x0[k] = frit_kernel_acc0{t3};
        }
#pragma unroll
        for (int g = 0; g < 2; g += 1) {
            if (full) {
                a0 = frit_kernel_acc0::take(a0, frit_tree<4, frit_kernel_acc0>((x0 + (g * 4))));
            } else {
                a0 = frit_partial<4, frit_kernel_acc0>(a0, (x0 + (g * 4)), (((first + ((unsigned)g * jump)) < n) ? (int)frit_min<unsigned>((n - (first + ((unsigned)g * jump))), 4) : 0));
            }
        }
    }
    frit_kernel_acc0* const p0 = ((frit_kernel_acc0*)(((u8*)w.p0[1]) + 262144));
    a0 = frit_block_total<8, frit_kernel_acc0>(a0);
    if ((threadIdx.x == 0)) {
        *(p0 + blockIdx.x) = a0;
    }
    if (!frit_last_block((unsigned*)((u32*)w.p0[1]), gridDim.x)) {
        return;
    }
    a0 = frit_kernel_acc0::start();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += 256) {
        a0 = frit_kernel_acc0::take(a0, *(p0 + b));
    }
    a0 = frit_block_total<8, frit_kernel_acc0>(a0);
    if ((threadIdx.x != 0)) {
        return;
    }
    const f32 e0 = a0.p0;
    *((f32*)w.p3[2]) = e0;
}

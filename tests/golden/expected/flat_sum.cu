struct frit_kernel_words {
    void* p0[2];
    long long n2[2];
    void* p4[4];
    long long n8[1];
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
    const unsigned n = (((unsigned)w.n2[0]) * ((unsigned)w.n2[1]));
    const unsigned jump = (gridDim.x * 1024);
    frit_kernel_acc0 a0 = frit_kernel_acc0::start();
    for (unsigned first = (((blockIdx.x * 256) + threadIdx.x) * 4); first < n; first += jump) {
        const bool full = ((first + 3) < n);
        frit_kernel_acc0 x0[4];
        f32 l0[4];
        f32 l1[4];
        f32 l2[4];
        unsigned element = ((first < n) ? first : first);
        int i1 = (int)(element % ((unsigned)w.n2[1]));
        const unsigned rest = (element / ((unsigned)w.n2[1]));
        int i0 = (int)rest;
        const f32* const p0 = (((const f32*)w.p4[0]) + ((((int)w.n8[0]) * i0) + i1));
        f32 w0[4];
        frit_load<4, 4>(w0, p0);
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            l0[k] = w0[k];
        }
        const f32* const p1 = (((const f32*)w.p4[1]) + i1);
        f32 w1[4];
        frit_load<4, 4>(w1, p1);
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            l1[k] = w1[k];
        }
#pragma unroll
        for (long long k = 0; k < 4; k += 1) {
            l2[k] = *(((const f32*)w.p4[2]) + i0);
        }
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const f32 t0 = l0[k];
            const f32 t1 = l1[k];
            const f32 t2 = t0 * t1;
            const f32 t3 = l2[k];
            const f32 t4 = t2 * t3;
            x0[k] = frit_kernel_acc0{t4};
        }
        if (full) {
            a0 = frit_kernel_acc0::take(a0, frit_tree<4, frit_kernel_acc0>(x0));
        } else {
            a0 = frit_partial<4, frit_kernel_acc0>(a0, x0, ((first < n) ? (int)frit_min<unsigned>((n - first), 4) : 0));
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
    *((f32*)w.p4[3]) = e0;
}

struct frit_kernel_words {
    void* p0[2];
    long long n2[1];
    void* p3[6];
    long long n9[1];
};
struct frit_kernel_acc0 {
    u64 p0;
    static __device__ inline frit_kernel_acc0 start() {
        return {u64((u64::value)0ull)};
    }
    static __device__ inline frit_kernel_acc0 combine(const frit_kernel_acc0& a, const frit_kernel_acc0& b) {
        const u64 c0 = a.p0;
        const u64 c1 = b.p0;
        const u64 c2 = c0 + c1;
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
    for (unsigned first = (((blockIdx.x * 256) + threadIdx.x) * 4); first < n; first += jump) {
        const bool full = ((first + 3) < n);
        frit_kernel_acc0 x0[4];
        i8 l0[4];
        u8 l1[4];
        u16 l2[4];
        i16 r0[4];
        i32 r1[4];
        if (full) {
            frit_load<4, 4>(l0, (((const i8*)w.p3[0]) + first));
            frit_load<4, 4>(l1, (((const u8*)w.p3[1]) + first));
            frit_load<4, 4>(l2, (((const u16*)w.p3[3]) + first));
        } else {
#pragma unroll
            for (int k = 0; k < 4; k += 1) {
                const int i0 = (int)(((first + (unsigned)k) < n) ? (first + (unsigned)k) : first);
                l0[k] = *(((const i8*)w.p3[0]) + i0);
                l1[k] = *(((const u8*)w.p3[1]) + i0);
                l2[k] = *(((const u16*)w.p3[3]) + i0);
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const i8 t0 = l0[k];
            const i16 t1 = i16(i16::value(t0.v));
            const u8 t2 = l1[k];
            const i16 t3 = i16(i16::value(t2.v));
            const i16 t4 = t1 * t3;
            const i32 t5 = i32(i32::value(t4.v));
            const u16 t6 = l2[k];
            const u16 t7 = u16((u16::value)w.n9[0]);
            const u16 t8 = frit_shr(t6, t7);
            const i32 t9 = i32(i32::value(t8.v));
            const i32 t10 = t5 + t9;
            const u64 t11 = u64(u64::value(t6.v));
            r0[k] = t4;
            r1[k] = t10;
            x0[k] = frit_kernel_acc0{t11};
        }
        if (full) {
            a0 = frit_kernel_acc0::take(a0, frit_tree<4, frit_kernel_acc0>(x0));
        } else {
            a0 = frit_partial<4, frit_kernel_acc0>(a0, x0, ((first < n) ? (int)frit_min<unsigned>((n - first), 4) : 0));
        }
        if (full) {
            frit_stream<4, 4>((((i16*)w.p3[2]) + first), r0);
            frit_stream<4, 4>((((i32*)w.p3[4]) + first), r1);
        } else {
#pragma unroll
            for (int k = 0; k < 4; k += 1) {
                if (((first + (unsigned)k) < n)) {
                    const int i0 = (int)(first + (unsigned)k);
                    frit_stream<1, 1>((((i16*)w.p3[2]) + i0), (r0 + k));
                    frit_stream<1, 1>((((i32*)w.p3[4]) + i0), (r1 + k));
                }
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
    const u64 e0 = a0.p0;
    *((u64*)w.p3[5]) = e0;
}

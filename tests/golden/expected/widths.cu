struct frit_kernel_words {
    void* head[2];
    long long extent[1];
    void* pointer[6];
    unsigned long long scalar[1];
};
struct frit_kernel_acc0 {
    u64 p0;
    static __device__ inline frit_kernel_acc0 start() { return {u64((u64::value)0x0ull)}; }
    static __device__ inline frit_kernel_acc0 combine(const frit_kernel_acc0& a, const frit_kernel_acc0& b) {
        const u64 c0 = a.p0;
        const u64 c1 = b.p0;
        const u64 c2 = c0 + c1;
        return {c2};
    }
    static __device__ inline frit_kernel_acc0 take(const frit_kernel_acc0& a, const frit_kernel_acc0& b) { return combine(a, b); }
    static __device__ inline frit_kernel_acc0 down(const frit_kernel_acc0& a, int by) { return {frit_down(a.p0, by)}; }
    static __device__ inline frit_kernel_acc0 from(const frit_kernel_acc0& a, int lane) { return {frit_from(a.p0, lane)}; }
};
extern "C" __global__ void __launch_bounds__(256)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = (unsigned)w.extent[0];
    const unsigned jump = (unsigned)gridDim.x * 1024;
    frit_kernel_acc0 a0 = frit_kernel_acc0::start();
    for (unsigned first = ((unsigned)blockIdx.x * 256 + threadIdx.x) * 4; first < n; first += jump) {
        const bool full = first + 3 < n;
        frit_kernel_acc0 x0[4];
        i8 l0[4];
        u8 l1[4];
        u16 l2[4];
        i16 r0[4];
        i32 r1[4];
        if (full) {
            frit_load<4, 4>(l0 + 0, ((const i8*)w.pointer[0]) + (first));
            frit_load<4, 4>(l1 + 0, ((const u8*)w.pointer[1]) + (first));
            frit_load<4, 4>(l2 + 0, ((const u16*)w.pointer[3]) + (first));
        } else {
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int i0 = (int)(first + k < n ? first + k : first);
                l0[k] = ((const i8*)w.pointer[0])[i0];
                l1[k] = ((const u8*)w.pointer[1])[i0];
                l2[k] = ((const u16*)w.pointer[3])[i0];
            }
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const i8 t0 = l0[k];
            const i16 t1 = i16(i16::value(t0.v));
            const u8 t2 = l1[k];
            const i16 t3 = i16(i16::value(t2.v));
            const i16 t4 = t1 * t3;
            const i32 t5 = i32(i32::value(t4.v));
            const u16 t6 = l2[k];
            const u16 t7 = u16((u16::value)w.scalar[0]);
            const u16 t8 = frit_shr(t6, t7);
            const i32 t9 = i32(i32::value(t8.v));
            const i32 t10 = t5 + t9;
            const u64 t11 = u64(u64::value(t6.v));
            r0[k] = t4;
            r1[k] = t10;
            x0[k] = frit_kernel_acc0{t11};
        }
#pragma unroll
        for (int g = 0; g < 1; ++g) {
            if (full) a0 = frit_kernel_acc0::take(a0, frit_tree<4, frit_kernel_acc0>(x0));
            else a0 = frit_partial<4, frit_kernel_acc0>(a0, x0, first + g * jump < n ? (int)frit_min<unsigned>(n - (first + g * jump), 4) : 0);
        }
        if (full) {
            frit_stream<4, 4>(((i16*)w.pointer[2]) + (first), r0 + 0);
            frit_stream<4, 4>(((i32*)w.pointer[4]) + (first), r1 + 0);
        } else {
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                if (first + k < n) {
                    const int i0 = (int)(first + k);
                    frit_stream<1, 1>(((i16*)w.pointer[2]) + (i0), r0 + k);
                    frit_stream<1, 1>(((i32*)w.pointer[4]) + (i0), r1 + k);
                }
            }
        }
    }
    frit_kernel_acc0* partial0 = (frit_kernel_acc0*)((char*)w.head[1] + 262144);
    a0 = frit_block_total<8, frit_kernel_acc0>(a0);
    if (threadIdx.x == 0) partial0[blockIdx.x] = a0;
    if (!frit_last_block((unsigned*)w.head[1], gridDim.x)) return;
    a0 = frit_kernel_acc0::start();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += 256) a0 = frit_kernel_acc0::take(a0, partial0[b]);
    a0 = frit_block_total<8, frit_kernel_acc0>(a0);
    if (threadIdx.x != 0) return;
    const u64 e0 = a0.p0;
    *((u64*)w.pointer[5]) = e0;
}

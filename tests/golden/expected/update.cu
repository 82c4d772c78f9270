struct frit_kernel_words {
    void* head[2];
    long long extent[1];
    void* pointer[4];
    long long step[16];
    unsigned long long scalar[1];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = (unsigned)w.extent[0];
    const unsigned jump = 128;
    const unsigned first = (unsigned)blockIdx.x * 512 + threadIdx.x;
    if (first >= n) return;
    const bool full = first + 3 * jump < n;
    f64 l0[4];
    f64 l1[4];
    f64 l2[4];
    f64 r0[4];
    if (full) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int i0 = (int)(first + k * jump);
            l0[k] = ((const f64*)w.pointer[0])[(int)w.step[0] * frit_clamp((int)w.step[1] * i0 + (int)w.step[2], (int)w.step[3], (int)w.step[4])];
            l1[k] = ((const f64*)w.pointer[1])[(int)w.step[5] * frit_clamp((int)w.step[6] * i0 + (int)w.step[7], (int)w.step[8], (int)w.step[9])];
            l2[k] = ((const f64*)w.pointer[2])[i0];
        }
    } else {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int i0 = (int)(first + k * jump < n ? first + k * jump : first);
            l0[k] = ((const f64*)w.pointer[0])[(int)w.step[0] * frit_clamp((int)w.step[1] * i0 + (int)w.step[2], (int)w.step[3], (int)w.step[4])];
            l1[k] = ((const f64*)w.pointer[1])[(int)w.step[5] * frit_clamp((int)w.step[6] * i0 + (int)w.step[7], (int)w.step[8], (int)w.step[9])];
            l2[k] = ((const f64*)w.pointer[2])[i0];
        }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const int i0 = (int)(first + k * jump);
        const i32 t0 = i32((int)w.step[10] * i0 + (int)w.step[11]);
        const i32 t1 = i32(frit_clamp((int)w.step[12] * i0 + (int)w.step[13], (int)w.step[14], (int)w.step[15]));
        const bool t2 = t0 == t1;
        const f64 t3 = __longlong_as_double((long long)w.scalar[0]);
        const f64 t4 = l0[k];
        const f64 t5 = l1[k];
        const f64 t6 = t4 + t5;
        const f64 t7 = t3 * t6;
        const f64 t8 = l2[k];
        const f64 t9 = frit_where(t2, t7, t8);
        r0[k] = t9;
    }
    if (full) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int i0 = (int)(first + k * jump);
            frit_stream<1, 1>(((f64*)w.pointer[3]) + (i0), r0 + k);
        }
    } else {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (first + k * jump < n) {
                const int i0 = (int)(first + k * jump);
                frit_stream<1, 1>(((f64*)w.pointer[3]) + (i0), r0 + k);
            }
        }
    }
}

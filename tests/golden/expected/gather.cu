struct frit_kernel_words {
    void* p0[2];
    long long n2[1];
    void* p3[3];
    long long n6[3];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = ((unsigned)w.n2[0]);
    const unsigned first = ((blockIdx.x * 512) + (threadIdx.x * 4));
    if ((n <= first)) {
        return;
    }
    const bool full = ((first + 3) < n);
    i32 l0[4];
    f32 r0[4];
    if (full) {
        frit_load<4, 4>(l0, (((const i32*)w.p3[0]) + first));
    } else {
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const int i0 = (int)(((first + (unsigned)k) < n) ? (first + (unsigned)k) : first);
            l0[k] = *(((const i32*)w.p3[0]) + i0);
        }
    }
#pragma unroll
    for (int k = 0; k < 4; k += 1) {
        const i32 t0 = l0[k];
        const i64 t1 = i64(i64::value(t0.v));
        const i64 t2 = i64((i64::value)w.n6[0]);
        const i64 t3 = frit_index(t1, t2, (full || ((first + (unsigned)k) < n)) ? ((u64*)w.p0[0]) : 0);
        const f32 t4 = ((const f32*)w.p3[1])[(full || ((first + (unsigned)k) < n)) ? t3.v : 0];
        const f32 t5 = __uint_as_float((unsigned)w.n6[1]);
        const f32 t6 = __uint_as_float((unsigned)w.n6[2]);
        const f32 t7 = fmaf(t4, t5, t6);
        r0[k] = t7;
    }
    if (full) {
        frit_stream<4, 4>((((f32*)w.p3[2]) + first), r0);
    } else {
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            if (((first + (unsigned)k) < n)) {
                const int i0 = (int)(first + (unsigned)k);
                frit_stream<1, 1>((((f32*)w.p3[2]) + i0), (r0 + k));
            }
        }
    }
}

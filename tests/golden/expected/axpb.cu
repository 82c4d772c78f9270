struct frit_kernel_words {
    void* p0[2];
    long long n2[1];
    void* p3[2];
    long long n5[2];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = ((unsigned)w.n2[0]);
    const unsigned first = ((blockIdx.x * 512) + (threadIdx.x * 4));
    if ((n <= first)) {
        return;
    }
    const bool full = ((first + 3) < n);
    f32 l0[4];
    f32 r0[4];
    if (full) {
        frit_load<4, 4>(l0, (((const f32*)w.p3[0]) + first));
    } else {
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const int i0 = (int)(((first + (unsigned)k) < n) ? (first + (unsigned)k) : first);
            l0[k] = *(((const f32*)w.p3[0]) + i0);
        }
    }
#pragma unroll
    for (int k = 0; k < 4; k += 1) {
        const f32 t0 = __uint_as_float((unsigned)w.n5[0]);
        const f32 t1 = l0[k];
        const f32 t2 = __uint_as_float((unsigned)w.n5[1]);
        const f32 t3 = fmaf(t0, t1, t2);
        r0[k] = t3;
    }
    if (full) {
        frit_stream<4, 4>((((f32*)w.p3[1]) + first), r0);
    } else {
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            if (((first + (unsigned)k) < n)) {
                const int i0 = (int)(first + (unsigned)k);
                frit_stream<1, 1>((((f32*)w.p3[1]) + i0), (r0 + k));
            }
        }
    }
}

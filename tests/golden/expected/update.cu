struct frit_kernel_words {
    void* p0[2];
    long long n2[1];
    void* p3[4];
    long long n7[17];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = ((unsigned)w.n2[0]);
    const unsigned first = ((blockIdx.x * 512) + threadIdx.x);
    if ((n <= first)) {
        return;
    }
    const bool full = ((first + 384) < n);
    f64 l0[4];
    f64 l1[4];
    f64 l2[4];
    f64 r0[4];
    if (full) {
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const int i0 = (int)(first + (unsigned)(k * 128));
            l0[k] = *(((const f64*)w.p3[0]) + (((int)w.n7[0]) * frit_clamp(((((int)w.n7[1]) * i0) + ((int)w.n7[2])), ((int)w.n7[3]), ((int)w.n7[4]))));
            l1[k] = *(((const f64*)w.p3[1]) + (((int)w.n7[5]) * frit_clamp(((((int)w.n7[6]) * i0) + ((int)w.n7[7])), ((int)w.n7[8]), ((int)w.n7[9]))));
            l2[k] = *(((const f64*)w.p3[2]) + i0);
        }
    } else {
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const int i0 = (int)(((first + (unsigned)(k * 128)) < n) ? (first + (unsigned)(k * 128)) : first);
            l0[k] = *(((const f64*)w.p3[0]) + (((int)w.n7[0]) * frit_clamp(((((int)w.n7[1]) * i0) + ((int)w.n7[2])), ((int)w.n7[3]), ((int)w.n7[4]))));
            l1[k] = *(((const f64*)w.p3[1]) + (((int)w.n7[5]) * frit_clamp(((((int)w.n7[6]) * i0) + ((int)w.n7[7])), ((int)w.n7[8]), ((int)w.n7[9]))));
            l2[k] = *(((const f64*)w.p3[2]) + i0);
        }
    }
#pragma unroll
    for (int k = 0; k < 4; k += 1) {
        const int i0 = (int)(first + (unsigned)(k * 128));
        const i32 t0 = i32(((((int)w.n7[10]) * i0) + ((int)w.n7[11])));
        const i32 t1 = i32(frit_clamp(((((int)w.n7[12]) * i0) + ((int)w.n7[13])), ((int)w.n7[14]), ((int)w.n7[15])));
        const bool t2 = t0 == t1;
        const f64 t3 = __longlong_as_double(w.n7[16]);
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
        for (int k = 0; k < 4; k += 1) {
            const int i0 = (int)(first + (unsigned)(k * 128));
            frit_stream<1, 1>((((f64*)w.p3[3]) + i0), (r0 + k));
        }
    } else {
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            if (((first + (unsigned)(k * 128)) < n)) {
                const int i0 = (int)(first + (unsigned)(k * 128));
                frit_stream<1, 1>((((f64*)w.p3[3]) + i0), (r0 + k));
            }
        }
    }
}

struct frit_kernel_words {
    void* p0[2];
    long long n2[1];
    void* p3[7];
    long long n10[7];
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
    f32 l1[4];
    f32 l2[4];
    f32 l3[4];
    f32 l4[4];
    f32 r0[4];
    f32 r1[4];
    if (full) {
        frit_load<4, 4>(l0, (((const f32*)w.p3[0]) + first));
        frit_load<4, 4>(l1, (((const f32*)w.p3[1]) + first));
        frit_load<4, 4>(l2, (((const f32*)w.p3[2]) + first));
        frit_load<4, 4>(l3, (((const f32*)w.p3[3]) + first));
        frit_load<4, 4>(l4, (((const f32*)w.p3[4]) + first));
    } else {
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            const int i0 = (int)(((first + (unsigned)k) < n) ? (first + (unsigned)k) : first);
            l0[k] = *(((const f32*)w.p3[0]) + i0);
            l1[k] = *(((const f32*)w.p3[1]) + i0);
            l2[k] = *(((const f32*)w.p3[2]) + i0);
            l3[k] = *(((const f32*)w.p3[3]) + i0);
            l4[k] = *(((const f32*)w.p3[4]) + i0);
        }
    }
#pragma unroll
    for (int k = 0; k < 4; k += 1) {
        const f32 t0 = l0[k];
        const f32 t1 = __uint_as_float((unsigned)w.n10[0]);
        const f32 t2 = __uint_as_float((unsigned)w.n10[1]);
        const f32 t3 = __uint_as_float((unsigned)w.n10[2]);
        const f32 t4 = l1[k];
        const f32 t5 = t3 * t4;
        const f32 t6 = l2[k];
        const f32 t7 = fmaf(t5, t4, t6);
        const f32 t8 = l3[k];
        const f32 t9 = l4[k];
        const f32 t10 = frit_div(t0, t9);
        const f32 t11 = logf(t10);
        const f32 t12 = fmaf(t7, t8, t11);
        const f32 t13 = sqrtf(t8);
        const f32 t14 = t4 * t13;
        const f32 t15 = frit_div(t12, t14);
        const f32 t16 = __uint_as_float((unsigned)w.n10[3]);
        const f32 t17 = t15 * t16;
        const f32 t18 = erff(t17);
        const f32 t19 = t2 + t18;
        const f32 t20 = t1 * t19;
        const f32 t21 = -t6;
        const f32 t22 = t21 * t8;
        const f32 t23 = expf(t22);
        const f32 t24 = t9 * t23;
        const f32 t25 = __uint_as_float((unsigned)w.n10[4]);
        const f32 t26 = __uint_as_float((unsigned)w.n10[5]);
        const f32 t27 = fmaf(-t4, t13, t15);
        const f32 t28 = __uint_as_float((unsigned)w.n10[6]);
        const f32 t29 = t27 * t28;
        const f32 t30 = erff(t29);
        const f32 t31 = t26 + t30;
        const f32 t32 = t25 * t31;
        const f32 t33 = t24 * t32;
        const f32 t34 = fmaf(t0, t20, -t33);
        const f32 t35 = t34 - t0;
        const f32 t36 = fmaf(t9, t23, t35);
        r0[k] = t34;
        r1[k] = t36;
    }
    if (full) {
        frit_stream<4, 4>((((f32*)w.p3[5]) + first), r0);
        frit_stream<4, 4>((((f32*)w.p3[6]) + first), r1);
    } else {
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            if (((first + (unsigned)k) < n)) {
                const int i0 = (int)(first + (unsigned)k);
                frit_stream<1, 1>((((f32*)w.p3[5]) + i0), (r0 + k));
                frit_stream<1, 1>((((f32*)w.p3[6]) + i0), (r1 + k));
            }
        }
    }
}

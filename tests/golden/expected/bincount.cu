struct frit_kernel_words {
    void* p0[2];
    long long n2[1];
    void* p3[1];
    long long n4[1];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = ((unsigned)w.n2[0]);
    const unsigned first = ((blockIdx.x * 256) + (threadIdx.x * 2));
    if ((n <= first)) {
        return;
    }
    const bool full = ((first + 1) < n);
    i64 r0[2];
#pragma unroll
    for (int k = 0; k < 2; k += 1) {
        const i64 t0 = i64((i64::value)w.n4[0]);
        const i64 t1 = t0;
        r0[k] = t1;
    }
    if (full) {
        frit_stream<2, 2>((((i64*)w.p3[0]) + first), r0);
    } else {
#pragma unroll
        for (int k = 0; k < 2; k += 1) {
            if (((first + (unsigned)k) < n)) {
                const int i0 = (int)(first + (unsigned)k);
                frit_stream<1, 1>((((i64*)w.p3[0]) + i0), (r0 + k));
            }
        }
    }
}
struct frit_kernel_words {
    void* p0[2];
    long long n2[1];
    void* p3[2];
    long long n5[3];
};
extern "C" __global__ void __launch_bounds__(512, 2)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = ((unsigned)w.n2[0]);
    const unsigned jump = (gridDim.x * 2048);
    __shared__ unsigned counters[12288];
    const unsigned elements = ((unsigned)w.n5[1]);
    const unsigned copies = ((elements < 384) ? 32 : ((elements < 768) ? 16 : ((elements < 1536) ? 8 : ((elements < 3072) ? 4 : ((elements < 6144) ? 2 : 1)))));
    const unsigned own = (threadIdx.x & (copies - 1));
    for (unsigned k = threadIdx.x; k < ((elements + 1) * copies); k += 512) {
        counters[k] = 0;
    }
    __syncthreads();
    for (unsigned first = (((blockIdx.x * 512) + threadIdx.x) * 4); first < n; first += (jump * 4)) {
        const bool full = (((first + (jump * 3)) + 3) < n);
        if (full) {
            i32 l0[16];
            frit_load<4, 4>(l0, (((const i32*)w.p3[0]) + first));
            frit_load<4, 4>((l0 + 4), (((const i32*)w.p3[0]) + (first + jump)));
            frit_load<4, 4>((l0 + 8), (((const i32*)w.p3[0]) + (first + (jump * 2))));
            frit_load<4, 4>((l0 + 12), (((const i32*)w.p3[0]) + (first + (jump * 3))));
#pragma unroll
            for (int k = 0; k < 16; k += 1) {
                const i32 t0 = l0[k];
                const i32 t1 = i32((i32::value)w.n5[0]);
                const i32 t2 = frit_fmod(t0, t1);
                const i64 t3 = i64(i64::value(t2.v));
                const i64 t4 = i64((i64::value)w.n5[1]);
                const i64 t5 = frit_index(t3, t4, ((u64*)w.p0[0]));
                const i32 t6 = i32(i32::value(t5.v));
                frit_add_at((counters + ((frit_min<unsigned>((unsigned)(t6), elements) * copies) + own)), 1);
            }
        } else {
#pragma unroll 1
            for (int g = 0; g < 4; g += 1) {
                const unsigned at = (first + ((unsigned)g * jump));
                if (((at + 3) < n)) {
                    i32 l0[4];
                    frit_load<4, 4>(l0, (((const i32*)w.p3[0]) + at));
#pragma unroll
                    for (int k = 0; k < 4; k += 1) {
                        const i32 t0 = l0[k];
                        const i32 t1 = i32((i32::value)w.n5[0]);
                        const i32 t2 = frit_fmod(t0, t1);
                        const i64 t3 = i64(i64::value(t2.v));
                        const i64 t4 = i64((i64::value)w.n5[1]);
                        const i64 t5 = frit_index(t3, t4, ((u64*)w.p0[0]));
                        const i32 t6 = i32(i32::value(t5.v));
                        frit_add_at((counters + ((frit_min<unsigned>((unsigned)(t6), elements) * copies) + own)), 1);
                    }
                } else {
#pragma unroll 1
                    for (int e = 0; e < 4; e += 1) {
                        const unsigned at_2 = (at + (unsigned)e);
                        if ((at_2 < n)) {
                            i32 l0[1];
                            const int i0 = (int)at_2;
                            l0[0] = *(((const i32*)w.p3[0]) + i0);
                            const i32 t0 = l0[0];
                            const i32 t1 = i32((i32::value)w.n5[0]);
                            const i32 t2 = frit_fmod(t0, t1);
                            const i64 t3 = i64(i64::value(t2.v));
                            const i64 t4 = i64((i64::value)w.n5[1]);
                            const i64 t5 = frit_index(t3, t4, ((u64*)w.p0[0]));
                            const i32 t6 = i32(i32::value(t5.v));
                            frit_add_at((counters + ((frit_min<unsigned>((unsigned)(t6), elements) * copies) + own)), 1);
                        }
                    }
                }
            }
        }
    }
    __syncthreads();
    for (unsigned element = threadIdx.x; element < elements; element += 512) {
        unsigned sum = 0;
        for (unsigned k = 0; k < copies; k += 1) {
            sum = (sum + counters[((element * copies) + ((k + threadIdx.x) & (copies - 1)))]);
        }
        if ((sum != 0)) {
            frit_add_at((((i64*)w.p3[1]) + element), i64(i64::value(u32(sum).v)) * i64((i64::value)w.n5[2]));
        }
    }
}

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
    i32 l0[4];
    bool r0[4];
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
        const i32 t1 = i32((i32::value)w.n5[0]);
        const i32 t2 = frit_fmod(t0, t1);
        const i32 t3 = i32((i32::value)w.n5[1]);
        const bool t4 = t2 == t3;
        r0[k] = t4;
    }
    if (full) {
        frit_stream<4, 4>((((bool*)w.p3[1]) + first), r0);
    } else {
#pragma unroll
        for (int k = 0; k < 4; k += 1) {
            if (((first + (unsigned)k) < n)) {
                const int i0 = (int)(first + (unsigned)k);
                frit_stream<1, 1>((((bool*)w.p3[1]) + i0), (r0 + k));
            }
        }
    }
}
struct frit_kernel_words {
    void* p0[2];
    long long n2[2];
    void* p4[4];
    long long n8[2];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const int column = (int)(((blockIdx.x * blockDim.x) + threadIdx.x) * 2);
    const int columns = (int)((unsigned)w.n2[1]);
    const int rows = (int)((unsigned)w.n2[0]);
    if ((columns <= column)) {
        return;
    }
    const unsigned bands = ((unsigned)w.n2[0]);
    const unsigned band = ((((blockIdx.z * gridDim.y) + blockIdx.y) * blockDim.y) + threadIdx.y);
    if ((bands <= band)) {
        return;
    }
    const int row = (int)band;
    const bool full = (((row + 1) <= rows) && ((column + 2) <= columns));
    if (full) {
        bool l0[2];
        f64 l1[2];
        i32 l2[2];
        f64 r0[2];
        const bool* const p0 = (((const bool*)w.p4[0]) + column);
        bool w0[2];
        frit_load<2, 2>(w0, p0);
#pragma unroll
        for (int k = 0; k < 2; k += 1) {
            l0[k] = w0[k];
        }
        const i32* const p2 = (((const i32*)w.p4[2]) + column);
        i32 w2[2];
        frit_load<2, 2>(w2, p2);
#pragma unroll
        for (int k = 0; k < 2; k += 1) {
            l2[k] = w2[k];
        }
#pragma unroll
        for (int k = 0; k < 2; k += 1) {
            const int i0 = row;
            l1[k] = *(((const f64*)w.p4[1]) + i0);
        }
#pragma unroll
        for (int k = 0; k < 2; k += 1) {
            const bool t0 = l0[k];
            const f64 t1 = l1[k];
            const i32 t2 = l2[k];
            const f64 t3 = (f64)t2.v;
            const f64 t4 = t1 * t3;
            const f64 t5 = __longlong_as_double(w.n8[1]);
            const f64 t6 = frit_where(t0, t4, t5);
            r0[k] = t6;
        }
        const int i0 = row;
        const int i1 = column;
        frit_stream<2, 2>((((f64*)w.p4[3]) + ((((int)w.n8[0]) * i0) + i1)), r0);
    } else {
        int at = row;
#pragma unroll 1
        while (((at < (row + 1)) && (at < rows))) {
            bool l0[2];
            f64 l1[2];
            i32 l2[2];
            f64 r0[2];
#pragma unroll
            for (int k = 0; k < 2; k += 1) {
                const int i0 = at;
                const int i1 = (((column + k) < columns) ? (column + k) : column);
                l0[k] = *(((const bool*)w.p4[0]) + i1);
                l1[k] = *(((const f64*)w.p4[1]) + i0);
                l2[k] = *(((const i32*)w.p4[2]) + i1);
            }
#pragma unroll
            for (int k = 0; k < 2; k += 1) {
                const bool t0 = l0[k];
                const f64 t1 = l1[k];
                const i32 t2 = l2[k];
                const f64 t3 = (f64)t2.v;
                const f64 t4 = t1 * t3;
                const f64 t5 = __longlong_as_double(w.n8[1]);
                const f64 t6 = frit_where(t0, t4, t5);
                r0[k] = t6;
            }
#pragma unroll
            for (int k = 0; k < 2; k += 1) {
                if (((column + k) < columns)) {
                    const int i0 = at;
                    const int i1 = (column + k);
                    frit_stream<1, 1>((((f64*)w.p4[3]) + ((((int)w.n8[0]) * i0) + i1)), (r0 + k));
                }
            }
            at = (at + 1);
        }
    }
}

struct frit_kernel_words {
    void* head[2];
    long long extent[1];
    void* pointer[2];
    unsigned long long scalar[2];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = (unsigned)w.extent[0];
    const unsigned first = (unsigned)blockIdx.x * 512 + threadIdx.x * 4;
    if (first >= n) return;
    const bool full = first + 3 < n;
    i32 l0[4];
    bool r0[4];
    if (full) {
        frit_load<4, 4>(l0 + 0, ((const i32*)w.pointer[0]) + (first));
    } else {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int i0 = (int)(first + k < n ? first + k : first);
            l0[k] = ((const i32*)w.pointer[0])[i0];
        }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const i32 t0 = l0[k];
        const i32 t1 = i32((i32::value)w.scalar[0]);
        const i32 t2 = frit_fmod(t0, t1);
        const i32 t3 = i32((i32::value)w.scalar[1]);
        const bool t4 = t2 == t3;
        r0[k] = t4;
    }
    if (full) {
        frit_stream<4, 4>(((bool*)w.pointer[1]) + (first), r0 + 0);
    } else {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (first + k < n) {
                const int i0 = (int)(first + k);
                frit_stream<1, 1>(((bool*)w.pointer[1]) + (i0), r0 + k);
            }
        }
    }
}
struct frit_kernel_words {
    void* head[2];
    long long extent[2];
    void* pointer[4];
    long long step[1];
    unsigned long long scalar[1];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const int column = (int)(((unsigned)blockIdx.x * blockDim.x + threadIdx.x) * 2);
    const int columns = (int)w.extent[1], rows = (int)w.extent[0];
    if (column >= columns) return;
    const unsigned bands = (unsigned)w.extent[0];
    const unsigned band = ((unsigned)blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y;
    if (band >= bands) return;
    const int row = (int)(band * 1);
    const bool full = row + 1 <= rows && column + 2 <= columns;
    if (full) {
        bool l0[2];
        f64 l1[2];
        i32 l2[2];
        f64 r0[2];
        {
            [[maybe_unused]] const int i0 = row, i1 = column;
            {
                const bool* const p0 = ((const bool*)w.pointer[0]) + (i1);
                bool w0[2];
                frit_load<2, 2>(w0 + 0, p0);
#pragma unroll
                for (int k = 0; k < 2; ++k) {
                    l0[k] = w0[k + 0];
                }
            }
            {
                const i32* const p2 = ((const i32*)w.pointer[2]) + (i1);
                i32 w2[2];
                frit_load<2, 2>(w2 + 0, p2);
#pragma unroll
                for (int k = 0; k < 2; ++k) {
                    l2[k] = w2[k + 0];
                }
            }
        }
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            [[maybe_unused]] const int i0 = row, i1 = column + k;
            l1[k] = ((const f64*)w.pointer[1])[i0];
        }
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const bool t0 = l0[k];
            const f64 t1 = l1[k];
            const i32 t2 = l2[k];
            const f64 t3 = (f64)t2.v;
            const f64 t4 = t1 * t3;
            const f64 t5 = __longlong_as_double((long long)w.scalar[0]);
            const f64 t6 = frit_where(t0, t4, t5);
            r0[k] = t6;
        }
#pragma unroll
        for (int k = 0; k < 2; k += 2) {
            [[maybe_unused]] const int i0 = row, i1 = column + k;
            frit_stream<2, 2>(((f64*)w.pointer[3]) + ((int)w.step[0] * i0 + i1), r0 + k);
        }
    } else {
#pragma unroll 1
        for (int at = row; at < row + 1 && at < rows; ++at) {
            bool l0[2];
            f64 l1[2];
            i32 l2[2];
            f64 r0[2];
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                [[maybe_unused]] const int i0 = at, i1 = column + k < columns ? column + k : column;
                l0[k] = ((const bool*)w.pointer[0])[i1];
                l1[k] = ((const f64*)w.pointer[1])[i0];
                l2[k] = ((const i32*)w.pointer[2])[i1];
            }
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                const bool t0 = l0[k];
                const f64 t1 = l1[k];
                const i32 t2 = l2[k];
                const f64 t3 = (f64)t2.v;
                const f64 t4 = t1 * t3;
                const f64 t5 = __longlong_as_double((long long)w.scalar[0]);
                const f64 t6 = frit_where(t0, t4, t5);
                r0[k] = t6;
            }
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                if (column + k >= columns) break;
                [[maybe_unused]] const int i0 = at, i1 = column + k;
                frit_stream<1, 1>(((f64*)w.pointer[3]) + ((int)w.step[0] * i0 + i1), r0 + k);
            }
        }
    }
}

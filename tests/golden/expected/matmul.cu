struct frit_kernel_words {
    void* head[2];
    long long extent[2];
    void* pointer[2];
    long long step[2];
    unsigned long long scalar[1];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned column = (unsigned)blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= (unsigned)w.extent[1]) return;
    const int i1 = (int)column;
    const unsigned rows = (unsigned)w.extent[0];
    for (unsigned row = (unsigned)blockIdx.y * blockDim.y * 4 + threadIdx.y; row < rows; row += (unsigned)gridDim.y * blockDim.y * 4) {
        f32 l0[4];
        f32 r0[4];
        int o0[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            unsigned rest = row + k * blockDim.y < rows ? row + k * blockDim.y : row;
            const int i0 = (int)rest;
            l0[k] = ((const f32*)w.pointer[0])[i0 + (int)w.step[0] * i1];
            o0[k] = (int)w.step[1] * i0 + i1;
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const f32 t0 = l0[k];
            const f32 t1 = __uint_as_float((unsigned)w.scalar[0]);
            const f32 t2 = t0 * t1;
            r0[k] = t2;
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (row + k * blockDim.y < rows) {
                frit_stream<1, 1>(((f32*)w.pointer[1]) + (o0[k]), r0 + k);
            }
        }
    }
}
struct frit_kernel_words {
    void* head[2];
    long long extent[1];
    void* pointer[3];
};
extern "C" __global__ void __launch_bounds__(128)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = (unsigned)w.extent[0];
    const unsigned first = (unsigned)blockIdx.x * 512 + threadIdx.x * 4;
    if (first >= n) return;
    const bool full = first + 3 < n;
    f32 l0[4];
    f32 l1[4];
    f32 r0[4];
    if (full) {
        frit_load<4, 4>(l0 + 0, ((const f32*)w.pointer[0]) + (first));
        frit_load<4, 4>(l1 + 0, ((const f32*)w.pointer[1]) + (first));
    } else {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int i0 = (int)(first + k < n ? first + k : first);
            l0[k] = ((const f32*)w.pointer[0])[i0];
            l1[k] = ((const f32*)w.pointer[1])[i0];
        }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const f32 t0 = l0[k];
        const f32 t1 = l1[k];
        const f32 t2 = t0 - t1;
        r0[k] = t2;
    }
    if (full) {
        frit_stream<4, 4>(((f32*)w.pointer[2]) + (first), r0 + 0);
    } else {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (first + k < n) {
                const int i0 = (int)(first + k);
                frit_stream<1, 1>(((f32*)w.pointer[2]) + (i0), r0 + k);
            }
        }
    }
}
struct frit_kernel_words {
    void* head[2];
    long long extent[2];
    void* pointer[3];
    long long step[2];
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
        f32 l0[2];
        f32 l1[2];
        f32 r0[2];
        {
            [[maybe_unused]] const int i0 = row, i1 = column;
            {
                const f32* const p0 = ((const f32*)w.pointer[0]) + ((int)w.step[0] * i0 + i1);
                [[maybe_unused]] const int s0 = (int)w.step[0];
                f32 w0[2];
                frit_load<2, 2>(w0 + 0, p0);
#pragma unroll
                for (int k = 0; k < 2; ++k) {
                    l0[k] = w0[k + 0];
                }
            }
            {
                const f32* const p1 = ((const f32*)w.pointer[1]) + (i1);
                f32 w1[2];
                frit_load<2, 2>(w1 + 0, p1);
#pragma unroll
                for (int k = 0; k < 2; ++k) {
                    l1[k] = w1[k + 0];
                }
            }
        }
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const f32 t0 = l0[k];
            const f32 t1 = l1[k];
            const f32 t2 = t0 + t1;
            const f32 t3 = __uint_as_float((unsigned)w.scalar[0]);
            const f32 t4 = frit_maximum(t2, t3);
            r0[k] = t4;
        }
#pragma unroll
        for (int k = 0; k < 2; k += 2) {
            [[maybe_unused]] const int i0 = row, i1 = column + k;
            frit_stream<2, 2>(((f32*)w.pointer[2]) + ((int)w.step[1] * i0 + i1), r0 + k);
        }
    } else {
#pragma unroll 1
        for (int at = row; at < row + 1 && at < rows; ++at) {
            f32 l0[2];
            f32 l1[2];
            f32 r0[2];
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                [[maybe_unused]] const int i0 = at, i1 = column + k < columns ? column + k : column;
                l0[k] = ((const f32*)w.pointer[0])[(int)w.step[0] * i0 + i1];
                l1[k] = ((const f32*)w.pointer[1])[i1];
            }
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                const f32 t0 = l0[k];
                const f32 t1 = l1[k];
                const f32 t2 = t0 + t1;
                const f32 t3 = __uint_as_float((unsigned)w.scalar[0]);
                const f32 t4 = frit_maximum(t2, t3);
                r0[k] = t4;
            }
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                if (column + k >= columns) break;
                [[maybe_unused]] const int i0 = at, i1 = column + k;
                frit_stream<1, 1>(((f32*)w.pointer[2]) + ((int)w.step[1] * i0 + i1), r0 + k);
            }
        }
    }
}

struct frit_kernel_words {
    void* head[2];
    long long extent[2];
    void* pointer[5];
    long long step[5];
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
        f32 l1[4];
        f32 l2[4];
        f32 l3[4];
        f32 r0[4];
        int o0[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            unsigned rest = row + k * blockDim.y < rows ? row + k * blockDim.y : row;
            const int i0 = (int)rest;
            l0[k] = ((const f32*)w.pointer[0])[(int)w.step[0] * i0 + i1];
            l1[k] = ((const f32*)w.pointer[1])[(int)w.step[1] * i0 + i1];
            l2[k] = ((const f32*)w.pointer[2])[(int)w.step[2] * i0 + i1];
            l3[k] = ((const f32*)w.pointer[3])[(int)w.step[3] * i0 + i1];
            o0[k] = (int)w.step[4] * i0 + i1;
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const f32 t0 = __uint_as_float((unsigned)w.scalar[0]);
            const f32 t1 = l0[k];
            const f32 t2 = l1[k];
            const f32 t3 = t1 + t2;
            const f32 t4 = l2[k];
            const f32 t5 = t3 + t4;
            const f32 t6 = l3[k];
            const f32 t7 = t5 + t6;
            const f32 t8 = t0 * t7;
            r0[k] = t8;
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (row + k * blockDim.y < rows) {
                frit_stream<1, 1>(((f32*)w.pointer[4]) + (o0[k]), r0 + k);
            }
        }
    }
}

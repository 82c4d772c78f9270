struct frit_kernel_words {
    void* head[2];
    long long extent[1];
    void* pointer[3];
};
__device__ inline f32 frit_kernel_combine0(f32 a, f32 b) { return a + b; }
extern "C" __global__ void __launch_bounds__(256)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned n = (unsigned)w.extent[0];
    const unsigned jump = (unsigned)gridDim.x * 1024;
    f32 a0[4] = {f32(0), f32(0), f32(0), f32(0)};
    for (unsigned first = ((unsigned)blockIdx.x * 256 + threadIdx.x) * 4; first < n; first += 2 * jump) {
        const bool full = first + 1 * jump + 3 < n;
        f32 l0[8];
        f32 l1[8];
        if (full) {
            frit_load<4, 4>(l0 + 0, ((const f32*)w.pointer[0]) + (first));
            frit_load<4, 4>(l0 + 4, ((const f32*)w.pointer[0]) + (first + 1 * jump));
            frit_load<4, 4>(l1 + 0, ((const f32*)w.pointer[1]) + (first));
            frit_load<4, 4>(l1 + 4, ((const f32*)w.pointer[1]) + (first + 1 * jump));
        } else {
#pragma unroll
            for (int k = 0; k < 8; ++k) {
                const int i0 = (int)(first + k / 4 * jump + k % 4 < n ? first + k / 4 * jump + k % 4 : first);
                l0[k] = ((const f32*)w.pointer[0])[i0];
                l1[k] = ((const f32*)w.pointer[1])[i0];
            }
        }
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const f32 t0 = l0[k];
            const f32 t1 = l1[k];
            const f32 t2 = t0 - t1;
            const f32 t3 = t2 * t2;
            const bool inside = full || first + k / 4 * jump + k % 4 < n;
            const f32 next0 = inside ? frit_kernel_combine0(a0[0], t3) : a0[0];
            a0[0] = a0[1];
            a0[1] = a0[2];
            a0[2] = a0[3];
            a0[3] = next0;
        }
    }
    f32* partial0 = (f32*)((char*)w.head[1] + 16 + 0 * 8ull * gridDim.x);
    const f32 block0 = frit_block_total<8, f32, frit_kernel_combine0>(frit_kernel_combine0(frit_kernel_combine0(a0[0], a0[2]), frit_kernel_combine0(a0[1], a0[3])));
    if (threadIdx.x == 0) partial0[blockIdx.x] = block0;
    if (!frit_last_block((unsigned*)w.head[1])) return;
    f32 sum0 = f32(0);
    for (unsigned b = threadIdx.x; b < gridDim.x; b += 256) sum0 = frit_kernel_combine0(sum0, partial0[b]);
    const f32 total0 = frit_block_total<8, f32, frit_kernel_combine0>(sum0);
    if (threadIdx.x != 0) return;
    const f32 e0 = total0;
    *((f32*)w.pointer[2]) = e0;
}

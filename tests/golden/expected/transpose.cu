struct frit_kernel_words {
    void* p0[2];
    long long n2[2];
    void* p4[3];
    long long n7[3];
};
extern "C" __global__ void __launch_bounds__(256)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned columns = ((unsigned)w.n2[1]);
    const unsigned rows = ((unsigned)w.n2[0]);
    const unsigned wide = ((columns + 63) / 64);
    const unsigned left = ((blockIdx.x % wide) * 64);
    const unsigned top = ((blockIdx.x / wide) * 64);
    const unsigned x = (threadIdx.x % 16);
    const unsigned y = (threadIdx.x / 16);
    alignas(16) __shared__ f32 tile_l1[4096];
    f32 q1[16];
#pragma unroll
    for (int j = 0; j < 1; j += 1) {
        const unsigned square = (threadIdx.x + (unsigned)(j * 256));
        const unsigned down = (square % 16);
        const unsigned right = (square / 16);
        if ((((top + (down * 4)) < rows) && ((left + (right * 4)) < columns))) {
            const int i0 = (int)(top + (down * 4));
#pragma unroll
            for (int v = 0; v < 4; v += 1) {
                const int i1 = (int)((left + (right * 4)) + (unsigned)v);
                frit_load<4, 4>((q1 + (((j * 4) + v) * 4)), (((const f32*)w.p4[1]) + (i0 + (((int)w.n7[1]) * i1))));
            }
        }
    }
    f32 l0[16];
#pragma unroll
    for (int s = 0; s < 4; s += 1) {
        const unsigned down = (y + (unsigned)(s * 16));
        if ((((top + down) < rows) && ((left + (x * 4)) < columns))) {
            const int i0 = (int)(top + down);
            const int i1 = (int)(left + (x * 4));
            frit_load<4, 4>((l0 + (s * 4)), (((const f32*)w.p4[0]) + ((((int)w.n7[0]) * i0) + i1)));
        }
    }
#pragma unroll
    for (int j = 0; j < 1; j += 1) {
        const unsigned square = (threadIdx.x + (unsigned)(j * 256));
        const unsigned down = (square % 16);
        const unsigned right = (square / 16);
        if ((((top + (down * 4)) < rows) && ((left + (right * 4)) < columns))) {
#pragma unroll
            for (int v = 0; v < 4; v += 1) {
                *(frit_pack<f32, 4>*)((frit_pack<f32, 4>*)tile_l1)[((((down * 4) + (unsigned)v) * 16) + (right ^ (down & 7)))].at = frit_every<4, 4>((q1 + ((j * 16) + v)));
            }
        }
    }
    __syncthreads();
#pragma unroll
    for (int s = 0; s < 4; s += 1) {
        const unsigned down = (y + (unsigned)(s * 16));
        if ((((top + down) < rows) && ((left + (x * 4)) < columns))) {
            const int i0 = (int)(top + down);
            const int i1 = (int)(left + (x * 4));
            f32 l1[4];
            frit_load<4, 4>(l1, ((frit_pack<f32, 4>*)tile_l1)[((down * 16) + (x ^ ((down / 4) & 7)))].at);
            f32 r0[4];
#pragma unroll
            for (int k = 0; k < 4; k += 1) {
                const f32 t0 = l0[((s * 4) + k)];
                const f32 t1 = l1[k];
                const f32 t2 = t0 + t1;
                r0[k] = t2;
            }
            frit_stream<4, 4>((((f32*)w.p4[2]) + ((((int)w.n7[2]) * i0) + i1)), r0);
        }
    }
}

struct frit_kernel_words {
    void* head[2];
    long long extent[2];
    void* pointer[3];
    long long step[3];
};
extern "C" __global__ void __launch_bounds__(256)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned columns = (unsigned)w.extent[1], rows = (unsigned)w.extent[0];
    const unsigned wide = (columns + 63) / 64;
    unsigned tile = blockIdx.x;
    const unsigned left = tile % wide * 64, top = tile / wide * 64;
    const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
    __shared__ frit_pack<f32, 4> tile_l1[1024];
    f32 q1[16];
#pragma unroll
    for (int j = 0; j < 1; ++j) {
        const unsigned square = threadIdx.x + j * 256, down = square % 16, right = square / 16;
        if (top + down * 4 < rows && left + right * 4 < columns) {
            [[maybe_unused]] const int i0 = (int)(top + down * 4);
#pragma unroll
            for (int v = 0; v < 4; ++v) {
                [[maybe_unused]] const int i1 = (int)(left + right * 4 + v);
                frit_load<4, 4>(q1 + (j * 4 + v) * 4, ((const f32*)w.pointer[1]) + (i0 + (int)w.step[1] * i1));
            }
        }
    }
    f32 l0[16];
#pragma unroll
    for (int s = 0; s < 4; ++s) {
        const unsigned down = y + s * 16;
        if (top + down < rows && left + x * 4 < columns) {
            [[maybe_unused]] const int i0 = (int)(top + down);
            [[maybe_unused]] const int i1 = (int)(left + x * 4);
            frit_load<4, 4>(l0 + s * 4, ((const f32*)w.pointer[0]) + ((int)w.step[0] * i0 + i1));
        }
    }
#pragma unroll
    for (int j = 0; j < 1; ++j) {
        const unsigned square = threadIdx.x + j * 256, down = square % 16, right = square / 16;
        if (top + down * 4 < rows && left + right * 4 < columns) {
#pragma unroll
            for (int v = 0; v < 4; ++v) {
                tile_l1[(down * 4 + v) * 16 + (right ^ (down & 7))] = frit_every<4, 4>(q1 + j * 16 + v);
            }
        }
    }
    __syncthreads();
#pragma unroll
    for (int s = 0; s < 4; ++s) {
        const unsigned down = y + s * 16;
        if (top + down < rows && left + x * 4 < columns) {
            [[maybe_unused]] const int i0 = (int)(top + down);
            [[maybe_unused]] const int i1 = (int)(left + x * 4);
            f32 l1[4];
            frit_load<4, 4>(l1, tile_l1[(down) * 16 + (x ^ (down / 4 & 7))].at);
            f32 r0[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                [[maybe_unused]] const int i1 = (int)(left + x * 4 + k);
                const f32 t0 = l0[s * 4 + k];
                const f32 t1 = l1[k];
                const f32 t2 = t0 + t1;
                r0[k] = t2;
            }
            frit_stream<4, 4>(((f32*)w.pointer[2]) + ((int)w.step[2] * i0 + i1), r0);
        }
    }
}

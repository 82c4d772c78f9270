struct frit_kernel_words {
    void* p0[2];
    long long n2[2];
    void* p4[3];
};
struct frit_kernel_acc0 {
    f32 p0;
    static __device__ inline frit_kernel_acc0 start() {
        return {__uint_as_float(0u)};
    }
    static __device__ inline frit_kernel_acc0 combine(const frit_kernel_acc0& a, const frit_kernel_acc0& b) {
        const f32 c0 = a.p0;
        const f32 c1 = b.p0;
        const f32 c2 = c0 + c1;
        return {c2};
    }
    static __device__ inline frit_kernel_acc0 take(const frit_kernel_acc0& a, const frit_kernel_acc0& b) {
        return combine(a, b);
    }
    static __device__ inline frit_kernel_acc0 down(const frit_kernel_acc0& a, int by) {
        return {frit_down(a.p0, by)};
    }
    static __device__ inline frit_kernel_acc0 from(const frit_kernel_acc0& a, int lane) {
        return {frit_from(a.p0, lane)};
    }
};
extern "C" __global__ void __launch_bounds__(256)
frit_kernel(const __grid_constant__ frit_kernel_words w) {
    const unsigned tid = threadIdx.y;
    const unsigned n = ((unsigned)w.n2[1]);
    const unsigned rows = ((unsigned)w.n2[0]);
    const unsigned width = ((unsigned)w.n2[0]);
    const unsigned wide = (((width + (blockDim.x * 4)) - 1) / (blockDim.x * 4));
    const unsigned tiles = ((rows / width) * wide);
    unsigned tile = ((blockIdx.y * gridDim.x) + blockIdx.x);
    const unsigned chunks = ((1024 < n) ? ((n + 1023) / 1024) : 1);
    const bool split = ((1 < chunks) && (tiles <= 65536));
    unsigned chunk = 0;
    if (split) {
        chunk = (tile / tiles);
        tile = (tile % tiles);
    }
    if (!(tile < tiles)) {
        return;
    }
    const unsigned across = (((tile % wide) * (blockDim.x * 4)) + threadIdx.x);
    bool real[4];
#pragma unroll
    for (int m = 0; m < 4; m += 1) {
        real[m] = ((across + ((unsigned)m * blockDim.x)) < width);
    }
    __shared__ u64 column[256];
    f32 l0[4];
#pragma unroll
    for (int m = 0; m < 4; m += 1) {
        const int i0 = (int)(across + ((unsigned)m * blockDim.x));
        l0[m] = (real[m] ? *(((const f32*)w.p4[0]) + i0) : f32{});
    }
    f32 s0[4];
#pragma unroll
    for (int m = 0; m < 4; m += 1) {
        const f32 e0 = l0[m];
        s0[m] = e0;
    }
    frit_kernel_acc0 a0[4];
    const unsigned base = (((tile / wide) * width) + across);
    frit_kernel_acc0* const partial0 = (((frit_kernel_acc0*)(((u8*)w.p0[1]) + 262144)) + base);
    while ((chunk < chunks)) {
        const unsigned begin = (chunk * 1024);
#pragma unroll
        for (int m = 0; m < 4; m += 1) {
            a0[m] = frit_kernel_acc0::start();
        }
        const unsigned stop = frit_min<unsigned>(n, (begin + 1024));
        for (unsigned at = (begin + (tid * 32)); at < stop; at += 128) {
            frit_kernel_acc0 x0[4];
#pragma unroll
            for (int m = 0; m < 4; m += 1) {
                x0[m] = frit_kernel_acc0::start();
            }
            if (((at + 32) <= stop)) {
#pragma unroll 2
                for (int q = 0; q < 32; q += 4) {
                    f32 l1[4];
                    const int i1 = (int)(at + (unsigned)q);
                    frit_load<4, 4>(l1, (((const f32*)w.p4[1]) + i1));
#pragma unroll
                    for (int m = 0; m < 4; m += 1) {
#pragma unroll
                        for (int k = 0; k < 4; k += 1) {
                            const f32 t0 = s0[m];
                            const f32 t1 = l1[k];
                            const f32 t2 = t0 - t1;
                            const f32 t3 = frit_abs(t2);
                            x0[m] = frit_kernel_acc0::take(x0[m], frit_kernel_acc0{t3});
                        }
                    }
                }
            } else {
                const int count = (int)(stop - at);
                for (int q = 0; q < count; q += 1) {
                    f32 l1[1];
                    const int i1 = (int)(at + (unsigned)q);
                    l1[0] = *(((const f32*)w.p4[1]) + i1);
#pragma unroll
                    for (int m = 0; m < 4; m += 1) {
                        const f32 t0 = s0[m];
                        const f32 t1 = l1[0];
                        const f32 t2 = t0 - t1;
                        const f32 t3 = frit_abs(t2);
                        x0[m] = frit_kernel_acc0::take(x0[m], frit_kernel_acc0{t3});
                    }
                }
            }
#pragma unroll
            for (int m = 0; m < 4; m += 1) {
                a0[m] = frit_kernel_acc0::take(a0[m], x0[m]);
            }
        }
#pragma unroll
        for (int m = 0; m < 4; m += 1) {
            a0[m] = frit_column_total<4, frit_kernel_acc0>(a0[m], ((frit_kernel_acc0*)column));
        }
        if ((1 < chunks)) {
#pragma unroll
            for (int m = 0; m < 4; m += 1) {
                if (((tid == 0) && real[m])) {
                    *(partial0 + ((chunk * rows) + ((unsigned)m * blockDim.x))) = a0[m];
                }
            }
            __syncthreads();
        }
        chunk = (chunk + (split ? chunks : 1));
    }
    if ((1 < chunks)) {
        if ((split && !frit_last_block((unsigned*)(((u32*)w.p0[1]) + tile), chunks))) {
            return;
        }
#pragma unroll
        for (int m = 0; m < 4; m += 1) {
            a0[m] = frit_kernel_acc0::start();
        }
#pragma unroll
        for (int m = 0; m < 4; m += 1) {
            if (real[m]) {
                for (unsigned c = tid; c < chunks; c += 4) {
                    a0[m] = frit_kernel_acc0::take(a0[m], *(partial0 + ((c * rows) + ((unsigned)m * blockDim.x))));
                }
            }
        }
#pragma unroll
        for (int m = 0; m < 4; m += 1) {
            a0[m] = frit_column_total<4, frit_kernel_acc0>(a0[m], ((frit_kernel_acc0*)column));
        }
    }
    if ((tid == 0)) {
#pragma unroll
        for (int m = 0; m < 4; m += 1) {
            const int i0 = (int)(across + ((unsigned)m * blockDim.x));
            if (real[m]) {
                const f32 e1 = a0[m].p0;
                f32 one[1];
                one[0] = e1;
                frit_stream<1, 1>((((f32*)w.p4[2]) + i0), one);
            }
        }
    }
}

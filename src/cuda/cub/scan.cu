// Running sums, products, maxima and minima along rows, in two passes over the data: totals of tiles, then every tile from
// the total of those before it. cub::DeviceScan makes one pass, but adds up tile totals in the order in which blocks happen
// to finish ("results are not deterministic for pseudo-associative operators", as CUB says): here the order of every
// addition follows from the row's length alone. Within a tile: CUB's block primitives.
#include <algorithm>

#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

#include "src/cuda/cub/parts.cuh"

namespace frit_cub {
namespace {

constexpr int threads = 256;
// Of a thread: as many as shared memory has room for.
template <class T>
constexpr int items = sizeof(T) > 8 ? 8 : 16;
template <class T>
constexpr int tile = threads* items<T>;
constexpr std::int64_t most_blocks = 0x7fffffff;

// Rounded, also where something is added: else a number times its conjugate would not be real.
__device__ float times(float a, float b) { return __fmul_rn(a, b); }
__device__ double times(double a, double b) { return __dmul_rn(a, b); }

template <class T>
struct alignas(2 * sizeof(T)) complex {
    T re, im;
    friend __device__ complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
    friend __device__ complex operator*(complex a, complex b) {
        return {times(a.re, b.re) - times(a.im, b.im), times(a.re, b.im) + times(a.im, b.re)};
    }
    // As the table's: by real parts, then by imaginary ones; NaN if a part is.
    friend __device__ bool operator<=(complex a, complex b) {
        return (a.re < b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im <= b.im);
    }
    friend __device__ bool operator!=(complex a, complex b) { return a.re != b.re || a.im != b.im; }
};

struct sum {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a + b;
    }
};
struct product {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a * b;
    }
};
// A NaN stays: a's by the test, b's because no comparison with it holds.
struct maximum {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a > b || a != a ? a : b;
    }
    template <class T>
    __device__ complex<T> operator()(complex<T> a, complex<T> b) const {
        return b <= a || a != a ? a : b;
    }
};
struct minimum {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a < b || a != a ? a : b;
    }
    template <class T>
    __device__ complex<T> operator()(complex<T> a, complex<T> b) const {
        return a <= b || a != a ? a : b;
    }
};

// What the kernels know of a call. All tiles of a row but its last are full.
struct layout {
    std::int64_t rows, length, tiles;  // tiles: of a row
};

// totals[row][k]: of full tile k of the row; the last tile's is never asked for.
template <class T, class Op>
__global__ void __launch_bounds__(threads) tile_totals(layout at, const T* from, T* totals) {
    using load = cub::BlockLoad<T, threads, items<T>, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using reduce = cub::BlockReduce<T, threads>;
    __shared__ union {
        typename load::TempStorage loading;
        typename reduce::TempStorage reducing;
    } shared;
    const std::int64_t full = at.tiles - 1;
    for (std::int64_t k = blockIdx.x; k < at.rows * full; k += gridDim.x) {
        T x[items<T>];
        load(shared.loading).Load(from + k / full * at.length + k % full * tile<T>, x);
        __syncthreads();
        const T total = reduce(shared.reducing).Reduce(x, Op());
        if (threadIdx.x == 0) totals[k] = total;
        __syncthreads();
    }
}

// One block a row, tile by tile; the first starts from nothing, so that a lone -0 stays one.
template <class T, class Op>
__device__ void scan_tile(const T* from, T* to, int count, bool first, T before) {
    using load = cub::BlockLoad<T, threads, items<T>, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using scan = cub::BlockScan<T, threads>;
    using store = cub::BlockStore<T, threads, items<T>, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    __shared__ union {
        typename load::TempStorage loading;
        typename scan::TempStorage scanning;
        typename store::TempStorage storing;
    } shared;
    T x[items<T>];
    if (count == tile<T>)
        load(shared.loading).Load(from, x);
    else
        load(shared.loading).Load(from, x, count, T());  // what stands behind the end goes nowhere
    __syncthreads();
    scan(shared.scanning).InclusiveScan(x, x, Op());
    __syncthreads();
    if (!first)
        for (T& v : x) v = Op()(before, v);
    if (count == tile<T>)
        store(shared.storing).Store(to, x);
    else
        store(shared.storing).Store(to, x, count);
    __syncthreads();
}

template <class T, class Op>
__global__ void __launch_bounds__(threads) scan_totals(layout at, T* totals) {
    const std::int64_t full = at.tiles - 1;
    for (std::int64_t row = blockIdx.x; row < at.rows; row += gridDim.x) {
        T* const t = totals + row * full;
        for (std::int64_t k = 0; k < full; k += tile<T>) {
            const T before = k > 0 ? t[k - 1] : T();
            scan_tile<T, Op>(t + k, t + k, static_cast<int>(full - k < tile<T> ? full - k : tile<T>), k == 0, before);
        }
    }
}

template <class T, class Op>
__global__ void __launch_bounds__(threads) scan_tiles(layout at, const T* from, T* to, const T* totals) {
    for (std::int64_t k = blockIdx.x; k < at.rows * at.tiles; k += gridDim.x) {
        const std::int64_t row = k / at.tiles, t = k % at.tiles, first = t * tile<T>, rest = at.length - first;
        const T before = t > 0 ? totals[row * (at.tiles - 1) + t - 1] : T();
        scan_tile<T, Op>(from + row * at.length + first, to + row * at.length + first,
                         static_cast<int>(rest < tile<T> ? rest : tile<T>), t == 0, before);
    }
}

unsigned blocks(std::int64_t wanted) { return static_cast<unsigned>(std::min(wanted, most_blocks)); }

template <class T, class Op>
cudaError_t run(const frit_cub_call& c, const void* from, void* to, workspace& memory, cudaStream_t stream) {
    const layout at{c.rows, c.length, (c.length + tile<T> - 1) / tile<T>};
    T* const totals = memory.take<T>(static_cast<std::size_t>(at.rows * (at.tiles - 1)));
    if (memory.counts()) return cudaSuccess;
    const T* const x = static_cast<const T*>(from);
    if (at.tiles > 1) {
        tile_totals<T, Op><<<blocks(at.rows * (at.tiles - 1)), threads, 0, stream>>>(at, x, totals);
        scan_totals<T, Op><<<blocks(at.rows), threads, 0, stream>>>(at, totals);
    }
    scan_tiles<T, Op><<<blocks(at.rows * at.tiles), threads, 0, stream>>>(at, x, static_cast<T*>(to), totals);
    return cudaGetLastError();
}

template <class Op>
cudaError_t run_complex(const frit_cub_call& c, const void* from, void* to, workspace& memory, cudaStream_t stream) {
    return c.bytes == 8 ? run<complex<float>, Op>(c, from, to, memory, stream)
                        : run<complex<double>, Op>(c, from, to, memory, stream);
}
template <class Op>
cudaError_t run_floats(const frit_cub_call& c, const void* from, void* to, workspace& memory, cudaStream_t stream) {
    return c.bytes == 4 ? run<float, Op>(c, from, to, memory, stream) : run<double, Op>(c, from, to, memory, stream);
}
// Integers wrap: sums and products of both signs go through the unsigned type.
template <class Op>
cudaError_t run_arithmetic(const frit_cub_call& c, const void* from, void* to, workspace& memory, cudaStream_t stream) {
    if (c.kind == 'c') return run_complex<Op>(c, from, to, memory, stream);
    if (c.kind == 'f') return run_floats<Op>(c, from, to, memory, stream);
    return run<unsigned long long, Op>(c, from, to, memory, stream);
}
template <class Op>
cudaError_t run_comparison(const frit_cub_call& c, const void* from, void* to, workspace& memory, cudaStream_t stream) {
    if (c.kind == 'c') return run_complex<Op>(c, from, to, memory, stream);
    if (c.kind == 'f') return run_floats<Op>(c, from, to, memory, stream);
    const bool is_signed = c.kind == 'i';
    switch (c.bytes) {
        case 1:  // a bool is 0 or 1
            return is_signed ? run<signed char, Op>(c, from, to, memory, stream)
                             : run<unsigned char, Op>(c, from, to, memory, stream);
        case 2:
            return is_signed ? run<short, Op>(c, from, to, memory, stream)
                             : run<unsigned short, Op>(c, from, to, memory, stream);
        case 4:
            return is_signed ? run<int, Op>(c, from, to, memory, stream) : run<unsigned, Op>(c, from, to, memory, stream);
        default:
            return is_signed ? run<long long, Op>(c, from, to, memory, stream)
                             : run<unsigned long long, Op>(c, from, to, memory, stream);
    }
}

}  // namespace

cudaError_t scan(const frit_cub_call& c, const void* from, void* to, workspace& memory, cudaStream_t stream) {
    const bool adds = c.operation == FRIT_CUB_CUMSUM || c.operation == FRIT_CUB_CUMPROD;
    const bool is_complex = c.kind == 'c';
    const int least = c.kind == 'f' ? 4 : adds || is_complex ? 8 : 1, most = is_complex ? 16 : 8;
    if (c.bytes < least || c.bytes > most || (c.bytes & (c.bytes - 1)) != 0 || c.kind == 'h') return cudaErrorInvalidValue;
    switch (c.operation) {
        case FRIT_CUB_CUMSUM: return run_arithmetic<sum>(c, from, to, memory, stream);
        case FRIT_CUB_CUMPROD: return run_arithmetic<product>(c, from, to, memory, stream);
        case FRIT_CUB_CUMMAX: return run_comparison<maximum>(c, from, to, memory, stream);
        case FRIT_CUB_CUMMIN: return run_comparison<minimum>(c, from, to, memory, stream);
        default: return cudaErrorInvalidValue;
    }
}

}  // namespace frit_cub

// The elements of a vector where another one, of bools, is true, in order. By their bytes, whatever they mean. Tiles of a
// fixed size are counted, then each knows where its elements begin; neighbouring threads read and write neighbours.
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include "src/cuda/cub/parts.cuh"

namespace frit_cub {
namespace {

constexpr int threads = 256, warps = threads / 32, rows = 16, tile = threads * rows, at_once = 8;

/// Number `row` of the thread's elements of its block's tile, where it exists.
__device__ std::int64_t element(int row) { return std::int64_t{blockIdx.x} * tile + row * threads + threadIdx.x; }
__device__ bool is_true(const unsigned char* mask, std::int64_t k, std::int64_t n) {
    return k < n && mask[k] != 0;  // a truth need not be 1
}

/// How many of the thread's `rows` neighbours from element k on are true.
__device__ int count_of(const unsigned char* mask, std::int64_t k, std::int64_t n) {
    int count = 0;
    if (k + rows <= n && reinterpret_cast<std::uintptr_t>(mask + k) % rows == 0) {
        const uint4 words = *reinterpret_cast<const uint4*>(mask + k);
        static_assert(sizeof words == rows);
        for (const unsigned w : {words.x, words.y, words.z, words.w}) count += __popc(__vcmpne4(w, 0)) / 8;
    } else {
        for (int j = 0; j < rows; ++j) count += is_true(mask, k + j, n);
    }
    return count;
}
__global__ void __launch_bounds__(threads) count_tiles(std::int64_t n, const unsigned char* mask, std::int64_t* counts) {
    using reduce = cub::BlockReduce<int, threads>;
    __shared__ reduce::TempStorage room;
    const int all = reduce(room).Sum(count_of(mask, std::int64_t{blockIdx.x} * tile + threadIdx.x * rows, n));
    if (threadIdx.x == 0) counts[blockIdx.x] = all;
}

// As many as there is memory for: others are dropped, or zeros follow, should the flags no longer be those that were
// counted.
template <class T>
__global__ void __launch_bounds__(threads)
    write_tiles(frit_cub_compress c, const unsigned char* mask, const T* from, const std::int64_t* starts, T* to) {
    __shared__ unsigned before[rows * warps], all;  // of the tile's elements, row by row and warp by warp
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned truths[rows];
#pragma unroll
    for (int j = 0; j < rows; ++j) truths[j] = __ballot_sync(~0U, is_true(mask, element(j), c.length));
#pragma unroll
    for (int j = 0; j < rows; ++j)
        if (lane == 0) before[j * warps + warp] = __popc(truths[j]);
    __syncthreads();
    if (warp == 0) {
        constexpr int each = rows * warps / 32;
        unsigned sum = 0, counts[each];
        for (int k = 0; k < each; ++k) sum += counts[k] = before[lane * each + k];
        unsigned running = sum;
        for (unsigned by = 1; by < 32; by *= 2) {
            const unsigned other = __shfl_up_sync(~0U, running, by);
            if (lane >= by) running += other;
        }
        running -= sum;
        for (int k = 0; k < each; ++k) {
            before[lane * each + k] = running;
            running += counts[k];
        }
        if (lane == 31) all = running;
    }
    __syncthreads();
    const std::int64_t start = starts[blockIdx.x];
#pragma unroll
    for (int first = 0; first < rows; first += at_once) {
        T values[at_once];
#pragma unroll
        for (int j = 0; j < at_once; ++j)
            if (truths[first + j] >> lane & 1) values[j] = from[element(first + j)];
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
            const unsigned row = truths[first + j];
            const std::int64_t at = start + before[(first + j) * warps + warp] + __popc(row & ((1U << lane) - 1));
            if ((row >> lane & 1) && at < c.count) to[at] = values[j];
        }
    }
    if (blockIdx.x == gridDim.x - 1)
        for (std::int64_t at = start + all + threadIdx.x; at < c.count; at += threads) to[at] = T{};
}

template <class T>
cudaError_t compress_as(const frit_cub_compress& c, const void* mask, const void* from, void* to, workspace& memory,
                        cudaStream_t stream) {
    const std::int64_t tiles = (c.length + tile - 1) / tile;
    std::int64_t* const starts = memory.take<std::int64_t>(static_cast<std::size_t>(tiles));
    std::size_t bytes = 0;
    const auto scan = [&](void* room) { return cub::DeviceScan::ExclusiveSum(room, bytes, starts, starts, tiles, stream); };
    if (const cudaError_t status = scan(nullptr); status != cudaSuccess) return status;
    void* const room = memory.take<char>(bytes);
    if (memory.counts() || tiles == 0) return cudaSuccess;
    const auto* const truths = static_cast<const unsigned char*>(mask);
    const auto blocks = static_cast<unsigned>(tiles);
    count_tiles<<<blocks, threads, 0, stream>>>(c.length, truths, starts);
    if (const cudaError_t status = scan(room); status != cudaSuccess) return status;
    write_tiles<<<blocks, threads, 0, stream>>>(c, truths, static_cast<const T*>(from), starts, static_cast<T*>(to));
    return cudaGetLastError();
}

struct sixteen_bytes {
    std::uint64_t low, high;
};

}  // namespace

cudaError_t compress(const frit_cub_compress& c, const void* mask, const void* from, void* to, workspace& memory,
                     cudaStream_t stream) {
    switch (c.bytes) {
        case 1: return compress_as<std::uint8_t>(c, mask, from, to, memory, stream);
        case 2: return compress_as<std::uint16_t>(c, mask, from, to, memory, stream);
        case 4: return compress_as<std::uint32_t>(c, mask, from, to, memory, stream);
        case 8: return compress_as<std::uint64_t>(c, mask, from, to, memory, stream);
        default: return compress_as<sixteen_bytes>(c, mask, from, to, memory, stream);
    }
}

}  // namespace frit_cub

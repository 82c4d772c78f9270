// What the two files of scatters share: a loop over numbers, the arrays of a call, which element an index means, and the way
// from one to the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "src/cuda/cub/parts.cuh"

#define FRIT_TRY(call)                                                               \
    do {                                                                             \
        if (const cudaError_t status = (call); status != cudaSuccess) return status; \
    } while (false)

namespace frit_cub {

constexpr int threads = 256;
constexpr std::int64_t most_blocks = 1 << 16;
constexpr std::int64_t many_values = 1 << 16;  // for which setting up shared memory is little

namespace {  // kernels of the file that includes this
template <class F>
__global__ void __launch_bounds__(threads) for_each_index(std::int64_t n, F f) {
    for (std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += std::int64_t{gridDim.x} * threads)
        f(i);
}
template <class F>
cudaError_t for_each(std::int64_t n, cudaStream_t stream, F f) {
    if (n == 0) return cudaSuccess;
    const std::int64_t blocks = std::min((n + threads - 1) / threads, most_blocks);
    for_each_index<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(n, f);
    return cudaGetLastError();
}
}  // namespace

/// In the place of an element's number: there is none. A Key holds more numbers than an array that it is for has elements.
template <class Key>
constexpr Key nobody = ~Key(0);

/// Which elements the values of a call are for. Key: as what numbers of elements are read, or indices of either sign.
template <class Key>
struct element_numbers {
    const Key* at;
    Key size;
    unsigned long long* fault;
    bool checked;  ///< `at` are indices, and looked at; else numbers, or nobody

    /// Of value k. Without a branch, so that several may be on their way.
    __device__ Key number(std::int64_t k) const {
        const Key i = at[k], from_end = i + size;
        return i < size || !checked ? i : from_end < size ? from_end : nobody<Key>;
    }
    /// That value k is for nobody: the fault record gets what a generated kernel writes (fusion/codegen/cuda_memory.cpp).
    __device__ void tell(std::int64_t k) const {
        if (!checked || atomicExch(fault, 1ULL) != 0) return;
        fault[1] = static_cast<unsigned long long>(static_cast<std::make_signed_t<Key>>(at[k]));
        fault[2] = static_cast<unsigned long long>(size);
    }
    __device__ Key operator[](std::int64_t k) const {
        const Key element = number(k);
        if (element == nobody<Key>) tell(k);
        return element;
    }
};

template <class Key>
struct arrays {
    element_numbers<Key> at;
    const void* values;
    std::int64_t step;  // from value to value: 0 or 1
    void* to;
};

/// Sums and products of floating and complex numbers; sums of many integers of 4 and 8 bytes.
cudaError_t scatter_in_order(const frit_cub_scatter&, const arrays<std::uint32_t>&, workspace&, cudaStream_t);
cudaError_t scatter_in_order(const frit_cub_scatter&, const arrays<std::uint64_t>&, workspace&, cudaStream_t);

}  // namespace frit_cub

// The places of the true elements of a vector of bools, in order, and how many there are: CUB's selection, which keeps the
// order.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>

#include "src/cuda/cub/parts.cuh"

namespace frit_cub {
namespace {
struct as_number {
    __device__ std::int64_t operator()(unsigned char x) const { return x != 0; }  // a truth need not be 1
};
}  // namespace

cudaError_t places(const frit_cub_call& c, const void* from, std::int64_t* to, std::int64_t* count, workspace& memory,
                   cudaStream_t stream) {
    const auto* const mask = static_cast<const unsigned char*>(from);
    const bool lists = c.results & 1;
    std::int64_t* const total = c.results & 2 ? count : memory.take<std::int64_t>(1);
    const auto run = [&](void* room, std::size_t& bytes) {
        if (lists)
            return cub::DeviceSelect::Flagged(room, bytes, thrust::counting_iterator<std::int64_t>(0), mask, to, total,
                                              c.length, stream);
        return cub::DeviceReduce::Sum(room, bytes, thrust::make_transform_iterator(mask, as_number()), total, c.length,
                                      stream);
    };
    std::size_t bytes = 0;
    if (const cudaError_t status = run(nullptr, bytes); status != cudaSuccess) return status;
    void* const room = memory.take<char>(bytes);
    return memory.counts() ? cudaSuccess : run(room, bytes);
}

}  // namespace frit_cub

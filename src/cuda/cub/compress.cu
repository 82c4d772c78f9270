// The elements of a vector where another one, of bools, is true, in order: CUB's selection, which keeps the order. By their
// bytes, whatever they mean.
#include <cub/device/device_select.cuh>

#include <iterator>

#include "src/cuda/cub/parts.cuh"

namespace frit_cub {
namespace {

// Memory for so many elements: others are dropped, should the flags no longer be those that were counted.
template <class T>
struct room_for {
    struct place {
        T* to;  ///< null: there is none
        __device__ const place& operator=(const T& x) const {
            if (to) *to = x;
            return *this;
        }
    };
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::int64_t;
    using pointer = T*;
    using reference = place;

    T* first;
    std::int64_t count, at = 0;

    __host__ __device__ room_for operator+(std::int64_t n) const { return {first, count, at + n}; }
    __device__ place operator*() const { return {at < count ? first + at : nullptr}; }
    __device__ place operator[](std::int64_t n) const { return *(*this + n); }
};

template <class T>
cudaError_t compress_as(const frit_cub_compress& c, const void* mask, const void* from, void* to, workspace& memory,
                        cudaStream_t stream) {
    std::int64_t* const total = memory.take<std::int64_t>(1);
    const auto run = [&](void* room, std::size_t& bytes) {
        return cub::DeviceSelect::Flagged(room, bytes, static_cast<const T*>(from),
                                          static_cast<const unsigned char*>(mask),  // a truth need not be 1
                                          room_for<T>{static_cast<T*>(to), c.count}, total, c.length, stream);
    };
    std::size_t bytes = 0;
    if (const cudaError_t status = run(nullptr, bytes); status != cudaSuccess) return status;
    void* const room = memory.take<char>(bytes);
    return memory.counts() ? cudaSuccess : run(room, bytes);
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

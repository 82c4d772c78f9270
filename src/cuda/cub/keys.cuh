// What sorts and selections share: unsigned keys in the order of the values, as many as there are widths, and a loop over
// elements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "src/cuda/cub/parts.cuh"

namespace frit_cub {

inline constexpr int threads = 256;
inline constexpr std::int64_t most_blocks = 1 << 16;
// Rows from this length on keep the GPU busy one by one.
inline constexpr std::int64_t long_row = 1 << 17;

using uint128 = unsigned __int128;

// By number of bytes: an infinity's bits, and the part of a complex number.
template <class Key>
inline constexpr Key infinity = 0;
template <>
inline constexpr std::uint16_t infinity<std::uint16_t> = 0x7c00;
template <>
inline constexpr std::uint32_t infinity<std::uint32_t> = 0x7f800000;
template <>
inline constexpr std::uint64_t infinity<std::uint64_t> = 0x7ff0000000000000;
template <class Key>
using part_of = std::conditional_t<sizeof(Key) == 16, std::uint64_t, std::uint32_t>;

template <class Key>
struct coder {
    char kind;
    bool zeros_equal;
    static constexpr Key sign = Key(1) << (8 * sizeof(Key) - 1);

    bool is_complex() const { return kind == 'c'; }
    __host__ __device__ bool is_float() const { return kind == 'f' || kind == 'h'; }

    __device__ Key encode(Key bits) const {
        if (kind == 'i') return bits ^ sign;
        if constexpr (sizeof(Key) >= 8)
            if (kind == 'c') return encode_complex(bits);
        if (!is_float()) return bits;
        if (is_nan(bits)) return Key(~Key(0));
        if (zeros_equal && bits == sign) return sign;
        return bits & sign ? Key(~bits) : Key(bits | sign);
    }
    __device__ Key decode(Key key) const {  // NaN comes back as the quiet one of all ones
        if (kind == 'i') return key ^ sign;
        if (!is_float()) return key;
        return key & sign ? Key(key & ~sign) : Key(~key);
    }
    __device__ bool is_nan(Key bits) const {
        const Key largest = kind == 'h' ? Key(0x7f80) : infinity<Key>;
        return Key(bits & ~sign) > largest;
    }
    // The NaNs' three kinds stand in place of the real part, above all numbers.
    __device__ Key encode_complex(Key bits) const {
        using part = part_of<Key>;
        constexpr int width = 8 * sizeof(part);
        const coder<part> of{'f', true};
        const part real = part(bits), imag = part(bits >> width), re = of.encode(real), im = of.encode(imag);
        const bool no_real = of.is_nan(real), no_imag = of.is_nan(imag);
        const part high = no_real ? part(0) - part(no_imag ? 1 : 2) : no_imag ? part(0) - part(3) : re;
        return Key(high) << width | Key(no_imag && !no_real ? re : im);
    }
};

template <class F>
__global__ void __launch_bounds__(threads) for_each_index(std::int64_t n, F f) {
    for (std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += std::int64_t{gridDim.x} * threads)
        f(i);
}
template <class F>
cudaError_t for_each(std::int64_t n, cudaStream_t stream, F f) {
    const std::int64_t blocks = std::min((n + threads - 1) / threads, most_blocks);
    for_each_index<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(n, f);
    return cudaGetLastError();
}

#define FRIT_TRY(call)                                                               \
    do {                                                                             \
        if (const cudaError_t status = (call); status != cudaSuccess) return status; \
    } while (false)

// Calls f(a key's type) for elements that sorts and selections take.
template <class F>
cudaError_t with_key(char kind, int bytes, F f) {
    const bool fits = kind == 'c' ? bytes >= 8 : kind == 'h' ? bytes == 2 : bytes >= (kind == 'f' ? 2 : 1);
    if (!fits || (bytes > 8 && kind != 'c')) return cudaErrorInvalidValue;
    switch (bytes) {
        case 1: return f(std::uint8_t());
        case 2: return f(std::uint16_t());
        case 4: return f(std::uint32_t());
        case 8: return f(std::uint64_t());
        case 16: return f(uint128());
        default: return cudaErrorInvalidValue;
    }
}

}  // namespace frit_cub

// Sorts along rows: CUB's radix sort over unsigned keys in the order of the values, so that four widths of key serve all
// dtypes. NaN becomes the largest key, whatever its sign and payload; for argsort -0 becomes +0, which it is equal to. Radix
// sorts are stable, which is what argsort promises. Many short rows are sorted together: by value, then, stably, by row.
#include <algorithm>
#include <cstdint>

#include <cub/device/device_radix_sort.cuh>

#include "src/cuda/cub/parts.cuh"

namespace frit_cub {
namespace {

constexpr int threads = 256;
constexpr std::int64_t most_blocks = 1 << 16;
// Rows from this length on keep the GPU busy one by one.
constexpr std::int64_t long_row = 1 << 17;

template <class Key>
struct coder {
    char kind;
    bool zeros_equal;
    static constexpr Key sign = Key(1) << (8 * sizeof(Key) - 1);

    __device__ Key encode(Key bits) const {
        if (kind == 'i') return bits ^ sign;
        if (kind != 'f') return bits;
        constexpr Key infinity = sizeof(Key) == 4 ? Key(0x7f800000) : Key(0x7ff0000000000000);
        if ((bits & ~sign) > infinity) return Key(~Key(0));
        if (zeros_equal && bits == sign) return sign;
        return bits & sign ? Key(~bits) : Key(bits | sign);
    }
    __device__ Key decode(Key key) const {  // NaN comes back as the quiet one of all ones
        if (kind == 'i') return key ^ sign;
        if (kind != 'f') return key;
        return key & sign ? Key(key & ~sign) : Key(~key);
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

template <class Key>
struct sorter {
    const frit_cub_call& c;
    const Key* from;
    void* to;
    workspace& memory;
    cudaStream_t stream;
    const coder<Key> code{c.kind, c.operation == FRIT_CUB_ARGSORT};
    const std::int64_t n = c.rows * c.length;
    const bool together = c.rows > 1 && c.length < long_row;
    // Sorts of a part each; all rows together are one part.
    const std::int64_t part = together ? n : c.length, parts = together ? 1 : c.rows;
    const int end_bit = c.kind == 'b' ? 1 : static_cast<int>(8 * sizeof(Key));

    // CUB's own scratch, for the largest sort of the call.
    template <class K, class... Values>
    static cudaError_t scratch(std::size_t& bytes, std::int64_t count, Values&... values) {
        cub::DoubleBuffer<K> keys(nullptr, nullptr);
        std::size_t wanted = 0;
        const cudaError_t status = radix_sort(nullptr, wanted, keys, values..., count, 8 * sizeof(K), nullptr);
        bytes = std::max(bytes, wanted);
        return status;
    }
    template <class K>
    static cudaError_t radix_sort(void* temporary, std::size_t& bytes, cub::DoubleBuffer<K>& keys, std::int64_t count,
                                  int bits, cudaStream_t stream) {
        return cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, count, 0, bits, stream);
    }
    template <class K>
    static cudaError_t radix_sort(void* temporary, std::size_t& bytes, cub::DoubleBuffer<K>& keys,
                                  cub::DoubleBuffer<std::int64_t>& places, std::int64_t count, int bits,
                                  cudaStream_t stream) {
        return cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, places, count, 0, bits, stream);
    }

    cudaError_t values() {
        std::size_t bytes = 0;
        FRIT_TRY(scratch<Key>(bytes, part));
        Key* const other = memory.take<Key>(static_cast<std::size_t>(part));
        void* const temporary = memory.take<char>(bytes);
        if (memory.counts()) return cudaSuccess;
        for (std::int64_t row = 0; row < parts; ++row) {
            const Key* const x = from + row * part;
            Key* const y = static_cast<Key*>(to) + row * part;
            const auto transform = code;
            FRIT_TRY(for_each(part, stream, [=] __device__(std::int64_t i) { y[i] = transform.encode(x[i]); }));
            cub::DoubleBuffer<Key> keys(y, other);
            FRIT_TRY(radix_sort(temporary, bytes, keys, part, end_bit, stream));
            const Key* const sorted = keys.Current();
            FRIT_TRY(for_each(part, stream, [=] __device__(std::int64_t i) { y[i] = transform.decode(sorted[i]); }));
        }
        return cudaSuccess;
    }

    // The places of a part's elements in the order of their values.
    cudaError_t sort_places(const Key* x, Key* keys_a, Key* keys_b, cub::DoubleBuffer<std::int64_t>& places, void* temporary,
                            std::size_t bytes) {
        const auto transform = code;
        std::int64_t* const p = places.Current();
        FRIT_TRY(for_each(part, stream, [=] __device__(std::int64_t i) {
            keys_a[i] = transform.encode(x[i]);
            p[i] = i;
        }));
        cub::DoubleBuffer<Key> keys(keys_a, keys_b);
        return radix_sort(temporary, bytes, keys, places, part, end_bit, stream);
    }

    cudaError_t places_row_by_row() {
        std::size_t bytes = 0;
        cub::DoubleBuffer<std::int64_t> none(nullptr, nullptr);
        FRIT_TRY(scratch<Key>(bytes, part, none));
        const auto count = static_cast<std::size_t>(part);
        Key *const keys_a = memory.take<Key>(count), *const keys_b = memory.take<Key>(count);
        std::int64_t* const other = memory.take<std::int64_t>(count);
        void* const temporary = memory.take<char>(bytes);
        if (memory.counts()) return cudaSuccess;
        for (std::int64_t row = 0; row < parts; ++row) {
            std::int64_t* const y = static_cast<std::int64_t*>(to) + row * part;
            cub::DoubleBuffer<std::int64_t> places(y, other);
            FRIT_TRY(sort_places(from + row * part, keys_a, keys_b, places, temporary, bytes));
            if (places.Current() != y) {
                FRIT_TRY(cudaMemcpyAsync(y, other, count * sizeof *y, cudaMemcpyDeviceToDevice, stream));
            }
        }
        return cudaSuccess;
    }

    cudaError_t rows_together() {
        std::size_t bytes = 0;
        cub::DoubleBuffer<std::int64_t> none(nullptr, nullptr);
        FRIT_TRY(scratch<Key>(bytes, n, none));
        FRIT_TRY(scratch<std::uint64_t>(bytes, n, none));
        const auto count = static_cast<std::size_t>(n);
        // The values' keys first, then the rows', which are as wide or wider, in the same memory.
        std::uint64_t *const rows_a = memory.take<std::uint64_t>(count), *const rows_b = memory.take<std::uint64_t>(count);
        std::int64_t *const p = memory.take<std::int64_t>(count), *const q = memory.take<std::int64_t>(count);
        Key* const copy = memory.take<Key>(c.operation == FRIT_CUB_SORT ? count : 0);
        void* const temporary = memory.take<char>(bytes);
        if (memory.counts()) return cudaSuccess;
        if (c.operation == FRIT_CUB_SORT) {
            FRIT_TRY(cudaMemcpyAsync(copy, from, count * sizeof(Key), cudaMemcpyDeviceToDevice, stream));
        }
        cub::DoubleBuffer<std::int64_t> places(p, q);
        FRIT_TRY(
            sort_places(from, reinterpret_cast<Key*>(rows_a), reinterpret_cast<Key*>(rows_b), places, temporary, bytes));
        const std::int64_t length = c.length;
        const std::int64_t* const by_value = places.Current();
        FRIT_TRY(for_each(n, stream, [=] __device__(std::int64_t i) { rows_a[i] = by_value[i] / length; }));
        cub::DoubleBuffer<std::uint64_t> rows(rows_a, rows_b);
        int row_bits = 0;
        while (row_bits < 63 && (c.rows - 1) >> row_bits != 0) ++row_bits;
        FRIT_TRY(radix_sort(temporary, bytes, rows, places, n, row_bits, stream));
        const std::int64_t* const sorted = places.Current();
        if (c.operation == FRIT_CUB_SORT) {
            Key* const y = static_cast<Key*>(to);
            return for_each(n, stream, [=] __device__(std::int64_t i) { y[i] = copy[sorted[i]]; });
        }
        std::int64_t* const y = static_cast<std::int64_t*>(to);
        return for_each(n, stream, [=] __device__(std::int64_t i) { y[i] = sorted[i] % length; });
    }

    cudaError_t run() {
        if (together) return rows_together();
        return c.operation == FRIT_CUB_SORT ? values() : places_row_by_row();
    }
};

}  // namespace

cudaError_t sort(const frit_cub_call& c, const void* from, void* to, workspace& memory, cudaStream_t stream) {
    const auto run = [&](auto key) {
        using Key = decltype(key);
        return sorter<Key>{c, static_cast<const Key*>(from), to, memory, stream}.run();
    };
    if (c.kind == 'f' && c.bytes < 4) return cudaErrorInvalidValue;
    switch (c.bytes) {
        case 1: return run(std::uint8_t());
        case 2: return run(std::uint16_t());
        case 4: return run(std::uint32_t());
        case 8: return run(std::uint64_t());
        default: return cudaErrorInvalidValue;
    }
}

}  // namespace frit_cub

// Sorts along rows: CUB's radix sort over unsigned keys in the order of the values, so that five widths of key serve all
// dtypes. NaN becomes the largest key, whatever its sign and payload; for places alone -0 becomes +0, which it is equal to.
// A complex number's key has its real part's above its imaginary one's; where values are asked for, they are found by place.
// Radix sorts are stable, which is what argsort promises. Many short rows are sorted together: by value, then, stably, by
// row. Where values and places are asked for, they are sorted by value with -0 before +0, and the places of the zeros, two
// ascending runs, are merged afterwards.
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <cub/device/device_radix_sort.cuh>

#include "src/cuda/cub/keys.cuh"

namespace frit_cub {
namespace {

template <class F>
__device__ std::int64_t first_not(std::int64_t begin, std::int64_t end, F before) {
    while (begin < end) {
        const std::int64_t middle = begin + (end - begin) / 2;
        if (before(middle))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

// Where element i of a sorted row [begin, end) stands if -0 and +0 are equal, and equals stand in the order of their places.
template <class Key, class KeyAt, class PlaceAt>
__device__ std::int64_t position_by_place(const coder<Key>& code, std::int64_t begin, std::int64_t end, std::int64_t i,
                                          KeyAt key_at, PlaceAt place_at) {
    if (!code.is_float()) return i;
    const Key key = key_at(i), minus = code.encode(code.sign), plus = code.encode(0);
    if (key != minus && key != plus) return i;
    const std::int64_t first = first_not(begin, end, [=](std::int64_t k) { return key_at(k) < minus; });
    const std::int64_t middle = first_not(first, end, [=](std::int64_t k) { return key_at(k) < plus; });
    const std::int64_t last = first_not(middle, end, [=](std::int64_t k) { return key_at(k) <= plus; });
    const std::int64_t place = place_at(i);
    const auto earlier = [=](std::int64_t k) { return place_at(k) < place; };
    if (key == minus) return i + first_not(middle, last, earlier) - middle;
    return i - middle + first_not(first, middle, earlier);
}

template <class Key>
struct sorter {
    const frit_cub_call& c;
    const Key* from;
    Key* values;
    std::int64_t* places;
    workspace& memory;
    cudaStream_t stream;
    const bool wants_values = (c.results & 1) != 0, wants_places = (c.results & 2) != 0;
    const coder<Key> code{c.kind, !wants_values};
    const bool by_place = wants_values && code.is_complex();  // and not by their keys
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

    // Integers that CUB has in the order of their values: as they are.
    template <class K>
    cudaError_t integers_row_by_row() {
        const auto* const x = reinterpret_cast<const K*>(from);
        auto* const y = reinterpret_cast<K*>(values);
        std::size_t bytes = 0;
        FRIT_TRY(cub::DeviceRadixSort::SortKeys(nullptr, bytes, x, y, part, 0, end_bit, stream));
        void* const temporary = memory.take<char>(bytes);
        if (memory.counts()) return cudaSuccess;
        for (std::int64_t row = 0; row < parts; ++row) {
            FRIT_TRY(
                cub::DeviceRadixSort::SortKeys(temporary, bytes, x + row * part, y + row * part, part, 0, end_bit, stream));
        }
        return cudaSuccess;
    }
    cudaError_t values_row_by_row() {
        if constexpr (sizeof(Key) == 4 || sizeof(Key) == 8)
            if (c.kind == 'i') return integers_row_by_row<std::make_signed_t<Key>>();
        if constexpr (sizeof(Key) <= 8)
            if (c.kind == 'u' || c.kind == 'b') return integers_row_by_row<Key>();
        std::size_t bytes = 0;
        FRIT_TRY(scratch<Key>(bytes, part));
        Key* const other = memory.take<Key>(static_cast<std::size_t>(part));
        void* const temporary = memory.take<char>(bytes);
        if (memory.counts()) return cudaSuccess;
        for (std::int64_t row = 0; row < parts; ++row) {
            const Key* const x = from + row * part;
            Key* const y = values + row * part;
            const auto transform = code;
            FRIT_TRY(for_each(part, stream, [=] __device__(std::int64_t i) { y[i] = transform.encode(x[i]); }));
            cub::DoubleBuffer<Key> keys(y, other);
            FRIT_TRY(radix_sort(temporary, bytes, keys, part, end_bit, stream));
            const Key* const sorted = keys.Current();
            FRIT_TRY(for_each(part, stream, [=] __device__(std::int64_t i) { y[i] = transform.decode(sorted[i]); }));
        }
        return cudaSuccess;
    }

    // A part's keys in order, and the places where they were.
    cudaError_t sort_places(const Key* x, cub::DoubleBuffer<Key>& keys, cub::DoubleBuffer<std::int64_t>& order,
                            void* temporary, std::size_t bytes) {
        const auto transform = code;
        Key* const k = keys.Current();
        std::int64_t* const p = order.Current();
        FRIT_TRY(for_each(part, stream, [=] __device__(std::int64_t i) {
            k[i] = transform.encode(x[i]);
            p[i] = i;
        }));
        return radix_sort(temporary, bytes, keys, order, part, end_bit, stream);
    }

    cudaError_t places_row_by_row() {
        std::size_t bytes = 0;
        cub::DoubleBuffer<std::int64_t> none(nullptr, nullptr);
        FRIT_TRY(scratch<Key>(bytes, part, none));
        const auto count = static_cast<std::size_t>(part);
        Key *const keys_a = memory.take<Key>(count), *const keys_b = memory.take<Key>(count);
        std::int64_t* const other = memory.take<std::int64_t>(count);
        std::int64_t* const third = memory.take<std::int64_t>(wants_values ? count : 0);
        Key* const copy = memory.take<Key>(by_place ? count : 0);
        void* const temporary = memory.take<char>(bytes);
        if (memory.counts()) return cudaSuccess;
        for (std::int64_t row = 0; row < parts; ++row) {
            std::int64_t* const y = wants_places ? places + row * part : nullptr;
            cub::DoubleBuffer<Key> keys(keys_a, keys_b);
            cub::DoubleBuffer<std::int64_t> order(wants_values ? third : y, other);
            if (by_place) {
                FRIT_TRY(cudaMemcpyAsync(copy, from + row * part, count * sizeof *copy, cudaMemcpyDeviceToDevice, stream));
            }
            FRIT_TRY(sort_places(from + row * part, keys, order, temporary, bytes));
            if (by_place) {
                FRIT_TRY(take(copy, order.Current(), values + row * part, wants_places ? y : nullptr));
            } else if (wants_values) {
                FRIT_TRY(put_both(keys.Current(), order.Current(), values + row * part, y));
            } else if (order.Current() != y) {
                FRIT_TRY(cudaMemcpyAsync(y, other, count * sizeof *y, cudaMemcpyDeviceToDevice, stream));
            }
        }
        return cudaSuccess;
    }

    cudaError_t take(const Key* x, const std::int64_t* order, Key* to, std::int64_t* places_to) {
        return for_each(part, stream, [=] __device__(std::int64_t i) {
            to[i] = x[order[i]];
            if (places_to) places_to[i] = order[i];
        });
    }

    cudaError_t put_both(const Key* keys, const std::int64_t* order, Key* to, std::int64_t* places_to) {
        const auto transform = code;
        const std::int64_t length = part;
        return for_each(part, stream, [=] __device__(std::int64_t i) {
            to[i] = transform.decode(keys[i]);
            const auto key_at = [=](std::int64_t k) { return keys[k]; };
            const auto place_at = [=](std::int64_t k) { return order[k]; };
            places_to[position_by_place(transform, 0, length, i, key_at, place_at)] = order[i];
        });
    }

    cudaError_t rows_together() {
        std::size_t bytes = 0;
        cub::DoubleBuffer<std::int64_t> none(nullptr, nullptr);
        FRIT_TRY(scratch<Key>(bytes, n, none));
        FRIT_TRY(scratch<std::uint64_t>(bytes, n, none));
        const auto count = static_cast<std::size_t>(n);
        // The values' keys first, then the rows', in the same memory.
        using wider = std::conditional_t<(sizeof(Key) > sizeof(std::uint64_t)), Key, std::uint64_t>;
        wider *const memory_a = memory.take<wider>(count), *const memory_b = memory.take<wider>(count);
        std::int64_t *const p = memory.take<std::int64_t>(count), *const q = memory.take<std::int64_t>(count);
        Key* const copy = memory.take<Key>(wants_values ? count : 0);
        void* const temporary = memory.take<char>(bytes);
        if (memory.counts()) return cudaSuccess;
        if (wants_values) {
            FRIT_TRY(cudaMemcpyAsync(copy, from, count * sizeof(Key), cudaMemcpyDeviceToDevice, stream));
        }
        cub::DoubleBuffer<std::int64_t> order(p, q);
        cub::DoubleBuffer<Key> keys(reinterpret_cast<Key*>(memory_a), reinterpret_cast<Key*>(memory_b));
        FRIT_TRY(sort_places(from, keys, order, temporary, bytes));
        auto *const rows_a = reinterpret_cast<std::uint64_t*>(memory_a), *const rows_b =
                                                                             reinterpret_cast<std::uint64_t*>(memory_b);
        const std::int64_t length = c.length;
        const std::int64_t* const by_value = order.Current();
        FRIT_TRY(for_each(n, stream, [=] __device__(std::int64_t i) { rows_a[i] = by_value[i] / length; }));
        cub::DoubleBuffer<std::uint64_t> rows(rows_a, rows_b);
        int row_bits = 0;
        while (row_bits < 63 && (c.rows - 1) >> row_bits != 0) ++row_bits;
        FRIT_TRY(radix_sort(temporary, bytes, rows, order, n, row_bits, stream));
        const std::int64_t* const sorted = order.Current();
        if (wants_values) {
            Key* const y = values;
            FRIT_TRY(for_each(n, stream, [=] __device__(std::int64_t i) { y[i] = copy[sorted[i]]; }));
        }
        return wants_places ? put_places(copy, sorted) : cudaSuccess;
    }

    // Of all rows, from where the elements stand in all of the operand. `copy`, the operand, where values are asked for too.
    cudaError_t put_places(const Key* copy, const std::int64_t* sorted) {
        const auto transform = code;
        const std::int64_t length = c.length;
        std::int64_t* const y = places;
        if (!wants_values) return for_each(n, stream, [=] __device__(std::int64_t i) { y[i] = sorted[i] % length; });
        return for_each(n, stream, [=] __device__(std::int64_t i) {
            const std::int64_t row = i / length * length;
            const auto key_at = [=](std::int64_t k) { return transform.encode(copy[sorted[k]]); };
            const auto place_at = [=](std::int64_t k) { return sorted[k]; };
            y[position_by_place(transform, row, row + length, i, key_at, place_at)] = sorted[i] % length;
        });
    }

    cudaError_t run() {
        if (together) return rows_together();
        return wants_places || by_place ? places_row_by_row() : values_row_by_row();
    }
};

}  // namespace

cudaError_t sort(const frit_cub_call& c, const void* from, void* values, std::int64_t* places, workspace& memory,
                 cudaStream_t stream) {
    const auto run = [&](auto key) {
        using Key = decltype(key);
        return sorter<Key>{c, static_cast<const Key*>(from), static_cast<Key*>(values), places, memory, stream}.run();
    };
    return with_key(c.kind, c.bytes, run);
}

}  // namespace frit_cub

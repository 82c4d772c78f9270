// Values put at, or combined with, elements of an array, so that the bits follow from the indices alone. Where the order
// does not matter (integers; extrema, which order NaNs and zeros) by atomics. Of values that are put, the last one: each
// element remembers the highest number of a value that wants it. Sums and products of floats: the values' numbers sorted by
// element, stably, by CUB's radix sort over just the bits that an element's number has; then runs of one element are
// combined tile by tile, in the order of a block's scan, and what crosses the ends of tiles is a shorter list of the same
// kind, and so on. So a million values on one element take no longer than a million elements, and float32 is added up in
// double.
#include <algorithm>
#include <cstdint>

#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "src/cuda/cub/parts.cuh"

namespace frit_cub {
namespace {

constexpr int threads = 256;
constexpr std::int64_t most_blocks = 1 << 16;

#define FRIT_TRY(call)                                                               \
    do {                                                                             \
        if (const cudaError_t status = (call); status != cudaSuccess) return status; \
    } while (false)

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

// Key: what the numbers are read as.
template <class Key>
struct arrays {
    const Key* at;
    const void* values;
    std::int64_t step;  // from value to value: 0 or 1
    void* to;
};

// --- where the order does not matter ---

template <int Operation, class T>
__device__ T together(T a, T b) {
    if constexpr (Operation == FRIT_CUB_SCATTER_ADD) return static_cast<T>(a + b);
    if constexpr (Operation == FRIT_CUB_SCATTER_MUL) return static_cast<T>(a * b);
    constexpr bool largest = Operation == FRIT_CUB_SCATTER_MAX;
    if constexpr (T(0.5) != T(0)) {  // NaN stays, and +0 is above -0
        if (a == b) return largest == (bool)signbit(a) ? b : a;
        if (a != a || b != b) return T(NAN);
    }
    return largest == (a > b) ? a : b;
}

// The word that holds the element: narrower ones have no atomics of their own.
template <int Operation, class T>
__device__ void combine_at(T* p, T v) {
    using word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    auto* const w = reinterpret_cast<word*>(address / sizeof(word) * sizeof(word));
    const unsigned shift = static_cast<unsigned>(address % sizeof(word)) * 8;
    if constexpr (Operation == FRIT_CUB_SCATTER_ADD && sizeof(T) >= 4 && T(0.5) == T(0)) {
        atomicAdd(w, static_cast<word>(v));
        return;
    }
    constexpr word mask = sizeof(T) == sizeof(word) ? ~word(0) : (word(1) << (8 * sizeof(T) % (8 * sizeof(word)))) - 1;
    word old = *w;
    for (;;) {
        T now;
        const word part = (old >> shift) & mask;
        memcpy(&now, &part, sizeof now);
        const T fresh = together<Operation>(now, v);
        word bits = 0;
        memcpy(&bits, &fresh, sizeof fresh);
        const word wanted = (old & ~(mask << shift)) | (bits & mask) << shift;
        if (wanted == old) return;
        const word seen = atomicCAS(w, old, wanted);
        if (seen == old) return;
        old = seen;
    }
}

template <int Operation, class T, class Key>
cudaError_t by_atomics(const frit_cub_scatter& c, const arrays<Key>& a, cudaStream_t stream) {
    return for_each(c.count, stream, [a] __device__(std::int64_t k) {
        combine_at<Operation>(static_cast<T*>(a.to) + a.at[k], static_cast<const T*>(a.values)[k * a.step]);
    });
}

// --- of several the last one ---

template <class T, class Key>
cudaError_t put(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    auto* const last = memory.take<unsigned long long>(static_cast<std::size_t>(c.size));
    if (memory.counts()) return cudaSuccess;
    FRIT_TRY(for_each(c.count, stream, [=] __device__(std::int64_t k) { last[a.at[k]] = 0; }));
    FRIT_TRY(for_each(c.count, stream,
                      [=] __device__(std::int64_t k) { atomicMax(last + a.at[k], static_cast<unsigned long long>(k)); }));
    return for_each(c.count, stream, [=] __device__(std::int64_t k) {
        if (last[a.at[k]] == static_cast<unsigned long long>(k))
            static_cast<T*>(a.to)[a.at[k]] = static_cast<const T*>(a.values)[k * a.step];
    });
}

// --- sums and products of floats ---

template <class T>
struct pair {
    T re, im;
    pair() = default;
    __host__ __device__ explicit pair(T real) : re(real), im(0) {}
    __host__ __device__ pair(T real, T imag) : re(real), im(imag) {}
    template <class U>
    __host__ __device__ explicit pair(pair<U> o) : re(T(o.re)), im(T(o.im)) {}
    __device__ pair operator+(pair o) const { return {re + o.re, im + o.im}; }
    __device__ pair operator*(pair o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
};

template <class A>
struct partial {
    A value;
    bool begins;  ///< a run
};
template <bool Sums, class A>
struct one_after_the_other {
    __device__ partial<A> operator()(const partial<A>& a, const partial<A>& b) const {
        if (b.begins) return b;
        return {Sums ? a.value + b.value : a.value * b.value, a.begins};
    }
};

constexpr int items = 4, tile = threads * items;
template <class Key>
constexpr Key nobody = ~Key(0);

// A sorted list: element numbers and what belongs to them. Runs that lie in one tile are combined with their elements, of
// the others two entries a tile go to the next list: what crosses its beginning, and what crosses its end.
template <bool Sums, class T, class A, class Key, class ValueAt>
__global__ void __launch_bounds__(threads)
    combine_runs(std::int64_t n, const Key* keys, ValueAt value_at, T* to, Key* next_keys, A* next_values) {
    using scan = cub::BlockScan<partial<A>, threads>;
    __shared__ typename scan::TempStorage room;
    const std::int64_t begin = std::int64_t{blockIdx.x} * tile, end = begin + tile < n ? begin + tile : n;
    const std::int64_t mine = begin + std::int64_t{threadIdx.x} * items;
    const A neutral = A(Sums ? 0 : 1);
    partial<A> at[items];
    Key key[items];
    for (int j = 0; j < items; ++j) {
        const std::int64_t i = mine + j;
        const bool there = i < end;
        key[j] = there ? keys[i] : nobody<Key>;
        at[j] = {there ? value_at(i) : neutral, i == begin || !there || keys[i - 1] != key[j]};
    }
    scan(room).InclusiveScan(at, at, one_after_the_other<Sums, A>());
    const Key first = keys[begin], last = keys[end - 1];
    const bool from_before = begin > 0 && keys[begin - 1] == first, goes_on = end < n && keys[end] == last;
    if (next_keys && threadIdx.x == 0) {
        for (const int side : {0, 1}) {
            const bool spans = from_before && goes_on && first == last;
            next_keys[2 * blockIdx.x + side] = spans || (side == 0 && from_before) ? first
                                               : side == 1 && goes_on              ? last
                                                                                   : nobody<Key>;
            next_values[2 * blockIdx.x + side] = neutral;
        }
    }
    __syncthreads();  // the neutral ones stand before others replace them
    for (int j = 0; j < items; ++j) {
        const std::int64_t i = mine + j;
        if (i >= end || key[j] == nobody<Key> || (i + 1 < end && keys[i + 1] == key[j])) continue;
        const bool left = from_before && key[j] == first, right = goes_on && key[j] == last;
        if (left || right)
            next_values[2 * blockIdx.x + (left ? 0 : 1)] = at[j].value;
        else
            to[key[j]] = T(Sums ? A(to[key[j]]) + at[j].value : A(to[key[j]]) * at[j].value);
    }
}

// What is sorted: the values themselves, or where they are wide, their numbers.
template <class T, class A, class Payload>
struct sorted_values {
    const T* values;
    std::int64_t step;
    const Payload* order;
    __device__ A operator()(std::int64_t i) const {
        if constexpr (sizeof(T) > 8)
            return A(values[order[i] * step]);
        else
            return A(order[i]);
    }
};
template <bool Sums, class T, class A, class Key>
cudaError_t in_order(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    constexpr bool wide = sizeof(T) > 8;
    using payload = std::conditional_t<wide, std::int64_t, T>;
    const auto n = static_cast<std::size_t>(c.count);
    Key* const sorted = memory.take<Key>(n);
    auto *const places = memory.take<std::int64_t>(wide ? n : 0), *const unsorted = places;
    auto* const order = memory.take<payload>(n);
    T* const spread = memory.take<T>(!wide && a.step == 0 ? n : 0);  // a value for each number
    const payload* const from = wide
                                    ? reinterpret_cast<const payload*>(unsorted)
                                    : static_cast<const payload*>(a.step == 0 ? static_cast<const void*>(spread) : a.values);
    int bits = 1;
    while (bits < static_cast<int>(8 * sizeof(Key)) && (std::int64_t{1} << bits) < c.size) ++bits;
    std::size_t bytes = 0;
    FRIT_TRY(cub::DeviceRadixSort::SortPairs(nullptr, bytes, a.at, sorted, from, order, c.count, 0, bits, stream));
    void* const room = memory.take<char>(bytes);
    const auto tiles = [](std::int64_t count) { return (count + tile - 1) / tile; };
    Key* lists[2];
    A* partials[2];
    for (int k = 0; k < 2; ++k) {
        const std::int64_t most = k == 0 ? 2 * tiles(c.count) : 2 * tiles(2 * tiles(c.count));
        lists[k] = memory.take<Key>(static_cast<std::size_t>(most));
        partials[k] = memory.take<A>(static_cast<std::size_t>(most));
    }
    if (memory.counts() || c.count == 0) return cudaSuccess;
    T* const to = static_cast<T*>(a.to);
    const T* const values = static_cast<const T*>(a.values);
    if (!wide && a.step == 0) FRIT_TRY(for_each(c.count, stream, [=] __device__(std::int64_t k) { spread[k] = *values; }));
    if (wide) FRIT_TRY(for_each(c.count, stream, [=] __device__(std::int64_t k) { places[k] = k; }));
    FRIT_TRY(cub::DeviceRadixSort::SortPairs(room, bytes, a.at, sorted, from, order, c.count, 0, bits, stream));
    const sorted_values<T, A, payload> first{values, a.step, order};
    std::int64_t count = c.count, blocks = tiles(count);
    combine_runs<Sums, T, A><<<static_cast<unsigned>(blocks), threads, 0, stream>>>(
        count, sorted, first, to, blocks > 1 ? lists[0] : nullptr, partials[0]);
    for (int level = 0; blocks > 1; ++level) {
        const Key* const keys = lists[level % 2];
        const A* const parts = partials[level % 2];
        count = 2 * blocks;
        blocks = tiles(count);
        combine_runs<Sums, T, A><<<static_cast<unsigned>(blocks), threads, 0, stream>>>(
            count, keys, [=] __device__(std::int64_t i) { return parts[i]; }, to,
            blocks > 1 ? lists[(level + 1) % 2] : nullptr, partials[(level + 1) % 2]);
    }
    return cudaGetLastError();
}

template <class T, class A, class Key>
cudaError_t in_order(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    return c.operation == FRIT_CUB_SCATTER_ADD ? in_order<true, T, A, Key>(c, a, memory, stream)
                                               : in_order<false, T, A, Key>(c, a, memory, stream);
}

// --- by kind of the elements ---

template <class T, class Key>
cudaError_t of_integers(const frit_cub_scatter& c, const arrays<Key>& a, cudaStream_t stream) {
    switch (c.operation) {
        case FRIT_CUB_SCATTER_ADD: return by_atomics<FRIT_CUB_SCATTER_ADD, T>(c, a, stream);
        case FRIT_CUB_SCATTER_MUL: return by_atomics<FRIT_CUB_SCATTER_MUL, T>(c, a, stream);
        case FRIT_CUB_SCATTER_MIN: return by_atomics<FRIT_CUB_SCATTER_MIN, T>(c, a, stream);
        default: return by_atomics<FRIT_CUB_SCATTER_MAX, T>(c, a, stream);
    }
}
// Or and and.
template <class Key>
cudaError_t of_bools(const frit_cub_scatter& c, const arrays<Key>& a, cudaStream_t stream) {
    const bool any = c.operation == FRIT_CUB_SCATTER_ADD || c.operation == FRIT_CUB_SCATTER_MAX;
    return any ? by_atomics<FRIT_CUB_SCATTER_MAX, std::uint8_t>(c, a, stream)
               : by_atomics<FRIT_CUB_SCATTER_MIN, std::uint8_t>(c, a, stream);
}
template <class T, class Key>
cudaError_t of_floats(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    if (c.operation == FRIT_CUB_SCATTER_MIN || c.operation == FRIT_CUB_SCATTER_MAX) {
        if (memory.counts()) return cudaSuccess;
        return c.operation == FRIT_CUB_SCATTER_MIN ? by_atomics<FRIT_CUB_SCATTER_MIN, T>(c, a, stream)
                                                   : by_atomics<FRIT_CUB_SCATTER_MAX, T>(c, a, stream);
    }
    return in_order<T, double>(c, a, memory, stream);
}
template <class Key>
cudaError_t of_any(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    switch (c.bytes) {
        case 1: return put<std::uint8_t>(c, a, memory, stream);
        case 2: return put<std::uint16_t>(c, a, memory, stream);
        case 4: return put<std::uint32_t>(c, a, memory, stream);
        case 8: return put<std::uint64_t>(c, a, memory, stream);
        default: return put<pair<double>>(c, a, memory, stream);
    }
}

template <class Key>
cudaError_t run(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    if (c.operation == FRIT_CUB_SCATTER_SET) return of_any(c, a, memory, stream);
    if (c.kind == 'f')
        return c.bytes == 4 ? of_floats<float>(c, a, memory, stream) : of_floats<double>(c, a, memory, stream);
    if (c.kind == 'c')
        return c.bytes == 8 ? in_order<pair<float>, pair<double>>(c, a, memory, stream)
                            : in_order<pair<double>, pair<double>>(c, a, memory, stream);
    if (memory.counts()) return cudaSuccess;
    if (c.kind == 'b') return of_bools(c, a, stream);
    const bool is_signed = c.kind == 'i';
    switch (c.bytes) {
        case 1: return is_signed ? of_integers<std::int8_t>(c, a, stream) : of_integers<std::uint8_t>(c, a, stream);
        case 2: return is_signed ? of_integers<std::int16_t>(c, a, stream) : of_integers<std::uint16_t>(c, a, stream);
        case 4: return is_signed ? of_integers<std::int32_t>(c, a, stream) : of_integers<std::uint32_t>(c, a, stream);
        default: return is_signed ? of_integers<std::int64_t>(c, a, stream) : of_integers<std::uint64_t>(c, a, stream);
    }
}

}  // namespace

cudaError_t scatter(const frit_cub_scatter& c, const void* base, const void* at, const void* values, void* to,
                    workspace& memory, cudaStream_t stream) {
    if (!memory.counts() && base != to)
        FRIT_TRY(cudaMemcpyAsync(to, base, static_cast<std::size_t>(c.size) * static_cast<std::size_t>(c.bytes),
                                 cudaMemcpyDeviceToDevice, stream));
    const std::int64_t step = c.one_value ? 0 : 1;
    if (c.narrow)
        return run(c, arrays<std::uint32_t>{static_cast<const std::uint32_t*>(at), values, step, to}, memory, stream);
    return run(c, arrays<std::uint64_t>{static_cast<const std::uint64_t*>(at), values, step, to}, memory, stream);
}

}  // namespace frit_cub

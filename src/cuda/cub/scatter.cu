// Values put at, or combined with, elements of an array, so that the bits follow from the indices alone. Where the order
// does not matter (integers; extrema, which order NaNs and zeros) by atomics; many values for few elements meet in the
// shared memory of their block first, and one value for all is only counted. Of values that are put, the last one: each
// element remembers the highest number of a value that wants it. Sums and products of floats: scatter_in_order.cu.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "src/cuda/cub/scatter.cuh"

namespace frit_cub {
namespace {

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

// The types that atomics are declared for.
template <class T>
using atomic_word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
template <class T>
using atomic_number = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<atomic_word<T>>, atomic_word<T>>;

// The word that holds the element: narrower ones have no atomics of their own.
template <int Operation, class T>
__device__ void combine_at(T* p, T v) {
    using word = atomic_word<T>;
    if constexpr (sizeof(T) >= 4 && std::is_integral_v<T> && Operation != FRIT_CUB_SCATTER_MUL) {
        auto* const number = reinterpret_cast<atomic_number<T>*>(p);
        if constexpr (Operation == FRIT_CUB_SCATTER_ADD) {
            atomicAdd(reinterpret_cast<word*>(p), static_cast<word>(v));
        } else if (together<Operation>(*p, v) != *p) {  // few values are new extrema
            if constexpr (Operation == FRIT_CUB_SCATTER_MIN)
                atomicMin(number, v);
            else
                atomicMax(number, v);
        }
        return;
    }
    word* w = reinterpret_cast<word*>(p);
    unsigned shift = 0;
    if constexpr (sizeof(T) < sizeof(word)) {
        const auto address = reinterpret_cast<std::uintptr_t>(p);
        w = reinterpret_cast<word*>(address / sizeof(word) * sizeof(word));
        shift = static_cast<unsigned>(address % sizeof(word)) * 8;
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

// Lanes with values for one element combine them first, else millions for one element would wait for each other.
template <int Operation, class T, class Key>
__device__ void combine_of_warp(T* to, Key at, T v) {
    const unsigned here = __activemask(), peers = __match_any_sync(here, at), lane = threadIdx.x % 32;
    if (__any_sync(here, peers != 1U << lane)) {
        T all = v;
        for (unsigned rest = peers; rest != 0; rest &= rest - 1) {  // each lane but itself, its own value being there
            const int from = __ffs(static_cast<int>(rest)) - 1;
            const T other = static_cast<T>(__shfl_sync(peers, v, from));
            if (static_cast<unsigned>(from) != lane) all = together<Operation>(all, other);
        }
        if (lane + 1 != static_cast<unsigned>(__ffs(static_cast<int>(peers)))) return;
        v = all;
    }
    combine_at<Operation>(to + at, v);
}

template <int Operation, class T, class Key>
cudaError_t by_atomics(const frit_cub_scatter& c, const arrays<Key>& a, cudaStream_t stream) {
    using word = std::conditional_t<sizeof(Key) == 8, unsigned long long, unsigned>;
    constexpr bool extrema =
        Operation == FRIT_CUB_SCATTER_MIN || Operation == FRIT_CUB_SCATTER_MAX;  // few values are new ones
    return for_each(c.count, stream, [a] __device__(std::int64_t k) {
        T* const to = static_cast<T*>(a.to);
        const T v = static_cast<const T*>(a.values)[k * a.step];
        const Key element = a.at[k];
        if (element == nobody<Key>) return;
        if constexpr (extrema)
            combine_at<Operation>(to + element, v);
        else
            combine_of_warp<Operation>(to, static_cast<word>(element), v);
    });
}

// --- so, of many values for few elements ---

// Every block has bins in shared memory, a bin for each element, and where there is room several copies of them side by
// side: lanes of a warp then meet less, and with 32 copies never, whatever the numbers are.
constexpr int bin_threads = 512, bin_items = 8, bin_tile = bin_threads * bin_items;
constexpr int most_bin_bytes = 48 << 10, bin_bytes_of_copies = 32 << 10;  // as much as a block has without asking for more
constexpr int bin_blocks = 3;                                             // that a multiprocessor has room for

bool into_bins(const frit_cub_scatter& c, int bytes_of_bin) {
    return c.count >= many_values && c.size <= most_bin_bytes / bytes_of_bin;
}

struct bin_shape {
    unsigned blocks;
    int bins, log_copies, bytes;
};
cudaError_t shape_of_bins(const frit_cub_scatter& c, int bytes_of_bin, bin_shape& s) {
    int device = 0, processors = 0;
    FRIT_TRY(cudaGetDevice(&device));
    FRIT_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    // What a block adds to the result must be little beside what it reads.
    const std::int64_t least = std::max<std::int64_t>(2 * bin_tile, 4 * c.size);
    s.blocks = static_cast<unsigned>(
        std::max<std::int64_t>(1, std::min<std::int64_t>(std::int64_t{bin_blocks} * processors, c.count / least)));
    s.bins = static_cast<int>(c.size);
    s.log_copies = 0;
    while (s.log_copies < 5 && ((s.bins * bytes_of_bin) << (s.log_copies + 1)) <= bin_bytes_of_copies) ++s.log_copies;
    s.bytes = (s.bins * bytes_of_bin) << s.log_copies;
    return cudaSuccess;
}

// All of a block's share of n, several at once: what is loaded depends on nothing before it.
template <class Load, class Use>
__device__ void in_tiles(std::int64_t n, Load load, Use use) {
    for (std::int64_t begin = std::int64_t{blockIdx.x} * bin_tile; begin < n; begin += std::int64_t{gridDim.x} * bin_tile) {
        const std::int64_t mine = begin + threadIdx.x;
        if (begin + bin_tile <= n) {
            decltype(load(mine)) loaded[bin_items];
#pragma unroll
            for (int j = 0; j < bin_items; ++j) loaded[j] = load(mine + j * bin_threads);
#pragma unroll
            for (int j = 0; j < bin_items; ++j) use(loaded[j]);
        } else {
            for (std::int64_t k = mine; k < n; k += bin_threads) use(load(k));
        }
    }
}

/// What a thread's share has of indices that are out of range: it has met one, and goes through them again.
template <class Key>
__device__ void tell_of_tiles(std::int64_t n, const element_numbers<Key>& at) {
    for (std::int64_t begin = std::int64_t{blockIdx.x} * bin_tile; begin < n; begin += std::int64_t{gridDim.x} * bin_tile)
        for (std::int64_t k = begin + threadIdx.x; k < n && k < begin + bin_tile; k += bin_threads) static_cast<void>(at[k]);
}

// Every thread's copy is that of its lane. Threads that read neighbouring bins begin with different copies, since the same
// ones lie in one bank.
template <class Bin, class Combine>
__device__ Bin of_all_copies(const Bin* bins, int bin, int log_copies, Bin neutral, Combine combine) {
    for (int k = 0; k < 1 << log_copies; ++k)
        neutral = combine(neutral, bins[(bin << log_copies) + ((k + threadIdx.x) & ((1 << log_copies) - 1))]);
    return neutral;
}

template <class Key>
__global__ void __launch_bounds__(bin_threads, bin_blocks)
    count_in_bins(std::int64_t n, element_numbers<Key> at, bin_shape s, unsigned long long* counts) {
    extern __shared__ unsigned counters[];
    for (int i = threadIdx.x; i < s.bins << s.log_copies; i += bin_threads) counters[i] = 0;
    __syncthreads();
    unsigned* const copy = counters + (threadIdx.x & ((1 << s.log_copies) - 1));
    bool outside = false;
    in_tiles(
        n, [=](std::int64_t k) { return static_cast<unsigned>(at.number(k)); },
        [=, &outside](unsigned bin) {
            if (bin != nobody<unsigned>)
                atomicAdd(copy + (bin << s.log_copies), 1U);
            else
                outside = true;
        });
    if (outside) tell_of_tiles(n, at);
    __syncthreads();
    for (int bin = threadIdx.x; bin < s.bins; bin += bin_threads) {
        const unsigned count = of_all_copies(counters, bin, s.log_copies, 0U, [](unsigned a, unsigned b) { return a + b; });
        if (count != 0) atomicAdd(counts + bin, static_cast<unsigned long long>(count));
    }
}

template <int Operation, class T>
__device__ T together_with(T now, T v, unsigned long long times) {
    using whole = unsigned long long;
    if constexpr (Operation == FRIT_CUB_SCATTER_ADD && std::is_floating_point_v<T>)
        return T(double(now) + double(v) * double(times));
    else if constexpr (Operation == FRIT_CUB_SCATTER_ADD)
        return static_cast<T>(static_cast<whole>(now) + static_cast<whole>(v) * times);
    else if constexpr (Operation == FRIT_CUB_SCATTER_MUL) {
        whole power = static_cast<whole>(now);
        for (whole square = static_cast<whole>(v); times != 0; times /= 2, square *= square)
            if (times % 2 != 0) power *= square;
        return static_cast<T>(power);
    } else
        return together<Operation>(now, v);
}

// One value for all: how often each element meets it says the rest.
template <int Operation, class T, class Key>
cudaError_t by_counts(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    auto* const counts = memory.take<unsigned long long>(static_cast<std::size_t>(c.size));
    if (memory.counts()) return cudaSuccess;
    bin_shape s;
    FRIT_TRY(shape_of_bins(c, sizeof(unsigned), s));
    FRIT_TRY(cudaMemsetAsync(counts, 0, static_cast<std::size_t>(c.size) * sizeof *counts, stream));
    count_in_bins<<<s.blocks, bin_threads, s.bytes, stream>>>(c.count, a.at, s, counts);
    FRIT_TRY(cudaGetLastError());
    T* const to = static_cast<T*>(a.to);
    const T* const value = static_cast<const T*>(a.values);
    return for_each(c.size, stream, [=] __device__(std::int64_t e) {
        if (counts[e] != 0) to[e] = together_with<Operation>(to[e], *value, counts[e]);
    });
}

// What a bin holds: a number that shared memory has atomics for. Floats become integers of the same order, where NaN lies
// beyond all others, and none becomes what an empty bin holds.
template <int Operation, class T>
struct bin_of {
    using type = std::conditional_t<
        sizeof(T) == 8 || std::is_floating_point_v<T>,
        std::conditional_t<std::is_signed_v<T> && !std::is_floating_point_v<T>, long long, atomic_word<T>>,
        std::conditional_t<std::is_signed_v<T>, int, unsigned>>;
    static constexpr bool largest = Operation == FRIT_CUB_SCATTER_MAX;
    static constexpr type empty = Operation == FRIT_CUB_SCATTER_ADD   ? type(0)
                                  : Operation == FRIT_CUB_SCATTER_MUL ? type(1)
                                  : largest                           ? std::numeric_limits<type>::lowest()
                                                                      : std::numeric_limits<type>::max();

    static __device__ type of(T v) {
        if constexpr (std::is_floating_point_v<T>) {
            constexpr type sign = type(1) << (8 * sizeof(T) - 1);
            if (v != v) return static_cast<type>(~empty);
            type bits;
            memcpy(&bits, &v, sizeof bits);
            return (bits & sign) != 0 ? static_cast<type>(~bits) : bits | sign;
        } else {
            return static_cast<type>(v);
        }
    }
    static __device__ T value(type bin) {
        if constexpr (std::is_floating_point_v<T>) {
            constexpr type sign = type(1) << (8 * sizeof(T) - 1);
            const type bits = (bin & sign) != 0 ? bin ^ sign : static_cast<type>(~bin);
            T v;
            memcpy(&v, &bits, sizeof v);
            return v;
        } else {
            return static_cast<T>(bin);
        }
    }
};

template <int Operation, class Bin>
__device__ void combine_in_bin(Bin* p, Bin v) {
    // Shared memory adds no 64-bit numbers: half by half, and most have nothing to add to the upper one.
    if constexpr (Operation == FRIT_CUB_SCATTER_ADD && sizeof(Bin) == 8) {
        auto* const halves = reinterpret_cast<unsigned*>(p);
        const auto low = static_cast<unsigned>(v), old = atomicAdd(halves, low);
        const unsigned carry = old + low < low ? 1 : 0;
        if (const unsigned high = static_cast<unsigned>(v >> 32) + carry; high != 0) atomicAdd(halves + 1, high);
    } else {
        combine_at<Operation>(p, v);
    }
}

template <class T>
struct numbered {
    unsigned bin;
    T value;
};

template <int Operation, class T, class Key>
__global__ void __launch_bounds__(bin_threads, bin_blocks)
    combine_in_bins(std::int64_t n, element_numbers<Key> at, const T* values, bin_shape s, T* to) {
    using held = bin_of<Operation, T>;
    using bin_type = typename held::type;
    extern __shared__ unsigned long long room[];
    auto* const bins = reinterpret_cast<bin_type*>(room);
    for (int i = threadIdx.x; i < s.bins << s.log_copies; i += bin_threads) bins[i] = held::empty;
    __syncthreads();
    bin_type* const copy = bins + (threadIdx.x & ((1 << s.log_copies) - 1));
    bool outside = false;
    in_tiles(
        n,
        [=](std::int64_t k) {
            return numbered<T>{static_cast<unsigned>(at.number(k)), values[k]};
        },
        [=, &outside](numbered<T> v) {
            if (v.bin != nobody<unsigned>)
                combine_in_bin<Operation>(copy + (v.bin << s.log_copies), held::of(v.value));
            else
                outside = true;
        });
    if (outside) tell_of_tiles(n, at);
    __syncthreads();
    for (int bin = threadIdx.x; bin < s.bins; bin += bin_threads) {
        const bin_type all = of_all_copies(bins, bin, s.log_copies, held::empty, together<Operation, bin_type>);
        if (all != held::empty) combine_at<Operation>(to + bin, held::value(all));
    }
}

template <int Operation, class T, class Key>
cudaError_t without_order(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    if (c.one_value && into_bins(c, sizeof(unsigned))) return by_counts<Operation, T>(c, a, memory, stream);
    if (memory.counts()) return cudaSuccess;
    constexpr int bytes = sizeof(typename bin_of<Operation, T>::type);
    if (c.one_value || !into_bins(c, bytes)) return by_atomics<Operation, T>(c, a, stream);
    bin_shape s;
    FRIT_TRY(shape_of_bins(c, bytes, s));
    combine_in_bins<Operation, T><<<s.blocks, bin_threads, s.bytes, stream>>>(c.count, a.at, static_cast<const T*>(a.values),
                                                                              s, static_cast<T*>(a.to));
    return cudaGetLastError();
}

// --- of several the last one ---

// The highest number of a value that wants an element: in an array of all elements,
template <class Number>
struct last_of_each {
    Number* last;
    __device__ Number* of(std::uint64_t element) const { return last + element; }
};
// or, where values are few beside the elements of a large array, in a table of those that are wanted, where an element has
// the first free slot from its hash on.
struct last_of_wanted {
    unsigned long long* wanted;
    unsigned* last;
    int log_slots;
    static constexpr unsigned long long free = ~0ULL;
    __device__ unsigned* of(std::uint64_t element) const {
        const std::uint64_t mask = (std::uint64_t{1} << log_slots) - 1;
        for (std::uint64_t slot = element * 0x9E3779B97F4A7C15U >> (64 - log_slots);; slot = (slot + 1) & mask) {
            unsigned long long who = wanted[slot];
            if (who == free) who = atomicCAS(wanted + slot, free, element);
            if (who == free || who == element) return last + slot;
        }
    }
};

template <class Last, class Key>
cudaError_t find_last(std::int64_t count, const element_numbers<Key>& at, Last last, cudaStream_t stream) {
    FRIT_TRY(for_each(count, stream, [=] __device__(std::int64_t k) {
        if (const Key element = at[k]; element != nobody<Key>) *last.of(element) = 0;
    }));
    return for_each(count, stream, [=] __device__(std::int64_t k) {
        using number = std::remove_pointer_t<decltype(last.of(0))>;
        if (const Key element = at[k]; element != nobody<Key>) atomicMax(last.of(element), static_cast<number>(k));
    });
}
template <class T, class Last, class Key>
cudaError_t put_last(std::int64_t count, const arrays<Key>& a, Last last, cudaStream_t stream) {
    FRIT_TRY(find_last(count, a.at, last, stream));
    return for_each(count, stream, [=] __device__(std::int64_t k) {
        const Key element = a.at[k];
        if (element != nobody<Key> && *last.of(element) == static_cast<std::uint64_t>(k))
            static_cast<T*>(a.to)[element] = static_cast<const T*>(a.values)[k * a.step];
    });
}

template <class T, class Key>
cudaError_t put_wanted(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    last_of_wanted table{};
    table.log_slots = 1;
    while (std::int64_t{1} << table.log_slots < 2 * c.count) ++table.log_slots;
    const std::size_t slots = std::size_t{1} << table.log_slots;
    table.wanted = memory.take<unsigned long long>(slots);
    table.last = memory.take<unsigned>(slots);
    if (memory.counts()) return cudaSuccess;
    FRIT_TRY(cudaMemsetAsync(table.wanted, 0xff, slots * sizeof *table.wanted, stream));
    return put_last<T>(c.count, a, table, stream);
}
template <class T, class Number, class Key>
cudaError_t put_each(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    const last_of_each<Number> all{memory.take<Number>(static_cast<std::size_t>(c.size))};
    return memory.counts() ? cudaSuccess : put_last<T>(c.count, a, all, stream);
}
template <class T, class Key>
cudaError_t put(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    if (c.count > std::int64_t{0xffffffff}) return put_each<T, unsigned long long>(c, a, memory, stream);
    constexpr std::int64_t large = 1 << 24;  // a table has at most 48 bytes a value
    if (c.size > large && c.count <= c.size / 16) return put_wanted<T>(c, a, memory, stream);
    return put_each<T, unsigned>(c, a, memory, stream);
}

// --- by kind of the elements ---

// Sums and products have the same bits with a sign and without.
template <class T, class Key>
cudaError_t of_integers(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    using bits = std::make_unsigned_t<T>;
    // Atomics on what the L2 does not hold take longer than to sort the values, if these are many beside the elements.
    constexpr std::int64_t most_cached = 24 << 20;
    const bool many = c.count >= many_values && c.size / 4 <= c.count;
    if (sizeof(T) >= 4 && c.operation == FRIT_CUB_SCATTER_ADD && many && c.size * c.bytes > most_cached)
        return scatter_in_order(c, a, memory, stream);
    switch (c.operation) {
        case FRIT_CUB_SCATTER_ADD: return without_order<FRIT_CUB_SCATTER_ADD, bits>(c, a, memory, stream);
        case FRIT_CUB_SCATTER_MUL: return without_order<FRIT_CUB_SCATTER_MUL, bits>(c, a, memory, stream);
        case FRIT_CUB_SCATTER_MIN: return without_order<FRIT_CUB_SCATTER_MIN, T>(c, a, memory, stream);
        default: return without_order<FRIT_CUB_SCATTER_MAX, T>(c, a, memory, stream);
    }
}
// Or and and.
template <class Key>
cudaError_t of_bools(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    const bool any = c.operation == FRIT_CUB_SCATTER_ADD || c.operation == FRIT_CUB_SCATTER_MAX;
    return any ? without_order<FRIT_CUB_SCATTER_MAX, std::uint8_t>(c, a, memory, stream)
               : without_order<FRIT_CUB_SCATTER_MIN, std::uint8_t>(c, a, memory, stream);
}
template <class T, class Key>
cudaError_t of_floats(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    switch (c.operation) {
        case FRIT_CUB_SCATTER_MIN: return without_order<FRIT_CUB_SCATTER_MIN, T>(c, a, memory, stream);
        case FRIT_CUB_SCATTER_MAX: return without_order<FRIT_CUB_SCATTER_MAX, T>(c, a, memory, stream);
        default: break;
    }
    // A float32 as often as this is added up in double without rounding, so its count says the sum.
    if constexpr (sizeof(T) == 4)
        if (c.operation == FRIT_CUB_SCATTER_ADD && c.one_value && c.count < 1 << 29 && into_bins(c, sizeof(unsigned)))
            return by_counts<FRIT_CUB_SCATTER_ADD, T>(c, a, memory, stream);
    return scatter_in_order(c, a, memory, stream);
}
template <class Key>
cudaError_t of_any(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    switch (c.bytes) {
        case 1: return put<std::uint8_t>(c, a, memory, stream);
        case 2: return put<std::uint16_t>(c, a, memory, stream);
        case 4: return put<std::uint32_t>(c, a, memory, stream);
        case 8: return put<std::uint64_t>(c, a, memory, stream);
        default: return put<double2>(c, a, memory, stream);
    }
}

template <class Key>
cudaError_t run(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    if (c.operation == FRIT_CUB_SCATTER_SET) return of_any(c, a, memory, stream);
    if (c.kind == 'f')
        return c.bytes == 4 ? of_floats<float>(c, a, memory, stream) : of_floats<double>(c, a, memory, stream);
    if (c.kind == 'c') return scatter_in_order(c, a, memory, stream);
    if (c.kind == 'b') return of_bools(c, a, memory, stream);
    const bool is_signed = c.kind == 'i';
    switch (c.bytes) {
        case 1:
            return is_signed ? of_integers<std::int8_t>(c, a, memory, stream)
                             : of_integers<std::uint8_t>(c, a, memory, stream);
        case 2:
            return is_signed ? of_integers<std::int16_t>(c, a, memory, stream)
                             : of_integers<std::uint16_t>(c, a, memory, stream);
        case 4:
            return is_signed ? of_integers<std::int32_t>(c, a, memory, stream)
                             : of_integers<std::uint32_t>(c, a, memory, stream);
        default:
            return is_signed ? of_integers<std::int64_t>(c, a, memory, stream)
                             : of_integers<std::uint64_t>(c, a, memory, stream);
    }
}

}  // namespace

cudaError_t scatter(const frit_cub_scatter& c, const void* base, const void* at, const void* values, void* to,
                    std::uint64_t* fault, workspace& memory, cudaStream_t stream) {
    if (!memory.counts() && base != to)
        FRIT_TRY(cudaMemcpyAsync(to, base, static_cast<std::size_t>(c.size) * static_cast<std::size_t>(c.bytes),
                                 cudaMemcpyDeviceToDevice, stream));
    const auto of = [&](const auto* numbers) {
        using key = std::remove_cv_t<std::remove_pointer_t<decltype(numbers)>>;
        const element_numbers<key> elements{numbers, static_cast<key>(c.size), reinterpret_cast<unsigned long long*>(fault),
                                            c.indices != 0};
        return run(c, arrays<key>{elements, values, c.one_value ? 0 : 1, to}, memory, stream);
    };
    return c.narrow ? of(static_cast<const std::uint32_t*>(at)) : of(static_cast<const std::uint64_t*>(at));
}

}  // namespace frit_cub

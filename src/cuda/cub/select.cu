// What sorting would put at some ranks of a row, without sorting the rest: a radix select. The highest digit of all keys is
// counted, the digit of an element at a rank is the one in whose count the rank lies, and so on with the next digit of the
// keys that share those before (MSD radix sort, of the buckets that are asked for). Every digit is a pass over the row,
// whose last block to finish says what is counted next, so nothing waits for the host, and counts do not depend on the order
// of blocks. Of the largest elements those places come first that are first in the row: digits of the places follow those of
// the key. A first pass over a sample leaves few candidates of them: what k elements of a sample reach, k of the row reach.
// Short rows, and many ranks, are sorted.
#include <cooperative_groups.h>

#include <algorithm>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "src/cuda/cub/keys.cuh"

namespace frit_cub {
namespace {

using std::int64_t;
using std::uint64_t;
using count_type = unsigned long long;  // what atomics take

constexpr int most_ranks = 16;       // selected together; more are sorted
constexpr int table_size = 1 << 13;  // counts of a block, in shared memory
constexpr int first_bits = 12;
constexpr int block_size = 512, blocks_each = 2;  // of a multiprocessor
constexpr int stretch = 128;                      // of neighbours in a sample
constexpr int sampled = 64;                       // one stretch of so many
constexpr int64_t short_row = 1 << 14;            // is sorted as quickly

// A digit of the keys, or of the places.
struct digit {
    bool first, of_place;
    int shift, bits;
};

// A selection between two passes.
template <class Key>
struct selection {
    int64_t rank[most_ranks];    // among the elements that share all digits so far
    Key key[most_ranks];         // those digits
    uint64_t place[most_ranks];  // the same of the place
    int group[most_ranks];       // of a rank: those that share them
    Key group_key[most_ranks];
    uint64_t group_place[most_ranks];
    int groups;
    unsigned blocks;     // that have finished the pass
    int all_equal_ones;  // the largest: whatever has the key belongs to them
    count_type found;    // candidates
    count_type taken;    // of the largest
};

// The elements of a row. `flip` turns the order over, where the largest come first.
template <class Key>
struct row_of {
    const Key* x;
    int64_t length;
    coder<Key> code;
    Key flip;
    __device__ int64_t count() const { return length; }
    __device__ Key load(int64_t i) const { return x[i]; }
    __device__ Key key(Key loaded) const { return code.encode(loaded) ^ flip; }
    __device__ int64_t place(int64_t i) const { return i; }
};
// Stretches of it.
template <class Key>
struct sample_of : row_of<Key> {
    __device__ int64_t count() const { return this->length / (stretch * sampled) * stretch; }
    __device__ Key load(int64_t i) const { return this->x[i / stretch * (stretch * sampled) + i % stretch]; }
};
// Some of it, among them all that are asked for if there was room.
template <class Key>
struct candidates {
    Key* keys = nullptr;
    int64_t* places = nullptr;
    count_type* found = nullptr;  // null: there is no such list
    int64_t room = 0;
    __device__ bool suffice() const { return found && count() <= room; }
    __device__ int64_t count() const { return static_cast<int64_t>(__ldcg(found)); }
    __device__ Key load(int64_t i) const { return keys[i]; }
    __device__ Key key(Key loaded) const { return loaded; }
    __device__ int64_t place(int64_t i) const { return places[i]; }
};

// Blocks that candidates are worth.
__device__ unsigned blocks_of(int64_t candidates) {
    constexpr int64_t each = 8 * block_size;
    const int64_t blocks = candidates < each ? 1 : (candidates + each - 1) / each;
    return static_cast<unsigned>(blocks < gridDim.x ? blocks : gridDim.x);
}

// Calls f(key, i) for all elements, with enough loads under way, by the first so many blocks.
template <class Key, class Source, class F>
__device__ void sweep(const Source& of, unsigned blocks, F f) {
    constexpr int together = sizeof(Key) < 8 ? 8 : 4;
    const int64_t n = of.count(), step = int64_t{blocks} * block_size;
    int64_t i = int64_t{blockIdx.x} * block_size + threadIdx.x;
    for (; i + (together - 1) * step < n; i += together * step) {
        Key loaded[together];
#pragma unroll
        for (int j = 0; j < together; ++j) loaded[j] = of.load(i + j * step);
#pragma unroll
        for (int j = 0; j < together; ++j) f(of.key(loaded[j]), i + j * step);
    }
    for (; i < n; i += step) f(of.key(of.load(i)), i);
}

// The same of a whole row, 16 bytes at a time where it begins at such an address.
template <class Key, class F>
__device__ void sweep_row(const row_of<Key>& of, F f) {
    constexpr int together = 4, each = 16 / sizeof(Key);
    if (each == 1 || reinterpret_cast<std::uintptr_t>(of.x) % 16 != 0) return sweep<Key>(of, gridDim.x, f);
    struct alignas(16) pack {
        Key x[each];
    };
    const auto* const packs = reinterpret_cast<const pack*>(of.x);
    const int64_t n = of.length / each, step = int64_t{gridDim.x} * block_size;
    const int64_t first = int64_t{blockIdx.x} * block_size + threadIdx.x;
    const auto use = [&](const pack& p, int64_t at) {
#pragma unroll
        for (int e = 0; e < each; ++e) f(of.key(p.x[e]), at * each + e);
    };
    int64_t i = first;
    for (; i + (together - 1) * step < n; i += together * step) {
        pack loaded[together];
#pragma unroll
        for (int j = 0; j < together; ++j) loaded[j] = packs[i + j * step];
#pragma unroll
        for (int j = 0; j < together; ++j) use(loaded[j], i + j * step);
    }
    for (; i < n; i += step) use(packs[i], i);
    if (const int64_t last = n * each + first; last < of.length) f(of.key(of.load(last)), last);
}

// A place in a list for each thread that is here.
__device__ int64_t next_place(count_type* count) {
    const auto group = cooperative_groups::coalesced_threads();
    count_type at = 0;
    if (group.thread_rank() == 0) at = atomicAdd(count, count_type{group.size()});
    return static_cast<int64_t>(group.shfl(at, 0)) + group.thread_rank();
}

template <class Key>
__global__ void start(selection<Key>* s, const int64_t* ranks, int count, int64_t rank) {
    const int k = static_cast<int>(threadIdx.x);
    if (k < count) {
        s->rank[k] = ranks ? ranks[k] : rank;
        s->key[k] = 0;
        s->place[k] = 0;
        s->group[k] = 0;
    }
    if (k == 0) {
        s->groups = 1;
        s->group_key[0] = 0;
        s->group_place[0] = 0;
        s->blocks = 0;
        s->all_equal_ones = 0;
    }
}

// By one block: where the ranks lie among the counts of their groups, and what the next groups are.
template <class Key>
__device__ void advance(selection<Key>* s, digit d, int ranks, bool last_of_key, count_type* counts) {
    using scan = cub::BlockScan<count_type, block_size>;
    __shared__ typename scan::TempStorage scratch;
    const int bins = 1 << d.bits, each = (bins + block_size - 1) / block_size;
    const int begin = min(bins, static_cast<int>(threadIdx.x) * each), end = min(bins, begin + each);
    const int groups = s->groups;
    for (int r = 0; r < ranks; ++r) {
        const count_type* const own = counts + (static_cast<int64_t>(s->group[r]) << d.bits);
        const auto rank = static_cast<count_type>(s->rank[r]);
        count_type sum = 0, before = 0;
        for (int b = begin; b < end; ++b) sum += __ldcg(own + b);
        scan(scratch).ExclusiveSum(sum, before);
        __syncthreads();  // all have read the rank, and the scan's memory is free
        if (before <= rank && rank < before + sum) {
            int b = begin;
            for (count_type c; before + (c = __ldcg(own + b)) <= rank; ++b) before += c;
            if (d.of_place)
                s->place[r] |= static_cast<uint64_t>(b) << d.shift;
            else
                s->key[r] |= static_cast<Key>(static_cast<Key>(b) << d.shift);
            s->rank[r] = static_cast<int64_t>(rank - before);
            if (last_of_key) s->all_equal_ones = rank - before + 1 == __ldcg(own + b);
        }
        __syncthreads();
    }
    for (int b = static_cast<int>(threadIdx.x); b < groups << d.bits; b += block_size) counts[b] = 0;
    if (threadIdx.x != 0) return;
    int next = 0;
    for (int r = 0; r < ranks; ++r) {
        int g = 0;
        while (g < next && (s->group_key[g] != s->key[r] || s->group_place[g] != s->place[r])) ++g;
        if (g == next) {
            s->group_key[g] = s->key[r];
            s->group_place[g] = s->place[r];
            ++next;
        }
        s->group[r] = g;
    }
    s->groups = next;
    s->blocks = 0;
}

// One pass. `counts` are 0 before it and behind it.
template <class Key, class Row>
__global__ void __launch_bounds__(block_size, blocks_each)
    count_digits(Row of, candidates<Key> some, digit d, int ranks, bool last_of_key, selection<Key>* s, count_type* counts) {
    __shared__ unsigned table[table_size];
    __shared__ Key keys[most_ranks];
    __shared__ uint64_t places[most_ranks];
    __shared__ bool is_last;
    if (d.of_place && s->all_equal_ones) return;
    const bool few = some.suffice();
    const unsigned blocks = few ? blocks_of(some.count()) : gridDim.x;
    if (blockIdx.x >= blocks) return;
    const int groups = s->groups, used = groups << d.bits, mask = (1 << d.bits) - 1, above = d.shift + d.bits;
    for (int k = static_cast<int>(threadIdx.x); k < used; k += block_size) table[k] = 0;
    if (threadIdx.x < most_ranks) {
        keys[threadIdx.x] = s->group_key[threadIdx.x];
        places[threadIdx.x] = s->group_place[threadIdx.x];
    }
    __syncthreads();
    const auto count = [&](const auto& source) {
        if (d.first)
            sweep<Key>(source, blocks,
                       [&](Key key, int64_t) { atomicAdd(table + (static_cast<int>(key >> d.shift) & mask), 1U); });
        else if (d.of_place)
            sweep<Key>(source, blocks, [&](Key key, int64_t i) {
                if (key != keys[0]) return;
                const auto place = static_cast<uint64_t>(source.place(i));
                if (place >> above == places[0] >> above) atomicAdd(table + (static_cast<int>(place >> d.shift) & mask), 1U);
            });
        else
            sweep<Key>(source, blocks, [&](Key key, int64_t) {
                for (int g = 0; g < groups; ++g)
                    if (static_cast<Key>(key >> above) == static_cast<Key>(keys[g] >> above))
                        atomicAdd(table + (g << d.bits | (static_cast<int>(key >> d.shift) & mask)), 1U);
            });
    };
    if (few)
        count(some);
    else
        count(of);
    __syncthreads();
    for (int k = static_cast<int>(threadIdx.x); k < used; k += block_size)
        if (table[k] != 0) atomicAdd(counts + k, count_type{table[k]});
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(&s->blocks, 1U) == blocks - 1;
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    advance(s, d, ranks, last_of_key, counts);
}

// Lists, in any order, what is not behind the bound. Where there is no room for all of it, `found` says so.
template <class Key>
__global__ void __launch_bounds__(block_size, blocks_each)
    list_candidates(row_of<Key> of, const Key* bound, int free_bits, candidates<Key> to) {
    const Key last = *bound | static_cast<Key>((Key(1) << free_bits) - 1);
    sweep_row(of, [&](Key key, int64_t i) {
        if (key > last || to.count() > to.room) return;
        const int64_t at = next_place(to.found);
        if (at >= to.room) return;
        to.keys[at] = key;
        to.places[at] = i;
    });
}

// The elements up to the selected one, of which there are as many as its rank says, in any order.
template <class Key>
__global__ void __launch_bounds__(block_size, blocks_each)
    take_first(row_of<Key> of, candidates<Key> some, selection<Key>* s, Key* keys, int64_t* places) {
    const bool all = s->all_equal_ones != 0;
    const Key last = s->key[0];
    const uint64_t last_place = s->place[0];
    const auto take = [&](const auto& source) {
        sweep<Key>(source, gridDim.x, [&](Key key, int64_t i) {
            if (key > last) return;
            const int64_t place = source.place(i);
            if (key == last && !all && static_cast<uint64_t>(place) > last_place) return;
            const int64_t at = next_place(&s->taken);
            keys[at] = key;
            places[at] = place;
        });
    };
    if (some.suffice())
        take(some);
    else
        take(of);
}

template <class Key>
__device__ void put_part(Key* to, Key x, int64_t) {
    *to = x;
}
template <class Key>
__device__ void put_part(int64_t* to, Key, int64_t place) {
    *to = place;
}

int bits_of(int64_t most) {
    int bits = 0;
    while (bits < 63 && most >> bits != 0) ++bits;
    return bits;
}

template <class Key>
struct selector {
    const frit_cub_select& c;
    const Key* from;
    const int64_t* ranks;
    workspace& memory;
    cudaStream_t stream;
    const int64_t n = c.rows * c.length;
    int blocks = 0;
    selection<Key>* state = nullptr;
    count_type* counts = nullptr;

    bool sorts() const {
        if (c.rows == 1 ? c.length < short_row : c.length < long_row) return true;
        return c.operation == FRIT_CUB_SELECT && c.count > most_ranks;
    }

    // --- passes ---

    cudaError_t take_state() {
        int device = 0, processors = 0;
        FRIT_TRY(cudaGetDevice(&device));
        FRIT_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
        blocks = blocks_each * processors;
        state = memory.take<selection<Key>>(1);
        counts = memory.take<count_type>(table_size);
        return cudaSuccess;
    }
    unsigned blocks_for(int64_t count) const {
        return static_cast<unsigned>(std::clamp<int64_t>((count + block_size - 1) / block_size, 1, blocks));
    }

    static constexpr int key_bits = 8 * sizeof(Key);
    // The upper digits of the keys, down to the bit `last`.
    template <class Row>
    cudaError_t select_keys(const Row& of, const candidates<Key>& some, const int64_t* at, int count, int64_t rank,
                            int last = 0) {
        start<<<1, 32, 0, stream>>>(state, at, count, rank);
        FRIT_TRY(cudaGetLastError());
        const int later = count == 1 ? first_bits : count <= 8 ? 10 : 9;  // all groups in one table
        for (int left = key_bits; left > last;) {
            const bool first = left == key_bits;
            const int bits = std::min(left - last, first ? first_bits : later);
            left -= bits;
            FRIT_TRY(pass(of, some, {first, false, left, bits}, count, left == 0));
        }
        return cudaSuccess;
    }
    // And those of the places.
    cudaError_t select_places(const row_of<Key>& of, const candidates<Key>& some) {
        for (int left = bits_of(c.length - 1); left > 0;) {
            const int bits = std::min(left, first_bits);
            left -= bits;
            FRIT_TRY(pass(of, some, {false, true, left, bits}, 1, false));
        }
        return cudaSuccess;
    }
    template <class Row>
    cudaError_t pass(const Row& of, const candidates<Key>& some, digit d, int count, bool last_of_key) {
        count_digits<Key, Row>
            <<<blocks_for(c.length), block_size, 0, stream>>>(of, some, d, count, last_of_key, state, counts);
        return cudaGetLastError();
    }

    // --- at ranks ---

    frit_cub_call sort_call(int results) const { return {FRIT_CUB_SORT, c.kind, c.bytes, c.rows, c.length, results}; }

    // The keys of the elements at the ranks of all rows.
    cudaError_t keys_at_ranks(coder<Key> code, Key* to) {
        if (c.count == 0) return cudaSuccess;
        if (sorts()) return sorted_keys_at_ranks(code, to);
        FRIT_TRY(take_state());
        if (memory.counts()) return cudaSuccess;
        FRIT_TRY(cudaMemsetAsync(counts, 0, table_size * sizeof *counts, stream));
        const auto count = static_cast<int>(c.count);
        for (int64_t row = 0; row < c.rows; ++row) {
            const row_of<Key> of{from + row * c.length, c.length, code, 0};
            FRIT_TRY(select_keys(of, candidates<Key>(), c.alike ? ranks : ranks + row * c.count, count, 0));
            const selection<Key>* const s = state;
            Key* const y = to + row * c.count;
            FRIT_TRY(for_each(count, stream, [=] __device__(int64_t i) { y[i] = s->key[i]; }));
        }
        return cudaSuccess;
    }
    cudaError_t sorted_keys_at_ranks(coder<Key> code, Key* to) {
        const bool by_place = c.kind == 'c';
        Key* const values = memory.take<Key>(by_place ? 0 : static_cast<std::size_t>(n));
        int64_t* const places = memory.take<int64_t>(by_place ? static_cast<std::size_t>(n) : 0);
        FRIT_TRY(sort(sort_call(by_place ? 2 : 1), from, values, places, memory, stream));
        if (memory.counts()) return cudaSuccess;
        const Key* const x = from;
        const int64_t* const r = ranks;
        const int64_t length = c.length, count = c.count;
        const bool alike = c.alike != 0;
        return for_each(c.rows * count, stream, [=] __device__(int64_t i) {
            const int64_t row = i / count * length, rank = r[alike ? i % count : i];
            to[i] = code.encode(by_place ? x[row + places[row + rank]] : values[row + rank]);
        });
    }
    cudaError_t at_ranks(Key* to) {
        const coder<Key> code{c.kind, false};
        FRIT_TRY(keys_at_ranks(code, to));
        if (memory.counts() || c.rows * c.count == 0) return cudaSuccess;
        return for_each(c.rows * c.count, stream, [=] __device__(int64_t i) { to[i] = code.decode(to[i]); });
    }

    // --- partitions ---

    // A stable sort by row and by the part of the row: before, equal to or behind each element at a rank.
    template <class T>
    cudaError_t partition(coder<Key> code, T* to) {
        const auto size = static_cast<std::size_t>(n);
        Key* const pivots = memory.take<Key>(static_cast<std::size_t>(c.rows * c.count));
        uint64_t *const part_a = memory.take<uint64_t>(size), *const part_b = memory.take<uint64_t>(size);
        T* const other = memory.take<T>(size);
        FRIT_TRY(keys_at_ranks(code, pivots));
        const int64_t parts = 2 * c.count + 1, length = c.length, count = c.count;
        const int bits = bits_of(c.rows * parts - 1);
        cub::DoubleBuffer<uint64_t> keys(part_a, part_b);
        cub::DoubleBuffer<T> values(to, other);
        std::size_t bytes = 0;
        FRIT_TRY(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, n, 0, bits, stream));
        void* const temporary = memory.take<char>(bytes);
        if (memory.counts()) return cudaSuccess;
        const Key* const x = from;
        FRIT_TRY(for_each(n, stream, [=] __device__(int64_t i) {
            const Key key = code.encode(x[i]);
            const int64_t row = i / length;
            int64_t part = row * parts;
            for (int64_t k = row * count; k < (row + 1) * count; ++k) part += (key >= pivots[k]) + (key > pivots[k]);
            part_a[i] = static_cast<uint64_t>(part);
            put_part(to + i, x[i], i % length);
        }));
        FRIT_TRY(cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, values, n, 0, bits, stream));
        if (values.Current() == to) return cudaSuccess;
        return cudaMemcpyAsync(to, other, size * sizeof *to, cudaMemcpyDeviceToDevice, stream);
    }

    // --- the largest ---

    cudaError_t largest(Key* values, int64_t* places) {
        if (c.count == 0) return cudaSuccess;
        if (sorts()) return sorted_largest(values, places);
        const auto k = static_cast<std::size_t>(c.count);
        // A sample has to have many more; what it leaves is about `sampled` times as many.
        const bool samples = c.length >= 4 * sampled * c.count && c.length >= 16 * stretch * sampled;
        const int64_t room = samples ? std::max<int64_t>(1 << 16, 4 * sampled * c.count) : 0;
        FRIT_TRY(take_state());
        Key* const listed = memory.take<Key>(static_cast<std::size_t>(room));
        int64_t* const listed_places = memory.take<int64_t>(static_cast<std::size_t>(room));
        Key *const keys_a = memory.take<Key>(k), *const keys_b = memory.take<Key>(k);
        int64_t *const places_a = memory.take<int64_t>(k), *const places_b = memory.take<int64_t>(k);
        cub::DoubleBuffer<Key> keys(keys_a, keys_b);
        cub::DoubleBuffer<int64_t> order(places_a, places_b);
        const int place_bits = std::max(1, bits_of(c.length - 1));
        std::size_t by_place = 0, by_key = 0;
        FRIT_TRY(cub::DeviceRadixSort::SortPairs(nullptr, by_place, order, keys, c.count, 0, place_bits, stream));
        FRIT_TRY(cub::DeviceRadixSort::SortPairs(nullptr, by_key, keys, order, c.count, 0, 8 * sizeof(Key), stream));
        void* const temporary = memory.take<char>(std::max(by_place, by_key));
        if (memory.counts()) return cudaSuccess;
        FRIT_TRY(cudaMemsetAsync(counts, 0, table_size * sizeof *counts, stream));
        for (int64_t row = 0; row < c.rows; ++row) {
            const row_of<Key> of{from + row * c.length, c.length, {c.kind, true}, static_cast<Key>(~Key(0))};
            FRIT_TRY(cudaMemsetAsync(state, 0, sizeof *state, stream));
            candidates<Key> some;
            if (samples) {
                // Of floats the upper digits of a sample are near enough; integers may differ in the lower ones alone.
                constexpr int upper = (key_bits > 32 ? 3 : 2) * first_bits;
                const int last = of.code.is_float() ? std::max(0, key_bits - upper) : 0;
                FRIT_TRY(select_keys(sample_of<Key>{of}, some, nullptr, 1, c.count - 1, last));
                some = {listed, listed_places, &state->found, room};
                list_candidates<<<static_cast<unsigned>(blocks), block_size, 0, stream>>>(of, state->key, last, some);
                FRIT_TRY(cudaGetLastError());
            }
            FRIT_TRY(select_keys(of, some, nullptr, 1, c.count - 1));
            FRIT_TRY(select_places(of, some));
            keys = cub::DoubleBuffer<Key>(keys_a, keys_b);
            order = cub::DoubleBuffer<int64_t>(places_a, places_b);
            take_first<<<blocks_for(c.length), block_size, 0, stream>>>(of, some, state, keys_a, places_a);
            FRIT_TRY(cudaGetLastError());
            FRIT_TRY(cub::DeviceRadixSort::SortPairs(temporary, by_place, order, keys, c.count, 0, place_bits, stream));
            FRIT_TRY(cub::DeviceRadixSort::SortPairs(temporary, by_key, keys, order, c.count, 0, 8 * sizeof(Key), stream));
            FRIT_TRY(put(of.x, order.Current(), row, values, places));
        }
        return cudaSuccess;
    }
    cudaError_t put(const Key* x, const int64_t* order, int64_t row, Key* values, int64_t* places) {
        Key* const y = values ? values + row * c.count : nullptr;
        int64_t* const p = places ? places + row * c.count : nullptr;
        return for_each(c.count, stream, [=] __device__(int64_t i) {
            if (y) y[i] = x[order[i]];
            if (p) p[i] = order[i];
        });
    }
    // A stable sort of the reversed rows, from its end, falls, and has equal elements in their order.
    cudaError_t sorted_largest(Key* values, int64_t* places) {
        const auto size = static_cast<std::size_t>(n);
        Key* const reversed = memory.take<Key>(size);
        int64_t* const order = memory.take<int64_t>(size);
        const Key* const x = from;
        const int64_t length = c.length, count = c.count;
        if (!memory.counts()) {
            FRIT_TRY(for_each(n, stream, [=] __device__(int64_t i) {
                const int64_t row = i / length * length;
                reversed[i] = x[row + (length - 1 - (i - row))];
            }));
        }
        FRIT_TRY(sort(sort_call(2), reversed, nullptr, order, memory, stream));
        if (memory.counts()) return cudaSuccess;
        return for_each(c.rows * count, stream, [=] __device__(int64_t i) {
            const int64_t row = i / count * length, place = length - 1 - order[row + (length - 1 - i % count)];
            if (values) values[i] = x[row + place];
            if (places) places[i] = place;
        });
    }
};

}  // namespace

cudaError_t select(const frit_cub_select& c, const void* from, const std::int64_t* ranks, void* const* to, workspace& memory,
                   cudaStream_t stream) {
    return with_key(c.kind, c.bytes, [&](auto key) -> cudaError_t {
        using Key = decltype(key);
        selector<Key> s{c, static_cast<const Key*>(from), ranks, memory, stream};
        const auto asked = [&](int k) { return (c.results >> k & 1) != 0; };
        const auto result = [&](int k) { return to && asked(k) ? to[k] : nullptr; };
        const auto values = [&](int k) { return static_cast<Key*>(result(k)); };
        const auto places = [&](int k) { return static_cast<int64_t*>(result(k)); };
        if (s.n == 0) return cudaSuccess;
        if (c.operation == FRIT_CUB_LARGEST) return s.largest(values(0), places(1));
        if (asked(0) && c.kind == 'c') return cudaErrorInvalidValue;  // their keys do not say what they are of
        if (asked(0)) FRIT_TRY(s.at_ranks(values(0)));
        if (asked(1)) FRIT_TRY(s.partition({c.kind, c.kind == 'c'}, values(1)));
        if (asked(2)) FRIT_TRY(s.partition({c.kind, true}, places(2)));
        return cudaSuccess;
    });
}

}  // namespace frit_cub

// Sums and products of floats at elements of an array, with the same bits each time. Float32 is added up in double. And sums
// of integers at more elements than caches hold.
//
// Where there are many values, a warp takes a piece of them and has a bin for each element in shared memory: 32 values at a
// time, those of one element are combined in the order of their lanes before one of them goes to its bin. Bins of thousands
// of elements do not fit in there: then the values are first sorted by the upper bits of their elements' numbers, stably, by
// CUB's radix sort, and elements that differ in the lower bits alone are a bucket, whose values lie side by side. Pieces are
// cut at places that follow from a bucket's beginning; of buckets that take several, the pieces' bins are combined in their
// order.
//
// Where values are few beside the elements they are sorted by all bits, and runs of one element are combined tile by tile,
// in the order of a block's scan; what crosses the ends of tiles is a shorter list of the same kind, and so on.
//
// So a million values on one element take no longer than a million elements.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "src/cuda/cub/scatter.cuh"

namespace frit_cub {
namespace {

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

template <bool Sums, class A>
__device__ A together(A a, A b) {
    if constexpr (Sums)
        return a + b;
    else
        return a * b;
}

int bits_for(std::int64_t size) {
    int bits = 1;
    while (bits < 63 && (std::int64_t{1} << bits) < size) ++bits;
    return bits;
}

// --- values in the order of their elements ---

template <class T>
constexpr bool wide = sizeof(T) > 8;

/// Value number i of a list: of wide values the list has the numbers.
template <class T>
struct value_of {
    const T* values;
    std::int64_t step;
    const std::int64_t* order;
    __device__ T operator()(std::int64_t i) const {
        if constexpr (wide<T>)
            if (order) return values[order[i] * step];
        return values[i * step];
    }
};

/// Elements' numbers and what belongs to them, sorted by the bits from `first` on.
template <class T, class Key>
class sorted_list {
public:
    element_numbers<Key> keys;
    value_of<T> values;

    /// first >= bits: as they come. Else no indices, but numbers of elements.
    sorted_list(const frit_cub_scatter& c, const arrays<Key>& a, int first, int bits, workspace& memory)
        : keys(a.at),
          values{static_cast<const T*>(a.values), a.step, nullptr},
          from_(a),
          n_(c.count),
          first_(first),
          bits_(bits) {
        if (first >= bits) return;
        const auto n = static_cast<std::size_t>(n_);
        keys.at = keys_ = memory.take<Key>(n);
        if (a.step != 0 && wide<T>) numbers_ = memory.take<std::int64_t>(n), order_ = memory.take<std::int64_t>(n);
        if (a.step != 0 && !wide<T>) sorted_ = memory.take<T>(n);
        if (a.step != 0 && !memory.counts()) wide<T> ? void(values.order = order_) : void(values.values = sorted_);
        status_ = sort(nullptr, nullptr);
        room_ = memory.take<char>(bytes_);
    }
    cudaError_t run(cudaStream_t stream) {
        if (first_ >= bits_ || status_ != cudaSuccess) return status_;
        if (numbers_) {
            std::int64_t* const numbers = numbers_;
            FRIT_TRY(for_each(n_, stream, [numbers] __device__(std::int64_t k) { numbers[k] = k; }));
        }
        return sort(room_, stream);
    }
    cudaError_t status() const { return status_; }

private:
    cudaError_t sort(void* room, cudaStream_t stream) {
        using cub::DeviceRadixSort;
        if (from_.step == 0) return DeviceRadixSort::SortKeys(room, bytes_, from_.at.at, keys_, n_, first_, bits_, stream);
        if constexpr (wide<T>)
            return DeviceRadixSort::SortPairs(room, bytes_, from_.at.at, keys_, numbers_, order_, n_, first_, bits_, stream);
        else
            return DeviceRadixSort::SortPairs(room, bytes_, from_.at.at, keys_, static_cast<const T*>(from_.values), sorted_,
                                              n_, first_, bits_, stream);
    }

    arrays<Key> from_;
    std::int64_t n_;
    int first_, bits_;
    Key* keys_ = nullptr;
    std::int64_t *numbers_ = nullptr, *order_ = nullptr;
    T* sorted_ = nullptr;
    void* room_ = nullptr;
    std::size_t bytes_ = 0;
    cudaError_t status_ = cudaSuccess;
};

// --- many values: bins ---

constexpr unsigned all_lanes = ~0U;
__device__ int lane() { return static_cast<int>(threadIdx.x % 32); }

/// What changes no number that it is combined with, not even the sign of a zero.
template <bool Sums, class A>
__device__ A neutral() {
    if constexpr (!Sums) return A(1);
    if constexpr (std::is_integral_v<A>)
        return A(0);
    else if constexpr (sizeof(A) == sizeof(double))
        return A(-0.0);
    else
        return A(-0.0, -0.0);
}

template <bool Sums>
__device__ bool changes_nothing(std::uint64_t sum) {
    return sum == 0;
}
template <bool Sums>
__device__ bool changes_nothing(double v) {
    return __double_as_longlong(v) == __double_as_longlong(neutral<Sums, double>());
}
template <bool Sums>
__device__ bool changes_nothing(pair<double> v) {
    return changes_nothing<Sums>(v.re) && changes_nothing<Sums>(v.im);
}

template <class A>
__device__ A from_lane(A v, int from) {
    double parts[sizeof(A) / sizeof(double)];
    memcpy(parts, &v, sizeof v);
    for (double& part : parts) part = __shfl_sync(all_lanes, part, from);
    memcpy(&v, parts, sizeof v);
    return v;
}

/// The first one of those lanes gets what all of them have together: neighbours first, then pairs, and so on.
template <bool Sums, class A>
__device__ A of_peers(A v, unsigned peers) {
    unsigned rank = __popc(peers & ((1U << lane()) - 1)), later = peers & (all_lanes - 1 << lane());
    while (__any_sync(all_lanes, later != 0)) {
        const A other = from_lane(v, later != 0 ? __ffs(static_cast<int>(later)) - 1 : lane());
        if (later != 0) v = together<Sums>(v, other);
        later &= ~__ballot_sync(all_lanes, rank % 2 != 0);
        rank /= 2;
    }
    return v;
}

/// How values are dealt out.
struct bins_plan {
    std::int64_t n, size;
    std::int64_t piece;  ///< values that a warp combines at once, at most
    std::int64_t share;  ///< places of a warp: it combines what begins there
    int bits;            ///< of elements' numbers
    int log_bins;        ///< of a bucket's elements
    int log_copies;      ///< of each bin, for lanes that would meet
    int warps;           ///< of a block, each with bins of its own
    __host__ __device__ bool one_bucket() const { return log_bins >= bits; }
    /// That of an element; of nobody's number the bits that were sorted, so that it lies in a bucket too.
    template <class Key>
    __device__ Key bucket_of(Key element) const {
        return (element & ((Key(1) << bits) - 1)) >> log_bins;
    }
    __host__ __device__ int log_table() const { return log_bins + log_copies; }
    /// The number of the bins that a piece leaves which begins at that place: of several buckets a first and a later piece
    /// may begin in one stretch of a piece's length.
    __host__ __device__ std::int64_t slot(std::int64_t place, bool is_first) const {
        return one_bucket() ? place / piece : 2 * (place / piece) + is_first;
    }
};

/// The first place from `from` on whose bucket is not below `bucket`, `to` if there is none before: 32 places at once.
template <class Key>
__device__ std::int64_t first_of(const element_numbers<Key>& keys, const bins_plan& p, Key bucket, std::int64_t from,
                                 std::int64_t to) {
    while (from < to) {
        const std::int64_t step = (to - from + 31) / 32, at = from + (lane() + 1) * step - 1;
        const bool below = at < to && p.bucket_of(keys.number(at)) < bucket;
        from += __popc(__ballot_sync(all_lanes, below)) * step;
        to = to < from + step - 1 ? to : from + step - 1;
    }
    return from;
}

/// Bins of one bucket that are left to be combined, from several pieces.
struct left_bins {
    std::int64_t at;  ///< where the bucket begins
    int pieces, first;
};
template <class A>
struct left_over {
    A* bins;  ///< see bins_plan::slot
    left_bins* list;
    unsigned* count;
};
// The warps of a block share the pieces of bins, 32 bins a warp: the fewer pieces, the more bins.
constexpr int left_warps = 32;
__device__ int warps_for(int pieces) {
    int warps = left_warps;
    while (warps > 1 && 2 * warps > pieces) warps /= 2;
    return warps;
}

template <bool Sums, class T, class A>
__device__ void add_to_element(const bins_plan& p, std::int64_t element, A sum, T* to) {
    if (element < p.size && !changes_nothing<Sums>(sum)) to[element] = T(together<Sums>(A(to[element]), sum));
}

template <bool Sums, class T, class A, class Key>
class binning_warp {
public:
    /// `number` in its block, which has `room`.
    __device__ binning_warp(const bins_plan& p, const element_numbers<Key>& keys, value_of<T> values, void* room, int number)
        : p_(p),
          keys_(keys),
          values_(values),
          table_(static_cast<A*>(room) + (std::int64_t{number} << p.log_table())),
          peers_(reinterpret_cast<unsigned*>(static_cast<A*>(room) + (std::int64_t{p.warps} << p.log_table())) +
                 (std::int64_t{number} << p.log_table())) {
        for (int k = lane(); k < 1 << p.log_table(); k += 32) peers_[k] = 0;
    }

    __device__ Key bucket_of(std::int64_t place) const { return p_.bucket_of(keys_.number(place)); }
    __device__ std::int64_t first_in(Key bucket, std::int64_t from, std::int64_t to) const {
        return first_of(keys_, p_, bucket, from, to);
    }

    /// Fills the bins with the piece of that bucket that begins at place `at`. Where it ends.
    __device__ std::int64_t combine(std::int64_t at, Key bucket) {
        constexpr int ahead = 8;
        for (int k = lane(); k < 1 << p_.log_table(); k += 32) table_[k] = neutral<Sums, A>();
        __syncwarp();
        const std::int64_t end = at + p_.piece < p_.n ? at + p_.piece : p_.n;
        for (; at < end; at += 32 * ahead) {
            Key keys[ahead];
            T values[ahead];
#pragma unroll
            for (int j = 0; j < ahead; ++j) {
                const std::int64_t i = at + 32 * j + lane(), read = i < end ? i : end - 1;
                keys[j] = keys_.number(read);
                values[j] = values_(read);
            }
#pragma unroll
            for (int j = 0; j < ahead; ++j) {
                const bool mine = at + 32 * j + lane() < end && p_.bucket_of(keys[j]) == bucket;
                const bool none = keys[j] == nobody<Key>;
                const unsigned there = __ballot_sync(all_lanes, mine);
                if (mine && none) keys_.tell(at + 32 * j + lane());
                if (there != 0) add(mine && !none, keys[j], A(values[j]));
                if (there != all_lanes) return at + 32 * j + __popc(there);
            }
        }
        return end;
    }
    /// Bin by bin what its copies have together.
    template <class Use>
    __device__ void for_each_bin(Use use) const {
        const int copies = 1 << p_.log_copies;
        for (int bin = lane(); bin < 1 << p_.log_bins; bin += 32) {
            A sum = neutral<Sums, A>();  // neighbours begin with different copies: the same ones lie in one bank
            for (int k = 0; k < copies; ++k)
                sum = together<Sums>(sum, table_[(bin << p_.log_copies) + ((k + bin) & (copies - 1))]);
            use(bin, sum);
        }
        __syncwarp();
    }
    /// Adds them to their elements, some at a time.
    __device__ void to_elements(Key bucket, T* to) const {
        constexpr int ahead = 4;
        const std::int64_t first = static_cast<std::int64_t>(bucket << p_.log_bins);
        if (p_.log_copies > 0 || 1 << p_.log_bins < 32 * ahead)
            return for_each_bin([&](int bin, A sum) { add_to_element<Sums>(p_, first + bin, sum, to); });
        for (int begin = lane(); begin < 1 << p_.log_bins; begin += 32 * ahead) {
            T now[ahead];
#pragma unroll
            for (int j = 0; j < ahead; ++j)
                if (const std::int64_t element = first + begin + 32 * j; element < p_.size) now[j] = to[element];
#pragma unroll
            for (int j = 0; j < ahead; ++j) {
                const A sum = table_[begin + 32 * j];
                if (const std::int64_t element = first + begin + 32 * j; element < p_.size && !changes_nothing<Sums>(sum))
                    to[element] = T(together<Sums>(A(now[j]), sum));
            }
        }
        __syncwarp();
    }

private:
    __device__ void add(bool mine, Key key, A v) {
        const auto bin = static_cast<unsigned>(key) & ((1U << p_.log_bins) - 1);
        const unsigned copy = lane() & ((1U << p_.log_copies) - 1), place = bin << p_.log_copies | copy;
        const bool like_first = place == __shfl_sync(all_lanes, place, 0);
        if (__all_sync(all_lanes, mine && like_first)) {
            for (int k = 1; k < 32; k *= 2) v = together<Sums>(v, from_lane(v, lane() ^ k));
            if (lane() == 0) table_[place] = together<Sums>(table_[place], v);
            return __syncwarp();
        }
        if (mine) atomicOr(peers_ + place, 1U << lane());
        __syncwarp();
        const unsigned peers = mine ? peers_[place] : 1U << lane();
        __syncwarp();
        if (__any_sync(all_lanes, (peers & (peers - 1)) != 0)) v = of_peers<Sums>(v, peers);
        if (mine && __ffs(static_cast<int>(peers)) - 1 == lane()) {
            table_[place] = together<Sums>(table_[place], v);
            peers_[place] = 0;
        }
        __syncwarp();
    }

    const bins_plan& p_;
    const element_numbers<Key>& keys_;
    value_of<T> values_;
    A* table_;
    unsigned* peers_;  ///< of each bin: lanes that have a value for it
};

// A warp has what begins in its share of the places: at most one later piece of a bucket that began before, since others
// are a whole piece away, and whole buckets or their first pieces.
template <bool Sums, class T, class A, class Key>
__global__ void __launch_bounds__(128)
    combine_pieces(bins_plan p, element_numbers<Key> keys, value_of<T> values, T* to, left_over<A> left) {
    extern __shared__ double room[];
    const int number = static_cast<int>(threadIdx.x / 32);
    const std::int64_t begin = (std::int64_t{blockIdx.x} * p.warps + number) * p.share;
    if (begin >= p.n) return;
    const std::int64_t end = begin + p.share < p.n ? begin + p.share : p.n;
    binning_warp<Sums, T, A, Key> warp(p, keys, values, room, number);
    const auto leave = [&](std::int64_t place) {
        warp.for_each_bin([&](int bin, A sum) { left.bins[(place << p.log_bins) + bin] = sum; });
    };
    std::int64_t at = begin;
    Key bucket = warp.bucket_of(at);
    if (begin > 0 && warp.bucket_of(begin - 1) == bucket) {
        const std::int64_t first = p.one_bucket() ? 0 : warp.first_in(bucket, 0, begin);
        const std::int64_t next = first + (begin - first + p.piece - 1) / p.piece * p.piece;
        if (next < end && warp.bucket_of(next) == bucket) {
            warp.combine(next, bucket);
            leave(p.slot(next, false));
        }
        at = warp.bucket_of(end - 1) == bucket ? end : warp.first_in(bucket + 1, begin, end);
    }
    while (at < end) {
        bucket = warp.bucket_of(at);
        const std::int64_t stop = warp.combine(at, bucket);
        if (stop < p.n && warp.bucket_of(stop) == bucket) {
            leave(p.slot(at, true));
            const std::int64_t last = p.one_bucket() ? p.n : warp.first_in(bucket + 1, stop, p.n);
            const int pieces = static_cast<int>((last - at + p.piece - 1) / p.piece);
            const int bins = 32 * (left_warps / warps_for(pieces));
            const int parts = ((1 << p.log_bins) + bins - 1) / bins;
            unsigned place = 0;
            if (lane() == 0) place = atomicAdd(left.count, static_cast<unsigned>(parts));
            place = __shfl_sync(all_lanes, place, 0);
            for (int k = lane(); k < parts; k += 32) left.list[place + k] = {at, pieces, k * bins};
            break;  // the bucket goes on where others' shares are
        }
        warp.to_elements(bucket, to);
        at = stop;
    }
}

template <bool Sums, class T, class A, class Key>
__global__ void __launch_bounds__(32 * left_warps)
    combine_left_over(bins_plan p, element_numbers<Key> keys, T* to, left_over<A> left) {
    __shared__ A sums[left_warps][32];
    const int number = static_cast<int>(threadIdx.x / 32);
    for (unsigned k = blockIdx.x; k < *left.count; k += gridDim.x) {
        const left_bins job = left.list[k];
        const int warps = warps_for(job.pieces), mine = number % warps, each = (job.pieces + warps - 1) / warps;
        const int bin = job.first + number / warps * 32 + lane(), end = min((mine + 1) * each, job.pieces);
        A sum = neutral<Sums, A>();
        if (bin < 1 << p.log_bins)
#pragma unroll 8
            for (int piece = mine * each; piece < end; ++piece)
                sum = together<Sums>(sum, left.bins[(p.slot(job.at + piece * p.piece, piece == 0) << p.log_bins) + bin]);
        sums[number][lane()] = sum;
        __syncthreads();
        if (mine == 0 && bin < 1 << p.log_bins) {
            for (int w = 1; w < warps; ++w) sum = together<Sums>(sum, sums[number + w][lane()]);
            const Key bucket = p.bucket_of(keys.number(job.at));
            add_to_element<Sums>(p, static_cast<std::int64_t>(bucket << p.log_bins) + bin, sum, to);
        }
        __syncthreads();
    }
}

constexpr std::int64_t most_pieces = 8192;
bins_plan plan_for(const frit_cub_scatter& c, std::size_t bytes_of_bin) {
    constexpr int digit = 8;  // that CUB sorts by at once
    const int most = bytes_of_bin > 8 ? 10 : 11, usual = most - 2;
    bins_plan p{c.count, c.size, 0, 0, bits_for(c.size), 0, 0, 0};
    p.log_bins = p.bits;
    if (p.bits > most) p.log_bins = std::max(p.bits - (p.bits - most + digit - 1) / digit * digit, usual);
    p.log_copies = std::max(0, std::min(5, usual - p.log_bins));
    p.warps = 1 << std::max(0, std::min(2, most - 1 - p.log_table()));
    // Enough pieces for every processor. A bucket of the usual length is one, and a warp has several of those, or no more
    // than a piece, since to find where a bucket began takes time.
    const std::int64_t usual_bucket = c.count / ((c.size >> p.log_bins) + 1);
    const bool whole = usual_bucket <= 4096;
    p.piece = 512;
    while (p.piece < c.count / most_pieces || (whole && p.piece < 2 * usual_bucket)) p.piece *= 2;
    p.share = p.piece;
    while (whole && p.share > 512 && p.share > c.count / (4 * most_pieces)) p.share /= 2;
    return p;
}

template <bool Sums, class T, class A, class Key>
cudaError_t in_bins(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    const bins_plan p = plan_for(c, sizeof(A));
    sorted_list<T, Key> list(c, a, p.log_bins, p.bits, memory);
    const std::int64_t pieces = (c.count + p.piece - 1) / p.piece;
    left_over<A> left{};
    left.bins = memory.take<A>(static_cast<std::size_t>(p.slot(c.count - 1, true) + 1) << p.log_bins);
    left.list = memory.take<left_bins>(static_cast<std::size_t>(pieces) << std::max(0, p.log_bins - 5));
    left.count = memory.take<unsigned>(1);
    if (memory.counts()) return list.status();
    FRIT_TRY(list.run(stream));
    FRIT_TRY(cudaMemsetAsync(left.count, 0, sizeof *left.count, stream));
    T* const to = static_cast<T*>(a.to);
    const std::int64_t warps = (c.count + p.share - 1) / p.share;
    const auto blocks = static_cast<unsigned>((warps + p.warps - 1) / p.warps);
    const std::size_t bytes = ((sizeof(A) + sizeof(unsigned)) * static_cast<std::size_t>(p.warps)) << p.log_table();
    combine_pieces<Sums><<<blocks, 32 * p.warps, bytes, stream>>>(p, list.keys, list.values, to, left);
    FRIT_TRY(cudaGetLastError());
    constexpr unsigned enough = 264;
    combine_left_over<Sums><<<enough, 32 * left_warps, 0, stream>>>(p, list.keys, to, left);
    return cudaGetLastError();
}

// --- few values: runs ---

template <class A>
struct partial {
    A value;
    bool begins;  ///< a run
};
template <bool Sums, class A>
struct one_after_the_other {
    __device__ partial<A> operator()(const partial<A>& a, const partial<A>& b) const {
        if (b.begins) return b;
        return {together<Sums>(a.value, b.value), a.begins};
    }
};

constexpr int items = 4, tile = threads * items;
// A sorted list: element numbers and what belongs to them. Runs that lie in one tile are combined with their elements, of
// the others two entries a tile go to the next list: what crosses its beginning, and what crosses its end.
template <bool Sums, class T, class A, class Key, class ValueAt>
__global__ void __launch_bounds__(threads)
    combine_runs(std::int64_t n, const Key* keys, ValueAt value_at, T* to, Key* next_keys, A* next_values) {
    using scan = cub::BlockScan<partial<A>, threads>;
    __shared__ typename scan::TempStorage room;
    const std::int64_t begin = std::int64_t{blockIdx.x} * tile, end = begin + tile < n ? begin + tile : n;
    const std::int64_t mine = begin + std::int64_t{threadIdx.x} * items;
    partial<A> at[items];
    Key key[items];
    for (int j = 0; j < items; ++j) {
        const std::int64_t i = mine + j;
        const bool there = i < end;
        key[j] = there ? keys[i] : nobody<Key>;
        at[j] = {there ? A(value_at(i)) : neutral<Sums, A>(), i == begin || !there || keys[i - 1] != key[j]};
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
            next_values[2 * blockIdx.x + side] = neutral<Sums, A>();
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
            to[key[j]] = T(together<Sums>(A(to[key[j]]), at[j].value));
    }
}

template <bool Sums, class T, class A, class Key>
cudaError_t in_runs(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    sorted_list<T, Key> list(c, a, 0, bits_for(c.indices ? c.size + 1 : c.size), memory);  // nobody behind all others
    const auto tiles = [](std::int64_t count) { return (count + tile - 1) / tile; };
    Key* lists[2];
    A* partials[2];
    for (int k = 0; k < 2; ++k) {
        const std::int64_t most = k == 0 ? 2 * tiles(c.count) : 2 * tiles(2 * tiles(c.count));
        lists[k] = memory.take<Key>(static_cast<std::size_t>(most));
        partials[k] = memory.take<A>(static_cast<std::size_t>(most));
    }
    if (memory.counts() || c.count == 0) return list.status();
    FRIT_TRY(list.run(stream));
    T* const to = static_cast<T*>(a.to);
    std::int64_t count = c.count, blocks = tiles(count);
    combine_runs<Sums, T, A><<<static_cast<unsigned>(blocks), threads, 0, stream>>>(
        count, list.keys.at, list.values, to, blocks > 1 ? lists[0] : nullptr, partials[0]);
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

// --- which of them ---

/// Of integers many are all that comes here. A bin of complex products would begin as 1 + 0i, which changes what is not
/// finite.
template <class A>
bool has_bins(const frit_cub_scatter& c) {
    const bool many = c.count >= many_values && c.size / 4 <= c.count;
    return many && (c.operation == FRIT_CUB_SCATTER_ADD || sizeof(A) <= sizeof(double));
}
template <class T, class A, class Key>
cudaError_t combine(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    if constexpr (std::is_integral_v<A>) {
        return in_bins<true, T, A>(c, a, memory, stream);
    } else {
        const bool sums = c.operation == FRIT_CUB_SCATTER_ADD;
        if (!has_bins<A>(c))
            return sums ? in_runs<true, T, A>(c, a, memory, stream) : in_runs<false, T, A>(c, a, memory, stream);
        if constexpr (sizeof(A) <= sizeof(double))
            if (!sums) return in_bins<false, T, A>(c, a, memory, stream);
        return in_bins<true, T, A>(c, a, memory, stream);
    }
}
constexpr int numbers_of_a_thread = 8;  // which are on their way at once
template <class Number, class Key>
__global__ void __launch_bounds__(threads) place_numbers(std::int64_t n, element_numbers<Key> at, Number* numbers) {
    const std::int64_t mine = std::int64_t{blockIdx.x} * threads * numbers_of_a_thread + threadIdx.x;
    Key found[numbers_of_a_thread];
#pragma unroll
    for (int j = 0; j < numbers_of_a_thread; ++j) found[j] = mine + j * threads < n ? at.number(mine + j * threads) : 0;
#pragma unroll
    for (int j = 0; j < numbers_of_a_thread; ++j) {
        const std::int64_t k = mine + j * threads;
        if (k >= n) return;
        if (found[j] == nobody<Key>) at.tell(k);
        numbers[k] = static_cast<Number>(found[j]);
    }
}
/// What is sorted is numbers of elements in memory, 4 bytes of them where that is enough.
template <class T, class A, class Number, class Key>
cudaError_t combine_by_numbers(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    auto* const numbers = memory.take<Number>(static_cast<std::size_t>(c.count));
    if (!memory.counts() && c.count > 0) {
        const std::int64_t tile = threads * numbers_of_a_thread, blocks = (c.count + tile - 1) / tile;
        place_numbers<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(c.count, a.at, numbers);
        FRIT_TRY(cudaGetLastError());
    }
    const element_numbers<Number> at{numbers, static_cast<Number>(c.size), nullptr, false};
    return combine<T, A>(c, arrays<Number>{at, a.values, a.step, a.to}, memory, stream);
}
template <class T, class A, class Key>
cudaError_t of_type(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    const bool sorts = !has_bins<A>(c) || !plan_for(c, sizeof(A)).one_bucket();
    if (!c.indices || !sorts) return combine<T, A>(c, a, memory, stream);
    return c.size <= std::numeric_limits<std::int32_t>::max()
               ? combine_by_numbers<T, A, std::uint32_t>(c, a, memory, stream)
               : combine_by_numbers<T, A, std::uint64_t>(c, a, memory, stream);
}
template <class Key>
cudaError_t in_order(const frit_cub_scatter& c, const arrays<Key>& a, workspace& memory, cudaStream_t stream) {
    if (c.kind == 'c')
        return c.bytes == 8 ? of_type<pair<float>, pair<double>>(c, a, memory, stream)
                            : of_type<pair<double>, pair<double>>(c, a, memory, stream);
    if (c.kind == 'f')
        return c.bytes == 4 ? of_type<float, double>(c, a, memory, stream) : of_type<double, double>(c, a, memory, stream);
    using sum = std::uint64_t;  // many integers
    return c.bytes == 4 ? of_type<std::uint32_t, sum>(c, a, memory, stream)
                        : of_type<std::uint64_t, sum>(c, a, memory, stream);
}

}  // namespace

cudaError_t scatter_in_order(const frit_cub_scatter& c, const arrays<std::uint32_t>& a, workspace& memory,
                             cudaStream_t stream) {
    return in_order(c, a, memory, stream);
}
cudaError_t scatter_in_order(const frit_cub_scatter& c, const arrays<std::uint64_t>& a, workspace& memory,
                             cudaStream_t stream) {
    return in_order(c, a, memory, stream);
}

}  // namespace frit_cub

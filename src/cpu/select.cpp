// Selections from rows, see select.hpp: the highest bits of the keys are counted, keys that share them with an element at a
// rank are listed, and so on with the lists, until they are short (MSD radix sort: D. E. Knuth, The Art of Computer
// Programming, volume 3, section 5.2.5, of the buckets that are asked for). A list holds the same keys in whatever order
// threads append to it, so the number of threads is not seen in what is selected.
#include "src/cpu/select.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "src/cpu/ordering.hpp"
#include "src/cpu/with_type.hpp"

namespace frit::inline v0::detail {
namespace {

using namespace ordering;

constexpr int most_bits = 11;  // tables of 2,048 counts and as many pointers stay in L1
constexpr std::size_t most_buckets = std::size_t{1} << most_bits;
constexpr std::int64_t too_few_to_select = 256;  // keys that are sorted in less time (measured)
using bucket_counts = std::array<std::int64_t, most_buckets>;

/// A rank, and which of the results it gives.
struct asked {
    std::int64_t rank, result;
};

/// Calls f(begin, end, task) for as many parts of n keys.
template <class F>
void each_part(std::int64_t n, std::int64_t tasks, F f) {
    parallel(tasks, tasks > 1, [&](std::int64_t task) { f(n * task / tasks, n * (task + 1) / tasks, task); });
}

// Two tables in turn: the same count twice in a row would wait for itself.
template <class Get, class Digit>
void count_digits(Get get, Digit digit, std::int64_t begin, std::int64_t end, std::size_t buckets, std::int64_t* to) {
    constexpr std::int64_t counted = std::int64_t{1} << 31;  // as 32 bits hold
    std::uint32_t even[most_buckets], odd[most_buckets];
    std::fill_n(to, buckets, 0);
    while (begin < end) {
        const std::int64_t stop = std::min(end, begin + counted);
        std::fill_n(even, buckets, 0U);
        std::fill_n(odd, buckets, 0U);
        for (; begin + 1 < stop; begin += 2) {
            ++even[digit(get(begin))];
            ++odd[digit(get(begin + 1))];
        }
        if (begin < stop) ++even[digit(get(begin++))];
        for (std::size_t k = 0; k < buckets; ++k) to[k] += std::int64_t{even[k]} + odd[k];
    }
}

/// Where the keys of a bucket begin in `to`; negative: they are not listed. Without a branch: what is not listed is written
/// over.
template <class Key, class Get, class Digit>
void list_keys(Get get, Digit digit, std::int64_t begin, std::int64_t end, std::size_t buckets, const std::int64_t* first,
               Key* to) {
    Key nowhere;
    Key* at[most_buckets];
    unsigned char listed[most_buckets];
    for (std::size_t k = 0; k < buckets; ++k) {
        listed[k] = first[k] >= 0;
        at[k] = listed[k] ? to + first[k] : &nowhere;
    }
    for (; begin < end; ++begin) {
        const Key key = get(begin);
        const std::size_t d = digit(key);
        *at[d] = key;
        at[d] += listed[d];
    }
}

/// Selects among the keys of one row.
template <class Key, class Put>
class selection {
public:
    /// @param runs    how many threads may share the row
    /// @param shares  a table for each of as many tasks
    /// @param put     called with a result's number and its key
    selection(std::int64_t runs, bucket_counts* shares, Put put) : runs_(runs), shares_(shares), put_(put) {}

    /// The n keys that get(k) gives, at ranks in order. a and b have room for as many.
    template <class Get>
    void run(Get get, std::int64_t n, const asked* begin, const asked* end, Key* a, Key* b) {
        narrow(get, n, 8 * sizeof(Key), 0, 0, begin, end, a, b);
    }

private:
    /// Keys that share all but the lowest `left` bits, `high`, of which `before` are smaller in the row.
    template <class Get>
    void narrow(Get get, std::int64_t n, int left, Key high, std::int64_t before, const asked* begin, const asked* end,
                Key* to, Key* other) {
        std::size_t buckets = 0;
        bucket_counts counts, first;
        for (;;) {
            if (n <= too_few_to_select) {
                for (std::int64_t k = 0; k < n; ++k) to[k] = get(k);
                const Key* const sorted = sort_run(to, other, n);
                for (; begin != end; ++begin) put_(begin->result, sorted[begin->rank - before]);
                return;
            }
            const int bits = std::min(
                left, std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 1, 8, most_bits));
            left -= bits;
            buckets = std::size_t{1} << bits;
            const auto digit = [left, buckets](Key k) { return static_cast<std::size_t>(k >> left) & (buckets - 1); };
            const std::int64_t tasks = std::clamp<std::int64_t>(n / shortest_run, 1, runs_);
            count(get, digit, n, tasks, buckets, counts);
            std::fill_n(first.data(), buckets, -1);
            std::int64_t listed = 0;
            bool all = false;
            each_bucket(counts, before, begin, end, [&](std::size_t d, std::int64_t, const asked* from, const asked* past) {
                const Key share = high | static_cast<Key>(static_cast<Key>(d) << left);
                if (left == 0)
                    for (; from != past; ++from) put_(from->result, share);
                else if (counts[d] == n)
                    all = true, high = share;
                else
                    first[d] = listed, listed += counts[d];
            });
            if (left == 0) return;
            if (all) continue;
            list(get, digit, n, tasks, buckets, first, to);
            break;
        }
        each_bucket(counts, before, begin, end,
                    [&](std::size_t d, std::int64_t below, const asked* from, const asked* past) {
                        const Key* const keys = to + first[d];
                        narrow(listed_keys{keys}, counts[d], left, high | static_cast<Key>(static_cast<Key>(d) << left),
                               below, from, past, other + first[d], to + first[d]);
                    });
    }

    struct listed_keys {
        const Key* keys;
        Key operator()(std::int64_t k) const { return keys[k]; }
    };

    /// Calls f(bucket, how many keys are before it, its ranks) for every bucket that has some.
    template <class F>
    static void each_bucket(const bucket_counts& counts, std::int64_t before, const asked* begin, const asked* end, F f) {
        for (std::size_t d = 0; begin != end; before += counts[d++]) {
            const asked* past = begin;
            while (past != end && past->rank < before + counts[d]) ++past;
            if (past != begin) f(d, before, begin, past);
            begin = past;
        }
    }

    template <class Get, class Digit>
    void count(Get get, Digit digit, std::int64_t n, std::int64_t tasks, std::size_t buckets, bucket_counts& counts) {
        if (tasks == 1) return count_digits(get, digit, 0, n, buckets, counts.data());
        each_part(n, tasks, [&](std::int64_t from, std::int64_t to, std::int64_t task) {
            count_digits(get, digit, from, to, buckets, shares_[task].data());
        });
        for (std::size_t d = 0; d < buckets; ++d) {
            counts[d] = 0;
            for (std::int64_t task = 0; task < tasks; ++task) counts[d] += shares_[task][d];
        }
    }

    template <class Get, class Digit>
    void list(Get get, Digit digit, std::int64_t n, std::int64_t tasks, std::size_t buckets, const bucket_counts& first,
              Key* to) {
        if (tasks == 1) return list_keys(get, digit, 0, n, buckets, first.data(), to);
        for (std::size_t d = 0; d < buckets; ++d)
            for (std::int64_t task = 0, at = first[d]; task < tasks; ++task)
                if (at < 0)
                    shares_[task][d] = at;
                else
                    at += std::exchange(shares_[task][d], at);
        each_part(n, tasks, [&](std::int64_t from, std::int64_t past, std::int64_t task) {
            list_keys(get, digit, from, past, buckets, shares_[task].data(), to);
        });
    }

    std::int64_t runs_;
    bucket_counts* shares_;
    Put put_;
};

// --- rows ---

/// Deals out a call's scratch memory: what all rows share, and what is one's own of those that are worked on at a time. The
/// same code counts and deals.
class scratch {
public:
    explicit scratch(void* base) : base_(static_cast<std::byte*>(base)) {}
    template <class T>
    T* take(std::int64_t count) {
        T* const place = base_ ? reinterpret_cast<T*>(base_ + used_) : nullptr;
        used_ += (static_cast<std::size_t>(count) * sizeof(T) + 63) / 64 * 64;
        return place;
    }
    std::size_t bytes() const { return used_; }

private:
    std::byte* base_;
    std::size_t used_ = 0;
};

/// Ranks in order.
void put_in_order(const std::int64_t* ranks, std::int64_t count, asked* to) {
    for (std::int64_t k = 0; k < count; ++k) to[k] = {ranks[k], k};
    std::sort(to, to + count, [](const asked& a, const asked& b) { return a.rank < b.rank; });
}

/// Rows to select from, and the memory that it takes.
template <class Key>
class selected_rows {
public:
    /// @param extra  bytes of memory for a row besides
    selected_rows(const ranked_rows& c, std::size_t extra, void* workspace) : c_(c), extra_(extra) {
        scratch all(workspace), row(nullptr);
        shares_ = all.take<bucket_counts>(c.of.length >= 2 * shortest_run ? most_slots : 0);
        common_ = all.take<asked>(c.alike ? c.ranks : 0);
        before_ = all.bytes();
        of_row(row);
        bytes_of_row_ = row.bytes();
        rows_ = workspace ? static_cast<std::byte*>(workspace) + before_ : nullptr;
    }
    std::size_t bytes() const {
        return before_ + static_cast<std::size_t>(std::min(c_.of.rows, most_slots)) * bytes_of_row_;
    }

    /// Calls f(row) for every row, with its ranks.
    template <class F>
    void each(const std::int64_t* ranks, F f) const {
        if (c_.alike) put_in_order(ranks, c_.ranks, common_);
        each_row(c_.of, rows_, bytes_of_row_, fusion::selected_element,
                 [&](std::int64_t first, std::byte* memory, std::int64_t runs) {
                     scratch s(memory);
                     row r = of_row(s);
                     r.number = first / c_.of.length;
                     r.runs = std::min(runs, most_slots);
                     if (!c_.alike) put_in_order(ranks + r.number * c_.ranks, c_.ranks, r.ranks);
                     f(r);
                 });
    }

    struct row {
        Key *a, *b;
        asked* ranks;  ///< in order
        std::byte* extra;
        std::int64_t number = 0, runs = 1;
    };

    /// Calls put(number of a rank, the key there), in the order of the ranks, for all of a row's among n keys.
    template <class Get, class Put>
    void select(const row& r, Get get, std::int64_t n, Put put) const {
        selection<Key, Put>(r.runs, shares_, put).run(get, n, r.ranks, r.ranks + c_.ranks, r.a, r.b);
    }

private:
    row of_row(scratch& s) const {
        Key *const a = s.take<Key>(c_.of.length), *const b = s.take<Key>(c_.of.length);
        asked* const own = s.take<asked>(c_.alike ? 0 : c_.ranks);
        return {a, b, c_.alike ? common_ : own, s.take<std::byte>(static_cast<std::int64_t>(extra_))};
    }

    ranked_rows c_;
    std::size_t extra_, before_ = 0, bytes_of_row_ = 0;
    bucket_counts* shares_;  ///< for threads that share a row
    asked* common_;          ///< of all rows
    std::byte* rows_;
};

template <class T>
selected_rows<unsigned_of<T>> for_ranks(const ranked_rows& c, void* workspace) {
    return {c, 0, workspace};
}

// --- the largest ---

template <class T>
using place_item = indexed<unsigned_of<T>>;

/// In the order in which the largest come first.
template <class T>
unsigned_of<T> falling_key_of(T x) {
    return static_cast<unsigned_of<T>>(~common_key_of(x));
}

/// Whether all of a row is sorted: it is short, or little is left out.
template <class T>
bool sorts_all(std::int64_t length, std::int64_t k) {
    return length <= too_few_to_count<unsigned_of<T>> || k > length / (length <= too_few_to_select ? 16 : 4);
}

/// How many elements of a row are looked at to guess which are among the k largest; none where that does not pay.
template <class T>
std::int64_t sample_of(std::int64_t length, std::int64_t k) {
    const auto size = static_cast<std::int64_t>(1.5 * std::sqrt(static_cast<double>(length) * static_cast<double>(k)));
    return is_complex(dtype_of<T>) || size > length / 2 ? 0 : size;
}

/// How many items a row's work takes, twice.
template <class T>
std::int64_t items_of(std::int64_t length, std::int64_t k) {
    return sorts_all<T>(length, k) ? length : std::max(k, sample_of<T>(length, k));
}

/// One rank: the last of those that are asked for.
template <class T>
selected_rows<unsigned_of<T>> for_largest(const dense_rows& c, std::int64_t k, void* workspace) {
    const std::size_t bytes = 2 * static_cast<std::size_t>(items_of<T>(c.length, k)) * sizeof(place_item<T>);
    return {{c, 1, true}, bytes, workspace};
}

/// All items whose value is not below `bound`, in any order; negative where there are more than a has room for.
template <class T>
std::int64_t list_not_below(const T* x, std::int64_t n, T bound, std::int64_t tasks, place_item<T>* a, std::int64_t room) {
    constexpr std::int64_t block = 16;  // hardly any has such an element, and the compiler compares all of it at once
    std::array<std::int64_t, most_slots> counts{};
    each_part(n, tasks, [&](std::int64_t i, std::int64_t end, std::int64_t task) {
        const std::int64_t begin = room * task / tasks, past = room * (task + 1) / tasks;
        std::int64_t at = begin;
        for (; i < end && at <= past; i += block) {
            const std::int64_t size = std::min(block, end - i);
            bool any = size < block;
            if (!any)
                for (std::int64_t k = 0; k < block; ++k) any |= !(x[i + k] < bound);
            for (std::int64_t k = i; any && k < i + size; ++k)
                if (!(x[k] < bound)) {
                    if (at < past) a[at] = {falling_key_of(x[k]), k};
                    ++at;
                }
        }
        counts[static_cast<std::size_t>(task)] = at - begin;
        if (at > past) counts[static_cast<std::size_t>(task)] = -1;
    });
    std::int64_t found = 0;
    for (std::int64_t task = 0; task < tasks; ++task) {
        const std::int64_t count = counts[static_cast<std::size_t>(task)];
        if (count < 0) return -1;
        std::copy_n(a + room * task / tasks, count, a + found);
        found += count;
    }
    return found;
}

/// The k items that come first, to a in any order; `last` is the key of the last of them, which others have too.
template <class Item, class Get, class Key>
void list_first(Get get, std::int64_t n, std::int64_t k, Key last, std::int64_t tasks, Item* a, Item* b) {
    std::array<std::int64_t, most_slots> less{}, equal{};
    if (tasks > 1)
        each_part(n, tasks, [&](std::int64_t i, std::int64_t end, std::int64_t task) {
            std::int64_t below = 0, same = 0;
            for (; i < end; ++i) {
                const Key key = get(i);
                below += key < last;
                same += key == last;
            }
            less[static_cast<std::size_t>(task)] = below;
            equal[static_cast<std::size_t>(task)] = same;
        });
    std::exclusive_scan(less.begin(), less.end(), less.begin(), std::int64_t{0});
    std::exclusive_scan(equal.begin(), equal.end(), equal.begin(), std::int64_t{0});
    std::array<std::int64_t, most_slots> ends{};
    each_part(n, tasks, [&](std::int64_t i, std::int64_t end, std::int64_t task) {
        std::int64_t at = less[static_cast<std::size_t>(task)], at_equal = equal[static_cast<std::size_t>(task)];
        for (; i < end; ++i) {
            const Key key = get(i);
            if (key > last) continue;
            if (key < last)
                a[at++] = {key, i};
            else if (at_equal < k)
                b[at_equal++] = {key, i};
        }
        ends[static_cast<std::size_t>(task)] = at;
    });
    const std::int64_t before = ends[static_cast<std::size_t>(tasks - 1)];
    std::copy(b, b + (k - before), a + before);
}

/// Items of a row, the first k in order among them, in any order; returns how many.
template <class T>
std::int64_t list_candidates(const selected_rows<unsigned_of<T>>& rows, const typename selected_rows<unsigned_of<T>>::row& r,
                             const T* x, std::int64_t n, std::int64_t k, place_item<T>* a) {
    const auto get = [x](std::int64_t i) { return falling_key_of(x[i]); };
    if (sorts_all<T>(n, k)) {
        for (std::int64_t i = 0; i < n; ++i) a[i] = {get(i), i};
        return n;
    }
    const std::int64_t tasks = std::clamp<std::int64_t>(n / shortest_run, 1, r.runs), room = items_of<T>(n, k);
    unsigned_of<T> last{};
    const auto put = [&](std::int64_t, unsigned_of<T> key) { last = key; };
    if constexpr (!is_complex(dtype_of<T>)) {
        // What k elements of a sample are not below, k of the row are not below.
        if (const std::int64_t sample = sample_of<T>(n, k)) {
            rows.select(
                r, [=, step = n / sample](std::int64_t i) { return get(i * step); }, sample, put);
            const T bound = value_of<T>(static_cast<unsigned_of<T>>(~last));
            if (const std::int64_t found = list_not_below(x, n, bound, tasks, a, room); found >= 0) return found;
        }
    }
    rows.select(r, get, n, put);
    list_first(get, n, k, last, tasks, a, a + room);
    return k;
}

template <class T>
void largest(const dense_rows& c, std::int64_t k, const T* from, T* values, std::int64_t* places, void* workspace) {
    const auto rows = for_largest<T>(c, k, workspace);
    const std::int64_t last = k - 1;
    rows.each(&last, [&](const auto& r) {
        const T* const x = from + r.number * c.length;
        auto* const a = reinterpret_cast<place_item<T>*>(r.extra);
        const std::int64_t count = list_candidates(rows, r, x, c.length, k, a);
        const place_item<T>* const sorted = sort_run(a, a + items_of<T>(c.length, k), count);
        for (std::int64_t i = 0; i < k; ++i) {
            const std::int64_t place = sorted[i].index;
            if (values) values[r.number * k + i] = x[place];
            if (places) places[r.number * k + i] = place;
        }
    });
}

// --- partitions ---

/// Which part of a row a key belongs to: the even ones lie between pivots, the odd ones are equal to one.
template <class Key>
struct parts_of_row {
    const Key* pivots;
    std::size_t count;
    std::size_t operator()(Key key) const {
        std::size_t part = 0;
        for (std::size_t k = 0; k < count; ++k) part += (key >= pivots[k]) + (key > pivots[k]);
        return part;
    }
};

/// Calls put(where it goes, i) for the n keys that get(i) gives.
template <class Get, class Part, class Put>
void each_by_part(Get get, const Part& part, std::int64_t n, std::int64_t tasks, Put put) {
    using positions = std::array<std::int64_t, 2 * most_pivots + 1>;
    const std::size_t parts = 2 * part.count + 1;
    positions at[most_slots];
    each_part(n, tasks, [&](std::int64_t i, std::int64_t end, std::int64_t task) {
        positions counts;
        std::fill_n(counts.begin(), parts, 0);
        for (; i < end; ++i) ++counts[part(get(i))];
        std::copy_n(counts.begin(), parts, at[task].begin());
    });
    std::int64_t before = 0;
    for (std::size_t k = 0; k < parts; ++k)
        for (std::int64_t task = 0; task < tasks; ++task) before += std::exchange(at[task][k], before);
    each_part(n, tasks, [&](std::int64_t i, std::int64_t end, std::int64_t task) {
        positions next;
        std::copy_n(at[task].begin(), parts, next.begin());
        for (; i < end; ++i) put(next[part(get(i))]++, i);
    });
}

template <class T, class KeyOf, class Put>
void partition(const ranked_rows& c, const T* from, const std::int64_t* ranks, KeyOf key, void* workspace, Put put) {
    using Key = unsigned_of<T>;
    const auto rows = for_ranks<T>(c, workspace);
    rows.each(ranks, [&](const auto& r) {
        const T* const x = from + r.number * c.of.length;
        const auto get = [x, key](std::int64_t i) { return key(x[i]); };
        std::array<Key, most_pivots> pivots{};
        std::size_t count = 0;
        rows.select(r, get, c.of.length, [&](std::int64_t, Key found) {
            if (count == 0 || found != pivots[count - 1]) pivots[count++] = found;
        });
        each_by_part(get, parts_of_row<Key>{pivots.data(), count}, c.of.length,
                     std::clamp<std::int64_t>(c.of.length / shortest_run, 1, r.runs),
                     [&](std::int64_t to, std::int64_t i) { put(r.number * c.of.length, to, i); });
    });
}

}  // namespace

std::size_t at_ranks_workspace(const ranked_rows& c) {
    std::size_t bytes = 0;
    with_array_type(c.of.type, [&]<class T>() { bytes = for_ranks<T>(c, nullptr).bytes(); });
    return bytes;
}

void rows_at_ranks(const ranked_rows& c, const void* from, const std::int64_t* ranks, void* to, void* workspace) {
    with_array_type(c.of.type, [&]<class T>() {
        if constexpr (!is_complex(dtype_of<T>)) {  // their keys do not say which zero or NaN they are of
            const auto rows = for_ranks<T>(c, workspace);
            rows.each(ranks, [&](const auto& r) {
                const T* const x = static_cast<const T*>(from) + r.number * c.of.length;
                T* const y = static_cast<T*>(to) + r.number * c.ranks;
                rows.select(
                    r, [x](std::int64_t i) { return key_of(x[i]); }, c.of.length,
                    [y](std::int64_t k, unsigned_of<T> key) { put_value(y + k, key); });
            });
        }
    });
}

std::size_t largest_workspace(const dense_rows& c, std::int64_t k) {
    std::size_t bytes = 0;
    with_array_type(c.type, [&]<class T>() { bytes = for_largest<T>(c, k, nullptr).bytes(); });
    return bytes;
}

void largest_of_rows(const dense_rows& c, std::int64_t k, const void* from, void* values, std::int64_t* places,
                     void* workspace) {
    with_array_type(
        c.type, [&]<class T>() { largest(c, k, static_cast<const T*>(from), static_cast<T*>(values), places, workspace); });
}

std::size_t partition_workspace(const ranked_rows& c) { return at_ranks_workspace(c); }

void partition_rows(const ranked_rows& c, const void* from, const std::int64_t* ranks, void* values, std::int64_t* places,
                    void* workspace) {
    with_array_type(c.of.type, [&]<class T>() {
        const T* const x = static_cast<const T*>(from);
        T* const y = static_cast<T*>(values);
        const auto put_value = [=](std::int64_t first, std::int64_t to, std::int64_t i) { y[first + to] = x[first + i]; };
        const auto put_place = [=](std::int64_t first, std::int64_t to, std::int64_t i) { places[first + to] = i; };
        const auto common = [](T v) { return common_key_of(v); };
        if constexpr (is_complex(dtype_of<T>)) {
            if (y) partition(c, x, ranks, common, workspace, put_value);
        } else {
            const auto own = [](T v) {  // NaNs are not told apart: what is before one is a number
                return v == v ? key_of(v) : static_cast<unsigned_of<T>>(~unsigned_of<T>{});
            };
            if (y) partition(c, x, ranks, own, workspace, put_value);
        }
        if (places) partition(c, x, ranks, common, workspace, put_place);
    });
}

}  // namespace frit::v0::detail

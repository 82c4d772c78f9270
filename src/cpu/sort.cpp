// Sorts of rows, see sort.hpp: values become unsigned integers of the same order, which are sorted digit by digit, from the
// lowest (LSD radix sort: D. E. Knuth, The Art of Computer Programming, volume 3, section 5.2.5), short rows by comparison.
// A long row is cut into runs, one a thread; what is merged then is cut where its parts begin in either run (O. Green, S.
// Odeh, Y. Birk, "Merge path", 2014), so that all threads merge.
#include "src/cpu/sort.hpp"

#include <algorithm>

#include "src/cpu/ordering.hpp"
#include "src/cpu/with_type.hpp"

namespace frit::inline v0::detail {
namespace {

using namespace ordering;

// --- merging runs ---

/// How many of the first `count` items of a and b merged are a's, which come first among equals.
template <class Item>
std::int64_t share_of(const Item* a, std::int64_t in_a, const Item* b, std::int64_t in_b, std::int64_t count) {
    std::int64_t low = std::max<std::int64_t>(0, count - in_b), high = std::min(count, in_a);
    while (low < high) {
        const std::int64_t middle = (low + high) / 2;
        if (key(b[count - middle - 1]) < key(a[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/// Without a branch that depends on values: which of the two comes next cannot be foreseen.
template <class Item>
void merge(const Item* a, const Item* a_end, const Item* b, const Item* b_end, Item* to) {
    while (a != a_end && b != b_end) {
        const bool second = key(*b) < key(*a);
        *to++ = second ? *b : *a;
        a += !second;
        b += second;
    }
    std::copy(b, b_end, std::copy(a, a_end, to));
}

/// Runs of `length` items, the last one maybe shorter, in pairs from a to b.
template <class Item>
void merge_pairs(const Item* a, Item* b, std::int64_t n, std::int64_t length, std::int64_t parts) {
    const std::int64_t pairs = (n + 2 * length - 1) / (2 * length);
    parallel(pairs * parts, true, [=](std::int64_t task) {
        const std::int64_t first = task / parts * 2 * length, part = task % parts;
        const std::int64_t both = std::min(2 * length, n - first), left = std::min(length, both), right = both - left;
        const Item *const x = a + first, *const y = x + left;
        const std::int64_t begin = both * part / parts, end = both * (part + 1) / parts;
        const std::int64_t i = share_of(x, left, y, right, begin), j = share_of(x, left, y, right, end);
        merge(x + i, x + j, y + (begin - i), y + (end - j), b + first + begin);
    });
}

// --- rows ---

/// Sorts the n items that item(k) gives, and calls put(k, item) with them in order. a and b have room for them; put may
/// write over a.
template <class Item, class Get, class Put>
void sort_row(std::int64_t n, Item* a, Item* b, std::int64_t runs, const Get& item, const Put& put) {
    if (runs == 1) {
        for (std::int64_t k = 0; k < n; ++k) a[k] = item(k);
        const Item* const sorted = sort_run(a, b, n);
        for (std::int64_t k = 0; k < n; ++k) put(k, sorted[k]);
        return;
    }
    const std::int64_t length = (n + runs - 1) / runs;
    parallel(runs, true, [&](std::int64_t run) {
        const std::int64_t first = run * length, last = std::min(first + length, n);
        for (std::int64_t k = first; k < last; ++k) a[k] = item(k);
        const Item* const sorted = sort_run(a + first, b + first, last - first);
        if (sorted != a + first) std::copy(sorted, sorted + (last - first), a + first);
    });
    for (std::int64_t merged = length; merged < n; merged *= 2) {
        merge_pairs(a, b, n, merged, 2 * runs * merged / n + 1);
        std::swap(a, b);
    }
    parallel(runs, true, [&](std::int64_t run) {
        for (std::int64_t k = run * length, last = std::min(k + length, n); k < last; ++k) put(k, a[k]);
    });
}

template <class T>
constexpr std::size_t bytes_of_row(std::int64_t length, sort_results asked) {
    constexpr bool by_places = is_complex(dtype_of<T>);
    const std::size_t bytes = (by_places || asked.places ? 2 * sizeof(indexed<unsigned_of<T>>) : sizeof(T)) +
                              (by_places && asked.values ? sizeof(T) : 0);
    return (static_cast<std::size_t>(length) * bytes + 63) / 64 * 64;
}

template <class T>
void sort_values(const dense_rows& c, const T* from, T* to, void* workspace) {
    using item = unsigned_of<T>;
    each_row(c, workspace, bytes_of_row<T>(c.length, {true, false}), fusion::sorted_element,
             [=, length = c.length](std::int64_t first, std::byte* scratch, std::int64_t runs) {
                 const T* const x = from + first;
                 T* const y = to + first;
                 const auto get = [x](std::int64_t k) { return key_of(x[k]); };
                 const auto put = [y](std::int64_t k, item i) { put_value(y + k, i); };
                 sort_row(length, reinterpret_cast<item*>(y), reinterpret_cast<item*>(scratch), runs, get, put);
             });
}

/// Complex numbers, whose keys do not say which zero or NaN they are of: values are found by their places.
template <class T>
void sort_by_places(const dense_rows& c, const T* from, T* values, std::int64_t* places, void* workspace) {
    using item = indexed<unsigned_of<T>>;
    each_row(c, workspace, bytes_of_row<T>(c.length, {values != nullptr, places != nullptr}), fusion::sorted_element,
             [=, length = c.length](std::int64_t first, std::byte* scratch, std::int64_t runs) {
                 const T* const x = from + first;
                 auto* const a = reinterpret_cast<item*>(scratch);
                 T* const copy = reinterpret_cast<T*>(a + 2 * length);
                 const auto get = [=](std::int64_t k) {
                     if (values) copy[k] = x[k];
                     return item{common_key_of(x[k]), k};
                 };
                 const auto put = [=](std::int64_t k, const item& i) {
                     if (values) values[first + k] = copy[i.index];
                     if (places) places[first + k] = i.index;
                 };
                 sort_row(length, a, a + length, runs, get, put);
             });
}

template <class T>
void sort_places(const dense_rows& c, const T* from, std::int64_t* to, void* workspace) {
    using item = indexed<unsigned_of<T>>;
    each_row(c, workspace, bytes_of_row<T>(c.length, {false, true}), fusion::sorted_element,
             [=, length = c.length](std::int64_t first, std::byte* scratch, std::int64_t runs) {
                 const T* const x = from + first;
                 std::int64_t* const y = to + first;
                 const auto get = [x](std::int64_t k) { return item{common_key_of(x[k]), k}; };
                 const auto put = [y](std::int64_t k, const item& i) { y[k] = i.index; };
                 auto* const a = reinterpret_cast<item*>(scratch);
                 sort_row(length, a, a + length, runs, get, put);
             });
}

/// From the places of a row sorted by key_of to those sorted by common_key_of: of the zeros, and of the NaNs, the order in
/// the operand decides alone. Most rows have one kind of either, and are in that order.
template <class T>
void order_equals(const T* values, std::int64_t* places, std::int64_t n) {
    if constexpr (is_floating<T>) {
        const auto settle = [=](const T* first, const T* last) {
            if (!std::is_sorted(places + (first - values), places + (last - values)))
                std::sort(places + (first - values), places + (last - values));
        };
        const T* const numbers = std::partition_point(values, values + n, [](T x) { return x == x; });
        const T* const zeros = std::partition_point(values, numbers, [](T x) { return x < 0; });
        settle(zeros, std::partition_point(zeros, numbers, [](T x) { return x == 0; }));
        settle(numbers, values + n);
    }
}

template <class T>
void sort_both(const dense_rows& c, const T* from, T* values, std::int64_t* places, void* workspace) {
    using item = indexed<unsigned_of<T>>;
    each_row(c, workspace, bytes_of_row<T>(c.length, {true, true}), fusion::sorted_element,
             [=, length = c.length](std::int64_t first, std::byte* scratch, std::int64_t runs) {
                 const T* const x = from + first;
                 T* const y = values + first;
                 std::int64_t* const p = places + first;
                 const auto get = [x](std::int64_t k) { return item{key_of(x[k]), k}; };
                 const auto put = [y, p](std::int64_t k, const item& i) {
                     put_value(y + k, i.key);
                     p[k] = i.index;
                 };
                 auto* const a = reinterpret_cast<item*>(scratch);
                 sort_row(length, a, a + length, runs, get, put);
                 order_equals(y, p, length);
             });
}

}  // namespace

std::size_t sort_workspace(const dense_rows& c, sort_results asked) {
    std::size_t bytes = 0;
    with_array_type(c.type, [&]<class T>() { bytes = bytes_of_row<T>(c.length, asked); });
    return static_cast<std::size_t>(std::min(c.rows, most_slots)) * bytes;
}

void sort_rows(const dense_rows& c, const void* from, void* values, std::int64_t* places, void* workspace) {
    with_array_type(c.type, [&]<class T>() {
        const T* const x = static_cast<const T*>(from);
        T* const y = static_cast<T*>(values);
        if constexpr (is_complex(dtype_of<T>)) {
            sort_by_places(c, x, y, places, workspace);
        } else {
            if (!places) return sort_values(c, x, y, workspace);
            if (!values) return sort_places(c, x, places, workspace);
            sort_both(c, x, y, places, workspace);
        }
    });
}

}  // namespace frit::v0::detail

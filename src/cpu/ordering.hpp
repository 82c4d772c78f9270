// What sorts and selections of rows share on the CPU: unsigned keys in the order of the values, a sort of one run of them,
// and which rows are done side by side.
#pragma once

#include <algorithm>
#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "src/base/threads.hpp"
#include "src/engine/dense_rows.hpp"

namespace frit::inline v0::detail::ordering {

inline constexpr std::int64_t most_slots = 64;  // rows that are worked on at a time
inline constexpr std::int64_t shortest_run = 1 << 15;

__extension__ using uint128 = unsigned __int128;
template <std::size_t Bytes>
struct unsigned_of_size;
template <>
struct unsigned_of_size<1> : std::type_identity<std::uint8_t> {};
template <>
struct unsigned_of_size<2> : std::type_identity<std::uint16_t> {};
template <>
struct unsigned_of_size<4> : std::type_identity<std::uint32_t> {};
template <>
struct unsigned_of_size<8> : std::type_identity<std::uint64_t> {};
template <>
struct unsigned_of_size<16> : std::type_identity<uint128> {};
template <class T>
using unsigned_of = typename unsigned_of_size<sizeof(T)>::type;
template <class T>
constexpr bool is_floating = is_float(dtype_of<T>);

// --- keys ---

template <class T>
constexpr unsigned_of<T> sign = static_cast<unsigned_of<T>>(unsigned_of<T>{1} << (8 * sizeof(T) - 1));
/// Of floats: what is below -infinity, NaNs with a sign, moves to the end when -infinity moves to 0.
template <class T>
constexpr unsigned_of<T> lowest =
    static_cast<unsigned_of<T>>(~std::bit_cast<unsigned_of<T>>(-std::numeric_limits<T>::infinity()));

// Of floats the bits of negative ones are turned over, of others the sign alone: without a branch, which signs would
// mislead.
template <class T>
unsigned_of<T> key_of(T x) {
    using K = unsigned_of<T>;
    const auto bits = std::bit_cast<K>(x);
    if constexpr (is_floating<T>)
        return static_cast<K>((bits ^ ((K{0} - (bits >> (8 * sizeof(T) - 1))) | sign<T>)) - lowest<T>);
    else
        return std::is_signed_v<T> ? static_cast<K>(bits ^ sign<T>) : bits;
}
template <class T>
T value_of(unsigned_of<T> key) {
    using K = unsigned_of<T>;
    if constexpr (is_floating<T>) {
        const K bits = static_cast<K>(key + lowest<T>);
        return std::bit_cast<T>(static_cast<K>(bits ^ (((bits >> (8 * sizeof(T) - 1)) - 1) | sign<T>)));
    } else {
        return std::bit_cast<T>(std::is_signed_v<T> ? static_cast<K>(key ^ sign<T>) : key);
    }
}

/// What argsort sorts: equal keys keep their order, so the zeros have one key, and the NaNs.
template <class Key>
struct indexed {
    Key key;
    std::int64_t index;
};
template <class T>
unsigned_of<T> common_key_of(T x) {
    using K = unsigned_of<T>;
    const K k = key_of(x);
    if constexpr (is_floating<T>) {
        if (k > key_of(std::numeric_limits<T>::infinity())) return static_cast<K>(~K{0});
        return k == key_of(-T{0}) ? key_of(T{0}) : k;
    }
    return k;
}
/// The key of the real part above that of the imaginary one; the NaNs' three kinds in place of the former, above all
/// numbers.
template <class T>
unsigned_of<std::complex<T>> common_key_of(const std::complex<T>& z) {
    using K = unsigned_of<T>;
    const bool no_real = z.real() != z.real(), no_imag = z.imag() != z.imag();
    const K re = common_key_of(z.real()), im = common_key_of(z.imag());
    const K high = no_real || no_imag ? static_cast<K>(K{0} - (no_real ? no_imag ? 1 : 2 : 3)) : re;
    const K low = no_real ? im : no_imag ? re : im;
    return static_cast<unsigned_of<std::complex<T>>>(high) << (8 * sizeof(T)) | low;
}

template <class Key>
Key key(Key k) {
    return k;
}
template <class Key>
Key key(const indexed<Key>& i) {
    return i.key;
}
template <class Key>
bool before(Key a, Key b) {
    return a < b;
}
template <class Key>
bool before(const indexed<Key>& a, const indexed<Key>& b) {  // no two are equal, so any method is stable
    return a.key < b.key || (a.key == b.key && a.index < b.index);
}

// --- one run ---

/// Bits of so few keys are not worth counting: comparisons take less (measured).
template <class Key>
constexpr std::int64_t too_few_to_count = 12 * sizeof(Key);

/// The bits in which the keys of a[0, n) differ.
template <class Item>
auto differing_bits(const Item* a, std::int64_t n) {
    auto all = key(*a) ^ key(*a);
    for (std::int64_t k = 1; k < n; ++k) all |= key(a[k]) ^ key(*a);
    return all;
}

/// By digits of so many bits, from the lowest, of those bits in which keys may differ; counts are numbers of items. Returns
/// where the result is, a or b.
template <int Bits, class Item, class Key>
Item* sort_digits(Item* a, Item* b, std::int64_t n, Key differing) {
    constexpr int digits = (8 * static_cast<int>(sizeof(Key)) + Bits - 1) / Bits;
    constexpr std::size_t values = std::size_t{1} << Bits;
    const auto digit_of = [](Key k, int d) { return static_cast<std::size_t>(k >> (Bits * d) & (values - 1)); };
    const auto digit = [=](const Item& i, int d) { return digit_of(key(i), d); };
    using count = std::conditional_t<(Bits > 8), std::uint32_t, std::int64_t>;  // wide digits are for short runs
    count counts[digits][values];
    int varying = 0;
    for (int d = 0; d < digits; ++d) varying += digit_of(differing, d) != 0;
    const bool all = 2 * varying > digits;  // then one pass over the items takes less than one for each digit
    for (int d = 0; d < digits; ++d)
        if (all || digit_of(differing, d) != 0) std::memset(counts[d], 0, sizeof counts[d]);
    if (all) {
        for (std::int64_t k = 0; k < n; ++k)
            for (int d = 0; d < digits; ++d) ++counts[d][digit(a[k], d)];
    } else {
        for (int d = 0; d < digits; ++d) {
            if (digit_of(differing, d) == 0) continue;
            for (std::int64_t k = 0; k < n; ++k) ++counts[d][digit(a[k], d)];
        }
    }
    for (int d = 0; d < digits; ++d) {
        if (digit_of(differing, d) == 0 || counts[d][digit(a[0], d)] == static_cast<count>(n)) continue;  // one digit
        count first = 0;
        for (count& c : counts[d]) first += std::exchange(c, first);
        for (std::int64_t k = 0; k < n; ++k) b[counts[d][digit(a[k], d)]++] = a[k];
        std::swap(a, b);
    }
    return a;
}

/// Sorts a[0, n), b being as long; returns where the result is, a or b. While the places that 2,048 digits write to lie in
/// the caches, three passes over 32 bits take less than four (measured: a fifth less from 2,000 items to 2 MiB). There it
/// also pays to look first which digits differ: of small integers, few.
template <class Item>
Item* sort_run(Item* a, Item* b, std::int64_t n) {
    using bits = decltype(key(*a));
    if (n <= too_few_to_count<bits>) {
        std::sort(a, a + n, [](const Item& x, const Item& y) { return before(x, y); });
        return a;
    }
    if (n * static_cast<std::int64_t>(sizeof(Item)) > (std::int64_t{2} << 20))
        return sort_digits<8>(a, b, n, static_cast<bits>(~bits{}));
    const auto differing = static_cast<bits>(differing_bits(a, n));
    if constexpr (sizeof(bits) == 4 || sizeof(bits) == 8)
        if (n >= 2000) return sort_digits<11>(a, b, n, differing);
    return sort_digits<8>(a, b, n, differing);
}

// --- rows ---

/// Calls f(first element of row, its scratch memory, runs) for every row: the pool works on rows side by side, or, where
/// there are too few of them, on the runs of one after the other.
/// @param nanoseconds  of an element on one thread
template <class F>
void each_row(const dense_rows& c, void* workspace, std::size_t bytes, double nanoseconds, F f) {
    const std::int64_t threads = thread_pool::instance().size(), slots = std::min(c.rows, most_slots);
    auto* const scratch = static_cast<std::byte*>(workspace);
    const auto wanted = std::bit_ceil(static_cast<std::uint64_t>(threads));
    const auto useful = std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(c.length / shortest_run, 1)));
    const auto runs = static_cast<std::int64_t>(std::min(wanted, useful));
    if (c.rows < threads && runs > 1) {
        for (std::int64_t row = 0; row < c.rows; ++row) f(row * c.length, scratch, runs);
        return;
    }
    parallel(slots, worth_threads(nanoseconds * static_cast<double>(c.rows * c.length)), [&](std::int64_t slot) {
        for (std::int64_t row = c.rows * slot / slots; row < c.rows * (slot + 1) / slots; ++row)
            f(row * c.length, scratch + static_cast<std::size_t>(slot) * bytes, std::int64_t{1});
    });
}

template <class T>
void put_value(T* to, unsigned_of<T> key) {
    const T value = value_of<T>(key);
    std::memcpy(to, &value, sizeof value);  // a NaN keeps its bits
}

}  // namespace frit::v0::detail::ordering

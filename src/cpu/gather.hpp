// Copies between strided or clamped memory and dense blocks: how the interpreter brings any access into a register.
#pragma once

#include <cstdint>
#include <cstring>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

/// One dimension of an access at run time: element i stands at index(i) * stride, index(i) = i, or clamped.
struct line {
    std::int64_t stride = 0;
    bool clamped = false;
    std::int64_t step = 1, shift = 0, lo = 0, hi = 0;

    std::int64_t offset(std::int64_t i) const noexcept {
        if (!clamped) return i * stride;
        const std::int64_t k = step * i + shift;
        return (k < lo ? lo : k > hi ? hi : k) * stride;
    }
};

/// An empty range has equal ends where it is said to be within another.
struct index_range {
    std::int64_t first, last;
};
/// A clamped line whose step is not 0: it reaches the lower limit (of a negative step, the upper one) at `first` and is past
/// the other one from `last` on, wherever these are.
inline index_range limits(const line& l) noexcept {
    // step > 0: lo <= step * i + shift <= hi; a negative step is the mirror image
    const std::int64_t s = l.step > 0 ? l.step : -l.step;
    const std::int64_t low = l.step > 0 ? l.lo - l.shift : l.shift - l.hi,
                       high = l.step > 0 ? l.hi - l.shift : l.shift - l.lo;
    const auto floor_div = [s](std::int64_t x) { return s == 1 ? x : x >= 0 ? x / s : -((-x + s - 1) / s); };
    return {-floor_div(-low), floor_div(high) + 1};
}
/// The i in [first, last) for which a line does not clamp; empty: both ends equal.
inline index_range unclamped(const line& l, std::int64_t first, std::int64_t last) noexcept {
    if (!l.clamped) return {first, last};
    if (l.step == 0) return {first, first};
    const index_range in = limits(l);
    const std::int64_t from = in.first > first ? in.first : first, to = in.last < last ? in.last : last;
    return from < to ? index_range{from, to} : index_range{first, first};
}

template <class T>
void copy_strided(T* to, std::int64_t to_stride, const T* from, std::int64_t from_stride, std::int64_t n) noexcept {
    if (to_stride == 1 && from_stride == 1) {
        std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
    } else if (to_stride == 1 && from_stride == 0) {
        const T x = *from;
        for (std::int64_t i = 0; i < n; ++i) to[i] = x;
    } else if (to_stride == 1 && from_stride == -1) {
        for (std::int64_t i = 0; i < n; ++i) to[i] = from[-i];
    } else {
        for (std::int64_t i = 0; i < n; ++i) to[i * to_stride] = from[i * from_stride];
    }
}

/// to[k] = element first + k of the line from `base`, for k < n.
template <class T>
void gather(T* to, const T* base, const line& l, std::int64_t first, std::int64_t n) noexcept {
    const index_range in = unclamped(l, first, first + n);
    std::int64_t i = first;
    for (; i < in.first; ++i) to[i - first] = base[l.offset(i)];
    if (in.first < in.last) {
        const std::int64_t stride = l.clamped ? l.step * l.stride : l.stride;
        copy_strided(to + (in.first - first), 1, base + l.offset(in.first), stride, in.last - in.first);
        i = in.last;
    }
    for (; i < first + n; ++i) to[i - first] = base[l.offset(i)];
}

struct two_words {
    std::uint64_t of[2];
};
/// Calls f(T{}) with a T of `size` bytes, unsigned or of words: 1, 2, 4, 8 or 16.
template <class F>
void with_size(std::size_t size, const F& f) noexcept {
    switch (size) {
        case 1: return f(std::uint8_t{});
        case 2: return f(std::uint16_t{});
        case 4: return f(std::uint32_t{});
        case 8: return f(std::uint64_t{});
        default: return f(two_words{});
    }
}
inline void gather(void* to, const void* base, std::size_t size, const line& l, std::int64_t first,
                   std::int64_t n) noexcept {
    with_size(size, [&]<class T>(T) { gather(static_cast<T*>(to), static_cast<const T*>(base), l, first, n); });
}
/// base[(first + k) * stride] = from[k] for k < n.
inline void scatter(void* base, const void* from, std::size_t size, std::int64_t stride, std::int64_t first,
                    std::int64_t n) noexcept {
    with_size(size, [&]<class T>(T) {
        copy_strided(static_cast<T*>(base) + first * stride, stride, static_cast<const T*>(from), 1, n);
    });
}

inline constexpr std::int64_t short_line = 16;  // elements: below, lines are copied side by side

/// to[k * to_next + j * to_stride] = from[k * from_next + j * from_stride] for k < lines, j < n.
inline void copy_lines(void* to, std::int64_t to_next, std::int64_t to_stride, const void* from, std::int64_t from_next,
                       std::int64_t from_stride, std::size_t size, std::int64_t lines, std::int64_t n) noexcept {
    with_size(size, [&]<class T>(T) {
        T* const out = static_cast<T*>(to);
        const T* const in = static_cast<const T*>(from);
        if (to_next == n * to_stride && from_next == n * from_stride)
            return copy_strided(out, to_stride, in, from_stride, lines * n);
        if (n < short_line)
            for (std::int64_t j = 0; j < n; ++j)
                copy_strided(out + j * to_stride, to_next, in + j * from_stride, from_next, lines);
        else
            for (std::int64_t k = 0; k < lines; ++k)
                copy_strided(out + k * to_next, to_stride, in + k * from_next, from_stride, n);
    });
}

}  // namespace frit::v0::detail

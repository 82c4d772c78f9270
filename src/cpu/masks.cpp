// See masks.hpp. A part of the vector is written in one pass, without a branch where elements are mixed, which would be
// guessed wrong half the time, and past many false ones at once. Several threads count their parts first, so that each
// knows where it begins.
#include "src/cpu/masks.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "src/base/threads.hpp"

namespace frit::inline v0::detail {
namespace {

using truth = unsigned char;

constexpr double counting = 0.02, writing = 0.5;  // nanoseconds of an element, estimates
constexpr std::int64_t most_tasks = 64;

std::uint64_t eight(const truth* mask) {
    std::uint64_t bytes;
    std::memcpy(&bytes, mask, sizeof bytes);
    return bytes;
}

/// From k on past false ones, eight at a time.
std::int64_t past_false(const truth* mask, std::int64_t k, std::int64_t last) {
    if (k + 8 > last || eight(mask + k) != 0) return k;
    k += 8;
    while (k + 32 <= last && (eight(mask + k) | eight(mask + k + 8) | eight(mask + k + 16) | eight(mask + k + 24)) == 0)
        k += 32;
    while (k + 8 <= last && eight(mask + k) == 0) k += 8;
    return k;
}

std::int64_t count_in(const truth* mask, std::int64_t first, std::int64_t last) {
    constexpr std::int64_t block = 240;  // as many as a byte counts, so that lanes are bytes
    std::int64_t n = 0, k = first;
    for (; k + block <= last; k += block) {
        std::uint8_t of_block = 0;
        for (std::int64_t j = 0; j < block; ++j) of_block = static_cast<std::uint8_t>(of_block + (mask[k + j] != 0));
        n += of_block;
    }
    for (; k < last; ++k) n += mask[k] != 0;
    return n;
}

/// What `of` says of the true elements from `first` on, as many as there is room for. @return how many
template <class T, class Of>
std::int64_t write_true(const truth* mask, std::int64_t first, std::int64_t last, T* to, std::int64_t room, Of of) {
    std::int64_t n = 0, k = first;
    while (n < room && (k = past_false(mask, k, last)) + 8 <= last) {
        const std::int64_t end = k + 8;
        if (n + 8 <= room) {
            for (; k < end; ++k) {
                to[n] = of(k);
                n += mask[k] != 0;
            }
        } else {
            for (; k < end && n < room; ++k)
                if (mask[k] != 0) to[n++] = of(k);
        }
    }
    for (; k < last && n < room; ++k)
        if (mask[k] != 0) to[n++] = of(k);
    return n;
}

std::int64_t tasks_of(std::int64_t n, double nanoseconds) {
    if (!worth_threads(nanoseconds * static_cast<double>(n))) return 1;
    return std::min<std::int64_t>({thread_pool::instance().size(), most_tasks, n});
}

/// How many are true in each of some parts of equal length.
using counts = std::array<std::int64_t, most_tasks>;
struct parts {
    std::int64_t n, tasks;
    std::int64_t begin(std::int64_t task) const { return task * n / tasks; }
    counts counted(const truth* mask) const {
        counts found{};
        parallel(tasks, tasks > 1,
                 [&](std::int64_t k) { found[static_cast<std::size_t>(k)] = count_in(mask, begin(k), begin(k + 1)); });
        return found;
    }
};

template <class T, class Of>
std::int64_t write_all(const truth* mask, std::int64_t n, T* to, std::int64_t room, Of of) {
    const parts p{n, tasks_of(n, writing)};
    if (p.tasks == 1) return write_true(mask, 0, n, to, room, of);
    const counts found = p.counted(mask);
    counts before{};
    std::int64_t total = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(p.tasks); ++k) {
        before[k] = total;
        total = std::min(total + found[k], room);
    }
    parallel(p.tasks, true, [&](std::int64_t k) {
        const auto at = static_cast<std::size_t>(k);
        write_true(mask, p.begin(k), p.begin(k + 1), to + before[at], std::min(found[at], room - before[at]), of);
    });
    return total;
}

/// An element, aligned to nothing: complex numbers of other people's memory need not be.
template <std::size_t Size>
struct element_bytes {
    std::byte bytes[Size];
};

template <std::size_t Size>
void compress_as(const truth* mask, const void* x, std::int64_t n, void* to, std::int64_t room) {
    using element = element_bytes<Size>;
    element* const first = static_cast<element*>(to);
    const std::int64_t written =
        write_all(mask, n, first, room, [from = static_cast<const element*>(x)](std::int64_t k) { return from[k]; });
    std::fill(first + written, first + room, element{});  // should fewer be true than were counted
}

}  // namespace

std::int64_t count_true(const void* mask, std::int64_t n) {
    const parts p{n, tasks_of(n, counting)};
    const counts found = p.counted(static_cast<const truth*>(mask));
    std::int64_t total = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(p.tasks); ++k) total += found[k];
    return total;
}

std::int64_t list_true(const void* mask, std::int64_t n, std::int64_t* to) {
    return write_all(static_cast<const truth*>(mask), n, to, n, [](std::int64_t k) { return k; });
}

void compress_elements(const void* mask, const void* x, std::size_t bytes, std::int64_t n, void* to, std::int64_t room) {
    const auto* const m = static_cast<const truth*>(mask);
    switch (bytes) {
        case 1: return compress_as<1>(m, x, n, to, room);
        case 2: return compress_as<2>(m, x, n, to, room);
        case 4: return compress_as<4>(m, x, n, to, room);
        case 8: return compress_as<8>(m, x, n, to, room);
        default: return compress_as<16>(m, x, n, to, room);
    }
}

}  // namespace frit::v0::detail

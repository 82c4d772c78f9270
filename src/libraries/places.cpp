// Where the true elements of a vector are, in order, and how many: what masks come down to. The places have the vector's
// length, since how many there are is known when they are; what is behind them is not specified. On the CPU by the pool's
// threads, a part of the vector each; on a GPU by the plugin (src/cuda/cub).
#include <algorithm>
#include <array>
#include <cstring>

#include "src/base/threads.hpp"
#include "src/engine/dense_rows.hpp"
#include "src/libraries/by_cub.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t places = 0, count = 1;  // the results, as the rows of ops.def number them

// Other people's memory may hold truths that are not 1, so bytes are read, not bools.
using truth = unsigned char;

std::uint64_t eight(const truth* mask) {
    std::uint64_t bytes;
    std::memcpy(&bytes, mask, sizeof bytes);
    return bytes;
}

std::int64_t count_true(const truth* mask, std::int64_t first, std::int64_t last) {
    std::int64_t n = 0;
    for (std::int64_t k = first; k < last; ++k) n += mask[k] != 0;
    return n;
}

/// The places from `first` on, as many as there is room for. @return how many
std::int64_t list_true(const truth* mask, std::int64_t first, std::int64_t last, std::int64_t* to, std::int64_t room) {
    std::int64_t n = 0, k = first;
    for (; k + 8 <= last && n + 8 <= room; k += 8) {
        if (eight(mask + k) == 0) continue;
        for (int j = 0; j < 8; ++j) {  // without a branch, which would be guessed wrong half the time
            to[n] = k + j;
            n += mask[k + j] != 0;
        }
    }
    for (; k < last && n < room; ++k)
        if (mask[k] != 0) to[n++] = k;
    return n;
}

void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    constexpr double counting = 0.05, listing = 1;  // nanoseconds of an element, estimates
    constexpr std::int64_t most = 64;
    const auto* const mask = static_cast<const truth*>(at.operands[0]);
    auto* const to = static_cast<std::int64_t*>(at.results[places]);
    const std::int64_t n = c.operands[0].extents.size();
    const bool share = worth_threads((to ? listing : counting) * static_cast<double>(n));
    const std::int64_t tasks = share ? std::min<std::int64_t>({thread_pool::instance().size(), most, n}) : 1;
    const auto begin = [&](std::int64_t task) { return task * n / tasks; };
    std::int64_t total = 0;
    if (to && tasks == 1) {
        total = list_true(mask, 0, n, to, n);
    } else {
        std::array<std::int64_t, most> found{}, before{};
        parallel(tasks, share,
                 [&](std::int64_t k) { found[static_cast<std::size_t>(k)] = count_true(mask, begin(k), begin(k + 1)); });
        for (std::size_t k = 0; k < static_cast<std::size_t>(tasks); total += found[k++]) before[k] = total;
        if (to)
            parallel(tasks, share, [&](std::int64_t k) {
                const auto at_task = static_cast<std::size_t>(k);
                list_true(mask, begin(k), begin(k + 1), to + before[at_task], found[at_task]);
            });
    }
    if (at.results[count]) *static_cast<std::int64_t*>(at.results[count]) = total;
}

const shape* shape_of(int result, std::span<const shape* const> operands, fusion::shape_set& made) {
    return static_cast<std::size_t>(result) == places ? operands[0] : made.intern(shape());
}
std::string_view misfit(std::span<const shape>) { return {}; }

cuda::cub_call plugin_call(const fusion::library_call& c) {
    return {c.code, FRIT_CUB_PLACES, rows_of(c), c.results[places].asked << places | c.results[count].asked << count};
}

using on_gpu = by_cub<plugin_call>;

}  // namespace

namespace libraries {
extern const library_routine places;
const library_routine places{
    {.name = "places", .results = 2, .shape_of = shape_of, .misfit = misfit, .reads = fusion::reads_row_major},
    nullptr,
    nullptr,
    {.require = nullptr, .workspace = nullptr, .run = run_on_cpu},
    {.require = on_gpu::require, .workspace = on_gpu::workspace, .run = on_gpu::run},
};
}  // namespace libraries

}  // namespace frit::v0::detail

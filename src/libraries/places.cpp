// Where the true elements of a vector are, in order, and how many: what masks come down to. The places have the vector's
// length, since how many there are is known when they are; what is behind them is not specified. On the CPU loops of our own
// (src/cpu/masks.hpp), on a GPU the plugin's (src/cuda/cub).
#include "src/cpu/masks.hpp"
#include "src/engine/dense_rows.hpp"
#include "src/libraries/by_cub.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t places = 0, count = 1;  // the results, as the rows of ops.def number them

void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const std::int64_t n = c.operands[0].extents.size();
    auto *const to = static_cast<std::int64_t*>(at.results[places]), *const number =
                                                                         static_cast<std::int64_t*>(at.results[count]);
    const std::int64_t total = to ? list_true(at.operands[0], n, to) : count_true(at.operands[0], n);
    if (number) *number = total;
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

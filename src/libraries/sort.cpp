// Sorts along rows: sort and argsort are two results of one call. On the CPU a radix sort of our own, on a GPU the plugin's
// (src/cuda/cub).
#include "src/cpu/sort.hpp"
#include "frit/error.hpp"
#include "src/engine/dense_rows.hpp"
#include "src/libraries/by_cub.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t values = 0, places = 1;  // the results, as the rows of ops.def number them

bool takes_short(const fusion::target&) { return true; }

sort_results asked(const fusion::library_call& c) { return {c.results[values].asked, c.results[places].asked}; }

std::size_t workspace_on_cpu(const fusion::library_call& c) { return sort_workspace(rows_of(c), asked(c)); }

void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    sort_rows(rows_of(c), at.operands[0], at.results[values], static_cast<std::int64_t*>(at.results[places]), at.workspace);
}

cuda::cub_call plugin_call(const fusion::library_call& c) {
    return {c.code, FRIT_CUB_SORT, rows_of(c), c.results[values].asked << values | c.results[places].asked << places};
}

using on_gpu = by_cub<plugin_call>;

}  // namespace

namespace libraries {
extern const library_routine sort;
const library_routine sort{
    {.name = "sort", .results = 2, .shape_of = shape_along_axis, .misfit = needs_an_axis, .reads = fusion::reads_row_major},
    nullptr,
    takes_short,
    {.require = nullptr, .workspace = workspace_on_cpu, .run = run_on_cpu},
    {.require = on_gpu::require, .workspace = on_gpu::workspace, .run = on_gpu::run},
};
}  // namespace libraries

}  // namespace frit::v0::detail

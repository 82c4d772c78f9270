// What sorting would put at some ranks of each row, without sorting the rest: those elements, and the rows, or the places of
// their elements, parted there. The ranks are an operand, so that they may be computed, and are read when the call runs. On
// the CPU by counts of digits (src/cpu/select.hpp), on a GPU by the plugin (src/cuda/cub).
#include "src/cpu/select.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "src/libraries/by_cub.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr int elements = 0, ranks = 1;  // the operands
constexpr std::size_t at_ranks = 0, values = 1, places = 2;

ranked_rows selected(const fusion::library_call& c) {
    const fusion::call_operand& r = c.operands[ranks];
    const int last = r.extents.rank() - 1;
    const bool alike = std::all_of(r.strides.begin(), r.strides.end() - 1, [](std::int64_t s) { return s == 0; });
    return {rows_of(c), r.extents[last], alike};
}

/// The extents of the rows, but for the last; that of the ranks.
const shape* shape_of(int result, std::span<const shape* const> operands, fusion::shape_set&) {
    const shape &of = *operands[elements], &at = *operands[ranks];
    const int last = of.rank() - 1;
    if (last < 0 || at.rank() != of.rank() || !std::equal(of.begin(), of.begin() + last, at.begin())) return nullptr;
    return operands[static_cast<std::size_t>(result) == at_ranks ? ranks : elements];
}
std::string_view misfit(std::span<const shape>) { return "needs ranks for each row"; }

/// The ranks of one row for all are read as they are.
std::optional<std::vector<std::int64_t>> reads(int k, const shape& of, const fusion::strided& at) {
    if (k == elements || of.rank() == 0) return fusion::reads_row_major(k, of, at);
    const auto stays = [](const fusion::axis_term& t) { return t.stride == 0; };
    if (!std::all_of(at.axes.begin(), at.axes.end() - 1, stays) || (at.axes.back().stride != 1 && of[of.rank() - 1] > 1))
        return fusion::reads_row_major(k, of, at);
    std::vector<std::int64_t> strides(at.axes.size(), 0);
    strides.back() = 1;
    return strides;
}

bool takes_short(const fusion::target&) { return true; }

std::size_t workspace_on_cpu(const fusion::library_call& c) {
    return std::max(c.results[at_ranks].asked ? at_ranks_workspace(selected(c)) : 0,
                    c.results[values].asked || c.results[places].asked ? partition_workspace(selected(c)) : 0);
}

void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const ranked_rows r = selected(c);
    const auto* const of = static_cast<const std::int64_t*>(at.operands[ranks]);
    auto* const to = static_cast<std::int64_t*>(at.results[places]);
    if (at.results[at_ranks]) rows_at_ranks(r, at.operands[elements], of, at.results[at_ranks], at.workspace);
    if (at.results[values] || to) partition_rows(r, at.operands[elements], of, at.results[values], to, at.workspace);
}

cuda::select_call plugin_call(const fusion::library_call& c) {
    const ranked_rows r = selected(c);
    int results = 0;
    for (const std::size_t k : {at_ranks, values, places}) results |= c.results[k].asked << k;
    return {c.code, FRIT_CUB_SELECT, r.of, r.ranks, r.alike, results};
}

using on_gpu = by_cub<plugin_call>;

}  // namespace

namespace libraries {
extern const library_routine select;
const library_routine select{
    {.name = "select", .results = 3, .shape_of = shape_of, .misfit = misfit, .reads = reads},
    nullptr,
    takes_short,
    {.require = nullptr, .workspace = workspace_on_cpu, .run = run_on_cpu},
    {.require = on_gpu::require, .workspace = on_gpu::workspace, .run = on_gpu::run},
};
}  // namespace libraries

}  // namespace frit::v0::detail

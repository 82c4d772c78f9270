// The largest elements of each row, and where they are: two results of one call. How many is said by the shape of a second
// operand, which is not read: the rows, seen as long as the result. On the CPU by counts of digits (src/cpu/select.hpp), on
// a GPU by the plugin (src/cuda/cub).
#include <algorithm>
#include <optional>
#include <vector>

#include "src/cpu/select.hpp"
#include "src/libraries/by_cub.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr int elements = 0, as_many = 1;       // the operands
constexpr std::size_t values = 0, places = 1;  // the results, as the rows of ops.def number them

std::int64_t count_of(const fusion::library_call& c) {
    const shape& s = c.operands[as_many].extents;
    return s[s.rank() - 1];
}

const shape* shape_of(int, std::span<const shape* const> operands, fusion::shape_set&) {
    const shape &of = *operands[elements], &to = *operands[as_many];
    const int last = of.rank() - 1;
    const bool fits = last >= 0 && to.rank() == of.rank() && std::equal(of.begin(), of.begin() + last, to.begin());
    return fits && to[last] <= of[last] ? &to : nullptr;
}
std::string_view misfit(std::span<const shape>) { return "needs rows with so many elements"; }

std::optional<std::vector<std::int64_t>> reads(int k, const shape& of, const fusion::strided& at) {
    if (k == elements) return fusion::reads_row_major(k, of, at);
    std::vector<std::int64_t> any;
    for (const fusion::axis_term& t : at.axes) any.push_back(t.stride);
    return any;
}

bool takes_short(const fusion::target&) { return true; }

std::size_t workspace_on_cpu(const fusion::library_call& c) { return largest_workspace(rows_of(c), count_of(c)); }

void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    largest_of_rows(rows_of(c), count_of(c), at.operands[elements], at.results[values],
                    static_cast<std::int64_t*>(at.results[places]), at.workspace);
}

cuda::select_call plugin_call(const fusion::library_call& c) {
    const int results = c.results[values].asked << values | c.results[places].asked << places;
    return {c.code, FRIT_CUB_LARGEST, rows_of(c), count_of(c), true, results};
}

using on_gpu = by_cub<plugin_call>;

}  // namespace

namespace libraries {
extern const library_routine largest;
const library_routine largest{
    {.name = "largest", .results = 2, .shape_of = shape_of, .misfit = misfit, .reads = reads},
    nullptr,
    takes_short,
    {.require = nullptr, .workspace = workspace_on_cpu, .run = run_on_cpu},
    {.require = on_gpu::require, .workspace = on_gpu::workspace, .run = on_gpu::run},
};
}  // namespace libraries

}  // namespace frit::v0::detail

// The elements of a vector where a mask of its length is true, in order. How many they are has been counted when the call is
// recorded, and is said by the shape of a third operand, which is not read: the mask, seen as long as the result. By bytes,
// so of every dtype: on the CPU loops of our own (src/cpu/masks.hpp), on a GPU the plugin's (src/cuda/cub).
#include <optional>
#include <vector>

#include "src/cpu/masks.hpp"
#include "src/cuda/cub.hpp"
#include "src/cuda/libraries.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr int elements = 0, mask = 1, as_many = 2;  // the operands

const shape* shape_of(int, std::span<const shape* const> operands, fusion::shape_set&) {
    const shape &of = *operands[elements], &to = *operands[as_many];
    const bool fits = of.rank() == 1 && *operands[mask] == of && to.rank() == 1 && to[0] <= of[0];
    return fits ? &to : nullptr;
}
std::string_view misfit(std::span<const shape>) { return "needs a vector and a mask of its length"; }

std::optional<std::vector<std::int64_t>> reads(int k, const shape& of, const fusion::strided& at) {
    if (k == as_many) return std::vector<std::int64_t>{at.axes[0].stride};
    return fusion::reads_row_major(k, of, at);
}

bool takes_short(const fusion::target&) { return true; }

void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const fusion::call_operand& from = c.operands[elements];
    compress_elements(at.operands[mask], at.operands[elements], size_of(from.type), from.extents.size(), at.results[0],
                      c.results[0].extents.size());
}

cuda::compress_call plugin_call(const fusion::library_call& c) {
    const fusion::call_operand& from = c.operands[elements];
    return {c.code, from.type, from.extents.size(), c.results[0].extents.size()};
}
void require_on_gpu(cuda::libraries& on, const fusion::library_call& c) { cuda::require_cub(on.device, c.code); }
std::size_t workspace_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    return cuda::cub_workspace(on.device, plugin_call(c));
}
void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    cuda::call_cub(on.device, plugin_call(c), at);
}

}  // namespace

namespace libraries {
extern const library_routine compress;
const library_routine compress{
    {.name = "compress", .results = 1, .shape_of = shape_of, .misfit = misfit, .reads = reads},
    nullptr,
    takes_short,
    {.require = nullptr, .workspace = nullptr, .run = run_on_cpu},
    {.require = require_on_gpu, .workspace = workspace_on_gpu, .run = run_on_gpu},
};
}  // namespace libraries

}  // namespace frit::v0::detail

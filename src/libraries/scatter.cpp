// Values put at, or combined with, elements of an array: `base` with value k at element number k, in the order of the
// values, so that the bits depend on the operands alone. On the CPU loops of our own (src/cpu/scatter.hpp), on a GPU the
// plugin's (src/cuda/cub), but for what a kernel counts there (fusion/passes/place_tallies.cpp). Stored indices of a
// vector's elements they take as they are.
#include <algorithm>
#include <optional>
#include <vector>

#include "src/base/errors.hpp"
#include "src/base/threads.hpp"
#include "src/cpu/scatter.hpp"
#include "src/cuda/cub.hpp"
#include "src/cuda/libraries.hpp"
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::size_t base = 0, elements = 1, values = 2;  // the operands
constexpr int in_place[] = {base};

/// Whether it is one value for all elements, which is never spread out.
bool is_one(const fusion::call_operand& x) {
    return x.extents.size() > 1 && std::all_of(x.strides.begin(), x.strides.end(), [](std::int64_t s) { return s == 0; });
}

cpu_scatter on_cpu(const fusion::library_call& c) {
    return {c.code,
            c.operands[base].type,
            c.operands[base].extents.size(),
            c.operands[elements].extents.size(),
            c.operands[elements].type == dtype::i32,
            is_one(c.operands[values]),
            c.of->checks_indices};
}
std::size_t workspace_on_cpu(const fusion::library_call& c) { return on_cpu(c).workspace(); }
void run_on_cpu(const fusion::library_call& c, const call_memory& at, const isa_table&) {
    const cpu_scatter s = on_cpu(c);
    if (const auto wrong = s.run(at.operands[base], at.operands[elements], at.operands[values], at.results[0], at.workspace))
        throw index_error(index_fault(*wrong, s.size, at.formula));
}

/// That of the base; the statement has been checked where it was recorded.
const shape* shape_of(int, std::span<const shape* const> operands, fusion::shape_set&) { return operands[base]; }
std::string_view misfit(std::span<const shape>) { return {}; }
std::optional<std::vector<std::int64_t>> reads(int k, const shape& of, const fusion::strided& at) {
    const auto stays = [](const fusion::axis_term& t) { return t.stride == 0; };
    if (k == values && std::all_of(at.axes.begin(), at.axes.end(), stays))
        return std::vector<std::int64_t>(at.axes.size(), 0);
    return fusion::reads_row_major(k, of, at);
}

bool adds(op code) { return code == op::scatter_add; }

// --- the plugin ---

cuda::scatter_call plugin_call(const fusion::library_call& c) {
    const auto operation = [&] {
        switch (c.code) {
            case op::scatter_set: return FRIT_CUB_SCATTER_SET;
            case op::scatter_add: return FRIT_CUB_SCATTER_ADD;
            case op::scatter_mul: return FRIT_CUB_SCATTER_MUL;
            case op::scatter_min: return FRIT_CUB_SCATTER_MIN;
            default: return FRIT_CUB_SCATTER_MAX;
        }
    };
    return {c.code,
            operation(),
            c.operands[base].type,
            c.operands[base].extents.size(),
            c.operands[elements].extents.size(),
            c.operands[elements].type == dtype::i32,
            c.of->checks_indices,
            is_one(c.operands[values])};
}
void require_on_gpu(cuda::libraries& on, const fusion::library_call& c) { cuda::require_cub(on.device, c.code); }
std::size_t workspace_on_gpu(cuda::libraries& on, const fusion::library_call& c) {
    return cuda::cub_workspace(on.device, plugin_call(c));
}
void run_on_gpu(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
    const cuda::scatter_call call = plugin_call(c);
    cuda::fault_records::ticket record;
    if (call.indices) {
        const cuda::current_context here(on.device);
        record = on.indices.take(at.formula);
    }
    cuda::call_cub(on.device, call, at, record.address);
}

}  // namespace

namespace libraries {
namespace {
constexpr library_routine routine(bool checks_indices) {
    return {
        {.name = "scatter",
         .results = 1,
         .shape_of = shape_of,
         .misfit = misfit,
         .reads = reads,
         .overwrites = in_place,
         .touches_few = true,
         .adds_at_places = adds,
         .checks_indices = checks_indices},
        nullptr,
        nullptr,
        {.require = nullptr, .workspace = workspace_on_cpu, .run = run_on_cpu},
        {.require = require_on_gpu, .workspace = workspace_on_gpu, .run = run_on_gpu},
    };
}
}  // namespace
extern const library_routine scatter, checking_scatter;
constinit const library_routine scatter = routine(false), checking_scatter = routine(true);
}  // namespace libraries

}  // namespace frit::v0::detail

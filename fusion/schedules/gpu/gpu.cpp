// The list of a GPU's schedules, and what their launch shapes share: see gpu.hpp. The generated loops read how many blocks
// and threads there are where the choice depends on run-time extents, so one kernel serves every size.
#include "fusion/schedules/gpu/gpu.hpp"

#include <algorithm>
#include <stdexcept>

#include "frit/error.hpp"
#include "fusion/ir/reduction_rule.hpp"

namespace frit::inline v0::fusion {

namespace gpu {
extern const gpu_schedule tallies_schedule,                                      // integers added up in few elements
    flat_schedule, transposes_schedule, patches_schedule, strided_schedule,      // pointwise
    totals_schedule,                                                             // reductions of all
    running_schedule, recurrences_along_schedule, recurrences_schedule,          // what each element leaves for the next
    row_tiles_schedule, rows_once_schedule, short_rows_schedule, rows_schedule;  // reductions of rows
}

const gpu_schedule& gpu_schedule_of(const kernel_spec& spec) {
    static constexpr const gpu_schedule* all[] = {
        &gpu::tallies_schedule,     &gpu::flat_schedule,      &gpu::transposes_schedule, &gpu::patches_schedule,
        &gpu::strided_schedule,     &gpu::totals_schedule,    &gpu::running_schedule,    &gpu::recurrences_along_schedule,
        &gpu::recurrences_schedule, &gpu::row_tiles_schedule, &gpu::rows_once_schedule,  &gpu::short_rows_schedule,
        &gpu::rows_schedule};
    for (const gpu_schedule* s : all)
        if (s->takes(spec)) return *s;
    throw std::logic_error("no schedule of a GPU takes the spec");
}

launch_shape gpu_launch_shape(const gpu_schedule& by, const kernel_spec& spec, const std::uint64_t* extents,
                              const target& t) {
    if (spec.schedule == schedule_kind::pointwise && gpu::product(extents, 0, spec.rank) == 0) return {.grid = {0, 1, 1}};
    return by.shape(spec, extents, t);
}

gpu_scratch gpu_scratch_of(const gpu_schedule& by, const kernel_spec& spec, const std::uint64_t* extents, const target& t) {
    if (by.zeros) return {8 * by.zeros(spec, extents, t), true};
    const std::uint64_t partials = by.partials ? by.partials(spec, extents, t) : 0;
    return {partials > 0 ? ticket_bytes + partials * static_cast<std::uint64_t>(parts_of(spec)) * 8 : 0};
}

namespace gpu {

std::uint64_t product(const std::uint64_t* extents, int first, int last) {
    std::uint64_t n = 1;
    for (int d = first; d < last; ++d) n *= extents[d];
    return n;
}

unsigned blocks_across(std::uint64_t blocks) {
    if (blocks > max_grid_x)
        throw error("a kernel would need " + std::to_string(blocks) + " blocks in a row, a GPU starts at most " +
                    std::to_string(max_grid_x));
    return static_cast<unsigned>(blocks);
}

void set_blocks(launch_shape& s, std::uint64_t blocks) {
    s.grid[0] = static_cast<unsigned>(std::min(blocks, max_grid_x));
    s.grid[1] = static_cast<unsigned>(divide_up(blocks, max_grid_x));
}

unsigned row_threads(std::uint64_t inner) {
    unsigned best = pointwise_threads;
    for (unsigned width = pointwise_threads / 2; width > 0; width /= 2)
        if (divide_up(inner, width) * width < divide_up(inner, best) * best) {
            // Narrow rows of threads read short runs of memory: below a warp only as far as the extent is that short.
            if (width < 32 && inner > width) break;
            best = width;
        }
    return best;
}

}  // namespace gpu
}  // namespace frit::v0::fusion

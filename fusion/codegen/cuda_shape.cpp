// Launch shapes: how many threads stand before which elements. The generated text reads gridDim and blockDim where the
// choice depends on run-time extents, so one kernel serves every size.
#include <algorithm>

#include "fusion/codegen/cuda_c.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr std::uint64_t max_grid_x = 0x7fffffff, max_grid_y = 65535;

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

// Threads along the innermost dimension: the power of two up to a block that leaves the fewest idle; the wider on a tie.
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

}  // namespace

unsigned flat_lanes(const kernel_spec& spec) { return spec.vector_width > 1 ? spec.vector_width : scalar_lanes; }

launch_shape cuda_launch_shape(const kernel_spec& spec, const std::uint64_t* extents, const target& t) {
    std::uint64_t n = 1;
    for (int d = 0; d < spec.rank; ++d) n *= extents[d];
    launch_shape s;
    if (spec.schedule == schedule_kind::reduce_all) {
        // A function of the length and the device alone: the bits of the result depend on it. Nothing still gives
        // identities.
        const std::uint64_t most = static_cast<std::uint64_t>(t.processors) * reduce_blocks_per_sm;
        s.grid[0] =
            static_cast<unsigned>(std::clamp<std::uint64_t>(divide_up(divide_up(n, reduce_pack), reduce_threads), 1, most));
        s.block[0] = reduce_threads;
        return s;
    }
    if (n == 0) {
        s.grid[0] = 0;
        return s;
    }
    if (spec.rank == 1) {
        s.grid[0] =
            static_cast<unsigned>(std::min(divide_up(n, std::uint64_t{pointwise_threads} * flat_lanes(spec)), max_grid_x));
        s.block[0] = pointwise_threads;
        return s;
    }
    const std::uint64_t inner = extents[spec.rank - 1], rows = n / inner;
    s.block[0] = row_threads(inner);
    s.block[1] = pointwise_threads / s.block[0];
    s.grid[0] = static_cast<unsigned>(std::min(divide_up(inner, s.block[0]), max_grid_x));
    s.grid[1] = static_cast<unsigned>(std::min(divide_up(rows, std::uint64_t{s.block[1]} * scalar_lanes), max_grid_y));
    return s;
}

std::size_t cuda_scratch_bytes(const kernel_spec& spec, const target& t) {
    if (spec.schedule != schedule_kind::reduce_all) return 0;
    return 16 + spec.reductions.size() * static_cast<std::size_t>(t.processors) * reduce_blocks_per_sm * 8;
}

}  // namespace frit::v0::fusion

// Which block has which rows, and in how many chunks: see row_grid.hpp.
#include "fusion/schedules/gpu/row_grid.hpp"

#include <algorithm>

#include "fusion/machine/cuda_row_shape.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

/// The rows of a launch in blocks: tiles of rows, each in as many chunks.
struct row_grid {
    std::uint64_t rows, tiles, chunks;
    unsigned lanes;
    bool split() const { return chunks > 1 && tiles <= max_tickets; }
};
row_grid row_grid_of(const kernel_spec& spec, const std::uint64_t* extents) {
    const int kept = spec.rank - spec.reduced;
    const row_shape shape = row_shape_of(spec);
    row_grid g{product(extents, 0, kept), 0, 1, shape.lanes};
    const bool tile = spec.schedule == schedule_kind::reduce_tile;
    const std::uint64_t across = tile ? extents[kept - 1] : g.rows;
    if (spec.schedule != schedule_kind::reduce_inner)
        while (g.lanes > 1 && std::uint64_t{g.lanes} / 2 * shape.per_lane >= across) g.lanes /= 2;
    g.tiles = divide_up(across, std::uint64_t{g.lanes} * shape.per_lane);
    if (tile && across) g.tiles *= g.rows / across;
    if (shape.chunk)
        g.chunks = std::max<std::uint64_t>(
            1, divide_up(product(extents, kept, spec.rank), static_cast<std::uint64_t>(shape.chunk)));
    return g;
}

}  // namespace

launch_shape shape_of_rows(const kernel_spec& spec, const std::uint64_t* extents, const target&) {
    const row_grid g = row_grid_of(spec, extents);
    const row_shape shape = row_shape_of(spec);
    launch_shape s;
    const std::uint64_t blocks = g.split() ? g.tiles * g.chunks : g.tiles;
    s.grid[0] = static_cast<unsigned>(std::min(blocks, max_grid_x));
    s.grid[1] = static_cast<unsigned>(divide_up(blocks, max_grid_x));
    const bool along = spec.schedule == schedule_kind::reduce_inner;
    s.block[0] = along ? shape.threads : g.lanes;
    s.block[1] = along ? g.lanes : shape.threads;
    return s;
}

std::uint64_t partials_of_rows(const kernel_spec& spec, const std::uint64_t* extents, const target&) {
    const row_grid g = row_grid_of(spec, extents);
    return g.chunks > 1 ? g.rows * g.chunks : 0;
}

}  // namespace frit::v0::fusion::gpu

// Launch shapes: how many blocks of how many threads compute which elements. The generated text reads gridDim and blockDim
// where the choice depends on run-time extents, so one kernel serves every size.
#include "fusion/machine/cuda_shape.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "frit/error.hpp"
#include "fusion/ir/reduction_rule.hpp"
#include "fusion/machine/cuda_row_shape.hpp"
#include "fusion/machine/cuda_transpose_shape.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr std::uint64_t max_grid_x = 0x7fffffff, max_grid_y = 65535;

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t product(const std::uint64_t* extents, int first, int last) {
    std::uint64_t n = 1;
    for (int d = first; d < last; ++d) n *= extents[d];
    return n;
}

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

launch_shape shape_of_rows(const kernel_spec& spec, const std::uint64_t* extents) {
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

// The text goes through these without a loop.
unsigned blocks_across(std::uint64_t blocks) {
    if (blocks > max_grid_x)
        throw error("a kernel would need " + std::to_string(blocks) + " blocks in a row, a GPU starts at most " +
                    std::to_string(max_grid_x));
    return static_cast<unsigned>(blocks);
}

// Blocks are tall as well as wide: what neighbouring patches read is in the L1 then.
constexpr unsigned patches_across = 64;

launch_shape shape_of_patches(const kernel_spec& spec, const std::uint64_t* extents) {
    const std::uint64_t vectors = divide_up(extents[spec.rank - 1], spec.vector_width);
    const std::uint64_t bands = divide_up(extents[spec.rank - 2], patch_rows(spec)) * product(extents, 0, spec.rank - 2);
    launch_shape s;
    s.block[0] = std::min(row_threads(vectors), patches_across);
    s.block[1] = pointwise_threads / s.block[0];
    s.grid[0] = blocks_across(divide_up(vectors, s.block[0]));
    const std::uint64_t down = divide_up(bands, s.block[1]);
    s.grid[1] = static_cast<unsigned>(std::min(down, max_grid_y));
    s.grid[2] = static_cast<unsigned>(divide_up(down, max_grid_y));
    return s;
}

}  // namespace

bool moves_in(const access& a, unsigned first, unsigned last) {
    return std::any_of(a.dims.begin() + first, a.dims.begin() + last,
                       [](const access_dim& d) { return d.stride != stride_class::zero || d.clamped; });
}

unsigned unroll_of(unsigned weight, unsigned lanes) {
    constexpr unsigned most = 1600;
    return std::min(lanes, std::max(1u, std::bit_floor(most / weight)));
}

unsigned weight_of(const std::vector<instruction>& code) {
    unsigned weight = 1;
    for (const instruction& i : code)
        if (is_elementwise(i.code)) weight += info(i.code).cost;
    return weight;
}

unsigned flat_lanes(const kernel_spec& spec) { return spec.vector_width > 1 ? spec.vector_width : scalar_lanes; }

unsigned patch_rows(const kernel_spec& spec) {
    constexpr unsigned most_lanes = 32;
    unsigned rows = spec.patch_rows;
    const unsigned weight = weight_of(spec.body);
    const auto too_many = [&](unsigned lanes) { return lanes > most_lanes || unroll_of(weight, lanes) < lanes; };
    while (rows > 1 && too_many(rows * spec.vector_width)) rows /= 2;
    return rows;
}

launch_shape cuda_launch_shape(const kernel_spec& spec, const std::uint64_t* extents, const target& t) {
    if (is_of_rows(spec.schedule)) return shape_of_rows(spec, extents);
    const std::uint64_t n = product(extents, 0, spec.rank);
    launch_shape s;
    if (spec.schedule == schedule_kind::reduce_all) {
        // A function of the length and the device alone: the bits of the result depend on it. Nothing still gives
        // identities. An odd number: with 528 blocks and rows of 8,192 the same threads would have the rows' edges, which
        // cost more than the rest, every time (measured on an H200: 0.37 ms for a stencil's step and residual).
        const std::uint64_t most = static_cast<std::uint64_t>(t.processors) * reduce_blocks_per_sm - 1;
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
        s.grid[0] = blocks_across(divide_up(n, std::uint64_t{pointwise_threads} * flat_lanes(spec)));
        s.block[0] = pointwise_threads;
        return s;
    }
    if (spec.tile > 0) {
        const transpose_shape shape = transpose_shape_of(spec);
        const std::uint64_t columns = extents[shape.along], rows = extents[shape.across];
        s.grid[0] = blocks_across(n / columns / rows * divide_up(columns, shape.columns) * divide_up(rows, shape.rows));
        s.block[0] = shape.threads;
        return s;
    }
    if (spec.patch_rows > 0) return shape_of_patches(spec, extents);
    const std::uint64_t inner = extents[spec.rank - 1], rows = n / inner;
    s.block[0] = row_threads(inner);
    s.block[1] = pointwise_threads / s.block[0];
    s.grid[0] = blocks_across(divide_up(inner, s.block[0]));
    s.grid[1] = static_cast<unsigned>(std::min(divide_up(rows, std::uint64_t{s.block[1]} * scalar_lanes), max_grid_y));
    return s;
}

std::size_t cuda_scratch_bytes(const kernel_spec& spec, const std::uint64_t* extents, const target& t) {
    std::uint64_t partials = 0;
    if (spec.schedule == schedule_kind::reduce_all) {
        partials = static_cast<std::uint64_t>(t.processors) * reduce_blocks_per_sm;
    } else if (is_of_rows(spec.schedule)) {
        const row_grid g = row_grid_of(spec, extents);
        if (g.chunks > 1) partials = g.rows * g.chunks;
    }
    return partials ? ticket_bytes + partials * static_cast<std::uint64_t>(parts_of(spec)) * 8 : 0;
}

}  // namespace frit::v0::fusion

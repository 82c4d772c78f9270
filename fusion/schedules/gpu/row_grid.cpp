// Which block has which rows, and in how many chunks: see row_grid.hpp.
#include "fusion/schedules/gpu/row_grid.hpp"

#include <algorithm>

namespace frit::inline v0::fusion::gpu {
namespace {

int most_parts_of(const kernel_spec& s) {
    int parts = 1;
    for (const reduction_spec& r : s.reductions) parts = std::max(parts, rule_of(r).parts);
    return parts;
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

}  // namespace

launch_shape shape_of_rows(const kernel_spec& spec, const std::uint64_t* extents, const target&) {
    const row_grid g = row_grid_of(spec, extents);
    const row_shape shape = row_shape_of(spec);
    launch_shape s;
    set_blocks(s, g.split() ? g.tiles * g.chunks : g.tiles);
    const bool along = spec.schedule == schedule_kind::reduce_inner;
    s.block[0] = along ? shape.threads : g.lanes;
    s.block[1] = along ? g.lanes : shape.threads;
    return s;
}

std::uint64_t partials_of_rows(const kernel_spec& spec, const std::uint64_t* extents, const target&) {
    const row_grid g = row_grid_of(spec, extents);
    return g.chunks > 1 ? g.rows * g.chunks : 0;
}

void chunk_builder::choose_chunk(const cell& tile, value tiles, value length, bool neighbouring_chunks) {
    const value several = b_.to(dtype::u32, (length + (shape_.chunk - 1)) / shape_.chunk);
    chunks_ = b_.let("chunks", b_.choice(length > shape_.chunk, several, b_.constant(1)));
    split_ = b_.let("split", chunks_ > 1 && tiles <= std::int64_t{max_tickets});
    chunk_ = b_.declare("chunk", b_.constant(0, dtype::u32));
    b_.when(split_, [&] {
        b_.set(chunk_, neighbouring_chunks ? tile % chunks_ : tile / tiles);
        b_.set(tile, neighbouring_chunks ? tile / chunks_ : tile % tiles);
    });
}
void chunk_builder::leave_but_last(value tile) {
    const value ticket = b_.word(1, loops::address_of(dtype::u32, false)) + tile;
    const value last = b_.accumulate(loops::code::last_block, loops::truth_type(), {ticket, chunks_});
    b_.when(split_ && !last, [&] { b_.leave(); });
}
array chunk_builder::declare_column() {
    return b_.declare("column", loops::number_of(dtype::u64), std::int64_t{shape_.block()} * most_parts_of(spec_),
                      loops::storage::shared);
}

}  // namespace frit::v0::fusion::gpu

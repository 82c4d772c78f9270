// The totals of rows while their elements come in: accumulators, and the trees that the documented order
// (end of fusion/ir/kernel_spec.hpp) makes of them.
#pragma once

#include <cstdint>

#include "src/cpu/blocks.hpp"
#include "src/cpu/combine.hpp"

namespace frit::inline v0::detail {

/// By lanes: 64 accumulators for each block of a row (reduce_inner, reduce_all). By runs: one accumulator for each 32
/// neighbouring elements (reduce_outer, reduce_tile).
enum class reduction_order : std::uint8_t { lanes, runs };

/// One reduction over `width` rows side by side.
class row_totals {
public:
    row_totals(const combiner& c, reduction_order o) : combine_(&c), order_(o) {}
    /// Takes scratch memory for rows of at most `elements`, at most `width` of them.
    void place(bump_allocator&, std::int64_t elements, std::int64_t width);
    /// What is added from here on belongs to `width` rows.
    void begin(std::int64_t width);
    /// Elements [i, i + n) of the rows, each element for all rows before the next; rows end at element `end`. They come in
    /// order, and do not cross a multiple of reduce_block. Summands with loops of their own: one
    /// row, or one element.
    void add(std::int64_t i, std::int64_t n, std::int64_t end, const summands& x, const void* seconds);
    /// All elements of one row, at most a block, hence its total.
    void reduce_row(std::int64_t length, const summands& x, const void* seconds, const part_arrays& to);
    /// All elements of `rows` rows that lie one after the other (order of lanes, at most a block each), hence their totals.
    /// `room` has space for as many elements three times, 8 bytes each.
    void reduce_rows(std::int64_t rows, std::int64_t length, const summands& x, const void* seconds, const part_arrays& to,
                     std::byte* room);
    /// The totals; a block of a row alone is a total, too.
    void finish(const part_arrays& to) { tree_.finish(to); }

private:
    void add_lanes(std::int64_t i, std::int64_t n, std::int64_t end, const summands& x, const std::byte* seconds);
    void add_runs(std::int64_t i, std::int64_t n, std::int64_t end, const summands& x, const std::byte* seconds);
    void fold(std::int64_t used);

    const combiner* combine_;
    reduction_order order_;
    std::int64_t width_ = 1;
    part_arrays accumulators_, levels_;
    pairwise_tree tree_{*combine_, {}, 1};
};

}  // namespace frit::v0::detail

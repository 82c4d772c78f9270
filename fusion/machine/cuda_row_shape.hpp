// How kernels over rows are laid out on a GPU: row_shape is read by the generator and by the launch, and follows from the
// spec alone. spec.row_class (see row_class in cuda_shape.hpp) is the only thing in it that comes from the length of a row.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/ir/row_passes.hpp"
#include "fusion/machine/cuda_shape.hpp"

namespace frit::inline v0::fusion {

inline bool is_of_rows(schedule_kind s) {
    return s == schedule_kind::reduce_inner || s == schedule_kind::reduce_outer || s == schedule_kind::reduce_tile;
}

/// `threads` threads share a row. It is dealt out to them in packs of `pack` neighbouring elements in turn; a thread makes
/// one value of a pack by a tree and adds it to its accumulator.
struct row_shape {
    unsigned threads = 1;
    unsigned lanes = 1;     ///< rows side by side in a block (reduce_outer, reduce_tile: at most)
    unsigned per_lane = 1;  ///< rows of one thread (reduce_tile)
    unsigned pack = 4;
    unsigned in_flight = 1;  ///< packs that a thread reads before it computes
    unsigned resident = 0;   ///< packs of a thread that stay in registers over the passes, 0: none, rows are read again
    std::int64_t chunk = 0;  ///< rows of one pass that are longer are dealt out to blocks in such chunks; 0: never
    unsigned block() const { return threads * lanes; }
};
row_shape row_shape_of(const kernel_spec&);
/// Classes of rows with running values: of one warp, or dealt out in tiles to blocks, which may be larger for long ones.
inline constexpr std::uint8_t row_of_a_warp = 1, shared_by_blocks = 2, shared_by_large_blocks = 3;
inline constexpr std::int64_t longest_of_a_warp = 1 << 12, longest_of_small_blocks = 1 << 16;
/// Totals that the tiles of such a row leave for each other: of each, of each 32 and of each 1,024 (code::before_block).
/// Of a number, or of a value of the loops.
template <class Number>
constexpr Number totals_of_tiles(Number tiles) {
    return tiles + (tiles + 31) / 32 + (tiles + 1023) / 1024;
}
/// The class of kernels of recurrences, whose rows have a thread each, by the number of rows: whether so many are there that
/// a GPU is busy with few elements of each on their way. Bits do not depend on it.
inline constexpr std::uint8_t many_recurrences = 1;
constexpr std::uint8_t class_of_recurrences(std::int64_t rows) {
    return rows >= std::int64_t{1} << 18 ? many_recurrences : 0;
}
/// Rows side by side with running values, a thread each: so many keep a GPU busy.
inline constexpr std::int64_t enough_running_rows = 1 << 14;
/// The logarithm of the length up to which the spec's class of rows goes, within what the schedule tells apart.
unsigned length_class_of(const kernel_spec&);

/// What one pass over a row evaluates and what it leaves in registers for the next, where rows are resident.
struct row_work {
    /// `elements` of a thread stay in registers over the passes, 0: none.
    row_work(const kernel_spec&, unsigned elements);
    struct pass {
        std::vector<std::uint16_t> body;   ///< instructions, ascending; those that are kept from before among them
        std::vector<std::uint16_t> reads;  ///< moving loads that are read in this pass
    };
    row_passes passes;
    std::vector<pass> work;
    std::vector<int> kept;       ///< per body instruction: the pass that leaves it, or -1
    std::vector<int> held;       ///< per load: the pass that reads it for several, or -1
    std::size_t live_bytes = 0;  ///< per element between two passes, at most
};

}  // namespace frit::v0::fusion

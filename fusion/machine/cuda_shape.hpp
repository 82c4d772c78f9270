// How many elements a GPU's threads take, from the spec alone. The planner chooses by it, loops assume it, launch shapes
// (fusion/schedules/gpu) follow it: so it stands here once, below all three.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

/// Threads of a pointwise block (128: wider blocks lose bandwidth when a kernel has many inputs and outputs) and of a
/// reduction block; reduction blocks per SM, all resident at once at up to 64 registers a thread.
inline constexpr unsigned pointwise_threads = 128, reduce_threads = 256, reduce_blocks_per_sm = 4;
/// A reduction deals out its domain in packs of this many consecutive elements, each of which
/// becomes one value by a tree: whatever the alignment, dtype or strides, an element has the same place in it.
inline constexpr unsigned reduce_pack = 4;
/// Rows per thread of a kernel of rank > 1, and elements per thread of a flat kernel without vector accesses.
inline constexpr unsigned scalar_lanes = 4;

/// Threads of a block that tallies, its counters of 32 bits in shared memory, and how many such blocks an SM has at once.
inline constexpr unsigned tally_threads = 512, tally_counters = 12288, tally_blocks_per_sm = 2;

/// Kernels that read rows once for their own totals and for sums over all of them (kernel_spec::columns): threads of a
/// block, how long a row may be, and how many blocks an SM has at once, by the class of the rows' length.
inline constexpr unsigned once_threads = 256;
inline constexpr std::int64_t longest_row_once = 1024;
unsigned once_blocks_per_sm(unsigned length_class);
/// Parts of the rows that leave sums of their own, one a block: by the shape and the device alone, as the sums' bits do.
std::int64_t sum_parts(std::int64_t rows, std::int64_t length, const target&);
/// The logarithm of the length up to which the class of such rows goes.
unsigned once_class(std::int64_t length);
/// Bytes that a thread of such a kernel keeps of a row and its sums, where an element has so many in all; and how many
/// registers hold, with two blocks on an SM or with one.
std::uint64_t once_bytes(std::int64_t length, std::uint64_t of_element);
inline constexpr std::uint64_t most_once_bytes_of_two = 400, most_once_bytes = 1280;

/// A thread of a flat pointwise kernel has so many vectors of spec.vector_width neighbours, a block apart: two where there
/// are random words, whose rounds' keys are then computed once for two of Philox's blocks.
unsigned flat_groups(const kernel_spec&);
/// Elements that one thread of a flat pointwise kernel computes.
unsigned flat_lanes(const kernel_spec&);

/// Rows of the patch that one thread of a kernel with patches computes.
unsigned patch_rows(const kernel_spec&);

/// The class of the row length that spec.row_class holds before the spec's key is made; 0 for kernels without rows. Rows of
/// one class share a kernel. It is the logarithm of the length up to which the class goes, held within what the schedule
/// tells apart, and whether there are several passes and the row stays in registers between them. The bits of a result
/// depend on it, on the length of the row and on dtypes, never on the number of rows.
std::uint8_t row_class(const kernel_spec&, std::int64_t row_length, const target&);

/// Word 1 points to tickets, one for each row (or tile of rows) that several blocks share, and behind them to the partials
/// of the blocks. Tickets are zeroed once, and left zero by every launch.
inline constexpr std::size_t max_tickets = 1 << 16, ticket_bytes = 4 * max_tickets;

/// Whether the access moves along one of the dimensions [first, last).
bool moves_in(const access&, unsigned first, unsigned last);
inline bool moves(const access& a) { return moves_in(a, 0, static_cast<unsigned>(a.dims.size())); }

/// Copies of a body of this cost that a thread's loop over `lanes` elements is unrolled to: all of them, unless that would
/// make ptxas work for seconds.
unsigned unroll_of(unsigned weight, unsigned lanes);
unsigned weight_of(const std::vector<instruction>&);

}  // namespace frit::v0::fusion

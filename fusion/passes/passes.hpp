// The rewrites between the recorded graph and grouping, one per file, in the order in which they run.
#pragma once

#include "fusion/ir/graph.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

/// Reductions over short windows that slide over an array become sums of its slices, one for each place in the window, in
/// their order: every engine is quick with those, as neighbouring elements share what they read.
void write_out_windows(graph&, const target&);

/// a*b+c, a*b-c, c-a*b become fma, fms, fnma where the target has the instruction: decided by op structure alone, so that
/// fused, unfused and interpreted runs give equal bits.
void contract(graph&, const target&);

/// alpha x + beta y, where x is a library's result that nobody else reads, and y an array or one row for all rows, becomes
/// an end of its call, where the library has one for it and no kernel would read the sum. So does |x|, whoever reads it,
/// and what only a call reads, a product with one row, a window, its beginning.
void absorb_epilogues(graph&, const target&);

/// Integers that a library would add up in a small array are counted in the kernel that computes where, where the target
/// has such kernels and nobody else reads that.
void place_tallies(graph&, const target&);

/// A sum of rows' sums, each times numbers of its row, becomes one sum over all elements, where that is worth it on the
/// target and nobody else reads the rows'.
void flatten_sums(graph&, const target&);

/// A sum over the rows of a matrix whose weights are made of the rows' own totals is added up in parts by the kernel that
/// makes those, where the target has such kernels: then the matrix is read once. A second sum adds up the parts.
void read_rows_once(graph&, const target&);

/// Gives every slice update its form: in place, into the base's memory, where nobody else can see that, else arithmetic.
void place_updates(graph&, const target&);

}  // namespace frit::v0::fusion

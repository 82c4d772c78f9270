// Host kernels as loops: one function for each spec, whatever its schedule.
#pragma once

#include "fusion/ir/kernel_spec.hpp"
#include "fusion/loops/ir.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

/// The loops of a host kernel; its entry is named `name`.
///
/// Entry points, by the spec's schedule.
/// pointwise: (address of words, index begin, index end): the elements [begin, end) of the flat index.
/// reduce_...: (address of words, index first, index last, index block, index stop, address of partials): rows [first,
/// last). Without partials (null) all of them, block 0 and `stop` beyond the last block. With partials (kernels of one pass)
/// blocks [block, stop) alone: part p of a row goes to partials[(p * blocks + block) * rows + row], and row code waits.
/// reduce_all always so. Not of running sums and their like, which the interpreter runs under every engine.
loops::kernel host_loops(const kernel_spec&, const target&, const std::string& name);

namespace host {
loops::function pointwise_loops(const kernel_spec&, const target&, const std::string& name);
/// Lanes along the row: reduce_all, reduce_inner.
loops::function loops_along_rows(const kernel_spec&, const target&, const std::string& name);
/// Lanes across rows: reduce_outer, reduce_tile; and a reduce_inner of short_rows, which are at most reduce_run long.
loops::function loops_across_rows(const kernel_spec&, const target&, const std::string& name);
}  // namespace host

}  // namespace frit::v0::fusion

// Reductions and running values over some axes: what differs in those axes alone is a row, and a row belongs to one thread,
// warp or block, which may walk it several times: reduce, use the total in the same row, reduce again (a normalisation).
// A row with running values is walked in its order. Whether lanes run along the rows or across them (reduce_inner,
// reduce_outer, reduce_tile) is decided by the strides, when the group is lowered.
#include "fusion/ir/alignment.hpp"
#include "fusion/machine/cuda_shape.hpp"
#include "fusion/schedules/schedule.hpp"

namespace frit::inline v0::fusion {
namespace {

/// So long a row may be walked several times though there are not rows enough to keep the device busy.
constexpr std::int64_t short_row = 16384;
/// So many sums over all rows.
constexpr std::uint32_t few_sums = 2;
/// So many operations on an element, beside running values, are worth storing it for, so that other threads do them.
constexpr std::uint64_t alone = 64;

std::optional<std::string> refuse(const group_summary& g, const target& t) {
    const std::int64_t rows = rows_of(*g.domain, g.reduced), length = row_length_of(*g.domain, g.reduced);
    if (g.columns > 0 && (g.running > 0 || g.columns > few_sums ||
                          once_bytes(length, (g.loads - g.coords + g.columns) * g.column_bytes) > most_once_bytes))
        return "a row and its part of the sums over all rows would not stay in registers";
    if (g.passes > 1 && length > short_row && rows < 2 * t.processors)
        return "a row of " + std::to_string(length) + " elements would be walked " + std::to_string(g.passes) +
               " times by one worker, and with " + std::to_string(rows) + " rows most of the " +
               std::to_string(t.processors) + " would wait";
    const bool adds = g.reductions > g.last_elements || g.passes > 1;
    if (g.running > g.recurrences && g.reductions > 0 && t.device == target::kind::cuda)
        return "blocks share a row of running values, and no block sees all of it for its totals";
    if (g.recurrences > 0 && adds)
        return "one lane walks a row of a recurrence, and totals of rows in memory are added up in another order";
    if (g.recurrences > 0 && g.recurrences < g.running && t.device == target::kind::cuda)
        return "one thread walks a row of a recurrence, and sums of rows in memory run in another order";
    if (g.backward && g.reductions > 0) return "totals are added up from the first element on, the values run from the last";
    if (g.running > 0 && t.device == target::kind::cpu && rows < t.processors && g.weight > alone)
        return "one worker would compute all of a row, since its running values wait for each other";
    return over_reduction_limits(g, t);
}

}  // namespace

extern const schedule reduce_rows_schedule{schedule_kind::reduce_inner, refuse};

}  // namespace frit::v0::fusion

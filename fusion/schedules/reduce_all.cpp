// reduce_all: any number of reductions over one whole domain in one pass, with everything that produces their inputs, any
// stores of the same domain on the way, and the scalar arithmetic on the totals at the end.
#include "fusion/ir/alignment.hpp"
#include "fusion/schedules/schedule.hpp"

namespace frit::inline v0::fusion {
namespace {

std::optional<std::string> refuse(const group_summary& g, const target& t) {
    if (rows_of(*g.domain, g.reduced) != 1) return "it reduces over some axes, not all";
    if (g.columns > 0) return "sums over rows are no totals of all";
    if (g.running > 0) return "running values go along a row in its order";
    if (g.passes > 1) return "a total is complete only after the last element";
    if (g.row_reads_memory) return "scalar arithmetic after a reduction would read other arrays";
    return over_reduction_limits(g, t);
}

}  // namespace

extern const schedule reduce_all_schedule{schedule_kind::reduce_all, refuse};

}  // namespace frit::v0::fusion

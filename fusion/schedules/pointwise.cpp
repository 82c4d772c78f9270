// pointwise: every element of the domain on its own. Flat where all accesses collapse to one dimension, else N-D strided.
#include "fusion/schedules/schedule.hpp"

namespace frit::inline v0::fusion {
namespace {

std::optional<std::string> refuse(const group_summary& g, const target& t) {
    if (g.reductions > 0) return "pointwise has no reduction";
    if (g.tally && g.stores > 1) return "what is counted has its kernel alone";
    return over_limits(g, t);
}

}  // namespace

extern const schedule pointwise_schedule{schedule_kind::pointwise, refuse};

}  // namespace frit::v0::fusion

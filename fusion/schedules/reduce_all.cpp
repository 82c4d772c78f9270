// reduce_all: any number of reductions over one whole domain in one pass, with everything that produces their inputs, any
// stores of the same domain on the way, and the scalar arithmetic on the totals at the end.
#include "fusion/schedules/schedule.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr std::uint32_t max_reductions = 8;  // accumulators of all of them stay in registers

class reduce_all final : public schedule {
public:
    schedule_kind kind() const override { return schedule_kind::reduce_all; }
    std::optional<std::string> refuse(const group_summary& g, const target& t) const override {
        if (g.reductions == 0) return "nothing to reduce";
        if (g.in_place) return "an update in place covers a region, the reduction another domain";
        if (g.reductions > max_reductions) return "more than " + std::to_string(max_reductions) + " reductions in one pass";
        if (g.epilogue_reads_memory) return "scalar arithmetic after a reduction would read other arrays";
        return over_limits(g, t);
    }
};

}  // namespace

const schedule& reduce_all_schedule() {
    static const reduce_all s;
    return s;
}

}  // namespace frit::v0::fusion

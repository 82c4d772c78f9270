// Which loops run a spec on a CPU.
#include "fusion/schedules/host/host.hpp"

#include <stdexcept>

#include "fusion/schedules/host/kernel.hpp"

namespace frit::inline v0::fusion {

loops::kernel host_loops(const kernel_spec& spec, const target& t, const std::string& name) {
    if (!spec.columns.empty()) throw std::logic_error("host_loops: sums of columns beside totals are a GPU's");
    if (has_cumulative(spec) || !spec.tallies.empty())
        throw std::logic_error("host_loops: running sums and tallies are the interpreter's");
    loops::kernel k;
    k.lanes = host::kernel_builder::lanes_of(spec, t);
    k.widest = t.vector_bytes / k.lanes;
    switch (spec.schedule) {
        case schedule_kind::pointwise: k.functions.push_back(host::pointwise_loops(spec, t, name)); break;
        case schedule_kind::reduce_inner:
            k.functions.push_back(host::loops_across_rows(spec, t, "short_rows"));
            [[fallthrough]];
        case schedule_kind::reduce_all: k.functions.push_back(host::loops_along_rows(spec, t, name)); break;
        case schedule_kind::reduce_outer:
        case schedule_kind::reduce_tile: k.functions.push_back(host::loops_across_rows(spec, t, name)); break;
    }
    return k;
}

}  // namespace frit::v0::fusion

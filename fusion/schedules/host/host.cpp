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
    if (spec.schedule == schedule_kind::pointwise)
        k.entry = host::pointwise_loops(spec, t, name);
    else if (spec.schedule == schedule_kind::reduce_all ||
             (spec.schedule == schedule_kind::reduce_inner && spec.row_class != short_rows))
        k.entry = host::loops_along_rows(spec, t, name);
    else
        k.entry = host::loops_across_rows(spec, t, name);
    return k;
}

}  // namespace frit::v0::fusion

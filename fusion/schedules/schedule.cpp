// The list of schedules in order of preference, and the limits that they share.
#include "fusion/schedules/schedule.hpp"

namespace frit::inline v0::fusion {

std::optional<std::string> over_limits(const group_summary& g, const target& t) {
    if (g.weight > t.max_kernel_weight)
        return "the kernel would weigh " + std::to_string(g.weight) + " operations, more than " +
               std::to_string(t.max_kernel_weight);
    const std::uint64_t rank = static_cast<std::uint64_t>(g.domain->rank());
    const std::uint64_t words = 2 + rank + g.loads + g.stores + (g.loads + g.stores) * rank + g.scalars;
    if (words * 8 > t.max_parameter_bytes)
        return "the parameters would take " + std::to_string(words * 8) + " bytes, more than " +
               std::to_string(t.max_parameter_bytes);
    if (g.loads + g.stores > t.max_pointers)
        return "the kernel would touch " + std::to_string(g.loads + g.stores) + " arrays, more than " +
               std::to_string(t.max_pointers);
    return std::nullopt;
}

verdict judge(const group_summary& g, const target& t) {
    verdict v;
    if (g.library) return {nullptr, "a library runs one of them, and works from memory to memory"};
    const schedule* const s = g.reductions > 0 ? &reduce_all_schedule() : &pointwise_schedule();
    if (auto reason = s->refuse(g, t))
        v.reason = *reason;
    else
        v.by = s;
    return v;
}

}  // namespace frit::v0::fusion

// The list of schedules in order of preference, and the limits that they share.
#include "fusion/schedules/schedule.hpp"

#include <span>

namespace frit::inline v0::fusion {

extern const schedule pointwise_schedule, reduce_all_schedule, reduce_rows_schedule;

std::optional<std::string> over_limits(const group_summary& g, const target& t) {
    if (g.weight > t.max_kernel_weight)
        return "the kernel would weigh " + std::to_string(g.weight) + " operations, more than " +
               std::to_string(t.max_kernel_weight);
    const std::uint64_t rank = static_cast<std::uint64_t>(g.domain->rank());
    constexpr std::uint64_t words_of_coord = 4;
    const std::uint64_t arrays = g.loads - g.coords + g.stores;
    const std::uint64_t words = 2 + rank + arrays * (1 + rank) + g.coords * words_of_coord + g.scalars;
    if (words * 8 > t.max_parameter_bytes)
        return "the parameters would take " + std::to_string(words * 8) + " bytes, more than " +
               std::to_string(t.max_parameter_bytes);
    if (arrays > t.max_pointers)
        return "the kernel would touch " + std::to_string(arrays) + " arrays, more than " + std::to_string(t.max_pointers);
    return std::nullopt;
}

std::optional<std::string> over_reduction_limits(const group_summary& g, const target& t) {
    if (g.in_place) return "an update in place covers a region, the rows another domain";
    if (g.reductions > max_reductions) return "more than " + std::to_string(max_reductions) + " reductions in one kernel";
    if (g.running - g.recurrences > max_running)
        return "more than " + std::to_string(max_running) + " running values in one kernel";
    return over_limits(g, t);
}

schedule_choice choose_schedule(const group_summary& g, const target& t) {
    if (g.library) return {nullptr, "a library runs one of them, and works from memory to memory"};
    static constexpr const schedule* of_loops[] = {&pointwise_schedule};
    static constexpr const schedule* of_reductions[] = {&reduce_all_schedule, &reduce_rows_schedule};
    schedule_choice v;
    for (const schedule* s : g.has_rows() ? std::span<const schedule* const>(of_reductions) : of_loops) {
        const auto reason = s->refuse(g, t);
        if (!reason) return {s, {}};
        v.reason = *reason;
    }
    return v;
}

}  // namespace frit::v0::fusion

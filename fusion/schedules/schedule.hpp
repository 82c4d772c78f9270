// A schedule is a way to run a group of values as one kernel, which also says what may be merged: grouping never forms a
// group that no schedule accepts, and every refusal says why. One file per schedule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fusion/ir/graph.hpp"
#include "fusion/ir/kernel_spec.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

/// What a schedule needs to know of a group before it says yes: kept up to date while groups merge.
struct group_summary {
    const shape* domain = nullptr;     ///< of the values under the loop
    std::uint32_t reduced = 0;         ///< with rows: bit k: axis k of the domain, of another extent than 1, is reduced
    std::uint64_t weight = 0;          ///< cheap operations per element, recomputation counted
    std::uint32_t loads = 0;           ///< distinct accesses to what lies outside the group
    std::uint32_t coords = 0;          ///< those among them that are indices, not memory
    std::uint32_t repeated_loads = 0;  ///< those among them that inlining through views adds
    std::uint32_t stores = 0;          ///< values that leave the group
    std::uint32_t scalars = 0;         ///< scalar parameters
    std::uint32_t reductions = 0;
    std::uint32_t columns = 0;        ///< sums over all rows, in parts
    std::uint32_t column_bytes = 0;   ///< of the widest of those
    std::uint32_t last_elements = 0;  ///< those among them that pick a row's last value: any order will do
    std::uint32_t running = 0;        ///< values that are running along a row
    std::uint32_t recurrences = 0;    ///< those among them that are states of a scan_along, whose operation is not known
    bool backward = false;            ///< from the last element on
    bool inlined = false;             ///< holds what is computed where it is read through a view
    std::uint32_t passes = 1;         ///< over each row, with reductions (fusion/ir/row_passes.hpp)
    bool row_reads_memory = false;    ///< what is computed once per row reads other arrays than totals
    bool library = false;             ///< a library op, which shares its launch with nothing
    bool in_place = false;            ///< holds an in-place update, whose domain is a region
    bool tally = false;               ///< holds a tally
    bool region = false;              ///< holds an update in arithmetic form, which asks whether an index is inside a region

    /// Whether the loop goes row by row.
    bool has_rows() const { return reductions > 0 || running > 0 || columns > 0; }
};

struct schedule {
    schedule_kind kind;
    /// Nothing when this schedule can emit the group; else the reason, as explain() prints it.
    std::optional<std::string> (*refuse)(const group_summary&, const target&);
};

/// The limits that hold for every schedule: compile time, parameter block, pointers.
std::optional<std::string> over_limits(const group_summary&, const target&);

/// Reductions of one kernel: the accumulators of all of them stay in registers.
inline constexpr std::uint32_t max_reductions = 8;
/// Running values of one, but for recurrences' states: on a GPU each has three bits of a word.
inline constexpr std::uint32_t max_running = 8;
/// The same, and what holds for every schedule with reductions.
std::optional<std::string> over_reduction_limits(const group_summary&, const target&);

/// The schedule that runs a group, or the reason why none does.
struct schedule_choice {
    const schedule* by = nullptr;
    std::string reason;
};
schedule_choice choose_schedule(const group_summary&, const target&);

}  // namespace frit::v0::fusion

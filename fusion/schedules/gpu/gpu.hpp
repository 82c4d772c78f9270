// How specs run on a GPU: the list of schedules, each in a file beside this one, and what the rest asks of the one that
// takes a spec. A schedule is data with functions; nothing outside its file names it but the list (gpu.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fusion/ir/kernel_spec.hpp"
#include "fusion/loops/ir.hpp"
#include "fusion/machine/cuda_shape.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

/// A grid with grid[0] == 0 means: nothing to do.
struct launch_shape {
    unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
};

/// Extents are those of the domain, as they stand in the run-time words.
struct gpu_schedule {
    std::string_view name;
    bool (*takes)(const kernel_spec&);
    loops::kernel (*loops)(const kernel_spec&, const std::string& name);
    launch_shape (*shape)(const kernel_spec&, const std::uint64_t* extents, const target&);
    /// Accumulators that blocks leave in memory for the last of them. Null: none.
    std::uint64_t (*partials)(const kernel_spec&, const std::uint64_t* extents, const target&) = nullptr;
    /// Words of 64 bits that are zero before a launch, and which it leaves so; instead of partials. Null: none.
    std::uint64_t (*zeros)(const kernel_spec&, const std::uint64_t* extents, const target&) = nullptr;
};
/// The first of the list that takes the spec.
const gpu_schedule& gpu_schedule_of(const kernel_spec&);

inline loops::kernel gpu_loops(const kernel_spec& spec, const std::string& name) {
    return gpu_schedule_of(spec).loops(spec, name);
}
/// How many blocks of how many threads, by the spec's schedule. @throws error where a GPU cannot start so many
launch_shape gpu_launch_shape(const gpu_schedule&, const kernel_spec&, const std::uint64_t* extents, const target&);
/// The memory that word 1 of a launch points to: tickets with partials behind them (cuda_shape.hpp), or nothing but zeros.
struct gpu_scratch {
    std::size_t bytes = 0;
    bool zeros = false;
};
gpu_scratch gpu_scratch_of(const gpu_schedule&, const kernel_spec&, const std::uint64_t* extents, const target&);

namespace gpu {

/// By kernel_builder, from a spec and a name.
template <class Builder>
loops::kernel build(const kernel_spec& spec, const std::string& name) {
    return Builder(spec, name).build();
}

// --- for launch shapes ---
inline constexpr std::uint64_t max_grid_x = 0x7fffffff, max_grid_y = 65535;
constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }
std::uint64_t product(const std::uint64_t* extents, int first, int last);
/// Of kernels that go through their domain without a loop. @throws error
unsigned blocks_across(std::uint64_t blocks);
/// As many blocks in rows of the grid.
void set_blocks(launch_shape&, std::uint64_t blocks);
/// Threads along the innermost dimension: the power of two up to a pointwise block that leaves the fewest idle; the wider on
/// a tie.
unsigned row_threads(std::uint64_t inner);

}  // namespace gpu
}  // namespace frit::v0::fusion

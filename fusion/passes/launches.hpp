// The passes over what lowering makes of a group: over one launch, and, at the end, over all of a plan.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/ir/execution_plan.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

/// Merges neighbouring dimensions that every access walks through in one stride, drops those of extent 1, and writes the
/// collapsed accesses, coordinates and words into the launch (passes/collapse_dims.cpp).
/// `accesses` are the launch's loads, then stores, then row stores, `coords` its coordinates, in spec order, over the
/// launch's domain; `alignments` are those of the arrays' first elements, in bytes. With reductions, the `reduced` axes come
/// last, and the strides decide whether lanes run along rows.
void collapse_dims(launch&, std::vector<strided> accesses, std::vector<strided> coords,
                   const std::vector<std::uint32_t>& alignments, std::uint32_t reduced, const target&);

/// Distinct bytes that the launch reads and writes (passes/traffic.cpp).
void count_traffic(launch&, const graph&);

/// Storages, donation, lifetimes, peak (passes/memory_plan.cpp).
void plan_memory(execution_plan&, const graph&, const std::vector<char>& output, const std::vector<std::int32_t>& external);

/// Gives library calls their scratch memory, and counts it: bytes[k] is what launch k wants.
void reserve_workspaces(execution_plan&, const std::vector<std::int64_t>& bytes);

}  // namespace frit::v0::fusion

// The planner's front door: a graph and the facts about a device go in, a list of launches comes out, complete but for the
// pointers and the scalars. Standard library only: no CUDA, no OS, so that every plan can be made and tested anywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fusion/grouping/groups.hpp"
#include "fusion/ir/execution_plan.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

/// Plans a graph. Rewrites it on the way (updates placed, fma contracted). With `known` non-null and non-empty, grouping is
/// taken from there (a plan of the same structure) instead of formed; else `known` receives it.
execution_plan make_plan(graph&, const target&, bool fuse, grouping* known = nullptr, memory_policy = memory_policy::none);

/// The structure of a graph as bytes: everything that grouping depends on, but no extent: which extents are equal, 0 or 1,
/// and the size class of each distinct one. `exact` adds every number that a launch depends on: equal exact keys, equal
/// plans.
struct plan_key {
    std::string structure, exact;
};
plan_key key_of(const graph&, bool fuse, memory_policy = memory_policy::none);

/// "pointwise", "reduce_inner", ...; rows that are walked several times are what the field calls normalised.
std::string schedule_of(const launch&);
/// Cheap operations of a kernel by the op table's costs, every pass over a row counted.
double operations_of(const launch&);
/// What is expected to bound a kernel's time: "memory", "arithmetic", or "the launch" where there is little of both.
std::string_view bound_of(const launch&, const target&);

/// Groups, bytes, schedules, and the reason for every cut, as text; the graph must be the one that was planned.
std::string explain(const graph&, const execution_plan&, const target&);
/// What each launch computes, as one short formula: for logs, profilers and messages.
std::vector<std::string> formulas(const graph&, const execution_plan&);
/// Graphviz text of the groups.
std::string to_dot(const graph&, const execution_plan&);

}  // namespace frit::v0::fusion

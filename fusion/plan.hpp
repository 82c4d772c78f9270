// The planner's front door: a graph and the facts about a device go in, a list of launches comes out, complete but for the
// pointers and the scalars. Standard library only: no CUDA, no OS, so that every plan can be made and tested anywhere.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fusion/grouping/groups.hpp"
#include "fusion/ir/access_map.hpp"
#include "fusion/ir/graph.hpp"
#include "fusion/ir/kernel_spec.hpp"
#include "fusion/ir/library_call.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

/// Memory that a launch reads or writes: an input of the graph, or a value that the plan stores.
struct memory_ref {
    bool is_leaf = false;
    std::uint32_t index = 0;  ///< leaf number, or storage number
    friend bool operator==(const memory_ref&, const memory_ref&) = default;
};

/// One pointer word: address = start of the memory + byte_offset.
struct pointer_binding {
    memory_ref memory;
    std::int64_t byte_offset = 0;
};

/// One access of a launch, in the domain's own axes, before dimensions are collapsed (traffic, donation, explain).
struct traced_access {
    value_id source = no_value;  ///< the value in memory
    dtype type = dtype::f32;
    strided at;
    bool write = false;
};

/// One step of a plan: a kernel, or, where `call` is set, a library call (its pointers are the operands', then the
/// result's).
struct launch {
    kernel_spec spec;
    std::optional<library_call> call;
    std::vector<std::uint64_t> words;       ///< extents, strides, clamps filled in; pointers and scalars 0
    std::vector<pointer_binding> pointers;  ///< one per pointer word
    std::vector<std::uint32_t> scalars;     ///< graph scalar of each scalar word
    const shape* domain = nullptr;
    std::vector<traced_access> accesses;
    std::vector<value_id> roots;
    std::int64_t bytes_read = 0, bytes_written = 0;
    std::vector<std::uint32_t> takes;     ///< storages that nothing needs before this launch
    std::vector<std::uint32_t> releases;  ///< storages that nothing needs after this launch
    std::int32_t workspace = -1;          ///< storage of a library call's scratch memory
    /// Nothing to do: no elements, or no rows.
    bool empty() const {
        for (std::uint32_t k = 0; !call && k + spec.reduced < spec.rank; ++k)
            if (words[2 + k] == 0) return true;
        return false;
    }
    bool is_kernel() const { return !call && !empty(); }
};

/// Memory for one stored value (or several whose lives do not overlap in place).
struct storage {
    std::int64_t bytes = 0;
    std::int32_t donor_leaf = -1;       ///< takes over this input's memory
    std::int32_t external = -1;         ///< the caller's memory of output k (eval_into)
    std::uint32_t first = 0, last = 0;  ///< launches that need it; outputs live on
    bool output = false;
};

/// Where outputs[k] of the graph ends up.
struct output_place {
    memory_ref memory;
    std::int64_t element_offset = 0;
};

struct execution_plan {
    std::vector<launch> launches;
    std::vector<storage> storages;
    std::vector<output_place> outputs;
    std::vector<cut> cuts;
    /// Looks at a value, an operand or a reader that planning took, so that tests can say how it grows without a clock.
    std::uint64_t steps = 0;
    std::shared_ptr<const shape_set> shapes;  ///< what the launches' domains point into: the graph's
    std::int64_t peak_bytes = 0;              ///< most memory that the plan holds at once beyond its inputs

    std::int64_t bytes_read() const;
    std::int64_t bytes_written() const;
};

/// Plans a graph. Rewrites it on the way (updates placed, fma contracted). With `known` non-null and non-empty, grouping is
/// taken from there (a plan of the same structure) instead of formed; else `known` receives it.
execution_plan make_plan(graph&, const target&, bool fuse, grouping* known = nullptr, thrift = thrift::none);

/// Gives library calls their scratch memory, and counts it: bytes[k] is what launch k wants.
void reserve_workspaces(execution_plan&, const std::vector<std::int64_t>& bytes);

/// The structure of a graph as bytes: everything that grouping depends on, but no extent: which extents are equal, 0 or 1,
/// and the size class of each distinct one. `exact` adds every number that a launch depends on: equal exact keys, equal
/// plans.
struct plan_key {
    std::string structure, exact;
};
plan_key key_of(const graph&, bool fuse, thrift = thrift::none);

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

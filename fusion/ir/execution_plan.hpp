// A plan as data: launches in order, what memory each needs when, and where the results end up; complete but for the
// pointers and the scalars. The planner makes it, passes refine it, the runtime runs it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fusion/ir/access_map.hpp"
#include "fusion/ir/graph.hpp"
#include "fusion/ir/group.hpp"
#include "fusion/ir/kernel_spec.hpp"
#include "fusion/ir/library_call.hpp"

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
    bool gathered = false;  ///< at elements that only running shows: `at` says nothing
};

/// One step of a plan: a kernel, or, where `call` is set, a library call (its pointers are the operands', then those of the
/// results that are asked for).
struct launch {
    kernel_spec spec;
    std::optional<library_call> call;
    std::vector<std::uint64_t> words;       ///< extents, strides, clamps, constants filled in; pointers and scalars 0. Of a
                                            ///< call the numbers that it is given, constants filled in
    std::vector<pointer_binding> pointers;  ///< one per pointer word
    std::vector<std::uint32_t> scalars;     ///< graph scalar of each scalar word; constant_scalar of a constant's
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
    std::uint32_t complete = 0;  ///< once so many launches have run
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

}  // namespace frit::v0::fusion

// The outcome of grouping, as data: the groups, and what was refused. Grouping makes it; lowering, reports and the plan
// cache read it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fusion/ir/graph.hpp"
#include "fusion/ir/kernel_spec.hpp"

namespace frit::inline v0::fusion {

/// Two values that could have shared a kernel and do not.
struct cut {
    value_id producer, consumer;
    std::string reason;
};

/// One kernel to be: its stored values and its reductions; what lies below them is inlined down to memory.
struct group {
    std::vector<value_id> roots;    ///< stored values and reductions, in topological order
    const shape* domain = nullptr;  ///< of the graph at hand
    schedule_kind schedule = schedule_kind::pointwise;
    std::uint32_t reduced = 0;  ///< the domain's axes that make a row, as in group_summary
    bool backward = false;      ///< rows are walked from their last element on
};

struct grouping {
    std::vector<group> groups;  ///< in execution order
    std::vector<char> stored;   ///< per value: some kernel writes it to memory
    std::vector<cut> cuts;
    std::uint64_t steps = 0;   ///< looks at a value, an operand or a reader that forming it took
    std::uint64_t wiring = 0;  ///< of the rewritten graph it was formed for: hash of ops and operands
};

}  // namespace frit::v0::fusion

// From a group to a kernel spec: views are pushed down to the accesses, what is not in memory is inlined.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/ir/execution_plan.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

struct lowered {
    launch out;
    std::uint64_t steps = 0;  ///< places that were looked at
    /// Values that must be in memory before this group can be lowered: a view over them has no strided access.
    std::vector<value_id> unreachable;
};

/// @param stored  per value: some kernel writes it to memory
/// @param output  per value: index of its external output, or -1 (eval_into)
lowered lower(const graph&, const group&, const std::vector<char>& stored, const std::vector<std::int32_t>& external,
              const target&);

}  // namespace frit::v0::fusion

// Grouping: which values share a kernel. Greedy by bytes saved, legal by construction, every refusal with its reason.
#pragma once

#include <vector>

#include "fusion/ir/group.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

/// What a plan does to take less memory. Each step costs time, and keeps what the one before does.
enum class memory_policy : std::uint8_t {
    none,
    recompute,  ///< a value is computed wherever it is read rather than stored, whatever the work
    one_by_one  ///< results one after the other, so that what is needed for one of them alone is gone before the next
};

inline constexpr memory_policy memory_policies[] = {memory_policy::none, memory_policy::recompute,
                                                    memory_policy::one_by_one};

/// @param keep  values that must be stored (a view over them has no strided access); may be empty
/// @param fuse  false: every op is a kernel of its own (FRIT_FUSION=off)
/// @param recompute  values that are computed wherever they are read, whatever the work; may be empty
grouping form_groups(const graph&, const target&, const std::vector<char>& keep, bool fuse,
                     memory_policy = memory_policy::none, const std::vector<char>& recompute = {});

/// True for values that some kernel must compute: ops, reductions, updates in place, and outputs that are views or scalars.
bool is_computed(const graph&, value_id, const std::vector<char>& is_output);

}  // namespace frit::v0::fusion

// Grouping: which values share a kernel. Greedy by bytes saved, legal by construction, every refusal with its reason.
#pragma once

#include <string>
#include <vector>

#include "fusion/ir/graph.hpp"
#include "fusion/schedules/schedule.hpp"

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
};

struct grouping {
    std::vector<group> groups;  ///< in execution order
    std::vector<char> stored;   ///< per value: some kernel writes it to memory
    std::vector<cut> cuts;
    std::uint64_t steps = 0;   ///< looks at a value, an operand or a reader that forming it took
    std::uint64_t wiring = 0;  ///< of the rewritten graph it was formed for: hash of ops and operands
};

/// What a plan does to take less memory. Each step costs time, and keeps what the one before does.
enum class thrift : std::uint8_t {
    none,
    recompute,  ///< a value is computed wherever it is read rather than stored, whatever the work
    one_by_one  ///< results one after the other, so that what is needed for one of them alone is gone before the next
};

inline constexpr thrift all_thrifts[] = {thrift::none, thrift::recompute, thrift::one_by_one};

/// @param keep  values that must be stored (a view over them has no strided access); may be empty
/// @param fuse  false: every op is a kernel of its own (FRIT_FUSION=off)
/// @param recompute  values that are computed wherever they are read, whatever the work; may be empty
grouping form_groups(const graph&, const target&, const std::vector<char>& keep, bool fuse, thrift = thrift::none,
                     const std::vector<char>& recompute = {});

/// The value below a chain of views.
value_id below_views(const graph&, value_id);

/// What a kernel loops over for this value: its shape, a reduction's input's, an update's region's.
const shape* domain_of(const graph&, value_id);

/// True for values that some kernel must compute: ops, reductions, updates in place, and outputs that are views or scalars.
bool is_computed(const graph&, value_id, const std::vector<char>& is_output);

}  // namespace frit::v0::fusion

// How each reduction accumulates, as data that every engine reads: a reduction keeps one to three values (its parts), an
// element becomes such parts, and two of them combine by a few instructions of the op table. A plain sum has one part and
// one instruction; argmax has two parts, a variance three. The rows of ops.def say which it is.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"

namespace frit::inline v0::fusion {

inline constexpr int max_parts = 3;

/// What a part starts as for one element.
enum class part_source : std::uint8_t { value, index, one, zero };

struct reduction_rule {
    int parts = 1;
    dtype types[max_parts] = {};
    part_source lift[max_parts] = {};
    /// Bits of the identity of each part, in the low bytes.
    std::uint64_t identity[max_parts] = {};
    int result = 0;  ///< the part that op::total gives

    /// SSA over the parts of a left and a right operand (the left one came first): op::load with a = k is part k of the
    /// left, a = parts + k of the right; op::scalar is the constant one in its type. combined[k] is the new part k.
    std::vector<instruction> combine;
    std::uint16_t combined[max_parts] = {};

    bool is_plain() const { return parts == 1; }
};

/// The rule of a reduction over values of `type`. One object for each, for ever.
const reduction_rule& rule_of(op reduction, dtype type);
inline const reduction_rule& rule_of(const reduction_spec& r) { return rule_of(r.code, r.type); }

/// Parts of all reductions of a kernel: partial results come in this many words.
int parts_of(const kernel_spec&);

}  // namespace frit::v0::fusion

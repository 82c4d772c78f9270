// How each reduction accumulates, as data that every engine reads: a reduction keeps one to four values (its parts), an
// element becomes such parts, and two of them combine by a few instructions of the op table. A plain sum has one part and
// one instruction; argmax has two parts, a variance four. The rows of ops.def say which it is.
//
// Accumulators start at the identity and take in elements, or accumulators that have met some. Then they combine, those that
// have met none on the right: that changes no bit of a result, so engines do it or leave it out.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"

namespace frit::inline v0::fusion {

/// Of a reduction; and of what a caller's associative operation combines, beside a truth, and numbers and arrays of the
/// caller's that it is given.
inline constexpr int max_parts = 4, max_states = 8, max_given = 8;

/// What a part starts as for one element: `own` is the value with the part's number. Adding minus_zero changes nothing, so
/// that compilers leave it out.
enum class part_source : std::uint8_t { value, second, third, one, minus_zero, own };

/// SSA over the parts of a left and a right operand (the left one came first): op::load with a = k is part k of the left,
/// a = parts + k of the right, a = 2 parts + k what is given, number k; op::scalar is the constant one in its type.
/// result[k] is the new part k.
struct rule_code {
    std::vector<instruction> steps;
    std::uint16_t result[max_states + 1] = {};
};

struct reduction_rule {
    int parts = 1;
    dtype types[max_states + 1] = {};
    part_source lift[max_states + 1] = {};
    /// Bits of the identity of each part, in the low bytes.
    std::uint64_t identity[max_states + 1] = {};
    int result = 0;              ///< the part that op::total gives
    std::vector<dtype> given{};  ///< what combining reads beside parts, the same for all elements

    rule_code combine;  ///< either both sides have met elements, or the left one alone, or none
    rule_code take;     ///< the right side has met some, or is one, or both have met none

    bool is_plain() const { return parts == 1; }
    /// Else `take` is `combine`.
    bool takes_otherwise() const { return lift[0] == part_source::one; }
};

/// The rule of a reduction over values of `type`, with fma or without. One object for each, for ever.
const reduction_rule& rule_of(op reduction, dtype type, bool fused = false);
inline const reduction_rule& rule_of(const reduction_spec& r) { return rule_of(r.code, r.type, r.fused); }

/// Of running values of `type` in a kernel: nothing before a sum's first element is -0, which leaves a lone -0 as it is, but
/// 0 where an element's own value is left out.
const reduction_rule& running_rule(op running, dtype type);

/// Of what an associative operation combines (loop_spec::operation): its states, and behind them whether they have met an
/// element. Such an operation has no identity: what has met none is left out, whatever its states are.
reduction_rule rule_of_operation(const loop_spec&);

/// Of an accumulator as a struct of C++: where a part begins; behind the last: how long it is.
std::size_t offset_of_part(const reduction_rule&, int part);

/// Whether a reduction has a rule of its own for machines with fma.
bool has_fused_rule(op reduction);
/// Of taking in an element, in cheap operations.
unsigned cost_of_reduction(op reduction);

/// Parts of all reductions and running values of a kernel: partial results come in this many words.
int parts_of(const kernel_spec&);

}  // namespace frit::v0::fusion

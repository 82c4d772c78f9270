// What loops and recurrences share: a step that is recorded with states that have no values, and the shape of what it reads.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "frit/iterate.hpp"
#include "frit/scan_along.hpp"
#include "src/graph/region.hpp"

namespace frit::inline v0::detail {

/// A loop is one op of a statement.
inline constexpr std::size_t most_loop_operands = max_program_length - 1;
/// A loop that has more.
struct too_many_operands : error {
    using error::error;
};
/// @throws too_many_operands
void check_room(std::string_view who, std::size_t given, std::size_t room, source_line where);

struct recorded_step {
    std::vector<user_ref> states, next;
    user_ref until;
    /// The rounds of loops in the step, and whose they are; the last state says where one has met it. 0: none tells.
    std::int32_t limit = 0;
    std::string_view function{};
};
/// @param initial  the states before, whose dtypes they keep: one more where loops in the step tell of their limit
/// @param domain  the shape that a step sees of them
/// @throws dtype_error for a state that does not hold what the step gives
recorded_step record_step(std::string_view who, std::vector<user_ref>& initial, const shape& domain, const step_caller&,
                          source_line where);

/// iterate_of for a loop of which is known whether it may go on for long: then it can be interrupted.
std::vector<user_ref> loop_of(const user_ref& count, std::span<const user_ref> initial, const step_caller&,
                              bool interruptible, source_line where);

/// The results of what has loops: inside a step that is recorded as they are, and the step hears of the limit; else, where a
/// loop has met it, an error when they are evaluated.
void tell(const met_limit&, std::vector<user_ref>& results, source_line where);
/// The same of states behind a step's rounds, without the one that it has added.
std::vector<user_ref> told(const recorded_step&, std::vector<user_ref> after, source_line where);

/// scan_along_of; of a step that combines its states with what it goes over by an associative operation also with that, as
/// it was traced.
std::vector<user_ref> recurrence_of(const swept_axis&, std::span<const user_ref> before, std::span<const user_ref> over,
                                    const step_caller&, const traced* operation);

/// x as a state of this dtype has it. @throws dtype_error, which says what is wrong, where it takes that by a cast alone
user_ref written(std::string_view who, std::string_view wrong, const user_ref& x, dtype state, source_line where);

user_ref zero_of(dtype, source_line where);

/// What these, and `with`, broadcast to. @throws shape_error
shape broadcast_of(std::string_view who, std::span<const user_ref>, const shape& with, source_line where);

/// A shape with these extents in the place of an axis's: none takes the axis out.
shape with_axis(const shape& of, int axis, std::initializer_list<std::int64_t> instead, source_line where);

}  // namespace frit::v0::detail

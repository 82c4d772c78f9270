// What a round of a loop does, as it was recorded: the statements between a loop's states and their next values. A step is
// called once, with states that have no values; what it recorded is taken apart here into what changes from round to round,
// and what does not, which becomes an operand of the loop. A region is known by its number, and kept by whoever has it: the
// attributes of loops, and, of those used last, a list, where equal content is found again.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "frit/detail/record.hpp"

namespace frit::inline v0::detail {

struct region {
    /// A value: an input, a constant (from inputs.size() on), or, behind these, the result of a statement.
    using reference = std::uint16_t;
    static constexpr reference never = 0xffff;
    struct input {
        dtype type;      ///< what formulas take it for
        bool is_number;  ///< a scalar parameter
        friend bool operator==(const input&, const input&) = default;
    };
    struct constant {
        dtype type;
        std::uint64_t bits;
        friend bool operator==(const constant&, const constant&) = default;
    };
    struct statement {
        std::vector<instruction> code;
        std::vector<reference> operands;     ///< of its leaves and scalars, in their order
        dtype type, meant;                   ///< as of a node
        std::vector<attribute_ref> loops{};  ///< the attributes of its iterates, in their order
        friend bool operator==(const statement&, const statement&);
    };
    std::vector<input> inputs;  ///< the states first
    std::uint16_t states = 0;
    std::vector<constant> constants;  ///< numbers for which there was no room among the inputs: other ones, another step
    std::vector<statement> statements;
    std::vector<reference> next;
    reference until = never;
    bool interruptible = false;  ///< it may go on for long, or a loop inside it
    /// Of a recurrence by an associative operation: the operation, whose states are those on its left and on its right. Its
    /// inputs but the left ones are the last of this one: what an element is alone, and what else it reads.
    std::shared_ptr<const region> operation{};
    friend bool operator==(const region&, const region&) = default;
};

/// A region with a number that no other has or will have: keys of plans hold it.
struct known_region : region {
    known_region(region content, std::uint64_t n) : region(std::move(content)), number(n) { ++alive; }
    ~known_region() { --alive; }
    known_region(const known_region&) = delete;
    const std::uint64_t number;
    static std::atomic<std::size_t> alive;  ///< so many there are
};
using region_ref = std::shared_ptr<const known_region>;

/// The region of a loop's attribute.
const region& region_of(const attribute&);

/// Around fork(): the list of those used last.
void lock_regions_for_fork();
void unlock_regions_after_fork();

/// Elements of which a loop has met its limit: bools, true of those.
struct met_limit {
    user_ref elements;          ///< null: none
    std::string_view function;  ///< a text's, which stays for ever
    std::int32_t rounds = 0;
};

/// While one lives, this thread records a step: nothing is evaluated on the way.
class tracing {
public:
    tracing() noexcept;  ///< of a step that is not told what loops in it have met
    /// Of one that is told, over this domain.
    tracing(const shape& domain, source_line) noexcept;
    ~tracing();
    tracing(const tracing&) = delete;
    tracing& operator=(const tracing&) = delete;

    /// The step that this thread records; of steps in steps the innermost one. Null: none.
    static tracing* innermost() noexcept;

    /// The elements of which a loop has met its limit before: a state, recorded where it is first asked for, since most
    /// steps have no loops. Null: the step is not told.
    user_ref& met();
    std::vector<met_limit> endless;  ///< what loops of the step have told, `met` among it

private:
    const shape* const domain_ = nullptr;
    const source_line where_{};
    user_ref met_;
    tracing* const around_;
};
inline bool is_tracing() noexcept { return tracing::innermost() != nullptr; }

/// The bits of a node that is a real number and nothing else.
std::optional<std::uint64_t> number_in(const user_ref&);

/// A state inside its step.
user_ref parameter_of(dtype, const shape&, source_line);

/// What a step did.
struct traced {
    region_ref step;
    std::vector<user_ref> captured;  ///< the inputs behind the states
};
/// @param until  may be null
/// @param room  for inputs: numbers that make more of them are constants, and where these are not enough, formulas of what
/// is
///     captured are computed inside
/// @param interruptible  whether the step is of a loop that may go on for long
/// @param who  the function whose step it is, for errors
/// @throws error for what a step cannot do with its states: all but elementwise operations and casts
traced trace(std::string_view who, std::span<const user_ref> states, std::span<const user_ref> next, const user_ref& until,
             std::size_t room, bool interruptible, source_line where);
/// The same of a step that combines its states with these elements by an associative operation, as that was traced from
/// states on its left and on its right.
traced with_operation(const traced& step, std::span<const user_ref> elements, const traced& operation);

/// One state after the loop over these operands, which broadcast to `domain`: the most rounds, an int32, the states before
/// and what was captured.
user_ref record_loop(const region_ref&, std::uint16_t state, std::span<const user_ref> operands, const shape& domain,
                     source_line);

/// One state behind each element of `domain` along an axis, from the first on or from the last; the operands, which
/// broadcast to it: the states before, the same all along the axis, and what was captured.
user_ref record_recurrence(const region_ref&, std::uint16_t state, std::span<const user_ref> operands, const shape& domain,
                           int axis, bool backward, source_line);

}  // namespace frit::v0::detail

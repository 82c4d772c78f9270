// What the planner asks of an op that a library runs (matmul, scans, sorts), as data with functions. The ops themselves
// stand above, one file each (src/libraries), and are handed down with the values that they make: the planner knows none by
// name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fusion/ir/access_map.hpp"
#include "fusion/ir/epilogue.hpp"
#include "fusion/ir/graph.hpp"

namespace frit::inline v0::fusion {

struct target;

/// A call with something around it, as the planner asks an op whether it has one.
struct ended_call {
    op code;
    bool window;  ///< the rows of its first operand are multiplied by one row before all else
    epilogue after;
    dtype type;  ///< of its result
    std::span<const shape* const> operands;
};

struct library_op {
    std::string_view name;
    int results;  ///< of one call: what is not asked for is neither computed nor stored

    /// The shape of a result. Null where the operands do not fit together, or no array has it.
    const shape* (*shape_of)(int result, std::span<const shape* const> operands, shape_set& made);
    /// What is wrong with operands that have no result; empty where only its size is.
    std::string_view (*misfit)(std::span<const shape> operands);
    /// The strides over its own axes by which the library reads operand k where it lies `at`, those of axes with one element
    /// as the library likes them. Null: it must be put in memory of its own, which any library reads.
    std::optional<std::vector<std::int64_t>> (*reads)(int k, const shape&, const strided& at);
    /// Of each result, the operand whose memory it takes over where nobody needs that any more; else the call copies it
    /// there first. Results beyond the list take over none.
    std::span<const int> overwrites{};
    /// Such a call reads and writes of that operand one element for each of the last operand's, and not all.
    bool touches_few = false;
    /// The operands of which it takes the conjugate.
    std::span<const int> conjugates{};
    /// Whether the rows of its first operand are multiplied by one row first. That stands behind its own operands.
    bool window = false;
    /// What it does to its only result. Behind those operands come the array that is added, and the numbers, which it is
    /// given by value.
    epilogue after{};
    /// The same call with such ends. Null, also in the place of the function: there is none.
    const library_op* (*with)(const ended_call&, const target&) = nullptr;
    /// Whether this op of its own gives the first operand, its only result, with elements of the third added at the places
    /// that the second names, by their numbers. Null: none does.
    bool (*adds_at_places)(op) = nullptr;
    /// Its second operand are indices as they were given, of a vector's elements: it counts negative ones from the end, and
    /// checks them, on a CPU before it writes, on a GPU as it goes. Else they are numbers of elements.
    bool checks_indices = false;
    /// It also reads below gathers of elements at even steps, which no views say: frames of a signal that overlap.
    bool reads_frames = false;
    /// How many numbers it is given by value, behind its arrays, whatever its end.
    int numbers = 0;

    bool takes_conjugate(int operand) const {
        return std::find(conjugates.begin(), conjugates.end(), operand) != conjugates.end();
    }
    /// The operand whose memory this result takes over; negative: none.
    int overwritten(std::size_t result) const { return result < overwrites.size() ? overwrites[result] : -1; }
};

/// How many of a value's operands are numbers: the last ones.
inline int numbers_of(const library_op& of) { return of.numbers + of.after.numbers(); }

/// The value in whose memory such a call reads an operand, if it reads it where it lies: below its views, or frames.
value_id memory_below(const graph&, const library_op&, value_id operand);

/// How an operand lies over its own axes where such a value is in memory. Null where no strides say it.
std::optional<strided> access_of(const graph&, value_id operand, value_id memory);

/// `reads` of those whose operands must be row-major.
std::optional<std::vector<std::int64_t>> reads_row_major(int k, const shape&, const strided& at);
/// Of an operand that is one row without gaps, the same for all rows.
std::optional<std::vector<std::int64_t>> reads_one_row(const shape&, const strided& at);

}  // namespace frit::v0::fusion

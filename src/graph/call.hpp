// Recording a call of a program's own code, a CUDA kernel or a function of the host's memory, as nodes: one for each result.
// The first has the operands; the others have the first, so that who evaluates them knows that they are of one call. What is
// evaluated is the whole call (survey.cpp): a program's own code runs once.
#pragma once

#include <span>
#include <vector>

#include "frit/detail/record.hpp"
#include "src/engine/library_routine.hpp"

namespace frit::inline v0::detail {

/// What is given to a call by value.
struct call_number {
    dtype type;
    scalar_bits bits;
};

/// The most operands of a call: what a statement holds besides.
inline constexpr std::size_t most_call_operands = 63;

/// What a call works with, counted.
struct kept_object {
    const void* object = nullptr;
    void (*retain)(const void*) noexcept = nullptr;
    void (*let_go)(const void*) noexcept = nullptr;
};

/// The results of a call, pending, each with dtype and shape of the array that it overwrites.
/// @param of  kept for ever; every one of its results overwrites an array
/// @param keeps  retained until the call has run or nobody wants it any more
std::vector<user_ref> record_call(const library_routine& of, std::span<const user_ref> arrays,
                                  std::span<const call_number> numbers, kept_object keeps, source_line where);

/// What runs the call that the attribute is of.
const library_routine& routine_of(const attribute&);

}  // namespace frit::v0::detail

// A program's own kernels as library ops, made at run time: what they share is that every result takes over the memory of an
// array that the kernel is given, or a copy of it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/engine/library_routine.hpp"
#include "src/engine/raw_source.hpp"

namespace frit::inline v0::detail {

/// A routine of a kernel. Kept for ever, as calls and plans point at it.
struct kernel_routine : library_routine {
    /// @param in_place  of each result, the array that the kernel works on
    /// @param given_numbers  behind those of the launch's line
    kernel_routine(std::string_view called, std::vector<int> in_place, int given_numbers);
    kernel_routine(const kernel_routine&) = delete;

    const std::string label;
    const std::vector<int> works_on;
    const int own_numbers;
    const raw_source* raw = nullptr;
    const kernel_routine* next = nullptr;  ///< in the set of those that there are
};

/// The one routine of functions with this name, these arrays to work on and so many numbers.
const kernel_routine& host_routine(std::string_view name, const std::vector<int>& in_place, int numbers);
/// The one routine of this kernel. @param raw  kept for ever
const kernel_routine& raw_routine(const raw_source& raw);

/// The line of a launch, as the first numbers of its call: one plan serves launches of many lines.
inline constexpr std::size_t line_numbers = 2;
std::array<std::uint64_t, line_numbers> numbers_of_line(source_line);  ///< a line whose file's name is kept for ever
inline std::span<const std::uint64_t> own_numbers(const call_memory& at) { return at.numbers.subspan(line_numbers); }
/// What a call computes and the line of its launch, for errors.
std::string formula_of(const call_memory&);

/// Scratch memory of a call: for results that nobody asks for, which the kernel writes all the same.
std::size_t unasked_bytes(const fusion::library_call&);

/// The arrays of a call as the kernel is given them: those that it works on are its results, or scratch memory.
/// @param copy  copies an array that is not where its result is: (to, from, bytes)
template <class Copy>
std::vector<void*> arrays_of(const fusion::library_call& c, const call_memory& at, const Copy& copy) {
    std::vector<void*> arrays;
    for (const void* operand : at.operands)
        arrays.push_back(const_cast<void*>(operand));  // NOLINT: only those below are written
    auto* scratch = static_cast<char*>(at.workspace);
    for (std::size_t k = 0; k < c.results.size(); ++k) {
        const auto of = static_cast<std::size_t>(c.of->overwritten(k));
        const std::size_t bytes = static_cast<std::size_t>(c.operands[of].extents.size()) * size_of(c.operands[of].type);
        void* to = at.results[k];
        if (!to) {
            to = scratch;
            scratch += (bytes + 255) / 256 * 256;
        }
        if (to != at.operands[of] && bytes > 0) copy(to, at.operands[of], bytes);
        arrays[of] = to;
    }
    return arrays;
}

}  // namespace frit::v0::detail

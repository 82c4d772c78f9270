// Values put at, or combined with, elements of an array on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "frit/dtype.hpp"
#include "frit/opcode.hpp"

namespace frit::inline v0::detail {

struct cpu_scatter {
    op code;  ///< a row of FRIT_SCATTER
    dtype type;
    std::int64_t size, count;  ///< elements; values
    bool narrow;               ///< the numbers of elements are int32, else int64
    bool one_value;            ///< for all numbers
    bool indices;              ///< the numbers are indices, which are checked; negative ones count from the end

    std::size_t workspace() const;
    /// Makes `to` the base (its own memory, or that of as many elements) combined with every value, in their order, so that
    /// the bits depend on the operands alone: float32 numbers are added up and multiplied in double, and many values on few
    /// elements first by themselves, in shares that depend on how many they are. @return the first index that is out of
    /// range: nothing is written then
    std::optional<std::int64_t> run(const void* base, const void* at, const void* values, void* to, void* workspace) const;
};

}  // namespace frit::v0::detail

// What runs formulas that programs have compiled in (src/graph/aot.cpp) takes from the library's loops, beside what such
// programs call themselves (include/frit/detail/aot_loops.hpp).
#pragma once

#include <cstdint>

#include "frit/opcode.hpp"

namespace frit::inline v0::detail {

/// totals[r] = row r of `rows` rows of `length` values, a plain reduction of at most one block, in the documented order.
void run_reduction(op, dtype, void* totals, const void* values, std::int64_t rows, std::int64_t length);

}  // namespace frit::v0::detail

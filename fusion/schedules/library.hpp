// Library calls as launches: what a library op demands of its operands, and the call that it becomes. Grouping asks the
// first question (an operand must be in memory, in a layout that the library reads), lowering the second.
#pragma once

#include "fusion/schedules/lower.hpp"

namespace frit::inline v0::fusion {

/// The value that must be in memory so that library op `v` can read its operand k there: the value below the operand's
/// views where the library understands the layout that they give (a transposed matrix, a slice of rows), else the operand.
value_id operand_in_memory(const graph&, value_id v, int k);

/// How many operands of library op `v` are arrays: those behind them are numbers.
int arrays_of_call(const graph&, value_id v);

/// Whether two library ops are results of one call.
bool share_a_call(const graph&, value_id, value_id);

/// The launch of a group of library ops: one call, whose results they are. Operands that the grouping has not stored are
/// reported as unreachable.
lowered lower_library(const graph&, const group&, const std::vector<char>& stored);

}  // namespace frit::v0::fusion

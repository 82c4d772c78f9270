// What gathers and scatters share: NumPy's rules for the things between the parentheses, as the map of an access, and the
// beginning of the statement that has it.
#pragma once

#include <string_view>
#include <vector>

#include "frit/gather.hpp"
#include "src/formulas/postfix.hpp"

namespace frit::inline v0::detail {

/// Along one axis, at indices of as many axes, which broadcast with the others. @throws index_error, shape_error,
/// dtype_error
indexed_access along_access_of(const char* who, const user_ref& x, const user_ref& indices, std::int64_t axis, source_line);
/// Items that are whole axes but for an array at this axis.
std::vector<gather_item> items_along(std::string_view who, const shape& of, const user_ref& indices, std::int64_t axis,
                                     source_line);

/// The beginning of a statement that reads or writes there: base and indices.
postfix begin_access(const user_ref& base, const indexed_access&, bounds, source_line);

}  // namespace frit::v0::detail

// The numbers of a text, and those that C's headers name.
#pragma once

#include <optional>
#include <string_view>

#include "src/functions/conversions.hpp"
#include "src/functions/lexer.hpp"

namespace frit::inline v0::detail {

/// A token of digits, with C's types. @throws refused
expression literal_of(const token&);

/// Those of <math.h>, <limits.h>, <stdint.h> and <float.h>.
std::optional<expression> constant_named(std::string_view);

}  // namespace frit::v0::detail

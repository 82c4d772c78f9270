// The grammar of the subset: see parser.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "src/functions/lexer.hpp"

namespace frit::inline v0::detail {

/// Fills in the variables and the body of a function whose name, parameters and results are known.
/// @returns the functions that it calls
/// @throws refused
std::vector<const text_function*> parse(std::vector<token>, text_function& to);

/// What cannot be a name.
bool is_keyword(std::string_view);

}  // namespace frit::v0::detail

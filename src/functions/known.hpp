// The functions of text that there are, of a program and of the library.
#pragma once

#include <string_view>

#include "frit/function.hpp"
#include "src/functions/syntax.hpp"

namespace frit::inline v0::detail {

/// The function of a text, made where there is none, without a name for calls. @throws refused
const text_function* known_function(std::string_view name, std::string_view text, const text_signature&);

}  // namespace frit::v0::detail

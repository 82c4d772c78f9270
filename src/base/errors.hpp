// What every error's text ends with.
#pragma once

#include <string>

#include "frit/error.hpp"

namespace frit::inline v0::detail {

/// " [file:line]", or nothing where the line is unknown.
std::string place(source_line);

}  // namespace frit::v0::detail

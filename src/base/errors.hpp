// What every error's text ends with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frit/error.hpp"

namespace frit::inline v0::detail {

/// " [file:line]", or nothing where the line is unknown.
std::string place(source_line);

/// What running a formula shows: an index that an axis of so many elements does not have.
std::string index_fault(std::int64_t index, std::int64_t extent, std::string_view formula);

}  // namespace frit::v0::detail

// Source files' names that outlive what recorded them. The name in a source_line is text of the program or library that
// wrote the statement; an array may outlive that library (a plugin that is closed), and messages still name its line. File
// names are few, so each is copied once, for ever.
#pragma once

#include "frit/error.hpp"

namespace frit::inline v0::detail {

/// The same line, its file named by a copy that is never freed. Thread-safe, and takes no lock: a few nanoseconds for a file
/// that the thread has met lately.
source_line kept(source_line) noexcept;

}  // namespace frit::v0::detail

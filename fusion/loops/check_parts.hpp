// The questions that the checker asks of one function beside types and values, each a file of its own.
#pragma once

#include <string>

#include "fusion/loops/ir.hpp"

namespace frit::inline v0::fusion::loops {

/// What threads that must meet do not all come to; empty where nothing is wrong.
std::string check_meetings(const function&);
/// Which element lies outside its array, as far as loops of known bounds say; empty where nothing is wrong.
std::string check_ranges(const function&);

}  // namespace frit::v0::fusion::loops

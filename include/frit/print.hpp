// Printing as NumPy prints. Only names of streams are needed here: the text is made in the library.
#pragma once

#include <iosfwd>
#include <string>

#include "frit/array.hpp"

namespace frit::inline v0 {

/// Evaluates and prints.
template <detail::operand A>
std::ostream& operator<<(std::ostream& to, const A& x) {
    return detail::print(to, detail::handle_of(x, detail::unknown_line).get());
}
template <detail::operand A>
std::string to_string(const A& x, source_line where = {}) {
    return detail::print(detail::handle_of(x, where).get());
}

}  // namespace frit::v0

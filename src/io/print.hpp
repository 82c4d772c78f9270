// The parts of printing: elements as texts of one width (print_elements.cpp), their layout in brackets and lines
// (print.cpp). The options of both are in src/base/print_options.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "frit/print.hpp"

namespace frit::inline v0::detail {

/// Elements of an array as NumPy aligns them: all of one width.
/// @param options  every one set, as get_printoptions gives them
std::vector<std::string> element_texts(const void* elements, std::size_t count, dtype, const printoptions& options);
/// The one element of a 0-d array: as NumPy prints a number, which no option changes.
std::string number_text(const void* element, dtype);

/// What is seen of UTF-8: a character counts once.
std::size_t width_of(std::string_view) noexcept;

}  // namespace frit::v0::detail

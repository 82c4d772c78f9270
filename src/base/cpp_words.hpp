// A text of C++ as its words and signs, as far as declarations need them: without comments and without what stands in
// literals. A line of the preprocessor is a word of its own, for who reads on must know that something may be missing.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

using cpp_word = std::string_view;

/// The text with each line that ends in a backslash joined with the next, as compilers do before all else.
std::string with_joined_lines(std::string_view);

/// Parts of the text: names, numbers, signs; `"` for a literal; a line of the preprocessor, from its '#' on.
std::vector<cpp_word> words_of(std::string_view text);

bool is_name(cpp_word);
inline bool is_directive(cpp_word w) { return w.starts_with("#"); }

/// The place behind the bracket that closes the one at `at`. A '<' among others is taken for "less than".
/// @returns nullopt where none closes it, or none that is near enough for a list of parameters
std::optional<std::size_t> behind_group(std::span<const cpp_word>, std::size_t at);

}  // namespace frit::v0::detail

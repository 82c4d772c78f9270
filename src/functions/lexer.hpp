// The words of a text: names, numbers, signs, each with its place; comments are left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/functions/syntax.hpp"

namespace frit::inline v0::detail {

struct token {
    enum class kind : std::uint8_t { end, name, number, sign };
    kind what = kind::end;
    std::string_view text;
    text_place at;
};

/// What the subset does not take, and where it stands.
struct refused {
    std::string text;
    text_place at;
};

/// Whether names are made of it.
bool is_word(char);

/// So many characters of UTF-8 as an error shows them: by its number what is not to be printed, or is none.
std::string shown(std::string_view text, std::size_t characters = std::string_view::npos);

/// The last one is the end. @throws refused
std::vector<token> tokens_of(std::string_view text);

}  // namespace frit::v0::detail

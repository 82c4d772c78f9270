// Numbers in the texts of errors, as a user would write them: std::to_string has six places for all, and 300 digits for
// 1e300.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace frit::inline v0::detail {

/// The fewest digits that read back as the same number.
inline std::string number_text(double x) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), x).ptr};
}

}  // namespace frit::v0::detail

// The generator's common half: the op table's spellings in a language, and the frame of a kernel's text. What differs
// between languages is behind class dialect.
#include <cctype>

#include "fusion/codegen/dialect.hpp"

namespace frit::inline v0::fusion {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The text between the parenthesis at `open` and the one that closes it; `open` moves behind that.
std::string_view argument(std::string_view text, std::size_t& open) {
    const std::size_t begin = open + 1;
    int depth = 0;
    for (; open < text.size(); ++open) {
        if (text[open] == '(') ++depth;
        if (text[open] == ')' && --depth == 0) break;
    }
    const std::string_view inside = text.substr(begin, open - begin);
    ++open;
    return inside;
}

}  // namespace

// Replaces the tokens a, b, c, FN(x) and K(x) of the op's spelling.
std::string spell(const dialect& d, op code, dtype operand, const std::string& a, const std::string& b,
                  const std::string& c) {
    const op_info& row = info(code);
    if (row.form == op_form::HIDDEN && row.arity == 1 && d.has_own(row.name))
        return d.function(row.name, operand) + "(" + a + ")";
    const std::string_view spelling = row.spelling;
    std::string out;
    for (std::size_t at = 0; at < spelling.size();) {
        if (!is_word(spelling[at])) {
            out += spelling[at++];
            continue;
        }
        std::size_t end = at;
        while (end < spelling.size() && is_word(spelling[end])) ++end;
        const std::string_view word = spelling.substr(at, end - at);
        at = end;
        if (word == "a" || word == "b" || word == "c")
            out += word == "a" ? a : word == "b" ? b : c;
        else if (word == "FN")
            out += d.function(argument(spelling, at), operand);
        else if (word == "K")
            out += d.constant(argument(spelling, at), operand);
        else
            out += word;
    }
    return out;
}

std::string emit(const kernel_spec& spec, const dialect& d, const target& t, const std::string& name) {
    const std::string kernel = d.kernel(spec, t, name);
    return d.prelude(spec, t, kernel) + "\n" + kernel;
}

}  // namespace frit::v0::fusion

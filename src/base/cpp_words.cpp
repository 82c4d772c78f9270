// See cpp_words.hpp.
#include "src/base/cpp_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace frit::inline v0::detail {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t behind(std::string_view s, std::string_view mark, std::size_t from) {
    const std::size_t found = s.find(mark, from);
    return found == s.npos ? s.size() : found + mark.size();
}

/// Behind the literal that begins at `at`: its closing quote, or where its line ends without one.
std::size_t after_quoted(std::string_view s, std::size_t at) {
    std::size_t k = at + 1;
    while (k < s.size() && s[k] != s[at] && s[k] != '\n') k += s[k] == '\\' ? 2 : 1;
    return std::min(k < s.size() && s[k] == '\n' ? k : k + 1, s.size());
}

/// Behind R"x( )x", whose quote is at `at`.
std::size_t after_raw(std::string_view s, std::size_t at) {
    const std::size_t open = s.find('(', at);
    if (open == s.npos) return s.size();
    return behind(s, ")" + std::string(s.substr(at + 1, open - at - 1)) + "\"", open);
}

/// Behind a comment, where one begins at `at`; else `at` itself.
std::size_t after_comment(std::string_view s, std::size_t at) {
    const std::string_view two = s.substr(at, 2);
    if (two == "//") return std::min(s.find('\n', at), s.size());
    return two == "/*" ? behind(s, "*/", at + 2) : at;
}

/// Behind a line of the preprocessor, which goes on behind a comment of several lines.
std::size_t after_directive(std::string_view s, std::size_t at) {
    while (at < s.size() && s[at] != '\n') {
        if (const std::size_t after = after_comment(s, at); after != at)
            at = after;
        else
            at = s[at] == '"' ? after_quoted(s, at) : at + 1;
    }
    return at;
}

/// Behind a name or a number, 1'000 and 0x1p3 among these.
std::size_t after_word(std::string_view s, std::size_t at) {
    const bool number = is_digit(s[at]);
    std::size_t end = at + 1;
    while (end < s.size() &&
           (is_letter(s[end]) || (number && s[end] == '\'' && end + 1 < s.size() && is_letter(s[end + 1]))))
        ++end;
    return end;
}

bool begins_raw(cpp_word w) { return w == "R" || w == "LR" || w == "uR" || w == "UR" || w == "u8R"; }

}  // namespace

bool is_name(cpp_word w) { return !w.empty() && is_letter(w[0]) && !is_digit(w[0]); }

std::string with_joined_lines(std::string_view s) {
    std::string joined;
    joined.reserve(s.size());
    for (std::size_t k = 0; k < s.size(); ++k) {
        if (s.substr(k).starts_with("\\\n"))
            ++k;
        else if (s.substr(k).starts_with("\\\r\n"))
            k += 2;
        else
            joined += s[k];
    }
    return joined;
}

std::vector<cpp_word> words_of(std::string_view s) {
    constexpr std::array<std::string_view, 5> signs{"::", "<<", "<=", ">=", "->"};  // ">>" may close two lists
    std::vector<cpp_word> found;
    bool line_begins = true;
    for (std::size_t k = 0, end = 0; k < s.size(); k = end) {
        end = k + 1;
        if (std::isspace(static_cast<unsigned char>(s[k])) != 0) {
            line_begins |= s[k] == '\n';
            continue;
        }
        if (const std::size_t after = after_comment(s, k); after != k) {
            end = after;
            continue;
        }
        if (s[k] == '#' && line_begins) {
            end = after_directive(s, k);
            found.push_back(s.substr(k, end - k));
            continue;
        }
        line_begins = false;
        if (s[k] == '"' || s[k] == '\'') {
            end = after_quoted(s, k);
            found.push_back("\"");
            continue;
        }
        if (is_letter(s[k]))
            end = after_word(s, k);
        else if (std::find(signs.begin(), signs.end(), s.substr(k, 2)) != signs.end())
            end = k + 2;
        found.push_back(s.substr(k, end - k));
        if (end < s.size() && s[end] == '"' && begins_raw(found.back())) {
            found.back() = "\"";
            end = after_raw(s, end);
        }
    }
    return found;
}

std::optional<std::size_t> behind_group(std::span<const cpp_word> t, std::size_t at) {
    constexpr std::size_t longest = 2048;  // a text must not be walked from every bracket to its end
    std::string closers;
    const std::size_t end = std::min(t.size(), at + longest);
    for (std::size_t k = at; k < end; ++k) {
        if (t[k].size() != 1) continue;
        const char c = t[k][0];
        if (c == '(' || c == '[' || c == '{') {
            closers += c == '(' ? ')' : c == '[' ? ']' : '}';
        } else if (c == '<') {
            if (k == at || closers.back() == '>') closers += '>';
        } else if (c == closers.back()) {
            closers.pop_back();
            if (closers.empty()) return k + 1;
        } else if (c == ')' || c == ']' || c == '}') {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

}  // namespace frit::v0::detail

// See lexer.hpp.
#include "src/functions/lexer.hpp"

#include <cctype>

namespace frit::inline v0::detail {
namespace {

constexpr std::string_view signs[] = {"<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "<=", ">=",
                                      "==",  "!=",  "&&", "||", "++", "--", "+",  "-",  "*",  "/",  "%",  "<",  ">",  "=",
                                      "!",   "~",   "&",  "|",  "^",  "?",  ":",  "(",  ")",  "{",  "}",  ";",  ","};

class lexer {
public:
    explicit lexer(std::string_view text) : text_(text) {}

    std::vector<token> run() {
        std::vector<token> all;
        do all.push_back(next());
        while (all.back().what != token::kind::end);
        return all;
    }

private:
    char here(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    void skip(std::size_t n) {
        for (; n > 0 && at_ < text_.size(); --n, ++at_) {
            if (text_[at_] == '\n')
                ++place_.line, place_.column = 1;
            else
                ++place_.column;
        }
    }
    void skip_space() {
        for (;;) {
            if (std::isspace(static_cast<unsigned char>(here()))) {
                skip(1);
            } else if (here() == '/' && here(1) == '/') {
                while (here() != '\0' && here() != '\n') skip(1);
            } else if (here() == '/' && here(1) == '*') {
                const text_place begin = place_;
                skip(2);
                while (!(here() == '*' && here(1) == '/')) {
                    if (at_ >= text_.size()) throw refused{"a comment that does not end", begin};
                    skip(1);
                }
                skip(2);
            } else {
                return;
            }
        }
    }
    token taken(token::kind what, std::size_t n) {
        const token t{what, text_.substr(at_, n), place_};
        skip(n);
        return t;
    }

    token next() {
        skip_space();
        if (at_ >= text_.size()) return {token::kind::end, {}, place_};
        std::size_t n = 0;
        if (std::isdigit(static_cast<unsigned char>(here())) ||
            (here() == '.' && std::isdigit(static_cast<unsigned char>(here(1))))) {
            const bool hex = here() == '0' && (here(1) == 'x' || here(1) == 'X');
            while (is_word(here(n)) || here(n) == '.' ||
                   (n > 0 && (here(n) == '+' || here(n) == '-') &&
                    (here(n - 1) == 'p' || here(n - 1) == 'P' || (!hex && (here(n - 1) == 'e' || here(n - 1) == 'E')))))
                ++n;
            return taken(token::kind::number, n);
        }
        while (is_word(here(n))) ++n;
        if (n > 0) return taken(token::kind::name, n);
        for (const std::string_view s : signs)
            if (text_.substr(at_, s.size()) == s) return taken(token::kind::sign, s.size());
        throw refused{"a character that the subset has not: '" + shown(text_.substr(at_), 1) + "'", place_};
    }

    std::string_view text_;
    std::size_t at_ = 0;
    text_place place_;
};

}  // namespace

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string shown(std::string_view text, std::size_t characters) {
    std::string all;
    for (; !text.empty() && characters > 0; --characters) {
        const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
        const unsigned first = byte(0);
        std::size_t n = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
        for (std::size_t k = 1; k < n; ++k)
            if ((byte(k) & 0xc0U) != 0x80) n = 0;
        if (n == 0 || first < 0x20 || first == 0x7f) {
            constexpr char digits[] = "0123456789abcdef";
            all += {'\\', 'x', digits[first / 16], digits[first % 16]};
            n = 1;
        } else {
            all += text.substr(0, n);
        }
        text.remove_prefix(n);
    }
    return all;
}

std::vector<token> tokens_of(std::string_view text) { return lexer(text).run(); }

}  // namespace frit::v0::detail

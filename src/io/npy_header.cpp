// The text of .npy headers. See npy_header.hpp.
#include "src/io/npy_header.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>
#include <vector>

#include "frit/error.hpp"

namespace frit::inline v0::detail {
namespace {

[[noreturn]] void refuse(const std::string& reason) { throw io_error(reason); }
[[noreturn]] void malformed(const std::string& reason) { refuse("its header is malformed: " + reason); }

/// Python's literals, as far as headers have them.
class literal_reader {
public:
    explicit literal_reader(std::string_view text) : rest_(text) {}

    bool take(char c) {
        skip_space();
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!take(c)) malformed(std::string("'") + c + "' is missing");
    }
    bool at(char c) {
        skip_space();
        return rest_.starts_with(c);
    }
    std::string_view string() {
        const char quote = at('"') ? '"' : '\'';
        expect(quote);
        const std::size_t end = rest_.find(quote);
        if (end == std::string_view::npos || rest_.substr(0, end).find('\\') != std::string_view::npos)
            malformed("a string does not end");
        const std::string_view s = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return s;
    }
    bool boolean() {
        skip_space();
        for (const std::string_view word : {"True", "False"})
            if (rest_.starts_with(word)) {
                rest_.remove_prefix(word.size());
                return word == "True";
            }
        malformed("neither True nor False");
    }
    std::int64_t integer() {
        skip_space();
        std::int64_t value = 0;
        const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (problem == std::errc::result_out_of_range) malformed("an extent is too large");
        if (problem != std::errc()) malformed("an extent is not an integer");
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        if (rest_.starts_with('L')) rest_.remove_prefix(1);  // Python 2 wrote it
        return value;
    }
    void expect_end() {
        skip_space();
        if (!rest_.empty()) malformed("something follows the dictionary");
    }

private:
    void skip_space() {
        const std::size_t first = rest_.find_first_not_of(" \t\r\n");
        rest_.remove_prefix(std::min(first, rest_.size()));
    }
    std::string_view rest_;
};

char kind_letter(dtype t) {
    switch (kind_of(t)) {
        case dtype_kind::boolean: return 'b';
        case dtype_kind::integer: return 'i';
        case dtype_kind::unsigned_integer: return 'u';
        case dtype_kind::floating: return 'f';
        default: return 'c';
    }
}

constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';

/// "f4": NumPy's letters of a dtype. It has none for bfloat16: a package that adds it, ml_dtypes, writes two bytes of
/// nothing.
std::string letters_of(dtype t) { return t == dtype::bf16 ? "V2" : kind_letter(t) + std::to_string(size_of(t)); }

void parse_descr(std::string_view descr, npy_header& h) {
    std::string_view letters = descr;
    char order = '=';
    if (!letters.empty() && std::string_view("<>=|").find(letters.front()) != std::string_view::npos) {
        order = letters.front();
        letters.remove_prefix(1);
    }
#define FRIT_X(name, ctype, kind, text)                                                                \
    if (letters == letters_of(dtype::name)) {                                                          \
        const bool ordered = size_of(dtype::name) > 1 && dtype::name != dtype::bf16;                   \
        if (order == '|' && ordered) refuse("its dtype " + quoted(descr) + " has no byte order");      \
        h.type = dtype::name;                                                                          \
        h.swapped = size_of(dtype::name) > 1 && order != '=' && order != '|' && order != native_order; \
        return;                                                                                        \
    }
    FRIT_DTYPES(FRIT_X)
#undef FRIT_X
    refuse("its dtype " + quoted(descr) + " is none of frit's");
}

shape parse_shape(literal_reader& in) {
    std::vector<std::int64_t> extents;
    in.expect('(');
    while (!in.take(')')) {
        if (extents.size() == max_rank) refuse("its array has more than " + std::to_string(max_rank) + " dimensions");
        extents.push_back(in.integer());
        if (extents.back() < 0) malformed("an extent is negative");
        if (in.take(',')) continue;
        if (extents.size() == 1) malformed("its shape is no tuple");
        in.expect(')');
        break;
    }
    try {
        return shape(extents);
    } catch (const shape_error&) {
        refuse("its array has more elements than memory can address");
    }
}

}  // namespace

std::string quoted(std::string_view s) {
    constexpr std::size_t enough = 40;
    std::string shown(s.substr(0, enough));
    for (char& c : shown)
        if (c < ' ' || c > '~') c = '?';
    return "'" + shown + (s.size() > enough ? "...'" : "'");
}

npy_header parse_npy_header(std::string_view dictionary) {
    npy_header h;
    bool descr = false, order = false, extents = false;
    const auto once = [](bool& seen, std::string_view key) {
        if (std::exchange(seen, true)) malformed(quoted(key) + " is there twice");
    };
    literal_reader in(dictionary);
    in.expect('{');
    while (!in.take('}')) {
        const std::string_view key = in.string();
        in.expect(':');
        if (key == "descr") {
            once(descr, key);
            if (in.at('[')) refuse("it holds records, not numbers");
            parse_descr(in.string(), h);
        } else if (key == "fortran_order") {
            once(order, key);
            h.fortran_order = in.boolean();
        } else if (key == "shape") {
            once(extents, key);
            h.extents = parse_shape(in);
        } else {
            malformed("it has the key " + quoted(key));
        }
        if (in.take(',')) continue;
        in.expect('}');
        break;
    }
    in.expect_end();
    if (!descr || !order || !extents) malformed("it must have 'descr', 'fortran_order' and 'shape'");
    return h;
}

std::string npy_header_text(dtype type, const shape& extents) {
    constexpr std::size_t alignment = 64, longest_extent = 21;
    std::string dictionary = std::string("{'descr': '") + (size_of(type) == 1 ? '|' : native_order) + letters_of(type) +
                             "', 'fortran_order': False, 'shape': " + to_string(extents) + ", }";
    // NumPy leaves room for the first extent to grow in place.
    if (extents.rank() > 0) dictionary.append(longest_extent - std::to_string(extents[0]).size(), ' ');
    const std::size_t before = npy_magic.size() + 4;
    dictionary.append(alignment - (before + dictionary.size() + 1) % alignment, ' ');
    dictionary += '\n';
    std::string text(npy_magic);
    text += {'\1', '\0'};
    text += static_cast<char>(dictionary.size() % 256);
    text += static_cast<char>(dictionary.size() / 256);
    return text + dictionary;
}

}  // namespace frit::v0::detail

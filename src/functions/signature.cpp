// See signature.hpp. A text becomes words and signs, without comments, literals and lines of the preprocessor; kernels are
// looked for among these. Names that stand for types are followed: template parameters, `using` and `typedef`.
#include "src/functions/signature.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <span>

namespace frit::inline v0::detail {
namespace {

using token = std::string_view;
using tokens = std::vector<token>;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_name(token t) { return !t.empty() && is_word(t[0]) && std::isdigit(static_cast<unsigned char>(t[0])) == 0; }

/// Where what is no code ends that begins at `at`: a comment, a literal, a line of the preprocessor; `at` itself for code.
std::size_t after_noise(std::string_view s, std::size_t at, bool line_begins) {
    const auto end_of = [&](std::string_view mark, std::size_t from) {
        const std::size_t found = s.find(mark, from);
        return found == s.npos ? s.size() : found + mark.size();
    };
    const std::string_view rest = s.substr(at);
    if (rest.starts_with("//")) return end_of("\n", at);
    if (rest.starts_with("/*")) return end_of("*/", at + 2);
    if (rest.starts_with("R\"")) {
        const std::size_t open = s.find('(', at);
        if (open == s.npos) return s.size();
        return end_of(")" + std::string(s.substr(at + 2, open - at - 2)) + "\"", open);
    }
    if (rest[0] == '"' || rest[0] == '\'') {
        std::size_t k = at + 1;
        while (k < s.size() && s[k] != rest[0]) k += s[k] == '\\' ? 2 : 1;
        return std::min(k + 1, s.size());
    }
    if (rest[0] == '#' && line_begins) {
        std::size_t k = at;
        do k = s.find('\n', k) == s.npos ? s.size() : s.find('\n', k) + 1;
        while (k < s.size() && k >= 2 && s[k - 2] == '\\');
        return k;
    }
    return at;
}

tokens words_of(std::string_view s) {
    tokens found;
    bool line_begins = true;
    for (std::size_t k = 0; k < s.size();) {
        if (std::isspace(static_cast<unsigned char>(s[k])) != 0) {
            line_begins |= s[k++] == '\n';
            continue;
        }
        if (const std::size_t after = after_noise(s, k, line_begins); after != k) {
            line_begins = s[after - 1] == '\n';
            if (s[k] == '"') found.push_back("\"");  // extern "C"
            k = after;
            continue;
        }
        line_begins = false;
        std::size_t end = k + 1;
        if (is_word(s[k]))
            while (end < s.size() && is_word(s[end])) ++end;
        else if (s.substr(k, 2) == "::")
            ++end;
        found.push_back(s.substr(k, end - k));
        k = end;
    }
    return found;
}

/// The place behind the sign that closes what is open at `at`. @throws signature_error where none does
std::size_t behind_group(std::span<const token> t, std::size_t at) {
    const token open = t[at], close = open == "(" ? ")" : open == "<" ? ">" : open == "[" ? "]" : "}";
    int depth = 0;
    for (std::size_t k = at; k < t.size(); ++k) {
        depth += t[k] == open;
        depth -= t[k] == close;
        if (depth == 0) return k + 1;
    }
    throw signature_error("nothing closes a bracket \"" + std::string(open) + "\"");
}

/// What stands between the bracket at `at` and the one that closes it.
std::span<const token> inside(std::span<const token> t, std::size_t at) {
    const std::size_t end = behind_group(t, at);
    return t.subspan(at + 1, end - at - 2);
}

/// What stands between commas that are in no brackets.
std::vector<std::span<const token>> divided(std::span<const token> list) {
    std::vector<std::span<const token>> parts;
    std::size_t first = 0;
    for (std::size_t k = 0; k <= list.size();) {
        if (k == list.size() || list[k] == ",") {
            parts.push_back(list.subspan(first, k - first));
            first = ++k;
        } else {
            k = list[k] == "(" || list[k] == "<" || list[k] == "[" || list[k] == "{" ? behind_group(list, k) : k + 1;
        }
    }
    if (parts.size() == 1 && parts[0].empty()) parts.clear();
    return parts;
}

std::string joined(std::span<const token> t) {
    std::string s;
    for (const token w : t) {
        const bool apart = !s.empty() && is_word(s.back()) && is_word(w[0]);
        s += (apart ? " " : "") + std::string(w);
    }
    return s;
}

/// Types by their names, those of template parameters and aliases among them.
using type_names = std::map<std::string, std::vector<std::string>, std::less<>>;

/// A dtype by how C++ and CUDA's headers call it.
std::optional<dtype> dtype_named(std::vector<std::string> words) {
    static const std::map<std::string, dtype, std::less<>> names{
        {"bool", dtype::bool_},
        {"char", dtype::i8},
        {"signed char", dtype::i8},
        {"int8_t", dtype::i8},
        {"unsigned char", dtype::u8},
        {"uint8_t", dtype::u8},
        {"short", dtype::i16},
        {"int16_t", dtype::i16},
        {"unsigned short", dtype::u16},
        {"uint16_t", dtype::u16},
        {"int", dtype::i32},
        {"int32_t", dtype::i32},
        {"unsigned", dtype::u32},
        {"uint32_t", dtype::u32},
        {"long", dtype::i64},
        {"long long", dtype::i64},
        {"int64_t", dtype::i64},
        {"ptrdiff_t", dtype::i64},
        {"unsigned long", dtype::u64},
        {"unsigned long long", dtype::u64},
        {"uint64_t", dtype::u64},
        {"size_t", dtype::u64},
        {"half", dtype::f16},
        {"__half", dtype::f16},
        {"nv_bfloat16", dtype::bf16},
        {"__nv_bfloat16", dtype::bf16},
        {"float", dtype::f32},
        {"double", dtype::f64},
        {"float2", dtype::c64},
        {"cuComplex", dtype::c64},
        {"cuFloatComplex", dtype::c64},
        {"complex<float>", dtype::c64},
        {"double2", dtype::c128},
        {"cuDoubleComplex", dtype::c128},
        {"complex<double>", dtype::c128},
    };
    if (words.size() > 1) std::erase(words, "int");  // unsigned int, long int
    const auto is_sign = [](const std::string& w) { return w == "unsigned" || w == "signed"; };
    std::stable_partition(words.begin(), words.end(), is_sign);  // C++ takes any order
    if (words.size() > 1 && words[0] == "signed" && words[1] != "char") words.erase(words.begin());
    if (words == std::vector<std::string>{"signed"}) words = {"int"};
    std::string name;
    for (const std::string& w : words) name += (name.empty() ? "" : " ") + w;
    const auto known = names.find(name);
    return known == names.end() ? std::nullopt : std::optional(known->second);
}

/// The words of a type, without qualifiers and namespaces, names followed to what they stand for. A template's arguments
/// belong to its word: "complex<float>".
std::vector<std::string> plain_type(std::span<const token> t, const type_names& known, int depth = 0) {
    std::vector<std::string> words;
    for (std::size_t k = 0; k < t.size(); ++k) {
        if (k + 1 < t.size() && t[k + 1] == "::") {
            ++k;
            continue;
        }
        if (t[k] == "::" || t[k] == "const" || t[k] == "volatile" || t[k] == "struct" || t[k] == "typename") continue;
        std::string word(t[k]);
        if (k + 1 < t.size() && t[k + 1] == "<") {
            const std::span<const token> arguments = inside(t, k + 1);
            word += "<";
            for (const std::string& inner : plain_type(arguments, known, depth)) word += inner;
            word += ">";
            k += arguments.size() + 2;
        }
        const auto alias = known.find(word);
        if (alias == known.end() || depth > 16) {
            words.push_back(word);
            continue;
        }
        const tokens meant(alias->second.begin(), alias->second.end());
        for (std::string& w : plain_type(meant, known, depth + 1)) words.push_back(std::move(w));
    }
    return words;
}

void add_alias(type_names& known, token name, std::span<const token> type) {
    known[std::string(name)] = std::vector<std::string>(type.begin(), type.end());
}

/// `using real = float;` and `typedef float real;`, anywhere in the text.
type_names aliases_in(const tokens& t) {
    type_names known;
    for (std::size_t k = 0; k < t.size(); ++k) {
        const auto end =
            static_cast<std::size_t>(std::find(t.begin() + static_cast<std::ptrdiff_t>(k), t.end(), ";") - t.begin());
        if (t[k] == "using" && k + 3 < end && t[k + 2] == "=")
            add_alias(known, t[k + 1], std::span(t).subspan(k + 3, end - k - 3));
        if (t[k] == "typedef" && k + 2 < end && end < t.size() && is_name(t[end - 1]))
            add_alias(known, t[end - 1], std::span(t).subspan(k + 1, end - k - 2));
    }
    return known;
}

/// What parameters of a template are named: of "typename T, int N" T and N; those behind "=" have a default.
void name_template_arguments(std::span<const token> parameters, std::span<const token> arguments, type_names& known) {
    const auto given = divided(arguments);
    const auto taken = divided(parameters);
    for (std::size_t k = 0; k < taken.size(); ++k) {
        const auto equals = std::find(taken[k].begin(), taken[k].end(), token("="));
        if (equals == taken[k].begin() || !is_name(*std::prev(equals))) continue;
        const token name = *std::prev(equals);
        if (k < given.size())
            add_alias(known, name, given[k]);
        else if (equals != taken[k].end())
            add_alias(known, name, {std::next(equals), taken[k].end()});
    }
}

raw_parameter parameter_of(std::span<const token> t, const type_names& known, std::string_view kernel) {
    const std::string shown = joined(t);
    const auto refuse = [&](const std::string& why) -> raw_parameter {
        throw signature_error("the parameter \"" + shown + "\" of " + std::string(kernel) + " " + why);
    };
    std::vector<token> kept;
    std::size_t stars = 0;
    bool is_const = false;
    for (const token w : t) {
        if (w == "=") break;  // a default
        if (w == "__restrict__" || w == "__restrict" || w == "restrict" || w == "__grid_constant__") continue;
        if (w == "&" || w == "(" || w == "...") return refuse("is neither a pointer nor a number");
        if (w == "[") {
            ++stars;
            break;
        }
        if (w == "const" && stars > 0) continue;  // the pointer itself
        is_const |= w == "const";
        stars += w == "*";
        if (w != "*") kept.push_back(w);
    }
    if (stars > 1) return refuse("is a pointer to pointers");
    token name;
    const auto type_without_name = [&] { return plain_type(std::span(kept).first(kept.size() - 1), known); };
    const bool is_whole = dtype_named(plain_type(kept, known)).has_value();
    if (!is_whole && kept.size() > 1 && is_name(kept.back()) && !type_without_name().empty()) {
        name = kept.back();
        kept.pop_back();
    }
    const std::vector<std::string> type = plain_type(kept, known);
    raw_parameter p{std::string(name), joined(kept) + (stars > 0 ? "*" : ""), stars > 0, is_const, dtype_named(type)};
    if (stars > 0 && type == std::vector<std::string>{"void"}) return p;
    if (!p.type) return refuse("has a type that is no dtype's");
    if (!p.is_pointer && (is_complex(*p.type))) return refuse("is a complex number, which is taken by a pointer alone");
    return p;
}

class kernel_search {
public:
    kernel_search(std::string_view name, const tokens& t) : t_(t), name_(name), words_(words_of(name)) {
        const auto open = std::find(words_.begin(), words_.end(), token("<"));
        if (open != words_.end()) {
            const auto at = static_cast<std::size_t>(open - words_.begin());
            arguments_ = inside(words_, at);
            if (at + arguments_.size() + 2 != words_.size())
                throw signature_error("\"" + name_ + "\" is no name of a kernel");
        }
        if (open == words_.begin() || !is_name(*std::prev(open)))
            throw signature_error("\"" + name_ + "\" is no name of a kernel");
        plain_ = *std::prev(open);
        aliases_ = aliases_in(t);
    }

    std::vector<raw_parameter> run() {
        std::span<const token> of_template;
        for (std::size_t k = 0; k < t_.size(); ++k) {
            if (t_[k] == ";" || t_[k] == "{" || t_[k] == "}") of_template = {};
            if (t_[k] == "template" && k + 1 < t_.size() && t_[k + 1] == "<") {
                of_template = inside(t_, k + 1);
                k += of_template.size() + 2;
            }
            if (t_[k] == "__global__") look(k + 1, of_template);
        }
        if (!found_) throw signature_error("there is no __global__ function " + std::string(plain_) + " in the source");
        return std::move(*found_);
    }

private:
    /// Behind `__global__`: attributes, void, the name, the parameters, in C++'s orders.
    void look(std::size_t k, std::span<const token> of_template) {
        for (; k < t_.size() && t_[k] != ";" && t_[k] != "{"; ++k) {
            if (k + 1 >= t_.size() || t_[k + 1] != "(") continue;
            const std::span<const token> list = inside(t_, k + 1);
            if (t_[k].starts_with("__")) {  // __launch_bounds__(256)
                k += list.size() + 2;
                continue;
            }
            if (t_[k] == plain_) take(list, of_template);
            return;
        }
    }

    void take(std::span<const token> list, std::span<const token> of_template) {
        type_names known = aliases_;
        name_template_arguments(of_template, arguments_, known);
        std::vector<raw_parameter> parameters;
        if (const auto parts = divided(list); parts.size() != 1 || parts[0].size() != 1 || parts[0][0] != "void")
            for (const auto& part : parts) parameters.push_back(parameter_of(part, known, name_));
        const auto same = [](const raw_parameter& a, const raw_parameter& b) {
            return a.type == b.type && a.is_pointer == b.is_pointer && a.is_const == b.is_const;
        };
        if (found_ && !std::equal(found_->begin(), found_->end(), parameters.begin(), parameters.end(), same))
            throw signature_error("the source has several kernels " + std::string(plain_) + " of different parameters");
        found_ = std::move(parameters);
    }

    const tokens& t_;
    const std::string name_;
    const tokens words_;
    std::span<const token> arguments_;
    token plain_;
    type_names aliases_;
    std::optional<std::vector<raw_parameter>> found_;
};

}  // namespace

std::vector<raw_parameter> parameters_of(std::string_view name, std::string_view source) {
    const tokens t = words_of(source);
    return kernel_search(name, t).run();
}

}  // namespace frit::v0::detail

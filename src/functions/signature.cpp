// See signature.hpp. Kernels are looked for among the words and signs of a text. Names that stand for types are followed:
// template parameters, `using` and `typedef`. What is refused is refused for the kernel that is asked for: other functions
// of the text may be beyond this grammar.
#include "src/functions/signature.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "src/base/cpp_words.hpp"

namespace frit::inline v0::detail {
namespace {

using tokens = std::span<const cpp_word>;

/// What stands between the bracket at `at` and the one that closes it.
tokens inside(tokens t, std::size_t at) {
    const std::optional<std::size_t> end = behind_group(t, at);
    if (!end) throw signature_error("nothing closes a bracket \"" + std::string(t[at]) + "\"");
    return t.subspan(at + 1, *end - at - 2);
}

/// What stands between commas that are in no brackets.
std::vector<tokens> divided(tokens list) {
    std::vector<tokens> parts;
    std::size_t first = 0;
    for (std::size_t k = 0; k <= list.size();) {
        if (k == list.size() || list[k] == ",") {
            parts.push_back(list.subspan(first, k - first));
            first = ++k;
        } else {
            const bool opens = list[k] == "(" || list[k] == "<" || list[k] == "[" || list[k] == "{";
            k += opens ? inside(list, k).size() + 2 : 1;
        }
    }
    if (parts.size() == 1 && parts[0].empty()) parts.clear();
    return parts;
}

std::string joined(tokens t) {
    std::string s;
    const auto is_letter = [](char c) { return is_name({&c, 1}) || (c >= '0' && c <= '9'); };
    for (const cpp_word w : t) {
        const bool apart = !s.empty() && is_letter(s.back()) && is_letter(w[0]);
        s += (apart ? " " : "") + std::string(w);
    }
    return s;
}

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
    const auto goes_with_int = [](const std::string& w) {
        return w == "int" || w == "short" || w == "long" || w == "unsigned" || w == "signed";
    };
    if (words.size() > 1 && std::all_of(words.begin(), words.end(), goes_with_int)) std::erase(words, "int");
    const auto is_sign = [](const std::string& w) { return w == "unsigned" || w == "signed"; };
    std::stable_partition(words.begin(), words.end(), is_sign);  // C++ takes any order
    if (words.size() > 1 && words[0] == "signed" && words[1] != "char") words.erase(words.begin());
    if (words == std::vector<std::string>{"signed"}) words = {"int"};
    std::string name;
    for (const std::string& w : words) name += (name.empty() ? "" : " ") + w;
    const auto known = names.find(name);
    return known == names.end() ? std::nullopt : std::optional(known->second);
}

/// What names stand for, where that is no dtype's own name. Parts of the text.
class type_names {
public:
    struct meaning {
        tokens type;
        bool is_sure = true;
    };
    /// `using real = float;`, `typedef float real;`: where one of the same name says otherwise, none of them is sure.
    void add(cpp_word name, tokens type) {
        const auto [at, fresh] = all_.try_emplace(name, meaning{type});
        if (!fresh)
            at->second.is_sure &= std::equal(type.begin(), type.end(), at->second.type.begin(), at->second.type.end());
    }
    /// One of a function or a class, where another may be meant.
    void add_inner(cpp_word name, tokens type) {
        if (!all_.contains(name)) doubt(name);
        add(name, type);
    }
    void doubt(cpp_word name) { all_[name].is_sure = false; }
    /// A parameter of a template hides what else has its name.
    void hide(cpp_word name, tokens type) { all_[name] = {type}; }
    void forget(cpp_word name) { all_.erase(name); }
    const meaning* find(cpp_word name) const {
        const auto at = all_.find(name);
        return at == all_.end() ? nullptr : &at->second;
    }

private:
    std::map<cpp_word, meaning> all_;
};

/// A type's words without qualifiers and the namespaces of libraries, names followed to what they stand for. A template's
/// arguments belong to its word: "complex<float>".
class type_reader {
public:
    explicit type_reader(const type_names& known) : known_(known) {}
    struct plain_type {
        std::vector<std::string> words;
        bool is_const = false;
    };
    plain_type read(tokens t, int depth = 0) {
        plain_type made;
        std::string space;
        for (std::size_t k = 0; k < t.size(); ++k) {
            if (--left_ < 0 || depth > 16) throw signature_error("has a type that is no dtype's, or too intricate");
            made.is_const |= t[k] == "const";
            if (t[k] == "::" || is_qualifier(t[k])) continue;
            if (k + 1 < t.size() && t[k + 1] == "::") {
                if (t[k] != "std" && t[k] != "cuda" && t[k] != "thrust") space += std::string(t[k]) + "::";
                continue;
            }
            std::string word(t[k]);
            if (k + 1 < t.size() && t[k + 1] == "<") {
                const tokens arguments = inside(t, k + 1);
                word += "<";
                for (const std::string& w : read(arguments, depth + 1).words) word += w;
                word += ">";
                k += arguments.size() + 2;
            }
            const type_names::meaning* const stands_for = known_.find(word);
            if (!stands_for) {
                made.words.push_back(std::exchange(space, {}) + word);
                continue;
            }
            if (!stands_for->is_sure)
                throw signature_error("has a type by the name " + word +
                                      ", which may be another: a macro has it, or more than one typedef");
            plain_type meant = read(stands_for->type, depth + 1);
            made.is_const |= meant.is_const;
            std::move(meant.words.begin(), meant.words.end(), std::back_inserter(made.words));
        }
        return made;
    }
    static bool is_qualifier(cpp_word w) { return w == "const" || w == "volatile" || w == "struct" || w == "typename"; }

private:
    const type_names& known_;
    int left_ = 500;  ///< words to be looked at: names may stand for names, many times over
};

/// Whether the bracket at `at` opens a namespace or `extern "C"`, whose names the whole text has.
bool opens_namespace(tokens t, std::size_t at) {
    if (at > 1 && t[at - 1] == "\"" && t[at - 2] == "extern") return true;
    std::size_t k = at;
    while (k > 0 && at - k < 16 && t[k - 1] != "namespace" && (is_name(t[k - 1]) || t[k - 1] == "::")) --k;
    return k > 0 && t[k - 1] == "namespace";
}

/// The ';' of the declaration at `at`, behind the members of a class; t.size() where none comes before another one.
std::size_t end_of_declaration(tokens t, std::size_t at) {
    for (std::size_t k = at + 1; k < t.size() && t[k] != "using" && t[k] != "typedef" && t[k] != "}";) {
        if (t[k] == ";") return k;
        const auto behind = t[k] == "{" ? behind_group(t, k) : std::optional(k + 1);
        if (!behind) break;
        k = *behind;
    }
    return t.size();
}

/// The macro that a line of the preprocessor defines; empty: none.
cpp_word macro_of(cpp_word line) {
    const std::vector<cpp_word> words = words_of(line.substr(1));
    return words.size() > 1 && words[0] == "define" ? words[1] : cpp_word();
}

/// Aliases of the whole text. What macros and other scopes may make of a name is not followed.
type_names names_in(tokens t) {
    struct alias {
        cpp_word name;
        tokens type;
    };
    type_names known;
    std::vector<alias> inner;
    std::vector<bool> scopes;  // of open brackets: whether it is a namespace's
    std::ptrdiff_t others = 0;
    for (std::size_t k = 0; k < t.size(); ++k) {
        if (is_directive(t[k])) known.doubt(macro_of(t[k]));
        if (t[k] == "{") others += !scopes.emplace_back(opens_namespace(t, k));
        if (t[k] == "}" && !scopes.empty()) {
            others -= !scopes.back();
            scopes.pop_back();
        }
        if (t[k] != "using" && t[k] != "typedef") continue;
        const std::size_t end = end_of_declaration(t, k);
        if (end == t.size()) continue;
        alias a{};
        if (t[k] == "using" && end > k + 3 && t[k + 2] == "=") a = {t[k + 1], t.subspan(k + 3, end - k - 3)};
        if (t[k] == "typedef" && end > k + 2 && is_name(t[end - 1])) a = {t[end - 1], t.subspan(k + 1, end - k - 2)};
        if (a.name.empty()) continue;
        if (others == 0)
            known.add(a.name, a.type);
        else
            inner.push_back(a);
    }
    for (const alias& a : inner) known.add_inner(a.name, a.type);
    return known;
}

/// What parameters of a template are named: of "typename T, int N" T and N; those behind "=" have a default.
void name_template_arguments(tokens parameters, tokens arguments, type_names& known) {
    const auto given = divided(arguments);
    const auto taken = divided(parameters);
    for (std::size_t k = 0; k < taken.size(); ++k) {
        const auto equals = std::find(taken[k].begin(), taken[k].end(), cpp_word("="));
        if (equals - taken[k].begin() < 2 || !is_name(*std::prev(equals))) continue;
        const cpp_word name = *std::prev(equals);
        if (k < given.size())
            known.hide(name, given[k]);
        else if (equals != taken[k].end())
            known.hide(name, tokens(std::next(equals), taken[k].end()));
        else
            known.forget(name);
    }
}

/// Of a type that no name can have: `int half` is an int.
bool is_keyword(cpp_word w) {
    constexpr cpp_word all[] = {"bool", "char", "short",    "int",     "long",    "signed",  "unsigned", "float",   "double",
                                "void", "auto", "__int128", "__int64", "wchar_t", "char8_t", "char16_t", "char32_t"};
    return std::find(std::begin(all), std::end(all), w) != std::end(all);
}

/// Takes the parameter's own name off: a name behind what says a type already.
cpp_word take_name(std::vector<cpp_word>& words) {
    if (words.size() < 2) return {};
    const cpp_word last = words.back();
    if (!is_name(last) || is_keyword(last) || type_reader::is_qualifier(last) || words[words.size() - 2] == "::") return {};
    if (std::all_of(words.begin(), std::prev(words.end()), type_reader::is_qualifier)) return {};
    words.pop_back();
    return last;
}

raw_parameter parameter_of(tokens t, const type_names& known, std::string_view kernel) {
    const auto refuse = [&](const std::string& why) -> raw_parameter {
        throw signature_error("the parameter \"" + joined(t) + "\" of " + std::string(kernel) + " " + why);
    };
    std::vector<cpp_word> kept;
    std::size_t stars = 0;
    for (const cpp_word w : t) {
        if (w == "=") break;  // a default
        if (w == "__restrict__" || w == "__restrict" || w == "restrict" || w == "__grid_constant__") continue;
        if (w == "&" || w == "(" || w == ".") return refuse("is neither a pointer nor a number");
        if (w == "[") {
            ++stars;
            break;
        }
        if (w == "const" && stars > 0) continue;  // the pointer itself
        stars += w == "*";
        if (w != "*") kept.push_back(w);
    }
    if (stars > 1) return refuse("is a pointer to pointers");
    const cpp_word name = take_name(kept);
    type_reader::plain_type type;
    try {
        type = type_reader(known).read(kept);
    } catch (const signature_error& e) {
        return refuse(e.what());
    }
    const bool is_pointer = stars > 0;
    raw_parameter p{std::string(name), joined(kept) + (is_pointer ? "*" : ""), is_pointer, is_pointer && type.is_const,
                    dtype_named(type.words)};
    if (is_pointer && type.words == std::vector<std::string>{"void"}) return p;
    if (!p.type && is_pointer)
        return refuse(
            "has a type that is no dtype's: a void* takes an array of any, and the kernel casts it (to float4*, "
            "to a struct's)");
    if (!p.type) return refuse("has a type that is no dtype's");
    if (!is_pointer && is_complex(*p.type)) return refuse("is a complex number, which is taken by a pointer alone");
    return p;
}

class kernel_search {
public:
    kernel_search(std::string_view name, tokens t) : t_(t), name_(name), words_(words_of(name_)) {
        const auto open = std::find(words_.begin(), words_.end(), cpp_word("<"));
        if (open != words_.end()) {
            const auto at = static_cast<std::size_t>(open - words_.begin());
            arguments_ = inside(words_, at);
            if (at + arguments_.size() + 2 != words_.size())
                throw signature_error("\"" + name_ + "\" is no name of a kernel");
        }
        if (open == words_.begin() || !is_name(*std::prev(open)))
            throw signature_error("\"" + name_ + "\" is no name of a kernel");
        plain_ = *std::prev(open);
        aliases_ = names_in(t);
    }

    std::vector<raw_parameter> run() {
        std::optional<tokens> of_template = tokens();
        for (std::size_t k = 0; k < t_.size(); ++k) {
            if (t_[k] == ";" || t_[k] == "{" || t_[k] == "}") of_template = tokens();
            if (t_[k] == "template" && k + 1 < t_.size() && t_[k + 1] == "<") {
                const std::optional<std::size_t> end = behind_group(t_, k + 1);
                of_template = end ? std::optional(t_.subspan(k + 2, *end - k - 3)) : std::nullopt;
                k = end ? *end - 1 : k + 1;
            }
            if (t_[k] == "__global__") look(k + 1, of_template);
        }
        if (!found_) throw signature_error("there is no __global__ function " + std::string(plain_) + " in the source");
        return std::move(*found_);
    }

private:
    /// Behind `__global__`: attributes, void, the name, the parameters, in C++'s orders. Lines of the preprocessor may
    /// choose among several heads of one body.
    /// @param of_template  none: its list cannot be read
    void look(std::size_t k, std::optional<tokens> of_template) {
        while (k + 1 < t_.size() && t_[k] != ";" && t_[k] != "{" && t_[k] != "__global__") {
            if (t_[k + 1] != "(") {
                ++k;
                continue;
            }
            const std::optional<std::size_t> end = behind_group(t_, k + 1);
            if (t_[k] == plain_) {
                if (!of_template) throw signature_error("the list of " + std::string(plain_) + "'s template cannot be read");
                take(inside(t_, k + 1), *of_template);
            }
            if (!end) return;
            k = *end;
        }
    }

    void take(tokens list, tokens of_template) {
        for (const tokens words : {list, of_template})
            if (std::any_of(words.begin(), words.end(), is_directive))
                throw signature_error("lines of the preprocessor stand among the parameters of " + std::string(plain_));
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

    const tokens t_;
    const std::string name_;
    const std::vector<cpp_word> words_;
    tokens arguments_;
    cpp_word plain_;
    type_names aliases_;
    std::optional<std::vector<raw_parameter>> found_;
};

}  // namespace

std::vector<raw_parameter> parameters_of(std::string_view name, std::string_view source) {
    const std::string text = with_joined_lines(source);
    const std::vector<cpp_word> t = words_of(text);
    return kernel_search(name, t).run();
}

}  // namespace frit::v0::detail

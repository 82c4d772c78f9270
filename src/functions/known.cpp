// See known.hpp.
#include "src/functions/known.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "src/base/errors.hpp"
#include "src/functions/conversions.hpp"
#include "src/functions/library.hpp"
#include "src/functions/parser.hpp"

namespace frit::inline v0::detail {
namespace {

/// Functions stay for ever, one of each text, parameters and callees: a program has as many as its text.
struct known_functions {
    std::mutex lock;
    std::map<std::string, std::vector<const text_function*>, std::less<>> by_name;  // one of each parameters' types
    std::map<std::string, std::unique_ptr<const text_function>> by_content;
};
known_functions& known() {
    static auto* const k = new known_functions;  // never destroyed: a program's own globals may still call
    return *k;
}

}  // namespace

const text_function* known_function(std::string_view name, std::string_view text, const text_signature& types) {
    auto f = std::make_unique<text_function>();
    f->name = name;
    f->parameters = static_cast<std::uint32_t>(types.parameters.size());
    f->results = static_cast<std::uint32_t>(types.results.size());
    f->several = types.several;
    f->variables.assign(types.parameters.begin(), types.parameters.end());
    f->variables.insert(f->variables.end(), types.results.begin(), types.results.end());
    std::string content = f->name + '\0' + std::string(text) + '\0' + (types.several ? 's' : 'o');
    for (const std::span<const dtype> list : {types.results, types.parameters}) {
        for (const dtype t : list) content += static_cast<char>(t);
        content += static_cast<char>(run_time);
    }
    for (const text_function* callee : parse(tokens_of(text), *f))
        content.append(reinterpret_cast<const char*>(&callee), sizeof callee);
    f->numbers = numbers_in(f->body);
    find_endings(*f);
    known_functions& k = known();
    const std::lock_guard guard(k.lock);
    return k.by_content.try_emplace(std::move(content), std::move(f)).first->second.get();
}

std::vector<const text_function*> functions_of_name(std::string_view name) {
    known_functions& k = known();
    const std::lock_guard guard(k.lock);
    const auto it = k.by_name.find(name);
    return it == k.by_name.end() ? std::vector<const text_function*>() : it->second;
}

const char* name_of_text(const text_function& f) noexcept { return f.name.c_str(); }

const text_function* parse_function(std::string_view name, std::string_view text, const text_signature& types,
                                    source_line where) try {
    const bool is_name = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                         std::all_of(name.begin(), name.end(), is_word);
    const bool is_known = function_named(name) || library_text_named(name, dtype::f64);
    if (!is_name || is_known || is_keyword(name))
        throw compile_error("function " + shown(name) + ": " +
                            (is_known ? "the subset has a function of this name" : "not a name") + place(where));
    const text_function* f = nullptr;
    try {
        f = known_function(name, text, types);
    } catch (const refused& r) {
        throw compile_error("function " + std::string(name) + ", line " + std::to_string(r.at.line) + ", column " +
                            std::to_string(r.at.column) + ": " + r.text + place(where));
    }
    known_functions& k = known();
    const std::lock_guard guard(k.lock);
    std::vector<const text_function*>& all = k.by_name[f->name];
    const auto same_parameters = [f](const text_function* g) {
        return g->parameters == f->parameters &&
               std::equal(f->variables.begin(), f->variables.begin() + f->parameters, g->variables.begin());
    };
    std::erase_if(all, same_parameters);
    all.push_back(f);
    return f;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(name, where);
}

}  // namespace frit::v0::detail

// See small_kernel.hpp.
#include "src/cuda/small_kernel.hpp"

#include <functional>
#include <memory>

#include "src/base/grow_only_set.hpp"

namespace frit::inline v0::detail::cuda {
namespace {

struct known_source : raw_source {
    const known_source* next = nullptr;
};
constinit grow_only_set<known_source, 64> sources;

}  // namespace

const raw_source& own_source(const std::string& name, const std::string& title, std::initializer_list<const char*> text,
                             std::string_view parameters) {
    const auto is_it = [&](const known_source& s) { return s.name == name; };
    return sources.find_or_add(std::hash<std::string>{}(name), is_it, [&] {
        auto made = std::make_unique<known_source>();
        made->name = name;
        made->title = title;
        // fma where the text says so: with vectors or without, values have the same bits; and generic lambdas
        made->flags = {"--fmad=false", "--device-as-default-execution-space"};
        for (const char* part : text) made->text += part;
        for (const char kind : parameters) {
            const bool is_pointer = kind == 'p';
            made->parameters.push_back({"", is_pointer ? "void*" : "long long", is_pointer, false,
                                        is_pointer ? std::nullopt : std::optional(dtype::i64)});
        }
        return made;
    });
}

}  // namespace frit::v0::detail::cuda

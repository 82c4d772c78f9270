// See file_names.hpp. What a thread has met lately is found by the name's address and believed by its content, because
// another library may have taken the address.
#include "src/base/file_names.hpp"

#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "frit/detail/record.hpp"
#include "src/base/grow_only_set.hpp"

namespace frit::inline v0::detail {
namespace {

struct name {
    std::string text;
    const name* next;
};

constinit grow_only_set<name, 256> names;

/// @throws std::bad_alloc
const char* copy_of(std::string_view text) {
    return names
        .find_or_add(
            std::hash<std::string_view>()(text), [&](const name& n) { return n.text == text; },
            [&] {
                return std::make_unique<name>(name{std::string(text), nullptr});
            })
        .text.c_str();
}

}  // namespace

source_line kept(source_line where) noexcept {
    if (where.line == 0) return unknown_line;
    static thread_local constinit const char* recent[16] = {};
    const auto address = reinterpret_cast<std::uintptr_t>(where.file);
    const char*& last = recent[(address ^ address >> 4 ^ address >> 8) % std::size(recent)];
    try {
        if (!last || std::strcmp(last, where.file) != 0) last = copy_of(where.file);
    } catch (const std::bad_alloc&) {
        return unknown_line;  // messages leave the place out
    }
    return {last, where.line};
}

}  // namespace frit::v0::detail

// See file_names.hpp. Lists that only grow, so that they need no lock and fork() may come at any time; what a thread has met
// lately is found by the name's address and believed by its content, because another library may have taken the address.
#include "src/base/file_names.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "frit/detail/record.hpp"

namespace frit::inline v0::detail {
namespace {

struct name {
    std::string text;
    const name* next;
};

constinit std::atomic<const name*> lists[256] = {};

/// @throws std::bad_alloc
const char* copy_of(std::string_view text) {
    std::atomic<const name*>& list = lists[std::hash<std::string_view>()(text) % std::size(lists)];
    const name* first = list.load(std::memory_order_acquire);
    const name* searched = nullptr;
    std::unique_ptr<name> fresh;
    for (;;) {
        for (const name* n = first; n != searched; n = n->next)
            if (n->text == text) return n->text.c_str();
        searched = first;
        if (!fresh) fresh = std::make_unique<name>(name{std::string(text), nullptr});
        fresh->next = first;
        if (list.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel))
            return fresh.release()->text.c_str();
    }
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

// Which statements a lesson is about.
#include "src/graph/lessons.hpp"

#include <initializer_list>

#include "src/graph/node.hpp"

namespace frit::inline v0::detail {
namespace {

/// Two pairs of statements with one key share a lesson, which costs time at worst.
std::uint64_t key_of(const node& asked, const node& passed) {
    std::uint64_t key = 0;
    for (const node* n : {&asked, &passed})
        for (const std::uint64_t part : {static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(n->code)),
                                         static_cast<std::uint64_t>(n->where.line)})
            key = (key ^ part) * 0x9E3779B97F4A7C15U + (key >> 29);
    return key;
}

}  // namespace

lesson& lessons::of(const node& asked, const node& passed) {
    const std::uint64_t key = key_of(asked, passed);
    if (all_.size() < most) return all_[key];
    const auto known = all_.find(key);
    return known == all_.end() ? of_the_rest_ : known->second;
}

}  // namespace frit::v0::detail

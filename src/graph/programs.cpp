// See programs.hpp.
#include "src/graph/programs.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "src/base/grow_only_set.hpp"

namespace frit::inline v0::detail {
namespace {

struct entry : known_program {
    std::vector<instruction> steps;
    const entry* next = nullptr;
};

constinit grow_only_set<entry, 1024> programs;

std::unique_ptr<entry> make_entry(std::span<const instruction> steps, std::uint64_t hash) {
    auto e = std::make_unique<entry>();
    e->steps.assign(steps.begin(), steps.end());
    const auto count = [&](auto&& is) {
        return static_cast<std::uint16_t>(
            std::count_if(steps.begin(), steps.end(), [&](const instruction& i) { return is(i.code); }));
    };
    e->code = {e->steps.data(),
               static_cast<std::uint16_t>(steps.size()),
               count([](op code) { return code == op::leaf; }),
               count([](op code) { return code == op::scalar; }),
               count(has_attribute),
               hash,
               false};
    return e;
}

}  // namespace

const known_program& program_of(std::span<const instruction> steps) {
    const std::uint64_t hash = hash_of(steps);
    const auto matches = [&](const entry& e) {
        return e.code.hash == hash && std::equal(e.steps.begin(), e.steps.end(), steps.begin(), steps.end());
    };
    return programs.find_or_add(hash, matches, [&] { return make_entry(steps, hash); });
}

}  // namespace frit::v0::detail

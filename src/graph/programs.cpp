// See programs.hpp. Lists that only grow, so that they need no lock and fork() may come at any time.
#include "src/graph/programs.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <vector>

namespace frit::inline v0::detail {
namespace {

struct entry : known_program {
    std::vector<instruction> steps;
    const entry* next = nullptr;
};

constinit std::atomic<const entry*> lists[1024] = {};

std::unique_ptr<entry> make_entry(std::span<const instruction> steps, std::uint64_t hash) {
    auto e = std::make_unique<entry>();
    e->steps.assign(steps.begin(), steps.end());
    const auto count = [&](auto... codes) {
        return static_cast<std::uint16_t>(
            std::count_if(steps.begin(), steps.end(), [&](const instruction& i) { return ((i.code == codes) || ...); }));
    };
    e->code = {e->steps.data(),
               static_cast<std::uint16_t>(steps.size()),
               count(op::leaf),
               count(op::scalar),
               count(op::view, op::update, op::coord, op::axes),
               hash,
               false};
    return e;
}

}  // namespace

const known_program& program_of(std::span<const instruction> steps) {
    const std::uint64_t hash = hash_of(steps);
    std::atomic<const entry*>& list = lists[(hash ^ hash >> 32) % std::size(lists)];
    const entry* first = list.load(std::memory_order_acquire);
    const entry* searched = nullptr;
    std::unique_ptr<entry> fresh;
    for (;;) {
        for (const entry* e = first; e != searched; e = e->next)
            if (e->code.hash == hash && std::equal(e->steps.begin(), e->steps.end(), steps.begin(), steps.end())) return *e;
        searched = first;
        if (!fresh) fresh = make_entry(steps, hash);
        fresh->next = first;
        if (list.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
    }
}

}  // namespace frit::v0::detail

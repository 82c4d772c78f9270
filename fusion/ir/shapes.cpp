// The table behind intern(): a hash set of node-stable shapes under a shared lock; lookups of known shapes only share it.
#include "fusion/ir/shapes.hpp"

#include <mutex>
#include <new>
#include <shared_mutex>
#include <unordered_set>

namespace frit::inline v0::fusion {
namespace {

struct shape_hash {
    std::size_t operator()(const shape& s) const noexcept {
        std::uint64_t h = 0xcbf29ce484222325ull ^ static_cast<std::uint64_t>(s.rank());
        for (std::int64_t e : s) h = (h ^ static_cast<std::uint64_t>(e)) * 0x100000001b3ull ^ (h >> 29);
        return h;
    }
};

struct shape_table {
    std::shared_mutex lock;
    std::unordered_set<shape, shape_hash> shapes;
};

shape_table& table() {
    static shape_table* t = new shape_table;  // never destroyed: arrays may outlive static destruction
    return *t;
}

}  // namespace

const shape* intern(const shape& s) {
    shape_table& t = table();
    {
        std::shared_lock guard(t.lock);
        if (auto it = t.shapes.find(s); it != t.shapes.end()) return &*it;
    }
    std::unique_lock guard(t.lock);
    return &*t.shapes.insert(s).first;
}

void lock_shapes_for_fork() { table().lock.lock(); }
void unlock_shapes_after_fork(bool child) {
    if (child)
        new (&table().lock) std::shared_mutex;  // a reader-writer lock knows its writer by the parent's thread number
    else
        table().lock.unlock();
}

}  // namespace frit::v0::fusion

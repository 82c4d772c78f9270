// The table behind intern(): a hash set of node-stable shapes under a shared lock. Nothing leaves it, so that a thread may
// remember what it has found, and takes the lock only for shapes that it has not met lately.
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
    static thread_local const shape* recent[64];
    const shape*& last = recent[shape_hash()(s) % std::size(recent)];
    if (last && *last == s) return last;
    shape_table& t = table();
    {
        std::shared_lock guard(t.lock);
        if (auto it = t.shapes.find(s); it != t.shapes.end()) return last = &*it;
    }
    std::unique_lock guard(t.lock);
    return last = &*t.shapes.insert(s).first;
}

const shape* intern_possible(std::span<const std::int64_t> extents) {
    if (!shape::possible(extents.data(), static_cast<int>(extents.size()))) return nullptr;
    return intern(shape(extents, detail::unknown_line));
}

void lock_shapes_for_fork() { table().lock.lock(); }
void unlock_shapes_after_fork(bool child) {
    if (child)
        new (&table().lock) std::shared_mutex;  // a reader-writer lock knows its writer by the parent's thread number
    else
        table().lock.unlock();
}

}  // namespace frit::v0::fusion

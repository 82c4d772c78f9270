// The list of mirrors and its bound: see mirror.hpp. Mirrors are let go outside of the lock, as that may end a node.
#include "src/graph/mirror.hpp"

#include <cstddef>
#include <list>
#include <mutex>
#include <new>
#include <unordered_map>

#include "src/memory/spare.hpp"

namespace frit::inline v0::detail {
namespace {

struct mirror {
    node* of;
    handle_ref host;
};
using mirror_list = std::list<mirror>;

struct mirrors {
    std::mutex lock;
    mirror_list all;  // the last read first
    std::unordered_map<const node*, mirror_list::iterator> places;
    std::size_t bytes = 0;

    void take_out(mirror_list::iterator m, mirror_list& gone) noexcept {
        bytes -= m->of->bytes();
        m->of->mirrored.store(false, std::memory_order_relaxed);
        places.erase(m->of);
        gone.splice(gone.end(), all, m);
    }
};
mirrors& kept() noexcept {  // never destroyed, as all singletons; asked for where there is no memory
    alignas(mirrors) static std::byte room[sizeof(mirrors)];
    static auto* const m = new (room) mirrors;
    return *m;
}

}  // namespace

handle_ref find_mirror(const node& n) {
    if (!n.mirrored.load(std::memory_order_acquire)) return {};
    mirrors& m = kept();
    const std::lock_guard guard(m.lock);
    const auto at = m.places.find(&n);
    if (at == m.places.end()) return {};
    m.all.splice(m.all.begin(), m.all, at->second);
    return at->second->host;
}

void keep_mirror(node& n, const handle_ref& host) {
    if (n.bytes() > mirror_limit) return;
    mirror_list gone, fresh;
    fresh.push_back({&n, host});
    mirrors& m = kept();
    const std::lock_guard guard(m.lock);
    if (!n.memory->owner || n.memory->exports.load(std::memory_order_relaxed) > 0) return;
    if (!m.places.emplace(&n, fresh.begin()).second) return;  // another thread was quicker
    spare_memory.store(&forget_mirrors, std::memory_order_release);
    m.all.splice(m.all.begin(), fresh);
    m.bytes += n.bytes();
    n.mirrored.store(true, std::memory_order_release);
    while (m.bytes > mirror_limit) m.take_out(std::prev(m.all.end()), gone);
}

void forget_mirror(node& n) noexcept {
    if (!n.mirrored.load(std::memory_order_acquire)) return;
    mirror_list gone;
    mirrors& m = kept();
    const std::lock_guard guard(m.lock);
    if (const auto at = m.places.find(&n); at != m.places.end()) m.take_out(at->second, gone);
}

void forget_mirrors_of(const buffer& memory) noexcept {
    mirror_list gone;
    mirrors& m = kept();
    const std::lock_guard guard(m.lock);
    for (auto at = m.all.begin(); at != m.all.end();) {
        const auto here = at++;
        if (here->of->memory.get() == &memory || as_node(here->host.get())->memory.get() == &memory) m.take_out(here, gone);
    }
}

bool forget_mirrors() noexcept {
    mirror_list gone;
    mirrors& m = kept();
    const std::lock_guard guard(m.lock);
    while (!m.all.empty()) m.take_out(m.all.begin(), gone);
    return !gone.empty();
}

void lock_mirrors_for_fork() { kept().lock.lock(); }
void unlock_mirrors_after_fork() { kept().lock.unlock(); }

}  // namespace frit::v0::detail

// A set that only grows, without a lock: fork() may come at any time, and what was found stays where it is for ever.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace frit::inline v0::detail {

/// Entry has a member `const Entry* next`. A constant of a file: constinit, never destroyed.
template <class Entry, std::size_t Lists>
class grow_only_set {
public:
    /// The entry of this hash that matches, or the one that `make` makes, as a std::unique_ptr<Entry>.
    template <class Matches, class Make>
    const Entry& find_or_add(std::uint64_t hash, const Matches& matches, const Make& make) {
        std::atomic<const Entry*>& list = lists_[(hash ^ hash >> 32) % Lists];
        const Entry* first = list.load(std::memory_order_acquire);
        const Entry* searched = nullptr;
        std::unique_ptr<Entry> fresh;
        for (;;) {
            for (const Entry* e = first; e != searched; e = e->next)
                if (matches(*e)) return *e;
            searched = first;
            if (!fresh) fresh = make();
            fresh->next = first;
            if (list.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
        }
    }

private:
    std::array<std::atomic<const Entry*>, Lists> lists_ = {};
};

}  // namespace frit::v0::detail

// What an evaluation stores beside what it is asked for is learnt. At first that is nothing: an array that a user holds may
// never be wanted. Where it is wanted, it is computed a second time, and stored then; and the statement whose evaluation
// passed it by stores it from then on, until more that were stored so have died unread than were read (the last one of every
// loop dies unread). Products are left out (expand.cpp): a later sum would
// round them otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_map>

namespace frit::inline v0::detail {

struct node;

/// What is known of one statement's arrays in evaluations that another statement asked for.
class lesson {
public:
    bool store() const noexcept { return wanted_.load(std::memory_order_relaxed) && !in_vain(); }
    bool in_vain() const noexcept { return unread_.load(std::memory_order_relaxed) > read_.load(std::memory_order_relaxed); }
    /// What was passed by had to be computed again.
    void was_wanted() noexcept { wanted_.store(true, std::memory_order_relaxed); }
    /// What was stored has been read. That counts for a while only: programs change.
    void was_read() noexcept {
        constexpr std::uint64_t most_ahead = 4;
        if (read_.load(std::memory_order_relaxed) < unread_.load(std::memory_order_relaxed) + most_ahead)
            read_.fetch_add(1, std::memory_order_relaxed);
    }
    /// What was stored died unread. Once that is the rule it stays so: nothing shall be stored and dropped in turns.
    void was_in_vain() noexcept { unread_.fetch_add(1, std::memory_order_relaxed); }

private:
    std::atomic<bool> wanted_{false};
    std::atomic<std::uint64_t> read_{0}, unread_{0};
};

/// A context's lessons, by the two statements' programs and lines. They stay where they are: nodes point at them.
class lessons {
public:
    /// Under the context's lock.
    lesson& of(const node& asked, const node& passed);

private:
    static constexpr std::size_t most = 1 << 16;
    std::unordered_map<std::uint64_t, lesson> all_;
    lesson of_the_rest_;
};

}  // namespace frit::v0::detail

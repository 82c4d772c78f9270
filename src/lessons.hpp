// What an evaluation stores beside what it is asked for is learnt. At first that is nothing: an array that a user holds may
// never be wanted. Where it is wanted, it is computed a second time, and stored then; and the statement whose evaluation
// passed it by stores it from then on, until one that was stored so dies unread. Products are left out (expand.cpp): values
// do not depend on lessons.
#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_map>

namespace frit::inline v0::detail {

struct node;

/// What is known of one statement's arrays in evaluations that another statement asked for.
class lesson {
public:
    bool store() const noexcept { return now_.load(std::memory_order_relaxed) == state::wanted; }
    bool in_vain() const noexcept { return now_.load(std::memory_order_relaxed) == state::in_vain; }
    /// What was passed by had to be computed again.
    void was_wanted() noexcept {
        state expected = state::unknown;
        now_.compare_exchange_strong(expected, state::wanted, std::memory_order_relaxed);
    }
    /// What was stored died unread. For good: nothing shall be stored and dropped in turns.
    void was_in_vain() noexcept { now_.store(state::in_vain, std::memory_order_relaxed); }

private:
    enum class state : std::uint8_t { unknown, wanted, in_vain };
    std::atomic<state> now_{state::unknown};
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

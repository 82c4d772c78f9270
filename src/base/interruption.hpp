// How an evaluation learns that somebody has called interrupt(): calls are counted, and an evaluation ends when there have
// been more of them than when it began. So a call reaches all that runs, needs no list of it, and nothing has to be taken
// back afterwards. Here, below all rooms that look: loops of kernels, launches, plans.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "frit/interrupt.hpp"

namespace frit::inline v0::detail {

/// What there was before an evaluation began. Generated code reads it (word 1 of a launch on the CPU, see
/// fusion/ir/kernel_spec.hpp).
struct interruption {
    const std::atomic<std::uint64_t>* state;  ///< the number of calls in the upper half, of running evaluations in the lower
    std::uint64_t calls_before;

    bool is_asked_for() const noexcept { return state->load(std::memory_order_relaxed) >> 32 != calls_before; }
    /// Of the evaluation that this thread is in; outside of any, of one that begins now.
    static interruption of_this_thread() noexcept;
};

/// interrupted. @param formula  what was computed, and where that was written
[[noreturn]] void throw_interrupted(std::string_view formula);

/// While one lives, this thread is in an evaluation. One in the midst of another (of a program's own kernel) is a part of
/// it.
class running_evaluation {
public:
    running_evaluation() noexcept;
    ~running_evaluation();
    running_evaluation(const running_evaluation&) = delete;
    running_evaluation& operator=(const running_evaluation&) = delete;
};

/// In the child of a fork(), where no other thread is.
void forget_other_evaluations() noexcept;

}  // namespace frit::v0::detail

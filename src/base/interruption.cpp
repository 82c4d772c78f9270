// See interruption.hpp.
#include "src/base/interruption.hpp"

#include <string>

namespace frit::inline v0 {
namespace detail {
namespace {

// Both in one word: a call knows which evaluations it has met, and each of them knows that it was.
constinit std::atomic<std::uint64_t> calls_and_running{0};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "a signal handler takes no lock");
constexpr std::uint64_t one_call = std::uint64_t{1} << 32, running_mask = one_call - 1;

struct evaluations_of_thread {
    unsigned depth = 0;
    std::uint64_t calls_before = 0;
};
constinit thread_local evaluations_of_thread on_this_thread;

}  // namespace

interruption interruption::of_this_thread() noexcept {
    const bool runs = on_this_thread.depth > 0;
    return {&calls_and_running,
            runs ? on_this_thread.calls_before : calls_and_running.load(std::memory_order_relaxed) >> 32};
}

void throw_interrupted(std::string_view formula) { throw interrupted(std::string(formula) + ": interrupted"); }

running_evaluation::running_evaluation() noexcept {
    if (on_this_thread.depth++ == 0)
        on_this_thread.calls_before = calls_and_running.fetch_add(1, std::memory_order_relaxed) >> 32;
}
running_evaluation::~running_evaluation() {
    if (--on_this_thread.depth == 0) calls_and_running.fetch_sub(1, std::memory_order_relaxed);
}

void forget_other_evaluations() noexcept {
    const std::uint64_t own = on_this_thread.depth > 0;
    calls_and_running.fetch_sub((calls_and_running.load() & running_mask) - own);
}

}  // namespace detail

bool interrupt() noexcept {
    using namespace detail;
    return (calls_and_running.fetch_add(one_call, std::memory_order_relaxed) & running_mask) != 0;
}

}  // namespace frit::v0

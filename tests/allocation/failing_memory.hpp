// Memory that runs out where a test wants it: every allocation of the process goes through counted replacements of operator
// new and malloc, which refuse the k-th, or all from the k-th on. Only what the library asks for is counted: what frit's own
// threads do, and what a thread of the test does inside of frit_call.
#pragma once

#include <cstdint>

namespace frit_test {

enum class refusing : std::uint8_t { one, all_from_there };

/// From now on the k-th allocation is refused (counted from 1); 0: none, they are only counted.
void refuse_memory(std::int64_t k, refusing what) noexcept;
/// Every allocation is granted again. Returns how many were counted.
std::int64_t grant_memory() noexcept;

/// Marks this thread as the test's: what it allocates is not frit's.
void thread_of_the_test() noexcept;

/// While one lives, this thread is inside of frit.
class inside_frit {
public:
    inside_frit() noexcept;
    inside_frit(const inside_frit&) = delete;
    inside_frit& operator=(const inside_frit&) = delete;
    ~inside_frit();
};

/// While one lives, memory is granted whatever was refused before: for looking at what a failure has left.
class memory_granted {
public:
    memory_granted() noexcept;
    memory_granted(const memory_granted&) = delete;
    memory_granted& operator=(const memory_granted&) = delete;
    ~memory_granted();
};

/// A call of frit: f's result.
template <class F>
decltype(auto) frit_call(F&& f) {
    const inside_frit here;
    return f();
}

/// While set, no thread can be started: pthread_create says EAGAIN.
void refuse_threads(bool refuse) noexcept;

}  // namespace frit_test

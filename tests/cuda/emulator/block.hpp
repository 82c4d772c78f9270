// One block of an emulated launch. Every thread is a fiber, on a stack of its own; a fiber runs until it waits at a barrier
// or for its warp, then another one goes on: in the threads' order, or in a random one that a seed gives. Threads that wait
// for each other in vain are found when nobody is left to go on.
#pragma once

#include <ucontext.h>

#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/cuda/emulator/library.hpp"
#include "tests/cuda/emulator/memory.hpp"

namespace frit_test {

/// Something that a kernel must not do.
struct emulation_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class emulated_block {
public:
    emulated_block();
    emulated_block(const emulated_block&) = delete;
    emulated_block& operator=(const emulated_block&) = delete;
    ~emulated_block();

    /// The functions that libraries call: they find the block that runs on this thread of the host.
    static const emulated_calls& calls();

    /// @param seed of the order in which threads go on, 0: the threads' own
    /// @throws emulation_error
    void run(emulated_library&, emulated_entry*, const void* words, emulated_index block_dim, emulated_index block,
             memory_watch&, unsigned seed);

private:
    struct fiber {
        ucontext_t context;
        char* stack = nullptr;
        bool started = false;
    };
    enum class state { ready, at_barrier, in_exchange, done };
    struct thread {
        state is = state::ready;
        fiber* runs_on = nullptr;
        const char* what = nullptr;  // it waits in, and on which line
        int line = 0;
        int predicate = 0;
        unsigned result = 0;
        emulated_exchange* exchange = nullptr;
    };

    static void start_fiber();
    void live(fiber&);
    void go_on(ucontext_t& from);  ///< with whoever is next; returns when it is this one's turn
    void wait();
    void make_ready(unsigned thread);
    void open_barrier();
    void open_exchange(unsigned warp, unsigned mask);
    unsigned living_lanes(unsigned warp) const;
    void finish(fiber&);
    void fail(const std::string& what);  ///< the next wait() is for good: nothing of the fiber's may be left to destroy
    std::string in_vain() const;
    fiber* free_fiber();
    bool on_stack(const char* p) const { return p >= stacks_ && p < stacks_ + stack_bytes * most_threads; }

    static constexpr std::size_t stack_bytes = 1 << 17, most_threads = 1024;

    char* stacks_;
    std::vector<std::unique_ptr<fiber>> fibers_;
    std::vector<fiber*> free_;
    ucontext_t main_;

    emulated_library* library_ = nullptr;
    emulated_entry* entry_ = nullptr;
    const void* words_ = nullptr;
    memory_watch* memory_ = nullptr;
    emulated_index block_dim_{};
    std::vector<thread> threads_;
    std::vector<unsigned> ready_;
    std::size_t next_ready_ = 0;
    unsigned current_ = 0, living_ = 0, at_barrier_ = 0;
    bool shuffled_ = false;
    std::minstd_rand random_;
    std::string error_;
};

}  // namespace frit_test

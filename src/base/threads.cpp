// The workers' side of thread_pool. A job is open or closed; a worker that comes late finds it closed and leaves, so a
// sleeping worker never delays the caller.
#include "src/base/threads.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>

#include "src/base/env.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::chrono::microseconds spin_time{50};

inline void pause() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace

int usable_processors() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    const unsigned n = std::thread::hardware_concurrency();
    return n ? static_cast<int>(n) : 1;
}

struct thread_pool::state {
    alignas(64) std::atomic<std::uint32_t> generation{0};  // of jobs; workers wait for it to change
    std::atomic<int> sleeping{0};
    alignas(64) std::atomic<bool> open{false};
    std::atomic<int> inside{0};  // workers that may look at the job
    alignas(64) std::atomic<std::int64_t> next{0};
    std::int64_t tasks = 0;
    void (*f)(void*, std::int64_t) = nullptr;
    void* context = nullptr;
    bool (*ready)(void*) = nullptr;
    std::mutex one_job;
    std::atomic<int> workers{0};  // started so far
    std::atomic<int> allowed{0};  // workers that take part
    std::atomic<bool> forked{false};

    void take_tasks() noexcept {
        for (std::int64_t k; (k = next.fetch_add(1, std::memory_order_relaxed)) < tasks;) f(context, k);
    }

    // `open` and `inside` form a lock of two sides: the worker announces itself, then looks; the caller closes, then
    // looks. With sequential consistency at least one of them sees the other.
    void join_job(int index) noexcept {
        inside.fetch_add(1);
        if (open.load() && index < allowed.load(std::memory_order_relaxed) && (!ready || ready(context))) take_tasks();
        inside.fetch_sub(1);
    }

    void work(int index) {
        std::uint32_t seen = 0;
        for (;;) {
            auto until = std::chrono::steady_clock::now() + spin_time;
            while (generation.load(std::memory_order_acquire) == seen) {
                for (int k = 0; k < 64 && generation.load(std::memory_order_relaxed) == seen; ++k) pause();
                if (generation.load(std::memory_order_relaxed) != seen || std::chrono::steady_clock::now() < until) continue;
                sleeping.fetch_add(1);
                generation.wait(seen);
                sleeping.fetch_sub(1);
            }
            seen = generation.load(std::memory_order_acquire);
            join_job(index);
        }
    }
};

thread_pool& thread_pool::instance() {
    static thread_pool* const pool = [] {
        const int wanted = env().threads;
        static state* shared;
        auto s = std::make_unique<state>();
        std::unique_ptr<thread_pool> p(new thread_pool(s.get()));
        p->resize(wanted > 0 ? wanted : usable_processors());
        // last: the handler is for ever
        if (pthread_atfork(nullptr, nullptr, [] { shared->forked.store(true); }) != 0) throw std::bad_alloc();
        shared = s.release();
        return p.release();
    }();
    return *pool;
}

void thread_pool::resize(int threads) {
    const std::lock_guard lock(state_->one_job);
    size_.store(threads < 1 ? 1 : threads > most_threads ? most_threads : threads);
    state_->allowed.store(size() - 1);
}

void thread_pool::start_workers() noexcept {
    for (; state_->workers < size() - 1; ++state_->workers) {
        try {
            std::thread(&state::work, state_, state_->workers.load()).detach();
        } catch (const std::system_error&) {  // the process may start no more: go on with those there are
            size_.store(state_->workers + 1);
            return;
        } catch (const std::bad_alloc&) {  // for now; the next job tries again
            return;
        }
    }
}

std::thread thread_without_signals(std::function<void()> f) {
    struct masked {
        sigset_t before;
        masked() {
            sigset_t all;
            sigfillset(&all);
            pthread_sigmask(SIG_SETMASK, &all, &before);
        }
        ~masked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    };
    const masked now;  // a thread begins with the mask of who starts it
    return std::thread(std::move(f));
}

bool thread_pool::awake() const noexcept {
    return state_->sleeping.load(std::memory_order_relaxed) < state_->workers.load(std::memory_order_relaxed);
}

void thread_pool::run(std::int64_t tasks, void (*f)(void*, std::int64_t), void* context, bool (*ready)(void*)) noexcept {
    state& s = *state_;
    const bool alone = size() == 1 || tasks < 2 || s.forked.load(std::memory_order_relaxed) || !s.one_job.try_lock();
    if (alone) {
        for (std::int64_t k = 0; k < tasks; ++k) f(context, k);
        return;
    }
    start_workers();
    s.f = f;
    s.context = context;
    s.ready = ready;
    s.tasks = tasks;
    s.next.store(0, std::memory_order_relaxed);
    s.open.store(true);
    s.generation.fetch_add(1);
    if (s.sleeping.load() > 0) s.generation.notify_all();
    s.take_tasks();
    s.open.store(false);
    while (s.inside.load() != 0) pause();
    s.one_job.unlock();
}

void copy_in_parallel(void* to, const void* from, std::size_t bytes) {
    static constexpr std::size_t piece = std::size_t{1} << 20;
    struct job {
        char* to;
        const char* from;
        std::size_t bytes;
    } whole{static_cast<char*>(to), static_cast<const char*>(from), bytes};
    thread_pool::instance().run(
        static_cast<std::int64_t>((bytes + piece - 1) / piece),
        [](void* context, std::int64_t k) {
            const job& j = *static_cast<const job*>(context);
            const std::size_t at = static_cast<std::size_t>(k) * piece;
            std::memcpy(j.to + at, j.from + at, std::min(piece, j.bytes - at));
        },
        &whole);
}

}  // namespace frit::v0::detail

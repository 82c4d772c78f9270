// A small pool of worker threads for one parallel loop at a time. Workers spin for about 50 us after a job, because array
// programs start kernels in quick succession and waking a sleeper costs 20 us, then they sleep.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>

#include "frit/config.hpp"
#include "fusion/machine/cost_model.hpp"

namespace frit::inline v0::detail {

/// Hardware threads that the process may run on.
int usable_processors();

class thread_pool {
public:
    /// The process's pool. Never destroyed: its threads may outlive main.
    static thread_pool& instance();

    /// How many threads a job may use, the caller's included: FRIT_NUM_THREADS, else what the machine gives the process.
    int size() const noexcept { return size_.load(std::memory_order_relaxed); }
    /// For tests: also more than the machine has.
    void resize(int threads);
    /// Whether workers are spinning, so that a job starts at once.
    bool awake() const noexcept;

    /// Calls f(context, k) for every k in [0, tasks), by this thread and the workers, and returns when all are done.
    /// While another thread's job runs, and in a forked child, this thread does all of it. f must not throw. A worker for
    /// which `ready(context)` is false (it finds no memory, say) leaves the job to the others; this thread is not asked.
    void run(std::int64_t tasks, void (*f)(void* context, std::int64_t task), void* context,
             bool (*ready)(void* context) = nullptr) noexcept;

private:
    struct state;
    explicit thread_pool(state* s) noexcept : state_(s) {}
    void start_workers() noexcept;  // at the first job that needs them
    state* state_;
    std::atomic<int> size_{1};
};

/// Whether so much work on one thread is worth a second one.
inline bool worth_threads(double nanoseconds) {
    const thread_pool& pool = thread_pool::instance();
    return fusion::worth_tasks(nanoseconds, pool.size(), pool.awake()) > 1;
}

/// A thread that gets no signals: those are for the program's own. @throws std::bad_alloc, std::system_error
std::thread thread_without_signals(std::function<void()>);

/// Calls f(k) for every k in [0, tasks): by the pool where that is worth it, else by this thread. f must not throw.
template <class F>
void parallel(std::int64_t tasks, bool worth_it, F f) {
    if (worth_it)
        return thread_pool::instance().run(
            tasks, [](void* context, std::int64_t k) { (*static_cast<F*>(context))(k); }, &f);
    for (std::int64_t k = 0; k < tasks; ++k) f(k);
}

/// std::memcpy by the pool's threads: one core alone does not fill a memory bus.
void copy_in_parallel(void* to, const void* from, std::size_t bytes);

}  // namespace frit::v0::detail

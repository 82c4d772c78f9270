// See loading.hpp.
#include "src/graph/loading.hpp"

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "src/base/threads.hpp"
#include "src/libraries/libraries.hpp"
#include "src/libraries/products.hpp"

namespace frit::inline v0::detail {
namespace {

bool is_gpu(const backend& engine) { return engine.target().device == fusion::target::kind::cuda; }

/// What is wrong with a library is told to who asks for it.
template <class F>
void try_to(F load) noexcept {
    try {
        load();
    } catch (...) {
    }
}

/// A thread, or none where there is no memory or no room for one.
template <class F>
std::thread thread_if_possible(F f) noexcept {
    try {
        return thread_without_signals(std::move(f));
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
    return {};
}

}  // namespace

loading_aside::loading_aside(backend& engine, const fusion::execution_plan& plan) {
    if (!is_gpu(engine) || running_plan::any()) return;
    std::vector<const fusion::library_call*> calls;
    for (const fusion::launch& l : plan.launches)
        if (l.call) calls.push_back(&*l.call);
    if (calls.empty() || calls.size() == plan.launches.size()) return;
    thread_ = thread_if_possible([&engine, all = std::move(calls)] {
        for (const fusion::library_call* c : all) try_to([&] { engine.require(*c); });
    });
}

bool loading_aside::end() noexcept {
    if (!thread_.joinable()) return false;
    thread_.join();
    return true;
}

namespace {

/// The one thread, and the process that has it: a child made by fork() has not.
struct early_thread {
    std::atomic<bool> begun{false};
    std::thread thread;
    pid_t process = 0;
};
early_thread& early() noexcept {
    alignas(early_thread) static std::byte room[sizeof(early_thread)];  // never destroyed, as all singletons
    static auto* const one = new (room) early_thread;
    return *one;
}

void wait_for_early_thread() {
    if (early().process == ::getpid() && early().thread.joinable()) early().thread.join();
}

/// For fork(), what runs while one lives is a plan of this context.
class as_a_plan {
public:
    explicit as_a_plan(context& home) : home_(home) {
        const std::lock_guard guard(home_.lock);
        ++home_.executing;
    }
    ~as_a_plan() {
        const std::lock_guard guard(home_.lock);
        --home_.executing;
        home_.landed.notify_all();
    }
    as_a_plan(const as_a_plan&) = delete;
    as_a_plan& operator=(const as_a_plan&) = delete;

private:
    context& home_;
};

}  // namespace

void load_early(context& home, const recorded_product& p) noexcept {
    if (!is_gpu(home.engine) || early().begun.load(std::memory_order_relaxed)) return;
    if (running_plan::any() || is_kernel(*p.a, *p.b, p.type, home.engine.target()) || early().begun.exchange(true)) return;
    if (std::atexit(wait_for_early_thread) != 0) return;
    early().process = ::getpid();
    early().thread = thread_if_possible([&home, a = *p.a, b = *p.b, type = p.type] {
        const as_a_plan seen(home);
        const running_plan own(home);  // a driver may fork: then it does not wait for itself
        try_to([&] {
            home.engine.require({.of = &routine_of(op::matmul),
                                 .operands = {{type, a, fusion::row_major(a)}, {type, b, fusion::row_major(b)}}});
        });
    });
}

}  // namespace frit::v0::detail

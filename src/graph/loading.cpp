// See loading.hpp.
#include "src/graph/loading.hpp"

#include <atomic>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "src/base/threads.hpp"
#include "src/graph/region.hpp"
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

/// The one thread that loads early. For fork() it is a plan of its context that runs.
class early_thread {
public:
    bool is_claimed() const noexcept { return claimed_.load(std::memory_order_relaxed); }
    /// @returns whether there has been none, and so this is the one
    bool claim() noexcept { return !claimed_.exchange(true); }
    template <class F>
    void start(context& home, F f) {
        {
            const std::lock_guard guard(home.lock);
            ++home.executing;
        }
        home_ = &home;
        std::thread made = thread_if_possible([this, &home, f = std::move(f)] {
            const running_plan own(home);  // a driver may fork: then it does not wait for itself
            try_to(f);
            end();
        });
        if (made.joinable())
            made.detach();
        else
            end();
    }
    void wait() {
        std::unique_lock lock(home_->lock);
        home_->landed.wait(lock, [this] { return ended_; });
    }

private:
    void end() {
        const std::lock_guard guard(home_->lock);
        --home_->executing;
        ended_ = true;
        home_->landed.notify_all();
    }

    std::atomic<bool> claimed_{false};
    context* home_ = nullptr;
    bool ended_ = false;  // under the context's lock
};
constinit early_thread early;

/// At a thread's end, which for main's comes before anything that the program has is destroyed: what a library has might be
/// destroyed while it is made.
struct waiting_for_early {
    ~waiting_for_early() { early.wait(); }
};

}  // namespace

void load_early(context& home, const recorded_product& p) {
    if (early.is_claimed() || is_tracing() || !is_gpu(home.engine) || running_plan::any()) return;
    if (is_kernel(*p.a, *p.b, p.type, home.engine.target()) || !early.claim()) return;
    early.start(home, [&home, a = *p.a, b = *p.b, type = p.type] {
        home.engine.require(
            {.of = &routine_of(op::matmul), .operands = {{type, a, fusion::row_major(a)}, {type, b, fusion::row_major(b)}}});
    });
    static thread_local const waiting_for_early at_the_end;
    (void)at_the_end;
}

}  // namespace frit::v0::detail

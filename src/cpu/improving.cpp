// One thread for all that compiles in the background, started when it is first needed. At the process's end what compiles is
// waited for, for a while, since the next process finds it on disk; what has only been asked for is dropped.
#include "src/cpu/improving.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <new>
#include <utility>

#include "frit/error.hpp"
#include "src/base/log.hpp"
#include "src/base/subprocess.hpp"
#include "src/base/threads.hpp"

namespace frit::inline v0::detail {
namespace {

// How long the end of the process waits for what compiles: the next process would find it on disk.
constexpr std::chrono::seconds at_the_end{5};

// A line of fewer elements costs compiled code what so many do, and its start; the interpreter takes many such lines at
// once.
constexpr std::int64_t short_line = 8;
constexpr double start_of_line = 3;  // nanoseconds

class improving_kernel;

class background {
public:
    static background& instance() {
        static auto* const b = new background;  // never destroyed: its thread may still wait while the process ends
        return *b;
    }
    /// @throws std::bad_alloc, std::system_error: then nothing has been asked for
    void ask(std::shared_ptr<const improving_kernel> k) {
        const std::lock_guard guard(lock_);
        if (ended_ || hopeless_) return;
        start();
        waiting_.push_back(std::move(k));
        changed_.notify_all();
    }
    void wait() noexcept {
        std::unique_lock held(lock_);
        changed_.wait(held, [&] { return !busy_ && waiting_.empty(); });
    }
    void end() noexcept {
        std::unique_lock held(lock_);
        ended_ = true;
        waiting_.clear();
        const auto idle = [&] { return !busy_; };
        if (changed_.wait_for(held, at_the_end, idle)) return;
        end_background_programs();
        changed_.wait_for(held, at_the_end, idle);
    }
    void lock_for_fork() { lock_.lock(); }
    void unlock_after_fork(bool child) {
        if (child) {  // without the thread, and what it was making or was to make
            new (&changed_) std::condition_variable;
            waiting_.clear();
            running_ = busy_ = false;
        }
        lock_.unlock();
    }

private:
    void start() {
        if (running_) return;
        static const bool told = [] { return std::atexit([] { instance().end(); }) == 0; }();
        if (!told) return;
        thread_without_signals([this] { run(); }).detach();
        running_ = true;
    }
    void run() noexcept;

    std::mutex lock_;
    std::condition_variable changed_;
    std::deque<std::shared_ptr<const improving_kernel>> waiting_;
    bool running_ = false, busy_ = false, ended_ = false;
    bool hopeless_ = false;  // the compiler has failed, or took too long: it is not asked again
};

class improving_kernel final : public cpu_kernel, public std::enable_shared_from_this<improving_kernel> {
public:
    improving_kernel(std::shared_ptr<cpu_kernel> interpreted, double compiled, kernel_source source,
                     std::span<const improvement> ways)
        : interpreted_(std::move(interpreted)), compiled_nanoseconds_(compiled), source_(std::move(source)), ways_(ways) {}

    const cpu_kernel& for_launch(std::int64_t elements, std::int64_t line) const noexcept override {
        const cpu_kernel* const k = compiled_now_.load(std::memory_order_acquire);
        if (k && line >= short_line) return *k;
        const double lost_per_element = std::max(interpreted_->nanoseconds_found() - compiled_nanoseconds(line), 0.0);
        if (k) return lost_per_element > 0 ? *k : *interpreted_;
        const double lost = lost_.load(std::memory_order_relaxed) + static_cast<double>(elements) * lost_per_element;
        lost_.store(lost, std::memory_order_relaxed);  // a launch that another thread's overwrites does not matter
        std::size_t way = next_.load(std::memory_order_relaxed);
        if (way < ways_.size() && lost >= ways_[way].worth && next_.compare_exchange_strong(way, none)) {
            tried_ = way;
            try {
                background::instance().ask(shared_from_this());
            } catch (...) {  // no thread, no memory: the interpreter stays
            }
        }
        return *interpreted_;
    }

    /// What the background's thread does. @returns whether it is worth going on, with others
    bool improve() const noexcept try {
        const std::size_t way = tried_;
        if (std::shared_ptr<cpu_kernel> k = ways_[way].make(source_)) {
            source_.drop_texts();
            compiled_ = std::move(k);
            compiled_now_.store(compiled_.get(), std::memory_order_release);
        } else {
            if (way + 1 == ways_.size()) source_.drop_texts();
            next_.store(way + 1);
        }
        return true;
    } catch (const std::exception& e) {
        source_.drop_texts();
        try {
            if (log_enabled(log_channel::codegen))
                log(log_channel::codegen, std::string("cpu: stays interpreted: ") + e.what());
        } catch (...) {
        }
        return dynamic_cast<const compile_error*>(&e) == nullptr;
    }

    std::string source() const override { return interpreted_->source(); }
    void reserve(const std::uint64_t* words, std::int64_t rows) const override {
        interpreted_->reserve(words, rows);
        if (const cpu_kernel* k = compiled_now_.load(std::memory_order_acquire)) k->reserve(words, rows);
    }

private:
    /// Per element.
    double compiled_nanoseconds(std::int64_t line) const noexcept {
        if (line >= short_line || line == 0) return compiled_nanoseconds_;
        return (compiled_nanoseconds_ * static_cast<double>(short_line) + start_of_line) / static_cast<double>(line);
    }

    static constexpr std::size_t none = ~std::size_t{0};
    const std::shared_ptr<cpu_kernel> interpreted_;
    const double compiled_nanoseconds_;  ///< per element of long lines
    mutable kernel_source source_;       // the background's thread's
    const std::span<const improvement> ways_;
    mutable std::atomic<double> lost_{0};
    mutable std::atomic<std::size_t> next_{0};      // none: one is being tried, or was the last
    mutable std::size_t tried_ = 0;                 // written by who asks, read behind the lock of what is asked
    mutable std::shared_ptr<cpu_kernel> compiled_;  // written once, before compiled_now_
    mutable std::atomic<const cpu_kernel*> compiled_now_{nullptr};
};

void background::run() noexcept {
    std::unique_lock held(lock_);
    run_in_background();
    for (;;) {
        changed_.wait(held, [&] { return !waiting_.empty(); });
        busy_ = true;
        std::shared_ptr<const improving_kernel> k = std::move(waiting_.front());
        waiting_.pop_front();
        held.unlock();
        const bool good = k->improve();
        k.reset();
        held.lock();
        busy_ = false;
        if (!good) {
            hopeless_ = true;
            waiting_.clear();
        }
        changed_.notify_all();
    }
}

}  // namespace

std::shared_ptr<cpu_kernel> make_improving(std::shared_ptr<cpu_kernel> interpreted, double compiled_nanoseconds,
                                           kernel_source source, std::span<const improvement> ways) {
    return std::make_shared<improving_kernel>(std::move(interpreted), compiled_nanoseconds, std::move(source), ways);
}

void wait_for_background() noexcept { background::instance().wait(); }
void lock_background_for_fork() { background::instance().lock_for_fork(); }
void unlock_background_after_fork(bool child) { background::instance().unlock_after_fork(child); }

}  // namespace frit::v0::detail

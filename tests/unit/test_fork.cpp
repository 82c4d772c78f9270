// fork() while other threads evaluate: the child has none of them, and must find no lock held and no node in flight.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <frit/frit.hpp>
#include <frit/host_kernel.hpp>

#include "src/engine/prepare_hook.hpp"

namespace {

/// Shapes that nobody had before make kernels, plans and interned shapes afresh, beside those used again.
bool evaluates_right(std::int64_t n) {
    const frit::array<float> x = frit::arange<float>(0, n);
    const frit::array<float> y = x * 2.0F + 1.0F;
    return frit::sum(y).item() == static_cast<float>(n * n);
}

/// Exit status of a child that does `work`; alarm() ends one that hangs.
template <class F>
int status_of_child(F work) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(work() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

TEST(Fork, WhileOtherThreadsEvaluate) {
    const frit::scoped_device on_cpu(frit::device::cpu());
    std::atomic<bool> stop{false};
    std::atomic<int> wrong{0}, rounds{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&, t] {
            const frit::scoped_device here(frit::device::cpu());
            for (std::int64_t k = 0; !stop; ++k, ++rounds) wrong += !evaluates_right(100 + (k * 3 + t) % 1000);
        });
    while (rounds < 30) std::this_thread::yield();
    for (int k = 0; k < 5; ++k) {
        const int status = status_of_child([] {
            bool right = true;
            for (std::int64_t n = 50; n < 250; ++n) right = right && evaluates_right(n);
            return right;
        });
        EXPECT_EQ(status, 0) << "signal 14: it hung";
    }
    stop = true;
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
}

// The hook holds a thread where its node is in flight and its kernel is being prepared.
std::atomic<bool> hold{false}, held{false};
void hold_here(const frit::fusion::kernel_spec&) {
    held = true;
    while (hold) std::this_thread::yield();
}

TEST(Fork, ANodeInFlightIsPendingInTheChild) {
    const frit::scoped_device on_cpu(frit::device::cpu());
    static int extent = 77;  // another one in every repetition: a plan that is known prepares nothing
    const auto n = static_cast<std::size_t>(extent);
    const frit::array<double> x = frit::full(frit::shape{extent++}, 3.0);
    x.eval();
    frit::array<double> y = frit::floor(x * 1.5) - 0.25;
    hold = true;
    held = false;
    frit::detail::on_prepare = hold_here;
    std::thread other([&] { y.eval(); });
    while (!held) std::this_thread::yield();
    const int status = status_of_child([&] {
        frit::detail::on_prepare = nullptr;
        return y.to_vector() == std::vector<double>(n, 3.75);
    });
    hold = false;
    other.join();
    frit::detail::on_prepare = nullptr;
    EXPECT_EQ(status, 0) << "signal 14: it hung";
    EXPECT_EQ(y.to_vector(), std::vector<double>(n, 3.75));
}

// A program's own function in the midst of a plan: it may evaluate and fork, and others may fork meanwhile.
struct ends_in_time {  // a test that hangs ends the process
    ends_in_time() { alarm(60); }
    ~ends_in_time() { alarm(0); }
};

TEST(Fork, InAFunctionThatAPlanCalls) {
    const ends_in_time soon;
    const frit::scoped_device on_cpu(frit::device::cpu());
    const frit::host_kernel forks("forks", [](std::span<int> y) {
        y[0] = status_of_child([] { return evaluates_right(100) && evaluates_right(333); });
        y[1] = evaluates_right(444);
    });
    frit::array<int> y{7, 7};
    forks.launch(frit::inout(y));
    EXPECT_EQ(y.to_vector(), (std::vector<int>{0, 1}));
    EXPECT_TRUE(evaluates_right(555));
}

TEST(Fork, BesideAFunctionThatEvaluates) {
    const ends_in_time soon;
    const frit::scoped_device on_cpu(frit::device::cpu());
    std::atomic<int> status{-1};
    std::thread other;
    const frit::host_kernel evaluates("evaluates", [&](std::span<int> y) {
        other = std::thread([&] {
            const frit::scoped_device here(frit::device::cpu());
            status = status_of_child([] { return evaluates_right(77); });
        });
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
        std::int64_t n = 100;
        while (std::chrono::steady_clock::now() < end) y[0] += evaluates_right(n++ % 1000);
        y[1] = status;
    });
    frit::array<int> y{0, 0};
    evaluates.launch(frit::inout(y));
    EXPECT_GT(y(0).item(), 1);
    EXPECT_EQ(y(1).item(), -1) << "fork() waits for the plan";
    other.join();
    EXPECT_EQ(status, 0);
}

// The function reads what another thread makes, whose plan comes after a fork() that waits for the function's.
TEST(Fork, BesideAFunctionThatWaitsForAnotherThread) {
    const ends_in_time soon;
    const frit::scoped_device on_cpu(frit::device::cpu());
    static int extent = 333;  // see above
    const auto n = static_cast<std::size_t>(extent);
    const frit::array<double> x = frit::full(frit::shape{extent++}, 3.0);
    x.eval();
    frit::array<double> made = frit::floor(x * 2.5) - 0.25;
    std::atomic<int> status{-1};
    std::vector<double> read;
    std::thread maker, forks, releases;
    const frit::host_kernel waits("waits", [&](std::span<int> y) {
        frit::detail::on_prepare = hold_here;
        maker = std::thread([&] {
            const frit::scoped_device here(frit::device::cpu());
            made.eval();
        });
        while (!held) std::this_thread::yield();
        forks = std::thread([&] {
            const frit::scoped_device here(frit::device::cpu());
            status = status_of_child([] { return evaluates_right(78); });
        });
        releases = std::thread([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));  // until fork() and the function wait
            hold = false;
        });
        read = made.to_vector();
        y[0] = 1;
    });
    frit::array<int> y{0};
    y.eval();
    hold = true;
    held = false;
    waits.launch(frit::inout(y));
    EXPECT_EQ(y.to_vector(), std::vector<int>{1});
    for (std::thread* t : {&maker, &forks, &releases}) t->join();
    frit::detail::on_prepare = nullptr;
    EXPECT_EQ(read, std::vector<double>(n, 6.75));
    EXPECT_EQ(status, 0);
}

}  // namespace

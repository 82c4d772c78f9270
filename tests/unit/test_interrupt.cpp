// interrupt(): loops that nobody waits for end on every engine of the CPU, whoever calls; what they were to make stays a
// formula, and nothing of it reaches a later evaluation. The loops have 2^62 rounds: without it the tests would not end.
#include <gtest/gtest.h>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "frit/aot.hpp"
#include "frit/frit.hpp"
#include "src/base/interruption.hpp"
#include "src/base/stats.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::array;

constexpr const char* spin_text = "while (x0 > 0) { while (x0 > 0) x0 = x0 * .5f + 1; } return x0;";

/// The evaluations run where loops can be interrupted.
void on_each_engine(const std::function<void()>& check) {
    const frit::scoped_device cpu(frit::device::cpu());
    std::vector<frit_test::engine> all = frit_test::engines();
    all.push_back(frit_test::engine::automatic);
    for (const frit_test::engine e : all) {
        SCOPED_TRACE(frit_test::name_of(e));
        const frit_test::with_engine with(e);
        check();
    }
}

/// How many evaluations run.
std::uint64_t running() { return frit::detail::interruption::of_this_thread().state->load() & 0xffffffffU; }

std::uint64_t kernels_begun() {
    return frit::detail::counters_now.kernels_interpreted + frit::detail::counters_now.kernels_compiled;
}

/// Calls f on a thread of its own when so many more kernels have begun, while this thread evaluates.
template <class F>
class when_begun {
public:
    when_begun(std::uint64_t kernels, F f)
        : thread_([this, f, target = kernels_begun() + kernels] {
              while (kernels_begun() < target && !over_) std::this_thread::yield();
              if (!over_) f();
          }) {}
    ~when_begun() {
        over_ = true;
        thread_.join();
    }
    when_begun(const when_begun&) = delete;
    when_begun& operator=(const when_begun&) = delete;

private:
    std::atomic<bool> over_{false};
    std::thread thread_;
};

bool is_formula(const array<float>& y) { return !frit::make_plan(y).kernels().empty(); }

void expect_interrupted(const array<float>& y) {
    const std::uint64_t before = kernels_begun();
    const when_begun impatient(1, [] { EXPECT_TRUE(frit::interrupt()); });
    EXPECT_ERROR(y.eval(), frit::interrupted, "interrupted", "test_interrupt.cpp");
    EXPECT_GT(kernels_begun(), before) << "what is lost throws what it was lost by, and runs nothing";
}

TEST(Interrupt, LoopsOfText) {
    const frit::function<float(float)> spin("spin", spin_text);
    on_each_engine([&] {
        const array<float> few{1, 2, 3}, many = frit::ones<float>({100'000}).eval(), none{0, -1, 0};
        expect_interrupted(array<float>(spin(few)));
        expect_interrupted(array<float>(spin(many)));
        expect_interrupted(array<float>(frit::sum(spin(few) * 2.0F)));
        {
            const when_begun impatient(1, [] { EXPECT_TRUE(frit::interrupt()); });
            EXPECT_THROW((void)frit::aot(array<float>(spin(few)) * 2.0F), frit::interrupted) << "which evaluates it first";
        }
        EXPECT_EQ(array<float>(spin(none)).to_vector(), (std::vector<float>{0, -1, 0})) << "later ones do not hear of it";
        EXPECT_EQ(few.to_vector(), (std::vector<float>{1, 2, 3}));
    });
}

// The outer loop surely ends, in rounds that nobody waits for; a row's code has one; so has a step that is combined.
TEST(Interrupt, LoopsInsideOfOthers) {
    const frit::function<float(float)> spin("spin", spin_text);
    const frit::function<float(float)> around("around",
                                              "for (int k = 0; k < 2000000000; ++k) x0 = spin(x0 + 1); return x0;");
    on_each_engine([&] {
        const array<float> x{{1, 2}, {3, 4}};
        expect_interrupted(array<float>(around(x)));
        expect_interrupted(array<float>(spin(frit::sum(x, 1))));
        expect_interrupted(array<float>(frit::scan_along(
            1, 0.0F, [&](const auto& s, const auto& v) { return spin(s + v); }, x)));
        expect_interrupted(array<float>(frit::iterate(3, x, [&](const auto& v) { return spin(v); })));
    });
}

TEST(Interrupt, IterateOfManyRounds) {
    on_each_engine([] {
        const array<float> x{1, 2, 3};
        const auto slow = [&](const auto& rounds, const auto& inner) {
            return array<float>(frit::iterate(rounds, x, [&](const auto& v) {
                return frit::iterate(inner, v, [&](const auto& w) { return w * 0.5F + 1.0F; });
            }));
        };
        const int most = INT32_MAX;
        expect_interrupted(slow(most, most));
        const array<int> each{most, most, most};
        expect_interrupted(slow(each, most));
        EXPECT_EQ(slow(65'536, 1).to_vector(), (std::vector<float>{2, 2, 2}));
    });
}

// Again and again, and at last, as the program has changed what it lends, to its end.
TEST(Interrupt, TheSameFormulaAgain) {
    const frit::function<int(int, int)> count("count", "int n = 0; while (n != x0) { while (n != x0) n += x1; } return n;");
    on_each_engine([&] {
        std::vector<int> step(3, 0);
        const array<int> y = count(array<int>{4, 6, 8}, frit::borrow(step.data(), {3}));
        for (int k = 0; k < 3; ++k) {
            const when_begun impatient(1, [] { EXPECT_TRUE(frit::interrupt()); });
            EXPECT_THROW(y.eval(), frit::interrupted);
        }
        std::vector<int> into(3);
        {
            const when_begun impatient(1, [] { EXPECT_TRUE(frit::interrupt()); });
            EXPECT_THROW(frit::eval_into(frit::out(into.data(), {3}), y), frit::interrupted);
        }
        step.assign(3, 2);
        EXPECT_EQ(y.to_vector(), (std::vector<int>{4, 6, 8}));
    });
}

// What is written in place, or takes over an operand's memory, does so when the loops are behind.
TEST(Interrupt, NothingIsWrittenOver) {
    const frit::function<float(float)> spin("spin", spin_text);
    on_each_engine([&] {
        array<float> x{1, 2, 3};
        x = spin(x + 1.0F);
        expect_interrupted(x);
        EXPECT_TRUE(is_formula(x));
        expect_interrupted(x);

        array<float> y = frit::ones<float>({3}).eval();
        const auto round = [](const auto& v) { return frit::iterate(INT32_MAX, v, [](const auto& w) { return w * 0.5F; }); };
        y = frit::iterate(INT32_MAX, y, round);
        expect_interrupted(y);
        expect_interrupted(y);

        const array<float> w{1, 2, 3};
        for (const bool reads : {false, true}) {
            array<float> u = frit::zeros<float>({100'000}).eval();
            u(frit::slice(0, 3)) = reads ? array<float>(spin(u(frit::slice(0, 3)) + 1.0F)) : array<float>(spin(w));
            expect_interrupted(u);
            expect_interrupted(u);
        }
        array<float> behind;
        {
            array<float> u = frit::zeros<float>({100'000}).eval();
            u(frit::slice(0, 3)) = w;
            behind = spin(u);
        }
        expect_interrupted(behind);
        expect_interrupted(behind);

        // A loop that was recorded before an update may run behind it, and who has seen the array before it is no reason to.
        const array<float> flag = frit::ones<float>({1000}).eval();
        for (const bool apart : {false, true}) {
            array<float> later = spin(flag);
            {
                array<float> u = frit::ones<float>({100'000}).eval();
                u(frit::slice(0, 10)) = 5.0F;
                later = apart ? array<float>(later + frit::sum(u)) : array<float>(later + u(frit::slice(0, 1000)));
            }
            expect_interrupted(later);
            expect_interrupted(later);
        }
        {
            array<float> u = frit::ones<float>({100'000}).eval();
            const array<float> seen = frit::sum(u(frit::slice(0, 1000))) + frit::zeros<float>({1000});
            u(frit::slice(0, 3)) = w;
            const array<float> later = spin(flag) + seen;
            for (int k = 0; k < 2; ++k) {
                const when_begun impatient(1, [] { EXPECT_TRUE(frit::interrupt()); });
                EXPECT_THROW(frit::eval(u, later), frit::interrupted);
            }
            EXPECT_EQ(u(2).item(), 3.0F);
            EXPECT_EQ(seen(0).item(), 1000.0F);
            expect_interrupted(later);
        }

        array<float> v = (frit::arange<float>(100'000) * -1.0F).eval();
        v(frit::slice(0, 3)) = spin(w * -2.0F);
        const frit_test::traffic seen = frit_test::evaluate(v);
        EXPECT_EQ(seen.kernels, 2U);
        EXPECT_EQ(seen.bytes_written, 24U) << "the region alone, and the loop's results";
        EXPECT_EQ(array<float>(v(frit::slice(0, 4))).to_vector(), (std::vector<float>{-2, -4, -6, -3}));
    });
}

TEST(Interrupt, WhatIsCompleteIsKept) {
    const frit::function<float(float)> spin("spin", spin_text);
    on_each_engine([&] {
        const array<float> x{1, 2, 3}, w{{1, 2, 3}, {4, 5, 6}};
        array<float> total = frit::sum(w, 1), y = spin(x);
        const when_begun impatient(2, [] { EXPECT_TRUE(frit::interrupt()); });
        EXPECT_THROW(frit::eval(total, y), frit::interrupted);
        EXPECT_EQ(total.to_vector(), (std::vector<float>{6, 15}));
        EXPECT_FALSE(is_formula(total));
        EXPECT_TRUE(is_formula(y));
    });
}

TEST(Interrupt, TenEvaluationsAtOnce) {
    const frit::function<float(float)> spin("spin", spin_text);
    on_each_engine([&] {
        const array<float> shared = spin(array<float>{1, 2});
        const std::uint64_t before = kernels_begun();
        std::atomic<int> ended{0};
        std::vector<std::thread> threads;
        for (int k = 0; k < 10; ++k)
            threads.emplace_back([&, k] {
                const frit::scoped_device cpu(frit::device::cpu());
                // Two want one formula: the one that waits for the other must not begin it anew.
                const array<float> y = k < 2 ? shared : array<float>(spin(frit::ones<float>({k + 1})));
                try {
                    y.eval();
                } catch (const frit::interrupted&) {
                    ++ended;
                } catch (const std::exception& e) {
                    ADD_FAILURE() << e.what();
                }
            });
        while (kernels_begun() < before + 9 || running() < 10) std::this_thread::yield();
        EXPECT_TRUE(frit::interrupt());
        for (std::thread& t : threads) t.join();
        EXPECT_EQ(ended, 10);
        EXPECT_FALSE(frit::interrupt());
    });
}

// A program that begins again whenever it is told to end has the values of one that never is.
TEST(Interrupt, AgainAndAgain) {
    const frit::function<float(float)> halve("halve", "while (x0 > 2) x0 = x0 * .998f; return x0 + 1;");
    std::atomic<int> left{0};
    int caught = 0;
    const auto run = [&](int most) {
        array<float> u = frit::arange<float>(1, 301).eval(), v = (frit::arange<float>(300) + 0.5F).eval();
        for (int step = 0; step < 20; ++step) {
            u = halve(u * 1.75F);
            v(frit::slice(10, 200)) += halve(u(frit::slice(10, 200))) * 0.125F;
            v(frit::slice(0, 3)) = halve(v(frit::slice(7, 10)));
            left = most;
            for (bool done = false; !done;) try {
                    frit::eval(u, v);
                    done = true;
                } catch (const frit::interrupted&) {
                    ++caught;
                }
        }
        left = 0;
        return std::pair(u.to_vector(), v.to_vector());
    };
    on_each_engine([&] {
        const auto undisturbed = run(0);
        std::atomic<bool> over{false};
        std::thread impatient([&] {
            while (!over)
                if (left > 0 && frit::interrupt())
                    --left;
                else
                    std::this_thread::yield();
        });
        const auto disturbed = run(5);
        over = true;
        impatient.join();
        EXPECT_EQ(disturbed, undisturbed);
    });
    EXPECT_GT(caught, 0);
}

std::atomic<int> signals{0};
extern "C" void on_signal(int) { signals += frit::interrupt(); }

TEST(Interrupt, BySignal) {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "ThreadSanitizer keeps a signal until the program next calls a library, which a loop does not";
#endif
    const frit::function<float(float)> spin("spin", spin_text);
    const auto before = std::signal(SIGUSR1, on_signal);
    on_each_engine([&] {
        signals = 0;
        const array<float> y = spin(array<float>{1, 2, 3});
        {
            const pthread_t self = pthread_self();
            const when_begun other(1, [self] { pthread_kill(self, SIGUSR1); });
            EXPECT_THROW(y.eval(), frit::interrupted);
        }
        EXPECT_EQ(signals, 1);
    });
    std::signal(SIGUSR1, before);
}

TEST(Interrupt, WithNothingRunning) {
    EXPECT_FALSE(frit::interrupt());
    EXPECT_FALSE(frit::interrupt());
    const array<int> x{1, 2, 3};
    EXPECT_EQ(array<int>(x + 1).to_vector(), (std::vector<int>{2, 3, 4}));
    EXPECT_FALSE(frit::interrupt());
}

// A program's own kernel calls it: launches behind it do not begin, and what it evaluates is a part of the evaluation.
TEST(Interrupt, BetweenLaunches) {
    const frit::scoped_device cpu(frit::device::cpu());
    const frit::host_kernel stop("stop", [](std::span<float> y) {
        EXPECT_TRUE(frit::interrupt());
        y[0] += 1;
    });
    array<float> x{1, 2, 3};
    const array<float> before = x;
    stop.launch(frit::inout(x));
    const array<float> y = frit::cumsum(x) * 2.0F;
    EXPECT_THROW(y.eval(), frit::interrupted);
    EXPECT_EQ(y.to_vector(), (std::vector<float>{4, 8, 14}));
    EXPECT_EQ(before.to_vector(), (std::vector<float>{1, 2, 3}));
}

// Who has overwritten an array goes on to the end.
TEST(Interrupt, BehindWhatIsOverwritten) {
    const frit::scoped_device cpu(frit::device::cpu());
    const frit::host_kernel stop("stop", [](std::span<float> y) {
        EXPECT_TRUE(frit::interrupt());
        y[0] += 1;
    });
    array<float> x = array<float>{1, 2, 3}.eval();
    stop.launch(frit::inout(x));
    const array<float> y = frit::cumsum(x) * 2.0F;
    EXPECT_EQ(y.to_vector(), (std::vector<float>{4, 8, 14}));
}

// The evaluations of a parent's other threads are none of a child's.
TEST(Interrupt, ForkedChild) {
    std::atomic<bool> over{false};
    std::thread other([&over] {
        const frit::detail::running_evaluation here;
        while (!over) std::this_thread::yield();
    });
    while (running() == 0) std::this_thread::yield();
    EXPECT_TRUE(frit::interrupt());
    const pid_t child = fork();
    if (child == 0) _exit(frit::interrupt() ? 1 : 0);
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    over = true;
    other.join();
    EXPECT_FALSE(frit::interrupt());
}

// Only loops that may go on for long look, and their kernels alone take no operand's memory.
TEST(Interrupt, OthersPayNothing) {
    const frit::scoped_device cpu(frit::device::cpu());
    const array<float> x{1, 2, 3};
    const frit::function<float(float)> ends("ends", "for (int k = 0; k < 1000000; ++k) x0 = x0 * .5f; return x0;");
    const frit::function<float(float)> may_not("may_not", "while (x0 > 1) x0 = x0 * .5f; return x0;");
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);  // whose source is the spec
    const auto plan = [](const auto& y) { return frit::make_plan(y).kernels().front().source(); };
    EXPECT_EQ(plan(ends(x)).find("interruptible"), std::string::npos);
    EXPECT_NE(plan(may_not(x)).find("interruptible"), std::string::npos);
    const auto halves = [&](const auto& rounds) { return frit::iterate(rounds, x, [](const auto& v) { return v * 0.5F; }); };
    EXPECT_EQ(plan(halves(65'536)).find("interruptible"), std::string::npos);
    EXPECT_NE(plan(halves(65'537)).find("interruptible"), std::string::npos);
    EXPECT_NE(plan(halves(array<int>{1, 2, 3})).find("interruptible"), std::string::npos);
}

}  // namespace

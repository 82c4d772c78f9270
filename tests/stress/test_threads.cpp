// Distinct handles may be used from any thread, as with shared_ptr: threads record and evaluate formulas over shared
// arrays at the same time, and what one evaluates another may read. Every value is checked; integers, so that it is one
// value.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cmath>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/libraries.hpp"
#include "tests/support/values.hpp"

namespace {
using frit::array;
using frit::none;
using frit::slice;
using u32 = std::uint32_t;

void in_threads(int count, const std::function<void(int)>& work) {
    std::vector<std::thread> threads;
    for (int t = 0; t < count; ++t) threads.emplace_back(work, t);
    for (std::thread& t : threads) t.join();
}

TEST(Threads, FormulasOverOneInput) {
    const array<double> x = frit::linspace(0.0, 1.0, 5000);
    std::atomic<int> wrong{0};
    in_threads(6, [&, x](int t) {
        for (int k = 0; k < 100; ++k) {
            array<double> y = x * static_cast<double>(t) + static_cast<double>(k);
            array<double> s = frit::sum(y);
            frit::eval(y, s);
            const double want = 2500.0 * t + 5000.0 * k;
            if (std::abs(s.item() - want) > 1e-6 || y.to_vector()[4999] != t + static_cast<double>(k)) ++wrong;
        }
    });
    EXPECT_EQ(wrong, 0);
}

TEST(Threads, OnePendingArrayReadByAll) {
    for (int round = 0; round < 50; ++round) {
        const array<float> x = frit::arange<float>(0, 1000);
        const array<float> shared = x * 2.0F + 1.0F;
        std::atomic<int> wrong{0};
        in_threads(4, [&](int t) {
            const array<float> mine = shared;  // a handle of its own
            const array<float> next = mine + static_cast<float>(t);
            if (next.to_vector()[10] != 21.0F + static_cast<float>(t) || mine.to_vector()[3] != 7.0F) ++wrong;
        });
        EXPECT_EQ(wrong, 0);
    }
}

TEST(Threads, LoopsThatNeverEvaluate) {
    const std::uint64_t pending = frit::stats().pending_nodes;
    in_threads(4, [](int t) {
        array<double> x = frit::full({100}, static_cast<double>(t));
        for (int k = 0; k < 10'000; ++k) x = x * 0.5 + 1.0;
        for (double v : x.to_vector()) EXPECT_EQ(v, 2.0);
    });
    EXPECT_EQ(frit::stats().pending_nodes, pending);
}

/// An array with the values that it must have.
struct known_array {
    array<int> lazy;
    std::vector<int> values;
};

/// What 32-bit integers give, overflow wrapped.
int wrapped(u32 x) { return static_cast<int>(x); }

/// A new array from two others: formulas, views, updates and a reduction.
known_array combine(const known_array& a, const known_array& b, std::int64_t how) {
    const std::size_t n = a.values.size();
    known_array r{a.lazy, a.values};
    const auto each = [&](const std::function<u32(std::size_t)>& f) {
        for (std::size_t k = 0; k < n; ++k) r.values[k] = wrapped(f(k));
    };
    const auto x = [&](std::size_t k) { return static_cast<u32>(a.values[k]); };
    const auto y = [&](std::size_t k) { return static_cast<u32>(b.values[k]); };
    switch (how) {
        case 0:
            r.lazy = a.lazy * 3 + b.lazy;
            each([&](std::size_t k) { return x(k) * 3U + y(k); });
            break;
        case 1:
            r.lazy = a.lazy(slice(none, none, -1)) - b.lazy;
            each([&](std::size_t k) { return x(n - 1 - k) - y(k); });
            break;
        case 2:
            r.lazy(slice(1, none, 2)) = b.lazy(slice(0, -1, 2));
            for (std::size_t k = 1; k < n; k += 2) r.values[k] = b.values[k - 1];
            break;
        case 3: {
            r.lazy = frit::where(a.lazy < b.lazy, a.lazy, b.lazy + frit::max(a.lazy));
            int top = a.values[0];
            for (int v : a.values) top = std::max(top, v);
            for (std::size_t k = 0; k < n; ++k)
                if (a.values[k] >= b.values[k]) r.values[k] = wrapped(y(k) + static_cast<u32>(top));
            break;
        }
        default:
            r.lazy = frit::cast<int>(frit::cumsum(a.lazy)) ^ b.lazy;
            u32 total = 0;
            each([&](std::size_t k) { return (total += x(k)) ^ y(k); });
    }
    return r;
}

/// `threads` threads take arrays from one board, combine them, put the results back, and now and then evaluate or read.
void share_a_board(int threads, int steps, std::uint64_t seed) {
    constexpr std::int64_t n = 300, places = 12;
    std::mutex lock;
    std::vector<known_array> board;
    for (int k = 0; k < places; ++k) {
        std::vector<int> values(n);
        for (std::size_t j = 0; j < n; ++j) values[j] = static_cast<int>(j) * (k + 1) - 7 * k;
        board.push_back({frit::from_host(values), values});
    }
    std::atomic<int> wrong{0};
    in_threads(threads, [&](int t) {
        frit_test::generator random(seed * 100 + static_cast<std::uint64_t>(t));
        const auto place = [&] { return static_cast<std::size_t>(random.below(places)); };
        for (int k = 0; k < steps; ++k) {
            const auto [a, b] = [&] {
                const std::lock_guard hold(lock);
                return std::pair(board[place()], board[place()]);
            }();
            known_array made = combine(a, b, random.below(5));
            switch (random.below(6)) {
                case 0: made.lazy.eval(); break;
                case 1: frit::eval(a.lazy, made.lazy); break;
                case 2: wrong += a.lazy.to_vector() != a.values; break;
                case 3: wrong += frit::explain(made.lazy).empty(); break;
                default: break;  // stays pending
            }
            const std::lock_guard hold(lock);
            board[place()] = std::move(made);
        }
    });
    for (const known_array& a : board) wrong += a.lazy.to_vector() != a.values;
    EXPECT_EQ(wrong, 0) << "seed " << seed;
}

TEST(Threads, EightShareABoardOfArrays) {
    FRIT_SKIP_WITHOUT(cumsum);
    const std::uint64_t pending = frit::stats().pending_nodes, live = frit::stats().live_bytes;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) share_a_board(8, 300, seed);
    EXPECT_EQ(frit::stats().pending_nodes, pending);
    EXPECT_EQ(frit::stats().live_bytes, live);
}

// Recording then evaluates too, whatever others wait for.
TEST(Threads, EightShareABoardUnderASmallGraphLimit) {
    FRIT_SKIP_WITHOUT(cumsum);
    frit::set_graph_limit(16);
    for (std::uint64_t seed = 11; seed <= 12; ++seed) share_a_board(8, 300, seed);
    frit::set_graph_limit(4096);
}

// Who comes second waits for what is in flight, and does not compute it again.
TEST(Threads, OneComponentFromEightThreadsAtOnce) {
    constexpr int threads = 8, length = 24;
    for (int round = 0; round < 20; ++round) {
        std::vector<array<int>> chain{frit::arange<int>(0, 2000)};
        for (int k = 1; k < length; ++k) chain.push_back(chain.back() * 3 + k + round);
        std::vector<u32> want(2000);
        for (u32 j = 0; j < 2000; ++j) {
            want[j] = j;
            for (u32 k = 1; k < length; ++k) want[j] = want[j] * 3U + k + static_cast<u32>(round);
        }
        std::barrier start(threads);
        std::atomic<int> wrong{0};
        in_threads(threads, [&](int t) {
            const array<int> mine = chain[static_cast<std::size_t>(length - 1 - t % 3)], last = chain.back();
            start.arrive_and_wait();
            mine.eval();
            const std::vector<int> got = last.to_vector();
            for (std::size_t j = 0; j < got.size(); ++j) wrong += got[j] != wrapped(want[j]);
        });
        EXPECT_EQ(wrong, 0);
    }
}

TEST(Threads, OneArrayIsComputedOnce) {
    const array<double> x = frit::linspace(0.0, 1.0, 100'000);
    x.eval();
    for (int round = 0; round < 20; ++round) {
        const array<double> y = frit::sin(x) + static_cast<double>(round);
        std::barrier start(8);
        const std::uint64_t before = frit::stats().kernels_launched;
        in_threads(8, [&](int) {
            const array<double> mine = y;
            start.arrive_and_wait();
            mine.eval();
        });
        EXPECT_EQ(frit::stats().kernels_launched - before, 1U);
    }
}

TEST(Threads, ThatEndWithPendingWork) {
    const std::uint64_t pending = frit::stats().pending_nodes;
    for (int round = 0; round < 20; ++round) {
        std::mutex lock;
        std::vector<array<int>> left;
        in_threads(8, [&](int t) {
            array<int> dropped = frit::arange<int>(0, 500), kept = dropped * t;
            for (int k = 0; k < 30; ++k) {
                dropped = dropped + kept;
                kept = kept + 1;
            }
            const std::lock_guard hold(lock);
            left.push_back(kept - 500 * t);
        });
        array<int> total = frit::zeros<int>({500});
        for (const array<int>& a : left) total = total + a;
        const std::vector<int> got = total.to_vector();
        for (int j = 0; j < 500; ++j) ASSERT_EQ(got[static_cast<std::size_t>(j)], 28 * j + 8 * 30 - 500 * 28);
    }
    EXPECT_EQ(frit::stats().pending_nodes, pending);
}

// Views of one element: all read them, and store them, while others evaluate what goes through them.
TEST(Threads, ElementsOfOneArray) {
    for (int round = 0; round < 50; ++round) {
        const array<int> x = frit::arange<int>(0, 1000).eval();
        const array<int> part = x(slice(100, 200)), one = part(7), other = part(8);
        std::atomic<int> wrong{0};
        in_threads(8, [&](int t) {
            if (t % 2 == 0) wrong += array<int>(other + one).eval().item() != 215;
            wrong += one.item() != 107;
            wrong += other.span()[0] != 108;
            for (int k = 0; k < 100; k += 9) wrong += part(k).item() != 100 + k;
            array<int> mine = x;
            mine(t) = -1;
            wrong += mine(t).item() != -1;
            wrong += x(t).item() != t;
        });
        EXPECT_EQ(wrong, 0);
    }
}

// One base, and everyone writes into a copy of his own: memory is taken over only where nobody else looks.
TEST(Threads, UpdatesOfOneBase) {
    for (int round = 0; round < 30; ++round) {
        array<int> base = frit::arange<int>(0, 1000);
        if (round % 2 == 0) base.eval();
        std::atomic<int> wrong{0};
        in_threads(8, [&](int t) {
            array<int> mine = base;
            mine(slice(t, none, 8)) = -1;
            mine(slice(0, 4)) += t;
            const std::vector<int> got = mine.to_vector();
            for (int j = 0; j < 1000; ++j)
                wrong += got[static_cast<std::size_t>(j)] != (j % 8 == t ? -1 : j) + (j < 4 ? t : 0);
        });
        const std::vector<int> got = base.to_vector();
        for (int j = 0; j < 1000; ++j) wrong += got[static_cast<std::size_t>(j)] != j;
        EXPECT_EQ(wrong, 0);
    }
}

// What looks at the library from outside while others work.
TEST(Threads, StatisticsReportsAndSettings) {
    const array<double> x = frit::linspace(0.0, 1.0, 1000);
    std::atomic<bool> done{false};
    std::thread watcher([&, x] {
        while (!done) {
            EXPECT_FALSE(frit::explain(x * 2.0 + 1.0).empty());
            EXPECT_EQ(frit::make_plan(frit::sum(x * x)).kernels().size(), 1U);
            (void)frit::stats();
            frit::synchronize();
        }
    });
    in_threads(4, [&](int t) {
        for (int k = 0; k < 200; ++k) EXPECT_NEAR(frit::sum(x * static_cast<double>(t)).item(), 500.0 * t, 1e-9 * 500 * t);
    });
    done = true;
    watcher.join();
}

}  // namespace

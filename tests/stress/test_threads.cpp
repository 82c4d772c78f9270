// Distinct handles may be used from any thread, as with shared_ptr: threads record and evaluate formulas over shared
// inputs at the same time, and what one evaluates another may read.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <thread>
#include <vector>

#include <frit/frit.hpp>

namespace {
using frit::array;

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

}  // namespace

// Shapes without end: what a shape took goes with the last array that has it.
#include <gtest/gtest.h>

#include <malloc.h>

#include <string>
#include <thread>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/thorough.hpp"

namespace {
using frit::array;

/// Bytes that the program has from malloc. (Sanitizers have an allocator of their own: then there is nothing to see.)
std::size_t heap() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

constexpr std::size_t a_little = std::size_t{8} << 20;

/// The k-th of a million shapes.
frit::shape shape_of(std::int64_t k) { return {1 + k % 1000, 1 + k / 1000}; }

TEST(Shapes, AMillionOfPendingArraysLeaveNothing) {
    (void)frit::array<float>(frit::ones<float>({3, 5}) + 1.0F).shape();
    const std::size_t before = heap();
    for (std::int64_t k = 0; k < 1'000'000; ++k) {
        const array<float> x = frit::ones<float>(shape_of(k)) + 1.0F;
        ASSERT_EQ(x.shape(), shape_of(k));
    }
    EXPECT_LT(heap(), before + a_little);
}

TEST(Shapes, AMillionOfStoredArraysLeaveNothing) {
    (void)frit::from_host(static_cast<const float*>(nullptr), {0, 1});
    const std::size_t before = heap();
    for (std::int64_t k = 0; k < 1'000'000; ++k) {
        const array<float> x = frit::from_host(static_cast<const float*>(nullptr), {0, k});
        ASSERT_EQ(x.shape(), (frit::shape{0, k}));
    }
    EXPECT_LT(heap(), before + a_little);
}

// Broadcasts and views have shapes that no operand has; what is computed is right, and shapes of other threads do not
// matter.
TEST(Shapes, OfManyThreadsAreTheirOwn) {
    const std::int64_t each = frit_test::thorough() ? 20'000 : 1'500;
    std::vector<std::string> wrong(4);
    std::vector<std::thread> threads;
    for (std::int64_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (std::int64_t k = 0; k < each; ++k) {
                const std::int64_t n = 1 + (k * 7 + t) % 61, m = 1 + (k * 3 + t * 11) % 53;
                const array<float> row = frit::arange(0.0F, static_cast<float>(m)), column = frit::ones<float>({n, 1});
                array<float> table = row + column;
                array<float> turned = table.T().reshape({n * m}) * 2.0F;
                const float expected = static_cast<float>(n * m * (m - 1) + 2 * n * m);
                if (table.shape() != frit::shape{n, m} || turned.shape() != frit::shape{n * m} ||
                    frit::sum(turned).item() != expected)
                    wrong[static_cast<std::size_t>(t)] = to_string(table.shape());
            }
        });
    for (std::thread& t : threads) t.join();
    for (const std::string& w : wrong) EXPECT_EQ(w, "");
}

}  // namespace

// Formulas that read what they write: values are immutable to the user, whatever memory the planner reuses underneath.
#include <gtest/gtest.h>

#include <vector>

#include <frit/frit.hpp>

namespace {
using frit::all;
using frit::array;
using frit::none;
using frit::slice;
using floats = std::vector<float>;

array<float> ramp(std::int64_t n) {
    array<float> x = frit::arange<float>(0, static_cast<float>(n));
    x.eval();
    return x;
}

TEST(Aliasing, ArrayPlusItsTranspose) {
    array<float> a = ramp(9).reshape({3, 3});
    a.eval();
    a = a.T() + a;
    EXPECT_EQ(a.to_vector(), (floats{0, 4, 8, 4, 8, 12, 8, 12, 16}));
    a = a.T() * 2.0F - a;
    EXPECT_EQ(a.to_vector(), (floats{0, 4, 8, 4, 8, 12, 8, 12, 16}));
}

TEST(Aliasing, LargeArrayPlusItsTransposeInPlace) {
    constexpr std::int64_t n = 300;
    array<float> a = ramp(n * n).reshape({n, n});
    a.eval();
    a = a.T() + a * 2.0F;
    const floats got = a.to_vector();
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j)
            ASSERT_EQ(got[static_cast<std::size_t>(i * n + j)],
                      static_cast<float>(j * n + i) + 2 * static_cast<float>(i * n + j));
}

TEST(Aliasing, ReversalOfItself) {
    array<float> a = ramp(1001);
    a = a(slice(none, none, -1));
    a.eval();
    a = a - a(slice(none, none, -1));
    const floats got = a.to_vector();
    for (int k = 0; k <= 1000; ++k) ASSERT_EQ(got[static_cast<std::size_t>(k)], static_cast<float>(1000 - 2 * k));
}

TEST(Aliasing, ShiftRight) {
    array<float> u = ramp(5);
    u(slice(1, none)) = u(slice(0, -1));
    EXPECT_EQ(u.to_vector(), (floats{0, 0, 1, 2, 3}));
}

TEST(Aliasing, ShiftLeft) {
    array<float> u = ramp(5);
    u(slice(0, -1)) = u(slice(1, none));
    EXPECT_EQ(u.to_vector(), (floats{1, 2, 3, 4, 4}));
}

TEST(Aliasing, LargeShiftsBothWays) {
    constexpr std::int64_t n = 100000;
    array<float> u = ramp(n);
    u(slice(1, none)) = u(slice(0, -1));
    u.eval();
    floats got = u.to_vector();
    for (std::int64_t k = 1; k < n; ++k) ASSERT_EQ(got[static_cast<std::size_t>(k)], static_cast<float>(k - 1));
    u(slice(0, -2)) = u(slice(2, none));
    u.eval();
    got = u.to_vector();
    for (std::int64_t k = 0; k + 2 < n; ++k) ASSERT_EQ(got[static_cast<std::size_t>(k)], static_cast<float>(k + 1));
}

TEST(Aliasing, ReverseOntoItself) {
    array<float> u = ramp(6);
    u(all) = u(slice(none, none, -1));
    EXPECT_EQ(u.to_vector(), (floats{5, 4, 3, 2, 1, 0}));
    u(slice(0, 3)) = u(slice(2, none, -1));
    EXPECT_EQ(u.to_vector(), (floats{3, 4, 5, 2, 1, 0}));
}

TEST(Aliasing, OverlappingCompoundAssignment) {
    array<float> u = ramp(5);
    u(slice(1, none)) += u(slice(0, -1));
    EXPECT_EQ(u.to_vector(), (floats{0, 1, 3, 5, 7}));
    u(slice(0, -1)) *= u(slice(1, none));
    EXPECT_EQ(u.to_vector(), (floats{0, 3, 15, 35, 7}));
}

TEST(Aliasing, RowsAndColumnsOfOneArray) {
    array<float> u = ramp(9).reshape({3, 3});
    u.eval();
    u(0, all) = u(all, 0);
    u(all, 2) = u(1, all) * 10.0F;
    EXPECT_EQ(u.to_vector(), (floats{0, 3, 30, 3, 4, 40, 6, 7, 50}));
}

TEST(Aliasing, NeighboursInASweep) {
    constexpr std::int64_t n = 50;
    array<double> u = frit::zeros<double>({n});
    u(slice(0, 1)) = 1.0;
    std::vector<double> plain(n, 0.0);
    plain[0] = 1;
    for (int step = 0; step < 20; ++step) {
        u(slice(1, -1)) = u(slice(1, -1)) + 0.25 * (u(slice(0, -2)) - 2.0 * u(slice(1, -1)) + u(slice(2, none)));
        const std::vector<double> old = plain;
        for (std::size_t k = 1; k + 1 < old.size(); ++k) plain[k] = old[k] + 0.25 * (old[k - 1] - 2 * old[k] + old[k + 1]);
    }
    const std::vector<double> got = u.to_vector();
    for (std::size_t k = 0; k < plain.size(); ++k) EXPECT_NEAR(got[k], plain[k], 1e-14);
}

TEST(Aliasing, AnEvaluatedViewOutlivesTheOverwrittenArray) {
    array<float> u = ramp(6);
    array<float> view = u(slice(1, 4));
    view.eval();
    u(all) = -1.0F;
    u.eval();
    EXPECT_EQ(view.to_vector(), (floats{1, 2, 3}));
    EXPECT_EQ(u.to_vector(), floats(6, -1.0F));
}

TEST(Aliasing, APendingViewKeepsTheOldValues) {
    array<float> u = ramp(6);
    array<float> view = u(slice(none, none, 2)), doubled = u * 2.0F;
    u(slice(0, 3)) = 100.0F;
    u *= 10.0F;
    u.eval();
    EXPECT_EQ(view.to_vector(), (floats{0, 2, 4}));
    EXPECT_EQ(doubled.to_vector(), (floats{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(u.to_vector(), (floats{1000, 1000, 1000, 30, 40, 50}));
}

TEST(Aliasing, ACopyOfTheHandleKeepsTheOldValues) {
    array<float> u = ramp(4);
    const array<float> copy = u;
    u(slice(1, 3)) = 9.0F;
    u.eval();
    EXPECT_EQ(copy.to_vector(), (floats{0, 1, 2, 3}));
    EXPECT_EQ(u.to_vector(), (floats{0, 9, 9, 3}));
}

TEST(Aliasing, ARecipeKeepsTheValuesItCaptured) {
    array<float> u = ramp(3);
    auto recipe = u + 1.0F;
    u(all) = 50.0F;
    u.eval();
    EXPECT_EQ(recipe.to_vector(), (floats{1, 2, 3}));
    u = {};
    EXPECT_EQ(recipe.to_vector(), (floats{1, 2, 3}));
}

TEST(Aliasing, TwoOutputsOfOneDyingArray) {
    array<float> u = ramp(1000);
    array<float> reversed = u(slice(none, none, -1)) + 0.0F, next = u + 1.0F;
    u = {};
    frit::eval(reversed, next);
    const floats r = reversed.to_vector(), s = next.to_vector();
    for (std::size_t k = 0; k < 1000; ++k) {
        ASSERT_EQ(r[k], static_cast<float>(999 - k));
        ASSERT_EQ(s[k], static_cast<float>(k + 1));
    }
}

TEST(Aliasing, MaskedUpdates) {
    array<float> u = ramp(5);
    u(u > 2.0F) = -1.0F;
    EXPECT_EQ(u.to_vector(), (floats{0, 1, 2, -1, -1}));
    u(u < 0.0F) += u(slice(none, none, -1));
    EXPECT_EQ(u.to_vector(), (floats{0, 1, 2, 0, -1}));
}

TEST(Aliasing, StridedAndNegativeStepUpdates) {
    array<int> u = frit::arange<int>(0, 8);
    u(slice(none, none, 2)) = -1;
    u(slice(none, none, -3)) += 100;  // 7, 4, 1
    EXPECT_EQ(u.to_vector(), (std::vector<int>{-1, 101, -1, 3, 99, 5, -1, 107}));
}

TEST(Aliasing, WholeArrayCompoundAssignment) {
    array<float> u = ramp(3), v = u;
    u += v;
    u *= 2;
    u -= 1.0F;
    const array<float>& itself = u;
    u /= itself;
    EXPECT_EQ(u.to_vector(), (floats{1, 1, 1}));
    EXPECT_EQ(v.to_vector(), (floats{0, 1, 2}));
}

TEST(Aliasing, UpdateOfABroadcastValue) {
    array<float> u = frit::zeros<float>({3, 4});
    u(slice(0, 2), all) = frit::arange<float>(0, 4);
    u(all, slice(0, 1)) += frit::arange<float>(10, 13).reshape({3, 1});
    EXPECT_EQ(u.to_vector(), (floats{10, 1, 2, 3, 11, 1, 2, 3, 12, 0, 0, 0}));
}

TEST(Aliasing, BorrowedMemoryIsNeverWritten) {
    floats memory = {1, 2, 3, 4};
    const floats original = memory;
    {
        array<float> b = frit::borrow(memory.data(), frit::shape{4});
        b(slice(1, 3)) = 9.0F;
        b += 1.0F;
        EXPECT_EQ(b.to_vector(), (floats{2, 10, 10, 5}));
    }
    EXPECT_EQ(memory, original);
}

}  // namespace

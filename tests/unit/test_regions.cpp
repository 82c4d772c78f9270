// What an assignment to a part of an array writes: the part, wherever nobody can see the difference.
#include <cmath>

#include "tests/support/kernels.hpp"

namespace {
using frit::all;
using frit::array;
using frit::none;
using frit::slice;
using frit_test::evaluate;
using frit_test::traffic;

constexpr std::uint64_t n = 200, row = n * sizeof(double), whole = n * row;

array<double> numbers() {
    array<double> u = (frit::arange<double>(n * n) % 97.0).reshape({n, n});
    u.eval();
    return u;
}

/// Whether these arrays are large beside what a launch costs: on a GPU they are small.
bool launches_are_cheap() { return frit::default_device().is_cpu(); }

/// Evaluates u, and compares it with what plain loops make of the same numbers.
template <class F>
traffic expect(array<double>& u, F plain) {
    std::vector<double> want = numbers().to_vector();
    plain([&](std::uint64_t i, std::uint64_t j) -> double& { return want[i * n + j]; });
    const traffic t = evaluate(u);
    EXPECT_EQ(u.to_vector(), want);
    return t;
}

TEST(Regions, AnotherRowIsReadAndOneWritten) {
    array<double> u = numbers();
    u(6) = u(5) * 2;
    const traffic t = expect(u, [](auto at) {
        for (std::uint64_t j = 0; j < n; ++j) at(6, j) = at(5, j) * 2;
    });
    EXPECT_EQ(t.bytes_written, row);
    EXPECT_EQ(t.bytes_read, row);
}

TEST(Regions, OneElementFromAnother) {
    array<double> u = numbers();
    u(0, 0) = u(-1, -1);
    EXPECT_EQ(expect(u, [](auto at) { at(0, 0) = at(n - 1, n - 1); }).bytes_written, sizeof(double));
}

TEST(Regions, ElementsBetweenOthers) {
    array<double> u = numbers();
    u(all, slice(0, none, 2)) = u(all, slice(1, none, 2)) + 1;
    const traffic t = expect(u, [](auto at) {
        for (std::uint64_t i = 0; i < n; ++i)
            for (std::uint64_t j = 0; j < n; j += 2) at(i, j) = at(i, j + 1) + 1;
    });
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_written, whole / 2);
}

TEST(Regions, OverlapsAreStaged) {
    array<double> u = numbers();
    u(slice(1, 4)) = u(slice(0, 3)) + 1;
    const traffic t = expect(u, [](auto at) {
        for (std::uint64_t i = 4; i-- > 1;)
            for (std::uint64_t j = 0; j < n; ++j) at(i, j) = at(i - 1, j) + 1;
    });
    if (launches_are_cheap()) {
        EXPECT_EQ(t.bytes_written, 2 * 3 * row);
    }
}

TEST(Regions, ARecurrenceWritesEveryRowOnce) {
    array<double> u = numbers();
    for (std::int64_t k = 1; k < static_cast<std::int64_t>(n); ++k) u(k) = 0.5 * u(k - 1) + 3;
    const traffic t = expect(u, [](auto at) {
        for (std::uint64_t i = 1; i < n; ++i)
            for (std::uint64_t j = 0; j < n; ++j) at(i, j) = 0.5 * at(i - 1, j) + 3;
    });
    if (!launches_are_cheap()) return;
    EXPECT_EQ(t.bytes_written, (n - 1) * row);
    EXPECT_EQ(t.kernels, n - 1);
}

TEST(Regions, ScalarWritesWriteScalars) {
    array<double> u = numbers();
    for (std::int64_t k = 0; k < 100; ++k) u(k, 3 * k % 200) = 7.0;
    const traffic t = expect(u, [](auto at) {
        for (std::uint64_t k = 0; k < 100; ++k) at(k, 3 * k % 200) = 7;
    });
    if (launches_are_cheap()) {
        EXPECT_EQ(t.bytes_written, 100 * sizeof(double));
    }
}

/// A stencil's step, whose result is new, and its boundaries, each of which costs what it writes.
TEST(Regions, BoundariesOfAStep) {
    array<double> u = numbers();
    const slice inner(1, -1);
    u(inner, inner) =
        0.25 * (u(slice(0, -2), inner) + u(slice(2, none), inner) + u(inner, slice(0, -2)) + u(inner, slice(2, none)));
    u(0) = u(1);
    u(-1) = u(-2);
    u(all, 0) = u(all, 1);
    u(all, -1) = u(all, -2);
    const traffic t = expect(u, [](auto at) {
        std::vector<double> old(n * n);
        for (std::uint64_t i = 0; i < n; ++i)
            for (std::uint64_t j = 0; j < n; ++j) old[i * n + j] = at(i, j);
        const auto was = [&](std::uint64_t i, std::uint64_t j) { return old[i * n + j]; };
        for (std::uint64_t i = 1; i + 1 < n; ++i)
            for (std::uint64_t j = 1; j + 1 < n; ++j)
                at(i, j) = 0.25 * (was(i - 1, j) + was(i + 1, j) + was(i, j - 1) + was(i, j + 1));
        for (std::uint64_t j = 0; j < n; ++j) at(0, j) = at(1, j), at(n - 1, j) = at(n - 2, j);
        for (std::uint64_t i = 0; i < n; ++i) at(i, 0) = at(i, 1), at(i, n - 1) = at(i, n - 2);
    });
    if (launches_are_cheap()) {
        EXPECT_EQ(t.bytes_written, whole + 4 * row);
    }
}

TEST(Regions, WhatIsReadBeforeIsStoredBefore) {
    array<double> u = numbers();
    array<double> before = u(slice(0, 2)) * 2;
    u(0) = u(1) + u(5);
    u(1) = 4.0;
    const traffic t = evaluate(u, before);
    if (launches_are_cheap()) {
        EXPECT_EQ(t.bytes_written, 4 * row);
    }
    const std::vector<double> was = numbers().to_vector(), now = u.to_vector(), kept = before.to_vector();
    for (std::uint64_t j = 0; j < n; ++j) {
        EXPECT_EQ(now[j], was[n + j] + was[5 * n + j]);
        EXPECT_EQ(now[n + j], 4);
        EXPECT_EQ(kept[j], was[j] * 2);
        EXPECT_EQ(kept[n + j], was[n + j] * 2);
    }
}

/// Somebody holds the old value: it stays, and the new one is a new array.
TEST(Regions, HeldValuesStay) {
    array<double> u = numbers();
    const array<double> old = u;
    u(0) = 1.0;
    EXPECT_EQ(evaluate(u).bytes_written, whole);
    EXPECT_EQ(old.to_vector(), numbers().to_vector());
    array<double> shape_of_old = u.reshape({n * n});
    u(3) = 2.0;
    EXPECT_EQ(evaluate(u, shape_of_old).bytes_written, whole);
    EXPECT_EQ(shape_of_old(slice(3 * n, 3 * n + 2)).to_vector(), numbers()(3, slice(0, 2)).to_vector());
}

/// A product that is read before, contracted with what is added after: the sum must not read the base again.
TEST(Regions, ContractedProductsOfOldValues) {
    const std::vector<double> was = numbers().to_vector();
    {
        array<double> u = numbers(), y;
        {
            array<double> m = u(slice(0, 2)) * 2.0;
            u(0) = 7.0;
            y = m + 1.0;
        }
        frit::eval(u, y);
        for (std::uint64_t j = 0; j < n; ++j) ASSERT_EQ(y.to_vector()[j], was[j] * 2 + 1);
    }
    array<double> u = numbers();
    array<double> m = u(slice(0, 3)) * 2.0;
    u(slice(1, 4)) = m + 1.0;
    frit::eval(u, m);
    const std::vector<double> now = u.to_vector(), product = m.to_vector();
    for (std::uint64_t k = 0; k < 3 * n; ++k) {
        ASSERT_EQ(product[k], was[k] * 2) << k;
        ASSERT_EQ(now[n + k], was[k] * 2 + 1) << k;
    }
}

/// What an update of another array has read must be in memory before the read elements change, also where that update is
/// arithmetic.
TEST(Regions, WhatAnArithmeticUpdateHasReadIsStoredBefore) {
    const auto thousand = [] { return array<double>(frit::arange<double>(1000) * 3.0); };
    array<double> a = frit::arange<double>(100000), y;
    a.eval();
    array<double> z = thousand();
    z.eval();
    {
        array<double> w = z + 1.0;
        w(slice(1, 999)) = a(slice(0, 998));
        a(slice(5, 105)) = w(slice(5, 105));
        y = w(slice(105, 5, -1)) * 4.0;
    }
    frit::eval(a, y);
    const std::vector<double> left = a(slice(0, 200)).to_vector(), right = y.to_vector();
    for (std::size_t k = 0; k < 200; ++k)
        EXPECT_EQ(left[k], k >= 5 && k < 105 ? static_cast<double>(k) - 1 : static_cast<double>(k)) << k;
    for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ(right[k], 4.0 * (105.0 - static_cast<double>(k) - 1)) << k;
}

/// The array is computed with as a whole, and a part of that is read beside the region's new value, in a loop as long.
TEST(Regions, AnUpdateIsCompleteBeforeItIsRead) {
    const array<double> keys = frit::arange<double>(20) * -1.0;
    array<double> v = frit::arange<double>(60), y;
    frit::eval(keys, v);
    {
        array<double> order = frit::zeros<double>({20});
        order(slice(19, none, -1)) = frit::cast<double>(frit::argsort(keys)) % 31.0;
        v(slice(30, 50)) = order * -1.0;
        v = v % 31.0;
        y = order + v(slice(29, 49));
    }
    const std::vector<double> got = y.to_vector();
    for (std::size_t k = 0; k < 20; ++k)
        EXPECT_EQ(got[k], static_cast<double>(k) + (k == 0 ? 29.0 : 1.0 - static_cast<double>(k))) << k;
}

}  // namespace

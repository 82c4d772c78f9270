// Random numbers at the ends of what they may be asked for: bounds of integers that are numbers or arrays of any dtype, and
// the weights of choices, which may be anything that a double is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/libraries.hpp"

namespace {
using frit::array;
using frit::random::generator;
using frit_test::everywhere;

constexpr std::int64_t many = 64;

/// What a draw is where both bounds are numbers.
template <class T>
std::vector<T> plain(T lo, T hi) {
    return generator(7).integers<T>({many}, lo, hi).to_vector();
}
template <class T, class Lo, class Hi>
std::vector<T> drawn(const Lo& lo, const Hi& hi) {
    return generator(7).integers<T>({many}, lo, hi).to_vector();
}

TEST(RandomBounds, ArraysOfAnyDtypeDrawWhatNumbersDo) {
    everywhere([](const std::string& engine) {
        SCOPED_TRACE(engine);
        const std::vector<std::int64_t> want = plain<std::int64_t>(-5, 10);
        EXPECT_EQ(*std::min_element(want.begin(), want.end()), -5);
        EXPECT_EQ(*std::max_element(want.begin(), want.end()), 9);
        EXPECT_EQ(drawn<std::int64_t>(-5, array<std::uint64_t>{10}), want);
        EXPECT_EQ(drawn<std::int64_t>(array<std::int64_t>{-5}, array<std::uint64_t>{10}), want);
        EXPECT_EQ(drawn<std::int64_t>(array<std::int8_t>{-5}, array<std::uint8_t>{10}), want);
        EXPECT_EQ(drawn<std::int64_t>(array<int>{-5}, 10), want);
        EXPECT_EQ(drawn<std::int64_t>(array<std::uint64_t>{3}, array<int>{-2}), std::vector<std::int64_t>(many, 3))
            << "none from lo to hi";
        EXPECT_EQ(drawn<std::uint64_t>(0, array<int>{9}), plain<std::uint64_t>(0, 9));
        EXPECT_EQ(drawn<std::uint64_t>(0, array<std::int64_t>{9}), plain<std::uint64_t>(0, 9));
        constexpr std::uint64_t high = std::uint64_t{1} << 63;
        EXPECT_EQ(drawn<std::uint64_t>(array<std::uint64_t>{high}, array<std::uint64_t>{high + 9}),
                  plain<std::uint64_t>(high, high + 9));
    });
}

TEST(RandomBounds, AllIntegersOf64Bits) {
    everywhere([](const std::string& engine) {
        SCOPED_TRACE(engine);
        generator words(7);
        words.jump(1);
        const std::vector<std::uint64_t> upper = words.bits<std::uint64_t>({many}).to_vector();
        std::vector<std::int64_t> want;
        for (const std::uint64_t w : upper) want.push_back(static_cast<std::int64_t>(w + (std::uint64_t{1} << 63)));
        constexpr std::uint64_t behind = std::uint64_t{1} << 63;
        EXPECT_EQ(drawn<std::int64_t>(INT64_MIN, behind), want);
        EXPECT_EQ(drawn<std::int64_t>(array<std::int64_t>{INT64_MIN}, behind), want);
        EXPECT_EQ(drawn<std::int64_t>(INT64_MIN, array<std::uint64_t>{behind}), want);
        EXPECT_EQ(drawn<std::int64_t>(array<std::int64_t>{-1}, behind), drawn<std::int64_t>(-1, behind));
    });
}

TEST(RandomBounds, WhatTheDtypeDoesNotHoldIsAnError) {
    constexpr const char* text = "integers: the dtype does not hold a bound";
    everywhere([&](const std::string& engine) {
        SCOPED_TRACE(engine);
        EXPECT_ERROR((void)drawn<std::uint8_t>(array<int>{-5}, 5), frit::index_error, text);
        EXPECT_ERROR((void)drawn<std::uint8_t>(0, array<int>{257}), frit::index_error, text);
        EXPECT_ERROR((void)drawn<std::int8_t>(array<std::uint8_t>{128}, array<std::uint8_t>{3}), frit::index_error, text);
        EXPECT_ERROR((void)drawn<std::uint64_t>(array<std::int64_t>{-1}, array<int>{3}), frit::index_error, text);
        EXPECT_ERROR((void)drawn<std::int64_t>(0, array<std::uint64_t>{(std::uint64_t{1} << 63) + 1}), frit::index_error,
                     text);
        EXPECT_EQ(drawn<std::uint8_t>(array<int>{0}, array<int>{256}), drawn<std::uint8_t>(0, 256));
        EXPECT_EQ(drawn<int>(array<std::int64_t>{-3}, array<std::int64_t>{std::int64_t{1} << 31}),
                  drawn<int>(-3, std::int64_t{1} << 31));
        EXPECT_EQ(drawn<std::uint8_t>(array<int>{7}, array<int>{-9}), std::vector<std::uint8_t>(many, 7));
    });
}

// --- weights of choices ---

std::vector<int> chosen(const array<double>& weights, bool replace) {
    const std::int64_t n = weights.size();
    return array<int>(generator(3).choice(frit::arange<int>(static_cast<int>(n)), {replace ? 200 : 2}, weights, replace))
        .to_vector();
}

TEST(RandomBounds, WeightsThatAreNone) {
    FRIT_SKIP_WITHOUT(argsort);
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    everywhere([&](const std::string& engine) {
        SCOPED_TRACE(engine);
        for (const array<double>& w : {array<double>{0, 0, 0}, {-1, 2, 1}, {1, nan, 1}, {1, inf, 1}, {nan, nan, nan}})
            for (const bool replace : {true, false})
                EXPECT_ERROR((void)chosen(w, replace), frit::index_error,
                             "choice: a weight is negative, infinite or NaN, or all are 0");
    });
}

// A power of two changes no choice, whether its products are subnormal or near the largest number.
TEST(RandomBounds, WeightsOfAnySize) {
    FRIT_SKIP_WITHOUT(argsort);
    const auto times = [](double factor) { return array<double>{factor, 3 * factor, 2 * factor, 3 * factor}; };
    everywhere([&](const std::string& engine) {
        SCOPED_TRACE(engine);
        for (const bool replace : {true, false}) {
            const std::vector<int> want = chosen(times(1), replace);
            if (replace) {
                EXPECT_NE(*std::min_element(want.begin(), want.end()), *std::max_element(want.begin(), want.end()));
            }
            for (const double factor : {0x1p-1074, 0x1p-1060, 0x1p-500, 0x1p500, 0x1p1021})
                EXPECT_EQ(chosen(times(factor), replace), want) << factor << ' ' << replace;
        }
    });
}

// Nor does one that is next to nothing beside another: it comes before 0.
TEST(RandomBounds, WeightsOfAllSizes) {
    FRIT_SKIP_WITHOUT(argsort);
    for (const double least : {1e-300, 1e-310, 1e-20})
        for (std::uint64_t seed = 1; seed < 20; ++seed) {
            generator g(seed);
            const array<int> two = g.choice(array<int>{0, 1, 2}, {2}, array<double>{1, 0, least}, false);
            EXPECT_EQ(two.to_vector(), (std::vector<int>{0, 2})) << least << ' ' << seed;
        }
}

TEST(RandomBounds, ChoicesOfNothing) {
    FRIT_SKIP_WITHOUT(argsort);
    generator g(1);
    const array<int> none = frit::zeros<int>({0});
    const array<double> weights = frit::zeros<double>({0});
    EXPECT_TRUE(array<int>(g.choice(none, {0})).to_vector().empty());
    EXPECT_TRUE(array<int>(g.choice(none, {0}, false)).to_vector().empty());
    EXPECT_TRUE(array<int>(g.choice(none, {2, 0}, weights)).to_vector().empty());
    EXPECT_TRUE(array<int>(g.choice(none, {0}, weights, false)).to_vector().empty());
    EXPECT_ERROR((void)g.choice(none, {1}), frit::error, "choice: there is nothing to choose from");
    EXPECT_ERROR((void)g.split(std::int64_t{1} << 60), frit::error, "split", "1152921504606846976");
}

}  // namespace

// frit::half and frit::bfloat16 as types of one value: every bit pattern, rounding compared with the definition (the nearest
// value, of two the one whose last bit is 0), limits, arithmetic, constant expressions.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "frit/dtype.hpp"

namespace {
using frit::bfloat16, frit::half;

template <class T>
T of_bits(int bits) {
    return T::from_bits(static_cast<std::uint16_t>(bits));
}

/// The bits of the finite values from 0 up, and those of infinity.
template <class T>
constexpr int infinity_bits = std::is_same_v<T, half> ? 0x7c00 : 0x7f80;

/// What x rounds to by the definition: exact in long double, which has room for the middle of two values.
template <class T>
T nearest(long double x) {
    if (std::isnan(x)) return std::numeric_limits<T>::quiet_NaN();
    const long double size = std::fabs(x);
    int low = 0, high = infinity_bits<T>;  // value(low) <= size < value(high), infinity as one step beyond the largest
    const auto value = [](int bits) -> long double {
        if (bits < infinity_bits<T>) return float{of_bits<T>(bits)};
        return 2 * static_cast<long double>(float{of_bits<T>(bits - 1)}) - float{of_bits<T>(bits - 2)};
    };
    if (size >= value(high)) return of_bits<T>(infinity_bits<T> | (std::signbit(x) ? 0x8000 : 0));
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (value(middle) <= size ? low : high) = middle;
    }
    const long double below = size - value(low), above = value(high) - size;
    const int bits = below < above || (below == above && low % 2 == 0) ? low : high;
    return of_bits<T>(bits | (std::signbit(x) ? 0x8000 : 0));
}

template <class T>
class ShortFloat : public testing::Test {};
using short_floats = testing::Types<half, bfloat16>;
TYPED_TEST_SUITE(ShortFloat, short_floats);

TYPED_TEST(ShortFloat, EveryValueIsItsOwnRounding) {
    using T = TypeParam;
    float before = -1;
    for (int bits = 0; bits < 0x10000; ++bits) {
        const T x = of_bits<T>(bits);
        const float wide = x;
        if ((bits & 0x7fff) > infinity_bits<T>) {
            EXPECT_TRUE(std::isnan(wide)) << bits;
            EXPECT_TRUE(std::isnan(float{T(wide)})) << bits;
            continue;
        }
        ASSERT_EQ(T(wide).bits(), bits);
        ASSERT_EQ(T(static_cast<double>(wide)).bits(), bits);
        EXPECT_EQ(std::signbit(wide), bits >= 0x8000);
        if (bits == 0x8000) before = 1;
        EXPECT_TRUE(bits < 0x8000 ? wide > before : wide < before) << bits;
        before = wide;
    }
}

TYPED_TEST(ShortFloat, RoundsOnceFromFloatAndDouble) {
    using T = TypeParam;
    std::mt19937_64 random(1);
    const auto check = [](auto x) {
        const T want = nearest<T>(x);
        if (std::isnan(x)) return;
        ASSERT_EQ(T(x).bits(), want.bits()) << x;
    };
    for (int k = 0; k < 300'000; ++k) {
        check(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
        check(std::bit_cast<double>(random()));
        // beside the middle of two neighbours, further than a float tells
        const int bits = static_cast<int>(random() % static_cast<std::uint64_t>(infinity_bits<T> - 1));
        const double middle = (double{of_bits<T>(bits)} + double{of_bits<T>(bits + 1)}) / 2;
        for (const double x : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, INFINITY)}) check(x), check(-x);
    }
}

TYPED_TEST(ShortFloat, RoundsOnceFromIntegers) {
    using T = TypeParam;
    std::mt19937_64 random(2);
    for (int k = 0; k < 100'000; ++k) {
        // 257 is the middle of two bfloat16 numbers, 2,049 of two of half's
        const std::uint64_t tie = (k % 2 ? 257ULL : 2049ULL) << random() % 52;
        for (const std::uint64_t x : {random() >> random() % 64, tie, tie - 1, tie + 1}) {
            ASSERT_EQ(T(x).bits(), nearest<T>(x).bits()) << x;
            const auto with_sign = static_cast<std::int64_t>(x);
            ASSERT_EQ(T(with_sign).bits(), nearest<T>(with_sign).bits()) << with_sign;
            ASSERT_EQ(T(static_cast<std::int32_t>(x)).bits(), nearest<T>(static_cast<std::int32_t>(x)).bits());
        }
    }
    EXPECT_EQ(T(std::numeric_limits<std::int64_t>::min()).bits(), nearest<T>(-0x1p63L).bits());
    EXPECT_EQ(float{T(true)}, 1.0F);
}

TYPED_TEST(ShortFloat, Limits) {
    using T = TypeParam;
    using limits = std::numeric_limits<T>;
    static_assert(limits::is_specialized && limits::has_infinity && !limits::is_integer);
    EXPECT_EQ(float{limits::max()}, float{of_bits<T>(infinity_bits<T> - 1)});
    EXPECT_EQ(float{limits::lowest()}, -float{limits::max()});
    EXPECT_EQ(float{limits::denorm_min()}, float{of_bits<T>(1)});
    EXPECT_EQ(float{limits::min()}, std::ldexp(1.0F, limits::min_exponent - 1));
    EXPECT_EQ(float{T(1)} + float{limits::epsilon()}, float{of_bits<T>(T(1).bits() + 1)});
    EXPECT_EQ(limits::epsilon().bits(), T(std::ldexp(1.0, 1 - limits::digits)).bits());
    EXPECT_TRUE(std::isinf(float{limits::infinity()}));
    EXPECT_TRUE(std::isnan(float{limits::quiet_NaN()}));
    EXPECT_TRUE(std::isnan(float{limits::signaling_NaN()}));
    EXPECT_LT(std::pow(10.0F, static_cast<float>(limits::max_exponent10)), float{limits::max()});
}
TEST(ShortFloats, DigitsAsNumPysFinfo) {
    EXPECT_EQ(std::numeric_limits<half>::digits10, 3);
    EXPECT_EQ(std::numeric_limits<half>::max_digits10, 5);
    EXPECT_EQ(float{std::numeric_limits<half>::max()}, 65504.0F);
    EXPECT_EQ(std::numeric_limits<bfloat16>::digits10, 2);
    EXPECT_EQ(std::numeric_limits<bfloat16>::max_digits10, 4);
}

TYPED_TEST(ShortFloat, ArithmeticAndComparison) {
    using T = TypeParam;
    T x(1.5);
    const T y(2);
    static_assert(std::is_same_v<decltype(x + y), T>);
    static_assert(std::is_same_v<decltype(x * 2.0F), float>);
    static_assert(std::is_same_v<decltype(x + 1), T> && std::is_same_v<decltype(2U * x), T>);
    EXPECT_EQ(float{x + y}, 3.5F);
    EXPECT_EQ(float{x - y}, -0.5F);
    EXPECT_EQ(float{x * y}, 3.0F);
    EXPECT_EQ(float{x / y}, 0.75F);
    EXPECT_EQ(float{-x}, -1.5F);
    EXPECT_TRUE(std::signbit(float{-T(0)}));
    x += y;
    x *= y;
    x -= T(1);
    x /= T(4);
    EXPECT_EQ(float{x}, 1.5F);
    EXPECT_TRUE(x < y && y > x && x != y && x <= x && x == T(1.5) && T(0.0) == T(-0.0));
    EXPECT_FALSE(T(NAN) == T(NAN));
    EXPECT_EQ(std::max(x, y), y);
    std::ostringstream text;
    text << x;
    EXPECT_EQ(text.str(), "1.5");
}

// The types and values of std::float16_t's arithmetic.
TYPED_TEST(ShortFloat, ArithmeticWithNumbers) {
    using T = TypeParam;
    T x(1);
    x += 1;
    x *= 2.5F;
    x = x + 1;
    EXPECT_EQ(float{x}, 6.0F);
    x -= 0.5;
    x /= std::int64_t{2};
    x = 3 * x - 1U;
    EXPECT_EQ(float{x}, 7.25F);
    EXPECT_EQ(float{x += x}, 14.5F);
    static_assert(std::is_same_v<decltype(1.0 / x), double> && std::is_same_v<decltype(x + half(1) * 1.0F), float>);
    static_assert(std::is_same_v<decltype(half(1) + bfloat16(1)), float>);
    // an integer takes x's type first, a float and a double do not: x is rounded once, from their sum
    EXPECT_TRUE(std::isinf(float{-std::numeric_limits<half>::max() + 100'000}));
    half y(-60'000);
    y += 100'000.0F;
    EXPECT_EQ(float{y}, 40'000.0F);
    T z(1);
    z += std::ldexp(1.0, -std::numeric_limits<T>::digits) + 0x1p-40;  // beyond the middle by less than a float has
    EXPECT_EQ(z.bits(), T(1).bits() + 1);
    half h(0.5);
    h += bfloat16(1);
    EXPECT_EQ(float{h}, 1.5F);
}

TYPED_TEST(ShortFloat, Increments) {
    using T = TypeParam;
    T x(0.5);
    EXPECT_EQ((++x).bits(), T(1.5).bits());
    EXPECT_EQ((x++).bits(), T(1.5).bits());
    EXPECT_EQ((x--).bits(), T(2.5).bits());
    EXPECT_EQ((--x).bits(), T(0.5).bits());
    --++x = T(-3);  // the number itself
    EXPECT_EQ(x.bits(), T(-3).bits());
    const T largest_odd(std::ldexp(1.0, std::numeric_limits<T>::digits) - 1);
    x = largest_odd;
    EXPECT_EQ((++x)++.bits(), T(largest_odd + 1).bits());
    EXPECT_EQ(x.bits(), T(largest_odd + 1).bits());  // to nearest even
    static_assert(std::is_same_v<decltype(+x), T> && std::is_same_v<decltype(-x), T> && std::is_same_v<decltype(x++), T>);
    EXPECT_EQ((+T(-0.0)).bits(), T(-0.0).bits());
}

TYPED_TEST(ShortFloat, Hash) {
    using T = TypeParam;
    EXPECT_EQ(std::hash<T>()(T(-0.0)), std::hash<T>()(T(0)));
    std::unordered_set<T> seen;
    std::unordered_set<std::size_t> hashes;
    for (int bits = 0; bits < 0x10000; ++bits)
        if (const T x = T::from_bits(static_cast<std::uint16_t>(bits)); x == x) {
            seen.insert(x);
            hashes.insert(std::hash<T>()(x));
        }
    EXPECT_EQ(seen.size(), 2 * infinity_bits<T> + 1U);  // of both zeros one
    EXPECT_GT(hashes.size(), seen.size() * 99 / 100);
    EXPECT_TRUE(seen.contains(T(0.5)) && seen.contains(T(-0.0)));
}

TEST(ShortFloats, ConstantExpressions) {
    static_assert([] {
        half x(1);
        const half before = x++;
        return before + x;
    }() == half(3));
    static_assert(half(1) + 1 == half(2) && 7 / bfloat16(2) == bfloat16(3.5));
    static_assert(half(1) + half(2) == half(3));
    static_assert(half(65520.0).bits() == 0x7c00 && half(65519.99).bits() == 0x7bff);
    static_assert(half(0x1p-25).bits() == 0 && half(0x1.8p-25).bits() == 1 && half(-0x1p-24).bits() == 0x8001);
    static_assert(float{bfloat16(half(0.5))} == 0.5F && float{half(bfloat16(0.5))} == 0.5F);
    static_assert(half().bits() == 0);
    static_assert(frit::dtype_of<half> == frit::dtype::f16 && frit::dtype_of<bfloat16> == frit::dtype::bf16);
    static_assert(frit::element<half> && frit::element<bfloat16>);
}

}  // namespace

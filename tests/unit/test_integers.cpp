// Integers of every width and sign: what a C++ number beside an array must fit, what may be written where, creation and
// printing at the ends of the ranges, and kernels that mix one-byte elements with eight-byte ones.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/values.hpp"

namespace {
using frit::array;
using u8 = std::uint8_t;
using i8 = std::int8_t;
using u64 = std::uint64_t;

template <class E>
constexpr frit::dtype type_of = E::type;
array<u8> bytes() { return {0, 1, 200, 255}; }
array<u64> large() { return {u64{0}, ~u64{0}}; }
std::string here(int line) { return "test_integers.cpp:" + std::to_string(line); }

// A number takes the array's dtype; where no array decides it has its own.
static_assert(type_of<decltype(bytes() + 1)> == frit::dtype::u8);
static_assert(type_of<decltype(bytes() + 1U)> == frit::dtype::u8);
static_assert(type_of<decltype(bytes() + array<i8>())> == frit::dtype::i16);
static_assert(type_of<decltype(bytes() * 2.5)> == frit::dtype::f64);
static_assert(type_of<decltype(bytes() * array<float>())> == frit::dtype::f32);
static_assert(type_of<decltype(array<bool>() + 1U)> == frit::dtype::i64);
static_assert(type_of<decltype(frit::where(array<bool>(), 1U, 0U))> == frit::dtype::u32);
static_assert(type_of<decltype(frit::sqrt(array<std::int16_t>()))> == frit::dtype::f32);
static_assert(type_of<decltype(frit::sqrt(array<std::uint32_t>()))> == frit::dtype::f64);
static_assert(type_of<decltype(frit::sum(bytes()))> == frit::dtype::u64);
static_assert(type_of<decltype(frit::sum(array<i8>()))> == frit::dtype::i64);

TEST(Integers, NumbersMustFit) {
    EXPECT_ERROR(array<u8> y = bytes() + 256, frit::dtype_error, "+: ", "256", "uint8", here(__LINE__));
    EXPECT_ERROR((void)(bytes() + -1).shape(), frit::dtype_error, "-1", "uint8", here(__LINE__));
    EXPECT_ERROR((void)(array<i8>{1} * 128).to_vector(), frit::dtype_error, "128", "int8", here(__LINE__));
    EXPECT_ERROR(array<std::int64_t> y = array<std::int64_t>{1} + ~u64{0}, frit::dtype_error, "18446744073709551615",
                 "int64");
    EXPECT_ERROR(array<u64> y = large() - INT64_MIN, frit::dtype_error, "-9223372036854775808", "uint64");
    EXPECT_ERROR(array<bool> y = frit::maximum(1, bytes() * 2) == -7, frit::dtype_error, "==: ", "-7", "uint8");
    EXPECT_ERROR((void)frit::sum(frit::clip(bytes(), 0, 300), 0), frit::dtype_error, "clip", "300", here(__LINE__));
    EXPECT_EQ(array<u8>(bytes() + 255).to_vector(), (std::vector<u8>{255, 0, 199, 254}));
    EXPECT_EQ(array<u64>(large() + ~u64{0}).to_vector(), (std::vector<u64>{~u64{0}, ~u64{0} - 1}));
    EXPECT_ERROR((array<u8>{1, 300}), frit::dtype_error, "300", "uint8", here(__LINE__));
    EXPECT_ERROR((array<i8>{{1, 2}, {3, -129}}), frit::dtype_error, "-129", "int8", here(__LINE__));
    array<i8> x{1, 2, 3};
    EXPECT_ERROR(x += 128, frit::dtype_error, "+: ", "128", "int8", here(__LINE__));
    EXPECT_ERROR(x = x * 1000 + 1, frit::dtype_error, "*: ", "1000", "int8", here(__LINE__));
    EXPECT_ERROR(x(0) = 128, frit::dtype_error, "128", "int8", here(__LINE__));
    EXPECT_ERROR(x(frit::slice(0, 2)) -= 128, frit::dtype_error, "-: ", "128", "int8", here(__LINE__));
    EXPECT_ERROR(x(x > 1) = -129, frit::dtype_error, "-129", "int8", here(__LINE__));
    EXPECT_EQ(x.to_vector(), (std::vector<i8>{1, 2, 3}));
    EXPECT_EQ((array<int>{1U, 2U}).to_vector(), (std::vector<int>{1, 2}));
}

// As NumPy 2: float64, to which they promote, would take neighbours for equal.
TEST(Integers, ComparisonsWithUint64AreExact) {
    const std::int64_t big = (std::int64_t{1} << 53) + 1, most = std::numeric_limits<std::int64_t>::max();
    const frit::array<std::int64_t> x{big, big, -1, -1, most, 7};
    const frit::array<std::uint64_t> y{std::uint64_t(big) - 1, std::uint64_t(big),      0,
                                       ~std::uint64_t{0},      std::uint64_t(most) + 1, 7};
    using flags = std::vector<bool>;
    EXPECT_EQ((x == y).to_vector(), (flags{false, true, false, false, false, true}));
    EXPECT_EQ((x != y).to_vector(), (flags{true, false, true, true, true, false}));
    EXPECT_EQ((x < y).to_vector(), (flags{false, false, true, true, true, false}));
    EXPECT_EQ((x <= y).to_vector(), (flags{false, true, true, true, true, true}));
    EXPECT_EQ((y < x).to_vector(), (flags{true, false, false, false, false, false}));
    EXPECT_EQ((y >= x).to_vector(), (flags{false, true, true, true, true, true}));
    EXPECT_EQ((y > frit::cast<std::int8_t>(x(frit::slice(2, 3)))).to_vector(), (flags{true, true, true, true, true, true}));
    EXPECT_KERNELS(1, frit::array<bool>((x < y) & (x != y)));
}

// NumPy: an integer, which wraps. It refuses negative powers; here they give what is left of the fraction.
TEST(Integers, Powers) {
    for (frit_test::engine e : frit_test::engines()) {
        const frit_test::with_engine engine(e);
        const array<int> x{-3, -2, -1, 0, 1, 2, 3};
        using ints = std::vector<int>;
        EXPECT_EQ(pow(x, 2).to_vector(), (ints{9, 4, 1, 0, 1, 4, 9}));
        EXPECT_EQ(pow(x, 3).to_vector(), (ints{-27, -8, -1, 0, 1, 8, 27}));
        EXPECT_EQ(pow(x, 0).to_vector(), (ints{1, 1, 1, 1, 1, 1, 1}));
        EXPECT_EQ(pow(x, -1).to_vector(), (ints{0, 0, -1, 0, 1, 0, 0}));
        EXPECT_EQ(pow(x, -2).to_vector(), (ints{0, 0, 1, 0, 1, 0, 0}));
        EXPECT_EQ(pow(2, frit::abs(x) * 11).to_vector(), (ints{0, 1 << 22, 1 << 11, 1, 1 << 11, 1 << 22, 0}))
            << "2^33 wraps";
        EXPECT_EQ(pow(array<int>{3, -3}, 21).to_vector(), (ints{1870418611, -1870418611}));
        EXPECT_EQ(pow(array<i8>{-128, 3, 2}, array<i8>{1, 5, 7}).to_vector(), (std::vector<i8>{-128, -13, -128}));
        EXPECT_EQ(pow(array<u8>{255, 2, 3}, array<u8>{255, 7, 5}).to_vector(), (std::vector<u8>{255, 128, 243}));
        EXPECT_EQ(pow(array<u64>{3, ~u64{0}, 2}, array<u64>{40, ~u64{0}, 63}).to_vector(),
                  (std::vector<u64>{12157665459056928801U, ~u64{0}, u64{1} << 63}));
        EXPECT_EQ(pow(array<bool>{true, true, false, false}, array<bool>{true, false, true, false}).to_vector(),
                  (ints{1, 1, 0, 1}));
        EXPECT_EQ(pow(x, 0.5).dtype(), frit::dtype::f64);
        EXPECT_EQ(pow(array<float>{3}, array<float>{2}).item(), 9.F);
    }
}

// Quotients are computed in floating point: what lies next to a multiple of the divisor would show an error.
template <class T>
void check_quotients() {
    using limits = std::numeric_limits<T>;
    frit_test::generator g(3);
    std::vector<T> a, b;
    const auto any = [&] {
        const auto v = static_cast<T>(g.next() >> (64 - limits::digits + g.below(limits::digits)));
        return g.chance(0.1) ? limits::max() : g.chance(0.1) ? limits::min() : g.chance(0.5) ? static_cast<T>(-v) : v;
    };
    const auto times = [](T x, T y) { return static_cast<T>(static_cast<u64>(x) * static_cast<u64>(y)); };
    for (int k = 0; k < 20000; ++k) {
        const T by = any(), q = by == 0 || by == static_cast<T>(-1) ? T(0) : static_cast<T>(any() / by);
        b.push_back(by);
        a.push_back(static_cast<T>(static_cast<u64>(times(q, by)) + static_cast<u64>(g.below(3)) - 1));
    }
    const auto expect = [&](const array<T>& x, const auto& y, const auto& divisor) {
        const std::vector<T> quotient = array<T>(x / y).to_vector(), rest = array<T>(x % y).to_vector(),
                             low = array<T>(frit::floor_divide(x, y)).to_vector(),
                             above = array<T>(frit::remainder(x, y)).to_vector();
        for (std::size_t k = 0; k < a.size(); ++k) {
            const T by = divisor(k);
            const bool wraps = by == 0 || (std::is_signed_v<T> && by == static_cast<T>(-1));
            const T q = by == 0 ? T(0) : wraps ? times(a[k], by) : static_cast<T>(a[k] / by);
            const T r = wraps ? T(0) : static_cast<T>(a[k] % by);
            const bool moves = r != 0 && (r < 0) != (by < 0);
            ASSERT_EQ(quotient[k], q) << +a[k] << " / " << +by;
            ASSERT_EQ(rest[k], r) << +a[k] << " % " << +by;
            ASSERT_EQ(low[k], static_cast<T>(q - moves)) << +a[k] << " // " << +by;
            ASSERT_EQ(above[k], static_cast<T>(moves ? r + by : r)) << +a[k] << " mod " << +by;
        }
    };
    const array<T> x = frit::from_host(a);
    expect(x, frit::from_host(b), [&](std::size_t k) { return b[k]; });
    for (const T by : {T(0), T(1), T(3), T(7), T(10), T(64), T(-1), T(-7), limits::max(), limits::min()})
        expect(x, by, [by](std::size_t) { return by; });
}

TEST(Integers, QuotientsNextToMultiples) {
    for (frit_test::engine e : frit_test::engines()) {
        const frit_test::with_engine engine(e);
        check_quotients<i8>(), check_quotients<u8>(), check_quotients<std::int16_t>(), check_quotients<std::uint16_t>();
        check_quotients<int>(), check_quotients<unsigned>(), check_quotients<std::int64_t>(), check_quotients<u64>();
    }
}

TEST(Integers, WritesWithinAKind) {
    array<u8> x{1, 2, 3};
    x += 254;
    EXPECT_EQ(x.to_vector(), (std::vector<u8>{255, 0, 1}));
    array<i8> y{1, 2, 3};
    y(frit::slice(0, 2)) = x(frit::slice(0, 2));  // a cast within a kind wraps
    EXPECT_EQ(y.to_vector(), (std::vector<i8>{-1, 0, 3}));
    y *= array<std::int64_t>{100, 100, 100};
    EXPECT_EQ(y.to_vector(), (std::vector<i8>{-100, 0, 44}));
}

TEST(Integers, Creation) {
    EXPECT_EQ(frit::arange<u8>(250, 255, 2).to_vector(), (std::vector<u8>{250, 252, 254}));
    EXPECT_EQ(frit::arange<i8>(3, -128, -100).to_vector(), (std::vector<i8>{3, -97}));
    EXPECT_EQ(frit::arange<u64>(~u64{0} - 2, ~u64{0}).to_vector(), (std::vector<u64>{~u64{0} - 2, ~u64{0} - 1}));
    EXPECT_EQ(frit::arange<u64>(5, 5).size(), 0);
    EXPECT_EQ(frit::eye<std::int16_t>(2).to_vector(), (std::vector<std::int16_t>{1, 0, 0, 1}));
    EXPECT_EQ(frit::linspace(i8{0}, i8{1}, 3).to_vector(), (std::vector<float>{0, 0.5F, 1}));
    std::ostringstream s;
    s << frit::arange<i8>(-2, 2) << large();
    EXPECT_EQ(s.str(), "[-2 -1  0  1][                   0 18446744073709551615]");
}

TEST(Integers, ReductionsStartFromTheEndsOfTheRange) {
    for (frit_test::engine e : frit_test::engines()) {
        const frit_test::with_engine engine(e);
        EXPECT_EQ(frit::max(array<i8>{-128, -127}).item(), -127);
        EXPECT_EQ(frit::min(array<u8>{255, 254}).item(), 254);
        EXPECT_EQ(frit::max(array<u64>{u64{0}}).item(), 0U);
        EXPECT_EQ(frit::sum(frit::full({1000}, u8{255})).item(), 255000U);
        EXPECT_EQ(frit::sum(frit::full({1000}, i8{-128})).item(), -128000);
        EXPECT_EQ(frit::mean(frit::full({1000}, u8{255})).item(), 255.0);
    }
}

TEST(Integers, EveryWidthInOneKernel) {
    const std::int64_t n = 1003;  // a tail at every level
    const array<int> index = frit::arange<int>(static_cast<int>(n));
    const array<u8> a = frit::cast<u8>(index), b = frit::cast<u8>(index * 3);
    const array<std::int16_t> half = frit::cast<std::int16_t>(index) - 500;
    const array<double> wide = frit::linspace(0.0, 1002.0, n);
    frit::eval(a, b, half, wide);
    for (frit_test::engine e : frit_test::engines()) {
        const frit_test::with_engine engine(e);
        const auto mixed = frit::where(a > b, frit::cast<double>(a - b) * wide, frit::cast<double>(half));
        const array<double> got = mixed;
        const array<u8> narrow = frit::cast<u8>(mixed);
        EXPECT_KERNELS(1, got, narrow);
        const std::vector<double> values = got.to_vector();
        const std::vector<u8> low = narrow.to_vector();
        for (std::int64_t k = 0; k < n; ++k) {
            const u8 p = static_cast<u8>(k), q = static_cast<u8>(p * 3);
            const double want = p > q ? static_cast<u8>(p - q) * static_cast<double>(k) : static_cast<double>(k - 500);
            const double clamped = want < 0 ? 0 : want > 255 ? 255 : want;
            ASSERT_EQ(values[static_cast<std::size_t>(k)], want) << k;
            ASSERT_EQ(low[static_cast<std::size_t>(k)], static_cast<u8>(clamped)) << k;
        }
    }
}

}  // namespace

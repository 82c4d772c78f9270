// complex64 and complex128 in order: comparisons, extrema with their NaNs and zeros' signs, sorts. Every engine and the
// unfused form must give the same bits, and these NumPy's answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tests/differential/complex_cases.hpp"
#include "tests/support/thorough.hpp"

namespace {
using frit::array, frit::op, frit::slice;
using frit_test::everywhere;
using namespace frit_test::complex_cases;

/// A number in letters: "12" is 1+2i, n a NaN, z a -0, i an infinity, j -infinity.
template <class T>
std::vector<T> spelled(const std::string& text) {
    using part = typename T::value_type;
    constexpr part inf = std::numeric_limits<part>::infinity();
    const auto part_of = [](char c) {
        return c == 'n'   ? std::numeric_limits<part>::quiet_NaN()
               : c == 'z' ? part(-0.0)
               : c == 'i' ? inf
               : c == 'j' ? -inf
                          : part(c - '0');
    };
    std::vector<T> values;
    for (std::size_t k = 0; k < text.size(); k += 3) values.emplace_back(part_of(text[k]), part_of(text[k + 1]));
    return values;
}
/// Equal parts, zeros' signs among them; NaNs are one.
template <class T>
void expect_parts(const array<T>& got, const std::string& want, const std::string& what) {
    const std::vector<T> is = got.to_vector(), should = spelled<T>(want);
    ASSERT_EQ(is.size(), should.size()) << what;
    const auto same = [](auto a, auto b) {
        return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
    };
    for (std::size_t k = 0; k < is.size(); ++k)
        EXPECT_TRUE(same(is[k].real(), should[k].real()) && same(is[k].imag(), should[k].imag()))
            << what << " at " << k << ": got " << is[k] << ", want " << should[k];
}

// NumPy's answers, of 1.24: each of these with each, 12 13 n1 1n nn 20 0z z0.
template <class T>
void check_order() {
    const array<T> x = frit::from_host(spelled<T>("12 13 n1 1n nn 20 0z z0")), rows = x.reshape({8, 1});
    const std::string nans = "n1 n1 n1 n1 n1 n1 n1 n1 1n 1n 1n 1n 1n 1n 1n 1n nn nn nn nn nn nn nn nn ";
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        expect_parts(array<T>(maximum(rows, x)),
                     "12 13 n1 1n nn 20 12 12 13 13 n1 1n nn 20 13 13 " + nans +
                         "20 20 n1 1n nn 20 20 20 12 13 n1 1n nn 20 0z 0z 12 13 n1 1n nn 20 z0 z0",
                     "maximum");
        expect_parts(array<T>(minimum(rows, x)),
                     "12 12 n1 1n nn 12 0z z0 12 13 n1 1n nn 13 0z z0 " + nans +
                         "12 13 n1 1n nn 20 0z z0 0z 0z n1 1n nn 0z 0z 0z z0 z0 n1 1n nn z0 z0 z0",
                     "minimum");
        expect_parts(array<T>(fmax(rows, x)),
                     "12 13 12 12 12 20 12 12 13 13 13 13 13 20 13 13 12 13 n1 n1 n1 20 0z z0 12 13 1n 1n 1n 20 0z z0 "
                     "12 13 nn nn nn 20 0z z0 20 20 20 20 20 20 20 20 12 13 0z 0z 0z 20 0z 0z 12 13 z0 z0 z0 20 z0 z0",
                     "fmax");
        expect_parts(array<T>(fmin(rows, x)),
                     "12 12 12 12 12 12 0z z0 12 13 13 13 13 13 0z z0 12 13 n1 n1 n1 20 0z z0 12 13 1n 1n 1n 20 0z z0 "
                     "12 13 nn nn nn 20 0z z0 12 13 20 20 20 20 0z z0 0z 0z 0z 0z 0z 0z 0z 0z z0 z0 z0 z0 z0 z0 z0 z0",
                     "fmin");
        const auto expect_bits = [](const array<bool>& got, const std::string& want, const char* what) {
            std::string is;
            for (const bool b : got.to_vector()) is += b ? '1' : '0';
            EXPECT_EQ(is, want) << what;
        };
        const std::string none(24, '0');
        expect_bits(rows < x, "0100010000000100" + none + "000000001100010011000100", "<");
        expect_bits(rows <= x, "1100010001000100" + none + "000001001100011111000111", "<=");
        expect_bits(rows > x, "0000001110000011" + none + "110000110000000000000000", ">");
        expect_bits(rows >= x, "1000001111000011" + none + "110001110000001100000011", ">=");
        expect_parts(array<T>(clip(frit::from_host(spelled<T>("12 31 n0 15")), T(1, 3), 2.0)), "13 20 n0 15", "clip");
    });
}
TEST(Complex, OrderComplex64) { check_order<c64>(); }
TEST(Complex, OrderComplex128) { check_order<c128>(); }

/// Few different parts, so that most are equal to others but for a zero's sign, and some NaNs in either part.
template <class T>
std::vector<T> crowd(std::size_t count, std::uint32_t seed, unsigned nans) {
    using part = typename T::value_type;
    std::mt19937 random(seed);
    const auto part_of = [&] {
        if (random() % 1000 < nans) return std::numeric_limits<part>::quiet_NaN();
        const auto x = static_cast<part>(random() % 3);
        return random() % 2 == 0 ? -x : x;
    };
    std::vector<T> values;
    for (std::size_t k = 0; k < count; ++k) {
        const part re = part_of();
        values.emplace_back(re, part_of());
    }
    return values;
}
template <class T>
T first_extremum(const std::vector<T>& row, bool largest) {
    const auto nan = [](const T& x) { return std::isnan(x.real()) || std::isnan(x.imag()); };
    const auto less = [](const T& a, const T& b) {
        return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
    };
    T best = row[0];
    for (const T& x : row)
        if (!nan(best) && (nan(x) || (largest ? less(best, x) : less(x, best)))) best = x;
    return best;
}
template <class T>
void expect_same_parts(const array<T>& got, const std::vector<T>& want, const std::string& what) {
    const std::vector<T> is = got.to_vector();
    ASSERT_EQ(is.size(), want.size()) << what;
    const auto same = [](auto a, auto b) {
        return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
    };
    for (std::size_t k = 0; k < is.size(); ++k)
        if (!same(is[k].real(), want[k].real()) || !same(is[k].imag(), want[k].imag())) {
            ADD_FAILURE() << what << " at " << k << ": got " << is[k] << ", want " << want[k];
            return;
        }
}

/// x of three axes reduced along every choice of them.
template <class T>
void check_first_extremes(const array<T>& x, const std::string& what) {
    const frit::shape e = x.shape();
    const std::vector<T> values = x.to_vector();
    for (unsigned axes = 1; axes < 8; ++axes) {
        std::map<std::int64_t, std::vector<T>> rows;
        std::vector<std::int64_t> over;
        for (int k = 0; k < 3; ++k)
            if (axes >> k & 1U) over.push_back(k);
        std::size_t at = 0;
        for (std::int64_t i = 0; i < e[0]; ++i)
            for (std::int64_t j = 0; j < e[1]; ++j)
                for (std::int64_t k = 0; k < e[2]; ++k) {
                    const std::int64_t row =
                        (axes & 1U ? 0 : i * e[1] * e[2]) + (axes & 2U ? 0 : j * e[2]) + (axes & 4U ? 0 : k);
                    rows[row].push_back(values[at++]);
                }
        std::vector<T> largest, smallest;
        for (const auto& [row, of_row] : rows) {
            largest.push_back(first_extremum(of_row, true));
            smallest.push_back(first_extremum(of_row, false));
        }
        const std::string who = what + " " + frit::to_string(e) + " axes " + std::to_string(axes);
        expect_same_parts(array<T>(max(x, over)), largest, who + " max");
        expect_same_parts(array<T>(min(x, over)), smallest, who + " min");
        expect_same_parts(array<T>(max(conj(conj(x)), over)), largest, who + " max of a formula");
    }
    expect_same_parts(array<T>(max(x)), {first_extremum(values, true)}, what + " max of all");
    expect_same_parts(array<T>(max(x)), {array<T>(x.reshape({-1}))(argmax(x.reshape({-1})).item()).item()},
                      what + " argmax");
    expect_same_parts(array<T>(min(x)), {first_extremum(values, false)}, what + " min of all");
}
template <class T>
void check_first_of_equals() {
    const array<T> few = frit::from_host(spelled<T>("12 n0 0n 1n 21"));
    const frit::shape shapes[] = {{1, 1, 300}, {2, 3, 40}, {37, 2, 5}, {70, 9, 1}, {3, 1, 4500}};
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        expect_parts(array<T>(max(few)), "n0", "max");
        expect_parts(array<T>(max(few.reshape({5, 1}), 0)), "n0", "max");
        check_first_extremes(array<T>(frit::from_host(crowd<T>(37 * 2 * 70, 49, 20), {37, 2, 70}).T()), "turned");
    });
    interpreted_and_jit([&](const std::string& who) {
        SCOPED_TRACE(who);
        expect_parts(array<T>(max(few)), "n0", "max");
        expect_parts(array<T>(min(few)), "n0", "min");
        expect_parts(array<T>(max(few.reshape({5, 1}), 0)), "n0", "max");
        expect_parts(array<T>(max(broadcast_to(few, {3, 5}), 1)), "n0 n0 n0", "max");
        std::uint32_t seed = 50;
        for (const frit::shape& s : shapes)
            for (const unsigned nans : {0U, 20U, 400U}) {
                const auto count = static_cast<std::size_t>(s.size());
                const array<T> x = frit::from_host(crowd<T>(count, ++seed, nans), s);
                // Each shape and each number of NaNs in one layout, another one for each commit.
                const std::size_t k = seed + seed / 3;
                if (frit_test::sampled(k, 3)) check_first_extremes(x, "dense");
                if (frit_test::sampled(k + 1, 3)) check_first_extremes(array<T>(x.T()), "turned");
                if (frit_test::sampled(k + 2, 3)) check_first_extremes(array<T>(flip(x)), "backward");
            }
    });
}
TEST(Complex, FirstOfEqualsAndNaNsComplex64) { check_first_of_equals<c64>(); }
TEST(Complex, FirstOfEqualsAndNaNsComplex128) { check_first_of_equals<c128>(); }

template <class T>
void check_extremes() {
    const array<T> x = frit::from_host(spelled<T>("12 13 02 13 05 02 jn ji j0 i0 ij i0 nn 12 13 n1 1n 12")).reshape({6, 3});
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        expect_parts(array<T>(max(x(slice(0, 5)), 1)), "13 13 jn i0 nn", "max of rows");
        expect_parts(array<T>(min(x(slice(0, 5)), 1)), "02 02 jn ij nn", "min of rows");
        EXPECT_EQ(array<std::int64_t>(argmax(x, 1)).to_vector(), (std::vector<std::int64_t>{1, 0, 0, 0, 0, 0}));
        EXPECT_EQ(array<std::int64_t>(argmin(x, 1)).to_vector(), (std::vector<std::int64_t>{2, 2, 0, 1, 0, 0}));
        EXPECT_EQ(array<std::int64_t>(argmin(x(slice(3, 5)), 0)).to_vector(), (std::vector<std::int64_t>{1, 1, 1}));
        EXPECT_EQ(argmax(x).item(), 6);
        EXPECT_EQ(argmax(x(slice(0, 2))).item(), 1);
        const T last = array<T>(max(x(5))).item();
        EXPECT_TRUE(std::isnan(last.real()) || std::isnan(last.imag()));
        // what is left out is smaller than every number, and larger
        const array<T> ends = frit::from_host(spelled<T>("j0 i0 12"));
        const array<bool> first{true, false, false}, second{false, true, false}, none{false, false, false};
        expect_parts(array<T>(max(ends, 0, frit::where(first))), "j0", "max of one");
        expect_parts(array<T>(min(ends, 0, frit::where(second))), "i0", "min of one");
        expect_parts(array<T>(max(ends, 0, frit::where(none))), "jj", "max of nothing");
        expect_parts(min(frit::any_array(ends), 0, frit::where(none)).template as<T>(), "ii", "min of nothing");
        EXPECT_EQ(argmax(ends, frit::where(first)).item(), 0);
        // long rows, and with what else is asked of them
        const array<T> many = some<T>({7, 5003}, 31);
        const array<T> largest = max(many, 1, frit::keepdims);
        EXPECT_TRUE(frit::all(many <= largest).item());
        EXPECT_TRUE(frit::all(any(many == largest, 1)).item());
        const std::vector<std::int64_t> places = array<std::int64_t>(argmax(many, 1)).to_vector();
        for (std::int64_t k = 0; k < 7; ++k)
            EXPECT_EQ(many(k, places[static_cast<std::size_t>(k)]).item(), largest(k, 0).item());
        if (!frit_test::missing_library(op::cummax).empty()) return;
        const array<T> steps = frit::from_host(spelled<T>("12 z0 13 0z 1n 50 n1"));
        expect_parts(array<T>(cummax(steps)), "12 12 13 13 1n 1n 1n", "cummax");
        expect_parts(array<T>(cummin(steps)), "12 z0 z0 z0 1n 1n 1n", "cummin");
        EXPECT_TRUE(frit::all(array<T>(cummax(many, 1))(frit::all, -1) == max(many, 1)).item());
        EXPECT_TRUE(frit::all(array<T>(cummin(many, 1))(frit::all, -1) == min(many, 1)).item());
    });
    EXPECT_EQ(frit::make_plan(array<T>(max(some<T>({40, 50}, 32), 1))).kernels().size(), 1U);
}
TEST(Complex, ExtremesComplex64) { check_extremes<c64>(); }
TEST(Complex, ExtremesComplex128) { check_extremes<c128>(); }

// --- sorts ---

/// NumPy's order, as it documents it: [R + Rj, R + nanj, nan + Rj, nan + nanj], and what has a number by that number.
template <class T>
bool comes_before(T a, T b) {
    const auto group = [](T z) {
        return 2 * static_cast<int>(std::isnan(z.real())) + static_cast<int>(std::isnan(z.imag()));
    };
    if (group(a) != group(b)) return group(a) < group(b);
    switch (group(a)) {
        case 0: return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
        case 1: return a.real() < b.real();
        case 2: return a.imag() < b.imag();
        default: return false;
    }
}

/// Few values, so that there are ties, zeros of both signs, infinities and all kinds of NaN among them.
template <class T>
std::vector<T> numbers_to_sort(std::int64_t count, std::uint32_t seed) {
    using part = typename T::value_type;
    const part inf = std::numeric_limits<part>::infinity(), nan = std::numeric_limits<part>::quiet_NaN();
    const part special[] = {0, -part(0), inf, -inf, nan, -nan, 1, -1, part(1e-40), -part(1e-40)};
    std::mt19937 random(seed);
    const auto draw = [&] {
        const std::uint32_t bits = random();
        if (bits % 4 == 0) return special[bits / 4 % 10];
        return static_cast<part>(static_cast<int>(bits / 4 % 41) - 20) / 4 * (bits % 4 == 1 ? part(1e6) : part(1));
    };
    std::vector<T> values;
    for (std::int64_t k = 0; k < count; ++k) {
        const part re = draw();
        values.emplace_back(re, draw());
    }
    return values;
}

template <class T>
void check_sorts() {
    if (const std::string missing = frit_test::missing_library(op::sort); !missing.empty()) GTEST_SKIP() << missing;
    struct extents {
        std::int64_t rows, columns;
    };
    for (const auto& [rows, columns] : {extents{3, 1}, {40, 9}, {7, 300}, {2, 5000}, {1, 140'000}, {0, 4}, {4, 0}}) {
        const std::vector<T> a = numbers_to_sort<T>(rows * columns, static_cast<std::uint32_t>(columns));
        const array<T> x = frit::from_host(a.data(), {rows, columns});
        std::vector<T> sorted;
        std::vector<std::int64_t> places;
        for (std::int64_t i = 0; i < rows; ++i) {
            const T* const row = a.data() + i * columns;
            std::vector<std::int64_t> order(static_cast<std::size_t>(columns));
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(),
                             [&](std::int64_t p, std::int64_t q) { return comes_before(row[p], row[q]); });
            for (const std::int64_t p : order) {
                places.push_back(p);
                sorted.push_back(row[p]);
            }
        }
        const std::string values = bytes_of(frit::from_host(sorted.data(), {rows, columns}));
        everywhere([&](const std::string& who) {
            SCOPED_TRACE(who + ", " + std::to_string(rows) + " rows of " + std::to_string(columns));
            EXPECT_TRUE(bytes_of(array<T>(sort(x))) == values);
            EXPECT_EQ(argsort(x).to_vector(), places);
            const array<T> both = sort(x, 1);
            const array<std::int64_t> order = argsort(x, 1);
            frit::eval(both, order);
            EXPECT_TRUE(bytes_of(both) == values);
            EXPECT_EQ(order.to_vector(), places);
            const array<T> turned = x.T(), of_columns = sort(turned, 0);
            EXPECT_TRUE(bytes_of(array<T>(of_columns.T())) == values);
            EXPECT_EQ(argsort(frit::any_array(x)).to_vector(), places);
            EXPECT_TRUE(bytes_of(sort(frit::any_array(x)).template as<T>()) == values);
        });
    }
}
TEST(Complex, SortsComplex64) { check_sorts<c64>(); }
TEST(Complex, SortsComplex128) { check_sorts<c128>(); }

}  // namespace

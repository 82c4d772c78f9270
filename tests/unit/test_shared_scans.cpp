// Scans by the caller's operation along long rows that lie along memory. On a GPU blocks share such a row in one kernel,
// which reads and writes what it must, once; elsewhere it is cut into pieces. Against a plain loop, bit by bit where the
// operation is exact, for rows around the lengths of tiles, of values of one and of many parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/thorough.hpp"

namespace {
using frit::array;

bool on_gpu() { return !frit::default_device().is_cpu(); }
array<std::int64_t> numbers(const frit::shape& of, std::uint64_t seed, std::int64_t low, std::int64_t high) {
    return array<std::int64_t>(frit::random::generator(seed).integers<std::int64_t>(of, low, high)).eval();
}
/// Odd or even ones: products of odd ones modulo 2^64 lose nothing of what came long before.
array<std::uint64_t> words(const frit::shape& of, std::uint64_t seed, int odd) {
    return array<std::uint64_t>(frit::cast<std::uint64_t>(2 * numbers(of, seed, -9, 10) + odd)).eval();
}

// Around what a warp and a block take at a time, and rows of more than 32 tiles.
const std::vector<frit::shape> shapes = {{3, 513},   {3, 1025},     {3, 4095},      {3, 4096}, {3, 4097},
                                         {2, 8191},  {2, 8192},     {8193},         {12289},   {70001},
                                         {300, 700}, {2, 10, 5000}, {33 * 4096 + 1}};

/// x -> a x + b as (a, b), the left one first: not commutative, and exact modulo 2^64.
const auto composed = [](const auto& f, const auto& g) {
    const auto& [a, b] = f;
    const auto& [c, d] = g;
    return std::tuple(a * c, b * c + d);
};
const auto multiplied = [](const auto& f, const auto& g) {
    const auto& [a, b, c, d] = f;
    const auto& [p, q, r, s] = g;
    return std::tuple(a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s);
};
/// What was last not 0: of every dtype, and not commutative.
const auto last_of = [](const auto& a, const auto& b) { return frit::where(b != 0, b, a); };
const auto either = [](const auto& a, const auto& b) { return a + b - a * b; };

TEST(SharedScans, PairsInOrder) {
    for (const frit::shape& of : shapes) {
        const array<std::uint64_t> x = words(of, 1, 1), y = words(of, 2, 0);
        const std::vector<std::uint64_t> c = x.to_vector(), d = y.to_vector();
        SCOPED_TRACE(frit::to_string(of));
        const auto [s, t] = frit::scan(std::tuple(x, y), -1, composed);
        if (on_gpu()) EXPECT_KERNELS(1, s, t);
        const std::vector<std::uint64_t> a = s.to_vector(), b = t.to_vector();
        std::size_t wrong = 0;
        std::uint64_t p = 1, q = 0;
        for (std::size_t k = 0; k < c.size(); ++k) {
            if (k % static_cast<std::size_t>(of[-1]) == 0) p = 1, q = 0;
            p *= c[k], q = q * c[k] + d[k];
            wrong += a[k] != p || b[k] != q;
        }
        EXPECT_EQ(wrong, 0U);
    }
}

TEST(SharedScans, MatricesInOrder) {
    for (const std::int64_t n : {std::int64_t{2049}, std::int64_t{9000}, std::int64_t{35 * 2048}}) {
        std::vector<array<std::uint64_t>> m;
        std::vector<std::vector<std::uint64_t>> of;
        for (std::uint64_t k = 0; k < 4; ++k) {
            m.push_back(words({n}, 3 + k, k == 0 || k == 3));  // so are their determinants
            of.push_back(m.back().to_vector());
        }
        SCOPED_TRACE(std::to_string(n));
        const auto [a, b, c, d] = frit::scan(std::tuple(m[0], m[1], m[2], m[3]), 0, multiplied);
        frit::eval(a, b, c, d);
        const std::vector<std::uint64_t> got[] = {a.to_vector(), b.to_vector(), c.to_vector(), d.to_vector()};
        std::array<std::uint64_t, 4> p{1, 0, 0, 1};
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < of[0].size(); ++k) {
            const std::uint64_t q[] = {of[0][k], of[1][k], of[2][k], of[3][k]};
            p = {p[0] * q[0] + p[1] * q[2], p[0] * q[1] + p[1] * q[3], p[2] * q[0] + p[3] * q[2], p[2] * q[1] + p[3] * q[3]};
            for (std::size_t part = 0; part < 4; ++part) wrong += got[part][k] != p[part];
        }
        EXPECT_EQ(wrong, 0U);
    }
}

// More than 1,024 tiles of any length that there is, where the tests are thorough.
TEST(SharedScans, RowsOfManyTiles) {
    const std::int64_t n = (frit_test::thorough() ? 1030 : 40) * 8192 + 5;
    const array<std::uint32_t> x =
        array<std::uint32_t>(frit::cast<std::uint32_t>(frit::arange<std::int64_t>(n) % 7 * 2 + 1)).eval();
    const array<std::uint32_t> y = array<std::uint32_t>(frit::cast<std::uint32_t>(frit::arange<std::int64_t>(n))).eval();
    const auto [s, t] = frit::scan(std::tuple(x, y), 0, composed);
    frit::eval(s, t);
    const std::vector<std::uint32_t> got = t.to_vector();
    std::uint32_t q = 0;
    std::size_t wrong = 0;
    for (std::int64_t k = 0; k < n; ++k)
        wrong += got[static_cast<std::size_t>(k)] !=
                 (q = q * static_cast<std::uint32_t>(k % 7 * 2 + 1) + static_cast<std::uint32_t>(k));
    EXPECT_EQ(wrong, 0U);
}

template <class T>
void check_dtype() {
    for (const std::int64_t n : {std::int64_t{700}, std::int64_t{9001}}) {
        const array<std::int64_t> of = numbers({2, n}, 7, 0, 40);
        const std::vector<std::int64_t> x = of.to_vector();
        const array<T> v = array<T>(frit::cast<T>(frit::where(of < 30, 0, of - 29))).eval();  // most are 0, the first may be
        SCOPED_TRACE(std::string(name_of(frit::dtype_of<T>)) + ", " + std::to_string(n));
        const array<T> got = frit::scan(v, 1, last_of);
        if (on_gpu()) EXPECT_KERNELS(1, got);
        std::vector<std::int64_t> want;
        for (std::size_t k = 0; k < x.size(); ++k) {
            const bool begins = k % static_cast<std::size_t>(n) == 0, counts = x[k] >= 30;
            want.push_back(counts ? x[k] - 29 : begins ? 0 : want.back());
        }
        EXPECT_TRUE(frit::array_equal(got, array<T>(frit::cast<T>(frit::from_host(want.data(), {2, n})))));
    }
}
TEST(SharedScans, EveryDtype) {
    check_dtype<std::int8_t>();
    check_dtype<std::uint8_t>();
    check_dtype<std::int16_t>();
    check_dtype<std::uint16_t>();
    check_dtype<std::int32_t>();
    check_dtype<std::uint32_t>();
    check_dtype<std::int64_t>();
    check_dtype<std::uint64_t>();
    check_dtype<frit::half>();
    check_dtype<frit::bfloat16>();
    check_dtype<float>();
    check_dtype<double>();
    check_dtype<std::complex<float>>();
    check_dtype<std::complex<double>>();
}

// A truth, a narrow and a wide number together: the last value, where it was, and whether there has been one.
TEST(SharedScans, PartsOfSeveralDtypes) {
    constexpr std::int64_t n = 20000;
    const array<std::int64_t> of = numbers({n}, 8, 0, 100);
    const std::vector<std::int64_t> x = of.to_vector();
    const array<bool> has = array<bool>(of >= 90);
    const array<std::int8_t> number = array<std::int8_t>(frit::cast<std::int8_t>(of));
    const array<double> place = frit::arange<double>(n);
    const auto op = [](const auto& a, const auto& b) {
        const auto& [p, q, r] = a;
        const auto& [u, v, w] = b;
        return std::tuple(p || u, frit::where(u, v, q), frit::where(u, w, r));
    };
    const auto [any, last, where] = frit::scan(std::tuple(has, number, place), 0, op);
    if (on_gpu()) EXPECT_KERNELS(1, any, last, where);
    const std::vector<std::int8_t> value = last.to_vector();
    const std::vector<double> at = where.to_vector();
    const std::vector<std::int32_t> begun = array<std::int32_t>(frit::cast<std::int32_t>(any)).to_vector();
    std::size_t wrong = 0, found = 0;  // nothing yet: what the first has
    bool ever = false;
    for (std::size_t k = 0; k < x.size(); ++k) {
        if (x[k] >= 90) found = k, ever = true;
        wrong += value[k] != x[found] || at[k] != static_cast<double>(found) || (begun[k] != 0) != ever;
    }
    EXPECT_EQ(wrong, 0U);
}

TEST(SharedScans, NansAndSignsStay) {
    constexpr std::int64_t n = 10000, at = 6001;
    std::vector<float> x(n, -0.0F);
    x[at] = std::numeric_limits<float>::quiet_NaN();
    const array<float> v = frit::from_host(x.data(), {n});
    const array<float> sum = frit::scan(v, 0, [](const auto& a, const auto& b) { return a + b; });
    const array<float> most = frit::scan(v, 0, [](const auto& a, const auto& b) { return frit::fmax(a, b); });
    const std::vector<float> s = sum.to_vector(), m = most.to_vector();
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        wrong += k < at ? s[k] != 0 || !std::signbit(s[k]) : !std::isnan(s[k]);
        wrong += m[k] != 0 || !std::signbit(m[k]);
    }
    EXPECT_EQ(wrong, 0U);
}

// Numbers and arrays without axes that the operation reads; more of them than a kernel's operation is given.
TEST(SharedScans, OperationsReadNumbers) {
    constexpr std::int64_t n = 9000;
    const array<std::int64_t> x = numbers({n}, 9, 1, 1000003), m = array<std::int64_t>(frit::scalar<std::int64_t>(1000003));
    const std::vector<std::int64_t> of = x.to_vector();
    const auto by_number = [](const auto& a, const auto& b) { return (a * b) % 1000003; };
    const auto by_array = [&](const auto& a, const auto& b) { return (a * b) % m; };
    const auto by_many = [&](const auto& a, const auto& b) {
        return (a * b + 1 - 1 + 2 - 2 + 3 - 3 + 4 - 4 + 5 - 5) % (m + 6 - 6);
    };
    const array<std::int64_t> p = frit::scan(x, 0, by_number), q = frit::scan(x, 0, by_array), r = frit::scan(x, 0, by_many);
    if (on_gpu()) {
        EXPECT_KERNELS(1, p);
        EXPECT_KERNELS(1, q);
        EXPECT_GT(frit::make_plan(r).kernels().size(), 1U);
    }
    std::int64_t product = 1;
    std::size_t wrong = 0;
    const std::vector<std::int64_t> a = p.to_vector(), b = q.to_vector(), c = r.to_vector();
    for (std::size_t k = 0; k < of.size(); ++k) {
        product = product * of[k] % 1000003;
        wrong += (a[k] != product) + (b[k] != product) + (c[k] != product);
    }
    EXPECT_EQ(wrong, 0U);
}

// Loops inside an operation, and values of more parts than registers hold, are cut into pieces on a GPU too.
// The most states with the most numbers: the recurrence's operands are the states, what its step reads, and the operation's.
TEST(SharedScans, EightStatesAndEightNumbers) {
    const std::int64_t n = 9000;
    std::array<array<std::int64_t>, 8> x, g;
    for (std::uint64_t k = 0; k < 8; ++k) {
        x[k] = numbers({n}, 20 + k, -1000, 1000);
        g[k] = array<std::int64_t>(frit::scalar(static_cast<std::int64_t>(k) + 2)).eval();
    }
    const auto with_numbers = [&](const auto& a, const auto& b) {
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return std::tuple(std::get<K>(a) + std::get<K>(b) + g[K]...);
        }
        (std::make_index_sequence<8>{});
    };
    const auto [s0, s1, s2, s3, s4, s5, s6, s7] =
        frit::scan(std::tuple(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]), 0, with_numbers);
    if (on_gpu()) EXPECT_KERNELS(1, s0, s1, s2, s3, s4, s5, s6, s7);
    const std::array<std::vector<std::int64_t>, 8> all = {s0.to_vector(), s1.to_vector(), s2.to_vector(), s3.to_vector(),
                                                          s4.to_vector(), s5.to_vector(), s6.to_vector(), s7.to_vector()};
    for (std::size_t k = 0; k < 8; ++k) {
        const std::vector<std::int64_t> from = x[k].to_vector();
        std::int64_t total = from[0];
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (i > 0) total += from[i] + static_cast<std::int64_t>(k) + 2;
            ASSERT_EQ(all[k][i], total) << "state " << k << ", element " << i;
        }
    }
}

TEST(SharedScans, WhatBlocksDoNotShare) {
    constexpr std::int64_t n = 5000;
    const array<std::int64_t> x = numbers({n}, 10, 1, 1000);
    const std::vector<std::int64_t> of = x.to_vector();
    const auto gcd = [](const auto& a, const auto& b) {
        const auto step = [](const auto& p, const auto& q) { return std::tuple(q, frit::where(q == 0, 0, p % q)); };
        const auto done = [](const auto&, const auto& q) { return q == 0; };
        return std::get<0>(frit::iterate(64, std::tuple(a, b), step, done));
    };
    const auto nine = [](const auto& a, const auto& b) {
        return std::apply(
            [&](const auto&... p) {
                return std::apply([&](const auto&... q) { return std::tuple(frit::maximum(p, q)...); }, b);
            },
            a);
    };
    const array<std::int64_t> divisors = frit::scan(x, 0, gcd);
    const auto most = frit::scan(std::tuple(x, x, x, x, x, x, x, x, x), 0, nine);
    const std::vector<std::int64_t> a = divisors.to_vector(), b = std::get<8>(most).to_vector();
    std::int64_t divisor = 0, largest = 0;
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < of.size(); ++k) {
        divisor = std::gcd(divisor, of[k]), largest = std::max(largest, of[k]);
        wrong += a[k] != divisor || b[k] != largest;
    }
    EXPECT_EQ(wrong, 0U);
}

TEST(SharedScans, ReadOnceAndWrittenOnce) {
    if (!on_gpu()) GTEST_SKIP() << "a CPU walks pieces twice";
    constexpr std::int64_t n = 40000;
    const array<float> x = array<float>(frit::random::generator(11).uniform<float>({2, n}, 0.0F, 1.0F)).eval();
    const auto once = [&](const frit_test::traffic& t, std::uint64_t read, std::uint64_t written) {
        EXPECT_EQ(t.kernels, 1U);
        EXPECT_EQ(t.bytes_read, read * static_cast<std::uint64_t>(x.size()) * sizeof(float));
        EXPECT_EQ(t.bytes_written, written * static_cast<std::uint64_t>(x.size()) * sizeof(float));
    };
    const array<float> all = frit::scan(x, 1, either);
    once(frit_test::evaluate(all), 1, 1);
    const array<float> between = frit::exp(frit::scan(x * 0.5F, 1, either)) + x;
    once(frit_test::evaluate(between), 1, 1);
    const array<float> twice = frit::scan(frit::scan(x, 1, either) * 0.5F, 1, either);
    once(frit_test::evaluate(twice), 1, 1);
    const array<float> beside = frit::scan(x, 1, last_of), running = frit::cumsum(x, 1);
    once(frit_test::evaluate(array<float>(frit::scan(x, 1, either)), beside, running), 1, 3);
    const auto [a, b] = frit::scan(std::tuple(x, frit::exp(x)), 1, composed);
    once(frit_test::evaluate(b), 1, 1);
    const auto [c, d] = frit::scan(std::tuple(x, all), 1, composed);
    once(frit_test::evaluate(c, d), 2, 2);
    // A total needs all of its row, which no block sees.
    EXPECT_EQ(frit_test::evaluate(array<float>(frit::max(frit::scan(x, 1, last_of), 1))).kernels, 2U);
}
TEST(SharedScans, FusedWithWhatStandsAround) {
    constexpr std::int64_t n = 9001;
    const array<std::int64_t> x = numbers({2, n}, 12, 0, 100);
    const std::vector<std::int64_t> of = x.to_vector();
    const array<std::int64_t> y = frit::scan(frit::scan(x % 3, 1, last_of) + frit::cumsum(x, 1), 1,
                                             [](const auto& a, const auto& b) { return frit::maximum(a, b); }) *
                                      2 -
                                  x;
    if (on_gpu()) EXPECT_KERNELS(1, y);
    const std::vector<std::int64_t> got = y.to_vector();
    std::int64_t last = 0, sum = 0, most = 0;
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < of.size(); ++k) {
        if (k % n == 0) last = sum = 0, most = std::numeric_limits<std::int64_t>::min();
        if (of[k] % 3 != 0) last = of[k] % 3;
        sum += of[k], most = std::max(most, last + sum);
        wrong += got[k] != 2 * most - of[k];
    }
    EXPECT_EQ(wrong, 0U);
}
// What lies across memory, backwards or in every other place is read as it lies.
TEST(SharedScans, OfViews) {
    constexpr std::int64_t n = 5001;
    const array<std::int64_t> x = numbers({n, 3}, 13, -9, 10), wide = numbers({2 * n}, 14, -9, 10);
    const auto want = [&](const array<std::int64_t>& of) {
        return array<std::int64_t>(frit::scan(array<std::int64_t>(of + 0).eval(), -1, last_of));
    };
    EXPECT_TRUE(frit::array_equal(array<std::int64_t>(frit::scan(x.T(), 1, last_of)), want(x.T())));
    EXPECT_TRUE(frit::array_equal(array<std::int64_t>(frit::scan(x, 0, last_of).T()), want(x.T())));
    const array<std::int64_t> back = wide(frit::slice(frit::none, frit::none, -2));
    EXPECT_TRUE(frit::array_equal(array<std::int64_t>(frit::scan(back, 0, last_of)), want(back)));
    EXPECT_EQ(frit::scan(wide, 0, last_of)(frit::slice(3, 6)).shape(), frit::shape{3});
}

// One array for two parts, recipes, and operations that read one side or none.
TEST(SharedScans, PartsThatAreTheSameAndSidesThatAreNotRead) {
    constexpr std::int64_t n = 9000;
    const array<float> x = array<float>(frit::arange<float>(n) % 7.0F).eval(), ones = frit::ones<float>({n});
    const auto added = [](const auto& f, const auto& g) {
        return std::tuple(std::get<0>(f) + std::get<0>(g), std::get<1>(f) + std::get<1>(g));
    };
    const auto [a, b] = frit::scan(std::tuple(x, x), 0, added);
    EXPECT_TRUE(frit::array_equal(a, b));
    EXPECT_TRUE(frit::array_equal(a, array<float>(frit::cumsum(x))));
    const auto [count, sum] = frit::scan(std::tuple(frit::ones_like(x), x), 0, added);
    if (on_gpu()) EXPECT_KERNELS(1, count, sum);
    EXPECT_TRUE(frit::array_equal(count, array<float>(frit::arange<float>(n) + 1.0F)));
    const array<float> right = frit::scan(x, 0, [](const auto&, const auto& v) { return v; });
    const array<float> left = frit::scan(x + 1.0F, 0, [](const auto& u, const auto&) { return u; });
    const array<float> none = frit::scan(x, 0, [](const auto&, const auto& v) { return v * 0.0F + 3.0F; });
    EXPECT_TRUE(frit::array_equal(right, x));
    EXPECT_TRUE(frit::array_equal(left, ones));
    EXPECT_TRUE(frit::array_equal(none, array<float>(frit::where(frit::arange<float>(n) > 0.0F, 3.0F, 0.0F))));
}
TEST(SharedScans, InPlaceOfGathersAndByFormulas) {
    constexpr std::int64_t n = 20000;
    const array<std::int64_t> x = array<std::int64_t>(frit::arange<std::int64_t>(n) % 3).eval();
    array<std::int64_t> y = array<std::int64_t>(x + 0).eval();
    y = frit::scan(y, 0, last_of);
    EXPECT_TRUE(frit::array_equal(y, array<std::int64_t>(frit::scan(x, 0, last_of))));
    const array<std::int64_t> back = array<std::int64_t>(n - 1 - frit::arange<std::int64_t>(n)).eval();
    const array<std::int64_t> turned = array<std::int64_t>(frit::take(x, back, 0)).eval();
    EXPECT_TRUE(frit::array_equal(array<std::int64_t>(frit::scan(frit::take(x, back, 0), 0, last_of)),
                                  array<std::int64_t>(frit::scan(turned, 0, last_of))));
    // The operation reads an element, a coordinate and a total of what it goes over.
    const array<std::int64_t> seventh = frit::arange<std::int64_t>(10)(7);
    const array<std::int64_t> most = frit::scan(x, 0, [&](const auto& a, const auto& b) {
        return frit::maximum(frit::maximum(a, b), frit::sum(x) * 0 + x(0) + seventh);
    });
    EXPECT_TRUE(frit::array_equal(most, array<std::int64_t>(frit::where(frit::arange<std::int64_t>(n) > 0, 7, 0))));
    const array<std::complex<double>> i =
        array<std::complex<double>>(frit::ones<std::complex<double>>({n}) * std::complex<double>(0, 1)).eval();
    const array<std::complex<double>> powers = frit::scan(i, 0, [](const auto& a, const auto& b) { return a * b; });
    if (on_gpu()) EXPECT_KERNELS(1, powers);
    EXPECT_EQ(powers(n - 1).item(), std::complex<double>(1, 0));
    EXPECT_EQ(powers(n - 2).item(), std::complex<double>(0, -1));
}

// Where the operation rounds, its order is the shape's alone: bits repeat, and are near those of a plain loop.
TEST(SharedScans, RoundedValuesRepeat) {
    constexpr std::int64_t n = 50000;
    const array<float> x = array<float>(frit::random::generator(15).uniform<float>({n}, -4.0F, 4.0F)).eval();
    const array<float> a = array<float>(frit::random::generator(16).uniform<float>({n}, 0.2F, 0.9F)).eval();
    const std::vector<float> of = x.to_vector(), by = a.to_vector();
    const auto log_sum = [&] {
        return array<float>(frit::scan(x, 0, [](const auto& p, const auto& q) { return frit::logaddexp(p, q); }));
    };
    const auto filtered = [&] { return array<float>(std::get<1>(frit::scan(std::tuple(a, x), 0, composed))); };
    const std::vector<float> l = log_sum().to_vector(), y = filtered().to_vector();
    EXPECT_EQ(l, log_sum().to_vector());
    EXPECT_EQ(y, filtered().to_vector());
    double sum = 0, state = 0, worst_sum = 0, worst = 0;
    for (std::size_t k = 0; k < of.size(); ++k) {
        sum += std::exp(static_cast<double>(of[k]));
        state = static_cast<double>(by[k]) * state + static_cast<double>(of[k]);
        worst_sum = std::max(worst_sum, std::abs(static_cast<double>(l[k]) - std::log(sum)));
        worst = std::max(worst, std::abs(static_cast<double>(y[k]) - state));
    }
    EXPECT_LT(worst_sum, 5e-3);  // one after the other in float32, 50,000 of them
    EXPECT_LT(worst, 2e-5);
}

}  // namespace

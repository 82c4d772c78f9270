// reduce and scan by the caller's operation: against a plain loop, on every engine, with and without fusion, for rows of
// every length that is cut another way. Operations whose results do not depend on how elements are grouped are compared bit
// by bit, the others within a bound.
#include "frit/associative.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::any_array, frit::array, frit::dtype;
using frit_test::everywhere;

// Whole rows, and rows cut into pieces: of 64 on a GPU, and of 32 from 4,097 on, with a rest and without, pieces of pieces.
constexpr std::int64_t lengths[] = {1, 2, 3, 63, 512, 513, 1000, 4096, 4549, 8192, 140003};

std::vector<std::int64_t> numbers(std::int64_t n, std::uint64_t seed, std::int64_t low, std::int64_t high) {
    return array<std::int64_t>(frit::random::generator(seed).integers<std::int64_t>({n}, low, high)).to_vector();
}
template <class T>
array<T> typed(const std::vector<std::int64_t>& x, const frit::shape& shape) {
    return array<T>(frit::cast<T>(frit::from_host(x.data(), shape))).eval();
}

/// x -> a x + b as (a, b), in arithmetic modulo 2^64: the left one first. Associative to the last bit, and not commutative.
const auto composed = [](const auto& f, const auto& g) {
    const auto& [a, b] = f;
    const auto& [c, d] = g;
    return std::tuple(a * c, b * c + d);
};
/// The same of a row of `n` from `first` on, `step` apart: what it has behind each element.
std::vector<std::pair<std::uint64_t, std::uint64_t>> composed_in_turn(const std::vector<std::int64_t>& a,
                                                                      const std::vector<std::int64_t>& b, std::size_t first,
                                                                      std::size_t step, std::int64_t n) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> behind;
    std::uint64_t p = 1, q = 0;
    for (std::int64_t k = 0; k < n; ++k) {
        const std::size_t at = first + static_cast<std::size_t>(k) * step;
        const auto c = static_cast<std::uint64_t>(a[at]), d = static_cast<std::uint64_t>(b[at]);
        p *= c, q = q * c + d;
        behind.emplace_back(p, q);
    }
    return behind;
}

TEST(Associative, OrderIsKeptInRowsOfEveryLength) {
    for (const std::int64_t n : lengths) {
        const std::vector<std::int64_t> a = numbers(n, 1, -9, 10), b = numbers(n, 2, -9, 10);
        const array<std::uint64_t> x = typed<std::uint64_t>(a, {n}), y = typed<std::uint64_t>(b, {n});
        const auto want = composed_in_turn(a, b, 0, 1, n);
        everywhere([&](const std::string& who) {
            SCOPED_TRACE(who + ", " + std::to_string(n));
            const auto [p, q] = frit::reduce(std::tuple(x, y), 0, std::tuple(std::uint64_t{1}, std::uint64_t{0}), composed);
            frit::eval(p, q);
            EXPECT_EQ(p.shape(), frit::shape{});
            EXPECT_EQ(p.item(), want.back().first);
            EXPECT_EQ(q.item(), want.back().second);
            const auto [s, t] = frit::scan(std::tuple(x, y), 0, composed);
            const std::vector<std::uint64_t> left = s.to_vector(), right = t.to_vector();
            ASSERT_EQ(left.size(), want.size());
            std::size_t wrong = 0;
            for (std::size_t k = 0; k < want.size(); ++k) wrong += left[k] != want[k].first || right[k] != want[k].second;
            EXPECT_EQ(wrong, 0U);
        });
    }
}
TEST(Associative, AlongEveryAxis) {
    for (const frit::shape& of : {frit::shape{6, 700, 3}, frit::shape{2, 3, 650}, frit::shape{1300, 5, 1}}) {
        const std::vector<std::int64_t> a = numbers(of.size(), 3, -9, 10), b = numbers(of.size(), 4, -9, 10);
        const array<std::uint64_t> x = typed<std::uint64_t>(a, of), y = typed<std::uint64_t>(b, of);
        for (int axis = 0; axis < 3; ++axis) {
            std::size_t step = 1;
            for (int k = axis + 1; k < 3; ++k) step *= static_cast<std::size_t>(of[k]);
            const std::int64_t n = of[axis];
            everywhere([&](const std::string& who) {
                SCOPED_TRACE(who + ", axis " + std::to_string(axis));
                const auto [p, q] =
                    frit::reduce(std::tuple(x, y), axis - 3, std::tuple(std::uint64_t{1}, std::uint64_t{0}), composed);
                const auto [s, t] = frit::scan(std::tuple(x, y), axis, composed);
                const std::vector<std::uint64_t> totals = q.to_vector(), running = t.to_vector();
                ASSERT_EQ(static_cast<std::int64_t>(totals.size()) * n, of.size());
                std::size_t wrong = 0;
                for (std::size_t row = 0; row < totals.size(); ++row) {
                    const std::size_t first = row / step * step * static_cast<std::size_t>(n) + row % step;
                    const auto want = composed_in_turn(a, b, first, step, n);
                    wrong += totals[row] != want.back().second;
                    for (std::size_t k = 0; k < want.size(); ++k) wrong += running[first + k * step] != want[k].second;
                }
                EXPECT_EQ(wrong, 0U);
                EXPECT_EQ(s.shape(), of);
                EXPECT_EQ(p.rank(), 2);
            });
        }
    }
}

/// Sums of whole numbers are exact in every dtype that they fit.
template <class T>
void check_dtype(std::int64_t largest) {
    constexpr std::int64_t n = 576;  // nine pieces
    std::vector<std::int64_t> x = numbers(n, 5, 0, 2);
    for (std::int64_t k = 0, sum = 0; k < n; ++k)
        sum += x[static_cast<std::size_t>(k)] = sum < largest ? x[static_cast<std::size_t>(k)] : 0;
    const array<T> v = typed<T>(x, {n});
    const auto add = [](const auto& a, const auto& b) { return a + b; };
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who + ", " + std::string(name_of(frit::dtype_of<T>)));
        std::int64_t sum = 0;
        std::vector<std::int64_t> want;
        for (const std::int64_t k : x) want.push_back(sum += k);
        const array<T> total = frit::reduce(v, 0, T(0), add), running = frit::scan(v, 0, add);
        EXPECT_TRUE(frit::array_equal(total, frit::cast<T>(frit::scalar(sum))));
        EXPECT_TRUE(frit::array_equal(running, typed<T>(want, {n})));
        const any_array any = frit::reduce(any_array(v), 0, T(0), add), all = frit::scan(any_array(v), 0, add);
        EXPECT_EQ(any.dtype(), frit::dtype_of<T>);
        EXPECT_TRUE(frit::array_equal(any.as<T>(), total));
        EXPECT_TRUE(frit::array_equal(all.as<T>(), running));
    });
}
TEST(Associative, EveryDtype) {
    check_dtype<std::int8_t>(100);
    check_dtype<std::uint8_t>(200);
    check_dtype<std::int16_t>(10000);
    check_dtype<std::uint16_t>(10000);
    check_dtype<std::int32_t>(10000);
    check_dtype<std::uint32_t>(10000);
    check_dtype<std::int64_t>(10000);
    check_dtype<std::uint64_t>(10000);
    check_dtype<frit::half>(1000);
    check_dtype<frit::bfloat16>(200);
    check_dtype<float>(10000);
    check_dtype<double>(10000);
    check_dtype<std::complex<float>>(10000);
    check_dtype<std::complex<double>>(10000);
}
TEST(Associative, OfTruths) {
    const std::vector<std::int64_t> x = numbers(3001, 6, 0, 2);
    const array<bool> v = typed<bool>(x, {3001});
    bool parity = false;
    for (const std::int64_t k : x) parity ^= k != 0;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        EXPECT_EQ(frit::reduce(v, 0, false, [](const auto& a, const auto& b) { return a ^ b; }).item(), parity);
    });
}

TEST(Associative, FloatsAreGroupedTheSameEverywhere) {
    const array<float> x = array<float>(frit::random::generator(7).uniform<float>({40000}, -1.0F, 1.0F)).eval();
    const auto either = [](const auto& a, const auto& b) { return a + b - a * b; };
    const std::vector<float> plain = x.to_vector();
    double want = 0;
    for (const float v : plain) want = want + v - want * v;
    std::vector<float> totals;
    std::vector<std::vector<float>> running;
    everywhere([&](const std::string&) {
        totals.push_back(frit::reduce(x, 0, 0.0F, either).item());
        running.push_back(frit::scan(x, 0, either).to_vector());
    });
    for (const float t : totals) EXPECT_EQ(t, totals[0]);
    for (const auto& r : running) EXPECT_TRUE(r == running[0]);
    EXPECT_NEAR(totals[0], want, 1e-3);
}

TEST(Associative, ValuesOfSeveralParts) {
    constexpr std::int64_t n = 5000;
    const array<double> x = array<double>(frit::random::generator(8).normal<double>({n}, 3.0, 2.0)).eval();
    const auto place = frit::arange<std::int64_t>(0, n);
    // The largest and its place, the first of equal ones.
    const auto better = [](const auto& a, const auto& b) {
        const auto& [v, i] = a;
        const auto& [w, j] = b;
        const auto stays = v > w || (v == w && i <= j);
        return std::tuple(frit::where(stays, v, w), frit::where(stays, i, j));
    };
    // Count, mean and squared deviations: Chan, Golub and LeVeque (1979).
    const auto moments = [](const auto& a, const auto& b) {
        const auto& [c, mean, m2] = a;
        const auto& [k, other, more] = b;
        const array<double> all = c + k, d = other - mean, part = frit::where(all > 0.0, k / all, 0.0);
        return std::tuple(all, mean + d * part, m2 + more + d * d * c * part);
    };
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto [largest, where] = frit::reduce(
            std::tuple(x, place), 0, std::tuple(-std::numeric_limits<double>::infinity(), std::int64_t{-1}), better);
        EXPECT_EQ(largest.item(), frit::max(x).item());
        EXPECT_EQ(where.item(), frit::argmax(x).item());
        const auto [count, mean, m2] =
            frit::reduce(std::tuple(frit::ones_like(x), x, frit::zeros_like(x)), 0, std::tuple(0.0, 0.0, 0.0), moments);
        EXPECT_EQ(count.item(), n);
        EXPECT_NEAR(mean.item(), frit::mean(x).item(), 1e-12);
        EXPECT_NEAR((m2 / count).item(), frit::var(x).item(), 1e-11);
        const auto [low, high] = frit::reduce(std::tuple(x, x), 0, std::tuple(x(0), x(0)), [](const auto& a, const auto& b) {
            return std::tuple(frit::minimum(std::get<0>(a), std::get<0>(b)), frit::maximum(std::get<1>(a), std::get<1>(b)));
        });
        EXPECT_EQ(low.item(), frit::min(x).item());
        EXPECT_EQ(high.item(), frit::max(x).item());
    });
}
TEST(Associative, MatricesOfTwoByTwo) {
    // Fibonacci's numbers by products of {{1, 1}, {1, 0}}: exact to the 90th.
    constexpr std::int64_t n = 90, many = 5;
    const auto one = frit::full({n, many}, std::int64_t{1}), none = frit::full({n, many}, std::int64_t{0});
    const auto product = [](const auto& p, const auto& q) {
        const auto& [a, b, c, d] = p;
        const auto& [e, f, g, h] = q;
        return std::tuple(a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h);
    };
    const auto parts = std::tuple(one, one, one, none);
    const auto identity = std::tuple(std::int64_t{1}, std::int64_t{0}, std::int64_t{0}, std::int64_t{1});
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto total = frit::reduce(parts, 0, identity, product);
        EXPECT_EQ(std::get<1>(total).to_vector(), std::vector<std::int64_t>(many, 2880067194370816120));
        const array<std::int64_t> behind = std::get<1>(frit::scan(parts, 0, product));
        EXPECT_EQ(behind(9, 0).item(), 55);
        EXPECT_EQ(behind(89, 4).item(), 2880067194370816120);
    });
}

TEST(Associative, WhatRowsBeginWith) {
    const auto add = [](const auto& a, const auto& b) { return a + b; };
    const array<float> x{{1, 2, 3}, {4, 5, 6}}, before{10, 20};
    EXPECT_EQ(frit::reduce(x, 1, before, add).to_vector(), (std::vector<float>{16, 35}));
    EXPECT_EQ(frit::reduce(x, 1, 1, add).to_vector(), (std::vector<float>{7, 16}));  // once, and in x's dtype
    const array<float> nothing = frit::zeros<float>({2, 0}), none = frit::zeros<float>({0, 3});
    EXPECT_EQ(frit::reduce(nothing, 1, before, add).to_vector(), (std::vector<float>{10, 20}));
    EXPECT_EQ(frit::reduce(nothing, 1, 7.0, add).to_vector(), (std::vector<float>{7, 7}));
    EXPECT_EQ(frit::reduce(none, 1, 7.0, add).shape(), frit::shape{0});
    EXPECT_EQ(frit::scan(nothing, 1, add).shape(), (frit::shape{2, 0}));
    EXPECT_EQ(array<float>(frit::scan(none, 1, add)).to_vector(), std::vector<float>{});
    const auto both =
        frit::reduce(std::tuple(x, before.reshape({2, 1})), 1, std::tuple(0.0F, 0.0F), [&](const auto& a, const auto& b) {
            return std::tuple(add(std::get<0>(a), std::get<0>(b)), add(std::get<1>(a), std::get<1>(b)));
        });
    EXPECT_EQ(std::get<1>(both).to_vector(), (std::vector<float>{30, 60}));  // parts broadcast
}

/// Rows without elements, of 16-bit floats: what they give is of that dtype, not of the float32 that computes.
template <class T>
void check_empty_rows() {
    const auto add = [](const auto& a, const auto& b) { return a + b; };
    const array<T> nothing = frit::zeros<T>({300, 0}), before = frit::cast<T>(frit::arange<float>(0, 300) * 0.5F);
    const std::vector<T> sevens(300, T(7.0F)), begin = before.to_vector();
    EXPECT_TRUE(frit::reduce(nothing, 1, 7.0, add).to_vector() == sevens);
    EXPECT_TRUE(frit::reduce(nothing, 1, before, add).to_vector() == begin);
    EXPECT_TRUE(frit::reduce(nothing, 1, before(frit::slice(0, 1)), add).to_vector() == std::vector<T>(300, begin[0]));
    const auto [sum, same] =
        frit::reduce(std::tuple(nothing, nothing), 1, std::tuple(before, 7.0),
                     [&](const auto& a, const auto& b) { return std::tuple(std::get<0>(a), std::get<1>(b)); });
    EXPECT_TRUE(sum.to_vector() == begin && same.to_vector() == sevens);
    const any_array any = frit::reduce(any_array(nothing), 1, 7.0, add);
    EXPECT_EQ(any.dtype(), frit::dtype_of<T>);
    EXPECT_TRUE(any.as<T>().to_vector() == sevens);
}
TEST(Associative, EmptyRowsOfShortFloats) {
    check_empty_rows<frit::half>();
    check_empty_rows<frit::bfloat16>();
}

TEST(Associative, CountsOfKernels) {
    const auto either = [](const auto& a, const auto& b) { return a + b - a * b; };
    const array<float> x = array<float>(frit::random::generator(9).uniform<float>({4096, 100}, 0.0F, 1.0F)).eval();
    {  // what makes the elements and what reads the totals is the same kernel, whichever axis it is
        const array<float> rows = frit::exp(frit::reduce(x * 0.5F, 1, 0.0F, either));
        const frit_test::traffic t = frit_test::evaluate(rows);
        EXPECT_EQ(t.kernels, 1U);
        EXPECT_EQ(t.bytes_read, x.size() * sizeof(float));
        EXPECT_EQ(t.bytes_written, 4096 * sizeof(float));
    }
    {
        const array<float> columns = frit::exp(frit::reduce(x.T() * 0.5F, 0, 0.0F, either));
        const frit_test::traffic t = frit_test::evaluate(columns);
        EXPECT_EQ(t.kernels, 1U);
        EXPECT_EQ(t.bytes_written, 4096 * sizeof(float));
    }
    {
        const array<float> running = frit::exp(frit::scan(x * 0.5F, 1, either)) + 1.0F;
        const frit_test::traffic t = frit_test::evaluate(running);
        EXPECT_EQ(t.kernels, 1U);
        EXPECT_EQ(t.bytes_read, x.size() * sizeof(float));
        EXPECT_EQ(t.bytes_written, x.size() * sizeof(float));
    }
    {  // parts share their kernel, and what nobody asks for is not stored
        const auto [low, high] =
            frit::reduce(std::tuple(x, x * 2.0F), 1, std::tuple(2.0F, -1.0F), [](const auto& a, const auto& b) {
                return std::tuple(frit::minimum(std::get<0>(a), std::get<0>(b)),
                                  frit::maximum(std::get<1>(a), std::get<1>(b)));
            });
        const frit_test::traffic t = frit_test::evaluate(low, high);
        EXPECT_EQ(t.kernels, 1U);
        EXPECT_EQ(t.bytes_read, x.size() * sizeof(float));
        EXPECT_EQ(t.bytes_written, 2 * 4096 * sizeof(float));
    }
    {  // a long row is read once
        const array<float> line = x.reshape({-1});
        const array<float> total = frit::reduce(line * 0.5F, 0, 0.0F, either);
        const frit_test::traffic t = frit_test::evaluate(total);
        EXPECT_EQ(t.kernels, 3U);
        EXPECT_LE(t.bytes_read, x.size() * sizeof(float) * 1.04);
        const array<float> running = frit::scan(line, 0, either);
        const frit_test::traffic twice = frit_test::evaluate(running);
        const bool shared = !frit::default_device().is_cpu();  // by blocks: tests/unit/test_shared_scans.cpp
        EXPECT_EQ(twice.kernels, shared ? 1U : 5U);
        EXPECT_LE(twice.bytes_read, x.size() * sizeof(float) * (shared ? 1.0 : 2.1));
        EXPECT_LE(twice.bytes_written, x.size() * sizeof(float) * (shared ? 1.0 : 1.07));
    }
}
TEST(Associative, NumbersAndSizesCompileNothing) {
    const auto run = [](std::int64_t rows, float by) {
        const array<float> x = array<float>(frit::random::generator(1).uniform<float>({rows, 30}, 0.0F, 1.0F)).eval();
        const array<float> r = frit::reduce(x, 1, by, [by](const auto& a, const auto& b) { return a + b + by; });
        r.eval();
        frit::synchronize();
    };
    run(300, 0.5F);
    const frit::counters before = frit::stats();
    run(301, 0.25F);
    run(400, 0);
    EXPECT_EQ(frit::stats().compilations, before.compilations);
}

TEST(Associative, NumbersThatRowsBeginWithAreWeak) {
    const auto add = [](const auto& a, const auto& b) { return a + b; };
    const array<std::int8_t> narrow{1, 2, 3};
    EXPECT_ERROR((void)frit::reduce(narrow, 0, 300, add), frit::dtype_error, "int8");
    EXPECT_ERROR((void)frit::reduce(array<int>{1, 2}, 0, 10000000000LL, add), frit::dtype_error, "int32");
    EXPECT_EQ(frit::reduce(array<std::uint8_t>{1, 2, 3}, 0, 0, add).item(), 6);
    EXPECT_EQ(frit::reduce(narrow, 0, 100, add).item(), 106);
    EXPECT_EQ(frit::reduce(any_array(narrow), 0, 100, add).dtype(), dtype::i8);
}

TEST(Associative, Errors) {
    const array<double> x = frit::ones<double>({3, 4});
    const auto add = [](const auto& a, const auto& b) { return a + b; };
    EXPECT_ERROR((void)frit::reduce(x, 2, 0.0, add), frit::index_error, "reduce: axis 2", "test_associative.cpp:");
    EXPECT_ERROR((void)frit::scan(x, -3, add), frit::index_error, "scan: axis -3", "test_associative.cpp:");
    EXPECT_ERROR((void)frit::reduce(x, 1, frit::ones<double>({2, 3}), add), frit::shape_error, "reduce: rows begin with",
                 "test_associative.cpp:");
    EXPECT_ERROR((void)frit::reduce(frit::cast<int>(x), 1, 0.5, add), frit::dtype_error, "int32", "test_associative.cpp:");
    EXPECT_ERROR((void)frit::reduce(x, 1, 0.0, [&](const auto& a, const auto& b) { return a + b + x; }), frit::shape_error,
                 "reduce: the operation combines two elements", "(3, 4)", "test_associative.cpp:");
    EXPECT_ERROR((void)frit::scan(frit::cast<int>(x), 1, [](const auto& a, const auto& b) { return a + b * 0.5; }),
                 frit::dtype_error, "scan: ", "test_associative.cpp:");
    EXPECT_ERROR((void)frit::scan(x, 1, [](const auto& a, const auto& b) { return a + frit::sum(b); }), frit::error,
                 "scan: ", "test_associative.cpp:");
    // Whatever the length of the rows.
    const auto wider = [](const auto& a, const auto& b) { return frit::cast<double>(a + b); };
    for (const std::int64_t n : {0, 1, 10, 2000}) {
        const array<std::int64_t> line = frit::ones<std::int64_t>({n});
        EXPECT_ERROR((void)frit::reduce(line, 0, 0, wider), frit::dtype_error, "reduce: the operation gives", "float64");
        EXPECT_ERROR((void)frit::scan(line, 0, wider), frit::dtype_error, "scan: the operation gives", "float64");
        EXPECT_ERROR((void)frit::reduce(line, 0, line.reshape({-1, 1}), add), frit::shape_error, "reduce: rows begin with",
                     "test_associative.cpp:");
    }
    EXPECT_EQ(frit::reduce(x, 1, 0.0, add).to_vector(), std::vector<double>(3, 4.0));  // and all goes on
}
}  // namespace

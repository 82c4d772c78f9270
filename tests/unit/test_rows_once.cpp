// Rows of a matrix that weight a sum over all of its rows: on a GPU the matrix is read once, by one kernel, and a second one
// adds up what the first one's blocks have left. Exact counts, and values against the same formula evaluated in steps.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "frit/frit.hpp"

#include "tests/support/kernels.hpp"
#include "tests/support/libraries.hpp"

namespace {

using frit::all;
using frit::array;
using frit::matmul;
using frit::newaxis;
using frit::shape;
using frit::slice;

template <class T = float>
array<T> random_array(const shape& extents, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> numbers(-1, 1);
    std::vector<T> v(static_cast<std::size_t>(extents.size()));
    for (T& x : v) x = T(numbers(engine));
    return frit::from_host(v, extents);
}

bool on_gpu() { return !frit::default_device().is_cpu(); }

/// As far as sums in two orders may differ.
template <class T>
void expect_near(const array<T>& got, const array<T>& want, const std::string& what) {
    const std::vector<T> a = got.to_vector(), b = want.to_vector();
    ASSERT_EQ(a.size(), b.size()) << what;
    double scale = 0, worst = 0;
    for (const T x : b) scale = std::max(scale, std::abs(static_cast<double>(x)));
    for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(static_cast<double>(a[k] - b[k])));
    EXPECT_LE(worst, scale * (sizeof(T) == 4 ? 1e-5 : 1e-13)) << what;
}

/// Of a formula that reads a matrix of so many bytes, evaluated: whether it is one kernel and its tail, the matrix read
/// once. `beside` are bytes that it reads beside the matrix and the lines of sums, `results` those that it writes.
template <class T>
void expect_once(const array<T>& g, std::uint64_t matrix, std::uint64_t beside, std::uint64_t results) {
    if (!on_gpu()) return;
    SCOPED_TRACE(frit::explain(g));
    EXPECT_NE(frit::explain(g).find("each row read once"), std::string::npos);
    const frit_test::traffic seen = frit_test::evaluate(g);
    EXPECT_EQ(seen.kernels, 2U);
    const std::uint64_t lines = seen.bytes_written - results;
    EXPECT_EQ(seen.bytes_read, matrix + beside + lines);
    EXPECT_LE(lines * 4, matrix);
}

template <class T>
void check_logistic(std::int64_t n, std::int64_t length) {
    const std::string what = std::to_string(n) + " x " + std::to_string(length) + ", bytes " + std::to_string(sizeof(T));
    SCOPED_TRACE(what);
    const auto x = random_array<T>({n, length}, 1), w = random_array<T>(length, 2), y = random_array<T>(n, 3);
    const array<T> g = matmul(x.T(), frit::sigmoid(matmul(x, w)) - y);
    const auto of = [](std::int64_t elements) { return static_cast<std::uint64_t>(elements) * sizeof(T); };
    if (n >= 1000) expect_once(g, of(n * length), of(n + length), of(length));
    const array<T> r = (frit::sigmoid(matmul(x, w)) - y).eval(), want = matmul(x.T(), r);
    expect_near(g, want, what);
}

TEST(RowsOnce, ALogisticGradientOfAnyShape) {
    FRIT_SKIP_WITHOUT(matmul);
    for (const std::int64_t length : {2, 3, 5, 17, 32, 64, 100, 128, 250, 500, 1000, 1024})
        for (const std::int64_t n : {1, 7, 257, 1000, 1003}) check_logistic<float>(n, length);
    for (const std::int64_t length : {2, 3, 32, 100, 128, 500, 1000}) check_logistic<double>(1001, length);
}

TEST(RowsOnce, OnlyWhereItIsWorthIt) {
    FRIT_SKIP_WITHOUT(matmul);
    if (!on_gpu()) return;
    const auto gradient = [](const auto& x, std::int64_t n, std::int64_t length) {
        return array<float>(matmul(x.T(), matmul(x, random_array(length, 2)) - random_array(n, 3)));
    };
    const auto is_once = [](const array<float>& g) { return frit::explain(g).find("read once") != std::string::npos; };
    EXPECT_TRUE(is_once(gradient(random_array({1000, 1024}, 1), 1000, 1024)));
    EXPECT_FALSE(is_once(gradient(random_array({1000, 1025}, 1), 1000, 1025))) << "longer than registers hold";
    EXPECT_FALSE(is_once(gradient(random_array({200, 128}, 1), 200, 128))) << "few rows";
    EXPECT_FALSE(is_once(gradient(random_array({128, 1000}, 1).T(), 1000, 128))) << "rows that lie across memory";
    const auto x = random_array({1000, 128}, 1), z = random_array({1000, 128}, 2), w = random_array(128, 3);
    EXPECT_FALSE(is_once(array<float>(matmul(z.T(), matmul(x, w))))) << "two matrices, each read once anyway";
    EXPECT_FALSE(is_once(array<float>(matmul(x.T(), random_array(1000, 4))))) << "weights in memory";
}

TEST(RowsOnce, WhatStandsAroundIsFusedToo) {
    FRIT_SKIP_WITHOUT(matmul);
    constexpr std::int64_t n = 2000, length = 100;
    constexpr std::uint64_t matrix = n * length * 4;
    const auto x = random_array({n, length}, 1), w = random_array(length, 2), y = random_array(n, 3);
    const auto stepwise = [&](const auto& weights, const auto& outside) {
        const array<float> r = array<float>(weights).eval(), g = matmul(x.T(), r);
        g.eval();
        return array<float>(outside(g));
    };
    const auto same = [](const auto& g) { return g; };
    {
        const array<float> g = matmul(x.T(), matmul(x, w));
        expect_once(g, matrix, length * 4, length * 4);
        expect_near(g, stepwise(matmul(x, w), same), "A^T A x");
    }
    {
        const float scale = 1.0F / n;
        const auto outside = [&](const auto& g) { return w - 0.5F * (g * scale + 0.1F * w); };
        const array<float> g = outside(matmul(x.T(), frit::sigmoid(matmul(x, w) + 0.25F) - y));
        expect_once(g, matrix, (n + 2 * length) * 4, length * 4);  // the vector again in the tail
        expect_near(g, stepwise(frit::sigmoid(matmul(x, w) + 0.25F) - y, outside), "a step with bias and regularisation");
    }
    {
        const array<float> both = random_array({n, 2}, 4);
        const auto z = both(all, 1);
        const array<float> g = matmul(x.T(), where(z > 0, frit::tanh(matmul(x, w)) - z, 0.0F));
        expect_once(g, matrix, (n + length) * 4, length * 4);
        expect_near(g, stepwise(where(z > 0, frit::tanh(matmul(x, w)) - z, 0.0F), same), "a strided column and a mask");
    }
    {
        const array<float> g = matmul(frit::exp(-matmul(x, w)) * y, x);  // the sum goes down the matrix as it is
        expect_once(g, matrix, (n + length) * 4, length * 4);
        expect_near(g, stepwise(frit::exp(-matmul(x, w)) * y, same), "a vector times a matrix");
    }
    {
        const array<float> g = frit::sum(x * frit::exp(-frit::sum(x * x, 1, frit::keepdims)), 0);
        expect_once(g, matrix, 0, length * 4);
        expect_near(g, stepwise(frit::exp(-frit::sum(x * x, 1)), same), "sums written as such");
    }
}

TEST(RowsOnce, SeveralTotalsOfARowAndSeveralSums) {
    FRIT_SKIP_WITHOUT(matmul);
    constexpr std::int64_t n = 1500, length = 96;
    constexpr std::uint64_t matrix = n * length * 4;
    const auto x = random_array({n, length}, 1), w = random_array(length, 2), y = random_array(n, 3);
    {  // the sum of all rows' softmax, each weighted: three passes over a row in registers
        const array<float> g = matmul(softmax(x, 1).T(), frit::max(x, 1) * y);
        expect_once(g, matrix, n * 4, length * 4);
        const array<float> s = softmax(x, 1).eval(), r = (frit::max(x, 1) * y).eval();
        expect_near(g, array<float>(matmul(s.T(), r)), "softmax");
    }
    {  // deviations from the mean
        const auto centred = x - frit::mean(x, 1, frit::keepdims);
        const array<float> g = matmul(centred.T(), matmul(centred, w));
        expect_once(g, matrix, length * 4, length * 4);
        const array<float> c = array<float>(centred).eval(), r = matmul(c, w).eval();
        expect_near(g, array<float>(matmul(c.T(), r)), "centred");
    }
    {
        const array<float> r = frit::sigmoid(matmul(x, w)) - y, g = matmul(x.T(), r), h = matmul((x * x).T(), r * (1 - r));
        if (on_gpu()) {
            SCOPED_TRACE(frit::explain(g, h, r));
            const frit_test::traffic seen = frit_test::evaluate(g, h, r);
            EXPECT_LE(seen.kernels, 3U) << "the rows, and a tail for each or for both";
            EXPECT_LT(seen.bytes_read, matrix * 5 / 4);
        }
        const array<float> same = (frit::sigmoid(matmul(x, w)) - y).eval();
        expect_near(r, same, "the weights themselves");
        expect_near(g, array<float>(matmul(x.T(), same)), "the gradient");
        expect_near(h, array<float>(matmul((x * x).eval().T(), (same * (1 - same)).eval())), "the diagonal of the Hessian");
    }
}

TEST(RowsOnce, Layouts) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto whole = random_array({1200, 131}, 1);
    const auto w = random_array(100, 2), y = random_array(1200, 3);
    const auto check = [&](const auto& x, const auto& labels, const std::string& what) {
        SCOPED_TRACE(what);
        const array<float> g = matmul(x.T(), frit::sigmoid(matmul(x, w)) - labels);
        if (on_gpu()) {
            EXPECT_NE(frit::explain(g).find("read once"), std::string::npos) << frit::explain(g);
        }
        const array<float> stored = array<float>(x).eval(), r = (frit::sigmoid(matmul(stored, w)) - labels).eval();
        expect_near(g, array<float>(matmul(stored.T(), r)), what);
    };
    check(whole(all, slice(0, 100)), y, "rows further apart than they are long");
    check(whole(all, slice(3, 103)), y, "no row begins where vectors do");
    check(whole(slice(1, 1200, 2), slice(4, 104)), y(slice(1, 1200, 2)), "every other row");
    check(whole(all, slice(0, 100)), frit::flip(y), "labels from the last on");
    check(frit::exp(whole(all, slice(0, 100))), y, "a formula of the matrix");
    const auto mask = random_array({1200, 100}, 4);
    check(where(mask > 0, whole(all, slice(0, 100)), 0.0F), y, "two matrices");
}

// Which rows a block adds up, and in which order, is a matter of the shape.
// Row values of 16 bits go from lane to lane as they are.
TEST(RowsOnce, RowsOfSixteenBits) {
    const auto check = [&]<class T>(T) {
        const std::int64_t n = 2000;
        const auto x = random_array({n, 32}, 1);
        const auto y = random_array<T>(n, 2), z = random_array<T>(n, 3);
        const auto weight = [&](const array<float>& totals) {
            return array<float>(frit::sum(where(z(all, newaxis) < x, y(all, newaxis), z(all, newaxis)) * x * totals, 0));
        };
        const array<float> totals = frit::sum(x, 1, frit::keepdims), stored = frit::sum(x, 1, frit::keepdims);
        expect_near(weight(totals), weight(stored.eval()), "16 bits");
    };
    check(frit::half());
    check(frit::bfloat16());
}

TEST(RowsOnce, BitsRepeat) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto x = random_array({5000, 128}, 1), w = random_array(128, 2);
    const auto gradient = [&] { return array<float>(matmul(x.T(), frit::tanh(matmul(x, w)))).to_vector(); };
    const std::vector<float> first = gradient();
    for (int k = 0; k < 3; ++k) EXPECT_EQ(gradient(), first);
}

// A row whose weight is no number spoils the sums, and no row beyond the last does.
TEST(RowsOnce, NothingIsAddedOfRowsThatDoNotExist) {
    FRIT_SKIP_WITHOUT(matmul);
    for (const std::int64_t length : {3, 32, 128, 700}) {
        const auto x = random_array({1003, length}, 1), w = random_array(length, 2);
        const array<float> one = (frit::abs(x) + 1).eval(), v = (frit::abs(w) + 1).eval();
        const array<float> g = matmul(one.T(), 1 / matmul(one, v));  // 1 / 0 where there is no row
        for (const float e : g.to_vector()) EXPECT_TRUE(std::isfinite(e)) << length;
    }
}

}  // namespace

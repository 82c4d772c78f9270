// The promise of the project in numbers: how many kernels a formula becomes and what they read and write.
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "tests/support/kernels.hpp"

namespace {
using frit::all;
using frit::array;
using frit::none;
using frit::slice;
using frit_test::evaluate;
using frit_test::traffic;

constexpr std::int64_t n = 1000;

array<float> ramp(float lo, float hi) { return frit::linspace(lo, hi, n); }

auto normal_cdf(const array<float>& x) { return 0.5F * (1.0F + erf(x * std::sqrt(0.5F))); }

struct options {
    array<float> spot = ramp(50, 150), strike = ramp(60, 140), years = ramp(0.1F, 2), rate = ramp(0.01F, 0.05F),
                 vol = ramp(0.1F, 0.6F);
    options() { frit::eval(spot, strike, years, rate, vol); }
};

void expect_prices(const options& o, const array<float>& call, const array<float>& put) {
    const std::vector<float> c = call.to_vector(), p = put.to_vector(), s = o.spot.to_vector(), k = o.strike.to_vector(),
                             t = o.years.to_vector(), r = o.rate.to_vector(), v = o.vol.to_vector();
    for (std::size_t i = 0; i < c.size(); ++i) {
        const double root = v[i] * std::sqrt(double(t[i]));
        const double d1 = (std::log(double(s[i]) / k[i]) + (r[i] + 0.5 * v[i] * v[i]) * t[i]) / root, d2 = d1 - root;
        const auto cdf = [](double x) { return 0.5 * std::erfc(-x * std::sqrt(0.5)); };
        const double discounted = k[i] * std::exp(-double(r[i]) * t[i]);
        ASSERT_NEAR(c[i], s[i] * cdf(d1) - discounted * cdf(d2), 2e-4) << i;
        ASSERT_NEAR(p[i], discounted * cdf(-d2) - s[i] * cdf(-d1), 2e-4) << i;
    }
}

void expect_five_in_two_out(const traffic& t) {
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, 5 * n * sizeof(float));
    EXPECT_EQ(t.bytes_written, 2 * n * sizeof(float));
}

TEST(KernelCounts, BlackScholesWithItsIntermediatesHeld) {
    const options o;
    array<float> root = o.vol * sqrt(o.years);
    array<float> d1 = (log(o.spot / o.strike) + (o.rate + 0.5F * o.vol * o.vol) * o.years) / root;
    array<float> d2 = d1 - root;
    array<float> discounted = o.strike * exp(-o.rate * o.years);
    array<float> call = o.spot * normal_cdf(d1) - discounted * normal_cdf(d2);
    array<float> put = call - o.spot + discounted;
    expect_five_in_two_out(evaluate(call, put));
    expect_prices(o, call, put);
}

TEST(KernelCounts, BlackScholesWithItsIntermediatesGone) {
    const options o;
    array<float> call, put;
    {
        array<float> root = o.vol * sqrt(o.years);
        array<float> d1 = (log(o.spot / o.strike) + (o.rate + 0.5F * o.vol * o.vol) * o.years) / root;
        array<float> d2 = d1 - root;
        array<float> discounted = o.strike * exp(-o.rate * o.years);
        call = o.spot * normal_cdf(d1) - discounted * normal_cdf(d2);
        put = discounted * normal_cdf(-d2) - o.spot * normal_cdf(-d1);
    }
    expect_five_in_two_out(evaluate(call, put));
    expect_prices(o, call, put);
}

array<float> chain_of_statements(const array<float>& x) {
    array<float> a = x * 2.0F;
    a = a + 1.0F;
    a = a * x;
    a = sqrt(a);
    a = a - 3.0F;
    a = abs(a);
    a = a / 7.0F;
    a = frit::maximum(a, 0.25F);
    a = frit::minimum(a, 4.0F);
    a = -a;
    a = a * x;
    a = floor(a);
    return a;
}

TEST(KernelCounts, TwelveStatementsAndOneStatementAreTheSameKernel) {
    const array<float> x = ramp(0, 40);
    frit::eval(x);
    array<float> many = chain_of_statements(x);
    array<float> one = floor(-frit::minimum(frit::maximum(abs(sqrt((x * 2.0F + 1.0F) * x) - 3.0F) / 7.0F, 0.25F), 4.0F) * x);
    const frit::plan of_many = frit::make_plan(many), of_one = frit::make_plan(one);
    ASSERT_EQ(of_many.kernels().size(), 1U);
    ASSERT_EQ(of_one.kernels().size(), 1U);
    EXPECT_EQ(of_many.kernels()[0].source(), of_one.kernels()[0].source());
    const traffic t = evaluate(many);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, n * sizeof(float));
    EXPECT_EQ(t.bytes_written, n * sizeof(float));
    const std::uint64_t known = frit_test::new_kernels();
    EXPECT_EQ(evaluate(one).kernels, 1U);
    EXPECT_EQ(frit_test::new_kernels(), known);
    EXPECT_EQ(one.to_vector(), many.to_vector());
}

TEST(KernelCounts, SumOfSquaredDifferencesStoresNothingOfTheArraysSize) {
    const array<float> x = ramp(0, 1), y = ramp(1, 3);
    frit::eval(x, y);
    array<float> s = frit::sum((x - y) * (x - y));
    const traffic t = evaluate(s);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, 2 * n * sizeof(float));
    EXPECT_EQ(t.bytes_written, sizeof(float));
    double want = 0;
    for (std::int64_t k = 0; k < n; ++k) want += std::pow(1 + double(k) / (n - 1), 2);
    EXPECT_NEAR(s.item(), want, want * 1e-5);
}

TEST(KernelCounts, AReductionsEpilogueIsPartOfItsKernel) {
    const array<double> x = frit::linspace(0.0, 2.0, n);
    frit::eval(x);
    array<double> norm = sqrt(frit::sum(x * x)) / 2.0 + 1.0;
    EXPECT_KERNELS(1, norm);
    EXPECT_KERNELS(1, frit::mean(exp(x)));
    EXPECT_NEAR(frit::mean(x).item(), 1.0, 1e-12);
}

TEST(KernelCounts, SeveralReductionsOfOneArrayShareAKernel) {
    const array<double> x = frit::linspace(-1.0, 2.0, n);
    frit::eval(x);
    array<double> low = frit::min(x), high = frit::max(x), total = frit::sum(x);
    const traffic t = evaluate(low, high, total);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, n * sizeof(double));
    EXPECT_EQ(low.item(), -1.0);
    EXPECT_EQ(high.item(), 2.0);
    EXPECT_NEAR(total.item(), 0.5 * n, 1e-9);
}

TEST(KernelCounts, FivePointStencilBySlices) {
    constexpr std::int64_t rows = 40, columns = 30;
    const array<float> u = frit::linspace(0.0F, 1.0F, rows * columns).reshape({rows, columns});
    frit::eval(u);
    const array<float> square = u * u;
    frit::eval(square);
    array<float> inner = 0.25F * (square(slice(2, none), slice(1, -1)) + square(slice(0, -2), slice(1, -1)) +
                                  square(slice(1, -1), slice(2, none)) + square(slice(1, -1), slice(0, -2))) -
                         square(slice(1, -1), slice(1, -1));
    const traffic t = evaluate(inner);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_written, (rows - 2) * (columns - 2) * sizeof(float));
    const std::vector<float> s = square.to_vector(), got = inner.to_vector();
    for (std::int64_t i = 1; i + 1 < rows; ++i)
        for (std::int64_t j = 1; j + 1 < columns; ++j) {
            const auto at = [&](std::int64_t r, std::int64_t c) { return s[static_cast<std::size_t>(r * columns + c)]; };
            const float want = 0.25F * (at(i + 1, j) + at(i - 1, j) + at(i, j + 1) + at(i, j - 1)) - at(i, j);
            EXPECT_NEAR(got[static_cast<std::size_t>((i - 1) * (columns - 2) + j - 1)], want, 1e-6F);
        }
}

TEST(KernelCounts, AStencilOverAPaddedProducerIsOneKernel) {
    const array<float> u = frit::linspace(0.0F, 1.0F, 1200).reshape({40, 30});
    frit::eval(u);
    const array<float> p = frit::pad(u, {{1, 1}, {1, 1}}, frit::pad_mode::edge);
    array<float> laplace = p(slice(2, none), slice(1, -1)) + p(slice(0, -2), slice(1, -1)) +
                           p(slice(1, -1), slice(2, none)) + p(slice(1, -1), slice(0, -2)) - 4.0F * u;
    EXPECT_KERNELS(1, laplace);
}

TEST(KernelCounts, PeronaMalikStepWithResidualTakesAtMostTwo) {
    const array<float> image = frit::linspace(0.0F, 1.0F, 64 * 48).reshape({64, 48});
    frit::eval(image);
    const array<float> p = frit::pad(image, {{1, 1}, {1, 1}}, frit::pad_mode::edge);
    array<float> north = p(slice(0, -2), slice(1, -1)) - image, south = p(slice(2, none), slice(1, -1)) - image,
                 west = p(slice(1, -1), slice(0, -2)) - image, east = p(slice(1, -1), slice(2, none)) - image;
    const auto flux = [](const array<float>& d) { return d * exp(-(d * d) * 100.0F); };
    array<float> next = image + 0.2F * (flux(north) + flux(south) + flux(west) + flux(east));
    array<float> residual = sqrt(frit::mean((next - image) * (next - image)));
    EXPECT_LE(frit::make_plan(next, residual).kernels().size(), 2U) << frit::explain(next, residual);
    EXPECT_LE(evaluate(next, residual).kernels, 2U);
}

TEST(KernelCounts, ViewsAloneCostNoKernelInsideAFormula) {
    const array<float> x = ramp(0, 1).reshape({20, 50});
    frit::eval(x);
    const auto transposed_and_back = frit::transpose(x.T()(all, slice(none, none, -1)).reshape({50, 20}), {1, 0});
    array<float> y = transposed_and_back + frit::broadcast_to(x(0, all), {20, 50}) * x(slice(none, none, -1), frit::all);
    EXPECT_KERNELS(1, y);
}

TEST(KernelCounts, AHeavyLoopIsCutBetweenItsRounds) {
    const array<float> x = ramp(0, 1);
    frit::eval(x);
    array<float> y = x, z = x;
    for (int k = 0; k < 100; ++k) {  // 51 operations a round, 1500 a kernel
        y = frit::sin(y);
        z = z + y;
    }
    const frit::plan p = frit::make_plan(y, z);
    EXPECT_EQ(p.kernels().size(), 4U);
    const auto array_bytes = static_cast<std::uint64_t>(x.size()) * 4;
    EXPECT_EQ(p.bytes_read(), 7 * array_bytes);  // two arrays cross each cut
    EXPECT_EQ(p.bytes_written(), 8 * array_bytes);
}

TEST(KernelCounts, WhatFitsAsAWholeIsOneKernel) {  // although the sums alone would read 100 masks
    const array<float> x = ramp(0, 1);
    frit::eval(x);
    array<float> y = x;
    array<int> n = frit::zeros<int>(x.shape());
    for (int k = 0; k < 100; ++k) {
        const array<bool> inside = y < 2.0F;
        y = frit::where(inside, y * y + x, y);
        n += inside;
    }
    EXPECT_KERNELS(1, n);
}

TEST(KernelCounts, IndependentLoopsOverOneDomainShareAKernel) {
    std::vector<array<float>> state, slope;
    for (int k = 0; k < 3; ++k) {
        state.push_back(ramp(0, 1).eval());
        slope.push_back(ramp(1, 2).eval());
    }
    for (std::size_t k = 0; k < 3; ++k) state[k] = state[k] + 0.1F * slope[k];
    EXPECT_EQ(frit::make_plan(state).kernels().size(), 1U);
    EXPECT_NE(frit::explain(state).find("1 kernel,"), std::string::npos);
    const frit::counters before = frit::stats();
    frit::eval(state);
    EXPECT_EQ(frit::stats().kernels_launched, before.kernels_launched + 1);
}

TEST(KernelCounts, StencilStepsShareNoMask) {
    array<double> u = frit::zeros<double>({50, 50});
    u.eval();
    const slice inner(1, -1), before(0, -2), after(2, none);
    for (int k = 0; k < 4; ++k)
        u(inner, inner) +=
            0.2 * (u(before, inner) + u(after, inner) + u(inner, before) + u(inner, after) - 4 * u(inner, inner));
    const frit::plan p = frit::make_plan(u);
    EXPECT_EQ(p.kernels().size(), 4U);
    EXPECT_EQ(p.bytes_read() + p.bytes_written(), 8U * 50 * 50 * 8);
}

// Whichever way the vector goes: it is read from the cache, the matrix from memory.
TEST(KernelCounts, AMatrixTimesAVectorGoesAsTheMatrixLies) {
    const array<float> a = array<float>(frit::ones<float>({64, 48})).eval(),
                       rows = array<float>(frit::ones<float>(64)).eval(),
                       columns = array<float>(frit::ones<float>(48)).eval();
    const auto schedule = [](const auto& x) {
        const std::string why = frit::explain(x);
        const std::size_t at = why.find("reduce_");
        return why.substr(at, why.find(' ', at) - at);
    };
    EXPECT_EQ(schedule(sum(a * columns, 1)), "reduce_inner");
    EXPECT_EQ(schedule(sum(a * rows(all, frit::newaxis), 0)), "reduce_outer");
    EXPECT_EQ(schedule(sum(a.T() * rows, 1)), "reduce_outer");
    EXPECT_EQ(schedule(sum(a.T() * columns(all, frit::newaxis), 0)), "reduce_inner");
}

TEST(KernelCounts, PlanningRunsNothing) {
    const array<float> x = ramp(0, 1);
    frit::eval(x);
    array<float> y = exp(x) + x;
    const frit::counters before = frit::stats();
    const frit::plan p = frit::make_plan(y);
    const std::string why = frit::explain(y);
    const frit::counters after = frit::stats();
    EXPECT_EQ(after.kernels_launched, before.kernels_launched);
    EXPECT_EQ(after.compilations, before.compilations);
    EXPECT_EQ(after.live_bytes, before.live_bytes);
    EXPECT_EQ(p.library_calls().size(), 0U);
    EXPECT_NE(why.find("1 kernel"), std::string::npos) << why;
    EXPECT_EQ(p.to_dot().rfind("digraph", 0), 0U) << p.to_dot();
    EXPECT_NE(p.to_dot().find("exp"), std::string::npos) << p.to_dot();
}

TEST(KernelCounts, AnEvaluatedArrayNeedsNoKernel) {
    array<float> x = ramp(0, 1) + 1.0F;
    x.eval();
    EXPECT_KERNELS(0, x);
}

// What a formula makes of C++ numbers alone is code of the kernel that reads it, which has one launch and no 0-d array.
TEST(KernelCounts, NumbersTakeNoKernel) {
    using c64 = std::complex<float>;
    const array<c64> z = frit::full({n}, c64(1, 2)).eval();
    const array<double> x = frit::full({n}, 2.0).eval();
    EXPECT_KERNELS(1, 2.0 / z);
    EXPECT_KERNELS(1, z / c64(1, 2));
    EXPECT_KERNELS(1, c64(0, 1) / z);
    EXPECT_KERNELS(1, pow(z, 2));
    EXPECT_KERNELS(1, pow(2.0, z));
    EXPECT_KERNELS(1, pow(x, c64(1, 2)));
    EXPECT_KERNELS(1, z * z / frit::scalar(c64(1, 2)));
    EXPECT_KERNELS(1, sum(abs(exp(z * c64(0, 1)) / c64(3, 4))));
    // A total is none, also of a number.
    EXPECT_EQ(array<double>(x * (sum(frit::scalar(3.0)) + 1.0)).to_vector(), std::vector<double>(n, 8.0));
}

}  // namespace

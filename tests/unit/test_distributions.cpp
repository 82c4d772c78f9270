// Every distribution of random.hpp against its distribution function: Kolmogorov's and Smirnov's test of continuous ones,
// Pearson's of those over integers, and mean and variance, at fixed seeds, the first that were tried. Parameters are numbers
// and arrays; of an array, the numbers of each of its elements are a sample.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/libraries.hpp"

namespace {
using frit::array, frit::any_array, frit::dtype, frit::random::generator;

constexpr std::int64_t many = 1 << 16;
using numbers = std::vector<double>;

numbers doubles(const any_array& x) { return array<double>(frit::cast<double>(x)).to_vector(); }
/// One column of samples side by side.
numbers column(const any_array& x, std::int64_t k) { return doubles(x(frit::all, k)); }

/// The regularized incomplete beta function, by the continued fraction of M. Abramowitz, I. A. Stegun, 26.5.8, and Lentz's
/// method.
double incomplete_beta(double a, double b, double x) {
    if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
    if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d;
    for (int k = 1; k < 10'000; ++k) {
        for (const double f : {k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)),
                               -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))}) {
            d = 1 / (1 + f * d), c = 1 + f / c;
            h *= d * c;
        }
        if (std::fabs(d * c - 1) < 1e-15) break;
    }
    return std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x)) * h / a;
}
/// The regularized lower incomplete gamma function, by its series.
double lower_gamma(double a, double x) {
    if (x <= 0) return 0;
    if (x > a + 40 * std::sqrt(a) + 40) return 1;
    double term = 1 / a, sum = term;
    for (int k = 1; k < 10'000 && term > 1e-17 * sum; ++k) sum += term *= x / (a + k);
    return std::exp(a * std::log(x) - x - std::lgamma(a)) * sum;
}
double normal_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

struct moments {
    double mean, variance, kurtosis;
};
/// Each within four standard errors; that of the variance is not below its bias, 1 / n of it.
void expect_moments(const numbers& x, const moments& want) {
    const auto n = static_cast<double>(x.size());
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
    double variance = 0;
    for (const double v : x) variance += (v - mean) * (v - mean) / n;
    EXPECT_NEAR(mean, want.mean, 4 * std::sqrt(want.variance / n));
    EXPECT_NEAR(variance, want.variance, want.variance * (4 * std::sqrt((want.kurtosis - 1) / n) + 16 / n));
}

/// The distance from F, times the root of the number of numbers: above 1.95 with a probability of 0.001.
void expect_continuous(numbers x, const std::function<double(double)>& F, const moments& want) {
    expect_moments(x, want);
    std::sort(x.begin(), x.end());
    const auto n = static_cast<double>(x.size());
    double most = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double f = F(x[k]), before = static_cast<double>(k) / n;
        most = std::max({most, before + 1 / n - f, f - before});
    }
    EXPECT_LT(most * std::sqrt(n), 1.95);
}

/// Cells of few numbers are taken together. The probability of a larger sum is above 0.001 (E. B. Wilson, M. M. Hilferty,
/// 1931).
void expect_whole(const numbers& x, const std::function<double(double)>& probability, const moments& want) {
    expect_moments(x, want);
    std::map<double, double> seen;
    for (const double v : x) ++seen[v];
    const auto n = static_cast<double>(x.size());
    const double first = std::max(0.0, std::floor(want.mean - 9 * std::sqrt(want.variance) - 20)),
                 last = want.mean + 9 * std::sqrt(want.variance) + 40;
    EXPECT_GE(seen.begin()->first, first);
    EXPECT_LE(seen.rbegin()->first, last);
    double sum = 0, cells = 0, counted = 0, expected = 0, rest = n;
    for (double k = first; k <= last; ++k) {
        const auto it = seen.find(k);
        const double here = probability(k);
        if (here == 0) {
            EXPECT_EQ(it, seen.end()) << k;
        }
        counted += it == seen.end() ? 0 : it->second;
        expected += n * here;
        if (expected < 20 || rest - expected < 20) continue;
        sum += (counted - expected) * (counted - expected) / expected, ++cells;
        rest -= expected;
        counted = expected = 0;
    }
    if (expected > 0) sum += (counted - expected) * (counted - expected) / expected, ++cells;
    if (cells < 2) return;
    const double freedom = cells - 1, width = 2 / (9 * freedom);
    EXPECT_LT((std::cbrt(sum / freedom) - (1 - width)) / std::sqrt(width), 3.09) << cells << " cells";
}

constexpr dtype floats[] = {dtype::f32, dtype::f64};

// --- continuous ones ---

TEST(Distributions, Uniform) {
    generator g(1);
    const auto check = [](const numbers& x, double lo, double hi) {
        SCOPED_TRACE(testing::Message() << lo << " to " << hi);
        const double width = hi - lo;
        expect_continuous(x, [=](double v) { return (v - lo) / width; }, {(lo + hi) / 2, width * width / 12, 1.8});
    };
    const array<double> lo{0, -5, 1e6}, hi{1, 7, 2e6};
    for (const dtype t : floats) {
        check(doubles(g.uniform(t, {many})), 0, 1);
        check(doubles(g.uniform(t, {many}, -3, 4)), -3, 4);
        const any_array x = g.uniform(t, {many, 3}, lo, hi);
        for (std::int64_t k = 0; k < 3; ++k) check(column(x, k), lo(k).item(), hi(k).item());
    }
    check(doubles(g.uniform(dtype::bf16, {many / 64}, -1, 1)), -1, 1);
}
TEST(Distributions, Normal) {
    generator g(2);
    const auto check = [](const numbers& x, double mean, double deviation) {
        expect_continuous(x, [=](double v) { return normal_below((v - mean) / deviation); },
                          {mean, deviation * deviation, 3});
    };
    const array<double> mean{0, -50, 1e3}, deviation{1, 0.5, 100};
    for (const dtype t : floats) {
        check(doubles(g.normal(t, {many})), 0, 1);
        check(doubles(g.normal(t, {many}, 5, 0.25)), 5, 0.25);
        const any_array x = g.normal(t, {many, 3}, mean, deviation);
        for (std::int64_t k = 0; k < 3; ++k) check(column(x, k), mean(k).item(), deviation(k).item());
    }
    check(doubles(g.normal(dtype::f16, {many})), 0, 1);
}
TEST(Distributions, MultivariateNormal) {
    FRIT_SKIP_WITHOUT(cholesky);
    const array<double> mean{1, -1}, cov{{4, 1}, {1, 2}};
    const array<double> x = generator(3).multivariate_normal(mean, cov, {many});
    const auto check = [](const numbers& v, double m, double variance) {
        expect_continuous(v, [=](double t) { return normal_below((t - m) / std::sqrt(variance)); }, {m, variance, 3});
    };
    check(column(x, 0), 1, 4);
    check(column(x, 1), -1, 2);
    check(doubles(x(frit::all, 0) - x(frit::all, 1)), 2, 4 + 2 - 2);
    check(doubles(x(frit::all, 0) + 3.0 * x(frit::all, 1)), -2, 4 + 9 * 2 + 6);
}
TEST(Distributions, Exponential) {
    generator g(4);
    const auto check = [](const numbers& x, double scale) {
        expect_continuous(x, [=](double v) { return -std::expm1(-v / scale); }, {scale, scale * scale, 9});
    };
    const array<double> scale{0.01, 1, 300};
    for (const dtype t : floats) {
        check(doubles(g.exponential(t, {many})), 1);
        check(doubles(g.exponential(t, {many}, 7.5)), 7.5);
        const any_array x = g.exponential(t, {many, 3}, scale);
        for (std::int64_t k = 0; k < 3; ++k) check(column(x, k), scale(k).item());
    }
}
TEST(Distributions, Gamma) {
    generator g(5);
    const auto check = [](const numbers& x, double form, double scale) {
        SCOPED_TRACE(form);
        expect_continuous(x, [=](double v) { return lower_gamma(form, v / scale); },
                          {form * scale, form * scale * scale, 3 + 6 / form});
    };
    const array<double> form{0.1, 0.99, 3, 400}, scale{1, 2, 0.5, 10};
    for (const dtype t : floats) {
        check(doubles(g.gamma(t, {many}, 0.5)), 0.5, 1);
        check(doubles(g.gamma(t, {many}, 2.5, 3)), 2.5, 3);
        const any_array x = g.gamma(t, {many, 4}, form, scale);
        for (std::int64_t k = 0; k < 4; ++k) check(column(x, k), form(k).item(), scale(k).item());
    }
}
TEST(Distributions, Beta) {
    generator g(6);
    const auto check = [](const numbers& x, double a, double b) {
        SCOPED_TRACE(testing::Message() << a << ' ' << b);
        const double s = a + b, variance = a * b / (s * s * (s + 1));
        const double excess = 6 * ((a - b) * (a - b) * (s + 1) - a * b * (s + 2)) / (a * b * (s + 2) * (s + 3));
        expect_continuous(x, [=](double v) { return incomplete_beta(a, b, v); }, {a / s, variance, 3 + excess});
    };
    const array<double> a{0.5, 1, 30, 2}, b{0.5, 4, 5, 200};
    check(doubles(g.beta<float>({many}, 2, 3)), 2, 3);
    check(doubles(g.beta<double>({many}, 0.7, 1.5)), 0.7, 1.5);
    const any_array x = g.beta(dtype::f64, {many, 4}, a, b);
    for (std::int64_t k = 0; k < 4; ++k) check(column(x, k), a(k).item(), b(k).item());
}

// --- those over integers ---

TEST(Distributions, BitsAndIntegers) {
    generator g(7);
    const auto check = [](const numbers& x, double lo, double hi) {
        const double n = hi - lo;
        numbers from_0 = x;
        for (double& v : from_0) v -= lo;
        const double kurtosis = n == 1 ? 3 : 3 - 1.2 * (n * n + 1) / (n * n - 1);
        expect_whole(from_0, [=](double k) { return k < n ? 1 / n : 0; }, {(n - 1) / 2, (n * n - 1) / 12, kurtosis});
    };
    check(doubles(g.bits<std::uint32_t>({many}) >> 24U), 0, 256);
    check(doubles(g.bits<std::uint64_t>({many}) & std::uint64_t{127}), 0, 128);
    check(doubles(g.integers<std::int8_t>({many}, -128, 128)), -128, 128);
    check(doubles(g.integers<std::uint64_t>({many}, 10, 17)), 10, 17);
    const array<int> lo{0, -3, 5}, hi{1, 40, 1000};
    const any_array x = g.integers(dtype::i32, {many, 3}, lo, hi);
    for (std::int64_t k = 0; k < 3; ++k) check(column(x, k), lo(k).item(), hi(k).item());
}
TEST(Distributions, Bernoulli) {
    generator g(8);
    const array<double> p{0.001, 0.5, 0.9};
    const any_array x = g.bernoulli({many, 3}, p);
    for (std::int64_t k = 0; k < 3; ++k) {
        const double q = p(k).item(), variance = q * (1 - q);
        expect_whole(column(x, k), [=](double v) { return v == 1   ? q
                                                          : v == 0 ? 1 - q
                                                                   : 0; },
                     {q, variance, 3 + (1 - 6 * variance) / variance});
    }
}

void check_poisson(const numbers& x, double rate) {
    SCOPED_TRACE(rate);
    const auto probability = [=](double k) {
        return rate == 0 ? k == 0 : std::exp(k * std::log(rate) - rate - std::lgamma(k + 1));
    };
    expect_whole(x, probability, {rate, rate, rate == 0 ? 3 : 3 + 1 / rate});
}
TEST(Distributions, Poisson) {
    generator g(9);
    for (const double rate : {0.0, 0.3, 4.0, 9.99, 10.0, 55.0, 1000.0}) {
        check_poisson(doubles(g.poisson({many}, rate)), rate);
        check_poisson(doubles(g.poisson({many}, array<double>{rate})), rate);
    }
    const array<double> rates{0.01, 2, 9.5, 10.5, 12, 30, 200, 1e4};
    const any_array x = g.poisson({many, 8}, rates);
    for (std::int64_t k = 0; k < 8; ++k) check_poisson(column(x, k), rates(k).item());
    // Too many for Pearson's test: a normal distribution.
    expect_continuous(doubles(g.poisson({many}, array<double>{1e9})),
                      [](double v) { return normal_below((v - 1e9) / std::sqrt(1e9)); }, {1e9, 1e9, 3});
}

void check_binomial(const numbers& x, double n, double p) {
    SCOPED_TRACE(testing::Message() << n << ' ' << p);
    const double variance = n * p * (1 - p);
    const auto probability = [=](double k) {
        if (p == 0 || p == 1 || k > n) return k == n * p ? 1.0 : 0.0;
        return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) +
                        (n - k) * std::log1p(-p));
    };
    expect_whole(x, probability, {n * p, variance, variance == 0 ? 3 : 3 + (1 - 6 * p * (1 - p)) / variance});
}
TEST(Distributions, Binomial) {
    generator g(10);
    for (const auto& [n, p] : {std::pair{0, 0.5}, {1, 0.3}, {20, 0.0}, {20, 1.0}, {20, 0.5}, {21, 0.5}, {1000, 0.99}}) {
        check_binomial(doubles(g.binomial({many}, n, p)), n, p);
        check_binomial(doubles(g.binomial({many}, n, array<double>{p})), n, p);
        check_binomial(doubles(g.binomial({many}, array<int>{n}, p)), n, p);
    }
    const array<std::int64_t> n{5, 100, 100, 40, 1000, 100'000, 100'000};
    const array<double> p{0.2, 0.05, 0.95, 0.5, 0.3, 0.0005, 0.4};
    const any_array x = g.binomial({many, 7}, n, p);
    for (std::int64_t k = 0; k < 7; ++k) check_binomial(column(x, k), static_cast<double>(n(k).item()), p(k).item());
    expect_continuous(doubles(g.binomial({many}, 1'000'000'000, array<double>{0.25})),
                      [](double v) { return normal_below((v - 2.5e8) / std::sqrt(1.875e8)); }, {2.5e8, 1.875e8, 3});
}

TEST(Distributions, PermutationsAndChoices) {
    FRIT_SKIP_WITHOUT(argsort);
    // The 24 orders of four elements, each drawn with a number of its own.
    generator g(11);
    const auto equal = [](double n) { return [=](double k) { return k < n ? 1 / n : 0; }; };
    const auto moments_of = [](double n) {
        return moments{(n - 1) / 2, (n * n - 1) / 12, 3 - 1.2 * (n * n + 1) / (n * n - 1)};
    };
    numbers orders;
    for (int k = 0; k < 2400; ++k) {
        const std::vector<std::int64_t> of = g.permutation(4).to_vector();
        double number = 0;
        for (std::size_t i = 0; i < 4; ++i)
            number = number * static_cast<double>(4 - i) +
                     static_cast<double>(std::count_if(of.begin() + static_cast<std::ptrdiff_t>(i), of.end(),
                                                       [&](std::int64_t v) { return v < of[i]; }));
        orders.push_back(number);
    }
    expect_whole(orders, equal(24), moments_of(24));
    const array<std::int64_t> x = frit::arange<std::int64_t>(0, 9);
    expect_whole(doubles(g.choice(x, {many})), equal(9), moments_of(9));
    const array<double> weights{4, 0, 1, 3, 2};
    const array<std::int64_t> five = frit::arange<std::int64_t>(0, 5);
    const numbers share{0.4, 0, 0.1, 0.3, 0.2};
    double mean = 0, variance = 0, fourth = 0;
    for (std::size_t k = 0; k < 5; ++k) mean += static_cast<double>(k) * share[k];
    for (std::size_t k = 0; k < 5; ++k) variance += std::pow(static_cast<double>(k) - mean, 2) * share[k];
    for (std::size_t k = 0; k < 5; ++k) fourth += std::pow(static_cast<double>(k) - mean, 4) * share[k];
    expect_whole(doubles(g.choice(five, {many}, weights)),
                 [&](double k) { return k < 5 ? share[static_cast<std::size_t>(k)] : 0; },
                 {mean, variance, fourth / (variance * variance)});
}

// --- parameters that are arrays ---

TEST(Distributions, CountsOfArraysAreAlikeEverywhere) {
    const array<double> rates = frit::exp(frit::linspace(-5.0, 18.0, 700));
    const array<std::int64_t> n = frit::arange<std::int64_t>(0, 700) * 3;
    const array<double> p = frit::linspace(0.0, 1.0, 700);
    std::vector<std::int64_t> poisson, binomial;
    frit_test::everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        generator g(12);
        const std::vector<std::int64_t> first = g.poisson({700}, rates).to_vector(),
                                        second = g.binomial({700}, n, p).to_vector();
        if (poisson.empty()) poisson = first, binomial = second;
        EXPECT_EQ(first, poisson);
        EXPECT_EQ(second, binomial);
        EXPECT_EQ(array<std::int64_t>(generator(12).poisson({700}, rates)(frit::slice(300, 700, 7))).to_vector(),
                  array<std::int64_t>(frit::from_host(poisson)(frit::slice(300, 700, 7))).to_vector());
    });
    generator g(13);
    EXPECT_KERNELS(1, g.poisson({700}, rates));
    EXPECT_KERNELS(1, g.binomial({700}, n, p) * 2);
}
TEST(Distributions, CountsOfWhatIsNoParameter) {
    generator g(14);
    const double nan = std::nan("");
    EXPECT_EQ(g.poisson({4}, array<double>{-1, nan, 2e9, 0}).to_vector(), (std::vector<std::int64_t>{-1, -1, -1, 0}));
    EXPECT_EQ(g.binomial({5}, 3, array<double>{-0.1, nan, 1.1, 1, 0}).to_vector(),
              (std::vector<std::int64_t>{-1, -1, -1, 3, 0}));
    EXPECT_EQ(g.binomial({3}, array<std::int64_t>{-1, 2'000'000'000, 7}, 1).to_vector(),
              (std::vector<std::int64_t>{-1, -1, 7}));
    EXPECT_ERROR((void)g.binomial({3}, array<double>{1.5}, 0.5), frit::dtype_error, "binomial", "test_distributions.cpp");
    EXPECT_ERROR((void)g.binomial({3}, 1.5, 0.5), frit::dtype_error, "binomial", "test_distributions.cpp");
    EXPECT_ERROR((void)g.binomial({3}, array<int>{1}, 1.5), frit::error, "binomial", "test_distributions.cpp");
    EXPECT_ERROR((void)g.binomial({3}, -1, array<double>{0.5}), frit::error, "binomial", "test_distributions.cpp");
    EXPECT_ERROR((void)g.poisson({3}, array<double>{1, 2}), frit::shape_error, "poisson", "test_distributions.cpp");
}

}  // namespace

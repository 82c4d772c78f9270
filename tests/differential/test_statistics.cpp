// mean, var, stddev, count_nonzero, logsumexp, norm, dot and the normalizations against plain loops in long double, over
// rows taken out of the array one by one; and their edges: nothing, NaN, infinities, large offsets.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tests/differential/layouts.hpp"
#include "tests/differential/random_program_parts.hpp"
#include "tests/support/engines.hpp"

namespace {
using frit::array;
using frit::ddof;
using frit::keepdims;

constexpr std::uint64_t seed = 815;
using row = std::vector<long double>;

/// Elements that are a result's row, and where they stand, in row-major order.
struct rows_of {
    ref::position kept;  ///< reduced axes have extent 1
    std::vector<row> values;
    std::vector<std::vector<ref::position>> places;
};
rows_of split(const ref::array& x, const std::vector<int>& axes, const ref::array* mask = nullptr) {
    rows_of r{x.extents, {}, {}};
    ref::position inner(x.extents.size(), 1);
    for (int k : axes) std::swap(inner[static_cast<std::size_t>(k)], r.kept[static_cast<std::size_t>(k)]);
    ref::for_each_index(r.kept, [&](const ref::position& first) {
        r.values.emplace_back();
        r.places.emplace_back();
        ref::for_each_index(inner, [&](const ref::position& step) {
            ref::position i = first;
            for (std::size_t k = 0; k < i.size(); ++k) i[k] += step[k];
            if (mask && mask->at(i).v == 0) return;
            r.values.back().push_back(x.at(i).v);
            r.places.back().push_back(i);
        });
    });
    return r;
}

long double mean_of(const row& r) {
    long double s = 0;
    for (long double v : r) s += v;
    return s / static_cast<long double>(r.size());
}
long double var_of(const row& r, long double freedom) {
    long double s = 0;
    for (long double v : r) s += (v - mean_of(r)) * (v - mean_of(r));
    return s / std::max(static_cast<long double>(r.size()) - freedom, 0.0L);
}
long double logsumexp_of(const row& r) {
    long double s = 0;
    for (long double v : r) s += std::exp(v);
    return std::log(s);
}
long double norm_of(const row& r) {
    long double s = 0;
    for (long double v : r) s += v * v;
    return std::sqrt(s);
}
long double nonzero_of(const row& r) {
    long double n = 0;
    for (long double v : r) n += v != 0;
    return n;
}

template <class E>
void expect_near(const E& got, const std::vector<long double>& want, const std::string& what) {
    const array<typename E::value_type> values = got;
    const auto list = values.to_vector();
    ASSERT_EQ(list.size(), want.size()) << what;
    const long double tolerance = E::dtype() == frit::dtype::bf16  ? 5e-3L
                                  : E::dtype() == frit::dtype::f16 ? 6e-4L
                                  : E::dtype() == frit::dtype::f32 ? 2e-5L
                                                                   : 1e-12L;
    for (std::size_t k = 0; k < list.size(); ++k) {
        const auto g = static_cast<long double>(list[k]);
        if ((std::isnan(g) && std::isnan(want[k])) || g == want[k]) continue;
        EXPECT_LE(std::fabs(g - want[k]), tolerance * std::max(1.0L, std::fabs(want[k]))) << what << ", element " << k;
    }
}

/// f of every row: one value each.
template <class F>
std::vector<long double> each(const rows_of& rows, F f) {
    std::vector<long double> r;
    for (const row& one : rows.values) r.push_back(f(one));
    return r;
}
/// f(v, row) of every element, in the array's order.
template <class F>
std::vector<long double> back(const ref::array& x, const rows_of& rows, F f) {
    ref::array r = x;
    for (std::size_t k = 0; k < rows.values.size(); ++k)
        for (std::size_t i = 0; i < rows.values[k].size(); ++i)
            r.at(rows.places[k][i]).v = f(rows.values[k][i], rows.values[k]);
    std::vector<long double> values;
    for (const ref::number& e : r.data) values.push_back(e.v);
    return values;
}

template <class T>
void check(const array<T>& x, const ref::array& plain, const std::vector<int>& axes, const array<bool>& mask,
           const ref::array& plain_mask) {
    const std::string of = " of " + frit_test::text_of(plain.extents) + " over " + frit_test::text_of(axes);
    const rows_of rows = split(plain, axes), some = split(plain, axes, &plain_mask);
    const frit::shape kept(rows.kept);
    EXPECT_EQ(to_string(mean(x, axes, keepdims).shape()), to_string(kept));
    const auto with = [](long double freedom) { return [=](const row& r) { return var_of(r, freedom); }; };
    const auto root = [](long double freedom) { return [=](const row& r) { return std::sqrt(var_of(r, freedom)); }; };

    expect_near(mean(x, axes), each(rows, mean_of), "mean" + of);
    expect_near(mean(x, axes, keepdims, frit::where(mask)), each(some, mean_of), "mean, where" + of);
    expect_near(var(x, axes), each(rows, with(0)), "var" + of);
    expect_near(var(x, axes, ddof(1)), each(rows, with(1)), "var, ddof 1" + of);
    expect_near(var(x, axes, frit::where(mask), ddof(1), keepdims), each(some, with(1)), "var, where, ddof 1" + of);
    expect_near(stddev(x, axes, keepdims), each(rows, root(0)), "stddev" + of);
    expect_near(stddev(x, axes, ddof(1), frit::where(mask)), each(some, root(1)), "stddev, where" + of);
    expect_near(count_nonzero(x, axes), each(rows, nonzero_of), "count_nonzero" + of);
    expect_near(count_nonzero(x, axes, frit::where(mask)), each(some, nonzero_of), "count_nonzero, where" + of);
    expect_near(logsumexp(x, axes), each(rows, logsumexp_of), "logsumexp" + of);
    expect_near(logsumexp(x, axes, keepdims, frit::where(mask)), each(some, logsumexp_of), "logsumexp, where" + of);
    expect_near(frit::linalg::norm(x, axes), each(rows, norm_of), "norm" + of);
    expect_near(frit::linalg::norm(x, axes, frit::where(mask)), each(some, norm_of), "norm, where" + of);

    expect_near(softmax(x, axes),
                back(plain, rows, [](long double v, const row& r) { return std::exp(v - logsumexp_of(r)); }),
                "softmax" + of);
    expect_near(log_softmax(x, axes), back(plain, rows, [](long double v, const row& r) { return v - logsumexp_of(r); }),
                "log_softmax" + of);
    expect_near(
        layer_norm(x, axes),
        back(plain, rows, [](long double v, const row& r) { return (v - mean_of(r)) / std::sqrt(var_of(r, 0) + 1e-5L); }),
        "layer_norm" + of);
    expect_near(rms_norm(x, axes, 0.25),
                back(plain, rows,
                     [](long double v, const row& r) {
                         const long double n = norm_of(r);
                         return v / std::sqrt(n * n / static_cast<long double>(r.size()) + 0.25L);
                     }),
                "rms_norm" + of);
}

template <class T>
class Statistics : public testing::Test {};
using statistic_types = testing::Types<float, double, frit::half, frit::bfloat16, std::int32_t, bool>;
TYPED_TEST_SUITE(Statistics, statistic_types);

template <class T>
void every_subset(const ref::position& extents) {
    frit_test::generator g(seed);
    std::int64_t n = 1;
    for (std::int64_t e : extents) n *= e;
    std::vector<T> values;
    std::vector<bool> mask;
    for (std::int64_t k = 0; k < n; ++k) {
        values.push_back(static_cast<T>(g.chance(0.2) ? 0 : g.uniform(-4, 4)));
        mask.push_back(g.chance(0.7));
    }
    const array<T> x = frit_test::from_values(values, frit::shape(extents));
    const array<bool> m = frit_test::from_values(mask, frit::shape(extents));
    const int rank = static_cast<int>(extents.size());
    for (unsigned bits = 1; bits < 1U << rank; ++bits) {
        std::vector<int> axes;
        for (int k = 0; k < rank; ++k)
            if (bits >> k & 1U) axes.push_back(k);
        check(x, frit_test::plain_array(values, extents), axes, m, frit_test::plain_array(mask, extents));
    }
}

TYPED_TEST(Statistics, EverySubsetOfTheAxes) {
    for (const ref::position& extents :
         std::vector<ref::position>{{9}, {1}, {300}, {4, 7}, {70, 3}, {3, 4, 5}, {2, 3, 2, 3}})
        every_subset<TypeParam>(extents);
}

TEST(StatisticsCompiled, EverySubsetOfTheAxes) {
    for (const frit_test::engine e : frit_test::compiled_engines()) {
        const frit_test::with_engine here(e);
        for (const ref::position& extents : std::vector<ref::position>{{300}, {5, 7}}) every_subset<float>(extents);
    }
}

TEST(StatisticsUnfused, EverySubsetOfTheAxes) {
    const frit_test::without_fusion off;
    for (const ref::position& extents : std::vector<ref::position>{{9}, {4, 7}, {3, 4, 5}}) every_subset<double>(extents);
}

TEST(StatisticsOfAll, WithoutAxes) {
    const array<double> x{{1, 2, 3}, {4, 0, 8}};
    EXPECT_DOUBLE_EQ(mean(x).item(), 3);
    EXPECT_DOUBLE_EQ(var(x).item(), 40.0 / 6);
    EXPECT_DOUBLE_EQ(var(x, ddof(1)).item(), 8);
    EXPECT_DOUBLE_EQ(stddev(x, ddof(1), keepdims).item(), std::sqrt(8));
    EXPECT_EQ(count_nonzero(x).item(), 5);
    EXPECT_DOUBLE_EQ(frit::linalg::norm(x).item(), std::sqrt(94));
    EXPECT_DOUBLE_EQ(mean(x, frit::where(x > 0.0)).item(), 18.0 / 5);
    EXPECT_DOUBLE_EQ(var(x, frit::where(x > 2.0)).item(), 14.0 / 3);
    EXPECT_DOUBLE_EQ(logsumexp(x, frit::where(x == 0.0)).item(), 0);
    EXPECT_EQ(sum(x, frit::where(x > 3.0)).item(), 12);
    EXPECT_EQ(dot(array<double>{1, 2, 3}, array<double>{4, 5, 6}).item(), 32);
    EXPECT_EQ(dot(array<std::int8_t>{100, 100}, array<std::int8_t>{100, 100}).item(), 20000);
    EXPECT_EQ(dot(frit::zeros<float>({0}), frit::zeros<float>({0})).item(), 0);
}

template <class T>
T limit() {
    return std::numeric_limits<T>::infinity();
}

TEST(StatisticsEdges, LogsumexpDoesNotOverflow) {
    const float inf = limit<float>();
    const array<float> x{{1000, 1000}, {-1000, -1000}, {-inf, -inf}, {inf, 0}, {inf, -inf}, {-inf, 3}};
    const std::vector<float> got = logsumexp(x, 1).to_vector();
    EXPECT_FLOAT_EQ(got[0], 1000 + std::log(2.0F));
    EXPECT_FLOAT_EQ(got[1], -1000 + std::log(2.0F));
    EXPECT_EQ(got[2], -inf);
    EXPECT_EQ(got[3], inf);
    EXPECT_EQ(got[4], inf);
    EXPECT_EQ(got[5], 3);
    EXPECT_TRUE(std::isnan(logsumexp(array<float>{1, std::nanf("")}).item()));
    EXPECT_EQ(logsumexp(x, 1, frit::where(x > 1e9F)).to_vector()[0], -inf);  // nothing is left
}

TEST(StatisticsEdges, Softmax) {
    const double inf = limit<double>();
    const array<double> x{{1000, 1000}, {-1000, 0}, {0, -inf}};
    EXPECT_EQ(softmax(x, 1).to_vector(), (std::vector<double>{0.5, 0.5, 0, 1, 1, 0}));
    EXPECT_EQ(log_softmax(x, 1).to_vector()[2], -1000);
    const array<double> wild{{-inf, -inf}, {inf, 0}, {std::nan(""), 0}};
    for (double v : softmax(wild, -1).to_vector()) EXPECT_TRUE(std::isnan(v) || v == 0);
    EXPECT_TRUE(std::isnan(softmax(wild, -1).to_vector()[0]));
    EXPECT_EQ(softmax(frit::zeros<float>({0, 3}), 1).to_vector().size(), 0U);
}

// The sum of squares minus the square of the sum would have no digits left.
TEST(StatisticsEdges, VarianceFarFromZero) {
    std::vector<float> values;
    for (int k = 0; k < 10000; ++k) values.push_back(100000.0F + static_cast<float>(k % 5));
    EXPECT_NEAR(var(frit::from_host(values)).item(), 2, 2e-3);
    const array<float> rows = frit::from_host(values).reshape({100, 100});
    for (float v : var(rows, 0).to_vector()) EXPECT_NEAR(v, 0, 1e-3);
    for (float v : var(rows, 1).to_vector()) EXPECT_NEAR(v, 2, 2e-3);
    for (float v : var(rows, 1, frit::where(rows >= 0.0F)).to_vector()) EXPECT_NEAR(v, 2, 2e-2);
}

TEST(StatisticsEdges, OfNothingAndOfOne) {
    const array<double> none = frit::zeros<double>({2, 0}), one{3};
    for (double v : mean(none, 1).to_vector()) EXPECT_TRUE(std::isnan(v));
    for (double v : var(none, 1).to_vector()) EXPECT_TRUE(std::isnan(v));
    EXPECT_EQ(var(one).item(), 0);
    EXPECT_TRUE(std::isnan(var(one, ddof(1)).item()));
    EXPECT_TRUE(std::isnan(var(one, ddof(7)).item()));
    EXPECT_EQ(var(array<double>{1, 3}, ddof(2)).item(), limit<double>());
    EXPECT_TRUE(std::isnan(mean(one, frit::where(one > 5.0)).item()));
    EXPECT_TRUE(std::isnan(var(one, frit::where(one > 5.0)).item()));
    EXPECT_EQ(max(one, frit::where(one > 5.0)).item(), -limit<double>());
    EXPECT_EQ(min(array<int>{3}, frit::where(one > 5.0)).item(), std::numeric_limits<int>::max());
    EXPECT_EQ(frit::linalg::norm(none).item(), 0);
    EXPECT_EQ(count_nonzero(array<double>{0, std::nan(""), -0.0}).item(), 1);
}

// What is masked out has no influence, whatever it is.
TEST(StatisticsEdges, MaskedValuesAreNotSeen) {
    const array<double> x{1, std::nan(""), 3, limit<double>()};
    const array<bool> m{true, false, true, false};
    EXPECT_EQ(sum(x, frit::where(m)).item(), 4);
    EXPECT_EQ(prod(x, frit::where(m)).item(), 3);
    EXPECT_EQ(max(x, frit::where(m)).item(), 3);
    EXPECT_EQ(argmax(x, frit::where(m)).item(), 2);
    EXPECT_EQ(mean(x, frit::where(m)).item(), 2);
    EXPECT_EQ(var(x, frit::where(m), ddof(1)).item(), 2);
    EXPECT_EQ(frit::linalg::norm(x, frit::where(m)).item(), std::sqrt(10));
}

}  // namespace

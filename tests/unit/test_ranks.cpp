// topk, partition, argpartition, lexsort, and the family of quantile: NumPy's answers (2.1's, where it changed between
// versions) on every engine, kernels, and mistakes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {

using frit::any_array;
using frit::arange;
using frit::array;
using frit::keepdims;
using frit::shape;
using method = frit::quantile_method;
using longs = std::vector<std::int64_t>;
using doubles = std::vector<double>;

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
void expect_close(const std::vector<T>& got, const std::vector<std::type_identity_t<T>>& expected,
                  double tolerance = 1e-13) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
        const double g = static_cast<double>(got[k]), e = static_cast<double>(expected[k]);
        if (std::isnan(e))
            EXPECT_TRUE(std::isnan(g)) << k << ": " << g;
        else if (std::isinf(e))
            EXPECT_EQ(g, e) << k;
        else
            EXPECT_NEAR(g, e, tolerance * std::abs(e)) << k;
    }
}

const doubles unsorted{7.5, -2, 3.25, 10, 0.5, 4, 4, -8.75, 1, 6};

TEST(Quantile, TheMethodsOfNumPy) {
    struct row {
        method m;
        doubles expected;
    };
    // np.quantile(unsorted, [0, .05, .1, .25, .33, .5, .625, .75, .9, 1], method=...)
    const row rows[] = {
        {method::inverted_cdf, {-8.75, -8.75, -8.75, 0.5, 1.0, 3.25, 4.0, 6.0, 7.5, 10.0}},
        {method::averaged_inverted_cdf, {-8.75, -8.75, -5.375, 0.5, 1.0, 3.625, 4.0, 6.0, 8.75, 10.0}},
        {method::closest_observation, {-8.75, -8.75, -8.75, -2.0, 0.5, 3.25, 4.0, 6.0, 7.5, 10.0}},
        {method::interpolated_inverted_cdf, {-8.75, -8.75, -8.75, -0.75, 0.6500000000000001, 3.25, 4.0, 5.0, 7.5, 10.0}},
        {method::hazen, {-8.75, -8.75, -5.375, 0.5, 0.9000000000000001, 3.625, 4.0, 6.0, 8.75, 10.0}},
        {method::weibull, {-8.75, -8.75, -8.075, -0.125, 0.8150000000000002, 3.625, 4.0, 6.375, 9.75, 10.0}},
        {method::linear, {-8.75, -5.7125, -2.675, 0.625, 0.9850000000000001, 3.625, 4.0, 5.5, 7.749999999999999, 10.0}},
        {method::median_unbiased,
         {-8.75, -8.75, -6.275, 0.2916666666666663, 0.8716666666666668, 3.625, 4.0, 6.125000000000001, 9.083333333333332,
          10.0}},
        {method::normal_unbiased,
         {-8.75, -8.75, -6.050000000000001, 0.34375, 0.8787500000000001, 3.625, 4.0, 6.09375, 9.0, 10.0}},
        {method::lower, {-8.75, -8.75, -8.75, 0.5, 0.5, 3.25, 4.0, 4.0, 7.5, 10.0}},
        {method::higher, {-8.75, -2.0, -2.0, 1.0, 1.0, 4.0, 4.0, 6.0, 10.0, 10.0}},
        {method::midpoint, {-8.75, -5.375, -5.375, 0.75, 0.75, 3.625, 4.0, 5.0, 8.75, 10.0}},
        {method::nearest, {-8.75, -8.75, -2.0, 0.5, 1.0, 3.25, 4.0, 6.0, 7.5, 10.0}},
    };
    const doubles q{0, 0.05, 0.1, 0.25, 0.33, 0.5, 0.625, 0.75, 0.9, 1};
    frit_test::everywhere([&](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x = frit::from_host(unsorted);
        for (const row& r : rows) {
            SCOPED_TRACE(static_cast<int>(r.m));
            expect_close(quantile(x, q, r.m).to_vector(), r.expected);
            expect_close(quantile(x, array<double>(frit::from_host(q)), 0, r.m).to_vector(), r.expected);
            expect_close(nanquantile(x, q, r.m).to_vector(), r.expected);
            for (std::size_t k = 0; k < q.size(); k += 4)
                expect_close(percentile(x, q[k] * 100, r.m).to_vector(), {r.expected[k]});
        }
    });
}

TEST(Quantile, AxesAndShapes) {
    const array<double> x = arange<double>(24).reshape({2, 3, 4});
    expect_close(quantile(x, 0.5, 1).to_vector(), {4, 5, 6, 7, 16, 17, 18, 19});
    EXPECT_EQ(quantile(x, 0.5).shape(), shape());
    EXPECT_EQ(quantile(x, 0.5, 1).shape(), (shape{2, 4}));
    EXPECT_EQ(quantile(x, {0.5}, -2).shape(), (shape{1, 2, 4}));
    EXPECT_EQ(quantile(x, {0.1, 0.2, 0.3}, {0, 2}).shape(), (shape{3, 3}));
    EXPECT_EQ(quantile(x, {0.1, 0.2, 0.3}, {2, 0}, keepdims, method::lower).shape(), (shape{3, 1, 3, 1}));
    EXPECT_EQ(quantile(x, array<double>{{0.1, 0.2, 0.3}, {0, 1, 1}}, 0, method::lower, keepdims).shape(),
              (shape{2, 3, 1, 3, 4}));
    // np.quantile(x, [.25, .5], axis=(0, 2))
    expect_close(quantile(x, {0.25, 0.5}, {0, 2}).to_vector(), {1.75, 5.75, 9.75, 7.5, 11.5, 15.5});
    EXPECT_EQ(quantile(frit::zeros<double>({0, 3}), 0.5, 1).shape(), shape{0});
    EXPECT_EQ(quantile(frit::scalar(2.5), 0.3).item(), 2.5);
    EXPECT_EQ(quantile(x, frit::zeros<double>({0}), 1).shape(), (shape{0, 2, 4}));
}

TEST(Quantile, DtypesOfElementsAndOfQ) {
    const auto check = [&]<class T, class R>(T, R) {
        const array<T> x = frit::cast<T>(array<int>{3, 1, 2, 5});
        EXPECT_EQ(frit::cast<double>(quantile(x, 0.5)).item(), 2.5) << frit::name_of(frit::dtype_of<T>);
        EXPECT_EQ(quantile(x, 0.5).dtype(), frit::dtype_of<R>);
        EXPECT_EQ(median(x).dtype(), frit::dtype_of<R>);
        EXPECT_EQ(frit::cast<double>(median(x)).item(), 2.5);
        EXPECT_EQ(quantile(any_array(x), 0.5).dtype(), frit::dtype_of<R>);
    };
    check(std::int8_t{}, double{});
    check(std::uint64_t{}, double{});
    check(frit::half{}, frit::half{});
    check(frit::bfloat16{}, frit::bfloat16{});
    check(float{}, float{});
    check(double{}, double{});
    EXPECT_EQ(median(array<bool>{true, false, true, true}).item(), 1);
    EXPECT_EQ(median(array<bool>{true, false}).item(), 0.5);
    EXPECT_EQ(quantile(array<int>{1, 2}, 1).item(), 2);
    EXPECT_EQ(quantile(array<int>{1, 2}, array<int>{0, 1}).to_vector(), (doubles{1, 2}));
    EXPECT_EQ(quantile(array<float>{1, 2}, array<float>{0.25F}).to_vector(), std::vector<float>{1.25F});
}

TEST(Quantile, NaNAndInfinities) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x{{1, nan, 3}, {4, 5, 6}, {nan, nan, nan}, {inf, 2, -inf}};
        expect_close(quantile(x, 0.5, 1).to_vector(), {nan, 5, nan, 2});
        expect_close(median(x, 1).to_vector(), {nan, 5, nan, 2});
        expect_close(nanmedian(x, 1).to_vector(), {2, 5, nan, 2});
        expect_close(nanmedian(x, 0).to_vector(), {4, 3.5, 3});
        expect_close(nanquantile(x, {0.25, 0.75}, 1).to_vector(),
                     {1.5, 4.5, nan, -inf, 2.5, 5.5, nan, nan});  // halfway to an infinity, as NumPy
        expect_close(nanpercentile(x, 100, 1, keepdims).to_vector(), {3, 6, nan, inf});
        expect_close(percentile(x, {0, 100}).to_vector(), {nan, nan});
        expect_close(nanmedian(x).to_vector(), {3.5});
        // elements themselves stay infinite, also beside other infinities
        expect_close(quantile(array<double>{inf, 1, inf}, {0, 0.5, 0.75, 1}).to_vector(), {1, inf, inf, inf});
        expect_close(median(array<double>{inf, inf}).to_vector(), {inf});
        expect_close(median(array<double>{inf, -inf}).to_vector(), {nan});
    });
}

TEST(Quantile, MedianNeitherOverflowsNorRoundsToZero) {
    const double most = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(median(array<double>{most, most}).item(), most);
    EXPECT_EQ(median(array<double>{least, least}).item(), least);
    EXPECT_EQ(median(array<double>{most, 0, most}).item(), most);
    EXPECT_EQ(median(array<int>{3, 1, 2}).item(), 2);
    EXPECT_EQ(median(arange<double>(24).reshape({2, 3, 4}), {0, 2}, keepdims).shape(), (shape{1, 3, 1}));
}

TEST(Quantile, IsRanksASelectionAndOneKernel) {
    const array<float> x = frit::sin(arange<float>(1200)).reshape({30, 40}).eval();
    const array<double> q = array<double>{0.1, 0.5, 0.9}.eval();
    const auto count = [](const auto& y) {
        const frit::plan p = frit::make_plan(y);
        EXPECT_EQ(p.library_calls().size(), 1U);
        return p.kernels().size();
    };
    EXPECT_EQ(count(array<float>(quantile(x, 0.5, 1))), 2U);
    EXPECT_EQ(count(array<float>(quantile(x, q, 1))), 2U);
    EXPECT_EQ(count(array<float>(median(x, 1))), 2U);
    EXPECT_EQ(count(array<float>(median(x))), 2U);
    EXPECT_EQ(count(array<float>(x - median(x, 1, keepdims))), 2U);
}

TEST(Quantile, Mistakes) {
    const array<double> x{{1, 2}, {3, 4}};
    EXPECT_ERROR(quantile(x, 1.5), frit::index_error, "quantile", "1.5", "test_ranks.cpp");
    EXPECT_ERROR(quantile(x, {0.5, -0.1}, 0), frit::index_error, "quantile", "-0.1");
    EXPECT_ERROR(percentile(x, 101), frit::index_error, "percentile", "0 to 100");
    EXPECT_ERROR(quantile(x, nan), frit::index_error, "nan");
    EXPECT_ERROR(quantile(x, doubles{0.5, nan, 1}), frit::index_error, "nan");
    EXPECT_ERROR(quantile(x, 0.5, 2), frit::index_error, "quantile", "axis 2", "(2, 2)");
    EXPECT_ERROR(quantile(x, 0.5, {0, 0}), frit::index_error, "given twice");
    EXPECT_ERROR(quantile(frit::zeros<double>({0}), 0.5), frit::shape_error, "quantile", "no elements", "(0,)");
    EXPECT_ERROR(median(frit::zeros<double>({2, 0}), 1), frit::shape_error, "median", "no elements", "test_ranks.cpp");
    EXPECT_ERROR(median(any_array(array<std::complex<double>>{1})), frit::dtype_error, "median", "complex128");
    frit_test::everywhere([&](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> q = array<double>{0.5, 1.5}.eval();
        EXPECT_ERROR(quantile(x, q, 0).to_vector(), frit::index_error, "out of range", "test_ranks.cpp");
        EXPECT_ERROR(quantile(x, array<double>{nan}, 0).to_vector(), frit::index_error, "out of range");
    });
}

TEST(Topk, FallsIsStableAndHasNaNFirst) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x{3, nan, 1, 3, inf, nan, -1, 3};
        const auto [values, places] = topk(x, 6);
        expect_close(values.to_vector(), {nan, nan, inf, 3, 3, 3});
        EXPECT_EQ(places.to_vector(), (longs{1, 5, 4, 0, 3, 7}));
        const array<int> m{{1, 5, 2}, {7, 0, 7}};
        const auto [rows, in_rows] = topk(m, 2);
        EXPECT_EQ(rows.to_vector(), (std::vector<int>{5, 2, 7, 7}));
        EXPECT_EQ(in_rows.to_vector(), (longs{1, 2, 0, 2}));
        const auto [columns, in_columns] = topk(m + 1, 1, -2);
        EXPECT_EQ(columns.to_vector(), (std::vector<int>{8, 6, 8}));
        EXPECT_EQ(in_columns.to_vector(), (longs{1, 0, 1}));
        EXPECT_EQ(columns.shape(), (shape{1, 3}));
    });
    const auto [none, nowhere] = topk(array<int>{1, 2}, 0);
    EXPECT_EQ(none.shape(), shape{0});
    EXPECT_EQ(nowhere.shape(), shape{0});
    const auto [any, there] = topk(any_array(array<float>{1, 2}), 1);
    EXPECT_EQ(any.to_vector<float>(), std::vector<float>{2});
    EXPECT_EQ(std::get<0>(topk(array<std::uint8_t>{200, 3}, 1)).item(), 200);
    EXPECT_ERROR(topk(array<int>{1, 2}, 3), frit::index_error, "topk", "3", "(2,)", "test_ranks.cpp");
    EXPECT_ERROR(topk(array<int>{1, 2}, -1), frit::index_error, "topk");
    EXPECT_ERROR(topk(array<int>{1, 2}, 1, 1), frit::index_error, "topk", "axis 1");
}

TEST(Topk, WhatNobodyAsksForIsNotStored) {
    const array<float> x = frit::sin(arange<float>(100)).eval();
    const auto [values, places] = topk(x, 3);
    const frit::plan both = frit::make_plan(values, places), one = frit::make_plan(values);
    EXPECT_EQ(both.library_calls().size(), 1U);
    EXPECT_EQ(one.library_calls().size(), 1U);
    EXPECT_EQ(both.kernels().size(), one.kernels().size());
}

TEST(Partition, KthElementsAreInTheirPlaces) {
    const array<int> x{{3, 1, 2}, {9, 8, 7}};
    EXPECT_EQ(partition(x, 1).to_vector(), (std::vector<int>{1, 2, 3, 7, 8, 9}));
    EXPECT_EQ(partition(x, {0, -1}, 0).to_vector(), (std::vector<int>{3, 1, 2, 9, 8, 7}));
    EXPECT_EQ(argpartition(x, 1).to_vector(), (longs{1, 2, 0, 2, 1, 0}));
    EXPECT_ERROR(partition(x, 3), frit::index_error, "partition", "kth 3", "(2, 3)", "test_ranks.cpp");
    EXPECT_ERROR(argpartition(x, -3, 0), frit::index_error, "argpartition", "kth -3");
    EXPECT_ERROR(partition(x, 0, 2), frit::index_error, "partition", "axis 2");
}

// np.lexsort((first, second))
TEST(Lexsort, ByTheLastKeyFirst) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> first{9, 4, 0, 4, 0, 2, 1}, second{1, 5, 1, 4, 3, 4, 4};
        EXPECT_EQ(lexsort(first, second).to_vector(), (longs{2, 0, 4, 6, 5, 3, 1}));
        EXPECT_EQ(lexsort(frit::cast<double>(first), second, second / 4).to_vector(), (longs{2, 0, 4, 6, 5, 3, 1}));
        EXPECT_EQ(lexsort(array<int>{{9, 4, 0, 4, 0, 2, 1}, {1, 5, 1, 4, 3, 4, 4}}).to_vector(),
                  (longs{2, 0, 4, 6, 5, 3, 1}));
        EXPECT_EQ(lexsort(first.reshape({1, 7}), second.reshape({1, 7})).shape(), (shape{1, 7}));
    });
    EXPECT_ERROR(lexsort(array<int>{1, 2}, array<int>{1}), frit::shape_error, "lexsort", "one shape", "(2,)", "(1,)");
    EXPECT_ERROR(lexsort(array<int>{1, 2}), frit::shape_error, "lexsort", "row");
}

}  // namespace

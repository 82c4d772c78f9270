// Norms of vectors and matrices of every order, and condition numbers, against plain loops in long double; orders, axes and
// shapes that there are not.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "frit/frit.hpp"

#include "tests/support/kernels.hpp"
#include "tests/support/linalg.hpp"

namespace {

using namespace frit_test;
namespace linalg = frit::linalg;
using frit::array;
constexpr double inf = std::numeric_limits<double>::infinity();

/// The p-norm of numbers.
template <class N>
long double norm_of(const std::vector<N>& numbers, double p) {
    long double sum = 0, most = 0, least = inf;
    for (const N& x : numbers) {
        const long double size = std::abs(x);
        most = std::max(most, size);
        least = std::min(least, size);
        sum += p == 0 ? static_cast<long double>(size != 0) : std::pow(size, static_cast<long double>(p));
    }
    if (std::isinf(p)) return p > 0 ? most : least;
    return p == 0 ? sum : std::pow(sum, 1 / static_cast<long double>(p));
}

template <class T>
class Norms : public testing::Test {};
using number_types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Norms, number_types);

TYPED_TEST(Norms, OfVectorsAndAxes) {
    using T = TypeParam;
    const double bound = 50 * epsilon<T>();
    const plain<T> a = random_plain<T>(4, 7, 3);
    const array<T> x = a.lazy();
    for (const double p : {-inf, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, inf}) {
        const double want = static_cast<double>(norm_of(a.at, p));
        EXPECT_NEAR(static_cast<double>(linalg::vector_norm(x, p).item()), want, want * bound) << p;
        const auto rows = linalg::vector_norm(x, p, -1, frit::keepdims).to_vector();
        EXPECT_EQ(linalg::vector_norm(x, p, {1}).shape(), (frit::shape{4}));
        for (std::int64_t i = 0; i < 4; ++i) {
            const auto row = a.at.begin() + i * 7;
            const double of_row = static_cast<double>(norm_of(std::vector(row, row + 7), p));
            EXPECT_NEAR(static_cast<double>(rows[static_cast<std::size_t>(i)]), of_row, of_row * bound) << p;
        }
    }
}

TYPED_TEST(Norms, OfMatrices) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    using T = TypeParam;
    const plain<T> a = random_plain<T>(4, 3, 5);
    const array<T> x = a.lazy();
    std::vector<long double> columns(3), rows(4), values;
    for (std::int64_t i = 0; i < 4; ++i)
        for (std::int64_t j = 0; j < 3; ++j) {
            columns[static_cast<std::size_t>(j)] += std::abs(a(i, j));
            rows[static_cast<std::size_t>(i)] += std::abs(a(i, j));
        }
    for (const auto s : linalg::svdvals(x).to_vector()) values.push_back(s);
    const std::pair<linalg::norm_order, long double> wanted[] = {
        {linalg::frobenius, a.norm()}, {linalg::nuclear, norm_of(values, 1)},
        {1, norm_of(columns, inf)},    {-1, norm_of(columns, -inf)},
        {inf, norm_of(rows, inf)},     {-inf, norm_of(rows, -inf)},
        {2, norm_of(values, inf)},     {-2, norm_of(values, -inf)}};
    for (const auto& [order, want] : wanted) {
        EXPECT_NEAR(static_cast<double>(linalg::matrix_norm(x, order).item()), static_cast<double>(want), 50 * epsilon<T>())
            << order.p();
        EXPECT_EQ(linalg::matrix_norm(frit::stack(0, x, x), order, frit::keepdims).shape(), (frit::shape{2, 1, 1}));
    }
    EXPECT_EQ(linalg::matrix_norm(x).to_vector(), linalg::matrix_norm(x, linalg::frobenius).to_vector());
}

TYPED_TEST(Norms, ConditionNumbers) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    using T = TypeParam;
    const array<T> x = random_plain<T>(5, 5, 7).lazy().eval(), inverse = linalg::inv(x);
    for (const linalg::norm_order& order :
         {linalg::norm_order(1), {-1}, {inf}, {-inf}, linalg::frobenius, linalg::nuclear}) {
        const auto want = static_cast<double>((linalg::matrix_norm(x, order) * linalg::matrix_norm(inverse, order)).item());
        EXPECT_NEAR(static_cast<double>(linalg::cond(x, order).item()), want, want * 1e4 * epsilon<T>()) << order.p();
    }
    const auto of_2 = static_cast<double>(linalg::cond(x).item());
    EXPECT_NEAR(static_cast<double>(linalg::cond(x, -2).item()), 1 / of_2, 10 * epsilon<T>());
    const array<T> both = frit::stack(0, x, frit::zeros<T>({5, 5}));
    for (const linalg::norm_order& order : {linalg::norm_order(1), linalg::frobenius, {2}})
        EXPECT_EQ(static_cast<double>(linalg::cond(both, order).to_vector()[1]), inf) << order.p();
}

TEST(NormsOf, IntegersShortFloatsAndArraysOfAnyDtype) {
    const array<int> x{{3, -4}, {0, 2}};
    static_assert(std::is_same_v<decltype(linalg::vector_norm(x))::value_type, double>);
    EXPECT_DOUBLE_EQ(linalg::vector_norm(x, 1).item(), 9);
    EXPECT_DOUBLE_EQ(linalg::vector_norm(x, 0).item(), 3);
    EXPECT_DOUBLE_EQ(linalg::matrix_norm(x, 1).item(), 6);
    const frit::any_array any = x;
    EXPECT_DOUBLE_EQ(linalg::matrix_norm(any, inf).item<double>(), 7);
    EXPECT_EQ(linalg::vector_norm(any, 1, 0, frit::keepdims).to_vector<double>(), (std::vector<double>{3, 6}));
    // a sum of squares that float16 does not hold
    const array<frit::half> large = frit::full({100}, frit::half(100));
    EXPECT_EQ(static_cast<float>(linalg::vector_norm(large).item()), 1000);
    EXPECT_EQ(linalg::vector_norm(frit::zeros<double>({0, 3}), 2, 0).to_vector(), (std::vector<double>{0, 0, 0}));
    EXPECT_EQ(frit::make_plan(linalg::vector_norm(frit::ones<double>({50}) * 2, 3)).kernels().size(), 1U);
}

TEST(NormsOf, NothingAre0AsNumPys) {
    for (const double order : {0.0, 1.0, 2.0, 3.0, inf})
        EXPECT_EQ(linalg::vector_norm(frit::ones<double>({0}), order).item(), 0);
    EXPECT_EQ(linalg::vector_norm(frit::ones<float>({0, 2}), inf, 0).to_vector(), (std::vector<float>{0, 0}));
    const array<double> high = frit::ones<double>({3, 0}), wide = frit::ones<double>({0, 3});
    EXPECT_EQ(linalg::matrix_norm(high, -inf).item(), 0);
    EXPECT_EQ(linalg::matrix_norm(wide, -1).item(), 0);
    const auto expect = [&](const linalg::norm_order& order) {
        EXPECT_EQ(linalg::matrix_norm(high, order).item(), 0);
        EXPECT_EQ(linalg::matrix_norm(wide, order).item(), 0);
    };
    expect(1);
    expect(inf);
    expect(linalg::frobenius);
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    expect(2);
    expect(linalg::nuclear);
}

TEST(NormsOf, AllAxesMayStay) {
    const array<double> x{{3, -4}, {0, 2}};
    EXPECT_EQ(linalg::vector_norm(x, 1, frit::keepdims).shape(), (frit::shape{1, 1}));
    EXPECT_EQ(linalg::vector_norm(x, 1, frit::keepdims)(0, 0).item(), 9);
    EXPECT_EQ(linalg::vector_norm(frit::any_array(x), inf, frit::keepdims).to_vector<double>(), (std::vector<double>{4}));
    EXPECT_EQ(linalg::matrix_norm(frit::stack(0, x, x), frit::keepdims).shape(), (frit::shape{2, 1, 1}));
    EXPECT_EQ(linalg::matrix_norm(x, frit::keepdims)(0, 0).item(), linalg::matrix_norm(x).item());
}

TEST(NormsOf, WhatThereIsNot) {
    const std::string here = "test_norms.cpp";
    const array<double> x = frit::ones<double>({2, 3});
    EXPECT_ERROR((void)linalg::matrix_norm(x, 3), frit::error, "matrix_norm", "the order 3 [", here);
    EXPECT_ERROR((void)linalg::matrix_norm(x, 1e300), frit::error, "the order 1e+300 [");
    EXPECT_ERROR((void)linalg::vector_norm(x, std::nan("")), frit::error, "vector_norm", "nan", here);
    EXPECT_ERROR((void)linalg::vector_norm(x, 1, 2), frit::error, "2", "(2, 3)", here);
    EXPECT_ERROR((void)linalg::matrix_norm(frit::ones<double>({3})), frit::shape_error, "matrix_norm", "(3,)", here);
    EXPECT_ERROR((void)linalg::vector_norm(frit::ones<double>({0}), -inf), frit::shape_error, "vector_norm", "(0,)", here);
    const array<double> high = frit::ones<double>({5, 3, 0}), wide = frit::ones<double>({5, 0, 3});
    for (const double order : {-1.0, -2.0})
        EXPECT_ERROR((void)linalg::matrix_norm(high, order), frit::shape_error, "matrix_norm", "(5, 3, 0)", here);
    for (const double order : {-inf, -2.0})
        EXPECT_ERROR((void)linalg::matrix_norm(wide, order), frit::shape_error, "matrix_norm", "(5, 0, 3)", here);
    EXPECT_ERROR((void)linalg::cond(x, 1), frit::shape_error, "cond", "(2, 3)", here);
    const auto takes = [](const auto& of, const auto& tag) {
        return requires { linalg::vector_norm(of, 1, 0, tag); };
    };
    EXPECT_TRUE(takes(x, frit::keepdims));
    EXPECT_FALSE(takes(x, frit::where(x > 0)));  // a mask would be ignored
}

}  // namespace

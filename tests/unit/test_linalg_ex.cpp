// cholesky_ex, solve_ex, svd_ex and their like, which say in an array what failed: results of the good matrices as those of
// the functions that throw, NaN and a status of the others; nothing is computed that nobody asks for, and nothing waits.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "frit/frit.hpp"

#include "tests/support/kernels.hpp"
#include "tests/support/linalg.hpp"

namespace {

using namespace frit_test;
namespace linalg = frit::linalg;
using frit::array;

template <class T>
class LinalgEx : public testing::Test {
protected:
    using statuses = std::vector<std::int64_t>;
    static bool is_nan(T x) { return std::isnan(std::real(x)); }
    static array<T> matrix(std::int64_t k) { return frit::cast<T>(frit::eye<double>(3) * static_cast<double>(k)).eval(); }
    /// A good one, one that is not, another good one.
    array<T> mixed(const array<T>& bad) const {
        return frit::stack(0, matrix(4), bad, positive_definite<T>(3, 2).lazy()).eval();
    }
    void expect_middle_nan(const array<T>& got, const array<T>& first, const array<T>& last) const {
        EXPECT_EQ(got(0).to_vector(), first.to_vector());
        EXPECT_EQ(got(2).to_vector(), last.to_vector());
        for (const T x : got(1).to_vector()) EXPECT_TRUE(is_nan(x));
    }
};
using number_types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LinalgEx, number_types);

TYPED_TEST(LinalgEx, Factors) {
    FRIT_SKIP_WITHOUT_LINALG(cholesky(x));
    using T = TypeParam;
    const array<T> bad{{T(1), T(0), T(0)}, {T(0), T(-1), T(0)}, {T(0), T(0), T(1)}}, a = this->mixed(bad);
    for (const linalg::triangle which : {linalg::lower, linalg::upper}) {
        const auto [factor, status] = linalg::cholesky_ex(a, which);
        EXPECT_EQ(status.to_vector(), (std::vector<std::int64_t>{0, 2, 0}));
        this->expect_middle_nan(factor, linalg::cholesky(a(0), which), linalg::cholesky(a(2), which));
    }
    const auto [factor, status] = linalg::cholesky_ex(bad);
    EXPECT_EQ(status.item(), 2) << "of one matrix, a number";
    EXPECT_TRUE(this->is_nan(factor.to_vector()[0]));
}

TYPED_TEST(LinalgEx, SolutionsAndInverses) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    using T = TypeParam;
    const array<T> bad = frit::cast<T>(array<float>{{1, 0, 0}, {0, 0, 0}, {0, 0, 1}}), a = this->mixed(bad);
    const array<T> vector{T(1), T(2), T(3)}, sides = random_plain<T>(3, 2, 4).lazy().eval();
    for (const array<T>& b : {vector, sides}) {
        const auto [x, status] = linalg::solve_ex(a, b);
        EXPECT_EQ(status.to_vector(), (std::vector<std::int64_t>{0, 2, 0}));
        this->expect_middle_nan(x, linalg::solve(a(0), b), linalg::solve(a(2), b));
    }
    const auto [inverse, status] = linalg::inv_ex(a);
    EXPECT_EQ(status.to_vector(), (std::vector<std::int64_t>{0, 2, 0}));
    EXPECT_TRUE(this->is_nan(inverse(1).to_vector()[4]));
    expect_small(plain<T>(array<T>(matmul(a(2), inverse(2)))) - plain<T>(this->matrix(1)), plain<T>(this->matrix(1)), 30,
                 "a inv(a)");
}

TYPED_TEST(LinalgEx, SolutionsOfTriangles) {
    FRIT_SKIP_WITHOUT_LINALG(solve_triangular(x, x, linalg::lower));
    using T = TypeParam;
    const array<T> one = frit::cast<T>(array<float>{{2, 3, 5}, {1, 0, 7}, {4, 6, 0}});  // two zeros: the first is said
    const array<T> a =
        frit::stack(0, frit::cast<T>(array<float>{{2, 3, 5}, {1, 4, 7}, {4, 6, 8}}), one, this->matrix(4)).eval();
    const array<T> vector{T(1), T(2), T(3)}, sides = random_plain<T>(3, 2, 4).lazy().eval();
    for (const linalg::triangle which : {linalg::lower, linalg::upper})
        for (const array<T>& b : {vector, sides}) {
            const auto [x, status] = linalg::solve_triangular_ex(a, b, which);
            EXPECT_EQ(status.to_vector(), (std::vector<std::int64_t>{0, 2, 0}));
            this->expect_middle_nan(x, linalg::solve_triangular(a(0), b, which), linalg::solve_triangular(a(2), b, which));
        }
    const auto [x, status] = linalg::solve_triangular_ex(one, frit::ones<T>({4, 3, 1}), linalg::upper);
    EXPECT_EQ(status.to_vector(), (std::vector<std::int64_t>{2, 2, 2, 2})) << "of one matrix for a batch of right sides";
}

/// The middle one of a batch that was asked for with a status: what is not finite gives NaN, and is no failure.
template <class T>
void expect_strange_middle(const T& got, const T& want) {
    const auto x = got.to_vector(), y = want.to_vector();
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
        const bool middle = k * 3 / x.size() == 1;
        EXPECT_EQ(std::isnan(std::real(x[k])), middle) << k;
        if (!middle) {
            EXPECT_EQ(x[k], y[k]) << k;
        }
    }
}

TYPED_TEST(LinalgEx, SingularValues) {
    FRIT_SKIP_WITHOUT_LINALG(svdvals(x));
    using T = TypeParam;
    const std::vector<std::int64_t> good{0, 0, 0};
    for (const std::int64_t n : {3, 10}) {  // a GPU's small matrices are a kernel's
        array<T> a =
            frit::stack(0, random_plain<T>(n, 4, 1).lazy(), random_plain<T>(n, 4, 2).lazy(), random_plain<T>(n, 4, 3).lazy())
                .eval();
        a(1, 1, 1) = T(std::numeric_limits<real<T>>::infinity());
        for (const bool full : {true, false}) {
            const auto [u, s, vh, status] = linalg::svd_ex(a, full);
            const auto [u0, s0, vh0] = linalg::svd(a, full);
            frit::eval(u, s, vh, status);
            frit::eval(u0, s0, vh0);
            expect_strange_middle(u, u0);
            expect_strange_middle(s, s0);
            expect_strange_middle(vh, vh0);
            EXPECT_EQ(status.to_vector(), good);
        }
        const auto [s, status] = linalg::svdvals_ex(a);
        expect_strange_middle(s, array<real<T>>(linalg::svdvals(a)));
        EXPECT_EQ(status.to_vector(), good);
    }
}

TYPED_TEST(LinalgEx, Eigenvalues) {
    FRIT_SKIP_WITHOUT_LINALG(eigvalsh(x));
    using T = TypeParam;
    const std::vector<std::int64_t> good{0, 0, 0};
    for (const std::int64_t n : {3, 10}) {
        array<T> a = frit::stack(0, positive_definite<T>(n, 1).lazy(), positive_definite<T>(n, 2).lazy(),
                                 positive_definite<T>(n, 3).lazy())
                         .eval();
        a(1, 1, 1) = T(std::numeric_limits<real<T>>::quiet_NaN());
        for (const linalg::triangle which : {linalg::lower, linalg::upper}) {
            const auto [w, v, status] = linalg::eigh_ex(a, which);
            const auto [w0, v0] = linalg::eigh(a, which);
            frit::eval(w, v, status);
            frit::eval(w0, v0);
            expect_strange_middle(w, w0);
            expect_strange_middle(v, v0);
            EXPECT_EQ(status.to_vector(), good);
            const auto [alone, said] = linalg::eigvalsh_ex(a, which);
            expect_strange_middle(alone, array<real<T>>(linalg::eigvalsh(a, which)));
            EXPECT_EQ(said.to_vector(), good);
        }
    }
}

TYPED_TEST(LinalgEx, LeastSquares) {
    FRIT_SKIP_WITHOUT_LINALG(svdvals(x));
    using T = TypeParam;
    array<T> a =
        frit::stack(0, random_plain<T>(9, 4, 1).lazy(), random_plain<T>(9, 4, 2).lazy(), random_plain<T>(9, 4, 3).lazy())
            .eval();
    a(1, 1, 1) = T(std::numeric_limits<real<T>>::infinity());
    const array<T> vector = random_plain<T>(9, 1, 4).lazy().reshape({9}), sides = random_plain<T>(9, 2, 4).lazy();
    for (const array<T>& b : {vector, sides}) {
        const auto [x, residuals, rank, s, status] = linalg::lstsq_ex(a, b);
        const auto [x0, residuals0, rank0, s0] = linalg::lstsq(a, b);
        frit::eval(x, residuals, rank, s, status);
        frit::eval(x0, residuals0, rank0, s0);
        expect_strange_middle(x, x0);
        expect_strange_middle(residuals, residuals0);
        expect_strange_middle(s, s0);
        EXPECT_EQ(rank.to_vector(), (std::vector<std::int64_t>{4, 0, 4}));
        EXPECT_EQ(status.to_vector(), (std::vector<std::int64_t>{0, 0, 0}));
    }
}

// Which pivot is found to be 0 depends on whether the matrix or its transpose is factored, which devices do differently.
TYPED_TEST(LinalgEx, WhichPivotIsZeroDependsOnTheDevice) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    using T = TypeParam;
    const array<T> a = frit::cast<T>(array<float>{{{0, 1}, {0, 0}}, {{0, 0}, {1, 0}}, {{1, 2}, {2, 4}}, {{0, 1}, {1, 0}}});
    const auto [x, status] = linalg::solve_ex(a, frit::ones<T>({4, 2, 1}));
    const std::vector<std::int64_t> k = status.to_vector();
    for (const std::size_t singular : {0U, 1U, 2U}) {
        EXPECT_GT(k[singular], 0);
        EXPECT_LE(k[singular], 2);
        EXPECT_TRUE(this->is_nan(x.to_vector()[2 * singular]));
    }
    EXPECT_EQ(k[3], 0);
    EXPECT_EQ(x(3).to_vector(), (std::vector<T>{1, 1}));
}

TYPED_TEST(LinalgEx, OneMatrixForABatchOfRightSides) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    using T = TypeParam;
    const array<T> singular = frit::zeros<T>({2, 2}), b = frit::ones<T>({4, 2, 1});
    const auto [x, status] = linalg::solve_ex(singular, b);
    EXPECT_EQ(status.to_vector(), (std::vector<std::int64_t>{1, 1, 1, 1}));
    for (const T v : x.to_vector()) EXPECT_TRUE(this->is_nan(v));
}

TEST(LinalgExOf, WhatIsAskedForIsComputed) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const array<double> a = positive_definite<double>(4, 3).lazy().eval(), b = frit::ones<double>({4}).eval();
    const auto [x, status] = linalg::solve_ex(a, b);
    const frit::plan alone = frit::make_plan(status), both = frit::make_plan(x, status);
    EXPECT_EQ(alone.library_calls().size(), 1U);
    EXPECT_EQ(alone.kernels().size(), 0U);
    EXPECT_EQ(both.library_calls().size(), 1U);
    EXPECT_EQ(both.kernels().size(), 1U) << "which puts NaN where the status is not 0";
    const auto [l, said] = linalg::cholesky_ex(a);
    EXPECT_EQ(frit::make_plan(l, said).library_calls().size(), 1U);
    EXPECT_EQ(said.item(), 0);
    const auto [values, status_of_values] = linalg::svdvals_ex(a);
    EXPECT_EQ(frit::make_plan(values, status_of_values).library_calls().size(), 1U);
    const auto [u, s, vh, status_of_all] = linalg::svd_ex(a);
    EXPECT_EQ(frit::make_plan(u, s, vh, status_of_all).library_calls().size(), 1U);
    const auto [w, v, status_of_eigenvalues] = linalg::eigh_ex(a);
    EXPECT_EQ(frit::make_plan(w, v, status_of_eigenvalues).library_calls().size(), 1U);
    const auto [y, status_of_triangle] = linalg::solve_triangular_ex(a, b, linalg::lower);
    EXPECT_EQ(frit::make_plan(status_of_triangle).library_calls().size(), 0U) << "the diagonal says it";
    EXPECT_EQ(frit::make_plan(y, status_of_triangle).library_calls().size(), 1U);
}

TEST(LinalgExOf, NanIntegersShortFloatsAndNothing) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    if (frit::default_device().is_cpu()) {  // cuSOLVER may say that it has no result
        const array<double> strange{{std::nan(""), 0}, {0, 1}};
        const auto [x, status] = linalg::solve_ex(strange, array<double>{1, 1});
        EXPECT_EQ(status.item(), 0);
        EXPECT_TRUE(std::isnan(x.to_vector()[0]));
    }
    const auto [x, status] = linalg::inv_ex(array<int>{{2, 0}, {0, 4}});
    EXPECT_EQ(x.to_vector(), (std::vector<double>{0.5, 0, 0, 0.25}));
    const array<frit::half> h = frit::cast<frit::half>(array<float>{{4, 0}, {0, 16}});
    const auto [l, said] = linalg::cholesky_ex(h);
    static_assert(std::is_same_v<decltype(l)::value_type, frit::half>);
    EXPECT_EQ(frit::cast<float>(l).to_vector(), (std::vector<float>{2, 0, 0, 4}));
    const frit::any_array any = array<double>{{1, 2}, {2, 1}};
    const auto [of_any, status_of_any] = linalg::cholesky_ex(any);
    EXPECT_EQ(status_of_any.to_vector(), (std::vector<std::int64_t>{2}));
    const auto [none, nothing] = linalg::cholesky_ex(frit::zeros<double>({0, 3, 3}));
    EXPECT_EQ(none.shape(), (frit::shape{0, 3, 3}));
    EXPECT_EQ(nothing.shape(), (frit::shape{0}));
    const auto [empty, good] = linalg::inv_ex(frit::zeros<double>({2, 0, 0}));
    EXPECT_EQ(empty.shape(), (frit::shape{2, 0, 0}));
    EXPECT_EQ(good.to_vector(), (std::vector<std::int64_t>{0, 0}));
    EXPECT_EQ(std::get<1>(linalg::cholesky_ex(frit::zeros<double>({2, 0, 0}))).to_vector(),
              (std::vector<std::int64_t>{0, 0}));
    const std::vector<std::int64_t> two{0, 0};
    EXPECT_EQ(std::get<3>(linalg::svd_ex(frit::zeros<double>({2, 0, 3}))).to_vector(), two);
    EXPECT_EQ(std::get<1>(linalg::svdvals_ex(frit::zeros<double>({2, 3, 0}))).to_vector(), two);
    EXPECT_EQ(std::get<2>(linalg::eigh_ex(frit::zeros<double>({2, 0, 0}))).to_vector(), two);
    EXPECT_EQ(std::get<1>(
                  linalg::solve_triangular_ex(frit::zeros<double>({2, 0, 0}), frit::zeros<double>({2, 0, 1}), linalg::lower))
                  .to_vector(),
              two);
    const auto [found, said_of_any] = linalg::svdvals_ex(frit::cast(any, frit::dtype::f16));
    EXPECT_EQ(found.dtype(), frit::dtype::f16);
    EXPECT_EQ(frit::cast<float>(found).to_vector(), (std::vector<float>{3, 1}));
    EXPECT_EQ(said_of_any.to_vector(), std::vector<std::int64_t>{0});
    EXPECT_ERROR((void)linalg::svd_ex(frit::ones<double>({3})), frit::shape_error, "svd_ex", "(3,)", "test_linalg_ex.cpp");
    EXPECT_ERROR((void)linalg::svdvals_ex(frit::ones<double>({3})), frit::shape_error, "svdvals_ex");
    EXPECT_ERROR((void)linalg::eigh_ex(frit::ones<double>({2, 3})), frit::shape_error, "eigh_ex", "(2, 3)");
    EXPECT_ERROR((void)linalg::eigvalsh_ex(frit::ones<double>({2, 3})), frit::shape_error, "eigvalsh_ex");
    EXPECT_ERROR((void)linalg::lstsq_ex(frit::ones<double>({2, 3}), frit::ones<double>({3})), frit::shape_error, "lstsq_ex");
    EXPECT_ERROR((void)linalg::solve_triangular_ex(frit::ones<double>({2, 2}), frit::ones<double>({3}), linalg::lower),
                 frit::shape_error, "solve_triangular_ex");
    EXPECT_ERROR((void)linalg::inv_ex(frit::ones<double>({2, 3})), frit::shape_error, "inv_ex", "(2, 3)",
                 "test_linalg_ex.cpp");
    EXPECT_ERROR((void)linalg::solve_ex(frit::ones<double>({2, 2}), frit::ones<double>({3})), frit::shape_error, "solve_ex",
                 "test_linalg_ex.cpp");
    EXPECT_ERROR((void)linalg::solve_ex(frit::ones<double>({2, 3, 3}), frit::ones<double>({5, 3, 2})), frit::shape_error,
                 "solve_ex", "(2, 3, 3), (5, 3, 2)", "test_linalg_ex.cpp");
}

TEST(Linalg, AStatusBesideNoElementsAsksLapackForNothing) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    const auto expect = [](const auto& results, const frit::shape& of_x, const std::vector<std::int64_t>& want) {
        const auto& [x, status] = results;
        frit::eval(x, status);
        EXPECT_EQ(x.shape(), of_x);
        EXPECT_EQ(status.to_vector(), want);
    };
    const auto none = [](frit::shape of) { return frit::zeros<double>(of); };
    expect(linalg::solve_ex(frit::eye<double>(3), none({3, 0})), {3, 0}, {0});
    expect(linalg::solve_ex(frit::zeros<double>({3, 3}), none({3, 0})), {3, 0}, {1});
    expect(linalg::solve_ex(frit::eye<double>(40), none({40, 0})), {40, 0}, {0});
    expect(linalg::solve_ex(none({0, 0}), none({0, 2})), {0, 2}, {0});
    expect(linalg::solve_ex(none({0, 0}), none({0})), {0}, {0});
    expect(linalg::inv_ex(none({0, 0})), {0, 0}, {0});
    expect(linalg::inv_ex(none({2, 0, 0})), {2, 0, 0}, {0, 0});
    expect(linalg::cholesky_ex(none({2, 0, 0})), {2, 0, 0}, {0, 0});
    EXPECT_EQ(testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr(), "") << "of xerbla";
}

}  // namespace

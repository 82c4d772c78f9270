// Equations and factors of linear algebra: residuals, computed in long double, within bounds as LAPACK's own tests state
// them. What they share with others of layouts, batches and errors is in test_linalg.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "frit/frit.hpp"

#include "tests/support/linalg_tests.hpp"

namespace {

using namespace frit_test;
namespace linalg = frit::linalg;
using frit::array;

TEST(Linalg, CholeskyFactorsMakeTheMatrixUp) {
    FRIT_SKIP_WITHOUT_LINALG(cholesky(x));
    for_each_type([]<class T>(T) {
        for (const std::int64_t n : sides) {
            const plain<T> a = positive_definite<T>(n, 1);
            const auto l = linalg::cholesky(a.lazy());
            EXPECT_EQ(l.shape(), (frit::shape{n, n}));
            const plain<T> factor(l);
            expect_small(factor * factor.adjoint() - a, a, n, "L L^H");
            for (std::int64_t i = 0; i < n; ++i) {
                EXPECT_GT(std::real(factor(i, i)), 0);
                for (std::int64_t j = i + 1; j < n; ++j) EXPECT_EQ(factor(i, j), wide_of<T>(0));
            }
        }
    });
}

TEST(Linalg, CholeskyReadsOneTriangle) {
    FRIT_SKIP_WITHOUT_LINALG(cholesky(x));
    for_each_type([]<class T>(T) {
        const plain<T> a = positive_definite<T>(5, 2);
        plain<T> lower = a, upper = a;
        for (std::int64_t i = 0; i < 5; ++i)
            for (std::int64_t j = 0; j < i; ++j) lower(j, i) = upper(i, j) = std::numeric_limits<real<T>>::quiet_NaN();
        const std::vector<T> want = linalg::cholesky(a.lazy()).to_vector();
        EXPECT_EQ(linalg::cholesky(lower.lazy()).to_vector(), want);
        const plain<T> u(linalg::cholesky(upper.lazy(), linalg::upper));
        expect_small(u.adjoint() * u - a, a, 5, "U^H U");
        EXPECT_EQ(u(1, 0), wide_of<T>(0));
    });
}

// Of small integers, and powers of two on the diagonal, nothing is rounded. Small matrices are turned round on the way.
TEST(Linalg, CholeskyFactorsOfSmallIntegersAreExact) {
    FRIT_SKIP_WITHOUT_LINALG(cholesky(x));
    for_each_type([]<class T>(T) {
        for (const std::int64_t n : {7, 64, 101, 515}) {
            std::vector<T> l(static_cast<std::size_t>(n * n)), a(l.size());
            const auto at = [n](std::int64_t i, std::int64_t j) { return static_cast<std::size_t>(i * n + j); };
            for (std::int64_t i = 0; i < n; ++i) {
                for (std::int64_t j = std::max<std::int64_t>(i - 20, 0); j < i; ++j)
                    l[at(i, j)] = static_cast<real<T>>((3 * i + 5 * j) % 7 - 3);
                l[at(i, i)] = static_cast<real<T>>(1 << i % 3);
                for (std::int64_t j = 0; j <= i; ++j)
                    for (std::int64_t k = std::max<std::int64_t>(i - 20, 0); k <= j; ++k)
                        a[at(i, j)] += l[at(i, k)] * l[at(j, k)];
            }
            const array<T> x = frit::from_host(a, {n, n});  // of which the lower triangle is read
            EXPECT_EQ(linalg::cholesky(x).to_vector(), l) << n << " rows";
            array<T> y = x.T();
            y.eval();
            EXPECT_EQ(linalg::cholesky(y.T()).to_vector(), l) << n << " rows, as columns";
        }
    });
}

TEST(Linalg, SolutionsOfEquations) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    for_each_type([]<class T>(T) {
        for (const std::int64_t n : sides)
            for (const std::int64_t k : {1, 3}) {
                const plain<T> a = random_plain<T>(n, n, 3), b = random_plain<T>(n, k, 4);
                const plain<T> x(linalg::solve(a.lazy(), b.lazy()));
                EXPECT_EQ(x.rows, n);
                EXPECT_EQ(x.columns, k);
                expect_backward_stable(a, x, b);
            }
    });
}

TEST(Linalg, EquationsOfPositiveDefiniteMatrices) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x, linalg::positive_definite));
    for_each_type([]<class T>(T) {
        for (const std::int64_t n : sides)
            for (const std::int64_t k : {1, 3}) {
                plain<T> a = positive_definite<T>(n, 3);
                const plain<T> b = random_plain<T>(n, k, 4);
                const plain<T> x(linalg::solve(a.lazy(), b.lazy(), linalg::positive_definite));
                EXPECT_EQ(x.rows, n);
                EXPECT_EQ(x.columns, k);
                expect_backward_stable(a, x, b);
                const std::vector<T> want = linalg::solve(a.lazy(), b.lazy(), linalg::positive_definite).to_vector();
                for (std::int64_t i = 0; i < n; ++i)
                    for (std::int64_t j = i + 1; j < n; ++j) a(i, j) = std::numeric_limits<real<T>>::quiet_NaN();
                EXPECT_EQ(linalg::solve(a.lazy(), b.lazy(), linalg::positive_definite).to_vector(), want);
            }
    });
    // one matrix of integers is factored once for a batch of right sides, in their dtype
    const array<int> a{{4, 2}, {2, 5}};
    const array<double> rows{{8, 2}, {9, 1}};
    const auto many = linalg::solve(a, stacked(std::vector{rows, rows, rows}), linalg::positive_definite);
    EXPECT_EQ(many.shape(), (frit::shape{3, 2, 2}));
    EXPECT_EQ(planned(many).calls, 3U);
    const std::vector<double> want = linalg::solve(a, rows).to_vector(), got = many.to_vector();
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], want[k % 4], 1e-14);
    EXPECT_EQ(linalg::solve(a, array<double>{8, 9}, linalg::positive_definite).shape(), frit::shape{2});
    const array<double> batch = stacked(std::vector{array<double>{{4, 2}, {2, 5}}, array<double>{{9, 1}, {1, 3}}});
    const auto of_each = linalg::solve(batch, array<double>{8, 9}, linalg::positive_definite);  // a vector for all of them
    EXPECT_EQ(of_each.shape(), (frit::shape{2, 2}));
    const std::vector<double> each = linalg::solve(batch, array<double>{8, 9}).to_vector(), is = of_each.to_vector();
    for (std::size_t k = 0; k < is.size(); ++k) EXPECT_NEAR(is[k], each[k], 1e-14);
    // 16-bit floats are rounded once
    const array<frit::half> short_a = frit::cast<frit::half>(batch), short_b{frit::half(0.1F), frit::half(0.7F)};
    const array<float> wide_a = frit::cast<float>(short_a), wide_b = frit::cast<float>(short_b);
    const array<frit::half> rounded = frit::cast<frit::half>(linalg::solve(wide_a, wide_b, linalg::positive_definite));
    const array<frit::half> of_short = linalg::solve(short_a, short_b, linalg::positive_definite);
    EXPECT_TRUE(frit::all(of_short == rounded).item());
    EXPECT_EQ(linalg::solve(a, rows, linalg::structure::general).to_vector(), want);
    const std::string text = error_of([&] {
        linalg::solve(array<double>{{1, 2}, {2, 1}}, rows, linalg::positive_definite).eval();
    });
    EXPECT_NE(text.find("the matrix is not positive definite; shape (2, 2); float64, in "), std::string::npos) << text;
    expect_error<frit::shape_error>("solve: ", [&] { (void)linalg::solve(a, array<int>{1}, linalg::positive_definite); });
}

TEST(Linalg, AVectorIsOneRightSide) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const array<double> a{{3, 1}, {1, 2}}, b{9, 8};
    const auto x = linalg::solve(a, b);
    EXPECT_EQ(x.shape(), frit::shape{2});
    expect_one_call(x);
    EXPECT_NEAR(x.to_vector()[0], 2, 1e-14);
    EXPECT_NEAR(x.to_vector()[1], 3, 1e-14);
    // NumPy 2: only a right side of one axis is a vector; a batch of matrices shares it
    const array<double> batch = stacked(std::vector{a, array<double>(2 * a)});
    const auto both = linalg::solve(batch, b);
    EXPECT_EQ(both.shape(), (frit::shape{2, 2}));
    EXPECT_NEAR(both.to_vector()[2], 1, 1e-14);
    const array<double> rows{{9, 8}, {3, 1}};
    EXPECT_EQ(linalg::solve(batch, rows).shape(), (frit::shape{2, 2, 2}));
    EXPECT_EQ(linalg::solve(a, stacked(std::vector{rows, rows, rows})).shape(), (frit::shape{3, 2, 2}));
}

TEST(Linalg, TriangularEquations) {
    FRIT_SKIP_WITHOUT_LINALG(solve_triangular(x, x, lower));
    for_each_type([]<class T>(T) {
        for (const std::int64_t n : sides)
            for (const auto which : {linalg::lower, linalg::upper}) {
                plain<T> a = random_plain<T>(n, n, 5);
                for (std::int64_t i = 0; i < n; ++i) a(i, i) += wide_of<T>(4);
                const plain<T> b = random_plain<T>(n, 3, 6);
                plain<T> other = a, triangle = a;  // what is in the other triangle is not read
                for (std::int64_t i = 0; i < n; ++i)
                    for (std::int64_t j = 0; j < i; ++j) {
                        const bool lower = which == linalg::lower;
                        other(lower ? j : i, lower ? i : j) = std::numeric_limits<real<T>>::quiet_NaN();
                        triangle(lower ? j : i, lower ? i : j) = wide_of<T>(0);
                    }
                const plain<T> x(linalg::solve_triangular(other.lazy(), b.lazy(), which));
                expect_backward_stable(triangle, x, b);
                const array<T> turned = other.transposed().lazy();
                expect_one_call(linalg::solve_triangular(turned.T(), b.lazy(), which));
                expect_backward_stable(triangle, plain<T>(linalg::solve_triangular(turned.T(), b.lazy(), which)), b);
            }
    });
}

TEST(Linalg, Inverses) {
    FRIT_SKIP_WITHOUT_LINALG(inv(x));
    for_each_type([]<class T>(T) {
        for (const std::int64_t n : sides) {
            const plain<T> a = random_plain<T>(n, n, 7), x(linalg::inv(a.lazy()));
            const long double bound = 30 * static_cast<long double>(n) * epsilon<T>() * a.norm() * x.norm();
            EXPECT_LE((a * x - identity<T>(n)).norm(), bound);
            EXPECT_LE((x * a - identity<T>(n)).norm(), bound * 10);
        }
    });
    expect_one_call(linalg::inv(array<float>{{1, 2}, {3, 4}}));
}

TEST(Linalg, Determinants) {
    FRIT_SKIP_WITHOUT_LINALG(det(x));
    EXPECT_DOUBLE_EQ(linalg::det(array<double>{{1, 2}, {3, 4}}).item(), -2);
    EXPECT_EQ(linalg::det(array<double>{{1, 2}, {2, 4}}).item(), 0);
    EXPECT_EQ(linalg::det(frit::zeros<float>({0, 0})).item(), 1);
    using complex = std::complex<double>;
    const array<complex> a{{complex(0, 1), complex(2)}, {complex(), complex(3)}};
    EXPECT_DOUBLE_EQ(linalg::det(a).item().imag(), 3);
    const auto [sign, logarithm] = linalg::slogdet(array<double>{{0, 2}, {1, 0}});
    expect_one_call(sign, logarithm);
    EXPECT_EQ(sign.item(), -1);
    EXPECT_DOUBLE_EQ(logarithm.item(), std::log(2.0));
    const auto [none, least] = linalg::slogdet(array<float>{{1, 1}, {1, 1}});
    EXPECT_EQ(none.item(), 0);
    EXPECT_EQ(least.item(), -std::numeric_limits<float>::infinity());
    const auto [one, zero] = linalg::slogdet(frit::zeros<double>({3, 0, 0}));
    EXPECT_EQ(one.to_vector(), (std::vector<double>{1, 1, 1}));
    EXPECT_EQ(zero.to_vector(), (std::vector<double>{0, 0, 0}));
}

TEST(Linalg, DeterminantsDoNotOverflowOnTheWay) {
    FRIT_SKIP_WITHOUT_LINALG(det(x));
    std::vector<double> diagonal(40, 1e200);
    for (std::size_t k = 1; k < 40; k += 2) diagonal[k] = 1e-200;
    diagonal[3] *= 5;
    const array<double> a = on_diagonal(diagonal);
    EXPECT_NEAR(linalg::det(a).item(), 5, on_gpu() ? 1e-11 : 1e-13) << "of logarithms on a GPU";
    const array<float> small = frit::eye<float>(200) * 1e-3F;
    const auto [sign, logarithm] = linalg::slogdet(small);
    EXPECT_EQ(sign.item(), 1);
    EXPECT_NEAR(logarithm.item(), 200 * std::log(1e-3), 1e-4);
    EXPECT_EQ(linalg::det(small).item(), 0) << "it is less than any float";
}

TEST(Linalg, LuFactorsMakeTheMatrixUp) {
    FRIT_SKIP_WITHOUT_LINALG(lu(x));
    for_each_type([]<class T>(T) {
        for (const auto& [m, n] : rectangles) {
            const plain<T> a = random_plain<T>(m, n, 8);
            const auto [p, l, u] = linalg::lu(a.lazy());
            static_assert(std::is_same_v<typename decltype(p)::value_type, real<T>>);
            if (on_gpu())
                EXPECT_EQ(planned(p, l, u).calls, 2U) << "the factors, and the order of rows";
            else
                expect_one_call(p, l, u);
            const std::int64_t k = std::min(m, n);
            EXPECT_EQ(l.shape(), (frit::shape{m, k}));
            EXPECT_EQ(u.shape(), (frit::shape{k, n}));
            const plain<T> lower(l), upper(u), permutation(frit::cast<T>(p));
            expect_small(permutation * lower * upper - a, a, m + n, "P L U");
            EXPECT_EQ((permutation * permutation.adjoint() - identity<T>(m)).norm(), 0);
            for (std::int64_t i = 0; i < k; ++i) EXPECT_EQ(lower(i, i), wide_of<T>(1));
        }
    });
    const auto [p, l, u] = linalg::lu(array<double>{{1, 2}, {2, 4}});  // singular
    EXPECT_EQ(u.to_vector(), (std::vector<double>{2, 4, 0, 0}));
}

}  // namespace

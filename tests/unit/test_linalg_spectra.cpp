// Orthogonal factors, singular values and eigenvalues, and formulas over them: residuals and orthogonality, computed in long
// double, within bounds as LAPACK's own tests state them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "frit/frit.hpp"

#include "tests/support/kernels.hpp"
#include "tests/support/linalg_tests.hpp"

namespace {

using namespace frit_test;
namespace linalg = frit::linalg;
using frit::array;

TEST(Linalg, QrFactorsMakeTheMatrixUp) {
    FRIT_SKIP_WITHOUT_LINALG(qr(x));
    for_each_type([]<class T>(T) {
        for (const auto& [m, n] : rectangles) {
            const plain<T> a = random_plain<T>(m, n, 9);
            const auto [q, r] = linalg::qr(a.lazy());
            expect_one_call(q, r);
            const std::int64_t k = std::min(m, n);
            EXPECT_EQ(q.shape(), (frit::shape{m, k}));
            EXPECT_EQ(r.shape(), (frit::shape{k, n}));
            const plain<T> orthogonal(q), triangular(r);
            expect_small(orthogonal * triangular - a, a, m + n, "q r");
            expect_orthonormal_columns(orthogonal);
            for (std::int64_t i = 0; i < k; ++i)
                for (std::int64_t j = 0; j < i; ++j) EXPECT_EQ(triangular(i, j), wide_of<T>(0));
            EXPECT_EQ(std::get<1>(linalg::qr(a.lazy())).to_vector(), r.to_vector()) << "alone";
        }
    });
}

TEST(Linalg, CompleteQrHasASquareFactor) {
    FRIT_SKIP_WITHOUT_LINALG(qr(x));
    for_each_type([]<class T>(T) {
        for (const auto& [m, n] : rectangles) {
            const plain<T> a = random_plain<T>(m, n, 9);
            const auto [q, r] = linalg::qr(a.lazy(), linalg::complete);
            EXPECT_EQ(planned(q, r).calls, 1U);
            EXPECT_EQ(q.shape(), (frit::shape{m, m}));
            EXPECT_EQ(r.shape(), (frit::shape{m, n}));
            const plain<T> orthogonal(q), triangular(r);
            expect_small(orthogonal * triangular - a, a, m + n, "q r");
            expect_orthonormal_columns(orthogonal);
            for (std::int64_t i = 0; i < m; ++i)
                for (std::int64_t j = 0; j < std::min(i, n); ++j) EXPECT_EQ(triangular(i, j), wide_of<T>(0));
        }
    });
}

TEST(Linalg, SingularValuesAndVectors) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    for_each_type([]<class T>(T) {
        for (const auto& [m, n] : rectangles)
            for (const bool full : {false, true}) {
                const plain<T> a = random_plain<T>(m, n, 10);
                const auto [u, s, vh] = linalg::svd(a.lazy(), full);
                expect_one_call(u, s, vh);
                const std::int64_t k = std::min(m, n);
                EXPECT_EQ(u.shape(), (frit::shape{m, full ? m : k}));
                EXPECT_EQ(s.shape(), frit::shape{k});
                EXPECT_EQ(vh.shape(), (frit::shape{full ? n : k, n}));
                frit::eval(u, s, vh);
                const plain<T> left(u), right(vh), middle = diagonal<T>(s.to_vector(), left.columns, right.rows);
                expect_small(left * middle * right - a, a, m + n, "u s vh");
                expect_orthonormal_columns(left);
                expect_orthonormal_columns(right.adjoint());
                const auto values = s.to_vector();
                EXPECT_TRUE(std::is_sorted(values.rbegin(), values.rend()));
                EXPECT_GE(values.back(), 0);
                const auto alone = linalg::svdvals(a.lazy()).to_vector();
                for (std::size_t i = 0; i < values.size(); ++i)
                    EXPECT_NEAR(alone[i], values[i], 20 * epsilon<T>() * values[0] * static_cast<double>(m + n));
                const plain<T> only_left(std::get<0>(linalg::svd(a.lazy(), full)));
                EXPECT_LE((only_left - left).norm(), 0) << "the values of one call do not depend on which are asked for";
            }
    });
}

TEST(Linalg, FullSvdIsTheDefault) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    const auto [u, s, vh] = linalg::svd(frit::ones<double>({2, 3}));
    EXPECT_EQ(u.shape(), (frit::shape{2, 2}));
    EXPECT_EQ(vh.shape(), (frit::shape{3, 3}));
    EXPECT_NEAR(s.to_vector()[0], std::sqrt(6.0), 1e-14);
}

TEST(Linalg, HermitianEigenvalues) {
    FRIT_SKIP_WITHOUT_LINALG(eigh(x));
    for_each_type([]<class T>(T) {
        for (const std::int64_t n : sides) {
            plain<T> a = random_plain<T>(n, n, 11);
            a = a + a.adjoint();
            const auto [w, v] = linalg::eigh(a.lazy());
            static_assert(std::is_same_v<typename decltype(w)::value_type, real<T>>);
            expect_one_call(w, v);
            frit::eval(w, v);
            const plain<T> vectors(v), values = diagonal<T>(w.to_vector(), n, n);
            expect_small(vectors * values * vectors.adjoint() - a, a, n, "v w v^H");
            expect_orthonormal_columns(vectors);
            const auto rising = w.to_vector();
            EXPECT_TRUE(std::is_sorted(rising.begin(), rising.end()));
            plain<T> lower = a, upper = a;  // what is in the other triangle is not read
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < i; ++j) lower(j, i) = upper(i, j) = wide_of<T>(77);
            EXPECT_EQ(linalg::eigvalsh(lower.lazy()).to_vector(), linalg::eigvalsh(a.lazy()).to_vector());
            const auto alone = linalg::eigvalsh(upper.lazy(), linalg::upper).to_vector();
            for (std::size_t i = 0; i < rising.size(); ++i)
                EXPECT_NEAR(alone[i], rising[i], 10 * epsilon<T>() * a.norm() * static_cast<double>(n));
        }
    });
}

TEST(Linalg, EigenvaluesAreComplex) {
    FRIT_SKIP_WITHOUT_LINALG(eig(x));
    for_each_type([]<class T>(T) {
        using C = std::complex<real<T>>;
        for (const std::int64_t n : sides) {
            const plain<T> a = random_plain<T>(n, n, 12);
            const auto [w, v] = linalg::eig(a.lazy());
            static_assert(std::is_same_v<typename decltype(w)::value_type, C>);
            expect_one_call(w, v);
            frit::eval(w, v);
            const plain<C> matrix(frit::cast<C>(a.lazy())), vectors(v), values = diagonal<C>(w.to_vector(), n, n);
            expect_small(matrix * vectors - vectors * values, matrix, n, "a v - v w");
            for (std::int64_t j = 0; j < n; ++j) {
                long double square = 0;
                for (std::int64_t i = 0; i < n; ++i) square += std::norm(vectors(i, j));
                EXPECT_NEAR(static_cast<double>(square), 1, 20 * epsilon<T>());
            }
            const std::vector<C> alone = linalg::eigvals(a.lazy()).to_vector();  // each is one of them
            for (const C& x : alone) {
                double nearest = 1e30;
                for (const C& y : w.to_vector()) nearest = std::min(nearest, static_cast<double>(std::abs(x - y)));
                EXPECT_LE(nearest, 1e3 * epsilon<T>() * static_cast<double>(a.norm()));
            }
        }
    });
    const std::vector<std::complex<double>> turn = linalg::eigvals(array<double>{{0, -1}, {1, 0}}).to_vector();
    EXPECT_NEAR(std::abs(turn[0].imag()), 1, 4e-16);
    EXPECT_EQ(turn[0], std::conj(turn[1]));
}

// --- formulas over factors ---

TEST(Linalg, FormulasOverFactorsShareOneCall) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    const array<double> a = random_plain<double>(6, 4, 30).lazy(), b = random_plain<double>(6, 1, 31).lazy().reshape({6});
    b.eval();
    // On a GPU a kernel keeps what is not finite from cuSOLVER, and puts NaN in the place of results; and the products with
    // b are sums: u^H b is weighted in its kernel.
    const bool gpu = on_gpu();
    EXPECT_EQ(planned(linalg::pinv(a)), (gpu ? step_counts{4, 2} : step_counts{1, 2})) << "svd; diag(1 / s) u^H; a product";
    EXPECT_EQ(planned(linalg::matrix_rank(a)), (gpu ? step_counts{2, 1} : step_counts{1, 1}));
    EXPECT_EQ(planned(linalg::cond(a)), (gpu ? step_counts{2, 1} : step_counts{1, 1}));
    EXPECT_EQ(planned(std::get<0>(linalg::lstsq(a, b))), (gpu ? step_counts{4, 1} : step_counts{1, 3}));
    EXPECT_EQ(planned(linalg::matrix_power(array<double>(matmul(a.T(), a)).eval(), 10)), (step_counts{0, 4}));
}

TEST(Linalg, LeastSquares) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    for_each_type([]<class T>(T) {
        for (const auto& [m, n] : rectangles) {
            const plain<T> a = random_plain<T>(m, n, 18), b = random_plain<T>(m, 2, 19);
            const auto [x, residuals, rank, s] = linalg::lstsq(a.lazy(), b.lazy());
            EXPECT_EQ(x.shape(), (frit::shape{n, 2}));
            const plain<T> solution(x), rest = b - a * solution;
            const long double bound = 300 * static_cast<long double>(m + n) * epsilon<T>() * condition(a) * a.norm() *
                                      (b.norm() + a.norm() * solution.norm());
            EXPECT_LE((a.adjoint() * rest).norm(), bound) << "what is left is orthogonal to a's columns";
            EXPECT_EQ(rank.item(), std::min(m, n));
            EXPECT_EQ(s.size(), std::min(m, n));
            const auto squares = residuals.to_vector();
            long double first = 0;
            for (std::int64_t i = 0; i < m; ++i) first += std::norm(rest(i, 0));
            EXPECT_NEAR(squares[0], static_cast<double>(first),
                        1e3 * epsilon<T>() * static_cast<double>(b.norm() * b.norm()));
        }
    });
    const array<double> a{{1, 1}, {1, 1}, {1, 1}}, b{1, 2, 3};  // of rank 1: the shortest solution
    const auto [x, residuals, rank, s] = linalg::lstsq(a, b);
    EXPECT_EQ(x.shape(), frit::shape{2});
    EXPECT_NEAR(x.to_vector()[0], 1, 1e-14);
    EXPECT_NEAR(x.to_vector()[1], 1, 1e-14);
    EXPECT_EQ(rank.item(), 1);
    EXPECT_EQ(residuals.rank(), 0);
    EXPECT_NEAR(residuals.item(), 2, 1e-13);
}

TEST(Linalg, PseudoInverses) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    for_each_type([]<class T>(T) {
        for (const auto& [m, n] : rectangles) {
            const plain<T> a = random_plain<T>(m, n, 20), x(linalg::pinv(a.lazy()));
            EXPECT_EQ(x.rows, n);
            const long double bound = 100 * static_cast<long double>(m + n) * epsilon<T>() * a.norm() * x.norm();
            EXPECT_LE((a * x * a - a).norm(), bound * a.norm());  // Penrose's four equations
            EXPECT_LE((x * a * x - x).norm(), bound * x.norm());
            EXPECT_LE((a * x - (a * x).adjoint()).norm(), bound);
            EXPECT_LE((x * a - (x * a).adjoint()).norm(), bound);
        }
    });
    EXPECT_EQ(linalg::pinv(frit::zeros<double>({2, 3})).to_vector(), std::vector<double>(6, 0));
}

TEST(Linalg, RanksAndConditions) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    const array<double> a{{1, 2, 3}, {2, 4, 6}, {1, 0, 1}};
    EXPECT_EQ(linalg::matrix_rank(a).item(), 2);
    EXPECT_EQ(linalg::matrix_rank(frit::zeros<float>({3, 3})).item(), 0);
    EXPECT_EQ(linalg::matrix_rank(stacked(std::vector<array<double>>{a, frit::eye<double>(3)})).to_vector(),
              (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(linalg::matrix_rank(on_diagonal(std::vector<double>{1, 1e-3}), 1e-2).item(), 1);
    const array<double> both =
        frit::stack(0, on_diagonal(std::vector<double>{4, 1}), on_diagonal(std::vector<double>{8, 1}));
    EXPECT_EQ(linalg::matrix_rank(both, array<double>{0.2, 0.2}).to_vector(), (std::vector<std::int64_t>{2, 1}));
    EXPECT_EQ(linalg::matrix_rank(both, array<float>{{0.125F}, {0.0625F}}).to_vector(),
              (std::vector<std::int64_t>{2, 1, 2, 2}));  // what is as large as the bound does not count
    EXPECT_EQ(linalg::matrix_rank(frit::any_array(a), frit::scalar(0.9)).item(), 1);
    EXPECT_EQ(linalg::matrix_rank(on_diagonal(std::vector<double>{2, 0}), frit::scalar(-1.0)).item(), 1);
    EXPECT_DOUBLE_EQ(linalg::pinv(both, array<double>{0.2, 0.2})(0, 1, 1).item(), 1);
    EXPECT_EQ(linalg::pinv(both, array<double>{0.2, 0.2})(1, 1, 1).item(), 0);
    EXPECT_ERROR((void)linalg::pinv(both, array<double>{1, 2, 3}), frit::shape_error, "pinv", "(3,)", "(2,)",
                 "test_linalg_spectra.cpp");
    using c = std::complex<double>;
    EXPECT_ERROR((void)linalg::pinv(a, frit::scalar(c(1))), frit::dtype_error, "pinv", "real", "test_linalg_spectra.cpp");
    EXPECT_DOUBLE_EQ(linalg::cond(on_diagonal(std::vector<double>{4, -2, 1})).item(), 4);
    EXPECT_EQ(linalg::cond(frit::zeros<double>({2, 2})).item(), std::numeric_limits<double>::infinity());
}

}  // namespace

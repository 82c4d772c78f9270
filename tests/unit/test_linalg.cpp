// Linear algebra: residuals and orthogonality, computed in long double, within bounds as LAPACK's own tests state them;
// special matrices, batches, layouts, dtypes; what is computed of several results; errors, and what they leave unharmed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "frit/frit.hpp"

#include "src/base/threads.hpp"
#include "src/cpu/lapack.hpp"
#include "src/engine/backend.hpp"
#include "src/libraries/libraries.hpp"
#include "tests/support/linalg.hpp"

namespace {

using namespace frit_test;
namespace linalg = frit::linalg;
using frit::any_array;
using frit::array;

/// Sides that are odd, and on both sides of LAPACK's blocks.
constexpr std::int64_t sides[] = {1, 2, 3, 7, 33, 70};
constexpr std::pair<std::int64_t, std::int64_t> rectangles[] = {{1, 1}, {1, 5}, {5, 1}, {4, 3}, {3, 4}, {33, 20}, {20, 70}};

template <class F>
void for_each_type(F f) {
    const auto of = [&]<class T>(T x) {
        SCOPED_TRACE(std::string(frit::name_of(frit::dtype_of<T>)));
        f(x);
    };
    of(float());
    of(double());
    of(std::complex<float>());
    of(std::complex<double>());
}

/// A batch of these.
template <class T>
array<T> stacked(const std::vector<array<T>>& matrices) {
    std::vector<T> all;
    for (const array<T>& a : matrices)
        for (const T x : a.to_vector()) all.push_back(x);
    const frit::shape of = matrices[0].shape();
    return frit::from_host(all, {static_cast<std::int64_t>(matrices.size()), of[0], of[1]});
}
array<double> on_diagonal(const std::vector<double>& values) {
    const auto n = static_cast<std::int64_t>(values.size());
    return diagonal<double>(values, n, n).lazy();
}

struct step_counts {
    std::size_t kernels, calls;
    friend bool operator==(const step_counts&, const step_counts&) = default;
    friend std::ostream& operator<<(std::ostream& to, const step_counts& c) {
        return to << c.kernels << " kernels, " << c.calls << " calls";
    }
};
template <class... A>
step_counts planned(const A&... x) {
    const frit::plan p = frit::make_plan(x...);
    return {p.kernels().size(), p.library_calls().size()};
}

bool on_gpu() { return !frit::default_device().is_cpu(); }

/// One call and no kernel; on a GPU some results are formulas over what the call gives.
template <class... A>
void expect_one_call(const A&... x) {
    const step_counts steps = planned(x...);
    EXPECT_EQ(steps.calls, 1U);
    EXPECT_TRUE(on_gpu() || steps.kernels == 0) << steps;
}

template <class F>
std::string error_of(F f) {
    try {
        f();
        frit::synchronize();
    } catch (const frit::error& e) {
        return e.what();
    }
    return "no error";
}
template <class Error, class F>
void expect_error(const std::string& part, F f) {
    try {
        f();
        frit::synchronize();  // where a GPU's error comes
        ADD_FAILURE() << "no error, not " << part;
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
}

// --- factors, equations ---

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
            if (!on_gpu()) expect_one_call(p, l, u);
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

// --- orthogonal factors, singular values, eigenvalues ---

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
    EXPECT_NEAR(std::abs(turn[0].imag()), 1, 1e-15);
    EXPECT_EQ(turn[0], std::conj(turn[1]));
}

// --- what is computed of several results, and how ---

TEST(Linalg, OnlyWhatIsAskedForIsComputed) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    const array<double> a = random_plain<double>(6, 4, 3).lazy();
    a.eval();
    const auto asked = [](const auto& x) -> std::uint64_t {
        const frit::plan p = frit::make_plan(x);
        EXPECT_EQ(p.library_calls().size(), 1U);
        return p.library_calls()[0].bytes_written();
    };
    EXPECT_EQ(asked(linalg::svdvals(a)), 4U * 8);
    EXPECT_EQ(asked(std::get<1>(linalg::svd(a))), 4U * 8);
    EXPECT_EQ(asked(linalg::eigvalsh(frit::matmul(a.T(), a).eval())), 4U * 8);
    EXPECT_EQ(asked(std::get<1>(linalg::qr(a))), 16U * 8);
}

TEST(Linalg, NeighboursFuseOnTheirOwnSide) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const array<double> a = frit::eye<double>(4) * 2 + 1, b = frit::arange<double>(4);
    a.eval(), b.eval();
    EXPECT_EQ(planned(sum(linalg::solve(a + 1, b) * 2)), (step_counts{2, 1}));
    expect_one_call(linalg::inv(a.T()));  // a transpose is absorbed
    const array<double> large = frit::eye<double>(6) * 3 + 1;
    large.eval();
    expect_one_call(linalg::inv(large(frit::slice(0, 3), frit::slice(2, 5))));  // and a part
    const auto flipped = frit::flip(large);
    EXPECT_EQ(planned(linalg::inv(flipped)), (step_counts{1, 1}));
    EXPECT_EQ(linalg::inv(flipped).to_vector(), linalg::inv(flipped.eval()).to_vector());
}

TEST(Linalg, LayoutsDoNotChangeBits) {
    FRIT_SKIP_WITHOUT_LINALG(eig(x));
    for_each_type([]<class T>(T) {
        const plain<T> a = random_plain<T>(9, 9, 13), b = random_plain<T>(9, 2, 14);
        const array<T> turned = a.transposed().lazy(), x = a.lazy(), y = b.lazy();
        EXPECT_EQ(linalg::solve(turned.T(), y).to_vector(), linalg::solve(x, y).to_vector());
        EXPECT_EQ(linalg::inv(turned.T()).to_vector(), linalg::inv(x).to_vector());
        EXPECT_EQ(linalg::det(turned.T()).item(), linalg::det(x).item());
        EXPECT_EQ(std::get<0>(linalg::qr(turned.T())).to_vector(), std::get<0>(linalg::qr(x)).to_vector());
        EXPECT_EQ(linalg::svdvals(turned.T()).to_vector(), linalg::svdvals(x).to_vector());
        EXPECT_EQ(std::get<1>(linalg::lu(turned.T())).to_vector(), std::get<1>(linalg::lu(x)).to_vector());
    });
}

TEST(Linalg, EveryMatrixOfABatchIsAsItIsAlone) {
    FRIT_SKIP_WITHOUT_LINALG(eig(x));
    for_each_type([]<class T>(T) {
        constexpr std::int64_t n = 6, count = 70;
        std::vector<array<T>> matrices, sides_of;
        for (std::int64_t k = 0; k < count; ++k) {
            matrices.push_back(positive_definite<T>(n, static_cast<unsigned>(k)).lazy());
            sides_of.push_back(random_plain<T>(n, 2, static_cast<unsigned>(k)).lazy());
        }
        const array<T> a = stacked(matrices).reshape({7, 10, n, n}), b = stacked(sides_of).reshape({7, 10, n, 2});
        const auto check = [&](const char* what, auto f) {
            const auto all = f(a, b).to_vector();
            const std::size_t each = all.size() / count;
            for (std::size_t k : {std::size_t{0}, std::size_t{33}, std::size_t{69}}) {
                const auto one = f(matrices[k], sides_of[k]).to_vector();
                EXPECT_EQ(one, decltype(one)(all.begin() + static_cast<std::ptrdiff_t>(k * each),
                                             all.begin() + static_cast<std::ptrdiff_t>((k + 1) * each)))
                    << what << " of matrix " << k;
            }
        };
        check("cholesky", [](const auto& x, const auto&) { return linalg::cholesky(x); });
        check("solve", [](const auto& x, const auto& y) { return linalg::solve(x, y); });
        check("inv", [](const auto& x, const auto&) { return linalg::inv(x); });
        check("det", [](const auto& x, const auto&) { return linalg::det(x); });
        check("qr", [](const auto& x, const auto&) { return std::get<0>(linalg::qr(x)); });
        check("svd", [](const auto& x, const auto&) { return std::get<2>(linalg::svd(x)); });
        check("eigh", [](const auto& x, const auto&) { return std::get<1>(linalg::eigh(x)); });
        check("eig", [](const auto& x, const auto&) { return std::get<0>(linalg::eig(x)); });
        check("lu", [](const auto& x, const auto&) { return std::get<2>(linalg::lu(x)); });
        check("pinv", [](const auto& x, const auto&) { return linalg::pinv(x); });
        expect_one_call(linalg::inv(a));
    });
}

TEST(Linalg, OneMatrixForABatchOfRightSides) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    for_each_type([]<class T>(T) {
        std::vector<array<T>> each;
        for (unsigned k = 0; k < 200; ++k) each.push_back(random_plain<T>(5, 2, k).lazy());
        const array<T> a = random_plain<T>(5, 5, 77).lazy(), all = stacked(each);
        const std::vector<T> x = linalg::solve(a, all).to_vector();
        for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{117}, std::size_t{199}}) {
            const std::vector<T> one = linalg::solve(a, each[k]).to_vector();
            EXPECT_TRUE(std::equal(one.begin(), one.end(), x.begin() + static_cast<std::ptrdiff_t>(10 * k))) << k;
        }
        expect_error<frit::linalg_error>("solve: matrix (0) of the batch is singular", [&] {
            (void)linalg::solve(frit::zeros<T>({5, 5}), all).to_vector();
        });
    });
}

TEST(Linalg, TheNumberOfThreadsDoesNotShow) {
    FRIT_SKIP_WITHOUT_LINALG(eig(x));
    std::vector<array<double>> each;
    for (unsigned k = 0; k < 300; ++k) each.push_back(positive_definite<double>(20, k).lazy());
    const array<double> a = stacked(each);
    const auto all = [&](int threads) {
        auto& pool = frit::detail::thread_pool::instance();
        const int before = pool.size();
        pool.resize(threads);
        std::vector<std::vector<double>> results{linalg::cholesky(a).to_vector(),
                                                 linalg::solve(a, a + 1).to_vector(),
                                                 linalg::inv(a).to_vector(),
                                                 linalg::det(a).to_vector(),
                                                 std::get<0>(linalg::qr(a)).to_vector(),
                                                 std::get<0>(linalg::svd(a)).to_vector(),
                                                 std::get<1>(linalg::eigh(a)).to_vector(),
                                                 frit::real(linalg::eigvals(a)).to_vector()};
        pool.resize(before);
        return results;
    };
    EXPECT_EQ(all(1), all(7));
}

TEST(Linalg, IntegersAreDoubleAndShortFloatsFloat) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const array<int> a{{2, 1}, {1, 3}};
    static_assert(std::is_same_v<decltype(linalg::inv(a))::value_type, double>);
    static_assert(std::is_same_v<decltype(linalg::eigvals(a))::value_type, std::complex<double>>);
    EXPECT_DOUBLE_EQ(linalg::det(a).item(), 5);
    EXPECT_DOUBLE_EQ(linalg::det(array<bool>{{true, false}, {true, true}}).item(), 1);
    const array<frit::half> h{{frit::half(2), frit::half(1)}, {frit::half(1), frit::half(3)}};
    static_assert(std::is_same_v<decltype(linalg::inv(h))::value_type, frit::half>);
    EXPECT_EQ(linalg::inv(h).to_vector(), frit::cast<frit::half>(linalg::inv(frit::cast<float>(h))).to_vector());
    static_assert(std::is_same_v<decltype(linalg::eigvals(h))::value_type, std::complex<float>>);
    const array<float> b{1, 2};
    static_assert(std::is_same_v<decltype(linalg::solve(a, b))::value_type, double>);
    EXPECT_NEAR(linalg::solve(a, b).to_vector()[1], 0.6, 1e-15);
}

TEST(Linalg, AnyArrayGivesTheSameBits) {
    FRIT_SKIP_WITHOUT_LINALG(eig(x));
    for_each_type([]<class T>(T) {
        const array<T> a = positive_definite<T>(5, 15).lazy(), b = random_plain<T>(5, 2, 16).lazy();
        const any_array x = a, y = b;
        const auto equal = [](const auto& typed, const auto& any) {
            using U = typename std::decay_t<decltype(typed)>::value_type;
            EXPECT_EQ(typed.to_vector(), any.template to_vector<U>());
        };
        equal(linalg::cholesky(a), linalg::cholesky(x));
        equal(linalg::solve(a, b), linalg::solve(x, y));
        equal(linalg::solve_triangular(a, b, linalg::lower), linalg::solve_triangular(x, y, linalg::lower));
        equal(linalg::inv(a), linalg::inv(x));
        equal(linalg::det(a), linalg::det(x));
        equal(std::get<1>(linalg::slogdet(a)), std::get<1>(linalg::slogdet(x)));
        equal(std::get<0>(linalg::lu(a)), std::get<0>(linalg::lu(x)));
        equal(std::get<1>(linalg::qr(a)), std::get<1>(linalg::qr(x)));
        equal(std::get<1>(linalg::svd(a)), std::get<1>(linalg::svd(x)));
        equal(linalg::svdvals(a), linalg::svdvals(x));
        equal(std::get<0>(linalg::eigh(a)), std::get<0>(linalg::eigh(x)));
        equal(linalg::eigvalsh(a), linalg::eigvalsh(x));
        equal(std::get<1>(linalg::eig(a)), std::get<1>(linalg::eig(x)));
        equal(linalg::eigvals(a), linalg::eigvals(x));
        equal(std::get<0>(linalg::lstsq(a, b)), std::get<0>(linalg::lstsq(x, y)));
        equal(std::get<3>(linalg::lstsq(a, b)), std::get<3>(linalg::lstsq(x, y)));
        equal(linalg::pinv(a), linalg::pinv(x));
        EXPECT_EQ(linalg::matrix_rank(a).item(), linalg::matrix_rank(x).item());
        equal(linalg::cond(a), linalg::cond(x));
        equal(linalg::matrix_power(a, -3), linalg::matrix_power(x, -3));
        equal(linalg::expm(a), linalg::expm(x));
    });
    const any_array integers = array<std::int16_t>{{2, 1}, {1, 3}};
    EXPECT_EQ(linalg::inv(integers).dtype(), frit::dtype::f64);
    EXPECT_EQ(linalg::eigvals(integers).dtype(), frit::dtype::c128);
}

// LAPACK writes as far as it likes: what is behind the memory that it was given stays what it was.
TEST(Linalg, NothingIsWrittenBehindWorkspacesAndResults) {
    if (!frit::detail::find_lapack()) GTEST_SKIP() << "there is no LAPACK";
    using frit::op;
    constexpr std::size_t guard = 4096;
    const auto check = [&]<class T>(T, std::vector<op> codes, std::vector<frit::shape> operands) {
        const frit::dtype type = frit::dtype_of<T>;
        const frit::detail::library_routine& of = frit::detail::routine_of(codes[0]);
        frit::fusion::library_call call{.of = &of, .code = codes[0]};
        call.results.resize(static_cast<std::size_t>(of.results));
        std::vector<std::vector<T>> values;
        std::vector<const void*> inputs;
        std::vector<const frit::shape*> extents;
        for (const frit::shape& x : operands) {
            call.operands.push_back({type, x, frit::fusion::row_major(x)});
            values.push_back(random_plain<T>(1, x.size(), 5).values());
        }
        for (std::size_t k = 0; k < operands.size(); ++k)
            inputs.push_back(values[k].data()), extents.push_back(&operands[k]);
        frit::fusion::shape_set shapes;
        std::vector<std::vector<unsigned char>> memory(call.results.size());
        std::vector<void*> results(call.results.size());
        const auto guarded = [&](std::size_t bytes) { return std::vector<unsigned char>(bytes + guard, 0xa5); };
        for (const op o : codes) {
            const std::size_t k = frit::library(o).result;
            const frit::shape& x = *of.shape_of(static_cast<int>(k), extents, shapes);
            call.results[k] = {true, frit::library_dtypes_of(o, type).result, x};
            memory[k] = guarded(static_cast<std::size_t>(x.size()) * frit::size_of(call.results[k].type));
            results[k] = memory[k].data();
        }
        memory.push_back(guarded(of.on_cpu.workspace ? of.on_cpu.workspace(call) : 0));
        of.on_cpu.require(call);
        try {
            frit::detail::cpu_backend().call(call, {inputs, results, memory.back().data()});
        } catch (const frit::linalg_error&) {  // a random matrix is not positive definite
        }
        for (const auto& m : memory) {
            const bool untouched =
                m.empty() || std::all_of(m.end() - guard, m.end(), [](unsigned char x) { return x == 0xa5; });
            EXPECT_TRUE(untouched) << frit::name_of(codes[0]) << " of " << frit::to_string(operands[0]);
        }
    };
    for_each_type([&]<class T>(T t) {
        for (const std::int64_t n : {1, 2, 5, 40, 67}) {
            const frit::shape square{3, n, n}, sides_of{3, n, 2};
            check(t, {op::cholesky}, {square});
            check(t, {op::cholesky_status}, {square});
            check(t, {op::cholesky_unchecked, op::cholesky_status}, {square});
            check(t, {op::solve}, {square, sides_of});
            check(t, {op::solve_status}, {square, sides_of});
            check(t, {op::solve_unchecked, op::solve_status}, {square, sides_of});
            check(t, {op::solve_lower}, {square, sides_of});
            check(t, {op::inverse}, {square});
            check(t, {op::determinant, op::log_determinant}, {square});
            check(t, {op::eigh_values}, {square});
            check(t, {op::eigh_vectors}, {square});
            check(t, {op::eig_values}, {square});
            check(t, {op::eig_vectors}, {square});
            for (const std::int64_t m : {1, 3, 33, 90}) {
                const frit::shape of{3, m, n};
                check(t, {op::lu_permutation, op::lu_upper}, {of});
                check(t, {op::lu_packed, op::lu_pivots}, {of});
                check(t, {op::qr_q}, {of});
                check(t, {op::qr_r}, {of});
                check(t, {op::qr_complete_q}, {of});
                check(t, {op::qr_complete_r}, {of});
                check(t, {op::svd_s}, {of});
                check(t, {op::svd_u}, {of});
                check(t, {op::svd_full_vh}, {of});
                check(t, {op::svd_full_u, op::svd_full_s, op::svd_full_vh}, {of});
            }
        }
    });
}

// --- matrices without elements, and with what is no number ---

TEST(Linalg, MatricesWithoutElements) {
    FRIT_SKIP_WITHOUT_LINALG(eig(x));
    const array<double> none = frit::zeros<double>({0, 0}), batch = frit::zeros<double>({0, 3, 3});
    EXPECT_EQ(linalg::cholesky(none).eval().shape(), (frit::shape{0, 0}));
    EXPECT_EQ(linalg::inv(batch).eval().shape(), (frit::shape{0, 3, 3}));
    EXPECT_EQ(linalg::det(batch).eval().shape(), frit::shape{0});
    EXPECT_EQ(linalg::solve(none, frit::zeros<double>({0, 2})).eval().shape(), (frit::shape{0, 2}));
    EXPECT_EQ(linalg::solve(none, frit::zeros<double>({0})).eval().shape(), frit::shape{0});
    EXPECT_EQ(linalg::solve(frit::eye<double>(2), frit::zeros<double>({2, 0})).eval().shape(), (frit::shape{2, 0}));
    EXPECT_EQ(linalg::eigvals(none).eval().size(), 0);
    EXPECT_EQ(linalg::eigvalsh(none).eval().size(), 0);
    const auto [q, r] = linalg::qr(frit::zeros<double>({3, 0}));
    EXPECT_EQ(q.eval().shape(), (frit::shape{3, 0}));
    EXPECT_EQ(r.eval().shape(), (frit::shape{0, 0}));
    const auto [u, s, vh] = linalg::svd(frit::zeros<double>({2, 0}));
    EXPECT_EQ(u.to_vector(), (std::vector<double>{1, 0, 0, 1}));
    EXPECT_EQ(s.eval().size(), 0);
    EXPECT_EQ(vh.eval().shape(), (frit::shape{0, 0}));
    const auto [p, l, upper] = linalg::lu(frit::zeros<double>({2, 0}));
    EXPECT_EQ(p.to_vector(), (std::vector<double>{1, 0, 0, 1}));
    EXPECT_EQ(l.eval().shape(), (frit::shape{2, 0}));
    EXPECT_EQ(linalg::pinv(frit::zeros<double>({2, 0})).eval().shape(), (frit::shape{0, 2}));
    EXPECT_EQ(linalg::matrix_rank(frit::zeros<double>({2, 0})).item(), 0);
    EXPECT_EQ(linalg::matrix_power(none, 3).eval().shape(), (frit::shape{0, 0}));
    EXPECT_EQ(linalg::expm(batch).eval().shape(), (frit::shape{0, 3, 3}));
    const auto [whole, nothing] = linalg::qr(frit::zeros<double>({2, 3, 0}), linalg::complete);
    EXPECT_EQ(whole.to_vector(), frit::broadcast_to(frit::eye<double>(3), {2, 3, 3}).to_vector());
    EXPECT_EQ(nothing.shape(), (frit::shape{2, 3, 0}));
}

TEST(Linalg, NaNAndInfinityPropagate) {
    FRIT_SKIP_WITHOUT_LINALG(eig(x));
    for_each_type([]<class T>(T) {
        for (const real<T> bad : {std::numeric_limits<real<T>>::quiet_NaN(), std::numeric_limits<real<T>>::infinity()}) {
            plain<T> a = positive_definite<T>(4, 17);
            a(2, 1) = a(1, 2) = bad;
            const array<T> x = a.lazy();
            const auto all_nan = [](const auto& y) { return frit::all(isnan(y)).item(); };
            EXPECT_TRUE(all_nan(linalg::svdvals(x)));
            EXPECT_TRUE(all_nan(std::get<0>(linalg::svd(x))));
            EXPECT_TRUE(all_nan(linalg::eigvalsh(x)));
            EXPECT_TRUE(all_nan(std::get<1>(linalg::eigh(x))));
            EXPECT_TRUE(all_nan(linalg::eigvals(x)));
            EXPECT_TRUE(all_nan(linalg::cholesky(x)(3, 0)));
            if (!std::isnan(bad)) continue;  // 1 / infinity is a number
            EXPECT_TRUE(frit::any(isnan(linalg::inv(x))).item());
            EXPECT_TRUE(frit::any(isnan(linalg::solve(x, x(frit::all, 0)))).item());
            EXPECT_TRUE(frit::any(isnan(linalg::expm(x))).item());
        }
    });
}

// --- errors ---

TEST(Linalg, WhatHasNoResultIsAnErrorOfTheEvaluation) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const std::string inverse = on_gpu() ? "solve" : "inv";
    const array<double> negative{{1, 2}, {2, 1}}, singular{{1, 2}, {2, 4}};
    const auto factor = linalg::cholesky(negative);
    const std::string line = std::to_string(__LINE__ - 1);
    const std::string text = error_of([&] { (void)factor.to_vector(); });
    EXPECT_NE(text.find("cholesky: the matrix is not positive definite; shape (2, 2); float64, in cholesky"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("test_linalg.cpp:" + line), std::string::npos) << text;
    expect_error<frit::linalg_error>(inverse + ": the matrix is singular; shape (2, 2); float64, in ",
                                     [&] { (void)linalg::inv(singular).to_vector(); });
    expect_error<frit::linalg_error>("solve: the matrix is singular; shape (2, 2); float64, in ", [&] {
        linalg::solve(singular, array<double>{1, 2}).eval();
    });
    if (on_gpu()) return;  // cuBLAS divides by the 0
    expect_error<frit::linalg_error>(
        "solve_triangular: the matrix is singular: there is a 0 on its diagonal; shape (2, 2); float32, in ", [&] {
            linalg::solve_triangular(array<float>{{0, 0}, {1, 1}}, array<float>{1, 2}, linalg::lower).eval();
        });
}

TEST(Linalg, ErrorsNameTheFirstMatrixOfABatch) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const std::string inverse = on_gpu() ? "solve" : "inv";
    std::vector<array<float>> matrices(60, frit::eye<float>(3));
    matrices[17] = matrices[44] = frit::zeros<float>({3, 3});
    const array<float> a = stacked(matrices).reshape({3, 20, 3, 3});
    expect_error<frit::linalg_error>(
        inverse + ": matrix (0, 17) of the batch is singular; shape (3, 20, 3, 3); float32, in ",
        [&] { (void)linalg::inv(a).to_vector(); });
}

TEST(Linalg, AnErrorLeavesTheRestUnharmed) {
    if (on_gpu()) GTEST_SKIP() << "there it comes at the next synchronisation";
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const array<double> singular{{1, 2}, {2, 4}};
    const array<double> sums = singular + 1;
    const array<double> bad = linalg::inv(singular) * 2;
    EXPECT_THROW(frit::eval(sums, bad), frit::linalg_error);
    EXPECT_EQ(sums.to_vector(), (std::vector<double>{2, 3, 3, 5}));
    EXPECT_THROW(bad.eval(), frit::linalg_error) << "it is still a formula";
    EXPECT_EQ(singular.to_vector(), (std::vector<double>{1, 2, 2, 4}));
    EXPECT_EQ(linalg::det(singular).item(), 0);
}

TEST(Linalg, ShapesThatDoNotFitAreErrorsAtOnce) {
    const array<double> wide = frit::ones<double>({2, 3}), square = frit::ones<double>({2, 2});
    expect_error<frit::shape_error>("cholesky: takes square matrices, (..., n, n); shapes (2, 3) [",
                                    [&] { linalg::cholesky(wide); });
    expect_error<frit::shape_error>("inv: takes square matrices, (..., n, n); shapes (4,) [",
                                    [&] { linalg::inv(frit::ones<double>({4})); });
    expect_error<frit::shape_error>("svd: takes matrices, (..., m, n); shapes (4,) [",
                                    [&] { linalg::svd(frit::ones<double>({4})); });
    expect_error<frit::shape_error>(
        "solve: the right side has not as many rows as the matrices; it is (n,) or (..., n, k); "
        "shapes (2, 2), (3,) [",
        [&] { linalg::solve(square, frit::ones<double>({3})); });
    EXPECT_THROW(linalg::solve(frit::ones<double>({3, 2, 2}), frit::ones<double>({2, 2, 1})), frit::shape_error);
    EXPECT_THROW(linalg::cond(frit::ones<double>({0, 2})), frit::shape_error);
    expect_error<frit::dtype_error>("matrix_power: integers have no inverse", [] {
        linalg::matrix_power(frit::ones<int>({2, 2}), -1);
    });
}

TEST(Linalg, AMissingLibraryIsNamedWithItsPackage) {
    try {
        frit::detail::find_lapack({"libnot-there.so.0", "libnot-there.so"}, "svd");
        FAIL();
    } catch (const frit::device_error& e) {
        EXPECT_STREQ(e.what(),
                     "cpu: svd needs OpenBLAS, and there is none (libnot-there.so.0, libnot-there.so): install "
                     "libopenblas0-pthread (Debian, Ubuntu)");
    }
}

// --- formulas over factors ---

TEST(Linalg, FormulasOverFactorsShareOneCall) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    const array<double> a = random_plain<double>(6, 4, 30).lazy(), b = random_plain<double>(6, 1, 31).lazy().reshape({6});
    b.eval();
    EXPECT_EQ(planned(linalg::pinv(a)), (step_counts{1, 2})) << "svd; diag(1 / s) u^H; a product";
    EXPECT_EQ(planned(linalg::matrix_rank(a)), (step_counts{1, 1}));
    EXPECT_EQ(planned(linalg::cond(a)), (step_counts{1, 1}));
    // on a GPU the products with b are sums: u^H b is weighted in its kernel
    const bool sums = !frit::default_device().is_cpu();
    EXPECT_EQ(planned(std::get<0>(linalg::lstsq(a, b))), (sums ? step_counts{2, 1} : step_counts{1, 3}));
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
    EXPECT_DOUBLE_EQ(linalg::cond(on_diagonal(std::vector<double>{4, -2, 1})).item(), 4);
    EXPECT_EQ(linalg::cond(frit::zeros<double>({2, 2})).item(), std::numeric_limits<double>::infinity());
}

TEST(Linalg, MatrixPowers) {
    FRIT_SKIP_WITHOUT_LINALG(inv(x));
    const array<std::int64_t> fibonacci{{1, 1}, {1, 0}};
    EXPECT_EQ(linalg::matrix_power(fibonacci, 50)(0, 1).item(), 12586269025);
    EXPECT_EQ(linalg::matrix_power(fibonacci, 0).to_vector(), (std::vector<std::int64_t>{1, 0, 0, 1}));
    EXPECT_EQ(linalg::matrix_power(fibonacci, 1).to_vector(), fibonacci.to_vector());
    const array<double> half = frit::eye<double>(2) * 2;
    EXPECT_EQ(linalg::matrix_power(half, -3).to_vector(), (std::vector<double>{0.125, 0, 0, 0.125}));
    EXPECT_EQ(linalg::matrix_power(stacked(std::vector{half, half}), 5).shape(), (frit::shape{2, 2, 2}));
}

TEST(Linalg, MatrixExponentials) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const double pi = std::acos(-1.0);
    for (const double size : {1e-8, 0.3, 3.0, 40.0}) {
        const array<double> turn{{0, -size}, {size, 0}};
        const std::vector<double> e = linalg::expm(turn).to_vector();
        EXPECT_NEAR(e[0], std::cos(size), 1e-14 * std::max(1.0, size));
        EXPECT_NEAR(e[2], std::sin(size), 1e-14 * std::max(1.0, size));
    }
    const std::vector<double> decay = linalg::expm(on_diagonal(std::vector<double>{-1, 0, 2})).to_vector();
    EXPECT_NEAR(decay[0], std::exp(-1), 1e-15);
    EXPECT_NEAR(decay[8], std::exp(2), 2e-14);
    const std::complex<double> whole = linalg::expm(frit::full({1, 1}, std::complex<double>(0, pi))).item();
    EXPECT_NEAR(whole.real(), -1, 1e-15);
    const array<float> nilpotent{{0, 1, 2}, {0, 0, 3}, {0, 0, 0}};
    const std::vector<float> f = linalg::expm(nilpotent).to_vector();
    EXPECT_NEAR(f[2], 2 + 1.5, 2e-6);
    // each of a batch as it is alone, small ones beside large ones
    const array<double> small{{0, 1e-3}, {1e-3, 0}}, large{{0, 30}, {-30, 0}};
    const std::vector<double> both = linalg::expm(stacked(std::vector{small, large})).to_vector();
    const std::vector<double> one = linalg::expm(small).to_vector();
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(both[k], one[k]);
}

TEST(Linalg, ExponentialsOfLargeDecay) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    for (const double v : {-1e36, -1e40, -1e300}) EXPECT_EQ(linalg::expm(array<double>{{v}}).item(), 0) << v;
    for (const float v : {-1e24F, -1e38F}) EXPECT_EQ(linalg::expm(array<float>{{v}}).item(), 0) << v;
}

}  // namespace

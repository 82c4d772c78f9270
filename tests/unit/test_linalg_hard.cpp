// Linear algebra of matrices that are hard: ill-conditioned, graded, of rank 1, defective, very large and very small; with
// one row or one column or none; with NaN and infinities, which must come out, not hang, and leave other matrices alone. All
// functions, dtypes, layouts and batches.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "frit/frit.hpp"

#include "tests/support/linalg_tests.hpp"

namespace {

using namespace frit_test;
namespace linalg = frit::linalg;
using frit::array;

template <class T>
struct hard_matrix {
    std::string what;
    plain<T> a;
};

/// b(i, j) for every element, rounded to T.
template <class T, class F>
plain<T> made_of(std::int64_t m, std::int64_t n, F b) {
    plain<T> a(m, n);
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) a(i, j) = b(i, j);
    return plain<T>(a.lazy());
}

/// m x n matrices, on both sides of where a GPU's own kernels end.
template <class T>
std::vector<hard_matrix<T>> hard_matrices(std::int64_t m, std::int64_t n) {
    using wide = wide_of<T>;
    const plain<T> some = random_plain<T>(m, n, 5), column = random_plain<T>(m, 1, 6), row = random_plain<T>(1, n, 7);
    const auto two_to = [](std::int64_t k) { return std::ldexp(1.0L, static_cast<int>(k)); };
    const real<T> far = sizeof(real<T>) == 4 ? real<T>(1e12) : real<T>(1e120);
    return {{"Hilbert's", made_of<T>(m, n, [](auto i, auto j) { return wide(1.0L / static_cast<long double>(i + j + 1)); })},
            {"graded", made_of<T>(m, n, [&](auto i, auto j) { return some(i, j) * two_to(-(i + j) / 2); })},
            {"graded upwards", made_of<T>(m, n, [&](auto i, auto j) { return some(i, j) * two_to((i + j) / 2); })},
            {"of rank 1", made_of<T>(m, n, [&](auto i, auto j) { return column(i, 0) * row(0, j); })},
            {"one Jordan block", made_of<T>(m, n, [](auto i, auto j) { return wide(i == j || j == i + 1); })},
            {"zero", plain<T>(m, n)},
            {"large", made_of<T>(m, n, [&](auto i, auto j) { return some(i, j) * static_cast<long double>(far); })},
            {"small", made_of<T>(m, n, [&](auto i, auto j) { return some(i, j) / static_cast<long double>(far); })}};
}

/// Calls f with the array, and with the same matrix stored column after column.
template <class T, class F>
void in_both_layouts(const plain<T>& a, F f) {
    f(a.lazy());
    const array<T> turned = a.transposed().lazy();
    f(turned.T());
}

template <class T, class F>
void for_each_hard_matrix(const std::vector<std::pair<std::int64_t, std::int64_t>>& shapes, F f) {
    for (const auto& [m, n] : shapes)
        for (const hard_matrix<T>& h : hard_matrices<T>(m, n)) {
            SCOPED_TRACE(h.what + ", " + std::to_string(m) + " x " + std::to_string(n));
            f(h.a);
        }
}
const std::vector<std::pair<std::int64_t, std::int64_t>> squares{{1, 1}, {4, 4}, {11, 11}, {37, 37}};
const std::vector<std::pair<std::int64_t, std::int64_t>> shapes_of_all{{1, 1}, {4, 4}, {1, 9},   {9, 1},
                                                                       {3, 5}, {5, 3}, {37, 37}, {37, 11}};

TEST(LinalgHard, OrthogonalFactors) {
    FRIT_SKIP_WITHOUT_LINALG(qr(x));
    for_each_type([]<class T>(T) {
        for_each_hard_matrix<T>(shapes_of_all, [](const plain<T>& a) {
            in_both_layouts(a, [&](const auto& x) {
                for (const auto mode : {linalg::reduced, linalg::complete}) {
                    const auto [q, r] = linalg::qr(x, mode);
                    const plain<T> left(q), right(r);
                    expect_small(left * right - a, a, a.rows + a.columns, "q r");
                    expect_orthonormal_columns(left);
                }
            });
        });
    });
}

TEST(LinalgHard, LuFactors) {
    FRIT_SKIP_WITHOUT_LINALG(lu(x));
    for_each_type([]<class T>(T) {
        for_each_hard_matrix<T>(shapes_of_all, [](const plain<T>& a) {
            in_both_layouts(a, [&](const auto& x) {
                const auto [p, l, u] = linalg::lu(x);
                const plain<T> permutation(frit::cast<T>(p)), lower(l), upper(u);
                EXPECT_LE((permutation * lower * upper - a).norm(),
                          10 * static_cast<long double>(a.rows + a.columns) * epsilon<T>() * lower.norm() * upper.norm());
                EXPECT_EQ((permutation * permutation.adjoint() - identity<T>(a.rows)).norm(), 0);
                for (const wide_of<T>& factor : lower.at) EXPECT_LE(std::abs(factor), 1.5L) << "pivots are the largest";
            });
        });
    });
}

TEST(LinalgHard, SingularValues) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    for_each_type([]<class T>(T) {
        for_each_hard_matrix<T>(shapes_of_all, [](const plain<T>& a) {
            in_both_layouts(a, [&](const auto& x) {
                const auto [u, s, vh] = linalg::svd(x);
                frit::eval(u, s, vh);
                const plain<T> left(u), right(vh), middle = diagonal<T>(s.to_vector(), a.rows, a.columns);
                expect_small(left * middle * right - a, a, a.rows + a.columns, "u s vh");
                expect_orthonormal_columns(left);
                expect_orthonormal_columns(right.adjoint());
            });
        });
    });
}

TEST(LinalgHard, HermitianEigenvalues) {
    FRIT_SKIP_WITHOUT_LINALG(eigh(x));
    for_each_type([]<class T>(T) {
        for_each_hard_matrix<T>(squares, [](const plain<T>& half) {
            const plain<T> a((half + half.adjoint()).lazy());
            in_both_layouts(a, [&](const auto& x) {
                const auto [w, v] = linalg::eigh(x);
                frit::eval(w, v);
                const plain<T> vectors(v), values = diagonal<T>(w.to_vector(), a.rows, a.rows);
                expect_small(vectors * values * vectors.adjoint() - a, a, a.rows, "v w v^H");
                expect_orthonormal_columns(vectors);
            });
        });
    });
}

TEST(LinalgHard, EigenvaluesOfAnyMatrix) {
    FRIT_SKIP_WITHOUT_LINALG(eig(x));
    for_each_type([]<class T>(T) {
        using C = std::complex<real<T>>;
        for_each_hard_matrix<T>(squares, [](const plain<T>& a) {
            in_both_layouts(a, [&](const auto& x) {
                const auto [w, v] = linalg::eig(x);
                frit::eval(w, v);
                const plain<C> matrix(frit::cast<C>(a.lazy())), vectors(v),
                    values = diagonal<C>(w.to_vector(), a.rows, a.rows);
                expect_small(matrix * vectors - vectors * values, matrix, a.rows, "a v - v w");
            });
        });
    });
}

// LAPACK finds the values of a matrix of this size in another order where it is asked for no vectors.
TEST(LinalgHard, EigenvaluesThatAreReadBeforeTheirVectorsAreInTheirOrder) {
    FRIT_SKIP_WITHOUT_LINALG(eig(x));
    for_each_type([]<class T>(T) {
        using C = std::complex<real<T>>;
        const array<T> a = random_plain<T>(150, 150, 7).lazy();
        const auto [w, v] = linalg::eig(a);
        w.eval();
        v.eval();
        EXPECT_LE(max(abs(matmul(frit::cast<C>(a), v) - v * w)).item(), 1000 * epsilon<T>());
    });
}

TEST(LinalgHard, EquationsAndFactorsOfPositiveDefiniteMatrices) {
    FRIT_SKIP_WITHOUT_LINALG(cholesky(x));
    for_each_type([]<class T>(T) {
        for (const std::int64_t n : {1, 4, 11, 37}) {
            const plain<T> of = positive_definite<T>(n, 8), b = random_plain<T>(n, 2, 9);
            // graded from both sides, as D a D: 2^-60 at the end, where the whole is far from a multiple of the identity
            const auto scale = [&](std::int64_t k) {
                return std::ldexp(1.0L, static_cast<int>(-30 * k / std::max<std::int64_t>(n - 1, 1)));
            };
            const plain<T> a = made_of<T>(n, n, [&](auto i, auto j) { return of(i, j) * scale(i) * scale(j); });
            in_both_layouts(a, [&](const auto& x) {
                const plain<T> l(linalg::cholesky(x));
                expect_small(l * l.adjoint() - a, a, n, "L L^H");
                expect_backward_stable(a, plain<T>(linalg::solve(x, b.lazy())), b);
                expect_backward_stable(a, plain<T>(linalg::solve(x, b.lazy(), linalg::positive_definite)), b);
                const auto [factor, status] = linalg::cholesky_ex(x);
                EXPECT_EQ(factor.to_vector(), linalg::cholesky(x).to_vector());
                EXPECT_EQ(status.item(), 0);
            });
        }
    });
}

TEST(LinalgHard, InversesAndDeterminantsOfGradedMatrices) {
    FRIT_SKIP_WITHOUT_LINALG(inv(x));
    for_each_type([]<class T>(T) {
        for (const std::int64_t n : {1, 4, 11, 37}) {
            const plain<T> some = random_plain<T>(n, n, 10);
            // unit triangular, but for rows of 2^0 to 2^-20: its determinant is known, and its inverse is graded the other
            // way
            const auto row_scale = [&](std::int64_t i) { return -20 * i / std::max<std::int64_t>(n - 1, 1); };
            const plain<T> a = made_of<T>(n, n, [&](auto i, auto j) {
                const wide_of<T> x = i == j  ? wide_of<T>(1)
                                     : i > j ? some(i, j) / wide_of<T>(static_cast<long double>(n))
                                             : wide_of<T>(0);
                return x * wide_of<T>(std::ldexp(1.0L, static_cast<int>(row_scale(i))));
            });
            long double exponent = 0;
            for (std::int64_t i = 0; i < n; ++i) exponent += static_cast<long double>(row_scale(i));
            in_both_layouts(a, [&](const auto& x) {
                const plain<T> inverse(linalg::inv(x));
                EXPECT_LE((a * inverse - identity<T>(n)).norm(),
                          30 * static_cast<long double>(n) * epsilon<T>() * a.norm() * inverse.norm());
                const auto [sign, logarithm] = linalg::slogdet(x);
                EXPECT_NEAR(std::abs(sign.item() - T(1)), 0, 10 * static_cast<double>(n) * epsilon<T>());
                EXPECT_NEAR(static_cast<double>(logarithm.item()), static_cast<double>(exponent * std::log(2.0L)),
                            10 * static_cast<double>(n) * epsilon<T>() * (1 + std::abs(static_cast<double>(exponent))));
                const plain<T> b = random_plain<T>(n, 3, 11);
                expect_backward_stable(a, plain<T>(linalg::solve_triangular(x, b.lazy(), linalg::lower)), b);
            });
        }
    });
}

TEST(LinalgHard, LeastSquaresOfGradedColumns) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    for_each_type([]<class T>(T) {
        for (const auto& extents : {std::pair<std::int64_t, std::int64_t>{9, 5}, {40, 11}, {5, 9}}) {
            const std::int64_t m = extents.first, n = extents.second;
            const plain<T> some = random_plain<T>(m, n, 12), b = random_plain<T>(m, 2, 13);
            const plain<T> a = made_of<T>(
                m, n, [&](auto i, auto j) { return some(i, j) * wide_of<T>(std::ldexp(1.0L, static_cast<int>(-j))); });
            in_both_layouts(a, [&](const auto& matrix) {
                const auto [x, residuals, rank, values] = linalg::lstsq(matrix, b.lazy());
                const plain<T> solution(x), rest = b - a * solution;
                EXPECT_LE((a.adjoint() * rest).norm(), 300 * static_cast<long double>(m + n) * epsilon<T>() * condition(a) *
                                                           a.norm() * (b.norm() + a.norm() * solution.norm()));
                EXPECT_EQ(rank.item(), std::min(m, n));
            });
        }
    });
}

TEST(LinalgHard, EveryMatrixOfABatchIsAsItIsAlone) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    for_each_type([]<class T>(T) {
        for (const std::int64_t n : {4, 11}) {
            std::vector<array<T>> each;
            for (const hard_matrix<T>& h : hard_matrices<T>(n, n)) each.push_back(h.a.lazy());
            const array<T> all = stacked(each);
            const auto check = [&](const char* what, auto f) {
                const auto of_all = f(all).to_vector();
                const std::size_t size = of_all.size() / each.size();
                for (std::size_t k = 0; k < each.size(); ++k) {
                    const auto one = f(each[k]).to_vector();
                    const auto from = of_all.begin() + static_cast<std::ptrdiff_t>(k * size);
                    EXPECT_EQ(one, decltype(one)(from, from + static_cast<std::ptrdiff_t>(size)))
                        << what << " of matrix " << k;
                }
            };
            check("q", [](const auto& x) { return std::get<0>(linalg::qr(x)); });
            check("r", [](const auto& x) { return std::get<1>(linalg::qr(x, linalg::complete)); });
            check("p", [](const auto& x) { return std::get<0>(linalg::lu(x)); });
            check("l", [](const auto& x) { return std::get<1>(linalg::lu(x)); });
            check("vh", [](const auto& x) { return std::get<2>(linalg::svd(x)); });
            check("svdvals", [](const auto& x) { return linalg::svdvals(x); });
            check("eigvalsh", [](const auto& x) { return linalg::eigvalsh(x); });
            if (!has_eig()) continue;
            check("eigvals", [](const auto& x) { return linalg::eigvals(x); });
            check("eig's v", [](const auto& x) { return std::get<1>(linalg::eig(x)); });
        }
    });
}

TEST(LinalgHard, WithoutRowsOrColumns) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    for_each_type([]<class T>(T) {
        for (const bool batch : {false, true})
            for (const auto& [m, n] : {std::pair<std::int64_t, std::int64_t>{0, 0}, {0, 3}, {3, 0}}) {
                const auto with_batch = [&](std::int64_t rows, std::int64_t columns) {
                    return batch ? frit::shape{2, rows, columns} : frit::shape{rows, columns};
                };
                const array<T> a = frit::zeros<T>(with_batch(m, n));
                const auto identity_of = [&](std::int64_t k) {
                    return frit::broadcast_to(frit::eye<T>(k), with_batch(k, k)).to_vector();
                };
                const auto [q, r] = linalg::qr(a);
                EXPECT_EQ(q.eval().shape(), with_batch(m, 0));
                EXPECT_EQ(r.eval().shape(), with_batch(0, n));
                const auto [p, l, upper] = linalg::lu(a);
                EXPECT_EQ(frit::cast<T>(p).to_vector(), identity_of(m));
                EXPECT_EQ(l.eval().shape(), with_batch(m, 0));
                EXPECT_EQ(upper.eval().shape(), with_batch(0, n));
                const auto [u, s, vh] = linalg::svd(a);
                EXPECT_EQ(u.to_vector(), identity_of(m));
                EXPECT_EQ(vh.to_vector(), identity_of(n));
                EXPECT_EQ(s.eval().size(), 0);
                EXPECT_EQ(std::get<0>(linalg::svd(a, false)).eval().shape(), with_batch(m, 0));
                EXPECT_EQ(linalg::pinv(a).eval().shape(), with_batch(n, m));
                if (m != n) continue;
                const auto [factor, status] = linalg::cholesky_ex(a);
                EXPECT_EQ(factor.eval().size(), 0);
                EXPECT_EQ(frit::sum(status).item(), 0);
                EXPECT_EQ(frit::sum(abs(linalg::det(a))).item(), batch ? 2 : 1);
                EXPECT_EQ(std::get<1>(linalg::eigh(a)).eval().shape(), with_batch(0, 0));
                if (has_eig()) {
                    EXPECT_EQ(std::get<1>(linalg::eig(a)).eval().shape(), with_batch(0, 0));
                }
            }
    });
}

// --- NaN and infinities ---

/// Ends the program where what it watches takes minutes: an iteration that does not end would otherwise stop all tests.
class ends_in_minutes {
public:
    explicit ends_in_minutes(const char* what)
        : watch_([this, what] {
              std::unique_lock guard(lock_);
              if (done_.wait_for(guard, std::chrono::minutes(5), [this] { return is_done_; })) return;
              std::fprintf(stderr, "%s: it does not end\n", what);
              std::_Exit(1);
          }) {}
    ~ends_in_minutes() {
        {
            const std::scoped_lock guard(lock_);
            is_done_ = true;
        }
        done_.notify_one();
        watch_.join();
    }

private:
    std::mutex lock_;
    std::condition_variable done_;
    bool is_done_ = false;
    std::thread watch_;
};

/// A good matrix, one with a bad element in both triangles, the good one again.
template <class T>
array<T> with_one_bad(std::int64_t n, real<T> bad) {
    const plain<T> good = positive_definite<T>(n, 17);
    plain<T> a = good;
    a(n - 1, n / 2) = a(n / 2, n - 1) = bad;
    return stacked(std::vector<array<T>>{good.lazy(), a.lazy(), good.lazy()});
}

/// Of a result of such a batch: the middle one is all NaN, those around it are numbers, and the same.
template <class A>
void expect_bad_middle(const char* what, const A& x) {
    const auto all = x.to_vector();
    const std::size_t each = all.size() / 3;
    const auto is_number = [](const auto& v) { return std::isfinite(std::real(v)) && std::isfinite(std::imag(v)); };
    for (std::size_t k = 0; k < each; ++k) {
        EXPECT_TRUE(std::isnan(std::real(all[each + k]))) << what << ", element " << k << " is " << all[each + k];
        EXPECT_TRUE(is_number(all[k])) << what << ", element " << k;
        EXPECT_EQ(all[k], all[2 * each + k]) << what << ", element " << k;
    }
}

TEST(LinalgHard, NaNAndInfinityPropagate) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    const ends_in_minutes watched("NaN and infinities");
    for_each_type([]<class T>(T) {
        constexpr real<T> nan = std::numeric_limits<real<T>>::quiet_NaN(),
                          infinite = std::numeric_limits<real<T>>::infinity();
        for (const real<T> bad : {nan, infinite, -infinite})
            for (const std::int64_t n : {1, 4, 9, 40}) {
                SCOPED_TRACE(std::to_string(n) + " rows and " + std::to_string(bad));
                const array<T> x = with_one_bad<T>(n, bad);
                expect_bad_middle("svdvals", linalg::svdvals(x));
                expect_bad_middle("svd's u", std::get<0>(linalg::svd(x)));
                expect_bad_middle("svd's vh", std::get<2>(linalg::svd(x, false)));
                expect_bad_middle("eigvalsh", linalg::eigvalsh(x));
                expect_bad_middle("eigh's v", std::get<1>(linalg::eigh(x)));
                if (has_eig()) {
                    expect_bad_middle("eigvals", linalg::eigvals(x));
                    expect_bad_middle("eig's v", std::get<1>(linalg::eig(x)));
                }
                expect_bad_middle("cholesky", linalg::cholesky(x)(frit::all, n - 1, frit::all));
                const auto [l, status] = linalg::cholesky_ex(x);
                expect_bad_middle("cholesky_ex", l(frit::all, n - 1, frit::all));
                EXPECT_EQ(status.to_vector(), (std::vector<std::int64_t>{0, 0, 0}));
            }
    });
}

// Elimination would find a pivot of 0, whatever the device: what is not finite is not called singular.
TEST(LinalgHard, InfinityIsNotSingular) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    for (const std::int64_t n : {2, 40}) {
        array<double> a = frit::zeros<double>({n, n}).eval();
        a(0, 0) = std::numeric_limits<double>::infinity();
        const auto [x, status] = linalg::solve_ex(a, frit::ones<double>({n}));
        EXPECT_EQ(status.item(), 0);
        const array<double> solution = linalg::solve(a, frit::ones<double>({n})), inverse = linalg::inv(a);
        for (const array<double>& nothing : {x, solution, inverse})
            for (const double v : nothing.to_vector()) EXPECT_TRUE(std::isnan(v)) << n;
    }
}

TEST(LinalgHard, NaNEndsEliminations) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const ends_in_minutes watched("eliminations with NaN and infinities");
    for_each_type([]<class T>(T) {
        constexpr real<T> nan = std::numeric_limits<real<T>>::quiet_NaN(),
                          infinite = std::numeric_limits<real<T>>::infinity();
        for (const real<T> bad : {nan, infinite})
            for (const std::int64_t n : {1, 4, 9, 40}) {
                SCOPED_TRACE(std::to_string(n) + " rows and " + std::to_string(bad));
                const array<T> x = with_one_bad<T>(n, bad), b = frit::ones<T>({3, n, 1});
                const auto has_nan = [](const auto& y) { return frit::any(isnan(y(1))).item(); };
                const auto [q, r] = linalg::qr(x);
                EXPECT_TRUE(std::isinf(bad) || has_nan(q) || has_nan(r));
                const auto [p, l, u] = linalg::lu(x);
                EXPECT_TRUE(std::isinf(bad) || has_nan(l) || has_nan(u));
                const auto det = linalg::det(x).to_vector();
                EXPECT_TRUE(std::isinf(bad) || std::isnan(std::real(det[1])));
                const auto [unchecked, status] = linalg::solve_ex(x, b);
                expect_bad_middle("solve", linalg::solve(x, b));
                expect_bad_middle("solve for a vector", linalg::solve(x, frit::ones<T>({n})));
                expect_bad_middle("solve_ex", unchecked);
                expect_bad_middle("inv", linalg::inv(x));
                EXPECT_EQ(status.to_vector(), (std::vector<std::int64_t>{0, 0, 0}));
            }
    });
}

}  // namespace

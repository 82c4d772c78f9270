// Normal vectors: their mean and covariance, that they are the Cholesky factor's image of the numbers that normal draws, and
// what is refused. Apart from the other distributions (test_random.cpp), since these need LAPACK.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {

using frit::any_array;
using frit::array;
using frit::dtype;
using frit::random::generator;
using frit_test::everywhere;

/// Empty where matrices can be factored, else the library's own words on what is missing.
std::string missing_lapack() try {
    (void)frit::linalg::cholesky(frit::eye<double>(2)).eval();
    return {};
} catch (const frit::device_error& e) {
    return e.what();
}

TEST(MultivariateNormal, HasItsMeanAndCovariance) {
    if (const std::string missing = missing_lapack(); !missing.empty()) GTEST_SKIP() << missing;
    const array<double> mean{1, -2, 0.5}, cov{{4, 1, -1}, {1, 2, 0.5}, {-1, 0.5, 1}};
    const auto largest = [](const auto& x) { return max(abs(x)).item(); };
    everywhere([&](const std::string&) {
        generator g(11), same(11);
        const array<double> x = g.multivariate_normal(mean, cov, {200'000});
        EXPECT_EQ(x.shape(), (frit::shape{200'000, 3}));
        // Four standard errors: the variance of a mean is v / n, of a covariance at most (v_i v_j + c^2) / n.
        EXPECT_LT(largest(frit::mean(x, 0) - mean), 4 * std::sqrt(4 / 200'000.0));
        EXPECT_LT(largest(frit::cov(x.T()) - cov), 4 * std::sqrt(32 / 200'000.0));
        // It is the factor's image of the numbers that normal draws, and one draw.
        const array<double> z = same.normal<double>({200'000, 3});
        EXPECT_LT(largest(matmul(z, frit::linalg::cholesky(cov).T()) + mean - x), 1e-13);
        EXPECT_EQ(g, same);

        const array<double> few = generator(11).multivariate_normal(mean, cov, {2, 5}),
                            one = generator(11).multivariate_normal(mean, cov);
        EXPECT_EQ(few.shape(), (frit::shape{2, 5, 3}));
        EXPECT_LT(largest(few.reshape({10, 3}) - x(frit::slice(0, 10))), 1e-13) << "numbers do not depend on the shape";
        EXPECT_EQ(one.shape(), (frit::shape{3}));
        EXPECT_LT(largest(one - x(0)), 1e-13);
        EXPECT_EQ(generator(1).multivariate_normal(mean, cov, {0}).shape(), (frit::shape{0, 3}));
    });
}

TEST(MultivariateNormal, DtypesAndErrors) {
    if (const std::string missing = missing_lapack(); !missing.empty()) GTEST_SKIP() << missing;
    generator g(11);
    const array<double> mean{1, -2};
    const array<float> cov{{4, 1}, {1, 2}};
    EXPECT_EQ(g.multivariate_normal(mean, cov, {3}).dtype(), dtype::f64);
    EXPECT_EQ(g.multivariate_normal(array<int>{1, 2}, array<int>{{4, 1}, {1, 2}}, {3}).dtype(), dtype::f64);
    const array<float> typed = generator(5).multivariate_normal(cov(0), cov, {3});
    EXPECT_EQ(any_array(generator(5).multivariate_normal(any_array(cov(0)), any_array(cov), {3})).as<float>().to_vector(),
              typed.to_vector());
    const array<frit::half> little =
        generator(5).multivariate_normal(frit::cast<frit::half>(cov(0)), frit::cast<frit::half>(cov), {3});
    EXPECT_LT(max(abs(frit::cast<float>(little) - typed)).item(), 0.01F);

    const generator before = g;
    EXPECT_ERROR((void)g.multivariate_normal(mean, array<float>{{4, 1, 0}, {1, 2, 0}}), frit::shape_error,
                 "multivariate_normal", "(2,)", "(2, 3)", "test_multivariate_normal.cpp");
    EXPECT_ERROR((void)g.multivariate_normal(cov, cov), frit::shape_error, "multivariate_normal", "(2, 2)",
                 "test_multivariate_normal.cpp");
    EXPECT_ERROR((void)g.multivariate_normal(mean, frit::cast<std::complex<float>>(cov)), frit::dtype_error,
                 "multivariate_normal", "complex64", "test_multivariate_normal.cpp");
    EXPECT_EQ(g, before) << "no error is a draw";
    EXPECT_ERROR((void)g.multivariate_normal(mean, 0 - cov, {3}).to_vector(), frit::linalg_error, "cholesky",
                 "test_multivariate_normal.cpp");
}

}  // namespace

// Patches and back; components that are orthogonal and uncorrelated, whose variances add up; and that what a few of them
// leave of the picture is what theory says: the sum of the variances of the others (C. Eckart, G. Young, 1936).
#include <cmath>

#include "check.hpp"
#include "pca.hpp"

namespace {

double largest(const matrix& x) { return frit::max(frit::abs(x)).item(); }

/// Waves and noise, (48, 80, 3).
matrix test_picture() {
    const matrix x = frit::arange(80.0).reshape({1, 80, 1}), y = frit::arange(48.0).reshape({48, 1, 1});
    const matrix waves = sin(0.3 * x + 0.1 * y) + 0.5 * cos(0.7 * y) * matrix{1.0, 0.5, -1.0};
    return waves + 0.1 * frit::random::generator(1).normal<double>({48, 80, 3});
}

void run() {
    constexpr std::int64_t side = 4, across = 20;
    const matrix picture = test_picture().eval(), patches = patches_of(picture, side).eval();
    check(patches.shape() == frit::shape{240, 48}, "numbers in a patch", static_cast<double>(patches.shape()[1]));
    check(array_equal(picture_of(patches, side, across), picture), "pixels of the picture, patched and put together",
          static_cast<double>(picture.size()));
    check(array_equal(patches(23).reshape({4, 4, 3}), picture(frit::slice(4, 8), frit::slice(12, 16))),
          "the fourth patch of the second row", patches(23, 0).item());

    const components c = principal_components(patches);
    frit::eval(c.mean, c.vectors, c.variance);
    const matrix products = matmul(c.vectors, c.vectors.T());
    check(largest(products - frit::eye<double>(48)) < 1e-12, "components' products, minus the identity",
          largest(products - frit::eye<double>(48)));
    check(min(c.variance(frit::slice(0, -1)) - c.variance(frit::slice(1, frit::none))).item() >= 0, "variances fall, from",
          c.variance(0).item());
    const double total = sum(var(patches, 0)).item();
    check(std::abs(sum(c.variance).item() / total - 1) < 1e-12, "their sum over that of the pixels",
          sum(c.variance).item() / total);

    const matrix scores = matmul(patches - c.mean, c.vectors.T());
    const matrix covariance = matmul(scores.T(), scores) / 240 - c.variance(frit::newaxis) * frit::eye<double>(48);
    check(largest(covariance) < 1e-12, "covariance between components", largest(covariance));

    for (const std::int64_t n : {1, 4, 16, 48}) {
        const double error = sum(square(rebuilt(patches, c, n) - patches)).item() / 240;
        const double others = n == 48 ? 0 : sum(c.variance(frit::slice(n, frit::none))).item();
        check(std::abs(error - others) < 1e-12 * total,
              "squared error of a patch from so many components, minus the other variances", error - others);
    }
    check(sum(c.variance(frit::slice(0, 4))).item() > 0.8 * total, "share of the variance in four of 48 components",
          sum(c.variance(frit::slice(0, 4))).item() / total);
}

}  // namespace

int main() { return run_checks(run); }

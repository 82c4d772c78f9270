// What diff, gradient, cov and corrcoef take besides their operand: ends, orders, several axes, weights, columns. The values
// are NumPy's; test_numerics.cpp has what they give without.
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::all;
using frit::any_array;
using frit::array;
using frit::aweights;
using frit::ddof;
using frit::dtype;
using frit::fweights;
using frit::none;
using frit::rowvar;
using frit::shape;
using frit::slice;
using reals = std::vector<double>;

void expect(const frit::operand auto& x, const shape& s, const reals& values) {
    EXPECT_EQ(x.shape(), s);
    const reals got = frit::cast<double>(x).to_vector();
    ASSERT_EQ(got.size(), values.size());
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], values[k], 1e-12 * (1 + std::abs(values[k]))) << k;
}

array<double> samples() { return array<double>{{1, 2, 4, 7}, {3, 1, 4, 1}}; }
array<double> field() { return array<double>{{1, 2, 4, 7}, {3, 1, 4, 1}, {0, 2, 8, 5}}; }
/// A stored vector.
array<double> ramp() { return sin(frit::arange(1000.0)).eval(); }

TEST(Diff, OfMoreElementsThanItsOwn) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x = samples(), below{{1, 2, 3, 4}, {9, 9, 9, 9}};
        expect(diff(x, 1, -1, 0), {2, 4}, {1, 1, 2, 3, 3, -2, 3, -3});
        expect(diff(x, 2, 0, 5, below), {3, 4}, {6, 2, 1, -8, -4, 2, -1, 9, 10, 6, 7, 2});
        expect(diff(x, 1, 1, none, array<int>{{1}, {2}}), {2, 4}, {1, 2, 3, -6, -2, 3, -3, 1});
        expect(diff(x, 1, 1, frit::scalar(0.0F)), {2, 4}, {1, 1, 2, 3, 3, -2, 3, -3});
        expect(diff(x, 0, 1, 1), {2, 4}, x.to_vector());
    });
}

TEST(Diff, DtypesAndBordersOfEnds) {
    EXPECT_EQ(diff(array<bool>{true, false, true}, 1, 0, false).to_vector(), (std::vector<bool>{true, true, true}));
    EXPECT_EQ(diff(frit::zeros<int>({0}), 1, 0, 3, 5).to_vector(), std::vector<int>{2});
    EXPECT_EQ(diff(frit::zeros<int>({0}), 1, 0, 3).shape(), shape{0});
    EXPECT_EQ(diff(array<std::int8_t>{1, 2}, 1, 0, 0).dtype(), dtype::i8);
    EXPECT_EQ(diff(array<std::int8_t>{1, 2}, 1, 0, array<float>{0}).dtype(), dtype::f32);
    EXPECT_EQ(diff(array<bool>{true}, 1, 0, none, array<int>{5}).to_vector(), std::vector<int>{4});
    EXPECT_EQ(diff(array<int>{1}, 1, 0, 0.5).item(), 0.5);  // numbers are weak, as beside an operator
    EXPECT_EQ(diff(any_array(array<int>{1}), 1, 0, none, 0.5).dtype(), dtype::f64);
    EXPECT_EQ(diff(any_array(array<bool>{true}), 1, 0, 7).dtype(), dtype::i64);
    const any_array halves = diff(any_array(array<frit::half>{1, 2}), 1, 0, 0.5);
    EXPECT_EQ(halves.dtype(), dtype::f16);
    expect(halves, {2}, {0.5, 1});
    EXPECT_EQ(diff(any_array(array<int>{1, 2}), 0, 0, array<double>{0.5}).dtype(), dtype::f64);
    const array<std::complex<float>> z{std::complex(1.0F, 2.0F)};
    EXPECT_EQ(diff(z, 1, 0, 1).item(), std::complex<float>(0, 2));
    EXPECT_KERNELS(1, array<double>(diff(ramp() * 2, 1, 0, 0, 1) + 1));
    const array<double> x = samples();
    EXPECT_ERROR((void)diff(x, 1, 1, array<double>{1, 2}), frit::shape_error, "diff", "not 1", "(2,), (2, 4)",
                 "test_series_options.cpp");
    EXPECT_ERROR((void)diff(x, 1, 0, none, x.T()), frit::shape_error, "diff", "(4, 2), (2, 4)");
    EXPECT_ERROR((void)diff(x, 1, 2, 0), frit::index_error, "diff", "axis 2");
    EXPECT_ERROR((void)diff(array<std::int8_t>{1}, 1, 0, 1000), frit::dtype_error, "1000", "int8",
                 "test_series_options.cpp");
}

TEST(Gradient, OfTheSecondOrderAtTheEnds) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> y{1, 2, 4, 8, 15}, at{0, 1, 2.5, 4, 5};
        expect(gradient(y, 1, 0, 2), {5}, {0.5, 1.5, 3, 5.5, 8.5});
        expect(gradient(y, 0.5, -1, 2), {5}, {1, 3, 6, 11, 17});
        expect(gradient(y, at, 0, 2), {5},
               {0.8666666666666669, 1.1333333333333333, 2, 5.266666666666667, 8.733333333333333});
        const array<double> x = frit::arange(20.0) * frit::arange(20.0);  // exact of a parabola
        EXPECT_LT(max(abs(gradient(x, 1, 0, 2) - 2 * frit::arange(20.0))).item(), 1e-12);
        const array<double> places = sort(sin(frit::arange(20.0))).eval();
        EXPECT_LT(max(abs(gradient(3 * places * places, places, 0, 2) - 6 * places)).item(), 1e-10);
    });
    EXPECT_EQ(gradient(array<int>{1, 5, 4}, 1, 0, 2).to_vector(), (reals{6.5, 1.5, -3.5}));
    EXPECT_EQ(gradient(any_array(array<frit::half>{1, 5, 4}), 1, 0, 2).dtype(), dtype::f16);
    EXPECT_KERNELS(1, array<double>(gradient(ramp() * 2, 1, 0, 2) + 1));
    EXPECT_KERNELS(1, array<double>(gradient(ramp() * 2, ramp(), 0, 2)));
    EXPECT_ERROR((void)gradient(array<double>{1, 2}, 1, 0, 2), frit::shape_error, "gradient", "fewer than three", "(2,)",
                 "test_series_options.cpp");
    EXPECT_ERROR((void)gradient(ramp(), 1, 0, 3), frit::index_error, "gradient", "not 3");
}

TEST(Gradient, AlongSeveralAxes) {
    const reals down{2, -1, 0, -6, -0.5, 0, 2, -1, -3, 1, 4, 4}, right{1, 1.5, 2.5, 3, -2, 0.5, 0, -3, 2, 4, 1.5, -3};
    const auto both = gradient(field(), {1});
    ASSERT_EQ(both.size(), 2U);
    expect(both[0], {3, 4}, down);
    expect(both[1], {3, 4}, right);
    const auto turned = gradient(field(), {2}, {1, 0});
    expect(2 * turned[0], {3, 4}, right);
    expect(2 * turned[1], {3, 4}, down);
    const auto mixed = gradient(any_array(field()), {array<int>{0, 2, 3}, 0.5}, {0, 1}, 2);
    expect(mixed[0], {3, 4},
           {3.6666666666666665, -1.5, -2.6666666666666665, -7.666666666666667, -1.6666666666666667, 0.5, 2.6666666666666665,
            1.6666666666666665, -4.333333333333333, 1.5, 5.333333333333333, 6.333333333333332});
    expect(mixed[1], {3, 4}, {1, 3, 5, 7, -9, 1, 0, -12, 0, 8, 3, -15});
    EXPECT_EQ(gradient(frit::scalar(1.0), {1}).size(), 0U);
    const array<double> x = ramp().reshape({20, 50}).eval();
    const auto slopes = gradient(x * 2, {1});
    EXPECT_KERNELS(1, array<double>(slopes[0] * slopes[0] + slopes[1] * slopes[1]));
    EXPECT_ERROR((void)gradient(x, {1, 2, 3}), frit::shape_error, "gradient", "3 distances for 2 axes", "(20, 50)",
                 "test_series_options.cpp");
    EXPECT_ERROR((void)gradient(x, {1}, {0, 2}), frit::index_error, "gradient", "axis 2");
}

TEST(Covariance, OfColumns) {
    const array<double> x = samples();
    expect(cov(x, rowvar(false)), {4, 4}, {2, -1, 0, -6, -1, 0.5, 0, 3, 0, 0, 0, 0, -6, 3, 0, 18});
    EXPECT_TRUE(array_equal(cov(x, flip(x, 0), rowvar(false)), cov(x.T(), flip(x, 0).T())));
    expect(cov(x(0), rowvar(false)), {}, {7});
    const double r = -0.29397236789606557;
    expect(corrcoef(x.T(), rowvar(false)), {2, 2}, {1, r, r, 1});
    expect(corrcoef(x(0), x(1), rowvar(false)), {2, 2}, {1, r, r, 1});
    EXPECT_EQ(corrcoef(any_array(x), rowvar(false)).shape(), (shape{4, 4}));
}

TEST(Covariance, OfWeightedObservations) {
    const array<double> x = samples();
    const array<int> times{1, 2, 0, 3};
    const array<float> much{0.5F, 1, 2, 0.25F};
    expect(cov(x, fweights(times)), {2, 2}, {8.666666666666666, -4.0 / 3, -4.0 / 3, 2.0 / 3});
    expect(cov(x, aweights(much)), {2, 2}, {3.742857142857143, 0.9142857142857144, 0.9142857142857144, 2.9714285714285715});
    expect(cov(x, aweights(much), fweights(times)), {2, 2}, {6.4, -0.8, -0.8, 0.676923076923077});
    expect(cov(x, fweights(times), aweights(much), ddof(0)), {2, 2},
           {4.923076923076923, -0.6153846153846154, -0.6153846153846154, 0.5207100591715976});
    expect(cov(x, ddof(2), fweights(times)), {2, 2}, {10.833333333333332, -5.0 / 3, -5.0 / 3, 2.5 / 3});
    expect(cov(x(0), x(1), aweights(much), ddof(2)), {2, 2},
           {9.527272727272727, 2.3272727272727276, 2.3272727272727276, 7.563636363636365});
    expect(cov(repeat(x, times, 1)), {2, 2}, cov(x, fweights(times)).to_vector());
    EXPECT_TRUE(allclose(cov(x, flip(x, 1), rowvar(false), fweights(array<int>{2, 1})),
                         cov(x.T(), flip(x, 1).T(), fweights(array<int>{2, 1}))));
    using c = std::complex<double>;
    const array<c> z{{c(1, 2), c(0, -3), c(0.5), c(2)}, {c(1), c(0, 1), c(2), c(3, -1)}};
    const array<c> got = cov(z, fweights(times), aweights(much));
    EXPECT_LT(abs(got - array<c>{{c(5.830769230769231), c(-0.3076923076923075, 3)},
                                 {c(-0.3076923076923077, -3), c(2.8769230769230774)}})
                  .to_vector()[1],
              1e-12);
    const reals nothing_left = cov(x, fweights(array<int>{1, 0, 0, 0})).to_vector();
    for (const double v : nothing_left) EXPECT_TRUE(std::isnan(v));
}

TEST(Covariance, MistakesAboutWeights) {
    const array<double> x = samples();
    EXPECT_ERROR((void)cov(x, fweights(array<int>{1, 2})), frit::shape_error, "cov", "fweights", "(2,), (2, 4)",
                 "test_series_options.cpp");
    EXPECT_ERROR((void)cov(x, aweights(x)), frit::shape_error, "cov", "aweights", "(2, 4), (2, 4)");
    EXPECT_ERROR((void)cov(x, fweights(x(0))), frit::dtype_error, "cov", "fweights", "float64", "test_series_options.cpp");
    EXPECT_ERROR((void)cov(x, aweights(frit::cast<std::complex<double>>(x(0)))), frit::dtype_error, "cov", "complex128");
}

}  // namespace

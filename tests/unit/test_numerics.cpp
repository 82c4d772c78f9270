// Series, statistics of samples and products: values as NumPy prints them, dtypes, borders, errors, and counts of kernels.
// (Plain cases are rows of docs/coming-from.md too.)
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/support/kernels.hpp"

namespace {
using frit::all;
using frit::any_array;
using frit::array;
using frit::ddof;
using frit::dtype;
using frit::keepdims;
using frit::shape;
using frit::slice;
using frit_test::evaluate;
using frit_test::traffic;
using ints = std::vector<int>;
using reals = std::vector<double>;

const double nan_ = std::nan("");

void expect(const frit::operand auto& x, const shape& s, const reals& values) {
    EXPECT_EQ(x.shape(), s);
    const reals got = frit::cast<double>(x).to_vector();
    ASSERT_EQ(got.size(), values.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
        if (std::isfinite(values[k])) {
            EXPECT_NEAR(got[k], values[k], 1e-12 * (1 + std::abs(values[k]))) << k;
        } else {
            EXPECT_EQ(std::isnan(got[k]), std::isnan(values[k])) << k;
            EXPECT_TRUE(got[k] == values[k] || std::isnan(values[k])) << k;
        }
    }
}

array<double> samples() { return array<double>{{1, 2, 4, 7}, {3, 1, 4, 1}}; }
/// A stored vector, so long that what is stored beside it is seen in bytes.
array<double> ramp() {
    array<double> x = sin(frit::arange(1000.0));
    x.eval();
    return x;
}

// --- along an axis ---

TEST(Numerics, Diff) {
    const array<double> x = samples();
    expect(diff(x), {2, 3}, {1, 2, 3, -2, 3, -3});
    expect(diff(x, 2), {2, 2}, {1, 1, 5, -6});
    expect(diff(x, 1, 0), {1, 4}, {2, -1, 0, -6});
    expect(diff(x, 0), {2, 4}, x.to_vector());
    EXPECT_EQ(diff(x, 4).shape(), (shape{2, 0}));
    EXPECT_EQ(diff(x, 1000000000).shape(), (shape{2, 0}));
    EXPECT_EQ(diff(array<bool>{true, true, false}).to_vector(), (std::vector<bool>{false, true}));
    EXPECT_EQ(diff(array<std::uint8_t>{3, 1}).to_vector(), std::vector<std::uint8_t>{254});
    EXPECT_EQ(diff(any_array(array<float>{1, 4})).dtype(), dtype::f32);
    EXPECT_ERROR((void)diff(frit::scalar(1)), frit::index_error, "diff", "rank 0", "test_numerics.cpp");
    EXPECT_ERROR((void)diff(x, -1), frit::shape_error, "diff", "-1", "(2, 4)");
    const traffic t = evaluate(array<double>(diff(ramp() * 2, 2) + 1));
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, 1000 * sizeof(double));
}

TEST(Numerics, Gradient) {
    const array<double> y{0, 1, 4, 9, 16};
    expect(gradient(y), {5}, {1, 2, 4, 6, 7});
    expect(gradient(y, 2), {5}, {0.5, 1, 2, 3, 3.5});
    expect(gradient(y, array<double>{0, 1, 2, 4, 5}), {5}, {1, 2, 2 + 5.0 / 6, 5.5, 7});
    expect(gradient(samples(), 1, 0), {2, 4}, {2, -1, 0, -6, 2, -1, 0, -6});
    expect(gradient(samples(), array<int>{0, 2}, 0), {2, 4}, {1, -0.5, 0, -3, 1, -0.5, 0, -3});
    EXPECT_EQ(gradient(array<int>{1, 5}).to_vector(), (reals{4, 4}));
    EXPECT_EQ(gradient(array<float>{1, 5}, array<double>{0, 2}).dtype(), dtype::f32);
    EXPECT_EQ(gradient(any_array(array<frit::half>{1, 5})).dtype(), dtype::f16);
    const array<std::complex<double>> z{std::complex(0.0, 1.0), std::complex(2.0, 5.0)};
    EXPECT_EQ(gradient(z).to_vector()[0], std::complex<double>(2, 4));
    EXPECT_ERROR((void)gradient(y(slice(0, 1))), frit::shape_error, "gradient", "axis 0", "(1,)", "test_numerics.cpp");
    EXPECT_ERROR((void)gradient(y, array<double>{1, 2}), frit::shape_error, "gradient", "(2,), (5,)");
    EXPECT_ERROR((void)gradient(y, 1, 1), frit::index_error, "gradient", "axis 1");
    EXPECT_KERNELS(1, array<double>(gradient(ramp() * 2) + 1));
    EXPECT_KERNELS(1, array<double>(sum(gradient(ramp() * 2, frit::arange(1000.0)))));
}

TEST(Numerics, Trapezoid) {
    const array<double> x = samples(), t{0, 1, 4, 9};
    expect(trapezoid(x), {2}, {10, 7});
    expect(trapezoid(x, 0.5), {2}, {5, 3.5});
    expect(trapezoid(x, 1, 0), {4}, {2, 1.5, 4, 4});
    expect(trapezoid(x, t), {2}, {1.5 + 9 + 27.5, 2 + 7.5 + 12.5});
    expect(trapezoid(x, x * x), {2}, {1.5 * 3 + 3 * 12 + 5.5 * 33, -16 + 2.5 * 15 - 2.5 * 15});
    expect(cumulative_trapezoid(x), {2, 3}, {1.5, 4.5, 10, 2, 4.5, 7});
    expect(cumulative_trapezoid(x, t), {2, 3}, {1.5, 10.5, 38, 2, 9.5, 22});
    expect(trapezoid(x(all, slice(0, 1))), {2}, {0, 0});
    expect(trapezoid(x(all, slice(0, 0))), {2}, {0, 0});
    EXPECT_EQ(trapezoid(array<int>{1, 2}).item(), 1.5);
    EXPECT_EQ(trapezoid(array<float>{1, 2}, 2).dtype(), dtype::f32);
    EXPECT_EQ(trapezoid(array<float>{1, 2}, array<double>{1, 2}).dtype(), dtype::f64);
    EXPECT_ERROR((void)trapezoid(x, t(slice(0, 3))), frit::shape_error, "trapezoid", "(3,), (2, 4)", "test_numerics.cpp");
    EXPECT_ERROR((void)trapezoid(x, x.T()), frit::shape_error, "trapezoid", "(4, 2), (2, 4)");
    EXPECT_ERROR((void)cumulative_trapezoid(frit::scalar(1.0)), frit::index_error, "cumulative_trapezoid", "rank 0");
    const traffic read = evaluate(array<double>(trapezoid(ramp() * 2)));
    EXPECT_EQ(read.kernels, 1U);
    EXPECT_EQ(read.bytes_written, sizeof(double));
}

TEST(Numerics, SequencesOfPowers) {
    expect(frit::logspace(0, 3, 4), {4}, {1, 10, 100, 1000});
    expect(frit::logspace(1, 3, 3, 2), {3}, {2, 4, 8});
    expect(frit::geomspace(1, 256, 9), {9}, {1, 2, 4, 8, 16, 32, 64, 128, 256});
    expect(frit::geomspace(-8.0, -1.0, 4), {4}, {-8, -4, -2, -1});
    EXPECT_EQ(frit::geomspace(3.0, 7.0, 5).to_vector().back(), 7.0);
    expect(frit::geomspace(3, 7, 1), {1}, {3});
    EXPECT_EQ(frit::logspace(0, 1, 0).size(), 0);
    EXPECT_EQ(frit::logspace(0.F, 1.F, 2).dtype(), dtype::f32);
    EXPECT_ERROR((void)frit::geomspace(0, 1, 3), frit::error, "geomspace", "test_numerics.cpp");
    EXPECT_ERROR((void)frit::geomspace(-1, 1, 3), frit::error, "geomspace", "one sign");
    EXPECT_ERROR((void)frit::logspace(0, 1, -1), frit::shape_error, "-1", "test_numerics.cpp");
}

// --- samples ---

TEST(Numerics, WhatLeavesNaNOut) {
    const array<double> x = where(samples() > 3, nan_, samples());  // {{1, 2, nan, nan}, {3, 1, nan, 1}}
    expect(nansum(x), {}, {8});
    expect(nansum(x, 0), {4}, {4, 3, 0, 1});
    expect(nanprod(x, 1, keepdims), {2, 1}, {2, 3});
    expect(nanmin(x, 0), {4}, {1, 1, nan_, 1});
    expect(nanmax(x, 0), {4}, {3, 2, nan_, 1});
    expect(nanmean(x, 1), {2}, {1.5, 5.0 / 3});
    expect(nanmean(x, 0), {4}, {2, 1.5, nan_, 1});
    expect(nanvar(x, 1, ddof(1)), {2}, {0.5, 4.0 / 3});
    expect(nanstddev(x), {}, {0.8});
    expect(nansum(x, 1, frit::where(array<bool>{true, false, true, true})), {2}, {1, 4});
    expect(nanmax(x, {0, 1}), {}, {3});
    expect(nanmax(x * nan_), {}, {nan_});
    EXPECT_ERROR((void)nanmax(frit::ones<double>({0, 3}), 0), frit::shape_error, "nanmax: an axis without elements");
    EXPECT_ERROR((void)ptp(frit::ones<double>({0, 3}), 0), frit::shape_error, "ptp: an axis without elements");
    const array<int> k{{4, 2}, {3, 5}};
    EXPECT_EQ(nansum(k, 0).to_vector(), (std::vector<std::int64_t>{7, 7}));
    EXPECT_EQ(nanmin(k, 1).to_vector(), (ints{2, 3}));
    EXPECT_EQ(nanvar(k, 1).to_vector(), (reals{1, 1}));
    const array<std::complex<double>> z{std::complex(1.0, 2.0), std::complex(nan_, 0.0), std::complex(3.0, 4.0)};
    EXPECT_EQ(nanmean(z).item(), std::complex<double>(2, 3));
    EXPECT_EQ(nanmax(any_array(array<frit::half>{1, 2})).dtype(), dtype::f16);
    EXPECT_ERROR((void)nansum(x, 2), frit::index_error, "nansum", "axis 2", "test_numerics.cpp");
    EXPECT_ERROR((void)nanmin(x, 1, frit::where(array<bool>{true, false})), frit::shape_error, "nanmin", "mask");
}

TEST(Numerics, WhatLeavesNaNOutIsAKernel) {
    const array<double> x = ramp();
    EXPECT_KERNELS(1, array<double>(nansum(sqrt(x))));
    EXPECT_KERNELS(1, array<double>(nanmin(sqrt(x))));
    EXPECT_KERNELS(1, array<double>(nanvar(sqrt(x))));
    EXPECT_KERNELS(1, array<double>(ptp(x * 2)));
    EXPECT_KERNELS(1, array<double>(average(x * 2, x + 2)));
}

TEST(Numerics, PtpAndAverage) {
    const array<double> x = samples(), w{1, 0, 1, 2};
    expect(ptp(x), {}, {6});
    expect(ptp(x, 1, keepdims), {2, 1}, {6, 3});
    EXPECT_EQ(ptp(array<std::uint8_t>{255, 0}).item(), 255);
    EXPECT_ERROR((void)ptp(array<bool>{true}), frit::dtype_error, "ptp", "bool", "test_numerics.cpp");
    expect(average(x), {}, {23.0 / 8});
    expect(average(x, 0), {4}, {2, 1.5, 4, 4});
    expect(average(x, 1, w), {2}, {19.0 / 4, 9.0 / 4});
    expect(average(x, -1, w, keepdims), {2, 1}, {19.0 / 4, 9.0 / 4});
    expect(average(x, x), {}, {97.0 / 23});
    expect(average(x, {0, 1}, x), {}, {97.0 / 23});
    expect(average(x, 1, 0 * w), {2}, {nan_, nan_});
    const array<double> cube = frit::arange(12.0).reshape({3, 2, 2}), turned{{1, 0, 0}, {0, 0, 2}};  // of axes 2 and 0
    expect(average(cube, {2, 0}, turned), {2}, {(0 + 2 * 9) / 3.0, (2 + 2 * 11) / 3.0});
    EXPECT_EQ(average(array<int>{1, 2}, array<int>{1, 3}).item(), 1.75);
    EXPECT_EQ(average(array<float>{1, 2}, array<float>{1, 3}).dtype(), dtype::f32);
    EXPECT_EQ(average(any_array(x), 1, w).dtype(), dtype::f64);
    EXPECT_ERROR((void)average(x, w), frit::shape_error, "average", "(4,), (2, 4)", "test_numerics.cpp");
    EXPECT_ERROR((void)average(x, 0, w), frit::shape_error, "average", "(4,), (2, 4)");
    EXPECT_ERROR((void)average(x, 2, w), frit::index_error, "average", "axis 2");
}

TEST(Numerics, Covariances) {
    const array<double> x = samples();
    expect(cov(x), {2, 2}, {7, -3.5 / 3, -3.5 / 3, 2.25});
    expect(cov(x, ddof(0)), {2, 2}, {5.25, -0.875, -0.875, 1.6875});
    expect(cov(x(0)), {}, {7});
    expect(cov(x(0), x(1)), {2, 2}, {7, -3.5 / 3, -3.5 / 3, 2.25});
    expect(cov(x(0), x(1), ddof(4)), {2, 2}, {INFINITY, -INFINITY, -INFINITY, INFINITY});
    const double r = -3.5 / 3 / std::sqrt(7 * 2.25);
    expect(corrcoef(x), {2, 2}, {1, r, r, 1});
    expect(corrcoef(x(0), -2 * x(0)), {2, 2}, {1, -1, -1, 1});
    expect(corrcoef(x(0)), {}, {1});
    EXPECT_EQ(cov(array<float>{1, 2}).dtype(), dtype::f64);
    const array<std::complex<float>> z{std::complex(1.0F, 1.0F), std::complex(2.0F, 3.0F)};
    EXPECT_EQ(cov(z).item(), std::complex<double>(2.5, 0));
    EXPECT_EQ(corrcoef(z, frit::conj(z)).dtype(), dtype::c128);
    EXPECT_EQ(cov(any_array(x)).dtype(), dtype::f64);
    EXPECT_ERROR((void)cov(frit::zeros<double>({2, 2, 2})), frit::shape_error, "cov", "(2, 2, 2)", "test_numerics.cpp");
    EXPECT_ERROR((void)corrcoef(x, x(0, slice(0, 2))), frit::shape_error, "corrcoef", "observations", "(2, 4), (1, 2)");
}

// --- products ---

TEST(Numerics, OuterAndKron) {
    const array<int> v{1, 2}, k{{1, 5}, {2, 7}};
    EXPECT_EQ(outer(v, k).to_vector(), (ints{1, 5, 2, 7, 2, 10, 4, 14}));
    EXPECT_EQ(outer(v, k).shape(), (shape{2, 4}));
    EXPECT_EQ(outer(frit::scalar(3), v).to_vector(), (ints{3, 6}));
    EXPECT_EQ(outer(v, array<float>{0.5}).dtype(), dtype::f64);
    EXPECT_EQ(kron(v, k).to_vector(), (ints{1, 5, 2, 10, 2, 7, 4, 14}));
    EXPECT_EQ(kron(k, v).shape(), (shape{2, 4}));
    EXPECT_EQ(kron(k, v).to_vector(), (ints{1, 2, 5, 10, 2, 4, 7, 14}));
    EXPECT_EQ(kron(frit::scalar(3), frit::scalar(2)).item(), 6);
    EXPECT_EQ(kron(frit::zeros<int>({0, 2}), k).shape(), (shape{0, 4}));
    EXPECT_ERROR((void)kron(frit::zeros<int>({1, 1, 1, 1, 1, 1, 1, 1, 1}), v), frit::shape_error, "kron", "eight");
    const array<double> x = ramp();
    EXPECT_KERNELS(1, array<double>(outer(x * 2, x(slice(0, 10))) + 1));
    EXPECT_KERNELS(1, array<double>(kron(x * 2, x(slice(0, 10)))));
}

TEST(Numerics, InnerAndVdot) {
    const array<int> k{{1, 5}, {2, 7}}, v{3, 1};
    EXPECT_EQ(inner(v, v).item(), 10);
    EXPECT_EQ(inner(k, v).to_vector(), (ints{8, 13}));
    EXPECT_EQ(inner(v, k).to_vector(), (ints{8, 13}));
    EXPECT_EQ(inner(k, k).to_vector(), (ints{26, 37, 37, 53}));
    EXPECT_EQ(inner(frit::scalar(2), v).to_vector(), (ints{6, 2}));
    EXPECT_EQ(inner(array<bool>{true, false}, array<bool>{false, true}).item(), false);
    EXPECT_EQ(inner(frit::zeros<int>({2, 0}), frit::zeros<int>({3, 0})).to_vector(), ints(6, 0));
    EXPECT_EQ(inner(array<std::int8_t>{100, 100}, array<std::int8_t>{1, 1}).item(), -56);
    EXPECT_EQ(inner(any_array(k), v).dtype(), dtype::i32);
    EXPECT_EQ(vdot(k, k).item(), 79);
    const array<std::complex<double>> z{std::complex(1.0, 2.0), std::complex(0.0, -3.0)};
    EXPECT_EQ(vdot(z, 2 * z).item(), std::complex<double>(28, 0));
    EXPECT_EQ(vdot(z, array<double>{1, 1}).item(), std::complex<double>(1, 1));
    EXPECT_ERROR((void)inner(k, array<int>{1}), frit::shape_error, "inner", "(2, 2), (1,)", "test_numerics.cpp");
    EXPECT_ERROR((void)vdot(k, v), frit::shape_error, "vdot", "(2, 2), (2,)", "test_numerics.cpp");
    EXPECT_KERNELS(1, array<double>(inner(ramp() * 2, ramp())));
}

TEST(Numerics, CrossAndTrace) {
    const array<int> a{1, 2, 4}, b{3, 1, 2};
    EXPECT_EQ(cross(a, b).to_vector(), (ints{0, 10, -5}));
    const array<int> rows = stack(0, a, b);
    EXPECT_EQ(cross(rows, b).to_vector(), (ints{0, 10, -5, 0, 0, 0}));
    EXPECT_EQ(cross(rows.T(), rows.T() + 1, 0).to_vector(), (ints{-2, -1, 3, -1, -1, 2}));
    const array<double> x = samples();
    EXPECT_EQ(trace(x).item(), 2);
    EXPECT_EQ(trace(x, 2).item(), 5);
    EXPECT_EQ(trace(x, 0, 1, 0).item(), 2);
    EXPECT_EQ(trace(array<std::int8_t>{{100, 0}, {0, 100}}).item(), 200);
    EXPECT_EQ(trace(stack(0, x, x)).to_vector(), (reals{4, 3, 8, 8}));
    EXPECT_EQ(frit::linalg::trace(stack(0, x, x)).to_vector(), (reals{2, 2}));
    EXPECT_EQ(frit::linalg::cross(any_array(a), b).dtype(), dtype::i32);
    EXPECT_ERROR((void)cross(a, x), frit::shape_error, "cross", "(3,), (2, 4)", "test_numerics.cpp");
    EXPECT_ERROR((void)cross(a != 0, b != 0), frit::dtype_error, "cross: takes numbers", "bool, bool", "test_numerics.cpp");
    EXPECT_ERROR((void)trace(a), frit::shape_error, "trace", "(3,)", "test_numerics.cpp");
    EXPECT_KERNELS(1, array<int>(cross(2 * rows, b) + 1));
}

// --- dtypes ---

/// What a function's type says its dtype is, is what the formula has.
template <frit::operand R>
void expect_its_dtype(const R& x, const char* call, dtype of) {
    EXPECT_EQ(any_array(x).handle()->type, R::dtype()) << call << " of " << name_of(of);
}

template <class T, class U>
void expect_dtypes_of_pairs() {
    const array<T> x = frit::ones<T>({3, 3});
    const array<U> y = frit::ones<U>({3, 3});
#define CHECK(call) expect_its_dtype(call, #call, x.dtype());
    CHECK(concatenate(0, x, y))
    CHECK(stack(0, x, y, x))
    CHECK(hstack(x, y))
    CHECK(vstack(x, y, y))
    CHECK(gradient(x, y(0)))
    CHECK(trapezoid(x, y))
    CHECK(cumulative_trapezoid(x, y(0)))
    CHECK(average(x, 0, y(0)))
    CHECK(average(x, y))
    CHECK(cov(x, y))
    CHECK(corrcoef(x, y))
    CHECK(cov(x, y, frit::rowvar(false)))
    CHECK(convolve(x, y))
    CHECK(correlate(x(0), y(0)))
    CHECK(diff(x, 2, 0, y, 1))
    CHECK(diff(x, 0, 0, frit::none, y))
    CHECK(outer(x, y))
    CHECK(inner(x, y))
    CHECK(inner(x, y(0)))
    CHECK(kron(x, y))
    CHECK(vdot(x, y))
    if constexpr (!std::is_same_v<T, bool>) CHECK(cross(x, y))
}

template <class T>
void expect_dtypes() {
    expect_dtypes_of_pairs<T, T>();
    expect_dtypes_of_pairs<T, std::int16_t>();
    expect_dtypes_of_pairs<T, frit::half>();
    expect_dtypes_of_pairs<T, std::complex<float>>();
    const array<T> x = frit::ones<T>({3, 3});
    CHECK(repeat(x, 2, 0))
    CHECK(tile(x, {2, 2}))
    CHECK(roll(x, 1))
    CHECK(triu(x))
    CHECK(pad(x, {{1, 1}}, frit::pad_mode::wrap))
    CHECK(diff(x))
    CHECK(gradient(x))
    CHECK(gradient(x, 1, 0, 2))
    CHECK(gradient(x, {1})[1])
    CHECK(trapezoid(x))
    CHECK(cumulative_trapezoid(x))
    CHECK(average(x, 0))
    CHECK(cov(x))
    CHECK(corrcoef(x))
    CHECK(trace(x))
    if constexpr (!std::is_same_v<T, bool>) CHECK(ptp(x, 0))
    CHECK(nansum(x))
    CHECK(nanprod(x, 0))
    CHECK(nanmin(x))
    CHECK(nanmax(x, 0))
    CHECK(nanmean(x))
    CHECK(nanvar(x))
    CHECK(nanstddev(x))
#undef CHECK
}

TEST(Numerics, DtypesAreThoseOfTheTypes) {
#define FRIT_X(name, type) expect_dtypes<type>();
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
}

}  // namespace

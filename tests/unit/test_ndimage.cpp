// Filters of ndimage: SciPy's answers in every mode, every dtype against double, windows larger than the array, and what
// they cost: a kernel a pass, with what stands around them.
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "frit/ndimage.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/unit/ndimage_answers.hpp"

namespace {

namespace nd = frit::ndimage;
using frit::any_array;
using frit::array;
using frit_test::reach;
using bytes = std::vector<std::uint8_t>;

array<int> matrix() { return {{3, 1, 4, 1}, {5, 9, 2, 6}, {5, 3, 5, 8}}; }

void expect_near(const any_array& y, const std::vector<double>& want, double tolerance = 2e-8) {
    const std::vector<double> got = array<double>(frit::cast<double>(y)).to_vector();
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t k = 0; k < want.size(); ++k) EXPECT_NEAR(got[k], want[k], tolerance) << "element " << k;
}

TEST(Ndimage, FloatsAsSciPy) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x = frit::cast<double>(matrix());
        for (std::size_t m = 0; m < 5; ++m) {
            const nd::border around{frit_test::gaussians[m].how, 2.5};
            SCOPED_TRACE("mode " + std::to_string(m));
            expect_near(nd::gaussian_filter(x, {1, 0.7}, 0, around), frit_test::gaussians[m].values);
            expect_near(nd::gaussian_filter1d(x, 1.5, 0, 1, around, 2), frit_test::slopes[m].values);
            expect_near(nd::gaussian_filter1d(x, 0.8, 1, 2, around), frit_test::curvatures[m].values);
            expect_near(nd::uniform_filter(x, {2, 5}, around), frit_test::boxes[m].values);
        }
    });
}

TEST(Ndimage, IntegersAsSciPy) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> x = matrix();
        for (std::size_t m = 0; m < 5; ++m) {
            const nd::border around{frit_test::sobels[m].how, 2};
            SCOPED_TRACE("mode " + std::to_string(m));
            EXPECT_EQ(nd::uniform_filter(x, 3, around).to_vector(), frit_test::integer_boxes[m].values);
            EXPECT_EQ(nd::sobel(x, 0, around).to_vector(), frit_test::sobels[m].values);
            EXPECT_EQ(nd::median_filter(x, {2, 3}, around).to_vector(), frit_test::medians[m].values);
        }
    });
}

// A pass is stored without its fraction, and modulo 256.
TEST(Ndimage, NarrowIntegersAsSciPy) {
    const array<std::uint8_t> x = frit::cast<std::uint8_t>(matrix()), v{250, 3, 200, 9, 77};
    EXPECT_EQ(nd::sobel(x, 1).to_vector(), (bytes{254, 0, 253, 251, 4, 251, 255, 8, 254, 253, 12, 13}));
    EXPECT_EQ(nd::gaussian_filter1d(v, 1.0, -1, 1).to_vector(), (bytes{216, 219, 237, 231, 255}));
    EXPECT_EQ(nd::gaussian_filter(v, 1.0).to_vector(), (bytes{172, 124, 101, 76, 63}));
    EXPECT_EQ(nd::uniform_filter(array<bool>{true, true, true, false, true}, 3).to_vector(),
              (std::vector<bool>{true, true, false, false, false}));
    const array<std::uint64_t> large{UINT64_MAX - 4095, UINT64_MAX - 4095};
    EXPECT_EQ(nd::uniform_filter(large, 2).to_vector(), large.to_vector());
    EXPECT_EQ(nd::gaussian_filter1d(array<std::uint64_t>{250, 3}, 1.0, -1, 1)(0).item() >> 32, 0xffffffffU);
}

// A sum of weights that is rounded to less than 1 would take 1 from every element.
TEST(Ndimage, FlatImagesOfIntegersStay) {
    const auto rows = [](auto first, int step, int count) {
        const auto levels = frit::arange(count) * step + static_cast<int>(first);
        return frit::cast<decltype(first)>(frit::broadcast_to(frit::expand_dims(levels, 1), {count, 7})).eval();
    };
    const auto bytes_of_all_levels = rows(std::uint8_t{0}, 1, 256);
    const auto shorts = rows(std::int16_t{-32768}, 257, 256);
    const array<bool> truths = frit::ones<bool>({2, 7});
    const auto flat_rows = [](const auto& levels) {
        return frit::broadcast_to(frit::expand_dims(levels, 1), {levels.shape()[0], 7}).eval();
    };
    constexpr std::int64_t unit = std::int64_t{1} << 52;
    const array<std::int64_t> large = flat_rows(array<std::int64_t>{unit >> 8, unit / 8 - 1, unit - 1, 1 - unit, unit + 1,
                                                                    2 * unit, -2 * unit, 1024 * unit, INT64_MIN});
    const array<std::uint64_t> larger =
        flat_rows(array<std::uint64_t>{7, std::uint64_t{unit} - 1, std::uint64_t{1} << 63, UINT64_MAX - 4095});
    for (int tenths = 3; tenths <= 50; ++tenths) {
        const double sigma = tenths / 10.0, reach = tenths < 10 ? 4 : tenths < 20 ? 8 : 20;  // as many taps: one kernel
        const auto stays = [&](const auto& x) {
            EXPECT_TRUE(array_equal(nd::gaussian_filter1d(x, sigma, -1, 0, {}, reach / sigma), x))
                << sigma << ' ' << frit::name_of(x.dtype());
        };
        stays(bytes_of_all_levels);
        stays(shorts);
        stays(truths);
        stays(large);
        stays(larger);
    }
    const array<std::uint8_t> image = frit::full<std::uint8_t>({9, 9}, 255);
    EXPECT_TRUE(array_equal(nd::gaussian_filter(image, 1.7), image));
    for (int size = 2; size < 12; ++size) EXPECT_TRUE(array_equal(nd::uniform_filter1d(shorts, size), shorts)) << size;
}

TEST(Ndimage, ComplexNumbersPartByPart) {
    using c = std::complex<double>;
    const array<c> z{c(1, 2), c(0), c(0, 3)}, y = nd::gaussian_filter1d(z, 1.0);
    expect_near(real(y), {0.640914915, 0.296096404, 0.0629886813});
    expect_near(imag(y), {1.47079587, 1.48048202, 2.04872211});
    using f = std::complex<float>;
    EXPECT_EQ(nd::uniform_filter(array<f>{f(1, 2), f(3, 6)}, 2).to_vector(), (std::vector{f(1, 2), f(2, 4)}));
}

TEST(Ndimage, ZoomAsSciPy) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> x = matrix();
        const array<double> y = frit::cast<double>(x);
        EXPECT_EQ(nd::zoom(x, {1, 1.5}, 0).to_vector(), (std::vector{3, 1, 1, 4, 4, 1, 5, 9, 9, 2, 2, 6, 5, 3, 3, 5, 5, 8}));
        expect_near(nd::zoom(y, {1.5, 2}, 1),
                    {3,          2.14285714, 1.28571429, 1.85714286, 3.14285714, 3.57142857, 2.28571429, 1,
                     4.33333333, 5.19047619, 6.04761905, 5.28571429, 3.71428571, 2.9047619,  3.61904762, 4.33333333,
                     5,          5.85714286, 6.71428571, 5.85714286, 4.14285714, 3.52380952, 5.0952381,  6.66666667,
                     5,          4.14285714, 3.28571429, 3.57142857, 4.42857143, 5.42857143, 6.71428571, 8});
        expect_near(nd::zoom(y, {0.7, 1.5}), {3, 1.5888, 1.4208, 3.7392, 2.9152, 1, 5, 3.848, 2.952, 4.248, 6.632, 8});
        EXPECT_EQ(nd::zoom(x, {2, 1}).to_vector(),
                  (std::vector{3, 1, 4, 1, 4, 4, 3, 2, 5, 8, 2, 5, 5, 9, 2, 7, 5, 5, 4, 8, 5, 3, 5, 8}));
    });
    EXPECT_EQ(nd::zoom(frit::ones<float>({1, 3}), 0.5, 1).shape(), (frit::shape{0, 2}));
    EXPECT_EQ(nd::zoom(array<float>{7}, 3).to_vector(), (std::vector<float>{7, 7, 7}));
    EXPECT_EQ(nd::zoom(array<bool>{true, false}, 2, 1).to_vector(), (std::vector<bool>{true, false, false, false}));
    using c = std::complex<double>;
    EXPECT_EQ(nd::zoom(array<c>{c(0, 2), c(2)}, 1.5, 1).to_vector(), (std::vector{c(0, 2), c(1, 1), c(2)}));
}

template <class T>
void as_double(double tolerance) {
    SCOPED_TRACE(frit::name_of(frit::dtype_of<T>));
    const array<T> x = frit::cast<T>(matrix());
    const array<double> y = frit::cast<double>(matrix());
    const auto near = [&](const auto& got, const auto& want) {
        EXPECT_EQ(got.dtype(), frit::dtype_of<T>);
        expect_near(any_array(frit::cast<double>(got)), array<double>(want).to_vector(), tolerance);
    };
    near(nd::gaussian_filter(x, 0.9), nd::gaussian_filter(y, 0.9));
    near(nd::gaussian_filter(any_array(x), 0.9), nd::gaussian_filter(y, 0.9));
    near(nd::gaussian_filter1d(x, 0.9, 0, 1), nd::gaussian_filter1d(y, 0.9, 0, 1));
    near(nd::uniform_filter(x, 3), nd::uniform_filter(y, 3));
    near(nd::sobel(x), nd::sobel(y));
    near(nd::median_filter(x, 3), nd::median_filter(y, 3));
    for (const int order : {0, 1, 3}) near(nd::zoom(x, 1.7, order), nd::zoom(y, 1.7, order));
}

TEST(Ndimage, EveryFloatingDtype) {
    as_double<double>(0);
    as_double<float>(4e-6);
    as_double<frit::half>(4e-3);
    as_double<frit::bfloat16>(4e-2);
}

// 16-bit floats are rounded at the end alone: after each pass 2050 would be 2048 or 2052.
TEST(Ndimage, SixteenBitsAreRoundedOnce) {
    const array<frit::half> x = frit::cast<frit::half>(array<float>{{2048, 2052}, {2048, 2052}});
    EXPECT_EQ(static_cast<float>(nd::uniform_filter(frit::cast<float>(x), {1, 2})(0, 1).item()), 2050);
    const array<float> sums = nd::sobel(x, 1);
    EXPECT_EQ(sums.to_vector(), (std::vector<float>{16, 16, 16, 16}));
    const array<frit::half> fine = frit::cast<frit::half>(array<float>{{1024, 1025}, {1025, 1025}});
    EXPECT_EQ(static_cast<float>(nd::uniform_filter(fine, 2)(1, 1).item()), 1025);  // 1024.75, not by way of 1024.5
}

TEST(Ndimage, EveryIntegerDtype) {
    const auto check = [&]<class T>(T) {
        SCOPED_TRACE(frit::name_of(frit::dtype_of<T>));
        const array<T> x = frit::cast<T>(matrix());
        EXPECT_TRUE(array_equal(nd::uniform_filter(x, 3), frit::cast<T>(nd::uniform_filter(matrix(), 3))));
        EXPECT_TRUE(array_equal(nd::median_filter(x, 3), frit::cast<T>(nd::median_filter(matrix(), 3))));
        if (sizeof(T) < 8) {  // in double, a negative number modulo 2^64 is not exact
            EXPECT_TRUE(array_equal(nd::sobel(x), frit::cast<T>(nd::sobel(matrix()))));
        }
        EXPECT_TRUE(array_equal(nd::zoom(any_array(x), 2), any_array(frit::cast<T>(nd::zoom(matrix(), 2)))));
    };
    check(std::int8_t{});
    check(std::uint8_t{});
    check(std::int16_t{});
    check(std::uint16_t{});
    check(std::uint32_t{});
    check(std::int64_t{});
    check(std::uint64_t{});
}

// Windows longer than the axis go on round and round: uniform_filter1d([1, 2, 4], 9, mode=...).
TEST(Ndimage, WindowsLargerThanTheArray) {
    const array<double> x{1, 2, 4};
    const auto box = [&](nd::border around) { return array<double>(nd::uniform_filter1d(x, 9, 0, around)); };
    expect_near(box(reach::mirror), {19 / 9.0, 20 / 9.0, 22 / 9.0}, 1e-15);
    expect_near(box(reach::reflect), {24 / 9.0, 21 / 9.0, 2}, 1e-15);
    expect_near(box(reach::wrap), {7 / 3.0, 7 / 3.0, 7 / 3.0}, 1e-15);
    expect_near(box({reach::constant, 0.5}), {10 / 9.0, 10 / 9.0, 10 / 9.0}, 1e-15);
    for (const auto m : {reach::reflect, reach::constant, reach::nearest, reach::mirror, reach::wrap}) {
        const array<double> one{4};
        EXPECT_EQ(nd::uniform_filter(one, 5, {m, 4}).to_vector(), std::vector<double>{4});
        EXPECT_EQ(nd::sobel(one, 0, {m, 4}).to_vector(), std::vector<double>{0});
        EXPECT_EQ(nd::median_filter(one, 3, {m, 4}).to_vector(), std::vector<double>{4});
        EXPECT_EQ(nd::gaussian_filter(frit::zeros<float>({0, 3}), 1.0, 0, m).shape(), (frit::shape{0, 3}));
        EXPECT_EQ(nd::median_filter(frit::zeros<float>({0, 3}), 3, m).shape(), (frit::shape{0, 3}));
        EXPECT_EQ(nd::uniform_filter(frit::zeros<float>({3, 0}), 3, m).shape(), (frit::shape{3, 0}));
    }
    EXPECT_EQ(nd::gaussian_filter(frit::scalar(3.0), 1.0).item(), 3);
    EXPECT_EQ(nd::gaussian_filter(x, 0.0).to_vector(), x.to_vector());
    EXPECT_NEAR(nd::gaussian_filter(frit::ones<double>({40}), 30.0)(7).item(), 1, 1e-14);
}

TEST(Ndimage, AllAxes) {
    const array<double> x = sin(frit::arange<double>(0, 2 * 3 * 5)).reshape({2, 3, 5}).eval();
    for (int axis = 0; axis < 3; ++axis) {
        const array<double> last = nd::gaussian_filter1d(swapaxes(x, axis, 2), 0.8);
        EXPECT_TRUE(array_equal(nd::gaussian_filter1d(x, 0.8, axis), swapaxes(last, axis, 2)));
        EXPECT_TRUE(array_equal(nd::gaussian_filter1d(x, 0.8, axis - 3), swapaxes(last, axis, 2)));
    }
    array<double> each = x;
    for (int axis = 0; axis < 3; ++axis) each = nd::gaussian_filter1d(each, 0.8, axis).eval();
    EXPECT_TRUE(array_equal(nd::gaussian_filter(x, 0.8), each));
    const array<double> medians = nd::median_filter(x, {1, 3, 1}, reach::wrap);
    EXPECT_TRUE(array_equal(medians, median(stack(0, roll(x, 1, 1), x, roll(x, -1, 1)), 0)));
}

// What is around a blur is computed in its two passes: the image is read once and the result written once.
TEST(Ndimage, ABlurIsTwoKernels) {
    const array<std::uint8_t> image =
        frit::cast<std::uint8_t>(frit::arange<int>(0, 60 * 80).reshape({60, 80}) * 7919 % 256).eval();
    for (const auto m : {reach::reflect, reach::constant, reach::nearest, reach::mirror, reach::wrap})
        for (const double sigma : {1.0, 2.0, 3.8}) {
            SCOPED_TRACE("mode " + std::to_string(static_cast<int>(m)) + ", sigma " + std::to_string(sigma));
            const array<std::uint8_t> y =
                frit::cast<std::uint8_t>(frit::rint(nd::gaussian_filter(frit::cast<float>(image) / 255, sigma, 0, m) * 255));
            const frit_test::traffic seen = frit_test::evaluate(y);
            EXPECT_EQ(seen.kernels, 2U);
            EXPECT_EQ(seen.bytes_read, 60 * 80 * (1 + sizeof(float)));
            EXPECT_EQ(seen.bytes_written, 60 * 80 * (sizeof(float) + 1));
            const array<float> scaled = (frit::cast<float>(image) / 255).eval();
            EXPECT_TRUE(
                array_equal(y, frit::cast<std::uint8_t>(frit::rint(nd::gaussian_filter(scaled, sigma, 0, m) * 255))));
        }
}

TEST(Ndimage, APassIsAKernel) {
    const array<float> x = frit::linspace(0.0F, 1.0F, 6000).reshape({20, 15, 20}).eval();
    EXPECT_KERNELS(1, array<float>(nd::gaussian_filter1d(x, 1.0, 1)));
    EXPECT_KERNELS(3, array<float>(nd::gaussian_filter(x, 1.0)));
    EXPECT_KERNELS(2, array<float>(nd::gaussian_filter(x, {1, 0, 1})));
    EXPECT_KERNELS(1, array<float>(nd::uniform_filter1d(2 * x + 1, 5, 0)));
    EXPECT_KERNELS(1, array<float>(sum(abs(nd::gaussian_filter1d(x, 1.0, 2)))));
    // nine exponential functions an element take longer than memory, but on a GPU not longer than a launch
    const bool stores = frit::default_device() == frit::device::cpu();
    EXPECT_KERNELS(stores ? 2 : 1, array<float>(nd::gaussian_filter1d(exp(x), 1.0, 1)));
    const std::uint64_t before = frit_test::new_kernels();
    EXPECT_KERNELS(1, array<float>(nd::gaussian_filter1d(x, 0.9, 1)));  // as many taps: another sigma compiles nothing
    EXPECT_EQ(frit_test::new_kernels(), before);
}

// Of an array on another device than the default one, where the stand-in or a GPU is that.
TEST(Ndimage, OnTheDeviceOfTheArray) {
    const array<double> x = array<double>(frit::cast<double>(matrix())).to(frit::device::cpu());
    const nd::border around{reach::constant, 2.5};
    EXPECT_EQ(array<double>(nd::gaussian_filter(x, 0.8, 0, around)).device(), frit::device::cpu());
    expect_near(any_array(nd::gaussian_filter(x, {1, 0.7}, 0, around)).to(frit::default_device()),
                frit_test::gaussians[1].values);
    EXPECT_EQ(nd::median_filter(x, {2, 3}, around)(0, 0).item(), 2.5);
    EXPECT_EQ(nd::uniform_filter(x, 3).to_vector().size(), 12U);
    EXPECT_EQ(nd::sobel(x, 0, around).to_vector().size(), 12U);
    for (const int order : {0, 1, 3}) EXPECT_NEAR(nd::zoom(x, 2, order)(0, 0).item(), 3, 1e-14);
}

TEST(Ndimage, Mistakes) {
    const array<float> x = frit::ones<float>({2, 3});
    EXPECT_ERROR(nd::gaussian_filter(x, {1, 2, 3}), frit::shape_error, "gaussian_filter", "3 numbers for 2 axes", "(2, 3)",
                 "test_ndimage.cpp");
    EXPECT_ERROR(nd::gaussian_filter(x, -1.0), frit::error, "gaussian_filter", "sigma", "-1", "test_ndimage.cpp");
    EXPECT_ERROR(nd::gaussian_filter(x, std::numeric_limits<double>::quiet_NaN()), frit::error, "sigma", "nan");
    EXPECT_ERROR(nd::gaussian_filter(x, 1e300), frit::error, "gaussian_filter: sigma 1e+300 would", "million taps");
    EXPECT_ERROR(nd::gaussian_filter1d(x, 1.0, 2), frit::index_error, "gaussian_filter1d", "(2, 3)", "test_ndimage.cpp");
    EXPECT_ERROR(nd::gaussian_filter1d(x, 1.0, 0, -1), frit::error, "order", "-1");
    EXPECT_ERROR(nd::gaussian_filter1d(x, 1.0, 0, 0, {}, -4), frit::error, "truncate");
    EXPECT_ERROR(nd::uniform_filter(x, 0), frit::error, "uniform_filter", "1 to 2097152", "test_ndimage.cpp");
    EXPECT_ERROR(nd::uniform_filter(x, {3, 3, 3}), frit::shape_error, "uniform_filter", "3 numbers for 2 axes");
    EXPECT_ERROR(nd::sobel(x, -3), frit::index_error, "sobel", "(2, 3)");
    EXPECT_ERROR(nd::sobel(frit::scalar(1.0)), frit::index_error, "sobel", "()");
    EXPECT_ERROR(nd::median_filter(x, {3, -1}), frit::error, "median_filter", "-1");
    EXPECT_ERROR(nd::median_filter(frit::ones<std::complex<float>>({3}), 3), frit::dtype_error, "median_filter",
                 "complex64");
    EXPECT_ERROR(nd::zoom(x, 2.0, 2), frit::error, "zoom", "0, 1 or 3", "test_ndimage.cpp");
    EXPECT_ERROR(nd::zoom(x, -2.0), frit::error, "zoom", "factor", "-2");
    EXPECT_ERROR(nd::zoom(x, {1, 2, 3}), frit::shape_error, "zoom", "3 factors for 2 axes");
    EXPECT_ERROR(nd::zoom(x, 1e18), frit::shape_error);
}

}  // namespace

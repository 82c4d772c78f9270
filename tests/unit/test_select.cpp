// Windows, and what is picked by masks and counts: NumPy's answers on every engine, kernels, and mistakes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {

using frit::any_array;
using frit::arange;
using frit::array;
using frit::shape;
using longs = std::vector<std::int64_t>;
using ints = std::vector<int>;

TEST(Windows, AsNumPy) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> x = arange(12).reshape({3, 4});
        const auto w = sliding_window_view(x, 2, 1);
        EXPECT_EQ(w.shape(), (shape{3, 3, 2}));
        EXPECT_EQ(w.to_vector(), (ints{0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7, 8, 9, 9, 10, 10, 11}));
        const auto both = sliding_window_view(x, {2, 3});
        EXPECT_EQ(both.shape(), (shape{2, 2, 2, 3}));
        EXPECT_EQ(both.to_vector(), (ints{0, 1, 2, 4, 5, 6, 1, 2, 3, 5, 6, 7, 4, 5, 6, 8, 9, 10, 5, 6, 7, 9, 10, 11}));
        EXPECT_EQ(sliding_window_view(x, {3, 2}, {-1, 0}).shape(), (shape{2, 2, 3, 2}));
        const auto twice = sliding_window_view(x(0), {2, 2}, {0, 0});
        EXPECT_EQ(twice.shape(), (shape{2, 2, 2}));
        EXPECT_EQ(twice.to_vector(), (ints{0, 1, 1, 2, 1, 2, 2, 3}));
        EXPECT_EQ(sliding_window_view(x.T() * 2, 3, 0)(1).to_vector(), (ints{2, 4, 6, 10, 12, 14, 18, 20, 22}));
    });
    EXPECT_EQ(sliding_window_view(array<int>{1, 2}, 0).shape(), (shape{3, 0}));
    EXPECT_EQ(sliding_window_view(array<int>{1, 2}, 2).shape(), (shape{1, 2}));
    EXPECT_EQ(sliding_window_view(any_array(array<float>{1, 2, 3}), 2).to_vector<float>(), (std::vector<float>{1, 2, 2, 3}));
}

TEST(Windows, ConvolutionsAndRollingStatisticsAreOneKernel) {
    const array<float> image = frit::sin(arange<float>(600)).reshape({20, 30}).eval(),
                       k = frit::sin(arange<float>(9)).reshape({3, 3}).eval();
    frit_test::everywhere([&](const std::string& where) {
        SCOPED_TRACE(where);
        const array<float> y = sum(sliding_window_view(image, {3, 3}) * k, {2, 3});
        EXPECT_EQ(y.shape(), (shape{18, 28}));
        array<float> expected = frit::zeros<float>({18, 28});
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                expected = expected + image(frit::slice(a, a + 18), frit::slice(b, b + 28)) * k(a, b);
        EXPECT_TRUE(allclose(y, expected, 1e-5, 1e-6));
    });
    EXPECT_KERNELS(1, array<float>(sum(sliding_window_view(image, {3, 3}) * k, {2, 3})));
    EXPECT_KERNELS(1, array<float>(mean(sliding_window_view(image, 5, 1), -1)));
    EXPECT_KERNELS(1, array<float>(max(sliding_window_view(image, 5, 0), -1) - 1));
    const frit::plan p = frit::make_plan(array<float>(sum(sliding_window_view(image, {3, 3}) * k, {2, 3})));
    EXPECT_EQ(p.bytes_read(), (600 + 9) * 4);
    EXPECT_EQ(p.bytes_written(), 18 * 28 * 4);
}

TEST(Windows, Mistakes) {
    const array<int> x = arange(12).reshape({3, 4});
    EXPECT_ERROR(sliding_window_view(x, 4, 0), frit::shape_error, "sliding_window_view", "extent 4", "(3, 4)",
                 "test_select.cpp");
    EXPECT_ERROR(sliding_window_view(x, -1, 0), frit::shape_error, "extent -1");
    EXPECT_ERROR(sliding_window_view(x, 2), frit::shape_error, "1 axes along 2");
    EXPECT_ERROR(sliding_window_view(x, 2, 2), frit::index_error, "sliding_window_view", "axis 2");
}

}  // namespace

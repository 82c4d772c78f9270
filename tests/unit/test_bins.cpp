// bincount, histogram and histogram2d beside NumPy's answers: edges, NaN, what lies outside, weights.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {

using frit::array;
using counts = std::vector<std::int64_t>;

TEST(Bins, Bincount) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> x{1, 3, 1, 0, 6};
        EXPECT_EQ(bincount(x).to_vector(), (counts{1, 2, 0, 1, 0, 0, 1}));
        EXPECT_EQ(bincount(x, 9).to_vector(), (counts{1, 2, 0, 1, 0, 0, 1, 0, 0}));
        EXPECT_EQ(bincount(x, array<float>{.5F, 1, 2, 4, 8}).to_vector(), (std::vector<float>{4, 2.5F, 0, 1, 0, 0, 8}));
        EXPECT_EQ(bincount(frit::zeros<int>({0}), 2).to_vector(), (counts{0, 0}));
        EXPECT_EQ(bincount(x * 2 - x).to_vector(), (counts{1, 2, 0, 1, 0, 0, 1}));
        EXPECT_THROW(bincount(x - 1), frit::index_error);
        EXPECT_THROW(bincount(frit::ones<float>({3})), frit::dtype_error);
        EXPECT_THROW(bincount(frit::ones<int>({3, 3})), frit::shape_error);
        EXPECT_THROW(bincount(x, frit::ones<float>({3})), frit::shape_error);
    });
}

TEST(Bins, HistogramOfEqualBins) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const double nan = std::nan("");
        const array<double> x{0, 0.1, 0.25, 0.5, 0.999, 1, -0.1, 1.1, nan, 0.75};
        const auto [n, edges] = histogram(x, 4, 0, 1);
        EXPECT_EQ(n.to_vector(), (counts{2, 1, 1, 3}));
        EXPECT_EQ(edges.to_vector(), (std::vector<double>{0, .25, .5, .75, 1}));
        const auto weighted = histogram(x, 2, 0, 1, frit::full({10}, 0.5));
        EXPECT_EQ(std::get<0>(weighted).to_vector(), (std::vector<double>{1.5, 2}));
        EXPECT_EQ(std::get<0>(histogram(array<int>{{1, 2}, {1, 9}}, 3, 1, 4)).to_vector(), (counts{2, 1, 0}));
        EXPECT_THROW(histogram(x, 0, 0, 1), frit::index_error);
        EXPECT_THROW(histogram(x, 3, 1, 1), frit::index_error);
        EXPECT_THROW(histogram(x, 3, 0, 1, frit::ones<float>({3})), frit::shape_error);
    });
}

TEST(Bins, FromTheLeastElementToTheLargest) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<float> x{1, 4, 2, 2, 3};
        const auto [n, edges] = histogram(x * 2, 3);
        EXPECT_EQ(n.to_vector(), (counts{1, 2, 2}));
        EXPECT_EQ(edges.to_vector(), (std::vector<float>{2, 4, 6, 8}));
        const auto weighted = histogram(frit::any_array(x), 3, array<double>{1, 2, 3, 4, 5});
        EXPECT_EQ(array<double>(std::get<0>(weighted)).to_vector(), (std::vector<double>{1, 7, 7}));
        const auto one = histogram(array<int>{7, 7}, 2);
        EXPECT_EQ(std::get<0>(one).to_vector(), (counts{0, 2}));
        EXPECT_EQ(std::get<1>(one).to_vector(), (std::vector<double>{6.5, 7, 7.5}));
        EXPECT_EQ(std::get<1>(histogram(frit::zeros<float>({0}), 1)).to_vector(), (std::vector<float>{0, 1}));
        EXPECT_THROW(histogram(array<double>{1, std::nan("")}, 2), frit::index_error);
        EXPECT_THROW(histogram(array<std::complex<double>>{1}, 2), frit::dtype_error);
    });
}

// An edge is what NumPy has: the product is rounded before the sum, and the middle of what is symmetric is 0.
TEST(Bins, EdgesAreThoseOfLinspace) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const auto [n, edges] = histogram(array<double>{0, 0, 0, 1}, 10, -9, 9);
        EXPECT_EQ(n.to_vector(), (counts{0, 0, 0, 0, 0, 4, 0, 0, 0, 0}));
        EXPECT_EQ(edges(5).item(), 0);
        EXPECT_EQ(edges.to_vector(), frit::linspace(-9.0, 9.0, 11).to_vector());
    });
}

TEST(Bins, WhatLiesOnAnEdgeBelongsToItsRight) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        for (const std::int64_t bins : {1, 3, 7, 10, 49}) {
            const auto edges = std::get<1>(histogram(frit::zeros<float>({1}), bins, 0.1, 0.9));
            counts expected(static_cast<std::size_t>(bins), 1);
            ++expected.back();
            EXPECT_EQ(std::get<0>(histogram(edges, bins, 0.1, 0.9)).to_vector(), expected) << bins;
            EXPECT_EQ(std::get<0>(histogram(edges, edges)).to_vector(), expected) << bins;
        }
    });
}

// A quotient may name the bin beside: of an edge, of the numbers next to it on either side, and of what is nowhere near one.
TEST(Bins, WhatLiesNextToAnEdge) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const auto check = [&]<class T>(T, std::int64_t bins, double lo, double hi) {
            const std::vector<T> edges = std::get<1>(histogram(frit::zeros<T>({1}), bins, lo, hi)).to_vector();
            constexpr T far = std::numeric_limits<T>::infinity();
            std::vector<T> x{std::numeric_limits<T>::quiet_NaN(),
                             far,
                             -far,
                             std::numeric_limits<T>::max(),
                             std::numeric_limits<T>::lowest(),
                             T(-0.0),
                             std::numeric_limits<T>::denorm_min()};
            for (const T e : edges) {
                x.insert(x.end(), {std::nextafter(e, -far), e, std::nextafter(e, far)});
                x.push_back(e + static_cast<T>((hi - lo) / static_cast<double>(bins) / 3));
            }
            counts expected(static_cast<std::size_t>(bins));
            for (const T v : x)
                if (v >= edges.front() && v <= edges.back()) {
                    const auto above = std::upper_bound(edges.begin(), edges.end(), v) - edges.begin();
                    ++expected[static_cast<std::size_t>(std::min(above, bins) - 1)];
                }
            EXPECT_EQ(std::get<0>(histogram(frit::from_host(x), bins, lo, hi)).to_vector(), expected)
                << bins << " " << lo << " " << hi << " " << sizeof(T);
        };
        for (const std::int64_t bins : {1, 3, 100, 1000})
            for (const auto& [lo, hi] : {std::pair{-2.0, 2.0}, {0.1, 0.9}, {1000.0, 1001.0}, {-1e30, 3e30}, {1e-9, 1.0}}) {
                check(0.0F, bins, lo, hi);
                check(0.0, bins, lo, hi);
            }
    });
}

TEST(Bins, WhatIsCountedHasNoWeightsInMemory) {
    const std::int64_t n = 1 << 17;
    const array<float> x = frit::cast<float>(frit::arange<int>(n) % 400 - 100).eval();
    const array<std::int64_t> h = std::get<0>(histogram(x, 256, 0, 256));
    const frit::plan p = frit::make_plan(h);
    EXPECT_EQ(p.library_calls().size(),
              frit::default_device().is_cpu() ? 1U : 0U);  // a GPU's kernel counts: test_tallies.cpp
    EXPECT_LT(p.bytes_written(), n * 4 + 20'000);          // the bins' numbers
    counts expected(256);
    for (const float v : x.to_vector())
        if (v >= 0 && v <= 256) ++expected[std::min<std::size_t>(static_cast<std::size_t>(v), 255)];
    EXPECT_EQ(h.to_vector(), expected);
}

TEST(Bins, HistogramOfGivenEdges) {
    const array<float> x{1, 2, 3, 4, 2.5F, std::nanf(""), 7, -1}, edges{1, 2, 4, 7};
    EXPECT_EQ(std::get<0>(histogram(x, edges)).to_vector(), (counts{1, 3, 2}));
    EXPECT_EQ(std::get<0>(histogram(x, edges, x * 0 + 2)).to_vector().size(), 3U);
    EXPECT_THROW(histogram(x, array<float>{1}), frit::shape_error);
}

// np.histogram2d(x, y, bins, range, weights=w)
TEST(Bins, HistogramOfPoints) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        using reals = std::vector<double>;
        const double nan = std::nan("");
        const array<double> x{0.5, 1.5, 1.5, 2, -1, nan, 0, 1, 2, 2.5, 0.25}, y{1, 0, 9, 2, 1, 1, 3, 3, 3, 1, nan};
        const array<int> w{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
        const auto [h, x_edges, y_edges] = histogram2d(x, y, {2, 0, 2}, {3, 0, 3});
        EXPECT_EQ(h.shape(), (frit::shape{2, 3}));
        EXPECT_EQ(h.to_vector(), (reals{0, 1, 1, 1, 0, 3}));
        EXPECT_EQ(x_edges.to_vector(), (reals{0, 1, 2}));
        EXPECT_EQ(y_edges.to_vector(), (reals{0, 1, 2, 3}));
        EXPECT_EQ(std::get<0>(histogram2d(x, y, {2, 0, 2}, {3, 0, 3}, w)).to_vector(), (reals{0, 1, 7, 2, 0, 21}));
        const array<int> ex{0, 1, 2};
        const array<float> ey{0, 0.5F, 3};
        EXPECT_EQ(std::get<0>(histogram2d(x, y, ex, ey)).to_vector(), (reals{0, 2, 1, 3}));
        EXPECT_EQ(std::get<0>(histogram2d(x, y, ex, ey, w)).to_vector(), (reals{0, 8, 2, 21}));
        const auto mixed = histogram2d(x, y, frit::equal_bins{2, 0, 2}, ey, w * 0.5);
        EXPECT_EQ(std::get<0>(mixed).to_vector(), (reals{0, 4, 1, 10.5}));
        EXPECT_EQ(std::get<2>(mixed).dtype(), frit::dtype::f32);
        EXPECT_EQ(std::get<0>(histogram2d(x, y, {1, -9, 9}, {1, -9, 9})).to_vector(), reals{9});
    });
}

TEST(Bins, HistogramOfPointsOfOtherDtypesAndMistakes) {
    const auto check = [&]<class T>(T) {
        const array<T> x = frit::cast<T>(array<int>{{0, 1}, {1, 1}}), y = frit::cast<T>(array<int>{{1, 1}, {0, 1}});
        EXPECT_EQ(std::get<0>(histogram2d(x, y, {2, 0, 2}, {2, 0, 2})).to_vector(), (std::vector<double>{0, 1, 1, 2}));
        const frit::any_array a = x, edges = frit::cast<T>(array<int>{0, 1, 1});
        EXPECT_EQ(std::get<0>(histogram2d(a, y, edges, edges)).to_vector(), (std::vector<double>{0, 1, 1, 2}));
    };
    check(bool{});
    check(std::int8_t{});
    check(std::uint64_t{});
    check(frit::half{});
    check(frit::bfloat16{});
    check(float{});
    const array<float> none = frit::zeros<float>({0}), x{1, 2};
    EXPECT_EQ(std::get<0>(histogram2d(none, none, {1, 0, 1}, {2, 0, 1})).to_vector(), (std::vector<double>{0, 0}));
    EXPECT_EQ(std::get<0>(histogram2d(frit::scalar(0.5), frit::scalar(0), {1, 0, 1}, {1, 0, 1})).to_vector(),
              std::vector<double>{1});
    EXPECT_ERROR(histogram2d(x, none, {1, 0, 1}, {2, 0, 1}), frit::shape_error, "histogram2d", "(2,), (0,)",
                 "test_bins.cpp");
    EXPECT_ERROR(histogram2d(x, x, {1, 0, 1}, {0, 0, 1}), frit::index_error, "histogram2d", "there must be bins");
    EXPECT_ERROR(histogram2d(x, x, {1, 0, 1}, {1, 0, 1}, none), frit::shape_error, "histogram2d", "weight");
    EXPECT_ERROR(histogram2d(x, x, frit::equal_bins{1, 0, 1}, frit::scalar(1)), frit::shape_error, "histogram2d", "edges");
    EXPECT_ERROR(histogram2d(frit::cast<std::complex<float>>(x), x, {1, 0, 1}, {1, 0, 1}), frit::dtype_error, "histogram2d",
                 "complex64");
}

}  // namespace

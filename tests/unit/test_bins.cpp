// bincount and histogram beside NumPy's answers: edges, NaN, what lies outside, weights.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"

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

TEST(Bins, HistogramOfGivenEdges) {
    const array<float> x{1, 2, 3, 4, 2.5F, std::nanf(""), 7, -1}, edges{1, 2, 4, 7};
    EXPECT_EQ(std::get<0>(histogram(x, edges)).to_vector(), (counts{1, 3, 2}));
    EXPECT_EQ(std::get<0>(histogram(x, edges, x * 0 + 2)).to_vector().size(), 3U);
    EXPECT_THROW(histogram(x, array<float>{1}), frit::shape_error);
}

}  // namespace

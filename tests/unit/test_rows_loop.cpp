// for (auto row : x): the rows of arrays and formulas, when they are computed, and what the loop keeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/kernels.hpp"

namespace {

using frit::array;
using frit::shape;
using ints = std::vector<int>;

static_assert(std::forward_iterator<decltype(begin(array<float>()))>);

array<int> counted(const shape& extents) { return frit::arange(static_cast<int>(extents.size())).reshape({extents}); }

TEST(RowsLoop, ShowsTheRows) {
    const array<int> x = counted({3, 2, 2});
    int k = 0;
    for (auto row : x) {
        EXPECT_EQ(row.shape(), shape({2, 2}));
        EXPECT_EQ(row.to_vector(), x(k++).to_vector());
    }
    EXPECT_EQ(k, 3);
    std::vector<array<int>> kept;
    for (const array<int>& row : x) kept.push_back(row);  // converted: an array of its own
    EXPECT_EQ(kept[2].to_vector(), x(2).to_vector());
    k = 0;
    for (auto number : counted({3})) EXPECT_EQ(number.item(), k++);
    for (auto row : frit::zeros<float>({0, 3})) FAIL() << row;
    k = 0;
    for (auto row : frit::zeros<float>({3, 0})) EXPECT_EQ(row.size() + 0 * k++, 0);
    EXPECT_EQ(k, 3);
}

TEST(RowsLoop, IsLazyAndFuses) {
    array<float> x = frit::ones<float>({8, 100});
    x.eval();
    frit::reset_stats();
    array<float> total = frit::zeros<float>(100);
    for (auto row : x) total += row * 2.0F;
    EXPECT_EQ(frit::stats().kernels_launched, 0U);
    EXPECT_KERNELS(1, total);
    EXPECT_EQ(total.to_vector(), std::vector<float>(100, 16));
}

TEST(RowsLoop, OfAFormulaRecordsItOnce) {
    array<float> x = frit::linspace(0.0F, 1.0F, 4000).reshape({4, 1000});
    x.eval();
    frit::reset_stats();
    float sum = 0;
    for (auto row : exp(x) * 2.0F) sum += row(0).item();
    EXPECT_GT(sum, 0);
    // The first element alone; where a second one is wanted, the formula is stored beside it; the others are read from
    // there.
    EXPECT_EQ(frit::stats().kernels_launched, 3U);
    array<float> pending = exp(x);
    for (auto row : pending) (void)row.eval();
    EXPECT_GT(frit::stats().kernels_launched, 3U);
}

TEST(RowsLoop, IsOverTheValueThatItBeganWith) {
    array<int> u = counted({3, 2});
    ints seen;
    int k = 0;
    for (auto row : u) {
        u(2 - k++) = -1;
        seen.push_back(frit::sum(row).item() > 0);
        u = {};
        u = counted({3, 2});
    }
    EXPECT_EQ(seen, ints(3, 1));
    ints firsts;
    for (auto row : u) {
        u(frit::all) = 0;
        firsts.push_back(row(0).item());
    }
    EXPECT_EQ(firsts, (ints{0, 2, 4}));
    EXPECT_EQ(frit::sum(u).item(), 0);
}

TEST(RowsLoop, WithAlgorithms) {
    const array<int> x = counted({4, 3});
    EXPECT_EQ(std::distance(begin(x), end(x)), 4);
    const auto found = std::find_if(begin(x), end(x), [](const auto& row) { return row(0).item() > 4; });
    EXPECT_EQ((*found).to_vector(), (ints{6, 7, 8}));
    auto next = begin(x);
    EXPECT_EQ((*next++).to_vector(), (ints{0, 1, 2}));
    EXPECT_EQ((*next).to_vector(), (ints{3, 4, 5}));
    EXPECT_FALSE(next == end(x));
}

TEST(RowsLoop, NeedsAnAxis) {
    const array<int> none = frit::scalar(3);
    EXPECT_ERROR(for (auto row : none)(void) row, frit::shape_error, "begin", "rank 0", "()", "test_rows_loop.cpp");
    EXPECT_ERROR((void)begin(array<int>()), frit::error, "test_rows_loop.cpp");
}

}  // namespace

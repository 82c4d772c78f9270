// Views as the user spells them: every slice against the plain rule, and the functions that rearrange, add, drop and pad
// axes.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/kernels.hpp"

namespace {
using frit::all;
using frit::array;
using frit::ellipsis;
using frit::newaxis;
using frit::none;
using frit::pad_mode;
using frit::shape;
using frit::slice;
using ints = std::vector<int>;
using bound = std::optional<int>;

array<int> counted(const shape& s) { return array<int>(frit::arange<int>(0, static_cast<int>(s.size())).reshape(s)); }

/// Python's rule for slices, one element at a time.
ints sliced(int n, bound start, bound stop, int step) {
    const auto absolute = [n](int k) { return k < 0 ? k + n : k; };
    ints picked;
    if (step > 0) {
        for (int k = 0; k < n; ++k) {
            const int from = std::max(0, absolute(start.value_or(0)));
            if (k >= from && (!stop || k < absolute(*stop)) && (k - from) % step == 0) picked.push_back(k);
        }
    } else {
        for (int k = n - 1; k >= 0; --k) {
            const int from = std::min(n - 1, start ? absolute(*start) : n - 1);
            if (k <= from && (!stop || k > absolute(*stop)) && (from - k) % -step == 0) picked.push_back(k);
        }
    }
    return picked;
}

frit::detail::bound as_bound(bound b) { return b ? frit::detail::bound(*b) : frit::detail::bound(none); }

TEST(ViewFunctions, EverySliceOfAShortAxis) {
    std::vector<bound> bounds{std::nullopt};
    for (int k = -6; k <= 6; ++k) bounds.emplace_back(k);
    for (int n = 0; n <= 4; ++n) {
        const array<int> x = frit::arange<int>(0, n);
        for (bound start : bounds)
            for (bound stop : bounds)
                for (int step : {-3, -2, -1, 1, 2, 3}) {
                    const auto view = x(slice(as_bound(start), as_bound(stop), step));
                    ASSERT_EQ(view.to_vector(), sliced(n, start, stop, step))
                        << "x(slice(" << (start ? std::to_string(*start) : "none") << ", "
                        << (stop ? std::to_string(*stop) : "none") << ", " << step << ")) of " << n;
                }
    }
}

TEST(ViewFunctions, BoundsAndStepsOfAnySize) {
    const array<int> x = frit::arange<int>(0, 5);
    EXPECT_EQ(x(slice(0, INT64_MAX)).size(), 5);
    EXPECT_EQ(x(slice(INT64_MIN, none)).size(), 5);
    EXPECT_EQ(x(slice(none, none, INT64_MAX)).to_vector(), ints{0});
    EXPECT_EQ(x(slice(none, none, INT64_MIN)).to_vector(), ints{4});
    EXPECT_ERROR((void)x(slice(1, 2, 0)), frit::index_error, "step", "(5,)", "test_view_functions.cpp");
}

TEST(ViewFunctions, MixedIndices) {
    const array<int> x = counted({2, 3, 4});
    EXPECT_EQ(x(1, 2, 3).item(), 23);
    EXPECT_EQ(x(-1, -3, -4).item(), 12);
    EXPECT_EQ(x(1).shape(), (shape{3, 4}));
    EXPECT_EQ(x(ellipsis, 1).shape(), (shape{2, 3}));
    EXPECT_EQ(x(ellipsis, 1).to_vector(), (ints{1, 5, 9, 13, 17, 21}));
    EXPECT_EQ(x(newaxis, 0, ellipsis, newaxis, slice(none, none, 2)).shape(), (shape{1, 3, 1, 2}));
    EXPECT_EQ(x(all, 0, slice(none, none, -1)).to_vector(), (ints{3, 2, 1, 0, 15, 14, 13, 12}));
    EXPECT_EQ(x(ellipsis).shape(), x.shape());
    EXPECT_ERROR((void)x(ellipsis, 0, ellipsis), frit::index_error, "ellipsis", "(2, 3, 4)");
    EXPECT_ERROR((void)x(0, 3), frit::index_error, "index 3", "axis 1", "extent 3", "(2, 3, 4)");
    EXPECT_ERROR((void)x(0, -4), frit::index_error, "index -4", "axis 1");
    EXPECT_ERROR((void)x(0, 0, 0, 0), frit::index_error, "4 indices", "rank 3");
    EXPECT_EQ((x + x)(1, 2, slice(0, 2)).to_vector(), (ints{40, 42}));
}

TEST(ViewFunctions, AssignmentThroughEveryKindOfIndex) {
    array<int> u = frit::zeros<int>({2, 3});
    u(0) = 1;
    u(all, slice(none, none, -2)) += array<int>{10, 20};
    EXPECT_EQ(u.to_vector(), (ints{21, 1, 11, 20, 0, 10}));
    u(ellipsis, newaxis, 1) = array<int>{{7}, {8}};
    EXPECT_EQ(u.to_vector(), (ints{21, 7, 11, 20, 8, 10}));
    u(1, 2) = u(0, 0);
    EXPECT_EQ(u.to_vector(), (ints{21, 7, 11, 20, 8, 21}));
    u(all) = 0;
    EXPECT_EQ(u.to_vector(), ints(6, 0));
    EXPECT_ERROR(u(0) = (array<int>{1, 2}), frit::shape_error, "(3,)", "(2,)", "test_view_functions.cpp");
}

TEST(ViewFunctions, Transpose) {
    const array<int> x = counted({2, 3, 4});
    EXPECT_EQ(x.T().shape(), (shape{4, 3, 2}));
    EXPECT_EQ(frit::transpose(x, {2, 0, 1}).shape(), (shape{4, 2, 3}));
    EXPECT_EQ(frit::transpose(x, {-1, 0, 1})(1, 1, 2).item(), x(1, 2, 1).item());
    EXPECT_EQ(frit::transpose(frit::scalar(3)).item(), 3);
    EXPECT_ERROR((void)frit::transpose(x, {0, 1}), frit::index_error, "transpose", "{0, 1}", "(2, 3, 4)");
    EXPECT_ERROR((void)frit::transpose(x, {0, 1, -2}), frit::index_error, "transpose", "-2", "twice");
    EXPECT_ERROR((void)frit::transpose(x, {0, 1, 3}), frit::index_error, "transpose", "axis 3", "rank 3");
}

TEST(ViewFunctions, Reshape) {
    const array<int> x = counted({2, 6});
    EXPECT_EQ(x.reshape({3, -1}).shape(), (shape{3, 4}));
    EXPECT_EQ(x.reshape(-1).shape(), shape{12});
    EXPECT_EQ(frit::reshape(x.T(), {-1}).to_vector(), (ints{0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11}));
    EXPECT_EQ(frit::zeros<int>({0, 3}).reshape({3, -1}).shape(), (shape{3, 0}));
    EXPECT_EQ(x(0, slice(0, 1)).reshape({}).item(), 0);
    EXPECT_ERROR((void)x.reshape({5, -1}), frit::shape_error, "reshape", "{5, -1}", "(2, 6)");
    EXPECT_ERROR((void)x.reshape({-1, -1}), frit::shape_error, "only one");
    EXPECT_ERROR((void)x.reshape({-2, -6}), frit::shape_error, "negative");
    EXPECT_ERROR((void)frit::zeros<int>({0, 3}).reshape({0, -1}), frit::shape_error, "-1");
}

TEST(ViewFunctions, AxesAddedAndDropped) {
    const array<int> x = counted({1, 3, 1});
    EXPECT_EQ(frit::squeeze(x).shape(), shape{3});
    EXPECT_EQ(frit::squeeze(x, -1).shape(), (shape{1, 3}));
    EXPECT_EQ(frit::squeeze(x, {0, 2}).to_vector(), (ints{0, 1, 2}));
    EXPECT_ERROR((void)frit::squeeze(x, 1), frit::shape_error, "squeeze", "axis 1", "extent 3");
    EXPECT_EQ(frit::expand_dims(x, 0).shape(), (shape{1, 1, 3, 1}));
    EXPECT_EQ(frit::expand_dims(frit::squeeze(x), {0, -1}).shape(), (shape{1, 3, 1}));
    EXPECT_ERROR((void)frit::expand_dims(x, 4), frit::index_error, "expand_dims", "axis 4", "rank 4");
    EXPECT_EQ(frit::broadcast_to(x, {2, 3, 2}).to_vector(), (ints{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}));
    EXPECT_ERROR((void)frit::broadcast_to(x, {3, 1}), frit::shape_error, "broadcast_to", "(1, 3, 1)", "(3, 1)");
}

TEST(ViewFunctions, FlipAndDiagonal) {
    const array<int> x = counted({2, 3});
    EXPECT_EQ(frit::flip(x).to_vector(), (ints{5, 4, 3, 2, 1, 0}));
    EXPECT_EQ(frit::flip(x, 0).to_vector(), (ints{3, 4, 5, 0, 1, 2}));
    EXPECT_EQ(frit::flip(x, {-1}).to_vector(), (ints{2, 1, 0, 5, 4, 3}));
    EXPECT_ERROR((void)frit::flip(x, {0, -2}), frit::index_error, "flip", "twice");
    EXPECT_EQ(frit::diagonal(x).to_vector(), (ints{0, 4}));
    EXPECT_EQ(frit::diagonal(x, 1).to_vector(), (ints{1, 5}));
    EXPECT_EQ(frit::diagonal(x, 2).to_vector(), ints{2});
    EXPECT_EQ(frit::diagonal(x, 3).size(), 0);
    EXPECT_EQ(frit::diagonal(x, -1).to_vector(), ints{3});
    EXPECT_EQ(frit::diagonal(x, -7).size(), 0);
    EXPECT_EQ(frit::diagonal(x, 1, 1, 0).to_vector(), ints{3});
    EXPECT_EQ(frit::diagonal(counted({2, 3, 2}), 0, 0, 2).to_vector(), (ints{0, 7, 2, 9, 4, 11}));
    EXPECT_ERROR((void)frit::diagonal(x, 0, 1, -1), frit::index_error, "diagonal", "differ");
}

TEST(ViewFunctions, Pad) {
    const array<int> x{{1, 2}, {3, 4}};
    EXPECT_EQ(frit::pad(x, {{1, 0}, {0, 2}}, pad_mode::edge).to_vector(), (ints{1, 2, 2, 2, 1, 2, 2, 2, 3, 4, 4, 4}));
    EXPECT_EQ(frit::pad(x, {{1, 0}, {0, 2}}, pad_mode::constant, 9).to_vector(), (ints{9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9, 9}));
    EXPECT_EQ(frit::pad(x, {{0, 1}}).to_vector(), (ints{1, 2, 0, 3, 4, 0, 0, 0, 0}));
    EXPECT_EQ(frit::pad(x + 1, {{0, 0}}).to_vector(), (ints{2, 3, 4, 5}));
    EXPECT_EQ(frit::pad(frit::zeros<int>({0}), {{1, 1}}, pad_mode::constant, 5).to_vector(), (ints{5, 5}));
    EXPECT_ERROR((void)frit::pad(frit::zeros<int>({0}), {{1, 1}}, pad_mode::edge), frit::shape_error, "pad", "axis 0",
                 "(0,)");
    EXPECT_ERROR((void)frit::pad(x, {{-1, 1}}), frit::shape_error, "pad", "negative", "(2, 2)");
    EXPECT_ERROR((void)frit::pad(x, {{1, 1}, {1, 1}, {1, 1}}), frit::shape_error, "pad", "3 pairs", "rank 2");
    const std::vector<float> padded = frit::pad(array<float>{1}, {{1, 1}}, pad_mode::constant, -0.5F).to_vector();
    EXPECT_EQ(padded, (std::vector<float>{-0.5F, 1, -0.5F}));
}

TEST(ViewFunctions, CreationOfSequences) {
    EXPECT_EQ(frit::arange<std::int64_t>(INT64_MIN, INT64_MAX, INT64_MAX).to_vector(),
              (std::vector<std::int64_t>{INT64_MIN, -1, INT64_MAX - 1}));
    EXPECT_EQ(frit::arange(0.0, 1.0, 0.25).to_vector(), (std::vector<double>{0, 0.25, 0.5, 0.75}));
    EXPECT_EQ(frit::arange(3).to_vector(), (ints{0, 1, 2}));
    EXPECT_EQ(frit::arange<int>(0, 5, -1).size(), 0);
    EXPECT_ERROR((void)frit::arange(0.0, 1e300, 1e-300), frit::shape_error, "arange");
    EXPECT_ERROR((void)frit::arange(0.0, NAN, 1.0), frit::shape_error, "arange");
    EXPECT_EQ(frit::linspace(0.F, 1.F, 3).to_vector(), (std::vector<float>{0, 0.5F, 1}));
    EXPECT_EQ(frit::linspace(2, 3, 1).to_vector(), std::vector<double>{2});
    EXPECT_EQ(frit::linspace(0.1F, 0.7F, 8).to_vector().back(), 0.7F);
    EXPECT_EQ(frit::linspace(0, 1, 0).size(), 0);
    EXPECT_EQ(frit::eye<int>(2, 3, 1).to_vector(), (ints{0, 1, 0, 0, 0, 1}));
    EXPECT_EQ(frit::eye<int>(3, 2, -2).to_vector(), (ints{0, 0, 0, 0, 1, 0}));
}

}  // namespace

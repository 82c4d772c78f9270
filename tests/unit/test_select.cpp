// Windows, and what is picked by masks and counts: NumPy's answers on every engine, kernels, and mistakes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "src/base/threads.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/thorough.hpp"

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

/// Reductions over windows, beside those over what was copied out of them first.
template <class T>
void windows_as_copied(const array<T>& x, const frit::int_list& window) {
    SCOPED_TRACE(to_string(x.shape()) + " " + std::string(name_of(x.dtype())) + " " + std::to_string(window[0]));
    const auto seen = sliding_window_view(x, window);
    const array<T> copied = array<T>(seen).eval();
    const auto same = [](const auto& a, const auto& b) {
        const auto got = frit::cast<double>(a).to_vector(), want = frit::cast<double>(b).to_vector();
        ASSERT_EQ(got.size(), want.size());
        for (std::size_t k = 0; k < got.size(); ++k)
            if (std::isnan(want[k]))
                ASSERT_TRUE(std::isnan(got[k])) << k;
            else
                ASSERT_NEAR(got[k], want[k], 4e-3 * (1 + std::abs(want[k]))) << k;
    };
    const frit::axes both = {-2, -1};
    same(sum(seen, both), sum(copied, both));
    same(max(seen, both) - min(seen, both), max(copied, both) - min(copied, both));
    same(mean(seen, -2), mean(copied, -2));
    same(sum(seen * seen, -1), sum(copied * copied, -1));
    same(any(seen > T(3), both), any(copied > T(3), both));
    same(frit::all(seen > T(1), -1), frit::all(copied > T(1), -1));
    same(argmax(seen, -1), argmax(copied, -1));
    same(var(seen, both), var(copied, both));
    same(seen - min(seen, both, frit::keepdims), copied - min(copied, both, frit::keepdims));
    same(frit::sum(seen(frit::all, frit::all, 0), -1), frit::sum(copied(frit::all, frit::all, 0), -1));
}

TEST(Windows, OfAllDtypesLayoutsAndLengths) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        std::size_t turn = 0;
        for (const auto& [rows, columns] : {std::pair{9, 12}, {13, 37}, {24, 70}}) {
            const auto values = [&, r = rows, c = columns](auto zero) {
                return array<decltype(zero)>(frit::cast<decltype(zero)>(arange(r * c) * 37 % 11)).reshape({r, c}).eval();
            };
            for (const frit::int_list& window : {frit::int_list{3, 5}, {2, 1}, {1, 4}, {8, 8}}) {
                if (!frit_test::sampled(turn++, 3)) continue;
                windows_as_copied(values(0.0F), window);
                windows_as_copied(values(0.0), window);
                windows_as_copied(values(frit::half()), window);
                windows_as_copied(values(std::int32_t()), window);
                windows_as_copied(values(std::uint8_t()), window);
                windows_as_copied(array<float>(frit::where(values(0.0F) == 10.0F, std::nanf(""), values(0.0F))), window);
            }
            const array<float> x = values(0.0F);
            windows_as_copied(array<float>(x.T() * 2), {4, 3});
            windows_as_copied(array<float>(x(frit::slice(1, -1), frit::slice(0, -1, 2))), {3, 3});
            const array<std::complex<float>> z = x * std::complex<float>(1, -2);
            const auto seen = sliding_window_view(z, 4, 1);
            EXPECT_TRUE(allclose(sum(seen, -1), sum(array<std::complex<float>>(seen).eval(), -1), 1e-5));
        }
    });
}

// Windows seen through other views: clamped ones, turned, with steps.
TEST(Windows, SeenThroughViews) {
    const array<float> x = (arange<float>(10) * 3 % 7).eval();
    const auto rows = [&] { return sliding_window_view(x, 3); };  // anew: what was evaluated is memory
    const auto same = [](const auto& a, const auto& b) {
        EXPECT_EQ(array<float>(a).to_vector(), array<float>(b).to_vector());
    };
    frit_test::everywhere([&](const std::string& where) {
        SCOPED_TRACE(where);
        const array<float> copied = array<float>(rows()).eval();
        for (const frit::pad_mode mode : {frit::pad_mode::edge, frit::pad_mode::reflect, frit::pad_mode::wrap}) {
            const auto padded = [mode](const auto& of) { return frit::pad(of, {{1, 1}, {0, 0}}, mode); };
            same(sum(padded(rows()), 1), sum(array<float>(padded(copied)).eval(), 1));
            same(max(padded(rows()), 1), max(array<float>(padded(copied)).eval(), 1));
        }
        same(sum(frit::roll(rows(), 1, 0), 1), sum(array<float>(frit::roll(copied, 1, 0)).eval(), 1));
        same(sum(rows()(frit::slice(frit::none, frit::none, -1)), 1),
             sum(array<float>(copied(frit::slice(frit::none, frit::none, -1))).eval(), 1));
        same(sum(rows()(frit::slice(1, -1, 3), frit::slice(frit::none, frit::none, -1)), 1),
             sum(array<float>(copied(frit::slice(1, -1, 3), frit::slice(frit::none, frit::none, -1))).eval(), 1));
    });
}

// Bits do not depend on how the statement is run, and a sum of nothing but -0 is 0.
TEST(Windows, BitsOfSums) {
    const array<float> x = frit::sin(arange<float>(3000)).reshape({50, 60}).eval(), k = frit::cos(arange<float>(12)).eval();
    const array<float> sums = sum(sliding_window_view(x, {3, 4}) * k.reshape({3, 4}), {2, 3});
    const std::vector<float> here = sums.to_vector();  // none of them is 0
    const array<float> slices = correlate(x, k.reshape({3, 4}), frit::convolve_mode::valid);
    EXPECT_TRUE(allclose(sums, slices, 1e-6, 1e-6));
    frit_test::everywhere([&](const std::string& where) {
        SCOPED_TRACE(where);
        const array<float> again = sum(sliding_window_view(x, {3, 4}) * k.reshape({3, 4}), {2, 3});
        EXPECT_EQ(again.to_vector(), here);
        const array<float> zeros = sum(sliding_window_view(-frit::zeros<float>({9}), 3), 1);
        EXPECT_FALSE(std::signbit(zeros(0).item()));
    });
}

TEST(Windows, WhatIsOneKernel) {
    const array<float> x = frit::sin(arange<float>(5000)).reshape({50, 100}).eval();
    const auto traffic = [](const array<float>& y) { return frit_test::evaluate(y); };
    const auto expect = [](const frit_test::traffic& t, std::size_t kernels, std::size_t read, std::size_t written) {
        EXPECT_EQ(t.kernels, kernels);
        EXPECT_EQ(t.bytes_read, read * sizeof(float));
        EXPECT_EQ(t.bytes_written, written * sizeof(float));
    };
    const auto seen = sliding_window_view(x, {5, 5});
    expect(traffic(sum(seen, {2, 3})), 1, 5000, 46 * 96);
    expect(traffic(max(seen, frit::axes{2, 3}) - min(seen, frit::axes{2, 3})), 1, 5000, 46 * 96);
    expect(traffic(mean(sliding_window_view(x, 60, 1), 2)), 1, 5000, 50 * 41);
    expect(traffic(mean(sliding_window_view(x, 61, 1), 2)), 1, 5000, 50 * 40);
    expect(traffic(array<float>(sliding_window_view(x, {5, 5}))), 1, 5000, 46 * 96 * 25);
    // what is computed below is stored, once
    expect(traffic(sum(sliding_window_view(exp(x), {3, 3}), {2, 3})), 2, 10000, 5000 + 48 * 98);
    // one kernel over the windows' elements, not two
    expect(traffic(seen - mean(seen, {2, 3}, frit::keepdims)), 1, 5000, 46 * 96 * 25);
}

TEST(Windows, UpdatesOfWhatTheySeeKeepTheOldValues) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        array<int> u = (arange(100) * 7 % 13).eval();
        ints expected = u.to_vector();
        for (int round = 0; round < 3; ++round) {
            u(frit::slice(1, -1)) = sum(sliding_window_view(u, 3), 1) % 5;
            const ints old = expected;
            for (std::size_t k = 1; k < 99; ++k) expected[k] = (old[k - 1] + old[k] + old[k + 1]) % 5;
        }
        EXPECT_EQ(u.to_vector(), expected);
    });
}

TEST(Windows, Mistakes) {
    const array<int> x = arange(12).reshape({3, 4});
    EXPECT_ERROR(sliding_window_view(x, 4, 0), frit::shape_error, "sliding_window_view", "extent 4", "(3, 4)",
                 "test_select.cpp");
    EXPECT_ERROR(sliding_window_view(x, -1, 0), frit::shape_error, "extent -1");
    EXPECT_ERROR(sliding_window_view(x, 2), frit::shape_error, "1 axes along 2");
    EXPECT_ERROR(sliding_window_view(x, 2, 2), frit::index_error, "sliding_window_view", "axis 2");
}

using bools = std::vector<bool>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Compress, AlongAnAxisAndOfAllElements) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> x{{1, 2}, {3, 4}, {5, 6}};
        EXPECT_EQ(compress(array<bool>{false, true, true}, x, 0).to_vector(), (ints{3, 4, 5, 6}));
        EXPECT_EQ(compress(array<int>{0, 7}, x, -1).to_vector(), (ints{2, 4, 6}));
        EXPECT_EQ(compress(array<bool>{false, true}, x, 0).to_vector(), (ints{3, 4}));
        EXPECT_EQ(compress(array<bool>{false, true, false, true}, x * 2).to_vector(), (ints{4, 8}));
        EXPECT_EQ(compress(array<bool>{false, false}, x, 1).shape(), (shape{3, 0}));
        EXPECT_EQ(compress(frit::zeros<bool>({0}), x, 1).shape(), (shape{3, 0}));
        const array<int> many = arange(1000).eval();
        EXPECT_EQ(compress(many % 7 == 3, many).to_vector(), array<int>(3 + 7 * arange(143)).to_vector());
    });
    EXPECT_EQ(compress(array<bool>{true, false}, any_array(array<float>{1, 2}), 0).to_vector<float>(),
              std::vector<float>{1});
    const array<int> x{{1, 2}, {3, 4}};
    EXPECT_ERROR(compress(array<bool>{true, true, true}, x, 0), frit::shape_error, "compress", "longer", "(3,)", "(2, 2)",
                 "test_select.cpp");
    EXPECT_ERROR(compress(x, x, 0), frit::shape_error, "compress", "vector");
    EXPECT_ERROR(compress(array<bool>{true}, x, 2), frit::index_error, "compress", "axis 2");
}

TEST(Masks, PickElements) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> x{{1, 2, 3}, {4, 5, 6}};
        EXPECT_EQ(x(x % 2 == 1).to_vector(), (ints{1, 3, 5}));
        EXPECT_EQ(x(array<bool>{false, true}).to_vector(), (ints{4, 5, 6}));
        EXPECT_EQ(x(array<bool>{false, true}).shape(), (shape{1, 3}));
        EXPECT_EQ((x + 1)(x > 4).to_vector(), (ints{6, 7}));
        EXPECT_EQ(x.T()(x.T() > 4).to_vector(), (ints{5, 6}));
        EXPECT_EQ(x(x > 9).shape(), shape{0});
        EXPECT_EQ(x(frit::scalar(true)).shape(), (shape{1, 2, 3}));
        EXPECT_EQ(x(any_array(x > 4)).to_vector(), (ints{5, 6}));
        EXPECT_EQ(any_array(x)(x > 4).to_vector<int>(), (ints{5, 6}));
    });
    const array<int> x{{1, 2, 3}, {4, 5, 6}};
    EXPECT_ERROR(x(array<bool>{true, false, true}), frit::shape_error, "index", "mask", "(2, 3)", "(3,)", "test_select.cpp");
    EXPECT_ERROR(x(frit::zeros<bool>({2, 3, 1})), frit::shape_error, "mask");
}

TEST(Masks, OfAnArrayThatIsNotConstReadAndAssign) {
    array<int> u{5, -1, 7, -3};
    EXPECT_EQ(u(u < 0).to_vector(), (ints{-1, -3}));
    EXPECT_EQ(array<int>(u(u < 0) * 2 + 1).to_vector(), (ints{-1, -5}));
    EXPECT_EQ(sum(u(u > 0)).item(), 12);
    const array<int> picked = u(u < 0);
    u(u < 0) = 0;
    EXPECT_EQ(u.to_vector(), (ints{5, 0, 7, 0}));
    EXPECT_EQ(picked.to_vector(), (ints{-1, -3}));
    u(u > 5) += 1;
    EXPECT_EQ(u.to_vector(), (ints{5, 0, 8, 0}));
    any_array v = u;
    EXPECT_EQ(v(u > 0).to_vector<int>(), (ints{5, 8}));
    // Of fewer axes: the first ones, assigned as they are read.
    array<int> rows{{1, 2}, {3, 4}, {5, 6}};
    rows(array<bool>{true, false, true}) = array<int>{7, 8};
    EXPECT_EQ(rows.to_vector(), (ints{7, 8, 3, 4, 7, 8}));
    rows(rows(frit::all, 0) == 3) *= 10;
    EXPECT_EQ(rows.to_vector(), (ints{7, 8, 30, 40, 7, 8}));
    any_array square = array<int>{{1, 2}, {3, 4}};
    square(array<bool>{false, true}) = -1;
    square(any_array(array<bool>{true, false})) += 1;
    EXPECT_EQ(square.to_vector<int>(), (ints{2, 3, -1, -1}));
    EXPECT_EQ(u(array<bool>{true, false, false, true}).shape(), shape{2});
}

TEST(Masks, WhatIsPickedStaysWhatItWas) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        array<int> u = (arange(1000) * 7 % 13).eval();
        const array<int> picked = u(u > 9);
        const auto unread = u(u > 9);
        const auto at = flatnonzero(u > 9);
        const array<int> later = u(at);
        u(u > 9) = -1;
        u.eval();
        EXPECT_EQ(picked.shape(), later.shape());
        EXPECT_EQ(min(picked).item(), 10);
        EXPECT_TRUE(array_equal(picked, later));
        EXPECT_TRUE(array_equal(unread, later));
        EXPECT_EQ(max(u).item(), 9);
    });
}

TEST(Masks, EvaluateTheCountsAndAreLazyThen) {
    const array<float> x = frit::sin(arange<float>(1000)).eval();
    frit::reset_stats();
    const auto picked = x(x > 0.5F);
    EXPECT_EQ(frit::stats().library_calls, 0U);
    EXPECT_EQ(frit::stats().kernels_launched, 1U);
    EXPECT_KERNELS(1, array<float>(sum(picked * 2.0F)));
}

TEST(Masks, OfAnyDensityOnSeveralThreads) {
    auto& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    for (const std::int64_t n : {1, 7, 8, 9, 1000, 100'003, 2'000'003})
        for (const int part : {1, 2, 1000, 3'000'000}) {  // one of so many
            const array<std::int64_t> k = arange<std::int64_t>(n).eval();
            std::vector<std::int64_t> want;
            for (std::int64_t j = 0; j < n; ++j)
                if (j * 7919 % part == 0) want.push_back(j);
            for (const int threads : {1, 2, 5}) {
                pool.resize(threads);
                EXPECT_TRUE(flatnonzero(k * 7919 % part == 0).to_vector() == want) << n << ' ' << part << ' ' << threads;
            }
        }
    pool.resize(before);
}

TEST(Masks, TruthsOfOtherPeoplesMemoryNeedNotBeOne) {
    std::vector<unsigned char> bytes(64, 0);
    bytes[3] = 2, bytes[9] = 255, bytes[40] = 1;
    const array<bool> m = frit::borrow(reinterpret_cast<const bool*>(bytes.data()), {64});
    EXPECT_EQ(flatnonzero(m).to_vector(), (longs{3, 9, 40}));
    EXPECT_EQ(arange<int>(64)(m).to_vector(), (ints{3, 9, 40}));
    frit_test::everywhere([&](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> stored = arange<int>(64).eval();
        EXPECT_EQ(stored(m).to_vector(), (ints{3, 9, 40}));
    });
}

TEST(Nonzero, PlacesOfWhatIsNotZero) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x{{0, 3, 0, nan}, {-0.0, 0, 0, 0}, {1, 0, 2, 0}};
        EXPECT_EQ(flatnonzero(x).to_vector(), (longs{1, 3, 8, 10}));
        const std::vector<array<std::int64_t>> along = nonzero(x);
        ASSERT_EQ(along.size(), 2U);
        EXPECT_EQ(along[0].to_vector(), (longs{0, 0, 2, 2}));
        EXPECT_EQ(along[1].to_vector(), (longs{1, 3, 0, 2}));
        EXPECT_EQ(x(along[0], along[1])(0).item(), 3);
        EXPECT_EQ(argwhere(x).shape(), (shape{4, 2}));
        EXPECT_EQ(argwhere(x).to_vector(), (longs{0, 1, 0, 3, 2, 0, 2, 2}));
        EXPECT_EQ(argwhere(x == 7).shape(), (shape{0, 2}));
        const array<int> cube = arange(24).reshape({2, 3, 4});
        EXPECT_EQ(argwhere(cube % 11 == 5).to_vector(), (longs{0, 1, 1, 1, 1, 0}));
        const auto deep = nonzero(cube % 11 == 5);
        EXPECT_EQ(deep[1].to_vector(), (longs{1, 1}));
        EXPECT_EQ(deep[2].to_vector(), (longs{1, 0}));
    });
    EXPECT_EQ(argwhere(frit::scalar(3)).shape(), (shape{1, 0}));
    EXPECT_EQ(argwhere(frit::scalar(0)).shape(), (shape{0, 0}));
    EXPECT_EQ(nonzero(frit::zeros<int>({3, 0}))[1].shape(), shape{0});
    EXPECT_EQ(argwhere(frit::zeros<int>({3, 0})).shape(), (shape{0, 2}));
    EXPECT_EQ(flatnonzero(array<std::complex<float>>{0, std::complex<float>(0, 1)}).to_vector(), longs{1});
    EXPECT_ERROR(nonzero(frit::scalar(3)), frit::shape_error, "nonzero", "()", "test_select.cpp");
}

TEST(Repeat, ByACountForEach) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> x{{1, 2}, {3, 4}};
        EXPECT_EQ(repeat(x, array<int>{1, 2}, 0).to_vector(), (ints{1, 2, 3, 4, 3, 4}));
        EXPECT_EQ(repeat(x, array<std::uint8_t>{0, 3}, 1).to_vector(), (ints{2, 2, 2, 4, 4, 4}));
        EXPECT_EQ(repeat(x, array<int>{1, 0, 2, 1}).to_vector(), (ints{1, 3, 3, 4}));
        EXPECT_EQ(repeat(x, array<int>{2}, 1).to_vector(), (ints{1, 1, 2, 2, 3, 3, 4, 4}));
        EXPECT_EQ(repeat(x, array<int>{0, 0}, 0).shape(), (shape{0, 2}));
    });
    const array<int> x{{1, 2}, {3, 4}};
    EXPECT_ERROR(repeat(x, array<int>{1, -2}, 0), frit::index_error, "repeat", "negative", "test_select.cpp");
    EXPECT_ERROR(repeat(x, array<int>{1, 2, 3}, 0), frit::shape_error, "repeat", "count for each", "(2, 2)", "(3,)");
    EXPECT_ERROR(repeat(x, array<float>{1, 2}, 0), frit::dtype_error, "repeat", "float32");
}

TEST(Unique, ValuesIndicesInverseAndCounts) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> x{{3, 1, 3}, {7, 1, 3}};
        EXPECT_EQ(unique_values(x).to_vector(), (ints{1, 3, 7}));
        const auto [values, indices, inverse, counts] = unique_all(x);
        EXPECT_EQ(values.to_vector(), (ints{1, 3, 7}));
        EXPECT_EQ(indices.to_vector(), (longs{1, 0, 3}));
        EXPECT_EQ(inverse.shape(), (shape{2, 3}));
        EXPECT_EQ(inverse.to_vector(), (longs{1, 0, 1, 2, 0, 1}));
        EXPECT_EQ(counts.to_vector(), (longs{2, 3, 1}));
        EXPECT_TRUE(array_equal(take(values, inverse, 0), x));
        const auto [same, back] = unique_inverse(array<double>{nan, 1, nan, 1, -5});
        EXPECT_EQ(same.shape(), shape{4});
        EXPECT_EQ(back.to_vector(), (longs{2, 1, 3, 1, 0}));
        const auto [numbers, often] = unique_counts(array<double>{nan, 0, -0.0, nan, 2});
        EXPECT_EQ(often.to_vector(), (longs{2, 1, 1, 1}));
        EXPECT_EQ(numbers(frit::slice(0, 2)).to_vector(), (std::vector<double>{0, 2}));
    });
}

TEST(Unique, OfFewAndOfEveryDtype) {
    const auto [none, nowhere, back, counts] = unique_all(frit::zeros<int>({0, 3}));
    EXPECT_EQ(none.shape(), shape{0});
    EXPECT_EQ(nowhere.to_vector(), longs{});
    EXPECT_EQ(back.shape(), (shape{0, 3}));
    EXPECT_EQ(counts.to_vector(), longs{});
    const auto [one, first, inverse, once] = unique_all(frit::scalar(2.5));
    EXPECT_EQ(one.to_vector(), std::vector<double>{2.5});
    EXPECT_EQ(first.to_vector(), longs{0});
    EXPECT_EQ(inverse.shape(), shape());
    EXPECT_EQ(inverse.item(), 0);
    EXPECT_EQ(once.to_vector(), longs{1});
    EXPECT_EQ(unique_values(array<bool>{true, false, true}).to_vector(), (bools{false, true}));
    EXPECT_EQ(unique(any_array(array<std::uint8_t>{200, 3, 200})).to_vector<std::uint8_t>(),
              (std::vector<std::uint8_t>{3, 200}));
    using c = std::complex<double>;
    EXPECT_EQ(unique_values(array<c>{c(1, 2), c(1, 1), c(1, 2)}).to_vector(), (std::vector<c>{c(1, 1), c(1, 2)}));
    EXPECT_EQ(unique_values(frit::cast<frit::half>(array<int>{2, 1, 2})).shape(), shape{2});
}

}  // namespace

// Elements at arrays of indices: shapes and values as NumPy's, what is fused, what is read, and indices out of range.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {

using frit::any_array;
using frit::arange;
using frit::array;
using frit::bounds;
using frit::newaxis;
using frit::shape;
using frit::slice;
using ints = std::vector<std::int64_t>;
using doubles = std::vector<double>;

array<int> numbers(const shape& extents) { return array<int>(arange<int>(extents.size()).reshape({-1})).reshape(extents); }

template <class E>
void expect(const E& x, const shape& extents, const std::vector<int>& values) {
    EXPECT_EQ(x.shape(), extents);
    EXPECT_EQ(x.to_vector(), values);
}

TEST(Gather, OneArrayInThePlaceOfAnAxis) {
    const array<int> x = numbers({3, 4}), i{2, 0, -1};
    expect(x(i), {3, 4}, {8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11});
    expect(x(frit::all, i), {3, 3}, {2, 0, 3, 6, 4, 7, 10, 8, 11});
    expect(take(x, i, 1), {3, 3}, {2, 0, 3, 6, 4, 7, 10, 8, 11});
    expect(take(x, i, -2), {3, 4}, {8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11});
    expect(x(i.reshape({3, 1}), 1), {3, 1}, {9, 1, 9});
    expect(x(i, slice(1, 3)), {3, 2}, {9, 10, 1, 2, 9, 10});
    expect(x(newaxis, i, 0), {1, 3}, {8, 0, 8});
    expect(x(ints{1, 1}), {2, 4}, {4, 5, 6, 7, 4, 5, 6, 7});
    expect(take(x, ints{5, 0, -1}), {3}, {5, 0, 11});
    expect(x(array<int>(frit::full({}, 1))), {4}, {4, 5, 6, 7});
}

TEST(Gather, ArraysBroadcastTogether) {
    const array<int> x = numbers({3, 4, 2}), i{0, 2}, j{3, 1};
    expect(x(i, j), {2, 2}, {6, 7, 18, 19});
    expect(x(i(frit::all, newaxis), j), {2, 2, 2}, {6, 7, 2, 3, 22, 23, 18, 19});
    expect(x(i, frit::all, array<int>{1, 0}), {2, 4}, {1, 3, 5, 7, 16, 18, 20, 22});  // in front: a slice parts them
    expect(x(frit::all, i, array<int>{1, 0}), {3, 2}, {1, 4, 9, 12, 17, 20});
    expect(x(0, frit::all, array<int>{1, 0}), {2, 4}, {1, 3, 5, 7, 0, 2, 4, 6});  // an integer is an array here
    expect(x(0, array<int>{1, 0}), {2, 2}, {2, 3, 0, 1});
    expect(x(i, j, 1), {2}, {7, 19});
    expect(x(frit::ellipsis, array<int>{0}), {3, 4, 1}, {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22});
}

TEST(Gather, AlongAnAxis) {
    const array<int> x{{3, 1, 2}, {5, 9, 7}};
    expect(take_along_axis(x, argsort(x, 1), 1), {2, 3}, {1, 2, 3, 5, 7, 9});
    expect(take_along_axis(x, frit::expand_dims(argmax(x, 1), {1}), 1), {2, 1}, {3, 9});
    expect(take_along_axis(x, array<int>{{0, 1, 1}}, 0), {1, 3}, {3, 9, 7});
    expect(take_along_axis(x, array<int>{{2}}, 1), {2, 1}, {2, 7});
}

TEST(Gather, WhatReadsAndWhatComputesIsOneKernel) {
    const array<float> x = frit::linspace(0.0F, 1.0F, 1000), w = frit::full({500}, 2.0F), y = frit::ones<float>({500});
    array<int> i = 999 - 2 * arange<int>(500);
    frit::eval(x, w, y, i);
    EXPECT_KERNELS(1, array<float>(sum(w * x(i))));
    const array<float> q = frit::linspace(0.0F, 9.0F, 500).eval();
    EXPECT_KERNELS(1, array<float>(x(frit::cast<int>(floor(q * 10.0F)))));
    EXPECT_KERNELS(1, array<float>(x(i) * y(arange<int>(500) / 2)));
    EXPECT_KERNELS(1, array<float>(x(i)(slice(1, 100)) + x(i + 0)(slice(0, 99))));
    const array<float> m = frit::ones<float>({500, 20}).eval();
    EXPECT_KERNELS(1, array<float>(sum(m * x(i)(frit::all, newaxis), 1)));
    EXPECT_KERNELS(1, array<float>(frit::softmax(m(i % 500), 1)));
    const frit::plan p = frit::make_plan(array<float>(x(i) * 2));
    EXPECT_EQ(p.bytes_read(), 500 * 4 + 500 * 4);
    EXPECT_EQ(p.bytes_written(), 500 * 4);
    EXPECT_EQ(p.peak_bytes(), 500 * 4);
}

// Every index once, whatever it is read for, and the elements that are named: as reported and as counted.
TEST(Gather, Bytes) {
    const array<float> x = frit::sin(arange<float>(20'000)).reshape({1000, 20}).eval(), flat = x.reshape({-1}).eval();
    const array<int> i = (arange<int>(500) * 7 % 1000).eval(), j = (arange<int>(500) % 20).eval(),
                     k = (arange<int>(10) - 10).eval();
    const array<std::int64_t> wide = (arange<std::int64_t>(500) % 20).eval();
    const array<bool> m = array<bool>(arange<int>(20) % 4 == 1).eval();
    const auto bytes = [](const auto& what, std::uint64_t read, std::uint64_t written) {
        const frit_test::traffic t = frit_test::evaluate(what);
        EXPECT_EQ(t.kernels, 1U);
        EXPECT_EQ(t.bytes_read, read);
        EXPECT_EQ(t.bytes_written, written);
    };
    bytes(array<float>(flat(i)), 500 * (4 + 4), 500 * 4);
    bytes(array<float>(flat(wide)), 500 * (8 + 4), 500 * 4);
    bytes(array<float>(flat(i) * flat(i) + 1.F), 500 * (4 + 4), 500 * 4);
    bytes(array<float>(flat(i * 3 + 1)), 500 * (4 + 4), 500 * 4);
    bytes(array<float>(x(i)), 500 * (4 + 20 * 4), 500 * 20 * 4);
    bytes(array<float>(sum(x(i), 1)), 500 * (4 + 20 * 4), 500 * 4);
    bytes(array<float>(x(i, 3)), 500 * (4 + 4), 500 * 4);
    bytes(array<float>(x(i, j)), 500 * (4 + 4 + 4), 500 * 4);
    bytes(array<float>(x(i(frit::all, newaxis), k)), 500 * 4 + 10 * 4 + 500 * 10 * 4, 500 * 10 * 4);
    bytes(array<float>(x(slice(0, 100), k)), 10 * 4 + 100 * 10 * 4, 100 * 10 * 4);
    bytes(array<float>(take(x, wide, 1)), 500 * 8 + 20'000 * 4, 1000 * 500 * 4);  // all of x, 25 times
    bytes(array<float>(x(slice(0, 100), m)), 5 * 8 + 100 * 5 * 4, 100 * 5 * 4);
}

TEST(Gather, WhatIsReadIsInMemoryAndViewsOfItAreNot) {
    const array<float> x = frit::ones<float>({30, 40}).eval();
    const array<int> i = array<int>{3, 1, 2}.eval();
    EXPECT_KERNELS(2, array<float>((x + 1)(i)));
    EXPECT_KERNELS(1, array<float>(x.T()(i)));
    EXPECT_KERNELS(1, array<float>(x(slice(1, 20), slice(2, 30, 3))(i)));
    EXPECT_KERNELS(1, array<float>(frit::flip(x, {0})(i)));
    const frit::plan p = frit::make_plan(array<float>(x.T()(i)));
    EXPECT_EQ(p.bytes_read(), 3 * 30 * 4 + 3 * 4);
}

TEST(Gather, ViewsAreReadWhereTheyLie) {
    const array<int> x = numbers({4, 5}), i{1, -1};
    expect(x.T()(i), {2, 4}, {1, 6, 11, 16, 4, 9, 14, 19});
    expect(frit::flip(x)(i), {2, 5}, {14, 13, 12, 11, 10, 4, 3, 2, 1, 0});
    expect(x(slice(1, 4), slice(0, 5, 2))(i), {2, 3}, {10, 12, 14, 15, 17, 19});
    expect(frit::broadcast_to(x(0), {3, 5})(i), {2, 5}, {0, 1, 2, 3, 4, 0, 1, 2, 3, 4});
    expect(frit::pad(x(slice(0, 1), slice(0, 2)), {{1, 1}}, frit::pad_mode::edge)(i, i), {2}, {0, 1});
    expect(frit::full({4}, 7)(i), {2}, {7, 7});
    expect(frit::diagonal(x)(i), {2}, {6, 18});
    expect(arange<int>(10)(i), {2}, {1, 9});
}

TEST(Gather, EveryDtypeOfElementsAndOfIndices) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const std::vector<int> at{4, 0, 3, 3, -1, -5, 2, 1, 0, 4, 4};
        const auto check = [&]<class T>(T) {
            const array<T> x = frit::cast<T>(arange<int>(5) % 7);
            const auto with = [&]<class I>(I) {
                std::vector<I> i;
                for (const int k : at) i.push_back(static_cast<I>(std::is_signed_v<I> || k >= 0 ? k : k + 5));
                const array<I> indices = frit::from_host(i);
                const std::vector<double> got = frit::cast<double>(frit::real(x(indices))).to_vector();
                for (std::size_t k = 0; k < at.size(); ++k) {
                    const int n = at[k] < 0 ? at[k] + 5 : at[k];
                    const double expected = std::is_same<T, bool>() ? (n != 0 ? 1 : 0) : n;
                    EXPECT_EQ(got[k], expected) << frit::name_of(frit::dtype_of<T>) << " " << k;
                }
            };
            with(std::int64_t{});
            with(std::int32_t{});
            with(std::int8_t{});
            with(std::uint16_t{});
            with(std::uint64_t{});
        };
        check(bool{});
        check(std::int8_t{});
        check(std::uint16_t{});
        check(std::int32_t{});
        check(std::uint64_t{});
        check(frit::half{});
        check(frit::bfloat16{});
        check(float{});
        check(double{});
        check(std::complex<float>{});
        check(std::complex<double>{});
    });
}

TEST(Gather, BitsDoNotDependOnTheEngineOrOnFusion) {
    const array<float> x = frit::sin(frit::linspace(0.0F, 100.0F, 4001)).eval();
    const array<int> i = ((arange<int>(3000) * 7919) % 4001).eval();
    std::vector<float> first, sums;
    frit_test::everywhere([&](const std::string& where) {
        SCOPED_TRACE(where);
        const std::vector<float> got = array<float>(x(i) * x(i / 2) + 1).to_vector();
        if (first.empty()) first = got;
        EXPECT_EQ(got, first);
        const array<float> m = x(i).reshape({30, 100});
        const std::vector<float> rows = array<float>(sum(x(i.reshape({30, 100})) * 2, 1)).to_vector();
        if (sums.empty()) sums = rows;
        EXPECT_EQ(rows, sums);
        EXPECT_EQ(array<float>(sum(m * 2, 1)).to_vector(), sums);
    });
}

TEST(Gather, InReductionsOfEveryKind) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        for (const std::int64_t rows : {1, 3, 40})
            for (const std::int64_t columns : {1, 7, 33, 130}) {
                const array<std::int64_t> x = (arange<std::int64_t>(rows * columns) * 37 % 101).eval();
                const array<std::int64_t> i = (rows * columns - 1 - arange<std::int64_t>(rows * columns)).eval();
                const std::vector<std::int64_t> plain = x.to_vector();
                ints across(static_cast<std::size_t>(columns)), along(static_cast<std::size_t>(rows));
                for (std::size_t k = 0; k < plain.size(); ++k) {
                    const std::int64_t v = plain[plain.size() - 1 - k];
                    along[k / static_cast<std::size_t>(columns)] += v;
                    across[k % static_cast<std::size_t>(columns)] += v;
                }
                const array<std::int64_t> at = i.reshape({rows, columns});
                EXPECT_EQ(array<std::int64_t>(sum(x(at), 1)).to_vector(), along) << rows << " " << columns;
                EXPECT_EQ(array<std::int64_t>(sum(x(at), 0)).to_vector(), across) << rows << " " << columns;
                EXPECT_EQ(array<std::int64_t>(sum(x(at))).item(),
                          std::accumulate(plain.begin(), plain.end(), std::int64_t{0}));
                // one element for each row, beside a total
                const array<std::int64_t> w = arange<std::int64_t>(rows).eval();
                const array<std::int64_t> row = (rows - 1 - arange<std::int64_t>(rows)).eval();
                const ints weighted = array<std::int64_t>(sum(x.reshape({rows, columns}), 1) * w(row)).to_vector();
                const ints total = array<std::int64_t>(sum(x.reshape({rows, columns}), 1)).to_vector();
                for (std::size_t k = 0; k < total.size(); ++k)
                    EXPECT_EQ(weighted[k], total[k] * (rows - 1 - static_cast<std::int64_t>(k)));
            }
    });
}

TEST(Gather, AtThePlacesThatAReductionFinds) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x{3, 9, 1, 7}, m{{3, 1, 2}, {5, 8, 4}};
        EXPECT_EQ(x(argmax(x)).item(), 9);
        EXPECT_EQ(array<double>(x(argmin(x) + 1) * 2).item(), 14);
        EXPECT_EQ(take_along_axis(x, argmax(x, 0, frit::keepdims), 0).to_vector(), doubles{9});
        EXPECT_EQ(put_along_axis(x, argmax(x, 0, frit::keepdims), -1, 0).to_vector(), (doubles{3, -1, 1, 7}));
        EXPECT_EQ(take_along_axis(m, argmax(m, 1, frit::keepdims), 1).to_vector(), (doubles{3, 8}));
        EXPECT_EQ(put_along_axis(m, argmax(m, 0, frit::keepdims), 0, 0).to_vector(), (doubles{3, 1, 2, 0, 0, 0}));
        EXPECT_THROW((void)x(argmax(x) + 3).item(), frit::index_error);
        EXPECT_THROW((void)array<double>(x(argmax(x) + 3)).item(), frit::index_error);
    });
}

TEST(Gather, OutOfRangeIsAnErrorThatNamesIndexExtentAndLine) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        for (const std::int64_t n : {1, 5, 100, 5000})
            for (const std::int64_t wrong : {n, -n - 1, std::int64_t{1} << 40}) {
                const array<float> x = frit::ones<float>({n}).eval();
                std::vector<std::int64_t> at(static_cast<std::size_t>(n + 30), 0);
                at[static_cast<std::size_t>(n / 2)] = wrong;
                const array<std::int64_t> i = frit::from_host(at);
                const int line = __LINE__ + 1;
                const array<float> y = x(i) + 1;
                for (int twice = 0; twice < 2; ++twice) {
                    try {
                        y.to_vector();
                        ADD_FAILURE() << "no error";
                    } catch (const frit::index_error& e) {
                        const std::string text = e.what();
                        EXPECT_NE(text.find("index " + std::to_string(wrong)), std::string::npos) << text;
                        EXPECT_NE(text.find("extent " + std::to_string(n)), std::string::npos) << text;
                        EXPECT_NE(text.find(":" + std::to_string(line) + "]"), std::string::npos) << text;
                    }
                    if (frit::default_device() != frit::device::cpu()) break;
                }
                EXPECT_EQ(array<float>(sum(x(i * 0))).item(), static_cast<float>(n + 30));  // the rest goes on
            }
    });
}

// Whether a mistake is found depends neither on the engine nor on how it cuts what it computes.
TEST(Gather, IndicesUnderAnUpdateAreCheckedToo) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        for (const std::int64_t n : {100, 5000, 200000}) {
            const array<std::int64_t> k = arange<std::int64_t>(n);
            const array<std::int64_t> at = frit::where(k < 50, std::int64_t{9}, k % 3);
            array<float> z = array<float>{1, 2, 3}(at.eval());
            z(slice(0, 50)) = 5.F;
            EXPECT_THROW((void)z.to_vector(), frit::index_error) << n;
            EXPECT_EQ(array<float>(sum(frit::ones<float>({n}))).item(), static_cast<float>(n));  // the rest goes on
        }
    });
}

TEST(Gather, AMistakeCostsNoOperandItsMemory) {
    if (frit::default_device() != frit::device::cpu())
        GTEST_SKIP() << "a GPU's kernels have run on by the time the host hears of it";
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        array<float> u = frit::ones<float>({1000}).eval();
        const array<float> x = frit::ones<float>({3}).eval();
        array<float> kept;
        {
            array<float> sum_of_both = u + x(frit::full<int>({1000}, 3).eval());
            kept = std::move(u);
            u = sum_of_both;
        }
        EXPECT_THROW(u.eval(), frit::index_error);
        EXPECT_EQ(kept.to_vector(), std::vector<float>(1000, 1.F));
        array<float> v = frit::ones<float>({1000}).eval();
        v += x(frit::full<int>({1000}, 3).eval());
        EXPECT_THROW(v.eval(), frit::index_error);
        EXPECT_THROW(v.eval(), frit::index_error);  // its operands are still there
    });
}

// Lanes beyond a row's end are computed, and must neither be checked nor read.
TEST(Gather, WhatLiesBeyondTheEndIsNotChecked) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        for (std::int64_t n = 1; n < 70; n += 3) {
            const array<std::int64_t> x = (100 + arange<std::int64_t>(2)).eval();
            const array<std::int64_t> zero = frit::zeros<std::int64_t>({n}).eval();
            EXPECT_EQ(array<std::int64_t>(sum(x(zero * 1000))).item(), 100 * n);
            EXPECT_EQ(array<std::int64_t>(x(zero * 1000 - 1)).to_vector(), ints(static_cast<std::size_t>(n), 101));
            const array<std::int64_t> rows = frit::zeros<std::int64_t>({3, n}).eval();
            EXPECT_EQ(array<std::int64_t>(sum(x(rows * 1000), 1)).to_vector(), ints(3, 100 * n));
            EXPECT_EQ(array<std::int64_t>(sum(x(rows * 1000), 0)).to_vector(), ints(static_cast<std::size_t>(n), 300));
        }
    });
}

TEST(Gather, BoundsClippedAndWrapped) {
    const array<int> x{10, 20, 30}, i{-5, -1, 0, 2, 3, 100};
    expect(take(x, i, 0, bounds::clip), {6}, {10, 10, 10, 30, 30, 30});
    expect(take(x, i, 0, bounds::wrap), {6}, {20, 30, 10, 30, 10, 20});
    EXPECT_THROW(take(x, i, 0).to_vector(), frit::index_error);
}

TEST(Gather, OfArraysWhoseDtypeIsKnownAtRunTime) {
    const any_array x = frit::arange<float>(0, 10, 1), i = array<int>{3, -1};
    EXPECT_EQ(frit::take(x, i, 0).to_vector<float>(), (std::vector<float>{3, 9}));
    EXPECT_EQ((frit::take(x, i, 0) * 2).to_vector<float>(), (std::vector<float>{6, 18}));
    const array<float> typed = x.as<float>();
    EXPECT_EQ(frit::take(typed, i, 0).to_vector(), (std::vector<float>{3, 9}));
    EXPECT_THROW(frit::take(x, x, 0), frit::dtype_error);
    EXPECT_EQ(frit::take_along_axis(x, i, 0).to_vector<float>(), (std::vector<float>{3, 9}));
}

TEST(Gather, NothingAndMistakes) {
    const array<int> x = numbers({3, 4}), none = frit::zeros<int>({0});
    EXPECT_EQ(x(none).shape(), (shape{0, 4}));
    EXPECT_EQ(x(none).to_vector(), std::vector<int>{});
    EXPECT_EQ(none(none).size(), 0);
    EXPECT_THROW(none(array<int>{0}), frit::index_error);
    EXPECT_THROW(take(x, array<int>{0}, 2), frit::index_error);
    EXPECT_THROW(x(array<int>{0}, array<int>{0}, array<int>{0}), frit::index_error);
    EXPECT_THROW(x(array<int>{0, 1}, array<int>{0, 1, 2}), frit::shape_error);
    EXPECT_THROW(take_along_axis(x, array<int>{0}, 1), frit::shape_error);
    EXPECT_THROW(take_along_axis(x, frit::zeros<int>({2, 1}), 1), frit::shape_error);
}

TEST(Gather, APlanIsReusedForOtherIndices) {
    const array<float> x = frit::ones<float>({100}).eval();
    const auto step = [&](int first) {
        const array<int> i = (arange<int>(10) + first).eval();
        return array<float>(sum(x(i))).item();
    };
    step(0);
    step(1);
    frit::reset_stats();
    step(2);
    EXPECT_EQ(frit::stats().plans_built, 0);
}

TEST(Gather, UpdatesOfWhatIsReadKeepTheOldValues) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        array<int> u = numbers({100}).eval();
        const array<int> i = (99 - arange<int>(100)).eval();
        u(slice(0, 50)) = u(i)(slice(0, 50)) * 2;
        std::vector<int> expected(100);
        for (int k = 0; k < 100; ++k) expected[static_cast<std::size_t>(k)] = k < 50 ? 2 * (99 - k) : k;
        EXPECT_EQ(u.to_vector(), expected);
        array<int> v = numbers({100}).eval();
        v = v(i) + v;
        EXPECT_EQ(v.to_vector(), std::vector<int>(100, 99));
    });
}

}  // namespace

// Values put at arrays of indices: order, duplicates, dtypes, memory, totals of segments.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "src/base/threads.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {

using frit::any_array;
using frit::arange;
using frit::array;
using frit::newaxis;
using frit::shape;
using frit::slice;
using ints = std::vector<int>;

TEST(Scatter, AssignedThroughAnArrayOfIndices) {
    array<int> u = frit::zeros<int>({6});
    const array<int> i{4, 0, -1, 0};
    u(i) = array<int>{1, 2, 3, 4};
    EXPECT_EQ(u.to_vector(), (ints{4, 0, 0, 0, 1, 3}));  // of two the last
    u(i) += 10;
    EXPECT_EQ(u.to_vector(), (ints{24, 0, 0, 0, 11, 13}));  // each counts
    u(i) -= array<int>{1, 1, 1, 2};
    EXPECT_EQ(u.to_vector(), (ints{21, 0, 0, 0, 10, 12}));
    u(i) *= 2;
    EXPECT_EQ(u.to_vector(), (ints{84, 0, 0, 0, 20, 24}));
    u(i) /= 2;
    EXPECT_EQ(u.to_vector(), (ints{21, 0, 0, 0, 10, 12}));
    u(std::vector<int>{1, 2}) = 7;
    EXPECT_EQ(u.to_vector(), (ints{21, 7, 7, 0, 10, 12}));
    EXPECT_EQ(array<int>(u(i) + 1).to_vector(), (ints{11, 22, 13, 22}));  // read, of an array that is not const
}

TEST(Scatter, OfSeveralAxes) {
    array<int> u = frit::zeros<int>({3, 4});
    const array<int> i{0, 2}, j{3, 1};
    u(i, j) = array<int>{5, 6};
    EXPECT_EQ(u.to_vector(), (ints{0, 0, 0, 5, 0, 0, 0, 0, 0, 6, 0, 0}));
    u(i(frit::all, newaxis), j) += 1;
    EXPECT_EQ(u.to_vector(), (ints{0, 1, 0, 6, 0, 0, 0, 0, 0, 7, 0, 1}));
    u(frit::all, j) = array<int>{{1}, {2}, {3}};
    EXPECT_EQ(u.to_vector(), (ints{0, 1, 0, 1, 0, 2, 0, 2, 0, 3, 0, 3}));
    u(i, slice(0, 4, 2)) = array<int>{8, 9};
    EXPECT_EQ(u.to_vector(), (ints{8, 1, 9, 1, 0, 2, 0, 2, 8, 3, 9, 3}));
    u(1, array<int>{0, 0, 2}) += array<int>{1, 2, 3};
    EXPECT_EQ(u.to_vector(), (ints{8, 1, 9, 1, 3, 2, 3, 2, 8, 3, 9, 3}));
    u(frit::all, i, newaxis) *= 0;
    EXPECT_EQ(u.to_vector(), (ints{0, 1, 0, 1, 0, 2, 0, 2, 0, 3, 0, 3}));
}

TEST(Scatter, FunctionsLeaveTheArrayAsItIs) {
    const array<int> u{1, 2, 3, 4}, i{0, 3, 0};
    EXPECT_EQ(scatter_add(u, i, array<int>{10, 20, 30}, 0).to_vector(), (ints{41, 2, 3, 24}));
    EXPECT_EQ(scatter_mul(u, i, array<int>{10, 20, 30}, 0).to_vector(), (ints{300, 2, 3, 80}));
    EXPECT_EQ(scatter_min(u, i, array<int>{0, 20, -3}, 0).to_vector(), (ints{-3, 2, 3, 4}));
    EXPECT_EQ(scatter_max(u, i, array<int>{0, 20, -3}, 0).to_vector(), (ints{1, 2, 3, 20}));
    EXPECT_EQ(u.to_vector(), (ints{1, 2, 3, 4}));
    const array<int> m = frit::zeros<int>({2, 3});
    EXPECT_EQ(scatter_add(m, array<int>{1, 1}, array<int>{1, 2}, 1).to_vector(), (ints{0, 3, 0, 0, 3, 0}));
    EXPECT_EQ(put_along_axis(m, array<int>{{2}, {0}}, 9, 1).to_vector(), (ints{0, 0, 9, 9, 0, 0}));
    EXPECT_EQ(put_along_axis(m, array<int>{{1, 0, 1}}, array<int>{{7, 8, 9}}, 0).to_vector(), (ints{0, 8, 0, 7, 0, 9}));
}

TEST(Scatter, EveryDtype) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> i{2, 0, 2, 1, 2};
        const auto check = [&]<class T>(T) {
            array<T> u = frit::cast<T>(frit::ones<int>({3}));
            const array<T> v = frit::cast<T>(array<int>{1, 0, 1, 1, 0});
            const std::string name(frit::name_of(frit::dtype_of<T>));
            const auto numbers = [](const auto& x) { return frit::cast<int>(frit::real(x)).to_vector(); };
            const bool truth = std::is_same<T, bool>();
            EXPECT_EQ(numbers(scatter_add(u, i, v, 0)), (truth ? ints{1, 1, 1} : ints{1, 2, 3})) << name;
            EXPECT_EQ(numbers(scatter_mul(u, i, v, 0)), (ints{0, 1, 0})) << name;
            u(i) = v;
            EXPECT_EQ(numbers(u), (ints{0, 1, 0})) << name;
            if constexpr (!frit::is_complex(frit::dtype_of<T>)) {
                EXPECT_EQ(numbers(scatter_max(u, i, v, 0)), (ints{0, 1, 1})) << name;
                EXPECT_EQ(numbers(scatter_min(u, i, v, 0)), (ints{0, 1, 0})) << name;
            }
        };
        check(bool{});
        check(std::int8_t{});
        check(std::int16_t{});
        check(std::int32_t{});
        check(std::int64_t{});
        check(std::uint8_t{});
        check(std::uint16_t{});
        check(std::uint32_t{});
        check(std::uint64_t{});
        check(frit::half{});
        check(frit::bfloat16{});
        check(float{});
        check(double{});
        check(std::complex<float>{});
        check(std::complex<double>{});
    });
}

TEST(Scatter, ManyOnOneElementAreNotLost) {
    const std::int64_t n = (std::int64_t{1} << 24) + 1000;  // float32 stops counting at 2^24
    const array<int> zero = frit::zeros<int>({n});
    const array<float> one = frit::ones<float>({n});
    EXPECT_EQ(scatter_add(frit::zeros<float>({3}), zero, one, 0).to_vector()[0], static_cast<float>(n));
    const array<frit::half> few = frit::ones<frit::half>({5000});
    EXPECT_EQ(static_cast<float>(segment_sum(few, frit::zeros<int>({5000}), 1).to_vector()[0]), 5000.0F);
}

TEST(Scatter, BitsDoNotDependOnThreads) {
    const std::int64_t n = 200'000;
    const array<double> v = frit::sin(arange<double>(n) * 1.7).eval();
    const array<std::int64_t> i = ((arange<std::int64_t>(n) * 7919 * 31) % 1003).eval();
    auto& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    std::vector<double> first;
    for (const int threads : {1, 2, 3, 7}) {
        pool.resize(threads);
        for (int again = 0; again < 5; ++again) {
            const std::vector<double> got = scatter_add(frit::zeros<double>({1003}), i, v, 0).to_vector();
            if (first.empty()) first = got;
            { EXPECT_EQ(got, first) << threads; }
        }
    }
    pool.resize(before);
    std::vector<double> plain(1003, 0);
    const std::vector<double> values = v.to_vector();
    const std::vector<std::int64_t> at = i.to_vector();
    for (std::size_t k = 0; k < at.size(); ++k) plain[static_cast<std::size_t>(at[k])] += values[k];
    for (std::size_t k = 0; k < plain.size(); ++k) EXPECT_NEAR(first[k], plain[k], 1e-10);
}

/// Gives `f()` for several numbers of threads. @return the first result, which the others must be
template <class F>
auto same_for_threads(std::initializer_list<int> numbers, F f) {
    auto& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    std::optional<decltype(f())> first;
    for (const int threads : numbers) {
        pool.resize(threads);
        const auto got = f();
        if (!first) first = got;
        EXPECT_TRUE(got == *first) << threads;
    }
    pool.resize(before);
    return *first;
}

TEST(Scatter, ManyValuesOnFewElements) {
    const std::int64_t n = 1 << 17, few = 100;
    const array<std::int64_t> i = ((arange<std::int64_t>(n) * 7919 * 31) % (few - 1)).eval();  // none on the last
    const std::vector<std::int64_t> at = i.to_vector();
    const auto check = [&]<class T>(T, const auto& combine, const auto& scatter, double tolerance) {
        const array<T> u = frit::cast<T>(arange<int>(few) % 3 - 1).eval(), v = frit::cast<T>(arange<int>(n) % 7 - 3).eval();
        const std::vector<T> got = same_for_threads({1, 2, 5}, [&] { return array<T>(scatter(u, i, v)).to_vector(); });
        std::vector<T> want = u.to_vector();
        const std::vector<T> values = v.to_vector();
        for (std::size_t k = 0; k < at.size(); ++k) {
            const auto e = static_cast<std::size_t>(at[k]);
            want[e] = combine(want[e], values[k]);
        }
        for (std::size_t k = 0; k < want.size(); ++k) ASSERT_LE(std::abs(got[k] - want[k]), tolerance) << k;
    };
    const auto all = [&]<class T>(T zero, double tolerance) {
        check(
            zero, [](T a, T b) { return static_cast<T>(a + b); },
            [](auto& u, auto& at, auto& v) { return scatter_add(u, at, v, 0); }, tolerance);
        check(
            zero, [](T a, T b) { return std::min(a, b); },
            [](auto& u, auto& at, auto& v) { return scatter_min(u, at, v, 0); }, 0);
        check(
            zero, [](T a, T b) { return std::max(a, b); },
            [](auto& u, auto& at, auto& v) { return scatter_max(u, at, v, 0); }, 0);
        check(
            zero, [](T, T b) { return b; }, [](auto& u, auto& at, auto& v) { return put_along_axis(u, at, v, 0); }, 0);
    };
    all(0, 0);
    all(std::int64_t{0}, 0);
    all(std::int8_t{0}, 0);
    all(std::int16_t{0}, 0);
    all(0.0F, 0);  // small integers: exact in any order
    all(0.0, 0);
    check(
        std::complex<double>(), [](auto a, auto b) { return a + b; },
        [](auto& u, auto& at, auto& v) { return scatter_add(u, at, v, 0); }, 0);
    const array<float> negative = frit::full({few}, -0.0F).eval(), zeros = negative(frit::slice(0, 1));
    const std::vector<float> sums = scatter_add(negative, i, broadcast_to(zeros, {n}), 0).to_vector();
    EXPECT_TRUE(std::signbit(sums[0]) && std::signbit(sums[few - 1]));  // -0 and -0; untouched
}

// Sixteen shares of the values, each added up by itself, whatever runs side by side; and then in their order.
TEST(Scatter, SharesAreAddedUpInOneOrder) {
    if (!frit::default_device().is_cpu()) GTEST_SKIP() << "the CPU's order";
    constexpr std::int64_t few = 37, shares = 16;
    const auto check = [&]<class T, class W>(T, W, std::int64_t n) {
        const array<std::int64_t> i = (arange<std::int64_t>(n) / 5 * 7919 * 31 % (few - 1) - few).eval();  // five in a row
        const array<T> v = frit::cast<T>(frit::sin(arange<double>(n) * 1.7) * 1e3).eval(),
                       u = frit::cast<T>(frit::cos(arange<double>(few))).eval();
        const std::vector<std::int64_t> at = i.to_vector();
        const std::vector<T> values = v.to_vector(), before = u.to_vector();
        std::vector<W> sums(shares * few, W(-0.0));
        for (std::int64_t s = 0; s < shares; ++s)
            for (std::int64_t k = s * n / shares; k < (s + 1) * n / shares; ++k)
                sums[static_cast<std::size_t>(s * few + few + at[static_cast<std::size_t>(k)])] +=
                    W(values[static_cast<std::size_t>(k)]);
        std::vector<T> want;
        for (std::int64_t e = 0; e < few; ++e) {
            W all(before[static_cast<std::size_t>(e)]);
            for (std::int64_t s = 0; s < shares; ++s) all += sums[static_cast<std::size_t>(s * few + e)];
            want.push_back(T(all));
        }
        const auto added = [&] { return array<T>(scatter_add(u, i, v, 0)).to_vector(); };
        EXPECT_EQ(same_for_threads({1, 2, 4, 5, 9, 16}, added), want) << n << " " << frit::name_of(frit::dtype_of<T>);
    };
    for (const std::int64_t n : {1 << 16, (1 << 16) + 1, (1 << 17) + 15}) {
        check(0.0F, 0.0, n);
        check(0.0, 0.0, n);
    }
}

// A GPU has bins for a few elements, sorts values into buckets of more, and by element where values are few.
TEST(Scatter, SumsIntoElementsOfEveryNumber) {
    const std::int64_t n = 70'001;
    const array<std::int64_t> k = arange<std::int64_t>(n).eval();
    const auto check = [&]<class T>(T, const array<std::int64_t>& i, std::int64_t size) {
        const array<T> v = frit::cast<T>(k % 7 - 3).eval();  // small integers: exact in any order
        const array<T> got = scatter_add(frit::ones<T>({size}), i, v, 0), one = scatter_add(got, i, T(2), 0);
        const array<T> signs = scatter_mul(frit::ones<T>({size}), i, frit::cast<T>(where(k % 3 == 0, -1, 1)), 0);
        std::vector<T> sums(static_cast<std::size_t>(size), T(1)), counted(sums), products(sums);
        const std::vector<std::int64_t> at = i.to_vector();
        for (std::size_t j = 0; j < at.size(); ++j) {
            const auto e = static_cast<std::size_t>(at[j]);
            sums[e] += T(static_cast<float>(j % 7) - 3);
            counted[e] += T(2);
            products[e] *= T(j % 3 == 0 ? -1.0F : 1.0F);
        }
        for (std::size_t e = 0; e < sums.size(); ++e) counted[e] += sums[e] - T(1);
        const std::string what = std::string(frit::name_of(frit::dtype_of<T>)) + ", " + std::to_string(size);
        EXPECT_TRUE(got.to_vector() == sums) << what;
        EXPECT_TRUE(one.to_vector() == counted) << what;
        EXPECT_TRUE(signs.to_vector() == products) << what;
    };
    for (const std::int64_t size : {1, 3, 700, 2048, 2049, 5000, 70'000, 250'000, 500'000}) {
        const array<std::int64_t> spread = (k * 7919 * 31 % size).eval();
        check(0.0F, spread, size);
        check(0.0F, (k * 0 + size / 2).eval(), size);
        check(0.0, where(k % 2 == 0, spread, size / 3).eval(), size);
        check(std::complex<float>(), (k * size / n).eval(), size);
        check(std::complex<double>(), where(k < n / 2, spread, size - 1).eval(), size);
    }
}

// A GPU counts them.
TEST(Scatter, OneValueOnFewElements) {
    const std::int64_t n = (1 << 17) + 3, few = 100;
    const array<std::int64_t> i = ((arange<std::int64_t>(n) * 7919 * 31) % (few - 1)).eval();  // none on the last
    const std::vector<std::int64_t> at = i.to_vector();
    const auto check = [&]<class T>(T v, const auto& combine, const auto& scatter) {
        const array<T> u = frit::cast<T>(arange<int>(few) + 1).eval();
        std::vector<T> want = u.to_vector();
        for (const std::int64_t k : at) {
            T& x = want[static_cast<std::size_t>(k)];
            x = static_cast<T>(combine(x, v));
        }
        EXPECT_EQ(array<T>(scatter(u, v)).to_vector(), want) << frit::name_of(frit::dtype_of<T>);
    };
    const auto add = [&](const auto& u, auto v) { return scatter_add(u, i, v, 0); };
    const auto integers = [&]<class T>(T v) {
        check(
            v, [](T a, T b) { return std::uint64_t{a} + b; }, add);
        check(
            v, [](T a, T b) { return std::uint64_t{a} * b; }, [&](auto& u, T x) { return scatter_mul(u, i, x, 0); });
        check(
            v, [](T a, T b) { return std::min(a, b); }, [&](auto& u, T x) { return scatter_min(u, i, x, 0); });
        check(
            v, [](T a, T b) { return std::max(a, b); }, [&](auto& u, T x) { return scatter_max(u, i, x, 0); });
    };
    integers(std::uint8_t{43});
    integers(std::uint16_t{43});
    integers(std::uint32_t{43});
    integers(std::uint64_t{43});
    check(
        0.5F, [](float a, float b) { return a + b; }, add);
    check(
        0.5, [](double a, double b) { return a + b; }, add);
}

TEST(Scatter, IntoMoreThanCachesHold) {
    const std::int64_t size = 4'300'000, n = 600'000;
    const array<std::int64_t> i = ((arange<std::int64_t>(n) * 7919 * 31) % size).eval();
    const array<double> v = frit::sin(arange<double>(n)).eval(), u = arange<double>(size).eval();
    const auto added = [&] {
        return array<double>(scatter_add(u, concatenate(0, i, i), concatenate(0, v, v), 0)).to_vector();
    };
    const std::vector<double> got = same_for_threads({1, 4}, added);
    const std::vector<double> values = v.to_vector();
    const std::vector<std::int64_t> at = i.to_vector();
    for (std::size_t k = 0; k < at.size(); k += 999)
        // What comes first, the two or one of them and the element, is a matter of the device.
        EXPECT_DOUBLE_EQ(got[static_cast<std::size_t>(at[k])], static_cast<double>(at[k]) + values[k] + values[k]);
}

// Indices and values are read where they lie, and of the array what they name.
TEST(Scatter, ReadsAndWritesWhatItTouches) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> i = (arange<int>(1000) * 7 - 3000).eval();
        const array<std::int64_t> wide = array<std::int64_t>(frit::cast<std::int64_t>(i)).eval();
        const array<float> v = frit::sin(arange<float>(1000)).eval();
        const auto check = [&](const auto& indices, std::int64_t width, auto change) {
            array<float> u = frit::zeros<float>({100'000}).eval();
            change(u, indices);
            const frit::plan p = frit::make_plan(u);
            EXPECT_EQ(p.kernels().size(), 0U);
            EXPECT_EQ(p.library_calls().size(), 1U);
            EXPECT_EQ(p.bytes_read(), 1000 * width + 1000 * 4 + 1000 * 4);
            EXPECT_EQ(p.bytes_written(), 1000 * 4);
            const frit::counters before = frit::stats();
            u.eval();
            EXPECT_EQ(frit::stats().bytes_read - before.bytes_read, static_cast<std::uint64_t>(p.bytes_read()));
            EXPECT_EQ(frit::stats().bytes_written - before.bytes_written, static_cast<std::uint64_t>(p.bytes_written()));
            EXPECT_EQ(u(indices).to_vector(), v.to_vector());
        };
        check(i, 4, [&](auto& u, auto& at) { u(at) += v; });
        check(i, 4, [&](auto& u, auto& at) { u(at) = v; });
        check(wide, 8, [&](auto& u, auto& at) { u(at) += v; });
    });
}

// Stored indices, which the library checks itself: of any shape, negative ones, on any number of threads; wrong ones cost
// the error that computed ones do, which comes again (on a GPU once), and nothing is written.
TEST(Scatter, StoredIndicesAreCheckedAsComputedOnesAre) {
    auto& pool = frit::detail::thread_pool::instance();
    const int before = pool.size(), errors = frit::default_device().is_cpu() ? 2 : 1;
    for (const int threads : {1, 3}) {
        pool.resize(threads);
        for (const std::int64_t n : {7, 300'000}) {
            const array<std::int64_t> k = arange<std::int64_t>(n).eval(), turned = array<std::int64_t>(n - 1 - k).eval(),
                                      negative = array<std::int64_t>(-1 - k).eval();
            const auto put = [&](const auto& at) {
                array<std::int64_t> u = frit::zeros<std::int64_t>({n}).eval();
                u(at) = k;
                return u.to_vector();
            };
            EXPECT_EQ(put(turned), turned.to_vector());
            EXPECT_EQ(put(negative), turned.to_vector());
            EXPECT_EQ(put(frit::cast<int>(negative).eval()), turned.to_vector());
            EXPECT_EQ(put(array<std::int64_t>(where(k == n / 2, k, k - n)).eval()), k.to_vector());
            for (const std::int64_t wrong : {n, -n - 1}) {
                const array<std::int64_t> at = array<std::int64_t>(where(k == n - 2, wrong, k)).eval();
                array<std::int64_t> u = frit::zeros<std::int64_t>({n}).eval(), kept = u;
                const int line = __LINE__ + 1;
                u(at) += 1;
                for (int again = 0; again < errors; ++again)
                    EXPECT_ERROR(u.to_vector(), frit::index_error, "index " + std::to_string(wrong) + " is out of range",
                                 "extent " + std::to_string(n), "test_scatter.cpp:" + std::to_string(line));
                EXPECT_EQ(kept.to_vector(), std::vector<std::int64_t>(static_cast<std::size_t>(n)));
                array<std::int64_t> own = frit::ones<std::int64_t>({n}).eval();  // of which nobody has another handle
                own(at) += 1;
                for (int again = 0; again < errors; ++again) EXPECT_THROW(own.to_vector(), frit::index_error);
                array<double> made = frit::ones<double>({n}).eval();  // nor is it lost to a kernel before the scatter
                made = frit::sin(made);
                made(at) = 1.0;
                for (int again = 0; again < errors; ++again) EXPECT_THROW(made.to_vector(), frit::index_error);
            }
        }
    }
    pool.resize(before);
    array<int> u = frit::zeros<int>({6}).eval();
    const array<int> grid = array<int>{{0, -1}, {2, 2}};
    u(grid.eval()) += array<int>{{1, 2}, {3, 4}};
    u(grid(frit::all, 0).eval()) *= 10;
    u(grid.T()) += 100;
    EXPECT_EQ(u.to_vector(), (ints{110, 0, 270, 0, 0, 102}));
}

// From the end of a longer vector int32 does not count: a kernel makes its numbers of elements then.
TEST(Scatter, IndicesThatCountAllElements) {
    const auto checked_by_a_kernel = [](std::int64_t n, const auto& i) {
        array<std::uint8_t> u = frit::zeros<std::uint8_t>({n});
        u(i) = 1;
        return frit::explain(u).find("index(") != std::string::npos;
    };
    const array<int> i = array<int>{-1}.eval();
    const array<std::int64_t> wide = array<std::int64_t>{-1}.eval();
    EXPECT_FALSE(checked_by_a_kernel(INT32_MAX, i));
    EXPECT_TRUE(checked_by_a_kernel(std::int64_t{INT32_MAX} + 1, i));
    EXPECT_FALSE(checked_by_a_kernel(std::int64_t{INT32_MAX} + 1, wide));
}

TEST(Scatter, OneValueForAllIsNotSpreadOut) {
    array<float> u = frit::zeros<float>({100'000}).eval();
    const array<int> i = (arange<int>(1000) * 7).eval();
    u(i) += 1.5F;
    const frit::plan p = frit::make_plan(u);
    EXPECT_EQ(p.library_calls().size(), 1U);
    EXPECT_EQ(p.bytes_read(), 4 + 1000 * 4 + 1000 * 4);  // the number, which is a kernel; i; the elements
    EXPECT_EQ(p.bytes_written(), 4 + 1000 * 4);
    EXPECT_EQ(array<float>(sum(u)).item(), 1500);
    EXPECT_EQ(bincount(frit::zeros<int>({1'000'000})).to_vector(), std::vector<std::int64_t>{1'000'000});
}

TEST(Scatter, NaNsAndSignedZeros) {
    const float nan = std::nanf("");
    const array<float> u{1, 1, 0}, v{nan, 2, -0.0F, nan, 0.0F, -0.0F};
    const array<int> i{0, 0, 2, 0, 2, 2};
    const std::vector<float> most = scatter_max(u, i, v, 0).to_vector(), least = scatter_min(u, i, v, 0).to_vector();
    EXPECT_TRUE(std::isnan(most[0]) && std::isnan(least[0]));
    EXPECT_EQ(most[1], 1);
    EXPECT_FALSE(std::signbit(most[2]));
    EXPECT_TRUE(std::signbit(least[2]));
}

TEST(Scatter, InPlaceWhereNobodyElseLooks) {
    array<float> u = frit::zeros<float>({100'000}).eval();
    const array<int> i = (arange<int>(1000) * 7).eval();
    const array<float> v = frit::ones<float>({1000}).eval();
    const void* const memory = u.span().data();
    u(i) += v * 2;
    const frit::plan p = frit::make_plan(u);
    EXPECT_EQ(p.library_calls().size(), 1U);
    EXPECT_EQ(p.kernels().size(), 1U);
    // i and v; values written and read; the elements that are touched read and written
    EXPECT_EQ(p.bytes_read(), 1000 * (4 + 4) + 1000 * 4 + 1000 * 4);
    EXPECT_EQ(p.bytes_written(), 1000 * 4 + 1000 * 4);
    u.eval();
    if (frit::default_device() == frit::device::cpu()) {
        EXPECT_EQ(u.span().data(), memory);
    }
    const array<float> old = u;
    u(i) += v;
    EXPECT_EQ(frit::make_plan(u).bytes_written(), 100'000 * 4);  // old is still wanted
    EXPECT_EQ(array<float>(sum(old)).item(), 2000);
    EXPECT_EQ(array<float>(sum(u)).item(), 3000);
}

// float32 is combined in float64: of all elements, or of the few that are named.
TEST(Scatter, FewIntoMany) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        array<float> u = frit::ones<float>({100'000}).eval();
        u(array<int>{7, 99'999, 7, -1, 7}) += array<float>{1, 2, 3, 4, 5};
        EXPECT_EQ(u(array<int>{6, 7, 8, 99'998, 99'999}).to_vector(), (std::vector<float>{1, 10, 1, 1, 7}));
        EXPECT_EQ(array<float>(sum(u)).item(), 100'015.F);
    });
}

TEST(Scatter, OutOfRangeWritesNothing) {
    array<int> u = frit::zeros<int>({10}).eval();
    const array<int> before = u;
    array<int> w = u;
    const int line = __LINE__ + 1;
    w(array<int>{1, 10}) = 5;
    try {
        w.to_vector();
        ADD_FAILURE() << "no error";
    } catch (const frit::index_error& e) {
        const std::string text = e.what();
        EXPECT_NE(text.find("index 10 is out of range for an axis with extent 10"), std::string::npos) << text;
        EXPECT_NE(text.find(":" + std::to_string(line) + "]"), std::string::npos) << text;
    }
    EXPECT_EQ(before.to_vector(), ints(10, 0));
}

TEST(Scatter, Mistakes) {
    array<int> u = frit::zeros<int>({2, 3});
    EXPECT_THROW(u(array<int>{0, 1}) = (array<int>{1, 2}), frit::shape_error);
    any_array v = u;
    EXPECT_THROW(v(array<int>{0}) = 1.5, frit::dtype_error);
    EXPECT_THROW(scatter_add(u, array<int>{0}, 1, 2), frit::index_error);
    EXPECT_THROW(segment_sum(u, array<int>{0}, 2), frit::shape_error);
    EXPECT_THROW(segment_sum(u, array<int>{0, 1}, -1), frit::index_error);
    EXPECT_THROW(scatter_min(frit::zeros<std::complex<float>>({3}), array<int>{0}, 1.0F, 0), frit::dtype_error);
    array<int> none = frit::zeros<int>({0});
    EXPECT_THROW(none(array<int>{0}) = 1, frit::index_error);
    none(frit::zeros<int>({0})) = 1;
    EXPECT_EQ(none.to_vector(), ints{});
}

TEST(Scatter, TotalsOfSegments) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> x{5, 1, 4, 2, 3}, ids{2, 0, 2, 0, 3};
        EXPECT_EQ(segment_sum(x, ids, 5).to_vector(), (std::vector<std::int64_t>{3, 0, 9, 3, 0}));
        EXPECT_EQ(segment_prod(x, ids, 5).to_vector(), (std::vector<std::int64_t>{2, 1, 20, 3, 1}));
        EXPECT_EQ(segment_max(x, ids, 5).to_vector(), (ints{2, INT32_MIN, 5, 3, INT32_MIN}));
        EXPECT_EQ(segment_min(x, ids, 5).to_vector(), (ints{1, INT32_MAX, 4, 3, INT32_MAX}));
        const std::vector<double> means = segment_mean(x, ids, 5).to_vector();
        EXPECT_EQ(means[0], 1.5);
        EXPECT_TRUE(std::isnan(means[1]));
        EXPECT_EQ(means[2], 4.5);
        const array<float> m{{1, 2, 3}, {4, 5, 6}};
        EXPECT_EQ(segment_sum(m, array<int>{1, 0, 1}, 2, 1).to_vector(), (std::vector<float>{2, 4, 5, 10}));
        EXPECT_EQ(segment_mean(m, array<int>{1, 1}, 2, 0).to_vector()[3], 2.5F);
        EXPECT_EQ(segment_sum(x * 2, ids, 5).to_vector(), (std::vector<std::int64_t>{6, 0, 18, 6, 0}));
        EXPECT_THROW(segment_sum(x, ids, 3).to_vector(), frit::index_error);
    });
}

TEST(Scatter, OfArraysWhoseDtypeIsKnownAtRunTime) {
    any_array u = frit::zeros<float>({4});
    u(array<int>{1, 1}) += 2;
    EXPECT_EQ(u.to_vector<float>(), (std::vector<float>{0, 4, 0, 0}));
    EXPECT_EQ(segment_sum(u, array<int>{0, 0, 1, 1}, 2).to_vector<float>(), (std::vector<float>{4, 0}));
    EXPECT_THROW((u(array<int>{1}) = std::complex<double>(1, 1)), frit::dtype_error);
}

TEST(Scatter, ALoopOfThemWithReadsBetween) {
    array<std::int64_t> u = frit::zeros<std::int64_t>({50});
    std::vector<std::int64_t> plain(50, 0);
    for (int round = 0; round < 40; ++round) {
        const array<std::int64_t> i = (arange<std::int64_t>(20) * (round + 3)) % 50;
        u(i) += u((i + 1) % 50) + 1;
        const std::vector<std::int64_t> at = i.to_vector(), old = plain;
        for (const std::int64_t k : at)
            plain[static_cast<std::size_t>(k)] += old[static_cast<std::size_t>((k + 1) % 50)] + 1;
        for (std::int64_t& x : plain) x %= 1000;
        u = u % std::int64_t{1000};
        if (round % 7 == 0) {
            EXPECT_EQ(array<std::int64_t>(sum(u)).item(), std::accumulate(plain.begin(), plain.end(), std::int64_t{0}));
        }
    }
    EXPECT_EQ(u.to_vector(), plain);
}

}  // namespace

// Running values as values of kernels: what makes them and what reads them is one kernel with them, along any axis, from
// either end, with an element's own value or without.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/libraries.hpp"
#include "tests/support/thorough.hpp"

namespace {

using frit::arange;
using frit::array;
using frit::scan_order;

bool on_cpu() { return frit::default_device() == frit::device::cpu(); }

/// So many kernels, and no call.
template <class A>
void expect_kernels(const A& x, std::size_t kernels, std::int64_t read, std::int64_t written) {
    const frit::plan p = frit::make_plan(x);
    EXPECT_EQ(p.library_calls().size(), 0U);
    EXPECT_EQ(p.kernels().size(), kernels);
    EXPECT_EQ(p.bytes_read(), read);
    EXPECT_EQ(p.bytes_written(), written);
}

/// In a plain loop, over an array of these extents along one of its axes.
template <class T>
std::vector<T> running(const std::vector<T>& x, const std::vector<std::int64_t>& extents, std::size_t axis, bool backward,
                       const T* start, const std::function<T(T, T)>& combine) {
    std::int64_t inner = 1, outer = 1;
    for (std::size_t k = 0; k < extents.size(); ++k) (k < axis ? outer : inner) *= k == axis ? 1 : extents[k];
    const std::int64_t n = extents[axis];
    std::vector<T> to(x.size());
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t i = 0; i < inner; ++i) {
            T before = start ? *start : T();
            for (std::int64_t k = 0; k < n; ++k) {
                const auto at = static_cast<std::size_t>((o * n + (backward ? n - 1 - k : k)) * inner + i);
                const T now = k == 0 && !start ? x[at] : combine(before, x[at]);
                to[at] = start ? before : now;
                before = now;
            }
        }
    return to;
}

template <class T>
std::vector<T> numbers(std::int64_t n) {
    std::mt19937 random(static_cast<unsigned>(n));
    std::vector<T> x(static_cast<std::size_t>(n));
    for (T& v : x) v = static_cast<T>(static_cast<int>(random() % 7) - (std::is_signed_v<T> ? 3 : 0));
    return x;
}

// Rows that are one block, parts of one and several; many short ones, columns side by side, few and many.
const std::vector<std::vector<std::int64_t>> shapes = {{1},       {7},          {5000},      {3, 4},    {100, 3},
                                                       {3, 100},  {2, 9000},    {9000, 2},   {300, 40}, {40, 300},
                                                       {5, 1, 6}, {4, 130, 70}, {17, 5, 33}, {1, 3000}, {2600, 17}};

template <class T>
void expect_running(const std::string& where) {
    for (const auto& extents : shapes) {
        std::int64_t size = 1;
        for (const std::int64_t e : extents) size *= e;
        const std::vector<T> x = numbers<T>(size);
        const array<T> a = frit::from_host(x, frit::int_list(extents));
        const T zero(0), one(1);
        for (std::size_t axis = 0; axis < extents.size(); ++axis)
            for (const scan_order order : {scan_order::forward, scan_order::backward}) {
                const bool backward = order == scan_order::backward;
                const auto k = static_cast<int>(axis);
                const auto by = [&](const T* start, const std::function<T(T, T)>& combine) {
                    return running<T>(x, extents, axis, backward, start, combine);
                };
                const auto add = [](T u, T v) { return static_cast<T>(u + v); };
                const auto larger = [](T u, T v) { return u > v ? u : v; };
                const auto smaller = [](T u, T v) { return u < v ? u : v; };
                // signs, so that products stay what they are
                const array<T> signs = frit::where(a > T(2), T(-1), T(1));
                std::vector<T> s(x.size());
                for (std::size_t j = 0; j < x.size(); ++j) s[j] = static_cast<T>(x[j] > T(2) ? T(-1) : T(1));
                const auto times = [](T u, T v) { return static_cast<T>(u * v); };
                const auto to_t = [](const auto& y) { return array<T>(frit::cast<T>(y)).to_vector(); };
                const std::string what = where + ", " + frit::to_string(a.shape()) + " along " + std::to_string(axis) +
                                         (backward ? " backward" : "");
                ASSERT_EQ(to_t(cumsum(a, k, order)), by(nullptr, add)) << what;
                ASSERT_EQ(to_t(exclusive_cumsum(a, k, order)), by(&zero, add)) << what;
                ASSERT_EQ(array<T>(cummax(a, k, order)).to_vector(), by(nullptr, larger)) << what;
                ASSERT_EQ(array<T>(cummin(a, k, order)).to_vector(), by(nullptr, smaller)) << what;
                ASSERT_EQ(to_t(cumprod(signs, k, order)), running<T>(s, extents, axis, backward, nullptr, times)) << what;
                ASSERT_EQ(to_t(exclusive_cumprod(signs, k, order)), running<T>(s, extents, axis, backward, &one, times))
                    << what;
                // with a producer and a consumer that reads the same place
                std::vector<T> twice = x;
                for (T& v : twice) v = static_cast<T>(v + v);
                std::vector<T> want = running<T>(twice, extents, axis, backward, nullptr, add);
                for (std::size_t j = 0; j < want.size(); ++j) want[j] = static_cast<T>(want[j] - x[j]);
                ASSERT_EQ(to_t(cumsum(a + a, k, order) - a), want) << what;
            }
    }
}

TEST(Running, EveryAxisAndOrder) {
    FRIT_SKIP_WITHOUT(cumsum);
    frit_test::everywhere([](const std::string& engine) {
        expect_running<double>("float64, " + engine);
        expect_running<std::int32_t>("int32, " + engine);
    });
    expect_running<float>("float32");
    expect_running<std::int64_t>("int64");
    expect_running<std::uint8_t>("uint8");
    expect_running<std::int16_t>("int16");
}

TEST(Running, ProducersAndConsumersAreOneKernel) {
    FRIT_SKIP_WITHOUT(cumsum);
    const array<float> x = arange<float>(1000).eval(), y = (x / 7).eval();
    expect_kernels(cumsum(x * y), 1, 8000, 4000);
    expect_kernels(cumsum(x) / (arange<float>(1000) + 1), 1, 4000, 4000);
    expect_kernels(sqrt(cumsum(x * y)) + x, 1, 8000, 4000);
    const array<float> m = arange<float>(6000).reshape({20, 300}).eval();
    for (const int axis : {0, 1}) {
        if (axis == 0 && !on_cpu()) continue;  // columns, and few of them: a library's
        expect_kernels(cumsum(m * 2, axis) - m, 1, 24'000, 24'000);
        expect_kernels(cumsum(m * 2, axis, scan_order::backward) - m, 1, 24'000, 24'000);
        expect_kernels(exclusive_cumsum(exp(-m), axis), 1, 24'000, 24'000);
    }
    const array<float> columns = arange<float>(40'000).reshape({2, 20'000}).eval();
    expect_kernels(cumsum(columns * 2, 0) - columns, 1, 160'000, 160'000);
    // of running values, and several of one input
    expect_kernels(cumsum(cumsum(m, 1), 1), 1, 24'000, 24'000);
    expect_kernels(cumsum(m, 1) + cummax(m, 1), 1, 24'000, 24'000);
    // other axes and other directions meet in memory
    expect_kernels(cumsum(m, 1) + cumsum(m, 1, scan_order::backward), 2, 72'000, 48'000);
    if (!on_cpu()) return;
    expect_kernels(cumsum(cumsum(m, 0), 1), 2, 48'000, 48'000);
    // totals of running values, and running values of what has a total in it
    expect_kernels(max(cummax(x) - x), 1, 4000, 4);
    expect_kernels(cumsum(m - mean(m, 1, frit::keepdims), 1), 1, 24'000, 24'000);
    // but not totals of what runs from the last element on: they begin at the first
    expect_kernels(sum(cumsum(m, 1, scan_order::backward), 1), 2, 48'000, 24'080);
}

// What shares a loop with running values, and must not.
TEST(Running, OnlyWhatIsReadAtItsOwnIndexIsTheSameKernel) {
    FRIT_SKIP_WITHOUT(cumsum);
    const array<float> x = arange<float>(1000).eval();
    {  // through a view, of what reads them at their own index
        const array<float> u = cumsum(x);
        const array<double> w = frit::cast<double>(u), turned = frit::flip(w) + 1;
        const array<float> d = frit::flip(u) * 3;
        frit::eval(w, turned, d);
        EXPECT_EQ(turned.to_vector()[0], 1000. * 999 / 2 + 1);
        EXPECT_EQ(d.to_vector()[0], 1000.F * 999 / 2 * 3);
    }
    const array<float> m = arange<float>(6000).reshape({20, 300}).eval(), b = (arange<float>(20) / 20).eval(),
                       c = (arange<float>(300) / 300).eval();
    for (const scan_order order : {scan_order::forward, scan_order::backward}) {
        // one value for each row, stored beside
        const array<float> w = frit::exp(b), v = frit::exp(c);
        const array<float> y = cumsum(m * frit::expand_dims(w, 1), 1, order), z = cumsum(m * v, 0, order);
        frit::eval(w, v, y, z);
        const array<float> ws = frit::exp(b).eval(), vs = frit::exp(c).eval();
        EXPECT_EQ(w.to_vector(), ws.to_vector());
        EXPECT_EQ(y.to_vector(), array<float>(cumsum((m * frit::expand_dims(ws, 1)).eval(), 1, order)).to_vector());
        EXPECT_EQ(z.to_vector(), array<float>(cumsum((m * vs).eval(), 0, order)).to_vector());
        // a total beside them has the bits that it has alone
        const array<float> t = frit::sum(frit::sin(m), 1);
        const array<float> r = cumsum(frit::sin(m), 1, order);
        frit::eval(t, r);
        EXPECT_EQ(t.to_vector(), array<float>(frit::sum(frit::sin(m).eval(), 1)).to_vector());
    }
    // one element, and what goes on with it
    const array<float> one{{2}}, more = frit::ones<float>({5});
    EXPECT_EQ(array<float>(frit::squeeze(exclusive_cumsum(one * 2, 1)) + frit::sum(more * 1)).to_vector(),
              std::vector<float>{5});
    // along an axis that a view has put in
    EXPECT_EQ(array<float>(cumsum(b(frit::all, frit::newaxis), 1)).to_vector(), b.to_vector());
    EXPECT_EQ(array<float>(cumsum(frit::expand_dims(b * 2, 1), 1)).to_vector(), array<float>(b * 2).to_vector());
    EXPECT_EQ(array<float>(cummax(m(frit::all, frit::newaxis, frit::all), 1)).to_vector(), m.to_vector());
    // nothing in common
    if (on_cpu()) {
        const array<float> s = cumsum(x), e = frit::exp(arange<float>(1000) / 3 + frit::ones<float>({1000}).eval());
        EXPECT_EQ(frit::make_plan(s, e).kernels().size(), 2U);
    }
}

// More of them than a kernel has: on a GPU each has bits of a word.
TEST(Running, ManyOfOneInput) {
    FRIT_SKIP_WITHOUT(cumsum);
    const array<double> x = frit::sin(arange<double>(10'000)).eval();
    array<double> all = x;
    std::vector<double> want = x.to_vector();
    for (int k = 1; k < 13; ++k) {
        all = all + cumsum(x * k);
        double sum = 0;
        for (std::size_t j = 0; j < want.size(); ++j) want[j] += (sum += std::sin(static_cast<double>(j)) * k);
    }
    const std::vector<double> got = all.to_vector();
    double worst = 0;
    for (std::size_t j = 0; j < want.size(); ++j) worst = std::max(worst, std::abs(got[j] - want[j]));
    EXPECT_LT(worst, 1e-9);
}

TEST(Running, TotalsAndRowsBeside) {
    FRIT_SKIP_WITHOUT(cumsum);
    const array<double> m = frit::sin(arange<double>(6000)).reshape({20, 300}).eval();
    frit_test::everywhere([&](const std::string& engine) {
        for (const int axis : {0, 1}) {
            const array<double> running = array<double>(cumsum(m, axis)).eval();
            const array<double> together = cumsum(m, axis) / frit::sum(m, axis, frit::keepdims),
                                apart = running / array<double>(frit::sum(m, axis, frit::keepdims)).eval();
            EXPECT_EQ(together.to_vector(), apart.to_vector()) << engine;
            const array<double> drop = max(cummax(m, axis) - m, axis);
            EXPECT_EQ(drop.to_vector(), array<double>(max(array<double>(cummax(m, axis)).eval() - m, axis)).to_vector())
                << engine;
            // once more over values that were running before
            const array<double> share = cumsum(m, axis) - frit::mean(cumsum(m, axis), axis, frit::keepdims);
            const array<double> mean = array<double>(frit::mean(running, axis, frit::keepdims)).eval();
            const array<double> difference = frit::max(frit::abs(share - (running - mean)));
            // where the values come from a library, along another axis, their mean is added up in another order
            EXPECT_LE(difference.item(), on_cpu() ? 0 : 1e-13) << engine;
        }
    });
}

TEST(Running, TheSourceIsTheInterpretersUnderEveryEngine) {
    if (!on_cpu()) GTEST_SKIP() << "a GPU's kernels have texts of their own";
    const array<float> x = arange<float>(100).eval();
    frit_test::everywhere([&](const std::string& engine) {
        const array<float> y = cumsum(x);
        EXPECT_NE(frit::make_plan(y).kernels()[0].source().find("= cumsum t0"), std::string::npos) << engine;
    });
}

// On a GPU blocks share such a row, and look back over what 32 of them have left, and 1,024.
TEST(Running, LongRows) {
    FRIT_SKIP_WITHOUT(cumsum);
    // With 8,192 elements a tile there are more than 1,024 tiles, which an emulated GPU walks through for minutes.
    const std::int64_t n = 300'000, kilo = (frit_test::thorough() ? 8192 : 4096) * 1030 + 5;
    const array<float> ones = frit::ones<float>({n});
    EXPECT_TRUE(frit::all(cumsum(ones) == arange<float>(n) + 1).item());
    EXPECT_TRUE(frit::all(exclusive_cumsum(ones, 0, scan_order::backward) == n - 1 - arange<float>(n)).item());
    const array<double> x = frit::sin(arange<double>(n)).eval();
    const std::vector<double> got = array<double>(cumsum(x)).to_vector(), of = x.to_vector();
    double sum = 0, worst = 0;
    for (std::size_t k = 0; k < got.size(); ++k) worst = std::max(worst, std::abs(got[k] - (sum += of[k])));
    EXPECT_LT(worst, 1e-9);
    const array<double> two = frit::sin(arange<double>(2 * n)).reshape({2, n});
    EXPECT_EQ(array<double>(cummax(two, 1)(1, n - 1)).item(), array<double>(max(two(1))).item());
    // In memory: tiles ask for those that come later.
    const array<std::int64_t> stored = frit::where(arange<std::int64_t>(kilo) >= 0, 1, 0);
    stored.eval();
    const array<std::int64_t> of_many = cumsum(stored);
    EXPECT_TRUE(frit::all(of_many == arange<std::int64_t>(kilo) + 1).item());
}

TEST(Running, NothingIsLostOfSignsAndNans) {
    FRIT_SKIP_WITHOUT(cumsum);
    const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
    const auto signs = [](const array<float>& x) {
        std::vector<bool> all;
        for (const float v : x.to_vector()) all.push_back(std::signbit(v));
        return all;
    };
    EXPECT_EQ(signs(cumsum(array<float>{-0.F, -0.F, 0.F, -0.F})), (std::vector<bool>{true, true, false, false}));
    EXPECT_EQ(signs(exclusive_cumsum(array<float>{-0.F, -0.F})), (std::vector<bool>{false, false}));
    const auto nans = [](const array<float>& x) {
        std::vector<bool> all;
        for (const float v : x.to_vector()) all.push_back(std::isnan(v));
        return all;
    };
    const array<float> x{1, nan, 2, inf, -inf};
    EXPECT_EQ(nans(cummax(x)), (std::vector<bool>{false, true, true, true, true}));
    EXPECT_EQ(nans(cummin(x, 0, scan_order::backward)), (std::vector<bool>{true, true, false, false, false}));
    EXPECT_EQ(nans(cumsum(array<float>{inf, 1, -inf, 1})), (std::vector<bool>{false, false, true, true}));
    EXPECT_EQ(cummax(array<float>{-inf, -inf, 3}).to_vector(), (std::vector<float>{-inf, -inf, 3}));
}

TEST(Running, BoolsShortFloatsAndComplexNumbers) {
    FRIT_SKIP_WITHOUT(cumsum);
    const array<bool> b{false, true, false};
    EXPECT_EQ(exclusive_cumsum(b).to_vector(), (std::vector<std::int64_t>{0, 0, 1}));
    EXPECT_EQ(cummin(b, 0, scan_order::backward).to_vector(), (std::vector<bool>{false, false, false}));
    EXPECT_EQ(cummax(b).to_vector(), (std::vector<bool>{false, true, true}));
    // of 16-bit numbers sums are float32's, and rounded once
    const array<frit::half> h = frit::full<frit::half>({3000}, frit::half(1)).eval();
    EXPECT_EQ(static_cast<float>(array<frit::half>(cumsum(h)(frit::slice(2999, 3000))).item()), 3000.F);
    using c64 = std::complex<float>;
    const array<c64> z{c64(1, 2), c64(3, -1), c64(0, 1)};
    EXPECT_EQ(array<c64>(cumsum(z)).to_vector(), (std::vector<c64>{{1, 2}, {4, 1}, {4, 2}}));
    EXPECT_EQ(array<c64>(exclusive_cumsum(z)).to_vector(), (std::vector<c64>{{0, 0}, {1, 2}, {4, 1}}));
    EXPECT_EQ(array<c64>(exclusive_cumprod(z)).to_vector(), (std::vector<c64>{{1, 0}, {1, 2}, {5, 5}}));
    EXPECT_EQ(array<c64>(cumsum(z, 0, scan_order::backward)).to_vector(), (std::vector<c64>{{4, 2}, {3, 0}, {0, 1}}));
    EXPECT_EQ(array<c64>(cumprod(z, 0, scan_order::backward)).to_vector(), (std::vector<c64>{{-5, 5}, {1, 3}, {0, 1}}));
}

TEST(Running, OfViewsAndWithoutElements) {
    FRIT_SKIP_WITHOUT(cumsum);
    const array<int> m = arange<int>(60).reshape({4, 15}).eval();
    const auto last = [](const auto& x) { return array<std::int64_t>(x).to_vector().back(); };
    EXPECT_EQ(last(cumsum(m.T(), 0)), 45 + 46 + 47 + 48 + 49 + 50 + 51 + 52 + 53 + 54 + 55 + 56 + 57 + 58 + 59);
    EXPECT_EQ(last(cumsum(m(frit::all, frit::slice(0, 15, 7)), 1)), 45 + 52 + 59);
    EXPECT_EQ(last(cumsum(frit::broadcast_to(m(0), {3, 15}), 0)), 3 * 14);
    EXPECT_EQ(cumsum(frit::ones<int>({5}), 0, scan_order::backward).to_vector(), (std::vector<std::int64_t>{5, 4, 3, 2, 1}));
    for (const scan_order order : {scan_order::forward, scan_order::backward}) {
        EXPECT_TRUE(exclusive_cumsum(frit::zeros<float>({3, 0}), 0, order).to_vector().empty());
        EXPECT_TRUE(exclusive_cumprod(frit::zeros<float>({0, 3}), 0, order).to_vector().empty());
        EXPECT_EQ(exclusive_cumprod(frit::zeros<float>({1, 3}), 0, order).to_vector(), (std::vector<float>{1, 1, 1}));
    }
    EXPECT_THROW(cumsum(m, 2, scan_order::backward), frit::index_error);
    EXPECT_THROW(cumsum(frit::scalar(1.F), 0, scan_order::backward), frit::shape_error);
    // the memory of an operand that nobody else holds
    array<double> u = arange<double>(4000).eval();
    u = cumsum(u + 1) / 2;
    EXPECT_EQ(array<double>(u(3999)).item(), 4000. * 4001 / 4);
    // through their readers' indices
    const array<double> s = cumsum(frit::ones<double>({10}));
    const array<double> steps = s(frit::slice(1, 10)) - s(frit::slice(0, 9));
    EXPECT_EQ(steps.to_vector(), std::vector<double>(9, 1.0));
}

}  // namespace

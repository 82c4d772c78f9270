// Integers that are added up in arrays of few elements: on a GPU one kernel counts where it computes the places. The
// results are those of a loop on the host; on a GPU nothing of the places' number is stored.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/libraries.hpp"

namespace {

using frit::arange;
using frit::array;
using frit::shape;
using frit::slice;
using counts = std::vector<std::int64_t>;

bool on_gpu() { return !frit::default_device().is_cpu(); }

/// By the edges alone.
template <class E>
counts counted(const std::vector<E>& values, const std::vector<E>& edges) {
    counts c(edges.size() - 1);
    for (const E v : values) {
        if (!(v >= edges.front() && v <= edges.back())) continue;
        const auto behind = std::upper_bound(edges.begin(), edges.end(), v) - edges.begin();
        ++c[std::min(static_cast<std::size_t>(behind) - 1, c.size() - 1)];
    }
    return c;
}

/// E: what the edges are computed in, float32 for 16-bit floats.
template <class E, class A>
void check_histogram(const A& x, std::int64_t bins, double lo, double hi, const std::string& what) {
    SCOPED_TRACE(what + ", " + std::to_string(bins) + " bins");
    const std::vector<E> edges = std::get<1>(histogram(frit::zeros<E>({1}), bins, lo, hi)).to_vector();
    EXPECT_EQ(std::get<0>(histogram(x, bins, lo, hi)).to_vector(), counted(array<E>(frit::cast<E>(x)).to_vector(), edges));
    std::vector<E> beside = edges;
    for (const E e : edges)
        for (const E far : {-std::numeric_limits<E>::max(), std::numeric_limits<E>::max()})
            beside.push_back(std::nextafter(e, far));
    EXPECT_EQ(std::get<0>(histogram(frit::from_host(beside), bins, lo, hi)).to_vector(), counted(beside, edges)) << "edges";
}
template <class A>
void check_floats(const A& x, std::int64_t bins, double lo, double hi, const std::string& what) {
    check_histogram<float>(x, bins, lo, hi, what);
}

/// From below the bins to above them, NaN among them, and numbers on edges and right beside them.
std::vector<double> values_of(std::int64_t n) {
    std::vector<double> v(static_cast<std::size_t>(n));
    std::uint64_t state = 12345;
    for (std::size_t k = 0; k < v.size(); ++k) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        const double u = static_cast<double>(state >> 11) * 0x1p-53;
        const auto edge = static_cast<float>(std::floor(u * 256) / 256);
        switch (k % 8) {
            case 0: v[k] = edge; break;
            case 1: v[k] = std::nextafter(edge, -1.0F); break;
            case 2: v[k] = std::nextafter(edge, 2.0F); break;
            case 3: v[k] = k % 3 == 0 ? std::nan("") : u * 4 - 2; break;
            default: v[k] = u; break;
        }
    }
    return v;
}

template <class T>
void check_dtype(std::int64_t n, double scale, const std::string& name) {
    const array<double> given = frit::from_host(values_of(n));
    const array<T> x = frit::cast<T>(given * scale).eval();
    using edge = std::conditional_t<sizeof(T) <= 4 && !std::is_integral_v<T>, float, double>;
    for (const std::int64_t bins : {1, 256, 1000})
        check_histogram<edge>(x, bins, 0, scale, name + " of " + std::to_string(n));
}

TEST(Tallies, HistogramsOfAllSizesAndDtypes) {
    for (const std::int64_t n : {0, 1, 31, 1000, 9003}) {
        check_dtype<float>(n, 1, "float32");
        check_dtype<double>(n, 1, "float64");
        check_dtype<frit::half>(n, 1, "float16");
        check_dtype<std::int32_t>(n, 1000, "int32");
        check_dtype<std::uint8_t>(n, 100, "uint8");
    }
    check_dtype<float>(1'000'003, 1, "float32");
}

TEST(Tallies, OtherRangesAndNumbersOfBins) {
    const array<float> x = frit::cast<float>(frit::from_host(values_of(5000))).eval();
    for (const std::int64_t bins : {2, 3, 7, 383, 384, 767, 3071, 6143, 12'287, 12'288, 40'000}) {
        check_floats(x, bins, 0, 1, "[0, 1]");
        check_floats(x, bins, 0.1, 0.9, "[0.1, 0.9]");
        check_histogram<double>(array<double>(frit::cast<double>(x) * 1e300), bins, -1e300, 1e300, "large numbers");
    }
}

// Of bins so narrow that no number says how many of them there are in 1.
TEST(Tallies, BinsOfTinyNumbers) {
    const std::vector<double> u = values_of(5000);
    std::vector<float> x;
    std::vector<double> y;
    for (const double v : u) x.push_back(static_cast<float>(v * 1e-38)), y.push_back(v * 1e-307);
    for (const std::int64_t bins : {3, 100, 1000}) {
        check_floats(frit::from_host(x), bins, 0, 1e-38, "tiny");
        check_histogram<double>(frit::from_host(y), bins, 0, 1e-307, "tiny");
    }
}

// Far from 0 a quotient says little of which side of an edge a number lies on.
TEST(Tallies, BinsOfFewFloats) {
    const array<float> x = frit::cast<float>(frit::from_host(values_of(5000))).eval();
    for (const std::int64_t bins : {1, 3, 8, 60})
        for (const double from : {1.0, 100.0, -1000.0})
            check_floats(array<float>(x * 0.06F + static_cast<float>(from)), bins, from + 1e-5, from + 0.05, "few floats");
}

/// Numbers on both sides of 0, of the range's ends, and of multiples of its width, as near as there are any.
template <class T>
void check_powers_of_two(double lo, double width, std::int64_t bins) {
    std::vector<T> values{T(0), -T(0), std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity()};
    const auto both_sides = [&values](T v) {
        for (const T far : {-std::numeric_limits<T>::max(), std::numeric_limits<T>::max()})
            values.push_back(std::nextafter(v, far));
        values.push_back(v);
    };
    for (const T small : {std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::min()})
        for (const T v : {small, -small}) both_sides(v);
    for (const std::int64_t k : {std::int64_t{0}, std::int64_t{1}, bins / 2, bins - 1, bins})
        both_sides(static_cast<T>(lo + static_cast<double>(k) * width));
    check_histogram<T>(frit::from_host(values), bins, lo, lo + static_cast<double>(bins) * width,
                       "from " + std::to_string(lo) + " by " + std::to_string(width));
}

TEST(Tallies, BinsWhoseWidthIsAPowerOfTwo) {
    for (const double width : {1.0, 0.0078125, 8.0, 0x1p-70, 0x1p60})
        for (const double first : {0.0, -1.0, -3.0, 5.0, -1000.0, 0.5})  // in bins; the last one is no whole number of them
            for (const std::int64_t bins : {1, 6, 256}) {
                check_powers_of_two<float>(first * width, width, bins);
                check_powers_of_two<double>(first * width, width, bins);
            }
}

TEST(Tallies, LayoutsAndFormulas) {
    const array<float> x = frit::cast<float>(frit::from_host(values_of(6000))).eval();
    const array<float> m = x.reshape({60, 100}).eval();
    check_floats(array<float>(x(slice(1, 5999))), 256, 0, 1, "not aligned");
    check_floats(x(slice(3, 6000, 7)), 256, 0, 1, "every seventh");
    check_floats(m(frit::all, slice(1, 90)), 256, 0, 1, "a part of each row");
    check_floats(m(slice(2, 60, 3), slice(1, 90, 2)).T(), 256, 0, 1, "columns");
    check_floats(frit::broadcast_to(x(slice(0, 100)), {40, 100}), 256, 0, 1, "rows again and again");
    check_floats(frit::broadcast_to(x(slice(0, 60)).reshape({60, 1}), {60, 100}), 10, 0, 1, "columns likewise");
    check_floats(frit::full({3000}, 0.25F), 256, 0, 1, "one number");
    check_floats(frit::full({3000}, 0.25F).eval(), 256, 0, 1, "one number in memory");
    check_histogram<double>(frit::arange<int>(3000), 70, 10, 2000, "numbers of elements");
    check_floats(x(arange<int>(3000) * 2), 256, 0, 1, "a gather");
    const array<float> y = frit::cast<float>(arange<int>(6000) % 17).eval();
    check_floats(array<float>(sin(x) * y), 256, -1, 1, "a formula");
    const array<float> parts = concatenate(0, x, y, x + 1);
    check_floats(parts, 256, 0, 1, "parts");
    check_floats(concatenate(0, x, y, x + 1), 256, 0, 1, "parts that are computed");
    frit::random::generator g(5), again(5);
    check_floats(g.uniform<float>({9001}), 100, 0, 1, "random numbers");
    check_floats(array<float>(frit::cast<float>(g.poisson({3001}, y(slice(0, 3001))))), 10, 0, 10, "loops");
    const array<float> drawn = again.uniform<float>({9001}).eval();
    EXPECT_EQ(std::get<0>(histogram(frit::random::generator(5).uniform<float>({9001}), 100, 0, 1)).to_vector(),
              std::get<0>(histogram(drawn, 100, 0, 1)).to_vector());
    const auto [h, edges] = histogram(sin(x) * y, 256, -1, 1);
    EXPECT_EQ(h.to_vector(), counted(array<float>(sin(x) * y).to_vector(), edges.to_vector()));
}

TEST(Tallies, NothingOfTheirNumberIsStored) {
    const std::int64_t n = 1 << 16;
    const array<float> x = frit::cast<float>(arange<int>(n) % 300).eval();
    const array<int> i = (arange<int>(n) % 300).eval();
    const array<std::int64_t> h = std::get<0>(histogram(x, 256, 0, 256)), none = frit::zeros<std::int64_t>({300});
    const array<std::int64_t> each = scatter_add(none, i, std::int64_t{1}, 0);
    const array<double> points = std::get<0>(histogram2d(x, sqrt(x), {8, 0, 256}, {9, 0, 16}));
    const frit::plan of_h = frit::make_plan(h), of_each = frit::make_plan(each), of_points = frit::make_plan(points);
    if (on_gpu()) {
        for (const frit::plan* p : {&of_h, &of_each, &of_points}) {
            EXPECT_EQ(p->library_calls().size(), 0U);
            EXPECT_LT(p->bytes_written(), 8'000U);
            EXPECT_LT(p->bytes_read(), static_cast<std::uint64_t>(n) * 4 + 8'000);
        }
        EXPECT_EQ(of_h.kernels().size(), 2U);  // zeros, counts
        EXPECT_EQ(of_each.kernels().size(), 2U);
        EXPECT_EQ(of_points.kernels().size(), 3U);  // as float64
        EXPECT_NE(frit::explain(each).find("] += "), std::string::npos) << frit::explain(each);
    } else {
        for (const frit::plan* p : {&of_h, &of_each, &of_points}) EXPECT_EQ(p->library_calls().size(), 1U);
    }
    frit_test::evaluate(h, each, points);
    EXPECT_EQ(h.to_vector(), counted(x.to_vector(), array<float>(frit::cast<float>(arange<int>(257))).to_vector()));
    EXPECT_EQ(std::get<0>(histogram(i, 300, 0, 300)).to_vector(), each.to_vector());
}

TEST(Tallies, WhatStaysALibrarysCall) {
    const array<int> i = (arange<int>(1000) % 5).eval();
    const array<float> x = frit::cast<float>(i).eval();
    const auto calls = [](const auto& a) { return frit::make_plan(a).library_calls().size(); };
    const auto expect = [&](const auto& a, std::size_t wanted) { EXPECT_EQ(calls(a), on_gpu() ? wanted : 1U); };
    const auto of = [&]<class T>(std::int64_t n, T by) { return array<T>(scatter_add(frit::zeros<T>({n}), i, by, 0)); };
    expect(of(12'287, std::int64_t{1}), 0);
    expect(of(12'288, std::int64_t{1}), 1);  // too many counters
    expect(of(5, 1), 0);
    expect(of(5, std::int8_t{1}), 1);  // no atomic operations
    expect(of(5, 1.0F), 1);            // floats have an order
    expect(array<int>(scatter_max(frit::zeros<int>({5}), i, 1, 0)), 1);
    expect(array<int>(scatter_add(frit::zeros<int>({5}), i, i, 0)), 1);      // many numbers
    expect(array<int>(scatter_add(array<int>{1, 2, 3, 4, 5}, i, 1, 0)), 1);  // begins in memory
    const array<int> computed = i % 5;
    EXPECT_EQ(calls(array<float>(segment_mean(x, computed, 5))), 2U);          // both read the places
    EXPECT_EQ(calls(array<float>(segment_mean(x, i, 5))), on_gpu() ? 1 : 2U);  // as they are stored
    for (const array<int>& ids : {i, computed})
        EXPECT_EQ(array<float>(segment_mean(x, ids, 5)).to_vector(), (std::vector<float>{0, 1, 2, 3, 4}));
}

template <class T>
void check_amount(T by) {
    const array<int> i = ((arange<int>(1000) * 7) % 5 - 5).eval();  // from the end
    const array<T> sums = scatter_add(frit::zeros<T>({5}), i, by, 0), more = scatter_add(frit::full<T>({5}, T(3)), i, by, 0);
    const auto wrapped = static_cast<std::make_unsigned_t<T>>(static_cast<std::make_unsigned_t<T>>(by) * 200U);
    EXPECT_EQ(sums.to_vector(), std::vector<T>(5, static_cast<T>(wrapped)));
    EXPECT_EQ(more.to_vector(), std::vector<T>(5, static_cast<T>(wrapped + 3U)));
}

TEST(Tallies, AnyIntegerIsAdded) {
    check_amount<std::int32_t>(-3);
    check_amount<std::uint32_t>(4'000'000'000U);
    check_amount<std::int64_t>(-(std::int64_t{1} << 60));
    check_amount<std::uint64_t>(std::numeric_limits<std::uint64_t>::max());
    check_amount<std::int64_t>(0);
}

TEST(Tallies, SeveralAtOnceAndWhatReadsThem) {
    const array<float> x = frit::cast<float>(arange<int>(3000) % 30).eval();
    const array<std::int64_t> a = std::get<0>(histogram(x, 30, 0, 30)), same = std::get<0>(histogram(x, 30, 0, 30)),
                              other = std::get<0>(histogram(x + 1, 30, 0, 30)), twice = a * 2;
    const array<std::int64_t> zeros = frit::zeros<std::int64_t>({31}), lonely = scatter_add(zeros, arange<int>(7), 1, 0);
    array<std::int64_t> changed = lonely;
    changed(slice(0, 2)) = -1;
    frit::eval(a, same, other, twice, zeros, lonely, changed);
    EXPECT_EQ(a.to_vector(), counts(30, 100));
    EXPECT_EQ(same.to_vector(), counts(30, 100));
    EXPECT_EQ(twice.to_vector(), counts(30, 200));
    counts shifted(30, 100);
    shifted[0] = 0;
    shifted[29] = 200;  // the last bin has its upper edge
    EXPECT_EQ(other.to_vector(), shifted);
    EXPECT_EQ(zeros.to_vector(), counts(31));
    counts one(31);
    std::fill_n(one.begin(), 7, 1);
    EXPECT_EQ(lonely.to_vector(), one);
    one[0] = one[1] = -1;
    EXPECT_EQ(changed.to_vector(), one);
    std::vector<std::int64_t> into(30);
    frit::eval_into(frit::out(into.data(), {30}), a * 1);
    EXPECT_EQ(into, counts(30, 100));
}

// The mask that says what is counted is wanted too: it is stored by a kernel of its own, or read again.
TEST(Tallies, BesideOtherResultsOfTheSamePlaces) {
    const array<int> i = (arange<int>(3000) % 30).eval(), at = array<int>(i * i % 11);
    const array<std::int64_t> sums = scatter_add(frit::zeros<std::int64_t>({11}), at, std::int64_t{1}, 0);
    frit::eval(at, sums);
    counts expected(11);
    for (const int k : i.to_vector()) ++expected[static_cast<std::size_t>(k * k % 11)];
    EXPECT_EQ(sums.to_vector(), expected);
    EXPECT_EQ(at.to_vector()[7], 49 % 11);
}

// What nobody asks for is not counted; a view that is not of the first elements, or not alone, is one of all.
TEST(Tallies, OfTheFirstElementsAlone) {
    const array<int> i = (arange<int>(1000) % 10).eval();
    const array<std::int64_t> sums = scatter_add(frit::zeros<std::int64_t>({10}), i, std::int64_t{1}, 0);
    const auto fresh = [&] { return scatter_add(frit::full<std::int64_t>({10}, 7), i, std::int64_t{1}, 0); };
    const auto kernels = [](const auto& a) { return frit::make_plan(a).kernels().size(); };
    const array<std::int64_t> first = fresh()(slice(0, 4)), last = fresh()(slice(1, 10)), turned = fresh()(slice(3, 0, -1)),
                              none = fresh()(slice(0, 0)), halves = fresh()(slice(0, 10, 2));
    if (on_gpu()) {
        EXPECT_EQ(kernels(first), 2U);
        EXPECT_EQ(kernels(last), 3U);
    }
    EXPECT_EQ(first.to_vector(), counts(4, 107));
    EXPECT_EQ(last.to_vector(), counts(9, 107));
    EXPECT_EQ(turned.to_vector(), counts(3, 107));
    EXPECT_EQ(none.to_vector(), counts());
    EXPECT_EQ(halves.to_vector(), counts(5, 107));
    const array<std::int64_t> some = sums(slice(0, 5)), others = sums(slice(0, 7));
    frit::eval(some, others, sums);
    EXPECT_EQ(some.to_vector(), counts(5, 100));
    EXPECT_EQ(others.to_vector(), counts(7, 100));
    EXPECT_EQ(sums.to_vector(), counts(10, 100));
    std::vector<std::int64_t> into(5, -1);
    frit::eval_into(frit::out(into.data(), {5}), array<std::int64_t>(fresh())(slice(0, 5)));
    EXPECT_EQ(into, counts(5, 107));
}

TEST(Tallies, AnIndexOutOfRangeIsFound) {
    const array<int> bad = (arange<int>(5000) % 12).eval();
    const array<std::int64_t> sums = scatter_add(frit::zeros<std::int64_t>({11}), bad, std::int64_t{1}, 0);
    EXPECT_ERROR(
        {
            sums.eval();
            frit::synchronize();
        },
        frit::index_error, "11", "test_tallies.cpp");
}

}  // namespace

// searchsorted, digitize, isin, interp: NumPy's answers for every dtype on every engine, and that a search is one kernel
// with what computes the values.
#include <gtest/gtest.h>

#include <algorithm>
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
using frit::side;
using longs = std::vector<std::int64_t>;
using doubles = std::vector<double>;
using bools = std::vector<bool>;

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
void expect_close(const std::vector<T>& got, const std::vector<T>& expected) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
        if (std::isnan(expected[k]))
            EXPECT_TRUE(std::isnan(got[k])) << k << ": " << got[k];
        else if (std::isinf(expected[k]))
            EXPECT_EQ(got[k], expected[k]) << k;
        else
            EXPECT_NEAR(got[k], expected[k], 1e-12 * std::abs(expected[k])) << k;
    }
}

// np.searchsorted([-2., 0., 0., 1.5, inf, nan, nan], [nan, -inf, -2, -0., 1, 1.5, inf, 7], side)
TEST(Searchsorted, AsNumPyWithInfinitiesAndNaN) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> a{-2, 0, 0, 1.5, inf, nan, nan}, v{nan, -inf, -2, -0.0, 1, 1.5, inf, 7};
        EXPECT_EQ(searchsorted(a, v).to_vector(), (longs{5, 0, 0, 1, 3, 3, 4, 4}));
        EXPECT_EQ(searchsorted(a, v, side::right).to_vector(), (longs{7, 0, 1, 3, 3, 4, 5, 4}));
        EXPECT_EQ(searchsorted(frit::cast<float>(a), frit::cast<frit::half>(v), side::right).to_vector(),
                  (longs{7, 0, 1, 3, 3, 4, 5, 4}));
    });
}

TEST(Searchsorted, OfEveryLength) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        for (std::int64_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 100}) {
            std::vector<int> sorted;
            for (int k = 0; k < n; ++k) sorted.push_back(k / 2 * 3);
            const array<int> a = frit::from_host(sorted), v = arange<int>(static_cast<int>(n) * 2 + 5) - 2;
            const longs left = searchsorted(a, v).to_vector(), right = searchsorted(a, v, side::right).to_vector();
            for (std::size_t k = 0; k < left.size(); ++k) {
                const int x = static_cast<int>(k) - 2;
                EXPECT_EQ(left[k], std::lower_bound(sorted.begin(), sorted.end(), x) - sorted.begin()) << n << " " << x;
                EXPECT_EQ(right[k], std::upper_bound(sorted.begin(), sorted.end(), x) - sorted.begin()) << n << " " << x;
            }
        }
    });
}

TEST(Searchsorted, EveryDtypeAndShape) {
    const auto check = [&]<class T>(T) {
        const array<T> a = frit::cast<T>(array<int>{0, 1, 3, 3, 7});
        const array<T> v = frit::cast<T>(array<int>{{3, 0}, {2, 9}});
        const auto places = searchsorted(a, v, side::right);
        EXPECT_EQ(places.shape(), (shape{2, 2}));
        EXPECT_EQ(places.to_vector(), (longs{4, 1, 2, 5})) << frit::name_of(frit::dtype_of<T>);
        EXPECT_EQ(searchsorted(any_array(a), any_array(v)).to_vector(), (longs{2, 0, 2, 5}));
    };
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
    EXPECT_EQ(searchsorted(array<bool>{false, true}, array<bool>{true, false}, side::right).to_vector(), (longs{2, 1}));
    EXPECT_EQ(searchsorted(array<int>{1, 2, 3}, 2.5).item(), 2);
    EXPECT_EQ(searchsorted(array<int>{1, 2, 3}, 2).shape(), shape());
    EXPECT_EQ(searchsorted(frit::zeros<int>({0}), array<double>{1, 2}).to_vector(), (longs{0, 0}));
    EXPECT_EQ(searchsorted(array<int>{1}, frit::zeros<int>({3, 0})).shape(), (shape{3, 0}));
    // exact beyond 2^53, where NumPy's float64 is not
    EXPECT_EQ(searchsorted(array<std::int64_t>{1, (1LL << 53) + 1}, array<std::uint64_t>{(1ULL << 53) + 1}).item(), 1);
}

// np.searchsorted(np.sort(a), a, side) of complex numbers with NaN
TEST(Searchsorted, ComplexNumbersAsTheyAreSorted) {
    using c = std::complex<double>;
    const array<c> a{c(1, 2), c(1, 1), c(0, 9), c(nan, 0), c(1, nan), c(nan, nan), c(nan, 1), c(2, -1), c(0, nan)};
    const array<c> sorted = sort(a);
    EXPECT_EQ(searchsorted(sorted, a).to_vector(), (longs{2, 1, 0, 6, 5, 8, 7, 3, 4}));
    EXPECT_EQ(searchsorted(sorted, a, side::right).to_vector(), (longs{3, 2, 1, 7, 6, 9, 8, 4, 5}));
}

TEST(Searchsorted, IsOneKernelWithWhatComputesTheValues) {
    const array<float> a = frit::linspace(0.0F, 1.0F, 1000).eval(), v = frit::linspace(-1.0F, 2.0F, 333).eval();
    EXPECT_KERNELS(1, array<std::int64_t>(searchsorted(a, v)));
    EXPECT_KERNELS(1, array<std::int64_t>(searchsorted(a, sin(v) * 2.0F, side::right) * 2));
    EXPECT_KERNELS(1, array<std::int64_t>(sum(searchsorted(a, v))));
    EXPECT_KERNELS(1, array<float>(interp(v * v, a, a)));
    EXPECT_KERNELS(2, array<std::int64_t>(digitize(v + 1, a)));  // the edges, rising, come first
    const frit::plan p = frit::make_plan(array<std::int64_t>(searchsorted(a, v + 1)));
    EXPECT_EQ(p.bytes_written(), 333 * 8);
    const array<float> many = frit::linspace(0.0F, 1.0F, 1 << 20).eval();
    EXPECT_KERNELS(1, array<std::int64_t>(searchsorted(many, v + 1)));
}

TEST(Searchsorted, ReadsVectorsInAnyLayout) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<float> falling{9, 7, 5, 3, 1}, v{0, 3, 4, 9};
        const auto rising = falling(frit::slice(frit::none, frit::none, -1));
        EXPECT_EQ(searchsorted(rising, v).to_vector(), (longs{0, 1, 2, 4}));
        EXPECT_EQ(searchsorted(rising(frit::slice(1, 4)), v, side::right).to_vector(), (longs{0, 1, 1, 3}));
        EXPECT_EQ(searchsorted(frit::sqrt(rising) * 2.0F, v).to_vector(), (longs{0, 1, 2, 5}));
        const array<float> table{{1, 2}, {3, 4}, {5, 6}};
        EXPECT_EQ(searchsorted(table(frit::all, 1), v).to_vector(), (longs{0, 1, 1, 3}));
        EXPECT_EQ(searchsorted(frit::broadcast_to(array<float>{4}, 3), v).to_vector(), (longs{0, 0, 0, 3}));
    });
}

TEST(Searchsorted, IsReadThroughViewsInRowsAndBesideTotals) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> a{1, 2, 4, 8};
        const array<double> x{{1, 3, 5}, {7, 8, 9}};
        EXPECT_EQ(searchsorted(a, x)(frit::all, frit::slice(frit::none, frit::none, -2)).to_vector(), (longs{3, 0, 4, 3}));
        EXPECT_EQ(searchsorted(a, frit::max(x, -1), side::right).to_vector(), (longs{3, 4}));
        EXPECT_EQ(frit::sum(searchsorted(a, x), -1).to_vector(), (longs{5, 10}));
        EXPECT_EQ(searchsorted(a, frit::sum(x)).item(), 4);
        EXPECT_EQ((searchsorted(a, x) + searchsorted(a, frit::min(x))).to_vector(), (longs{0, 2, 3, 3, 3, 4}));
        EXPECT_EQ(frit::concatenate(0, array<std::int64_t>{-1}, searchsorted(a, x(0))).to_vector(), (longs{-1, 0, 2, 3}));
    });
}

TEST(Searchsorted, ReadsWhatTheVectorWasWhenItWasRecorded) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        array<int> a{1, 2, 3};
        const array<std::int64_t> before = searchsorted(a, array<int>{2, 9});
        a(0) = 2;
        const array<std::int64_t> after = searchsorted(a, array<int>{2, 9});
        frit::eval(before, after, a);
        EXPECT_EQ(before.to_vector(), (longs{1, 3}));
        EXPECT_EQ(after.to_vector(), (longs{0, 3}));
    });
}

// No dtype holds both; NumPy compares them as float64.
TEST(Searchsorted, SignedNumbersAndUnsignedOnesExactly) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        constexpr std::uint64_t large = 1ULL << 63;
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
        const array<std::uint64_t> u{0, 1, large - 1, large, large + 1};
        const array<std::int64_t> i{-5, 0, 1, most};
        EXPECT_EQ(searchsorted(u, i).to_vector(), (longs{0, 0, 1, 2}));
        EXPECT_EQ(searchsorted(u, i, side::right).to_vector(), (longs{0, 1, 2, 3}));
        EXPECT_EQ(searchsorted(i, u).to_vector(), (longs{1, 2, 3, 4, 4}));
        EXPECT_EQ(searchsorted(i, u, side::right).to_vector(), (longs{2, 3, 4, 4, 4}));
        EXPECT_EQ(searchsorted(array<std::int8_t>{-1, 7}, u, side::right).to_vector(), (longs{1, 1, 2, 2, 2}));
    });
}

TEST(Searchsorted, CostsWhatOneOpCostsWhateverTheLength) {
    const array<float> v = frit::linspace(-1.0F, 2.0F, 1000).eval();
    const auto operations = [&](std::int64_t n, const auto& values) {
        const array<float> a = frit::linspace(0.0F, 1.0F, n).eval();
        return frit::make_plan(array<std::int64_t>(searchsorted(a, values))).kernels()[0].operations() / 1000;
    };
    const double plain = operations(15, v);
    EXPECT_EQ(operations((1 << 20) - 1, v), plain);
    EXPECT_LT(operations(15, sin(v * 3.0F) + 1.0F) - plain, 60);  // one sine
    const array<float> a = frit::linspace(0.0F, 1.0F, 1024).eval();
    EXPECT_LT(frit::make_plan(array<float>(interp(v, a, a))).kernels()[0].operations() / 1000, 2 * plain);
}

TEST(Searchsorted, OtherLengthsReuseTheKernel) {
    const auto places = [](std::int64_t n) {
        const array<float> a = frit::linspace(0.0F, 1.0F, n).eval(), v = frit::linspace(-1.0F, 2.0F, 333).eval();
        array<std::int64_t>(searchsorted(a, v)).eval();
    };
    places(600);
    const std::uint64_t before = frit_test::new_kernels();
    for (const std::int64_t n : {777, 2, 100000}) places(n);
    EXPECT_EQ(frit_test::new_kernels(), before);
}

TEST(Searchsorted, Mistakes) {
    EXPECT_ERROR(searchsorted(array<int>{{1, 2}}, 3), frit::shape_error, "searchsorted", "vector", "(1, 2)",
                 "test_search.cpp");
    EXPECT_ERROR(searchsorted(frit::scalar(1), 3), frit::shape_error, "searchsorted", "()");
}

// np.digitize([0.2, 6.4, 3.0, 1.6, nan, 1.0, 10.], bins, right)
TEST(Digitize, RisingAndFallingEdges) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x{0.2, 6.4, 3.0, 1.6, nan, 1.0, 10}, rising{0, 1, 2.5, 4, 10}, falling{10, 4, 2.5, 1, 0};
        EXPECT_EQ(digitize(x, rising).to_vector(), (longs{1, 4, 3, 2, 5, 2, 5}));
        EXPECT_EQ(digitize(x, rising, true).to_vector(), (longs{1, 4, 3, 2, 5, 1, 4}));
        EXPECT_EQ(digitize(x, falling).to_vector(), (longs{4, 1, 2, 3, 0, 3, 0}));
        EXPECT_EQ(digitize(x, falling, true).to_vector(), (longs{4, 1, 2, 3, 0, 4, 1}));
        EXPECT_EQ(digitize(array<int>{1, 5, 0}, array<int>{3}).to_vector(), (longs{0, 1, 0}));
        EXPECT_EQ(digitize(array<int>{1, 5, 0}, frit::zeros<int>({0})).to_vector(), (longs{0, 0, 0}));
        EXPECT_EQ(digitize(array<int>{1, 2, 3}, array<int>{2, 2}).to_vector(), (longs{0, 2, 2}));
    });
    EXPECT_ERROR(digitize(array<int>{1}, array<int>{{1}}), frit::shape_error, "digitize", "vector", "(1, 1)");
    EXPECT_ERROR(digitize(array<std::complex<double>>{1}, array<int>{1}), frit::dtype_error, "digitize", "complex128");
}

TEST(Isin, AsNumPy) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> x{{1, 2, 3}, {4, 5, 6}};
        EXPECT_EQ(isin(x, array<int>{5, 1, 5, 9}).to_vector(), (bools{true, false, false, false, true, false}));
        EXPECT_EQ(isin(x, array<double>{2.5, 3}).to_vector(), (bools{false, false, true, false, false, false}));
        EXPECT_EQ(isin(array<double>{nan, 1, inf, -0.0}, array<double>{{nan, inf}, {0, 7}}).to_vector(),
                  (bools{false, false, true, true}));
        EXPECT_EQ(isin(x, frit::zeros<int>({0})).to_vector(), bools(6, false));
        EXPECT_EQ(isin(x, array<int>{5, 1, 5, 9}, true).to_vector(), (bools{false, true, true, true, false, true}));
        EXPECT_EQ(isin(array<double>{nan, 1}, array<double>{nan, 1}, true).to_vector(), (bools{true, false}));
        EXPECT_EQ(isin(x, frit::zeros<int>({0}), true).to_vector(), bools(6, true));
        using c = std::complex<float>;
        EXPECT_EQ(isin(array<c>{c(1, 2), c(1, 3), c(2, 2)}, array<c>{c(2, 2), c(1, 2)}).to_vector(),
                  (bools{true, false, true}));
        EXPECT_EQ(isin(array<bool>{true, false}, array<bool>{true}).to_vector(), (bools{true, false}));
    });
    EXPECT_TRUE(isin(3, array<int>{1, 3}).item());
    EXPECT_EQ(isin(any_array(array<int>{1, 2}), array<int>{2}).to_vector(), (bools{false, true}));
}

// np.interp([-1, 0, .5, 1, 2.5, 3, 4, nan, inf], [0, 1, 3], [10, 20, 0])
TEST(Interp, AsNumPy) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x{-1, 0, 0.5, 1, 2.5, 3, 4, nan, inf}, xp{0, 1, 3}, fp{10, 20, 0};
        expect_close(interp(x, xp, fp).to_vector(), {10, 10, 15, 20, 5, 0, 0, nan, 0});
        expect_close(interp(x, xp, fp, -5, 99.5).to_vector(), {-5, 10, 15, 20, 5, 0, 99.5, nan, 99.5});
        // np.interp([0, .5, 1, 1.5, 2], [0, 1, 2], [0, inf, 3]) and of equal infinities
        expect_close(interp(array<double>{0, 0.5, 1, 1.5, 2}, array<double>{0, 1, 2}, array<double>{0, inf, 3}).to_vector(),
                     {0, inf, inf, inf, 3});
        expect_close(interp(array<double>{0.5}, array<double>{0, 1}, array<double>{inf, inf}).to_vector(), {inf});
        expect_close(interp(x, array<double>{1}, array<double>{7}, 1, 2).to_vector(), {1, 1, 1, 7, 2, 2, 2, nan, 2});
        // integers give double; a step where xp repeats
        expect_close(interp(array<int>{1, 2, 3}, array<int>{0, 2, 2, 4}, array<int>{0, 1, 5, 6}).to_vector(), {0.5, 5, 5.5});
    });
    const array<float> small{0, 1};
    EXPECT_EQ(interp(array<float>{0.25F}, small, small).to_vector(), std::vector<float>{0.25F});
    EXPECT_EQ(interp(0.25, array<double>{0, 1}, array<double>{2, 4}).item(), 2.5);
    using c = std::complex<double>;
    EXPECT_EQ(interp(array<double>{0.5, 3}, array<double>{0, 1}, array<c>{c(0, 2), c(2, 4)}).to_vector(),
              (std::vector<c>{c(1, 3), c(2, 4)}));
    EXPECT_EQ(interp(any_array(array<double>{0.5}), array<double>{0, 1}, array<double>{2, 4}).to_vector<double>(),
              doubles{3});
}

TEST(Interp, Mistakes) {
    const array<double> x{1, 2}, two{0, 1};
    EXPECT_ERROR(interp(x, two, array<double>{1, 2, 3}), frit::shape_error, "interp", "one length", "(2,)", "(3,)",
                 "test_search");
    EXPECT_ERROR(interp(x, two.reshape({1, 2}), two), frit::shape_error, "interp", "xp must be a vector", "(1, 2)");
    EXPECT_ERROR(interp(x, frit::zeros<double>({0}), frit::zeros<double>({0})), frit::shape_error, "interp", "no points");
    EXPECT_ERROR(interp(any_array(array<std::complex<double>>{1}), two, two), frit::dtype_error, "interp", "complex128");
}

// np.interp([-180, -170, -185, 185, -10, -5, 0, 365], [190, -190, 350, -350], [5, 10, 3, 4], period=360)
TEST(Interp, OfAPeriodicFunction) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x{-180, -170, -185, 185, -10, -5, 0, 365, nan}, xp{190, -190, 350, -350}, fp{5, 10, 3, 4};
        const doubles want{7.5, 5, 8.75, 6.25, 3, 3.25, 3.5, 3.75, nan};
        expect_close(interp(x, xp, fp, frit::period(360)).to_vector(), want);
        expect_close(interp(x, xp, fp, frit::period(-360)).to_vector(), want);
        expect_close(interp(array<int>{1, 5, -3}, array<int>{2}, array<int>{7}, frit::period(4)).to_vector(), {7, 7, 7});
    });
    using c = std::complex<double>;
    const array<c> height{c(1, 1), c(2), c(0, 3)};
    EXPECT_EQ(interp(array<double>{0.5, 7.25, -0.25}, array<double>{0, 1, 2}, height, frit::period(3)).to_vector(),
              (std::vector<c>{c(1.5, 0.5), c(1.5, 0.75), c(0.75, 1.5)}));
    EXPECT_EQ(
        interp(any_array(array<frit::half>{1}), array<frit::half>{0, 2}, array<frit::half>{0, 3}, frit::period(4)).dtype(),
        frit::dtype::f16);
    const array<double> one{1};
    EXPECT_ERROR(interp(one, one, one, frit::period(0)), frit::index_error, "interp", "period", "test_search.cpp");
    EXPECT_ERROR(interp(one, one, one, frit::period(nan)), frit::index_error, "interp", "period");
    EXPECT_ERROR(interp(one, frit::zeros<double>({0}), frit::zeros<double>({0}), frit::period(1)), frit::shape_error,
                 "interp", "no points");
}

}  // namespace

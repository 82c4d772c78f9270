// An index out of range costs the caller nothing but the error: which it names, in whatever place it stands; and what else
// the same evaluation had completed by then is there. Indices of arrays without elements are no mistake.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"

namespace {

using frit::any_array;
using frit::arange;
using frit::array;
using frit::slice;
using ints = std::vector<int>;

// The update of x is written in place, into memory of which nothing else is left, before the index is found to be wrong.
TEST(IndexErrors, WhatWasCompletedBeforeIsStored) {
    if (frit::default_device() != frit::device::cpu())
        GTEST_SKIP() << "a GPU's kernels have run on by the time the host hears of it";
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> bad{0, 7};
        array<int> x = frit::zeros<int>({7}).eval();
        x(slice(2, 4)) = 5;
        const array<int> y = scatter_max(x, bad, 1, 0), z = take(x, bad, 0) + 1;
        EXPECT_THROW(y.eval(), frit::index_error);
        EXPECT_EQ(x.to_vector(), (ints{0, 0, 5, 5, 0, 0, 0}));
        EXPECT_THROW(z.eval(), frit::index_error);
        EXPECT_EQ(array<int>(x + 1).to_vector(), (ints{1, 1, 6, 6, 1, 1, 1}));

        array<int> u = frit::zeros<int>({7}).eval();
        u(array<int>{1, 1, 6}) += 2;  // beside the one that fails, in one plan
        const array<std::int64_t> sums = cumsum(u, 0);
        EXPECT_THROW(frit::eval(u, sums, array<std::int64_t>(sums(bad))), frit::index_error);
        EXPECT_EQ(u.to_vector(), (ints{0, 4, 0, 0, 0, 0, 2}));
        EXPECT_EQ(sums.to_vector(), (std::vector<std::int64_t>{0, 4, 4, 4, 4, 4, 6}));
    });
}

// An index that is one number for all elements is computed before them: but not where there are none,
TEST(IndexErrors, OneIndexForNoElements) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<float> none = frit::zeros<float>({3, 0}).eval();
        const array<float> picked = compress(frit::zeros<bool>({0}), none, 1);
        EXPECT_EQ(array<float>(var(picked, {0, 1}, frit::keepdims) + none).size(), 0);
        EXPECT_EQ(array<float>(sum(none(frit::all, frit::full<std::int64_t>({0}, 5)), 1)).to_vector(),
                  (std::vector<float>(3)));

        const array<std::int64_t> one = frit::full<std::int64_t>({0}, 0);  // computed with what is computed once for a row
        const array<float> empty = frit::zeros<float>({0}).eval(), total = prod(empty, 0, frit::keepdims);
        EXPECT_EQ(array<float>(total + empty(one)).size(), 0);
        array<float> u = frit::ones<float>({2}).eval();
        u(one) += total + empty(one);
        EXPECT_EQ(u.to_vector(), std::vector<float>(2, 1.F));
        const array<std::complex<float>> c = frit::zeros<std::complex<float>>({0}).eval();
        EXPECT_EQ(array<std::complex<float>>(prod(c, 0, frit::keepdims) + c(one)).size(), 0);
        const array<frit::half> h = frit::zeros<frit::half>({0}).eval();
        EXPECT_EQ(array<frit::half>(prod(h, 0, frit::keepdims) + h(one)).size(), 0);
    });
}

// nor where a plan that overwrites an input reserves what it needs, whose other memory is not there yet.
TEST(IndexErrors, OneIndexForAllElements) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        array<float> u = frit::ones<float>({50, 3}).eval();
        const array<float> x = frit::arange<float>(7).eval();
        const array<std::int64_t> at = frit::full<std::int64_t>({7, 3}, 4);
        u(slice(0, 1)) = 5.F;
        const array<float> sums = cumsum(x, 0), y = sums.reshape({7, 1}) * x(slice(0, 3)) + sums(at);
        frit::eval(u, y);
        EXPECT_EQ(u(0, 0).item(), 5);
        EXPECT_EQ(y(6, 2).item(), 21 * 2 + 10);
    });
}

// int64 does not hold them, and what it makes of them is an index that the axis has.
TEST(IndexErrors, IndicesBeyondInt64) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> x{1, 2, 3};
        const array<std::uint64_t> i{UINT64_MAX, UINT64_MAX - 1, std::uint64_t{1} << 63, 1};
        EXPECT_THROW((void)x(i).to_vector(), frit::index_error);
        EXPECT_THROW((void)scatter_add(x, i, 1, 0).to_vector(), frit::index_error);
        EXPECT_EQ(take(x, i, 0, frit::bounds::clip).to_vector(), (ints{3, 3, 3, 2}));
        EXPECT_EQ(take(x, i, 0, frit::bounds::wrap).to_vector(), (ints{1, 3, 3, 2}));
        EXPECT_EQ(take_along_axis(x, i, 0, frit::bounds::wrap).to_vector(), (ints{1, 3, 3, 2}));
        EXPECT_EQ(x(array<std::uint64_t>{2, 0}).to_vector(), (ints{3, 1}));
        try {
            (void)bincount(i);
            ADD_FAILURE() << "no error";
        } catch (const frit::index_error& e) {
            EXPECT_NE(std::string(e.what()).find("without a bin"), std::string::npos) << e.what();
        }
        EXPECT_EQ(bincount(array<std::uint64_t>{2, 0}).to_vector(), (std::vector<std::int64_t>{1, 0, 1}));
    });
}

}  // namespace

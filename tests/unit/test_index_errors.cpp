// An index out of range costs the caller nothing but the error: which it names, in whatever place it stands; and what else
// the same evaluation had completed by then is there. Indices of arrays without elements are no mistake.
#include <gtest/gtest.h>

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

}  // namespace

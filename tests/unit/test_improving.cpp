// The engine auto: the same bits before and after the compiler's work is done, counted by engine.
#include <gtest/gtest.h>

#include <vector>

#include <frit/frit.hpp>

#include "tests/support/engines.hpp"

namespace {
using frit::array;

array<double> step(const array<double>& u) { return sqrt(u * u + 1.0) - u * 0.5 + abs(u - 0.25) * maximum(u, 0.1); }

TEST(Improving, WhatIsRunOftenIsCompiled) {
    const frit::scoped_device cpu(frit::device::cpu());
    const array<double> x = frit::linspace(0.0, 1.0, 1 << 20);
    x.eval();
    std::vector<double> want;
    {
        const frit_test::with_engine interpreter(frit_test::engine::interpreter);
        want = array<double>(step(x)).to_vector();
    }
    const frit_test::with_engine here(frit_test::engine::automatic);
    frit::reset_stats();
    int rounds = 0;
    while (frit::stats().kernels_compiled == 0 && rounds < 3000) {
        array<double>(step(x)).eval();
        if (++rounds % 100 == 0) frit::synchronize();  // waits for the compiler
    }
    if (rounds == 3000) GTEST_SKIP() << "no compiler here";
    EXPECT_GT(frit::stats().kernels_interpreted, 0U);
    const std::uint64_t compiled = frit::stats().kernels_compiled;
    const std::vector<double> got = array<double>(step(x)).to_vector();
    EXPECT_EQ(frit::stats().kernels_compiled, compiled + 1);
    EXPECT_EQ(got, want);
}

TEST(Improving, WhatIsRunOnceIsNot) {
    const frit::scoped_device cpu(frit::device::cpu());
    const frit_test::with_engine here(frit_test::engine::automatic);
    frit::reset_stats();
    EXPECT_GT(sum(step(frit::linspace(0.0, 1.0, 1000))).item(), 0);
    frit::synchronize();
    EXPECT_EQ(frit::stats().kernels_compiled, 0U);
    EXPECT_EQ(frit::stats().compilations, 0U);
}

}  // namespace

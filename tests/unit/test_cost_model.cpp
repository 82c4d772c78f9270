// The choices that rest on what work costs: where they turn, and that they turn where they should.
#include "fusion/machine/cost_model.hpp"

#include <gtest/gtest.h>

namespace {

namespace fusion = frit::fusion;

TEST(CostModel, WhatIsStoredCostsItsBytesTwiceAndALaunch) {
    const fusion::prices p{
        .operations_per_byte = 2, .launch_in_bytes = 100, .hidden_each_time = 16, .kernel_is_gemv = false};
    EXPECT_TRUE(fusion::pays_to_recompute(p, 20, 30, 100));   // 300 bytes' worth of work for 300
    EXPECT_FALSE(fusion::pays_to_recompute(p, 20, 31, 100));  // 310
    EXPECT_FALSE(fusion::pays_to_recompute(p, 65, 1, 1'000'000'000));
}

TEST(CostModel, WhatHidesOnceMayNotHideEachTime) {
    const fusion::prices p{.operations_per_byte = 2, .launch_in_bytes = 100, .hidden_each_time = 3, .kernel_is_gemv = false};
    EXPECT_TRUE(fusion::is_free(16));
    EXPECT_FALSE(fusion::is_free(17));
    EXPECT_FALSE(fusion::is_too_often(p, 16, 31));
    EXPECT_FALSE(fusion::is_too_often(p, 3, 8192));
    EXPECT_TRUE(fusion::is_too_often(p, 4, 32));
}

TEST(CostModel, AThinRegionIsWrittenAloneAWideOneWithTheBase) {
    for (const fusion::prices& p : {fusion::cpu_prices, fusion::cuda_prices}) {
        const std::int64_t base = 20 * p.launch_in_bytes, row = base / 100;
        EXPECT_TRUE(fusion::pays_to_write_region(p, 1, row, base, 0));
        EXPECT_TRUE(fusion::pays_to_write_region(p, 2, row, base, 0));
        EXPECT_FALSE(fusion::pays_to_write_region(p, 1, base, base, 0));
        EXPECT_FALSE(fusion::pays_to_write_region(p, 1, row, base, 2 * base));
        EXPECT_FALSE(fusion::pays_to_write_region(p, 1, 8, p.launch_in_bytes / 2, 0)) << "a launch alone costs more";
    }
}

TEST(CostModel, WhatBoundsAKernel) {
    const fusion::prices p{
        .operations_per_byte = 10, .launch_in_bytes = 1000, .hidden_each_time = 16, .kernel_is_gemv = false};
    EXPECT_EQ(fusion::bound_of(p, 999, 9990), fusion::bound::launch);
    EXPECT_EQ(fusion::bound_of(p, 1000, 10'000), fusion::bound::memory);
    EXPECT_EQ(fusion::bound_of(p, 1000, 10'001), fusion::bound::arithmetic);
}

TEST(CostModel, ThreadsForWhatIsWorthHandingOver) {
    EXPECT_EQ(fusion::worth_tasks(1e9, 1, true), 1);
    EXPECT_EQ(fusion::worth_tasks(1999, 8, true), 1);
    EXPECT_EQ(fusion::worth_tasks(2000, 8, true), 2);
    EXPECT_EQ(fusion::worth_tasks(2000, 8, false), 1) << "waking a thread takes longer";
    EXPECT_EQ(fusion::worth_tasks(40000, 8, false), 20);
    EXPECT_EQ(fusion::worth_tasks(1e9, 8, false), 32);
}

TEST(CostModel, ACompilationIsPricedByItsCompiler) {
    EXPECT_EQ(fusion::worth_compiling(fusion::compiler::llvm), 3e7);
    EXPECT_EQ(fusion::worth_compiling(fusion::compiler::cxx), 3e8);
    EXPECT_LT(fusion::worth_a_look, fusion::worth_compiling(fusion::compiler::llvm)) << "what is on disk need not be made";
}

}  // namespace

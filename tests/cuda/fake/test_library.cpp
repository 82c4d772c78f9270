// Library calls on the fake driver: what frit asks of cuBLAS, by a cuBLAS that computes by the definition.
#include <dlfcn.h>

#include "frit/error.hpp"
#include "tests/cuda/fake/fixture.hpp"
#include "tests/cuda/library_checks.hpp"

namespace {

using namespace frit_test;

TEST_F(FakeDriver, ProductsInEveryLayout) {
    check_products<float>(*gpu);
    check_products<double>(*gpu);
}

TEST_F(FakeDriver, ProductsOfOtherDtypesAreRefused) {
    float none = 0;
    const void* operands[] = {&none, &none};
    const library_call c{.type = frit::dtype::i32, .result = frit::dtype::i32, .m = 1, .n = 1, .k = 1, .a = {}, .b = {}};
    EXPECT_EQ(text_of_error<frit::dtype_error>([&] { gpu->call(c, operands, &none); }),
              "matmul: takes float32 and float64, not int32");
}

TEST_F(FakeDriver, WhatCublasRefusesIsAnErrorThatNamesTheProduct) {
    const auto x = gpu->allocate(1000);
    const void* operands[] = {x->data, x->data};
    const library_call c{.m = 4, .n = 4, .k = 4, .a = {2, false}, .b = {4, false}};
    EXPECT_EQ(text_of_error<frit::device_error>([&] { gpu->call(c, operands, x->data); }),
              "cuda:0: cuBLAS refuses a product of 4 x 4 and 4 x 4 float32: the fake cuBLAS refuses");
}

// --- scans and sorts: what the plugin is asked for ---

TEST_F(FakeDriver, ScansAndSortsGoToThePluginAsTheyAre) {
    fake_cub_state* const plugin = find_fake_cub();
    ASSERT_NE(plugin, nullptr);
    const auto x = gpu->allocate(10'000), y = gpu->allocate(10'000);
    const void* operands[] = {x->data};
    const auto expect = [&](frit::op code, frit::dtype type, int operation, char kind, int bytes) {
        const int calls = plugin->calls;
        const library_call c{.code = code, .type = type, .a = {}, .b = {}, .rows = 3, .length = 7};
        gpu->require(c);
        gpu->call(c, operands, y->data);
        EXPECT_EQ(plugin->calls, calls + 1);
        EXPECT_EQ(plugin->call.operation, operation);
        EXPECT_EQ(plugin->call.kind, kind);
        EXPECT_EQ(plugin->call.bytes, bytes);
        EXPECT_EQ(plugin->call.rows, 3);
        EXPECT_EQ(plugin->call.length, 7);
        EXPECT_EQ(plugin->from, x->data);
        EXPECT_EQ(plugin->to, y->data);
        EXPECT_NE(plugin->stream, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(plugin->workspace) % 256, 0U);
    };
    using enum frit::op;
    using enum frit::dtype;
    expect(cumsum, i64, FRIT_CUB_CUMSUM, 'i', 8);
    expect(cumprod, f32, FRIT_CUB_CUMPROD, 'f', 4);
    expect(cummax, u64, FRIT_CUB_CUMMAX, 'u', 8);
    expect(cummin, f64, FRIT_CUB_CUMMIN, 'f', 8);
    expect(sort, bool_, FRIT_CUB_SORT, 'b', 1);
    expect(sort, i16, FRIT_CUB_SORT, 'i', 2);
    expect(argsort, u32, FRIT_CUB_ARGSORT, 'u', 4);

    const void* const workspace = plugin->workspace;
    EXPECT_EQ(gpu->allocate(60)->data, workspace) << "the workspace went back to the pool";
    plugin->refuse = true;
    const library_call c{.code = sort, .type = f32, .a = {}, .b = {}, .rows = 3, .length = 7};
    EXPECT_EQ(text_of_error<frit::device_error>([&] { gpu->call(c, operands, y->data); }),
              "cuda:0: sort of 3 rows of 7 float32: the fake plugin refuses");
    plugin->refuse = false;
}

}  // namespace

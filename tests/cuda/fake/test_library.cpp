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
    EXPECT_EQ(text_of_error<frit::dtype_error>([&] { gpu->call(c, operands, &none, nullptr); }),
              "matmul: takes float32 and float64, not int32");
}

TEST_F(FakeDriver, WhatCublasRefusesIsAnErrorThatNamesTheProduct) {
    const auto x = gpu->allocate(1000);
    const void* operands[] = {x->data, x->data};
    const library_call c{.m = 4, .n = 4, .k = 4, .a = {2, false}, .b = {4, false}};
    EXPECT_EQ(text_of_error<frit::device_error>([&] { gpu->call(c, operands, x->data, nullptr); }),
              "cuda:0: cuBLAS refuses a product of 4 x 4 and 4 x 4 float32: the fake cuBLAS refuses");
}

TEST_F(FakeDriver, CublasThatDoesNotStartLeavesNothingBehind) {
    void* const library = ::dlopen("libcublas.so.13", RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr);
    auto* const handles = reinterpret_cast<fake_cublas_handles_function*>(::dlsym(library, fake_cublas_handles_symbol));
    ASSERT_NE(handles, nullptr);
    frit::detail::backend& other = frit::detail::cuda_backend(1);  // no product has run there
    const library_call c{.m = 1, .n = 1, .k = 1, .a = {}, .b = {}};
    const int before = handles();
    const std::size_t memory = std::exchange(fake().memory, fake().allocated + (std::size_t{1} << 20));
    for (int k = 0; k < 2; ++k)
        EXPECT_TRUE(contains(text_of_error<frit::out_of_memory>([&] { other.require(c); }), "32.0 MiB asked for"));
    EXPECT_EQ(handles(), before);
    fake().memory = memory + (std::size_t{32} << 20);  // which stay taken
    other.require(c);
    EXPECT_EQ(handles(), before + 1);
}

// --- scans and sorts: what the plugin is asked for ---

TEST_F(FakeDriver, ScansAndSortsGoToThePluginAsTheyAre) {
    fake_cub_state* const plugin = find_fake_cub();
    ASSERT_NE(plugin, nullptr);
    const auto x = gpu->allocate(10'000), y = gpu->allocate(10'000), scratch = gpu->allocate(64);
    const void* operands[] = {x->data};
    const auto expect = [&](frit::op code, frit::dtype type, int operation, char kind, int bytes) {
        const int calls = plugin->calls;
        const library_call c{.code = code, .type = type, .a = {}, .b = {}, .rows = 3, .length = 7};
        gpu->require(c);
        EXPECT_EQ(gpu->workspace(c), 3 * 7 * 3 + 1U);
        gpu->call(c, operands, y->data, scratch->data);
        EXPECT_EQ(plugin->calls, calls + 1);
        EXPECT_EQ(plugin->call.operation, operation);
        EXPECT_EQ(plugin->call.kind, kind);
        EXPECT_EQ(plugin->call.bytes, bytes);
        EXPECT_EQ(plugin->call.rows, 3);
        EXPECT_EQ(plugin->call.length, 7);
        EXPECT_EQ(plugin->from, x->data);
        EXPECT_EQ(plugin->to, y->data);
        EXPECT_NE(plugin->stream, nullptr);
        EXPECT_EQ(plugin->workspace, scratch->data);
    };
    using enum frit::op;
    using enum frit::dtype;
    expect(cumsum, i64, FRIT_CUB_CUMSUM, 'i', 8);
    expect(cumprod, f32, FRIT_CUB_CUMPROD, 'f', 4);
    expect(cummax, u64, FRIT_CUB_CUMMAX, 'u', 8);
    expect(cummax, i16, FRIT_CUB_CUMMAX, 'i', 2);
    expect(cummin, bool_, FRIT_CUB_CUMMIN, 'b', 1);
    expect(cummin, f64, FRIT_CUB_CUMMIN, 'f', 8);
    expect(sort, bool_, FRIT_CUB_SORT, 'b', 1);
    expect(sort, i16, FRIT_CUB_SORT, 'i', 2);
    expect(argsort, u32, FRIT_CUB_ARGSORT, 'u', 4);

    plugin->refuse = true;
    const library_call c{.code = sort, .type = f32, .a = {}, .b = {}, .rows = 3, .length = 7};
    EXPECT_EQ(text_of_error<frit::device_error>([&] { gpu->call(c, operands, y->data, scratch->data); }),
              "cuda:0: sort of 3 rows of 7 float32: the fake plugin refuses");
    plugin->refuse = false;
}

}  // namespace

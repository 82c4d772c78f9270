// Library calls on the fake driver: what frit asks of cuBLAS, by a cuBLAS that computes by the definition.
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

}  // namespace

// scoped_precision: what it asks of products that are recorded in its scope, seen in plans; what it leaves alone.
#include <string>
#include <thread>

#include <frit/frit.hpp>

#include "tests/support/kernels.hpp"
#include "tests/support/libraries.hpp"

namespace {

using frit::array;

/// What a plan calls, one name after the other.
template <class... T>
std::string calls(const T&... what) {
    std::string names;
    for (const auto& c : frit::make_plan(what...).library_calls()) names += c.name() + "; ";
    return names;
}

TEST(Precision, IsOfTheScopeThatRecords) {
    if (const auto why = frit_test::missing_library(frit::op::matmul); !why.empty()) GTEST_SKIP() << why;
    const array<float> a = frit::linspace(0.0F, 1.0F, 64).reshape({8, 8}).eval();
    const array<double> d = frit::cast<double>(a).eval();
    array<float> quick, emulated, both;
    array<double> wide;
    frit::any_array any;
    {
        const frit::scoped_precision tf32(frit::precision::tf32);
        quick = frit::matmul(a, a);
        wide = frit::matmul(d, d);
        any = frit::matmul(frit::any_array(a), a.T());
        {
            const frit::scoped_precision inner(frit::precision::bf16x9);
            emulated = frit::matmul(a, a) + 1.0F;
        }
        both = frit::matmul(frit::matmul(a, a), a.T());
    }
    const array<float> plain = frit::matmul(a, a);
    EXPECT_EQ(calls(quick), "matmul_tf32 (8, 8); ");
    EXPECT_EQ(calls(any), "matmul_tf32 (8, 8); ");
    EXPECT_EQ(calls(both), "matmul_tf32 (8, 8); matmul_tf32 (8, 8); ");
    EXPECT_NE(calls(emulated).find("matmul_bf16x9"), std::string::npos) << calls(emulated);
    EXPECT_EQ(calls(wide), "matmul (8, 8); ");
    EXPECT_EQ(calls(plain), "matmul (8, 8); ");
    EXPECT_EQ(calls(quick, plain), "matmul_tf32 (8, 8); matmul (8, 8); ");
    // A CPU computes float32.
    if (!frit::default_device().is_cpu()) return;
    EXPECT_TRUE(frit::array_equal(quick, plain));
    EXPECT_TRUE(frit::array_equal(emulated, plain + 1.0F));
}

TEST(Precision, AnErrorNamesWhatWasWritten) {
    const frit::scoped_precision tf32(frit::precision::tf32);
    const array<float> a = frit::ones<float>({2, 3});
    EXPECT_ERROR(array<float> y = frit::matmul(a, a), frit::shape_error, "matmul: takes operands with equal inner extents",
                 "test_precision.cpp");
}

TEST(Precision, OfOneThreadAlone) {
    if (const auto why = frit_test::missing_library(frit::op::matmul); !why.empty()) GTEST_SKIP() << why;
    const array<float> a = frit::ones<float>({4, 4}).eval();
    const frit::scoped_precision tf32(frit::precision::tf32);
    array<float> elsewhere;
    std::thread([&] { elsewhere = frit::matmul(a, a); }).join();
    EXPECT_EQ(calls(elsewhere), "matmul (4, 4); ");
}

}  // namespace

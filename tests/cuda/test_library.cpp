// Library calls run for real: on a GPU where there is one, and on the CPU, which checks the tests.
#include <frit/frit.hpp>

#include "src/base/found_library.hpp"
#include "src/cuda/blas.hpp"
#include "src/cuda/toolkit.hpp"
#include "tests/cuda/library_checks.hpp"

namespace {

using namespace frit_test;

class LibraryCalls : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (std::string(GetParam()) == "cpu") {
            device = &frit::detail::cpu_backend();
            return;
        }
        if (frit::detail::cuda_device_count() == 0) GTEST_SKIP() << "no GPU here";
        device = &frit::detail::cuda_backend(0);
    }
    /// Skips where the machine has no library for it, with what frit says then.
    bool there_is_a_product() {
        try {
            device->require(product_call(frit::dtype::f32, 1, 1, 1, {}, {}));
            return true;
        } catch (const frit::device_error& e) {
            why = e.what();
            return false;
        }
    }
    frit::detail::backend* device = nullptr;
    std::string why;
};
INSTANTIATE_TEST_SUITE_P(, LibraryCalls, ::testing::Values("cpu", "cuda"),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(LibraryCalls, ProductsInEveryLayout) {  // and in full float32: TF32 would be a hundred times the bound of short sums
    if (!there_is_a_product()) GTEST_SKIP() << why;
    check_products<float>(*device);
    check_products<double>(*device);
    check_products<std::complex<float>>(*device);
    check_products<std::complex<double>>(*device);
    if (std::string(GetParam()) == "cpu") return;  // which is asked for float32 instead
    check_products<frit::half>(*device);
    check_products<frit::bfloat16>(*device);
}

TEST_P(LibraryCalls, ProductsWithRowsInEveryLayout) {
    if (!there_is_a_product()) GTEST_SKIP() << why;
    if (std::string(GetParam()) == "cpu") {
        EXPECT_EQ(call_with_row(*device, product_call(frit::dtype::f32, 2, 2, 2, {}, {})).of, nullptr) << "a kernel's";
        return;
    }
    if (!frit::detail::cuda::blas_lt::found()) GTEST_SKIP() << frit::detail::cuda::find_cublaslt().text;
    check_products_with_rows(*device);
    check_product_with_row(*device, stored_matrix<float>(64, 2048, false, 0, 3), stored_matrix<float>(2048, 96, true, 0, 4),
                           0);
    check_product_with_row(*device, stored_matrix<float>(16, 50'000, false, 0, 3),
                           stored_matrix<float>(50'000, 24, false, 0, 4), 1);
}

TEST_P(LibraryCalls, BatchesOfProducts) {
    if (!there_is_a_product()) GTEST_SKIP() << why;
    check_batches<float>(*device);
    check_batches<double>(*device);
    check_batches<std::complex<float>>(*device);
    check_batches<std::complex<double>>(*device);
    check_batch<float>(*device, {2, 3, 2}, false, false, 0, {70'000}, {70'000});  // more than a grid's y and z extents
    check_batch<float>(*device, {100, 40, 130}, true, false, 1, {5}, {5});
    if (std::string(GetParam()) == "cpu") return;
    check_batches<frit::half>(*device);
    check_batches<frit::bfloat16>(*device);
}

TEST_P(LibraryCalls, LongSums) {
    if (!there_is_a_product()) GTEST_SKIP() << why;
    check_product(*device, stored_matrix<float>(64, 2048, false, 0, 3), stored_matrix<float>(2048, 96, true, 0, 4));
    check_product(*device, stored_matrix<double>(1, 100'001, false, 0, 5), stored_matrix<double>(100'001, 1, false, 0, 6));
}

TEST_P(LibraryCalls, AProductGivesTheSameBitsAgain) {
    if (!there_is_a_product()) GTEST_SKIP() << why;
    const stored_matrix<float> a(300, 700, false, 0, 7), b(700, 200, false, 0, 8);
    const auto left = to_device(*device, a.memory), right = to_device(*device, b.memory), out = device->allocate(240'000);
    const library_call product = product_call(frit::dtype::f32, 300, 700, 200, a.layout, b.layout);
    const auto repeat = [&](const library_call& c, const std::vector<const void*>& operands) {
        std::vector<float> first;
        for (int again = 0; again < 5; ++again) {
            call_with_workspace(*device, c, operands, {out->data});
            const auto got = from_device<float>(*device, out, 60'000);
            if (first.empty()) first = got;
            EXPECT_EQ(got, first);
        }
    };
    repeat(product, {left->data, right->data});
    if (const library_call c = call_with_row(*device, product); c.of) repeat(c, {left->data, right->data, left->data});
}

TEST(CudaToolkit, AMissingLibraryIsSaidToBeMissingAndWhereItWasLookedFor) {
    frit::detail::cuda::toolkit_library none("cuBLAS", {"libnot-there.so.13", "libnot-there.so.12"});
    const std::string why = none.why_not();
    EXPECT_TRUE(why.starts_with("cuBLAS not found: looked in libnot-there.so.13")) << why;
    EXPECT_NE(why.find(", libnot-there.so.12"), std::string::npos) << why;
    EXPECT_TRUE(why.ends_with("; set CUDA_HOME to a CUDA toolkit")) << why;
    void (*function)() = nullptr;
    none.find(function, "cublasCreate_v2");
    EXPECT_EQ(function, nullptr);
    EXPECT_EQ(none.why_not(), why);
}

TEST(CudaToolkit, AnOldLibraryIsNamedWithWhatItLacks) {
    frit::detail::cuda::toolkit_library old("cuBLAS", {"libm.so.6"});
    void (*function)() = nullptr;
    old.find(function, "cos");
    EXPECT_NE(function, nullptr);
    EXPECT_EQ(old.why_not(), "");
    old.find_newer(function, "cusolverDnXgeev");
    EXPECT_EQ(function, nullptr);
    EXPECT_EQ(old.why_not(), "") << "what only some functions need";
    old.find(function, "cublasCreate_v2");
    EXPECT_EQ(old.why_not(), "cuBLAS is too old: libm.so.6 has no cublasCreate_v2");
}

TEST(CudaToolkit, TheInstalledCublasHasWhatFritCalls) {
    const frit::detail::found_library cublas = frit::detail::cuda::find_cublas();
    if (!cublas.found) GTEST_SKIP() << cublas.text;
    EXPECT_NE(cublas.text.find("libcublas.so"), std::string::npos) << cublas.text;
}

TEST(CudaToolkit, TheInstalledCublasltHasWhatFritCalls) {
    const frit::detail::found_library cublaslt = frit::detail::cuda::find_cublaslt();
    if (!cublaslt.found) GTEST_SKIP() << cublaslt.text;
    EXPECT_NE(cublaslt.text.find("libcublasLt.so"), std::string::npos) << cublaslt.text;
}

}  // namespace

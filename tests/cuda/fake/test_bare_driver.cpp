// A GPU and none of the libraries for it: what is said then. ctest runs this once more where libnvrtc and libcublasLt are an
// empty library and the plugin for scans and sorts is nowhere.
#include <frit/bundle.hpp>
#include <frit/frit.hpp>
#include <frit/raw_kernel.hpp>

#include <filesystem>

#include "fusion/codegen/dialect.hpp"
#include "src/base/stats.hpp"
#include "src/cache/bundle.hpp"
#include "src/cuda/blas_lt.hpp"
#include "src/cuda/cub.hpp"
#include "tests/cuda/fake/fixture.hpp"
#include "tests/cuda/library_checks.hpp"
#include "tests/cuda/specs.hpp"

namespace {

using namespace frit_test;

TEST(BareDriver, ABackendSaysThatNvrtcIsMissing) {
    std::string why;
    if (frit::detail::cuda::has_nvrtc(why)) GTEST_SKIP() << "there is NVRTC";
    if (frit::detail::bundles().loaded()) GTEST_SKIP() << "the bundle's test came first";
    ASSERT_TRUE(find_fake());
    EXPECT_TRUE(contains(why, "NVRTC is too old: ") || contains(why, "NVRTC not found: looked in libnvrtc.so.13, ")) << why;
    EXPECT_EQ(text_of_error<frit::device_error>([] { frit::detail::cuda_backend(0); }), "cuda:0 asked for: " + why);
    EXPECT_EQ(text_of_error<frit::device_error>([] { frit::detail::cuda::nvrtc_name(); }), why);
    EXPECT_TRUE(contains(frit::info(), why));
}

TEST(BareDriver, AScanSaysThatItsPluginIsMissing) {
    const frit::detail::found_library cub = frit::detail::cuda::find_cub();
    if (cub.found) GTEST_SKIP() << "there is " << cub.text;
    EXPECT_TRUE(cub.text.starts_with("the component frit_cub is missing: ")) << cub.text;
    const frit::detail::cuda::device gpu(0);
    EXPECT_EQ(text_of_error<frit::device_error>([&] { frit::detail::cuda::require_cub(gpu, frit::op::cumsum); }),
              "cuda:0: cumsum needs CUB: " + cub.text);
    EXPECT_TRUE(contains(frit::info(), cub.text));
}

TEST(BareDriver, ABiasIsAKernelsWhereCublasltIsMissing) {
    const frit::detail::found_library cublaslt = frit::detail::cuda::find_cublaslt();
    const library_call product = product_call(frit::dtype::f32, 2, 3, 4, {3, false}, {4, false});
    frit::fusion::target gpu;
    gpu.device = frit::fusion::target::kind::cuda;
    EXPECT_EQ(end_with_row(product, gpu) != nullptr, cublaslt.found);
    if (cublaslt.found) GTEST_SKIP() << "there is " << cublaslt.text;
    EXPECT_TRUE(cublaslt.text.starts_with("cuBLASLt is too old: ") || cublaslt.text.starts_with("cuBLASLt not found: "))
        << cublaslt.text;
    EXPECT_TRUE(contains(frit::info(), cublaslt.text));
}

// The last ones: they leave bundles loaded.
TEST(BareDriver, ABundlesKernelsNeedNoNvrtc) {
    using namespace frit::detail;
    std::string why;
    if (cuda::has_nvrtc(why)) GTEST_SKIP() << "there is NVRTC";
    ASSERT_TRUE(find_fake());
    const auto spec_of = [](frit::op o) {
        builder b;
        b.spec.vector_width = 4;
        b.store(b.apply(o, dtype::f32, b.load(dtype::f32, "1")), "1");
        return b.spec;
    };
    const kernel_spec spec = spec_of(frit::op::neg);
    frit::fusion::target t;
    t.device = frit::fusion::target::kind::cuda;
    kernel_bundles made_elsewhere;
    made_elsewhere.start();
    made_elsewhere.keep({"cuda_c", emit(spec, frit::fusion::cuda_c(), t), "--fmad=false", "sm_90", "nvrtc 13.0"},
                        "\177ELF, a cubin");
    const std::string file = (std::filesystem::temp_directory_path() / ("frit-bare-" + std::to_string(::getpid()))).string();
    EXPECT_EQ(made_elsewhere.write(file, {}), 1U);
    EXPECT_EQ(frit::load_kernels(file), 1U);
    std::filesystem::remove(file);
    backend& gpu = cuda_backend(0);
    std::uint64_t words[] = {0, 0, 1000, 0x1000, 0x2000};
    const int launches = fake().launches;
    gpu.launch(*gpu.prepare(spec), spec, words);
    EXPECT_EQ(fake().launches, launches + 1);
    EXPECT_EQ(counters_now.compilations.load(), 0U);
    EXPECT_EQ(text_of_error<frit::device_error>([&] { gpu.prepare(spec_of(frit::op::sqrt)); }),
              "no bundle that was loaded holds this kernel for sm_90, and " + why);
}

TEST(BareDriver, AProgramsOwnKernelsOfABundleNeedNoNvrtc) {
    using namespace frit::detail;
    std::string why;
    if (cuda::has_nvrtc(why)) GTEST_SKIP() << "there is NVRTC";
    ASSERT_TRUE(find_fake());
    raw_source source;
    source.name = "packed";
    source.text = "extern \"C\" __global__ void packed(float* y) {}";
    kernel_bundles made_elsewhere;
    made_elsewhere.start();
    made_elsewhere.keep(cuda::key_in_bundles(source, 90), std::string("packed\0\177ELF, a cubin", 20));
    const std::string file = (std::filesystem::temp_directory_path() / ("frit-raw-" + std::to_string(::getpid()))).string();
    EXPECT_EQ(made_elsewhere.write(file, {}), 1U);
    EXPECT_EQ(frit::load_kernels(file), 1U);
    std::filesystem::remove(file);
    const frit::scoped_device here(frit::device::cuda(0));
    const auto launch = [](const frit::raw_kernel& k) {
        frit::array<float> y{1};
        k.launch({1}, {1}, frit::inout(y));
        y.eval();
    };
    launch(frit::raw_kernel("packed", source.text));
    EXPECT_EQ(fake().launched.back(), "packed");
    EXPECT_EQ(counters_now.compilations.load(), 0U);
    const std::string text = text_of_error<frit::device_error>(
        [&] { launch(frit::raw_kernel("other", "extern \"C\" __global__ void other(float* y) {}")); });
    EXPECT_TRUE(text.starts_with("cuda:0: no bundle that was loaded holds raw_kernel other for sm_90, and " + why)) << text;
    // Of frit's own kernels it says what the user called.
    const auto solve = [] {
        frit::linalg::solve(frit::array<double>{{2, 0}, {0, 4}}, frit::array<double>{{1, 1}, {1, 1}}).eval();
    };
    const std::string of_solve = text_of_error<frit::device_error>(solve);
    EXPECT_TRUE(of_solve.starts_with("cuda:0: no bundle that was loaded holds solve of 2 x 2 float64 for sm_90, and " + why))
        << of_solve;
}

}  // namespace

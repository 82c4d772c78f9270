// A GPU and none of the libraries for it: what is said then. ctest runs this once more where libnvrtc is an empty library
// and the plugin for scans and sorts is nowhere.
#include <frit/frit.hpp>

#include "src/cuda/cub.hpp"
#include "tests/cuda/fake/fixture.hpp"

namespace {

using namespace frit_test;

TEST(BareDriver, ABackendSaysThatNvrtcIsMissing) {
    std::string why;
    if (frit::detail::cuda::has_nvrtc(why)) GTEST_SKIP() << "there is NVRTC";
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

}  // namespace

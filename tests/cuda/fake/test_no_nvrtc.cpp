// A GPU and no compiler for it: what is said then. ctest runs this once more where libnvrtc is an empty library.
#include <frit/frit.hpp>

#include "tests/cuda/fake/fixture.hpp"

namespace {

using namespace frit_test;

TEST(NoNvrtc, ABackendSaysWhatIsMissing) {
    std::string why;
    if (frit::detail::cuda::has_nvrtc(why)) GTEST_SKIP() << "there is NVRTC";
    ASSERT_TRUE(find_fake());
    EXPECT_TRUE(contains(why, "NVRTC is too old: ") || contains(why, "NVRTC not found: looked in libnvrtc.so.13, ")) << why;
    EXPECT_EQ(text_of_error<frit::device_error>([] { frit::detail::cuda_backend(0); }), "cuda:0 asked for: " + why);
    EXPECT_EQ(text_of_error<frit::device_error>([] { frit::detail::cuda::nvrtc_name(); }), why);
    EXPECT_TRUE(contains(frit::info(), why));
}

}  // namespace

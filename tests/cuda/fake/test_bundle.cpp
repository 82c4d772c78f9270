// Bundles of GPU kernels on the fake driver: recorded for this device and for others, and taken from a bundle.
#include <frit/bundle.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "src/base/stats.hpp"
#include "src/cache/bundle.hpp"
#include "tests/cuda/batch.hpp"
#include "tests/cuda/fake/fixture.hpp"
#include "tests/cuda/specs.hpp"

namespace {

using namespace frit_test;
using namespace frit::detail;

// A spec that no other test of this process uses: the memory caches never forget.
kernel_spec fresh_spec() {
    static int count = 0;
    builder b;
    b.spec.vector_width = 4;
    int x = b.load(dtype::f32, "1");
    for (int k = 0; k <= count; ++k) x = b.apply(op::sqrt, dtype::f32, x);
    ++count;
    b.store(x, "1");
    return b.spec;
}

void launch(backend& gpu, const kernel_spec& spec) {
    std::uint64_t words[] = {0, 0, 1000, 0x1000, 0x2000};
    gpu.launch(*gpu.prepare(spec), spec, words);
}

class FakeBundles : public FakeDriver {
protected:
    const std::string file =
        (std::filesystem::temp_directory_path() / ("frit-bundle-" + std::to_string(::getpid()))).string();
    void TearDown() override { std::filesystem::remove(file); }
};

TEST_F(FakeBundles, HoldWhatRanForThisDeviceAndForOthers) {
    const kernel_spec before = fresh_spec(), during = fresh_spec();
    launch(*gpu, before);
    auto recording = frit::record_kernels(file, {80, 75});
    launch(*gpu, before);  // in memory
    launch(*gpu, during);
    launch(*gpu, during);
    const auto made = [] { return counters_now.compilations + counters_now.disk_hits; };
    const auto ready = made();
    EXPECT_EQ(recording.close(), 6U);
    EXPECT_EQ(made() - ready, 5U) << "the kernel that was made while recording is at hand";
    kernel_bundles there;
    EXPECT_EQ(there.load(file), 6U);
    const std::string text = gpu->prepare(before)->source();
    std::string cubins[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const char* const sm[] = {"sm_90", "sm_80", "sm_75"};
        const auto found = there.find({"cuda_c", text, {}, sm[k], {}});
        ASSERT_TRUE(found) << sm[k];
        EXPECT_TRUE(found->key.compiler.starts_with("nvrtc ")) << found->key.compiler;
        EXPECT_TRUE(found->binary.starts_with("\177ELF"));
        cubins[k] = found->binary;
    }
    EXPECT_NE(cubins[0], cubins[1]);
    EXPECT_NE(cubins[1], cubins[2]);
}

TEST_F(FakeBundles, ACapabilityThatNvrtcDoesNotKnowIsNamedAndNothingIsWritten) {
    auto recording = frit::record_kernels(file, {999});
    launch(*gpu, fresh_spec());
    const std::string text = text_of_error<frit::compile_error>([&] { recording.close(); });
    EXPECT_TRUE(text.starts_with("sm_999: ")) << text;
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(FakeBundles, KernelsComeFromThemBeforeTheyComeFromDisk) {
    const kernel_spec spec = fresh_spec();
    auto recording = frit::record_kernels(file);
    launch(*gpu, spec);
    recording.close();
    frit::load_kernels(file);
    const auto made = [] { return counters_now.compilations + counters_now.disk_hits; };
    const auto ready = made(), hits = counters_now.bundle_hits.load();
    EXPECT_EQ(cuda_backend(1).prepare(spec)->source(), gpu->prepare(spec)->source());
    EXPECT_EQ(counters_now.bundle_hits - hits, 1U);
    EXPECT_EQ(made(), ready);
}

TEST_F(FakeBundles, ACubinThatTheDriverRefusesIsLookedForElsewhere) {
    const kernel_spec spec = fresh_spec();
    auto recording = frit::record_kernels(file);
    launch(*gpu, spec);
    recording.close();
    frit::load_kernels(file);
    fake().refuse_modules = 1;
    const auto made = [] { return counters_now.compilations + counters_now.disk_hits; };
    const auto ready = made();
    EXPECT_NE(cuda_backend(1).prepare(spec), nullptr);
    EXPECT_EQ(made(), ready + 1);
}

}  // namespace

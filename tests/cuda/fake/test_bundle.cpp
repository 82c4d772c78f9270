// Bundles of GPU kernels on the fake driver: recorded for this device and for others, and taken from a bundle.
#include <frit/bundle.hpp>
#include <frit/frit.hpp>
#include <frit/raw_kernel.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

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

// --- kernels that programs bring ---

std::string text_of(const std::string& name) { return "extern \"C\" __global__ void " + name + "(float* y) {}"; }

raw_source source_of(std::string name, std::vector<std::string> flags = {}) {
    raw_source s;
    s.text = text_of(name);
    s.name = std::move(name);
    s.flags = std::move(flags);
    return s;
}

void launch(const frit::raw_kernel& k) {
    frit::array<float> y{1};
    k.launch({1}, {1}, frit::inout(y));
    y.eval();
}

TEST_F(FakeBundles, HoldAProgramsOwnKernels) {
    const frit::scoped_device here(frit::device::cuda(0));
    fake().program = nullptr;
    const frit::raw_kernel before("packed_before", text_of("packed_before")),
        during("packed", text_of("packed"), {.flags = {"-DN=1"}}),
        folders("packed_i", text_of("packed_i"), {.flags = {"-I/n"}});
    launch(before);
    auto recording = frit::record_kernels(file, {80});
    launch(before);
    launch(during);
    launch(folders);
    launch(folders);
    EXPECT_EQ(recording.close(), 6U);
    EXPECT_EQ(frit::load_kernels(file), 6U);
    const auto made = [] { return counters_now.compilations + counters_now.disk_hits; };
    const auto ready = made(), hits = counters_now.bundle_hits.load();
    for (const int sm : {80, 90}) {
        EXPECT_EQ(cuda::compile_raw(source_of("packed_before"), sm).from, cuda::origin::bundle);
        EXPECT_EQ(cuda::compile_raw(source_of("packed_i", {"-I/n"}), sm).from, cuda::origin::bundle);
        const cuda::compiled_raw c = cuda::compile_raw(source_of("packed", {"-DN=1"}), sm);
        EXPECT_EQ(c.from, cuda::origin::bundle);
        EXPECT_EQ(c.symbol, "packed");
        EXPECT_TRUE(c.cubin.starts_with("\177ELF"));
    }
    EXPECT_EQ(made(), ready);
    EXPECT_EQ(counters_now.bundle_hits - hits, 6U);
    EXPECT_NE(cuda::compile_raw(source_of("packed", {"-DN=2"}), 90).from, cuda::origin::bundle) << "another kernel";
    EXPECT_NE(cuda::compile_raw(source_of("packed"), 90).from, cuda::origin::bundle);
    const frit::scoped_device there(frit::device::cuda(1));
    fake().refuse_modules = 1;
    launch(during);
    EXPECT_EQ(fake().launched.back(), "packed") << "made afresh where the driver refuses the bundle's";
    EXPECT_EQ(fake().refuse_modules, 0);
}

TEST_F(FakeBundles, AProgramsOwnKernelThatANamedGpuDoesNotTakeIsNamed) {
    const frit::scoped_device here(frit::device::cuda(0));
    fake().program = nullptr;
    const frit::raw_kernel picky("picky", "#if __CUDA_ARCH__ == 800\n#error not this one\n#endif\n" + text_of("picky"));
    auto recording = frit::record_kernels(file, {80});
    launch(picky);
    const std::string text = text_of_error<frit::compile_error>([&] { recording.close(); });
    for (const char* part : {"raw_kernel picky [", "test_bundle.cpp:", "for sm_80", "not this one"})
        EXPECT_TRUE(contains(text, part)) << text;
    EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace

// NVRTC and the cubins on disk, and what is said where CUDA is missing. Needs no GPU.
#include <gtest/gtest.h>

#include "frit/error.hpp"
#include "src/base/stats.hpp"
#include "src/cuda/driver.hpp"
#include "src/engine/backend.hpp"
#include "tests/cuda/batch.hpp"
#include "tests/cuda/specs.hpp"

namespace {

using namespace frit_test;
using namespace frit::detail;

TEST(Nvrtc, AFailureCarriesTheCompilersLog) {
    FRIT_NEEDS_NVRTC();
    const auto broken = cuda::compile_to_cubin("extern \"C\" __global__ void k() { undeclared = 1; }", 90);
    EXPECT_FALSE(broken.good);
    EXPECT_NE(broken.log.find("undeclared"), std::string::npos) << broken.log;
    const auto unknown = cuda::compile_to_cubin("extern \"C\" __global__ void k() {}", 12);
    EXPECT_FALSE(unknown.good);
    EXPECT_NE(unknown.log, "");
    EXPECT_NE(compile_in_batches({"junk"}, 90), "");
}

TEST(Nvrtc, ACubinIsMadeOnceAndThenComesFromDisk) {
    FRIT_NEEDS_NVRTC();
    const kernel_spec spec = axpb();
    const auto first = cuda::cubin_of(spec, 90);
    const auto compilations = counters_now.compilations.load(), hits = counters_now.disk_hits.load();
    const auto second = cuda::cubin_of(spec, 90);
    EXPECT_EQ(second.from, cuda::origin::disk);
    EXPECT_EQ(second.cubin, first.cubin);
    EXPECT_EQ(counters_now.compilations.load(), compilations);
    EXPECT_EQ(counters_now.disk_hits.load(), hits + 1);
    EXPECT_TRUE(
        first.cubin.starts_with("\x7f"
                                "ELF"));
}

TEST(Nvrtc, AKeyNamesArchitectureOptionsAndCompilerButNoDriverOrPath) {
    FRIT_NEEDS_NVRTC();
    const cache_key key = cuda::cubin_key("text", 90);
    EXPECT_EQ(key.architecture, "sm_90");
    EXPECT_TRUE(key.compiler.starts_with("nvrtc 1")) << key.compiler;
    EXPECT_NE(key.options.find("--fmad=false"), std::string::npos);
    EXPECT_EQ(key.options.find('/'), std::string::npos);
    EXPECT_NE(key.bytes(), cuda::cubin_key("text", 80).bytes());
}

TEST(CudaAbsent, TheErrorSaysWhatIsMissing) {
    std::string why;
    if (cuda::find_driver(why)) GTEST_SKIP() << "this machine has a CUDA driver";
    EXPECT_EQ(cuda_device_count(), 0);
    try {
        cuda_backend(0);
        FAIL() << "no error";
    } catch (const frit::device_error& e) {
        EXPECT_STREQ(e.what(), "cuda:0 asked for: no CUDA driver: libcuda.so.1 not found");
    }
}

}  // namespace

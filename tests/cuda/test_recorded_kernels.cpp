// The CUDA kernels that the other test programs plan on the stand-in for a GPU (stand_in.hpp): they compile. And, for
// a machine with a GPU, a way to compile them all on all processors before the tests run for real.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>

#include "src/cache/disk.hpp"
#include "tests/cuda/batch.hpp"
#include "tests/support/thorough.hpp"

namespace {

namespace fs = std::filesystem;
namespace cuda = frit::detail::cuda;

class RecordedKernels : public ::testing::Test {
protected:
    void SetUp() override {
        FRIT_NEEDS_NVRTC();
        const char* folder = std::getenv("FRIT_TEST_KERNELS");
        if (!folder || !fs::exists(folder))
            GTEST_SKIP() << "no kernels recorded: run ctest, whose tests *_as_cuda leave them";
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".cu") files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) {
            std::ifstream in(file);
            texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        }
        ASSERT_FALSE(texts.empty());
    }
    std::vector<std::string> texts;
};

// An eighth of them, another one for each commit: every op, dtype and layout is compiled by the tests beside this one.
TEST_F(RecordedKernels, Compile) {
    std::vector<std::string> chosen, sample;
    for (const std::string& text : texts) {
        const std::size_t hash = std::hash<std::string>{}(text);
        if (frit_test::sampled(hash / 40, 8)) chosen.push_back(text);
        if (hash % 40 == 0) sample.push_back(text);
    }
    std::cout << chosen.size() << " of " << texts.size() << " kernels for sm_90, " << sample.size()
              << " for sm_80 and sm_100\n";
    FRIT_EXPECT_COMPILES(chosen, 90);
    for (int sm : {80, 100}) FRIT_EXPECT_COMPILES(sample, sm);
}

TEST_F(RecordedKernels, FillTheDiskCache) {
    const char* sm = std::getenv("FRIT_TEST_FILL_CACHE");
    if (!sm) GTEST_SKIP() << "only where asked for: FRIT_TEST_FILL_CACHE=90";
    std::mutex lock;
    frit_test::on_all_processors(texts.size(), [&](std::size_t k) {
        const std::string text = frit::fusion::cuda_prelude_for(texts[k]) + "\n" + texts[k];  // as emit() writes it
        const auto key = cuda::cubin_key(text, std::atoi(sm));
        if (frit::detail::kernel_cache().load(key)) return;
        const auto made = cuda::compile_to_cubin(text, std::atoi(sm));
        if (made.good) return frit::detail::kernel_cache().store(key, made.cubin, text, ".cu");
        const std::scoped_lock guard(lock);
        ADD_FAILURE() << made.log;
    });
}

}  // namespace

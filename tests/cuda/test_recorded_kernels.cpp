// Every CUDA kernel that the other test programs plan on the stand-in for a GPU (stand_in.hpp) compiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/cuda/batch.hpp"

namespace {

namespace fs = std::filesystem;

TEST(RecordedKernels, Compile) {
    FRIT_NEEDS_NVRTC();
    const char* folder = std::getenv("FRIT_TEST_KERNELS");
    if (!folder || !fs::exists(folder)) GTEST_SKIP() << "no kernels recorded: run ctest, whose tests *_as_cuda leave them";
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".cu") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<std::string> all, sample;
    for (const fs::path& file : files) {
        std::ifstream in(file);
        all.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        if (all.size() % 20 == 1) sample.push_back(all.back());
    }
    std::cout << all.size() << " kernels for sm_90, " << sample.size() << " of them for sm_80 and sm_100\n";
    EXPECT_FALSE(all.empty());
    EXPECT_EQ(frit_test::compile_in_batches(all, 90), "");
    for (int sm : {80, 100}) EXPECT_EQ(frit_test::compile_in_batches(sample, sm), "");
}

}  // namespace

// The program frit-info: the facts it prints are those of this machine, of the variables that are set, and of a GPU where
// the driver shows one (a fake driver, found first by the loader, shows two).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <frit/info.hpp>

#include "src/base/env.hpp"
#include "src/cpu/facts.hpp"
#include "tests/support/run_program.hpp"

namespace {
namespace fs = std::filesystem;

const std::string program = FRIT_INFO_PROGRAM;

// The text of the one line that starts with this name; empty if there is none.
std::string line_of(const std::string& text, const std::string& name) {
    const std::string start = "\n  " + name + " ";
    const std::size_t at = text.find(start);
    if (at == std::string::npos) return {};
    const std::size_t value = text.find_first_not_of(' ', at + start.size());
    return text.substr(value, text.find('\n', value) - value);
}

std::string info(const std::string& environment) {
    const frit_test::program_result r = frit_test::run_program(environment + " " + program);
    EXPECT_EQ(r.status, 0) << r.text;
    return r.text;
}

TEST(Info, TheCpuAndItsEngines) {
    const std::string text = info("FRIT_DEVICE=cpu FRIT_CPU_ENGINE=cxx FRIT_CPU_ISA=baseline FRIT_NUM_THREADS=3");
    const frit::detail::cpu_facts cpu = frit::detail::facts_of_this_cpu();
    EXPECT_EQ(line_of(text, "cpu").rfind(cpu.model, 0), 0U) << text;
    EXPECT_NE(line_of(text, "cpu").find("frit uses 3 threads"), std::string::npos) << text;
    EXPECT_EQ(line_of(text, "default"), "cpu");
    EXPECT_EQ(line_of(text, "interpreter"), "ready");
    EXPECT_EQ(line_of(text, "in use on the CPU").rfind("cxx baseline (this machine has ", 0), 0U) << text;
    EXPECT_EQ(line_of(info("FRIT_DEVICE=cpu CXX=/nowhere/c++"), "cxx"), "missing: C++ compiler");
}

TEST(Info, TheCacheIsCounted) {
    std::string pattern = (fs::temp_directory_path() / "frit-info-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    const fs::path folder = pattern;
    const std::string stem = "0123456789abcdef0123456789abcde";
    for (const char digit : {'0', '1'}) {
        std::ofstream(folder / (stem + digit + ".bin")) << std::string(1000, 'b');
        std::ofstream(folder / (stem + digit + ".cpp")) << std::string(48, 's');
    }
    std::ofstream(folder / "notes.txt") << "somebody else's";
    const std::string text = info("FRIT_DEVICE=cpu FRIT_CACHE_MAXSIZE=5M FRIT_CACHE_DIR=" + folder.string());
    EXPECT_EQ(line_of(text, "folder"), folder.string());
    EXPECT_EQ(line_of(text, "kernels"), "2");
    EXPECT_EQ(line_of(text, "size"), "2.0 KiB of at most 5.0 MiB");
    fs::permissions(folder, fs::perms::all);
    EXPECT_EQ(line_of(info("FRIT_DEVICE=cpu FRIT_CACHE_DIR=" + folder.string()), "folder"),
              folder.string() + " (not used: " + folder.string() + " lets others write (mode 0777))");
    fs::remove_all(folder);
    EXPECT_EQ(line_of(info("FRIT_DEVICE=cpu FRIT_CACHE_DIR="), "folder"), "none: kernels are not kept on disk");
}

TEST(Info, EveryVariableStandsWithItsValue) {
    const std::string text = info("-u FRIT_LOG FRIT_DEVICE=cpu FRIT_SYNC=1 FRIT_FUSION=off");
    for (const frit::detail::variable& v : frit::detail::variables())
        EXPECT_NE(line_of(text, v.name).find("[" + std::string(v.meaning) + "]"), std::string::npos) << v.name << "\n"
                                                                                                     << text;
    EXPECT_EQ(line_of(text, "FRIT_SYNC").rfind("1, set [", 0), 0U) << text;
    EXPECT_EQ(line_of(text, "FRIT_FUSION").rfind("off, set [", 0), 0U) << text;
    EXPECT_EQ(line_of(text, "FRIT_LOG").rfind("none [", 0), 0U) << text;
}

TEST(Info, GpusAsTheDriverShowsThem) {
    const std::string text = info("FRIT_DEVICE=cpu LD_LIBRARY_PATH=" FRIT_TEST_BINARY_DIR "/cuda/fake");
    const std::string gpu = "Fake H200, 64.0 MiB, compute capability 9.0, 132 multiprocessors";
    EXPECT_EQ(line_of(text, "cuda:0"), gpu) << text;
    EXPECT_EQ(line_of(text, "cuda:1"), gpu);
    EXPECT_EQ(line_of(text, "cuda:2"), "");
    EXPECT_EQ(line_of(text, "CUDA driver").rfind("CUDA 13.0, ", 0), 0U) << text;
    EXPECT_NE(line_of(text, "CUDA driver").find("cuda/fake/libcuda.so.1"), std::string::npos) << text;
}

TEST(Info, ADefaultDeviceThatIsNotThereIsSaid) {
    const std::string text = info("FRIT_DEVICE=cuda:99");
    EXPECT_EQ(line_of(text, "default").rfind("none: cuda:99", 0), 0U) << text;
}

TEST(Info, OwnFourierTransformsAreSaid) {
    EXPECT_NE(line_of(info("FRIT_DEVICE=cpu FRIT_FFTW=off"), "FFTW").find("frit's own transforms serve"), std::string::npos);
}

TEST(Info, AMissingFftwIsSaidWithItsPackages) {
    std::string pattern = (fs::temp_directory_path() / "frit-info-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    for (const char* file : {"libfftw3.so.3", "libfftw3f.so.3"})
        std::ofstream(fs::path(pattern) / file).put(' ');  // no library
    const std::string text = line_of(info("FRIT_DEVICE=cpu LD_LIBRARY_PATH=" + pattern), "FFTW");
    fs::remove_all(pattern);
    EXPECT_EQ(text.rfind("missing: libfftw3.so.3 not found: install libfftw3-double3 (Debian, Ubuntu); ", 0), 0U) << text;
    EXPECT_NE(text.find("install libfftw3-single3"), std::string::npos) << text;
    EXPECT_NE(text.find("frit's own transforms serve"), std::string::npos) << text;
}

TEST(Info, AWrongVariableIsAnErrorThatNamesIt) {
    const frit_test::program_result r = frit_test::run_program("FRIT_NUM_THREADS=many " + program);
    EXPECT_NE(r.status, 0);
    EXPECT_EQ(r.text, "frit-info: FRIT_NUM_THREADS='many': expected a number from 1 to 4096\n");
}

TEST(Info, TheFunctionGivesTheSameText) {
    const std::string text = frit::info();
    EXPECT_EQ(text.rfind("frit " FRIT_VERSION_STRING "\n", 0), 0U);
    for (const char* library : {"libmvec", "OpenBLAS", "FFTW", "C++ compiler", "LLVM", "CUDA driver", "NVRTC", "cuBLAS",
                                "cuBLASLt", "cuSOLVER", "cuFFT", "frit_cub", "NVTX"})
        EXPECT_NE(line_of(text, library), "") << library;
}

}  // namespace

// The FRIT_* environment variables: what is accepted, what is refused, and in what words.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "frit/error.hpp"
#include "src/base/env.hpp"

namespace {

using frit::detail::engine_choice;
using frit::detail::environment;
using frit::detail::isa_choice;
using frit::detail::log_channel;

environment read(const std::map<std::string, std::string>& variables) {
    return frit::detail::read_environment([&](const char* name) -> const char* {
        const auto at = variables.find(name);
        return at == variables.end() ? nullptr : at->second.c_str();
    });
}

std::string refusal(const std::map<std::string, std::string>& variables) {
    try {
        read(variables);
    } catch (const frit::error& e) {
        return e.what();
    }
    return "accepted";
}

TEST(Environment, DefaultsWhenNothingIsSet) {
    const environment e = read({});
    EXPECT_FALSE(e.device);
    EXPECT_EQ(e.cpu_engine, engine_choice::automatic);
    EXPECT_EQ(e.threads, 0);
    EXPECT_EQ(e.cache_dir, "");
    EXPECT_EQ(e.cache_maxsize, std::uint64_t{1} << 30);
    EXPECT_EQ(e.log_mask, 0U);
    EXPECT_TRUE(e.fusion);
    EXPECT_FALSE(e.sync);
    EXPECT_EQ(e.compile_timeout, std::chrono::minutes(2));
}

TEST(Environment, ValuesAreTyped) {
    const environment e = read({{"FRIT_DEVICE", "cuda:3"},
                                {"FRIT_CPU_ENGINE", "cxx"},
                                {"FRIT_CPU_ISA", "avx2"},
                                {"FRIT_NUM_THREADS", "7"},
                                {"FRIT_CACHE_MAXSIZE", "20M"},
                                {"FRIT_MEMORY_LIMIT", "3K"},
                                {"FRIT_LOG", "plan,mem"},
                                {"FRIT_FUSION", "off"},
                                {"FRIT_SYNC", "1"},
                                {"FRIT_COMPILE_TIMEOUT", "7"},
                                {"FRIT_LLVM", "libLLVM-14.so.1"},
                                {"FRIT_FFTW", "off"},
                                {"FRIT_DUMP", "somewhere"}});
    EXPECT_EQ(e.llvm, "libLLVM-14.so.1");
    EXPECT_FALSE(e.fftw);
    EXPECT_TRUE(read({}).fftw);
    EXPECT_EQ(e.compile_timeout, std::chrono::seconds(7));
    EXPECT_EQ(read({{"FRIT_COMPILE_TIMEOUT", "0"}}).compile_timeout.count(), 0);
    EXPECT_EQ(e.device, frit::device::cuda(3));
    EXPECT_EQ(e.cpu_engine, engine_choice::cxx);
    EXPECT_EQ(e.cpu_isa, isa_choice::avx2);
    EXPECT_EQ(e.threads, 7);
    EXPECT_EQ(e.cache_maxsize, std::uint64_t{20} << 20);
    EXPECT_EQ(e.log_mask, 1U << static_cast<int>(log_channel::plan) | 1U << static_cast<int>(log_channel::mem));
    EXPECT_FALSE(e.fusion);
    EXPECT_TRUE(e.sync);
    EXPECT_EQ(e.dump_dir, "somewhere");
    EXPECT_EQ(read({{"FRIT_DEVICE", "cpu"}}).device, frit::device::cpu());
}

TEST(Environment, TheCacheFolder) {
    EXPECT_EQ(read({{"HOME", "/h"}}).cache_dir, "/h/.cache/frit");
    EXPECT_EQ(read({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}}).cache_dir, "/x/frit");
    EXPECT_EQ(read({{"HOME", "/h"}, {"FRIT_CACHE_DIR", "/c"}}).cache_dir, "/c");
    EXPECT_EQ(read({{"HOME", "/h"}, {"FRIT_CACHE_DIR", ""}}).cache_dir, "");
    EXPECT_EQ(read({{"HOME", "/h"}, {"FRIT_CACHE_DIR", "0"}}).cache_dir, "");
}

TEST(Environment, RefusalsNameTheVariableItsValueAndWhatIsAllowed) {
    EXPECT_EQ(refusal({{"FRIT_DEVICE", "gpu"}}), "FRIT_DEVICE='gpu': expected cpu, cuda or cuda:N");
    EXPECT_EQ(refusal({{"FRIT_CPU_ENGINE", "llvm"}}), "FRIT_CPU_ENGINE='llvm': expected auto, interpreter, cxx, jit");
    EXPECT_EQ(refusal({{"FRIT_LOG", "plan,lunch"}}),
              "FRIT_LOG='lunch': expected a list of plan, codegen, cache, launch, mem");
    EXPECT_EQ(refusal({{"FRIT_NUM_THREADS", "0"}}), "FRIT_NUM_THREADS='0': expected a number from 1 to 4096");
    EXPECT_EQ(refusal({{"FRIT_NUM_THREADS", "4097"}}), "FRIT_NUM_THREADS='4097': expected a number from 1 to 4096");
    EXPECT_NE(refusal({{"FRIT_CACHE_MAXSIZE", "many"}}), "accepted");
    EXPECT_EQ(refusal({{"FRIT_COMPILE_TIMEOUT", "2m"}}),
              "FRIT_COMPILE_TIMEOUT='2m': expected a number of seconds, from 0 to 86400");
    EXPECT_NE(refusal({{"FRIT_FUSION", "no"}}), "accepted");
    EXPECT_NE(refusal({{"FRIT_SYNC", "yes"}}), "accepted");
}

// One list, three readers: the parser, frit-info (test_info.cpp) and the README.
TEST(Environment, TheReadmeNamesEveryVariable) {
    std::ifstream file(FRIT_TEST_SOURCE_DIR "/../README.md");
    const std::string readme(std::istreambuf_iterator<char>(file), {});
    ASSERT_FALSE(readme.empty());
    for (const frit::detail::variable& v : frit::detail::variables())
        EXPECT_NE(readme.find("`" + std::string(v.name)), std::string::npos) << v.name;
}

}  // namespace

// What only a fresh process shows: the disk cache between processes, its failures, and environment variables that are
// wrong. Each test runs tests/support/probe.cpp, which evaluates one formula and prints its counters.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/support/run_program.hpp"

namespace {
namespace fs = std::filesystem;

struct outcome : frit_test::program_result {
    std::map<std::string, std::string> fields;  ///< "name value" lines
};

outcome probe(const std::string& environment) {
    outcome r{
        frit_test::run_program("-u FRIT_LOG -u FRIT_DUMP " + environment + " " FRIT_TEST_BINARY_DIR "/frit_test_probe"), {}};
    std::istringstream lines(r.text);
    std::string name, value;
    while (lines >> name && std::getline(lines >> std::ws, value)) r.fields[name] = value;
    return r;
}

class Processes : public testing::Test {
protected:
    const fs::path folder =
        fs::path(FRIT_TEST_BINARY_DIR) / "process_cache" / testing::UnitTest::GetInstance()->current_test_info()->name();
    const std::string compiled = "FRIT_DEVICE=cpu FRIT_CPU_ENGINE=cxx FRIT_CACHE_DIR=" + folder.string();
    void SetUp() override { fs::remove_all(folder); }
    void TearDown() override { fs::remove_all(folder); }

    void expect_right(const outcome& o) {
        ASSERT_EQ(o.status, 0) << o.text;
        EXPECT_EQ(o.fields.at("result"), "385 3 1.5") << o.text;  // see probe.cpp
    }
    std::uint64_t number(const outcome& o, const std::string& field) { return std::stoull(o.fields.at(field)); }
    std::vector<fs::path> binaries() {
        std::vector<fs::path> found;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file() && entry.path().extension() == ".bin") found.push_back(entry.path());
        return found;
    }
};

TEST_F(Processes, TheSecondCompilesNothing) {
    const outcome first = probe(compiled);
    expect_right(first);
    EXPECT_GE(number(first, "compilations"), 1U);
    EXPECT_EQ(number(first, "disk_hits"), 0U);
    const outcome second = probe(compiled);
    expect_right(second);
    EXPECT_EQ(number(second, "compilations"), 0U);
    EXPECT_EQ(number(second, "disk_hits"), number(first, "compilations"));
}

TEST_F(Processes, TheInterpreterCompilesNothing) {
    const outcome o = probe("FRIT_DEVICE=cpu FRIT_CPU_ENGINE=interpreter FRIT_CACHE_DIR=" + folder.string());
    expect_right(o);
    EXPECT_EQ(number(o, "compilations"), 0U);
}

TEST_F(Processes, WithoutFusion) {
    const outcome fused = probe("FRIT_DEVICE=cpu FRIT_CPU_ENGINE=interpreter");
    const outcome unfused = probe("FRIT_DEVICE=cpu FRIT_CPU_ENGINE=interpreter FRIT_FUSION=off");
    expect_right(fused);
    expect_right(unfused);
    EXPECT_GT(number(unfused, "kernels_launched"), number(fused, "kernels_launched"));
}

TEST_F(Processes, CorruptCacheFilesAreRebuilt) {
    expect_right(probe(compiled));
    ASSERT_FALSE(binaries().empty());
    for (const fs::path& file : binaries()) {
        std::fstream f(file, std::ios::in | std::ios::out | std::ios::binary);
        f.seekp(static_cast<std::streamoff>(fs::file_size(file) / 2));
        f.write("garbage garbage garbage", 23);
    }
    const outcome again = probe(compiled);
    expect_right(again);
    EXPECT_GE(number(again, "compilations"), 1U);
    const outcome healed = probe(compiled);
    expect_right(healed);
    EXPECT_EQ(number(healed, "compilations"), 0U);
}

TEST_F(Processes, TruncatedCacheFilesAreRebuilt) {
    for (const double kept : {0.0, 0.3, 0.99}) {
        expect_right(probe(compiled));
        ASSERT_FALSE(binaries().empty());
        for (const fs::path& file : binaries())
            fs::resize_file(file, static_cast<std::uintmax_t>(kept * static_cast<double>(fs::file_size(file))));
        const outcome again = probe(compiled);
        expect_right(again);
        EXPECT_GE(number(again, "compilations"), 1U) << kept;
    }
}

TEST_F(Processes, AnUnwritableCacheIsIgnored) {
    fs::create_directories(folder.parent_path());
    std::ofstream(folder) << "a file stands where the folder should be";
    const outcome o = probe(compiled);
    expect_right(o);
    EXPECT_GE(number(o, "compilations"), 1U);
    const outcome logged = probe(compiled + " FRIT_LOG=cache");
    EXPECT_NE(logged.text.find(folder.string()), std::string::npos) << logged.text;
}

TEST_F(Processes, WrongVariablesAreNamed) {
    const auto expect_message = [](const std::string& variable, const std::string& value) {
        const outcome o = probe(variable + "=" + value);
        EXPECT_NE(o.status, 0) << variable;
        EXPECT_NE(o.text.find(variable), std::string::npos) << o.text;
        EXPECT_NE(o.text.find(value), std::string::npos) << o.text;
        EXPECT_NE(o.text.find("error "), std::string::npos) << o.text;  // caught by the probe: no abort
    };
    expect_message("FRIT_CPU_ENGINE", "steam");
    expect_message("FRIT_DEVICE", "abacus");
    expect_message("FRIT_FUSION", "perhaps");
    expect_message("FRIT_LOG", "gossip");
    expect_message("FRIT_NUM_THREADS", "many");
}

TEST_F(Processes, AnAbsentDeviceIsNamed) {
    const outcome o = probe("FRIT_DEVICE=cuda:99");
    EXPECT_NE(o.status, 0);
    EXPECT_NE(o.text.find("error device_error"), std::string::npos) << o.text;
    EXPECT_NE(o.text.find("cuda:99"), std::string::npos) << o.text;
}

TEST_F(Processes, ACompilerThatIsNotThere) {
    const outcome o = probe(compiled + " CXX=/nowhere/c++");
    EXPECT_NE(o.status, 0);
    EXPECT_NE(o.text.find("error compile_error"), std::string::npos) << o.text;
    EXPECT_NE(o.text.find("/nowhere/c++"), std::string::npos) << o.text;
}

TEST_F(Processes, OptionsInCxxArePartOfTheKey) {
    expect_right(probe(compiled + " CXX='c++ -O0'"));
    const outcome plain = probe(compiled + " CXX=c++");
    expect_right(plain);
    EXPECT_GE(number(plain, "compilations"), 1U);
    EXPECT_EQ(number(plain, "disk_hits"), 0U);
}

TEST_F(Processes, AFolderForTemporaryFilesThatIsNotThere) {
    const outcome o = probe(compiled + " TMPDIR=/nowhere");
    EXPECT_NE(o.status, 0);
    EXPECT_NE(o.text.find("error error: "), std::string::npos) << o.text;  // a frit::error, caught by the probe
    EXPECT_NE(o.text.find("TMPDIR"), std::string::npos) << o.text;
}

TEST_F(Processes, EveryChannelOfTheLogSpeaks) {
    for (const char* channel : {"plan", "codegen", "cache", "launch", "mem"}) {
        const outcome o = probe(compiled + " FRIT_LOG=" + channel);
        ASSERT_EQ(o.status, 0) << o.text;
        EXPECT_NE(o.text.find("[frit:" + std::string(channel) + "] "), std::string::npos) << o.text;
        for (const char* other : {"plan", "codegen", "cache", "launch", "mem"})
            if (std::string_view(other) != channel) {
                EXPECT_EQ(o.text.find("[frit:" + std::string(other) + "]"), std::string::npos) << o.text;
            }
        fs::remove_all(folder);  // the next one compiles too
    }
    EXPECT_EQ(probe(compiled + " FRIT_LOG=").text.find("[frit:"), std::string::npos);
}

TEST_F(Processes, TheDumpHoldsGraphPlanAndSources) {
    const fs::path dump = folder / "dump";
    const auto files = [&] {  // without the number of the process in front -> text
        std::map<std::string, std::string> texts;
        for (const auto& entry : fs::directory_iterator(dump)) {
            const std::string name = entry.path().filename();
            std::ifstream file(entry.path());
            texts[name.substr(name.find('.'))] = std::string(std::istreambuf_iterator<char>(file), {});
        }
        return texts;
    };
    const outcome o = probe(compiled + " FRIT_DUMP=" + dump.string());
    expect_right(o);
    auto texts = files();
    EXPECT_EQ(texts[".0000.graph.dot"].rfind("digraph", 0), 0U);
    EXPECT_NE(texts[".0000.plan.txt"].find("kernel"), std::string::npos);
    EXPECT_NE(texts[".0000.kernel0.txt"].find("frit_kernel"), std::string::npos) << "the generated C++";
    EXPECT_TRUE(texts.contains(".0001.plan.txt")) << "one set of files a plan";
    const auto count = [&] { return std::distance(fs::directory_iterator(dump), fs::directory_iterator()); };
    const auto first = count();
    expect_right(probe(compiled + " FRIT_DUMP=" + dump.string()));
    EXPECT_EQ(count(), 2 * first) << "another process has names of its own";
}

TEST_F(Processes, AFolderForDumpsThatCannotBeIsSaidOnce) {
    const outcome o = probe("FRIT_DEVICE=cpu FRIT_CPU_ENGINE=interpreter FRIT_DUMP=/dev/null/dump");
    EXPECT_EQ(o.status, 0) << o.text;
    EXPECT_NE(o.text.find("result 385 3 1.5\n"), std::string::npos) << o.text;
    const std::string complaint = "frit: FRIT_DUMP: cannot write /dev/null/dump/";
    EXPECT_NE(o.text.find(complaint), std::string::npos) << o.text;
    EXPECT_EQ(o.text.find(complaint), o.text.rfind(complaint)) << o.text;
}

TEST_F(Processes, OneThreadAndManyGiveTheSameBits) {
    const outcome one = probe("FRIT_DEVICE=cpu FRIT_CPU_ENGINE=interpreter FRIT_NUM_THREADS=1");
    const outcome many = probe("FRIT_DEVICE=cpu FRIT_CPU_ENGINE=interpreter FRIT_NUM_THREADS=5");
    ASSERT_EQ(one.status, 0) << one.text;
    ASSERT_EQ(many.status, 0) << many.text;
    EXPECT_EQ(one.fields.at("bits"), many.fields.at("bits"));
}

}  // namespace

// What only a fresh process shows: the disk cache between processes, its failures, and environment variables that are
// wrong. Each test runs tests/support/probe.cpp, which evaluates one formula and prints its counters.
#include <gtest/gtest.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "src/cpu/llvm.hpp"
#include "tests/support/run_program.hpp"

namespace {
namespace fs = std::filesystem;

struct outcome : frit_test::program_result {
    std::map<std::string, std::string> fields;  ///< "name value" lines
};

const std::string clean = "-u FRIT_LOG -u FRIT_DUMP ", program = " " FRIT_TEST_BINARY_DIR "/frit_test_probe ";

outcome probe(const std::string& environment, const std::string& argument = "") {
    outcome r{frit_test::run_program(clean + environment + program + argument), {}};
    std::istringstream lines(r.text);
    std::string name, value;
    while (lines >> name && std::getline(lines >> std::ws, value)) r.fields[name] = value;
    return r;
}

class Processes : public testing::Test {
protected:
    // Not in the build tree: it may belong to another user than runs the tests, and then there is no cache in it.
    const fs::path base = [] {
        std::string pattern = (fs::temp_directory_path() / "frit-processes-XXXXXX").string();
        return fs::path(::mkdtemp(pattern.data()) ? pattern : "");
    }();
    const fs::path folder = base / "cache";
    const std::string compiled = "FRIT_DEVICE=cpu FRIT_CPU_ENGINE=cxx FRIT_CACHE_DIR=" + folder.string();
    void SetUp() override { ASSERT_FALSE(base.empty()); }
    void TearDown() override { fs::remove_all(base); }

    /// A compiler that does this before, or instead of, what a compiler does. Asked for its version it answers.
    std::string compiler_that(const std::string& does) {
        const fs::path script = base / "compiler";
        std::ofstream(script) << "#!/bin/sh\n[ \"$1\" = --version ] && exec c++ --version\n" << does << "\n";
        fs::permissions(script, fs::perms::owner_all);
        return " CXX=" + script.string();
    }
    static std::string contents(const fs::path& path) {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }

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

// What needs no program on it works, the others say what they looked for.
TEST_F(Processes, NothingOnThePath) {
    const outcome cxx = probe(compiled + " CXX= PATH=");
    EXPECT_NE(cxx.status, 0);
    EXPECT_NE(cxx.text.find("error compile_error: cpu engine cxx: no C++ compiler answers"), std::string::npos) << cxx.text;
    EXPECT_NE(cxx.text.find("c++ --version: "), std::string::npos) << cxx.text;
    for (const std::string engine : {"auto", "interpreter", "jit"}) {
        SCOPED_TRACE(engine);
        if (engine == "jit" && !frit::detail::find_llvm().found) continue;
        expect_right(probe("FRIT_DEVICE=cpu FRIT_CPU_ENGINE=" + engine + " FRIT_CACHE_DIR=" + folder.string() + " PATH="));
    }
}

TEST_F(Processes, ACompilerThatHangs) {
    const outcome o = probe(compiled + compiler_that("sleep 1000") + " FRIT_COMPILE_TIMEOUT=1");
    EXPECT_NE(o.status, 0);
    EXPECT_NE(o.text.find("error compile_error"), std::string::npos) << o.text;
    EXPECT_NE(o.text.find("FRIT_COMPILE_TIMEOUT"), std::string::npos) << o.text;
    EXPECT_NE(o.text.find("no end within 1 s"), std::string::npos) << o.text;
}

TEST_F(Processes, ACompilerThatHangsWhenItIsAsked) {
    std::ofstream(base / "hangs") << "#!/bin/sh\nsleep 1000\n";
    fs::permissions(base / "hangs", fs::perms::owner_all);
    const outcome o = probe(compiled + " FRIT_COMPILE_TIMEOUT=1 CXX=" + (base / "hangs").string());
    EXPECT_NE(o.text.find("error compile_error"), std::string::npos) << o.text;
    EXPECT_NE(o.text.find("no end within 1 s"), std::string::npos) << o.text;
}

// The engine auto: the program goes on beside the compiler, forks, and ends.
TEST_F(Processes, ACompilerThatHangsInTheBackgroundHoldsUpNothing) {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "ThreadSanitizer lets no thread start in a forked child";
#endif
    std::ofstream(base / "hangs") << "#!/bin/sh\nsleep 1000\n";
    fs::permissions(base / "hangs", fs::perms::owner_all);
    const std::string automatic =
        "FRIT_DEVICE=cpu FRIT_CPU_ENGINE=auto FRIT_COMPILE_TIMEOUT=0 FRIT_CACHE_DIR=" + folder.string();
    const std::string compilers[] = {"", " CXX=" + (base / "hangs").string()};
    for (const std::string& cxx : compilers) {
        const outcome o = probe(automatic + cxx + " timeout 100", "beside-the-compiler");
        EXPECT_EQ(o.status, 0) << cxx << "\n" << o.text;
        EXPECT_EQ(o.text, "child 0\n") << cxx;
    }
}

// What one thread has begun to make, the child of another one would wait for.
TEST_F(Processes, AForkBesideTheFirstUseLeavesAChildThatWorks) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizers' own locks do not survive a fork() beside a thread that starts";
#endif
    const outcome o = probe("FRIT_DEVICE=cpu FRIT_CPU_ENGINE=interpreter timeout 200", "fork-beside-the-first-use");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.text, "0 children hung or failed\n");
}

TEST_F(Processes, ACompilerThatLeavesAChildBehind) {
    const fs::path children = base / "children";
    expect_right(probe(compiled + compiler_that("sleep 1000 & echo $! >>" + children.string() + "; exec c++ \"$@\"")));
    std::istringstream list(contents(children));
    int ended = 0;
    for (pid_t child; list >> child;) ended += ::kill(child, SIGKILL) == 0;
    EXPECT_GE(ended, 1) << "they hold the compiler's output open all the time";
}

TEST_F(Processes, ACompilerThatMakesSomethingElse) {
    const std::string output = "while [ \"$1\" != -o ]; do shift; done; ";
    for (const char* made : {"truncate -s 4T \"$2\"", "mkfifo \"$2\"", "ln -s /bin/true \"$2\"", ":", "mkdir \"$2\"",
                             "echo text >\"$2\"", ": >\"$2\""}) {
        const outcome o = probe(compiled + compiler_that(output + made));
        EXPECT_NE(o.status, 0) << made;
        EXPECT_NE(o.text.find("error compile_error"), std::string::npos) << made << "\n" << o.text;
    }
}

TEST_F(Processes, AProgramMayTreatItsChildrenAsItLikes) {
    for (const char* how : {"ignoring-children", "burying-children"}) {
        const outcome o = probe(compiled, how);
        expect_right(o);
        EXPECT_GE(number(o, "compilations"), 1U);
        EXPECT_NE(probe(compiled + compiler_that("exit 1") + " FRIT_CACHE_DIR=", how).text.find("error compile_error"),
                  std::string::npos)
            << how;
        fs::remove_all(folder);
    }
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

TEST_F(Processes, AFolderForTemporaryFilesInWhichOthersRename) {
    const fs::path open = base / "tmp";
    fs::create_directory(open);
    fs::permissions(open, fs::perms::all);
    const std::string there = compiled + " TMPDIR=" + open.string();
    const outcome o = probe(there);
    EXPECT_NE(o.status, 0);
    EXPECT_NE(o.text.find("TMPDIR"), std::string::npos) << o.text;
    EXPECT_NE(o.text.find(open.string() + " lets others rename what is in it (mode 0777)"), std::string::npos) << o.text;
    fs::permissions(open, fs::perms::all | fs::perms::sticky_bit);
    expect_right(probe(there));
    EXPECT_TRUE(fs::is_empty(open));
}

// Folders of processes that were killed while their compiler ran go with the next one; those of others stay.
TEST_F(Processes, WhatAKilledProcessLeftIsRemoved) {
    const fs::path tmp = base / "tmp";
    fs::create_directory(tmp);
    const pid_t dead = ::fork();
    if (dead == 0) ::_exit(0);
    ASSERT_EQ(::waitpid(dead, nullptr, 0), dead);
    const std::string of_dead = "frit-" + std::to_string(dead), of_us = "frit-" + std::to_string(::getpid());
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(48);
    const auto make = [&](const std::string& name, bool old) {
        fs::create_directory(tmp / name);
        std::ofstream(tmp / name / "kernel.cpp") << "x";
        if (old) fs::last_write_time(tmp / name, long_ago);
    };
    make(of_dead + "-abcdef", true);
    make(of_dead + "-ghijkl", false);
    make(of_us + "-abcdef", true);
    make(of_dead + "-abcdefg", true);
    make("frit-x-abcdef", true);
    expect_right(probe(compiled + " TMPDIR=" + tmp.string()));
    EXPECT_FALSE(fs::exists(tmp / (of_dead + "-abcdef")));
    EXPECT_TRUE(fs::exists(tmp / (of_dead + "-ghijkl"))) << "too young";
    EXPECT_TRUE(fs::exists(tmp / (of_us + "-abcdef"))) << "its process lives";
    EXPECT_TRUE(fs::exists(tmp / (of_dead + "-abcdefg"))) << "another program's";
    EXPECT_TRUE(fs::exists(tmp / "frit-x-abcdef")) << "another program's";
}

TEST_F(Processes, ACacheThatIsNotUsedIsSaidOnce) {
    fs::create_directory(folder);
    fs::permissions(folder, fs::perms::all);
    const outcome o = probe(compiled + " FRIT_LOG=cache");
    expect_right(o);
    const std::string said = "[frit:cache] the folder " + folder.string() + " is not used: ";
    EXPECT_NE(o.text.find(said), std::string::npos) << o.text;
    EXPECT_EQ(o.text.find(said), o.text.rfind(said)) << o.text;
    EXPECT_TRUE(fs::is_empty(folder));
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

// The shell becomes the probe, so it knows the names that the probe will use.
TEST_F(Processes, TheDumpWritesThroughNoLink) {
    const fs::path dump = base / "dump", precious = base / "precious";
    fs::create_directory(dump);
    std::ofstream(precious) << "mine";
    const std::string plant = "ln -s " + precious.string() + " " + dump.string() + "/$$.0000.plan.txt; mkfifo " +
                              dump.string() + "/$$.0000.graph.dot; exec";
    const frit_test::program_result r =
        frit_test::run_program(clean + "FRIT_DEVICE=cpu FRIT_CPU_ENGINE=interpreter FRIT_DUMP=" + dump.string() +
                               " sh -c '" + plant + program + "'");
    EXPECT_EQ(r.status, 0) << r.text;
    EXPECT_EQ(contents(precious), "mine");
    int plans = 0;
    for (const auto& entry : fs::directory_iterator(dump)) {
        EXPECT_TRUE(entry.is_regular_file() && !entry.is_symlink()) << entry.path();
        plans += entry.path().native().ends_with(".0000.plan.txt");
    }
    EXPECT_EQ(plans, 1);
}

TEST_F(Processes, TheDumpsFolderIsNoLinkOfAnother) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can make another's link";
    fs::create_directory(base / "target");
    const fs::path link = base / "link";
    fs::create_directory_symlink("target", link);
    const std::string dumping = "FRIT_DEVICE=cpu FRIT_CPU_ENGINE=interpreter FRIT_DUMP=" + link.string();
    ASSERT_EQ(::lchown(link.c_str(), 54322, 54322), 0);
    for (const char* const behind : {"", "/", "/.", "/below"}) {
        const std::string said = probe(dumping + behind).text;
        EXPECT_NE(said.find("frit: FRIT_DUMP: cannot write " + link.string()), std::string::npos) << said;
        EXPECT_TRUE(fs::is_empty(base / "target")) << behind;
    }
    ASSERT_EQ(::lchown(link.c_str(), ::geteuid(), ::getegid()), 0);
    EXPECT_EQ(probe(dumping).text.find("frit: FRIT_DUMP"), std::string::npos);
    EXPECT_FALSE(fs::is_empty(base / "target"));
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

// A program that brings another LLVM and puts its symbols in reach of every library: frit's functions are those of its own.
TEST_F(Processes, AProgramMayHaveAnotherLlvm) {
    const frit::detail::found_library found = frit::detail::find_llvm();
    if (!found.found) GTEST_SKIP() << found.text;
    const auto canonical = [](const std::string& file) { return fs::canonical(file).string(); };
    const std::string frits = canonical(found.text.substr(found.text.find(", ") + 2));
    const std::string jit = "FRIT_DEVICE=cpu FRIT_CPU_ENGINE=jit FRIT_CACHE_DIR= FRIT_LLVM=";
    const outcome alone = probe(jit + frits);
    expect_right(alone);
    int others = 0;
    for (int major = 14; major <= 22; ++major) {
        const std::string n = std::to_string(major), file = major < 18 ? "libLLVM-" + n + ".so.1" : "libLLVM.so." + n + ".1";
        const outcome beside = probe(jit + frits, "beside-an-llvm " + file);
        if (beside.fields.contains("no_llvm")) continue;
        ASSERT_TRUE(beside.fields.contains("own_llvm")) << beside.text;
        if (beside.fields.at("own_llvm") == frits) continue;
        ++others;
        // and the other way round
        for (const outcome& o : {beside, probe(jit + file, "beside-an-llvm " + frits)}) {
            expect_right(o);
            EXPECT_EQ(o.fields.at("bits"), alone.fields.at("bits"));
            EXPECT_EQ(number(o, "compilations"), number(alone, "compilations"));
            EXPECT_EQ(o.fields.at("works_after"), "1");
        }
    }
    EXPECT_GE(number(alone, "compilations"), 1U);
    if (others == 0) GTEST_SKIP() << "no other LLVM here than " << frits;
}

}  // namespace

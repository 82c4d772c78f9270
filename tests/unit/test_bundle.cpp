// Bundles of kernels (frit/bundle.hpp): what is recorded, files that are none, and processes without any compiler that run
// what another one has left.
#include <frit/bundle.hpp>
#include <frit/frit.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "src/cache/bundle.hpp"
#include "src/cache/entry.hpp"
#include "src/cpu/facts.hpp"
#include "src/cpu/llvm.hpp"
#include "tests/support/run_program.hpp"

namespace {

namespace fs = std::filesystem;
using frit::detail::bundled_kernel;
using frit::detail::cache_key;
using frit::detail::kernel_bundles;

template <class Error, class F>
std::string message(F&& f) {
    try {
        f();
    } catch (const Error& e) {
        return e.what();
    }
    return "no such error";
}

class Bundle : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "frit-bundle-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder = pattern;
        file = (folder / "app.fritpack").string();
    }
    void TearDown() override { fs::remove_all(folder); }

    static std::string contents(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    /// A file of these kernels, and what it holds.
    std::string written(const std::vector<cache_key>& keys) {
        kernel_bundles some;
        EXPECT_TRUE(some.start());
        for (const cache_key& k : keys) some.keep(k, "binary of " + k.text);
        EXPECT_EQ(some.write(file, {}), keys.size());
        return contents(file);
    }
    /// What loading a file of these bytes says; nothing of it is used then.
    std::string refusal(const std::string& bytes) {
        std::ofstream(file, std::ios::binary) << bytes;
        const std::size_t before = frit::detail::bundles().count();
        const std::string text = message<frit::io_error>([&] { frit::load_kernels(file); });
        EXPECT_EQ(frit::detail::bundles().count(), before);
        EXPECT_TRUE(text.starts_with("load_kernels: " + file + ": it ")) << text;
        EXPECT_NE(text.find("test_bundle.cpp:"), std::string::npos) << text;
        return text;
    }
    fs::path folder;
    std::string file;
};

cache_key key_of(const std::string& text, const std::string& compiler = "nvrtc 13.0") {
    return {"cuda_c", text, "--fmad=false", "sm_7", compiler};
}

TEST_F(Bundle, HoldsWhatWasKept) {
    written({key_of("a"), key_of("b")});
    kernel_bundles there;
    EXPECT_FALSE(there.loaded());
    EXPECT_EQ(there.load(file), 2U);
    EXPECT_TRUE(there.loaded());
    EXPECT_TRUE(there.loaded_for("cuda_c", "sm_7"));
    EXPECT_FALSE(there.loaded_for("cuda_c", "sm_8"));
    cache_key wanted = key_of("a");
    wanted.options = wanted.compiler = {};  // who has no compiler does not know them
    const auto found = there.find(wanted);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->binary, "binary of a");
    EXPECT_EQ(found->key.bytes(), key_of("a").bytes());
    wanted.architecture = "sm_8";
    EXPECT_FALSE(there.find(wanted));
    EXPECT_FALSE(there.find(key_of("c")));
    there.forget(key_of("a"));
    EXPECT_FALSE(there.find(key_of("a")));
    EXPECT_TRUE(there.find(key_of("b")));
}

TEST_F(Bundle, TheSameKernelsMakeTheSameFile) {
    const std::string one = written({key_of("a"), key_of("b")});
    EXPECT_EQ(written({key_of("b"), key_of("a")}), one);
}

TEST_F(Bundle, SeveralAddUpAndTheFirstCounts) {
    kernel_bundles there;
    written({key_of("a", "first"), key_of("b", "first")});
    EXPECT_EQ(there.load(file), 2U);
    written({key_of("b", "second"), key_of("c", "second")});
    EXPECT_EQ(there.load(file), 2U);
    EXPECT_EQ(there.count(), 3U);
    EXPECT_EQ(there.find(key_of("b"))->key.compiler, "first");
    EXPECT_EQ(there.find(key_of("c"))->key.compiler, "second");
}

TEST_F(Bundle, WhatIsFoundInABundleBelongsIntoTheNext) {
    written({key_of("a"), key_of("b")});
    kernel_bundles there;
    there.load(file);
    ASSERT_TRUE(there.start());
    EXPECT_TRUE(there.find(key_of("a")));
    EXPECT_EQ(there.write(file, {}), 1U);
}

TEST_F(Bundle, FilesCutShortAreRefused) {
    const std::string good = written({key_of("a"), key_of("b")});
    for (std::size_t size = 0; size < good.size(); ++size)
        ASSERT_NE(refusal(good.substr(0, size)).find("damaged, or cut short"), std::string::npos) << size;
}

TEST_F(Bundle, FlippedBytesAreRefused) {
    const std::string good = written({key_of("a"), key_of("b")});
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x10);
        ASSERT_NE(refusal(bad).find("damaged"), std::string::npos) << at;
    }
    EXPECT_NE(refusal("plain text").find("no bundle"), std::string::npos);
}

TEST_F(Bundle, AnotherVersionIsNamed) {
    using frit::detail::file_of_entry;
    const std::string text = refusal(file_of_entry("", cache_key{"frit-bundle-1", "0.0.1", "", "", ""}.bytes()));
    EXPECT_NE(text.find("not written by this version of frit (" FRIT_VERSION_STRING ")"), std::string::npos) << text;
    // whole, and of this version, and yet not what frit writes
    const std::string own = cache_key{"frit-bundle-1", FRIT_VERSION_STRING, "", "", ""}.bytes();
    for (const std::string body : {"1:x", "nonsense", "99999999999999999999:", "9:short", "-1:a", "3:abc3:abc"}) {
        std::ofstream(file, std::ios::binary) << file_of_entry(body, own);
        EXPECT_NE(message<frit::io_error>([&] { frit::load_kernels(file); }).find("is damaged"), std::string::npos) << body;
    }
}

TEST_F(Bundle, FilesThatAreNotThere) {
    EXPECT_NE(message<frit::io_error>([&] { frit::load_kernels(file); }).find(file + ": it cannot be opened: No such file"),
              std::string::npos);
    EXPECT_NE(message<frit::io_error>([&] { frit::load_kernels(folder.string()); }).find("no regular file"),
              std::string::npos);
    const std::string nowhere = (folder / "no" / "where").string();
    auto recording = frit::record_kernels(nowhere);
    EXPECT_NE(message<frit::io_error>([&] { recording.close(); }).find(nowhere + ": it cannot be written: No such file"),
              std::string::npos);
    fs::create_directory(folder / "no");
    EXPECT_EQ(recording.close(), 0U) << "a recording that could not be written goes on";
    EXPECT_TRUE(fs::exists(nowhere));
}

TEST_F(Bundle, OneRecordingAtATime) {
    {
        auto first = frit::record_kernels(file);
        EXPECT_NE(message<frit::error>([&] { static_cast<void>(frit::record_kernels(file)); }).find("another recording"),
                  std::string::npos);
        const auto moved = std::move(first);
    }
    EXPECT_FALSE(fs::exists(file)) << "what was not closed is dropped";
    auto next = frit::record_kernels(file);
    EXPECT_EQ(next.close(), 0U);
    EXPECT_NE(message<frit::error>([&] { next.close(); }).find("has been closed"), std::string::npos);
    EXPECT_NE(message<frit::error>([&] { static_cast<void>(frit::record_kernels("")); }).find("no name"), std::string::npos);
    EXPECT_NE(message<frit::error>([&] {
                  static_cast<void>(frit::record_kernels(file, {90, 9}));
              }).find("9 is no compute"),
              std::string::npos);
    EXPECT_FALSE(frit::detail::bundles().recording());
}

#if defined(__x86_64__)

/// Kernels of the process's own CPU, on several threads. What ran before belongs to a recording too.
TEST_F(Bundle, RecordsSeveralThreadsAndWhatIsInMemory) {
    const frit::scoped_device cpu(frit::device::cpu());
    const frit::array<double> x = frit::linspace(0.0, 1.0, 1000);
    const auto first = [&] { return frit::sum(x * 3.0 - frit::abs(x - 0.125)).item(); };
    const double before = first();
    auto recording = frit::record_kernels(file);
    EXPECT_EQ(first(), before);  // its plan is remembered: nothing is prepared
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t)
        threads.emplace_back([&, t] {
            const frit::scoped_device here(frit::device::cpu());
            frit::array<double> y = x;
            for (int k = 0; k <= t; ++k) y = y * y + x;
            y.eval();
        });
    for (auto& t : threads) t.join();
    std::size_t count = 0;
    try {
        count = recording.close();
    } catch (const frit::compile_error& e) {
        GTEST_SKIP() << "neither LLVM nor a compiler: " << e.what();
    }
    EXPECT_EQ(count, 7U);
    kernel_bundles there;
    EXPECT_EQ(there.load(file), 7U);
}

struct outcome : frit_test::program_result {
    std::map<std::string, std::string> fields;
};

class BundleProcesses : public Bundle {
protected:
    outcome probe(const std::string& environment, const std::string& arguments) {
        const std::string program = " " FRIT_TEST_BINARY_DIR "/frit_test_probe ";
        outcome r{frit_test::run_program("-u FRIT_LOG -u FRIT_DUMP -u FRIT_CPU_ENGINE FRIT_DEVICE=cpu FRIT_CACHE_DIR= " +
                                         environment + program + arguments),
                  {}};
        std::istringstream lines(r.text);
        std::string name, value;
        while (lines >> name && std::getline(lines >> std::ws, value)) r.fields[name] = value;
        EXPECT_EQ(r.status, 0) << r.text;
        return r;
    }
    const std::string bare = "PATH= CXX=/no/compiler FRIT_LLVM=/no/libLLVM.so ";  // a machine without any compiler

    /// A process that records with one engine; then one that has none but the bundle, with another.
    void ships(const std::string& recorded_with, const std::string& run_with) {
        SCOPED_TRACE(recorded_with + " to " + run_with);
        outcome first = probe("FRIT_CPU_ENGINE=" + recorded_with, "record-bundle " + file);
        EXPECT_GT(std::stoi(first.fields["recorded"]), 2);
        outcome second = probe(bare + "FRIT_CPU_ENGINE=" + run_with, "run-bundle " + file);
        EXPECT_EQ(second.fields["loaded"], first.fields["recorded"]);
        EXPECT_EQ(second.fields["bundle_hits"], first.fields["recorded"]);
        EXPECT_EQ(second.fields["result"], first.fields["result"]);
        EXPECT_EQ(second.fields["bits"], first.fields["bits"]);
        EXPECT_EQ(second.fields["compilations"], "0");
        EXPECT_EQ(second.fields["kernels_interpreted"], "0") << second.text;
        EXPECT_EQ(second.fields["kernels_compiled"], second.fields["kernels_launched"]);
    }
};

TEST_F(BundleProcesses, WithoutCompilersRunCompiledKernels) {
    if (!frit::detail::find_llvm().found) GTEST_SKIP() << "no LLVM";
    for (const char* recorded_with : {"jit", "auto", "interpreter"})
        for (const char* run_with : {"jit", "auto"}) ships(recorded_with, run_with);
}

TEST_F(BundleProcesses, ByTheHostCompilerToo) {
    if (!frit::detail::find_host_compiler().found) GTEST_SKIP() << "no compiler";
    for (const char* run_with : {"cxx", "auto"}) ships("cxx", run_with);
}

TEST_F(BundleProcesses, WhatNoBundleHoldsIsMadeAsEver) {
    if (!frit::detail::find_llvm().found) GTEST_SKIP() << "no LLVM";
    static_cast<void>(written({}));  // an empty bundle
    outcome o = probe(bare + "FRIT_CPU_ENGINE=auto", "run-bundle " + file);
    EXPECT_EQ(o.fields["bundle_hits"], "0");
    EXPECT_EQ(o.fields["compilations"], "0");
    EXPECT_EQ(o.fields["kernels_compiled"], "0");
    ships("jit", "jit");
    o = probe("FRIT_CPU_ISA=baseline FRIT_CPU_ENGINE=interpreter", "record-bundle " + file);
    const std::string bits = o.fields["bits"];
    o = probe(bare + "FRIT_CPU_ISA=baseline FRIT_CPU_ENGINE=auto", "run-bundle " + file);
    EXPECT_EQ(o.fields["bits"], bits);
    EXPECT_EQ(o.fields["kernels_interpreted"], "0");
}

#endif

}  // namespace

// Memory that runs out anywhere: the program is run with every one of its allocations refused, each time in a process of its
// own, since what is made once (contexts, threads, plans) is made then. Whatever is refused, frit throws its own errors,
// leaves nothing behind, and goes on computing the same values.
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "src/base/threads.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cpu/llvm.hpp"
#include "src/cuda/backend.hpp"
#include "tests/allocation/program.hpp"
#include "tests/cuda/stand_in.hpp"
#include "tests/support/thorough.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
// What the C library's dlopen() has, where it finds no memory for a list of dependencies, it leaves behind.
extern "C" const char* __lsan_default_suppressions() { return "leak:_dl_map_object_deps\n"; }
#endif

namespace {

using namespace frit_test;
namespace fs = std::filesystem;

enum class engine { interpreter, cxx, jit, stand_in };

std::string text_of(const findings& f) {
    std::string s;
    for (const auto& [name, values] : f.values) s += "== " + name + '\n' + values;
    return s;
}

int files_open() {
    int n = 0;
    DIR* const all = opendir("/proc/self/fd");
    while (readdir(all)) ++n;
    closedir(all);
    return n;
}

/// What is wrong with what the program has left; empty: nothing.
std::string left_behind(const std::string& folder, int open_before) {
    const frit::counters c = frit::stats();
    std::ostringstream s;
    if (c.pending_nodes != 0) s << "  " << c.pending_nodes << " nodes are pending\n";
    if (c.live_bytes != 0) s << "  " << c.live_bytes << " bytes are alive\n";
    if (lending::lent != lending::returned)
        s << "  " << lending::lent << " owners lent, " << lending::returned << " given back\n";
    for (const auto& file : fs::directory_iterator(folder)) s << "  left: " << file.path().string() << '\n';
    if (files_open() != open_before) s << "  " << files_open() - open_before << " files are open\n";
    return s.str();
}

struct scenario {
    engine on = engine::interpreter;
    std::vector<std::string> steps = {};  ///< empty: all
    bool warm = false;                    ///< the program has run before: what is made once is there
    bool disk_cache = true;
};

/// Sets frit up in a process that has not used it. What that takes is not counted: it is the test's.
void choose(const scenario& s) {
    if (!s.disk_cache) setenv("FRIT_CACHE_DIR", "0", 1);
    if (s.on == engine::cxx) setenv("FRIT_CPU_ENGINE", "cxx", 1);
    if (s.on == engine::jit) setenv("FRIT_CPU_ENGINE", "jit", 1);
    if (s.on != engine::stand_in) return;
    setenv("FRIT_DEVICE", "cuda", 1);
    frit::detail::set_cuda_stand_in(new cuda_stand_in(frit::detail::cpu_backend(), ""));
}

/// A run with the k-th allocation refused, and one without: what went wrong, or, for k = 0, "= " and the values.
std::string story(const scenario& s, std::int64_t k, refusing what, const std::map<std::string, std::string>& expected,
                  const std::string& folder) {
    std::ostringstream wrong;
    const auto look_at = [&](const findings& f, const char* run) {
        for (const std::string& w : f.wrong) wrong << "  " << run << ": " << w << '\n';
        for (const auto& [name, values] : f.values)
            if (!expected.empty() && (!expected.contains(name) || expected.at(name) != values))
                wrong << "  " << run << ": other values in " << name << '\n';
    };
    const int open_before = files_open();
    if (s.warm) look_at(run_program(s.steps), "before");
    refuse_memory(k, what);
    const findings first = run_program(s.steps);
    const std::int64_t counted = grant_memory();
    look_at(first, "with memory refused");
    wrong << left_behind(folder, open_before);
    const findings second = run_program(s.steps);
    look_at(second, "afterwards");
    for (const std::string& r : second.refused) wrong << "  afterwards: refused is " << r << '\n';
    wrong << left_behind(folder, open_before);
#ifdef __SANITIZE_ADDRESS__
    if (s.on != engine::jit && __lsan_do_recoverable_leak_check() != 0) wrong << "  memory has leaked\n";
#endif
    for (const std::string& r : first.refused)
        if (k == 0) wrong << "  refused for nothing is " << r << '\n';
    if (!wrong.str().empty()) return wrong.str();
    return k == 0 ? "= " + std::to_string(counted) + '\n' + text_of(second) : "";
}

std::string read_all(int from) {
    std::string text;
    char chunk[4096];
    for (ssize_t n; (n = read(from, chunk, sizeof chunk)) > 0;) text.append(chunk, static_cast<std::size_t>(n));
    return text;
}

/// story() in a process of its own.
class own_process {
public:
    own_process(const scenario& s, std::int64_t k, refusing what, const std::map<std::string, std::string>& expected) {
        static int number = 0;
        folder_ =
            fs::temp_directory_path() / ("frit-allocation-" + std::to_string(getpid()) + "." + std::to_string(number++));
        fs::create_directories(folder_);
        int ends[2];
        EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
        child_ = fork();
        if (child_ == 0) {
            thread_of_the_test();
            alarm(300);
            setenv("TMPDIR", folder_.c_str(), 1);
            setenv("FRIT_NUM_THREADS", "3", 1);
            setenv("FRIT_DEVICE", "cpu", 1);
            choose(s);
            const std::string text = story(s, k, what, expected, folder_.string());
            static_cast<void>(!write(ends[1], text.data(), text.size()));
            _exit(0);
        }
        close(ends[1]);
        from_ = ends[0];
    }
    own_process(const own_process&) = delete;
    own_process& operator=(const own_process&) = delete;
    ~own_process() { fs::remove_all(folder_); }

    /// Its story, and how it ended; empty: all is well.
    std::string end() {
        std::string text = read_all(from_);
        close(from_);
        int status = 0;
        EXPECT_EQ(waitpid(child_, &status, 0), child_);
        if (WIFSIGNALED(status)) text += "  the process was ended by signal " + std::to_string(WTERMSIG(status)) + '\n';
        if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
            text += "  the process ended with status " + std::to_string(WEXITSTATUS(status)) + '\n';
        return text;
    }

private:
    fs::path folder_;
    pid_t child_ = 0;
    int from_ = -1;
};

struct reference {
    std::int64_t allocations = 0;
    std::map<std::string, std::string> values;
};

/// The program where nothing is refused: how much it allocates, and what it computes.
reference reference_of(const scenario& s) {
    const std::string text = own_process(s, 0, refusing::one, {}).end();
    reference r;
    std::istringstream lines(text);
    std::string line, name;
    std::getline(lines, line);
    EXPECT_EQ(line.substr(0, 2), "= ") << text;
    if (line.substr(0, 2) != "= ") return r;
    r.allocations = std::stoll(line.substr(2));
    while (std::getline(lines, line))
        if (line.starts_with("== "))
            r.values[name = line.substr(3)] = "";
        else
            r.values[name] += line + '\n';
    return r;
}

/// Which allocations are refused, one after the other: $FRIT_TEST_ALLOCATION ("812", or first:last:step), else all of the
/// first `most` where thoroughness is asked for, else `sample` of all. The program's first ones make what is there once in
/// a process: half of those, or under a sanitizer an eighth, and of the others as large a part of the sample.
std::vector<std::int64_t> chosen(std::int64_t all, std::int64_t most, std::int64_t sample) {
    std::vector<std::int64_t> list;
    long long first = 1, last = std::min(most, all), step = 1;
    if (const char* wanted = std::getenv("FRIT_TEST_ALLOCATION")) {
        if (std::sscanf(wanted, "%lld:%lld:%lld", &first, &last, &step) == 1) last = first;
    } else if (!thorough()) {
        constexpr std::int64_t of_the_start = 100;
        const auto add = [&](std::int64_t turn, std::int64_t k) {
            if (sampled(static_cast<std::size_t>(turn), sanitized ? 8 : 2)) list.push_back(k);
        };
        for (std::int64_t k = 1; k <= std::min(of_the_start, all); ++k) add(k, k);
        const std::int64_t share = std::max<std::int64_t>(1, all / sample);
        for (std::int64_t j = 0; j * share < all; ++j) add(j, 1 + j * share + j * 7919 % share);
        return list;
    }
    for (; first <= last; first += step) list.push_back(first);
    return list;
}

void refuse_each(const scenario& s, std::int64_t most, std::int64_t sample) {
    if (access("/dev/nvidiactl", F_OK) == 0 && !std::getenv("FRIT_TEST_ALLOCATION"))
        GTEST_SKIP() << "a GPU's driver allocates in this process too, and does not survive a refusal";
    const reference r = reference_of(s);
    ASSERT_GT(r.allocations, 0);
    int bad = 0;
    const auto look_at = [&](std::int64_t k, const char* which, const std::string& text) {
        if (text.empty()) return;
        ++bad;
        ADD_FAILURE() << "allocation " << k << " of " << r.allocations << which << ":\n" << text;
    };
    for (const std::int64_t k : chosen(r.allocations, most, sample)) {
        own_process alone(s, k, refusing::one, r.values), on(s, k, refusing::all_from_there, r.values);  // side by side
        look_at(k, " alone", alone.end());
        look_at(k, " and all from there", on.end());
        if (bad >= 20) return;
    }
}

TEST(Allocation, EveryOneMayFail) { refuse_each({}, 20'000, 150); }
TEST(Allocation, WhereEverythingIsWarmToo) { refuse_each({.warm = true}, 5'000, 50); }
// What was pending stays so, or is stored: no input is lost to a plan that fails half-way.
TEST(Allocation, WhereInputsGiveTheirMemoryAway) {
    refuse_each({.steps = {"updates", "donations", "repeated"}}, 10'000, 60);
    refuse_each({.steps = {"updates", "donations", "repeated"}, .warm = true}, 10'000, 60);
}
TEST(Allocation, OnAStandInForAGpuToo) { refuse_each({.on = engine::stand_in}, 5'000, 40); }

bool has_compiler() { return std::system("${CXX:-c++} --version > /dev/null 2>&1") == 0; }
TEST(Allocation, OfCompiledKernelsToo) {
    if (!has_compiler()) GTEST_SKIP() << "no C++ compiler";
    refuse_each({.on = engine::cxx, .steps = {"functions", "reductions", "donations", "many elements"}}, 2'000, 15);
}
// A compilation of LLVM's that finds no memory ends, and leaves what it had taken: see src/cpu/llvm.hpp.
TEST(Allocation, OfKernelsOfLlvmToo) {
    if (!frit::detail::find_llvm().found) GTEST_SKIP() << frit::detail::find_llvm().text;
    refuse_each({.on = engine::jit, .steps = {"functions", "reductions", "donations", "many elements"}}, 2'000, 15);
    refuse_each({.on = engine::jit, .steps = {"repeated"}, .disk_cache = false}, 1'000, 15);
}
// Where every kernel is compiled: files, processes.
TEST(Allocation, OfTheCompilersCallToo) {
    if (!has_compiler()) GTEST_SKIP() << "no C++ compiler";
    refuse_each({.on = engine::cxx, .steps = {"repeated"}, .disk_cache = false}, 200, 8);
}

// A pool whose threads cannot be started computes with those there are.
TEST(Allocation, ThreadsThatCannotBeStarted) {
    const pid_t child = fork();
    if (child == 0) {
        setenv("FRIT_NUM_THREADS", "4", 1);
        setenv("FRIT_DEVICE", "cpu", 1);
        refuse_threads(true);
        const frit::array<float> x = frit::linspace(0.0F, 1.0F, 1'000'000).eval();
        const float alone = frit::sum(x * 2.0F).item();
        const bool none = frit::detail::thread_pool::instance().size() == 1;
        refuse_threads(false);
        _exit(alone == frit::sum(x * 2.0F).item() && none ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// What the message says when there is no memory for one.
TEST(Allocation, TheErrorNamesItsPlace) {
    frit::array<float> x = frit::ones<float>({3});
    const int line = __LINE__ + 4;
    std::string text;
    refuse_memory(1, refusing::all_from_there);
    try {
        frit::array<float> y = sin(x) + 1.0F;
    } catch (const frit::out_of_memory& e) {
        grant_memory();
        text = e.what();
    }
    grant_memory();
    EXPECT_EQ(text.substr(0, 31), "add: out of memory on the host ") << text;
    EXPECT_NE(text.find("test_allocation.cpp:" + std::to_string(line) + "]"), std::string::npos) << text;
}

}  // namespace

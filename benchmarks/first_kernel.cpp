// How long a kernel keeps a formula waiting that no process has run before, and the first one of another process: from the
// statement to values, for formulas of each kind that there is, on the CPU by LLVM; and what a process holds in memory
// afterwards beside one that interprets. What a second evaluation takes is taken off.
//
// Method: three processes of the same formulas on small arrays: one interprets, one compiles with an empty cache on disk,
// one finds that cache filled. Wall-clock time, medians over the formulas; resident bytes from /proc/self/status.
//
// usage: first_kernel
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include <frit/frit.hpp>

namespace {

using frit::array;

double milliseconds(const std::function<void()>& f) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

template <class T>
void add_formulas(std::vector<std::function<void()>>& all) {
    static const array<T> x = frit::linspace<T>(T(0.5), T(2), 4096).eval(), y = (x * T(0.5) + T(1)).eval(),
                          m = x.reshape({64, 64}), v = x(frit::slice(0, 64)).eval();
    const auto add = [&](auto make) { all.push_back([make] { make().eval(); }); };
    add([] { return array<T>(x + y); });
    add([] { return array<T>(x * y - T(3) * x + T(1)); });
    add([] { return array<T>(exp(-x * x) * sin(y)); });
    add([] { return array<T>(where(x > y, sqrt(x), log(y))); });
    add([] { return array<T>(pow(x, y) + tanh(x)); });
    add([] { return array<T>(erf(x) / (T(1) + abs(y))); });
    add([] { return array<T>(m + v); });
    add([] { return array<T>(m.T() * T(2)); });
    add([] { return array<T>(m + m.T()); });
    add([] { return array<T>(m(frit::slice(1, 63), frit::slice(1, 63)) - m(frit::slice(0, 62), frit::slice(2, 64))); });
    add([] { return array<T>(frit::sum(x * y)); });
    add([] { return array<T>(frit::max(abs(x - y))); });
    add([] { return array<T>(frit::mean(m, 0)); });
    add([] { return array<T>(frit::sum(m * m, 1)); });
    add([] { return array<T>(frit::var(m, 1)); });
    add([] { return array<T>(exp(m - frit::max(m, 1, frit::keepdims)) / frit::sum(exp(m), 1, frit::keepdims)); });
    add([] { return array<T>(frit::cumsum(x * y)); });
    add([] { return array<T>(frit::diff(x) * T(2)); });
    add([] { return array<T>(frit::concatenate(0, x, y + T(1))); });
    add([] { return array<T>(frit::roll(x, 5) * y); });
}

/// One of the processes: prints what it measured.
int measure() {
    std::vector<std::function<void()>> formulas;
    add_formulas<float>(formulas);
    add_formulas<double>(formulas);
    std::vector<double> times;
    for (const auto& f : formulas) {
        const double first = milliseconds(f), second = milliseconds(f);
        times.push_back(first - second);
    }
    std::sort(times.begin(), times.end());
    std::ifstream status("/proc/self/status");
    long resident = 0, peak = 0;
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) resident = std::atol(line.c_str() + 6);
        if (line.starts_with("VmHWM:")) peak = std::atol(line.c_str() + 6);
    }
    const frit::counters c = frit::stats();
    std::printf(
        "median %7.3f ms, ninth decile %7.3f, longest %7.3f; resident %3ld MB, at most %3ld; %2d formulas, "
        "%2d kernels compiled, %2d from disk\n",
        times[times.size() / 2], times[times.size() * 9 / 10], times.back(), resident / 1024, peak / 1024,
        static_cast<int>(formulas.size()), static_cast<int>(c.compilations), static_cast<int>(c.disk_hits));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "--measure") == 0) return measure();
    std::string folder = (std::filesystem::temp_directory_path() / "frit-first-XXXXXX").string();
    if (!mkdtemp(folder.data())) {
        std::perror("first_kernel");
        return 1;
    }
    setenv("FRIT_DEVICE", "cpu", 1);
    setenv("FRIT_CACHE_DIR", folder.c_str(), 1);
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    int status = 0;
    for (const auto& [engine, what] :
         {std::pair{"interpreter", "interpreted"}, {"jit", "compiled  "}, {"jit", "from disk "}}) {
        setenv("FRIT_CPU_ENGINE", engine, 1);
        std::printf("%s: ", what);
        std::fflush(stdout);
        status |= std::system(("'" + program + "' --measure").c_str());
    }
    std::filesystem::remove_all(folder);
    return status != 0;
}

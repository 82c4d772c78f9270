// The claim: scans by an operation of the caller's and recurrences run on the CPU within 1.3 of a plain loop (-O3
// -march=native), and ahead of Numba where it can be had, along rows and along columns, with nothing set. Every peer is a
// process of its own; they are timed in turns by processor time on one thread, batch by batch, in one run, and medians are
// compared.
//
// usage: cpu_sweeps [--only WORKLOAD] [--engines] [--quick] [--python PATH]
//        --engines: columns for either CPU engine too; --quick: 3 rounds, not 9; --python: one that has Numba
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>

#include "sweeps.hpp"

namespace {

/// Element j of a sequence. A contracted product would leave other fractions than NumPy's.
float at(std::size_t j, double low, double high, double step) {
    const double t = static_cast<double>(j) * step;
    return static_cast<float>(low + (high - low) * (t - std::floor(t)));
}

}  // namespace

sweeps_bench::inputs::inputs(std::size_t count) : n(count), x(n), y(n) {
    for (std::size_t j = 0; j < n; ++j) {
        x[j] = at(j, -0.3, 0.3, 0.6180339887498949);
        y[j] = at(j, -0.3, 0.3, 0.4142135623730950);
    }
}

namespace {

constexpr const char* self = "/proc/self/exe";

struct settings {
    std::string only, python = "/usr/bin/python3";
    bool engines = false, numba = false;
    int rounds = 9;
};

settings read(int argc, char** argv) {
    settings s;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--engines") == 0)
            s.engines = true;
        else if (std::strcmp(argv[i], "--quick") == 0)
            s.rounds = 3;
        else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            s.only = argv[++i];
        else if (std::strcmp(argv[i], "--python") == 0 && i + 1 < argc)
            s.python = argv[++i];
        else
            throw std::runtime_error("usage: cpu_sweeps [--only WORKLOAD] [--engines] [--quick] [--python PATH]");
    }
    s.numba = std::system(("'" + s.python + "' -c 'import numba' 2>/dev/null").c_str()) == 0;
    return s;
}

std::vector<std::unique_ptr<worker>> start(const settings& s) {
    std::vector<std::unique_ptr<worker>> all;
    const auto add = [&](const char* name, const std::vector<std::string>& command,
                         const std::vector<std::string>& environment) {
        all.push_back(std::make_unique<worker>(name, command, environment));
    };
    add("frit", {self, "--worker", "frit"}, {"FRIT_NUM_THREADS=1", "FRIT_DEVICE=cpu"});
    if (s.engines)
        for (const char* engine : {"interpreter", "jit", "cxx"})
            add(engine, {self, "--worker", "frit"},
                {"FRIT_NUM_THREADS=1", "FRIT_DEVICE=cpu", std::string("FRIT_CPU_ENGINE=") + engine});
    // Large pages, as frit takes them on its own account.
    add("loop", {self, "--worker", "loop"}, {"GLIBC_TUNABLES=glibc.malloc.hugetlb=1"});
    if (s.numba) add("Numba", {s.python, FRIT_BENCHMARK_SOURCE "/sweeps/sweeps.py"}, {"NUMBA_NUM_THREADS=1"});
    return all;
}

/// One line of the table. @return how many bars it misses
int row(const std::string& workload, std::size_t n, const settings& s) {
    const auto workers = start(s);
    const std::vector<measured> results =
        measure_in_turns(workers, workload, "f32", n, s.rounds, &worker::processor_time, 2.0);
    std::map<std::string, double> us;
    std::printf("%-14s %9zu", workload.c_str(), n);
    for (std::size_t k = 0; k < workers.size(); ++k) {
        if (!(std::abs(results[k].mean - results[0].mean) <= 2e-3 * std::abs(results[0].mean)))
            throw std::runtime_error(workload + ": " + workers[k]->name() + " computes " + std::to_string(results[k].mean) +
                                     ", frit " + std::to_string(results[0].mean));
        us[workers[k]->name()] = results[k].seconds * 1e6;
        std::printf(" %11.2f", results[k].seconds * 1e6);
    }
    const double to_loop = us["frit"] / us["loop"], to_numba = s.numba ? us["frit"] / us["Numba"] : 0;
    std::printf(" %8.2f", to_loop);
    if (s.numba) std::printf(" %8.2f", to_numba);
    std::printf("%s%s\n", to_loop > 1.3 ? "  loop" : "", to_numba > 1 ? "  Numba" : "");
    std::fflush(stdout);
    return (to_loop > 1.3) + (to_numba > 1);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 3 && std::strcmp(argv[1], "--worker") == 0)
            return serve([&](const std::string& workload, const std::string&, std::size_t n) {
                return std::strcmp(argv[2], "loop") == 0 ? sweeps_bench::loop_job(workload, n)
                                                         : sweeps_bench::frit_job(workload, n);
            });
        const settings s = read(argc, argv);
        if (!s.numba) std::printf("%s has no Numba\n", s.python.c_str());
        std::printf("us of processor time, medians\n%-14s %9s %11s", "workload", "n", "frit");
        if (s.engines) std::printf(" %11s %11s %11s", "interpreter", "jit", "cxx");
        std::printf(" %11s%s %8s%s  misses\n", "loop", s.numba ? "       Numba" : "", "/ loop", s.numba ? "  / Numba" : "");
        int missed = 0;
        for (const std::string workload : sweeps_bench::workloads)
            for (const std::size_t n : sweeps_bench::sizes)
                if (s.only.empty() || s.only == workload) missed += row(workload, n, s);
        std::printf("bars that are missed: %d\n", missed);
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "cpu_sweeps: %s\n", e.what());
        return 1;
    }
}

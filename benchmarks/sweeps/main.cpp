// The claim: scans by an operation of the caller's and recurrences run on the CPU within 1.3 of a plain loop (-O3
// -march=native), and ahead of Numba where it can be had, along rows and along columns, with nothing set. Every peer is a
// process of its own; they are timed in turns by processor time on one thread, batch by batch, in one run, and medians are
// compared.
//
// usage: cpu_sweeps [--only WORKLOAD] [--engines] [--quick] [--python PATH]
//        --engines: columns for either CPU engine too; --quick: 3 rounds, not 9; --python: one that has Numba
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>

#include "sweeps.hpp"

sweeps_bench::inputs::inputs(std::size_t count) : n(count), x(n), y(n) {
    for (std::size_t j = 0; j < n; ++j) {
        x[j] = static_cast<float>(sequence_element(j, -0.3, 0.3, 0.6180339887498949));
        y[j] = static_cast<float>(sequence_element(j, -0.3, 0.3, 0.4142135623730950));
    }
}

namespace {

struct settings : comparison_settings {
    bool numba;
    explicit settings(const comparison_settings& s)
        : comparison_settings(s), numba(std::system(("'" + python + "' -c 'import numba' 2>/dev/null").c_str()) == 0) {}
};

worker_list start(const settings& s) {
    worker_list all;
    add_frit(all, s);
    const auto add = [&](const char* name, const std::vector<std::string>& command,
                         const std::vector<std::string>& environment) {
        all.push_back(std::make_unique<worker>(name, command, environment));
    };
    // Large pages, as frit takes them on its own account.
    add("loop", {"/proc/self/exe", "--worker", "loop"}, {"GLIBC_TUNABLES=glibc.malloc.hugetlb=1"});
    if (s.numba) add("Numba", {s.python, FRIT_BENCHMARK_SOURCE "/sweeps/sweeps.py"}, {"NUMBA_NUM_THREADS=1"});
    return all;
}

/// One line of the table. @return how many bars it misses
int row(const std::string& workload, std::size_t n, const settings& s) {
    const auto workers = start(s);
    const std::vector<measured> results =
        measure_in_turns(workers, workload, "f32", n, s.rounds, &worker::processor_time, 2.0);
    check_agreement(workload, workers, results);
    std::map<std::string, double> us;
    std::printf("%-14s %9zu", workload.c_str(), n);
    for (std::size_t k = 0; k < workers.size(); ++k) {
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
        const settings s(read_settings(argc, argv, "cpu_sweeps"));
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

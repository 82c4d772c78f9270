// The claim: gathers, scatters, bins, masks, ranks and movement run on the CPU ahead of NumPy, and within 1.3 of a plain
// loop (-O3 -march=native) where one is easily written, at 1e3, 1e5 and 1e7 elements, with nothing set. Every peer is a
// process of its own; they are timed in turns by processor time on one thread, batch by batch, in one run, and medians are
// compared.
//
// usage: cpu_indexed [--only WORKLOAD] [--engines] [--quick] [--python PATH]
//        --engines: columns for either CPU engine too; --quick: 3 rounds, not 9
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>

#include "indexed.hpp"

indexed_bench::inputs::inputs(std::size_t count) : n(count), x(n), y(n), i(n), k(n), m(n) {
    for (std::size_t j = 0; j < n; ++j) {
        x[j] = static_cast<float>(sequence_element(j, -2, 2, 0.6180339887498949));
        y[j] = static_cast<float>(sequence_element(j, -2, 2, 0.4142135623730950));
        i[j] = static_cast<std::int64_t>(sequence_element(j, 0, static_cast<double>(n), 0.7320508075688772));
        k[j] = static_cast<std::int64_t>(sequence_element(j, 0, 256, 0.2360679774997896));
        m[j] = sequence_element(j, 0, 1, 0.3027756377319946 + 0.1231056256176605) < 0.5;
    }
}

namespace {

worker_list start(const indexed_bench::workload& w, const comparison_settings& s) {
    worker_list all;
    add_frit(all, s);
    const auto add = [&](const char* name, const std::vector<std::string>& command,
                         const std::vector<std::string>& environment) {
        all.push_back(std::make_unique<worker>(name, command, environment));
    };
    add("NumPy", {s.python, FRIT_BENCHMARK_SOURCE "/indexed/indexed.py"}, {});
    // Large pages, as frit and NumPy take them on their own account.
    if (w.by_hand) add("loop", {"/proc/self/exe", "--worker", "loop"}, {"GLIBC_TUNABLES=glibc.malloc.hugetlb=1"});
    return all;
}

/// One line of the table. @return how many bars it misses
int row(const indexed_bench::workload& w, std::size_t n, const comparison_settings& s) {
    const auto workers = start(w, s);
    const std::vector<measured> results =
        measure_in_turns(workers, w.name, "f32", n, s.rounds, &worker::processor_time, 2.0);
    check_agreement(w.name, workers, results);
    std::map<std::string, double> us;
    std::printf("%-14s %9zu", w.name, n);
    for (std::size_t k = 0; k < workers.size(); ++k) {
        us[workers[k]->name()] = results[k].seconds * 1e6;
        std::printf(" %11.2f", results[k].seconds * 1e6);
    }
    if (!w.by_hand) std::printf(" %11s", "-");
    const double to_numpy = us["frit"] / us["NumPy"], to_loop = w.by_hand ? us["frit"] / us["loop"] : 0;
    std::printf(" %8.2f %8.2f%s%s\n", to_numpy, to_loop, to_numpy > 1 ? "  NumPy" : "", to_loop > 1.3 ? "  loop" : "");
    std::fflush(stdout);
    return (to_numpy > 1) + (to_loop > 1.3);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 3 && std::strcmp(argv[1], "--worker") == 0)
            return serve([&](const std::string& workload, const std::string&, std::size_t n) {
                return std::strcmp(argv[2], "loop") == 0 ? indexed_bench::loop_job(workload, n)
                                                         : indexed_bench::frit_job(workload, n);
            });
        const comparison_settings s = read_settings(argc, argv, "cpu_indexed");
        std::printf("us of processor time, medians\n%-14s %9s %11s", "workload", "n", "frit");
        if (s.engines) std::printf(" %11s %11s %11s", "interpreter", "jit", "cxx");
        std::printf(" %11s %11s %8s %8s  misses\n", "NumPy", "loop", "/ NumPy", "/ loop");
        int missed = 0;
        for (const auto& w : indexed_bench::workloads)
            for (const std::size_t n : indexed_bench::sizes)
                if (s.only.empty() || s.only == w.name) missed += row(w, n, s);
        std::printf("bars that are missed: %d\n", missed);
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "cpu_indexed: %s\n", e.what());
        return 1;
    }
}

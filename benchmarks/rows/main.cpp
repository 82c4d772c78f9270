// The claim: formulas over rows (reductions along an axis, softmax, layer norm, stencils, all pairs) run on the CPU as fast
// as loops written by hand: with the engine that one gets without a setting ahead of NumPy and xtensor, within 1.3 of the
// faster one of Eigen and a plain loop, and where memory is the bound, with both cores, at 0.8 of the bandwidth of the
// triad. Every peer is a process of its own; they are timed in turns, batch by batch, in one run of this program, and
// medians are compared. Eigen, NumPy and xtensor have one thread: with one, processor time is compared, which on a shared
// machine is steadier than the clock. With two, frit, the loop and numexpr are timed by the clock, at the large size.
//
// usage: cpu_rows [--threads N] [--only WORKLOAD] [--quick]        threads: default 1, then 2; --quick: 3 rounds, not 15
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <map>
#include <stdexcept>

#include "rows.hpp"

namespace {

constexpr std::size_t small = std::size_t{1} << 16, large = std::size_t{1} << 24;  // squares, and multiples of 1024

class comparison {
public:
    comparison(int threads, bool quick) : threads_(threads), rounds_(quick ? 3 : 15) {
        const std::string n = std::to_string(threads), setting = "FRIT_NUM_THREADS=" + n, self = "/proc/self/exe";
        // Large pages for everybody, as frit and NumPy take them on their own account.
        const std::string pages = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1";
        add("interpreter", {self, "--worker", "frit"}, {"FRIT_CPU_ENGINE=interpreter", setting, "FRIT_DEVICE=cpu"});
        add("cxx", {self, "--worker", "frit"}, {"FRIT_CPU_ENGINE=cxx", setting, "FRIT_DEVICE=cpu"});
        // before auto, which finds on disk what jit, or cxx, has compiled, as the second run of a program does
        if (std::system("ldconfig -p | grep -q libLLVM") == 0)
            add("jit", {self, "--worker", "frit"}, {"FRIT_CPU_ENGINE=jit", setting, "FRIT_DEVICE=cpu"});
        else
            std::printf("jit: left out, there is no LLVM\n");
        add("auto", {self, "--worker", "frit"}, {"FRIT_CPU_ENGINE=auto", setting, "FRIT_DEVICE=cpu"});
        frit_engines_ = workers_.size();
        add("loop", {self, "--worker", "loop"}, {setting, pages});
        if (threads == 1) {
#ifdef FRIT_BENCHMARK_EIGEN
            add("eigen", {self, "--worker", "eigen"}, {pages});
#else
            std::printf("eigen: left out, its headers were not found when this was built\n");
#endif
#ifdef FRIT_BENCHMARK_XTENSOR
            add("xtensor", {self, "--worker", "xtensor"}, {pages});
#else
            std::printf("xtensor: left out, its headers were not found when this was built\n");
#endif
            add_python("numpy", n);
        }
        add_python("numexpr", n);
    }

    void run(const std::string& only) {
        std::printf("\nns per element, medians, threads: %d; ! differs from the others by more than 1e-3\n%-10s %-4s %9s",
                    threads_, "workload", "type", "n");
        for (const auto& w : workers_) std::printf(" %11s", w->name().c_str());
        std::printf("  auto over");
        for (std::size_t i = frit_engines_; i < workers_.size(); ++i) std::printf(" %8s", workers_[i]->name().c_str());
        std::printf("   of the triad: %5s %5s %5s\n", "loop", "auto", "intp.");
        for (const char* element : row_bench::elements)
            for (const std::size_t n : {small, large}) {
                if (n == small && threads_ > 1) continue;  // starting the loop's threads would be what is timed
                triad_ = 0;
                for (const row_bench::workload& w : row_bench::workloads)
                    if (only.empty() || only == w.name || std::strcmp(w.name, "triad") == 0) row(w, element, n);
            }
    }
    const std::vector<std::string>& missed() const { return missed_; }
    void print_bars() const {
        std::printf("\nover the faster of eigen and loop, n = %zu (auto: with what cxx compiled on disk):\n", large);
        of_auto_.print();
        of_interpreter_.print();
    }

private:
    void add(const std::string& name, const std::vector<std::string>& command, const std::vector<std::string>& settings) {
        workers_.push_back(std::make_unique<worker>(name, command, settings));
    }
    void add_python(const std::string& module, const std::string& threads) {
        if (std::system(("/usr/bin/python3 -c 'import " + module + "' 2>/dev/null").c_str()) != 0)
            std::printf("%s: left out, /usr/bin/python3 does not have it\n", module.c_str());
        else
            add(module, {"/usr/bin/python3", FRIT_BENCHMARK_SOURCE "/rows/rows.py", module, threads}, {});
    }

    void row(const row_bench::workload& w, const std::string& element, std::size_t n) {
        const std::vector<measured> results =
            measure_in_turns(workers_, w.name, element, n, rounds_, threads_ == 1 ? &worker::processor_time : &worker::time);
        std::vector<double> sums;
        for (const measured& m : results) sums.push_back(m.mean);
        const double expected = median(sums);
        std::map<std::string, double> ns;
        std::printf("%-10s %-4s %9zu", w.name, element.c_str(), n);
        for (std::size_t i = 0; i < workers_.size(); ++i) {
            const bool agrees = std::abs(sums[i] - expected) <= 1e-3 * std::abs(expected);
            if (i < frit_engines_ && !agrees)
                throw std::runtime_error(std::string(w.name) + " " + element + ": " + workers_[i]->name() + " computes " +
                                         std::to_string(sums[i]) + ", the others " + std::to_string(expected));
            ns[workers_[i]->name()] = results[i].seconds * 1e9 / static_cast<double>(n);
            std::printf(" %10.4f%c", ns[workers_[i]->name()], agrees ? ' ' : '!');
        }
        std::printf("           ");
        for (std::size_t i = frit_engines_; i < workers_.size(); ++i)
            std::printf(" %8.2f", ns["auto"] / ns[workers_[i]->name()]);
        if (std::strcmp(w.name, "triad") == 0) triad_ = w.arrays / ns["loop"];
        const auto bandwidth = [&](const char* engine) { return w.arrays / ns[engine] / triad_; };
        if (w.arrays > 0)
            std::printf("                 %5.2f %5.2f %5.2f", bandwidth("loop"), bandwidth("auto"),
                        bandwidth("interpreter"));
        std::printf("\n");
        std::fflush(stdout);

        const std::string where = std::string(w.name) + " " + element + ", n = " + std::to_string(n) + ", threads " +
                                  std::to_string(threads_) + ": ";
        for (const char* peer : {"numpy", "xtensor"})
            if (w.by_peers && ns.count(peer) != 0 && ns["auto"] > ns[peer]) miss(where, ns["auto"] / ns[peer], peer, 1);
        const double eigen = ns.count("eigen") != 0 ? ns["eigen"] : std::numeric_limits<double>::infinity();
        const char* best = eigen < ns["loop"] ? "eigen" : "loop";
        if (w.by_peers && ns["auto"] > 1.3 * ns[best]) miss(where, ns["auto"] / ns[best], best, 1.3);
        if (n == large) {
            const std::string which = std::string(w.name) + " " + element;
            of_auto_.add(ns["auto"] / ns[best], which);
            of_interpreter_.add(ns["interpreter"] / ns[best], which);
        }
        if (w.by_memory && n == large && threads_ == 2 && bandwidth("auto") < 0.8)
            miss(where, bandwidth("auto"), "the triad's bandwidth", 0.8);
    }
    void miss(const std::string& where, double found, const std::string& peer, double bar) {
        char text[128];
        std::snprintf(text, sizeof text, "%.2f of %s (bar: %.1f)", found, peer.c_str(), bar);
        missed_.push_back(where + text);
    }

    int threads_, rounds_;
    double triad_ = 0;  // elements per ns that the loop's triad moves
    std::vector<std::unique_ptr<worker>> workers_;
    std::vector<std::string> missed_;
    std::size_t frit_engines_ = 0;  // the first workers
    bar of_auto_{"auto", 0.9, 1.25}, of_interpreter_{"interpreter", 0, 2};
};

int serve_as(const std::string& peer) {
#ifdef FRIT_BENCHMARK_EIGEN
    if (peer == "eigen") return serve(row_bench::eigen_job);
#endif
#ifdef FRIT_BENCHMARK_XTENSOR
    if (peer == "xtensor") return serve(row_bench::xtensor_job);
#endif
    return serve(peer == "loop" ? row_bench::loop_job : row_bench::frit_job);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 3 && std::strcmp(argv[1], "--worker") == 0) return serve_as(argv[2]);
        std::vector<int> threads{1, 2};
        bool quick = false;
        std::string only;
        for (int i = 1; i < argc; ++i) {
            if (std::strcmp(argv[i], "--quick") == 0)
                quick = true;
            else if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
                threads = {std::max(1, std::atoi(argv[++i]))};
            else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc)
                only = argv[++i];
            else
                throw std::runtime_error("usage: cpu_rows [--threads N] [--only WORKLOAD] [--quick]");
        }
        std::vector<std::string> missed;
        for (const int n : threads) {
            comparison table(n, quick);
            table.run(only);
            table.print_bars();
            missed.insert(missed.end(), table.missed().begin(), table.missed().end());
        }
        std::printf("\nbars that the engine auto misses: %zu\n", missed.size());
        for (const std::string& line : missed) std::printf("  %s\n", line.c_str());
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "cpu_rows: %s\n", e.what());
        return 1;
    }
}

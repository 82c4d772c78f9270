// The claim: on the CPU, frit is faster than NumPy and numexpr, and near Eigen. Every peer is a process of its own; they are
// timed in turns, batch by batch, in one run of this program, and medians are compared.
// usage: cpu_peers [--threads N] [--quick]      threads of frit and numexpr (default 1: Eigen and NumPy have one)
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>

#include "worker.hpp"

namespace {

class comparison {
public:
    comparison(const std::string& self, int threads, bool quick) : rounds_(quick ? 3 : 15) {
        const std::string n = std::to_string(threads), setting = "FRIT_NUM_THREADS=" + n;
        add("interpreter", {self, "--worker", "frit"}, {"FRIT_CPU_ENGINE=interpreter", setting, "FRIT_DEVICE=cpu"});
        add("cxx", {self, "--worker", "frit"}, {"FRIT_CPU_ENGINE=cxx", setting, "FRIT_DEVICE=cpu"});
        // before auto, which finds on disk what jit, or cxx, has compiled, as the second run of a program does
        if (std::system("ldconfig -p | grep -q libLLVM") == 0)
            add("jit", {self, "--worker", "frit"}, {"FRIT_CPU_ENGINE=jit", setting, "FRIT_DEVICE=cpu"});
        else
            std::printf("jit: left out, there is no LLVM\n");
        add("auto", {self, "--worker", "frit"}, {"FRIT_CPU_ENGINE=auto", setting, "FRIT_DEVICE=cpu"});
        frit_engines_ = workers_.size();
#ifdef FRIT_BENCHMARK_EIGEN
        add("eigen", {self, "--worker", "eigen"}, {});
#else
        std::printf("eigen: left out, its headers were not found when this was built\n");
#endif
        for (const char* module : {"numpy", "numexpr"}) {
            const std::string found = std::string("/usr/bin/python3 -c 'import ") + module + "' 2>/dev/null";
            if (std::system(found.c_str()) != 0)
                std::printf("%s: left out, /usr/bin/python3 does not have it\n", module);
            else
                add(module, {"/usr/bin/python3", FRIT_BENCHMARK_SOURCE "/cpu_peers.py", module, n}, {});
        }
    }

    void run() {
        std::printf("\nns per element, medians; ! a result that differs from the others by more than 1e-4\n%-13s %-4s %9s",
                    "workload", "type", "n");
        for (const auto& w : workers_) std::printf(" %12s", w->name().c_str());
        std::printf("   auto and interpreter over eigen, numpy, numexpr\n");
        for (const char* workload : workload_names)
            for (const char* element : element_names)
                for (const std::size_t n : {std::size_t{1'000}, std::size_t{100'000}, std::size_t{10'000'000}})
                    row(workload, element, n);
        std::printf(
            "\na warm one-kernel statement, axpy f32 at n = 1000: interpreter %.2f us, auto %.2f us (bar: under 2.5)\n",
            statement_["interpreter"], statement_["auto"]);
        std::printf("over eigen, n >= 1e5 (auto: after a second of use, with what cxx compiled on disk):\n");
        of_auto_.print();
        of_interpreter_.print();
    }

private:
    void add(const std::string& name, const std::vector<std::string>& command, const std::vector<std::string>& settings) {
        workers_.push_back(std::make_unique<worker>(name, command, settings));
    }

    void row(const std::string& workload, const std::string& element, std::size_t n) {
        const std::vector<measured> results = measure_in_turns(workers_, workload, element, n, rounds_);
        std::vector<double> means;
        for (const measured& m : results) means.push_back(m.mean);
        const double expected = median(means);
        const auto agrees = [&](double mean) { return std::abs(mean - expected) <= 1e-4 * std::abs(expected); };
        for (std::size_t i = 0; i < frit_engines_; ++i)
            if (!agrees(means[i]))
                throw std::runtime_error(workload + " " + element + ": " + workers_[i]->name() + " computes " +
                                         std::to_string(means[i]) + ", the others " + std::to_string(expected));

        std::map<std::string, double> ns;
        std::printf("%-13s %-4s %9zu", workload.c_str(), element.c_str(), n);
        for (std::size_t i = 0; i < workers_.size(); ++i) {
            const double call = results[i].seconds;
            ns[workers_[i]->name()] = call * 1e9 / static_cast<double>(n);
            if (workload == "axpy" && element == "f32" && n == 1000) statement_[workers_[i]->name()] = call * 1e6;
            std::printf(" %11.3f%c", ns[workers_[i]->name()], agrees(means[i]) ? ' ' : '!');
        }
        if (ns.count("eigen") != 0 && n >= 100'000) {
            const std::string where = workload + " " + element + ", n = " + std::to_string(n);
            of_auto_.add(ns["auto"] / ns["eigen"], where);
            of_interpreter_.add(ns["interpreter"] / ns["eigen"], where);
        }
        for (const char* engine : {"auto", "interpreter"}) {
            std::printf("  ");
            for (const char* peer : {"eigen", "numpy", "numexpr"}) {
                if (ns.count(peer) != 0)
                    std::printf(" %5.2f", ns[engine] / ns[peer]);
                else
                    std::printf("     -");
            }
        }
        std::printf("\n");
        std::fflush(stdout);
    }

    int rounds_;
    std::vector<std::unique_ptr<worker>> workers_;
    std::map<std::string, double> statement_;  // microseconds of a call
    std::size_t frit_engines_ = 0;             // the first workers
    bar of_auto_{"auto", 0.9, 1.25}, of_interpreter_{"interpreter", 0, 2};
};

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 3 && std::strcmp(argv[1], "--worker") == 0) {
#ifdef FRIT_BENCHMARK_EIGEN
            if (std::strcmp(argv[2], "eigen") == 0) return serve(eigen_job);
#endif
            return serve(frit_job);
        }
        int threads = 1;
        bool quick = false;
        for (int i = 1; i < argc; ++i) {
            if (std::strcmp(argv[i], "--quick") == 0)
                quick = true;
            else if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
                threads = std::max(1, std::atoi(argv[++i]));
            else
                throw std::runtime_error("usage: cpu_peers [--threads N] [--quick]");
        }
        std::printf("threads of frit and numexpr: %d\n", threads);
        comparison("/proc/self/exe", threads, quick).run();
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "cpu_peers: %s\n", e.what());
        return 1;
    }
}

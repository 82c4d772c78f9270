// The claim: on the CPU a call of dense linear algebra or a Fourier transform costs what the same library costs when it is
// called bare, and 2 us, or, where it is large, 5 %; and programs of such calls and formulas, conjugate gradients, a
// logistic regression and a PCA, run ahead of NumPy and Eigen. Every peer is a process of its own; they are timed in turns
// by processor time on one thread, batch by batch, in one run, and medians are compared. The bare calls, LAPACK's with their
// scratch memory at hand, are of the OpenBLAS and the FFTW that frit loads.
//
// usage: cpu_dense [--only WORKLOAD] [--engines] [--quick] [--python PATH]
//        --engines: columns for either CPU engine too; --quick: 3 rounds, not 9
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>

#include "dense.hpp"

namespace {

/// The finalizer of SplitMix64: neighbours have nothing in common, as matrices want whose spectrum is compared.
double number(std::uint64_t j, std::uint64_t seed) {
    std::uint64_t z = (j + (seed << 32)) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}
template <class T>
std::vector<T> numbers(std::size_t n, std::uint64_t seed) {
    std::vector<T> all(n);
    for (std::size_t j = 0; j < n; ++j) all[j] = static_cast<T>(number(j, seed));
    return all;
}

}  // namespace

template <class T>
dense_bench::inputs<T>::inputs(const std::string& workload, std::size_t n) {
    const auto sized = [&](std::size_t of_a, std::size_t of_b = 0) { a = numbers<T>(of_a, 1), b = numbers<T>(of_b, 2); };
    if (workload == "product") sized(n * n, n * n);
    if (workload == "batch") sized(batch * n * n, batch * n * n);
    if (workload == "matvec" || workload == "solve") sized(n * n, n);
    if (workload == "svdvals" || workload == "qr" || workload == "cg") sized(n * n);
    if (workload == "rfft") sized(n);
    if (workload == "fft") sized(2 * n);
    if (workload == "pca") sized(n * variables);
    if (workload == "cholesky" || workload == "eigh") {
        sized(n * n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < i; ++j) a[j * n + i] = a[i * n + j];
        if (workload == "cholesky")
            for (std::size_t i = 0; i < n; ++i) a[i * n + i] += static_cast<T>(n);
    }
    if (workload == "logistic") {
        sized(n * features, n);
        for (std::size_t i = 0; i < n; ++i) b[i] = static_cast<T>(a[i * features] + b[i] / 2 > 0);
    }
}
template struct dense_bench::inputs<float>;
template struct dense_bench::inputs<double>;

namespace {

worker_list start(const dense_bench::workload& w, const comparison_settings& s) {
    worker_list all;
    add_frit(all, s);
    const auto add = [&](const char* name, const std::vector<std::string>& command) {
        // Large pages, as frit takes them on its own account.
        all.push_back(std::make_unique<worker>(
            name, command, std::vector<std::string>{"OPENBLAS_NUM_THREADS=1", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"}));
    };
    if (w.is_call) add("bare", {"/proc/self/exe", "--worker", "bare"});
    add("NumPy", {s.python, FRIT_BENCHMARK_SOURCE "/dense/dense.py"});
#ifdef FRIT_BENCHMARK_EIGEN
    if (w.by_eigen) add("Eigen", {"/proc/self/exe", "--worker", "eigen"});
#endif
    return all;
}

/// The bars that are missed, by name. @param us  by peer
std::string missed_by(const dense_bench::workload& w, const std::map<std::string, double>& us) {
    const double frit = us.at("frit");
    if (w.is_call) {
        const double bare = us.at("bare");
        return frit > (w.is_large ? 1.05 * bare : bare + 2) ? "  bare" : "";
    }
    std::string all;
    for (const char* peer : {"NumPy", "Eigen"})
        if (us.count(peer) != 0 && frit > us.at(peer)) all += std::string("  ") + peer;
    return all;
}

/// One line of the table. @return whether it misses a bar
bool row(const dense_bench::workload& w, const comparison_settings& s) {
    const auto workers = start(w, s);
    const std::vector<measured> results =
        measure_in_turns(workers, w.name, w.element, w.n, s.rounds, &worker::processor_time, 2.0);
    check_agreement(w.name, workers, results);
    std::map<std::string, double> us;
    for (std::size_t k = 0; k < workers.size(); ++k) us[workers[k]->name()] = results[k].seconds * 1e6;
    std::printf("%-9s %s %9zu", w.name, w.element, w.n);
    const auto print = [&](const char* peer) {
        if (us.count(peer) != 0)
            std::printf(" %11.2f", us[peer]);
        else
            std::printf(" %11s", "-");
    };
    print("frit");
    if (s.engines)
        for (const char* engine : {"interpreter", "jit", "cxx"}) print(engine);
    for (const char* peer : {"bare", "NumPy", "Eigen"}) print(peer);
    if (w.is_call)
        std::printf(" %+9.2f us", us["frit"] - us["bare"]);
    else
        std::printf(" %12s", "");
    for (const char* peer : {"bare", "NumPy", "Eigen"})
        if (us.count(peer) != 0)
            std::printf(" %8.2f", us["frit"] / us[peer]);
        else
            std::printf(" %8s", "-");
    const std::string missed = missed_by(w, us);
    std::printf("%s\n", missed.c_str());
    std::fflush(stdout);
    return !missed.empty();
}

job job_of(const char* peer, const std::string& workload, const std::string& element, std::size_t n) {
    if (std::strcmp(peer, "bare") == 0) return dense_bench::bare_job(workload, element, n);
#ifdef FRIT_BENCHMARK_EIGEN
    if (std::strcmp(peer, "eigen") == 0) return dense_bench::eigen_job(workload, element, n);
#endif
    return dense_bench::frit_job(workload, element, n);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 3 && std::strcmp(argv[1], "--worker") == 0)
            return serve([&](const std::string& workload, const std::string& element, std::size_t n) {
                return job_of(argv[2], workload, element, n);
            });
        const comparison_settings s = read_settings(argc, argv, "cpu_dense");
        std::printf("us of processor time, medians\n%-13s %9s %11s", "workload", "n", "frit");
        if (s.engines) std::printf(" %11s %11s %11s", "interpreter", "jit", "cxx");
        std::printf(" %11s %11s %11s %12s %8s %8s %8s  misses\n", "bare", "NumPy", "Eigen", "- bare", "/ bare", "/ NumPy",
                    "/ Eigen");
        int missed = 0;
        for (const auto& w : dense_bench::workloads)
            if (s.only.empty() || s.only == w.name) missed += row(w, s);
        std::printf("rows that miss a bar: %d\n", missed);
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "cpu_dense: %s\n", e.what());
        return 1;
    }
}

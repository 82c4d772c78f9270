// The claim: frit moves memory as fast as a hand-written loop does. BabelStream's five kernels on the CPU, by both engines
// and by the loop, with 1 and with 2 threads; the bar is triad at 0.82 of the loop. On a GPU, where there is one, beside the
// device's own copy; the bar is triad at 0.97. Every implementation is a process of its own; they are timed in turns, call
// by call, and medians are compared. The values of all arrays are checked at the end, as BabelStream does.
//
// usage: stream [--size N] [--rounds N]          elements of an array (default 2^25), timed calls of each kernel (default
// 15)
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <frit/frit.hpp>
#include <stdexcept>

#include "../copy_bandwidth.hpp"
#include "../worker.hpp"
#include "stream.hpp"

namespace {

constexpr int passes = 3;  // over the five kernels, so that the values that are checked change

void require(double error, const std::string& who) {
    if (error > 1)
        throw std::runtime_error(who + ": the arrays are wrong, by " + std::to_string(error) + " times what is allowed");
}

/// The worker's side: a kernel of the arrays that all calls share; "check" answers their error.
template <class Make>
job stream_job(const std::string& kernel, const Make& make) {
    static const std::unique_ptr<stream_arrays> arrays = make();
    if (kernel == "check") return {[] {}, [] { return arrays->error(passes); }};
    return {[kernel] { arrays->run(kernel); }, [] { return 0.0; }};
}
job frit_job_of(const std::string& kernel, const std::string&, std::size_t n) {
    return stream_job(kernel, [n] { return make_frit_stream(n); });
}
job loop_job_of(const std::string& kernel, const std::string&, std::size_t n) {
    const char* threads = std::getenv("FRIT_NUM_THREADS");
    return stream_job(kernel, [n, threads] { return make_loop_stream(n, threads ? std::atoi(threads) : 1); });
}

void cpu_table(std::size_t n, int rounds, int threads) {
    const std::string setting = "FRIT_NUM_THREADS=" + std::to_string(threads), self = "/proc/self/exe";
    worker loop("loop", {self, "--worker", "loop"}, {setting});
    worker interpreter("interpreter", {self, "--worker", "frit"},
                       {setting, "FRIT_DEVICE=cpu", "FRIT_CPU_ENGINE=interpreter"});
    worker cxx("cxx", {self, "--worker", "frit"}, {setting, "FRIT_DEVICE=cpu", "FRIT_CPU_ENGINE=cxx"});
    const std::array peers{&loop, &interpreter, &cxx};

    std::array<std::array<std::vector<double>, 3>, stream_kernels.size()> seconds;
    for (int pass = 0; pass < passes; ++pass)
        for (std::size_t k = 0; k < stream_kernels.size(); ++k) {
            for (worker* w : peers) w->prepare(stream_kernels[k].name, "f64", n);  // runs it once
            for (int round = 0; round < (rounds + passes - 1) / passes; ++round)
                for (std::size_t p = 0; p < peers.size(); ++p) seconds[k][p].push_back(peers[p]->time(1));
        }
    for (worker* w : peers) require(w->prepare("check", "f64", n), w->name());

    for (std::size_t k = 0; k < stream_kernels.size(); ++k) {
        const double bytes = stream_kernels[k].arrays * 8 * static_cast<double>(n);
        std::array<double, 3> gbps{};
        for (std::size_t p = 0; p < peers.size(); ++p) gbps[p] = bytes / median(seconds[k][p]) * 1e-9;
        std::printf("%-6s %7d %10.2f %12.2f %8.2f %18.3f %14.3f\n", stream_kernels[k].name, threads, gbps[0], gbps[1],
                    gbps[2], gbps[1] / gbps[0], gbps[2] / gbps[0]);
    }
    std::fflush(stdout);
}

void gpu_table(std::size_t n, int rounds) {
    const frit::scoped_device gpu(frit::device::cuda());
    const copy_bandwidth copy = measure_copy_bandwidth();
    std::printf("\n%s, device-to-device copy %.0f GB/s (read + written)\n%-6s %10s %12s\n", copy.device.c_str(), copy.gbps,
                "kernel", "GB/s", "of the copy");
    const std::unique_ptr<stream_arrays> arrays = make_frit_stream(n);
    std::array<std::vector<double>, stream_kernels.size()> seconds;
    for (int pass = 0; pass < passes; ++pass)
        for (std::size_t k = 0; k < stream_kernels.size(); ++k) {
            constexpr int calls = 100;
            for (int batch = 0; batch < (rounds + passes - 1) / passes + 1; ++batch) {
                const auto start = std::chrono::steady_clock::now();
                for (int i = 0; i < calls; ++i) arrays->run(stream_kernels[k].name);
                frit::synchronize();
                const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
                if (batch > 0) seconds[k].push_back(elapsed.count() / calls);
            }
        }
    require(arrays->error(passes), copy.device);
    for (std::size_t k = 0; k < stream_kernels.size(); ++k) {
        const double gbps = stream_kernels[k].arrays * 8 * static_cast<double>(n) / median(seconds[k]) * 1e-9;
        std::printf("%-6s %10.0f %12.3f\n", stream_kernels[k].name, gbps, gbps / copy.gbps);
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 3 && std::strcmp(argv[1], "--worker") == 0)
            return serve(std::strcmp(argv[2], "frit") == 0 ? frit_job_of : loop_job_of);
        std::size_t n = std::size_t{1} << 25;
        int rounds = 15;
        for (int i = 1; i < argc; i += 2) {
            if (i + 1 < argc && std::strcmp(argv[i], "--size") == 0)
                n = std::strtoull(argv[i + 1], nullptr, 10);
            else if (i + 1 < argc && std::strcmp(argv[i], "--rounds") == 0)
                rounds = std::atoi(argv[i + 1]);
            else
                throw std::runtime_error("usage: stream [--size N] [--rounds N]");
        }
        if (n < 1 || rounds < 1) throw std::runtime_error("--size and --rounds are at least 1");
        std::printf("STREAM, %zu doubles in an array, GB/s by medians\n%-6s %7s %10s %12s %8s %18s %14s\n", n, "kernel",
                    "threads", "loop", "interpreter", "cxx", "interpreter/loop", "cxx/loop");
        for (const int threads : {1, 2}) cpu_table(n, rounds, threads);
        if (frit::device::cuda_count() > 0) gpu_table(n, rounds);
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "stream: %s\n", e.what());
        return 1;
    }
}

// A process to look at from outside (tests/unit/test_processes.cpp, tests/stress/test_exit.cpp): evaluates a few formulas,
// prints results and counters, or does what its argument says.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string_view>
#include <thread>

#include <frit/bundle.hpp>
#include <frit/dlpack.hpp>
#include <frit/frit.hpp>

#include "src/io/dlpack_layout.hpp"

namespace {

std::uint64_t bits(double x) {
    std::uint64_t b;
    std::memcpy(&b, &x, sizeof b);
    return b;
}

void run() {
    const frit::array<float> x = frit::arange<float>(1, 11);
    frit::array<float> y = x * x, z = frit::sqrt(y) - 7.0F;
    frit::array<float> top = frit::max(z);
    frit::array<float> half = frit::sum(x(frit::slice(0, 2))) * 0.5F;
    std::cout << "result " << frit::sum(y).item() << ' ' << top.item() << ' ' << half.item() << '\n';

    const frit::array<double> t = frit::linspace(0.0, 10.0, 1000003);
    std::cout << "bits " << bits(frit::sum(frit::sin(t) * t).item()) << '\n';

    const frit::counters c = frit::stats();
    std::cout << "compilations " << c.compilations << "\ndisk_hits " << c.disk_hits << "\nkernels_launched "
              << c.kernels_launched << "\nbundle_hits " << c.bundle_hits << "\nkernels_interpreted " << c.kernels_interpreted
              << "\nkernels_compiled " << c.kernels_compiled << '\n';
}

/// Leaves the kernels that the formulas run, or has them run those that were left.
void record_bundle(const char* file) {
    auto recording = frit::record_kernels(file);
    run();
    std::cout << "recorded " << recording.close() << '\n';
}
void run_bundle(const char* file) {
    std::cout << "loaded " << frit::load_kernels(file) << '\n';
    run();
}

// --- ways to leave with work undone ---

void leave_pending_statics() {
    static const frit::array<float> recorded = frit::sin(frit::arange<float>(0, 1000)) * 2.0F;
    static const frit::array<float> half_done = [] {
        frit::array<float> x = recorded + 1.0F;
        x.eval();
        return frit::array<float>(x * 3.0F);
    }();
    static frit::array<float> updated = recorded;
    updated(frit::slice(0, 10)) = 1.0F;
}

/// Threads that go on recording and evaluating for as long as the process lives.
void start_busy_threads() {
    static std::atomic<int> running{0};
    const frit::array<double> shared = frit::linspace(0.0, 1.0, 50'000);
    for (int t = 0; t < 4; ++t)
        std::thread([shared, t] {
            frit::array<double> x = shared;
            for (int k = 0;; ++k) {
                x = frit::sqrt(x + t) * 0.5;
                if (k % 7 == 0) x.eval();
                if (k == 20) ++running;
            }
        }).detach();
    while (running < 4) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

[[noreturn]] void exit_in_a_thread() {
    std::thread([] {
        leave_pending_statics();
        start_busy_threads();
        std::cout << "leaving main" << std::endl;
        std::exit(0);
    }).join();
    std::abort();
}

/// Evaluates when it ends, after thread-local objects that were made later, or (a static one) all of main's.
struct evaluates_at_its_end {
    const char* what;
    frit::array<float> x = frit::arange<float>(0, 2000);
    ~evaluates_at_its_end() {
        const frit::array<float> sorted = frit::sort(x * -2.0F);  // a kernel and a call
        if (frit::sum(sorted + 1.0F).item() != -3'996'000.0F) std::abort();
        std::cout << what << std::endl;
    }
    void use() const { frit::array<float>(x * 3.0F + frit::sin(x)).eval(); }  // now the thread has its scratch memory
};

void evaluate_at_the_end() {
    static const evaluates_at_its_end last{"leaving main"};
    last.use();
    std::thread([] {
        thread_local const evaluates_at_its_end of_a_thread{"leaving a thread"};
        of_a_thread.use();
    }).join();
}

/// How many threads took part, and the bits of sums and elements.
void count_threads() {
    const auto threads = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
    };
    std::thread([] {}).join();  // a sanitizer adds a thread of its own when the first one starts
    const auto before = threads();
    const frit::array<double> t = frit::linspace(0.0, 10.0, 1000003);
    const frit::array<float> u = frit::linspace(0.0F, 10.0F, 300007);
    frit::array<double> y = frit::exp(frit::sin(t) * t);
    std::cout << "bits";
    for (const double x : {frit::sum(y).item(), frit::prod(1.0 + y * 1e-9).item(), frit::max(frit::cos(t) * y).item(),
                           static_cast<double>(frit::mean(frit::sqrt(u) * u).item())})
        std::cout << ' ' << bits(x);
    std::uint64_t all = 0;
    for (const double x : y.to_vector()) all = all * 31 + bits(x);
    std::cout << ' ' << all << "\nthreads " << threads() - before + 1 << '\n';
}

/// With the engine auto: asks for several kernels in the background, then does what must not wait for them, also in a child.
void go_on_beside_the_compiler() {
    const frit::array<double> x = frit::linspace(0.0, 1.0, 1 << 20);
    x.eval();
    for (int k = 0; k < 60; ++k)
        for (int kernel = 0; kernel < 3; ++kernel) {
            frit::array<double> y = frit::sqrt(x + 1.0) - frit::abs(x - 0.25);
            for (int more = 0; more < kernel; ++more) y = y * y - x;
            y.eval();
        }
    const pid_t child = fork();
    if (child == 0) {
        const double total = frit::sum(x + 2.0).item();
        frit::synchronize();  // nothing compiles here
        DLManagedTensorVersioned* const shared = frit::to_dlpack(x);
        shared->deleter(shared);
        _exit(total > 0 ? 0 : 1);  // what the threads of the parent hold here, a leak checker would take for lost
    }
    int status = -1;
    waitpid(child, &status, 0);
    DLManagedTensorVersioned* const shared = frit::to_dlpack(x);
    shared->deleter(shared);
    std::cout << "child " << status << std::endl;
}

/// Processes whose first thread forks while another one uses frit for the first time, earlier or later; the children of
/// which use it too.
void fork_beside_the_first_use() {
    int wrong = 0;
    for (int microseconds = 0; microseconds < 3000; microseconds += 6) {
        const pid_t process = fork();
        if (process == 0) {
            alarm(60);
            const auto total = [] { return frit::sum(frit::linspace(0.0, 1.0, 100) * 2.0).item(); };
            std::thread first(total);
            const auto start = std::chrono::steady_clock::now();
            while (std::chrono::steady_clock::now() - start < std::chrono::microseconds(microseconds)) {
            }
            const pid_t child = fork();
            if (child == 0) {
                alarm(10);
                _exit(std::abs(total() - 100) < 1e-9 ? 0 : 1);
            }
            int status = -1;
            waitpid(child, &status, 0);
            first.join();
            _exit(status == 0 ? 0 : 1);
        }
        int status = -1;
        waitpid(process, &status, 0);
        wrong += status != 0;
        if (wrong > 2) break;
    }
    std::cout << wrong << " children hung or failed" << std::endl;
}

// --- programs that treat their children in ways of their own ---

void ignore_children() { std::signal(SIGCHLD, SIG_IGN); }

void bury_all_children() {
    std::signal(SIGCHLD, [](int) {
        const int kept = errno;
        while (waitpid(-1, nullptr, WNOHANG) > 0) {
        }
        errno = kept;
    });
}

// --- a program with an LLVM of its own ---

/// In use and with its symbols in reach of all, before frit loads one.
void run_beside_an_llvm(const char* file) {
    void* const library = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
    void* const make = library ? dlsym(library, "LLVMContextCreate") : nullptr;
    if (!make) {
        std::cout << "no_llvm " << file << '\n';
        return;
    }
    void* const context = reinterpret_cast<void* (*)()>(make)();
    run();
    Dl_info where{};
    dladdr(make, &where);
    std::cout << "own_llvm " << std::filesystem::canonical(where.dli_fname).string() << '\n';
    std::cout << "works_after " << (context && reinterpret_cast<void* (*)()>(make)()) << '\n';
}

template <class Error>
int report(const char* name, const Error& e) {
    std::cout << "error " << name << ": " << e.what() << '\n';
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    try {
        if (what == "ignoring-children") ignore_children();
        if (what == "burying-children") bury_all_children();
        if (what.empty() || what == "ignoring-children" || what == "burying-children") run();
        if (what == "record-bundle" && argc > 2) record_bundle(argv[2]);
        if (what == "run-bundle" && argc > 2) run_bundle(argv[2]);
        if (what == "beside-an-llvm" && argc > 2) run_beside_an_llvm(argv[2]);
        if (what == "threads") count_threads();
        if (what == "beside-the-compiler") go_on_beside_the_compiler();
        if (what == "fork-beside-the-first-use") fork_beside_the_first_use();
        if (what == "pending-statics") leave_pending_statics();
        if (what == "busy-threads") start_busy_threads();
        if (what == "exit-in-thread") exit_in_a_thread();
        if (what == "evaluating-at-the-end") evaluate_at_the_end();
        if (what == "pending-statics" || what == "busy-threads") std::cout << "leaving main" << std::endl;
        return 0;
    } catch (const frit::device_error& e) {
        return report("device_error", e);
    } catch (const frit::compile_error& e) {
        return report("compile_error", e);
    } catch (const frit::error& e) {
        return report("error", e);
    }
}

// The claim: a product that repeats costs a GPU's host under 6 us. And what other statements that repeat cost: recording
// them, finding their plan, the launch, their memory, with kernels so small that this is much of it. Nanoseconds of
// processor time a round, the least and the median of 101 batches.
//
// usage: warm [WORKLOAD [ROUNDS]]
//        with ROUNDS it goes through as many and measures nothing: the instructions of a round, for which other programs on
//        the machine do not matter, are the difference of two such runs under valgrind --tool=callgrind, by the rounds
//        between.
// On a GPU (FRIT_DEVICE) only the product is measured, by the host's time: the queue is waited for between batches.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <frit/aot.hpp>
#include <frit/frit.hpp>
#include <tuple>
#include <vector>

namespace {

using frit::array;

struct request {
    const char* workload;  ///< null: all
    long rounds;           ///< 0: to be measured
};

double now() {
    std::timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

template <class F>
void measure(const request& asked, const char* name, const F& round) {
    constexpr int batches = 101, warm = 5000, rounds = 500;
    if (asked.workload && std::strcmp(asked.workload, name) != 0) return;
    const auto go = [&](long n) {
        for (; n > 0; --n) round();
        frit::synchronize();  // kernels that are being compiled, too
    };
    go(warm);
    if (asked.rounds > 0) return go(asked.rounds);
    std::vector<double> times;
    for (int k = 0; k < batches; ++k) {
        const double begin = now();
        for (int n = 0; n < rounds; ++n) round();
        times.push_back((now() - begin) / rounds);
        frit::synchronize();
    }
    std::sort(times.begin(), times.end());
    std::printf("%-12s %8.0f %8.0f\n", name, times[0], times[batches / 2]);
}

void on_the_cpu(const request& asked) {
    array<float> a = frit::full({1000}, 0.5F), b = frit::full({1000}, 0.25F);
    frit::eval(a, b);
    measure(asked, "statement", [&] { array<float>(sqrt(a * b + 1.0F)).eval(); });
    measure(asked, "sum", [&] { array<float>(sum(a)).eval(); });
    measure(asked, "three", [&] {
        array<float> x = a + b, y = sqrt(x) + x, z = y * 2.0F - x;
        x = {}, y = {};
        z.eval();
    });
    const auto decay = [](const auto& last, const auto& in) { return 0.5F * last + in; };
    measure(asked, "first_order", [&] { array<float>(scan_along(0, 0.0F, decay, a)).eval(); });
    const auto filter = [](const auto& last, const auto& before, const auto& in) {
        return std::tuple(in + 1.2F * last - 0.5F * before, last);
    };
    measure(asked, "second_order",
            [&] { array<float>(std::get<0>(scan_along(0, std::tuple(0.0F, 0.0F), filter, a))).eval(); });
    measure(asked, "aot", [&] { array<float> y = frit::aot(a * 2.5F + b * 1.5F + 0.75F); });
}

}  // namespace

int main(int argc, char** argv) try {
    ::setenv("FRIT_NUM_THREADS", "1", 0);
    const request asked{argc > 1 ? argv[1] : nullptr, argc > 2 ? std::atol(argv[2]) : 0};
    if (asked.rounds == 0) std::printf("%s\nns a round      least   median\n", frit::default_device().description().c_str());
    if (frit::default_device().is_cpu()) on_the_cpu(asked);
    array<float> c = frit::full({64, 64}, 0.5F), d = frit::full({64, 64}, 0.25F);
    frit::eval(c, d);
    measure(asked, "product", [&] { array<float>(matmul(c, d)).eval(); });
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "warm: %s\n", e.what());
    return 1;
}

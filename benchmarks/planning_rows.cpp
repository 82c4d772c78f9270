// The claim: formulas over rows cost the host linearly, and new shapes need no new kernels. Of 10,000 random shapes of one
// formula after the other: kernels compiled (by the engine cxx, unless FRIT_CPU_ENGINE names another one or FRIT_DEVICE a
// GPU) and microseconds of a call. Then, of 100 to 100,000 statements on small arrays, each of several nodes, nanoseconds of
// processor time per statement: recording them, planning them and spelling their kernels (frit::make_plan), evaluating them
// the first time (planned, compiled and run), and the number of kernels. Last, of graphs in which much is connected with
// much, nanoseconds per statement of a first evaluation, and the ratio to a plain chain's.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <frit/frit.hpp>
#include <random>
#include <vector>

namespace {

using value = frit::array<float>;

template <class F>
double seconds(const F& f) {
    const std::clock_t start = std::clock();
    f();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// One row formula after the other: a kernel each, since every one needs whole rows of the one before.
value layers(int n) {
    value x = frit::full({4, 8}, 0.25F), scale = frit::full({8}, 1.5F);
    for (int k = 0; k < n; k += 2) {
        x = frit::layer_norm(x, 1) * scale;
        x = x + frit::softmax(x, 1);
    }
    return x;
}

/// Reductions that do not need one another, over the same rows and over columns, added up.
value statistics(int n) {
    const value x = frit::full({4, 4}, 0.25F);
    value total = frit::zeros<float>({4});
    for (int k = 0; k < n; k += 4) {
        const value y = x + k;
        const value spread = frit::max(y, 1) - frit::min(y, 1);
        total = total + spread * frit::stddev(y, 0);
        total = total + frit::sum(y, 1);
    }
    return total;
}

void table(const char* name, value (*build)(int)) {
    std::printf("%s\n%10s %10s %10s %10s %10s   (ns per statement)\n", name, "statements", "record", "plan", "first",
                "kernels");
    for (const int n : {100, 1000, 10'000, 100'000}) {
        value x;
        const double record = seconds([&] { x = build(n); });
        std::size_t kernels = 0;
        const double plan = seconds([&] { kernels = frit::make_plan(x).kernels().size(); });
        const double first = seconds([&] { x.eval(); });
        std::printf("%10d %10.0f %10.0f %10.0f %10zu\n", n, record / n * 1e9, plan / n * 1e9, first / n * 1e9, kernels);
        std::fflush(stdout);
    }
}

using values = std::vector<value>;

values small_arrays(int n) {
    values all;
    for (int k = 0; k < n; ++k) all.push_back(value(frit::full({64}, 0.5F * static_cast<float>(k))).eval());
    return all;
}

/// One array after the other added to the same.
values chain(int n) {
    const values x = small_arrays(2);
    value sum = x[0];
    for (int k = 0; k < n; ++k) sum = sum + x[1];
    return {sum};
}

/// The same with a weight for each term.
values weighted_chain(int n) {
    const values x = small_arrays(2);
    value sum = x[0];
    for (int k = 0; k < n; ++k) sum = sum + x[1] * (0.5F / static_cast<float>(k + 1));
    return {sum};
}

/// 64 sums of the same 64 arrays.
values sums_of_the_same(int) {
    const values x = small_arrays(64);
    values sums = small_arrays(64);
    for (value& sum : sums)
        for (const value& term : x) sum = sum + term;
    return sums;
}

/// Each value is a weighted sum of all before it, as in a fractional derivative: n * (n - 1) / 2 statements.
values history(int n) {
    values y = small_arrays(1);
    for (int k = 1; k < n; ++k) {
        value sum = y[static_cast<std::size_t>(k - 1)] * 0.5F;
        for (int j = 2; j <= k; ++j) sum = sum + y[static_cast<std::size_t>(k - j)] * (0.5F / static_cast<float>(j));
        y.push_back(sum);
    }
    return {y.back()};
}

/// Reductions of one array that do not need one another.
values reductions(int n) {
    const value x = small_arrays(2)[1];
    values all;
    for (int k = 0; k < n; ++k) all.push_back(frit::sum(x * static_cast<float>(k)));
    return all;
}

/// Disjoint parts of one array, written one by one.
values updates(int n) {
    value x = value(frit::zeros<float>({n})).eval();
    for (int k = 0; k < n; ++k) x(frit::slice(k, k + 1)) = static_cast<float>(k);
    return {x};
}

/// Each statement needs the one before in memory.
values reshapes(int n) {
    value x = value(frit::zeros<float>({24, 30})).eval();
    for (int k = 0; k < n; ++k) x = value((x.T() + 1.0F).reshape({24, 30}));
    return {x};
}

void connected() {
    double of_chain = 0;
    const auto row = [&](const char* name, int statements, values (*build)(int), int n) {
        const values x = build(n);
        const double first = seconds([&] { frit::eval(x); }) / statements * 1e9;
        if (of_chain == 0) of_chain = first;
        std::printf("%-36s %10d %10.0f %10.1f\n", name, statements, first, first / of_chain);
        std::fflush(stdout);
    };
    std::printf("%-36s %10s %10s %10s   (ns per statement; to the chain's)\n", "connected", "statements", "first", "ratio");
    frit::eval(chain(1));
    row("a chain", 4096, chain, 4096);
    row("64 sums of the same 64 arrays", 4096, sums_of_the_same, 0);
    row("a chain of weighted terms", 302 * 301 / 2, weighted_chain, 302 * 301 / 2);
    row("each a sum of all before", 302 * 301 / 2, history, 302);
    row("sums of one array", 4096, reductions, 4096);
    row("disjoint updates of one array", 4096, updates, 4096);
    row("reshapes that need memory", 1024, reshapes, 1024);
}

void shapes(const char* name, value (*formula)(const value&)) {
    constexpr int calls = 10'000;
    std::mt19937 random(7);
    const auto extent = [&](int bits) { return std::int64_t{1} + random() % (1U << (random() % bits)); };  // 1 to 2^bits
    const frit::counters before = frit::stats();
    const double time = seconds([&] {
        for (int k = 0; k < calls; ++k) {
            value out = formula(frit::full({extent(6), extent(13)}, 0.5F).eval());
            out.eval();
        }
    });
    const frit::counters after = frit::stats();
    std::printf("%-12s %10llu %10llu %12.1f\n", name,
                static_cast<unsigned long long>(after.compilations - before.compilations),
                static_cast<unsigned long long>(after.kernels_launched - before.kernels_launched), time / calls * 1e6);
    std::fflush(stdout);
}

}  // namespace

int main() try {
    setenv("FRIT_CPU_ENGINE", "cxx", 0);
    setenv("FRIT_NUM_THREADS", "1", 0);
    std::printf("device: %s\n%d random shapes\n%-12s %10s %10s %12s\n", frit::default_device().description().c_str(), 10'000,
                "formula", "compiled", "kernels", "us per call");
    shapes("softmax", [](const value& x) -> value { return frit::softmax(x, 1); });
    shapes("layer_norm", [](const value& x) -> value { return frit::layer_norm(x, 1); });
    shapes("sum(x, 0)", [](const value& x) -> value { return frit::sum(x, 0); });
    shapes("argmax(x, 1)", [](const value& x) -> value { return frit::cast<float>(frit::argmax(x, 1)); });

    frit::set_graph_limit(0);
    table("layers", layers);
    table("statistics", statistics);
    connected();
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "planning_rows: %s\n", e.what());
    return 1;
}

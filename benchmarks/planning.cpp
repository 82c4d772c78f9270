// The claim: what frit does on the host grows linearly. Nanoseconds per statement of one evaluation of 100 to 100,000
// statements: recording them, planning them (frit::make_plan), evaluating them the first time (planning and kernels
// included), and evaluating the same again; processor time, in which a busy machine does not show. A statement of the
// chain is four nodes, of the lattice two. Arrays of 8 elements, no graph limit; the bar is 100,000 nodes planned in one
// second. And of a loop that never evaluates, at the default limit: nanoseconds per step, over a thousand to a million.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <frit/frit.hpp>
#include <vector>

namespace {

using frit::array;

template <class F>
double seconds(F&& f) {
    const std::clock_t start = std::clock();
    f();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// One value after the other: a state that is stepped.
array<double> chain(int n) {
    array<double> x = frit::full({8}, 0.25);
    for (int k = 1; k < n; ++k) x = x + 1e-3 * (x - x * x);
    return x;
}

/// Values that are read again much later: differences of neighbours, over and over.
array<double> lattice(int n) {
    constexpr std::size_t width = 32;
    std::vector<array<double>> row;
    for (std::size_t k = 0; k < width; ++k) row.push_back(frit::full({8}, 1.0 + static_cast<double>(k)));
    for (int k = static_cast<int>(width); k < n; ++k) {
        const std::size_t at = static_cast<std::size_t>(k) % width;
        row[at] = 0.5 * (row[at] + row[(at + 7) % width]);
    }
    array<double> total = row[0];
    for (std::size_t k = 1; k < width; ++k) total = total + row[k];
    return total;
}

void table(const char* name, array<double> (*build)(int)) {
    std::printf("%s\n%10s %10s %10s %10s %10s   (ns per statement)\n", name, "statements", "record", "plan", "first",
                "again");
    for (const int n : {100, 1000, 10'000, 100'000}) {
        const int rounds = std::max(1, 1000 / n);
        double record = 0, plan = 0, first = 0, again = 0;
        for (int round = 0; round < rounds; ++round) {
            array<double> x, y;
            record += seconds([&] { x = build(n); });
            plan += seconds([&] { (void)frit::make_plan(x).peak_bytes(); });
            const double time = seconds([&] { x.eval(); });
            if (round == 0) first = time;
            y = build(n);
            again += seconds([&] { y.eval(); });
        }
        const double unit = 1e9 / n;
        std::printf("%10d %10.0f %10.0f %10.0f %10.0f\n", n, record / rounds * unit, plan / rounds * unit, first * unit,
                    again / rounds * unit);
    }
}

void loop() {
    std::printf("a loop without eval()\n%10s %10s   (ns per step)\n", "steps", "time");
    for (const int n : {1000, 10'000, 100'000, 1'000'000}) {
        array<double> x = frit::full({8}, 0.25);
        const double time = seconds([&] {
            for (int k = 0; k < n; ++k) x = x + 1e-3 * (x - x * x);
            x.eval();
        });
        std::printf("%10d %10.0f\n", n, time / n * 1e9);
    }
}

}  // namespace

int main() {
    std::printf("device: %s\n", frit::default_device().description().c_str());
    loop();
    frit::set_graph_limit(0);
    table("a chain", chain);
    table("a lattice of 32 values", lattice);
}

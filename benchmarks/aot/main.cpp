// Formulas by frit::aot beside the same statements as frit evaluates them, and beside Eigen, on one thread. Compiled as a
// program is that names no instruction set. See aot.hpp for the claim.
#include <frit/aot.hpp>
#include <frit/frit.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "aot.hpp"

namespace {

template <class T>
struct times {
    double aot = 0, statement = 0;
    frit::array<T> out;
};

template <class T, class F>
times<T> timed(const F& make) {
    times<T> t;
    t.statement = nanoseconds([&] {
        t.out = make();
        t.out.eval();
    });
    t.aot = nanoseconds([&] { t.out = frit::aot(make()); });
    return t;
}

template <class T>
times<T> of_frit(formula f, std::size_t n) {
    const frit::array<T> x = frit::from_host(column<T>(n, -2)), spread = frit::from_host(column<T>(2 * n, -2)),
                         y = frit::from_host(column<T>(n, 1));
    if (f == formula::axpb) return timed<T>([&] { return x * 2.5 + 0.75; });
    if (f == formula::axpbypc) return timed<T>([&] { return x * 2.5 + y * 1.5 + 0.75; });
    if (f == formula::total) return timed<T>([&] { return sum(x * y + 0.75); });
    if (f == formula::strided) return timed<T>([&] { return 2.5 * spread(frit::slice(frit::none, frit::none, 2)) + y; });
    return timed<T>([&] { return (((x * 0.03 + 0.2) * x + 0.7) * x + 1.1) / ((x * 0.05 + 0.4) * x + 1.3) + x; });
}

/// @returns whether the bar is met, where there is one
template <class T>
bool compare(formula f, const char* element, std::size_t n) {
    const times<T> t = of_frit<T>(f, n);
    double sum = 0, mean = 0;
    for (const T v : t.out.to_vector()) sum += static_cast<double>(v);
    const double eigen = eigen_nanoseconds<T>(f, n, mean), bar = 1.3 * eigen + 300;
    if (std::abs(sum / static_cast<double>(n) - mean) > 1e-3) {
        std::fprintf(stderr, "%s: the results differ\n", formula_names[static_cast<int>(f)]);
        std::exit(1);
    }
    std::printf("%-8s %s %8zu %12.0f %12.0f %12.0f %8.2f", formula_names[static_cast<int>(f)], element, n, t.statement,
                t.aot, eigen, t.aot / eigen);
    if (f == formula::strided) return std::printf("\n") > 0;
    std::printf(" %12.0f %s\n", bar, t.aot <= bar ? "yes" : "no");
    return t.aot <= bar;
}

}  // namespace

int main() try {
    ::setenv("FRIT_NUM_THREADS", "1", 1);
    ::setenv("FRIT_DEVICE", "cpu", 1);
    std::printf("ns a call            n    statement          aot        Eigen    ratio          bar\n");
    bool good = true;
    for (const formula f : {formula::axpb, formula::axpbypc, formula::poly12, formula::total, formula::strided})
        for (const std::size_t n : {std::size_t{1000}, std::size_t{10'000}, std::size_t{100'000}}) {
            good = compare<float>(f, "f32", n) && good;
            good = compare<double>(f, "f64", n) && good;
        }
    std::printf("bar (1.3 of Eigen and 300 ns): %s\n", good ? "met" : "not met");
    return good ? 0 : 1;
} catch (const std::exception& e) {
    std::fprintf(stderr, "aot: %s\n", e.what());
    return 1;
}

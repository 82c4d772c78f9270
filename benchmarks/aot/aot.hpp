// The claim of this folder: a formula by frit::aot takes at most 1.3 times Eigen's time and 0.3 us, from 1,000 elements on,
// where its operands lie in order. What does not is collected first, for which there is no claim.
// What the peers share: the names of the formulas, and what one run of one takes.
//   axpb     2.5 x + 0.75
//   axpbypc  2.5 x + 1.5 y + 0.75
//   poly12   (((0.03 x + 0.2) x + 0.7) x + 1.1) / ((0.05 x + 0.4) x + 1.3) + x
//   total    the sum of x y + 0.75
//   strided  2.5 x + y, of every other element of an x twice as long
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

enum class formula { axpb, axpbypc, poly12, total, strided };
inline constexpr const char* formula_names[] = {"axpb", "axpbypc", "poly12", "total", "strided"};

template <class T>
std::vector<T> column(std::size_t n, double low) {
    std::vector<T> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(low + static_cast<double>(i % 997) * 0.004);
    return v;
}

/// Nanoseconds of one call of f: the least of several rounds of about two milliseconds.
template <class F>
double nanoseconds(const F& f) {
    using clock = std::chrono::steady_clock;
    const auto timed = [&](int calls) {
        const auto start = clock::now();
        for (int k = 0; k < calls; ++k) f();
        return std::chrono::duration<double, std::nano>(clock::now() - start).count() / calls;
    };
    const double one = timed(3);
    const int calls = one > 2e6 ? 1 : static_cast<int>(2e6 / one) + 1;
    double least = timed(calls);
    for (int round = 0; round < 30; ++round)
        if (const double t = timed(calls); t < least) least = t;
    return least;
}

/// Eigen's time, into memory that is there; `mean` of the result, of a total as if it were that of n elements.
template <class T>
double eigen_nanoseconds(formula, std::size_t n, double& mean);

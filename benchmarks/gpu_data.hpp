// Fresh random inputs for the GPU benchmark. Element i of a column is a function of a seed and i, so that the host can
// check any element of any input set without keeping the arrays.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

/// One input column: normal(0, 1) where low == high, else uniform in [low, high).
struct column {
    double low = 0, high = 0;
};

/// splitmix64's finaliser (Steele, Lea and Flood, OOPSLA 2014): 53 random bits of a counter, as a number in (0, 1).
inline double uniform01(std::uint64_t counter) {
    std::uint64_t z = counter * 0x9e3779b97f4a7c15u + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (static_cast<double>((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

/// Element i of a column. Normal values are Box and Muller's, one from two uniform ones.
inline float element(const column& c, std::uint64_t seed, std::uint64_t i) {
    const std::uint64_t counter = seed + 2 * i;
    if (c.low != c.high) return static_cast<float>(c.low + (c.high - c.low) * uniform01(counter));
    return static_cast<float>(std::sqrt(-2 * std::log(uniform01(counter))) *
                              std::cos(6.283185307179586 * uniform01(counter + 1)));
}

/// Runs work(begin, end) over [0, n) on all hardware threads.
template <class Work>
void in_parallel(std::size_t n, const Work& work) {
    const std::size_t parts = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> threads;
    for (std::size_t p = 0; p < parts; ++p) threads.emplace_back([&, p] { work(n * p / parts, n * (p + 1) / parts); });
    for (std::thread& t : threads) t.join();
}

inline std::vector<float> make_column(const column& c, std::uint64_t seed, std::size_t n) {
    std::vector<float> values(n);
    in_parallel(n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) values[i] = element(c, seed, i);
    });
    return values;
}

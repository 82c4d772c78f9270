// Fresh random inputs for the GPU benchmark. Element i of an input is a function of a seed and i, so that the host can check
// any element of any input set without keeping the arrays.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

#include <frit/dtype.hpp>

/// What the elements of an input are: normal around `low` with deviation 1 where low == high, else uniform in [low, high).
struct column {
    double low = 0, high = 0;
    frit::dtype type = frit::dtype::f32;
    std::size_t dominant = 0;  ///< not 0: of matrices with so many rows, and columns, to whose diagonals 8 is added
};

/// splitmix64's finaliser (Steele, Lea and Flood, OOPSLA 2014): 53 random bits of a counter, as a number in (0, 1).
inline double uniform01(std::uint64_t counter) {
    std::uint64_t z = counter * 0x9e3779b97f4a7c15u + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (static_cast<double>((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

/// Element i of a column, as its type holds it. Normal values are Box and Muller's, one from two uniform ones.
inline double element(const column& c, std::uint64_t seed, std::uint64_t i) {
    const std::uint64_t counter = seed + 2 * i;
    double value = c.low != c.high ? c.low + (c.high - c.low) * uniform01(counter)
                                   : c.low + std::sqrt(-2 * std::log(uniform01(counter))) *
                                                 std::cos(6.283185307179586 * uniform01(counter + 1));
    if (c.dominant != 0 && i % (c.dominant * c.dominant) % (c.dominant + 1) == 0) value += 8;
    switch (c.type) {
        case frit::dtype::f32: return static_cast<double>(static_cast<float>(value));
        case frit::dtype::f64: return value;
        case frit::dtype::f16: return static_cast<double>(static_cast<float>(frit::half(value)));
        case frit::dtype::bf16: return static_cast<double>(static_cast<float>(frit::bfloat16(value)));
        default: return std::floor(value);
    }
}

/// Runs work(begin, end) over [0, n) on all hardware threads.
template <class Work>
void in_parallel(std::size_t n, const Work& work) {
    const std::size_t parts = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> threads;
    for (std::size_t p = 0; p < parts; ++p) threads.emplace_back([&, p] { work(n * p / parts, n * (p + 1) / parts); });
    for (std::thread& t : threads) t.join();
}

template <class T>
std::vector<T> make_column(const column& c, std::uint64_t seed, std::size_t n) {
    std::vector<T> values(n);
    in_parallel(n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) values[i] = static_cast<T>(element(c, seed, i));
    });
    return values;
}

// The everyday programs: what the table needs to know of each, and the peers in C++. A program is a list of statements such
// as people bring from NumPy, small arrays and loops among them; the same statements stand in frit.cpp and in everyday.py,
// and where a table's row asks for one, a loop in loop.cpp. A program with several settings of `evals` is one line for each.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../worker.hpp"

namespace everyday {

/// When a program evaluates what it has recorded.
enum class evals {
    end,        ///< once, after the last step ("never in the loop")
    step,       ///< after every step of its loop
    statement,  ///< after every statement
};
inline constexpr std::array evals_names{"end", "step", "statement"};

/// A program as the table needs it. Where a call is a loop, its size is the number of steps and figures are of one step;
/// otherwise its size is the number of elements and figures are of the call.
struct program {
    const char* name;
    const char* text;
    std::size_t size;              ///< at which today's speed allows several rounds
    std::size_t full;              ///< with --full
    bool loop;                     ///< the size counts steps
    std::size_t elements;          ///< that the longest statement computes; 0: the size
    double statements;             ///< of a step
    std::array<bool, 3> variants;  ///< which evals it is timed with
    bool by_hand;                  ///< loop.cpp has it
};

inline constexpr std::array<bool, 3> once{true, false, false}, end_and_step{true, true, false},
    end_and_statement{true, false, true}, all_three{true, true, true};

inline constexpr std::array programs{
    program{"cavity", "lid-driven cavity, 41 x 41, 50 pressure rounds", 60, 200, true, 41 * 41, 261, end_and_step, false},
    program{"stencil_41", "5-point stencil, 4 boundary rows, 41 x 41", 1000, 1000, true, 41 * 41, 5, all_three, false},
    program{"stencil_201", "5-point stencil, 4 boundary rows, 201 x 201", 1000, 1000, true, 201 * 201, 5, all_three, false},
    program{"row_write", "u(6) = u(5) * 2 on 1000 x 1000 f32", 1000, 1000, false, 0, 1, once, false},
    program{"element_write", "u(0, 0) = u(999, 999) on 1000 x 1000 f32", 1, 1, false, 0, 1, once, false},
    program{"recurrence", "y(k) = 0.9 * y(k - 1) + x(k), rows of 4096", 499, 499, true, 4096, 1, end_and_statement, false},
    program{"scalar_writes", "y(i, j) = v", 10'000, 10'000, true, 1, 1, end_and_statement, false},
    program{"generator", "a = arange(n); sum(a * a).item()", 10'000'000, 1'000'000'000, false, 0, 2, once, false},
    program{"generator_temporary", "sum(square(arange(n))).item()", 10'000'000, 1'000'000'000, false, 0, 1, once, false},
    program{"pow", "pow(y, 2); loop: y * y", 1'000'000, 1'000'000, false, 0, 1, once, true},
    program{"product", "y * y", 1'000'000, 1'000'000, false, 0, 1, once, true},
    program{"floor_divide", "floor_divide(k, 7) of int32", 1'000'000, 1'000'000, false, 0, 1, once, false},
    program{"sort", "sort of rows of 1000", 1'000'000, 1'000'000, false, 0, 1, once, false},
    program{"argsort", "argsort of rows of 1000", 1'000'000, 1'000'000, false, 0, 1, once, false},
    program{"median", "sort(x)(n / 2).item()", 1'000'000, 1'000'000, false, 0, 1, once, false},
    program{"nbody", "1024 bodies, positions (n, 3)", 1024 * 1024, 1024 * 1024, false, 0, 5, once, true},
    program{"nbody_apart", "1024 bodies, x, y and z apart", 1024 * 1024, 1024 * 1024, false, 0, 8, once, true},
    program{"rows_of_3", "sum of rows of 3, f32", 4'000'000, 4'000'000, false, 0, 1, once, true},
    program{"heat", "a heat step, 512 x 512", 512 * 512, 512 * 512, false, 0, 1, once, true},
    program{"matrices", "products 3 x 3 by broadcasting", 900'000, 900'000, false, 0, 1, once, true},
    program{"lorenz", "Runge-Kutta 4 of 3 numbers", 1000, 1000, true, 1, 24, end_and_step, false},
    program{"convolution", "3 -> 8 channels of 64 x 64 by 27 slices", 8 * 64 * 64, 8 * 64 * 64, false, 0, 27,
            end_and_statement, false},
    program{"convolve_5", "np.convolve of 5 taps", 100'000, 100'000, false, 0, 1, once, false},
    program{"convolve_5", "np.convolve of 5 taps", 10'000'000, 10'000'000, false, 0, 1, once, false},
    program{"convolve_101", "np.convolve of 101 taps", 100'000, 100'000, false, 0, 1, once, false},
    program{"convolve_101", "np.convolve of 101 taps", 10'000'000, 10'000'000, false, 0, 1, once, false},
    program{"convolve2d_5", "5 x 5 taps on 1024 x 1024, NumPy by slices", 1024 * 1024, 1024 * 1024, false, 0, 1, once,
            false},
    program{"convolve2d_15", "15 x 15 taps on 1024 x 1024, NumPy by slices", 1024 * 1024, 1024 * 1024, false, 0, 1, once,
            false},
    program{"map", "x * 2 + 1", 10, 10, false, 0, 1, once, false},
    program{"map", "x * 2 + 1", 100, 100, false, 0, 1, once, false},
    program{"map", "x * 2 + 1", 1000, 1000, false, 0, 1, once, false},
    program{"map", "x * 2 + 1", 10'000, 10'000, false, 0, 1, once, false},
    program{"items", "x(k).item()", 1000, 1000, true, 1, 1, once, false},
    program{"distance", "d = x - y; sum(d * d).item()", 1000, 1000, false, 0, 2, once, false},
    program{"distance", "d = x - y; sum(d * d).item()", 1'000'000, 1'000'000, false, 0, 2, once, false},
    program{"residual", "v = step(u); r = norm(v - u).item(); u = v", 1000, 1000, false, 0, 2, once, false},
    program{"residual", "v = step(u); r = norm(v - u).item(); u = v", 1'000'000, 1'000'000, false, 0, 2, once, false},
};

/// Element i is low + (high - low) * frac(i * step), the same in every language.
template <class T>
std::vector<T> sequence(std::size_t n, double low = -2, double high = 2, double step = 0.6180339887498949) {
    std::vector<T> v(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double t = static_cast<double>(i) * step;
        v[i] = static_cast<T>(low + (high - low) * (t - std::floor(t)));
    }
    return v;
}

/// What peers are compared by: the mean of the squares, each weighted by where it stands.
template <class T>
double checksum(const std::vector<T>& values) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double t = static_cast<double>(i) * 0.3027756377319946, v = static_cast<double>(values[i]);
        sum += v * v * (0.5 + t - std::floor(t));
    }
    return sum / static_cast<double>(values.size());
}

// The peers in C++. Both throw std::runtime_error for an unknown program.
job frit_job(std::string_view program, std::size_t size, evals when);
job loop_job(std::string_view program, std::size_t size);

}  // namespace everyday

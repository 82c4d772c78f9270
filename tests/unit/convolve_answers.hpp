// What NumPy 2.4 and SciPy 1.17 give for convolutions and correlations of short vectors and small matrices, of every parity
// and either order of lengths; beside test_convolve.cpp, which has the operands that they are the first elements of.
#pragma once

#include <vector>

#include "frit/frit.hpp"

namespace frit_test {

using mode = frit::convolve_mode;

struct vector_answer {
    int n, m;
    bool correlates;
    mode how;
    std::vector<int> values;
};
/// np.convolve and np.correlate of [3, 1, 4, 1][:n] and [2, 7, 1, 8, 2, 8][:m].
inline const std::vector<vector_answer> vector_answers{
    {4, 1, false, mode::full, {6, 2, 8, 2}},
    {4, 1, false, mode::same, {6, 2, 8, 2}},
    {4, 1, false, mode::valid, {6, 2, 8, 2}},
    {4, 1, true, mode::full, {6, 2, 8, 2}},
    {4, 1, true, mode::same, {6, 2, 8, 2}},
    {4, 1, true, mode::valid, {6, 2, 8, 2}},
    {4, 2, false, mode::full, {6, 23, 15, 30, 7}},
    {4, 2, false, mode::same, {6, 23, 15, 30}},
    {4, 2, false, mode::valid, {23, 15, 30}},
    {4, 2, true, mode::full, {21, 13, 30, 15, 2}},
    {4, 2, true, mode::same, {21, 13, 30, 15}},
    {4, 2, true, mode::valid, {13, 30, 15}},
    {4, 3, false, mode::full, {6, 23, 18, 31, 11, 1}},
    {4, 3, false, mode::same, {23, 18, 31, 11}},
    {4, 3, false, mode::valid, {18, 31}},
    {4, 3, true, mode::full, {3, 22, 17, 31, 15, 2}},
    {4, 3, true, mode::same, {22, 17, 31, 15}},
    {4, 3, true, mode::valid, {17, 31}},
    {3, 3, false, mode::full, {6, 23, 18, 29, 4}},
    {3, 3, false, mode::same, {23, 18, 29}},
    {3, 3, false, mode::valid, {18}},
    {3, 3, true, mode::full, {3, 22, 17, 30, 8}},
    {3, 3, true, mode::same, {22, 17, 30}},
    {3, 3, true, mode::valid, {17}},
    {4, 4, false, mode::full, {6, 23, 18, 55, 19, 33, 8}},
    {4, 4, false, mode::same, {23, 18, 55, 19}},
    {4, 4, false, mode::valid, {55}},
    {4, 4, true, mode::full, {24, 11, 54, 25, 31, 15, 2}},
    {4, 4, true, mode::same, {11, 54, 25, 31}},
    {4, 4, true, mode::valid, {25}},
    {2, 5, false, mode::full, {6, 23, 10, 25, 14, 2}},
    {2, 5, false, mode::same, {6, 23, 10, 25, 14}},
    {2, 5, false, mode::valid, {23, 10, 25, 14}},
    {2, 5, true, mode::full, {6, 26, 11, 22, 13, 2}},
    {2, 5, true, mode::same, {26, 11, 22, 13, 2}},
    {2, 5, true, mode::valid, {26, 11, 22, 13}},
    {3, 6, false, mode::full, {6, 23, 18, 53, 18, 58, 16, 32}},
    {3, 6, false, mode::same, {23, 18, 53, 18, 58, 16}},
    {3, 6, false, mode::valid, {18, 53, 18, 58}},
    {3, 6, true, mode::full, {24, 14, 58, 19, 54, 17, 30, 8}},
    {3, 6, true, mode::same, {14, 58, 19, 54, 17, 30}},
    {3, 6, true, mode::valid, {58, 19, 54, 17}},
    {1, 4, false, mode::full, {6, 21, 3, 24}},
    {1, 4, false, mode::same, {6, 21, 3, 24}},
    {1, 4, false, mode::valid, {6, 21, 3, 24}},
    {1, 4, true, mode::full, {24, 3, 21, 6}},
    {1, 4, true, mode::same, {24, 3, 21, 6}},
    {1, 4, true, mode::valid, {24, 3, 21, 6}},
};

struct matrix_answer {
    frit::shape x, k;
    bool correlates;
    mode how;
    frit::shape result;
    std::vector<int> values;
};
/// scipy.signal.convolve2d and correlate2d of the first rows and columns of [[3, 1, 4], [1, 5, 9], [2, 6, 5], [3, 5, 8]] and
/// [[2, 7, 1, 8], [2, 8, 1, 8], [2, 8, 4, 5], [9, 0, 4, 5], [2, 3, 5, 3]].
inline const std::vector<matrix_answer> matrix_answers{
    {{4, 3}, {1, 1}, false, mode::full, {4, 3}, {6, 2, 8, 2, 10, 18, 4, 12, 10, 6, 10, 16}},
    {{4, 3}, {1, 1}, false, mode::same, {4, 3}, {6, 2, 8, 2, 10, 18, 4, 12, 10, 6, 10, 16}},
    {{4, 3}, {1, 1}, false, mode::valid, {4, 3}, {6, 2, 8, 2, 10, 18, 4, 12, 10, 6, 10, 16}},
    {{4, 3}, {1, 1}, true, mode::full, {4, 3}, {6, 2, 8, 2, 10, 18, 4, 12, 10, 6, 10, 16}},
    {{4, 3}, {1, 1}, true, mode::same, {4, 3}, {6, 2, 8, 2, 10, 18, 4, 12, 10, 6, 10, 16}},
    {{4, 3}, {1, 1}, true, mode::valid, {4, 3}, {6, 2, 8, 2, 10, 18, 4, 12, 10, 6, 10, 16}},
    {{4, 3}, {2, 2}, false, mode::full, {5, 4}, {6,   23,  15, 28, 8,   43, 69, 95, 6,  44,
                                                 110, 107, 10, 59, 109, 96, 6,  34, 56, 64}},
    {{4, 3}, {2, 2}, false, mode::same, {4, 3}, {6, 23, 15, 8, 43, 69, 6, 44, 110, 10, 59, 109}},
    {{4, 3}, {2, 2}, false, mode::valid, {3, 2}, {43, 69, 44, 110, 59, 109}},
    {{4, 3}, {2, 2}, true, mode::full, {5, 4}, {24,  14, 34, 8,  29,  55, 112, 26, 23, 89,
                                                125, 28, 38, 92, 121, 26, 21,  41, 66, 16}},
    {{4, 3}, {2, 2}, true, mode::same, {4, 3}, {55, 112, 26, 89, 125, 28, 92, 121, 26, 41, 66, 16}},
    {{4, 3}, {2, 2}, true, mode::valid, {3, 2}, {55, 112, 89, 125, 92, 121}},
    {{4, 3}, {3, 2}, false, mode::full, {6, 4}, {6,  23, 15,  28,  8,  43, 69,  95,  12, 70, 126, 139,
                                                 12, 77, 167, 168, 10, 62, 114, 104, 6,  34, 56,  64}},
    {{4, 3}, {3, 2}, false, mode::same, {4, 3}, {8, 43, 69, 12, 70, 126, 12, 77, 167, 10, 62, 114}},
    {{4, 3}, {3, 2}, false, mode::valid, {2, 2}, {70, 126, 77, 167}},
    {{4, 3}, {3, 2}, true, mode::full, {6, 4}, {24, 14,  34,  8,  32, 56, 116, 26, 45, 107, 164, 36,
                                                47, 135, 199, 44, 38, 92, 121, 26, 21, 41,  66,  16}},
    {{4, 3}, {3, 2}, true, mode::same, {4, 3}, {56, 116, 26, 107, 164, 36, 135, 199, 44, 92, 121, 26}},
    {{4, 3}, {3, 2}, true, mode::valid, {2, 2}, {107, 164, 135, 199}},
    {{2, 3}, {3, 4}, false, mode::full, {4, 6}, {6, 23, 18, 53,  12, 32, 8, 43, 73, 133, 61, 104,
                                                 8, 44, 87, 136, 70, 92, 2, 18, 62, 97,  61, 45}},
    {{2, 3}, {3, 4}, false, mode::same, {2, 3}, {43, 73, 133, 44, 87, 136}},
    {{2, 3}, {3, 4}, false, mode::valid, {2, 2}, {73, 133, 87, 136}},
    {{2, 3}, {3, 4}, true, mode::full, {4, 6}, {15, 17, 48,  30, 34,  8,  29, 40, 130, 96, 116, 26,
                                                32, 52, 139, 68, 112, 26, 8,  41, 84,  46, 73,  18}},
    {{2, 3}, {3, 4}, true, mode::same, {2, 3}, {130, 96, 116, 139, 68, 112}},
    {{2, 3}, {3, 4}, true, mode::valid, {2, 2}, {130, 96, 139, 68}},
    {{2, 3}, {5, 4}, false, mode::full, {6, 6}, {6,  23, 18,  53,  12, 32, 8,  43, 73,  133, 61, 104,
                                                 8,  44, 87,  136, 70, 92, 29, 27, 110, 116, 82, 65,
                                                 15, 56, 111, 51,  84, 57, 2,  13, 38,  55,  60, 27}},
    {{2, 3}, {5, 4}, false, mode::same, {2, 3}, {44, 87, 136, 27, 110, 116}},
    {{2, 3}, {5, 4}, false, mode::valid, {4, 2}, {73, 133, 87, 136, 110, 116, 111, 51}},
    {{2, 3}, {5, 4}, true, mode::full, {6, 6}, {9,  18, 26,  29, 14,  8,  18, 37, 79,  105, 46,  54,
                                                20, 46, 113, 75, 79,  89, 29, 40, 130, 96,  116, 26,
                                                32, 52, 139, 68, 112, 26, 8,  41, 84,  46,  73,  18}},
    {{2, 3}, {5, 4}, true, mode::same, {2, 3}, {113, 75, 79, 130, 96, 116}},
    {{2, 3}, {5, 4}, true, mode::valid, {4, 2}, {79, 105, 113, 75, 130, 96, 139, 68}},
    {{4, 3}, {2, 4}, false, mode::full, {5, 6}, {6,   23,  18,  53, 12, 32,  8,   43,  73,  133, 61, 104, 6,  44, 113,
                                                 142, 102, 112, 10, 59, 114, 147, 101, 104, 6,   34, 59,  93, 48, 64}},
    {{4, 3}, {2, 4}, false, mode::same, {4, 3}, {23, 18, 53, 43, 73, 133, 44, 113, 142, 59, 114, 147}},
    {{4, 3}, {2, 4}, true, mode::full, {5, 6}, {24,  11,  57, 18, 34, 8,   32,  52,  139, 68, 112, 26, 24, 91, 146,
                                                103, 125, 28, 40, 93, 153, 105, 121, 26,  24, 43,  90, 49, 66, 16}},
    {{4, 3}, {2, 4}, true, mode::same, {4, 3}, {139, 68, 112, 146, 103, 125, 153, 105, 121, 90, 49, 66}},
};

}  // namespace frit_test

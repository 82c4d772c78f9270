// One call of a library of dense linear algebra, scans or sorts, as plain data: what a library op of the graph becomes once
// its operands are in memory. Unlike a kernel it is not generated, so extents and strides stand in it as they are; pointers
// come at run time. Backends run it (backend::call); the planner only fills it in.
#pragma once

#include <cstdint>

#include "frit/dtype.hpp"
#include "frit/opcode.hpp"

namespace frit::inline v0::fusion {

/// How a matrix lies in memory: element (i, j) at i * ld + j, or, where transposed, at i + j * ld. In elements.
struct matrix_layout {
    std::int64_t ld = 1;
    bool transposed = false;
    friend bool operator==(const matrix_layout&, const matrix_layout&) = default;
};

struct library_call {
    op code = op::matmul;
    dtype type = dtype::f32;    ///< of the operands
    dtype result = dtype::f32;  ///< type, but i64 for argsort
    /// matmul: result (m x n, dense, row-major) = a (m x k) times b (k x n); vectors have m or n = 1. k = 0 gives zeros.
    std::int64_t m = 0, n = 0, k = 0;
    matrix_layout a{}, b{};
    /// scans and sorts: `rows` rows of `length` elements each, dense; every row on its own. Sorts put NaN last (of any
    /// sign), -0 before +0 in sort; argsort is stable, with -0 equal to +0.
    std::int64_t rows = 0, length = 0;
    friend bool operator==(const library_call&, const library_call&) = default;
};

}  // namespace frit::v0::fusion

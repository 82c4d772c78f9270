// A matrix product as libraries of linear algebra are asked for it, on every engine.
#pragma once

#include <cstdint>

#include "frit/dtype.hpp"

namespace frit::inline v0::detail {

/// How a matrix lies in memory: element (i, j) at i * ld + j, or, where transposed, at i + j * ld. In elements.
struct matrix_layout {
    std::int64_t ld = 1;
    bool transposed = false;
    friend bool operator==(const matrix_layout&, const matrix_layout&) = default;
};

/// The result (m x n, dense, row-major) = a (m x k) times b (k x n); vectors have m or n = 1. k = 0 gives zeros.
struct matrix_product {
    dtype type = dtype::f32;
    std::int64_t m = 0, n = 0, k = 0;
    matrix_layout a{}, b{};
};

}  // namespace frit::v0::detail

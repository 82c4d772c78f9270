// A matrix product as libraries of linear algebra are asked for it, on every engine.
#pragma once

#include <array>
#include <cstdint>

#include "frit/dtype.hpp"
#include "frit/opcode.hpp"
#include "frit/precision.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0::detail {

/// The op that stands for a product of each precision, in their order.
inline constexpr std::array products{op::matmul, op::matmul_tf32, op::matmul_bf16x9};

/// How a matrix lies in memory: element (i, j) at i * ld + j, or, where transposed, at i + j * ld. In elements.
struct matrix_layout {
    std::int64_t ld = 1;
    bool transposed = false;
    bool conjugated = false;  ///< what is multiplied is the conjugate of what lies there
    friend bool operator==(const matrix_layout&, const matrix_layout&) = default;
};

/// An axis of a batch: how many matrices it has, and how far apart those of a and of b are, in elements. 0: all are one.
struct batch_axis {
    std::int64_t extent = 0, a = 0, b = 0;
    friend bool operator==(const batch_axis&, const batch_axis&) = default;
};

/// The result (m x n, dense, row-major) = a (m x k) times b (k x n); vectors have m or n = 1. k = 0 gives zeros. Of a batch
/// the results are one behind the other.
struct matrix_product {
    dtype type = dtype::f32;
    precision digits = precision::float32;  ///< of factors and products, on a GPU
    std::int64_t m = 0, n = 0, k = 0;
    matrix_layout a{}, b{};
    int axes = 0;  ///< of the batch
    std::array<batch_axis, max_rank> batch{};

    /// Behind those there are; axes along which both operands go on in even steps are one.
    void add_axis(const batch_axis& next) {
        if (next.extent == 1) return;
        batch_axis* const last = axes > 0 ? &batch[static_cast<std::size_t>(axes - 1)] : nullptr;
        if (last && last->a == next.a * next.extent && last->b == next.b * next.extent)
            *last = {last->extent * next.extent, next.a, next.b};
        else
            batch[static_cast<std::size_t>(axes++)] = next;
    }
    std::int64_t matrices() const {
        std::int64_t count = 1;
        for (int axis = 0; axis < axes; ++axis) count *= batch[static_cast<std::size_t>(axis)].extent;
        return count;
    }
    struct place {
        std::int64_t a, b, result;
    };
    /// Where the operands and the result of product i of the batch are.
    place at(std::int64_t i) const {
        place p{0, 0, i * m * n};
        for (int axis = axes; axis-- > 0;) {
            const batch_axis& x = batch[static_cast<std::size_t>(axis)];
            p.a += i % x.extent * x.a;
            p.b += i % x.extent * x.b;
            i /= x.extent;
        }
        return p;
    }
};

}  // namespace frit::v0::detail

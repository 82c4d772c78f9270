// Library calls made directly on a backend: on a GPU, on the fake driver with a fake cuBLAS, and on the CPU, which checks
// these checks. References are computed here.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "src/engine/backend.hpp"
#include "tests/support/library_calls.hpp"
#include "tests/support/values.hpp"

namespace frit_test {

using frit::detail::matrix_layout;

template <class T>
frit::detail::buffer_ref to_device(frit::detail::backend& b, const std::vector<T>& values) {
    frit::detail::buffer_ref memory = b.allocate(values.size() * sizeof(T));
    b.upload(*memory.get(), 0, values.data(), values.size() * sizeof(T));
    return memory;
}
template <class T>
std::vector<T> from_device(frit::detail::backend& b, const frit::detail::buffer_ref& memory, std::size_t count) {
    std::vector<T> values(count);
    b.download(values.data(), *memory.get(), 0, count * sizeof(T));
    return values;
}

/// Null for a result that is not asked for.
inline void call_with_workspace(frit::detail::backend& b, const library_call& c, const std::vector<const void*>& operands,
                                std::vector<void*> results) {
    const frit::detail::buffer_ref workspace = b.allocate(b.workspace(c));
    b.call(c, {operands, results, workspace->data});
}

template <class T>
inline constexpr bool is_complex_number = frit::is_complex(frit::dtype_of<T>);
/// What an element is in a reference.
template <class T>
using wide = std::conditional_t<is_complex_number<T>, std::complex<long double>, long double>;
template <class T>
wide<T> widened(T x) {
    if constexpr (is_complex_number<T>)
        return {x.real(), x.imag()};
    else
        return static_cast<long double>(x);
}
template <class T>
T not_a_number() {
    return T(std::numeric_limits<frit::cpp_type<frit::real_dtype(frit::dtype_of<T>)>>::quiet_NaN());
}
template <class T>
T drawn(generator& g) {
    const double re = g.uniform(-1, 1);
    if constexpr (is_complex_number<T>)
        return T(std::complex<double>(re, g.uniform(-1, 1)));
    else
        return T(re);
}

/// rows x columns values whose stored rows are `gap` elements longer than they must be; the gaps are NaN.
template <class T>
struct stored_matrix {
    std::int64_t rows, columns;
    matrix_layout layout;
    std::vector<T> memory;

    stored_matrix(std::int64_t r, std::int64_t c, bool transposed, std::int64_t gap, std::uint64_t seed)
        : rows(r), columns(c), layout{(transposed ? r : c) + gap, transposed} {
        memory.assign(static_cast<std::size_t>((transposed ? c : r) * layout.ld), not_a_number<T>());
        generator g(seed);
        for (std::int64_t i = 0; i < r; ++i)
            for (std::int64_t j = 0; j < c; ++j) memory[at(i, j)] = drawn<T>(g);
    }
    std::size_t at(std::int64_t i, std::int64_t j) const {
        return static_cast<std::size_t>(layout.transposed ? i + j * layout.ld : i * layout.ld + j);
    }
};

/// The m x n elements of a product from `got` on, against a sum in long double.
/// The bound is Higham, Accuracy and Stability of Numerical Algorithms, 3.1: k u sum|a b|, whatever the order; of complex
/// numbers for either part, which is a sum of 2 k terms. What 16-bit floats give is added up in float32 and rounded once.
/// @param row  n elements, added to every row where there are any: one term more
template <class T>
void check_elements(const T* got, const stored_matrix<T>& a, const stored_matrix<T>& b, const T* row = nullptr) {
    const std::int64_t m = a.rows, n = b.columns, terms = a.columns;
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            wide<T> want = 0;
            long double size = 0;
            for (std::int64_t k = 0; k < terms; ++k) {
                const wide<T> term = widened(a.memory[a.at(i, k)]) * widened(b.memory[b.at(k, j)]);
                want += term;
                size += std::abs(term);
            }
            if (row) {
                want += widened(row[j]);
                size += std::abs(widened(row[j]));
            }
            using summed = frit::cpp_type<frit::real_dtype(frit::register_dtype(frit::dtype_of<T>))>;
            long double bound =
                static_cast<long double>(terms + (row ? 1 : 0)) * std::numeric_limits<summed>::epsilon() * size;
            if constexpr (is_complex_number<T>) bound *= 2;
            if constexpr (frit::is_short(frit::dtype_of<T>))
                bound += (std::abs(want) + bound) * static_cast<float>(std::numeric_limits<T>::epsilon()) / 2 +
                         static_cast<float>(std::numeric_limits<T>::denorm_min());
            ASSERT_LE(std::abs(widened(got[i * n + j]) - want), bound)
                << "element " << i << ", " << j << " of " << m << " x " << terms << " x " << n
                << (a.layout.transposed ? ", a transposed" : "") << (b.layout.transposed ? ", b transposed" : "");
        }
}

/// A product into memory that is NaN before.
template <class T>
void check_product(frit::detail::backend& device, const stored_matrix<T>& a, const stored_matrix<T>& b) {
    const std::int64_t m = a.rows, n = b.columns;
    const library_call c = product_call(frit::dtype_of<T>, m, a.columns, n, a.layout, b.layout);
    const auto count = static_cast<std::size_t>(m * n);
    const auto left = to_device(device, a.memory), right = to_device(device, b.memory);
    const auto result = to_device(device, std::vector<T>(count + 1, not_a_number<T>()));
    device.require(c);
    call_with_workspace(device, c, {left->data, right->data}, {result->data});
    const std::vector<T> got = from_device<T>(device, result, count + 1);
    EXPECT_TRUE(got.back() != got.back()) << "wrote past the end";
    check_elements(got.data(), a, b);
}

/// The product's description with a row that is added to all of its rows, as the planner asks for it; null: there is none.
inline const frit::fusion::library_op* end_with_row(const library_call& c, const frit::fusion::target& t) {
    const std::vector<const frit::shape*> extents{&c.operands[0].extents, &c.operands[1].extents};
    const frit::fusion::epilogue bias{.what = frit::fusion::epilogue::form::rounded, .row = true};
    return c.of->with({c.code, false, bias, c.operands[0].type, extents}, t);
}
/// Such a call.
inline library_call call_with_row(const frit::detail::backend& device, library_call c) {
    c.of = end_with_row(c, device.target());
    const frit::shape& result = c.results[0].extents;
    std::vector<std::int64_t> strides(static_cast<std::size_t>(result.rank()));
    strides.back() = 1;
    c.operands.push_back({c.operands[0].type, result, strides});
    return c;
}

/// A product and a row, into memory that is NaN before.
/// @param offset  of the row in its memory, in elements
inline void check_product_with_row(frit::detail::backend& device, const stored_matrix<float>& a,
                                   const stored_matrix<float>& b, std::size_t offset) {
    const std::int64_t m = a.rows, n = b.columns;
    const library_call c = call_with_row(device, product_call(frit::dtype::f32, m, a.columns, n, a.layout, b.layout));
    ASSERT_NE(c.of, nullptr);
    const auto count = static_cast<std::size_t>(m * n);
    const stored_matrix<float> row(1, n, false, 0, 3);
    std::vector<float> memory(offset, not_a_number<float>());
    memory.insert(memory.end(), row.memory.begin(), row.memory.end());
    const auto left = to_device(device, a.memory), right = to_device(device, b.memory), added = to_device(device, memory);
    const auto result = to_device(device, std::vector<float>(count + 1, not_a_number<float>()));
    device.require(c);
    call_with_workspace(device, c, {left->data, right->data, static_cast<const float*>(added->data) + offset},
                        {result->data});
    const std::vector<float> got = from_device<float>(device, result, count + 1);
    EXPECT_TRUE(std::isnan(got.back())) << "wrote past the end";
    check_elements(got.data(), a, b, row.memory.data());
}

/// Every layout of both operands, and rows that are aligned in every way.
inline void check_products_with_rows(frit::detail::backend& device) {
    const std::int64_t sizes[][3] = {{1, 1, 1}, {1, 5, 7}, {6, 4, 1},      {2, 1, 3},   {7, 9, 5},
                                     {8, 8, 8}, {4, 4, 3}, {100, 40, 130}, {1, 3, 700}, {700, 3, 1}};
    for (const auto& [m, k, n] : sizes)
        for (const bool a_transposed : {false, true})
            for (const bool b_transposed : {false, true})
                for (const std::int64_t gap : {0, 3})
                    for (const std::size_t offset : {0, 1, 2, 4})
                        check_product_with_row(device, stored_matrix<float>(m, k, a_transposed, gap, 1),
                                               stored_matrix<float>(k, n, b_transposed, gap, 2), offset);
}

/// A batch of products, of matrices that are one like the other in their layout.
template <class T>
void check_batch(frit::detail::backend& device, const std::int64_t (&sizes)[3], bool a_transposed, bool b_transposed,
                 std::int64_t gap, const std::vector<std::int64_t>& a_batch, const std::vector<std::int64_t>& b_batch) {
    const auto [m, k, n] = sizes;
    const auto matrices = [&](const std::vector<std::int64_t>& batch, std::int64_t rows, std::int64_t columns,
                              bool transposed, std::uint64_t seed, std::vector<T>& memory) {
        std::int64_t count = 1;
        for (const std::int64_t e : batch) count *= e;
        std::vector<stored_matrix<T>> all;
        for (std::int64_t i = 0; i < count; ++i) {
            all.emplace_back(rows, columns, transposed, gap, seed + static_cast<std::uint64_t>(i));
            memory.insert(memory.end(), all.back().memory.begin(), all.back().memory.end());
        }
        return all;
    };
    std::vector<T> left_memory, right_memory;
    const auto a = matrices(a_batch, m, k, a_transposed, 100, left_memory),
               b = matrices(b_batch, k, n, b_transposed, 200, right_memory);
    const library_call c =
        batch_call(frit::dtype_of<T>, m, k, n, a[0].layout, a_batch, static_cast<std::int64_t>(a[0].memory.size()),
                   b[0].layout, b_batch, static_cast<std::int64_t>(b[0].memory.size()));
    const auto count = static_cast<std::size_t>(c.results[0].extents.size());
    const auto left = to_device(device, left_memory), right = to_device(device, right_memory);
    const auto result = to_device(device, std::vector<T>(count + 1, not_a_number<T>()));
    device.require(c);
    call_with_workspace(device, c, {left->data, right->data}, {result->data});
    const std::vector<T> got = from_device<T>(device, result, count + 1);
    EXPECT_TRUE(got.back() != got.back()) << "wrote past the end";
    const auto of = [&](const frit::fusion::call_operand& x, std::int64_t matrix, std::size_t size) {  // its matrix
        std::int64_t at = 0;
        const int own = x.extents.rank() - 2, rank = c.results[0].extents.rank() - 2;
        for (int axis = rank; axis-- > 0;) {
            const std::int64_t extent = c.results[0].extents[axis];
            if (axis >= rank - own) at += matrix % extent * x.strides[static_cast<std::size_t>(axis - rank + own)];
            matrix /= extent;
        }
        return static_cast<std::size_t>(at) / std::max<std::size_t>(size, 1);
    };
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(count) / (m * n); ++i)
        check_elements(got.data() + i * m * n, a[of(c.operands[0], i, a[0].memory.size())],
                       b[of(c.operands[1], i, b[0].memory.size())]);
}

/// What broadcasts, in every layout: one distance between matrices, a taller matrix, and more axes than have one distance.
template <class T>
void check_batches(frit::detail::backend& device) {
    using batch = std::vector<std::int64_t>;
    const std::pair<batch, batch> batches[] = {
        {{3}, {3}},    {{3}, {}},        {{}, {3}},     {{3}, {1}},          {{2, 3}, {2, 3}},         {{2, 1}, {1, 3}},
        {{5, 1}, {2}}, {{2, 3}, {2, 1}}, {{3, 4}, {4}}, {{2, 1, 3}, {4, 1}}, {{2, 1, 2, 1}, {3, 1, 2}}};
    const std::int64_t sizes[][3] = {{4, 5, 3}, {1, 5, 3}, {4, 5, 1}, {1, 5, 1}, {3, 1, 2}, {2, 0, 3}};
    for (const auto& of : sizes)
        for (const auto& [a, b] : batches)
            for (const bool a_transposed : {false, true})
                for (const bool b_transposed : {false, true})
                    for (const std::int64_t gap : {1, 3}) check_batch<T>(device, of, a_transposed, b_transposed, gap, a, b);
    check_batch<T>(device, {3, 4, 2}, false, false, 0, {3}, {});
}

/// Every layout of both operands, matrices and vectors, and what has no terms.
template <class T>
void check_products(frit::detail::backend& device) {
    const std::int64_t sizes[][3] = {{1, 1, 1}, {1, 5, 1}, {1, 5, 7},      {6, 4, 1},   {2, 1, 3},
                                     {7, 9, 5}, {3, 0, 2}, {100, 40, 130}, {1, 3, 700}, {700, 3, 1}};
    for (const auto& [m, k, n] : sizes)
        for (const bool a_transposed : {false, true})
            for (const bool b_transposed : {false, true})
                for (const std::int64_t gap : {0, 3})
                    check_product(device, stored_matrix<T>(m, k, a_transposed, gap, 1),
                                  stored_matrix<T>(k, n, b_transposed, gap, 2));
}

}  // namespace frit_test

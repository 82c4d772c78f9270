// Library calls made directly on a backend: on a GPU, on the fake driver with a fake cuBLAS, and on the CPU, which checks
// these checks. References are computed here.
#pragma once

#include <gtest/gtest.h>

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

/// A product into memory that is NaN before, against a sum in long double.
/// The bound is Higham, Accuracy and Stability of Numerical Algorithms, 3.1: k u sum|a b|, whatever the order; of complex
/// numbers for either part, which is a sum of 2 k terms. What 16-bit floats give is added up in float32 and rounded once.
template <class T>
void check_product(frit::detail::backend& device, const stored_matrix<T>& a, const stored_matrix<T>& b) {
    const std::int64_t m = a.rows, n = b.columns, terms = a.columns;
    const library_call c = product_call(frit::dtype_of<T>, m, terms, n, a.layout, b.layout);
    const auto count = static_cast<std::size_t>(m * n);
    const auto left = to_device(device, a.memory), right = to_device(device, b.memory);
    const auto result = to_device(device, std::vector<T>(count + 1, not_a_number<T>()));
    device.require(c);
    call_with_workspace(device, c, {left->data, right->data}, {result->data});
    const std::vector<T> got = from_device<T>(device, result, count + 1);
    EXPECT_TRUE(got.back() != got.back()) << "wrote past the end";
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            wide<T> want = 0;
            long double size = 0;
            for (std::int64_t k = 0; k < terms; ++k) {
                const wide<T> term = widened(a.memory[a.at(i, k)]) * widened(b.memory[b.at(k, j)]);
                want += term;
                size += std::abs(term);
            }
            using summed = frit::cpp_type<frit::real_dtype(frit::register_dtype(frit::dtype_of<T>))>;
            long double bound = static_cast<long double>(terms) * std::numeric_limits<summed>::epsilon() * size;
            if constexpr (is_complex_number<T>) bound *= 2;
            if constexpr (frit::is_short(frit::dtype_of<T>))
                bound += (std::abs(want) + bound) * static_cast<float>(std::numeric_limits<T>::epsilon()) / 2 +
                         static_cast<float>(std::numeric_limits<T>::denorm_min());
            ASSERT_LE(std::abs(widened(got[static_cast<std::size_t>(i * n + j)]) - want), bound)
                << "element " << i << ", " << j << " of " << m << " x " << terms << " x " << n
                << (a.layout.transposed ? ", a transposed" : "") << (b.layout.transposed ? ", b transposed" : "");
        }
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

// A GPU's library call on the host, for backends that stand in for a GPU: cuBLAS multiplies 16-bit floats, cuBLASLt adds
// a bias, and transforms of rows take in a window and magnitudes, which the CPU's libraries do not. A product of 16-bit
// floats is the float32 one's, rounded once.
#pragma once

#include <cmath>
#include <complex>
#include <string_view>
#include <vector>

#include "frit/half.hpp"
#include "src/engine/backend.hpp"
#include "src/libraries/libraries.hpp"

namespace frit_test {

template <class T>
void call_in_float(frit::detail::backend& host, frit::fusion::library_call c, const frit::detail::call_memory& memory,
                   std::string_view formula) {
    std::vector<std::vector<float>> wide;
    std::vector<const void*> operands;
    for (std::size_t k = 0; k < c.operands.size(); ++k) {
        frit::fusion::call_operand& x = c.operands[k];
        x.type = frit::dtype::f32;
        std::int64_t count = x.extents.size() > 0 ? 1 : 0;  // up to the last element
        if (count > 0)
            for (int axis = 0; axis < x.extents.rank(); ++axis)
                count += (x.extents[axis] - 1) * x.strides[static_cast<std::size_t>(axis)];
        const T* const from = static_cast<const T*>(memory.operands[k]);
        wide.emplace_back(from, from + count);
        operands.push_back(wide.back().data());
    }
    frit::fusion::call_result& result = c.results[0];
    result.type = frit::dtype::f32;
    std::vector<float> product(static_cast<std::size_t>(result.extents.size()));
    void* const to = product.data();
    host.call(c, {operands, {&to, 1}, memory.workspace}, formula);
    T* const rounded = static_cast<T*>(memory.results[0]);
    for (std::size_t k = 0; k < product.size(); ++k) rounded[k] = T(product[k]);
}

/// A product of float32 and one row, added to all of its rows.
inline void call_with_row(frit::detail::backend& host, frit::fusion::library_call c, const frit::detail::call_memory& memory,
                          std::string_view formula) {
    c.of = &frit::detail::routine_of(frit::op::matmul);
    c.operands.resize(2);
    host.call(c, {memory.operands.first(2), memory.results, memory.workspace}, formula);
    const float* const row = static_cast<const float*>(memory.operands[2]);
    float* const result = static_cast<float*>(memory.results[0]);
    const std::int64_t length = c.results[0].extents[-1], count = c.results[0].extents.size();
    for (std::int64_t k = 0; k < count; ++k) result[k] += row[k % length];
}

/// A transform of float32 rows, times a window or not, and its magnitudes or not.
inline void call_of_rows(frit::detail::backend& host, frit::fusion::library_call c, const frit::detail::call_memory& memory,
                         std::string_view formula) {
    const bool has_window = c.of->window, magnitudes = c.of->after.what == frit::fusion::epilogue::form::magnitude;
    frit::fusion::call_operand& x = c.operands[0];
    const std::int64_t length = x.extents[-1];
    std::vector<float> rows(static_cast<std::size_t>(x.extents.size()));
    for (std::int64_t k = 0; k < x.extents.size(); ++k) {
        std::int64_t at = 0, rest = k;
        for (int axis = x.extents.rank(); axis-- > 0; rest /= x.extents[axis])
            at += rest % x.extents[axis] * x.strides[static_cast<std::size_t>(axis)];
        const float value = static_cast<const float*>(memory.operands[0])[at];
        rows[static_cast<std::size_t>(k)] =
            has_window ? value * static_cast<const float*>(memory.operands[1])[k % length] : value;
    }
    c.of = &frit::detail::routine_of(c.code);
    c.operands.resize(1);
    std::int64_t dense = 1;
    for (int axis = x.extents.rank(); axis-- > 0; dense *= x.extents[axis])
        x.strides[static_cast<std::size_t>(axis)] = dense;
    c.results[0].type = frit::dtype::c64;
    std::vector<std::complex<float>> spectra(static_cast<std::size_t>(c.results[0].extents.size()));
    std::vector<std::byte> workspace(host.workspace(c) + 64);
    const void* const from = rows.data();
    void *const to = spectra.data(), *const result = memory.results[0];
    host.call(c, {{&from, 1}, {&to, 1}, workspace.data()}, formula);
    for (std::size_t k = 0; k < spectra.size(); ++k)
        if (magnitudes)
            static_cast<float*>(result)[k] = std::hypot(spectra[k].real(), spectra[k].imag());
        else
            static_cast<std::complex<float>*>(result)[k] = spectra[k];
}

inline void call_on_host(frit::detail::backend& host, const frit::fusion::library_call& c,
                         const frit::detail::call_memory& memory, std::string_view formula) {
    if (c.of->after.row) return call_with_row(host, c, memory, formula);
    if (c.code == frit::op::real_dft && c.of != &frit::detail::routine_of(c.code))
        return call_of_rows(host, c, memory, formula);
    const frit::dtype type = c.operands[0].type;
    if (c.code != frit::op::matmul || !frit::is_short(type)) return host.call(c, memory, formula);
    if (type == frit::dtype::f16) return call_in_float<frit::half>(host, c, memory, formula);
    call_in_float<frit::bfloat16>(host, c, memory, formula);
}

}  // namespace frit_test

// Running reductions along one axis: cumsum, cumprod, cummax, cummin and exclusive ones, from the scan rows of ops.def.
// Nodes of the graph; which are values of kernels, or a library's calls (src/libraries/scan.cpp says when).
#pragma once

#include <cstdint>

#include "frit/array.hpp"
#include "frit/detail/along_axis.hpp"

namespace frit::inline v0 {

/// Where running values begin: at the first element of the axis or at the last.
enum class scan_order : std::uint8_t { forward, backward };

/// The running value along one axis: of cumsum and cumprod in sum's dtype (bool and signed integers int64, unsigned uint64),
/// of cummax and cummin in x's own; an exclusive one is of the elements before, and begins with 0 or 1. Elements are
/// combined one after the other on the CPU; on a GPU in an order that depends on the extents alone. NaN stays from where it
/// first occurs. As prod's, products of complex numbers do not recover infinities as the operator * does: where a partial
/// product overflows, parts may be NaN from there on. @throws index_error for an axis that x does not have; at evaluation on
/// a GPU, device_error where the library is missing
#define FRIT_SCAN(name, ...)                                                                    \
    template <detail::operand A>                                                                \
    auto name(const A& x, detail::any_integer axis, source_line where = {}) {                   \
        return detail::along_axis<op::name>(x, axis, where);                                    \
    }                                                                                           \
    template <detail::operand A>                                                                \
    auto name(const A& x, detail::any_integer axis, scan_order order, source_line where = {}) { \
        return detail::along_axis<op::name>(x, axis, order == scan_order::backward, where);     \
    }                                                                                           \
    /** Of all elements in row-major order, as one vector. */                                   \
    template <detail::operand A>                                                                \
    auto name(const A& x, source_line where = {}) {                                             \
        return detail::along_axis<op::name>(x.reshape({-1}, where), 0, where);                  \
    }
#include "frit/ops.def"

}  // namespace frit::v0

// Running reductions along one axis: cumsum, cumprod, cummax, cummin, from the scan rows of ops.def. Nodes of the graph that
// a library runs (CUB on a GPU).
#pragma once

#include <cstdint>

#include "frit/array.hpp"
#include "frit/detail/along_axis.hpp"

namespace frit::inline v0 {

/// The running value along one axis: of cumsum and cumprod in sum's dtype (bool and signed integers int64, unsigned uint64),
/// of cummax and cummin in x's own. NaN stays from where it first occurs; of complex numbers as in prod. @throws index_error
/// for an axis that x does not have; at evaluation, device_error where the library is missing
#define FRIT_SCAN(name, ...)                                                   \
    template <detail::operand A>                                               \
    auto name(const A& x, detail::any_integer axis, source_line where = {}) {  \
        return detail::along_axis<op::name>(x, axis, where);                   \
    }                                                                          \
    /** Of all elements in row-major order, as one vector. */                  \
    template <detail::operand A>                                               \
    auto name(const A& x, source_line where = {}) {                            \
        return detail::along_axis<op::name>(x.reshape({-1}, where), 0, where); \
    }
#include "frit/ops.def"

}  // namespace frit::v0

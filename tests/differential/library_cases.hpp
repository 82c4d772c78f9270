// The rows of library ops by the functions that a user calls, and the same in the reference: expanded from ops.def, so that
// a new row does not compile here until it has both.
#pragma once

#include <stdexcept>
#include <type_traits>

#include <frit/frit.hpp>

#include "tests/support/reference.hpp"

namespace frit_test {

/// Calls f with every library op that runs along one axis, as a constant.
template <class F>
void for_each_axis_op(F&& f) {
#define FRIT_LIBRARY(name, kind, ...)                                     \
    if constexpr (frit::library_kind::kind != frit::library_kind::MATMUL) \
        f(std::integral_constant<frit::op, frit::op::name>());
#include "frit/ops.def"
}

template <frit::op O, class X>
auto along_axis(const X& x, std::int64_t axis) {
#define FRIT_LIBRARY(name, kind, ...) \
    if constexpr (O == frit::op::name && frit::library_kind::kind != frit::library_kind::MATMUL) return frit::name(x, axis);
#include "frit/ops.def"
}

inline ref::array along_axis(frit::op o, const ref::array& x, int axis) {
    switch (library(o).kind) {
        case frit::library_kind::SCAN: return ref::scan(o, x, axis);
        case frit::library_kind::SORT: return ref::sort(x, axis);
        case frit::library_kind::ARGSORT: return ref::argsort(x, axis);
        case frit::library_kind::MATMUL: break;
    }
    throw std::logic_error("matmul has no axis");
}

}  // namespace frit_test

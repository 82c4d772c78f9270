// The rows of library ops by the functions that a user calls, and the same in the reference: expanded from ops.def, so that
// a new row does not compile here until it has both.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

#include <frit/frit.hpp>

#include "tests/support/reference.hpp"

namespace frit_test {

/// Calls f with every library op that runs along one axis and takes elements of T, as a constant.
template <class T, class F>
void for_each_axis_op(F&& f) {
#define FRIT_LIBRARY(name, call, result, arity, type)                     \
    if constexpr (arity == 1 && takes(frit::op::name, frit::dtype_of<T>)) \
        f(std::integral_constant<frit::op, frit::op::name>());
#include "frit/ops.def"
}

template <frit::op O, class X>
auto along_axis(const X& x, std::int64_t axis) {
#define FRIT_LIBRARY(name, call, result, arity, type) \
    if constexpr (O == frit::op::name && arity == 1) return frit::name(x, axis);
#include "frit/ops.def"
}

inline ref::array along_axis(frit::op o, const ref::array& x, int axis) {
    if (is_scan(o)) return ref::scan(o, x, axis);
    if (o == frit::op::sort) return ref::sort(x, axis);
    if (o == frit::op::argsort) return ref::argsort(x, axis);
    throw std::logic_error(std::string(name_of(o)) + " has no reference along an axis");
}

}  // namespace frit_test

// What a program's own kernels (raw_kernel, host_kernel) are launched with, whatever its type: arrays that are read, arrays
// that are rebound to what the kernel makes of them, and numbers.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "frit/any_array.hpp"
#include "frit/array.hpp"
#include "frit/detail/composed.hpp"
#include "frit/detail/scalar.hpp"

namespace frit::inline v0 {

namespace detail {

/// An array that a kernel reads and writes, and where that was written.
template <class A>
struct inout_argument {
    A& array;
    source_line where;
};
template <class A>
struct is_inout : std::false_type {};
template <class A>
struct is_inout<inout_argument<A>> : std::true_type {};

template <class A>
concept launchable = is_inout<A>::value || operand_or_scalar<A>;

/// An argument of a launch that is no template. A number where there is no array.
struct kernel_argument {
    user_ref array;
    weak_number number{false};
    void* target = nullptr;  ///< the array that is rebound; null: it is only read
    void (*rebind)(void* target, handle_ref) = nullptr;
    source_line where = unknown_line;  ///< of an array that is rebound
};

template <class A>
kernel_argument argument_of(const inout_argument<A>& a) {
    return {user_ref(handle_of(a.array, a.where).get()), false, &a.array,
            [](void* target, handle_ref to) { *static_cast<A*>(target) = A(std::move(to)); }, a.where};
}
template <operand_or_scalar A>
kernel_argument argument_of(const A& x) {
    if constexpr (operand<A>)
        return {node_of(x, unknown_line)};
    else
        return {{}, weak_number(x)};
}

}  // namespace detail

/// In a kernel's launch: an array that the kernel reads and writes. It is rebound to the result; others that share its value
/// keep the old one. The kernel works in place where nobody else looks at the memory, and on a copy where somebody does.
/// A part of an array or a formula cannot be rebound: make an array of it first.
template <element T>
detail::inout_argument<array<T>> inout(array<T>& a, source_line where = {}) {
    return {a, where};
}
/// The same of an array whose dtype is known at run time.
inline detail::inout_argument<any_array> inout(any_array& a, source_line where = {}) { return {a, where}; }

}  // namespace frit::v0

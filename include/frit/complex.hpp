// Complex arrays of real ones and back: complex and polar; and the parts in memory, view_as_real and view_as_complex. What
// is computed of complex arrays (real, imag, conj, arg, proj, and the functions of <complex>) are rows of ops.def: see
// ops.hpp.
#pragma once

#include <cmath>
#include <type_traits>
#include <utility>

#include "frit/any_array.hpp"
#include "frit/array.hpp"
#include "frit/index.hpp"
#include "frit/ops.hpp"

namespace frit::inline v0 {

namespace detail {
/// The node, evaluated, as real numbers with one more axis of extent 2. @throws dtype_error unless it is complex
FRIT_API handle_ref parts_of_memory(node_head*, source_line);
/// The node, evaluated, as complex numbers; null where its elements do not lie as those do.
/// @throws dtype_error unless it is float32 or float64, shape_error unless its last axis has 2 elements
FRIT_API handle_ref complex_of_memory(node_head*, source_line);
}  // namespace detail

/// re + im i: complex64 of float16, bfloat16 and float32, complex128 of float64; bool and integers count as what sqrt makes
/// of them. One of the two may be a C++ number; the shapes broadcast.
/// ```cpp
/// std::cout << frit::complex(frit::array<float>{1, 2}, -1) << "\n";
/// ```
/// ```text
/// [1.-1.j 2.-1.j]
/// ```
template <class A, class B>
requires detail::operand_pair<A, B>
auto complex(A&& re, B&& im) { return detail::make<op::complex>(static_cast<A&&>(re), static_cast<B&&>(im)); }

/// @cond
namespace detail {
/// An operand beside a C++ number that becomes a part of a complex one: of 16 bits in float32, which the parts have.
template <class X, class Other>
decltype(auto) as_parts(const X& x) {
    if constexpr (scalar<X> || operand<Other>)
        return (x);
    else if constexpr (run_time_operand<X>)
        return cast(x, register_dtype(dtype_of_operand(x, unknown_line)));
    else
        return cast<cpp_type<register_dtype(operand_t<X>::type)>>(x);
}
}  // namespace detail
/// @endcond

/// r (cos t + i sin t), with t in radians. The dtypes are those of complex.
template <class A, class B>
requires detail::operand_pair<A, B>
auto polar(const A& r, const B& t) {
    using std::cos, std::sin;  // of a C++ number
    decltype(auto) length = detail::as_parts<A, B>(r);
    decltype(auto) angle = detail::as_parts<B, A>(t);
    return complex(detail::make<op::rounded_mul>(length, cos(angle)), detail::make<op::rounded_mul>(length, sin(angle)));
}

/// Complex numbers as real ones: the same memory with one more axis, of 2, the real part and the imaginary one. Evaluates z.
/// complex64 of shape (n) gives float32 of shape (n, 2).
/// @throws dtype_error unless z is complex
template <detail::operand A>
auto view_as_real(const A& z, source_line where = {}) {
    constexpr dtype D = detail::operand_t<A>::type;
    static_assert(D == detail::run_time || is_complex(D), "frit: view_as_real takes complex numbers");
    detail::handle_ref parts = detail::parts_of_memory(detail::handle_of(z, where).get(), where);
    if constexpr (D == detail::run_time)
        return any_array(std::move(parts));
    else
        return array<cpp_type<real_dtype(D)>>(std::move(parts));
}

/// Pairs of real numbers as complex ones, without the last axis, whose extent is 2: the same memory, or a copy where pairs
/// do not lie one after the other. Evaluates x. float32 of shape (n, 2) gives complex64 of shape (n).
/// @throws dtype_error unless x is float32 or float64, shape_error unless its last axis has 2 elements
template <detail::operand A>
auto view_as_complex(const A& x, source_line where = {}) {
    constexpr dtype D = detail::operand_t<A>::type;
    static_assert(D == detail::run_time || D == dtype::f32 || D == dtype::f64,
                  "frit: view_as_complex takes float or double");
    const detail::handle_ref node = detail::handle_of(x, where);
    detail::handle_ref numbers = detail::complex_of_memory(node.get(), where);
    using result = std::conditional_t<D == detail::run_time, any_array, array<cpp_type<complex_dtype(D)>>>;
    if (numbers) return result(std::move(numbers));
    return result(complex(x(ellipsis, 0), x(ellipsis, 1)), where);
}

}  // namespace frit::v0

// What the formulas of this folder are written with: the operators and functions of the headers, over values whose dtype is
// known at run time. A formula is recorded as one statement, or as few where a value is read several times.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "frit/detail/formulas.hpp"
#include "frit/frit.hpp"

namespace frit::inline v0::detail {

using value = composed<run_time>;

/// Recorded now, so that what reads it several times names one node.
template <operand E>
value recorded(const E& e, source_line where) {
    return value(record_part(packed<operand_t<E>>(e, where).value));
}

/// @throws dtype_error naming the function, unless it has to do with real numbers
inline void check_real(std::string_view who, dtype type, source_line where) {
    if (is_complex(type)) throw_dtype_error(who, "takes real numbers", {&type, 1}, where);
}

/// x converted: x itself where that is its dtype.
inline value in_dtype(const value& x, dtype to, source_line where) {
    return x.node()->meant == to ? x : recorded(cast(x, to), where);
}

/// x itself where it is real.
inline value real_part(const value& x, source_line where) {
    return is_complex(x.node()->meant) ? recorded(real(x), where) : x;
}
/// |z|^2 of complex numbers.
inline value squared_modulus(const value& z, source_line where) {
    return recorded(square(real(z)) + square(imag(z)), where);
}

/// Numbers that a formula makes beside these operands are on their device.
inline std::optional<scoped_device> on_device_of(std::span<const user_ref> nodes) {
    for (const user_ref& n : nodes)
        if (const device d = device_of(n.get()); d != default_device())
            return std::optional<scoped_device>(std::in_place, d);
    return std::nullopt;
}

/// The elements in row-major order, as a vector.
inline value as_vector(const value& x, source_line where) {
    if (x.node()->extents->rank() == 1) return x;
    return recorded(make_view(x, reshape_attribute(*x.node()->extents, int_list(-1), where)), where);
}

/// A number, seen as an array of that shape.
inline value filled(const value& number, const shape& extents, source_line where) {
    return recorded(make_view(number, broadcast_attribute(shape(), extents, where)), where);
}

/// The dtype of statistics of x.
inline dtype dtype_for_statistics(const value& x) { return statistic_dtype(x.node()->meant); }
/// x as what statistics of it are computed in; a formula, which costs nothing where that is its dtype.
inline auto in_statistic_dtype(const value& x) { return cast(x, register_dtype(dtype_for_statistics(x))); }

/// A product that is a function's result is rounded: a sum of the caller's would else take it in, as if the caller had
/// written it, and x + f(y) would differ from x + z where z is f(y).
template <dtype D, class... C>
auto rounded_product(const expr<op::mul, D, C...>& e) {
    return e.template with<op::rounded_mul>();
}
template <operand E>
const E& rounded_product(const E& e) {
    return e;
}

/// The formula's node, which goes to the caller.
template <operand E>
user_ref result(const E& e, source_line where) {
    const auto& rounded = rounded_product(e);
    return record_result(packed<operand_t<std::remove_cvref_t<decltype(rounded)>>>(rounded, where).value);
}
/// The same, computed in the register dtype of `type` and rounded to that once.
template <operand E>
user_ref result(const E& e, dtype type, source_line where) {
    return result(cast(rounded_product(e), type), where);
}

}  // namespace frit::v0::detail

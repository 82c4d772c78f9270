// Values along an axis as samples of a function: differences, derivatives, integrals; and the sequences logspace and
// geomspace. Formulas (src/formulas) that fuse with what makes their operands, of one kernel each; cumulative_trapezoid ends
// in a scan.
#pragma once

#include "frit/create.hpp"
#include "frit/detail/formulas.hpp"

namespace frit::inline v0 {

/// Differences of neighbours along an axis, n times over; of bools where they differ. One element fewer each time.
/// @throws index_error for an axis that x does not have, shape_error for a negative n
template <detail::operand A>
auto diff(const A& x, detail::any_integer n = 1, detail::any_integer axis = -1, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::diff_of(detail::node_of(x, where), n, axis, where));
}

/// The derivative along an axis, of the second order inside and of the first at the ends, where elements are this far apart.
/// In y's dtype, in double of bool and integers.
///
/// ```cpp
/// const frit::array<double> y{0, 1, 4, 9};
/// std::cout << gradient(y) << gradient(y, frit::array<double>{0, 1, 2, 4}) << "\n";
/// ```
/// ```text
/// [1. 2. 4. 5.][1.         2.         2.83333333 2.5       ]
/// ```
///
/// @throws shape_error where the axis has fewer than two elements
template <detail::operand A>
auto gradient(const A& y, double spacing = 1, detail::any_integer axis = -1, source_line where = {}) {
    return composed<detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::gradient_of(detail::node_of(y, where), {}, spacing, axis, where));
}
/// The same at coordinates, a vector as long as the axis.
template <detail::operand A, detail::operand X>
auto gradient(const A& y, const X& coordinates, detail::any_integer axis = -1, source_line where = {}) {
    return composed<detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::gradient_of(detail::node_of(y, where), detail::node_of(coordinates, where), 1, axis, where));
}

// Two forms of an integral: elements a distance apart, and at coordinates, which are a vector or have y's shape.
#define FRIT_INTEGRAL(name)                                                                                        \
    template <detail::operand A>                                                                                   \
    auto name(const A& y, double spacing = 1, detail::any_integer axis = -1, source_line where = {}) {             \
        return composed<detail::statistic_dtype(detail::operand_t<A>::type)>(                                      \
            detail::name##_of(detail::node_of(y, where), {}, spacing, axis, where));                               \
    }                                                                                                              \
    /** At coordinates: a vector as long as the axis, or one for every element of y. */                            \
    template <detail::operand A, detail::operand X>                                                                \
    auto name(const A& y, const X& coordinates, detail::any_integer axis = -1, source_line where = {}) {           \
        return composed<detail::statistic_dtype(promote(detail::operand_t<A>::type, detail::operand_t<X>::type))>( \
            detail::name##_of(detail::node_of(y, where), detail::node_of(coordinates, where), 1, axis, where));    \
    }

/// The integral along an axis by the trapezoidal rule, where elements are this far apart.
FRIT_INTEGRAL(trapezoid)

/// The integral up to each element but the first, as scipy.integrate has it.
FRIT_INTEGRAL(cumulative_trapezoid)
#undef FRIT_INTEGRAL

/// Powers of a base, with exponents from start to stop, both included; integers give double.
template <detail::scalar T>
auto logspace(T start, std::type_identity_t<T> stop, detail::any_integer number, double base = 10, source_line where = {}) {
    constexpr dtype D = to_floating(detail::default_dtype<T>());
    return array<cpp_type<D>>(
        composed<D>(detail::logspace_of(static_cast<double>(start), static_cast<double>(stop), number, base, D, where)),
        where);
}

/// Numbers from start to stop, both included, each the same multiple of the one before; integers give double.
/// @throws error unless the ends have one sign and are not 0
template <detail::scalar T>
auto geomspace(T start, std::type_identity_t<T> stop, detail::any_integer number, source_line where = {}) {
    constexpr dtype D = to_floating(detail::default_dtype<T>());
    return array<cpp_type<D>>(
        composed<D>(detail::geomspace_of(static_cast<double>(start), static_cast<double>(stop), number, D, where)), where);
}

}  // namespace frit::v0

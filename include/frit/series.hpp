// Values along an axis as samples of a function: differences, derivatives, integrals; and the sequences logspace and
// geomspace. Formulas (src/formulas) that fuse with what makes their operands, of one kernel each; cumulative_trapezoid ends
// in a scan.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "frit/create.hpp"
#include "frit/detail/formulas.hpp"

namespace frit::inline v0 {

namespace detail {

/// What diff puts in front of its operand or behind it: elements, a number, or frit::none.
template <class E>
concept end_of_axis = operand<E> || scalar<E> || std::same_as<E, none_t>;
/// How it takes part in promotion; frit::none changes nothing.
template <end_of_axis E>
constexpr argument end_argument() {
    if constexpr (std::same_as<E, none_t>)
        return {true, dtype::bool_};
    else
        return argument_of<E>();
}
/// A number beside `beside`: in that dtype, which must hold it, unless it widens that.
template <end_of_axis E>
compared end_node(const E& end, dtype beside, source_line where) {
    if constexpr (operand<E>)
        return {node_of(end, where), false};
    else if constexpr (scalar<E>)
        return {may_write(argument_of<E>(), beside) ? constant_of(end, beside, where, "diff") : constant_of(end, where),
                true};
    else
        return {{}, true};
}

/// How far apart gradient's elements are. Not a plain double: {1} is a list of one distance, for compilers of all kinds.
struct distance {
    double value;
    template <std::convertible_to<double> S>
    constexpr distance(S apart) noexcept : value(static_cast<double>(apart)) {}
};
/// The same along one of several axes, or where they are.
struct axis_points {
    double spacing = 1;
    user_ref coordinates;  ///< null where there are none
    template <cpp_number S>
    axis_points(S apart) : spacing(distance(apart).value) {}
    template <operand X>
    axis_points(const X& places, source_line where = {}) : coordinates(node_of(places, where)) {}
};
/// One for each axis; `along` null: all axes. @throws shape_error unless there is one of `points`, or one for each axis
FRIT_API std::vector<user_ref> gradients_of(const user_ref& y, std::span<const axis_points> points, const axes* along,
                                            std::int64_t edge_order, source_line);
template <dtype D>
std::vector<composed<D>> gradient_list(std::vector<user_ref> nodes, source_line where) {
    return or_out_of_memory("gradient", where, [&] {
        std::vector<composed<D>> list;
        for (user_ref& n : nodes) list.emplace_back(std::move(n));
        return list;
    });
}

}  // namespace detail

/// Differences of neighbours along an axis, n times over; of bools where they differ. One element fewer each time.
/// @throws index_error for an axis that x does not have, shape_error for a negative n
template <detail::operand A>
auto diff(const A& x, detail::any_integer n = 1, detail::any_integer axis = -1, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::diff_of(detail::node_of(x, where), n, axis, {{}, true}, {{}, true}, where));
}
/// The same of x with more elements along the axis, in front of it and behind it: arrays, numbers, which promote as beside
/// an operator, or frit::none. What has no axes is one element of each line.
/// ```cpp
/// const frit::array<int> x{1, 4, 9};
/// std::cout << diff(x, 1, 0, 0) << diff(x, 1, 0, frit::none, frit::array<int>{16, 25}) << '\n';
/// ```
/// ```text
/// [1 3 5][3 5 7 9]
/// ```
/// @throws shape_error where an array differs from x along another axis, dtype_error for an integer that x's dtype does not
/// hold
template <detail::operand A, detail::end_of_axis P, detail::end_of_axis Q = detail::none_t>
auto diff(const A& x, detail::any_integer n, detail::any_integer axis, const P& prepend, const Q& append = none,
          source_line where = {}) {
    const detail::user_ref node = detail::node_of(x, where);
    return composed<detail::common_dtype({detail::argument_of<A>(), detail::end_argument<P>(), detail::end_argument<Q>()})>(
        detail::diff_of(node, n, axis, detail::end_node(prepend, node->meant, where),
                        detail::end_node(append, node->meant, where), where));
}

/// The derivative along an axis, of the second order inside and of `edge_order`, 1 or 2, at the ends, where elements are
/// this far apart. In y's dtype, in double of bool and integers.
///
/// ```cpp
/// const frit::array<double> y{0, 1, 4, 9};
/// std::cout << gradient(y) << gradient(y, frit::array<double>{0, 1, 2, 4}) << "\n";
/// ```
/// ```text
/// [1. 2. 4. 5.][1.         2.         2.83333333 2.5       ]
/// ```
///
/// @throws shape_error where the axis has fewer than edge_order + 1 elements, index_error for another edge_order
template <detail::operand A>
auto gradient(const A& y, detail::distance spacing = 1, detail::any_integer axis = -1, detail::any_integer edge_order = 1,
              source_line where = {}) {
    return composed<detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::gradient_of(detail::node_of(y, where), {}, spacing.value, axis, edge_order, where));
}
/// The same at coordinates, a vector as long as the axis.
template <detail::operand A, detail::operand X>
auto gradient(const A& y, const X& coordinates, detail::any_integer axis = -1, detail::any_integer edge_order = 1,
              source_line where = {}) {
    return composed<detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::gradient_of(detail::node_of(y, where), detail::node_of(coordinates, where), 1, axis, edge_order, where));
}
/// Along several axes, one derivative for each, as a std::vector of formulas: distances or coordinates are a list of one for
/// all axes or one for each.
/// ```cpp
/// const frit::array<double> y{{0, 1, 4}, {2, 5, 10}};
/// for (const auto& slope : gradient(y, {1.0, 0.5}, {0, 1})) std::cout << slope << '\n';
/// ```
/// ```text
/// [[2. 4. 6.]
///  [2. 4. 6.]]
/// [[ 2.  4.  6.]
///  [ 6.  8. 10.]]
/// ```
template <detail::operand A>
auto gradient(const A& y, std::initializer_list<detail::axis_points> points, const axes& along,
              detail::any_integer edge_order = 1, source_line where = {}) {
    return detail::gradient_list<detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::gradients_of(detail::node_of(y, where), std::span(points.begin(), points.size()), &along, edge_order, where),
        where);
}
/// Along all axes.
template <detail::operand A>
auto gradient(const A& y, std::initializer_list<detail::axis_points> points, source_line where = {}) {
    return detail::gradient_list<detail::statistic_dtype(detail::operand_t<A>::type)>(
        detail::gradients_of(detail::node_of(y, where), std::span(points.begin(), points.size()), nullptr, 1, where), where);
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
template <detail::cpp_number T>
auto logspace(T start, std::type_identity_t<T> stop, detail::any_integer number, double base = 10, source_line where = {}) {
    constexpr dtype D = to_floating(detail::default_dtype<T>());
    return array<cpp_type<D>>(
        composed<D>(detail::logspace_of(static_cast<double>(start), static_cast<double>(stop), number, base, D, where)),
        where);
}

/// Numbers from start to stop, both included, each the same multiple of the one before; integers give double.
/// @throws error unless the ends have one sign and are not 0
template <detail::cpp_number T>
auto geomspace(T start, std::type_identity_t<T> stop, detail::any_integer number, source_line where = {}) {
    constexpr dtype D = to_floating(detail::default_dtype<T>());
    return array<cpp_type<D>>(
        composed<D>(detail::geomspace_of(static_cast<double>(start), static_cast<double>(stop), number, D, where)), where);
}

/// @cond
template <detail::complex_scalar T, class... More>
detail::hint<"frit: logspace takes real numbers"> logspace(T, const More&...) = delete;
template <detail::complex_scalar T, class... More>
detail::hint<"frit: geomspace takes real numbers"> geomspace(T, const More&...) = delete;
/// @endcond

}  // namespace frit::v0

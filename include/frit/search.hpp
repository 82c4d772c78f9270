// Looking values up: searchsorted, digitize, isin, interp. Formulas over a sorted vector (src/formulas/search.cpp): a binary
// search is an instruction of a kernel, so it fuses with what computes the values and with what is made of the places. Only
// the sorted vector lies in memory.
#pragma once

#include <cstdint>

#include "frit/compare.hpp"
#include "frit/detail/composed.hpp"

namespace frit::inline v0 {

/// Which of the places that keep a vector sorted searchsorted gives: in front of equal elements, or behind them.
enum class side : std::uint8_t { left, right };

namespace detail {
FRIT_API user_ref searchsorted_of(const user_ref& sorted, const user_ref& v, side, source_line);
FRIT_API user_ref digitize_of(const user_ref& x, const user_ref& bins, bool right, source_line);
FRIT_API user_ref isin_of(const user_ref& x, const user_ref& set, bool invert, source_line);
/// left and right are null where they are fp's ends.
FRIT_API user_ref interp_of(const user_ref& x, const user_ref& xp, const user_ref& fp, const user_ref& left,
                            const user_ref& right, source_line);
FRIT_API user_ref periodic_interp_of(const user_ref& x, const user_ref& xp, const user_ref& fp, double period, source_line);

/// An operand or a C++ number as a node.
template <class V>
user_ref value_node(const V& v, source_line where) {
    return to_compared(v, where).node;
}
template <class V>
concept looked_up = operand<V> || scalar<V>;

/// The dtype that interp gives.
template <looked_up X>
constexpr dtype own_dtype() {
    if constexpr (operand<X>)
        return operand_t<X>::type;
    else
        return default_dtype<X>();
}
template <class X, class P, class F>
constexpr dtype interp_dtype() {
    constexpr dtype x = own_dtype<X>(), xp = operand_t<P>::type;
    static_assert(!is_complex(x) && !is_complex(xp), "frit: interp takes real x and xp; fp may be complex");
    return statistic_dtype(promote(promote(x, xp), operand_t<F>::type));
}
}  // namespace detail

/// For each element of v the place in the sorted vector where it may be put: int64, of v's shape. side::left: how many
/// elements are less than it; side::right: how many are not greater. As sort orders, NaN last. Whether the vector is sorted
/// is not checked.
/// ```cpp
/// const frit::array<double> edges{1, 2, 2, 3}, v{0.5, 2, 9};
/// std::cout << searchsorted(edges, v) << searchsorted(edges, v, frit::side::right) << '\n';
/// ```
/// ```text
/// [0 1 4][0 3 4]
/// ```
/// @throws shape_error unless `sorted` is a vector
template <detail::operand A, detail::looked_up V>
auto searchsorted(const A& sorted, const V& v, side at = side::left, source_line where = {}) {
    return composed<dtype::i64>(
        detail::searchsorted_of(detail::node_of(sorted, where), detail::value_node(v, where), at, where));
}

/// For each element of x the number of its bin: int64, 0 below the first edge and the number of edges above the last.
/// Edges rise or fall. A bin holds its left edge, or, with `right`, its right one. Whether the edges are sorted is not
/// checked.
/// @throws shape_error unless `bins` is a vector, dtype_error for complex numbers
template <detail::looked_up X, detail::operand B>
auto digitize(const X& x, const B& bins, bool right = false, source_line where = {}) {
    return composed<dtype::i64>(
        detail::digitize_of(detail::value_node(x, where), detail::node_of(bins, where), right, where));
}

/// Which elements of x are among those of `set`, or, with `invert`, which are not: bool, of x's shape. NaN is in no set.
template <detail::looked_up X, detail::operand S>
auto isin(const X& x, const S& set, bool invert = false, source_line where = {}) {
    return composed<dtype::bool_>(detail::isin_of(detail::value_node(x, where), detail::node_of(set, where), invert, where));
}

/// That interp's points come again after so much: interp(x, xp, fp, frit::period(360)).
struct period {
    /// Its sign says nothing.
    explicit period(double p) : length(p) {}
    double length;  ///< as given
};

/// The values at x of the function that is linear between the points (xp, fp), which rise in xp (not checked); fp's first
/// value in front of them and its last behind them. In the dtype that the three promote to, double for integers.
/// ```cpp
/// const frit::array<double> xp{1, 2, 4}, fp{10, 20, 0};
/// std::cout << interp(frit::array<double>{0, 1.5, 3, 5}, xp, fp) << '\n';
/// ```
/// ```text
/// [10. 15. 10.  0.]
/// ```
/// @throws shape_error unless xp and fp are vectors of one length that is not 0
template <detail::looked_up X, detail::operand P, detail::operand F>
auto interp(const X& x, const P& xp, const F& fp, source_line where = {}) {
    return composed<detail::interp_dtype<X, P, F>()>(detail::interp_of(
        detail::value_node(x, where), detail::node_of(xp, where), detail::node_of(fp, where), {}, {}, where));
}
/// The same with other values in front of the points and behind them.
template <detail::looked_up X, detail::operand P, detail::operand F>
auto interp(const X& x, const P& xp, const F& fp, detail::weak_number left, detail::weak_number right,
            source_line where = {}) {
    return composed<detail::interp_dtype<X, P, F>()>(
        detail::interp_of(detail::value_node(x, where), detail::node_of(xp, where), detail::node_of(fp, where),
                          detail::constant_of(left, where), detail::constant_of(right, where), where));
}
/// The same of a function that repeats itself: x and xp count modulo the period, so xp need not rise, and there is nothing
/// in front of the points or behind them. @throws index_error for a period that is 0 or not finite
template <detail::looked_up X, detail::operand P, detail::operand F>
auto interp(const X& x, const P& xp, const F& fp, const period& every, source_line where = {}) {
    return composed<detail::interp_dtype<X, P, F>()>(detail::periodic_interp_of(
        detail::value_node(x, where), detail::node_of(xp, where), detail::node_of(fp, where), every.length, where));
}

}  // namespace frit::v0

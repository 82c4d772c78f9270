// frit's arrays as states of Boost.odeint: everything that odeint needs to know about them, for steppers over
//
//     std::array<frit::array<double>, 3>     one array for each variable of the system (what suits most), or
//     frit::array<double>                    one array of any shape,
//
// and the same of frit::any_array, whose norm is a double.
//
// Not part of frit.hpp: it includes odeint's headers (Debian, Ubuntu: libboost-dev), which are not small. Arithmetic comes
// from the arrays' operators through odeint's own algebras; what is said here is their sizes and the maximum norm (odeint's
// documentation, "State Algebra Operations").
//
// A step is recorded, not run. Evaluated once a step, the stages of a Runge-Kutta step fuse, across all variables: where the
// right-hand side is elementwise, the whole step is one kernel that reads the state and writes it. `frit::evaluate_state` is
// the observer that does so. A right-hand side that evaluates its result makes every stage one kernel instead. Without
// either, steps pile up until the graph limit evaluates them. A controlled stepper needs the error of each trial step:
// reading it evaluates the step, and stores what the stepper holds of it.
#pragma once

#include <array>
#include <boost/numeric/odeint/algebra/algebra_dispatcher.hpp>
#include <boost/numeric/odeint/algebra/array_algebra.hpp>
#include <boost/numeric/odeint/algebra/vector_space_algebra.hpp>
#include <boost/numeric/odeint/util/is_resizeable.hpp>
#include <boost/numeric/odeint/util/resize.hpp>
#include <boost/numeric/odeint/util/same_size.hpp>
#include <cstddef>
#include <tuple>
#include <vector>

#include "frit/any_array.hpp"
#include "frit/array.hpp"
#include "frit/create.hpp"
#include "frit/eval.hpp"
#include "frit/ops.hpp"
#include "frit/reduce.hpp"

namespace frit::inline v0 {

namespace detail {
/// array<T> or any_array.
template <class A>
concept whole_array = is_array<A>::value;
}  // namespace detail

/// An observer for odeint's integrate functions: evaluates the state after every step, all of its arrays in one plan.
struct evaluate_state {
    /// A state of one array.
    template <detail::whole_array A, class Time>
    void operator()(const A& x, Time) const {
        x.eval();
    }
    /// A state of several.
    template <detail::whole_array A, std::size_t N, class Time>
    void operator()(const std::array<A, N>& x, Time) const {
        std::apply([](const auto&... variable) { eval(variable...); }, x);
    }
};

namespace detail {

/// A norm is real, whatever the state's elements are; a double where only running tells.
template <whole_array A>
using modulus_of = cpp_type<run_time_operand<A> ? dtype::f64 : real_dtype(operand_t<A>::type)>;

/// odeint's algebra for std::array, whose norm would make a number of each component.
struct odeint_algebra : boost::numeric::odeint::array_algebra {
    template <whole_array A, std::size_t N>
    static auto norm_inf(const std::array<A, N>& x) {
        holder_t<decltype(abs(x[0]))> magnitudes = abs(x[0]);
        for (std::size_t k = 1; k < N; ++k) magnitudes = maximum(magnitudes, abs(x[k]));
        return cast<modulus_of<A>>(max(magnitudes)).item();
    }
};

template <whole_array A>
bool same_shape(const A& a, const A& b) {
    return a.empty() ? b.empty() : !b.empty() && a.shape() == b.shape();
}

}  // namespace detail
}  // namespace frit::v0

/// @cond  specialisations of odeint's own templates
namespace boost::numeric::odeint {

template <frit::detail::whole_array A>
struct algebra_dispatcher<A> {
    using algebra_type = vector_space_algebra;
};
template <frit::detail::whole_array A, std::size_t N>
struct algebra_dispatcher<std::array<A, N>> {
    using algebra_type = frit::detail::odeint_algebra;
};

template <frit::detail::whole_array A>
struct vector_space_norm_inf<A> {
    using result_type = frit::detail::modulus_of<A>;
    result_type operator()(const A& x) const { return cast<result_type>(max(abs(x))).item(); }
};

// What a stepper keeps takes the state's shape, so that a right-hand side may also write it piece by piece, slice by slice.
// Zeros that nobody reads cost nothing.
template <frit::detail::whole_array A>
struct is_resizeable<A> : is_resizeable<std::vector<double>> {};
template <frit::detail::whole_array A, std::size_t N>
struct is_resizeable<std::array<A, N>> : is_resizeable<std::vector<double>> {};

template <frit::detail::whole_array A>
struct same_size_impl<A, A> {
    static bool same_size(const A& a, const A& b) { return frit::detail::same_shape(a, b); }
};
template <frit::detail::whole_array A, std::size_t N>
struct same_size_impl<std::array<A, N>, std::array<A, N>> {
    static bool same_size(const std::array<A, N>& a, const std::array<A, N>& b) {
        for (std::size_t k = 0; k < N; ++k)
            if (!frit::detail::same_shape(a[k], b[k])) return false;
        return true;
    }
};

template <frit::detail::whole_array A>
struct resize_impl<A, A> {
    static void resize(A& a, const A& like) { a = frit::zeros_like(like); }
};
template <frit::detail::whole_array A, std::size_t N>
struct resize_impl<std::array<A, N>, std::array<A, N>> {
    static void resize(std::array<A, N>& a, const std::array<A, N>& like) {
        for (std::size_t k = 0; k < N; ++k) a[k] = frit::zeros_like(like[k]);
    }
};

}  // namespace boost::numeric::odeint
/// @endcond

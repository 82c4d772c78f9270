// frit's arrays as states of Boost.odeint: everything that odeint needs to know about them, for steppers over
//
//     std::array<frit::array<double>, 3>     one array for each variable of the system (what suits most), or
//     frit::array<double>                    one array of any shape.
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

#include "frit/array.hpp"
#include "frit/create.hpp"
#include "frit/eval.hpp"
#include "frit/ops.hpp"
#include "frit/reduce.hpp"

namespace frit::inline v0 {

/// An observer for odeint's integrate functions: evaluates the state after every step, all of its arrays in one plan.
struct evaluate_state {
    /// A state of one array.
    template <element T, class Time>
    void operator()(const array<T>& x, Time) const {
        x.eval();
    }
    /// A state of several.
    template <element T, std::size_t N, class Time>
    void operator()(const std::array<array<T>, N>& x, Time) const {
        std::apply([](const auto&... variable) { eval(variable...); }, x);
    }
};

namespace detail {

/// A norm is real, whatever the state's elements are.
template <element T>
using modulus_of = cpp_type<real_dtype(dtype_of<T>)>;

/// odeint's algebra for std::array, whose norm would make a number of each component.
struct odeint_algebra : boost::numeric::odeint::array_algebra {
    template <element T, std::size_t N>
    static auto norm_inf(const std::array<array<T>, N>& x) {
        array<modulus_of<T>> magnitudes = abs(x[0]);
        for (std::size_t k = 1; k < N; ++k) magnitudes = maximum(magnitudes, abs(x[k]));
        return max(magnitudes).item();
    }
};

template <element T>
bool same_shape(const array<T>& a, const array<T>& b) {
    return a.empty() ? b.empty() : !b.empty() && a.shape() == b.shape();
}

}  // namespace detail
}  // namespace frit::v0

/// @cond  specialisations of odeint's own templates
namespace boost::numeric::odeint {

template <class T>
struct algebra_dispatcher<frit::array<T>> {
    using algebra_type = vector_space_algebra;
};
template <class T, std::size_t N>
struct algebra_dispatcher<std::array<frit::array<T>, N>> {
    using algebra_type = frit::detail::odeint_algebra;
};

template <class T>
struct vector_space_norm_inf<frit::array<T>> {
    using result_type = frit::detail::modulus_of<T>;
    result_type operator()(const frit::array<T>& x) const { return max(abs(x)).item(); }
};

// What a stepper keeps takes the state's shape, so that a right-hand side may also write it piece by piece, slice by slice.
// Zeros that nobody reads cost nothing.
template <class T>
struct is_resizeable<frit::array<T>> : is_resizeable<std::vector<T>> {};
template <class T, std::size_t N>
struct is_resizeable<std::array<frit::array<T>, N>> : is_resizeable<std::vector<T>> {};

template <class T>
struct same_size_impl<frit::array<T>, frit::array<T>> {
    static bool same_size(const frit::array<T>& a, const frit::array<T>& b) { return frit::detail::same_shape(a, b); }
};
template <class T, std::size_t N>
struct same_size_impl<std::array<frit::array<T>, N>, std::array<frit::array<T>, N>> {
    static bool same_size(const std::array<frit::array<T>, N>& a, const std::array<frit::array<T>, N>& b) {
        for (std::size_t k = 0; k < N; ++k)
            if (!frit::detail::same_shape(a[k], b[k])) return false;
        return true;
    }
};

template <class T>
struct resize_impl<frit::array<T>, frit::array<T>> {
    static void resize(frit::array<T>& a, const frit::array<T>& like) { a = frit::zeros_like(like); }
};
template <class T, std::size_t N>
struct resize_impl<std::array<frit::array<T>, N>, std::array<frit::array<T>, N>> {
    static void resize(std::array<frit::array<T>, N>& a, const std::array<frit::array<T>, N>& like) {
        for (std::size_t k = 0; k < N; ++k) a[k] = frit::zeros_like(like[k]);
    }
};

}  // namespace boost::numeric::odeint
/// @endcond

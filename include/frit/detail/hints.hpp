// What one writes in the first hour after years of NumPy, Eigen or MatX, and frit spells otherwise: such calls compile to
// one error, which says what to write. Here is what the hints share, and the members that an array has for nothing else; the
// others stand beside what they lead to.
#pragma once

#include <type_traits>

#include "frit/dtype.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0 {

template <class T>
class array;

namespace detail {

/// What such a call is worth: an array of which all may be asked that is asked of an element, so that no second error
/// follows.
template <class T>
struct stand_in : array<T> {
    template <class V>
    void operator=(const V&) const;
    template <class I>
    stand_in& operator[](const I&) const;
    template <class V>
    requires std::is_scalar_v<V>
    operator V() const;
};

/// In the signatures of deleted functions, so that the compiler's message says what to write.
struct shapes_go_to_zeros_or_full_and_braces_hold_values_of_this_dtype {
    shapes_go_to_zeros_or_full_and_braces_hold_values_of_this_dtype(const shape&);
    template <class V>
    requires std::is_arithmetic_v<V> shapes_go_to_zeros_or_full_and_braces_hold_values_of_this_dtype(V);
};
struct vectors_and_pointers_go_to_from_host {
    template <class R>
    requires requires(const R& r) {
        r.data();
        r.size();
    }
    vectors_and_pointers_go_to_from_host(const R&);
    vectors_and_pointers_go_to_from_host(const void*);
};
struct numbers_are_assigned_to_x_of_frit_all {};

/// Functions and attributes of others' arrays.
template <class T>
struct no_members {
#define FRIT_NO_MEMBER(name, instead)                                 \
    template <class... Named, class... A>                             \
    stand_in<T>& name(A&&...) const {                                 \
        static_assert(never<Named..., A...>, "frit: write " instead); \
    }
#define FRIT_REDUCTION(name, ...) FRIT_NO_MEMBER(name, #name "(x), a function")
#include "frit/ops.def"
    FRIT_NO_MEMBER(mean, "mean(x), a function")
    FRIT_NO_MEMBER(var, "var(x), a function")
    FRIT_NO_MEMBER(std, "stddev(x), a function")
    FRIT_NO_MEMBER(dot, "dot(x, y), a function")
    FRIT_NO_MEMBER(transpose, "x.T(), or transpose(x, {1, 0})")
    FRIT_NO_MEMBER(astype, "cast<float>(x)")
    FRIT_NO_MEMBER(cast, "cast<float>(x)")
    FRIT_NO_MEMBER(copy, "y = x: values never change, so that arrays can share them")
    FRIT_NO_MEMBER(fill, "x(frit::all) = value")
    FRIT_NO_MEMBER(flatten, "x.reshape({-1})")
    FRIT_NO_MEMBER(data, "x.to_vector(), or x.span() to look at them in place")
    FRIT_NO_MEMBER(ndim, "x.rank()")
    FRIT_NO_MEMBER(rows, "x.shape()[0]")
    FRIT_NO_MEMBER(cols, "x.shape()[1]")
#undef FRIT_NO_MEMBER
};

}  // namespace detail
}  // namespace frit::v0

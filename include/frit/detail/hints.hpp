// What one writes in the first hour after years of NumPy, Eigen or MatX, and frit spells otherwise: such calls compile to
// one error, which says what to write. They are deleted functions, so that a program that asks `requires { x.sum(); }` hears
// that there is no such thing. Here is what the hints share, and the members that an array has for nothing else; the others
// stand beside what they lead to.
#pragma once

#include <initializer_list>
#include <type_traits>

#include "frit/shape.hpp"

namespace frit::inline v0 {
namespace detail {

/// A string as a template argument. nvcc hands template arguments on to the host compiler in a spelling that only an
/// aggregate's constructor takes: there it is empty, and hints say less.
struct text {
#if defined(__CUDACC__)
    constexpr text() = default;
    constexpr text(const char*) {}
#else
    char characters[160]{};
    constexpr text(const char* from) {
        for (int k = 0; from[k]; ++k) characters[k] = from[k];
    }
#endif
};
/// In the signatures of deleted functions, which compilers show: what to write.
template <text>
struct hint {};

/// In the same place, as parameters that say what they take.
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

/// An array or a recipe, by a conversion: a hint that takes its operand as this one loses against every function of a user's
/// that takes an array, or anything.
struct any_operand {
    template <class E>
    requires requires { typename E::frit_operand; }
    any_operand(const E&);
};
/// What stands behind it.
struct anything {
    template <class T>
    anything(const T&);
    anything(std::initializer_list<any_integer>);
};
/// Beside a reduction: integers and bools that are no axes of it.
#define FRIT_OPTIONS_ARE_TAGS(name, tag) \
    hint<"frit: axes are one argument, options are tags: write " name "(x, {0, 1}), " name "(x, 0, frit::" tag ")">

/// Functions of others' arrays. No names that a class is likely to have of its own: one that derives from array and from a
/// class with such a member could not call it.
struct no_members {
#define FRIT_NO_MEMBER(name, text) hint<text> name(...) const = delete;
#define FRIT_KIND_PLAIN(name) FRIT_NO_MEMBER(name, "frit: write " #name "(x), a function")
#define FRIT_KIND_INDEX(name) FRIT_KIND_PLAIN(name)
#define FRIT_KIND_DEVIATIONS(name)
#define FRIT_KIND_PAIR(name)
#define FRIT_KIND_LAST(name)
#define FRIT_REDUCTION(name, kind, ...) FRIT_KIND_##kind(name)
#include "frit/ops.def"
#undef FRIT_KIND_PLAIN
#undef FRIT_KIND_INDEX
#undef FRIT_KIND_DEVIATIONS
#undef FRIT_KIND_PAIR
#undef FRIT_KIND_LAST
    FRIT_NO_MEMBER(mean, "frit: write mean(x), a function")
    FRIT_NO_MEMBER(var, "frit: write var(x), a function")
    FRIT_NO_MEMBER(std, "frit: write stddev(x), a function")
    FRIT_NO_MEMBER(dot, "frit: write dot(x, y), a function")
    FRIT_NO_MEMBER(transpose, "frit: write x.T(), or transpose(x, {1, 0})")
    template <class... Named>
    FRIT_NO_MEMBER(astype, "frit: write cast<float>(x)")
    template <class... Named>
    FRIT_NO_MEMBER(cast, "frit: write cast<float>(x)")
#undef FRIT_NO_MEMBER
};

}  // namespace detail
}  // namespace frit::v0

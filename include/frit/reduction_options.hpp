// What may follow a reduction's operand: the axes, then tags in any order: keepdims, ddof(n), where(mask). Plain types, so
// that a reduction costs one template whatever the mixture; index.hpp needs them too, since frit::all is both an index and a
// reduction.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "frit/error.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0 {

namespace detail {

/// The axes of a call, and the caller's line, for which a parameter pack of tags leaves no room. An empty list `{}` does not
/// compile.
struct reduced_axes {
    axes which;
    source_line where;
    reduced_axes() = delete;
    reduced_axes(std::initializer_list<any_integer> list, source_line at = {}) : which(list, at), where(at) {}
    reduced_axes(const axes& list, source_line at = {}) : which(list), where(at) {}
    template <integral_number T>
    reduced_axes(T axis, source_line at = {}) : which(axis, at), where(at) {}
    template <integral_range R>
    reduced_axes(const R& list, source_line at = {}) : which(list, at), where(at) {}
    template <std::floating_point T>
    reduced_axes(T) = delete;  // an axis is an integer
};

/// What axes and tags say together.
struct reduction_options {
    const axes* which = nullptr;  ///< null: all axes
    source_line where = unknown_line;
    bool keepdims = false;
    std::int64_t ddof = 0;
};

struct keepdims_t {
    using frit_reduction_tag = void;
    void apply(reduction_options& o) const noexcept { o.keepdims = true; }
};

/// What frit::where(mask) gives; Mask is an array or a recipe of bool.
template <class Mask>
struct masked_by {
    using frit_reduction_tag = void;
    Mask mask;
    source_line where;
    void apply(reduction_options& o) const noexcept {
        if (!o.which) o.where = where;
    }
};

template <class T>
concept reduction_tag = requires {
    typename T::frit_reduction_tag;
};

}  // namespace detail

/// Reduced axes stay, with extent 1, so that the result broadcasts against the operand: sum(x, 1, frit::keepdims).
inline constexpr detail::keepdims_t keepdims{};

/// "Delta degrees of freedom" of var and stddev: the sum of squares is divided by the number of elements minus n.
class ddof {
public:
    /// @cond
    using frit_reduction_tag = void;
    void apply(detail::reduction_options& o) const noexcept {
        o.ddof = n_;
        if (!o.which) o.where = where_;
    }
    /// @endcond
    /// 0, the default, for a population; 1 for a sample.
    template <detail::integral_number T>
    explicit ddof(T n, source_line where = {}) noexcept : n_(detail::to_int64(n)), where_(where) {}

private:
    std::int64_t n_;
    source_line where_;
};

namespace detail {

struct no_mask {};
inline constexpr no_mask unmasked{};

/// The mask among the tags, or `unmasked`.
struct find_mask {
    static const no_mask& among() { return unmasked; }
    template <class M, class... Rest>
    static const M& among(const masked_by<M>& tag, const Rest&...) {
        return tag.mask;
    }
    template <class Tag, class... Rest>
    static const auto& among(const Tag&, const Rest&... rest) {
        return among(rest...);
    }
};

template <class>
inline constexpr bool is_mask = false;
template <class M>
inline constexpr bool is_mask<masked_by<M>> = true;

/// @tparam Ddof  whether the reduction takes ddof(n)
template <bool Ddof, class... Tags>
reduction_options options_of(const reduced_axes* over, const Tags&... tags) {
    static_assert(Ddof || !(std::same_as<Tags, ddof> || ...), "frit: ddof(n) is an option of var and stddev alone");
    static_assert((std::same_as<Tags, ddof> + ... + 0) < 2 && (std::same_as<Tags, keepdims_t> + ... + 0) < 2 &&
                      (is_mask<Tags> + ... + 0) < 2,
                  "frit: an option is given twice");
    reduction_options o;
    if (over) {
        o.which = &over->which;
        o.where = over->where;
    }
    (tags.apply(o), ...);
    return o;
}

}  // namespace detail
}  // namespace frit::v0

// What may stand between the parentheses of x(...): integers, slices, frit::all, frit::ellipsis, frit::newaxis. All of it
// converts to one plain type, frit::index, so that indexing costs one template whatever the mixture, and lists of them can
// be made at run time.
#pragma once

#include <concepts>
#include <cstdint>

#include "frit/config.hpp"
#include "frit/detail/hints.hpp"
#include "frit/error.hpp"
#include "frit/reduction_options.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0 {

namespace detail {
struct none_t {};
struct ellipsis_t {};
struct newaxis_t {};

/// `frit::all` is one object: the whole axis as an index, the reduction "is every element true" as a call.
struct all_t {
    // Defined in reduce.hpp.
    template <class E>
    auto operator()(E&& x) const;
    template <class E, reduction_tag... Tags>
    auto operator()(E&& x, const reduced_axes& over, const Tags&... tags) const;
    template <class E, reduction_tag Tag, reduction_tag... More>
    auto operator()(E&& x, const Tag& tag, const More&... more) const;
    /// @cond
    FRIT_OPTIONS_ARE_TAGS("all", "keepdims") operator()(any_operand, anything, ...) const = delete;
    /// @endcond
};

/// An end of a slice: an integer or frit::none.
struct bound {
    std::int64_t value = 0;
    bool given = false;
    constexpr bound(none_t) noexcept {}
    template <integral_number T>
    constexpr bound(T v) noexcept : value(to_int64(v)), given(true) {}
    template <std::floating_point T>
    bound(T) = delete;  // a slice's bounds are integers
};
}  // namespace detail

/// A bound of a slice that is left open: slice(frit::none, frit::none, -1).
inline constexpr detail::none_t none{};
/// As many whole axes as are left.
inline constexpr detail::ellipsis_t ellipsis{};
/// A new axis of extent 1.
inline constexpr detail::newaxis_t newaxis{};
/// As an index, the whole axis; as a call, the reduction: u(frit::all, 0) and frit::all(u > 0).
inline constexpr detail::all_t all{};

/// Elements start, start + step, ... before stop; negative bounds count from the end, bounds beyond it are cut, as in
/// Python.
class slice {
public:
    /// Bounds are integers or frit::none; a step of 0 is an index_error where the slice is used.
    constexpr slice(detail::bound first, detail::bound last, detail::bound by = detail::none_t{}) noexcept
        : start(first), stop(last), step(by) {}
    /// @cond
    template <detail::integral_number T>
    explicit slice(T, detail::hint<"frit: a slice has two ends: write slice(0, 3), or slice(3, frit::none)"> = {}) = delete;
    /// @endcond
    detail::bound start;  ///< the first element
    detail::bound stop;   ///< before this one
    detail::bound step;   ///< of any sign
};

/// One of the things that stand between the parentheses of x(...): an integer, a slice, frit::all, frit::ellipsis or
/// frit::newaxis. For indices whose number only running shows: x takes a std::vector of them, or a std::span. (Its name
/// wants the frit:: also after `using namespace frit`: the C library has a function index.)
///
/// ```cpp
/// // The hyperplane of x that holds its k-th elements along an axis, whatever the rank.
/// const auto plane = [](const frit::array<int>& x, int axis, int k) {
///     std::vector<frit::index> at(static_cast<std::size_t>(x.rank()), frit::all);
///     at[static_cast<std::size_t>(axis)] = k;
///     return x(at);
/// };
/// const frit::array<int> x = frit::arange(6).reshape({2, 3});
/// std::cout << plane(x, 0, 1) << " " << plane(x, 1, -1) << "\n";
/// ```
/// ```text
/// [3 4 5] [2 5]
/// ```
class index {
public:
    /// @cond
    enum class kind : std::uint8_t { integer, slice, whole_axes, new_axis };
    kind what;
    detail::bound start = none, stop = none, step = none;  // integer: start alone
    /// @endcond
    /// An element's place; negative numbers count from the end.
    template <detail::integral_number T>
    constexpr index(T place) noexcept : what(kind::integer), start(place) {}
    /// Elements at equal distances.
    constexpr index(const slice& s) noexcept : what(kind::slice), start(s.start), stop(s.stop), step(s.step) {}
    /// The whole axis.
    constexpr index(detail::all_t) noexcept : what(kind::slice) {}
    /// As many whole axes as are left.
    constexpr index(detail::ellipsis_t) noexcept : what(kind::whole_axes) {}
    /// A new axis of extent 1.
    constexpr index(detail::newaxis_t) noexcept : what(kind::new_axis) {}
};

namespace detail {
/// The first index also notes the caller's line, which a parameter pack leaves no room for.
struct first_index {
    index at;
    source_line where;
    template <std::convertible_to<index> I>
    constexpr first_index(const I& i, source_line line = {}) noexcept : at(i), where(line) {}
};
}  // namespace detail

}  // namespace frit::v0

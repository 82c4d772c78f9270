// Shapes: up to 16 extents, by value. A shape comes from a braced list of any integrals, a range of them, or one integral;
// so do the two relatives that views take, int_list (extents with a -1, in reshape) and axes. A shape that exists can be
// computed with: no product of its extents overflows. <ranges> stays out: it would be a third of the time that including
// frit takes.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>

#include "frit/config.hpp"
#include "frit/error.hpp"

namespace frit::inline v0 {

/// The most dimensions that an array may have.
inline constexpr int max_rank = 16;

namespace detail {
class integers;
[[noreturn]] FRIT_API void throw_rank(std::size_t rank, source_line where);
[[noreturn]] FRIT_API void throw_impossible(const integers& extents, source_line where);
[[noreturn]] FRIT_API void throw_no_entry(std::int64_t k, const integers& of);

template <class T>
concept integral_number = std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool>;
template <class R>
concept integral_range = requires(const R& r) {
    requires integral_number<std::remove_cvref_t<decltype(*std::begin(r))>>;
    std::end(r);
};

/// As an int64; what it does not hold becomes the nearest number that it does. No extent, index, axis or stride is as large,
/// so whoever checks those refuses it, and it never turns into a small number of the other sign.
template <integral_number T>
constexpr std::int64_t to_int64(T v) noexcept {
    constexpr bool is_signed = T(-1) < T(0);
    if constexpr (sizeof(T) + !is_signed > sizeof(std::int64_t)) {
        if (v > static_cast<T>(INT64_MAX)) return INT64_MAX;
        if constexpr (is_signed)
            if (v < static_cast<T>(INT64_MIN)) return INT64_MIN;
    }
    return static_cast<std::int64_t>(v);
}

/// A number of any integral type: of a parameter, or of a braced list, where different types stand side by side.
struct any_integer {
    std::int64_t value;
    template <integral_number T>
    constexpr any_integer(T v) noexcept : value(to_int64(v)) {}
    constexpr operator std::int64_t() const noexcept { return value; }
};

/// What shape, int_list and axes share: up to 16 integers in place.
class integers {
public:
    /// Entry k; -1 is the last. @throws index_error where there is none
    std::int64_t operator[](any_integer k) const {
        const std::int64_t at = k.value < 0 ? k.value + count_ : k.value;
        if (at < 0 || at >= count_) [[unlikely]]
            throw_no_entry(k.value, *this);
        return values_[at];
    }
    const std::int64_t* begin() const noexcept { return values_; }
    const std::int64_t* end() const noexcept { return values_ + count_; }
    friend bool operator==(const integers& a, const integers& b) noexcept {
        if (a.count_ != b.count_) return false;
        for (int k = 0; k < a.count_; ++k)
            if (a.values_[k] != b.values_[k]) return false;
        return true;
    }

protected:
    integers() = default;
    template <class R>
    integers(const R& range, source_line where) {
        for (any_integer v : range) append(v.value, where);
    }
    void append(std::int64_t v, source_line where) {
        if (count_ == max_rank) throw_rank(max_rank + 1, where);
        values_[count_++] = v;
    }
    std::int64_t values_[max_rank] = {};
    int count_ = 0;
};
}  // namespace detail

/// The extents of an array, outermost first; rank 0 has size 1.
class shape : public detail::integers {
public:
    shape() = default;
    /// @throws shape_error for more than 16 extents, a negative one, or more elements than can be addressed. Extents of 0 do
    ///         not make the others fit: every part of a shape is one too, as in NumPy
    shape(std::initializer_list<detail::any_integer> extents, source_line where = {}) : integers(extents, where) {
        check(where);
    }
    /// One dimension.
    template <detail::integral_number T>
    shape(T extent, source_line where = {}) : shape({detail::any_integer(extent)}, where) {}
    /// From any range of integers.
    template <detail::integral_range R>
    requires(!std::derived_from<R, shape>) shape(const R& extents, source_line where = {}) : integers(extents, where) {
        check(where);
    }

    /// The number of dimensions, at most 16.
    int rank() const noexcept { return count_; }
    /// The number of elements.
    std::int64_t size() const noexcept {
        std::int64_t n = 1;
        for (std::int64_t e : *this) n *= e;
        return n;
    }
    /// A further dimension, innermost. @throws shape_error as the constructor
    void push_back(detail::any_integer extent, source_line where = {}) {
        append(extent, where);
        if (possible(values_, count_)) return;
        const detail::integers tried = *this;
        --count_;
        detail::throw_impossible(tried, where);
    }
    /// Another extent for an axis. @throws index_error, shape_error
    void set(detail::any_integer axis, detail::any_integer extent, source_line where = {}) {
        const std::int64_t before = (*this)[axis];
        std::int64_t& place = values_[axis.value < 0 ? axis.value + count_ : axis.value];
        place = extent;
        if (possible(values_, count_)) return;
        const detail::integers tried = *this;
        place = before;
        detail::throw_impossible(tried, where);
    }
    /// @cond
    /// Whether an array may have these extents.
    static bool possible(const std::int64_t* extents, int count) noexcept {
        std::int64_t bytes = 16;  // of the largest element
        for (int k = 0; k < count; ++k)
            if (extents[k] < 0 || (extents[k] > 0 && __builtin_mul_overflow(bytes, extents[k], &bytes))) return false;
        return true;
    }
    /// @endcond

private:
    void check(source_line where) const {
        if (!possible(values_, count_)) detail::throw_impossible(*this, where);
    }
};

/// Integers of any sign: the extents that reshape takes (one may be -1: what remains).
class int_list : public detail::integers {
public:
    int_list() = default;
    /// From integers of any types. @throws shape_error for more than 16
    int_list(std::initializer_list<detail::any_integer> values, source_line where = {}) : integers(values, where) {}
    /// One integer.
    template <detail::integral_number T>
    int_list(T value, source_line where = {}) : int_list({detail::any_integer(value)}, where) {}
    /// From any range of integers.
    template <detail::integral_range R>
    requires(!std::derived_from<R, int_list>) int_list(const R& values, source_line where = {}) : integers(values, where) {}
    /// How many there are.
    int count() const noexcept { return count_; }
};

/// Axes: from integrals only, negative ones count from the back; an empty list `{}` does not compile.
class axes : public detail::integers {
public:
    axes() = delete;
    /// From integers of any types. @throws shape_error for more than 16
    axes(std::initializer_list<detail::any_integer> values, source_line where = {}) : integers(values, where) {}
    /// One axis.
    template <detail::integral_number T>
    axes(T value, source_line where = {}) : axes({detail::any_integer(value)}, where) {}
    /// From any range of integers.
    template <detail::integral_range R>
    requires(!std::derived_from<R, axes>) axes(const R& values, source_line where = {}) : integers(values, where) {}
    template <std::floating_point T>
    axes(T) = delete;  // an axis is an integer
    /// How many there are.
    int count() const noexcept { return count_; }
};

/// "(3, 4)", as NumPy prints it.
FRIT_API std::string to_string(const shape& s);

}  // namespace frit::v0

// Shapes: up to 16 extents, by value. A shape comes from a braced list of any integrals, a range of them, or one integral;
// so do the two relatives that views take, int_list (extents with a -1, in reshape) and axes. <ranges> stays out: it would
// be a third of the time that including frit takes.
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
[[noreturn]] FRIT_API void throw_rank(std::size_t rank, source_line where);
[[noreturn]] FRIT_API void throw_extent(std::int64_t extent, source_line where);
[[noreturn]] FRIT_API void throw_size(source_line where);

template <class T>
concept integral_number = std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool>;
template <class R>
concept integral_range = requires(const R& r) {
    requires integral_number<std::remove_cvref_t<decltype(*std::begin(r))>>;
    std::end(r);
};

/// One entry of a braced list: lets integrals of different types stand side by side.
struct any_integer {
    std::int64_t value;
    template <integral_number T>
    constexpr any_integer(T v) noexcept : value(static_cast<std::int64_t>(v)) {}
    constexpr operator std::int64_t() const noexcept { return value; }
};

/// What shape, int_list and axes share: up to 16 integers in place.
class integers {
public:
    std::int64_t operator[](int k) const noexcept { return values_[k]; }
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
        for (auto v : range) append(static_cast<std::int64_t>(v), where);
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
    /// @throws shape_error for more than 16 extents, a negative one, or more elements than can be addressed
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
    using integers::operator[];
    /// The extent of an axis, from 0; unchecked.
    std::int64_t& operator[](int axis) noexcept { return values_[axis]; }
    /// The number of elements.
    std::int64_t size() const noexcept {
        std::int64_t n = 1;
        for (std::int64_t e : *this) n *= e;
        return n;
    }
    /// A further dimension, innermost. @throws shape_error as the constructor
    void push_back(std::int64_t extent, source_line where = {}) {
        append(extent, where);
        check(where);
    }

private:
    void check(source_line where) const {
        std::int64_t bytes = 16;  // of the largest element
        for (std::int64_t e : *this) {
            if (e < 0) detail::throw_extent(e, where);
            if (__builtin_mul_overflow(bytes, e, &bytes)) detail::throw_size(where);
        }
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

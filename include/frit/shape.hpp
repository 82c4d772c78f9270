// Shapes: up to 16 extents, by value. A shape comes from a braced list of any integrals, a range of them, or one integral.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <span>
#include <string>

#include "frit/config.hpp"
#include "frit/error.hpp"

namespace frit::inline v0 {

inline constexpr int max_rank = 16;

namespace detail {
[[noreturn]] FRIT_API void throw_rank(std::size_t rank, source_line where);
[[noreturn]] FRIT_API void throw_extent(std::int64_t extent, source_line where);
template <class T>
concept integral_number = std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool>;
}  // namespace detail

/// The extents of an array, outermost first; rank 0 has size 1.
class shape {
public:
    shape() = default;
    /// @throws shape_error for more than 16 extents or a negative one
    template <detail::integral_number T>
    shape(std::initializer_list<T> extents, source_line where = {}) {
        assign(extents, where);
    }
    template <detail::integral_number T>
    shape(T extent, source_line where = {}) {
        push_back(static_cast<std::int64_t>(extent), where);
    }
    template <std::ranges::input_range R>
        requires detail::integral_number<std::ranges::range_value_t<R>> && (!std::same_as<std::remove_cvref_t<R>, shape>)
    shape(R&& extents, source_line where = {}) {
        assign(extents, where);
    }

    int rank() const noexcept { return rank_; }
    std::int64_t operator[](int axis) const noexcept { return extents_[axis]; }
    std::int64_t& operator[](int axis) noexcept { return extents_[axis]; }
    const std::int64_t* begin() const noexcept { return extents_; }
    const std::int64_t* end() const noexcept { return extents_ + rank_; }
    /// The number of elements.
    std::int64_t size() const noexcept {
        std::int64_t n = 1;
        for (std::int64_t e : *this) n *= e;
        return n;
    }
    void push_back(std::int64_t extent, source_line where = {}) {
        if (rank_ == max_rank) detail::throw_rank(17, where);
        if (extent < 0) detail::throw_extent(extent, where);
        extents_[rank_++] = extent;
    }
    friend bool operator==(const shape& a, const shape& b) noexcept {
        if (a.rank_ != b.rank_) return false;
        for (int k = 0; k < a.rank_; ++k)
            if (a.extents_[k] != b.extents_[k]) return false;
        return true;
    }

private:
    template <class R>
    void assign(const R& extents, source_line where) {
        for (auto e : extents) push_back(static_cast<std::int64_t>(e), where);
    }
    std::int64_t extents_[max_rank] = {};
    int rank_ = 0;
};

/// "(3, 4)", as NumPy prints it.
FRIT_API std::string to_string(const shape& s);

}  // namespace frit::v0

// The 16-bit floating types: half (IEEE binary16) and bfloat16 (the upper half of a float). They are storage: arithmetic
// happens in float32. What is here makes values of them, one at a time and in constant expressions too; arrays convert in
// their kernels, to the same bits. Every conversion to 16 bits rounds once, to nearest even, whatever it comes from.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>  // std::hash
#include <type_traits>

#ifdef __STDCPP_FLOAT16_T__
#include <stdfloat>
#endif

#include "frit/config.hpp"

namespace frit::inline v0 {

class half;
class bfloat16;

namespace detail {

template <class T>
inline constexpr bool is_short_float = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
/// What a 16-bit value is made from: a number of C++, or the other 16-bit type.
template <class T>
concept cpp_number = std::is_arithmetic_v<T> || is_short_float<T>;

/// x as a binary format of `Exponent` and `Mantissa` bits, 16 with the sign. A NaN keeps its upper bits and becomes quiet.
template <int Exponent, int Mantissa>
constexpr std::uint16_t round_to_short(double x) noexcept {
    constexpr int bias = (1 << (Exponent - 1)) - 1, least = 1 - bias;
    constexpr auto infinity = static_cast<std::uint16_t>(((1 << Exponent) - 1) << Mantissa);
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto sign = static_cast<std::uint16_t>(bits >> 63 << 15);
    const std::uint64_t magnitude = bits << 1 >> 1, fraction = bits << 12 >> 12;
    if (magnitude > 0x7ffull << 52)
        return static_cast<std::uint16_t>(sign | infinity | 1 << (Mantissa - 1) | fraction >> (52 - Mantissa));
    const int exponent = static_cast<int>(magnitude >> 52) - 1023;
    if (exponent > bias) return static_cast<std::uint16_t>(sign | infinity);
    const int shift = 52 - Mantissa + (exponent < least ? least - exponent : 0);
    if (shift > 54) return sign;  // less than half of the smallest number
    const std::uint64_t significand = fraction | std::uint64_t{1} << 52, one = std::uint64_t{1} << shift;
    const std::uint64_t rest = significand & (one - 1);
    std::uint64_t rounded = significand >> shift;
    if (rest > one / 2 || (rest == one / 2 && (rounded & 1) != 0)) ++rounded;
    // The leading bit of a normal number adds one to the exponent; so does a carry, up to infinity.
    if (exponent > least) rounded += static_cast<std::uint64_t>(exponent - least) << Mantissa;
    return static_cast<std::uint16_t>(sign | rounded);
}

/// A double that rounds to 16 bits as x does: of an integer with more than 53 bits, the last ones are one bit that says
/// whether there are any.
template <cpp_number T>
constexpr double before_rounding(T x) noexcept {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
        const bool negative = x < T{};
        std::uint64_t magnitude = negative ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
        if (magnitude >> 53 != 0) magnitude = (magnitude | ((magnitude & 0x7ff) != 0 ? 0x800 : 0)) & ~std::uint64_t{0x7ff};
        return negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
    } else {
        return static_cast<double>(x);
    }
}

constexpr float widen_half(std::uint16_t bits) noexcept {
    const std::uint32_t sign = std::uint32_t{bits} >> 15 << 31, magnitude = bits & 0x7fffu;
    if (magnitude < 0x400) {  // zeros and subnormal numbers
        const float value = static_cast<float>(magnitude) * 0x1p-24F;
        return sign != 0 ? -value : value;
    }
    const std::uint32_t exponent = magnitude >= 0x7c00 ? 0xff - 0x1f : 127 - 15;
    const std::uint32_t quiet = magnitude > 0x7c00 ? 0x400000 : 0;
    return std::bit_cast<float>(sign | quiet | ((magnitude << 13) + (exponent << 23)));
}
constexpr float widen_bfloat16(std::uint16_t bits) noexcept { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

/// What the two types have in common. Arithmetic is that of std::float16_t: of two of one type, and of one with an integer,
/// which becomes one first, the result is rounded to it; beside a float or a double it is of that type, and of half with
/// bfloat16 float. `x *= y` and its like take any number and round their result to x's type, once, as frit's arrays do;
/// `x = y` needs a cast, Short(y), for a y of another type.
template <class Short, int Exponent, int Mantissa>
class short_float {
public:
    constexpr short_float() = default;
    template <cpp_number T>
    constexpr explicit short_float(T x) noexcept : bits_(round_to_short<Exponent, Mantissa>(before_rounding(x))) {}

    /// The value of these bits.
    static constexpr Short from_bits(std::uint16_t bits) noexcept {
        Short x;
        x.bits_ = bits;
        return x;
    }
    /// The value as it is stored.
    constexpr std::uint16_t bits() const noexcept { return bits_; }
    constexpr operator float() const noexcept {
        if constexpr (Mantissa == 10)
            return widen_half(bits_);
        else
            return widen_bfloat16(bits_);
    }

    constexpr Short operator+() const noexcept { return from_bits(bits_); }
    constexpr Short operator-() const noexcept { return from_bits(static_cast<std::uint16_t>(bits_ ^ 0x8000)); }
    friend constexpr Short& operator++(Short& x) noexcept { return x += 1; }
    friend constexpr Short& operator--(Short& x) noexcept { return x -= 1; }
    friend constexpr Short operator++(Short& x, int) noexcept {
        const Short before = x;
        ++x;
        return before;
    }
    friend constexpr Short operator--(Short& x, int) noexcept {
        const Short before = x;
        --x;
        return before;
    }
    friend constexpr Short operator+(Short a, Short b) noexcept { return Short(float{a} + float{b}); }
    friend constexpr Short operator-(Short a, Short b) noexcept { return Short(float{a} - float{b}); }
    friend constexpr Short operator*(Short a, Short b) noexcept { return Short(float{a} * float{b}); }
    friend constexpr Short operator/(Short a, Short b) noexcept { return Short(float{a} / float{b}); }
#define FRIT_X(token)                                                   \
    template <std::integral I>                                          \
    friend constexpr Short operator token(Short a, I b) noexcept {      \
        return a token Short(b);                                        \
    }                                                                   \
    template <std::integral I>                                          \
    friend constexpr Short operator token(I a, Short b) noexcept {      \
        return Short(a) token b;                                        \
    }                                                                   \
    template <cpp_number T>                                             \
    friend constexpr Short& operator token##=(Short& a, T b) noexcept { \
        return a = Short(a token b);                                    \
    }
    FRIT_X(+)
    FRIT_X(-)
    FRIT_X(*)
    FRIT_X(/)
#undef FRIT_X

private:
    std::uint16_t bits_ = 0;
};

}  // namespace detail

/// IEEE binary16: 11 significant bits, up to 65,504. Converts from every number, explicitly, and to float; bit-castable to
/// CUDA's __half and to std::float16_t, whose arithmetic it has: `h + 1` is a half, `h + 1.f` a float, `h *= 2.5f` rounds to
/// half once, and h = half(h * 2.5f) is written with the cast.
class half : public detail::short_float<half, 5, 10> {
public:
    using short_float::short_float;
#ifdef __STDCPP_FLOAT16_T__
    constexpr explicit operator std::float16_t() const noexcept { return std::bit_cast<std::float16_t>(bits()); }
#endif
};

/// bfloat16: 8 significant bits, the range of float. Converts from every number, explicitly, and to float; bit-castable to
/// CUDA's __nv_bfloat16 and to std::bfloat16_t. Arithmetic as half's.
class bfloat16 : public detail::short_float<bfloat16, 8, 7> {
public:
    using short_float::short_float;
#ifdef __STDCPP_BFLOAT16_T__
    constexpr explicit operator std::bfloat16_t() const noexcept { return std::bit_cast<std::bfloat16_t>(bits()); }
#endif
};

static_assert(sizeof(half) == 2 && sizeof(bfloat16) == 2);
static_assert(std::is_trivially_copyable_v<half> && std::is_trivially_copyable_v<bfloat16>);

namespace detail {
/// std::numeric_limits of both, from the bits of a few values.
template <class Short, int Exponent, int Mantissa>
struct short_limits : std::numeric_limits<float> {
    static constexpr int digits = Mantissa + 1;
    static constexpr int digits10 = Mantissa * 30103 / 100000;
    static constexpr int max_digits10 = digits * 30103 / 100000 + 2;
    static constexpr int max_exponent = 1 << (Exponent - 1), min_exponent = 3 - max_exponent;
    static constexpr int max_exponent10 = (max_exponent - 1) * 30103 / 100000;
    static constexpr int min_exponent10 = -((1 - min_exponent) * 30103 / 100000);
    static constexpr Short of(int bits) noexcept { return Short::from_bits(static_cast<std::uint16_t>(bits)); }
    static constexpr int infinite = ((1 << Exponent) - 1) << Mantissa;
    static constexpr Short min() noexcept { return of(1 << Mantissa); }
    static constexpr Short denorm_min() noexcept { return of(1); }
    static constexpr Short max() noexcept { return of(infinite - 1); }
    static constexpr Short lowest() noexcept { return of(0x8000 | (infinite - 1)); }
    static constexpr Short epsilon() noexcept { return Short(1.0 / (1 << Mantissa)); }
    static constexpr Short round_error() noexcept { return Short(0.5); }
    static constexpr Short infinity() noexcept { return of(infinite); }
    static constexpr Short quiet_NaN() noexcept { return of(infinite | 1 << (Mantissa - 1)); }
    static constexpr Short signaling_NaN() noexcept { return of(infinite | 1); }
};
/// std::hash of both: equal values have equal ones, so -0 has that of 0.
template <class Short>
struct short_hash {
    std::size_t operator()(Short x) const noexcept { return std::hash<float>()(x); }
};
}  // namespace detail

}  // namespace frit::v0
/// @cond
template <>
struct std::numeric_limits<frit::half> : frit::detail::short_limits<frit::half, 5, 10> {};
template <>
struct std::numeric_limits<frit::bfloat16> : frit::detail::short_limits<frit::bfloat16, 8, 7> {};
template <>
struct std::hash<frit::half> : frit::detail::short_hash<frit::half> {};
template <>
struct std::hash<frit::bfloat16> : frit::detail::short_hash<frit::bfloat16> {};
/// @endcond

// What a library's call may do to its result before it is stored: a factor, and another array, with a factor of its own, or
// one row for all rows, added; or the magnitudes of complex numbers. As data, so that the planner can see such a formula,
// and the library's file can say what it makes of it.
#pragma once

#include <cstdint>

namespace frit::inline v0::fusion {

/// What one of the two arrays is multiplied by: nothing, -1, or a number that the call is given, or its negative.
enum class factor : std::uint8_t { one, minus_one, number, minus_number };
constexpr bool is_number(factor f) { return f >= factor::number; }
constexpr factor negative(factor f) { return static_cast<factor>(static_cast<int>(f) ^ 1); }

/// alpha x + beta y, where x is the call's own result, and which of the steps are rounded: as many as the formula rounds. Or
/// |x|.
struct epilogue {
    enum class form : std::uint8_t {
        none,
        scaled,         ///< alpha x, and there is no y
        rounded,        ///< alpha x, beta y and their sum
        product_first,  ///< beta y, and the sum: fma(alpha, x, beta y)
        addend_first,   ///< alpha x, and the sum: fma(beta, y, alpha x)
        magnitude,      ///< hypot(real(x), imag(x)), real, and nothing else
    };
    form what = form::none;
    factor alpha = factor::one, beta = factor::one;
    bool row = false;  ///< y is one row, and is added to every row of x: a bias

    constexpr bool has_addend() const { return what > form::scaled && what != form::magnitude; }
    /// The numbers that the call is given: alpha, then beta, those that there are.
    constexpr int numbers() const { return (is_number(alpha) ? 1 : 0) + (is_number(beta) ? 1 : 0); }
    friend constexpr bool operator==(const epilogue&, const epilogue&) = default;
};

}  // namespace frit::v0::fusion

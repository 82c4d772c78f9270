// Factors and divisors at run-time dtypes: beside complex numbers a real one stays real, as in the operators (C's Annex G).
// Of an imaginary part that is made up an infinity would make NaN, and signs of zeros would be lost.
#pragma once

#include "src/formulas/values.hpp"

namespace frit::inline v0::detail {

/// What a factor of dtype `own` is converted to where products are computed in `type`.
constexpr dtype factor_dtype(dtype own, dtype type) { return is_complex(own) ? type : real_dtype(type); }

/// x converted so: a formula, which costs nothing where that is its dtype.
inline auto as_factor(const value& x, dtype type) { return cast(x, factor_dtype(x.node()->meant, type)); }

}  // namespace frit::v0::detail

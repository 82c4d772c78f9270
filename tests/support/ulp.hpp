// Distances in units in the last place between a result and a reference of higher precision: the measure of every
// floating-point check of the suite, so that it is written once.
#pragma once

#include <cmath>
#include <limits>

namespace frit_test {

/// The spacing of T's numbers around `at`: subnormals keep the smallest spacing.
template <class T>
long double spacing(long double at) {
    using limits = std::numeric_limits<T>;
    int exponent = 0;
    std::frexp(at, &exponent);
    if (at == 0 || exponent < limits::min_exponent) exponent = limits::min_exponent;
    if (exponent > limits::max_exponent) exponent = limits::max_exponent;
    return std::ldexp(1.0L, exponent - limits::digits);
}

/// |got - want| in units in the last place of T at `want`. NaN is at distance 0 from NaN and infinitely far from everything
/// else; infinity stands one step above the largest number.
template <class T>
long double ulp_distance(T got, long double want) {
    using limits = std::numeric_limits<T>;
    if (std::isnan(got) || std::isnan(want))
        return std::isnan(got) && std::isnan(want) ? 0 : std::numeric_limits<long double>::infinity();
    const long double top = std::ldexp(1.0L, limits::max_exponent);
    const auto finite = [&](long double x) { return std::fabs(x) > top ? std::copysign(top, x) : x; };
    const long double g = finite(got), w = finite(want);
    return g == w ? 0 : std::fabs(g - w) / spacing<T>(w);
}

}  // namespace frit_test

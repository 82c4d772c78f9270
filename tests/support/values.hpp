// Seeded test data: the same numbers on every machine (std's distributions are not), with the edges of each dtype mixed in.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "frit/dtype.hpp"

namespace frit_test {

/// splitmix64: small, good enough for test data, and the same everywhere.
class generator {
public:
    explicit generator(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
        z = (z ^ z >> 27) * 0x94d049bb133111ebU;
        return z ^ z >> 31;
    }
    /// In [0, n).
    std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(n)); }
    /// In [lo, hi].
    std::int64_t between(std::int64_t lo, std::int64_t hi) { return lo + below(hi - lo + 1); }
    /// In [lo, hi).
    double uniform(double lo, double hi) { return lo + (hi - lo) * static_cast<double>(next() >> 11) * 0x1p-53; }
    bool chance(double p) { return uniform(0, 1) < p; }

private:
    std::uint64_t state_;
};

template <class T>
constexpr bool is_complex = frit::is_complex(frit::dtype_of<T>);
template <class T>
constexpr bool is_float = frit::is_float(frit::dtype_of<T>);

/// T from any element; where T is real, from the real part.
template <class T, class From>
T to_element(const From& x) {
    if constexpr (requires { typename From::value_type; }) {
        if constexpr (requires { typename T::value_type; })
            return {static_cast<typename T::value_type>(x.real()), static_cast<typename T::value_type>(x.imag())};
        else
            return static_cast<T>(x.real());
    } else if constexpr (requires { typename T::value_type; }) {
        return static_cast<typename T::value_type>(x);
    } else {
        return static_cast<T>(x);
    }
}

/// Where results are fixed by a standard or by the table: NaN, infinities, zeros, subnormals, the ends of integers.
template <class T>
std::vector<T> edges() {
    using limits = std::numeric_limits<T>;
    if constexpr (is_complex<T>) {
        using part = typename T::value_type;
        std::vector<T> r;
        for (const part re : edges<part>()) r.insert(r.end(), {T(re, 1), T(re, re), T(2, re)});
        return r;
    } else if constexpr (std::is_same_v<T, bool>) {
        return {false, true};
    } else if constexpr (is_float<T>) {
        const T tiny = limits::denorm_min(), small = limits::min(), big = limits::max(), inf = limits::infinity();
        return {T(0),          -T(0),   T(1),
                T(-1),         tiny,    -tiny,
                small,         -small,  small / T(2),
                -small / T(2), big,     -big,
                inf,           -inf,    limits::quiet_NaN(),
                T(0.5),        T(-0.5), T(2),
                T(2.5),        T(-2.5), T(1) + limits::epsilon(),
                T(3e9),        T(-3e9), T(1e19),
                T(-1e19)};
    } else {
        // The ends, the widths of all integers as shift amounts and their neighbours, something in the middle; each once.
        std::vector<T> r;
        const auto add = [&](std::int64_t v) {
            const T wrapped = static_cast<T>(v);
            if (std::find(r.begin(), r.end(), wrapped) == r.end()) r.push_back(wrapped);
        };
        for (std::int64_t v : {0, 1, -1, 2, -2}) add(v);
        for (T v : {limits::min(), limits::max()})
            for (int d : {0, 1, -1})
                add(static_cast<std::int64_t>(static_cast<std::uint64_t>(v) + static_cast<std::uint64_t>(d)));
        for (std::int64_t v : {7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, -7, -31, 1000000007}) add(v);
        return r;
    }
}

/// Numbers of several magnitudes, so that every op finds enough of them in its domain.
template <class T>
T ordinary(generator& g) {
    if constexpr (is_complex<T>) {
        const auto re = ordinary<typename T::value_type>(g);
        return {re, ordinary<typename T::value_type>(g)};
    } else if constexpr (std::is_same_v<T, bool>) {
        return g.chance(0.5);
    } else if constexpr (is_float<T>) {
        constexpr double reach[] = {1, 4, 10, 80, 1000};
        const double r = reach[g.below(5)];
        return static_cast<T>(g.uniform(-r, r));
    } else {
        constexpr std::int64_t reach[] = {4, 70, 1000};  // of narrow types the last is every value, wrapped
        const std::int64_t r = reach[g.below(3)];
        return static_cast<T>(g.between(std::is_signed_v<T> || g.chance(0.1) ? -r : 0, r));
    }
}

/// n values: `share` of them edges, the rest ordinary.
template <class T>
std::vector<T> sample(generator& g, std::int64_t n, double share) {
    const std::vector<T> rare = edges<T>();
    std::vector<T> r;
    for (std::int64_t k = 0; k < n; ++k)
        r.push_back(g.chance(share)
                        ? static_cast<T>(rare[static_cast<std::size_t>(g.below(static_cast<std::int64_t>(rare.size())))])
                        : ordinary<T>(g));
    return r;
}

/// Equal bits, all NaNs being one: which NaN an operation gives is the compiler's choice.
template <class T>
bool same_bits(T a, T b) {
    if constexpr (is_complex<T>) {
        return same_bits(a.real(), b.real()) && same_bits(a.imag(), b.imag());
    } else if constexpr (is_float<T>) {
        if (std::isnan(a) && std::isnan(b)) return true;
        return a == b && std::signbit(a) == std::signbit(b);
    } else {
        return a == b;
    }
}

}  // namespace frit_test

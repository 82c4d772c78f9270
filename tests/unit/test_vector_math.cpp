// The vector math table: what stands in for libmvec keeps the bounds of the op table, so that an older C library changes
// speed and not accuracy. (What the table uses on this machine is measured by accuracy/measure.cpp.) And the exponents for
// which pow is products.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "src/cpu/isa.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/ulp.hpp"
#include "tests/support/values.hpp"

namespace {
using frit::op;
using frit::detail::isa_level;

template <class T>
using lanes __attribute__((vector_size(16))) = T;

template <class T>
lanes<T> call(frit::detail::math_function f, int arity, lanes<T> a, lanes<T> b) {
    if (arity == 1) return reinterpret_cast<lanes<T> (*)(lanes<T>)>(f)(a);
    return reinterpret_cast<lanes<T> (*)(lanes<T>, lanes<T>)>(f)(a, b);
}

template <class T>
void check(const frit::detail::isa_table& table, op o) {
    const frit::op_info& row = info(o);
    const frit::detail::math_function f = table.own_math[static_cast<int>(o)][sizeof(T) == 8];
    frit_test::generator g(99);
    constexpr int count = 16 / sizeof(T);
    for (int k = 0; k < 5000; k += count) {
        lanes<T> a{}, b{};
        for (int i = 0; i < count; ++i)
            a[i] = static_cast<T>(g.uniform(row.lo, row.hi)), b[i] = static_cast<T>(g.uniform(row.lo, row.hi));
        const lanes<T> got = call<T>(f, row.arity, a, b);
        for (int i = 0; i < count; ++i) {
            const ref::number want = ref::apply(o, frit::dtype_of<T>, {a[i], 0, 0}, {b[i], 0, 0});
            ASSERT_LE(frit_test::ulp_distance<T>(got[i], want.v), static_cast<long double>(row.ulp))
                << row.name << '(' << a[i] << ", " << b[i] << ") of " << name_of(frit::dtype_of<T>);
        }
    }
}

TEST(VectorMath, WhatStandsInForLibmvecKeepsTheBounds) {
    const frit::detail::isa_table& table = frit::detail::table_of(isa_level::baseline);
    ASSERT_EQ(table.vector_bytes, 16);
    int checked = 0;
    for (int k = 0; k < frit::detail::count_ops; ++k) {
        if (!table.own_math[k][0]) continue;
        check<float>(table, static_cast<op>(k));
        check<double>(table, static_cast<op>(k));
        ++checked;
    }
    EXPECT_GT(checked, 30);
}

template <class T>
std::vector<T> powers(isa_level level, const std::vector<T>& a, const std::vector<T>& b, bool one_exponent) {
    std::vector<T> r(a.size());
    const auto loop =
        frit::detail::table_of(level)
            .elementwise[static_cast<int>(op::pow)][frit::detail::index_of(frit::dtype_of<T>)][one_exponent ? 2 : 0];
    loop(r.data(), a.data(), b.data(), nullptr, static_cast<std::int64_t>(a.size()));
    return r;
}

template <class T>
bool same_bits(T a, T b) {
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<bits>(a) == std::bit_cast<bits>(b) || (std::isnan(a) && std::isnan(b));
}

/// Bases of every size, whose powers overflow, are subnormal and vanish, and C's special ones.
template <class T>
std::vector<T> bases() {
    using limits = std::numeric_limits<T>;
    std::vector<T> all{0, -T(0), 1, -1, limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::min()};
    all.insert(all.end(), {limits::max(), -limits::max(), limits::denorm_min(), -limits::denorm_min(), T(0.5), -2, 3});
    frit_test::generator g(5);
    while (all.size() < 20003) {
        const double exponent =
            g.chance(0.5) ? g.uniform(-3, 3) : g.uniform(limits::min_exponent - 20, limits::max_exponent);
        all.push_back(static_cast<T>(std::ldexp(g.uniform(1, 2), static_cast<int>(exponent)) * (g.chance(0.5) ? 1 : -1)));
    }
    return all;
}

template <class T>
void check_powers(isa_level level) {
    const std::vector<T> a = bases<T>();
    std::vector<T> exponents{-1.5, -0.5, 0.5, 1.5, 2.5, -0.25, 9, 10, -7, 31};
    for (int k = -6; k <= 8; ++k) exponents.push_back(static_cast<T>(k));
    for (const T y : exponents) {
        const std::vector<T> got = powers<T>(level, a, {y}, true);
        std::vector<T> mixed(a.size(), y);
        for (std::size_t k = 0; k < a.size(); k += 3) mixed[k] = exponents[k / 3 % exponents.size()];
        const std::vector<T> each = powers<T>(level, a, std::vector<T>(a.size(), y), false);
        const std::vector<T> among = powers<T>(level, a, mixed, false);
        for (std::size_t k = 0; k < a.size(); ++k) {
            const long double want = std::pow(static_cast<long double>(a[k]), static_cast<long double>(y));
            ASSERT_LE(frit_test::ulp_distance<T>(got[k], want), 4.0L) << a[k] << " to the power of " << y;
            ASSERT_TRUE(got[k] != 0 || std::signbit(got[k]) == std::signbit(want)) << a[k] << " to the power of " << y;
            ASSERT_TRUE(same_bits(each[k], got[k])) << a[k] << " to the power of " << y << " in an array";
            ASSERT_TRUE(k % 3 == 0 || same_bits(among[k], got[k])) << a[k] << " to the power of " << y << " among others";
            ASSERT_TRUE(y != 2 || same_bits(got[k], a[k] * a[k])) << a[k];
        }
    }
}

TEST(VectorMath, PowersOfSmallExponentsAreProductsAndKeepTheBound) {
    for (int level = 0; level <= static_cast<int>(frit::detail::machine_isa()); ++level) {
        SCOPED_TRACE(name_of(static_cast<isa_level>(level)));
        check_powers<float>(static_cast<isa_level>(level));
        check_powers<double>(static_cast<isa_level>(level));
    }
}

}  // namespace

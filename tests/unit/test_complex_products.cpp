// The product of complex numbers, which engines have as one op: at every level of instructions that this machine has,
// against C's own and against products in long double.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <vector>

#include "src/cpu/isa.hpp"

namespace {

using complex = std::complex<double>;
using frit::op;

std::vector<complex> products(const frit::detail::isa_table& table, const std::vector<complex>& z,
                              const std::vector<complex>& w) {
    std::vector<complex> result(z.size());
    const auto type = frit::detail::index_of(frit::dtype::c128);
    table.elementwise[static_cast<int>(op::complex_product)][type][0](result.data(), z.data(), w.data(), nullptr,
                                                                      static_cast<std::int64_t>(z.size()));
    return result;
}

template <class F>
void for_each_level(F&& f) {
    for (int level = 0; level <= static_cast<int>(frit::detail::machine_isa()); ++level)
        f(frit::detail::table_of(static_cast<frit::detail::isa_level>(level)));
}

bool is_infinite(complex z) { return std::isinf(z.real()) || std::isinf(z.imag()); }
/// Infinite, or finite and not 0.
bool is_number(complex z) { return is_infinite(z) || (std::isfinite(z.real()) && std::isfinite(z.imag()) && z != 0.0); }
bool same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)); }

// Annex G: C's product to the last bit, at every level.
TEST(ComplexProducts, SpecialValues) {
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> parts{0, 1, 2.5, 1e300, 1e-300, 5e-324, inf, nan};
    for (std::size_t k = parts.size() - 1; k-- > 0;) parts.push_back(-parts[k]);
    std::vector<complex> z, w;
    for (const double x : parts)
        for (const double y : parts)
            for (const double u : parts)
                for (const double v : parts) {
                    z.emplace_back(x, y);
                    w.emplace_back(u, v);
                }
    for_each_level([&](const frit::detail::isa_table& table) {
        const std::vector<complex> got = products(table, z, w);
        int infinite = 0;
        for (std::size_t k = 0; k < z.size(); ++k) {
            SCOPED_TRACE(::testing::Message() << z[k] << " * " << w[k] << " is " << got[k]);
            const complex want = z[k] * w[k];
            ASSERT_TRUE(same(got[k].real(), want.real()) && same(got[k].imag(), want.imag())) << want;
            if ((is_infinite(z[k]) && is_number(w[k])) || (is_infinite(w[k]) && is_number(z[k]))) {
                ASSERT_TRUE(is_infinite(got[k]));
                ++infinite;
            }
        }
        EXPECT_GT(infinite, 1000);
    });
}

// What cancels exactly leaves nothing: a number times its conjugate is real, and one whose parts are as large has an
// imaginary square.
TEST(ComplexProducts, WhatCancelsIsZero) {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> part(-2, 2);
    std::vector<complex> z{{1.7e308, 0.3}, {-0x1p-1070, 3e-310}}, conjugates, diagonal;
    for (int k = 0; k < 1001; ++k) z.emplace_back(part(random), part(random));
    for (const complex x : z)
        conjugates.push_back(std::conj(x)), diagonal.emplace_back(x.imag(), x.real() < 0 ? -x.imag() : x.imag());
    for_each_level([&](const frit::detail::isa_table& table) {
        for (const complex x : products(table, z, conjugates)) ASSERT_TRUE(same(x.imag(), 0)) << x;
        for (const complex x : products(table, conjugates, z)) ASSERT_TRUE(same(x.imag(), 0)) << x;
        for (const complex x : products(table, diagonal, diagonal)) ASSERT_TRUE(same(x.real(), 0)) << x;
    });
}

// By modulus; sqrt(5) units of roundoff at most (R. Brent, C. Percival and P. Zimmermann (2007), "Error bounds on complex
// floating-point multiplication").
TEST(ComplexProducts, Errors) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> mantissa(-2, 2);
    std::uniform_int_distribution<int> exponent(-200, 200);
    const auto part = [&] { return std::ldexp(mantissa(random), exponent(random) / 10); };
    std::vector<complex> z, w;
    for (int k = 0; k < 100'003; ++k) {
        z.emplace_back(part(), part());
        w.emplace_back(part(), part());
    }
    for_each_level([&](const frit::detail::isa_table& table) {
        const std::vector<complex> got = products(table, z, w);
        long double worst = 0;
        for (std::size_t k = 0; k < z.size(); ++k) {
            const std::complex<long double> a(z[k]), b(w[k]);
            const std::complex<long double> want(a.real() * b.real() - a.imag() * b.imag(),
                                                 a.real() * b.imag() + a.imag() * b.real());
            worst = std::max(worst, std::abs(std::complex<long double>(got[k]) - want) / std::abs(want));
        }
        const long double roundoff = std::numeric_limits<double>::epsilon() / 2;
        EXPECT_LE(worst / roundoff, std::sqrt(5.0L));
        EXPECT_GE(worst / roundoff, 1.0L);
    });
}

}  // namespace

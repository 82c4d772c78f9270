// float16 and bfloat16: where a statement is rounded, and what keeps all bits, against float32 that is rounded by hand.
// Single ops, casts, reductions and library ops of them are compared with the reference where those of all dtypes are. The
// rounding is frit/half.hpp's, which tests/unit/test_half.cpp compares with the definition. Every engine and the unfused
// form must give the same bits.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/libraries.hpp"

namespace {
using frit::array, frit::bfloat16, frit::dtype, frit::half, frit::op, frit::slice;
using frit_test::everywhere;

template <class T>
constexpr bool is_short = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

/// Values of every size, NaN, infinities, zeros and subnormal numbers among them; `seed` mixes them.
template <class T>
std::vector<T> mixed_values(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<T> values;
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint32_t bits = random();
        if (k % 4 == 0)
            values.push_back(T::from_bits(static_cast<std::uint16_t>(bits)));
        else
            values.push_back(T((static_cast<double>(bits) / 0x1p32 - 0.5) * (k % 4 == 1 ? 2 : k % 4 == 2 ? 20 : 2000)));
    }
    return values;
}

template <class T>
array<float> widened(const array<T>& x) {
    const std::vector<T> values = x.to_vector();
    std::vector<float> wide(values.begin(), values.end());
    return frit::from_host(wide, x.shape());
}

template <class T>
bool same_bits(T a, T b) {
    if constexpr (is_short<T>)
        return a.bits() == b.bits() || (std::isnan(float{a}) && std::isnan(float{b}));
    else if constexpr (std::is_floating_point_v<T>)
        return (a == b && std::signbit(a) == std::signbit(b)) || (std::isnan(a) && std::isnan(b));
    else
        return a == b;
}

/// @param want  of the result's dtype, or float32, which is rounded
template <class T, class W>
void expect_same(const array<T>& got, const array<W>& want, const std::string& what) {
    ASSERT_EQ(got.shape(), want.shape()) << what;
    const auto a = got.to_vector();
    const auto b = want.to_vector();
    int shown = 0;
    for (std::size_t k = 0; k < a.size() && shown < 3; ++k) {
        const T w = static_cast<T>(b[k]);
        if (same_bits<T>(a[k], w)) continue;
        ++shown;
        ADD_FAILURE() << what << " at " << k << ": got " << +a[k] << ", want " << +w;
    }
}

// One statement reads views in place: strides, a step back, an edge that is repeated, and one element for all.
template <class T>
void check_views_in_statements() {
    const auto x = frit::from_host(mixed_values<T>(300, 4), {300});
    const auto wide = widened(x);
    const auto compute = [](const auto& a) {
        using E = typename std::remove_cvref_t<decltype(a)>::value_type;
        const auto grid = a.reshape({15, 20});
        return array<E>(grid * a(7) + grid.reshape({20, 15}).T() - grid(frit::slice(frit::none, frit::none, -1)) * grid(3));
    };
    const array<float> want = compute(wide);
    // a stencil on an array whose edges are repeated
    const auto stencil = [](const auto& a) {
        using E = typename std::remove_cvref_t<decltype(a)>::value_type;
        const array<E> grid = a(slice(0, 280)).reshape({10, 28});
        const array<E> padded = frit::pad(grid, {{1, 1}, {1, 1}}, frit::pad_mode::edge);
        const auto inner = slice(1, -1), before = slice(0, -2), after = slice(2, frit::none);
        return array<E>(padded(before, inner) + padded(after, inner) + padded(inner, before) * padded(inner, after) -
                        4 * grid);
    };
    const array<float> wanted = stencil(wide);
    everywhere([&](const std::string& who) {
        expect_same(compute(x), want, who);
        expect_same(stencil(x), wanted, who + ", stencil");
    });
}
TEST(ShortFloats, ViewsFloat16) { check_views_in_statements<half>(); }
TEST(ShortFloats, ViewsBfloat16) { check_views_in_statements<bfloat16>(); }

// Functions that a GPU computes with fewer digits, of every number there is. Smaller results than `tiny` may be 0.
template <class T>
void check_every_number() {
    std::vector<T> all;
    for (int bits = 0; bits < 0x10000; ++bits) {
        const T x = T::from_bits(static_cast<std::uint16_t>(bits));
        if (std::isfinite(float{x})) all.push_back(x);
    }
    const auto x = frit::from_host(all);
    const auto check = [&](const char* name, const array<T>& result, double (*want)(double)) {
        const std::vector<T> got = result.to_vector();
        constexpr double tiny = 1e-35, lowest = std::is_same_v<T, half> ? 0x1p-14 : 0x1p-126;
        double worst = 0, at = 0;
        for (std::size_t k = 0; k < all.size(); ++k) {
            const double exact = want(float{all[k]}), off = std::fabs(float{got[k]} - exact);
            if (off <= tiny || float{got[k]} == exact) continue;  // infinities too
            const int digits = std::is_same_v<T, half> ? 10 : 7;
            const double unit = std::ldexp(1.0, std::ilogb(std::max(std::fabs(exact), lowest)) - digits);
            const double error = std::isnan(off) ? HUGE_VAL : off / unit;
            if (error > worst) worst = error, at = float{all[k]};
        }
        EXPECT_LE(worst, 0.53) << name << " of " << at;
    };
    check("tanh", frit::tanh(x), [](double a) { return std::tanh(a); });
    check("sigmoid", frit::sigmoid(x), [](double a) { return 1 / (1 + std::exp(-a)); });
    check("silu", frit::silu(x), [](double a) { return a / (1 + std::exp(-a)); });
    check("gelu", frit::gelu(x), [](double a) { return a * std::erfc(-a * std::sqrt(0.5)) / 2; });
    check("gelu_tanh", frit::gelu_tanh(x),
          [](double a) { return a / (1 + std::exp(-2 * std::sqrt(2 / M_PI) * (a + 0.044715 * a * a * a))); });
}
TEST(ShortFloats, FunctionsOfEveryFloat16) { check_every_number<half>(); }
TEST(ShortFloats, FunctionsOfEveryBfloat16) { check_every_number<bfloat16>(); }

// But not where the statement goes on computing with them, or its result is wider: all of float32's digits are there then.
template <class T>
void check_digits() {
    std::vector<T> values;
    for (int k = 0; k < 400; ++k) values.push_back(T(0.125F + static_cast<float>(k) / 128));
    const auto x = frit::from_host(values);
    const array<float> one = frit::ones<float>({400});
    const auto check = [&](const std::string& name, auto function, double (*want)(double)) {
        const array<float> wide = function(x) * one, cast = frit::cast<float>(function(x));
        const array<T> less = function(x) - x, nested = frit::cast<T>(function(x) * 4096.0F - x * 4096.0F);
        const auto of_wide = wide.to_vector(), of_cast = cast.to_vector();
        const auto of_less = less.to_vector(), of_nested = nested.to_vector();
        const double total = array<float>(frit::sum(frit::cast<float>(function(x)))).item();
        double exact_total = 0;
        for (std::size_t k = 0; k < values.size(); ++k) {
            const double exact = want(float{values[k]}), rest = exact - float{values[k]};
            const double unit = std::is_same_v<T, half> ? 0x1p-10 : 0x1p-7, rounding = 0x1p-20 * std::fabs(exact);
            EXPECT_NEAR(of_wide[k], exact, rounding) << name << " times a float32, of " << float{values[k]};
            EXPECT_NEAR(of_cast[k], exact, rounding) << name << " as float32, of " << float{values[k]};
            EXPECT_NEAR(float{of_less[k]}, rest, unit * std::fabs(rest) + rounding) << name << " less " << float{values[k]};
            EXPECT_NEAR(float{of_nested[k]}, 4096 * rest, unit * 4096 * std::fabs(rest) + 4096 * rounding) << name;
            exact_total += exact;
        }
        EXPECT_NEAR(total, exact_total, 0x1p-20 * exact_total) << name;
    };
    check(
        "tanh", [](const auto& a) { return frit::tanh(a); }, [](double a) { return std::tanh(a); });
    check(
        "sigmoid", [](const auto& a) { return frit::sigmoid(a); }, [](double a) { return 1 / (1 + std::exp(-a)); });
    check(
        "silu", [](const auto& a) { return frit::silu(a); }, [](double a) { return a / (1 + std::exp(-a)); });
    check(
        "gelu", [](const auto& a) { return frit::gelu(a); },
        [](double a) { return a * std::erfc(-a * std::sqrt(0.5)) / 2; });
    check(
        "gelu_tanh", [](const auto& a) { return frit::gelu_tanh(a); },
        [](double a) { return a / (1 + std::exp(-2 * std::sqrt(2 / M_PI) * (a + 0.044715 * a * a * a))); });
}
TEST(ShortFloats, DigitsWithinStatementsFloat16) { check_digits<half>(); }
TEST(ShortFloats, DigitsWithinStatementsBfloat16) { check_digits<bfloat16>(); }

// Where nothing but the rounding follows, the short form is what a GPU runs.
TEST(ShortFloats, ShortFormsWhereTheyEnd) {
    if (frit::default_device() == frit::device::cpu()) GTEST_SKIP() << "the CPU has one form";
    const array<half> x{1, 2, 3, 4};
    const auto is_short = [](const auto& result) {
        return frit::make_plan(result).kernels().at(0).source().find("frit_short_tanh") != std::string::npos;
    };
    EXPECT_TRUE(is_short(array<half>(frit::tanh(x))));
    EXPECT_TRUE(is_short(array<half>(frit::tanh(x * 0.5 + x))));
    EXPECT_TRUE(is_short(array<half>(frit::tanh(x)(slice(0, 4, 2)))));
    EXPECT_TRUE(is_short(array<float>(frit::cast<float>(frit::cast<half>(frit::tanh(x))) * 3.0F)));
    array<half> u = frit::zeros<half>({8});
    u(slice(0, 4)) = frit::tanh(x);
    EXPECT_TRUE(is_short(u));
    EXPECT_FALSE(is_short(array<half>(frit::tanh(x) - x)));
    EXPECT_TRUE(is_short(array<half>(-frit::tanh(x))));
    EXPECT_TRUE(is_short(array<half>(0.5F * x * (1 + frit::tanh(0.8F * (x + 0.04F * x * x * x))))));
    EXPECT_TRUE(is_short(array<half>(x / (frit::tanh(x) - 2))));
    EXPECT_FALSE(is_short(array<half>(x + frit::tanh(x) * 2)));
    EXPECT_FALSE(is_short(array<half>(exp(frit::tanh(x)))));
    EXPECT_FALSE(is_short(array<float>(frit::tanh(x) * array<float>{1, 2, 3, 4})));
    EXPECT_FALSE(is_short(array<float>(frit::cast<float>(frit::tanh(x)))));
    EXPECT_FALSE(is_short(array<half>(frit::sum(frit::tanh(x)))));
}

// The same on every device: what is infinite, what is not a number, and the sign of 0.
template <class T>
void check_ends() {
    constexpr double inf = HUGE_VAL, nan = NAN;
    const auto x = frit::from_host(std::vector<T>{T(float(inf)), T(float(-inf)), T(NAN), T(-0.0f), T(0.0f)});
    const auto expect = [&](const char* name, const array<T>& result, const std::vector<double>& want) {
        const std::vector<T> got = result.to_vector();
        for (std::size_t k = 0; k < want.size(); ++k) {
            const float g{got[k]};
            if (std::isnan(want[k])) {
                EXPECT_TRUE(std::isnan(g)) << name << " of element " << k;
            } else {
                EXPECT_EQ(g, want[k]) << name << " of element " << k;
                EXPECT_EQ(std::signbit(g), std::signbit(want[k])) << name << " of element " << k;
            }
        }
    };
    expect("tanh", frit::tanh(x), {1, -1, nan, -0.0, 0});
    expect("sigmoid", frit::sigmoid(x), {1, 0, nan, 0.5, 0.5});
    expect("silu", frit::silu(x), {inf, nan, nan, -0.0, 0});
    expect("gelu", frit::gelu(x), {inf, nan, nan, -0.0, 0});
    expect("gelu_tanh", frit::gelu_tanh(x), {inf, nan, nan, -0.0, 0});
}
TEST(ShortFloats, EndsFloat16) { check_ends<half>(); }
TEST(ShortFloats, EndsBfloat16) { check_ends<bfloat16>(); }

template <class T>
void check_neighbours() {
    std::vector<T> from, to, want;
    const auto push = [&](T a, T b, T w) { from.push_back(a), to.push_back(b), want.push_back(w); };
    for (int bits = 0; bits < 0x8000; ++bits) {
        const T a = T::from_bits(static_cast<std::uint16_t>(bits));
        if (!std::isfinite(float{a})) break;
        const T up = T::from_bits(static_cast<std::uint16_t>(bits + 1));
        push(a, T(INFINITY), up);
        push(up, T(-INFINITY), a);
        push(-a, T(-INFINITY), -up);
        push(-up, T(INFINITY), -a);
        push(a, a, a);
        push(up, up, up);
    }
    push(T(0.0), T(-0.0), T(-0.0));
    push(T(NAN), T(1), T(NAN));
    push(T(1), T(NAN), T(NAN));
    const auto n = static_cast<std::int64_t>(want.size());
    const auto a = frit::from_host(from, {n}), b = frit::from_host(to, {n}), w = frit::from_host(want, {n});
    everywhere([&](const std::string& who) { expect_same(array<T>(frit::nextafter(a, b)), w, who); });
}
TEST(ShortFloats, NextafterFloat16) { check_neighbours<half>(); }
TEST(ShortFloats, NextafterBfloat16) { check_neighbours<bfloat16>(); }

// --- where a statement is rounded ---

template <class T>
void check_statements() {
    const auto x = frit::from_host(mixed_values<T>(1000, 6), {1000});
    const auto y = frit::from_host(mixed_values<T>(1000, 7), {1000});
    const auto fx = widened(x), fy = widened(y);
    const auto round = [](const array<float>& v) { return widened(array<T>(frit::cast<T>(v))); };
    // by hand: each statement rounded, an explicit cast rounded too, nothing else
    const array<float> first = round(fx * fy + 1.5F);
    const array<float> second = round(frit::exp(first * 0.25F) - fx * first);
    const array<float> third = round(round(second * fy) * second + first);
    everywhere([&](const std::string& who) {
        const array<T> a = x * y + 1.5;
        const array<T> b = frit::exp(a * 0.25) - x * a;
        const array<T> c = frit::cast<T>(b * y) * b + a;
        frit::eval(c, b);  // one plan
        expect_same(a, first, who + ", first");
        expect_same(b, second, who + ", second");
        expect_same(c, third, who + ", third");
    });
}
TEST(ShortFloats, StatementsFloat16) { check_statements<half>(); }
TEST(ShortFloats, StatementsBfloat16) { check_statements<bfloat16>(); }

// More operations than a program has room for: where it is split, nothing is rounded.
template <class T>
void check_long_statement() {
    const auto x = frit::from_host(mixed_values<T>(500, 8), {500});
    const auto compute = [](const auto& a) {
        const auto e1 = a * a + a * 0.5 - a / 3;
        const auto e2 = e1 * e1 - e1 * a + e1 * 0.25;
        const auto e3 = e2 * 0.125 + e1 * e1 - e2 / 7;
        return e3 * 0.5 + e2 * e1 + e3 - e1;
    };
    static_assert(decltype(compute(x))::length < 64, "its operands are arrays by now");
    static_assert(decltype(compute(x))::type == frit::dtype_of<T>);
    const array<float> want = compute(widened(x));
    everywhere([&](const std::string& who) { expect_same(array<T>(compute(x)), want, who); });
}
TEST(ShortFloats, LongStatementFloat16) { check_long_statement<half>(); }
TEST(ShortFloats, LongStatementBfloat16) { check_long_statement<bfloat16>(); }

// A number of C++ takes the array's dtype; two arrays promote by the table.
TEST(ShortFloats, DtypesOfFormulas) {
    const array<half> h{1, 2};
    const array<bfloat16> b{1, 2};
    static_assert(decltype(h * 2.5)::dtype() == dtype::f16);
    static_assert(decltype(1 + b)::dtype() == dtype::bf16);
    static_assert(decltype(h + b)::dtype() == dtype::f32);
    static_assert(decltype(h * half(2))::dtype() == dtype::f16);
    static_assert(decltype(h + array<std::int8_t>{1, 2})::dtype() == dtype::f16);
    static_assert(decltype(h + array<std::int16_t>{1, 2})::dtype() == dtype::f32);
    static_assert(decltype(h + array<std::int64_t>{1, 2})::dtype() == dtype::f64);
    static_assert(decltype(frit::sin(h))::dtype() == dtype::f16);
    static_assert(decltype(frit::sum(b))::dtype() == dtype::bf16);
    static_assert(decltype(h < b)::dtype() == dtype::bool_);
    static_assert(decltype(frit::argmax(h))::dtype() == dtype::i64);
    const array<float> sum = h + b;
    EXPECT_EQ(sum.to_vector(), (std::vector<float>{2, 4}));
    // the number is rounded to the dtype that it takes
    EXPECT_EQ(array<half>(h * 0.1).to_vector()[0].bits(), half(0.1).bits());
    EXPECT_EQ(array<float>(frit::cast<float>(h) * frit::cast<float>(h * 0.1)).to_vector()[0], float{half(0.1)});
}

TEST(ShortFloats, Creation) {
    EXPECT_EQ(float{frit::full({3}, half(1.5)).to_vector()[2]}, 1.5F);
    EXPECT_EQ(float{frit::ones<bfloat16>({3}).to_vector()[1]}, 1.0F);
    EXPECT_EQ(float{frit::zeros<half>({3}).to_vector()[1]}, 0.0F);
    expect_same(frit::eye<half>(3), frit::eye<float>(3), "eye");
    expect_same(frit::arange<half>(0, 5000, 3), frit::arange<float>(0, 5000, 3), "arange");
    expect_same(frit::arange<bfloat16>(1.0, 9.0, 0.125), frit::arange<float>(1.0, 9.0, 0.125), "arange");
    expect_same(frit::linspace(half(0), half(1), 3001), frit::linspace(0.F, 1.F, 3001), "linspace");
    const array<half> list{{1, 2.5}, {-0.0, 70000}};
    EXPECT_TRUE(std::isinf(float{list.to_vector()[3]}));
    EXPECT_EQ(float{list(0, 1).item()}, 2.5F);
}

// --- reductions ---

// Rounded at the reduction, then computed with.
template <class T>
void check_totals_in_statements() {
    const array<T> x = frit::from_host(mixed_values<T>(4200, 9), {60, 70});
    const array<float> wide = widened(x);
    const auto rounded = widened(array<T>(frit::cast<T>(frit::max(wide, 1, frit::keepdims))));
    const array<float> want = wide - rounded * 0.5F;
    everywhere([&](const std::string& who) {
        expect_same(array<T>(x - frit::max(x, 1, frit::keepdims) * 0.5), want, who + ": rows less their largest");
    });
}
TEST(ShortFloats, TotalsInStatementsFloat16) { check_totals_in_statements<half>(); }
TEST(ShortFloats, TotalsInStatementsBfloat16) { check_totals_in_statements<bfloat16>(); }

/// Statistics are float32's, rounded once; the order of a sum's additions is the kernel's.
template <class T>
void check_statistics() {
    std::mt19937 random(7);
    std::vector<T> values;
    for (int k = 0; k < 2400; ++k) values.push_back(T((static_cast<double>(random()) / 0x1p32 - 0.4) * 8));
    const array<T> x = frit::from_host(values, {40, 60});
    const array<float> wide = widened(x);
    const array<bool> mask = x > T(-1);
    const float epsilon = std::is_same_v<T, half> ? 0x1p-10F : 0x1p-7F;
    everywhere([&](const std::string& where) {
        const auto expect_near = [&](const array<T>& got, const array<float>& want, const char* what) {
            const std::vector<T> a = got.to_vector();
            const std::vector<float> b = want.to_vector();
            ASSERT_EQ(a.size(), b.size()) << what;
            for (std::size_t k = 0; k < a.size(); ++k)
                EXPECT_NEAR(float{a[k]}, b[k], epsilon * std::fabs(b[k])) << what << ", " << where << " at " << k;
        };
#define CHECK(call)                                                                                  \
    {                                                                                                \
        const auto f = [&](const auto& v) { return call; };                                          \
        expect_near(array<T>(f(x)), array<float>(f(wide)), #call);                                   \
        expect_same(frit::any_array(f(frit::any_array(x))).template as<T>(), array<T>(f(x)), #call); \
    }
        CHECK(frit::mean(v, 1))
        CHECK(frit::mean(v * v + 1, 0))
        CHECK(frit::mean(v, 1, frit::where(mask)))
        CHECK(frit::var(v, 1, frit::ddof(1)))
        CHECK(frit::var(v, 0, frit::where(mask)))
        CHECK(frit::stddev(v))
        CHECK(frit::logsumexp(v, 1))
        CHECK(frit::linalg::norm(v, 1))
        CHECK(frit::softmax(v, 1))
        CHECK(frit::log_softmax(v, 1))
        CHECK(frit::layer_norm(v, 1))
        CHECK(frit::rms_norm(v, 1))
        CHECK(frit::dot(v(0), v(1)))
        CHECK(frit::pad(v, {{1, 2}}, frit::pad_mode::constant, 2.5))
#undef CHECK
        // what stands in a function's parentheses is no statement: it is not rounded, and may be larger than T holds
        const array<T> large = frit::full({1000}, T(std::is_same_v<T, half> ? 60000 : 1e30F));
        EXPECT_EQ(float{frit::array(frit::mean(large)).item()}, float{large(0).item()}) << where;
        if (std::is_same_v<T, half>) {
            EXPECT_EQ(float{frit::array(frit::var(large + large)).item()}, 0) << where;
        }
    });
}
TEST(ShortFloats, StatisticsFloat16) { check_statistics<half>(); }
TEST(ShortFloats, StatisticsBfloat16) { check_statistics<bfloat16>(); }

// What is added up is float32: 16 bits would stop at 2,048 and at 256.
TEST(ShortFloats, LongSums) {
    everywhere([](const std::string& who) {
        const array<bfloat16> ones = frit::from_host(std::vector<bfloat16>(100'000, bfloat16(1)), {100'000});
        EXPECT_EQ(frit::sum(ones).item().bits(), bfloat16(100'000).bits()) << who;
        const array<half> halves = frit::from_host(std::vector<half>(100'000, half(0.5)), {100'000});
        EXPECT_EQ(frit::sum(halves).item().bits(), half(50'000).bits()) << who;
    });
}

// A row in several runs, with every kind of value; values and places together.
template <class T>
void check_long_sort() {
    if (const std::string missing = frit_test::missing_library(op::sort); !missing.empty()) GTEST_SKIP() << missing;
    const auto x = frit::from_host(mixed_values<T>(150'000, 12), {150'000});
    const auto wide = widened(x);
    const array<float> values = frit::sort(wide);
    const array<std::int64_t> places = frit::argsort(wide);
    everywhere([&](const std::string& who) {
        expect_same(array<T>(frit::sort(x)), values, who + ": values");
        expect_same(array<std::int64_t>(frit::argsort(x)), places, who + ": places");
        const array<T> both = frit::sort(x);
        const array<std::int64_t> order = frit::argsort(x);
        const frit::plan p = frit::make_plan(both, order);
        EXPECT_EQ(p.kernels().size(), 0U) << "nothing is cast";
        EXPECT_EQ(p.library_calls().size(), who == "without fusion" ? 2U : 1U) << who;
        frit::eval(both, order);
        expect_same(both, values, who + ": values of both");
        expect_same(order, places, who + ": places of both");
    });
}
TEST(ShortFloats, LongSortFloat16) { check_long_sort<half>(); }
TEST(ShortFloats, LongSortBfloat16) { check_long_sort<bfloat16>(); }

// --- what moves values keeps their bits ---

template <class T>
std::vector<std::uint16_t> bits_of(const array<T>& x) {
    std::vector<std::uint16_t> bits;
    for (const T v : x.to_vector()) bits.push_back(v.bits());
    return bits;
}

template <class T>
void check_moves() {
    std::vector<T> values;
    for (int bits = 0; bits < 0x10000; ++bits) values.push_back(T::from_bits(static_cast<std::uint16_t>(bits)));
    everywhere([&](const std::string& who) {
        const array<T> x = frit::from_host(values, {256, 256});
        const array<T> turned = x.T(), back = turned.T();
        frit::eval(turned);
        EXPECT_EQ(bits_of(back), bits_of(x)) << who;
        array<T> u = frit::zeros<T>({256, 256});
        u(slice(1, 255), frit::all) = x(slice(1, 255), frit::all);
        u(0) = x(0);
        u(255, frit::all) = x(255, frit::all);
        EXPECT_EQ(bits_of(u), bits_of(x)) << who;
        array<T> v = x;  // another handle looks: not in place
        v(slice(0, 256, 2)) = x(slice(0, 256, 2));
        EXPECT_EQ(bits_of(v), bits_of(x)) << who;
    });
}
TEST(ShortFloats, MovesFloat16) { check_moves<half>(); }
TEST(ShortFloats, MovesBfloat16) { check_moves<bfloat16>(); }

/// Every bit pattern, chosen by a mask, taken for its own real part, and so on.
template <class T>
void check_choices() {
    std::vector<T> values, others;
    for (int bits = 0; bits < 0x10000; ++bits) {
        values.push_back(T::from_bits(static_cast<std::uint16_t>(bits)));
        others.push_back(T::from_bits(static_cast<std::uint16_t>(bits * 7919 + 5)));
    }
    std::vector<std::uint16_t> mixed, with_number, with_formula;
    for (std::size_t k = 0; k < values.size(); ++k) {
        mixed.push_back((k % 3 == 0 ? values : others)[k].bits());
        with_number.push_back(k % 3 == 0 ? values[k].bits() : T(0.1).bits());
        with_formula.push_back(k % 3 == 0 ? values[k].bits() : T(static_cast<float>(k % 7) * float{T(1.1)}).bits());
    }
    everywhere([&](const std::string& who) {
        const array<T> x = frit::from_host(values), y = frit::from_host(others);
        const array<std::int64_t> index = frit::arange<std::int64_t>(0x10000);
        const array<T> seven = frit::cast<T>(index % 7);
        const array<bool> third = index % 3 == 0;
        EXPECT_EQ(bits_of(array<T>(frit::where(third, x, y))), mixed) << who;
        EXPECT_EQ(bits_of(array<T>(frit::where(third, x, 0.1))), with_number) << who;
        EXPECT_EQ(bits_of(array<T>(frit::where(third, x, seven * 1.1))), with_formula) << who;
        EXPECT_EQ(bits_of(array<T>(frit::real(x))), bits_of(x)) << who;
        EXPECT_EQ(bits_of(array<T>(frit::conj(x))), bits_of(x)) << who;
        EXPECT_EQ(bits_of(array<T>(+x)), bits_of(x)) << who;
        array<T> u = y;
        u(third) = x;
        EXPECT_EQ(bits_of(u), mixed) << who;
        u = frit::from_host(values);
        u(!third) = 0.1;
        EXPECT_EQ(bits_of(u), with_number) << who;
        u = frit::from_host(values);
        u(!third) = seven * 1.1;
        EXPECT_EQ(bits_of(u), with_formula) << who;
        EXPECT_EQ(bits_of((frit::where(third, frit::any_array(x), y)).template as<T>()), mixed) << who;
        // a chosen number is computed with as it would be by itself, and a formula is not rounded before
        expect_same(array<T>(frit::where(third, x, y) * 1.5F + y),
                    array<float>(frit::where(third, widened(x), widened(y)) * 1.5F + widened(y)), who);
        expect_same(array<T>(frit::where(third, x * 1.375F, y) * 3.0F),
                    array<float>(frit::where(third, widened(x) * 1.375F, widened(y)) * 3.0F), who);
    });
}
TEST(ShortFloats, ChoicesFloat16) { check_choices<half>(); }
TEST(ShortFloats, ChoicesBfloat16) { check_choices<bfloat16>(); }

template <class T>
void check_updates() {
    const auto x = frit::from_host(mixed_values<T>(40 * 50, 11), {40, 50});
    const auto start = widened(x);
    const auto compute = [](auto u) {
        using E = typename decltype(u)::value_type;
        const array<E> before = u;
        u(slice(1, 39), slice(1, 49)) += before(slice(0, 38), slice(1, 49)) * 0.5;
        u(frit::all, 3) = 2.75;
        u(u < 0) = 0.1;
        u *= 1.25;
        u(slice(0, 40, 2)) = before(slice(0, 40, 2)) - 1;
        return u;
    };
    // the same in float32, rounded at every step
    const auto by_hand = [&] {
        const auto round = [](const array<float>& v) { return widened(array<T>(frit::cast<T>(v))); };
        array<float> u = start;
        u(slice(1, 39), slice(1, 49)) += start(slice(0, 38), slice(1, 49)) * 0.5;
        u = round(u);
        u(frit::all, 3) = 2.75;
        u(u < 0) = float{T(0.1)};
        u = round(u * 1.25F);
        u(slice(0, 40, 2)) = start(slice(0, 40, 2)) - 1;
        return round(u);
    };
    const array<float> want = by_hand();
    everywhere([&](const std::string& who) {
        expect_same(compute(frit::from_host(x.to_vector(), {40, 50})), want, who);
        const array<T> chosen = frit::where(x < 0, x * 2, 1.5);
        const array<float> wanted = frit::where(start < 0, start * 2, 1.5F);
        expect_same(chosen, wanted, who + ": where");
        array<float> single = frit::zeros<float>({50});
        single(frit::all) = x(0);  // widens
        expect_same(single, start(0).eval(), who + ": into float32");
        array<T> rounded = frit::zeros<T>({50});
        rounded(frit::all) = start(0) * 1.1F;  // narrows
        expect_same(rounded, array<float>(start(0) * 1.1F), who + ": from float32");
    });
}
TEST(ShortFloats, UpdatesFloat16) { check_updates<half>(); }
TEST(ShortFloats, UpdatesBfloat16) { check_updates<bfloat16>(); }

TEST(ShortFloats, EvalInto) {
    const array<half> x{1, 2, 3};
    std::vector<half> to(3);
    frit::eval_into(frit::out(to.data(), {3}), x * 0.1);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(to[k].bits(), half(static_cast<float>(k + 1) * float{half(0.1)}).bits());
    std::vector<float> wide(3);
    frit::eval_into(frit::out(wide.data(), {3}), x);
    EXPECT_EQ(wide, (std::vector<float>{1, 2, 3}));
}

TEST(ShortFloats, KernelsAreOne) {
    const array<half> x = frit::from_host(std::vector<half>(5000, half(1.5)), {5000});
    const array<half> y = x * 2 + x;
    const array<half> z = frit::exp(y) - x;
    EXPECT_EQ(frit::make_plan(z).kernels().size(), 1U);
    EXPECT_EQ(frit::make_plan(z).bytes_read(), 10'000U);
    EXPECT_EQ(frit::make_plan(z).bytes_written(), 10'000U);
}

}  // namespace

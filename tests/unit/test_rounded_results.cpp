// What a function gives is rounded: a sum takes in a product that stands beside it (fma), but not one that is a function's
// result, so x + f(y) has the bits of x + z where z is f(y), stored before.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include "frit/frit.hpp"

namespace {

using frit::array;

template <class T>
bool same_bits(const array<T>& a, const array<T>& b) {
    const std::vector<T> x = a.to_vector(), y = b.to_vector();
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

/// Whether sums of what `f` gives are those of its stored results.
template <class T, class F>
void expect_rounded(const std::string& what, const array<T>& beside, const F& f) {
    const array<T> stored = f();
    stored.eval();
    const array<T> sum = beside + f(), lead = f() - beside, same_sum = beside + stored, same_lead = stored - beside;
    EXPECT_TRUE(same_bits(sum, same_sum) && same_bits(lead, same_lead)) << what;
}

template <class T>
void check_real_functions() {
    const array<T> x = frit::sin(frit::arange<T>(600) * T(0.37)).reshape({6, 100});
    x.eval();
    expect_rounded<T>("layer_norm", x, [&] { return layer_norm(x, 1); });
    expect_rounded<T>("rms_norm", x, [&] { return rms_norm(x, 1); });
    expect_rounded<T>("softmax", x, [&] { return softmax(x, 1); });
    expect_rounded<T>("trapezoid", array<T>(x(frit::all, 0)), [&] { return frit::trapezoid(x, T(0.3)); });

    expect_rounded<T>("lerp", x, [&] { return lerp(x, x * x, T(0.3)); });
}

template <class T>
void check_complex_functions() {
    using c = std::complex<T>;
    const array<T> t = frit::sin((frit::arange<T>(500) + 1) * T(0.37)) * 2;  // none is 0
    const array<c> z = frit::complex(t, frit::cos(t * 3)), w = frit::complex(frit::cos(t), t);
    frit::eval(z, w);
    const auto check = [&](const char* what, const auto& f) {
        expect_rounded<c>(what, w, [&] { return f(z); });
        expect_rounded<c>(what, w, [&] { return f(t * w); });
    };
#define CHECK(...) check(#__VA_ARGS__, [&]([[maybe_unused]] const auto& v) { return __VA_ARGS__; })
    CHECK(exp(v));
    CHECK(exp2(v));
    CHECK(expm1(v));
    CHECK(log(v));
    CHECK(log2(v));
    CHECK(log10(v));
    CHECK(log1p(v));
    CHECK(sqrt(v));
    CHECK(rsqrt(v));
    CHECK(sin(v));
    CHECK(cos(v));
    CHECK(tan(v));
    CHECK(sinh(v));
    CHECK(cosh(v));
    CHECK(tanh(v));
    CHECK(asin(v));
    CHECK(acos(v));
    CHECK(atan(v));
    CHECK(asinh(v));
    CHECK(acosh(v));
    CHECK(atanh(v));
    CHECK(reciprocal(v));
    CHECK(sign(v));
    CHECK(pow(v, w));
    CHECK(pow(v, T(2.5)));
    CHECK(w / v);
    CHECK(v * v);
    CHECK(square(v));
#undef CHECK
    expect_rounded<c>("polar", w, [&] { return frit::polar(t, t * 3); });
    expect_rounded<T>("abs", t, [&] { return abs(z); });
    expect_rounded<T>("arg", t, [&] { return arg(z); });
}

TEST(RoundedResults, OfRealFunctions) {
    check_real_functions<float>();
    check_real_functions<double>();
}

TEST(RoundedResults, OfComplexFunctions) {
    check_complex_functions<float>();
    check_complex_functions<double>();
}

// exp(z) - exp(z) of complex128 was a rounding error.
/// Sums with a product that is smaller than they are, against those of its factors in the sum's shape.
template <class T>
void check_smaller_products(const frit::shape& smaller) {
    const frit::shape whole{24, 40};
    const auto numbers = [](const frit::shape& s, double step) {
        return frit::cast<T>(frit::sin((frit::arange<double>(s.size()) + 1) * step)).reshape(s);
    };
    const array<T> x = numbers(whole, 0.37), a = numbers(smaller, 0.61), b = numbers(smaller, 0.83);
    const array<T> c = broadcast_to(a, whole), d = broadcast_to(b, whole);
    frit::eval(x, a, b, c, d);
    const auto check = [&](const char* what, const array<T>& got, const array<T>& wanted) {
        EXPECT_TRUE(same_bits(got, wanted)) << what << " of " << to_string(smaller);
    };
    check("a b + x", a * b + x, c * d + x);
    check("x + a b", x + a * b, x + c * d);
    check("a b - x", a * b - x, c * d - x);
    check("x - a b", x - a * b, x - c * d);
    check("a number times a", a * 2.3 + x, c * 2.3 + x);
    check("two products", x * c - a * b, x * c - c * d);
    const array<T> product = a * b, same = c * d;
    check("a statement of its own", product + x, same + x);
}
TEST(RoundedResults, ProductsAreTakenInWhateverTheirShape) {
    for (const frit::shape& smaller : {frit::shape{40}, frit::shape{24, 1}, frit::shape{1, 1}, frit::shape{}}) {
        check_smaller_products<float>(smaller);
        check_smaller_products<double>(smaller);
        check_smaller_products<std::complex<float>>(smaller);
    }
}

TEST(RoundedResults, WhatIsTakenFromItselfLeavesNothing) {
    const array<std::complex<double>> z{{0.3, 0.7}, {-1, 2}, {0.1, 0.2}}, w = exp(z);
    EXPECT_TRUE(frit::all(w - w == 0.0).item());
    EXPECT_TRUE(frit::all(conj(exp(conj(z))) - exp(z) == 0.0).item());
}

}  // namespace

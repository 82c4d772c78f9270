// A real operand beside complex numbers stays real in functions as it does in operators (C's Annex G): nothing is made up
// for its imaginary part, of which an infinity would make NaN, and which would take signs from zeros.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "frit/signal.hpp"
#include "tests/differential/complex_cases.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::any_array, frit::array;
using namespace frit_test::complex_cases;

template <class T>
class RealOperands : public testing::Test {};
using complex_types = testing::Types<c64, c128>;
TYPED_TEST_SUITE(RealOperands, complex_types);

std::string text(const c128& z) {
    const auto part = [](double x) {  // a NaN's sign is no promise
        return std::isnan(x) ? std::string("nan") : (std::signbit(x) ? "-" : "+") + std::to_string(std::abs(x));
    };
    return part(z.real()) + " " + part(z.imag()) + "i";
}
/// Both parts, with the signs of zeros.
template <class T>
void expect_parts(const char* what, const array<T>& x, const std::vector<c128>& want) {
    const std::vector<T> is = x.to_vector();
    ASSERT_EQ(is.size(), want.size()) << what;
    for (std::size_t k = 0; k < want.size(); ++k) EXPECT_EQ(text(c128(is[k])), text(want[k])) << what << " at " << k;
}
#define EXPECT_PARTS(formula, ...) expect_parts(#formula, array<TypeParam>(formula), std::vector<c128>{__VA_ARGS__})

const double inf = std::numeric_limits<double>::infinity();

TYPED_TEST(RealOperands, OfProducts) {
    using Z = TypeParam;
    using R = typename Z::value_type;
    const array<Z> z{Z(R(inf), 0), Z(2, R(-0.0))};
    const array<R> w{1, 3};
    interpreted_and_jit([&](const std::string& who) {
        SCOPED_TRACE(who);
        const c128 infinite(inf, 0);
        EXPECT_PARTS(sum(z * w), infinite);
        EXPECT_PARTS(dot(z, w), infinite);
        EXPECT_PARTS(dot(w, z), infinite);
        EXPECT_PARTS(inner(z, w), infinite);
        EXPECT_PARTS(vecdot(z, w), c128(inf, 0));
        EXPECT_PARTS(vecdot(w, z), infinite);
        EXPECT_PARTS(vdot(w, z), infinite);
        EXPECT_PARTS(vdot(z, w), infinite);
        EXPECT_PARTS(einsum("i,i->", z, w), infinite);
        EXPECT_PARTS(tensordot(z, w, 1), infinite);
        EXPECT_PARTS(outer(z, w), infinite, infinite, c128(2, -0.0), c128(6, -0.0));
        EXPECT_PARTS(dot(z, array<bool>{true, true}), infinite);
        EXPECT_KERNELS(1, dot(z, w));
        const any_array any_z(z), any_w(w);
        EXPECT_PARTS(array<Z>(any_array(dot(any_z, any_w))), infinite);
    });
}

TYPED_TEST(RealOperands, OfMeans) {
    using Z = TypeParam;
    using R = typename Z::value_type;
    const array<Z> z{Z(R(inf), 0), Z(2, R(-0.0))};
    const array<R> w{1, 3};
    interpreted_and_jit([&](const std::string& who) {
        SCOPED_TRACE(who);
        const c128 infinite(inf, 0);
        EXPECT_PARTS(mean(z), infinite);
        EXPECT_PARTS(mean(z, frit::where(array<bool>{true, true})), infinite);
        EXPECT_PARTS(nanmean(z), infinite);
        EXPECT_PARTS(average(z, w), infinite);
        EXPECT_PARTS(average(w, array<Z>{Z(1, 1), Z(1, 1)}), c128(2, 0));
        EXPECT_PARTS(segment_mean(z, array<int>{0, 1}, 2), infinite, c128(2, 0));
    });
}

TYPED_TEST(RealOperands, OfSumsAlongAxes) {
    using Z = TypeParam;
    using R = typename Z::value_type;
    const array<Z> z{Z(R(inf), 0), Z(2, 0), Z(3, 0)};
    const array<R> x{0, 1, 2}, tap{2};
    interpreted_and_jit([&](const std::string& who) {
        SCOPED_TRACE(who);
        const c128 infinite(inf, 0);
        constexpr auto direct = frit::convolve_method::direct;
        EXPECT_PARTS(convolve(z, tap, frit::convolve_mode::full, direct), infinite, c128(4, 0), c128(6, 0));
        EXPECT_PARTS(convolve(tap, z, frit::convolve_mode::full, direct), infinite, c128(4, 0), c128(6, 0));
        EXPECT_PARTS(correlate(z, tap, frit::convolve_mode::full, direct), infinite, c128(4, 0), c128(6, 0));
        EXPECT_PARTS(frit::signal::fftconvolve(z, array<R>{2, 2, 2}, frit::convolve_mode::full, std::vector<int>{}),
                     infinite, c128(4, 0), c128(6, 0));
        EXPECT_PARTS(trapezoid(z, x), infinite);
        EXPECT_PARTS(cumulative_trapezoid(z, x), infinite, infinite);
        EXPECT_PARTS(gradient(z, x), c128(-inf, 0), c128(-inf, 0), c128(1, 0));
        // of many taps a reduction over windows
        const array<R> taps = frit::ones<R>({100});
        EXPECT_PARTS(convolve(frit::full<Z>({101}, Z(R(inf), 0)), taps, frit::convolve_mode::valid, direct), infinite,
                     infinite);
    });
}

TYPED_TEST(RealOperands, CombinedAtIndices) {
    using Z = TypeParam;
    using R = typename Z::value_type;
    const array<Z> z{Z(R(inf), 0), Z(1, R(-0.0)), Z(R(-0.0), R(-0.0))};
    const array<int> i{0, 1, 1};
    interpreted_and_jit([&](const std::string& who) {
        SCOPED_TRACE(who);
        const c128 infinite(inf, 0), zero(-0.0, -0.0);
        const auto check = [&](const char* what, auto&& update, const std::vector<c128>& want) {
            array<Z> u = z;
            update(u);
            expect_parts(what, u, want);
            any_array v(z);
            update(v);
            expect_parts(what, array<Z>(v), want);
        };
        check("+= number", [&](auto& u) { u(i) += 1.0; }, {infinite, c128(3, -0.0), zero});
        check("-= number", [&](auto& u) { u(i) -= 1.0; }, {infinite, c128(-1, -0.0), zero});
        check("*= number", [&](auto& u) { u(i) *= 2.0; }, {infinite, c128(4, -0.0), zero});
        check("/= number", [&](auto& u) { u(i) /= 2.0; }, {infinite, c128(0.25, -0.0), zero});
        const array<R> v{1, 2, 3};
        check("+= array", [&](auto& u) { u(i) += v; }, {infinite, c128(6, -0.0), zero});
        check("-= array", [&](auto& u) { u(i) -= v; }, {infinite, c128(-4, -0.0), zero});
        check("*= array", [&](auto& u) { u(i) *= v; }, {infinite, c128(6, -0.0), zero});
        check("/= array", [&](auto& u) { u(i) /= array<R>{1, 2, 4}; }, {infinite, c128(0.125, -0.0), zero});
        check("/= complex", [&](auto& u) { u(array<int>{1}) /= Z(0, 1); }, {infinite, c128(0, -1), zero});
        check("= number", [&](auto& u) { u(i) = 2.0; }, {c128(2, 0), c128(2, 0), zero});
        EXPECT_PARTS(scatter_add(z, i, v, 0), infinite, c128(6, -0.0), zero);
        EXPECT_PARTS(scatter_mul(z, i, 2.0, 0), infinite, c128(4, -0.0), zero);
        EXPECT_PARTS(put_along_axis(z, array<int>{1}, 2.0, 0), infinite, c128(2, 0), zero);
    });
    EXPECT_EQ(frit::make_plan(scatter_add(z, i, array<R>{1, 2, 3}, 0)).library_calls().size(), 1U);
}

TEST(RealOperandsOfRealArrays, AtIndices) {
    array<float> u{1, 2, 3};
    const array<int> i{0, 0, 2};
    u(i) += 1.0;
    u(i) -= array<float>{1, 2, 3};
    u(i) *= 2;
    u(i) /= 4.0;
    EXPECT_EQ(u.to_vector(), (std::vector<float>{0, 2, 0.5F}));
    any_array v(u);
    EXPECT_ERROR(v(i) += array<c64>({c64(1), c64(1), c64(1)}), frit::dtype_error, "float32");
}

}  // namespace

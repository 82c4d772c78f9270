// Values put at arrays of indices whose dtype is not the array's: numbers, narrower arrays, divisors.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {

using frit::any_array;
using frit::array;

TEST(Scatter, ProductsOfDivisorsNeitherOverflowNorWrap) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const auto divided = []<class T>(array<T> u, const std::vector<T>& by) {
            u(array<int>{0, 0}) /= frit::from_host(by);
            return u.to_vector()[0];
        };
        EXPECT_FLOAT_EQ(divided(array<float>{1e30F}, {1e20F, 1e20F}), 1e-10F);
        EXPECT_FLOAT_EQ(divided(array<float>{1e-30F}, {1e-30F, 1e-30F}), 1e30F);
        EXPECT_NEAR(
            static_cast<float>(divided(array<frit::half>{frit::half(60000.F)}, {frit::half(300.F), frit::half(300.F)})),
            2.F / 3, 1e-3F);
        EXPECT_EQ(divided(array<std::int8_t>{100}, {17, 16}), 0);
        EXPECT_EQ(divided(array<std::int8_t>{100}, {20, 13}), 0);
        EXPECT_EQ(divided(array<std::int8_t>{100}, {4, 6}), 4);
    });
}

// A C++ number takes the array's dtype, as beside an operator, and must fit it.
template <class T>
void check_numbers() {
    const array<int> i{0, 2, 2};
    const auto after = [&](auto change) {
        array<T> u{T(5), T(6), T(7)};
        any_array p = u;
        change(u);
        change(p);
        const std::vector<T> values = u.to_vector();
        EXPECT_EQ(p.to_vector<T>(), values);
        return std::vector<double>(values.begin(), values.end());
    };
    using doubles = std::vector<double>;
    EXPECT_EQ(after([&](auto& u) { u(i) = 1; }), (doubles{1, 6, 1}));
    EXPECT_EQ(after([&](auto& u) { u(i) += 1; }), (doubles{6, 6, 9}));
    EXPECT_EQ(after([&](auto& u) { u(i) -= 1; }), (doubles{4, 6, 5}));
    EXPECT_EQ(after([&](auto& u) { u(i) *= 2; }), (doubles{10, 6, 28}));
    EXPECT_EQ(after([&](auto& u) { u(i) /= 2; }),
              (doubles{std::is_integral_v<T> ? 2 : 2.5, 6, std::is_integral_v<T> ? 1 : 1.75}));
    EXPECT_EQ(after([&](auto& u) { u = scatter_add(u, i, 1, 0); }), (doubles{6, 6, 9}));
    EXPECT_EQ(after([&](auto& u) { u = scatter_mul(u, i, 2, 0); }), (doubles{10, 6, 28}));
    EXPECT_EQ(after([&](auto& u) { u = scatter_min(u, i, 6, 0); }), (doubles{5, 6, 6}));
    EXPECT_EQ(after([&](auto& u) { u = scatter_max(u, i, 6, 0); }), (doubles{6, 6, 7}));
    EXPECT_EQ(after([&](auto& u) { u = put_along_axis(u, i, 9, 0); }), (doubles{9, 6, 9}));
}

TEST(Scatter, NumbersTakeTheDtype) {
    check_numbers<std::int8_t>();
    check_numbers<std::uint8_t>();
    check_numbers<std::uint64_t>();
    check_numbers<float>();
    check_numbers<frit::half>();
    check_numbers<frit::bfloat16>();
}

TEST(Scatter, NumbersFitTheDtype) {
    const array<int> i{0, 1};
    const auto check = [&](auto u) {
        EXPECT_ERROR(u(i) += 1000000000000LL, frit::dtype_error, "assign", "1000000000000", "does not fit int8");
        EXPECT_ERROR(u(i) -= 128, frit::dtype_error, "assign", "128");
        EXPECT_ERROR(u(i) /= 128, frit::dtype_error, "assign", "128");
        EXPECT_ERROR((void)scatter_min(u, i, 200, 0), frit::dtype_error, "scatter_min", "200", "test_scatter_dtypes.cpp");
        EXPECT_ERROR((void)put_along_axis(u, i, -129, 0), frit::dtype_error, "put_along_axis", "-129");
    };
    check(array<std::int8_t>{1, 2});
    check(any_array(array<std::int8_t>{1, 2}));
}

// What is subtracted is negated in the array's dtype: in its own it may have no such number.
template <class T, class V>
void check_subtraction(V v, T expected) {
    const array<int> i{0, 0};
    array<T> u{T(10)};
    u(i) -= array<V>{v, V(1)};
    EXPECT_EQ(u.to_vector(), std::vector<T>{expected});
    any_array any(array<T>{T(10)});
    any(i) -= any_array(array<V>{v, V(1)});
    EXPECT_EQ(array<T>(any).to_vector(), std::vector<T>{expected});
}
TEST(Scatter, NarrowerValuesAreSubtracted) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        check_subtraction<double>(std::uint8_t{2}, 7.0);
        check_subtraction<std::int64_t>(std::int8_t{-128}, std::int64_t{137});
        check_subtraction<std::int64_t>(std::uint32_t{4}, std::int64_t{5});
        check_subtraction<int>(true, 8);
        check_subtraction<std::uint64_t>(std::uint8_t{20}, std::uint64_t(-11));
    });
    array<std::uint8_t> u{5, 5};
    const any_array reals(array<double>{1.5, 2});
    EXPECT_ERROR(u(array<int>{0, 1}) -= reals, frit::dtype_error, "assign", "float64 is not written into uint8");
    EXPECT_ERROR(u(array<int>{0, 1}) += reals, frit::dtype_error, "assign", "float64 is not written into uint8");
}

}  // namespace

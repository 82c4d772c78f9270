// The dtypes of results: NumPy 2's rules with weak scalars, against a table written by hand from NumPy 2.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/kernels.hpp"

namespace {
using frit::array;
using frit::dtype;
using i32 = std::int32_t;
using i64 = std::int64_t;

template <class T>
array<T> one() {
    return frit::ones<T>({2});
}
template <class T, class E>
void expect_dtype(const E& e) {
    EXPECT_EQ(e.dtype(), frit::dtype_of<T>);
    const array<T> stored = e;  // array<T> accepts no other dtype of equal or larger kind
    EXPECT_EQ(stored.dtype(), frit::dtype_of<T>);
}

template <class A, class B, class R>
void expect_sum() {
    expect_dtype<R>(one<A>() + one<B>());
    expect_dtype<R>(one<B>() * one<A>());
    expect_dtype<R>(frit::maximum(one<A>(), one<B>()));
    expect_dtype<R>(frit::where(one<bool>(), one<A>(), one<B>()));
    expect_dtype<bool>(one<A>() < one<B>());
}

TEST(Promotion, ArrayWithArray) {
    expect_sum<bool, bool, bool>();
    expect_sum<bool, i32, i32>();
    expect_sum<bool, i64, i64>();
    expect_sum<bool, float, float>();
    expect_sum<bool, double, double>();
    expect_sum<i32, i32, i32>();
    expect_sum<i32, i64, i64>();
    expect_sum<i32, float, double>();
    expect_sum<i32, double, double>();
    expect_sum<i64, float, double>();
    expect_sum<i64, double, double>();
    expect_sum<float, float, float>();
    expect_sum<float, double, double>();
}

TEST(Promotion, TableOfAllDtypes) {
    using enum dtype;
    static_assert(frit::promote(i8, u8) == i16 && frit::promote(i16, u16) == frit::dtype::i32);
    static_assert(frit::promote(frit::dtype::i64, u64) == f64 && frit::promote(u32, frit::dtype::i32) == frit::dtype::i64);
    static_assert(frit::promote(f16, bf16) == f32 && frit::promote(i8, f16) == f16 && frit::promote(i16, f16) == f32);
    static_assert(frit::promote(f32, c64) == c64 && frit::promote(f64, c64) == c128 &&
                  frit::promote(frit::dtype::i64, c64) == c128);
    constexpr dtype every[] = {
#define FRIT_X(name, ...) dtype::name,
        FRIT_DTYPES(FRIT_X)
#undef FRIT_X
    };
    for (dtype a : every)
        for (dtype b : every) EXPECT_EQ(frit::promote(a, b), frit::promote(b, a)) << name_of(a) << ' ' << name_of(b);
}

TEST(Promotion, ScalarsAreWeak) {
    expect_dtype<float>(one<float>() * 2.0);
    expect_dtype<float>(2 * one<float>());
    expect_dtype<float>(one<float>() + true);
    expect_dtype<double>(one<double>() * 2.0F);
    expect_dtype<double>(one<i32>() * 2.5);
    expect_dtype<double>(one<i64>() * 2.5F);
    expect_dtype<i32>(one<i32>() + 7);
    expect_dtype<i32>(one<i32>() + i64{7});
    expect_dtype<i64>(one<i64>() + 7U);
    expect_dtype<float>(frit::where(one<bool>(), one<float>(), 0.0));
    expect_dtype<float>(frit::clip(one<float>(), 0, 1));
    expect_dtype<float>(frit::maximum(one<float>(), 0));
    expect_dtype<int>(frit::where(one<bool>(), 1, 0));
}

TEST(Promotion, AnIntegerScalarThatDoesNotFit) {
    EXPECT_ERROR(array<i32> y = one<i32>() + (i64{1} << 40), frit::dtype_error, "int32", "1099511627776");
    EXPECT_ERROR(array<i32> y = one<i32>() * std::numeric_limits<std::uint64_t>::max(), frit::dtype_error, "int32");
    EXPECT_NO_THROW(array<i64> y = one<i64>() + (i64{1} << 40));
    EXPECT_NO_THROW(array<i32> y = one<i32>() + i64{std::numeric_limits<i32>::min()});
}

TEST(Promotion, FunctionsOfIntegers) {
    expect_dtype<double>(sqrt(one<i32>()));
    expect_dtype<double>(exp(one<i64>()));
    expect_dtype<float>(sin(one<bool>()));
    expect_dtype<float>(floor(one<float>()));
    expect_dtype<i32>(abs(one<i32>()));
    expect_dtype<i32>(-one<i32>());
}

TEST(Promotion, Reductions) {
    expect_dtype<i64>(frit::sum(one<bool>()));
    expect_dtype<i64>(frit::sum(one<i32>()));
    expect_dtype<i64>(frit::prod(one<i32>()));
    expect_dtype<float>(frit::sum(one<float>()));
    expect_dtype<i32>(frit::max(one<i32>()));
    expect_dtype<bool>(frit::max(one<bool>()));
    expect_dtype<bool>(frit::any(one<float>()));
    expect_dtype<bool>(frit::all(one<i64>()));
    expect_dtype<float>(frit::mean(one<float>()));
    expect_dtype<double>(frit::mean(one<i32>()));
}

TEST(Promotion, SumsOfIntegersAreWide) {
    const std::vector<i32> big(3, std::numeric_limits<i32>::max());
    EXPECT_EQ(frit::sum(frit::from_host(big)).item(), 3 * i64{std::numeric_limits<i32>::max()});
}

TEST(Promotion, Casts) {
    expect_dtype<i32>(frit::cast<i32>(one<double>()));
    expect_dtype<bool>(frit::cast<bool>(one<float>()));
    const array<double> x{1.9, -1.9, 3e9, -3e9, std::numeric_limits<double>::quiet_NaN(), 0.0};
    EXPECT_EQ(frit::cast<i32>(x).to_vector(), (std::vector<i32>{1, -1, INT32_MAX, INT32_MIN, 0, 0}));
    EXPECT_EQ(frit::cast<bool>(x).to_vector(), (std::vector<bool>{true, true, true, true, true, false}));
}

TEST(Promotion, WritingCastsWithinAKind) {
    array<float> x{1, 2, 3};
    const array<double> y{0.5, 0.25};
    x(frit::slice(1, 3)) = y;
    EXPECT_EQ(x.to_vector(), (std::vector<float>{1, 0.5F, 0.25F}));
    x += array<double>{1, 1, 1};
    EXPECT_EQ(x.to_vector(), (std::vector<float>{2, 1.5F, 1.25F}));
    array<i32> k{1, 2};
    k += array<i64>{5, 6};
    EXPECT_EQ(k.to_vector(), (std::vector<i32>{6, 8}));
}

TEST(Promotion, LogicOnBool) {
    const array<bool> a{false, false, true, true}, b{false, true, false, true};
    using bools = std::vector<bool>;
    EXPECT_EQ((a & b).to_vector(), (bools{0, 0, 0, 1}));
    EXPECT_EQ((a | b).to_vector(), (bools{0, 1, 1, 1}));
    EXPECT_EQ((a ^ b).to_vector(), (bools{0, 1, 1, 0}));
    EXPECT_EQ((~a).to_vector(), (bools{1, 1, 0, 0}));
    EXPECT_EQ((!a).to_vector(), (bools{1, 1, 0, 0}));
    EXPECT_EQ((a + b).to_vector(), (bools{0, 1, 1, 1}));
    EXPECT_EQ((a < b).to_vector(), (bools{0, 1, 0, 0}));
}

}  // namespace

// Arrays of a dtype that is known at run time, from nothing, from braces and from host memory: the values, bit by bit, of
// the typed functions; and what is wrong, with the caller's line.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/kernels.hpp"

namespace {
using frit::any_array;
using frit::array;
using frit::dtype;
using frit::shape;

/// Equal dtype, shape and bytes.
template <class T>
void expect_same(const any_array& got, const array<T>& want) {
    ASSERT_EQ(name_of(got.dtype()), name_of(want.dtype()));
    ASSERT_EQ(got.shape(), want.shape());
    const auto a = got.span<T>();
    const auto b = want.span();
    if (!a.empty()) {
        EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size_bytes()), 0) << to_string(got) << "\n" << to_string(want);
    }
}

template <class T>
class CreateAny : public testing::Test {
protected:
    static constexpr dtype type = frit::dtype_of<T>;
};
template <class, class... T>
using types_of = testing::Types<T...>;
#define FRIT_X(name, ctype) , ctype
using array_types = types_of<void FRIT_ARRAY_DTYPES(FRIT_X)>;
#undef FRIT_X
TYPED_TEST_SUITE(CreateAny, array_types);

TYPED_TEST(CreateAny, Constants) {
    using T = TypeParam;
    const dtype type = this->type;
    expect_same(frit::zeros({2, 3}, type), frit::zeros<T>({2, 3}));
    expect_same(frit::ones({2, 3}, type), frit::ones<T>({2, 3}));
    expect_same(frit::ones({2, 0}, type), frit::ones<T>({2, 0}));
    expect_same(frit::full({4}, true, type), frit::full({4}, T(true)));
    expect_same(frit::scalar(true, type), frit::scalar(T(true)));
    if constexpr (!std::is_same_v<T, bool>) {
        expect_same(frit::full({3}, 100, type), frit::full({3}, static_cast<T>(100)));
        expect_same(frit::scalar(7U, type), frit::scalar(static_cast<T>(7)));
    }
    if constexpr (!std::is_integral_v<T>) {
        expect_same(frit::full(3, 0.1, type), frit::full(3, static_cast<T>(0.1)));
        expect_same(frit::full({}, 0.1F, type), frit::full({}, static_cast<T>(0.1F)));
    }
    if constexpr (frit::is_complex(frit::dtype_of<T>)) {
        expect_same(frit::full({2}, std::complex(1.5, -2.), type), frit::full({2}, T(1.5, -2)));
    }
    const array<double> x{{1, 2, 3}, {4, 5, 6}};
    expect_same(frit::zeros_like(x, type), frit::zeros<T>({2, 3}));
    expect_same(frit::ones_like(any_array(x), type), frit::ones<T>({2, 3}));
    expect_same(frit::full_like(x * 2, true, type), frit::full({2, 3}, T(true)));
    EXPECT_EQ(frit::empty_like(x, type).dtype(), type);
    EXPECT_EQ(frit::empty_like(x, type).shape(), x.shape());
}

TYPED_TEST(CreateAny, EmptyAndIdentity) {
    using T = TypeParam;
    const dtype type = this->type;
    any_array u = frit::empty({2, 2}, type);
    EXPECT_EQ(u.dtype(), type);
    EXPECT_EQ(u.size(), 4);
    u(frit::all) = true;
    expect_same(u, frit::ones<T>({2, 2}));
    expect_same(frit::eye(3, type), frit::eye<T>(3));
    expect_same(frit::eye(2, 4, type), frit::eye<T>(2, 4));
    expect_same(frit::eye(4, 3, -1, type), frit::eye<T>(4, 3, -1));
}

TYPED_TEST(CreateAny, Sequences) {
    using T = TypeParam;
    const dtype type = this->type;
    if constexpr (frit::detail::cpp_number<T> && !std::is_same_v<T, bool>) {
        expect_same(frit::arange(100, type), frit::arange<T>(100));
        expect_same(frit::arange(3, 50, type), frit::arange<T>(3, 50));
        expect_same(frit::arange(90, -1, -7, type), frit::arange<T>(90, -1, -7));
        expect_same(frit::arange(3U, 50L, short{2}, type), frit::arange<T>(3U, 50L, short{2}));
        expect_same(frit::arange(0, 7.5, 1, type), frit::arange<T>(0, 7.5, 1));
        expect_same(frit::arange(5, 5, type), frit::arange<T>(5, 5));
        EXPECT_ERROR((void)frit::arange(0, 5, 0, type), frit::index_error, "step", "test_create_any.cpp");
    } else {
        EXPECT_ERROR((void)frit::arange(3, type), frit::dtype_error, "arange", std::string(name_of(type)),
                     "test_create_any.cpp");
    }
    if constexpr (frit::is_float(frit::dtype_of<T>))
        expect_same(frit::arange(0.1, 3.7, 0.3, type), frit::arange<T>(0.1, 3.7, 0.3));
    else
        EXPECT_ERROR((void)frit::arange(0.5, 3, 1, type), frit::dtype_error, "arange", std::string(name_of(type)),
                     "test_create_any.cpp");
    if constexpr (std::is_integral_v<T>) {
        EXPECT_ERROR((void)frit::linspace(0, 1, 5, type), frit::dtype_error, "linspace", std::string(name_of(type)),
                     "test_create_any.cpp");
    } else {
        expect_same(frit::linspace(0.1, 1, 7, type), frit::linspace(static_cast<T>(0.1), T(1), 7));
        expect_same(frit::linspace(3, 4, 1, type), frit::linspace(T(3), T(4), 1));
        expect_same(frit::linspace(3, 4, 0, type), frit::linspace(T(3), T(4), 0));
    }
}

TYPED_TEST(CreateAny, HostMemory) {
    using T = TypeParam;
    const frit::detail::cell<T> values[] = {{T(1)}, {T(0)}, {T(1)}, {T(1)}};
    expect_same(frit::from_host(static_cast<const void*>(values), {2, 2}, this->type),
                frit::from_host(&values[0].value, {2, 2}));
}

TYPED_TEST(CreateAny, BorrowedMemoryAndMemoryOfTheCallers) {
    using T = TypeParam;
    const frit::detail::cell<T> values[] = {{T(1)}, {T(0)}, {T(1)}, {T(1)}};
    const void* const data = values;
    expect_same(frit::borrow(data, {4}, this->type), frit::from_host(&values[0].value, {4}));
    expect_same(frit::borrow(&values[0].value, {4}, this->type, {}), frit::from_host(&values[0].value, {4}));
    const auto owner = std::make_shared<int>(0);
    {
        const any_array columns = frit::borrow(data, {2, 2}, this->type, owner, {1, 2}),
                        rows = frit::borrow(data, {2, 2}, this->type, owner);
        EXPECT_EQ(owner.use_count(), frit::default_device().is_cuda() ? 1 : 3);  // a GPU has a copy
        expect_same(columns, array<T>(frit::from_host(&values[0].value, {2, 2}).T()));
        expect_same(rows, frit::from_host(&values[0].value, {2, 2}));
    }
    EXPECT_EQ(owner.use_count(), 1);

    frit::detail::cell<T> places[5] = {};
    void* const into = places;
    frit::eval_into(frit::out(into, {2}, this->type, {3}), frit::borrow(data, {2}, this->type, {2}));
    frit::eval_into(frit::out(&places[1].value, {2}, this->type), true);
    const T want[] = {T(1), T(1), T(1), T(1), T(0)};
    for (int k = 0; k < 5; ++k) EXPECT_EQ(places[k].value, want[k]) << k;
}

TYPED_TEST(CreateAny, Braces) {
    using T = TypeParam;
    const T a = T(1), b = T(0);
    const any_array x{a, b, b}, nested{{a, b}, {b, b}}, one{a}, deep{{{a}, {b}}};
    expect_same(x, array<T>{a, b, b});
    expect_same(nested, array<T>{{a, b}, {b, b}});
    expect_same(one, array<T>{a});
    expect_same(deep, array<T>{{{a}, {b}}});
}

TEST(CreateAny, BracesPromote) {
    expect_same(any_array{1, 2}, array<int>{1, 2});
    expect_same(any_array{1, 2.5}, array<double>{1, 2.5});
    expect_same(any_array{{true, false}, {true, std::int8_t{-3}}}, array<std::int8_t>{{1, 0}, {1, -3}});
    expect_same(any_array{1.5F, frit::half(2)}, array<float>{1.5F, 2.F});
    expect_same(any_array{1.5F, std::complex(1.F, 2.F)}, array<std::complex<float>>{1.5F, std::complex(1.F, 2.F)});
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    expect_same(any_array{most, std::uint8_t{1}}, array<std::uint64_t>{most, 1});
    expect_same(any_array{std::numeric_limits<std::int64_t>::min()},
                array<std::int64_t>{std::numeric_limits<std::int64_t>::min()});
    EXPECT_ERROR((any_array{{1, 2}, {3}}), frit::shape_error, "test_create_any.cpp");
    EXPECT_ERROR((any_array{{1, 2}, 3}), frit::shape_error, "test_create_any.cpp");
}

TEST(CreateAny, BracesAreNoOtherConstructor) {
    const array<float> x{1, 2};
    const any_array a{x}, b{x * 2}, c{a}, none{};
    EXPECT_EQ(a.dtype(), dtype::f32);
    EXPECT_EQ(b.to_vector<float>(), (std::vector<float>{2, 4}));
    EXPECT_EQ(c.shape(), (shape{2}));
    EXPECT_TRUE(none.empty());
    any_array d = x;
    d = {};
    EXPECT_TRUE(d.empty());
    d = {1, 2};
    EXPECT_EQ(d.to_vector<int>(), (std::vector<int>{1, 2}));
}

TEST(CreateAny, WhatDoesNotFit) {
    const std::string here = "test_create_any.cpp";
    EXPECT_ERROR((void)frit::full({2}, 256, dtype::u8), frit::dtype_error, "256", "uint8", here);
    EXPECT_ERROR((void)frit::full({2}, -1, dtype::u64), frit::dtype_error, "-1", "uint64", here);
    EXPECT_ERROR((void)frit::full({2}, 0.5, dtype::i32), frit::dtype_error, "floating", "int32", here);
    EXPECT_ERROR((void)frit::full({2}, 2, dtype::bool_), frit::dtype_error, "bool", here);
    EXPECT_ERROR((void)frit::full({2}, std::complex(1., 1.), dtype::f64), frit::dtype_error, "complex", "float64", here);
    EXPECT_ERROR((void)frit::arange(257, dtype::u8), frit::dtype_error, "256", "uint8", here);
    EXPECT_ERROR((void)frit::arange(0, 3, 0.5, dtype::i64), frit::dtype_error, "integer", "int64", here);
    EXPECT_ERROR((void)frit::arange(std::complex(1., 1.), dtype::f64), frit::dtype_error, "real numbers", here);
    EXPECT_ERROR((void)frit::linspace(0, std::complex(1., 1.), 3, dtype::f64), frit::dtype_error, "real numbers", here);
    const auto strange = static_cast<dtype>(77);
    const array<int> like{1};
    EXPECT_ERROR((void)frit::full({2}, 1, strange), frit::dtype_error, "full: ", "77", here);
    EXPECT_ERROR((void)frit::zeros({2}, strange), frit::dtype_error, "zeros: ", "77", here);
    EXPECT_ERROR((void)frit::ones({2}, strange), frit::dtype_error, "ones: ", "77", here);
    EXPECT_ERROR((void)frit::scalar(2, strange), frit::dtype_error, "scalar: ", "77", here);
    EXPECT_ERROR((void)frit::full_like(like, 2, strange), frit::dtype_error, "full_like: ", "77", here);
    EXPECT_ERROR((void)frit::zeros_like(like, strange), frit::dtype_error, "zeros_like: ", "77", here);
    EXPECT_ERROR((void)frit::ones_like(like, strange), frit::dtype_error, "ones_like: ", "77", here);
    EXPECT_ERROR((void)frit::empty({2}, strange), frit::dtype_error, "77", here);
    EXPECT_ERROR((void)frit::eye(2, strange), frit::dtype_error, "eye", "77", here);
    EXPECT_ERROR((void)frit::arange(2, strange), frit::dtype_error, "arange", "77", here);
    EXPECT_ERROR((void)frit::linspace(0, 1, 2, strange), frit::dtype_error, "linspace", "77", here);
    EXPECT_ERROR((void)frit::from_host(nullptr, {0}, strange), frit::dtype_error, "from_host", "77", here);
    EXPECT_ERROR((void)frit::from_host(nullptr, {2}, dtype::f32), frit::error, "from_host", here);
    float places[2] = {7, 7};
    EXPECT_ERROR((void)frit::borrow(places, {2}, strange), frit::dtype_error, "borrow", "77", here);
    EXPECT_ERROR((void)frit::borrow(nullptr, {2}, dtype::f32, {}), frit::error, "borrow", here);
    EXPECT_ERROR(frit::eval_into(frit::out(places, {2}, strange), 1), frit::dtype_error, "eval_into", "77", here);
    EXPECT_ERROR(frit::eval_into(frit::out(places, {2}, dtype::i32), array<float>{1, 2}), frit::dtype_error, "float32",
                 "int32", here);
    EXPECT_ERROR(frit::eval_into(frit::out(places, {2}, dtype::f32), array<float>{1, 2, 3}), frit::shape_error, "(3,)",
                 "(2,)", here);
    EXPECT_EQ(places[0], 7);
    EXPECT_ERROR((void)frit::empty({1 << 20, 1 << 20, 1 << 10}, dtype::f64), frit::out_of_memory, "8.0 PiB");
}

}  // namespace

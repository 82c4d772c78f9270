// any_array: formulas of it are the typed ones, to the bit, with the same kernels and plans; what is wrong is said at run
// time, with the dtypes. And what statements inline: formulas of the library, which nobody holds.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/values.hpp"

namespace {
using frit::all;
using frit::any_array;
using frit::array;
using frit::dtype;
using frit::slice;

/// Equal dtype, shape and bytes.
template <class T>
void expect_same(const any_array& got, const array<T>& want, const std::string& what) {
    SCOPED_TRACE(what);
    ASSERT_EQ(name_of(got.dtype()), name_of(want.dtype()));
    ASSERT_EQ(got.shape(), want.shape());
    const auto a = got.span<T>();
    const auto b = want.span();
    if (!a.empty()) {
        EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size_bytes()), 0) << to_string(got) << "\n" << to_string(want);
    }
}

template <class T>
array<T> sample(std::int64_t n, std::uint64_t seed) {
    frit_test::generator g(seed);
    const std::vector<T> values = frit_test::sample<T>(g, n, 0.1);
    std::vector<frit::detail::cell<T>> cells;
    for (const T v : values) cells.push_back({v});
    return frit::from_host(&cells[0].value, {n});
}

/// One dtype of each class of rules; PairsOfDtypes has all.
template <class T>
class AnyArray : public testing::Test {};
using rule_types = testing::Types<bool, std::int32_t, std::uint8_t, double, frit::half, frit::bfloat16>;
TYPED_TEST_SUITE(AnyArray, rule_types);
template <class T>
class AnyArrayOps : public testing::Test {};
using op_types = testing::Types<bool, std::int32_t, std::uint8_t, double, frit::half, frit::bfloat16, std::complex<double>>;
TYPED_TEST_SUITE(AnyArrayOps, op_types);

/// One op over operands of one dtype: what the typed formula gives, or a dtype_error where it does not compile.
template <frit::op Op, class T>
void check_op(const array<T>& x, const array<T>& y, const array<T>& z, const array<bool>& m) {
    const any_array p = x, q = y, r = z, mask = m;
    const std::string what(name_of(Op));
    if constexpr (info(Op).form == frit::op_form::HIDDEN) {
        return;
    } else if constexpr (info(Op).result == frit::op_result::SELECT) {
        expect_same(frit::detail::make_call<Op>(mask, p, q), array<T>(frit::detail::make_call<Op>(m, x, y)), what);
    } else if constexpr (!frit::resolve(Op, frit::dtype_of<T>).valid) {
        const auto make = [&] {
            if constexpr (info(Op).arity == 1) return any_array(frit::detail::make_call<Op>(p));
            if constexpr (info(Op).arity == 2) return any_array(frit::detail::make_call<Op>(p, q));
            if constexpr (info(Op).arity == 3) return any_array(frit::detail::make_call<Op>(p, q, r));
        };
        EXPECT_ERROR((void)make(), frit::dtype_error, std::string(name_of(frit::dtype_of<T>)), "test_any_array.cpp");
    } else if constexpr (info(Op).arity == 1) {
        expect_same(any_array(frit::detail::make_call<Op>(p)), frit::array(frit::detail::make_call<Op>(x)), what);
    } else if constexpr (info(Op).arity == 2) {
        expect_same(any_array(frit::detail::make_call<Op>(p, q)), frit::array(frit::detail::make_call<Op>(x, y)), what);
        expect_same(any_array(frit::detail::make_call<Op>(p, y)), frit::array(frit::detail::make_call<Op>(x, y)), what);
    } else {
        expect_same(any_array(frit::detail::make_call<Op>(p, q, r)), frit::array(frit::detail::make_call<Op>(x, y, z)),
                    what);
    }
}

TYPED_TEST(AnyArrayOps, EveryOp) {
    using T = TypeParam;
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    const array<T> x = sample<T>(37, 1), y = sample<T>(37, 2), z = sample<T>(37, 3);
    const array<bool> m = sample<bool>(37, 4);
#define FRIT_OP(name, ...) check_op<frit::op::name>(x, y, z, m);
#include "frit/ops.def"
}

TYPED_TEST(AnyArray, NumbersBesideIt) {
    using T = TypeParam;
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    const array<T> x = sample<T>(19, 5);
    const array<bool> m = sample<bool>(19, 6);
    const any_array p = x;
    const auto check = [&](auto n) {
        const std::string what = name_of(frit::dtype_of<decltype(n)>).data();
        expect_same(any_array(p * n), frit::array(x * n), what + " *");
        expect_same(any_array(n < p), frit::array(n < x), what + " <");
        expect_same(any_array(where(m, p, n)), frit::array(where(m, x, n)), what + " where");
        expect_same(any_array(where(any_array(m), n, p)), frit::array(where(m, n, x)), what + " where");
        expect_same(any_array(maximum(p, n) == p), frit::array(maximum(x, n) == x), what + " ==");
    };
    check(true), check(3), check(3U), check(100LL), check(std::int8_t{5}), check(2.5F), check(2.5);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        constexpr bool wide = sizeof(T) == 8;
        if constexpr (!wide) {
            EXPECT_ERROR((void)any_array(p + (1LL << 40)), frit::dtype_error, "1099511627776", "does not fit");
        }
        if constexpr (std::is_unsigned_v<T>) {
            EXPECT_ERROR((void)any_array(p + -1), frit::dtype_error, "-1", "does not fit");
        }
    }
}

template <class T, class U>
void check_pair() {
    const array<T> x = sample<T>(11, 7);
    const array<U> y = sample<U>(11, 8);
    const any_array p = x, q = y;
    const std::string what = std::string(name_of(frit::dtype_of<T>)) + ", " + std::string(name_of(frit::dtype_of<U>));
    if constexpr (frit::dtype_of<T> <= frit::dtype_of<U>) expect_same(any_array(p * q), frit::array(x * y), what);
    expect_same(any_array(cast(p, frit::dtype_of<U>)), frit::array<U>(frit::cast<U>(x)), what);
    if constexpr (frit::promote(frit::dtype_of<T>, frit::dtype_of<U>) == frit::dtype_of<U>)
        expect_same(any_array(array<U>(p)), array<U>(x), what);
    else
        EXPECT_ERROR(array<U> z = p, frit::dtype_error, std::string(name_of(frit::dtype_of<T>)),
                     std::string(name_of(frit::dtype_of<U>)), "test_any_array.cpp");
}

template <class T, class U>
void check_writing() {
    const array<U> y = sample<U>(11, 9);
    const std::string what = std::string(name_of(frit::dtype_of<U>)) + " into " + std::string(name_of(frit::dtype_of<T>));
    any_array p = sample<T>(11, 10);
    if constexpr (frit::detail::may_write({false, frit::dtype_of<U>}, frit::dtype_of<T>)) {
        array<T> x = p.as<T>();
        x(slice(2, 5)) = y(slice(2, 5));
        x(0) += y(0);
        x(y == y(4)) = y;
        p(slice(2, 5)) = any_array(y)(slice(2, 5));
        p(0) += y(0);
        p(y == y(4)) = any_array(y);
        expect_same(p, x, what);
        p += any_array(y);
        x += y;
        expect_same(p, x, what);
        array<T> typed = sample<T>(11, 10);
        typed(slice(2, 5)) = any_array(y)(slice(2, 5));
        typed(0) += any_array(y)(0);
        typed(y == y(4)) = any_array(y);
        typed += any_array(y);
        expect_same(any_array(typed), x, what);
    } else {
        const any_array before = p;
        array<T> typed = before.as<T>();
        for (const auto& text : {std::string(name_of(frit::dtype_of<U>)), std::string(name_of(frit::dtype_of<T>))}) {
            EXPECT_ERROR(p(0) = y(0), frit::dtype_error, "assign", text, "test_any_array.cpp");
            EXPECT_ERROR(typed(0) = any_array(y)(0), frit::dtype_error, "assign", text, "test_any_array.cpp");
            EXPECT_ERROR(typed += any_array(y), frit::dtype_error, "assign", "test_any_array.cpp");
            EXPECT_ERROR(p += y, frit::dtype_error, "assign", "test_any_array.cpp");
        }
        expect_same(p, before.as<T>(), what);
        expect_same(any_array(typed), before.as<T>(), what);
    }
}

template <class T>
void check_pairs() {
#define FRIT_X(name, type) check_pair<T, type>();
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
}

TEST(AnyArrays, PairsOfDtypes) {
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
#define FRIT_X(name, type) check_pairs<type>();
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
}

TYPED_TEST(AnyArray, Writing) {
    using T = TypeParam;
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    check_writing<T, bool>();
    check_writing<T, std::int16_t>();
    check_writing<T, std::uint32_t>();
    check_writing<T, frit::half>();
    check_writing<T, frit::bfloat16>();
    check_writing<T, float>();
    check_writing<T, double>();
    any_array p = sample<T>(6, 11);
    array<T> x = p.as<T>();
    p(1) = true, x(1) = true;
    expect_same(p, x, "true");
    if constexpr (std::is_same_v<T, bool>) {
        EXPECT_ERROR(p(1) = 1, frit::dtype_error, "an integer is not written into bool");
    } else {
        p(2) = 7, x(2) = 7;
        p *= 3, x *= 3;
        expect_same(p, x, "integers");
    }
    if constexpr (frit::is_float(frit::dtype_of<T>)) {
        p(3) = 0.5, x(3) = 0.5;
        expect_same(p, x, "0.5");
    } else {
        EXPECT_ERROR(p(3) = 0.5, frit::dtype_error,
                     "a floating number is not written into " + std::string(name_of(frit::dtype_of<T>)));
    }
}

TYPED_TEST(AnyArray, ReductionsAndStatistics) {
    using T = TypeParam;
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    const array<T> x = sample<T>(60, 12).reshape({5, 12});
    const array<bool> m = sample<bool>(60, 13).reshape({5, 12});
    const any_array p = x, mask = m;
#define FRIT_KIND_PLAIN(name)                                                                                     \
    expect_same(any_array(name(p)), frit::array(name(x)), #name);                                                 \
    expect_same(any_array(name(p, {0, 1}, frit::keepdims)), frit::array(name(x, {0, 1}, frit::keepdims)), #name); \
    expect_same(any_array(name(p, 1, frit::where(mask))), frit::array(name(x, 1, frit::where(m))), #name);
#define FRIT_KIND_INDEX(name) FRIT_KIND_PLAIN_1(name)
#define FRIT_KIND_PLAIN_1(name)                                   \
    expect_same(any_array(name(p)), frit::array(name(x)), #name); \
    expect_same(any_array(name(p, 1)), frit::array(name(x, 1)), #name);
#define FRIT_KIND_DEVIATIONS(name)
#define FRIT_KIND_PAIR(name)
#define FRIT_KIND_LAST(name)
#define FRIT_REDUCTION(name, kind, ...) FRIT_KIND_##kind(name)
    using frit::all;
#include "frit/ops.def"
#undef FRIT_KIND_PLAIN
#undef FRIT_KIND_INDEX
#undef FRIT_KIND_PLAIN_1
#undef FRIT_KIND_DEVIATIONS
#undef FRIT_KIND_PAIR
#undef FRIT_KIND_LAST
#define CHECK(call)                                                                          \
    {                                                                                        \
        const auto with = [&](const auto& v, const auto& k) { return frit::array(call); };   \
        const auto with_any = [&](const auto& v, const auto& k) { return any_array(call); }; \
        expect_same(with_any(p, mask), with(x, m), #call);                                   \
    }
    CHECK((static_cast<void>(k), mean(v)))
    CHECK(mean(v, 0, frit::where(k)))
    CHECK(var(v, 1, frit::ddof(1), frit::where(k)))
    CHECK((static_cast<void>(k), stddev(v, 1, frit::keepdims)))
    CHECK(stddev(v, frit::where(k)))
    CHECK((static_cast<void>(k), count_nonzero(v, 0)))
    CHECK((static_cast<void>(k), logsumexp(v, 1)))
    CHECK(logsumexp(v, 1, frit::where(k)))
    CHECK((static_cast<void>(k), frit::linalg::norm(v, 0)))
    CHECK((static_cast<void>(k), softmax(v, 1)))
    CHECK((static_cast<void>(k), log_softmax(v, 0)))
    CHECK((static_cast<void>(k), layer_norm(v, 1)))
    CHECK((static_cast<void>(k), rms_norm(v, 1, 0.5)))
    CHECK((static_cast<void>(k), dot(v(0), v(1))))
    CHECK((static_cast<void>(k), isclose(v, v.T().reshape({5, 12}))))
    CHECK((static_cast<void>(k), isclose(v, 1)))
    CHECK((static_cast<void>(k), pad(v, {{1, 2}}, frit::pad_mode::edge)))
    CHECK((static_cast<void>(k), pad(v, {{1, 2}, {0, 1}}, frit::pad_mode::constant, true)))
    CHECK((static_cast<void>(k), cumsum(v, 1)))
    CHECK((static_cast<void>(k), cummax(v, 0)))
    CHECK((static_cast<void>(k), sort(v, 0)))
    CHECK((static_cast<void>(k), argsort(v)))
    CHECK((static_cast<void>(k), flip(v)))
    CHECK((static_cast<void>(k), v(slice(1, frit::none, 2), -1)))
    CHECK((static_cast<void>(k), frit::zeros_like(v)))
    CHECK((static_cast<void>(k), frit::full_like(v, true)))
#undef CHECK
    std::vector<any_array> rows;
    for (const auto& row : p) rows.emplace_back(row + 1);
    ASSERT_EQ(rows.size(), 5U);
    expect_same(rows[3], frit::array(x(3) + 1), "rows");
}

TEST(AnyArrays, ProductsAreTheTypedOnes) {
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    const array<float> a = frit::linspace(0.F, 1.F, 12).reshape({3, 4});
    const array<std::int32_t> b = frit::arange<std::int32_t>(20).reshape({4, 5});
    const any_array p = a, q = b;
    expect_same(any_array(matmul(p, q)), frit::array(matmul(a, b)), "f32 by i32");
    expect_same(any_array(matmul(p.T(), a)), frit::array(matmul(a.T(), a)), "transposed");
    EXPECT_ERROR((void)any_array(matmul(p, p)), frit::shape_error, "(3, 4)", "test_any_array.cpp");
}

TEST(AnyArrays, ValuesComeOutAsTheTypeThatTheyHave) {
    any_array p = array<std::int16_t>{{1, 2}, {3, 4}};
    EXPECT_EQ(p.dtype(), dtype::i16);
    EXPECT_EQ(p.rank(), 2);
    EXPECT_EQ(p.size(), 4);
    EXPECT_EQ(p.to_vector<std::int16_t>(), (std::vector<std::int16_t>{1, 2, 3, 4}));
    EXPECT_EQ(any_array(sum(p)).item<std::int64_t>(), 10);
    EXPECT_EQ((p * 2).to_vector<std::int16_t>(), (std::vector<std::int16_t>{2, 4, 6, 8}));
    EXPECT_EQ((p * 2).dtype(), dtype::i16);
    std::int16_t two[2];
    p(0).copy_to(std::span<std::int16_t>(two));
    EXPECT_EQ(two[1], 2);
    EXPECT_EQ(p(1, 1).item<std::int16_t>(), 4);
    EXPECT_ERROR((void)p(1, 1).item<int>(), frit::dtype_error, "item", "int16", "int32", "test_any_array.cpp");
    EXPECT_ERROR((void)p.span<float>(), frit::dtype_error, "span", "int16", "float32");
    EXPECT_ERROR((void)p.item<std::int16_t>(), frit::shape_error, "item");
    const double sums = frit::visit([](const auto& x) { return frit::cast<double>(sum(x)).item(); }, p);
    EXPECT_EQ(sums, 10);
    std::ostringstream text;
    text << p << p(0) + 0.5;
    EXPECT_EQ(text.str(), "[[1 2]\n [3 4]][1.5 2.5]");
    const any_array stored = (p + 1).eval();
    EXPECT_EQ(stored.to_vector<std::int16_t>()[3], 5);
    const auto [a, b] = frit::eval(p + 1, array<float>{1, 2});
    EXPECT_EQ(a.dtype(), dtype::i16);
    std::vector<std::int16_t> into(4);
    frit::eval_into(frit::out(into.data(), {2, 2}), p * 3);
    EXPECT_EQ(into[3], 12);
    EXPECT_ERROR(frit::eval_into(frit::out(into.data(), {2, 2}), p * 0.5), frit::dtype_error, "float64", "int16");
    EXPECT_TRUE(array_equal(p, array<int>{{1, 2}, {3, 4}}));
    EXPECT_FALSE(allclose(p, 1.0));
}

// Of a C++ number its kind: no dtype that stands nowhere in the program.
TEST(AnyArrays, ErrorsNameWhatStandsThere) {
    const auto text_of = [](const auto& call) -> std::string {
        try {
            call();
        } catch (const frit::dtype_error& e) {
            const std::string text = e.what();
            return text.substr(0, text.find(" ["));
        }
        return "no error";
    };
    any_array r = array<float>{1, 2}, k = array<int>{1, 2};
    const any_array z = array<std::complex<float>>{1, 2};
    EXPECT_EQ(text_of([&] { r(0) = std::complex<float>(1, 1); }),
              "assign: a complex number is not written into float32 without a cast; float32");
    EXPECT_EQ(text_of([&] { k(k > 1) = frit::half(1); }),
              "assign: a floating number is not written into int32 without a cast; int32");
    EXPECT_EQ(text_of([&] { k(0) = r(0); }), "assign: float32 is not written into int32 without a cast; float32, int32");
    EXPECT_EQ(text_of([&] { any_array y = z % 3; }), "%: does not take these dtypes; complex64, an integer");
    EXPECT_EQ(text_of([&] { any_array y = 2.5 % z; }), "%: does not take these dtypes; a floating number, complex64");
    EXPECT_EQ(text_of([&] { any_array y = z % k; }), "%: does not take these dtypes; complex64, int32");
}

TEST(AnyArrays, EmptyOnes) {
    any_array none;
    EXPECT_TRUE(none.empty());
    const std::string text = "an operand is an empty array", here = "test_any_array.cpp";
    EXPECT_ERROR((void)any_array(none + 1), frit::error, "+: " + text, here);
    EXPECT_ERROR((void)any_array(array<int>{1} + none), frit::error, "+: " + text, here);
    EXPECT_ERROR((void)any_array(exp(none)), frit::error, "exp: " + text, here);
    EXPECT_ERROR((void)mean(none), frit::error, text, here);
    EXPECT_ERROR(none += 1, frit::error, text, here);
    EXPECT_ERROR((void)none.T(), frit::error, "any_array: " + text, here);
    EXPECT_ERROR((void)none.item<int>(), frit::error, "any_array: " + text, here);
    EXPECT_ERROR((void)mean(array<float>()), frit::error, "empty array", "test_any_array.cpp");
    none = array<int>{1, 2};
    EXPECT_EQ(none.size(), 2);
    any_array other = none;
    none = {};
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(other.size(), 2);
}

TEST(AnyArrays, WhatTheCompilerWouldRefuse) {
    array<float> v = frit::arange<float>(4);
    any_array p = v, places = array<int>{0, 2, 0, 1};
    EXPECT_ERROR(v(places * 0.5) = -1.F, frit::dtype_error, "index", "integers", "float64", "test_any_array.cpp");
    EXPECT_ERROR(p(places * 0.5) += 1, frit::dtype_error, "index", "integers", "float64", "test_any_array.cpp");
    EXPECT_ERROR((void)p(p), frit::dtype_error, "index", "bool", "float32", "test_any_array.cpp");
    EXPECT_ERROR((void)p.reshape({2, 2})(places, p), frit::dtype_error, "index", "integers", "float32",
                 "test_any_array.cpp");
    EXPECT_ERROR(p(places) %= 2, frit::dtype_error, "%=", "indices", "int32", "test_any_array.cpp");
    EXPECT_ERROR((void)take(p, any_array(v > 0.F), 0), frit::dtype_error, "take", "bool", "test_any_array.cpp");
    EXPECT_ERROR((void)sum(v, frit::where(places)), frit::dtype_error, "mask", "bool", "int32", "test_any_array.cpp");
    EXPECT_ERROR((void)mean(p, frit::where(places)), frit::dtype_error, "mask", "bool", "int32", "test_any_array.cpp");
    EXPECT_ERROR((void)any_array(cast(p, static_cast<dtype>(77))), frit::dtype_error, "cast", "77", "test_any_array.cpp");
    EXPECT_EQ(v.to_vector(), (std::vector<float>{0, 1, 2, 3}));
    p(places > 0) = -1.F;
    EXPECT_EQ(p.to_vector<float>(), (std::vector<float>{0, -1, 2, -1}));
}

/// What `change` makes of an array and of an any_array with an index of run-time dtype is what it makes with a typed one.
template <class I, class F>
void expect_same_changes(const array<double>& start, const array<I>& typed, F change) {
    const any_array index = typed;
    array<double> want = start, got = start;
    any_array any = start;
    change(want, typed);
    change(got, index);
    change(any, index);
    expect_same(any_array(got), want, "array");
    expect_same(any, want, "any_array");
}

TEST(AnyArrays, AsTheOnlyIndex) {
    for (const frit_test::engine e : frit_test::engines()) {
        const frit_test::with_engine guard(e);
        const array<double> x{0, 10, 20, 30, 40};
        const array<int> i{2, 0, 2, -1};
        const array<bool> m{false, true, true, false, true};
        const auto changes = [&](const auto& index, const auto& v) {
            expect_same_changes(x, index, [&](auto& u, const auto& at) { u(at) = v; });
            expect_same_changes(x, index, [&](auto& u, const auto& at) { u(at) += v; });
            expect_same_changes(x, index, [&](auto& u, const auto& at) { u(at) -= v; });
            expect_same_changes(x, index, [&](auto& u, const auto& at) { u(at) *= v; });
            expect_same_changes(x, index, [&](auto& u, const auto& at) { u(at) /= v; });
            expect_same_changes(x, index, [&](auto& u, const auto& at) { u = u(at) * 2; });
            expect_same_changes(x, index, [&](auto& u, const auto& at) { u = as_value(u(at)); });
            expect_same_changes(x, index, [&](auto& u, const auto& at) { u = std::as_const(u)(at) + 1; });
        };
        changes(i, 5.0), changes(i, array<double>{1, 2, 3, 4}), changes(i, any_array(array<float>{1, 2, 3, 4}));
        changes(array<std::uint8_t>{3, 1}, any_array(array<int>{7}));
        changes(m, 5.0), changes(m, array<double>{1, 2, 3, 4, 5}), changes(m, any_array(array<int>{1, 2, 3, 4, 5}));
        expect_same_changes(x, m, [&](auto& u, const auto& at) { u(at) %= 7.0; });
        expect_same_changes(x, i, [&](auto& u, const auto& at) { u(at + 0) = u(at - 1); });
        expect_same_changes(x, i, [&](auto& u, const auto& at) { u(at) = u(at); });
    }
}

TEST(AnyArrays, WhatIsReadThroughAnIndexStays) {
    any_array u = array<double>{1, 2, 3};
    const any_array i = array<int>{2, 0}, m = array<bool>{true, false, true};
    auto read = u(i);
    auto seen = u(m);
    u(i) = 0;
    EXPECT_EQ(read.to_vector<double>(), (std::vector<double>{3, 1}));
    EXPECT_EQ(seen.to_vector<double>(), (std::vector<double>{1, 3}));
    EXPECT_EQ(read.shape(), (frit::shape{2}));
    EXPECT_EQ(read.dtype(), dtype::f64);
    EXPECT_EQ((read * 2 + 1).eval().to_vector<double>(), (std::vector<double>{7, 3}));
    EXPECT_THROW(u(any_array(array<int>{3})).to_vector<double>(), frit::index_error);
    EXPECT_THROW(u(any_array(array<bool>{true})).to_vector<double>(), frit::shape_error);
    EXPECT_THROW(u(any_array(array<int>{0, 1})) = (array<double>{1, 2, 3}), frit::shape_error);
    any_array none;
    EXPECT_ERROR((void)none(i), frit::error, "empty array", "test_any_array.cpp");
    EXPECT_ERROR((void)u(none), frit::error, "empty array", "test_any_array.cpp");
}

TEST(AnyArrays, MasksBesideOtherIndices) {
    const array<double> start = frit::arange(0.0, 60.0).reshape({3, 4, 5});
    const array<bool> rows{true, false, true}, plane = frit::arange(12).reshape({3, 4}) % 5 == 0;
    const array<int> two{1, 3};
    const auto places = nonzero(plane);
    const any_array r = rows, p = plane, t = two;
    const auto same = [&](auto with_places, auto with_masks) {
        array<double> want = start, got = start;
        any_array any = start;
        expect_same(any_array(with_masks(got)), array<double>(with_places(want)), "read");
        expect_same(any_array(with_masks(any)), array<double>(with_places(want)), "read");
        expect_same(any_array(with_masks(std::as_const(any))), array<double>(with_places(want)), "read");
        with_places(want) = 7, with_masks(got) = 7, with_masks(any) = 7;
        expect_same(any_array(got), want, "=");
        expect_same(any, want, "=");
        with_places(want) *= 3, with_masks(any) *= 3, with_places(want) += 0.5, with_masks(any) += 0.5;
        with_places(want) -= 2, with_masks(any) -= 2, with_places(want) /= 4, with_masks(any) /= 4;
        expect_same(any, want, "+= -= *= /=");
    };
    const array<std::int64_t> at{0, 2};
    same([&](auto& u) { return u(at, 1); }, [&](auto& u) { return u(r, 1); });
    same([&](auto& u) { return u(at, two); }, [&](auto& u) { return u(r, t); });
    same([&](auto& u) { return u(at, two); }, [&](auto& u) { return u(r, two); });
    same([&](auto& u) { return u(at, slice(1, 3), 2); }, [&](auto& u) { return u(r, slice(1, 3), 2); });
    same([&](auto& u) { return u(places[0], places[1], slice(0, 2)); }, [&](auto& u) { return u(p, slice(0, 2)); });
    same([&](auto& u) { return u(places[0], places[1], -1); }, [&](auto& u) { return u(p, -1); });
    same(
        [&](auto& u) {
            return u(frit::ellipsis, array<int>{0, 4});
        },
        [&](auto& u) {
            return u(frit::ellipsis, any_array(array<bool>{true, false, false, false, true}));
        });
    same([&](auto& u) { return u(frit::newaxis, at, all, two); }, [&](auto& u) { return u(frit::newaxis, r, all, t); });
    any_array u = start;
    EXPECT_ERROR((void)u(p, r), frit::shape_error, "index", "mask", "(3, 4)", "test_any_array.cpp");
    EXPECT_ERROR((void)u(all, r), frit::shape_error, "index", "mask", "test_any_array.cpp");
    EXPECT_ERROR((void)u(r, p, all), frit::shape_error, "index", "mask", "test_any_array.cpp");
    EXPECT_ERROR((void)u(any_array(frit::scalar(true)), 1), frit::shape_error, "index", "mask", "test_any_array.cpp");
}

TEST(AnyArrays, AConversionThatWasAskedForAllowsNoOther) {
    const any_array x = array<double>{1.5, 2.5};
    EXPECT_EQ(any_array(cast(x, dtype::i32)).to_vector<int>(), (std::vector<int>{1, 2}));
    any_array to = frit::zeros<int>({2});
    EXPECT_THROW((to(array<int>{0, 1}) = x), frit::dtype_error);
    EXPECT_EQ(to.to_vector<int>(), (std::vector<int>{0, 0}));
}

/// Kernels, bytes, and plans of repeated statements are those of typed arrays.
TEST(AnyArrays, CostWhatTypedOnesCost) {
    const array<float> x = frit::linspace(0.F, 1.F, 64).reshape({8, 8}).eval();
    const any_array p = x;
    const auto check = [&](auto formula) {
        const frit_test::traffic typed = frit_test::evaluate(frit::array(formula(x)));
        const frit_test::traffic dynamic = frit_test::evaluate(any_array(formula(p)));
        EXPECT_EQ(typed.kernels, dynamic.kernels);
        EXPECT_EQ(typed.bytes_read, dynamic.bytes_read);
        EXPECT_EQ(typed.bytes_written, dynamic.bytes_written);
        const auto repeat = [&] {
            any_array y = formula(p);
            y.eval();
        };
        repeat();
        const frit::counters before = frit::stats();
        for (int k = 0; k < 5; ++k) repeat();
        const frit::counters after = frit::stats();
        EXPECT_EQ(after.plans_built, before.plans_built);
        EXPECT_EQ(after.plans_reused, before.plans_reused + 5);
    };
    check([](const auto& v) { return exp(v) * 2 + v; });
    check([](const auto& v) { return (v - mean(v, 1, frit::keepdims)) / stddev(v, 1, frit::keepdims); });
    check([](const auto& v) { return softmax(v * 3, 1) + 1; });
    check([](const auto& v) { return frit::sum(v * v.T(), 0); });
}

TEST(AnyArrays, TheSameFormulaOverSeveralDtypes) {
    const any_array list[] = {array<float>{1, 2}, array<double>{3, 4}, array<std::int8_t>{5, 6}, array<bool>{true, false}};
    for (int round = 0; round < 3; ++round)
        for (const any_array& p : list) {
            const any_array y = p * 2 + 1;
            EXPECT_EQ(y.dtype(), p.dtype() == dtype::bool_ ? dtype::i64 : p.dtype());
            const double first = frit::visit([](const auto& v) { return frit::cast<double>(v(0)).item(); }, y);
            const double want = frit::visit([](const auto& v) { return frit::cast<double>(v(0)).item(); }, p);
            EXPECT_EQ(first, want * 2 + 1);
        }
}

// --- what statements inline ---

TEST(Inlining, FormulasOfTheLibraryAreOneKernelWithWhatReadsThem) {
    const array<float> x = frit::linspace(0.F, 1.F, 4096).reshape({64, 64}).eval();
    EXPECT_KERNELS(1, (x - mean(x, 1, frit::keepdims)) / stddev(x, 1, frit::keepdims));
    EXPECT_KERNELS(1, softmax(x, 1) * 2 + x);
    EXPECT_KERNELS(1, sum(softmax(x * 2, 1), 1));
    EXPECT_KERNELS(1, where(isclose(x, x * 1.000001F), x, 0));
}

TEST(Inlining, PendingNodesAreTheStatementAlone) {
    const array<float> x = frit::linspace(0.F, 1.F, 64).reshape({8, 8}).eval();
    const std::uint64_t before = frit::stats().pending_nodes;
    array<float> y = (x - mean(x)) * 2;
    EXPECT_EQ(frit::stats().pending_nodes, before + 1);
    const std::uint64_t plans = (y.eval(), frit::stats().plans_built);
    y = (x - mean(x)) * 2;
    y.eval();
    EXPECT_EQ(frit::stats().plans_built, plans);
}

TEST(Inlining, WhatSomebodyHoldsStaysWhatItIs) {
    const array<float> x = frit::linspace(0.F, 1.F, 64).reshape({8, 8}).eval();
    const array<float> m = mean(x, 0);
    const auto recipe = mean(x, 1, frit::keepdims);
    array<float> y = x - m, z = x - recipe, w = recipe - recipe;
    frit::eval(y, z, w);
    EXPECT_EQ(recipe.to_vector().size(), 8U);
    for (float v : w.to_vector()) EXPECT_EQ(v, 0);
    const std::vector<float> means = m.to_vector();
    for (std::int64_t k = 0; k < 8; ++k) EXPECT_EQ(y(3, k).item(), x(3, k).item() - means[static_cast<std::size_t>(k)]);
    for (std::int64_t k = 0; k < 8; ++k) EXPECT_EQ(z(k, 0).item(), x(k, 0).item() - recipe(k, 0).item());
}

TEST(Inlining, AFormulaOfAnArrayThatIsAssignedToLaterKeepsItsValue) {
    array<float> x = frit::linspace(0.F, 1.F, 64).eval();
    const auto m = mean(x);
    x(slice(0, 32)) = 5;
    array<float> y = x - m;
    EXPECT_FLOAT_EQ(m.item(), 0.5F);
    EXPECT_EQ(y(0).item(), 5 - m.item());
}

TEST(Inlining, LongStatementsStaySeparate) {
    const array<double> x = frit::linspace(0.0, 1.0, 16).eval();
    array<double> y = x;
    auto chain = [&](const auto& v) {
        return ((((((((v + 1) * 2 + 1) * 2 + 1) * 2 + 1) * 2 + 1) * 2 + 1) * 2 + 1) * 2 + 1) * 2 + mean(v);
    };
    y = chain(x) + chain(x * 3) + logsumexp(x) + logsumexp(x * 2) + chain(x * 5);
    const std::vector<double> got = y.to_vector(), at = x.to_vector();
    const auto chain_of = [&](double v, double mean) {
        double c = v + 1;
        for (int k = 0; k < 7; ++k) c = c * 2 + 1;
        return c * 2 + mean;
    };
    double mean = 0, a = 0, b = 0;
    for (double v : at) mean += v / 16, a += std::exp(v), b += std::exp(2 * v);
    for (std::size_t k = 0; k < got.size(); ++k)
        EXPECT_NEAR(got[k],
                    chain_of(at[k], mean) + chain_of(3 * at[k], 3 * mean) + std::log(a) + std::log(b) +
                        chain_of(5 * at[k], 5 * mean),
                    1e-9);
}

/// One formula that threads read while others evaluate it.
TEST(Inlining, Threads) {
    const array<float> x = frit::linspace(0.F, 1.F, 256).eval();
    {
        const auto m = mean(x);
        std::thread evaluates([m] {
            for (int k = 0; k < 2000; ++k) (void)m.item();
        });
        std::thread reads([m, x] {
            for (int k = 0; k < 2000; ++k) array<float> y = x - m;
        });
        evaluates.join();
        reads.join();
    }
    for (int round = 0; round < 20; ++round) {
        const auto m = mean(x * static_cast<float>(round));
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int k = 0; k < 10; ++k) {
                    const float got = t % 2 ? m.item() : frit::array<float>(m + 0.F).item();
                    wrong += std::fabs(got - 0.5F * static_cast<float>(round)) > 1e-3F;
                }
            });
        for (std::thread& t : threads) t.join();
        EXPECT_EQ(wrong, 0);
    }
}

}  // namespace

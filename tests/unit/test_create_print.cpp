// Creation functions, shapes, views by the book, and printing as NumPy 2 does (the expected texts were printed by NumPy).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <list>
#include <sstream>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/kernels.hpp"

namespace {
using frit::all;
using frit::array;
using frit::ellipsis;
using frit::newaxis;
using frit::none;
using frit::shape;
using frit::slice;
using floats = std::vector<float>;
using ints = std::vector<int>;

template <class X>
std::string printed(const X& x) {
    std::ostringstream s;
    s << x;
    return s.str();
}

TEST(Create, FromValues) {
    const array<float> v{1, 2, 3};
    EXPECT_EQ(v.shape(), shape({3}));
    const array<int> m{{1, 2, 3}, {4, 5, 6}};
    EXPECT_EQ(m.shape(), shape({2, 3}));
    EXPECT_EQ(m.to_vector(), (ints{1, 2, 3, 4, 5, 6}));
    const array<double> t{{{1.0, 2.0}}, {{3.0, 4.0}}};
    EXPECT_EQ(t.shape(), shape({2, 1, 2}));
    EXPECT_EQ(frit::scalar(1.5).shape(), shape());
    EXPECT_EQ(frit::scalar(1.5).item(), 1.5);
    EXPECT_THROW((array<int>{{1, 2}, {3}}), frit::shape_error);
}

TEST(Create, Functions) {
    EXPECT_EQ(frit::zeros<float>({2, 2}).to_vector(), floats(4, 0));
    EXPECT_EQ(frit::ones<int>(3).to_vector(), ints(3, 1));
    EXPECT_EQ(frit::full({2}, 2.5F).to_vector(), floats(2, 2.5F));
    EXPECT_EQ(frit::full({}, 2.5F).item(), 2.5F);
    EXPECT_EQ(frit::arange<int>(0, 10, 3).to_vector(), (ints{0, 3, 6, 9}));
    EXPECT_EQ(frit::arange<int>(5, 0, -2).to_vector(), (ints{5, 3, 1}));
    EXPECT_EQ(frit::arange<int>(3, 3).size(), 0);
    EXPECT_EQ(frit::linspace(0.0F, 1.0F, 5).to_vector(), (floats{0, 0.25F, 0.5F, 0.75F, 1}));
    EXPECT_EQ(frit::linspace(-9.0, 9.0, 11).to_vector()[5], 0);  // no fma of -9 + 5 * 1.8
    EXPECT_EQ(frit::linspace(3.0, 4.0, 1).to_vector(), std::vector<double>{3});
    EXPECT_EQ(frit::linspace(0, 1, 3).dtype(), frit::dtype::f64);
    EXPECT_EQ(frit::eye<double>(2).to_vector(), (std::vector<double>{1, 0, 0, 1}));
    const array<float> x{{1, 2}};
    EXPECT_EQ(frit::zeros_like(x).shape(), x.shape());
    EXPECT_EQ(frit::empty_like(x).shape(), x.shape());
}

// The bounds are numbers as they are given: stop may be one step beyond what the dtype holds.
template <class T>
class CreateEmpty : public testing::Test {};
template <class, class... T>
using types_of = testing::Types<T...>;
#define FRIT_X(name, ctype) , ctype
using array_types = types_of<void FRIT_ARRAY_DTYPES(FRIT_X)>;
#undef FRIT_X
TYPED_TEST_SUITE(CreateEmpty, array_types);

TYPED_TEST(CreateEmpty, IsMemoryThatNobodyWrote) {
    using T = TypeParam;
    constexpr bool cleared = std::is_same_v<T, bool>;  // a byte of any value would be no bool
    frit::reset_stats();
    const std::uint64_t before = frit::stats().live_bytes;
    array<T> u = frit::empty<T>({3, 4});
    EXPECT_EQ(u.shape(), shape({3, 4}));
    EXPECT_EQ(frit::stats().live_bytes - before, 12 * sizeof(T));
    EXPECT_EQ(frit::stats().pending_nodes, 0U);
    EXPECT_EQ(frit::stats().kernels_launched, cleared ? 1U : 0U);
    EXPECT_EQ(frit::stats().bytes_written, cleared ? 12U : 0U);
    EXPECT_EQ(u.to_vector().size(), 12U);  // whatever it is, it can be read
    EXPECT_FALSE(cleared && frit::any(u).item());

    u = frit::empty<T>({3, 10000});
    frit::reset_stats();
    for (int row = 0; row < 3; ++row) {
        u(row) = static_cast<T>(row);
        u.eval();
    }
    EXPECT_EQ(frit::stats().bytes_read, 0U);
    EXPECT_EQ(frit::stats().bytes_written, 30000 * sizeof(T));  // in place, each element once
    EXPECT_TRUE(frit::array_equal(u, broadcast_to(frit::cast<T>(frit::arange(3)(all, newaxis)), {3, 10000})));

    EXPECT_EQ(frit::empty<T>(5).shape(), shape({5}));
    EXPECT_EQ(frit::empty<T>({}).size(), 1);
    EXPECT_EQ(frit::empty<T>({2, 0}).to_vector(), std::vector<T>());
    EXPECT_EQ(frit::empty_like(u + u).shape(), u.shape());
    EXPECT_EQ(frit::empty_like(u).dtype(), frit::dtype_of<T>);
}

TEST(Create, EmptyThatCannotBe) {
    EXPECT_ERROR((void)frit::empty<double>({1 << 20, 1 << 20, 1 << 10}), frit::out_of_memory, "8.0 PiB");
    frit::set_memory_limit(1000);
    EXPECT_ERROR((void)frit::empty<float>(1000), frit::out_of_memory, "memory limit", "test_create_print.cpp");
    frit::set_memory_limit(0);
}

TEST(Create, ArangeOfNarrowTypes) {
    const auto values = [](const auto& x) {
        const array<int> wide = frit::cast<int>(x);
        return wide.to_vector();
    };
    EXPECT_EQ(values(frit::arange<std::uint8_t>(250, 256)), (ints{250, 251, 252, 253, 254, 255}));
    const array<std::uint8_t> all = frit::arange<std::uint8_t>(256);
    EXPECT_EQ(all.size(), 256);
    EXPECT_EQ(all.to_vector()[255], 255);
    EXPECT_EQ(values(frit::arange<std::uint8_t>(3, -1, -1)), (ints{3, 2, 1, 0}));
    EXPECT_EQ(values(frit::arange<std::int8_t>(-128, 128, 85)), (ints{-128, -43, 42, 127}));
    EXPECT_EQ(values(frit::arange<std::int8_t>(127, -129, -255)), (ints{127, -128}));
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(frit::arange<std::uint64_t>(most - 1, most).to_vector(), (std::vector<std::uint64_t>{most - 1}));
    EXPECT_EQ(frit::arange<std::int64_t>(-1, std::uint64_t{1} << 63, most / 2).to_vector(),
              (std::vector<std::int64_t>{-1, std::numeric_limits<std::int64_t>::max() - 1}));
    EXPECT_ERROR(frit::arange<std::uint8_t>(0, 257), frit::dtype_error, "arange", "256", "uint8", "test_create_print.cpp:");
    EXPECT_ERROR(frit::arange<std::uint8_t>(2, -2, -1), frit::dtype_error, "arange", "-1", "uint8");
    EXPECT_ERROR(frit::arange<int>(std::int64_t{1} << 40, std::int64_t{2} << 40), frit::dtype_error, "int32");
    EXPECT_ERROR(frit::arange<std::int64_t>(-1, most), frit::shape_error, "too large");
    EXPECT_EQ(frit::arange(3).dtype(), frit::dtype::i32);
    EXPECT_EQ(frit::arange(0.5, 2).to_vector(), (std::vector<double>{0.5, 1.5}));
    EXPECT_EQ(frit::arange<float>(0, 1, 0.25).to_vector(), (floats{0, 0.25F, 0.5F, 0.75F}));
}

TEST(Create, FromHost) {
    const floats h = {1, 2, 3, 4, 5, 6};
    EXPECT_EQ(frit::from_host(h).to_vector(), h);
    EXPECT_EQ(frit::from_host(h.data(), {2, 3}).shape(), shape({2, 3}));
    EXPECT_EQ(frit::from_host(std::span<const float>(h), {3, 2}).to_vector(), h);
    EXPECT_EQ(frit::from_host(std::array<int, 2>{4, 5}).to_vector(), (ints{4, 5}));
    EXPECT_ERROR((void)frit::from_host(h, {2, 4}), frit::shape_error, "(2, 4)", "6");
    floats changed = h;
    const array<float> copy = frit::from_host(changed);
    changed[0] = 100;
    EXPECT_EQ(copy.to_vector(), h);
}

TEST(Create, Shapes) {
    EXPECT_EQ(shape(std::vector<std::size_t>{2, 3}), shape({2, 3}));
    EXPECT_EQ(shape(7).rank(), 1);
    EXPECT_EQ(shape().size(), 1);
    EXPECT_EQ(to_string(shape({3})), "(3,)");
    EXPECT_EQ(to_string(shape({3, 4})), "(3, 4)");
    EXPECT_EQ(to_string(shape()), "()");
    EXPECT_THROW(shape({-1, 2}), frit::shape_error);
    EXPECT_THROW(shape(std::vector<int>(17, 1)), frit::shape_error);
    const array<float> x = frit::zeros<float>({2, 3});
    EXPECT_EQ(x.rank(), 2);
    EXPECT_EQ(x.size(), 6);
    EXPECT_EQ(x.strides(), (std::vector<std::int64_t>{3, 1}));
}

TEST(Views, Indexing) {
    const array<int> x = frit::arange<int>(0, 24).reshape({2, 3, 4});
    EXPECT_EQ(x(1, 2, 3).item(), 23);
    EXPECT_EQ(x(-1, -1, -1).item(), 23);
    EXPECT_EQ(x(1).shape(), shape({3, 4}));
    EXPECT_EQ(x(all, 0).to_vector(), (ints{0, 1, 2, 3, 12, 13, 14, 15}));
    EXPECT_EQ(x(ellipsis, 1).to_vector(), (ints{1, 5, 9, 13, 17, 21}));
    EXPECT_EQ(x(0, ellipsis, newaxis, slice(1, 3)).shape(), shape({3, 1, 2}));
    EXPECT_EQ(x(0, slice(none, none, -1), slice(none, none, -2)).to_vector(), (ints{11, 9, 7, 5, 3, 1}));
    EXPECT_EQ(x(0, 0, slice(-3, none)).to_vector(), (ints{1, 2, 3}));
    EXPECT_EQ(x(0, 0, slice(3, 100)).to_vector(), (ints{3}));
    EXPECT_EQ(x(0, 0, slice(3, 1)).size(), 0);
    EXPECT_EQ(x(0)(1)(2).item(), 6);
}

TEST(Views, Rearranging) {
    const array<int> x = frit::arange<int>(0, 6).reshape({2, 3});
    EXPECT_EQ(x.T().to_vector(), (ints{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(x.reshape({3, -1}).shape(), shape({3, 2}));
    EXPECT_EQ(x.T().reshape({6}).to_vector(), (ints{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(frit::transpose(x.reshape({1, 2, 3}), {2, 0, 1}).shape(), shape({3, 1, 2}));
    EXPECT_EQ(frit::flip(x, 1).to_vector(), (ints{2, 1, 0, 5, 4, 3}));
    EXPECT_EQ(frit::broadcast_to(x(0), {2, 3}).to_vector(), (ints{0, 1, 2, 0, 1, 2}));
    EXPECT_EQ(frit::pad(x, {{1, 0}, {0, 2}}, frit::pad_mode::edge).to_vector(),
              (ints{0, 1, 2, 2, 2, 0, 1, 2, 2, 2, 3, 4, 5, 5, 5}));
    EXPECT_EQ(x.reshape({2, 1, 3}).shape(), shape({2, 1, 3}));
}

TEST(Views, ChainsCompose) {
    const array<int> x = frit::arange<int>(0, 60).reshape({3, 4, 5});
    const auto view =
        frit::transpose(x(slice(none, none, -1), slice(1, 3), slice(0, 5, 2)), {2, 0, 1})(1, all, slice(none, none, -1));
    EXPECT_EQ(view.to_vector(), (ints{52, 47, 32, 27, 12, 7}));
    EXPECT_EQ((view + 0).to_vector(), (ints{52, 47, 32, 27, 12, 7}));
}

TEST(Print, Integers) {
    EXPECT_EQ(printed(array<int>{1, 2, 3}), "[1 2 3]");
    EXPECT_EQ(printed(array<int>{{1, -2}, {30, 4}}), "[[ 1 -2]\n [30  4]]");
    EXPECT_EQ(printed(frit::full({}, 5)), "5");
    EXPECT_EQ(printed(frit::arange<int>(0, 0)), "[]");
}

TEST(Print, Floats) {
    EXPECT_EQ(printed(array<float>{1, 2.5F, 3}), "[1.  2.5 3. ]");
    EXPECT_EQ(printed(array<double>{0.1, 0.25}), "[0.1  0.25]");
    EXPECT_EQ(printed(array<double>{1.0 / 3, -2.0}), "[ 0.33333333 -2.        ]");
    EXPECT_EQ(printed(array<float>{std::nanf(""), std::numeric_limits<float>::infinity(), 1}), "[nan inf  1.]");
    EXPECT_EQ(printed(array<double>{1e10, 1}), "[1.e+10 1.e+00]");
    EXPECT_EQ(printed(frit::scalar(2.5)), "2.5");
}

TEST(Print, Bools) { EXPECT_EQ(printed(array<bool>{true, false}), "[ True False]"); }

TEST(Print, ThreeDimensionsAndSummary) {
    EXPECT_EQ(printed(frit::zeros<float>({2, 1, 2})), "[[[0. 0.]]\n\n [[0. 0.]]]");
    EXPECT_EQ(printed(frit::arange<int>(0, 2000)), "[   0    1    2 ... 1997 1998 1999]");
}

TEST(Print, Recipes) {
    const array<int> x{1, 2, 3};
    EXPECT_EQ(printed(x * 2), "[2 4 6]");
    EXPECT_EQ(printed(x(slice(none, none, -1))), "[3 2 1]");
}

}  // namespace

// The reference itself against values written by hand: a wrong reference would make the differential suites worthless.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/reference.hpp"
#include "tests/support/ulp.hpp"

namespace {
using namespace ref;
using frit::dtype;
using frit::op;
using frit_test::ulp_distance;

array ramp(const position& extents) {
    long double next = 0;
    return generate(dtype::f32, extents, [&](const ref::position&) { return number{next++, 0, 0}; });
}
std::vector<double> values(const array& x) {
    std::vector<double> r;
    for (const number& e : x.data) r.push_back(static_cast<double>(e.v));
    return r;
}
using list = std::vector<double>;

TEST(Reference, UlpDistance) {
    EXPECT_EQ(ulp_distance(1.0F, 1.0L), 0);
    EXPECT_EQ(ulp_distance(std::nextafter(1.0F, 2.0F), 1.0L), 1);
    EXPECT_EQ(ulp_distance(0.0F, std::ldexp(1.0L, -149)), 1);  // the smallest subnormal
    EXPECT_EQ(ulp_distance(std::numeric_limits<float>::infinity(), std::numeric_limits<float>::max()), 1);
    EXPECT_TRUE(std::isinf(ulp_distance(std::nanf(""), 1.0L)));
    EXPECT_TRUE(std::isinf(ulp_distance(1.0, std::nanl(""))));
    EXPECT_EQ(ulp_distance(std::nan(""), std::nanl("")), 0);
    EXPECT_GT(ulp_distance(-1.0F, 1.0L), 1e6L);
}

TEST(Reference, IntegerEdges) {
    const auto i32 = [](op o, long double a, long double b) { return apply(o, dtype::i32, {a, 0, 0}, {b, 0, 0}).v; };
    EXPECT_EQ(i32(op::div, 7, 0), 0);
    EXPECT_EQ(i32(op::mod, 7, 0), 0);
    EXPECT_EQ(i32(op::div, INT32_MIN, -1), INT32_MIN);
    EXPECT_EQ(i32(op::mod, INT32_MIN, -1), 0);
    EXPECT_EQ(i32(op::mod, -7, 3), -1);
    EXPECT_EQ(i32(op::add, INT32_MAX, 1), INT32_MIN);
    EXPECT_EQ(i32(op::shl, 1, 32), 0);
    EXPECT_EQ(i32(op::shl, 1, -1), 0);
    EXPECT_EQ(i32(op::shr, -8, 40), -1);
    EXPECT_EQ(i32(op::shr, 8, 40), 0);
    EXPECT_EQ(i32(op::shr, -8, 1), -4);
    EXPECT_EQ(apply(op::mul, dtype::i64, {static_cast<long double>(INT64_MAX), 0, 0}, {2, 0, 0}).v, -2);
}

TEST(Reference, Conversions) {
    const auto to = [](long double x, dtype from, dtype type) { return convert({x, 0, 0}, from, type).v; };
    EXPECT_EQ(to(1e30L, dtype::f32, dtype::i32), INT32_MAX);
    EXPECT_EQ(to(-1e30L, dtype::f64, dtype::i64), static_cast<long double>(INT64_MIN));
    EXPECT_EQ(to(std::nanl(""), dtype::f32, dtype::i32), 0);
    EXPECT_EQ(to(std::nanl(""), dtype::f32, dtype::bool_), 1);
    EXPECT_EQ(to(-1.9L, dtype::f32, dtype::i32), -1);
    EXPECT_EQ(to(4294967297.0L, dtype::i64, dtype::i32), 1);
    EXPECT_EQ(to(16777217, dtype::i32, dtype::f32), 16777216);
}

TEST(Reference, BoundsFollowTheOperands) {
    const number x{2, 0.25L, 0}, y{3, 0, 0};
    EXPECT_GE(apply(op::mul, dtype::f64, x, y).err, 0.75L);
    EXPECT_FALSE(apply(op::lt, dtype::f64, x, {2.1L, 0, 0}).known());
    EXPECT_TRUE(apply(op::lt, dtype::f64, x, y).known());
    EXPECT_FALSE(apply(op::div, dtype::f64, y, {0.1L, 0.2L, 0}).known());
    EXPECT_EQ(apply(op::add, dtype::f64, {1, 0, 0}, y).err, 0);
    EXPECT_GT(apply(op::exp, dtype::f64, y).err, 0);
    EXPECT_LT(apply(op::exp, dtype::f64, y).err, 1e-13L);
    // 0.1f * 0.1f rounds, so a sum of it is uncertain; 2 * 3 does not.
    const number tenth{0.1F, 0, 0};
    EXPECT_GT(apply(op::add, dtype::f32, apply(op::mul, dtype::f32, tenth, tenth), tenth).err, 0);
    EXPECT_EQ(apply(op::add, dtype::f32, apply(op::mul, dtype::f32, {2, 0, 0}, y), tenth).err, 0);
}

TEST(Reference, SlicesFollowPython) {
    const auto taken = [](std::int64_t start, std::int64_t stop, std::int64_t step) {
        return values(slice(ramp({6}), {slice_of(6, start, stop, step)}));
    };
    EXPECT_EQ(taken(1, -1, 1), (list{1, 2, 3, 4}));
    EXPECT_EQ(taken(none, none, -1), (list{5, 4, 3, 2, 1, 0}));
    EXPECT_EQ(taken(none, none, 2), (list{0, 2, 4}));
    EXPECT_EQ(taken(-2, 0, -2), (list{4, 2}));
    EXPECT_EQ(taken(4, 100, 1), (list{4, 5}));
    EXPECT_EQ(taken(4, 2, 1), list{});
    EXPECT_EQ(taken(100, none, -3), (list{5, 2}));
}

TEST(Reference, ViewsAndUpdates) {
    EXPECT_EQ(values(transpose(ramp({2, 3}), {1, 0})), (list{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(values(flip(ramp({2, 2}), 1)), (list{1, 0, 3, 2}));
    EXPECT_EQ(values(pad_edge(ramp({3}), {{1, 2}})), (list{0, 0, 1, 2, 2, 2}));
    EXPECT_EQ(values(update(ramp({4}), {slice_of(4, 1, none, 2)}, ramp({2}))), (list{0, 0, 2, 1}));
    EXPECT_EQ(values(elementwise(op::add, {ramp({2, 1}), ramp({3})})), (list{0, 1, 2, 1, 2, 3}));
}

TEST(Reference, Reductions) {
    EXPECT_EQ(reduce(op::sum, ramp({2, 3})).data[0].v, 15);
    EXPECT_EQ(reduce(op::max, ramp({2, 3})).data[0].v, 5);
    EXPECT_EQ(reduce(op::all, ramp({2, 3})).data[0].v, 0);
    EXPECT_EQ(reduce(op::any, ramp({2, 3})).data[0].v, 1);
    EXPECT_EQ(reduce(op::prod, ramp({0})).data[0].v, 1);
    EXPECT_EQ(reduce(op::sum, cast(ramp({3}), dtype::i32)).type, dtype::i64);
}

}  // namespace

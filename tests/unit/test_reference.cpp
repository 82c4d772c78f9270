// The reference itself against values written by hand: a wrong reference would make the differential suites worthless.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/formulas.hpp"
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

// Every width and signedness: wrapping, the shifts around the width, the ends.
TEST(Reference, IntegerEdgesOfEveryWidth) {
    const auto of = [](op o, dtype t, long double a, long double b = 0) { return apply(o, t, {a, 0, 0}, {b, 0, 0}).v; };
    EXPECT_EQ(of(op::add, dtype::u8, 250, 10), 4);
    EXPECT_EQ(of(op::sub, dtype::u16, 3, 5), 65534);
    EXPECT_EQ(of(op::mul, dtype::i8, 100, 3), 44);
    EXPECT_EQ(of(op::mul, dtype::u64, 18446744073709551615.0L, 18446744073709551615.0L), 1);
    EXPECT_EQ(of(op::neg, dtype::u32, 1), 4294967295.0L);
    EXPECT_EQ(of(op::neg, dtype::i8, -128), -128);
    EXPECT_EQ(of(op::abs, dtype::i16, -32768), -32768);
    EXPECT_EQ(of(op::abs, dtype::u64, 18446744073709551615.0L), 18446744073709551615.0L);
    EXPECT_EQ(of(op::div, dtype::i8, -128, -1), -128);
    EXPECT_EQ(of(op::div, dtype::u64, 18446744073709551615.0L, 2), 9223372036854775807.0L);
    EXPECT_EQ(of(op::mod, dtype::u8, 255, 0), 0);
    EXPECT_EQ(of(op::bit_not, dtype::u8, 1), 254);
    EXPECT_EQ(of(op::bit_not, dtype::i8, 1), -2);
    EXPECT_EQ(of(op::shl, dtype::u8, 129, 1), 2);
    EXPECT_EQ(of(op::shl, dtype::i8, 1, 7), -128);
    EXPECT_EQ(of(op::shl, dtype::u16, 1, 16), 0);
    EXPECT_EQ(of(op::shr, dtype::i8, -1, 100), -1);
    EXPECT_EQ(of(op::shr, dtype::u8, 255, 8), 0);
    EXPECT_EQ(of(op::shr, dtype::u64, 18446744073709551615.0L, 63), 1);
    EXPECT_EQ(of(op::lt, dtype::u64, 18446744073709551614.0L, 18446744073709551615.0L), 1);
    EXPECT_EQ(of(op::maximum, dtype::u8, 200, 100), 200);
}

TEST(Reference, FormulasOfIntegers) {
    const ref::integer_formulas eight{8}, all{64};
    EXPECT_EQ(static_cast<int>(eight.floor_divide(-7, 2)), -4);
    EXPECT_EQ(static_cast<int>(eight.floor_divide(7, -2)), -4);
    EXPECT_EQ(static_cast<int>(eight.floor_divide(8, -2)), -4);
    EXPECT_EQ(static_cast<int>(eight.floor_divide(7, 0)), 0);
    EXPECT_EQ(static_cast<int>(eight.remainder(-7, 3)), 2);
    EXPECT_EQ(static_cast<int>(eight.remainder(7, -3)), -2);
    EXPECT_EQ(static_cast<int>(eight.remainder(-6, 3)), 0);
    EXPECT_EQ(static_cast<int>(eight.remainder(7, 0)), 0);
    EXPECT_EQ(static_cast<int>(eight.popcount(-1)), 8);
    EXPECT_EQ(static_cast<int>(all.popcount(-1)), 64);
    EXPECT_EQ(static_cast<int>(eight.popcount(-128)), 1);
    EXPECT_EQ(static_cast<int>(eight.sign(-5)), -1);
}

// Values of NumPy 2.4 and, for functions that NumPy lacks, of mpmath 1.4 with 40 digits.
TEST(Reference, FormulasOfFloats) {
    using f = ref::floating_formulas<double>;
    using l = ref::floating_formulas<long double>;
    constexpr double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(f::floor_divide(-7, 2), -4);
    EXPECT_EQ(f::floor_divide(1, 0.1), 9);  // 1 / 0.1 rounds to 10; the remainder is 0.09999999999999995
    EXPECT_EQ(f::remainder(1, 0.1), 0.09999999999999995);
    EXPECT_EQ(f::floor_divide(1, 0), inf);
    EXPECT_EQ(f::floor_divide(-1, inf), -1);
    EXPECT_TRUE(std::isnan(f::floor_divide(inf, 2)));
    EXPECT_EQ(f::remainder(-7, 3), 2);
    EXPECT_EQ(f::remainder(-1, inf), inf);
    EXPECT_TRUE(std::isnan(f::remainder(1, 0)));
    EXPECT_TRUE(std::signbit(f::remainder(6, -3)));
    EXPECT_EQ(f::heaviside(0, 0.5), 0.5);
    EXPECT_EQ(f::heaviside(-2, 0.5), 0);
    EXPECT_TRUE(std::isnan(f::heaviside(f::nan, 0.5)));
    EXPECT_EQ(f::fmax(f::nan, 2), 2);
    EXPECT_TRUE(std::isnan(f::maximum(2, f::nan)));
    EXPECT_EQ(f::round(-2.5), -3);
    EXPECT_EQ(f::rint(-2.5), -2);
    EXPECT_EQ(f::sign(-0.0), 0);
    EXPECT_FALSE(std::signbit(f::sign(-0.0)));
    EXPECT_EQ(f::logb(0.1), -4);
    const auto near = [](long double got, long double want) {
        EXPECT_LT(ulp_distance(static_cast<double>(got), want), 0.6L);
    };
    near(l::normcdf(-5), 2.866515718791939116737523328746454e-7L);
    near(l::normal_isf(0.025L), 1.959963984540054235524594430520551L);
    near(l::normal_isf(0x1p-40L), 7.047700256664408725350992306698603L);
    near(l::normal_isf(0.5L), 0);
    near(l::normcdf(1), 0.8413447460685429485852325456320379L);
    near(l::gelu(-3), -0.004049694094890283579955444302784932L);
    near(l::gelu_tanh(0.5L), 0.3457140098251439220377572573645232L);
    near(l::softplus(-40), 4.248354255291588986304977843631582e-18L);
    near(l::softplus(2), 2.126928011042972496443726806358304L);
    near(l::logaddexp(1, 2), 2.313261687518222834048995494968166L);
    near(l::sigmoid(-2), 0.1192029220221175559402708586976032L);
    near(l::silu(-2), -0.2384058440442351118805417173952064L);
    near(l::lgamma(0.5L), 0.5723649429247000870717136756765294L);
    near(l::tgamma(4.5L), 11.63172839656744892914422410942626L);
    near(l::cbrt(2), 1.259921049894873164767210607278228L);
    near(l::atan2(1, -1), 2.356194490192344928846982537459627L);
    near(l::deg2rad(90), 1.570796326794896619231321691639751L);
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
    EXPECT_EQ(to(-3.5L, dtype::f32, dtype::u8), 0);
    EXPECT_EQ(to(300, dtype::f64, dtype::u8), 255);
    EXPECT_EQ(to(-200, dtype::f64, dtype::i8), -128);
    EXPECT_EQ(to(1e30L, dtype::f64, dtype::u64), 18446744073709551615.0L);
    EXPECT_EQ(to(300, dtype::i32, dtype::u8), 44);
    EXPECT_EQ(to(200, dtype::u8, dtype::i8), -56);
    EXPECT_EQ(to(-1, dtype::i8, dtype::u64), 18446744073709551615.0L);
    EXPECT_EQ(to(18446744073709551615.0L, dtype::u64, dtype::f64), 18446744073709551616.0L);
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
    EXPECT_EQ(values(update(ramp({4}), {slice_of(4, 1, none, 2)}, ramp({2}))), (list{0, 0, 2, 1}));
    EXPECT_EQ(values(elementwise(op::add, {ramp({2, 1}), ramp({3})})), (list{0, 1, 2, 1, 2, 3}));
}

TEST(Reference, Movement) {
    const auto padded = [](around how) { return values(pad(ramp({3}), {{4, 2}}, how, {9, 0, 0})); };
    EXPECT_EQ(padded(around::constant), (list{9, 9, 9, 9, 0, 1, 2, 9, 9}));
    EXPECT_EQ(padded(around::edge), (list{0, 0, 0, 0, 0, 1, 2, 2, 2}));
    EXPECT_EQ(padded(around::reflect), (list{0, 1, 2, 1, 0, 1, 2, 1, 0}));
    EXPECT_EQ(padded(around::symmetric), (list{2, 2, 1, 0, 0, 1, 2, 2, 1}));
    EXPECT_EQ(padded(around::wrap), (list{2, 0, 1, 2, 0, 1, 2, 0, 1}));
    EXPECT_EQ(values(concatenate({ramp({2, 1}), ramp({2, 2})}, 1)), (list{0, 0, 1, 1, 2, 3}));
    EXPECT_EQ(values(repeat(ramp({3}), {2, 0, 1}, 0)), (list{0, 0, 2}));
    EXPECT_EQ(values(tile(ramp({2}), {2, 2})), (list{0, 1, 0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(values(roll(ramp({4}), 1, 0)), (list{3, 0, 1, 2}));
    EXPECT_EQ(values(windows(ramp({4}), {3}, {0})), (list{0, 1, 2, 1, 2, 3}));
}

// As NumPy: a[i, :, j] has the arrays' axes in front, a[:, i, j] where they stand.
TEST(Reference, GathersAndScatters) {
    using kind = subscript::kind;
    const auto indices = [](std::vector<long double> v, const position& extents) {
        array i{dtype::i64, extents, {}};
        for (const long double x : v) i.data.push_back({x, 0, 0});
        return subscript{kind::indices, {}, i};
    };
    const subscript whole{kind::slice, {0, 2, 1}}, i = indices({0, -1, 0}, {3}), j = indices({1}, {1}), axis{kind::newaxis};
    const array x = ramp({2, 2, 2});
    EXPECT_EQ(select({2, 2, 2}, {i, whole, j}).extents, (position{3, 2}));
    EXPECT_EQ(values(gather(x, select({2, 2, 2}, {i, whole, j}))), (list{1, 3, 5, 7, 1, 3}));
    EXPECT_EQ(select({2, 2, 2}, {whole, i, j}).extents, (position{2, 3}));
    EXPECT_EQ(values(gather(x, select({2, 2, 2}, {whole, i, j}))), (list{1, 3, 1, 5, 7, 5}));
    EXPECT_EQ(select({2, 2, 2}, {whole, axis, i}).extents, (position{2, 1, 3, 2}));
    EXPECT_EQ(values(gather(x, select({2, 2, 2}, {{kind::integer, {-1, 0, 0}}, i}))), (list{4, 5, 6, 7, 4, 5}));
    EXPECT_EQ(values(gather(ramp({2, 2}), select_along({2, 2}, indices({1, 0}, {2, 1}).indices, 1))), (list{1, 2}));
    const selection at = select({3}, {indices({0, 2, 0}, {3})});
    EXPECT_EQ(values(scatter(op::scatter_set, ramp({3}), at, ramp({3}))), (list{2, 1, 1}));
    EXPECT_EQ(values(scatter(op::scatter_add, ramp({3}), at, ramp({3}))), (list{2, 1, 3}));
    EXPECT_EQ(values(scatter(op::scatter_max, ramp({3}), at, ramp({3}))), (list{2, 1, 2}));
}

TEST(Reference, Reductions) {
    EXPECT_EQ(reduce(op::sum, ramp({2, 3})).data[0].v, 15);
    EXPECT_EQ(reduce(op::max, ramp({2, 3})).data[0].v, 5);
    EXPECT_EQ(reduce(op::all, ramp({2, 3})).data[0].v, 0);
    EXPECT_EQ(reduce(op::any, ramp({2, 3})).data[0].v, 1);
    EXPECT_EQ(reduce(op::prod, ramp({0})).data[0].v, 1);
    EXPECT_EQ(reduce(op::sum, cast(ramp({3}), dtype::i32)).type, dtype::i64);
    EXPECT_EQ(values(reduce(op::sum, ramp({2, 3}), {0})), (list{3, 5, 7}));
    EXPECT_EQ(values(reduce(op::sum, ramp({2, 3}), {1})), (list{3, 12}));
    EXPECT_EQ(reduce(op::sum, ramp({2, 3}), {1}).extents, (position{2}));
    EXPECT_EQ(reduce(op::sum, ramp({2, 3}), {1}, true).extents, (position{2, 1}));
    EXPECT_EQ(values(reduce(op::max, ramp({2, 3, 2}), {0, 2})), (list{7, 9, 11}));
    EXPECT_EQ(values(reduce(op::sum, ramp({2, 0}), {1})), (list{0, 0}));
    EXPECT_EQ(values(reduce(op::argmax, ramp({2, 3}), {1})), (list{2, 2}));
    EXPECT_EQ(reduce(op::argmin, ramp({2, 3})).type, dtype::i64);
    array ties = ramp({5});
    ties.data[1].v = ties.data[3].v = 9;
    EXPECT_EQ(reduce(op::argmax, ties).data[0].v, 1);  // the first
    ties.data[4].v = std::nanl("");
    EXPECT_EQ(reduce(op::argmax, ties).data[0].v, 4);  // NaN over everything
    ties.data[1].err = 1;
    EXPECT_TRUE(reduce(op::argmax, ties).data[0].known());
    ties.data[4].v = 0;
    EXPECT_FALSE(reduce(op::argmax, ties).data[0].known());
    EXPECT_EQ(values(reduce(op::square_deviations, ramp({2, 3}), {0})), (list{4.5, 4.5, 4.5}));
    EXPECT_EQ(values(reduce(op::square_deviations, ramp({1, 3}), {0})), (list{0, 0, 0}));
}

TEST(Reference, LibraryOps) {
    const array x = cast(generate(dtype::f32, {2, 3},
                                  [](const position& i) {
                                      return number{i[0] == 0 ? 3.0L - i[1] : i[1] * 1.0L, 0, 0};
                                  }),
                         dtype::i32);  // 3 2 1 / 0 1 2
    EXPECT_EQ(values(scan(op::cumsum, x, 1)), (list{3, 5, 6, 0, 1, 3}));
    EXPECT_EQ(values(scan(op::cumsum, x, 0)), (list{3, 2, 1, 3, 3, 3}));
    EXPECT_EQ(values(scan(op::cumprod, x, 1)), (list{3, 6, 6, 0, 0, 0}));
    EXPECT_EQ(values(scan(op::cummax, x, 0)), (list{3, 2, 1, 3, 2, 2}));
    EXPECT_EQ(values(scan(op::cummin, x, 1)), (list{3, 2, 1, 0, 0, 0}));
    EXPECT_EQ(scan(op::cumsum, x, 0).type, dtype::i64);
    EXPECT_EQ(values(sort(x, 1)), (list{1, 2, 3, 0, 1, 2}));
    EXPECT_EQ(values(argsort(x, 1)), (list{2, 1, 0, 0, 1, 2}));
    EXPECT_EQ(values(argsort(cast(x, dtype::bool_), 1)), (list{0, 1, 2, 0, 1, 2}));  // stable
    array y = cast(x, dtype::f64);
    y.data[0].v = std::nanl("");
    EXPECT_TRUE(std::isnan(sort(y, 1).data[2].v));
    EXPECT_EQ(argsort(y, 1).data[2].v, 0);
    EXPECT_EQ(values(matmul(ramp({2, 3}), ramp({3, 2}))), (list{10, 13, 28, 40}));
    EXPECT_EQ(values(matmul(ramp({3}), ramp({3, 2}))), (list{10, 13}));
    EXPECT_EQ(values(matmul(ramp({2, 3}), ramp({3}))), (list{5, 14}));
    EXPECT_EQ(values(matmul(ramp({3}), ramp({3}))), list{5});
    EXPECT_EQ(matmul(ramp({2, 0}), ramp({0, 2})).data[3].v, 0);
    const array batch = matmul(ramp({2, 1, 1, 2}), ramp({2, 2, 1}));  // (0 1), (2 3) by each of (0 1)', (2 3)'
    EXPECT_EQ(batch.extents, (position{2, 2, 1, 1}));
    EXPECT_EQ(values(batch), (list{1, 3, 3, 13}));
    EXPECT_EQ(values(matmul(ramp({2, 1, 2}), ramp({2}))), (list{1, 3}));
    EXPECT_EQ(matmul(ramp({2}), ramp({3, 2, 1})).extents, (position{3, 1}));
}

TEST(Reference, SumsThatMayOverflowOnTheWayAreUnknown) {
    const long double big = std::numeric_limits<float>::max(), inf = std::numeric_limits<float>::infinity();
    const auto sum = [](std::vector<long double> v) {
        std::size_t k = 0;
        return reduce(op::sum, generate(dtype::f32, {static_cast<std::int64_t>(v.size())}, [&](const position&) {
                          return number{v[k++], 0, 0};
                      }));
    };
    EXPECT_FALSE(sum({big, big, -big}).data[0].known());
    EXPECT_FALSE(sum({-big, -big, inf}).data[0].known());
    EXPECT_EQ(sum({1, inf}).data[0].v, inf);
    EXPECT_TRUE(sum({1, inf}).data[0].known());
    EXPECT_TRUE(std::isnan(sum({-inf, inf}).data[0].v));
}

}  // namespace

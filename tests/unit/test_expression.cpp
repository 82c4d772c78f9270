// The typed expression: what a formula's type says at compile time, what it owns, and where it is cut in two.
#include <array>
#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/support/kernels.hpp"

namespace {
using frit::array;
using frit::dtype;
using frit::op;
using frit::slice;
using frit::detail::folded;
using frit::detail::instruction;
using floats = std::vector<float>;

// --- programs ---

const array<float> x;  // only their types are looked at
const array<double> y;
const array<int> i;
const array<bool> m;

template <class E>
constexpr bool program_is(std::initializer_list<instruction> wanted) {
    if (wanted.size() != static_cast<std::size_t>(E::length)) return false;
    std::size_t k = 0;
    for (const instruction& w : wanted)
        if (folded<E>::code[k].code != w.code || folded<E>::code[k++].type != w.type) return false;
    return true;
}

using two_sin_plus_exp = decltype(sin(x) * 2 + exp(-x * x));
static_assert(program_is<two_sin_plus_exp>({{op::leaf, dtype::f32},
                                            {op::sin, dtype::f32},
                                            {op::scalar, dtype::f32},
                                            {op::mul, dtype::f32},
                                            {op::leaf, dtype::f32},
                                            {op::neg, dtype::f32},
                                            {op::leaf, dtype::f32},
                                            {op::mul, dtype::f32},
                                            {op::exp, dtype::f32},
                                            {op::add, dtype::f32}}));
static_assert(folded<two_sin_plus_exp>::program.leaves == 3 && folded<two_sin_plus_exp>::program.scalars == 1);
static_assert(folded<two_sin_plus_exp>::program.attributes == 0 && !folded<two_sin_plus_exp>::program.dynamic);

// No casts are listed: dtypes differ, the library converts by the same rules.
static_assert(program_is<decltype(x + y)>({{op::leaf, dtype::f32}, {op::leaf, dtype::f64}, {op::add, dtype::f64}}));
static_assert(program_is<decltype(m + m)>({{op::leaf, dtype::bool_}, {op::leaf, dtype::bool_}, {op::add, dtype::bool_}}));
static_assert(program_is<decltype(frit::cast<int>(x))>({{op::leaf, dtype::f32}, {op::cast, dtype::i32}}));
static_assert(std::is_same_v<decltype(frit::cast<float>(x)), array<float>>);
static_assert(program_is<decltype(sum(x < 1))>(
    {{op::leaf, dtype::f32}, {op::scalar, dtype::f32}, {op::lt, dtype::bool_}, {op::sum, dtype::i64}}));
static_assert(program_is<decltype(frit::where(m, x, 0))>(
    {{op::leaf, dtype::bool_}, {op::leaf, dtype::f32}, {op::scalar, dtype::f32}, {op::where, dtype::f32}}));

// Equal formulas are equal types whatever the constness and value category of their operands; others differ in hash.
array<float> mutable_x;
static_assert(std::is_same_v<decltype(x * 2 + x), decltype(mutable_x * 3.5 + array<float>())>);
static_assert(folded<decltype(x + y)>::program.hash != folded<decltype(y + x)>::program.hash);
static_assert(folded<decltype(x + x)>::program.hash != folded<decltype(x - x)>::program.hash);
static_assert(folded<decltype(x + x)>::program.hash != folded<decltype(y + y)>::program.hash);

// --- weak scalars ---

#define FRIT_IS(type, ...) static_assert(decltype(__VA_ARGS__)::dtype() == dtype::type)
FRIT_IS(f32, x * 2.0);
FRIT_IS(f32, 2.0 * x);
FRIT_IS(f32, x + true);
FRIT_IS(f32, x + 1L);
FRIT_IS(f64, y * 2.0F);
FRIT_IS(f64, y + 1);
FRIT_IS(i32, i * 2);
FRIT_IS(i32, i * 2L);
FRIT_IS(i32, i + true);
FRIT_IS(i32, i / 2);
FRIT_IS(f64, i * 2.5);
FRIT_IS(f64, i * 2.5F);
FRIT_IS(bool_, m & true);
FRIT_IS(i64, m + 1);
FRIT_IS(f64, m * 1.5F);
FRIT_IS(bool_, i == 2.5);
FRIT_IS(f64, x + i);
FRIT_IS(f32, x + m);
FRIT_IS(i32, frit::where(m, 1, 0));
FRIT_IS(f64, frit::where(m, 1, 2.5));
FRIT_IS(f32, frit::where(m, 1, 2.5F));
FRIT_IS(bool_, frit::where(m, true, false));
FRIT_IS(f32, frit::where(true, x, 0));
FRIT_IS(f64, frit::clip(i, 0, 2.5));
FRIT_IS(i32, frit::clip(i, 0, 2L));
FRIT_IS(i32, frit::pow(i, 2));
FRIT_IS(f64, frit::pow(i, 2.5));
FRIT_IS(i32, frit::pow(m, m));
FRIT_IS(f64, frit::pow(x, i));
FRIT_IS(f64, frit::ieee_remainder(i, 2));
FRIT_IS(i32, frit::matmul(i, i));
FRIT_IS(bool_, frit::matmul(m, m));
FRIT_IS(i32, frit::cummax(i));
FRIT_IS(bool_, frit::cummin(m));
FRIT_IS(i64, frit::cumsum(m));
FRIT_IS(f32, frit::sqrt(m));
FRIT_IS(f64, frit::mean(i));
FRIT_IS(f32, frit::mean(x));
FRIT_IS(f64, frit::mean(m));
FRIT_IS(i64, frit::sum(i));
FRIT_IS(bool_, frit::all(x));
// A scalar's parameter has the dtype that the op computes in.
static_assert(
    program_is<decltype(frit::atan2(i, 2))>({{op::leaf, dtype::i32}, {op::scalar, dtype::f64}, {op::atan2, dtype::f64}}));
static_assert(program_is<decltype(i < 2.5)>({{op::leaf, dtype::i32}, {op::scalar, dtype::f64}, {op::lt, dtype::bool_}}));

// --- conversions ---

template <class From, class To>
inline constexpr bool converts = std::is_convertible_v<From, To>;
using recipe = decltype(x + x);
static_assert(converts<recipe, array<float>> && converts<recipe, array<double>> && !converts<recipe, array<int>>);
static_assert(!std::is_constructible_v<array<float>, array<double>> && std::is_constructible_v<array<double>, array<float>>);
static_assert(!std::is_constructible_v<array<float>, array<int>> && std::is_constructible_v<array<double>, array<int>>);
static_assert(!std::is_constructible_v<array<float>, frit::shape> && !std::is_constructible_v<array<float>, int>);
static_assert(!std::is_assignable_v<array<float>&, float> && !std::is_assignable_v<recipe, recipe> &&
              std::is_assignable_v<recipe&, recipe>);
static_assert(!std::is_constructible_v<bool, recipe> && !std::is_constructible_v<bool, array<float>> &&
              !converts<recipe, bool>);
static_assert(std::is_nothrow_move_constructible_v<array<float>> && std::is_nothrow_move_assignable_v<array<float>>);

// --- what others' arrays have is not there: generic code may ask ---

template <class X>
concept has_sum = requires(X x) {
    x.sum();
};
template <class X>
concept has_mean = requires(X x) {
    x.mean(0);
};
template <class X>
concept has_data = requires(X x) {
    x.data();
};
template <class X>
concept has_transpose = requires(X x) {
    x.transpose();
};
template <class X>
concept has_astype = requires(X x) {
    x.template astype<float>();
};
template <class X>
concept has_subscript = requires(X x) {
    x[0];
};
template <class X>
concept reshapes_to_loose_extents = requires(X x) {
    x.reshape(1, 2);
};
template <class X>
concept has_extents = requires(X x) {
    x.shape(0);
}
|| requires(X x) { x.size(0); };
template <class X>
concept sums_along_loose_axes = requires(X x) {
    frit::sum(x, 0, 1);
}
|| requires(X x) { frit::all(x, 0, 1); };
template <class X>
concept sums_with_bool_keepdims = requires(X x) {
    frit::sum(x, true);
}
|| requires(X x) { frit::mean(x, {0, 1}, true); };
template <class X>
concept takes_braced_indices = requires(X x) {
    x({0, 1});
}
|| requires(X x) { x({0}); };
template <class X>
concept has_maximum_as_max = requires(X x) {
    frit::max(x, x);
};
template <class T>
concept makes_zeros_of_loose_extents = requires {
    frit::zeros<T>(3, 4);
}
|| requires { frit::full(3, 4, T{}); };
template <class X>
constexpr bool is_like_others =
    has_sum<X> || has_mean<X> || has_data<X> || has_transpose<X> || has_astype<X> || has_subscript<X> ||
    reshapes_to_loose_extents<X> || has_extents<X> || sums_along_loose_axes<X> || sums_with_bool_keepdims<X> ||
    takes_braced_indices<X> || has_maximum_as_max<X>;
static_assert(!is_like_others<array<double>&> && !is_like_others<const array<double>&> && !is_like_others<array<double>>);
static_assert(!is_like_others<recipe&> && !is_like_others<const recipe&> && !is_like_others<recipe>);
static_assert(std::invocable<const array<double>&, array<bool>> && std::invocable<array<double>&, array<bool>> &&
              std::invocable<array<double>&, array<bool>, int> && std::invocable<recipe, array<bool>> &&
              std::invocable<recipe, array<int>> && std::invocable<const array<double>&, std::vector<int>>);
static_assert(!std::constructible_from<frit::slice, int> && !std::convertible_to<int, frit::slice>);
static_assert(!makes_zeros_of_loose_extents<double>);
using row_of_x = decltype(*begin(x));
static_assert(!std::is_assignable_v<row_of_x&, int> && !std::is_assignable_v<row_of_x&, array<float>>);

// Functions and members of a user's own are found beside frit's, whatever they are called.
namespace users {
struct grid {
    int rows() const { return 3; }
    int cols() const { return 4; }
    const char* data() const { return "grid"; }
    void fill(int) {}
};
struct field : array<double>, grid {
    std::vector<int> more;  // of the namespace std: array has a hint of that name
};
template <class A>
int reshape(const A&, int, int) {
    return 1;
}
template <class A, class... N>
int squeeze(const A&, N...) {
    return 2;
}
template <class A>
int sum(const A&, int, int) {
    return 3;
}
template <class S>
int empty(const S&) {
    return 4;
}
}  // namespace users

TEST(Expression, HintsStandBehindWhatUsersWrite) {
    users::field f;
    f.fill(1);
    EXPECT_EQ(f.rows() * f.cols(), 12);
    EXPECT_EQ(f.data()[0], 'g');
    EXPECT_TRUE(f.more.empty());
    using namespace users;
    array<double> a{1, 2};
    EXPECT_EQ(reshape(a, 2L, 1L), 1);
    EXPECT_EQ(squeeze(a, 0, 1L), 2);
    EXPECT_EQ(sum(a, 0L, 1L), 3);
    EXPECT_EQ(empty(a.shape()), 4);
}

TEST(Expression, DeducedArrayTakesTheFormulasType) {
    frit::array a = array<float>{1, 2} * array<double>{3, 4};
    static_assert(std::is_same_v<decltype(a), array<double>>);
    EXPECT_EQ(a.to_vector(), (std::vector<double>{3, 8}));
}

TEST(Expression, FunctionsAreFoundBesideThoseOfStd) {
    using std::max;
    using std::sqrt;
    const array<float> a{4, 9};
    EXPECT_EQ(max(sqrt(a)).item(), 3);
    EXPECT_EQ(sqrt(16.0), 4);
}

TEST(Expression, ComparisonsWorkInBothOrders) {
    const array<float> a{1, 2, 3};
    using bools = std::vector<bool>;
    EXPECT_EQ((a == 2).to_vector(), (bools{false, true, false}));
    EXPECT_EQ((2 == a).to_vector(), (bools{false, true, false}));
    EXPECT_EQ((a != 2).to_vector(), (bools{true, false, true}));
    EXPECT_EQ((2 != a).to_vector(), (bools{true, false, true}));
    EXPECT_EQ((2 < a).to_vector(), (bools{false, false, true}));
    EXPECT_TRUE(frit::array_equal(a, a + 0));
    EXPECT_FALSE(frit::array_equal(a, a(slice(0, 2))));
}

// --- ownership ---

auto scaled(float by) {
    const array<float> local{1, 2, 3};
    auto inner = local * by;  // named, and gone with this function
    return inner + local;
}

TEST(Expression, ARecipeOwnsAllItNeeds) {
    auto e = scaled(2);
    auto copy = e;
    auto moved = std::move(e);
    EXPECT_EQ(copy.to_vector(), (floats{3, 6, 9}));
    EXPECT_EQ(moved.to_vector(), (floats{3, 6, 9}));
    array<float> a{1, 1, 1};
    auto before = a + moved;
    a = {5, 5, 5};
    EXPECT_EQ(before.to_vector(), (floats{4, 7, 10}));
}

TEST(Expression, EachUseOfAScalarIsItsOwnParameter) {
    const array<float> a{1, 2};
    const float s = 3;
    auto e = a * s + s;
    EXPECT_EQ(decltype(e)::scalars, 2);
    EXPECT_EQ(e.to_vector(), (floats{6, 9}));
}

TEST(Expression, IntegersThatDoNotFitAreErrors) {
    const array<int> a{1};
    EXPECT_ERROR((void)(a + 3000000000L).shape(), frit::dtype_error, "+: the integer 3000000000", "int32");
    EXPECT_ERROR(array<int> y = a * 4294967295U, frit::dtype_error, "*: the integer 4294967295", "int32");
    EXPECT_EQ((a + 2147483646L).item(), 2147483647);
    EXPECT_EQ((array<std::int64_t>{1} + 3000000000L).item(), 3000000001);
    EXPECT_EQ((array<float>{1} * 16777216L).item(), 16777216.F);
    EXPECT_ERROR((array<int>{1, 3000000000L}), frit::dtype_error, "3000000000", "int32");
}

template <int N, class E>
auto add_times(const E& e, const array<float>& a) {
    if constexpr (N == 0)
        return e;
    else
        return add_times<N - 1>(e + a, a);
}

TEST(Expression, ALongFormulaIsSplit) {
    const array<float> a{1, 2};
    auto e = add_times<200>(a + a, a);
    static_assert(decltype(e)::length <= frit::max_program_length);
    EXPECT_EQ(e.to_vector(), (floats{202, 404}));
    auto fits = add_times<30>(a + a, a);
    static_assert(decltype(fits)::length == 63);
    auto both = fits * fits + (fits - 1);
    static_assert(decltype(both)::length <= frit::max_program_length);
    EXPECT_EQ(both.to_vector(), (floats{32 * 32 + 31, 64 * 64 + 63}));
    EXPECT_EQ(frit::where(fits > 0, fits, fits).to_vector(), (floats{32, 64}));
    EXPECT_EQ(fits.reshape({2, 1}).T().shape(), (frit::shape{1, 2}));
}

// --- handles ---

TEST(Handle, EmptyAndReleased) {
    array<float> a;
    EXPECT_TRUE(a.empty());
    a = {1, 2};
    const array<float> shared = a;
    a = {};
    EXPECT_TRUE(a.empty());
    EXPECT_EQ(shared.to_vector(), (floats{1, 2}));
    EXPECT_ERROR((void)a.shape(), frit::error, "empty", "float32", "test_expression.cpp");
    EXPECT_ERROR((void)a.to_vector(), frit::error, "empty");
    EXPECT_ERROR(a += 1, frit::error, "empty");
    EXPECT_ERROR(a(frit::all) = 1, frit::error, "empty");
    EXPECT_ERROR(array<float> b = shared + a, frit::error, "empty", "test_expression.cpp");
}

TEST(Handle, AViewKeptTooLongIsAnError) {
    auto owner = std::make_unique<array<float>>(array<float>{1, 2, 3});
    auto view = (*owner)(slice(0, 2));
    owner.reset();
    EXPECT_EQ(view.to_vector(), (floats{1, 2}));  // as a recipe it is valid for ever
    EXPECT_ERROR(std::move(view) = 5, frit::error, "gone", "test_expression.cpp");
}

TEST(Handle, AViewFollowsTheObjectNotTheValue) {
    array<float> a{1, 2, 3};
    auto view = a(slice(0, 2));
    array<float> b = std::move(a);
    EXPECT_ERROR(std::move(view) = 5, frit::error, "gone or empty");
    EXPECT_EQ(b.to_vector(), (floats{1, 2, 3}));
    a = {7, 8, 9};
    std::move(view) = 5;
    EXPECT_EQ(a.to_vector(), (floats{5, 5, 9}));
    a = {7, 8};
    EXPECT_ERROR(std::move(view) = 5, frit::shape_error, "(3,)", "(2,)");
    std::vector<array<float>> list{b};
    list[0](slice(1, 2)) = 0;
    list.push_back(b);
    list[0](slice(0, 1)) = 4;
    EXPECT_EQ(list[0].to_vector(), (floats{4, 0, 3}));
    EXPECT_EQ(list[1].to_vector(), (floats{1, 2, 3}));
}

TEST(Handle, EvalOfRecipesGivesArrays) {
    const array<float> a{1, 2};
    auto [twice, same, less] = frit::eval(a * 2, a, a - 1);
    static_assert(std::is_same_v<decltype(twice), array<float>>);
    EXPECT_EQ(twice.to_vector(), (floats{2, 4}));
    EXPECT_EQ(same.to_vector(), (floats{1, 2}));
    EXPECT_EQ(less.to_vector(), (floats{0, 1}));
    static_assert(std::is_void_v<decltype(frit::eval(a, twice))>);
    EXPECT_EQ((a + 1).eval().to_vector(), (floats{2, 3}));
}

TEST(Handle, CompoundAssignmentKeepsShapeAndDtype) {
    array<float> a{1, 2};
    a *= array<double>{2, 3};
    EXPECT_EQ(a.to_vector(), (floats{2, 6}));
    EXPECT_ERROR((a += array<float>{{1, 2}, {3, 4}}), frit::shape_error, "(2,)", "(2, 2)");
    EXPECT_EQ(a.to_vector(), (floats{2, 6}));
    array<int> n{7, 9};
    n /= 2;
    n <<= 1;
    n |= 1;
    n %= 4;
    EXPECT_EQ(n.to_vector(), (std::vector<int>{3, 1}));
    array<bool> b{true, false};
    b ^= true;
    EXPECT_EQ(b.to_vector(), (std::vector<bool>{false, true}));
}

TEST(Handle, MasksChooseWhatIsWritten) {
    array<float> u{-1, 2, -3, 4};
    u(u < 0) = 0;
    EXPECT_EQ(u.to_vector(), (floats{0, 2, 0, 4}));
    u(u > 0) *= 10;
    EXPECT_EQ(u.to_vector(), (floats{0, 20, 0, 40}));
    u(u == 0) = array<float>{1, 2, 3, 4};
    EXPECT_EQ(u.to_vector(), (floats{1, 20, 3, 40}));
    EXPECT_ERROR(u(array<bool>{{true, true, true, true}, {true, true, true, true}}) = 1, frit::shape_error, "(4,)",
                 "(2, 4)");
}

// --- values in braces ---

TEST(Values, NestToAnyRank) {
    EXPECT_EQ((array<float>{1, 2.5, true}).to_vector(), (floats{1, 2.5F, 1}));
    EXPECT_EQ((array<int>{{1, 2, 3}, {4, 5, 6}}).shape(), (frit::shape{2, 3}));
    EXPECT_EQ((array<int>{{{1}, {2}}, {{3}, {4}}, {{5}, {6}}}).shape(), (frit::shape{3, 2, 1}));
    EXPECT_EQ((array<int>{{{{1, 2}}}}).shape(), (frit::shape{1, 1, 1, 2}));
    EXPECT_EQ((array<bool>{{true, false}, {false, true}}).to_vector(), (std::vector<bool>{true, false, false, true}));
    EXPECT_EQ((array<int>{{}, {}}).shape(), (frit::shape{2, 0}));
    const array<float> a{5};
    const array<float> copy{a};
    EXPECT_EQ(copy.shape(), frit::shape{1});
}

TEST(Values, RaggedListsAreErrors) {
    EXPECT_ERROR((array<int>{{1, 2}, {3}}), frit::shape_error, "ragged", "(2, 2)", "test_expression.cpp");
    EXPECT_ERROR((array<int>{{1, 2}, 3}), frit::shape_error, "ragged");
    EXPECT_ERROR((array<int>{1, {2}}), frit::shape_error, "ragged");
    EXPECT_ERROR((array<int>{{{1}, {2}}, {{3}, {4, 5}}}), frit::shape_error, "ragged");
}

}  // namespace

// frit::aot (frit/aot.hpp): the value that other engines compute, bit for bit, wherever operands lie; without plans, and
// without a compiler.
#include <frit/aot.hpp>
#include <frit/frit.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/base/threads.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/values.hpp"
#include "tests/unit/aot_flags.hpp"

namespace {

using frit::all;
using frit::array;
using frit::none;
using frit::slice;

template <class Error, class F>
std::string message(F&& f) {
    try {
        f();
    } catch (const Error& e) {
        return e.what();
    }
    return "no such error";
}

class Aot : public testing::Test {
    const frit::scoped_device cpu_{frit::device::cpu()};
};

/// A formula by the interpreter and by aot, which makes one kernel and no plan.
template <class E>
void expect_same(const E& e, const char* what) {
    using T = typename E::value_type;
    const frit::counters before = frit::stats();
    const array<T> got = frit::aot(e);
    const frit::counters after = frit::stats();
    std::vector<T> wanted;
    {
        const frit_test::with_engine interpreter(frit_test::engine::interpreter);
        wanted = array<T>(e).to_vector();
    }
    EXPECT_EQ(after.plans_built + after.plans_reused, before.plans_built + before.plans_reused) << what;
    EXPECT_EQ(after.compilations, before.compilations) << what;
    EXPECT_EQ(after.kernels_launched - before.kernels_launched, got.size() > 0 ? 1U : 0U) << what;
    EXPECT_EQ(after.kernels_compiled - before.kernels_compiled, got.size() > 0 ? 1U : 0U) << what;
    EXPECT_EQ(got.shape(), e.shape()) << what;
    const std::vector<T> values = got.to_vector();
    ASSERT_EQ(values.size(), wanted.size()) << what;
    for (std::size_t k = 0; k < values.size(); ++k)
        ASSERT_TRUE(frit_test::same_bits<T>(values[k], wanted[k]))
            << what << ", element " << k << ": " << +values[k] << " instead of " << +wanted[k];
}

array<float> floats(const frit::shape& s, float first = 0.25F) {
    return (frit::arange<float>(0, s.size()) * 0.37F + first).reshape(s).eval();
}

TEST_F(Aot, ConnectedArithmetic) {
    const array<float> x = floats({1003}), y = floats({1003}, -7), z = floats({1003}, 3);
    expect_same(2.5F * x + 0.75F, "axpb");
    expect_same(2.5F * x + y, "axpy");
    expect_same(2.5F * x + 1.5F * y + z, "axpbypc");
    expect_same(x * y - z * x, "fms of a product");
    expect_same(z - x * y, "fnma");
    expect_same((x + y) * (x - y) / z, "no sum of a product");
    expect_same((((0.03F * x + 0.2F) * x + 0.7F) * x + 1.1F) / ((0.05F * x + 0.4F) * x + 1.3F) + x, "poly12");
    expect_same(square(x - y) + square(y) * z, "squares are no products");
    expect_same(-x * -y + -z, "signs");
    expect_same(fma(x, y, z) * x + fma(2.0F, 3.0F, x), "fma");
    const array<double> d = cast<double>(x).eval();
    expect_same(d * x + 1.0 / (d + 2), "two dtypes");
    expect_same(cast<float>(d * d) + x, "casts between");
}

TEST_F(Aot, CallsBetween) {
    const array<double> x = (frit::linspace(-3.0, 3.0, 2777)).eval(), y = (x * 0.5 + 2.0).eval();
    expect_same(2.0 * sin(x) + exp(-y * y), "sinexp");
    expect_same(where(x < y, x * 2.0 + y, sqrt(y) - x), "where");
    expect_same(where(x < 0.0, 1, 2.5), "numbers");
    expect_same(maximum(x, 0.0) * y + pow(y, 2.0), "relu");
    expect_same(cast<int>(x * 10.0) % 7 + 3, "to integers");
    expect_same((x > 0.0 && y < 3.0) || !(x != y), "logic");
    expect_same(atan2(exp(x * x - y) + log(y), tanh(x) * erf(y) + hypot(x, y)), "deep");
    expect_same(fma(2.0, 3.0, x) + cast<double>(cast<float>(x)), "rounded");
    expect_same(sin(cos(x)) + sin(cos(y)) * sin(exp(sin(cos(x * y + exp(y))))), "deeper");
}

/// Every plain reduction of a formula, over all and over the last axis.
template <class E>
void expect_same_totals(const E& e, const char* what) {
    SCOPED_TRACE(what);
    expect_same(sum(e), "sum");
    expect_same(sum(e, -1), "sum of rows");
    expect_same(sum(e, -1, frit::keepdims), "sums as columns");
    expect_same(prod(e), "prod");
    expect_same(prod(e, -1), "prod of rows");
    expect_same(min(e), "min");
    expect_same(max(e, -1), "max of rows");
    expect_same(any(e), "any");
    expect_same(frit::all(e, -1), "all of rows");
}
TEST_F(Aot, Reductions) {
    for (const frit::shape& of : {frit::shape{1}, frit::shape{5}, frit::shape{63}, frit::shape{64}, frit::shape{65},
                                  frit::shape{1000}, frit::shape{4095}, frit::shape{4096}}) {
        const array<float> x = (floats(of) * 1e-3F - 0.7F).eval(), y = floats(of, -7);
        expect_same_totals(x * y + 1.5F, "float");
        expect_same_totals(x, "nothing to compute");
    }
    for (const frit::shape& of : {frit::shape{7, 1}, frit::shape{300, 3}, frit::shape{70, 33}, frit::shape{3, 5, 130},
                                  frit::shape{1, 700}, frit::shape{2, 2048}}) {
        const array<double> x = cast<double>(floats(of) * 0.01F - 1.0F).eval();
        expect_same_totals(sin(x) - x, "double");
        expect_same_totals(cast<std::int8_t>(x * 3.0), "int8");
        expect_same_totals(x > 1.0, "bool");
    }
    const array<float> odd{-0.0F, NAN, 1.0F, -INFINITY};
    expect_same_totals(odd * 1.0F, "NaN");
    expect_same_totals(odd(slice(0, 1)).eval() * 1.0F, "-0");
}
TEST_F(Aot, MeansAndFunctionsOfTotals) {
    const array<float> x = (floats({1000}) * 1e-2F).eval(), y = floats({1000}, -7), m = x.reshape({20, 50}).eval();
    expect_same(mean(x), "mean");
    expect_same(mean(x * y + 1.5F), "mean of a formula");
    expect_same(mean(m, -1), "of rows");
    expect_same(mean(m), "of a matrix");
    expect_same(mean(m * m, {0, 1}, frit::keepdims), "of all axes");
    expect_same(mean(cast<std::int16_t>(x).eval()), "of integers");
    expect_same(mean(m > 1.0F, 1), "of bools");
    expect_same(sqrt(sum(x * x)), "norm");
    expect_same(2.0F * sum(m, 1) - 1.5F, "contracted behind the sum");
    expect_same(cast<int>(max(x, -1)) % 7, "of another dtype");
    const auto recipe = mean(x * 3.0F);
    const float first = frit::aot(recipe).item();
    EXPECT_EQ(array<float>(recipe).item(), first);
    EXPECT_EQ(frit::aot(recipe).item(), first) << "once it is evaluated";
}
TEST_F(Aot, ShortFloats) {
    const auto check = []<class T>(T) {
        const array<float> x = (floats({1003}) * 1e-2F - 1.0F).eval();
        const array<T> a = frit::cast<T>(x).eval(), b = frit::cast<T>(x * x).eval();
        expect_same(a, "a copy");
        expect_same(a * b + T(1.5F), "rounded once");
        expect_same(exp(a) * b / 3.0F + 1.0F, "fewer digits");
        expect_same(exp(a) * b + a, "all digits");
        expect_same(where(a > b, a, T(2.0F)) - x, "beside float");
        expect_same(nextafter(a, b), "neighbours");
        expect_same(frit::cast<int>(frit::cast<T>(a * b) * 100.0F), "casts between");
        expect_same(frit::bit_cast<std::int16_t>(a + b), "bits");
        expect_same(frit::cast<T>(frit::cast<double>(x) * 1.1), "of doubles");
        expect_same(sum(a * b), "sum");
        expect_same(sum(a) / 7.0F, "a function of a sum");
        expect_same(max(a), "max");
        expect_same(mean(a(slice(0, 1000)).eval().reshape({10, 100}).eval() * 3.0F, 1), "mean");
        expect_same(a(slice(none, none, 2)) + frit::scalar(T(0.5F)).eval(), "views");
    };
    check(frit::half());
    check(frit::bfloat16());
    const array<float> x = floats({70});
    expect_same(cast<frit::half>(x) * cast<frit::bfloat16>(x), "both");
}
TEST_F(Aot, ComplexNumbers) {
    const auto check = []<class P>(P) {
        using complex = std::complex<P>;
        const array<P> x = (frit::cast<P>(floats({1003})) * P(1e-2) - P(1)).eval(), y = (x * x - P(0.7)).eval();
        const array<complex> z = frit::complex(x, y).eval(), w = frit::complex(y, -x).eval();
        expect_same(z, "a copy");
        expect_same(x * z + w, "parts are contracted");
        expect_same(z * w - z / P(3), "products are not");
        expect_same(z / w + z, "a quotient");
        expect_same((z + w) * (z - w) * complex(1, 2), "products of sums");
        expect_same(abs(z) + real(w) * imag(z), "real results");
        expect_same(frit::complex(x, real(z) * x) + w, "parts put together");
        expect_same(exp(z) * w + sin(conj(z)), "functions");
        expect_same(where(x > P(0), z, P(1)), "a choice");
        expect_same(z == w || !(z != z), "comparisons");
        expect_same(frit::cast<complex>(x) * z, "from real");
        expect_same(frit::cast<frit::half>(z), "to 16 bits");
        expect_same(z(slice(none, none, -2)) + w(slice(0, 502)), "views");
        expect_same(sum(z * w), "sum");
        expect_same(mean(z), "mean");
        expect_same(mean(z(slice(0, 1000)).eval().reshape({10, 100}).eval() * w(slice(0, 100)).eval()(0).item(), 1), "rows");
        expect_same(abs(sum(z * conj(z))) / P(2), "a function of a sum");
        expect_same(real(sum(z)), "a part of a total");
        expect_same(imag(sum(z)), "the other part");
        expect_same(frit::cast<P>(sum(z)), "a total's conversion");
        expect_same(any(z == w), "any");
    };
    check(float());
    check(double());
    const array<std::complex<float>> z{{INFINITY, 1}, {NAN, 2}, {0, -0.0F}};
    expect_same(z * z, "Annex G");
}
// What follows another order, or is more than a block, is planned.
TEST_F(Aot, OtherReductionsArePlanned) {
    const array<float> x = floats({50, 60}), large = floats({4097});
    const array<bool> mask = x > 3.0F;
    const auto check = [](const auto& formula, const char* what) {
        array<float> got;
        const frit::counters before = frit::stats();
        got = frit::aot(formula);
        EXPECT_EQ(frit::stats().plans_built + frit::stats().plans_reused - before.plans_built - before.plans_reused, 1U)
            << what;
        EXPECT_TRUE(array_equal(got, formula)) << what;
    };
    check(sum(x * 2.0F, 0), "columns");
    check(sum(x.T() * 2.0F, -1), "a view");
    check(sum(x * floats({60})), "a broadcast row");
    check(sum(large * 2.0F), "more than a block");
    check(sum(x * 2.0F, -1, frit::where(mask)), "a mask");
    check(mean(x * 2.0F, 0), "a mean of columns");
    check(mean(sum(x, 0) * 2.0F), "a mean of totals");
    check(mean(x * 2.0F, -1, frit::where(mask)), "a mean of some");
    check(real(max(complex(x, -x))), "an extremum of complex numbers");
    EXPECT_EQ(frit::aot(sum(floats({0, 3}) * 2.0F)).item(), 0.0F);
}

TEST_F(Aot, IntegersOfBothSigns) {
    const array<std::int64_t> a{-1, 0, 1, INT64_MAX, INT64_MIN, 7};
    const array<std::uint64_t> b{0, 0, 1, std::uint64_t{1} << 63, UINT64_MAX, 9};
    expect_same(a < b, "signed < unsigned");
    expect_same(b <= a, "unsigned <= signed");
    expect_same(a == b, "==");
    expect_same(a + b, "as float64");
    const array<bool> m{true, false, true, true, false, false};
    expect_same(m + m, "+ of bool is |");
    expect_same(m * !m, "* of bool is &");
    expect_same(m < true, "bool beside bool");
    expect_same(where(m, a, b), "promoted choice");
    expect_same(sqrt(m), "promoted to floating");
    expect_same(a / 0 + a % 0, "by zero");
}

TEST_F(Aot, EveryComparisonOfBothSigns) {
    const array<std::int64_t> a{-1, 0, 1, INT64_MAX, INT64_MIN, 7};
    const array<std::uint64_t> b{0, 0, 1, std::uint64_t{1} << 63, UINT64_MAX, 9};
    const array<std::int8_t> c = cast<std::int8_t>(a).eval();
    const array<std::uint16_t> d = cast<std::uint16_t>(b).eval();
    const auto check = [](const auto& x, const auto& y) {
        expect_same(x < y, "<");
        expect_same(x <= y, "<=");
        expect_same(x > y, ">");
        expect_same(x >= y, ">=");
        expect_same(x == y, "==");
        expect_same(x != y, "!=");
    };
    check(a, b), check(b, a);
    check(c, b), check(b, c);
    check(a, d), check(d, a);
    check(b, 1), check(a, 1U);
    const auto nested = where(where(where(a < b, a, 1) <= b, a, 2) == b, a, 3) + a;
    expect_same(nested, "nested");
}

/// How many loops a formula is, and how many blocks of scratch memory they take.
template <class E>
std::pair<int, int> loops_of(const E&) {
    using kernel = frit::detail::aot_kernel_of<E, true, FRIT_AOT_ISA>;
    return {kernel::order.count, kernel::order.rooms};
}
TEST_F(Aot, WhatSeveralReadIsComputedOnce) {
    using loops = std::pair<int, int>;
    const array<float> x = floats({10}), y = floats({10}, 3);
    EXPECT_EQ(loops_of(x * y + x), loops(1, 0));
    EXPECT_EQ(loops_of(exp(x * y) + x), loops(3, 2)) << "a piece, a call and a piece";
    const array<std::complex<double>> z = cast<std::complex<double>>(x).eval();
    EXPECT_EQ(loops_of(x * z + z), loops(2, 1)) << "x is converted once, both parts are one loop";
    EXPECT_EQ(loops_of(z * z), loops(1, 0)) << "read and written where they lie";
    EXPECT_EQ(loops_of(real(z) * imag(z)), loops(1, 0));
    EXPECT_EQ(loops_of(abs(z)), loops(3, 2)) << "a call takes parts that lie in order";
}

TEST_F(Aot, OperandsThatLieOtherwise) {
    const array<float> x = floats({24, 40}), row = floats({40}), column = floats({24, 1}),
                       zero_d = frit::scalar(1.5F).eval();
    expect_same(x * 2.0F + row, "row");
    expect_same(x * column - row, "column");
    expect_same(column + row, "outer");
    expect_same(zero_d * x + zero_d, "0-d");
    expect_same(row * 2.5F + x, "a product of a row");
    expect_same(x - column * row(slice(0, 1)), "of a column");
    expect_same(column * 0.3F - x, "of a column, less x");
    expect_same(zero_d * 2.3F + x, "of a number");
    expect_same(x * row - column * 1.7F, "two products");
    expect_same(column * zero_d - row * 1.7F, "both of them smaller");
    expect_same(x(slice(1, -1), all) - x(slice(0, -2), all), "slices");
    expect_same(x(all, slice(none, none, -1)) * x, "reversed");
    expect_same(x(slice(none, none, 3), slice(1, none, 2)) + 1.0F, "steps");
    expect_same(x.T() + x.reshape({40, 24}), "transposed");
    expect_same(x.T()(slice(2, 9), slice(3, 7)).T() * 2.0F, "views of views");
    expect_same(exp(x.T()) * row(frit::newaxis, all).T(), "transposed row");
    const array<float> cube = floats({5, 6, 7});
    expect_same(transpose(cube, {2, 0, 1}) * 3.0F + floats({7, 5, 6}), "permuted");
    expect_same(broadcast_to(row, {3, 40}) + x(slice(0, 3), all), "broadcast_to");
    const array<float> pending = x.T();  // a view that has not been evaluated is read through
    expect_same(pending * 2.0F, "a pending view");
    const array<float> views = pending(slice(1, none), slice(0, 20));
    expect_same(views + 1.0F, "a pending view of one");
    const array<std::uint8_t> bytes = cast<std::uint8_t>(x).eval();
    expect_same(bytes.T() + std::uint8_t{1}, "bytes");
    const std::vector<double> memory(400, 0.5);
    expect_same(frit::borrow(memory.data(), {10, 10}, frit::int_list{20, 2}) * 2.0, "borrowed strides");
}

/// Kernels that f launched, and plans that it took.
struct run_counts {
    std::uint64_t kernels, plans;
    friend bool operator==(const run_counts&, const run_counts&) = default;
    friend std::ostream& operator<<(std::ostream& to, const run_counts& c) {
        return to << c.kernels << " kernels, " << c.plans << " plans";
    }
};
template <class F>
run_counts counted(const F& f) {
    const frit::counters before = frit::stats();
    f();
    const frit::counters after = frit::stats();
    return {after.kernels_launched - before.kernels_launched,
            after.plans_built + after.plans_reused - before.plans_built - before.plans_reused};
}

TEST_F(Aot, ManyShortRowsArePlanned) {
    const array<float> points = floats({20000, 3}), scale = floats({3}), square = floats({200, 200});
    const auto check = [](const auto& formula, const run_counts& wanted, const char* what) {
        array<float> got;
        EXPECT_EQ(counted([&] { got = frit::aot(formula); }), wanted) << what;
        EXPECT_TRUE(array_equal(got, formula)) << what;
    };
    check(points * scale + 1.0F, {1, 1}, "points");
    check(points(all, slice(0, 2)) * 2.0F, {1, 1}, "pairs");
    check(points(slice(0, 1000), all) * scale, {1, 0}, "few of them");
    check(points * 2.0F + 1.0F, {1, 0}, "what lies in order is one row");
    check(points.T() * 2.0F, {1, 0}, "long rows");
    check(square(all, slice(0, 31)) * 2.0F, {1, 1}, "the longest short row");
    check(square(all, slice(0, 32)) * 2.0F, {1, 0}, "the shortest long row");
}

/// What a file gives, against the interpreter.
template <class T>
void expect_same_of_a_file(const frit_test::aot_of_a_file<T>& got, const array<T>& x, const array<T>& y, const char* what) {
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    const auto wanted =
        std::apply([](const auto&... f) { return std::array{array<T>(f)...}; }, frit_test::aot_formulas(x, y));
    for (std::size_t f = 0; f < wanted.size(); ++f) {
        const std::vector<T> values = got.values[f].to_vector(), others = wanted[f].to_vector();
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < values.size(); ++k) wrong += !frit_test::same_bits<T>(values[k], others[k]);
        EXPECT_EQ(wrong, 0U) << what << ", formula " << f;
    }
}
TEST_F(Aot, OptionsOfAFileChangeNoBitsAndStayInIt) {
    const array<float> x = floats({1003}), y = concatenate(0, x(slice(0, 500)), floats({503}, -7)).eval();
    const array<double> v = (cast<double>(x) * 1.1).eval(), w = (cast<double>(y) * 1.1).eval();
    const auto here = frit_test::aot_here(x, y), fast = frit_test::aot_with_fast_math(x, y);
    expect_same_of_a_file(here, x, y, "without options");
    expect_same_of_a_file(fast, x, y, "fast math");
    expect_same_of_a_file(frit_test::aot_with_unsafe_math(v, w), v, w, "unsafe math");
    EXPECT_NE(here.entry, fast.entry) << "the linker takes one for the other";
    EXPECT_NE(here.kernels, fast.kernels);
}

TEST_F(Aot, NothingAndOneElement) {
    const array<float> nothing = floats({0, 3}), one = frit::scalar(2.0F).eval();
    expect_same(nothing * 2.0F, "nothing");
    expect_same(nothing + floats({3}), "nothing beside a row");
    expect_same(one * 2.0F + one, "0-d");
    expect_same(floats({1, 1}) + one, "one element");
    EXPECT_EQ(frit::aot(one * 3.0F).item(), 6.0F);
    EXPECT_EQ(frit::aot(one).item(), 2.0F);
}

TEST_F(Aot, EverySizeAroundBlocksAndThreads) {
    for (const int n : {1, 7, 8, 255, 256, 257, 511, 513, 4095, 4097}) {
        const array<float> x = floats({n});
        expect_same(2.0F * x + 1.0F, "written out");
        expect_same(exp(x * 0.01F) + x, "with a call");
    }
    auto& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    pool.resize(4);
    const array<double> x = (frit::arange<double>(0, 300'001) * 1e-5).eval();
    expect_same(sin(x) * x + cos(x), "threads");
    const array<double> m = (frit::arange<double>(0, 300'000) * 1e-5).reshape({500, 600}).eval();
    expect_same(exp(m.T()) + m(slice(0, 600 - 100), all).T(), "threads over strides");
    pool.resize(before);
}

TEST_F(Aot, ItsResultIsAnArray) {
    array<float> u = floats({100});
    const array<float> old = u;
    u = frit::aot(u + 1.0F);
    for (int k = 0; k < 3; ++k) u = frit::aot(u * 0.5F + u);
    array<float> wanted = old + 1.0F;
    for (int k = 0; k < 3; ++k) wanted = wanted * 0.5F + wanted;
    EXPECT_TRUE(array_equal(u, wanted));
    EXPECT_EQ(old.to_vector()[0], 0.25F) << "who holds the array sees no change";
    EXPECT_EQ(frit::sum(frit::aot(old * 2.0F) + old).item(), frit::sum(old * 2.0F + old).item());
    u(slice(0, 10)) = frit::aot(u(slice(0, 10)) * 2.0F);
    EXPECT_EQ(u(3).item(), 2 * wanted(3).item());
}

TEST_F(Aot, PendingOperandsAreEvaluatedTogether) {
    const array<float> x = floats({50});
    const array<float> a = exp(x), b = sin(x) + a, s = sum(x);
    const frit::counters before = frit::stats();
    const array<float> got = frit::aot(a * b + s);
    EXPECT_EQ(frit::stats().plans_built + frit::stats().plans_reused - before.plans_built - before.plans_reused, 1U);
    EXPECT_TRUE(array_equal(got, a * b + s));
}

TEST_F(Aot, WhatHasNoStridesIsEvaluatedFirst) {
    const array<float> x = floats({6, 8});
    array<float> got;
    EXPECT_EQ(counted([&] { got = frit::aot(x.T().reshape({48}) * 2.0F); }), (run_counts{2, 1}));
    EXPECT_TRUE(array_equal(got, x.T().reshape({48}) * 2.0F));
    const array<float> padded = pad(x, {{1, 1}, {0, 0}}, frit::pad_mode::edge);
    EXPECT_EQ(counted([&] { got = frit::aot(padded * 2.0F); }), (run_counts{2, 1}));
    EXPECT_TRUE(array_equal(got, padded * 2.0F));
}

TEST_F(Aot, BytesAreCounted) {
    const array<float> x = floats({1000}), m = floats({10, 100}), row = floats({100});
    frit::counters before = frit::stats();
    frit::aot(x * x + 1.0F);
    EXPECT_EQ(frit::stats().bytes_read - before.bytes_read, 4000U) << "an array that is read twice counts once";
    EXPECT_EQ(frit::stats().bytes_written - before.bytes_written, 4000U);
    before = frit::stats();
    frit::aot(sum(x * x));
    EXPECT_EQ(frit::stats().bytes_read - before.bytes_read, 4000U);
    EXPECT_EQ(frit::stats().bytes_written - before.bytes_written, 4U);
    before = frit::stats();
    frit::aot(m + row);
    EXPECT_EQ(frit::stats().bytes_read - before.bytes_read, 4400U);
}

TEST_F(Aot, ErrorsNameTheLine) {
    const array<float> x = floats({3}), y = floats({4}), none_there;
    std::string text = message<frit::shape_error>([&] { frit::aot(x + y); });
    EXPECT_TRUE(text.starts_with("+: operands could not be broadcast")) << text;
    EXPECT_NE(text.find("(3,)"), std::string::npos) << text;
    EXPECT_NE(text.find("test_aot.cpp:"), std::string::npos) << text;
    text = message<frit::error>([&] { frit::aot(none_there * 2.0F); });
    EXPECT_NE(text.find("test_aot.cpp:"), std::string::npos) << text;
    const array<float> m = floats({6, 8});
    frit::set_memory_limit(frit::stats().live_bytes + 1);
    text = message<frit::out_of_memory>([&] { frit::aot(m.T().reshape({48}) * 2.0F); });
    frit::set_memory_limit(0);
    EXPECT_NE(text.find("test_aot.cpp:"), std::string::npos) << text;
    text = message<frit::dtype_error>([&] { frit::aot(array<std::int8_t>{1} + 1000); });
    EXPECT_NE(text.find("1000"), std::string::npos) << text;
    EXPECT_NE(text.find("test_aot.cpp:"), std::string::npos) << text;
}

TEST_F(Aot, InAStepItIsAPartOfTheStep) {
    const array<float> x = floats({20});
    const auto step = [&](const array<float>& a) { return array<float>(frit::aot(a * 0.5F + x)); };
    const auto plain = [&](const array<float>& a) { return array<float>(a * 0.5F + x); };
    array<float> got;
    EXPECT_EQ(counted([&] { got = frit::iterate(5, x, step); }), (run_counts{0, 0}));
    EXPECT_EQ(counted([&] { got.eval(); }), (run_counts{1, 1}));
    EXPECT_TRUE(array_equal(got, frit::iterate(5, x, plain)));
}

}  // namespace

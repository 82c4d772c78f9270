// Ops of several results: divmod, modf, frexp, and sort with argsort. What they compute, that all results together are one
// kernel or call, and that one alone costs what it costs without the others.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/libraries.hpp"

namespace {

using frit::array;
using frit_test::evaluate;
using frit_test::traffic;

constexpr std::int64_t n = 1000;

template <class T>
constexpr T inf = std::numeric_limits<T>::infinity();
template <class T>
constexpr T nan_of = std::numeric_limits<T>::quiet_NaN();

void expect_traffic(const traffic& t, std::uint64_t read, std::uint64_t written) {
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, read);
    EXPECT_EQ(t.bytes_written, written);
}

/// Equal, of one sign, or both NaN.
template <class T>
void expect_same(const std::vector<T>& got, const std::vector<T>& want) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
        if (want[k] != want[k])
            EXPECT_TRUE(got[k] != got[k]) << k << ": " << got[k];
        else
            EXPECT_TRUE(got[k] == want[k] && std::signbit(got[k]) == std::signbit(want[k]))
                << k << ": " << got[k] << ", not " << want[k];
    }
}

/// Numbers of every kind: zeros, infinities, NaN, subnormal ones, the largest and what lies between, more than a register.
template <class T>
std::vector<T> numbers() {
    using limits = std::numeric_limits<T>;
    std::vector<T> x{0,
                     1,
                     0.5,
                     2.5,
                     1000,
                     inf<T>,
                     nan_of<T>,
                     limits::min(),
                     limits::denorm_min(),
                     3 * limits::denorm_min(),
                     limits::max(),
                     1 - limits::epsilon() / 2,
                     limits::min() / 2,
                     T(1e7),
                     T(8388609.5)};
    std::mt19937 random(3);
    std::uniform_real_distribution<T> digits(1, 2);
    for (int e = limits::min_exponent - limits::digits; e <= limits::max_exponent - 1; e += 7)
        x.push_back(std::ldexp(digits(random), e));
    for (std::size_t k = 0, count = x.size(); k < count; ++k) x.push_back(-x[k]);
    return x;
}

template <class T>
class SeveralResults : public testing::Test {};
using floats = testing::Types<float, double>;
TYPED_TEST_SUITE(SeveralResults, floats);

TYPED_TEST(SeveralResults, ModfOfEveryKindOfNumber) {
    using T = TypeParam;
    const std::vector<T> x = numbers<T>();
    std::vector<T> want_fraction, want_whole;
    for (const T v : x) {
        T whole;
        want_fraction.push_back(std::modf(v, &whole));
        want_whole.push_back(whole);
    }
    const auto [fraction, whole] = frit::modf(frit::from_host(x));
    frit::eval(fraction, whole);
    expect_same(fraction.to_vector(), want_fraction);
    expect_same(whole.to_vector(), want_whole);
}

TYPED_TEST(SeveralResults, FrexpOfEveryKindOfNumber) {
    using T = TypeParam;
    const std::vector<T> x = numbers<T>();
    std::vector<T> want_mantissa;
    std::vector<std::int32_t> want_exponent;
    for (const T v : x) {
        int e = 0;
        want_mantissa.push_back(std::frexp(v, &e));
        want_exponent.push_back(std::isfinite(v) ? e : 0);
    }
    const auto [mantissa, exponent] = frit::frexp(frit::from_host(x));
    frit::eval(mantissa, exponent);
    expect_same(mantissa.to_vector(), want_mantissa);
    EXPECT_EQ(exponent.to_vector(), want_exponent);
}

// NumPy: np.divmod of the same numbers.
TYPED_TEST(SeveralResults, DivmodOfFloats) {
    using T = TypeParam;
    const std::vector<T> a{7, -7, 7, -7, 0, -T(0), 1, -1, inf<T>, 5, -5, nan_of<T>, 6, T(0.5)};
    const std::vector<T> b{3, 3, -3, -3, 3, 3, 0, 0, 2, inf<T>, inf<T>, 1, -2, T(0.25)};
    const std::vector<T> want_q{2, -3, -3, 2, 0, -T(0), inf<T>, -inf<T>, nan_of<T>, 0, -1, nan_of<T>, -3, 2};
    const std::vector<T> want_r{1, 2, -2, -1, 0, 0, nan_of<T>, nan_of<T>, nan_of<T>, 5, inf<T>, nan_of<T>, -T(0), 0};
    const auto [q, r] = frit::divmod(frit::from_host(a), frit::from_host(b));
    frit::eval(q, r);
    expect_same(q.to_vector(), want_q);
    expect_same(r.to_vector(), want_r);
}

TEST(SeveralResults, OfSixteenBitsAreThoseOfTheRoundedNumber) {
    std::vector<frit::half> values;
    for (int k = 1; k <= 2000; ++k) values.push_back(frit::half(k * 0.0137));
    const array<frit::half> h = frit::from_host(values);
    const auto [mantissa, exponent] = frit::frexp(h * h);
    const std::vector<frit::half> m = mantissa.to_vector(), square = frit::array(h * h).to_vector();
    const std::vector<std::int32_t> e = exponent.to_vector();
    for (std::size_t k = 0; k < m.size(); ++k) {
        EXPECT_LT(float{m[k]}, 1) << k;
        EXPECT_GE(float{m[k]}, 0.5F) << k;
        EXPECT_EQ(std::ldexp(float{m[k]}, e[k]), float{square[k]}) << k;
    }
}

TEST(SeveralResults, DivmodOfSixteenBitsIsItsTwoFunctions) {
    const array<frit::half> h =
        frit::from_host(std::vector<frit::half>{frit::half(60000), frit::half(-50000), frit::half(3)});
    const auto [q, r] = frit::divmod(h * 2, 7);  // h * 2 stays in float32: its half would be infinite
    frit::eval(q, r);
    EXPECT_EQ(q.to_vector(), frit::array(floor_divide(h * 2, 7)).to_vector());
    EXPECT_EQ(r.to_vector(), frit::array(remainder(h * 2, 7)).to_vector());
    EXPECT_EQ(float{q.to_vector()[0]}, 17136.0F);
    EXPECT_EQ(float{r.to_vector()[0]}, 6.0F);
    const frit::any_array a = h;
    const auto [p, s] = frit::divmod(a * 2, 7);
    EXPECT_EQ(p.as<frit::half>().to_vector(), q.to_vector());
    EXPECT_EQ(s.as<frit::half>().to_vector(), r.to_vector());
}

TEST(SeveralResults, ErrorsNameTheFunction) {
    const frit::any_array z = array<std::complex<float>>{1};
    EXPECT_ERROR((void)frit::divmod(z, 2), frit::dtype_error, "divmod: ", "complex64, an integer",
                 "test_several_results.cpp");
    EXPECT_ERROR((void)frit::modf(z * 2), frit::dtype_error, "modf: ", "complex64", "test_several_results.cpp");
    EXPECT_ERROR((void)frit::frexp(z), frit::dtype_error, "frexp: ", "complex64", "test_several_results.cpp");
}

TEST(SeveralResults, DivmodOfIntegersAndScalars) {
    const array<int> a{7, -7, 8, -8, 0, std::numeric_limits<int>::min()};
    const auto [q, r] = frit::divmod(a, 3);
    EXPECT_EQ(q.to_vector(), (std::vector<int>{2, -3, 2, -3, 0, -715827883}));
    EXPECT_EQ(r.to_vector(), (std::vector<int>{1, 2, 2, 1, 0, 1}));
    const auto [p, s] = frit::divmod(100, array<int>{7, -7, 0});  // integer division by 0 is 0
    EXPECT_EQ(p.to_vector(), (std::vector<int>{14, -15, 0}));
    EXPECT_EQ(s.to_vector(), (std::vector<int>{2, -5, 0}));
    const auto [x, y] = frit::divmod(a, 2.0);
    EXPECT_EQ(x.dtype(), frit::dtype::f64);
    EXPECT_EQ(y.dtype(), frit::dtype::f64);
}

TEST(SeveralResults, DtypesAndShapes) {
    const array<std::int64_t> k{1, 2};
    const auto [fraction, whole] = frit::modf(k);
    EXPECT_EQ(fraction.dtype(), frit::dtype::f64);
    EXPECT_EQ(whole.dtype(), frit::dtype::f64);
    const auto [mantissa, exponent] = frit::frexp(array<std::int8_t>{4, -3});
    EXPECT_EQ(mantissa.dtype(), frit::dtype::f32);
    EXPECT_EQ(mantissa.to_vector(), (std::vector<float>{0.5F, -0.75F}));
    EXPECT_EQ(exponent.dtype(), frit::dtype::i32);
    EXPECT_EQ(exponent.to_vector(), (std::vector<std::int32_t>{3, 2}));
    const auto [q, r] = frit::divmod(frit::ones<float>({3, 1}), frit::ones<float>({4}));
    EXPECT_EQ(q.shape(), (frit::shape{3, 4}));
    EXPECT_EQ(r.shape(), (frit::shape{3, 4}));
    EXPECT_ERROR((void)frit::divmod(frit::ones<float>({3}), frit::ones<float>({4})), frit::shape_error,
                 "divmod: ", "test_several_results.cpp");
}

TEST(SeveralResults, BothOfAnElementwiseOpAreOneKernelAndOneCostsItsOwn) {
    const array<double> a = frit::linspace(-5.0, 5.0, n), b = frit::linspace(1.0, 3.0, n);
    frit::eval(a, b);
    {
        const auto [q, r] = frit::divmod(a, b);
        expect_traffic(evaluate(q, r), 2 * n * 8, 2 * n * 8);
    }
    {
        const auto [q, r] = frit::divmod(a, b);
        expect_traffic(evaluate(q), 2 * n * 8, n * 8);
        expect_traffic(evaluate(r), 2 * n * 8, n * 8);
    }
    {
        const auto [fraction, whole] = frit::modf(a);
        expect_traffic(evaluate(fraction, whole), n * 8, 2 * n * 8);
    }
    {
        const auto [mantissa, exponent] = frit::frexp(a);
        expect_traffic(evaluate(mantissa, exponent), n * 8, n * 12);
    }
    {
        const auto [mantissa, exponent] = frit::frexp(a);
        expect_traffic(evaluate(exponent), n * 8, n * 4);
    }
    {
        const auto [q, r] = frit::divmod(a * 2.0 + b, b);
        expect_traffic(evaluate(q, r), 2 * n * 8, 2 * n * 8);
    }
    const auto [fraction, whole] = frit::modf(a * 2.0 + b);  // of a formula: computed once, never stored
    expect_traffic(evaluate(fraction, whole), 2 * n * 8, 2 * n * 8);
}

// --- sort and argsort: results of one call ---

struct totals {
    std::uint64_t kernels = 0, calls = 0, bytes_read = 0, bytes_written = 0;
    friend bool operator==(const totals&, const totals&) = default;
    friend std::ostream& operator<<(std::ostream& to, const totals& c) {
        return to << c.kernels << " kernels, " << c.calls << " calls, reads " << c.bytes_read << ", writes "
                  << c.bytes_written;
    }
};
template <class... A>
totals evaluate_calls(const A&... x) {
    const frit::plan p = frit::make_plan(x...);
    const frit::counters before = frit::stats();
    frit::eval(x...);
    const frit::counters after = frit::stats();
    const totals seen{after.kernels_launched - before.kernels_launched, after.library_calls - before.library_calls,
                      after.bytes_read - before.bytes_read, after.bytes_written - before.bytes_written};
    EXPECT_EQ(seen, (totals{p.kernels().size(), p.library_calls().size(), static_cast<std::uint64_t>(p.bytes_read()),
                            static_cast<std::uint64_t>(p.bytes_written())}));
    return seen;
}

TEST(SortWithArgsort, AreOneCallAndEachAloneIsItsOwn) {
    FRIT_SKIP_WITHOUT(sort);
    const array<float> x = frit::linspace(5.0F, -5.0F, n);
    x.eval();
    {
        array<float> s = frit::sort(x);
        array<std::int64_t> i = frit::argsort(x);
        EXPECT_EQ(evaluate_calls(s, i), (totals{0, 1, n * 4, n * 12}));
        EXPECT_EQ(s.to_vector().front(), -5.0F);
        EXPECT_EQ(i.to_vector().front(), n - 1);
    }
    {
        array<float> s = frit::sort(x);
        array<std::int64_t> i = frit::argsort(x);
        EXPECT_EQ(evaluate_calls(i), (totals{0, 1, n * 4, n * 8}));
        EXPECT_EQ(evaluate_calls(s), (totals{0, 1, n * 4, n * 4}));
    }
    const array<float> m = x.reshape({10, 100});
    m.eval();
    array<float> s = frit::sort(m, 1);
    array<std::int64_t> along = frit::argsort(m, 1), across = frit::argsort(m, 0);
    EXPECT_EQ(evaluate_calls(s, along, across).calls, 2U) << "another axis is another call";
}

TEST(SortWithArgsort, AreOneCallInAFormula) {
    FRIT_SKIP_WITHOUT(sort);
    const array<double> x = frit::linspace(3.0, -3.0, n);
    x.eval();
    array<double> y = frit::sort(x * x) * 2.0;
    array<double> z = frit::cast<double>(frit::argsort(x * x)) + y;
    EXPECT_EQ(frit::make_plan(y, z).library_calls().size(), 1U);
    frit::eval(y, z);
    const frit_test::without_fusion unfused;
    array<double> one = frit::sort(x * x) * 2.0;
    array<double> other = frit::cast<double>(frit::argsort(x * x)) + one;
    EXPECT_EQ(frit::make_plan(one, other).library_calls().size(), 2U);
    frit::eval(one, other);
    EXPECT_EQ(y.to_vector(), one.to_vector());
    EXPECT_EQ(z.to_vector(), other.to_vector());
}

// -0 before +0 in a sort, equal to it in an argsort; NaNs of any bits.
TYPED_TEST(SeveralResults, SortWithArgsortHasTheBitsOfEachAlone) {
    FRIT_SKIP_WITHOUT(sort);
    using T = TypeParam;
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    std::mt19937_64 random(5);
    for (const frit::shape& extents : {frit::shape{40'000}, frit::shape{7, 301}, frit::shape{50, 3}, frit::shape{1, 1}}) {
        std::vector<T> values(static_cast<std::size_t>(extents.size()));
        for (T& v : values) {
            const auto kind = random() % 8;
            v = kind < 3   ? T(0)
                : kind < 5 ? -T(0)
                : kind < 6 ? std::bit_cast<T>(static_cast<bits>(random()))
                           : T(random() % 9);
            if (kind == 7) v = std::bit_cast<T>(static_cast<bits>(std::bit_cast<bits>(nan_of<T>) | random() % 4));
        }
        const array<T> x = frit::from_host(values, extents);
        array<T> s = frit::sort(x), alone = frit::sort(x);
        array<std::int64_t> i = frit::argsort(x), indices = frit::argsort(x);
        EXPECT_EQ(evaluate_calls(s, i).calls, 1U);
        alone.eval();
        indices.eval();
        EXPECT_EQ(i.to_vector(), indices.to_vector());
        const std::vector<T> got = s.to_vector(), want = alone.to_vector();
        for (std::size_t k = 0; k < got.size(); ++k)
            ASSERT_EQ(std::bit_cast<bits>(got[k]), std::bit_cast<bits>(want[k])) << k;
    }
}

TEST(SortWithArgsort, OfNothing) {
    FRIT_SKIP_WITHOUT(sort);
    const array<float> x = frit::zeros<float>({0});
    array<float> s = frit::sort(x);
    array<std::int64_t> i = frit::argsort(x);
    frit::eval(s, i);
    EXPECT_EQ(s.size(), 0);
    EXPECT_EQ(i.size(), 0);
}

}  // namespace

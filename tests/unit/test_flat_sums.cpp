// Sums of rows' sums, each times numbers of its row: on a GPU one sum over all elements, which reads the matrix once and
// stores nothing else. Exact counts, and values against the same formula evaluated in steps.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "frit/frit.hpp"

#include "tests/support/kernels.hpp"
#include "tests/support/libraries.hpp"

namespace {

using frit::all;
using frit::array;
using frit::matmul;
using frit::newaxis;
using frit::shape;
using frit::sum;

template <class T>
array<T> random_array(const shape& extents, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> numbers(-9, 9);
    std::vector<T> v(static_cast<std::size_t>(extents.size()));
    for (T& x : v) x = static_cast<T>(numbers(engine));
    return frit::from_host(v, extents);
}

bool on_gpu() { return !frit::default_device().is_cpu(); }

/// As far as sums in two orders may differ; of integers not at all.
template <class T>
void expect_near(const array<T>& got, const array<T>& want) {
    const std::vector<T> a = got.to_vector(), b = want.to_vector();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
        const double bound = std::is_integral_v<T> ? 0 : sizeof(T) == 4 ? 1e-4 : 1e-12;
        EXPECT_LE(std::abs(static_cast<double>(a[k]) - static_cast<double>(b[k])),
                  bound * (std::abs(static_cast<double>(b[k])) + 1000))
            << k;
    }
}

/// One kernel, and these bytes; on the CPU, where a launch costs little, the rows' sums stay a kernel.
template <class T>
void expect_one_kernel(const array<T>& s, std::uint64_t read, std::uint64_t written) {
    SCOPED_TRACE(frit::explain(s));
    const frit_test::traffic seen = frit_test::evaluate(s);
    EXPECT_EQ(seen.kernels, on_gpu() ? 1U : 2U);
    if (!on_gpu()) return;
    EXPECT_EQ(seen.bytes_read, read);
    EXPECT_EQ(seen.bytes_written, written);
}

template <class T>
void check(std::int64_t n, std::int64_t m) {
    SCOPED_TRACE(std::to_string(n) + " x " + std::to_string(m) + ", bytes " + std::to_string(sizeof(T)));
    const array<T> a = random_array<T>({n, m}, 1), x = random_array<T>(n, 2), y = random_array<T>(m, 3);
    using R = typename decltype(array(sum(a)))::value_type;
    const auto bytes = static_cast<std::uint64_t>(n * m + n + m) * sizeof(T);
    const array<R> rows = array<R>(sum(a * y, 1)).eval(), columns = array<R>(sum(a.T() * x, 1)).eval();
    const array<R> of_rows = sum(x * rows), twice = sum(2 * x * rows), of_columns = sum(columns * y);
    const array<R> s = sum(x * sum(a * y, 1));
    expect_one_kernel(s, bytes, sizeof(R));
    expect_near(s, of_rows);
    const array<R> kept = sum(x(all, newaxis) * sum(a * y, 1, frit::keepdims));
    expect_one_kernel(kept, bytes, sizeof(R));
    expect_near(kept, of_rows);
    const array<R> several = sum(sum(a * y, 1) * x * 2);
    expect_one_kernel(several, bytes, sizeof(R));
    expect_near(several, twice);
    const array<R> across = sum(sum(a.T() * x, 1) * y);
    expect_one_kernel(across, bytes, sizeof(R));
    expect_near(across, of_columns);
    const array<R> bare = sum(sum(a, 1));
    expect_one_kernel(bare, static_cast<std::uint64_t>(n * m) * sizeof(T), sizeof(R));
    expect_near(bare, array<R>(sum(a)));
}

TEST(FlatSums, FactorsOfRowsGoIntoThem) {
    for (const auto& [n, m] : {std::pair<std::int64_t, std::int64_t>{300, 128}, {37, 5}, {5, 1000}, {64, 2}}) {
        check<float>(n, m);
        check<double>(n, m);
        check<std::int64_t>(n, m);
    }
}

// matmul is the library's on the CPU: one call and one kernel.
TEST(FlatSums, TwoSidedProducts) {
    FRIT_SKIP_WITHOUT(matmul);
    constexpr std::int64_t n = 300, m = 128;
    const array<float> a = random_array<float>({n, m}, 1), x = random_array<float>(n, 2), y = random_array<float>(m, 3);
    const array<float> product = matmul(a, y), want = array<float>(sum(x * product.eval())).eval();
    for (const array<float>& s : {array<float>(sum(x * matmul(a, y))), array<float>(frit::dot(x, matmul(a, y))),
                                  array<float>(sum(matmul(a.T(), x) * y))}) {
        EXPECT_EQ(frit::make_plan(s).library_calls().size(), on_gpu() ? 0U : 1U);
        const frit_test::traffic seen = frit_test::evaluate(s);
        EXPECT_EQ(seen.kernels, 1U);
        if (on_gpu()) {
            EXPECT_EQ(seen.bytes_read, (n * m + n + m) * 4U);
        }
        expect_near(s, want);
    }
}

TEST(FlatSums, OfABatchAlongItsOwnAxes) {
    const array<double> a = random_array<double>({4, 30, 16}, 1), x = random_array<double>({4, 30}, 2),
                        y = random_array<double>(16, 3);
    const array<double> rows = array<double>(sum(a * y, 2)).eval();
    const array<double> s = sum(x * sum(a * y, 2), 1), kept = sum(x * sum(a * y, 2), 1, frit::keepdims),
                        first = sum(x * sum(a * y, 2), 0), whole = sum(x * sum(a * y, 2));
    const array<double> want = sum(x * rows, 1), want_first = sum(x * rows, 0), want_whole = sum(x * rows);
    expect_one_kernel(s, (4 * 30 * 16 + 4 * 30 + 16) * 8, 4 * 8);
    expect_near(s, want);
    EXPECT_EQ(kept.shape(), (shape{4, 1}));
    expect_near(kept, want);
    expect_near(first, want_first);
    expect_near(whole, want_whole);
}

// What somebody else reads is stored as it was, and factors that take work are computed once a row.
TEST(FlatSums, OnlyWhereItIsWorthIt) {
    const array<double> a = random_array<double>({300, 20}, 1), x = random_array<double>(300, 2),
                        y = random_array<double>(20, 3);
    const array<double> rows = sum(a * y, 1), s = sum(x * rows);
    frit::eval(rows, s);
    const array<double> want = sum(x * rows);
    expect_near(s, want);
    const array<double> squares = sum(sum(a * y, 1) * sum(a * x(0), 1)), costly = sum(exp(sin(x)) * sum(a * y, 1));
    expect_near(squares, array<double>(sum(rows * array<double>(sum(a * x(0), 1)).eval())));
    EXPECT_EQ(frit_test::evaluate(costly).kernels, 2U);
    expect_near(costly, array<double>(sum(exp(sin(x)) * rows)));
}

TEST(FlatSums, OfNothingAndOfWhatIsNotFinite) {
    const array<double> none = frit::zeros<double>({3, 0}), nan = frit::full({3}, std::nan(""));
    EXPECT_TRUE(std::isnan(sum(nan * sum(none, 1)).item())) << "NaN times the sum of nothing";
    const array<double> a = frit::full({3, 2}, std::numeric_limits<double>::infinity()), zero = frit::zeros<double>({3});
    EXPECT_TRUE(std::isnan(sum(zero * sum(a, 1)).item()));
    EXPECT_EQ(sum(frit::ones<double>({3}) * sum(a, 1)).item(), std::numeric_limits<double>::infinity());
}

}  // namespace

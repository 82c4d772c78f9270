// Reductions, running products and statistics of complex64 and complex128, against sums and products in more digits: every
// engine and the unfused form must give the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tests/differential/complex_cases.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::array, frit::op, frit::slice;
using frit_test::everywhere;
using namespace frit_test::complex_cases;

// --- statistics ---

template <class T>
void check_statistics() {
    const std::int64_t rows = 19, columns = 301;
    const array<T> x = some<T>({rows, columns}, 9), w = some<T>({columns}, 10);
    const std::vector<T> a = x.to_vector(), b = w.to_vector();
    using part = frit::cpp_type<frit::real_dtype(frit::dtype_of<T>)>;
    std::vector<c128> centred, spreads(static_cast<std::size_t>(rows)), weighted(spreads);
    for (std::size_t i = 0; i < spreads.size(); ++i) {
        const auto n = static_cast<double>(columns);
        const T* const row = &a[i * b.size()];
        c128 mean;
        for (std::size_t j = 0; j < b.size(); ++j) mean += wide(row[j]) / n;
        for (std::size_t j = 0; j < b.size(); ++j) {
            centred.push_back(wide(row[j]) - mean);
            spreads[i] += std::norm(centred.back()) / n;
            weighted[i] += wide(row[j]) * wide(b[j]);
        }
    }
    same_bits bits;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        // sums cancel: the bound is of what was added up
        const double slack = 4000;
        const array<T> dots = sum(x * w, 1);
        bits.add("dots", dots);
        expect_near(dots, weighted, slack, "sum of products");
        expect_near(array<T>(x - mean(x, -1, frit::keepdims)), centred, slack, "centred");
        expect_near(array<part>(var(x, 1)), spreads, 64, "var");
        EXPECT_EQ(count_nonzero(where(real(x) > 0, x, T(0))).item(), sum(real(x) > 0).item());
        EXPECT_EQ(sum(x, frit::where(real(x) > 1e9)).item(), T(0));
    });
}
TEST(Complex, StatisticsComplex64) { check_statistics<c64>(); }
TEST(Complex, StatisticsComplex128) { check_statistics<c128>(); }

// Rows brought to a scale, and the logarithm of a sum; with real parts that exp overflows with.
template <class T>
void check_scales(double shift) {
    using part = typename T::value_type;
    const std::int64_t rows = 7, columns = 53;
    const array<T> x = some<T>({rows, columns}, 11) + T(static_cast<part>(shift), 1);
    const std::vector<T> a = x.to_vector();
    std::vector<c128> shares, logarithms, totals, centred, scaled;
    for (std::int64_t i = 0; i < rows; ++i) {
        std::vector<c128> row;
        for (std::int64_t j = 0; j < columns; ++j) row.push_back(wide(a[static_cast<std::size_t>(i * columns + j)]));
        const auto n = static_cast<double>(columns);
        double largest = row[0].real(), var = 0, square = 0;
        c128 total, mean;
        for (const c128 v : row) largest = std::max(largest, v.real()), mean += v / n, square += std::norm(v) / n;
        for (const c128 v : row) total += std::exp(v - largest), var += std::norm(v - mean) / n;
        totals.push_back(std::log(total) + largest);
        for (const c128 v : row) {
            shares.push_back(std::exp(v - largest) / total);
            logarithms.push_back(v - largest - std::log(total));
            centred.push_back((v - mean) / std::sqrt(var + 1e-5));
            scaled.push_back(v / std::sqrt(square + 0.5));
        }
    }
    same_bits bits;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const double slack = 64 * (1 + shift);  // a shift costs the numbers digits
        const array<T> soft = softmax(x, -1), normal = layer_norm(x, 1);
        bits.add("softmax", soft);
        bits.add("layer_norm", normal);
        expect_near(soft, shares, slack, "softmax");
        expect_near(array<T>(log_softmax(x, -1)), logarithms, slack, "log_softmax");
        expect_near(array<T>(logsumexp(x, 1)), totals, slack, "logsumexp");
        expect_near(normal, centred, slack, "layer_norm");
        expect_near(array<T>(rms_norm(x, 1, 0.5)), scaled, slack, "rms_norm");
        EXPECT_EQ(bytes_of(softmax(frit::any_array(x), -1).template as<T>()), bytes_of(soft));
        EXPECT_EQ(logsumexp(x, 1, frit::where(real(x) > 1e9)).to_vector()[0].real(), -std::numeric_limits<part>::infinity());
    });
    EXPECT_KERNELS(1, softmax(x, -1));
    EXPECT_KERNELS(1, layer_norm(x, -1));
    EXPECT_KERNELS(1, logsumexp(x, -1));
}
TEST(Complex, ScalesComplex64) { check_scales<c64>(0), check_scales<c64>(500); }
TEST(Complex, ScalesComplex128) { check_scales<c128>(0), check_scales<c128>(5000); }

/// Numbers of moduli near 1, so that products of many of them stay in range.
template <class T>
array<T> factors(const frit::shape& extents, std::uint32_t seed, double spread = 0.7) {
    std::mt19937 random(seed);
    std::vector<T> values;
    for (std::int64_t k = 0; k < extents.size(); ++k) {
        const double size = 1 + spread * (static_cast<double>(random()) / 0x1p32 - 0.45),
                     angle = static_cast<double>(random()) * 0x1p-29;
        values.push_back(T(std::polar(size, angle)));
    }
    return frit::from_host(values, extents);
}

// n factors: n - 1 products, each of them off by 3 epsilons at most (R. Brent, C. Percival and P. Zimmermann, 2007, show
// sqrt(5) units in the last place).
template <class T>
void check_running_products() {
    const std::int64_t rows = 11, columns = 143;
    const array<T> x = factors<T>({rows, columns}, 19), w = factors<T>({columns}, 20);
    const std::vector<T> a = x.to_vector(), b = w.to_vector();
    using wide = std::complex<long double>;
    const auto n = a.size(), m = b.size();
    std::vector<wide> of_rows(n / m, 1), of_columns(m, 1), weighted(n / m, 1), positive(n / m, 1);
    std::vector<c128> running_rows, running_columns;
    wide total = 1;
    for (std::size_t k = 0; k < n; ++k) {
        const wide v(a[k]), u(b[k % m]);
        total *= v;
        running_rows.push_back(c128(of_rows[k / m] *= v));
        running_columns.push_back(c128(of_columns[k % m] *= v));
        weighted[k / m] *= v * u;
        if (v.real() > 0) positive[k / m] *= v;
    }
    const auto rounded = [](const std::vector<wide>& v) { return std::vector<c128>(v.begin(), v.end()); };
    const double slack = 3 * columns;
    same_bits bits;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<T> by_row = prod(x, 1), by_column = prod(x, 0), all = prod(x), dots = prod(x * w, 1);
        for (const auto& [what, result] : {std::pair("all", all), {"rows", by_row}, {"columns", by_column}, {"dots", dots}})
            bits.add(what, result);
        expect_near(all, {c128(total)}, 3.0 * static_cast<double>(n), "prod");
        expect_near(by_row, rounded(of_rows), slack, "prod of rows");
        expect_near(by_column, rounded(of_columns), slack, "prod of columns");
        expect_near(array<T>(prod(x.T(), 0)), rounded(of_rows), slack, "prod of transposed columns");
        expect_near(array<T>(prod(x.reshape({11, 13, 11}), {0, 1, 2})), {c128(total)}, 3.0 * static_cast<double>(n), "axes");
        expect_near(dots, rounded(weighted), 2 * slack, "prod of products");
        expect_near(array<T>(prod(x, 1, frit::where(real(x) > 0))), rounded(positive), slack, "masked");
        EXPECT_EQ(prod(x, 1, frit::keepdims).shape(), (frit::shape{rows, 1}));
        EXPECT_EQ(prod(x(slice(0, 0)), 0).to_vector(), std::vector<T>(m, T(1)));
        EXPECT_EQ(prod(x(slice(0, 0))).item(), T(1));
        const array<T> signs = frit::from_host(std::vector<T>{T(1, -0.0), T(-0.0, -0.0), T(-1, 0.0), T(1, 0.0)});
        EXPECT_EQ(bytes_of(array<T>(prod(signs.reshape({4, 1}), 1))), bytes_of(signs));
        EXPECT_EQ(bytes_of(prod(frit::any_array(x), 1).template as<T>()), bytes_of(by_row));
        // with another total of the same rows, and divided by it
        expect_near(array<T>(x / prod(x, 1, frit::keepdims) * prod(x, 1, frit::keepdims)), rounded({a.begin(), a.end()}),
                    slack, "elements of their row's");
        if (!frit_test::missing_library(op::cumprod).empty()) return;
        expect_near(array<T>(cumprod(x, 1)), running_rows, slack, "cumprod of rows");
        expect_near(array<T>(cumprod(x, 0)), running_columns, slack, "cumprod of columns");
        const auto flat = array<T>(cumprod(x)).to_vector();
        ASSERT_EQ(flat.size(), n);
        EXPECT_LE(std::abs(c128(flat.back()) - c128(total)), 3.0 * static_cast<double>(n) * std::abs(c128(total)) *
                                                                 std::numeric_limits<typename T::value_type>::epsilon());
    });
}
template <class T>
void check_long_product() {
    const std::int64_t n = 100'003;
    const array<T> x = factors<T>({n}, 21, 0);
    std::complex<long double> want = 1;
    for (const T v : x.to_vector()) want *= std::complex<long double>(v);
    everywhere([&](const std::string& who) {
        expect_near(array<T>(prod(x)), {c128(want)}, 3 * n, who);
        if (!frit_test::missing_library(op::cumprod).empty()) return;
        expect_near(array<T>(cumprod(x)(slice(n - 1, n))), {c128(want)}, 3 * n, who + ": cumprod");
    });
}
TEST(Complex, LongProductComplex64) { check_long_product<c64>(); }
TEST(Complex, LongProductComplex128) { check_long_product<c128>(); }

TEST(Complex, RunningProductsComplex64) { check_running_products<c64>(); }
TEST(Complex, RunningProductsComplex128) { check_running_products<c128>(); }

// Whole numbers are exact, and where nothing but ones comes before, after or beside it a number is itself.
template <class T>
void check_exact_products() {
    using part = typename T::value_type;
    const part inf = std::numeric_limits<part>::infinity();
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        EXPECT_EQ(prod(array<T>{T(1, 2), T(3, -1), T(0, 1), T(-2, 2)}).item(), T(0, -20));
        for (const T one : {T(0, inf), T(-0.0F, -inf), T(-0.0F, 3), T(inf, inf), T(0, -0.0F)}) {
            array<T> x = frit::ones<T>({5, 300});
            x(2, 177) = one;
            const T all = prod(x).item(), row = array<T>(prod(x, 1)).to_vector()[2],
                    column = array<T>(prod(x, 0)).to_vector()[177];
            for (const T got : {all, row, column}) {
                EXPECT_EQ(got, one);
                EXPECT_EQ(std::signbit(got.real()), std::signbit(one.real()));
                EXPECT_EQ(std::signbit(got.imag()), std::signbit(one.imag()));
            }
        }
        const T nan = prod(array<T>{T(1, 2), T(std::numeric_limits<part>::quiet_NaN(), 0)}).item();
        EXPECT_TRUE(std::isnan(nan.real()) && std::isnan(nan.imag()));
    });
}
TEST(Complex, ExactProductsComplex64) { check_exact_products<c64>(); }
TEST(Complex, ExactProductsComplex128) { check_exact_products<c128>(); }

}  // namespace

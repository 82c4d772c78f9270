// How exact var and stddev are, over schedules, engines, lengths, distributions and means of up to 1e10 deviations: against
// the same rows in long double. Chan, Golub and LeVeque (1983, "Algorithms for computing the sample variance: analysis and
// recommendations") measure a variance by kappa = sqrt(sum x^2 / sum (x - mean)^2), about the mean over the deviation: the
// sum of squares loses kappa^2 units in the last place, an updated mean kappa. Here differences of elements alone are
// rounded: the bound is flat. A masked variance is computed in two passes, and may lose kappa.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tests/support/engines.hpp"
#include "tests/support/from_values.hpp"
#include "tests/support/thorough.hpp"
#include "tests/support/values.hpp"

namespace {
using frit::all, frit::array, frit::keepdims, frit::newaxis;

constexpr std::uint64_t seed = 1983;

enum class distribution { normal, linspace, outlier, outlier_first, outlier_second, alternating, walk, constant };
constexpr distribution distributions[] = {
    distribution::normal,         distribution::linspace,    distribution::outlier, distribution::outlier_first,
    distribution::outlier_second, distribution::alternating, distribution::walk,    distribution::constant};

/// n elements that are spread by about one.
std::vector<double> spread(distribution d, std::size_t n, frit_test::generator& g) {
    std::vector<double> x(n);
    double position = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double normal = -6;  // nearly
        for (int k = 0; k < 12; ++k) normal += g.uniform(0, 1);
        const double far = 1.3 * std::sqrt(static_cast<double>(n));
        switch (d) {
            case distribution::normal: x[i] = normal; break;
            case distribution::linspace: x[i] = static_cast<double>(i) / static_cast<double>(n); break;
            case distribution::outlier: x[i] = i == n / 2 ? 3.7 : 0; break;
            case distribution::outlier_first: x[i] = i == 0 ? far : normal; break;
            case distribution::outlier_second: x[i] = i == 1 ? far : normal; break;
            case distribution::alternating: x[i] = i % 2 ? 0.7 : -0.7; break;
            case distribution::walk: x[i] = position += normal; break;
            case distribution::constant: x[i] = 0.3; break;
        }
    }
    return x;
}

template <class T>
using row = std::vector<T>;
template <class T>
using rows = std::vector<row<T>>;

template <class T>
rows<T> rows_of(distribution d, double mean, std::size_t count, std::size_t length) {
    frit_test::generator g(seed + length);
    rows<T> all(count);
    for (std::size_t r = 0; r < count; ++r) {
        const double centre = mean * (r % 2 ? -1 : 1) * (1 + 0.01 * static_cast<double>(r));
        for (double v : spread(d, length, g)) all[r].push_back(static_cast<T>(centre + v));
    }
    return all;
}

/// Differences from the first element, which are exact or nearly so, make the mean and the deviations from it.
struct exact {
    long double squares = 0, kappa = 0;
    template <class T>
    explicit exact(const row<T>& x) {
        const auto first = static_cast<long double>(x[0]), n = static_cast<long double>(x.size());
        long double sum = 0, rest = 0, from_zero = 0;
        for (T v : x) sum += static_cast<long double>(v) - first;
        for (T v : x) {
            const long double d = static_cast<long double>(v) - first - sum / n;
            squares += d * d, rest += d, from_zero += static_cast<long double>(v) * static_cast<long double>(v);
        }
        squares -= rest * rest / n;
        kappa = std::sqrt(from_zero / squares);
    }
};

/// No error of a value relative to it is larger than 5 kappa units in the last place of 1, nor than `steps`.
template <class T, class Row>
void expect_exact(const array<T>& got, const std::vector<Row>& want, long double steps, bool root, const std::string& what) {
    const std::vector<T> values = array<T>(got.reshape({-1})).to_vector();
    ASSERT_EQ(values.size(), want.size()) << what;
    for (std::size_t r = 0; r < want.size(); ++r) {
        const exact e(want[r]);
        long double var = e.squares / static_cast<long double>(want[r].size());
        if (root) var = std::sqrt(var);
        if (e.squares == 0) {
            EXPECT_EQ(values[r], 0) << what << ", row " << r;
            continue;
        }
        const long double ulps = std::fabs(static_cast<long double>(values[r]) - var) / var /
                                 static_cast<long double>(std::numeric_limits<T>::epsilon());
        EXPECT_LE(ulps, std::min(steps, 5 * e.kappa)) << what << ", row " << r << ", kappa " << e.kappa;
    }
}

template <class T>
array<T> matrix_of(const rows<T>& x) {
    row<T> flat;
    for (const row<T>& r : x) flat.insert(flat.end(), r.begin(), r.end());
    return frit::from_host(flat).reshape({static_cast<std::int64_t>(x.size()), -1});
}

/// Every schedule that a variance has.
template <class T>
void check(const rows<T>& x, const std::string& of) {
    constexpr long double steps = 10, any = std::numeric_limits<long double>::infinity();
    const array<T> m = matrix_of(x);
    expect_exact<T>(var(m, 1), x, steps, false, "rows" + of);
    expect_exact<T>(var(array<T>(m(0, all))), rows<T>{x[0]}, steps, false, "all" + of);
    const array<T> turned = m.T();
    turned.eval();
    expect_exact<T>(var(turned, 0), x, steps, false, "columns" + of);
    expect_exact<T>(stddev(turned, 0), x, steps, true, "deviations of columns" + of);
    if (x[0].size() % 2 == 0) {
        const array<T> halves = frit::transpose(m.reshape({static_cast<std::int64_t>(x.size()), 2, -1}), {1, 0, 2});
        halves.eval();
        expect_exact<T>(var(halves, {0, 2}), x, steps, false, "two axes" + of);
    }
    // The row's variance in the last of several passes over it.
    const array<T> variance = var(m, 1, keepdims), scaled = (m - mean(m, 1, keepdims)) / (sqrt(variance) + 1);
    frit::eval(variance, scaled);
    expect_exact<T>(variance, x, steps, false, "normalised rows" + of);
    // A tile: what is invariant from row to row, added to one value of each row; sums of 16-bit floats are not rounded.
    const row<T> offsets{T(0), T(1), T(-3)};
    rows<decltype(T() + 0.0F)> moved(offsets.size());
    for (std::size_t k = 0; k < offsets.size(); ++k)
        for (decltype(T() + 0.0F) v : x[0]) moved[k].push_back(v + offsets[k]);
    const array<T> y = frit::from_host(offsets), first = m(0, all);
    first.eval();
    expect_exact<T>(var(first(newaxis, all) + y(all, newaxis), 1), moved, steps, false, "tile" + of);
    // What is masked out is far away.
    const array<bool> mask = frit::arange<int>(0, m.shape()[1]) % 3 != 1;
    rows<T> kept(x.size());
    for (std::size_t r = 0; r < x.size(); ++r)
        for (std::size_t i = 0; i < x[r].size(); ++i)
            if (i % 3 != 1) kept[r].push_back(x[r][i]);
    expect_exact<T>(var(frit::where(mask, m, T(1e9)), 1, frit::where(mask)), kept, any, false, "masked" + of);
}

template <class T>
void check_all(const std::vector<std::size_t>& lengths) {
    const std::vector<double> means = sizeof(T) == 2   ? std::vector<double>{0, 1, 100}
                                      : sizeof(T) == 4 ? std::vector<double>{0, 1, 100, 1e4, 1e6}
                                                       : std::vector<double>{0, 1, 1e6, 1e10};
    for (const distribution d : distributions)
        for (const double mean : means)
            for (const std::size_t length : lengths) {
                const std::string of = " of " + std::to_string(length) + " of distribution " +
                                       std::to_string(static_cast<int>(d)) + " about " + std::to_string(mean);
                check(rows_of<T>(d, mean, length < 200 ? 40 : 3, length), of);
                if (testing::Test::HasFailure()) return;
            }
}

template <class T>
class Variance : public testing::Test {};
using variance_types = testing::Types<float, double, frit::half, frit::bfloat16>;
TYPED_TEST_SUITE(Variance, variance_types);

/// A random walk of more steps leaves float16.
template <class T>
std::vector<std::size_t> all_lengths() {
    if (sizeof(T) == 2) return {2, 31, 100, 1000};
    std::vector<std::size_t> lengths{2, 3, 31, 64, 100, 1000, 4097, 20000};
    if (frit_test::thorough()) lengths.insert(lengths.end(), {15, 16, 17, 63, 65, 255, 4096, 8200, 100000});
    return lengths;
}

TYPED_TEST(Variance, Interpreted) {
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    check_all<TypeParam>(all_lengths<TypeParam>());
}
TYPED_TEST(Variance, Compiled) {
    for (const frit_test::engine e : frit_test::compiled_engines()) {
        const frit_test::with_engine here(e);
        check_all<TypeParam>(all_lengths<TypeParam>());
    }
}

// On the default device: an emulated GPU is slow.
TYPED_TEST(Variance, OfSomeLengths) { check_all<TypeParam>({2, 70, 3000}); }

// What users met: the mean of these cost digits.
TEST(VarianceFarFromZero, OfARamp) {
    for (const frit_test::engine e : frit_test::engines()) {
        const frit_test::with_engine here(e);
        const array<float> x = 1e4F + frit::linspace(0.0F, 1.0F, 1000);
        expect_exact<float>(var(x), rows<float>{x.to_vector()}, 8, false, "ramp");
        EXPECT_NEAR(var(x).item(), 0.0835, 1e-4);
        expect_exact<float>(stddev(x), rows<float>{x.to_vector()}, 8, true, "ramp");
    }
}

}  // namespace

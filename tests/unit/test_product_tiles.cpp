// Products of matrices that are cut into tiles, and those of a matrix with its own transpose: exact results (of small
// integers, which no order of additions rounds), symmetry and bits that do not depend on the number of threads, NaN where it
// belongs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "frit/frit.hpp"

#include "src/base/threads.hpp"
#include "tests/support/libraries.hpp"

namespace {
using frit::array;
using frit::shape;

/// Integers in [-4, 4].
template <class T>
std::vector<T> small_integers(std::int64_t count, unsigned seed) {
    std::mt19937 engine(seed);
    std::vector<T> v(static_cast<std::size_t>(count));
    for (T& x : v) x = static_cast<T>(static_cast<int>(engine() % 9) - 4);
    return v;
}

/// a (m x k) times b (k x n).
template <class T>
std::vector<T> product(const std::vector<T>& a, const std::vector<T>& b, std::int64_t m, std::int64_t k, std::int64_t n) {
    std::vector<T> c(static_cast<std::size_t>(m * n));
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t l = 0; l < k; ++l)
            for (std::int64_t j = 0; j < n; ++j)
                c[static_cast<std::size_t>(i * n + j)] +=
                    a[static_cast<std::size_t>(i * k + l)] * b[static_cast<std::size_t>(l * n + j)];
    return c;
}
template <class T>
std::vector<T> transposed(const std::vector<T>& a, std::int64_t rows, std::int64_t columns) {
    std::vector<T> t(a.size());
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            t[static_cast<std::size_t>(j * rows + i)] = a[static_cast<std::size_t>(i * columns + j)];
    return t;
}

template <class T>
void check_tiles(std::int64_t m, std::int64_t k, std::int64_t n) {
    const std::vector<T> a = small_integers<T>(m * k, 1), b = small_integers<T>(k * n, 2), c = small_integers<T>(m * n, 3);
    std::vector<T> expected = product(a, b, m, k, n);
    const array<T> x = frit::from_host(a, {m, k}), y = frit::from_host(b, {k, n}), z = frit::from_host(c, {m, n});
    EXPECT_EQ(frit::matmul(x, y).to_vector(), expected) << m << ", " << k << ", " << n;
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 2 * expected[i] + c[i];
    EXPECT_EQ((2 * frit::matmul(x, y) + z).to_vector(), expected) << m << ", " << k << ", " << n;
}
TEST(ProductTiles, EveryElementOfEveryTile) {
    FRIT_SKIP_WITHOUT(matmul);
    check_tiles<float>(300, 20, 700);
    check_tiles<double>(700, 20, 300);
    check_tiles<double>(129, 9, 1025);
    check_tiles<float>(1500, 3, 2);
    check_tiles<double>(2, 3, 1500);
    check_tiles<float>(257, 5, 257);
}

/// @param k  so long that half of the work is taken
template <class T>
void check_symmetric(std::int64_t n, std::int64_t k) {
    const std::vector<T> rows = small_integers<T>(k * n, 4), c = small_integers<T>(n * n, 5);
    const std::vector<T> columns = transposed(rows, k, n), right = product(columns, rows, n, k, n);
    const array<T> x = frit::from_host(rows, {k, n}), y = frit::from_host(columns, {n, k}), z = frit::from_host(c, {n, n});
    EXPECT_EQ(frit::matmul(x.T(), x).to_vector(), right) << n << ", " << k;
    EXPECT_EQ(frit::matmul(y, y.T()).to_vector(), right) << n << ", " << k;
    std::vector<T> with_end = right;  // which need not be symmetric
    for (std::size_t i = 0; i < right.size(); ++i) with_end[i] = 2 * right[i] - c[i];
    EXPECT_EQ((2 * frit::matmul(x.T(), x) - z).to_vector(), with_end) << n << ", " << k;
}
TEST(ProductTiles, AMatrixAndItsTranspose) {
    FRIT_SKIP_WITHOUT(matmul);
    check_symmetric<float>(64, 256);
    check_symmetric<double>(65, 300);
    check_symmetric<double>(300, 40);
    check_symmetric<float>(517, 9);
}

TEST(ProductTiles, ABatchOfMatricesAndTheirTransposes) {
    FRIT_SKIP_WITHOUT(matmul);
    constexpr std::int64_t n = 70, k = 250;
    const std::vector<double> values = small_integers<double>(3 * k * n, 6);
    const array<double> x = frit::from_host(values, {3, k, n});
    std::vector<double> expected;
    for (std::int64_t i = 0; i < 3; ++i) {
        const std::vector<double> one(values.begin() + i * k * n, values.begin() + (i + 1) * k * n);
        const std::vector<double> c = product(transposed(one, k, n), one, n, k, n);
        expected.insert(expected.end(), c.begin(), c.end());
    }
    EXPECT_EQ(frit::matmul(frit::swapaxes(x, -1, -2), x).to_vector(), expected);
    // One matrix times the transposes of others is none of them.
    const std::vector<double> first = frit::matmul(frit::swapaxes(x, -1, -2), x(0, frit::ellipsis)).to_vector();
    EXPECT_EQ(std::vector<double>(first.begin(), first.begin() + n * n),
              std::vector<double>(expected.begin(), expected.begin() + n * n));
    EXPECT_NE(std::vector<double>(first.begin() + n * n, first.begin() + 2 * n * n),
              std::vector<double>(expected.begin() + n * n, expected.begin() + 2 * n * n));
}

TEST(ProductTiles, SymmetricBitByBitWithAnyNumberOfThreads) {
    FRIT_SKIP_WITHOUT(matmul);
    const frit::scoped_device on_cpu(frit::device::cpu());
    constexpr std::int64_t n = 333, k = 100;
    const array<float> x = frit::sin(frit::arange(static_cast<float>(n * k))).reshape({k, n});
    auto& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    std::vector<float> first;
    for (const int threads : {1, 2, 5}) {
        pool.resize(threads);
        const std::vector<float> c = frit::matmul(x.T(), x).to_vector();
        EXPECT_EQ(c, transposed(c, n, n)) << threads << " threads";
        if (first.empty()) first = c;
        EXPECT_EQ(c, first) << threads << " threads";
    }
    pool.resize(before);
}

TEST(ProductTiles, NanStaysInItsRowAndColumn) {
    FRIT_SKIP_WITHOUT(matmul);
    constexpr std::int64_t n = 200, k = 60, place = 77;
    std::vector<double> values = small_integers<double>(k * n, 7);
    values[10 * n + place] = std::nan("");
    const array<double> x = frit::from_host(values, {k, n});
    const std::vector<double> c = frit::matmul(x.T(), x).to_vector();
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j)
            EXPECT_EQ(std::isnan(c[static_cast<std::size_t>(i * n + j)]), i == place || j == place) << i << ", " << j;
}

}  // namespace

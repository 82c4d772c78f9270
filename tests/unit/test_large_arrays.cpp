// Large arrays: more elements than 31 bits count, mapped, sliced, turned and reduced, on a GPU, whose index types depend on
// it (the CPU engines count in 64 bits always, and would take minutes); read and written at indices everywhere; and results
// that compiled kernels of the CPU write past the caches.
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/thorough.hpp"

namespace {
using frit::all;
using frit::array;
using frit::none;
using frit::slice;

constexpr std::int64_t rows = 65'537, columns = 32'771, period = 251;
static_assert(rows * columns > std::int64_t{1} << 31);

/// The sum of k % period over k < m.
std::int64_t sum_below(std::int64_t m) {
    const std::int64_t rest = m % period;
    return m / period * (period * (period - 1) / 2) + rest * (rest - 1) / 2;
}

TEST(LargeArrays, AreMappedSlicedTurnedAndReduced) {
    if (!frit::default_device().is_cuda()) GTEST_SKIP() << "on a GPU only: the CPU takes minutes";
    const array<std::int64_t> index = frit::arange<std::int64_t>(rows * columns).reshape({rows, columns});
    const array<std::uint8_t> x = frit::cast<std::uint8_t>(index % period);
    x.eval();
    const auto at = [](std::int64_t r, std::int64_t c) { return (r * columns + c) % period; };

    EXPECT_EQ(frit::sum(frit::cast<std::int64_t>(x)).item(), sum_below(rows * columns));
    EXPECT_EQ(frit::count_nonzero(x == std::uint8_t{3}).item(), (rows * columns + period - 4) / period);
    const std::vector<std::int64_t> of_rows = frit::sum(frit::cast<std::int64_t>(x), 1).to_vector();
    ASSERT_EQ(of_rows.size(), std::size_t{rows});
    for (std::int64_t r = 0; r < rows; ++r)
        ASSERT_EQ(of_rows[static_cast<std::size_t>(r)], sum_below((r + 1) * columns) - sum_below(r * columns)) << r;
    const std::vector<std::int64_t> of_columns = frit::sum(frit::cast<std::int64_t>(x), 0).to_vector();
    ASSERT_EQ(of_columns.size(), std::size_t{columns});
    for (const std::int64_t c : {std::int64_t{0}, std::int64_t{1}, columns / 2, columns - 1}) {
        std::int64_t expected = 0;
        for (std::int64_t r = 0; r < rows; ++r) expected += at(r, c);
        EXPECT_EQ(of_columns[static_cast<std::size_t>(c)], expected) << c;
    }

    const std::int64_t top = rows - 5, left = columns - 7;
    const auto corner = [&](const array<std::uint8_t>& y, auto&& expected) {
        const std::vector<std::uint8_t> got = y(slice(-5, none), slice(-7, none)).to_vector();
        ASSERT_EQ(got.size(), 35U);
        for (std::int64_t k = 0; k < 35; ++k) EXPECT_EQ(got[static_cast<std::size_t>(k)], expected(k / 7, k % 7)) << k;
    };
    corner(x, [&](std::int64_t r, std::int64_t c) { return at(top + r, left + c); });
    array<std::uint8_t> halves = (x(slice(1, none), all) >> 1) + (x(slice(0, -1), all) >> 1);  // a stencil
    halves.eval();
    corner(halves,
           [&](std::int64_t r, std::int64_t c) { return at(top + r, left + c) / 2 + at(top + r - 1, left + c) / 2; });
    array<std::uint8_t> turned = x.T() ^ std::uint8_t{1};
    turned.eval();
    corner(turned, [&](std::int64_t r, std::int64_t c) { return at(rows - 7 + c, columns - 5 + r) ^ 1; });
}

TEST(LargeArrays, AreCompacted) {
    if (!frit::default_device().is_cuda()) GTEST_SKIP() << "on a GPU only: the CPU takes minutes";
    constexpr std::int64_t n = rows * columns;
    const array<std::int64_t> index = frit::arange<std::int64_t>(n);
    array<std::uint8_t> x = frit::cast<std::uint8_t>(index % period);
    x.eval();
    const array<std::uint8_t> odd = x(index % 2 == 1);
    EXPECT_EQ(odd.shape(), frit::shape{n / 2});
    const std::vector<std::uint8_t> last = odd(slice(-5, none)).to_vector();
    for (std::int64_t k = 0; k < 5; ++k)
        EXPECT_EQ(last[static_cast<std::size_t>(k)], (2 * (n / 2 - 5 + k) + 1) % period) << k;
    EXPECT_EQ(frit::sum(frit::cast<std::int64_t>(odd)).item(),
              frit::sum(frit::where(index % 2 == 1, frit::cast<std::int64_t>(x), std::int64_t{0})).item());
    EXPECT_EQ(frit::unique_values(x).shape(), frit::shape{period});
}

// On the CPU too: only what the indices name is looked at.
TEST(LargeArrays, AreReadAndWrittenAtIndices) {
    if (frit_test::sanitized) GTEST_SKIP() << "two gigabytes";
    constexpr std::int64_t n = rows * columns, far = std::int64_t{1} << 31;
    array<std::uint8_t> x = frit::zeros<std::uint8_t>({n});
    x.eval();
    const std::vector<std::int64_t> places = {0, 5, far - 1, far, far + 7, n - 1};
    const array<std::int64_t> i = frit::from_host(places);
    const array<std::uint8_t> v = frit::from_host(std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6});
    x(i) = v;
    x(array<std::int64_t>{far, far, n - 1, -1}) += std::uint8_t{10};
    EXPECT_EQ(x(i).to_vector(), (std::vector<std::uint8_t>{1, 2, 3, 24, 5, 26}));
    EXPECT_EQ(frit::take(x, i - n).to_vector(), (std::vector<std::uint8_t>{1, 2, 3, 24, 5, 26})) << "from the end";
    EXPECT_EQ(x(array<std::int32_t>{-1, 5}).to_vector(), (std::vector<std::uint8_t>{26, 2})) << "narrower indices";
    EXPECT_EQ(frit::take(x, array<std::int64_t>{far - 2, far + 1}).to_vector(), (std::vector<std::uint8_t>{0, 0}));
    EXPECT_EQ(x(slice(far - 1, far + 2)).to_vector(), (std::vector<std::uint8_t>{3, 24, 0}));
    EXPECT_ERROR(frit::take(x, array<std::int64_t>{n}).to_vector(), frit::index_error, std::to_string(n),
                 "test_large_arrays.cpp");
}

// Rows of whole cache lines and of odd lengths; into memory of its own and over an operand.
TEST(LargeArrays, ThatNoCacheHoldsAreWritten) {
    const frit_test::with_engine compiled(frit_test::engine::cxx);
    for (const std::int64_t length : {std::int64_t{1024}, std::int64_t{1031}}) {
        const std::int64_t size = ((std::int64_t{32} << 20) / 4 / length + 3) * length;
        array<float> x =
            frit::cast<float>(frit::arange<std::int32_t>(size) % static_cast<int>(period)).reshape({-1, length});
        const auto expect = [&](const array<float>& y, std::int64_t first, float scale, float shift) {
            const std::int64_t columns = y.shape()[1];
            std::int64_t wrong = 0, k = 0;
            for (const float v : y.to_vector()) {
                const std::int64_t at = k / columns * length + k % columns + first;
                wrong += v != scale * static_cast<float>(at % period) + shift;
                ++k;
            }
            EXPECT_EQ(wrong, 0) << "rows of " << length;
            EXPECT_EQ(k, size / length * columns);
        };
        x.eval();
        expect(x, 0, 1, 0);
        expect(2 * x + 1, 0, 2, 1);
        expect(x(all, slice(1, none)) + 1, 1, 1, 1);
        expect(x - frit::max(x, 1, frit::keepdims), 0, 1, 1 - static_cast<float>(period));
        x += 3;
        x.eval();
        expect(x, 0, 1, 3);
    }
}

}  // namespace

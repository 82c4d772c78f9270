// More elements than 31 bits count: what is mapped, sliced, turned and reduced. On a GPU, whose index types depend on it;
// the CPU engines count in 64 bits always, and would take minutes.
#include "tests/support/kernels.hpp"

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

}  // namespace

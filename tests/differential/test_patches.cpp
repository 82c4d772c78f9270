// Formulas whose threads compute patches of rows and columns on a GPU, against loops: every remainder at the right edge and
// at the bottom, loads at shifted places of one array, clamps in rows, columns and planes, results in an operand's memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "tests/support/from_values.hpp"
#include "tests/support/values.hpp"

namespace {
using frit::all;
using frit::array;
using frit::newaxis;
using frit::none;
using frit::slice;

using position = std::vector<std::int64_t>;
const slice inner(1, -1), before(0, -2), after(2, none);

/// Whole numbers, so that sums are exact in every order.
template <class T>
struct grid {
    position extents;
    std::vector<T> values;
    array<T> x;

    grid(position shape, std::uint64_t seed) : extents(std::move(shape)) {
        frit_test::generator g(seed);
        values.resize(
            static_cast<std::size_t>(std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>{})));
        for (T& v : values) v = static_cast<T>(g.between(0, 50));
        x = frit_test::from_values(values, frit::shape(extents));
    }
    T at(std::int64_t i, std::int64_t j) const { return values[static_cast<std::size_t>(i * extents.back() + j)]; }
    T at(std::int64_t p, std::int64_t i, std::int64_t j) const { return at(p * extents[1] + i, j); }
};

template <class T>
void expect(const array<T>& got, const std::function<T(std::int64_t, std::int64_t)>& want, const std::string& what) {
    const std::vector<T> values = got.to_vector();
    const std::int64_t columns = got.shape()[got.rank() - 1];
    for (std::size_t k = 0; k < values.size(); ++k) {
        const auto i = static_cast<std::int64_t>(k) / columns, j = static_cast<std::int64_t>(k) % columns;
        ASSERT_EQ(values[k], want(i, j)) << what << ", row " << i << ", column " << j;
    }
}

const position some_rows{3, 16, 17, 19, 35}, some_columns{34, 35, 36, 37, 38, 64, 130, 132};

std::string size_of_grid(const position& p) {
    std::string s = "of";
    for (std::int64_t e : p) s += " " + std::to_string(e);
    return s;
}

TEST(Patches, FivePointStencils) {
    for (const std::int64_t rows : some_rows)
        for (const std::int64_t columns : some_columns) {
            const grid<float> u({rows, columns}, 1);
            const array<float> y = u.x(after, inner) + u.x(before, inner) + u.x(inner, after) - u.x(inner, before) * 3.0 -
                                   u.x(inner, inner) * 4.0;
            expect<float>(
                y,
                [&](std::int64_t i, std::int64_t j) {
                    return u.at(i + 2, j + 1) + u.at(i, j + 1) + u.at(i + 1, j + 2) - 3 * u.at(i + 1, j) -
                           4 * u.at(i + 1, j + 1);
                },
                size_of_grid(u.extents));
        }
}

// The new values' region is written into a copy, so clamps and coordinates stand in the kernel; then in place.
TEST(Patches, UpdatesOfTheInside) {
    for (const std::int64_t rows : some_rows)
        for (const std::int64_t columns : some_columns) {
            grid<float> u({rows, columns}, 2), f({rows, columns}, 3);
            array<float> v = u.x;
            v(inner, inner) =
                v(after, inner) + v(before, inner) + v(inner, after) + v(inner, before) * 2.0 + f.x(inner, inner);
            expect<float>(
                v,
                [&](std::int64_t i, std::int64_t j) {
                    if (i == 0 || j == 0 || i == rows - 1 || j == columns - 1) return u.at(i, j);
                    return u.at(i + 1, j) + u.at(i - 1, j) + u.at(i, j + 1) + 2 * u.at(i, j - 1) + f.at(i, j);
                },
                "a copy " + size_of_grid(u.extents));
            f.x(inner, inner) += u.x(inner, after);
            expect<float>(
                f.x,
                [&](std::int64_t i, std::int64_t j) {
                    const bool edge = i == 0 || j == 0 || i == rows - 1 || j == columns - 1;
                    return f.at(i, j) + (edge ? 0 : u.at(i, j + 1));
                },
                "in place " + size_of_grid(u.extents));
        }
}

TEST(Patches, EdgePaddedStencils) {
    for (const std::int64_t rows : some_rows)
        for (const std::int64_t columns : some_columns) {
            const grid<double> u({rows, columns}, 4);
            const array<double> p = frit::pad(u.x, {{1, 1}, {1, 1}}, frit::pad_mode::edge);
            const array<double> y = p(before, before) * 2.0 + p(after, inner) - p(inner, after) * 3.0;
            const auto held = [](std::int64_t i, std::int64_t n) { return std::clamp<std::int64_t>(i, 0, n - 1); };
            expect<double>(
                y,
                [&](std::int64_t i, std::int64_t j) {
                    return 2 * u.at(held(i - 1, rows), held(j - 1, columns)) + u.at(held(i + 1, rows), j) -
                           3 * u.at(i, held(j + 1, columns));
                },
                size_of_grid(u.extents));
        }
}

// Operands that are invariant along rows or columns, narrow and wide dtypes, and a result in an operand's memory.
TEST(Patches, Broadcasts) {
    for (const std::int64_t rows : some_rows)
        for (const std::int64_t columns : some_columns) {
            const grid<float> a({rows, columns}, 5), across({columns}, 6), down({rows}, 7);
            const grid<std::uint8_t> mask({rows, columns}, 8);
            array<float> y = a.x * across.x + down.x(all, newaxis);
            expect<float>(
                y, [&](std::int64_t i, std::int64_t j) { return a.at(i, j) * across.at(0, j) + down.at(0, i); },
                size_of_grid(a.extents));
            y -= across.x;
            const array<float> masked = frit::where(mask.x > std::uint8_t{25}, y, down.x(all, newaxis));
            const auto at = [&](std::int64_t i, std::int64_t j) {
                return a.at(i, j) * across.at(0, j) + down.at(0, i) - across.at(0, j);
            };
            expect<float>(
                masked, [&](std::int64_t i, std::int64_t j) { return mask.at(i, j) > 25 ? at(i, j) : down.at(0, i); },
                "masked " + size_of_grid(a.extents));
            expect<float>(y, at, "in place " + size_of_grid(a.extents));
            const array<std::uint8_t> narrow = mask.x + mask.x(0, all);
            expect<std::uint8_t>(
                narrow,
                [&](std::int64_t i, std::int64_t j) { return static_cast<std::uint8_t>(mask.at(i, j) + mask.at(0, j)); },
                "narrow " + size_of_grid(a.extents));
        }
}

TEST(Patches, Planes) {
    for (const std::int64_t rows : {std::int64_t{5}, std::int64_t{18}, std::int64_t{21}})
        for (const std::int64_t columns : {std::int64_t{38}, std::int64_t{41}, std::int64_t{68}}) {
            const grid<float> u({4, rows, columns}, 9), scale({4}, 10);
            const array<float> y = u.x(inner, inner, inner) * 6.0 - u.x(before, inner, inner) - u.x(after, inner, inner) -
                                   u.x(inner, before, inner) - u.x(inner, after, inner) - u.x(inner, inner, before) -
                                   u.x(inner, inner, after) * scale.x(inner, newaxis, newaxis);
            expect<float>(
                y,
                [&](std::int64_t i, std::int64_t j) {
                    const std::int64_t p = i / (rows - 2) + 1, r = i % (rows - 2) + 1, c = j + 1;
                    return 6 * u.at(p, r, c) - u.at(p - 1, r, c) - u.at(p + 1, r, c) - u.at(p, r - 1, c) -
                           u.at(p, r + 1, c) - u.at(p, r, c - 1) - u.at(p, r, c + 1) * scale.at(0, p);
                },
                size_of_grid(u.extents));
            array<float> v = u.x;
            v(inner, inner, all) = u.x(before, after, all) + u.x(inner, inner, all);
            expect<float>(
                v,
                [&](std::int64_t i, std::int64_t j) {
                    const std::int64_t p = i / rows, r = i % rows;
                    if (p == 0 || p == 3 || r == 0 || r == rows - 1) return u.at(p, r, j);
                    return u.at(p - 1, r + 1, j) + u.at(p, r, j);
                },
                "an update " + size_of_grid(u.extents));
        }
}

// Rows upside down, every other row, columns from an odd place: windows count their shifts in strides of any sign.
TEST(Patches, OtherStrides) {
    for (const std::int64_t columns : some_columns) {
        const grid<float> u({50, columns}, 11);
        const array<float> flipped = frit::flip(u.x, {0}), y = flipped(before, all) + flipped(after, all) * 2.0;
        expect<float>(
            y, [&](std::int64_t i, std::int64_t j) { return u.at(49 - i, j) + 2 * u.at(47 - i, j); },
            "upside down " + size_of_grid(u.extents));
        const slice even(0, none, 2), odd(1, none, 2);
        const array<float> pairs = u.x(even, slice(3, none)) * 2.0 + u.x(odd, slice(2, -1));
        expect<float>(
            pairs, [&](std::int64_t i, std::int64_t j) { return 2 * u.at(2 * i, j + 3) + u.at(2 * i + 1, j + 2); },
            "pairs of rows " + size_of_grid(u.extents));
    }
}

/// The total of want(i, j) over rows x columns.
double total_of(std::int64_t rows, std::int64_t columns, const std::function<double(std::int64_t, std::int64_t)>& want) {
    double sum = 0;
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) sum += want(i, j);
    return sum;
}

// A step and its residual: stores, clamps and coordinates in a kernel that totals all elements.
TEST(Patches, TotalsOfUpdates) {
    for (const std::int64_t rows : some_rows)
        for (const std::int64_t columns : some_columns) {
            const grid<double> u({rows, columns}, 12);
            array<double> v = u.x;
            v(inner, inner) = v(after, inner) + v(before, inner) * 2.0 - v(inner, after) - v(inner, before);
            array<double> residual = frit::sum(frit::abs(v - u.x)), most = frit::max(v);
            frit::eval(v, residual, most);
            const auto at = [&](std::int64_t i, std::int64_t j) {
                if (i == 0 || j == 0 || i == rows - 1 || j == columns - 1) return u.at(i, j);
                return u.at(i + 1, j) + 2 * u.at(i - 1, j) - u.at(i, j + 1) - u.at(i, j - 1);
            };
            expect<double>(v, at, size_of_grid(u.extents));
            EXPECT_EQ(residual.item(),
                      total_of(rows, columns, [&](auto i, auto j) { return std::abs(at(i, j) - u.at(i, j)); }))
                << size_of_grid(u.extents);
            const std::vector<double> values = v.to_vector();
            EXPECT_EQ(most.item(), *std::max_element(values.begin(), values.end())) << size_of_grid(u.extents);
        }
}

// Rows that do not follow each other in memory, of one array and of several; places are counted along the rows.
TEST(Patches, TotalsOfViews) {
    for (const std::int64_t rows : some_rows)
        for (const std::int64_t columns : some_columns) {
            const grid<float> a({rows, columns + 4}, 13), b({rows, columns + 4}, 14), across({columns}, 15);
            const grid<std::uint8_t> mask({rows, columns + 8}, 16);
            const slice left(0, columns);
            const array<float> x = a.x(all, left);
            EXPECT_EQ(frit::sum(x).item(), total_of(rows, columns, [&](auto i, auto j) { return a.at(i, j); }));
            EXPECT_EQ(frit::sum(x * b.x(all, slice(4, none)) + across.x).item(),
                      total_of(rows, columns, [&](auto i, auto j) { return a.at(i, j) * b.at(i, j + 4) + across.at(0, j); }))
                << size_of_grid(a.extents);
            EXPECT_EQ(frit::count_nonzero(mask.x(all, left) > std::uint8_t{25}).item(),
                      total_of(rows, columns, [&](auto i, auto j) { return mask.at(i, j) > 25; }))
                << size_of_grid(mask.extents);
            const std::vector<float> values = x.to_vector();
            EXPECT_EQ(frit::argmax(x).item(), std::max_element(values.begin(), values.end()) - values.begin())
                << size_of_grid(a.extents);
        }
}

}  // namespace

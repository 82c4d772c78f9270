// The ways in which an operand can lie in memory: each makes a frit array whose values are a given row-major list, over
// memory that holds other things too.
#pragma once

#include <string>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/from_values.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/values.hpp"

namespace frit_test {

enum class layout {
    contiguous,
    offset,
    strided,
    reversed,
    transposed,
    column_slice,
    negative_rows,
    repeated_row,
    repeated_column
};

inline constexpr std::pair<layout, const char*> layouts[] = {{layout::contiguous, "contiguous"},
                                                             {layout::offset, "offset"},
                                                             {layout::strided, "strided"},
                                                             {layout::reversed, "reversed"},
                                                             {layout::transposed, "transposed"},
                                                             {layout::column_slice, "column_slice"},
                                                             {layout::negative_rows, "negative_rows"},
                                                             {layout::repeated_row, "repeated_row"},
                                                             {layout::repeated_column, "repeated_column"}};

/// An operand: what frit is given, and the same for the reference.
template <class T>
struct operand {
    frit::array<T> lazy;
    ref::array plain;
};

template <class T>
ref::array plain_array(const std::vector<T>& values, const ref::position& extents) {
    std::size_t next = 0;
    return ref::generate(frit::dtype_of<T>, extents,
                         [&](const auto&) { return ref::exactly(to_element<ref::value>(T(values[next++]))); });
}

template <class T>
frit::array<T> upload(const ref::array& x) {
    std::vector<T> values;
    for (const ref::number& e : x.data) values.push_back(to_element<T>(e.at()));
    return from_values(values, x.extents);
}

/// `values` as a rows x columns array (repeated_*: only the first row or column of them counts).
template <class T>
operand<T> lay_out(layout how, const std::vector<T>& values, std::int64_t rows, std::int64_t columns) {
    using frit::all;
    using frit::none;
    using frit::slice;
    const ref::array plain = plain_array(values, {rows, columns});
    // Memory of the given extents full of ones, with the plain array's element (i, j) at place(i, j).
    const auto around = [&](std::int64_t r, std::int64_t c, const auto& place) {
        ref::array memory = ref::generate(plain.type, {r, c}, [](const auto&) { return ref::number{1, 0, 0}; });
        ref::for_each_index(plain.extents, [&](const ref::position& i) { memory.at(place(i[0], i[1])) = plain.at(i); });
        return upload<T>(memory);
    };
    using at = ref::position;
    switch (how) {
        case layout::contiguous: return {upload<T>(plain), plain};
        case layout::offset: {
            const frit::array<T> m = around(rows * columns + 3, 1, [&](auto i, auto j) {
                return at{i * columns + j + 3, 0};
            });
            return {m(slice(3, none), 0).reshape({rows, columns}), plain};
        }
        case layout::strided: {
            const frit::array<T> m = around(rows, 3 * columns, [&](auto i, auto j) { return at{i, 3 * j + 1}; });
            return {m(all, slice(1, none, 3)), plain};
        }
        case layout::reversed: {
            const frit::array<T> m = around(rows, columns, [&](auto i, auto j) {
                return at{rows - 1 - i, columns - 1 - j};
            });
            return {m(slice(none, none, -1), slice(none, none, -1)), plain};
        }
        case layout::transposed: {
            const frit::array<T> m = around(columns, rows, [&](auto i, auto j) { return at{j, i}; });
            return {m.T(), plain};
        }
        case layout::column_slice: {
            const frit::array<T> m = around(rows + 2, columns + 5, [&](auto i, auto j) { return at{i + 1, j + 2}; });
            return {m(slice(1, -1), slice(2, -3)), plain};
        }
        case layout::negative_rows: {
            const frit::array<T> m = around(2 * rows, columns, [&](auto i, auto j) {
                return at{2 * (rows - 1 - i) + 1, j};
            });
            return {m(slice(none, none, -2), all), plain};
        }
        case layout::repeated_row: {
            const ref::array row = ref::slice(plain, {{0, 1, 1}, {0, columns, 1}});
            return {upload<T>(row), row};
        }
        case layout::repeated_column: break;
    }
    const ref::array column = ref::slice(plain, {{0, rows, 1}, {0, 1, 1}});
    return {upload<T>(column), column};
}

}  // namespace frit_test

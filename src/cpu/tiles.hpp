// Elements of a matrix in an order for copies between memory that has rows on one side and columns on the other.
#pragma once

#include <algorithm>
#include <cstdint>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

/// The side of a tile: a line of a cache. (Where rows are a power of two apart, few of a cache's sets hold them: tiles of 32
/// took five times as long for 512 x 512 float64.)
inline constexpr std::int64_t copy_tile = 8;

/// Calls f(i, j) for rows from i on and columns from j on, at most a tile of them, row by row.
template <class F>
void for_each_in_tile(std::int64_t i, std::int64_t rows, std::int64_t j, std::int64_t columns, const F& f) {
    if (rows >= copy_tile && columns >= copy_tile)  // as many as a compiler knows
        for (std::int64_t k = 0; k < copy_tile; ++k)
            for (std::int64_t l = 0; l < copy_tile; ++l) f(i + k, j + l);
    else
        for (std::int64_t k = 0; k < std::min(rows, copy_tile); ++k)
            for (std::int64_t l = 0; l < std::min(columns, copy_tile); ++l) f(i + k, j + l);
}

/// Calls f(i, j) for every element of a matrix, tile by tile, so that each line is read and written whole. Within a tile it
/// goes row by row, so j should go along what is written; from tile to tile along what is read then, which a processor
/// fetches ahead.
template <class F>
void for_each_in_tiles(std::int64_t rows, std::int64_t columns, const F& f) {
    for (std::int64_t j = 0; j < columns; j += copy_tile)
        for (std::int64_t i = 0; i < rows; i += copy_tile) for_each_in_tile(i, rows - i, j, columns - j, f);
}

/// The same of the elements of an n x n matrix with j <= i, or, where `above`, with j >= i.
template <class F>
void for_each_of_triangle(std::int64_t n, bool above, const F& f) {
    for (std::int64_t j = 0; j < n; j += copy_tile) {
        for (std::int64_t i = above ? 0 : j + copy_tile; i < (above ? j : n); i += copy_tile)
            for_each_in_tile(i, n - i, j, n - j, f);
        for (std::int64_t k = j, end = std::min(j + copy_tile, n); k < end; ++k)
            for (std::int64_t l = above ? k : j; l < (above ? end : k + 1); ++l) f(k, l);
    }
}

}  // namespace frit::v0::detail

// Selections from rows on the CPU: what sorting would put at some places, without sorting the rest; and the memory that they
// need beside the results.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/engine/dense_rows.hpp"

namespace frit::inline v0::detail {

/// Ranks of every row, the places of sorted elements: dense, a row of them for each row, or one for all.
struct ranked_rows {
    dense_rows of;
    std::int64_t ranks = 0;
    bool alike = false;
};

std::size_t at_ranks_workspace(const ranked_rows&);
/// The elements that sort_rows would put at the ranks.
void rows_at_ranks(const ranked_rows&, const void* from, const std::int64_t* ranks, void* to, void* workspace);

/// The k largest elements of every row, falling, and where they were; null for what is not asked for. As a stable sort:
/// equal elements keep their order, -0 is equal to +0, and NaN comes first. Of complex numbers as sort_rows orders them.
std::size_t largest_workspace(const dense_rows&, std::int64_t k);
void largest_of_rows(const dense_rows&, std::int64_t k, const void* from, void* values, std::int64_t* places,
                     void* workspace);

/// Rows in an order in which the elements at the ranks are where sort_rows puts them: what is before, between and behind
/// them keeps its order, and so do the elements equal to one of them. Values as sort orders them, but that all NaNs are
/// equal; places as argsort does.
inline constexpr int most_pivots = 16;  ///< ranks of a partition
std::size_t partition_workspace(const ranked_rows&);
void partition_rows(const ranked_rows&, const void* from, const std::int64_t* ranks, void* values, std::int64_t* places,
                    void* workspace);

}  // namespace frit::v0::detail

// Sorts of rows on the CPU, and the memory that they need beside the results.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/engine/dense_rows.hpp"

namespace frit::inline v0::detail {

/// What is asked for of a sort: the values in order, the places where they were, or both.
struct sort_results {
    bool values, places;
};

/// Bytes of scratch memory that sort_rows needs: at most as many rows as threads may work on at a time.
std::size_t sort_workspace(const dense_rows&, sort_results);

/// Rows in ascending order; null for what is not asked for. Values: NaN last (of any sign), -0 before +0, NaNs of different
/// bits in an order of their bits, so that the result does not depend on the method or the number of threads. Places:
/// stable, NaNs equal to each other, -0 equal to +0. Both are what each is alone. Complex numbers go by their real and then
/// their imaginary parts, those with a NaN last, as NumPy orders them; their values are those at the places. `values` may be
/// `from`.
void sort_rows(const dense_rows&, const void* from, void* values, std::int64_t* places, void* workspace);

}  // namespace frit::v0::detail

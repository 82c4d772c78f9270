// Lines of a few elements that are put together from as many dense blocks, one for each column.
#pragma once

#include <cstddef>
#include <cstdint>

namespace frit::inline v0::detail {

inline constexpr std::int64_t most_columns = 4;

/// to[k * columns + c] = element k of from[c], of `size` bytes, for k < lines; 2 to most_columns columns, none of which is
/// in the lines' memory.
void put_side_by_side(void* to, const void* const* from, std::int64_t columns, std::size_t size,
                      std::int64_t lines) noexcept;

}  // namespace frit::v0::detail

// Axes as users write them, negative ones from the back, checked against a rank: for views and reductions.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "frit/detail/axis_map.hpp"
#include "frit/index.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0::detail {

/// @throws index_error naming `op` and `of`
int checked_axis(std::string_view op, std::int64_t axis, int rank, const shape& of, source_line where);
/// Which axes of `rank` a list names. @throws index_error for an axis out of range or named twice, or for none
std::vector<bool> named_axes(std::string_view op, const axes& list, int rank, const shape& of, source_line where);

/// What index_attribute gives, to be changed.
std::unique_ptr<attribute> index_map(const shape& of, std::span<const index>, source_line where);

}  // namespace frit::v0::detail

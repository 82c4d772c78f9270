// The blocks of kernels over rows: what rows.cpp and row_tiles.cpp share of their launches.
#pragma once

#include "fusion/schedules/gpu/gpu.hpp"

namespace frit::inline v0::fusion::gpu {

launch_shape shape_of_rows(const kernel_spec&, const std::uint64_t* extents, const target&);
std::uint64_t partials_of_rows(const kernel_spec&, const std::uint64_t* extents, const target&);

}  // namespace frit::v0::fusion::gpu

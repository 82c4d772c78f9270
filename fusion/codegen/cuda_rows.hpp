// Kernels over rows in CUDA C++, for neighbours along a row or across rows (cuda_rows.cpp) and for tiles (cuda_tile.cpp).
// How their threads share a row says fusion/machine/cuda_row_shape.hpp.
#pragma once

#include <string>

#include "fusion/codegen/dialect_base.hpp"
#include "fusion/machine/cuda_row_shape.hpp"

namespace frit::inline v0::fusion {

std::string cuda_row_kernel(const dialect&, const kernel_spec&, const word_map&, const std::string& name);
std::string cuda_tile_kernel(const dialect&, const kernel_spec&, const word_map&, const std::string& name);

}  // namespace frit::v0::fusion

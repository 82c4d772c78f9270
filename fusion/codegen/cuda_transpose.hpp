// Tiled pointwise kernels in CUDA C++, where some accesses have their unit stride in one dimension and others in another.
// How a block's tile is laid out says fusion/machine/cuda_transpose_shape.hpp.
#pragma once

#include <string>

#include "fusion/codegen/dialect_base.hpp"
#include "fusion/machine/cuda_transpose_shape.hpp"

namespace frit::inline v0::fusion {

std::string cuda_transpose_kernel(const dialect&, const kernel_spec&, const word_map&, const std::string& name);

}  // namespace frit::v0::fusion

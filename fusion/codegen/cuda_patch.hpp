// Kernels whose threads compute patches (kernel_spec::patch_rows) in CUDA C++.
#pragma once

#include <string>

#include "fusion/codegen/dialect_base.hpp"

namespace frit::inline v0::fusion {

std::string cuda_patch_kernel(const dialect&, const kernel_spec&, const word_map&, const std::string& name);

}  // namespace frit::v0::fusion

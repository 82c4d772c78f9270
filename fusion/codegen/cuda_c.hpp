// What the CUDA backend and the tests need to know of CUDA text beyond emit(): how many kernels share one program and one
// prelude. Which launch shape a text assumes says fusion/schedules/gpu/gpu.hpp.
#pragma once

#include <string>
#include <string_view>

#include "fusion/ir/kernel_spec.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

/// One kernel without its prelude, and the prelude that texts need: many kernels can share one program.
std::string cuda_kernel_text(const kernel_spec&, const target&, const std::string& name);
std::string cuda_prelude_for(std::string_view kernel_texts);

}  // namespace frit::v0::fusion

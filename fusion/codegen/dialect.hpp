// Kernels as C++ text: `emit` makes zero-include text of a kernel spec; a dialect says how its language spells what differs.
#pragma once

#include <string>

#include "fusion/ir/kernel_spec.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

class dialect;
const dialect& cuda_c();  ///< CUDA C++ for NVRTC: scalar lanes, 16-byte vector accesses, extern "C" kernel
const dialect& host_c();  ///< C++ for $CXX: explicit vector lanes over the prelude

/// The whole text of one kernel, entry point `extern "C"` named `name`. Same spec, dialect and target: same text.
std::string emit(const kernel_spec&, const dialect&, const target&, const std::string& name = "frit_kernel");

}  // namespace frit::v0::fusion

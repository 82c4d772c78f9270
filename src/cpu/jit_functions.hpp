// What code of the engine jit calls: functions of the prelude that are worth no copy in every kernel, and libm's.
#pragma once

#include <string_view>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

/// The address of a function by the name that fusion/codegen/llvm_loops.hpp gives it; null if there is none.
void* jit_function(std::string_view symbol) noexcept;

}  // namespace frit::v0::detail

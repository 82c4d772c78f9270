// What the driver of the host compiler must know of generated host text, so that both agree in one place.
#pragma once

#include <string>

#include "fusion/ir/kernel_spec.hpp"

namespace frit::inline v0::fusion {

/// Whether generated text gets the op from the vector math table at load time, and through which exported variable: a
/// pointer to function that the loader fills in. Empty: the prelude defines the op itself.
std::string host_math_variable(op, dtype operand);

/// The name of the epilogue's entry point: void (const u64* words, const u64* totals). The kernel's own is
/// void (const u64* words, i64 begin, i64 end, u64* partials, i64 blocks).
std::string host_finish_name(const std::string& kernel_name);

}  // namespace frit::v0::fusion
